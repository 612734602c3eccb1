// Says what is wrong beside the field that it is about, and keeps what was typed.

/** @typedef {import("./engine.js").Fault} Fault */

let ids = 0;

/** A fault as a sentence. @param {Fault} f */
export function sentence(f) {
  let s = f.problem;
  if (f.given) s += ` (given ${f.given})`;
  if (f.line > 0) s = `line ${f.line}: ${s}`;
  s = s.charAt(0).toUpperCase() + s.slice(1) + ".";
  if (f.allowed) s += ` Allowed: ${f.allowed}.`;
  if (f.hint) s += ` ${f.hint.charAt(0).toUpperCase()}${f.hint.slice(1)}${/[.?]$/.test(f.hint) ? "" : "."}`;
  return s;
}

/** The place of a field in the form, null when it has none. */
export function place(form, field) {
  for (const name of [field, "set." + field]) {
    for (const element of form.querySelectorAll("[data-field]")) {
      if (element.dataset.field === name && (element.offsetParent || !element.closest("details"))) return element;
    }
  }
  return form.querySelector(`[data-field="${CSS.escape(field)}"]`);
}

/** Calls f so many frames later: what is shown in the frame in which it is laid out anew seems to jump. */
export const frames = (n, f) => (n ? requestAnimationFrame(() => frames(n - 1, f)) : f());

/** The question of the address is answered, or it is said why not: what waited for that is shown, with what a next frame still brings. */
export const heard = () => frames(3, () => { delete document.documentElement.dataset.asked; });

/**
 * Shows a message beside a field.
 * @param {Element} element with data-field
 * @param {string} message
 */
export function show(element, message) {
  heard();
  for (let d = element.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
  /** @type {HTMLElement} */
  let p = element.querySelector(":scope > .error");
  if (!p) {
    p = document.createElement("p");
    p.className = "error";
    p.id = `problem-${++ids}`;
    (element.nodeName === "TR" ? element.cells[1] : element).append(p);
  }
  if (p.textContent !== message) p.textContent = message;
  for (const input of element.querySelectorAll("input:not([type=range]), textarea, select")) {
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-describedby", p.id);
  }
}

/** Takes the messages away. @param {Element} form */
export function clear(form) {
  for (const p of form.querySelectorAll(".error")) p.remove();
  for (const input of form.querySelectorAll("[aria-invalid]")) {
    input.removeAttribute("aria-invalid");
    input.removeAttribute("aria-describedby");
  }
}

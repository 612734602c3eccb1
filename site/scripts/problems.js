// Says what is wrong beside the field that it is about, and keeps what was typed.

/** @typedef {import("./engine.js").Fault} Fault */

let ids = 0;

/** What is said and the controls that are marked: to look for them would ask every element of the page at each edit. @type {Set<Element>} */
const marked = new Set();

/** A problem that lacks its subject: "is out of range". */
const verb = /^(is|must|stands|does|takes|has|runs) /;

/** A fault in two sentences: what is wrong, where, what was given; what is allowed, what to do next. @param {Fault} f @param {boolean} [alone] whether no field beside it says what it is about */
export function sentence(f, alone) {
  const about = f.field.replace(/^set\./, "");
  let s = verb.test(f.problem) && about ? `${about} ${f.problem}` : f.problem.charAt(0).toUpperCase() + f.problem.slice(1);
  if (alone && about && !s.startsWith(about)) s = `${about}: ${f.problem}`;
  if (f.line > 0) s = `Line ${f.line}: ${s.charAt(0).toLowerCase()}${s.slice(1)}`;
  if (f.given) s += ` (given ${f.given})`;
  s += ".";
  const next = [f.allowed && `Allowed: ${f.allowed}`, f.hint].filter(Boolean).join("; ");
  if (next) s += ` ${next.charAt(0).toUpperCase()}${next.slice(1)}${/[.?]$/.test(next) ? "" : "."}`;
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

/** Calls f n frames later: what is shown in the frame in which it is laid out anew seems to jump. */
export const frames = (n, f) => (n ? requestAnimationFrame(() => frames(n - 1, f)) : f());

/** The question of the address is answered, or it is said why not: what waited for that is shown, with what a next frame still
 * brings. What is there meanwhile goes out of sight first where a message moves it. @param {boolean} [moved] */
export function heard(moved = false) {
  const { dataset } = document.documentElement;
  if (moved && "asked" in dataset) dataset.asked = "moved";
  frames(3, () => { delete dataset.asked; });
}

/**
 * Shows a message beside a field.
 * @param {Element} element with data-field
 * @param {string} message
 * @param {{slug: string, name: string}[]} [meant] what may have been meant: offered to choose
 * @param {string} [fetch] a model that the hub may be asked for: offered too
 */
export function show(element, message, meant, fetch) {
  heard(true);
  for (let d = element.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
  /** @type {HTMLElement} */
  let p = element.querySelector(":scope > .error");
  if (!p) {
    p = document.createElement("p");
    p.className = "error";
    p.id = `problem-${++ids}`;
    marked.add(p);
    (element.nodeName === "TR" ? element.cells[1] : element).append(p);
  }
  if (p.textContent !== message) p.textContent = message;
  if (meant?.length) {
    p.append(" Did you mean ", ...meant.flatMap(({ slug, name }) => {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.pick = slug;
      button.textContent = name;
      return [button, " "];
    }));
  }
  if (fetch) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.fetch = fetch;
    button.textContent = `Fetch ${fetch}`;
    p.append(" ", button);
  }
  for (const input of element.querySelectorAll("input:not([type=range]), textarea, select")) {
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-describedby", p.id);
    marked.add(input);
  }
}

/** Takes the messages away. @param {Element} form */
export function clear(form) {
  for (const x of marked) if (form.contains(x)) {
    marked.delete(x);
    if (x.nodeName === "P") x.remove();
    x.removeAttribute("aria-invalid");
    x.removeAttribute("aria-describedby");
  }
}

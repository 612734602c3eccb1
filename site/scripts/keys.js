// Single keys for what is used often. They are off while a field has the focus, and can be switched off altogether
// (WCAG 2.1.4); the list of them opens by "?" and by a button in the footer.

import { reveal } from "./tabs.js";

/** @typedef {{key: string, words: string, run: () => void}} Shortcut */

const go = (selector) => {
  const element = document.querySelector(selector);
  if (!element) return;
  reveal(element);
  for (let d = element.parentElement?.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: "center" });
  element.select?.();
};
const press = (selector) => document.querySelector(selector)?.click();
const lens = (n) => {
  const place = n === 0 ? document.querySelector(".answer") : document.querySelectorAll(".lens")[n - 1];
  if (!place) return;
  reveal(place);
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
  place.scrollIntoView();
};
function theme() {
  const select = document.querySelector("[data-theme-choice]");
  select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
  select.dispatchEvent(new Event("change", { bubbles: true }));
}

/** @type {Shortcut[]} */
const everywhere = [
  { key: "?", words: "this list", run: () => list() },
  { key: "/", words: "search, as Ctrl K or ⌘ K everywhere", run: () => press("[data-search]") },
  { key: "t", words: "the next theme: system, light, dark", run: theme },
];
/** @type {Shortcut[]} */
const calculator = [
  { key: "m", words: "choose a model", run: () => go('.calc [name="model"]') },
  { key: "p", words: "paste a config", run: () => go('.calc [name="config"]') },
  { key: "e", words: "edit the config's keys", run: () => go(".calc .shape input") },
  { key: "c", words: "the context", run: () => go('.calc [name="context"]') },
  { key: "l", words: "copy the link", run: () => press('.calc [data-copy="link"]') },
  { key: "n", words: "copy the number", run: () => press('.calc [data-copy="number"]') },
  { key: "u", words: "undo: back to the question before", run: () => history.back() },
  { key: "r", words: "reset: the model as it is", run: () => press("[data-reset-all]") },
  { key: "1", words: "parameters and bytes", run: () => lens(0) },
];
const lensWords = () => [...document.querySelectorAll(".lens > h2")].map((h, i) => ({ key: String(i + 2), words: h.textContent.toLowerCase(), run: () => lens(i + 1) }));

const has = (root) => root.querySelector(".calc:not(.embedded)");
const shortcuts = () => (has(document) ? [...everywhere, ...calculator, ...lensWords()] : everywhere);

let on = true;
try {
  on = localStorage.getItem("keys") !== "off";
} catch {
  // Storage may be forbidden: keys are on.
}

function turn(value) {
  on = value;
  try {
    if (on) localStorage.removeItem("keys");
    else localStorage.setItem("keys", "off");
  } catch {
    // They are off for this page only.
  }
}

/** @type {HTMLDialogElement | undefined} */
let dialog;

function list() {
  if (!dialog) {
    dialog = document.createElement("dialog");
    dialog.className = "keys-list";
    dialog.setAttribute("aria-labelledby", "keys-title");
    dialog.innerHTML = `<h2 id="keys-title">Keys</h2><p class="quiet">They work while no field has the focus.</p>
<dl></dl><p><label><input type="checkbox"> <span>Keys are on</span></label></p><form method="dialog"><button>Close</button></form>`;
    const box = dialog.querySelector("input");
    box.addEventListener("change", () => turn(box.checked));
    document.body.append(dialog);
  }
  dialog.querySelector("input").checked = on;
  dialog.querySelector("dl").innerHTML = shortcuts().map(({ key, words }) => `<dt><kbd>${key}</kbd></dt><dd>${words}</dd>`).join("");
  if (!dialog.open) dialog.showModal();
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
  // A list that closes keeps the focus until the next frame: what is typed meanwhile is not meant for it.
  if (event.target instanceof Element && event.target.closest("dialog[open], :is(input, select, textarea, [contenteditable]):not(dialog *)")) return;
  const shortcut = shortcuts().find((s) => s.key === event.key);
  if (!shortcut) return;
  if (!on) {
    event.stopImmediatePropagation();
    return;
  }
  if (event.key === "/") return; // the search listens itself
  event.preventDefault();
  shortcut.run();
}

let since = Infinity;

/** Takes the key that made the page load this file. @param {any} [event] */
export function hear(event) {
  if (event?.type === "keydown" && event.timeStamp < since) pressed(event);
}

/** Starts listening. */
export function startKeys() {
  // First of all listeners, so that "off" holds for the search's key too.
  addEventListener("keydown", pressed, true);
  since = performance.now();
  const footer = document.querySelector("footer.site > :last-child");
  if (footer) {
    footer.insertAdjacentHTML("beforeend", '<button type="button" class="keys-button">Keys</button>');
    footer.lastElementChild.addEventListener("click", list);
  }
}

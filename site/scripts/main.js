// Starts what is on the page. Everything is readable before this runs.
import { startTheme } from "./theme.js";

startTheme();
// Which model a link asks about is shown before its answer is there.
const field = "asked" in document.documentElement.dataset && document.querySelector(".calc:not(.embedded) [name=model]");
if (field) {
  field.value = /[#&]config=/.test(location.hash) ? "" : (new URLSearchParams(location.search).get("model") ?? field.value);
  field.closest(".field").classList.add("asked");
}
// The search opens by its link, by "/" and by Ctrl or ⌘ with K; the link alone leads to a list of everything.
const link = document.querySelector("[data-search]");
onclick = onkeydown = /** @param {any} event */ (event) => {
  const command = event.ctrlKey || event.metaKey;
  if (event.key ? (command ? event.key !== "k" || event.shiftKey || event.altKey : event.key !== "/" || event.target.closest("dialog[open],:is(input,select,textarea):not(dialog *)")) : command || event.target.closest("a") !== link) return;
  event.preventDefault();
  import("./search.js").then((search) => search.open(event)).catch(() => { location = /** @type {any} */ (link); });
};
const calculators = document.querySelectorAll("[data-calculator]");
/** What was done before the calculator heard it: a button pressed, a name typed to its end. */
const early = [];
const press = ({ type, target }) => early.push([type, target.closest(`.calc ${type === "click" ? "button" : "[data-picks]"}`)]);
const again = (type, control) => control?.dispatchEvent(new Event(type, { bubbles: true }));
/** @type {Promise<void> | undefined} */
let started;
const start = () => started ??= calculators.length === 0 ? Promise.resolve() : import("./calculator.js").then(({ startCalculators }) => {
  startCalculators(calculators);
  removeEventListener("click", press);
  onchange = null;
  for (const was of early) again(...was);
  again("focusin", document.activeElement?.closest(".calc input")); // a field that somebody came to
}, () => { started = undefined; });
// The answer is in the page, and is read before it is edited: its scripts come when a reader moves or the browser has nothing
// to do. A link's question waits for them, and so does what is in a text.
if (document.querySelector(".calc:not(.embedded)") && !("asked" in document.documentElement.dataset)) {
  addEventListener("click", press);
  onchange = press;
  for (const type of ["focusin", "input", "hashchange", "popstate"]) addEventListener(type, start, { once: true });
  (globalThis.requestIdleCallback ?? ((f) => setTimeout(f, 200)))(start, { timeout: 1000 });
} else await start();
// What is beside the answer waits until a reader first moves, or comes for one number of it.
const beside = (event) => start().then(() => import("./beside.js")).then((all) => all.hear(event)).catch(() => {});
for (const type of ["pointerdown", "keydown", "dragenter"]) addEventListener(type, beside, { once: true });
addEventListener("pointermove", function move(event) {
  if (!event.movementX && !event.movementY) return; // the page has moved, not the pointer
  removeEventListener("pointermove", move);
  beside(event);
});
if (/[#&](at=|training)/.test(location.hash)) beside();
for (const list of document.querySelectorAll("[data-catalogue]")) (await import("./catalogue.js")).startCatalogue(list);
for (const root of document.querySelectorAll("[data-snippets]")) (await import("./snippets.js")).startSnippets(root);
for (const root of document.querySelectorAll("[data-points]")) (await import("./points.js")).startPoints(root);
// Last of all, when what a reader came for is there.
setTimeout(() => import("./offline.js").then((offline) => offline.startOffline()).catch(() => {}), 5000);

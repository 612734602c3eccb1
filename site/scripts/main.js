// Starts what stands on the page. Everything is readable before this runs.
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
  const typing = () => event.target.closest("dialog[open],:is(input,select,textarea):not(dialog *)");
  if (event.key ? (command ? event.key !== "k" || event.shiftKey || event.altKey : event.key !== "/" || typing()) : command || event.target.closest("a") !== link) return;
  event.preventDefault();
  import("./search.js").then((search) => search.open(event)).catch(() => { location = /** @type {any} */ (link); });
};
const calculators = document.querySelectorAll("[data-calculator]");
if (calculators.length > 0) {
  const { startCalculators } = await import("./calculator.js");
  startCalculators(calculators);
}
// What stands beside the answer waits until a reader first moves, or comes for one number of it.
const beside = (event) => import("./beside.js").then(({ hear }) => hear(event)).catch(() => {});
for (const type of ["pointermove", "pointerdown", "keydown"]) addEventListener(type, beside, { once: true });
if (/[#&]at=/.test(location.hash)) beside();
for (const list of document.querySelectorAll("[data-catalogue]")) {
  const { startCatalogue } = await import("./catalogue.js");
  startCatalogue(list);
}
for (const root of document.querySelectorAll("[data-snippets]")) {
  const { startSnippets } = await import("./snippets.js");
  startSnippets(root);
}
for (const root of document.querySelectorAll("[data-points]")) {
  const { startPoints } = await import("./points.js");
  startPoints(root);
}
// Last of all, when what a reader came for is there.
setTimeout(() => import("./offline.js").then(({ startOffline }) => startOffline()).catch(() => {}), 5000);

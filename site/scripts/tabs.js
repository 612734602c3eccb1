// The tabs of an answer: which one is shown stands at the root of the page (theme.classic.js sets it before the first
// paint), so that without script all of them are.
import { withTab } from "./link.js";

const { dataset } = document.documentElement;

/** Says which tab is the shown one. */
function mark() {
  for (const a of document.querySelectorAll(".tabs a")) {
    if (a.hash === `#${dataset.tab}`) a.setAttribute("aria-current", "true");
    else a.removeAttribute("aria-current");
  }
}

/** Shows the tab that something stands in. @param {EventTarget | null} element */
export function reveal(element) {
  const { id } = element?.closest("section.lens") ?? {};
  if (!id) return;
  delete dataset.top; // what is shown now was not waited for: it comes at once
  if (id === dataset.tab) return void document.body.offsetHeight; // laid out whole before somebody asks for a part of it
  dataset.tab = id;
  mark();
}

/** Takes over the links to the tabs: a pasted config stays in the address. */
export function startTabs() {
  mark();
  addEventListener("hashchange", mark);
  // Whoever opens something goes where it stands: a link to a number, a key, a search of the browser's.
  document.addEventListener("toggle", ({ target, isTrusted }) => { if (isTrusted && target.open) reveal(target); }, true);
  document.addEventListener("click", (event) => {
    const a = event.target.closest(".tabs a, .question > a");
    if (!a || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    reveal(document.querySelector(a.hash));
    if (!a.closest(".tabs")) document.querySelector(".tabs").scrollIntoView(); // asked for from the first screen
    history.replaceState(history.state, "", withTab(dataset.tab));
  });
}

// A number can be linked to: every figure that opens has a name, "#at=name" opens it, and an opened one offers its link.
import { copy } from "./copy.js";
import { fragment, whole } from "./link.js";
import { reveal } from "./tabs.js";
import { offerWhy, within } from "./why.js";

const slug = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");

/** The words of a summary without what changes with the question: notes, the figure itself, swatches. */
function label(summary) {
  const of = summary.querySelector(".label") ?? summary;
  if (of.dataset.at) return of.dataset.at; // it had another label when the first links to it were given out
  const copy = of.cloneNode(true);
  for (const e of copy.querySelectorAll(".swatch, .quiet, .n, b")) e.remove();
  return slug(copy.textContent);
}

/** The figures that open, by name: the region's and their own, "bytes.weights", "parts.attention". @returns {Map<string, HTMLDetailsElement>} */
function figures() {
  const all = new Map();
  for (const d of document.querySelectorAll(".answer [data-region] details, .answer details.chart")) {
    if (d.closest(".numbers, number-why")) continue;
    const base = d.dataset.name ?? `${d.closest("[data-region]").dataset.region}.${label(d.querySelector("summary"))}`;
    let name = base;
    for (let i = 2; all.has(name); i++) name = `${base}-${i}`;
    all.set(name, d);
  }
  return all;
}

const nameOf = (details) => [...figures()].find(([, d]) => d === details)?.[0];

/** The name in the address: of "#at=…" and of "#config=…&at=…". "name~figure" also opens a figure that the number is made of. */
const asked = () => new URLSearchParams(location.hash.slice(1)).get("at");

/** The address of a figure. Pasted configs stay in it. */
function address(name) {
  const configs = whole(fragment());
  return `${location.origin}${location.pathname}${location.search}${configs ? configs + "&" : "#"}at=${name}`;
}

/** Moves the focus to what may not be shown before its answer is there. @param {HTMLElement} element */
function focus(element) {
  element.focus({ preventScroll: true });
  if (element.isConnected && !element.checkVisibility({ visibilityProperty: true })) requestAnimationFrame(() => focus(element));
}

/** Opens the figure that the address names. Returns whether it is there. */
function arrive() {
  const [name, below] = (asked() ?? "").split("~");
  const figure = figures().get(name);
  if (!figure) return false;
  if (below) within(below);
  reveal(figure);
  figure.open = true;
  focus(figure.querySelector("summary"));
  (figure.closest("tbody") ?? figure).scrollIntoView({ block: "center" });
  return true;
}

/** Puts the way to its link into an opened figure; the answer may have taken it away. */
function offer(figure) {
  const place = figure.closest("tbody")?.querySelector("tr.more > td") ?? figure;
  if (!figure.open || place.querySelector(":scope > number-link") || !nameOf(figure)) return;
  const link = document.createElement("number-link");
  link.className = "tools";
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = `Copy link to this ${figure.matches(".chart") ? "chart" : "number"}`;
  const said = document.createElement("span");
  said.className = "said";
  said.dataset.said = "";
  said.setAttribute("role", "status");
  link.append(button, " ", said);
  button.addEventListener("click", (event) => {
    event.stopPropagation();
    const url = address(nameOf(figure));
    history.replaceState(history.state, "", url);
    copy(button, url);
  });
  place.append(link);
  if (!figure.matches(".chart")) offerWhy(place, nameOf(figure), [...document.querySelectorAll('[data-region="parts"] tbody')].indexOf(figure.closest("tbody")));
}

/** Starts listening. */
export function startNumbers() {
  if (!document.querySelector(".answer")) return;
  document.addEventListener("toggle", ({ target }) => {
    if (target instanceof HTMLDetailsElement && target.matches(".answer details:not(.numbers, number-why details)")) offer(target);
  }, true);
  // Every answer writes its figures anew, and drops what is beside them. At once: a frame later it would move what is below.
  const opened = ".answer [data-region] details[open]:not(.numbers, number-why details)";
  const again = (root) => { for (const d of root.querySelectorAll(opened)) offer(d); };
  new MutationObserver((records) => {
    for (const changed of new Set(records.map(({ target }) => target.closest("tbody, details") ?? target))) if (changed.parentElement) again(changed.parentElement);
  }).observe(document.querySelector(".answer"), { childList: true, subtree: true });
  again(document);
  const open = () => {
    if (!asked() || arrive()) return;
    // The answer to the address's question may still be on its way.
    const wait = new MutationObserver(() => { if (!asked() || arrive()) wait.disconnect(); });
    wait.observe(document.querySelector(".answer"), { childList: true, subtree: true });
    setTimeout(() => wait.disconnect(), 10_000);
  };
  addEventListener("hashchange", open);
  open();
}

// One thing, many places: what means the same component, dimension or tensor lights up together, on hover, focus and tap.
import { letters, meaning, named, rowsOf, tensor, wordAt } from "./meaning.js";

/** Rules for what is lit now. A sheet of its own: an answer may replace its elements at any time. */
const sheet = new CSSStyleSheet();
let shown = "";
let held = false; // by a tap, until the next one
let marked = () => {}; // marks the elements that are lit
const rewritten = new MutationObserver(() => marked());
const places = () => document.querySelectorAll(".calc, .prose");

/** @param {import("./meaning.js").Meaning | null} is */
function light(is) {
  const key = is ? `${is.role}/${is.dim}/${is.tensor}` : "";
  if (key === shown) return;
  shown = key;
  rewritten.disconnect();
  for (const e of document.querySelectorAll(".lit")) e.classList.remove("lit");
  CSS.highlights?.delete("lit");
  document.documentElement.classList.toggle("lighting", is !== null);
  if (!is) {
    sheet.replaceSync("");
    return;
  }
  const rules = [];
  if (is.role) {
    const r = `.r-${is.role}`;
    rules.push(`svg.plan :is(.m, .t, .strip path[class^="r-"]):not(${r}), .region.bar rect:not(${r}) { opacity: .3; }`,
      `svg.plan .m${r} > :is(rect, path), svg.plan .t${r} > .edge, .region.bar rect${r} { stroke: var(--ink); }`,
      `.swatch${r} { outline: 2px solid var(--ink); outline-offset: 1px; }`,
      `:is(.legend li, .parts > tbody > tr:first-child):has(.swatch${r}) { background: var(--mark); }`);
  }
  if (is.dim) {
    const d = `.d-${is.dim}`;
    rules.push(`:is(var, mjx-mi, mjx-msub)${d} { background: var(--mark); outline: 1px solid currentColor; outline-offset: 1px; }`,
      `.maths svg ${d} { stroke: currentColor; stroke-width: 45; }`,
      `.field:has(label var${d}) input[type="text"] { border-color: currentColor; box-shadow: inset 0 -2px currentColor; }`);
  }
  // A matrix points at its sides: their letters and the keys that set them.
  const rows = rowsOf(document, is.tensor);
  for (const side of sides(rows)) {
    rules.push(`.shape var.d-${side} { background: var(--mark); }`,
      `.shape .field:has(var.d-${side}) input { box-shadow: inset 0 -2px currentColor; }`);
  }
  sheet.replaceSync(rules.join("\n"));
  marked = () => mark(is, rowsOf(document, is.tensor)); // the answer may have written others
  mark(is, rows);
  // An answer that comes later writes the drawing and the table anew.
  for (const place of places()) rewritten.observe(place, { childList: true, attributes: true, attributeFilter: ["class"], subtree: true });
  lightWords(is);
}

/** The letters of a tensor's sides, from its shape in the table. @param {any[]} rows */
const sides = (rows) => new Set(rows.flatMap((row) => [...row.cells[1].querySelectorAll("var")].map((v) => meaning(v)?.dim)).filter(Boolean));

/** Marks the elements that no rule reaches: a dimension's lines, a tensor's box and row. @param {import("./meaning.js").Meaning} is @param {any[]} rows */
function mark(is, rows) {
  // What is lit already stays untouched: to be told of it again would never end.
  const all = (what, about) => { for (const e of document.querySelectorAll(what + ":not(.lit)")) if (about(e)) e.classList.add("lit"); };
  if (is.dim) all("svg.plan .dimension", (line) => letters(line.textContent).includes(is.dim));
  const of = sides(rows);
  if (of.size > 0) all("svg.plan .dimension", (line) => { const ls = letters(line.textContent); return ls.length > 0 && ls.every((l) => of.has(l)); });
  for (const row of rows) if (!row.classList.contains("lit")) row.classList.add("lit");
  if (is.tensor) all("svg.plan .m", (box) => tensor(box.querySelector("title").textContent.split(" ")[0]) === is.tensor);
}

/** The same words in the prose on the screen. */
function lightWords(is) {
  if (!CSS.highlights) return;
  const ranges = [];
  for (const p of document.querySelectorAll(".prose > :is(p, ul, ol, table, figure), .prose figcaption")) {
    const box = p.getBoundingClientRect();
    if (box.bottom < 0 || box.top > innerHeight) continue;
    const texts = document.createTreeWalker(p, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (node.parentElement.closest("svg, math, .calc")) continue;
      for (const { from, to, is: other } of named(node.data)) {
        if (other.role !== (is.dim ? undefined : is.role) || other.dim !== is.dim) continue;
        const range = new Range();
        range.setStart(node, from);
        range.setEnd(node, to);
        ranges.push(range);
      }
    }
  }
  CSS.highlights.set("lit", new Highlight(...ranges));
}

/** What a pointer is at: an element that says what it is, else a word. @param {PointerEvent} event */
function pointed(event) {
  const { target } = event;
  if (!(target instanceof Element) || !target.closest(".calc, .prose")) return null;
  return meaning(target) ?? (target.closest(".prose :is(p, li, td, th, figcaption)") ? wordAt(event.clientX, event.clientY) : null);
}

/** Starts listening. */
export function startHighlight() {
  if (places().length === 0) return;
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  let next = null; // the newest move, looked at once a frame
  const move = (event) => {
    if (event.pointerType === "touch" || held) return;
    if (!next) requestAnimationFrame(() => { light(pointed(next)); next = null; });
    next = event;
  };
  document.addEventListener("pointermove", move, { passive: true });
  document.documentElement.addEventListener("pointerleave", () => held || light(null));
  document.addEventListener("focusin", ({ target }) => { if (!held) light(meaning(target)); });
  document.addEventListener("focusout", () => { if (!held) light(null); });
  document.addEventListener("click", (event) => {
    if (event.detail === 0) return; // of the keyboard
    const is = event.pointerType === "touch" ? pointed(event) : null;
    held = is !== null;
    if (event.pointerType === "touch") light(is);
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && shown) {
      held = false;
      light(null);
    }
  });
}

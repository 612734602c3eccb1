// Formulas behind a number, set as MathJax sets them while the number is open. The text that the counting program wrote stays in
// the page, for those who hear it; without the atoms or the font it stays in sight.
import atomsAddress from "asset:formulas.json";
import fontAddress from "asset:formulas.woff2";
import zeroAddress from "asset:zero.woff2";

/** MathJax's own stylesheet for the atoms. */
const sheet = new CSSStyleSheet();
let set = null; // sets a formula, once what it takes is loaded
let loading = null;

async function face(name, address) {
  const font = await new FontFace(name, `url("${address}")`).load();
  return () => document.fonts.add(font);
}

/** Loads what formulas are set with, once; after a failure the next number tries again. Nothing changes in sight before all of it is there. */
export function prepare() {
  return loading ??= load().then(paint, () => { loading = null; });
}

async function load() {
  const atoms = fetch(atomsAddress).then((r) => (r.ok ? r.json() : Promise.reject(new Error(`status ${r.status}`))));
  const [{ formal, typeset }, found, ...fonts] = await Promise.all([
    import("./typeset.js"), atoms, face("MJX-NCM-ZERO", zeroAddress), face("MJX-NCM-N", fontAddress),
  ]);
  found.space = found.space.replace("></", "> </"); // for who copies it
  sheet.replaceSync(found.css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  for (const add of fonts) if (add) add();
  set = { formal, formula: (html) => typeset(html, found) };
}

/** What was set in an element, by the part of it: an answer writes the text again and drops what is beside it. @type {WeakMap<Element, Map<string, {html: string, box: Element | null}>>} */
const kept = new WeakMap();

/** Shows a part of a formula set. Returns whether it could be. @param {Element} host @param {string} name @param {Element} [text] where its text is */
function show(host, name, text) {
  if (!text) return false;
  const html = text.innerHTML;
  if (!kept.has(host)) kept.set(host, new Map());
  let old = kept.get(host).get(name);
  if (old?.html !== html) {
    const inside = set.formula(html);
    let box = null;
    if (inside) {
      box = document.createElement("mjx-container");
      box.className = `MathJax in-${name}`;
      box.setAttribute("jax", "CHTML");
      box.setAttribute("aria-hidden", "true");
      box.innerHTML = `<mjx-math class="NCM-N">${inside}</mjx-math>`; // atoms, and names that hold letters alone
    }
    old?.box?.remove();
    old = { html, box };
    kept.get(host).set(name, old);
  }
  if (!old.box) return false;
  if (old.box.parentNode !== host) host.append(old.box);
  host.classList.add(`set-${name}`);
  return true;
}

/** A line of a derivation: symbols, values, result. Where there is no mathematics in either, it stays text. */
function line(p) {
  const [symbols, values, sum] = ["symbols", "values", "sum"].map((part) => p.querySelector(`:scope > .${part}`));
  if (!symbols || !values || !set.formal(symbols.innerHTML) && !set.formal(values.innerHTML) || !show(p, "symbols", symbols)) return;
  show(p, "values", values);
  show(p, "sum", sum);
}

/** Cells that hold a formula: shapes of tensors, states in multiples of Φ, conventions of counting. */
const formulas = ['.tensors td:nth-child(2)', '.tensors td:nth-child(3)', '[aria-label="States"] td:nth-child(2)', '[aria-label="Conventions"] td:nth-child(2)'].join();

/** Rules of thumb that come near a number: their formulas are in sight while they are folded. */
const rules = ".calc .near summary > :first-child > .quiet";

/** An element whose whole text is a formula. */
function cell(host) {
  if (!host.hasChildNodes()) return;
  let text = host.querySelector(":scope > .symbols");
  const box = host.querySelector(":scope > mjx-container");
  if (!text || host.childNodes.length !== (box ? 2 : 1)) {
    box?.remove();
    text = document.createElement("span");
    text.className = "symbols";
    text.append(...host.childNodes);
    host.append(text);
  }
  if (host.matches("td") || set.formal(text.innerHTML)) show(host, "symbols", text);
}

const closed = (e) => {
  const row = e.closest("tr.more");
  return row && !row.parentNode.querySelector("details").open;
};

/** Sets all that is open. */
function paint() {
  const lines = new Set();
  const cells = new Set(document.querySelectorAll(rules));
  for (const d of document.querySelectorAll(".calc details[open]")) {
    const root = d.closest(".parts tbody") ?? d;
    for (const p of root.querySelectorAll(".formula-line")) if (!closed(p)) lines.add(p);
    for (const td of root.querySelectorAll(formulas)) if (!closed(td)) cells.add(td);
  }
  if (lines.size + cells.size === 0) return;
  if (!set) return prepare();
  for (const p of lines) line(p);
  for (const host of cells) cell(host);
  observer.takeRecords(); // our own changes
}

// After a number was opened or an answer written, before the browser paints either.
const observer = new MutationObserver(paint);

/** Who is about to open a number finds its formula set. @param {Event} event */
function near({ target }) {
  if (!loading && target.closest?.(".calc :is(.open, .parts) summary")) prepare();
}

/** What is copied has plain letters, not those of mathematics that the font is addressed by; a fraction is copied as its text. @param {ClipboardEvent} event */
function copied(event) {
  const selection = getSelection();
  let text = String(selection);
  if (event.target.closest?.("input, textarea") || !/[\u{1D400}-\u{1D7FF}ℎ⋅]|\n/u.test(text)) return;
  const range = selection.getRangeAt(0);
  const around = range.commonAncestorContainer;
  const host = (around.closest ? around : around.parentElement).closest(".set-symbols");
  if (host?.querySelector("mjx-frac") && range.cloneContents().querySelector("mjx-frac")) {
    text = [...host.querySelectorAll(":scope > :is(.symbols, .values, .sum)")].map((e) => e.textContent).join(" ");
  } else if (!/[\u{1D400}-\u{1D7FF}ℎ⋅]/u.test(text)) return;
  event.clipboardData.setData("text/plain", text.replace(/[\u{1D400}-\u{1D7FF}ℎ]/gu, (c) => c.normalize("NFKC")).replaceAll("⋅", "·"));
  event.preventDefault();
}

/** Starts listening. */
export function startFormulas() {
  const all = document.querySelectorAll(".calc");
  if (all.length === 0) return;
  for (const calc of all) observer.observe(calc, { childList: true, characterData: true, subtree: true, attributeFilter: ["open"] });
  for (const type of ["pointerover", "pointerdown", "focusin"]) document.addEventListener(type, near, { passive: true });
  document.addEventListener("copy", copied);
  paint();
}

// Goes over a picture's moments: under the pointer, or with the keys of a slider. What lives at a moment is read from the
// table of the picture's numbers, which has a row for each.

/** @param {Element} graph @returns {HTMLInputElement} the graph's slider, which it gets when it has none */
function slider(graph) {
  const place = graph.querySelector(".moment");
  let input = place.querySelector("input");
  if (!input) {
    place.innerHTML = '<label><span>Moment</span> <input type="range" autocomplete="off" min="0"></label> <output></output>';
    input = place.querySelector("input");
    input.addEventListener("input", () => show(graph, input.valueAsNumber));
  }
  const rows = graph.querySelectorAll(".numbers tbody tr").length;
  if (place.dataset.rows !== String(rows)) {
    place.dataset.rows = String(rows);
    input.max = String(rows - 1);
    input.value = place.dataset.at;
  }
  return input;
}

/** Says what lives at a moment, and moves the line there. @param {Element} graph @param {number} at */
function show(graph, at) {
  const rows = graph.querySelectorAll(".numbers tbody tr");
  const row = rows[at];
  if (!row) return;
  const heads = [...graph.querySelectorAll(".numbers thead th")].map((head) => head.textContent);
  const cells = [...row.children].map((cell) => cell.textContent);
  const parts = cells.map((cell, i) => (i && parseFloat(cell) ? `${heads[i]} ${cell}` : "")).filter(Boolean);
  const words = `${cells[0]}: ${parts.join(", ")}`;
  slider(graph).setAttribute("aria-valuetext", words);
  graph.querySelector(".moment output").textContent = words;
  for (const cursor of /** @type {any} */ (graph.querySelectorAll(".cursor"))) {
    const { left, width, rise } = cursor.dataset;
    cursor.setAttribute("d", rise.replace("M ", `M${Number(left) + Number(width) * (at + 1) / rows.length} `));
  }
}

/** The moment under a pointer. @param {SVGSVGElement} svg @param {number} x in the window @param {number} rows */
function under(svg, x, rows) {
  const { left, width } = svg.querySelector(".cursor").dataset;
  const box = svg.getBoundingClientRect();
  const place = (x - box.left) * svg.viewBox.baseVal.width / box.width;
  return Math.min(Math.max(Math.ceil((place - Number(left)) / Number(width) * rows) - 1, 0), rows - 1);
}

/** @param {PointerEvent} event a mouse that moves over a picture, or a finger that taps it */
function over({ target, clientX }) {
  const svg = /** @type {Element} */ (target).closest?.(".moments svg.chart");
  if (!svg) return;
  const graph = svg.closest(".graph");
  const input = slider(graph);
  input.valueAsNumber = under(/** @type {any} */ (svg), clientX, Number(input.max) + 1);
  show(graph, input.valueAsNumber);
}
document.addEventListener("pointermove", over);
document.addEventListener("pointerdown", over);

/** The peak that each picture had, by its place. */
const peaks = new WeakMap();

/** Pictures that are new or drawn again begin at their peak, and say where it was before. */
function begin() {
  for (const graph of document.querySelectorAll(".graph.moments")) {
    if (graph.querySelector(".moment input")) continue;
    const at = Number(slider(graph).value);
    show(graph, at);
    const { firstChild, lastChild } = graph.querySelectorAll(".numbers tbody tr")[at];
    const peak = `${lastChild.textContent}, ${firstChild.textContent}`;
    const before = peaks.get(graph.parentNode) ?? peak;
    peaks.set(graph.parentNode, peak);
    if (before !== peak) graph.querySelector(".moment output").append(`. The peak was ${before}.`);
  }
}

begin();
export {};

let soon = 0;
new MutationObserver(() => {
  soon ||= requestAnimationFrame(() => {
    soon = 0;
    begin();
  });
}).observe(document.body, { childList: true, subtree: true });

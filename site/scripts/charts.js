// Charts beside the lenses. Each is drawn by the counting program when somebody opens it, and again after an edit while it is open.
import look from "asset:charts.css";
import { Elsewhere } from "./elsewhere.js";
import * as engine from "./engine.js";
import { style } from "./style.js";

/** Behind which region a chart stands, which it is, and what it shows. */
const charts = [
  ["parts", "flow", "How a token flows through"],
  ["parts", "size", "Parameters against hidden size and layers"],
  ["running", "kv", "KV cache by context"],
  ["running", "timeline", "Memory while answering"],
  ["running", "roofline", "Compute or memory bound: the roofline"],
  ["compute", "scaling", "Loss against size: what a budget is best spent on"],
  ["training", "step", "Memory over a training step"],
];

/** Charts that a larger program draws, in a worker. */
const far = new Set(["step"]);

/** Shows an opened chart. @param {HTMLDetailsElement} details @param {Element} region */
async function show(calculator, details, region) {
  region.hidden = !details.open;
  if (!details.open) return;
  await style(look);
  calculator.watch.observe(region);
  if (engine.wide() && calculator.answer?.regions.includes(region.dataset.region)) {
    calculator.late.add(region);
    calculator.catchUp([region]);
  } else if (engine.wide() || await calculator.everyLens()) {
    calculator.update({ again: true });
  }
}

/** Puts the charts' summaries into the page. */
export function startCharts() {
  for (const root of document.querySelectorAll(".calc:not(.embedded)")) {
    const last = {}; // what a next chart of the same place stands behind
    for (const [place, name, words] of charts) {
      const after = last[place] ?? root.querySelector(`[data-region="${place}"]`);
      if (!after || !root.calculator) continue;
      const details = document.createElement("details");
      details.className = "chart";
      details.dataset.name = name;
      const summary = document.createElement("summary");
      summary.textContent = words;
      const region = document.createElement("div");
      region.className = `region ${name}`;
      region.dataset.region = name;
      region.hidden = true;
      details.append(summary, region);
      if (far.has(name)) {
        summary.insertAdjacentHTML("beforeend", ' <span class="quiet said" role="status"></span>');
        details.addEventListener("toggle", () => style(look), { once: true });
        new Elsewhere(root.calculator, details, { program: "derive", doing: "Laying the step out.", lost: "What lays a step out" });
      } else {
        details.addEventListener("toggle", () => show(root.calculator, details, region));
      }
      after.after(details);
      last[place] = details;
    }
  }
}

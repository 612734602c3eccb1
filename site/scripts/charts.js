// Charts beside the lenses. Each is drawn by the counting program when somebody opens it, and again after an edit while it is open.
import look from "asset:charts.css";
import { Elsewhere } from "./elsewhere.js";
import * as engine from "./engine.js";
import { style } from "./style.js";

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

/** Takes over the charts' places, which the page has from the build. */
export function startCharts() {
  for (const root of document.querySelectorAll(".calc:not(.embedded)")) {
    if (!root.calculator) continue;
    for (const details of root.querySelectorAll("details.chart")) {
      const region = details.querySelector("[data-region]");
      if (far.has(details.dataset.name)) {
        details.addEventListener("toggle", () => style(look), { once: true });
        new Elsewhere(root.calculator, details, { program: "derive", doing: "Laying the step out.", lost: "What lays a step out" });
      } else {
        details.addEventListener("toggle", () => show(root.calculator, details, region));
      }
      details.classList.remove("unopened");
      if (details.open) details.dispatchEvent(new Event("toggle")); // by what the script was loaded for
    }
  }
}

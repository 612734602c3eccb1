// Charts beside the lenses. Each is drawn in a worker when somebody opens it, and again after an edit while it is open.
import look from "asset:charts.css";
import { Elsewhere } from "./elsewhere.js";
import { style } from "./style.js";

/** Whoever chooses a tab finds its first chart open. */
function first() {
  const { dataset } = document.documentElement;
  const seen = new Set([dataset.tab]);
  new MutationObserver(() => {
    if (seen.has(dataset.tab)) return;
    seen.add(dataset.tab);
    const details = document.getElementById(dataset.tab)?.querySelector("details.chart");
    if (details && dataset.tab !== "training") details.open = true; // which begins with a drawing of its own
  }).observe(document.documentElement, { attributes: true, attributeFilter: ["data-tab"] });
}

/** Takes over the charts' places, which the page has from the build. */
export function startCharts() {
  first();
  for (const root of document.querySelectorAll(".calc:not(.embedded)")) {
    if (!root.calculator) continue;
    const peak = root.querySelector("details.peak");
    if (peak) {
      new Elsewhere(root.calculator, peak, "derive", "Laying it out.");
      peak.classList.remove("unopened");
    }
    for (const details of root.querySelectorAll("details.chart")) {
      details.addEventListener("toggle", () => Promise.all([style(look), import("./moments.js")]), { once: true });
      new Elsewhere(root.calculator, details, "derive", "Drawing it.");
      details.classList.remove("unopened");
      if (details.open) details.dispatchEvent(new Event("toggle")); // by what the script was loaded for
    }
  }
}

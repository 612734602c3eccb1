// The layouts for training that fit, ranked: the larger counting program looks for them when somebody opens the list, and
// again after an edit while it is open.
import explainAddress from "asset:explain.wasm";
import { widen } from "./engine.js";

/** Shows the opened list. @param {HTMLDetailsElement} details @param {Element} region */
async function show(calculator, details, region) {
  region.hidden = !details.open;
  if (!details.open) return;
  calculator.watch.observe(region);
  if (calculator.answer?.regions.includes(region.dataset.region)) {
    calculator.late.add(region);
    calculator.catchUp([region]);
    return;
  }
  region.textContent = "Loading what looks for them.";
  try {
    await widen(explainAddress);
  } catch (error) {
    region.textContent = `What looks for layouts could not be loaded: ${error.message}. Check the connection and open this again.`;
    return;
  }
  calculator.update({ again: true });
}

/** Puts the list's summary behind the lens on training. */
export function startLayouts() {
  for (const root of document.querySelectorAll(".calc:not(.embedded)")) {
    const after = root.querySelector('[data-region="training"]');
    if (!after || !root.calculator) continue;
    const details = document.createElement("details");
    details.className = "open";
    details.innerHTML = '<summary><span class="label">Layouts that fit, ranked</span></summary><div class="region layouts" data-region="layouts" hidden></div>';
    const region = details.lastElementChild;
    details.addEventListener("toggle", () => show(root.calculator, details, region));
    after.after(details);
  }
}

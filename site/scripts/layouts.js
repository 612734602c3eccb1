// The layouts for training that fit, ranked: looked for when somebody opens the list.
import { Elsewhere } from "./elsewhere.js";

/** Puts the list's summary behind the lens on training. */
export function startLayouts() {
  for (const root of document.querySelectorAll(".calc:not(.embedded)")) {
    const after = root.querySelector('[data-region="training"]');
    if (!after || !root.calculator) continue;
    const details = document.createElement("details");
    details.className = "open";
    details.innerHTML = '<summary><span class="label">Layouts that fit, ranked <span class="quiet said" role="status"></span></span></summary><div class="region layouts" data-region="layouts" hidden></div>';
    after.after(details);
    new Elsewhere(root.calculator, details, { program: "explain", doing: "Looking for layouts.", lost: "What looks for layouts" });
  }
}

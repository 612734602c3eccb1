// The layouts for training that fit, ranked: looked for when somebody opens the list.
import { Elsewhere } from "./elsewhere.js";

/** Takes over the list's place behind the lens on training. */
export function startLayouts() {
  for (const root of document.querySelectorAll(".calc:not(.embedded)")) {
    const details = root.querySelector('[data-region="layouts"]')?.closest("details");
    if (!details || !root.calculator) continue;
    details.classList.remove("unopened");
    new Elsewhere(root.calculator, details, { program: "explain", doing: "Looking for layouts.", lost: "What looks for layouts" });
    // Training begins with the layouts that are best.
    const look = () => { if (document.documentElement.dataset.tab === "training") details.open = true; };
    new MutationObserver(look).observe(document.documentElement, { attributes: true, attributeFilter: ["data-tab"] });
    look();
    if (details.open) details.dispatchEvent(new Event("toggle"));
  }
}

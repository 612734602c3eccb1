// What is worked out beside the page when somebody opens it: the layouts for training that fit, ranked, and predicted speeds.
import charts from "asset:charts.css";
import falls from "asset:rules.css";
import { Elsewhere } from "./elsewhere.js";
import { style } from "./style.js";

/** The regions, each with the program that counts it. */
const beside = {
  layouts: { program: "derive", doing: "Looking." },
  speed: { program: "speed", doing: "Predicting." },
};

/** Takes over the places behind the lenses. */
export function startLayouts() {
  document.addEventListener("click", ({ target, detail }) => {
    const link = /** @type {Element} */ (target);
    if (detail || !link.matches(".apply")) return;
    // From the keyboard: the link goes with the answer that offered it, and the focus would go with it.
    const near = /** @type {HTMLElement} */ (link.closest("details")?.querySelector("summary") ?? link.closest(".fit"));
    near.tabIndex = near.tabIndex; // a verdict's region takes the focus only if it is said
    near.focus({ preventScroll: true });
  }, true);
  for (const root of document.querySelectorAll(".calc:not(.embedded)")) {
    for (const [name, { program, doing }] of Object.entries(beside)) {
      const details = root.querySelector(`[data-region="${name}"]`)?.closest("details");
      if (!details || !root.calculator) continue;
      details.classList.remove("unopened");
      if (name === "speed") details.addEventListener("toggle", () => Promise.all([style(charts), style(falls)]), { once: true });
      new Elsewhere(root.calculator, details, /** @type {"derive" | "speed"} */ (program), doing);
      if (details.open) details.dispatchEvent(new Event("toggle"));
    }
  }
}

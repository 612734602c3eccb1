// The memory bar's end of the cache can be dragged: the context follows, and with it everything else. For keyboards the
// context has its field.

/** The context at a place on the bar: what it holds grows by per bytes with each token. @param {DOMStringMap} data of the SVG @param {number} share of its width */
export function tokensAt({ from, per, whole }, share) {
  const tokens = Math.floor((Number(whole) * Math.min(Math.max(share, 0), 1) - Number(from)) / Number(per));
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(tokens, 1))) - 2); // three digits are as fine as a hand
  return Math.max(1, tokens - (tokens % step));
}

/** Starts listening. */
export function startMemory() {
  document.addEventListener("pointerdown", (event) => {
    const grip = event.target instanceof Element && event.target.closest("[data-grip]");
    const calculator = grip && grip.closest("[data-calculator]")?.calculator;
    if (!calculator || event.button > 0) return;
    event.preventDefault();
    const svg = grip.closest("svg");
    const data = { ...svg.dataset }; // the scale stays while it is dragged
    let next = null;
    const move = (e) => {
      if (!next) requestAnimationFrame(() => {
        const box = svg.getBoundingClientRect();
        calculator.drag(tokensAt(data, (next.clientX - box.left) / box.width));
        next = null;
      });
      next = e;
    };
    const end = () => {
      removeEventListener("pointermove", move);
      for (const type of ["pointerup", "pointercancel"]) removeEventListener(type, end);
      document.documentElement.classList.remove("dragging");
    };
    document.documentElement.classList.add("dragging");
    addEventListener("pointermove", move);
    for (const type of ["pointerup", "pointercancel"]) addEventListener(type, end);
  });
}

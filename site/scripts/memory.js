// The memory bar's end of the cache can be dragged: the context follows, and with it everything else. For keyboards a slider
// that is not seen moves it.

/** The context at a place on the bar: what it holds grows by per bytes with each token. @param {DOMStringMap} data of the SVG @param {number} share of its width */
export function tokensAt({ from, per, whole }, share) {
  const tokens = Math.floor((Number(whole) * Math.min(Math.max(share, 0), 1) - Number(from)) / Number(per));
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(tokens, 1))) - 2); // three digits are as fine as a hand
  return Math.max(1, tokens - (tokens % step));
}

/** Gives a calculator's bar its slider, and marks the button of its length. @param {any} bar */
function slider(bar) {
  const root = bar.closest(".calc");
  bar.insertAdjacentHTML("afterend", '<input type="range" class="vh for-grip" min="0" aria-label="Context, on the memory bar">');
  const range = bar.nextSibling;
  const follow = () => {
    const svg = bar.querySelector("svg:has([data-grip])");
    for (const b of root.querySelectorAll("[data-chip]")) b.setAttribute("aria-pressed", String(b.dataset.chip === svg?.dataset.tokens));
    range.hidden = !svg;
    if (!svg) return;
    range.max = tokensAt(svg.dataset, 1);
    range.step = 1 << Math.log2(range.max / 64 + 1); // some hundred steps, which powers of two are among
    range.value = svg.dataset.tokens;
  };
  range.oninput = () => root.calculator.drag(Number(range.value) || 1);
  root.addEventListener("answer", () => setTimeout(follow, 60)); // the bar follows in the same frame, or the next
  follow();
}

/** Starts listening. */
export function startMemory() {
  for (const bar of document.querySelectorAll(".answer > .fit")) slider(bar);
  document.addEventListener("pointerdown", (event) => {
    const grip = /** @type {any} */ (event.target).closest("[data-grip]");
    const calculator = grip?.closest(".calc").calculator;
    if (!calculator || event.button > 0) return;
    event.preventDefault();
    const svg = grip.closest("svg");
    const data = { ...svg.dataset }; // the scale stays while it is dragged
    let next = null;
    onpointermove = (e) => {
      if (!next) requestAnimationFrame(() => {
        const box = svg.getBoundingClientRect();
        calculator.drag(tokensAt(data, (next.clientX - box.left) / box.width));
        next = null;
      });
      next = e;
    };
    const { classList } = document.documentElement;
    onpointerup = onpointercancel = () => {
      onpointermove = onpointerup = onpointercancel = null;
      classList.remove("dragging");
    };
    classList.add("dragging");
  });
}

// A strip of pictures, one at a time: forward, back, by itself, with the arrow keys. Without this script all of them are there.

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {Element} root */
function start(root) {
  const steps = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("ol > li")]);
  const bar = document.createElement("div");
  bar.className = "tools";
  bar.innerHTML = '<button type="button">Previous</button> <button type="button">Next</button> <button type="button" aria-pressed="false">Play</button> <button type="button" aria-pressed="false">Show all</button> <span class="quiet" role="status"></span>';
  const [back, on, play, all] = bar.querySelectorAll("button");
  const said = bar.querySelector("span");
  let at = 0;
  let timer = 0;
  const show = () => {
    steps.forEach((step, i) => { step.hidden = i !== at && all.getAttribute("aria-pressed") === "false"; });
    back.disabled = at === 0;
    on.disabled = at === steps.length - 1;
    said.textContent = `Step ${at + 1} of ${steps.length}`;
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
    play.setAttribute("aria-pressed", "false");
  };
  const go = (/** @type {number} */ to) => {
    at = Math.min(Math.max(to, 0), steps.length - 1);
    show();
    if (at === steps.length - 1) stop();
  };
  back.addEventListener("click", () => { stop(); go(at - 1); });
  on.addEventListener("click", () => { stop(); go(at + 1); });
  play.addEventListener("click", () => {
    if (timer) {
      stop();
      return;
    }
    if (at === steps.length - 1) go(0);
    timer = setInterval(() => go(at + 1), 4000);
    play.textContent = "Pause";
    play.setAttribute("aria-pressed", "true");
  });
  all.addEventListener("click", () => {
    stop();
    all.setAttribute("aria-pressed", String(all.getAttribute("aria-pressed") === "false"));
    show();
  });
  root.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[/** @type {KeyboardEvent} */ (event).key];
    if (!by) return;
    event.preventDefault();
    stop();
    go(at + by);
  });
  play.hidden = calm.matches;
  // On paper all pictures are there.
  addEventListener("beforeprint", () => { for (const step of steps) step.hidden = false; });
  addEventListener("afterprint", show);
  root.prepend(bar);
  root.setAttribute("tabindex", "0");
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", "Step by step; the arrow keys go forward and back");
  root.classList.add("one");
  show();
}

for (const root of document.querySelectorAll("[data-walk]")) start(root);

export {}; // a module

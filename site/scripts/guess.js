// A guess before an answer is shown: the reader writes a number, and the answer says how far off it is.

/** What a suffix stands for. */
const factors = { "": 1, k: 1e3, K: 1e3, M: 1e6, B: 1e9, G: 1e9, T: 1e12, P: 1e15, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40, "µs": 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600, days: 86400, "%": 0.01 };

/** Units that a label says in words. @type {Record<string, string>} */
const spoken = { k: "thousands", K: "thousands", M: "millions", B: "billions", T: "trillions" };

/** The first number of a text with the factor behind it, or undefined. @param {string} text */
export function numberOf(text) {
  const m = text.replace(/[\u202f\u2009\u00a0]/g, " ").match(/(\d[\d,]*(?:\.\d+)?|\.\d+)(?:e([+-]?\d+))?\s*([A-Za-zµ%]*)/);
  if (!m) return undefined;
  const known = m[3] in factors;
  return { value: Number(m[1].replaceAll(",", "")) * 10 ** Number(m[2] ?? 0) * (known ? factors[m[3]] : 1), unit: known ? m[3] : "" };
}

/** How far a guess lies from what is right, in words. @param {number} guess @param {number} right */
export function verdict(guess, right) {
  if (guess === right) return "Exactly.";
  if (guess <= 0) return "A number above zero, please.";
  const times = Math.max(guess, right) / Math.min(guess, right);
  if (times < 1.005) return "Right to within half a percent.";
  const by = times < 2 ? `${((100 * Math.abs(guess - right)) / right).toFixed(0)}%` : `${times < 10 ? times.toFixed(1) : Math.round(times).toLocaleString("en")} times`;
  return `Your guess is ${by} too ${guess > right ? "high" : "low"}.`;
}

/** A number as its writer means it: without a unit it is in the field's, or written out, whichever comes nearer to what is right. @param {{value: number, unit: string}} mine @param {number} unit @param {number} right */
export function meant(mine, unit, right) {
  const far = (/** @type {number} */ x) => Math.abs(Math.log(x / right));
  return mine.unit || far(mine.value) < far(mine.value * unit) ? mine.value : mine.value * unit;
}

/** Puts a field above a folded answer. @param {HTMLDetailsElement} details */
function start(details) {
  const right = numberOf(details.querySelector(".guessed").textContent);
  if (!right) return;
  const form = document.createElement("form");
  form.className = "guess tools";
  const unit = Object.keys(factors).find((u) => u === right.unit && u !== "");
  form.innerHTML = '<label><span></span> <input type="text" inputmode="text" autocomplete="off" size="12"></label> <button type="submit">Compare</button> <output></output>';
  form.querySelector("span").textContent = unit ? `Your guess, in ${spoken[unit] ?? unit}` : "Your guess";
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const mine = numberOf(form.querySelector("input").value);
    form.querySelector("output").textContent = mine ? verdict(meant(mine, factors[unit] ?? 1, right.value), right.value) : "Write a number first.";
    if (mine) details.open = true;
  });
  details.before(form);
}

for (const details of document.querySelectorAll("details[data-guess]")) start(/** @type {HTMLDetailsElement} */ (details));

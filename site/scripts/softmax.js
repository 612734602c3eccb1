// A width to choose in the figure of the softmax, with and without dividing by its root. The rows that stand there need no script.

/** The softmax of scores times a factor. @param {number[]} scores @param {number} factor */
function shares(scores, factor) {
  const most = Math.max(...scores);
  const powers = scores.map((s) => Math.exp(factor * (s - most)));
  const sum = powers.reduce((a, b) => a + b);
  return powers.map((p) => p / sum);
}

const percent = (x) => (100 * x).toFixed(1) + "%";

/** Draws shares into a row, the largest first. @param {HTMLTableRowElement} row @param {number[]} parts */
function draw(row, parts) {
  let at = 0;
  [...parts].reverse().forEach((share, i) => {
    const rect = row.querySelectorAll("rect")[i];
    rect.setAttribute("x", (880 * at).toFixed(2));
    rect.setAttribute("width", (880 * share).toFixed(2));
    at += share;
  });
  const most = parts[parts.length - 1];
  row.cells[1].textContent = percent(most);
  row.cells[2].textContent = percent(most * (1 - most));
}

/** Puts the choice above the rows, and its answer below them. @param {Element} root */
function start(root) {
  const scores = root.dataset.scores.split(" ").map(Number);
  const body = root.querySelector("tbody");
  const row = /** @type {HTMLTableRowElement} */ (body.rows[0].cloneNode(true));
  body.append(row);
  const form = document.createElement("form");
  form.innerHTML = '<label>Width of a head <input type="range" min="0" max="9" value="7"> <output></output></label> <label><input type="checkbox"> divided by its root</label>';
  const [width, divided] = form.querySelectorAll("input");
  const update = () => {
    const d = 2 ** Number(width.value);
    form.querySelector("output").value = String(d);
    width.setAttribute("aria-valuetext", String(d));
    row.cells[0].firstChild.nodeValue = `${d}, ${divided.checked ? "divided" : "as they are"}`;
    draw(row, shares(scores, divided.checked ? 1 : Math.sqrt(d)));
  };
  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  root.prepend(form);
  update();
}

for (const root of document.querySelectorAll("[data-scores]")) start(root);

export {}; // a module

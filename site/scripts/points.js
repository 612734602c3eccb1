// Predicted against measured: every public run as a point that leads to its question, with filters.
import look from "asset:charts.css";
import pointsAddress from "asset:points.json";
import { style } from "./style.js";

const names = { decode: "Decode, tokens/s of each sequence", prefill: "Prefill, tokens/s", token: "Time per output token under load, ms", first: "Time to first token under load, ms", training: "Training, tokens/s of each device" };
const svg = "http://www.w3.org/2000/svg";

/** @param {string} name @param {Record<string, string | number>} values */
function element(name, values, text = "") {
  const e = document.createElementNS(svg, name);
  for (const [key, value] of Object.entries(values)) e.setAttribute(key, String(value));
  e.textContent = text;
  return e;
}

/** @param {number} n */
const short = (n) => n.toLocaleString("en", { maximumSignificantDigits: 3 });

/** @param {Element} root */
export async function startPoints(root) {
  const [answer] = await Promise.all([fetch(pointsAddress), style(look)]);
  const { kinds, engines, devices, runs } = await answer.json();
  const form = document.createElement("form");
  form.className = "filters";
  const selects = [["What", kinds.map((/** @type {string} */ k) => names[k] ?? k)], ["Engine", ["all", ...engines]], ["Device", ["all", ...devices]]].map(([title, list]) => {
    const label = document.createElement("label");
    label.append(`${title} `);
    const select = document.createElement("select");
    for (const name of list) select.append(new Option(name));
    label.append(select);
    form.append(label, " ");
    return select;
  });
  const said = document.createElement("p");
  said.setAttribute("role", "status");
  const picture = document.createElement("div");
  root.replaceChildren(form, said, picture);
  const draw = () => {
    const [kind, engine, device] = selects.map((s) => s.selectedIndex);
    const shown = runs.filter((r) => r[0] === kind && (engine === 0 || r[1] === engine - 1) && (device === 0 || r[2] === device - 1));
    // What is left to choose has runs.
    for (const [i, select] of /** @type {const} */ ([[1, selects[1]], [2, selects[2]]])) {
      [...select.options].forEach((o, n) => { o.disabled = n > 0 && !runs.some((r) => r[0] === kind && r[i] === n - 1); });
    }
    const off = shown.map((r) => Math.exp(Math.abs(Math.log(r[4] / r[3]))) - 1).sort((a, b) => a - b);
    said.textContent = shown.length === 0 ? "No runs." : `${shown.length} runs; half lie within ${short(100 * off[Math.floor(off.length / 2)])}% of what was predicted without their device.`;
    picture.replaceChildren();
    if (shown.length > 0) picture.append(plot(shown, names[kinds[kind]] ?? kinds[kind], engines, devices));
  };
  form.addEventListener("change", draw);
  draw();
}

function plot(shown, title, engines, devices) {
  const size = Math.min(600, Math.max(300, document.documentElement.clientWidth - 40));
  const left = 56, foot = 44, side = size - left - 12;
  const all = shown.flatMap((r) => [r[3], r[4]]);
  const low = Math.floor(Math.log10(Math.min(...all))), high = Math.max(Math.ceil(Math.log10(Math.max(...all))), low + 1);
  const x = (v) => left + side * (Math.log10(v) - low) / (high - low);
  const y = (v) => 8 + side - side * (Math.log10(v) - low) / (high - low);
  const out = element("svg", { class: "chart points", viewBox: `0 0 ${size} ${side + foot + 8}`, width: size, height: side + foot + 8, role: "group", "aria-label": `${title}: predicted against measured, ${shown.length} runs` });
  for (let n = low; n <= high; n++) {
    const v = 10 ** n;
    out.append(element("path", { class: "grid", d: `M${left} ${y(v)}h${side}M${x(v)} 8v${side}` }));
    out.append(element("text", { class: "end", x: left - 5, y: y(v) + 4 }, short(v)), element("text", { class: "mid", x: x(v), y: 8 + side + 16 }, short(v)));
  }
  out.append(element("path", { class: "axes", d: `M${left} 8v${side}h${side}` }));
  // As predicted, and a quarter off on both sides.
  for (const [k, name] of /** @type {const} */ ([[1, "line"], [1.25, "level"], [0.8, "level"]])) {
    const from = Math.max(10 ** low, 10 ** low / k), to = Math.min(10 ** high, 10 ** high / k);
    out.append(element("path", { class: name, d: `M${x(from)} ${y(from * k)}L${x(to)} ${y(to * k)}` }));
  }
  out.append(element("text", { class: "mid", x: left + side / 2, y: side + foot + 4 }, `measured: ${title}`));
  out.append(element("text", { x: left + 6, y: 22, class: "halo" }, "predicted"));
  for (const r of shown) {
    const link = element("a", { href: `/?${r[5]}` });
    const point = element("circle", { cx: x(r[3]).toFixed(1), cy: y(r[4]).toFixed(1), r: 3.5 });
    point.append(element("title", {}, `${engines[r[1]]}, ${devices[r[2]]}: measured ${short(r[3])}, predicted ${short(r[4])}`));
    link.append(point);
    out.append(link);
  }
  return out;
}

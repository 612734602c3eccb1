// The picture of an answer: its count, its verdict, the drawing and the memory bar, 1200 by 630, painted from what the page
// shows. Loaded by share.js when somebody asks for it.

const properties = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "font-size", "font-weight", "text-anchor", "opacity"];

/** An SVG of the page as one that stands by itself: the stylesheet's colours become attributes. @param {SVGElement} svg */
function alone(svg) {
  const copy = /** @type {SVGElement} */ (svg.cloneNode(true));
  const of = [svg, ...svg.querySelectorAll("*")];
  for (const [i, e] of [copy, ...copy.querySelectorAll("*")].entries()) {
    const look = getComputedStyle(of[i]);
    for (const p of properties) e.setAttribute(p, look.getPropertyValue(p));
    if (e.nodeName === "text") e.setAttribute("font-family", "sans-serif"), e.setAttribute("stroke", "none"); // a halo would lie above its letters
  }
  for (const e of copy.querySelectorAll("title, .grip")) e.remove();
  return copy;
}

/** Puts a drawing into a box of the card. */
function placed(svg, x, y, width, height) {
  const copy = alone(svg);
  for (const [name, value] of Object.entries({ x, y, width, height, preserveAspectRatio: "xMidYMid meet" })) copy.setAttribute(name, String(value));
  return new XMLSerializer().serializeToString(copy);
}

const escape = (s) => s.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** The card as PNG. @param {Element} root of the calculator @param {string} address @param {string} count in groups of three digits @returns {Promise<Blob>} */
export async function card(root, address, count) {
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const text = (selector) => root.querySelector(selector)?.textContent.trim() ?? "";
  const write = (x, y, size, weight, fill, s) => `<text x="${x}" y="${y}" font-family="serif" font-size="${size}" font-weight="${weight}" fill="${fill}">${escape(s)}</text>`;
  const verdict = [...root.querySelector(".verdict").childNodes].filter((n) => !n.matches?.(".status, .fixes")).map((n) => n.textContent).join("").trim();
  root.calculator.catchUp(root.querySelectorAll(".wide")); // the whole, where only a part of it is in sight
  const plan = root.querySelector(".blueprint svg.plan.wide");
  const bar = [...root.querySelectorAll(".answer > .fit svg.memory")].find((s) => s.checkVisibility());
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630"><rect width="1200" height="630" fill="${colour("--ground")}"/>`
    + write(48, 78, 40, 600, colour("--ink"), text(".about b")) + write(48, 138, 52, 600, colour("--ink"), `${count} parameters`)
    + (plan ? placed(plan, 48, 160, 1104, 230) : "") + write(48, 434, 34, 600, colour("--ink"), verdict) + (bar ? placed(bar, 48, 446, 1104, 140) : "")
    + write(48, 612, 18, 400, colour("--quiet"), address.length > 110 ? `${address.slice(0, 109)}…` : address) + `</svg>`;
  const image = new Image(1200, 630);
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: 1200, height: 630 });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("the browser paints no PNG"))), "image/png"));
}

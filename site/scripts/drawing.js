// The drawing answers: what a matrix is appears below it under the pointer or a tap, a click opens its row, and an edit
// leaves the old shape as a ghost, with what it came to and what usually changes with it.
import * as engine from "./engine.js";
import { rowsOf, tensor } from "./meaning.js";
import { group } from "./question.js";
import { reveal } from "./tabs.js";

/** What digits in groups of three come to. @param {string} digits */
const number = (digits) => Number(digits.replaceAll(",", ""));

/** A matrix's name and sides, from its title: "q_proj 4,096 × 4,096". @param {Element} box */
function read(box) {
  const found = /^(\S+) ([\d,]+) × ([\d,]+)$/.exec(box.querySelector("title")?.textContent ?? "");
  return found && { name: found[1], down: number(found[2]), across: number(found[3]) };
}

/** The matrices that drawings show. @param {Iterable<ParentNode>} plans */
const boxes = (plans) => [...plans].flatMap((plan) => [...plan.querySelectorAll(".m")]).flatMap((box) => {
  const is = read(box);
  const rect = box.querySelector("rect");
  return is && rect && !box.querySelector("path") ? [{ ...is, rect }] : [];
});

/** A model's dimensions by their letters: the keys with their values. @param {ParentNode} root */
const letters = (root) => new Map([...root.querySelectorAll(".shape .field")].map((f) => [f.querySelector("var")?.textContent, { key: f.querySelector("input").name, value: number(f.querySelector("input").value) }]));

const digits = (cell) => (cell?.querySelector(".n") ?? cell)?.textContent.replaceAll(/\D/g, "") ?? "";

class Drawing {
  constructor(root) {
    this.root = root;
    this.ground = root.querySelector(".blueprint");
    this.readout = this.ground.querySelector(".readout");
    this.changed = root.querySelector(".changes");
    this.slim = root.querySelector(".slim"); // a phone's, which stays in sight where the keys are
    this.base = null; // the model as it is, once it was edited: its count, its matrices, its letters
    this.ground.addEventListener("pointerover", ({ target }) => this.say(target.closest(".m, .t")));
    this.ground.addEventListener("click", (event) => this.pressed(event.target.closest(".m, .t"), event.pointerType));
    root.addEventListener("answer", () => setTimeout(() => this.answered(), 60)); // the drawing follows in the next frame
    this.answered();
  }

  /** Says what a matrix is. @param {Element | null} box */
  say(box) {
    if (!box) return;
    const is = read(box);
    if (!is) {
      this.readout.textContent = box.querySelector("title")?.textContent ?? "";
      return;
    }
    const product = BigInt(is.down) * BigInt(is.across);
    const cells = rowsOf(this.root, tensor(is.name))[0]?.cells;
    const all = digits(cells?.[5]);
    const bits = this.root.querySelector("[data-bits]")?.value;
    let s = `${is.name}: ${group(String(is.down))} × ${group(String(is.across))} = ${group(String(product))} parameters`;
    if (all && all !== String(product)) s += `, ${cells[4].textContent.trim()} = ${group(all)}`;
    if (all && bits) s += `; ${group(String((BigInt(all) * BigInt(bits)) / 8n))} bytes`;
    this.readout.textContent = s;
  }

  /** A finger cannot point without pressing: its first tap says what a matrix is, the next opens its row. @param {Element | null} box @param {string} pointer */
  pressed(box, pointer) {
    const again = box === this.tapped;
    this.tapped = box;
    if (again || pointer !== "touch") this.open(box);
    else this.say(box);
  }

  /** Opens the row of a matrix in the table. @param {Element | null} box */
  open(box) {
    const name = box && (read(box)?.name ?? box.querySelector("title")?.textContent.match(/, (\S+) /)?.[1]);
    const [row] = rowsOf(this.root, name && tensor(name));
    if (!row) return;
    const details = row.closest("tbody:has(> tr > th > details)").querySelector("details");
    reveal(details);
    details.open = true;
    requestAnimationFrame(() => row.scrollIntoView({ block: "center", behavior: "smooth" }));
  }

  /** The model as it is, which the edited one is held against: asked for once. @param {import("./question.js").Question} question @param {string} of whose it is */
  plain(question, of) {
    const q = question.copy();
    for (const key of [...q.keys.keys()]) if (key.startsWith("set.")) q.delete(key);
    if (!engine.ready() || !engine.draws()) { // a larger program is taking over, or the one that draws is on its way
      Promise.all([engine.prepare(), engine.prepareDrawing()]).then(() => this.answered(), () => {});
      return null;
    }
    const answer = engine.ask(q.ask());
    if (answer.error || answer.need) return null;
    const part = (id) => {
      const template = document.createElement("template");
      template.innerHTML = answer.html(id);
      return template.content;
    };
    return { of, count: part("count").querySelector(".exactly").textContent, boxes: new Map(boxes([part("wide")]).map((b) => [b.name, b])), letters: letters(part("keys")) };
  }

  /** An answer is shown: an edited model is held against what it was. */
  answered() {
    const { calculator } = this.root;
    const { question } = calculator;
    const edited = [...question.keys.keys()].some((key) => key.startsWith("set."));
    if (edited && calculator.answer) calculator.catchUp([...this.root.querySelectorAll("[data-region]")].filter((region) => /^(count|wide|narrow|keys)$/.test(region.dataset.region) && region.checkVisibility())); // they may be out of sight
    const count = this.root.querySelector(".exactly").textContent;
    const of = question.slug || question.config;
    for (const g of this.ground.querySelectorAll(".ghosts")) g.remove();
    this.changed.replaceChildren();
    delete this.slim.dataset.was;
    if (edited && this.base?.of !== of) this.base = this.plain(question, of);
    const { base } = this;
    const differs = edited && base && base.count !== count;
    this.offer(differs ? this.scales() : []);
    if (!differs) return;
    const factor = Number(count) / Number(base.count);
    this.changed.innerHTML = `${this.root.querySelector(".reading").textContent.replace(" parameters", "")}, was <s>${short(base.count)}</s>, × ${factor.toPrecision(3)}`;
    this.slim.dataset.was = this.changed.textContent;
    this.ghosts();
  }

  /** The old shapes, to the scale of the new drawing. */
  ghosts() {
    for (const plan of this.ground.querySelectorAll("svg.plan")) {
      if (!plan.checkVisibility()) continue;
      plan.querySelector("g").insertAdjacentHTML("beforeend", `<g class="ghosts">${boxes([plan]).map(({ name, down, across, rect }) => {
        const old = this.base.boxes.get(name);
        const at = (side) => Number(rect.getAttribute(side));
        return !old || (old.down === down && old.across === across) ? "" : `<rect x="${at("x")}" y="${at("y")}" width="${(at("width") * old.across) / across}" height="${(at("height") * old.down) / down}"/>`;
      }).join("")}</g>`);
    }
  }

  /** A wider model usually has more heads and wider feed-forward layers: the keys that would grow by the same factor. */
  scales() {
    const now = letters(this.root);
    const was = this.base.letters;
    const t = now.get("h")?.value / was.get("h")?.value;
    if (!(t > 0) || t === 1) return [];
    return ["a", "k", "f"].flatMap((l) => {
      const [a, b] = [now.get(l), was.get(l)];
      return a && b && a.value === b.value && Number.isInteger(b.value * t) ? [{ l, key: a.key, value: b.value * t }] : [];
    });
  }

  /** Offers to scale keys too. An offer that still holds stays where it is: somebody may be pressing it. */
  offer(scaled) {
    const old = this.root.querySelector(".shape [data-apply]");
    const keys = String(new URLSearchParams(scaled.map(({ key, value }) => [key, String(value)])));
    if (keys === old?.dataset.apply) return;
    old?.remove();
    if (keys) (this.root.querySelector(".shape > p") ?? this.root.querySelector(".shape")).insertAdjacentHTML("beforeend", `<button type="button" data-apply="${keys}">Scale ${scaled.map(({ l, value }) => `${l} to ${group(String(value))}`).join(", ")} too</button>`);
  }
}

/** A count as a reading: 8,030,261,248 is 8.03 B. */
function short(count) {
  const n = Number(count);
  const at = Math.min(4, Math.floor((count.length - 1) / 3));
  return at === 0 ? count : `${(n / 1000 ** at).toPrecision(3)} ${" KMBT"[at]}`.replace("K", "k");
}

/** Takes over the drawing of a calculator that stands by itself. */
export function startDrawing() {
  for (const root of document.querySelectorAll(".calc:has(> .answer > .blueprint)")) if (root.calculator) new Drawing(root);
}

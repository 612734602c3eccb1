// Numbers of a question that a reader drags: what follows them in their paragraph and figure was worked out when the site was
// built (build/text/drag.go). Where they stand beside a calculator, each follows what is asked of the other. Without this script they are numbers.
import { morph } from "./morph.js";

/** Pixels of a step. */
const wide = 22;

/** @typedef {{label: string, key: string, values: string[], shown: string[], at: number}} Drag */

class Scrub {
  /** @param {HTMLScriptElement} data */
  constructor(data) {
    const { drag, numbers, figure } = JSON.parse(data.textContent);
    const scope = data.closest("figure") ?? data.parentElement;
    /** @type {Drag[]} */
    this.drags = drag;
    this.numbers = numbers;
    this.figure = figure;
    this.scope = scope;
    this.follows = scope.querySelectorAll("data[data-field], [data-follows]");
    this.places = [.../** @type {NodeListOf<HTMLElement>} */ (scope.querySelectorAll(".drag"))];
    this.at = this.drags.map((d) => d.at);
    this.said = Object.assign(document.createElement("span"), { className: "vh" });
    this.said.setAttribute("role", "status");
    data.after(this.said);
    this.places.forEach((place, i) => this.listen(place, i));
    /** @type {any} */
    this.root = scope.querySelector("[data-calculator]");
    this.root?.addEventListener("answer", () => this.follow());
    if (figure) { // what is before the caption, as one element
      this.picture = document.createElement("div");
      const caption = scope.querySelector("figcaption");
      while (scope.firstChild !== caption) this.picture.append(scope.firstChild);
      scope.prepend(this.picture);
    }
  }

  /** @param {HTMLElement} place @param {number} i */
  listen(place, i) {
    const { label, shown } = this.drags[i];
    for (const [name, value] of Object.entries({ role: "slider", tabindex: "0", "aria-label": label, "aria-valuemin": "0", "aria-valuemax": String(shown.length - 1), title: `Drag it, or press the arrow keys: ${label}. Escape takes it back.` })) place.setAttribute(name, value);
    this.tell(i);
    const steps = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 3, PageDown: -3, Home: -99, End: 99 });
    place.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const { key } = event;
      if (key === "Escape") this.put(i, this.drags[i].at);
      else if (key in steps) this.put(i, this.at[i] + steps[key]);
      else return;
      event.preventDefault();
    });
    place.addEventListener("pointerdown", (event) => {
      if (event.button > 0) return;
      event.preventDefault(); // no text is selected
      place.focus();
      place.setPointerCapture(event.pointerId);
      const from = event.clientX, was = this.at[i];
      const move = (/** @type {PointerEvent} */ e) => this.put(i, was + Math.round((e.clientX - from) / wide));
      const end = () => {
        place.removeEventListener("pointermove", move);
        for (const type of ["pointerup", "pointercancel", "lostpointercapture"]) place.removeEventListener(type, end);
      };
      place.addEventListener("pointermove", move);
      for (const type of ["pointerup", "pointercancel", "lostpointercapture"]) place.addEventListener(type, end);
    });
  }

  /** Says what a number is. @param {number} i @param {string} [text] of one that isn't a step */
  tell(i, text = this.drags[i].shown[this.at[i]]) {
    const place = this.places[i], { at } = this.drags[i];
    place.textContent = text;
    place.setAttribute("aria-valuenow", String(this.at[i]));
    place.setAttribute("aria-valuetext", text);
    place.classList.toggle("dragged", this.at[i] !== at);
  }

  /** @param {number} i @param {number} to */
  put(i, to) {
    const { values, key } = this.drags[i];
    to = Math.min(Math.max(to > this.at[i] ? Math.floor(to) : Math.ceil(to), 0), values.length - 1);
    if (to === this.at[i]) return;
    this.at[i] = to;
    this.tell(i);
    this.show();
    this.root?.calculator?.apply(`${key}=${values[to]}`);
  }

  /** The calculator beside the numbers answers: they are what it was asked. */
  follow() {
    const { calculator } = this.root;
    const asked = this.drags.map(({ key }) => calculator.question.keys.get(key) ?? calculator.field(key)?.dataset.default);
    const at = this.drags.map(({ values }, i) => (values.includes(asked[i]) ? values.indexOf(asked[i]) : values.filter((v) => Number(v) < Number(asked[i])).length - 0.5)); // between two steps
    if (at.every((to, i) => to === this.at[i])) return;
    this.at = at;
    at.forEach((to, i) => this.tell(i, this.drags[i].shown[to] ?? (Number(asked[i]) ? Number(asked[i]).toLocaleString("en-US") : asked[i])));
    this.show();
  }

  /** Shows what follows. */
  show() {
    const known = this.at.every(Number.isInteger); // a calculator can be asked for what no step is: it says itself what comes out
    const now = this.drags.reduce((n, d, k) => n * d.values.length + this.at[k], 0);
    this.numbers.forEach((texts, k) => { if (texts) this.follows[k].innerHTML = known ? texts[now] : "what the calculator says"; });
    if (this.picture) morph(this.picture, this.figure[now]);
    clearTimeout(this.later);
    this.later = setTimeout(() => { this.said.textContent = this.words(); }, 700);
  }

  /** The sentence, for those who hear the page. */
  words() {
    const copy = /** @type {Element} */ ((this.scope.querySelector("figcaption") ?? this.scope).cloneNode(true));
    for (const e of copy.querySelectorAll("script, .vh, .anchor")) e.remove();
    return copy.textContent.trim();
  }
}

for (const data of document.querySelectorAll("script[data-scrub]")) new Scrub(/** @type {any} */ (data));

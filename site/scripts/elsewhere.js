// Regions that are counted elsewhere: in a worker, by a larger program, when somebody opens them, and again after an edit
// while they are open. Where no worker can be had, the page's own counting program grows to that one.
import deriveAddress from "asset:derive.wasm";
import workerAddress from "asset:elsewhere.worker.js";
import explainAddress from "asset:explain.wasm";
import speedAddress from "asset:speed.wasm";
import { families, widen } from "./engine.js";
import { morph } from "./morph.js";

const programs = { explain: explainAddress, derive: deriveAddress, speed: speedAddress };

export class Elsewhere {
  /**
   * @param {HTMLDetailsElement} details
   * @param {{program: "explain" | "derive" | "speed", doing: string, lost: string}} words which program counts the region, what is said meanwhile, and what could not be loaded
   */
  constructor(calculator, details, words) {
    this.calculator = calculator;
    this.details = details;
    this.words = words;
    this.region = details.querySelector("[data-region]");
    this.name = this.region.dataset.region;
    this.said = details.querySelector(".said");
    this.question = null; // the newest
    this.turn = 0; // its number
    this.shown = 0; // the number of the question that the list answers
    this.busy = false; // whether the worker has a question
    /** @type {Worker | null} */
    this.worker = null;
    this.alone = false; // without a worker
    calculator.root.addEventListener("answer", () => this.asked());
    details.addEventListener("toggle", () => this.toggled());
  }

  toggled() {
    const { details, region } = this;
    region.hidden = !details.open;
    if (this.alone) {
      if (details.open) this.here();
    } else {
      if (!this.question) this.asked();
      this.look();
    }
  }

  /** The page has an answer: perhaps to another question. */
  asked() {
    const { calculator, region } = this;
    if (this.alone) return;
    calculator.late.delete(region); // the page's program is not to write it
    region.classList.remove("behind");
    const question = { ...calculator.question.ask(), others: [] };
    if (this.question && Object.keys(question).every((key) => key === "others" || question[key] === this.question[key])) return;
    this.question = question;
    this.turn++;
    this.look();
  }

  /** Hands the newest question over while the list is open. What the worker has is not taken back: its answer is not shown. */
  look() {
    const { calculator: { root }, details, region, said } = this;
    const due = this.shown !== this.turn;
    region.style.visibility = due ? "hidden" : ""; // it keeps its height, so that nothing jumps
    said.textContent = due && details.open ? this.words.doing : "";
    if (!due || !details.open || this.busy) return;
    try {
      this.worker ??= this.hire();
    } catch {
      this.fall();
      return;
    }
    this.busy = true;
    this.worker.postMessage({ turn: this.turn, region: this.name, program: this.words.program, question: this.question, families: families(), all: root.dataset.all });
  }

  hire() {
    const worker = new Worker(workerAddress);
    worker.onmessage = ({ data }) => this.heard(data);
    worker.onerror = worker.onmessageerror = () => this.fall();
    return worker;
  }

  /** @param {{turn: number, html?: string, error?: string}} answer */
  heard({ turn, html, error }) {
    this.busy = false;
    if (error) {
      this.fall();
      return;
    }
    if (turn === this.turn) {
      this.shown = turn;
      morph(this.region, html);
    }
    this.look();
  }

  /** Goes on without a worker. */
  fall() {
    this.worker?.terminate();
    this.alone = true;
    this.region.textContent = "";
    this.region.style.visibility = "";
    if (this.details.open) this.here();
  }

  /** The page's own program looks, and writes the list like any region. */
  async here() {
    const { calculator, region, said } = this;
    calculator.watch.observe(region);
    if (calculator.answer?.regions.includes(this.name)) {
      calculator.late.add(region);
      calculator.catchUp([region]);
      return;
    }
    said.textContent = this.words.doing;
    try {
      await widen(programs[this.words.program]);
      said.textContent = "";
    } catch (error) {
      said.textContent = `${this.words.lost} could not be loaded: ${error.message}. Check the connection and open this again.`;
      return;
    }
    calculator.update({ again: true });
  }
}

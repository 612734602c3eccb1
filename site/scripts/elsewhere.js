// Regions that are counted elsewhere: in a worker, by a larger program, when somebody opens them, and again after an edit
// while they are open.
import workerAddress from "asset:elsewhere.worker.js";
import { families } from "./engine.js";
import { morph } from "./morph.js";

/** A worker with a program, which all regions of the page share that it counts. It answers in the order in which it is asked. */
class Office {
  /** @param {string} program */
  constructor(program) {
    this.program = program;
    /** @type {Worker | null} */
    this.worker = null;
    /** Those who wait for an answer. @type {{heard: (answer: any) => void, failed: (why: string) => void}[]} */
    this.waiting = [];
  }

  /** @param {{heard: (answer: any) => void, failed: (why: string) => void}} one @param {object} question */
  ask(one, question) {
    if (!this.worker) {
      const worker = new Worker(workerAddress);
      worker.onmessage = ({ data }) => (data.error ? this.lose(data.error) : this.waiting.shift()?.heard(data));
      worker.onerror = worker.onmessageerror = () => this.lose("what counts it did not load");
      this.worker = worker;
    }
    this.waiting.push(one);
    this.worker.postMessage({ ...question, program: this.program });
  }

  /** Ends the worker: the next question makes another. @param {string} why */
  lose(why) {
    const left = this.waiting;
    this.worker?.terminate();
    this.worker = null;
    this.waiting = [];
    for (const one of left) one.failed(why);
  }
}

const offices = { derive: new Office("derive"), speed: new Office("speed") };

/** A region's HTML for the question of a calculator. @param {any} calculator @param {"derive" | "speed"} program @param {string} region @returns {Promise<string>} */
export const count = (calculator, program, region) => new Promise((done, lost) => {
  const one = { heard: ({ html }) => done(html), failed: (why) => lost(new Error(why)) };
  offices[program].ask(one, { turn: 0, region, question: { ...calculator.question.ask(), others: [] }, families: families(), all: calculator.root.dataset.all });
});

export class Elsewhere {
  /** @param {HTMLDetailsElement} details @param {"derive" | "speed"} program which one counts it @param {string} doing what is said meanwhile */
  constructor(calculator, details, program, doing) {
    this.calculator = calculator;
    this.details = details;
    this.program = program;
    this.doing = doing;
    this.region = details.querySelector("[data-region]");
    this.name = this.region.dataset.region;
    this.said = details.querySelector(".said");
    this.question = null; // the newest
    this.turn = 0; // its number
    this.shown = 0; // the number of the question that the region answers
    this.busy = false; // whether the worker has a question
    this.seen = !details.open; // what is open from the start is counted when it comes into sight
    if (!this.seen) {
      new IntersectionObserver((entries, observer) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        this.seen = true;
        if (!this.question) this.asked();
        this.look();
      }).observe(details);
    }
    calculator.root.addEventListener("answer", () => this.asked());
    details.addEventListener("toggle", () => this.toggled());
  }

  toggled() {
    this.region.hidden = !this.details.open;
    if (!this.question) this.asked();
    this.look();
  }

  /** The page has an answer: perhaps to another question. */
  asked() {
    const { calculator, region } = this;
    region.classList.remove("behind");
    const question = { ...calculator.question.ask(), others: [] };
    if (this.question && Object.keys(question).every((key) => key === "others" || question[key] === this.question[key])) return;
    this.question = question;
    this.turn++;
    this.look();
  }

  /** Hands the newest question over while the region is open. What the worker has is not taken back: its answer is not shown. */
  look() {
    const { calculator: { root }, details, region, said } = this;
    const due = this.shown !== this.turn;
    region.style.visibility = due ? "hidden" : ""; // it keeps its height, so that nothing jumps
    said.classList.add("quiet"); // what is said meanwhile takes no room
    said.textContent = due && details.open ? this.doing : "";
    if (!due || !details.open || this.busy || !this.seen) return;
    this.busy = true;
    try {
      offices[this.program].ask(this, { turn: this.turn, region: this.name, question: this.question, families: families(), all: root.dataset.all });
    } catch (error) {
      this.failed(error.message);
    }
  }

  /** @param {{turn: number, html: string}} answer */
  heard({ turn, html }) {
    this.busy = false;
    if (turn === this.turn) {
      this.shown = turn;
      morph(this.region, html);
    }
    this.look();
  }

  /** Says why there is no answer. Opening it again, or an edit, asks again. @param {string} why */
  failed(why) {
    this.busy = false;
    this.said.classList.remove("quiet");
    this.said.textContent = `It could not be worked out: ${why}. Open it again.`;
  }
}

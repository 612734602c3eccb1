// Under every number that is open: where it comes from, down to keys of the config, what moves it, and a goal for it. A worker
// works it out when somebody opens it; the next edit ends the worker, and what is open is asked again when the page is at rest.
import workerAddress from "asset:why.worker.js";
import { families } from "./engine.js";
import { hash, whole } from "./link.js";

/** How long an answer may take, and how long the page is at rest before what is open is asked again, in ms. */
const longest = 20_000;
const rest = 400;

/** Names of figures under which it was open. @type {Set<string>} */
const opened = new Set();
/** What was typed for a goal, by the names of the number and the field: an edit writes the form anew. @type {Map<string, string>} */
const typed = new Map();
/** The figure to open inside, of "#at=name~figure". */
let inside = "";

/** @param {string} figure that opens with the number */
export function within(figure) {
  inside = figure;
}

class Why {
  /** @param {Element} place @param {string} name of the number in links @param {number} row in the table of parts */
  constructor(place, name, row) {
    this.name = name;
    this.row = row;
    this.root = place.closest(".calc");
    this.turn = 0;
    const host = document.createElement("number-why");
    host.innerHTML = '<details class="why"><summary>Where it comes from, and what moves it <span class="quiet said" role="status"></span></summary><div class="tree"></div><div class="moving"></div></details>';
    this.details = host.querySelector("details");
    this.said = host.querySelector(".said");
    this.tree = host.querySelector(".tree");
    this.moving = host.querySelector(".moving");
    this.details.addEventListener("toggle", () => this.toggled());
    host.addEventListener("submit", (event) => this.aim(event));
    host.addEventListener("input", ({ target }) => typed.set(name + target.name, target.value));
    this.host = host;
    place.append(host);
    if (inside) opened.add(name);
    if (opened.has(name)) {
      this.later = true;
      this.details.open = true;
    }
  }

  /** Keeps whether it is open, for what takes its place. */
  note() {
    if (this.details.open) opened.add(this.name);
    else opened.delete(this.name);
  }

  toggled() {
    this.note();
    if (!this.details.open) {
      this.end();
      return;
    }
    const wait = this.later ? rest : 0;
    this.later = false;
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.look(), inside ? 0 : wait);
  }

  /** Ends what is being worked out. */
  end() {
    clearTimeout(this.soon);
    clearTimeout(this.limit);
    this.worker?.terminate();
    this.worker = null;
  }

  async look() {
    if (!this.host.isConnected) return;
    this.say("Working it out.");
    const html = await this.ask("tree");
    if (html === null) return;
    if (html === "") {
      this.host.remove(); // nothing is declared about it
      return;
    }
    this.tree.innerHTML = html;
    for (const field of this.tree.querySelectorAll("form [name]")) {
      field.value = typed.get(this.name + field.name) ?? field.value;
      if (field.selectedIndex < 0) field.selectedIndex = 0; // this question has no such knob
    }
    this.arrive();
    const moves = await this.ask("moves");
    if (moves === null) return;
    this.moving.innerHTML = moves;
    this.lead(this.moving);
    this.say("");
  }

  say(text) {
    this.said.textContent = text;
  }

  /** Asks the worker. The answer is null when the question is no longer asked. @returns {Promise<string | null>} */
  ask(what, more = {}) {
    const { root } = this;
    const turn = ++this.turn;
    return new Promise((resolve) => {
      const fail = (why) => {
        this.end();
        this.say(why);
        resolve(null);
      };
      try {
        this.worker ??= new Worker(workerAddress);
      } catch (error) {
        fail(`It could not be worked out: ${error.message}.`);
        return;
      }
      clearTimeout(this.limit);
      this.limit = setTimeout(() => fail("It takes too long to work out."), longest);
      this.worker.onerror = () => fail("It could not be worked out. Open it again.");
      this.worker.onmessage = ({ data }) => {
        if (data.turn !== turn) return;
        clearTimeout(this.limit);
        if (data.error) fail(`It could not be worked out: ${data.error}.`);
        else resolve(this.host.isConnected && this.details.open ? data.html : null);
      };
      const question = root.calculator.question.ask();
      this.worker.postMessage({ turn, question, families: families(), figure: this.name, row: this.row, what, ...more });
    });
  }

  /** Looks for the value that keeps the number to a goal. */
  async aim(event) {
    event.preventDefault();
    const form = event.target;
    const output = form.querySelector("output");
    output.textContent = "Looking.";
    const html = await this.ask("goal", { knob: form.elements.knob.value, goal: form.elements.goal.value });
    if (html === null) return;
    output.innerHTML = html;
    this.lead(output);
  }

  /** Links to other questions keep pasted configs, and lead to this number there. @param {Element} of */
  lead(of) {
    for (const a of of.querySelectorAll("a")) a.setAttribute("href", a.getAttribute("href") + hash(whole(this.root.calculator.fragment), `at=${this.name}`));
  }

  /** Opens the figure that the address names. */
  arrive() {
    const at = inside && this.tree.querySelector(`[data-figure="${CSS.escape(inside)}"]`);
    inside = "";
    if (!at) return;
    for (let d = at; d && d !== this.details; d = d.parentElement.closest("details")) d.open = true;
    at.querySelector("summary").focus({ preventScroll: true });
    at.scrollIntoView({ block: "center" });
  }
}

/** @type {Set<Why>} */
const all = new Set();

/** Puts it under an opened number. */
export function offerWhy(place, name, row) {
  if (!place.closest(".calc")?.calculator) return;
  for (const why of all) {
    if (why.host.isConnected) continue;
    why.note(); // an answer has taken its place away, perhaps before it heard that it was opened
    why.end();
    all.delete(why);
  }
  all.add(new Why(place, name, row));
}

// Brings a model from its checkpoint: an id of the model hub, or files that were dropped or chosen. The config's answer comes
// first; what the headers of the files hold is said under it. All of it is read in a worker, which is loaded when somebody asks.
import "./shared.js";
import look from "asset:checkpoint.css";
import workerAddress from "asset:hub.worker.js";
import wasmAddress from "asset:hub.wasm";
import execAddress from "asset:hub.exec.js";
import verifyAddress from "asset:verify.wasm";
import verifyExecAddress from "asset:verify.exec.js";
import { devices } from "./lists.js";
import { style } from "./style.js";

/** The hub, unless the site was built for another. */
const hub = "https://huggingface.co";

/** Where a file is that was dropped or chosen. @typedef {{path: string, file: File}} Placed */
/** @typedef {{model?: string, file?: string, files?: any[]}} Source what is brought: a model of the hub, or files (placed once they are gathered); file is the one of several */

/** @type {Worker | null} */
let worker = null;
let last = 0;

/**
 * Asks the worker. @param {object} message @param {(news: any) => void} [hear] what comes before the answer
 * @returns {{id: number, answer: Promise<any>, end: () => void}}
 */
function ask(message, hear = () => {}) {
  worker ??= new Worker(workerAddress);
  const own = worker;
  const id = ++last;
  let done = () => {};
  const answer = new Promise((resolve, reject) => {
    const heard = ({ data }) => {
      if (data.id !== id) return;
      if (!("ok" in data)) return hear(data);
      done();
      if (data.ok) resolve(data);
      else reject(Object.assign(new Error([data.error.message, data.error.hint].filter(Boolean).join(" ")), { kind: data.error.kind }));
    };
    const failed = () => {
      done();
      if (worker === own) worker = null;
      reject(new Error("The part that reads checkpoints could not be loaded. Paste the config.json instead."));
    };
    const ended = () => {
      done();
      reject(new Error("The headers of this checkpoint are no longer at hand. Fetch or choose it again."));
    };
    done = () => {
      own.removeEventListener("message", heard);
      own.removeEventListener("error", failed);
      own.removeEventListener("ended", ended);
    };
    own.addEventListener("message", heard);
    own.addEventListener("error", failed);
    own.addEventListener("ended", ended);
    own.postMessage({ id, exec: execAddress, wasm: wasmAddress, verify: verifyAddress, verifyExec: verifyExecAddress, ...message });
  });
  const end = () => {
    done();
    own.terminate();
    own.dispatchEvent(new Event("ended")); // what else waits for it hears nothing more
    if (worker === own) worker = null;
  };
  return { id, answer, end };
}

/** What was fetched, by the model that a link names: going back to it asks nobody. @type {Map<string, {config: string, held?: Function}>} */
const fetched = new Map();

/** @param {string} model @returns {{config: string, held?: Function} | undefined} what was fetched of it before */
export const kept = (model) => fetched.get(model);

/** What an answer is about: how it is used isn't part of it. @param {Iterable<[string, string]>} keys of the question */
const about = (slug, config, held, keys) => [slug, config, Boolean(held), ...[...keys].filter(([key]) => key.startsWith("set.")).flat()].join("\n");

/** A checkpoint that is being read, or was. */
class Reading {
  /** @param {any} calculator @param {Source} source */
  constructor(calculator, source) {
    this.calculator = calculator;
    this.source = source;
    const { question } = calculator;
    this.about = about(question.slug, question.config, question.held, question.keys);
    this.since = calculator.turn;
    this.next = this.about; // what the page is about to answer
    this.config = ""; // as soon as it is in
    this.listen = () => this.asked(calculator.question);
    calculator.root.addEventListener("answer", this.listen);
    /** @type {HTMLElement} */
    this.region = calculator.root.querySelector("[data-checkpoint]");
    this.region.hidden = false;
  }

  /** The page has an answer: to another model, or with a key that is changed, and this is over, unless it was asked before this began. */
  asked({ slug, config, held, keys }) {
    const now = about(slug, config, held, keys);
    if (now === this.next || this.calculator.asked <= this.since) this.about = now;
    else if (now !== this.about) this.leave();
  }

  async read() {
    const { source } = this;
    const { root } = this.calculator;
    try {
      await style(look);
      this.busy(source.files ? "Reading headers here, in your browser." : `Asking the hub for ${source.model}.`);
      if (source.files) this.source = { ...source, files: await gather(source.files) };
      if (this.left) return;
      const place = { base: root.dataset.hub ?? hub, families: new URL(root.dataset.all, location.href).href };
      this.asking = ask({ ...place, ...this.source }, (news) => this.hear(news));
      this.id = this.asking.id;
      const answer = await this.asking.answer;
      this.asking = null;
      if (this.left) return;
      this.done(answer);
    } catch (error) {
      this.asking = null;
      if (!this.left) this.fail(error);
    }
  }

  /** @param {{config?: string, model?: string, progress?: {done: number, of: number}}} news */
  hear({ config, model, progress }) {
    if (config !== undefined) this.take(config, model);
    if (progress) this.busy(`Reading headers, ${progress.done} of ${progress.of} ${progress.of === 1 ? "file" : "files"}${this.source.files ? ", here in your browser" : ""}.`, progress);
    else this.busy("Reading headers.");
  }

  /** The page answers from a config. @param {string} config @param {string} [model] of the hub, pinned @param {Function} [held] answers for the checkpoint */
  take(config, model = "", held = undefined) {
    this.config = config;
    if (model) fetched.set(model, { config, held });
    this.calculator.brought(model, model ? model.replace(/@[0-9a-f]{40}/, "") : held ? this.name : "", config, held, ({ keys }) => { this.next = about(model, config, held, keys); });
  }

  get name() {
    const { model, file, files } = this.source;
    return model ? model + (file ? `:${file}` : "") : (files.length === 1 ? files[0].path : files[0].path.split("/")[0]);
  }

  /** @param {{config: string, model?: string, verdict?: any, choose?: string[]}} answer */
  done({ config, model, verdict, choose }) {
    if (choose) return this.choose(choose, model);
    if (verdict?.verdict === "alone") this.take(config, model, (question) => this.alone(question));
    else if (verdict?.metadata) this.take(verdict.metadata, model);
    else if (config && this.config === "") this.take(config, model);
    if (!verdict) return this.leave();
    this.region.innerHTML = verdict.html; // text of the files is escaped in it
    if (this.source.files) this.add("p", "quiet", "The files were read here, their headers alone. Nothing was sent anywhere, and a link does not carry them.");
    this.more("Close", () => this.leave());
  }

  /** Answers a question from the headers: nobody knows the model's class. */
  async alone(question) {
    const device = (await devices()).find((d) => d.slug === question.device);
    const { answer } = await ask({ of: this.id, question: { ...question, config: this.config, device: device ? JSON.stringify(device) : "" } }).answer;
    const { html } = answer;
    return { ...answer, html: (region) => html[region] ?? "" };
  }

  /** Several checkpoints: one is to be chosen. */
  choose(files, model) {
    this.region.replaceChildren();
    this.add("p", "", `${model ?? "The folder"} holds ${files.length} checkpoints. Which one?`);
    const list = this.add("ul", "checkpoints", "");
    for (const file of files) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = file;
      button.addEventListener("click", () => { this.end(); bring(this.calculator, { ...this.source, model: model && this.source.model && model, file }); });
      const li = document.createElement("li");
      li.append(button);
      list.append(li);
    }
    this.more("Close", () => this.leave());
    list.querySelector("button").focus();
  }

  /** Says how far the reading is, with a button that stops it. @param {string} text @param {{done: number, of: number}} [progress] */
  busy(text, progress) {
    if (this.left) return;
    if (!this.said) {
      this.region.replaceChildren();
      this.said = this.add("p", "", "");
      this.said.setAttribute("role", "status");
      this.bar = this.region.appendChild(document.createElement("progress"));
      this.bar.setAttribute("aria-label", "Headers that are read");
      this.more("Stop", () => this.leave());
    }
    this.said.textContent = text;
    if (progress) Object.assign(this.bar, { max: progress.of, value: progress.done });
  }

  /** @param {string} name @param {string} className @param {string} text */
  add(name, className, text) {
    const e = document.createElement(name);
    e.className = className;
    e.textContent = text;
    return this.region.appendChild(e);
  }

  /** @param {string} text @param {() => void} act */
  more(text, act) {
    const button = /** @type {HTMLButtonElement} */ (this.add("button", "", text));
    button.type = "button";
    button.addEventListener("click", act);
  }

  /** @param {Error & {kind?: string}} error */
  fail(error) {
    const first = this.config === "";
    if (first && !this.source.files && error.kind !== "checkpoint") {
      this.leave();
      this.calculator.say("model", error);
      return;
    }
    this.said = null;
    this.region.replaceChildren();
    // What the config says stays.
    this.add("p", "error", `The files could not be read. ${error.message}${first ? "" : " The answer from the config stays."}`);
    this.more("Try again", () => { this.end(); bring(this.calculator, this.source); });
    this.more("Close", () => this.leave());
  }

  /** Stops what is being read. */
  end() {
    this.left = true;
    this.asking?.end();
    this.calculator.root.removeEventListener("answer", this.listen);
  }

  leave() {
    this.end();
    this.region.hidden = true;
    this.region.replaceChildren();
  }
}

/** @type {Reading | null} */
let reading = null;

/**
 * Brings a model from the hub or from files into a calculator. What was being read before is ended.
 * @param {any} calculator @param {Source} source
 */
export async function bring(calculator, source) {
  reading?.leave();
  reading = new Reading(calculator, source);
  return reading.read();
}

/** The files of what was dropped or chosen, folders opened. @param {any[]} dropped files, entries of a drop, or files that are placed already @returns {Promise<Placed[]>} */
async function gather(dropped) {
  /** @type {Placed[]} */
  const files = [];
  const most = 20_000; // of files: nobody's checkpoint has more
  const walk = async (entry, depth) => {
    if (files.length >= most) return;
    if (entry.isFile) {
      const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
      files.push({ path: entry.fullPath.replace(/^\//, ""), file });
    } else if (entry.isDirectory && depth < 4) {
      const reader = entry.createReader();
      for (;;) {
        const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject)); // a hundred at a time
        if (some.length === 0) break;
        for (const e of some) await walk(e, depth + 1);
      }
    }
  };
  for (const d of dropped) {
    if (d.path) files.push(d);
    else if (d instanceof File) files.push({ path: d.webkitRelativePath || d.name, file: d });
    else await walk(d, 0);
  }
  return files;
}

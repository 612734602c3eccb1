// A calculator: takes over the elements that the build wrote, asks the counting program, shows its answer.
import * as engine from "./engine.js";
import * as link from "./link.js";
import * as problems from "./problems.js";
import { copy, csv, markdown } from "./copy.js";
import { listen as listenForConfig, readFile } from "./config.js";
import { morph } from "./morph.js";
import { Question } from "./question.js";

/** @param {NodeListOf<Element>} roots */
export function startCalculators(roots) {
  const all = [...roots].map((root) => new Calculator(root));
  for (const c of all) c.start();
  // After the first paint, so that reading is not held up; the first edit then waits for nothing.
  const idle = globalThis.requestIdleCallback ?? ((f) => setTimeout(f, 200));
  idle(() => engine.prepare().catch(() => {}));
}

class Calculator {
  /** @param {Element} root */
  constructor(root) {
    this.root = root;
    this.form = root.querySelector("form");
    this.owner = !root.classList.contains("embedded"); // of the address bar
    this.question = new Question(root.dataset.query, root.dataset.name, root.dataset.slug, root.querySelector("[data-config]").textContent);
    this.home = root.dataset.query;
    this.first = this.question.copy();
    this.shown = {}; // region to its HTML
    this.turn = 0; // of the newest question
    this.fragment = "";
    engine.addFamilies(root.querySelector("[data-families]").textContent);
  }

  start() {
    const { form, root } = this;
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", (event) => this.edited(event));
    form.addEventListener("change", (event) => this.decided(event));
    form.addEventListener("focusin", ({ target }) => { if (target.name === "model") target.select(); });
    root.addEventListener("click", (event) => this.clicked(event));
    if (!this.owner) return;
    link.listen(() => this.arrive());
    listenForConfig((text) => this.take(text, true), (error) => this.say("config", error.message));
    addEventListener("beforeprint", () => { for (const d of root.querySelectorAll(".answer details")) d.open = true; });
    if (link.read() || link.carries()) this.arrive();
    else if (form.elements.config?.value.trim()) this.take(form.elements.config.value, false); // a browser that restored it
    else this.restore();
  }

  /** Forms that a browser restored after a reload show what was typed; the answer is the address's. */
  restore() {
    this.question.fill(this.form);
  }

  /** Takes the question from the address: everything is reset first. */
  async arrive() {
    const turn = ++this.turn;
    const q = this.first.copy();
    const query = link.read();
    if (query) q.reset(query, this.home);
    try {
      if (link.carries()) {
        q.paste(await link.unpack());
      } else if (q.slug !== q.asked()) {
        await this.load(q);
      }
    } catch (error) {
      if (turn === this.turn) this.fail(error.message);
      return;
    }
    if (turn !== this.turn) return;
    this.question = q;
    this.fragment = link.carries() ? location.hash : "";
    q.fill(this.form);
    this.update({ arrived: true });
  }

  /** Gets the config of the model that a question asks for. @param {Question} q */
  async load(q) {
    const slug = q.asked();
    const option = [...(document.querySelector("#models")?.options ?? [])].find((o) => o.value === slug);
    if (slug === this.first.slug) {
      q.take(this.first.name, slug, this.first.config);
      return;
    }
    if (!option) throw new Error(`No model of the catalogue is called ${slug}. The list of models has all names.`);
    const response = await fetch(`/models/${encodeURIComponent(slug)}/config.json`);
    if (!response.ok) throw new Error(`The config of ${slug} could not be loaded (status ${response.status}).`);
    q.take(option.textContent.slice(0, option.textContent.lastIndexOf(", ")), slug, await response.text());
  }

  /** Someone types. @param {Event} event */
  edited({ target }) {
    const { form, question } = this;
    if (target.type === "range") {
      const text = form.elements[target.dataset.for];
      text.value = (2 ** Number(target.value)).toLocaleString("en");
      question.put(text.name, text.value);
    } else if (target.name === "config") {
      if (target.value.trim()) this.take(target.value, false);
      return;
    } else if (target.name === "model") {
      if ([...document.querySelector("#models").options].some((o) => o.value === target.value)) this.pick(target.value);
      return;
    } else if (!question.put(target.name, target.value, target.inputMode === "numeric")) {
      return; // not a part of the question
    }
    this.update({ patient: target.type === "text" });
  }

  /** Someone has finished with a field. @param {Event} event */
  decided({ target }) {
    if (target.name === "model") this.pick(target.value.trim().toLowerCase());
    else if (target.name === "file" && target.files[0]) {
      readFile(target.files[0]).then((text) => this.take(text, true), (error) => this.say("file", error.message));
    } else if (target.type === "text") {
      this.question.fill(this.form, target);
    }
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const { target } = event;
    const button = target.closest("button");
    if (target.closest(".slim a")) {
      event.preventDefault(); // the fragment may hold a config
      this.root.querySelector(".answer").scrollIntoView({ behavior: "smooth" });
    }
    if (!button) return;
    const { form, question } = this;
    if (button.dataset.reset) {
      question.delete("set." + button.dataset.reset);
      this.update({});
      form.elements["set." + button.dataset.reset]?.focus();
    } else if ("add" in button.dataset) {
      const key = form.elements["add-key"];
      const value = form.elements["add-value"];
      if (!key.value.trim()) return this.say("add", "Name the config key, for example rope_theta.");
      question.put("set." + key.value.trim(), value.value.trim());
      if (this.update({})) key.value = value.value = "";
    } else if ("hub" in button.dataset) {
      this.fromHub(form.elements.hub.value.trim(), button);
    } else if (button.dataset.copy) {
      this.copy(button);
    }
  }

  /** Chooses a model of the catalogue. @param {string} slug */
  async pick(slug) {
    if (!slug || slug === this.question.slug) return;
    const turn = ++this.turn;
    const q = this.question.copy();
    q.choose(slug);
    try {
      await this.load(q);
    } catch (error) {
      if (turn === this.turn) this.say("model", error.message);
      return;
    }
    if (turn !== this.turn) return;
    if (location.pathname !== "/") {
      location.assign("/?" + q.query()); // this page is another model's
      return;
    }
    this.question = q;
    this.fragment = "";
    if (this.form.elements.config) this.form.elements.config.value = "";
    this.update({ step: true });
  }

  /**
   * Takes a config.json.
   * @param {string} text
   * @param {boolean} show whether it should stand in the field for pasting
   */
  async take(text, show) {
    const field = this.form.elements.config;
    if (show) {
      field.closest("details").open = true;
      field.value = text;
    }
    const turn = ++this.turn;
    const before = this.question;
    this.question = before.copy();
    this.question.paste(text);
    await this.prepare();
    if (turn !== this.turn) return;
    this.fragment = "";
    if (!this.update({ pasted: true, quiet: true })) {
      this.question = before;
      return;
    }
    this.form.elements.model.value = "";
    let fragment = "";
    try {
      fragment = await link.pack(text);
    } catch {
      // An old browser without compression: the answer stands, the link lacks the config.
    }
    if (turn > this.turn || this.question.config !== text) return;
    this.fragment = fragment;
    if (!fragment) this.note("This config is too large for a link: a copied link would not carry it.");
    this.address(true);
  }

  async fromHub(id, button) {
    if (!id) return this.say("hub", "Write an id such as Qwen/Qwen3-8B.");
    problems.clear(this.form);
    button.disabled = true;
    try {
      const { fetchConfig } = await import("./hub.js");
      await this.take(await fetchConfig(id), true);
    } catch (error) {
      this.say("hub", error.message);
    }
    button.disabled = false;
  }

  async prepare() {
    if (!engine.ready()) {
      try {
        await engine.prepare();
      } catch (error) {
        this.fail(`The counting program could not be loaded. ${error.message}. Check the connection; the next edit tries again.`);
      }
    }
  }

  /**
   * Asks and shows. Returns whether there is an answer; when the program is not there yet, asks later.
   * @param {{arrived?: boolean, step?: boolean, pasted?: boolean, quiet?: boolean, patient?: boolean}} how
   */
  update(how) {
    if (!engine.ready()) {
      const turn = ++this.turn;
      this.prepare().then(() => { if (turn === this.turn && engine.ready()) this.update(how); });
      return false;
    }
    this.turn++;
    const { question } = this;
    let answer;
    try {
      answer = engine.ask(question.ask());
    } catch (error) {
      if (!(error instanceof engine.Broken)) throw error;
      this.fail("The counting program stopped at this input and was started again. The answer shown is to the question before.");
      engine.prepare().catch(() => {});
      return false;
    }
    if (answer.need && !this.asked) {
      this.asked = true; // once: a type unknown even then is an error
      const turn = this.turn;
      this.everyFamily().then(() => { if (turn === this.turn) this.update(how); });
      return false;
    }
    const bad = how.arrived ? [] : answer.issues.filter((i) => problems.place(this.form, i.field));
    const error = answer.error ?? bad[0];
    clearTimeout(this.later);
    if (error) {
      this.root.classList.add("stale");
      const say = () => this.report(error, how.pasted);
      if (how.patient) this.later = setTimeout(say, 400); // a number that is half typed is no mistake yet
      else say();
      return false;
    }
    problems.clear(this.form);
    this.root.classList.remove("stale");
    this.note("");
    question.accept(answer.query);
    this.show(answer);
    if (how.arrived) this.note(answer.issues.map((i) => `${i.field} in this link: ${problems.sentence(i)}`).join(" "));
    if (!how.quiet) this.address(how.step);
    return true;
  }

  /** Loads the families of all types. */
  async everyFamily() {
    try {
      const response = await fetch(this.root.dataset.all);
      if (response.ok) engine.addFamilies(await response.text());
    } catch {
      this.asked = false; // no connection: the next question tries again
    }
  }

  /** Puts an answer into the page. @param {import("./engine.js").Answer} answer */
  show(answer) {
    for (const region of this.root.querySelectorAll("[data-region]")) {
      const id = region.dataset.region;
      if (this.shown[id] === answer.regions[id]) continue;
      morph(region, answer.regions[id]);
      this.shown[id] = answer.regions[id];
    }
    this.question.fill(this.form, document.activeElement);
    if (this.owner && document.title !== answer.title) document.title = answer.title;
    clearTimeout(this.announced);
    this.announced = setTimeout(() => { this.root.querySelector("[data-say]").textContent = answer.spoken; }, 1000);
  }

  /** Writes the address bar. @param {boolean} [step] */
  address(step) {
    const open = this.root.querySelector("[data-open]");
    if (open) open.href = "/?" + this.question.query();
    if (!this.owner) return;
    link.write(this.question.query(), this.fragment, step === true, this.home);
    this.root.querySelector("[data-link]").textContent = link.absolute(this.question.query(), this.fragment);
  }

  /** Says what is wrong with a question. */
  report(fault, pasted) {
    problems.clear(this.form);
    const message = problems.sentence(fault);
    const at = fault.field && problems.place(this.form, fault.field);
    if (at && !pasted) problems.show(at, message);
    else if (pasted || this.question.pasted) problems.show(problems.place(this.form, "config"), (fault.field ? `${fault.field}: ` : "") + message);
    else this.note((fault.field ? `${fault.field}: ` : "") + message);
  }

  /** Says what is wrong with a field. */
  say(field, message) {
    problems.clear(this.form);
    const at = problems.place(this.form, field);
    if (at) problems.show(at, message);
    else this.fail(message);
  }

  fail(message) {
    this.note(message);
  }

  /** Says something about the whole page. @param {string} message */
  note(message) {
    const p = this.root.querySelector("[data-problems]");
    if (p.textContent !== message) p.textContent = message;
  }

  /** @param {HTMLElement} button */
  copy(button) {
    const table = this.root.querySelector("table.parts");
    const texts = {
      link: () => link.absolute(this.question.query(), this.fragment),
      number: () => this.root.querySelector(".exactly").textContent.trim(),
      markdown: () => markdown(table),
      csv: () => csv(table),
    };
    copy(button, texts[button.dataset.copy]());
  }
}

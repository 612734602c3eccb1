// A calculator: takes over the elements that the build wrote, asks the counting program, shows its answer.
import "./shared.js";
import * as engine from "./engine.js";
import * as link from "./link.js";
import * as problems from "./problems.js";
import { copy } from "./copy.js";
import { isConfig, listen as listenForConfig, readFile } from "./config.js";
import { models } from "./lists.js";
import { morph } from "./morph.js";
import { group, Question, typedDevice } from "./question.js";
import { startTabs } from "./tabs.js";

/** @param {NodeListOf<HTMLElement>} roots */
export function startCalculators(roots) {
  const all = [...roots].map((root) => new Calculator(root));
  for (const c of all) c.start();
  // The page is whole: what hid its parts until the next one came would be asked of every element that an edit adds.
  for (const sheet of document.styleSheets) for (let i = sheet.cssRules.length; i--;) if (/** @type {CSSStyleRule} */ (sheet.cssRules[i]).selectorText?.includes("(+ *)")) sheet.deleteRule(i);
  const prepare = () => engine.prepare().catch(() => {});
  // What draws comes behind what counts, when somebody turns to a calculator.
  for (const c of all) for (const type of ["pointerover", "focusin"]) c.root.addEventListener(type, draw, { once: true });
  // After the first paint, so that reading is not held up; the first edit then waits for nothing. A text may be read without
  // a thought of its calculators: there it comes when a reader turns to one.
  if (all.some((c) => c.owner)) {
    startTabs();
    idle(prepare, { timeout: 1500 });
  }
  // Every verdict and all bytes are the larger program's: it comes when somebody turns to the question.
  if (!navigator.connection?.saveData) for (const c of all) for (const type of ["pointerdown", "focusin"]) c.root.addEventListener(type, () => prepare().then(() => engine.ready() && c.widen()), { once: true });
}

/** The regions that an edit's own frame shows; the form's keys and the drawing follow in the next, what is out of sight when there is time. */
const figures = new Set(["fit", "count", "brief", "opening", "bytes", "slim"]);
/** What helps to choose is loaded when somebody does. */
const picker = () => import("./picker.js");
/** Whether a control is a part of the question: other scripts put theirs beside the answer. @param {EventTarget} control */
const asks = (control) => control.closest("[data-field]") && !control.closest("[data-aside], number-why");
/** Writes values alone, where nothing else changes: a quicker morph, once it is there. @type {typeof import("./rewrite.js").rewrite | undefined} */
let rewrite;
/** Makes ready what an edit needs; what fails is asked for again when it is needed. */
const draw = () => engine.prepare().then(engine.prepareDrawing).then(() => import("./rewrite.js")).then((part) => { rewrite = part.rewrite; }, () => {});
/** Whether a link asks for a comparison, which has a program of its own. @param {string} query */
const compares = (query) => link.second || /&(vs|mine)\b/.test(query);
const idle = globalThis.requestIdleCallback ?? ((f) => setTimeout(f, 200));

class Calculator {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    root.calculator = this; // for what is loaded later
    this.form = root.querySelector("form");
    this.owner = !root.classList.contains("embedded"); // of the address bar
    this.present = new Question(root.dataset.query, root.dataset.name, root.dataset.slug, root.querySelector("[data-config]").textContent);
    /** The question whose model is on its way: what is edited meanwhile is about it. @type {Question | undefined} */
    this.coming = undefined;
    this.home = root.dataset.query;
    this.first = this.present.copy();
    this.whose(this.first); // the answer that is shown
    this.shown = {}; // region to its HTML
    /** @type {Set<Element>} All of them, so that an edit asks no other element of the page. */
    this.regions = new Set(root.querySelectorAll(".region"));
    this.late = new Set(); // regions that still show the answer before
    /** @type {Set<Element>} */
    this.seen = new Set([...this.regions].filter((region) => !region.hidden)); // regions on the screen
    this.watch = new IntersectionObserver((list) => {
      for (const { target, isIntersecting } of list) this.seen[isIntersecting ? "add" : "delete"](target);
      this.catchUp(this.seen);
      if (this.behind()) this.widen();
    });
    for (const region of this.seen) this.watch.observe(region);
    this.turn = 0; // of the newest question
    this.fragment = "";
    engine.addFamilies(root.querySelector("[data-families]").textContent);
  }

  start() {
    const { form, root } = this;
    form.addEventListener("submit", (event) => event.preventDefault());
    root.addEventListener("input", (event) => { if (asks(event.target)) this.edited(event); });
    root.addEventListener("change", (event) => { if (asks(event.target)) this.decided(event); });
    root.addEventListener("focusin", ({ target, isTrusted }) => {
      const value = isTrusted ? target.value : target.defaultValue; // before anything was typed
      if (target.value === value && target.closest('.sentence input, [name^="set."]')) target.select(); // what is typed takes its place
      if (!target.dataset.picks || !asks(target)) return;
      picker().then(({ attend }) => { if (document.activeElement === target) attend(/** @type {HTMLInputElement} */ (target), value); }, () => {}); // choosing by hand says why
    });
    root.addEventListener("pick", ({ target, detail }) => { if (asks(target)) this.picked(target.name, detail); });
    root.addEventListener("click", (event) => this.clicked(event));
    if (this.owner) {
      this.field("folder").webkitdirectory = true; // which HTML has no name for
      // On a phone the device stands beside the model, and comes after it by Tab too.
      const [sentence, device] = [root.querySelector(".sentence"), root.querySelector('.sentence > [data-field="device"]')];
      const narrow = matchMedia("(max-width: 47.99rem)");
      const beside = () => (sentence.moveBefore ?? sentence.insertBefore).call(sentence, device, sentence.querySelector(narrow.matches ? "i" : ".acts"));
      narrow.addEventListener("change", beside);
      if (narrow.matches) beside();
      link.listen(() => this.arrive());
      listenForConfig((text) => this.take(text, true), (files) => this.open(files));
      addEventListener("beforeprint", () => { this.catchUp(this.late); for (const d of root.querySelectorAll(".bytes details")) d.open = true; });
      if (link.read() || link.whole(link.fragment())) {
        this.arrive();
        return;
      }
    }
    this.hear();
  }

  get question() {
    return this.coming ?? this.present;
  }

  /** A control of the question. @param {string} name @returns {any} */
  field(name) {
    return this.root.querySelector(`[data-field] [name="${CSS.escape(name)}"]`);
  }

  /** Hears what was typed before this script was there. */
  hear() {
    for (const target of this.root.querySelectorAll("[data-field] :is(input, select, textarea)")) {
      const was = target.options ? [...target.options].find((o) => o.defaultSelected)?.value : target.defaultValue;
      if (!target.name || target.type === "file" || target.value === was) continue;
      if (target.dataset.picks) target === document.activeElement || this.named(target); // or still being typed
      else this.edited({ target });
    }
  }

  /** Takes the question from the address: everything is reset first. */
  async arrive() {
    clearTimeout(this.writing); // of an edit that Back has left behind
    draw();
    const turn = ++this.turn;
    const q = (this.coming = this.first.copy());
    const query = link.read();
    if (query) q.reset(query, this.home);
    // The verdict needs every lens, which a comparison's program has too; what does not come is asked for again.
    if (this.owner && "asked" in document.documentElement.dataset) (compares(query) ? import("./compare.js") : engine.widen()).catch(() => {});
    if (link.fragment() || q.slug !== q.asked()) engine.prepareFamilies(this.root.dataset.all).catch(() => {}); // as the config may need it
    try {
      if (link.fragment()) {
        q.take("", "", "");
        const { unpack } = await import("./packed.js");
        q.paste(await unpack(link.config()));
      } else if (q.slug !== q.asked()) {
        await this.load(q);
      }
    } catch (error) {
      if (turn === this.turn) {
        this.coming = undefined;
        this.unanswered();
        if (error.fetch) { // what else the link asks waits for the model
          this.linked = q;
          this.field("model").value = error.fetch;
        }
        if (error.meant || error.fetch) this.say("model", error);
        else this.note(error.message);
      }
      return;
    }
    if (turn !== this.turn) return;
    const config = this.field("config");
    if (q.pasted && !config.value) config.value = q.config;
    const own = this.root.querySelector("[data-own]");
    if (!own.open && typedDevice.some((key) => q.keys.has(key))) {
      const { dataset } = document.documentElement;
      if ("asked" in dataset) dataset.asked = "moved"; // what the answer's place holds goes out of sight before it is moved
      own.open = true;
    }
    this.came(q, link.fragment(), { arrived: true, asked: turn });
  }

  /** A question's model is there. @param {Question} q @param {string} fragment @param {object} how it is asked */
  came(q, fragment, how) {
    this.present = q;
    this.coming = undefined;
    this.fragment = fragment;
    this.update(how);
    const typing = q.typed && document.activeElement;
    q.fill(this.root, typing?.name === "model" ? null : typing); // with the name of what was typed
  }

  /** Gets the config of the model that a question asks for. @param {Question} q */
  async load(q) {
    const slug = q.asked();
    if (slug === this.first.slug) {
      q.take(this.first.name, slug, this.first.config);
      return;
    }
    q.take(slug, slug, ""); // until it is there
    const hub = slug.includes("/");
    if (q === this.coming) this.root.classList.add("loading"); // and no comparison's other side
    // Both at once: a link's name is nearly always a model's.
    const [list, response] = await Promise.all([models(), hub ? null : fetch(`/models/${encodeURIComponent(slug)}/config.json`).catch(Response.error)]);
    const model = list.find(([name, , ...ids]) => name === slug || (hub && ids.includes(slug)));
    if (model && hub) return this.load(q.rename(model[0]));
    if (hub) {
      const { kept } = await import("./checkpoint.js");
      const was = kept(slug);
      if (!was) throw { message: `This link is about ${slug}, which the model hub has to be asked for.`, fetch: slug };
      return q.bring(slug, slug.replace(/@[0-9a-f]{40}/, ""), was.config, was.held);
    }
    if (!model) {
      const { only } = await picker();
      await this.load(q.rename(await only("models", slug)));
      q.said = `In this link, ${slug} is ${q.name}. `;
      return;
    }
    q.name = model[1].slice(0, model[1].lastIndexOf(", "));
    if (!response.ok) throw new Error(`The config of ${slug} could not be loaded (status ${response.status}).`);
    q.config = await response.text();
  }

  /** Someone types. @param {{target: EventTarget, inputType?: string}} event */
  edited({ target, inputType }) {
    const { question } = this;
    if (target.type === "range") {
      const text = this.field(target.dataset.for);
      text.value = group(String(2 ** Number(target.value)));
      question.put(text.name, text.value);
    } else if (target.name === "config") {
      if (target.value.trim()) this.take(target.value, /From/.test(inputType)); // pasted or dropped
      return;
    } else if (target.dataset.picks) {
      return; // nothing is chosen yet
    } else if (!question.put(target.name, target.value, target.inputMode === "numeric", "binary" in target.dataset)) {
      return; // not a part of the question
    }
    this.update({ patient: target.type === "text" });
  }

  /** Someone has finished with a field. @param {{target: EventTarget}} event */
  decided({ target }) {
    if (target.dataset.picks) this.named(target);
    else if (target.type === "file") this.open([...target.files]);
    else if (target.type === "text") {
      this.question.fill(this.root); // it says what was taken
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
    const change = target.closest("[data-apply]");
    if (change && !(event.ctrlKey || event.metaKey || event.shiftKey)) {
      event.preventDefault();
      this.apply(change.dataset.apply);
    }
    if (change) return;
    if (!button) {
      const more = target.closest("a[data-more]");
      if (more) event.preventDefault(), this.more(more.dataset.more);
      return;
    }
    const { question } = this;
    if (button.dataset.reset) {
      question.delete("set." + button.dataset.reset);
      this.update({});
      this.field("set." + button.dataset.reset)?.focus();
    } else if ("add" in button.dataset) {
      const key = this.field("add-key");
      const value = this.field("add-value");
      if (!key.value.trim()) return this.say("add", { message: "Name the config key, for example rope_theta." });
      question.put("set." + key.value.trim(), value.value.trim());
      if (this.update({})) key.value = value.value = "";
      else if (engine.ready()) question.delete("set." + key.value.trim()); // what was typed stays in the two fields
    } else if (button.dataset.fetch) {
      this.bring({ model: button.dataset.fetch });
    } else if (button.dataset.chip) {
      this.long(button.dataset.chip);
    } else if (button.dataset.pick) {
      this.picked(button.closest("[data-field]").dataset.field, { slug: button.dataset.pick });
    } else if (button.dataset.copy) {
      this.copy(button);
    } else if (button.dataset.more) {
      this.more(button.dataset.more);
    }
  }

  /** Chooses what a field names; with Enter the best of what it may name. @param {EventTarget} field */
  async named(field) {
    const text = field.value.trim();
    if (!text) return this.question.fill(this.root);
    const { turn } = this;
    try {
      const { only, counted } = await picker();
      const slug = await only(field.dataset.picks, text, document.activeElement === field);
      if (turn !== this.turn) return;
      field.dispatchEvent(new CustomEvent("pick", { detail: { slug, many: counted(field.dataset.picks, text)[1] }, bubbles: true }));
    } catch (error) {
      if (turn !== this.turn) return;
      this.unanswered();
      this.say(field.name, error);
    }
  }

  /** Something is chosen. @param {string} name of the field @param {Chosen} what */
  picked(name, { slug, fetch, own, many }) {
    if (own !== undefined) {
      this.root.querySelector("[data-own]").open = true;
      this.field("memory").focus();
      this.question.fill(this.root);
      return;
    }
    if (fetch) return this.bring({ model: fetch });
    if (name === "model") return this.pick(slug);
    if (name === "device") for (const key of typedDevice) this.question.delete(key); // a listed one takes the place of a typed one
    if (many) this.question.put("devices", many);
    this.question.put(name, slug);
    this.update({ step: true });
    this.question.fill(this.root);
  }

  /** Chooses a model of the catalogue. @param {string} slug */
  async pick(slug) {
    if (slug === this.question.slug) {
      if (this.root.matches(".stale")) this.update({}); // another name, without a model, stood there before
      else this.question.fill(this.root);
      return;
    }
    const turn = ++this.turn;
    const q = (this.coming = this.question.copy());
    q.choose(slug);
    try {
      await this.load(q);
    } catch (error) {
      if (turn === this.turn) {
        this.coming = undefined;
        this.unanswered();
        this.say("model", error);
      }
      return;
    }
    if (turn !== this.turn) return;
    if (location.pathname !== "/") {
      location.assign("/?" + q.query()); // this page is another model's
      return;
    }
    const config = this.field("config");
    if (config) config.value = "";
    this.came(q, "", { step: true });
  }

  /**
   * Takes a config.json.
   * @param {string} text
   * @param {boolean} show whether it came whole, and goes into the field for pasting
   */
  take(text, show) {
    this.tell("config");
    const field = this.field("config");
    if (show) {
      const sheet = field.closest("details");
      sheet.firstElementChild.focus();
      sheet.open = false; // the answer is below it; a mistake opens it
      field.value = text;
    }
    const question = this.question.copy();
    question.paste(text);
    this.update({ pasted: true, question });
  }

  /** A pasted config is answered: the address gets it. */
  async pasted() {
    const { turn, question } = this;
    this.field("model").value = question.name;
    this.fragment = "";
    try {
      const { pack } = await import("./packed.js");
      const packed = await pack(question.config, link.second);
      if (packed) this.fragment = `#config=${packed}`;
      else this.note("This config is too large for a link: a copied link would not carry it.");
    } catch {
      // An old browser without compression: the answer stands, the link lacks the config.
    }
    if (turn === this.turn) this.address(true);
  }

  /** Files come: a config, or a checkpoint. @param {(File | FileSystemEntry)[]} files */
  open(files) {
    if (files.length === 1 && files[0] instanceof File && isConfig(files[0])) readFile(files[0]).then((text) => this.take(text, true), (error) => this.say("file", error));
    else if (files.length > 0) this.bring({ files });
  }

  /** Brings a model from its checkpoint. @param {{model: string} | {files: (File | FileSystemEntry)[]}} source an id of the hub, or files */
  async bring(source) {
    problems.clear(this.root);
    const part = import("./checkpoint.js");
    if (await this.loaded("The part that reads checkpoints", part)) (await part).bring(this, source);
  }

  /**
   * A model that was brought is the question's.
   * @param {string} model as a link names it, "" for one of files
   * @param {Function} [held] answers in place of the counting program, when only the checkpoint knows the model
   * @param {(question: Question) => void} [told] hears what will be asked
   */
  brought(model, name, config, held, told) {
    this.tell("config");
    const question = (this.linked ?? this.question).copy();
    question.bring(model, name, config, held);
    told?.(question);
    this.field("config").value = model ? "" : config;
    this.fragment = "";
    this.update({ question, pasted: !model && config !== "", step: true });
  }

  /**
   * Asks and shows. Returns whether there is an answer at once; when something has to be loaded first, it asks
   * again then, unless there is a newer question.
   * @param {{question?: Question, answer?: import("./engine.js").Answer, arrived?: boolean, step?: boolean, pasted?: boolean, patient?: boolean, again?: boolean, asked?: number}} how
   */
  update(how) {
    if (this.coming && !how.again && !how.question) { // it is asked when its model is there
      this.coming.typed = true;
      return false;
    }
    const turn = how.again ? this.turn : ++this.turn; // a second look must not overtake a question that is still being loaded
    const asked = how.asked ?? turn; // when it was asked first: an answer may have to wait for what it needs
    if (!how.again) this.coming = undefined; // another took its place
    const question = how.question ?? this.present;
    const later = (wait) => {
      this.root.classList.add("waiting");
      wait.then((done) => {
        if (turn !== this.turn) return;
        if (done) this.update({ ...how, asked });
        else this.unanswered();
      });
      return false;
    };
    if (question.held && !how.answer) return later(question.held(question.ask()).then((answer) => (how = { ...how, answer }), (error) => this.say("model", error)));
    if (!engine.ready()) return later(this.loaded("The counting program", engine.prepare()));
    let answer;
    try {
      answer = how.answer ?? engine.ask(question.ask());
    } catch (error) {
      return this.broken(error);
    }
    if (answer.need === "lenses" && !engine.wide()) return later(this.everyLens());
    // Until all are there: a type that is unknown even then is an error.
    if (answer.need && !engine.complete()) return later(this.family(answer.need));
    const device = answer.issues.find((i) => i.field === "device");
    const bad = how.arrived ? [] : answer.issues.filter((i) => i !== device && problems.place(this.root, i.field));
    const error = answer.error ?? bad[0];
    if (!how.again) clearTimeout(this.later);
    if (error) {
      this.unanswered();
      const say = () => this.report(error, how.pasted);
      if (how.patient) this.later = setTimeout(say, 400); // a number that is half typed isn't a mistake yet
      else say();
      return false;
    }
    const stands = how.again && this.root.matches(".stale"); // what was asked since had no answer, and that was said
    if (!stands) problems.clear(this.root);
    // A name that no link can hold is said on, though the question has dropped it.
    if (device || !how.again) this.lost = device?.given;
    const lost = this.lost && answer.regions.includes("fit") && this.field("device");
    if (lost) this.noDevice(this.lost);
    this.present = question;
    this.asked = asked;
    this.linked = undefined;
    question.accept(answer.query);
    this.root.classList.remove("waiting");
    if (!stands) this.root.classList.remove("stale");
    this.show(answer);
    // Lenses that are not on the screen follow as well, for they may be read without being seen; who saves data waits until they are.
    clearTimeout(this.rest);
    if (this.behind(this.regions) && !navigator.connection?.saveData) this.rest = setTimeout(() => this.widen(), how.arrived && !compares(answer.query) ? 0 : 3000);
    if (compares(answer.query)) this.more();
    else if ("asked" in document.documentElement.dataset && this.owner && !engine.wide() && !answer.regions.includes("fit")) { // the verdict stands above the rest, which it would push down
      document.documentElement.dataset.asked += " counted";
      this.widen();
      setTimeout(problems.heard, 3000); // on a slow network the count needn't wait for it
    } else if (!lost) problems.heard(); // else when that is said
    if (how.again) return true; // what was said about the question stands, and so does the address
    this.note(how.arrived ? question.said + answer.issues.filter((i) => i !== device || !this.field("device")).map((i) => `In this link, ${problems.sentence(i, true)}`).join(" ") : "");
    if (how.pasted) this.pasted();
    else this.address(how.step);
    return true;
  }

  /** Comparing, and why a number is different: a script of their own. @param {string} [which] the section that a reader asks for */
  async more(which) {
    const part = import("./compare.js");
    if (await this.loaded("The comparison", part)) (await part).open(this, which);
  }

  /** Takes over a change that the answer offers. @param {string} change keys with their values, as in a link */
  apply(change) {
    for (const [key, value] of new URLSearchParams(change)) this.question.put(key, value);
    this.update({ step: true });
    this.question.fill(this.root);
  }

  /** The context is dragged. @param {number} tokens */
  drag(tokens) {
    this.question.put("context", String(tokens));
    this.update({});
    this.question.fill(this.root);
  }

  /** Takes a length of the context. @param {string} tokens digits, or "most": the longest that fits */
  async long(tokens) {
    if (tokens === "most") {
      // A larger program that takes over answers nothing until it has started.
      if (!(await this.everyLens()) || !(await this.loaded("The counting program", engine.prepare()))) return;
      if (!this.update({ again: true })) return;
      this.catchUp();
      const { value } = this.root.querySelector("[data-longest]") ?? {};
      if (value === undefined || value === "0") return this.say("context", { message: value ? "Not even one token fits on this device. Choose a smaller format, or more devices." : "The context takes no memory here, or the device is not known." });
      tokens = value;
    }
    this.question.put("context", tokens);
    this.update({ step: true });
    this.question.fill(this.root); // also where the reader still is
  }

  /** The program stopped, which is told; any other error is not for here. */
  broken(error) {
    if (!(error instanceof engine.Broken)) throw error;
    this.unanswered();
    this.note("The counting program stopped at this input and was started again. Parts of the answer may be to the question before.");
    engine.prepare().catch(() => {});
    return false;
  }

  /** What is shown answers another question: it says which (calculator.css), and nothing of it is copied (copy.js). */
  unanswered() {
    this.root.classList.remove("waiting", "loading");
    this.root.classList.add("stale");
  }

  /** The answer that is shown is this question's. @param {Question} question */
  whose({ name, keys }) {
    const asked = [...keys].flatMap(([key, value]) => (key === "model" ? [] : [` ${key}=${value}`]));
    this.root.querySelector(".answer").dataset.whose = `${name || "the pasted config"}${asked.join(",").slice(0, 99)}`;
  }

  /** What is chosen of the formats, and what the published one is. */
  formats() {
    for (const b of this.form.querySelectorAll("[aria-pressed][data-apply]")) b.setAttribute("aria-pressed", String(b.dataset.apply === `weights=${this.question.keys.get("weights") ?? "auto"}`));
    const auto = this.form.querySelector('[name="weights"] [value="auto"]');
    const published = `as published${this.answer.published}`;
    if (auto && auto.textContent !== published) auto.textContent = published; // written again it would lay out the page again
  }

  /** Whether there is a region whose answer is not the question's any more. @param {Iterable<Element>} regions those on the screen by default */
  behind(regions = this.seen) {
    return [...regions].some((region) => region.classList.contains("behind"));
  }

  /** Brings what only the larger program knows up to the question. */
  async widen() {
    if (!this.answer?.regions.includes("fit")) await (this.widening ??= this.everyLens().then((done) => done && this.update({ again: true })).finally(() => { this.widening = undefined; }));
  }

  /** Waits until the table of components is the question's. */
  async table() {
    if (this.root.querySelector(".parts.behind")) await this.widen();
    this.catchUp();
    return this.root.querySelector("table.parts");
  }

  /** Waits for a part of the program. Says whether it is there. @param {string} what @param {Promise<unknown>} wait */
  async loaded(what, wait) {
    try {
      await wait;
      return true;
    } catch (error) {
      this.note(`${what} could not be loaded: ${error.message}. Check the connection; the next edit tries again.`);
      return false;
    }
  }

  /** The program with every lens. */
  everyLens() {
    return this.loaded("The larger counting program", engine.widen());
  }

  /** The family that an answer needs, or those of all types. @param {string} [need] */
  family(need) {
    return this.loaded(need ? "This kind of model" : "The other kinds of model", engine.loadFamily(this.root.dataset.all, need));
  }

  /** Tells those who were loaded later: a config comes ("config"), an answer is shown ("answer"). @param {string} what */
  tell(what) {
    this.root.dispatchEvent(new Event(what));
  }

  /** Puts an answer into the page. @param {import("./engine.js").Answer} answer */
  show(answer) {
    this.answer = answer;
    problems.frames(3, () => { if (!this.coming) this.root.classList.remove("loading"); }); // all that moves has been drawn
    for (const region of this.regions) {
      if (region.hidden) continue;
      const known = answer.regions.includes(region.dataset.region);
      if (!known) region.classList.add("behind");
      else if ("asked" in document.documentElement.dataset) region.classList.add("due"); // it shows the page's own question
      this.late[known ? "add" : "delete"](region);
    }
    this.catchUp([...this.seen].filter((region) => figures.has(region.dataset.region)));
    if (this.behind() && !compares(answer.query)) this.widen();
    const { turn } = this;
    requestAnimationFrame(() => setTimeout(() => {
      this.catchUp(this.seen);
      this.whose(this.present);
      if (turn === this.turn && !this.coming) this.question.fill(this.root, document.activeElement);
      this.formats();
      if (this.owner && document.title !== this.answer.title) document.title = this.answer.title; // which other processes are told
    }));
    idle(() => this.catchUp(), { timeout: 500 });
    clearTimeout(this.announced);
    this.announced = setTimeout(() => { this.root.querySelector("[data-say]").textContent = answer.spoken; }, 1000);
    if (!this.coming) this.tell("answer");
  }

  /** Brings regions up to the answer, those of them that are displayed, as lenses always are. @param {Iterable<Element>} regions all of them by default */
  catchUp(regions = [...this.late].filter((region) => !region.hidden && (region.closest(".lens") || region.offsetParent))) {
    for (const region of regions) {
      if (!this.late.delete(region)) continue;
      const id = region.dataset.region;
      try {
        const html = this.answer.html(id);
        if (html === null) { // what draws it is on its way
          this.late.add(region);
          region.classList.add("due");
          this.loaded("The drawing", engine.prepareDrawing()).then((done) => done && this.catchUp([region]));
          continue;
        }
        if (region.matches(".behind, .due")) problems.frames(2, () => region.classList.remove("behind", "due"));
        if (this.shown[id] === html) continue;
        this.shown[id] = html;
        if (!rewrite?.(region, html)) morph(region, html);
      } catch (error) {
        this.broken(error);
      }
    }
  }

  /** Writes the address bar: at once for a step, else when editing pauses, for browsers limit how often it may change. */
  address(step) {
    const open = this.root.querySelector("[data-open]");
    if (open) open.href = "/?" + this.question.query();
    if (!this.owner) return;
    clearTimeout(this.writing);
    const query = this.question.query(); // what is typed by then may have no answer
    const write = () => {
      link.write(query, this.fragment, step === true, this.home);
      this.root.querySelector("[data-link]").textContent = link.absolute(query, this.fragment);
    };
    if (step) write();
    else this.writing = setTimeout(write, 150);
  }

  /** Says what is wrong with a question. */
  report(fault, pasted) {
    this.catchUp(); // what the answer before still has to write would wipe the message
    problems.clear(this.root);
    const at = fault.field && problems.place(this.root, fault.field);
    if (at && !pasted) problems.show(at, problems.sentence(fault));
    else if (pasted || this.question.pasted) problems.show(problems.place(this.root, "config"), problems.sentence(fault, true));
    else this.note(problems.sentence(fault, true));
  }

  /** Says what is wrong with a field. @param {string} field @param {{message: string, short?: string, meant?: object[], fetch?: string}} error */
  say(field, { message, short, meant, fetch }) {
    this.catchUp();
    problems.clear(this.root);
    const at = problems.place(this.root, field);
    if (at) problems.show(at, meant?.length ? short : message, meant, fetch);
    else this.note(message);
  }

  /** The question's device is not known: the rest is answered, and what may have been meant is offered. @param {string} name */
  async noDevice(name) {
    const { turn } = this;
    const error = await picker().then(({ unknown }) => unknown("devices", name)).catch((error) => error);
    if (turn === this.turn) this.say("device", error);
  }

  /** Says something about the whole page. @param {string} message */
  note(message) {
    if (message) problems.heard(true);
    const p = this.root.querySelector("[data-problems]");
    if (p.textContent !== message) p.textContent = message;
  }

  /** The address of the model's own page, where nothing else is asked. */
  page() {
    const { slug, keys, listed } = this.question;
    return listed && [...keys.keys()].every((key) => key === "model") && !link.whole(this.fragment) ? `${location.origin}/models/${slug}/` : undefined;
  }

  /** @param {HTMLElement} button */
  async copy(button) {
    const what = button.dataset.copy;
    if (what === "link") return copy(button, this.page() ?? link.absolute(this.question.query(), this.fragment));
    if (what === "number") return copy(button, this.root.querySelector(".exactly").textContent.trim());
    const part = import("./table.js");
    if (await this.loaded("The table", part)) copy(button, (await part)[what](await this.table()));
  }
}

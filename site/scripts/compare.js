// Comparing two answers, and finding the rule behind a number: sections of the answer that are put there on use. What
// they ask stands in the link (vs, vs.KEY, mine; package query), and the counting program writes what they show.
import look from "asset:rules.css";
import explainAddress from "asset:explain.wasm";
import { addFamilies, widen } from "./engine.js";
import { devices, offer } from "./lists.js";
import { Question } from "./question.js";
import { style } from "./style.js";

const titles = { compare: "Compare", mine: "Why is my number different?" };

/** Shows the sections of a calculator that its question asks for, or one that a reader asks for. */
export function open(calculator, which) {
  calculator.aside ??= new Aside(calculator);
  calculator.aside.show(which);
}

class Aside {
  constructor(calculator) {
    this.calculator = calculator;
    this.models = new Map(); // what is known of models of the other side: name, slug, config
    this.loading = new Set();
    this.devices = new Map();
    this.kept = false; // the other side is the answer as it was, though nothing has been edited since
    style(look);
    Question.others = (keys) => this.others(keys);
    Promise.all([devices(), widen(explainAddress)]).then(([list]) => {
      for (const d of list) this.devices.set(d.slug, JSON.stringify(d));
      calculator.update({ again: true });
    }).catch((error) => {
      for (const name of Object.keys(titles)) this.say(name, `What explains differences could not be loaded: ${error.message}. Check the connection and open this page again.`);
    });
    // Before the calculator hears of an edit: the other side may have to hold what was there.
    const { form } = calculator;
    for (const kind of ["input", "change"]) form.addEventListener(kind, ({ target, type }) => this.edited(target, type), true);
    form.addEventListener("click", ({ target }) => {
      const { reset, add } = target.closest("button")?.dataset ?? {};
      if (reset) this.hold(`set.${reset}`);
      if (add !== undefined) this.hold(`set.${form.elements["add-key"].value.trim()}`);
    }, true);
  }

  get keys() {
    return this.calculator.question.keys;
  }

  /** @param {string} [which] */
  show(which) {
    const of = { compare: [...this.keys.keys()].some((k) => /^vs\b/.test(k)), mine: this.keys.has("mine") };
    let fresh = false;
    for (const name of Object.keys(titles)) if (of[name] || name === which) fresh = this.section(name) || fresh;
    if (fresh) this.calculator.update({ again: true });
    if (!which) return;
    const section = this.place(which);
    section.scrollIntoView({ block: "nearest" });
    const focus = () => section.querySelector("input")?.focus({ preventScroll: true });
    focus();
    this.focus = section.contains(document.activeElement) ? null : focus; // the fields come with the answer
  }

  place(name) {
    return this.calculator.root.querySelector(`[data-aside="${name}"]`);
  }

  /** Makes a section. Says whether it was not there. */
  section(name) {
    if (this.place(name)) return false;
    const { calculator } = this;
    const section = document.createElement("section");
    section.className = "aside";
    section.dataset.aside = name;
    section.innerHTML = `<h2 id="aside-${name}">${titles[name]}</h2><div class="region" data-region="${name}"><p>Loading.</p></div><p class="said" data-said role="status"></p>`;
    section.setAttribute("aria-labelledby", `aside-${name}`);
    calculator.root.querySelector('[data-region="wide"]').before(section);
    const region = section.querySelector("[data-region]");
    calculator.watch.observe(region);
    new MutationObserver(() => this.shown(region)).observe(region, { attributes: true, attributeFilter: ["selected"], childList: true, subtree: true });
    section.addEventListener("focusin", ({ target }) => {
      if (target.list) offer(target).catch((error) => this.say(name, error.message));
    });
    section.addEventListener("input", ({ target }) => {
      if (target.name === "vs" && [...target.list.options].some((o) => o.value === target.value)) this.with(target.value);
      if (target.name === "mine") this.mine(section, "patient");
    });
    section.addEventListener("change", ({ target }) => {
      if (target.name === "vs") this.with(target.value.trim().toLowerCase());
      if (target.name === "mine" || target.name === "rule") this.mine(section, "step");
    });
    section.addEventListener("click", (event) => this.clicked(event));
    return true;
  }

  /** A region has new fields: a choice follows the answer, also after Back. */
  shown(region) {
    for (const select of region.querySelectorAll("select")) select.value = select.querySelector("[selected]")?.value ?? "";
    this.focus?.();
    this.focus = null;
  }

  say(name, text) {
    const said = this.place(name)?.querySelector("[data-said]");
    if (said) said.textContent = text;
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const { calculator, keys } = this;
    const link = event.target.closest("[data-go]");
    if (event.target.closest("[data-keep]")) {
      for (const key of [...keys.keys()]) if (/^vs\b/.test(key)) keys.delete(key);
      this.kept = true;
      calculator.update({ step: true });
      this.say("compare", "Kept. Change the question: the difference to this answer stands here then.");
    } else if (link && location.pathname !== "/") {
      link.href += calculator.fragment;
    } else if (link && !(event.ctrlKey || event.metaKey || event.shiftKey)) {
      event.preventDefault();
      this.kept = false;
      this.say("compare", "");
      history.pushState(null, "", link.getAttribute("href") + calculator.fragment);
      calculator.arrive();
    }
  }

  /** Compares with a model of the catalogue. @param {string} slug */
  with(slug) {
    const { calculator, keys } = this;
    if (slug === (keys.get("vs") ?? "")) return;
    this.kept = false;
    this.say("compare", "");
    for (const key of [...keys.keys()]) if (key.startsWith("vs.set.")) keys.delete(key);
    calculator.question.put("vs", slug);
    calculator.update({ step: true });
  }

  /** Asks about the reader's number. */
  mine(section, how) {
    const text = section.querySelector('[name="mine"]').value.toLowerCase().replaceAll(/[\s+~≈]/g, "").replaceAll(/(\d),(?=\d{3})/g, "$1").replaceAll(/[^a-z0-9._-]/g, "_");
    this.calculator.question.put("mine", [text, section.querySelector('[name="rule"]').value].filter(Boolean).join(","));
    this.calculator.update({ [how]: true });
  }

  /** Someone edits the question. */
  edited(target, type) {
    if (target.name === "model" || (target.name === "config" && target.value.trim())) {
      const known = target.list && [...target.list.options].some((o) => o.value === target.value);
      if (target.name === "config" || known || type === "change") this.holdModel(target.value.trim().toLowerCase());
    } else {
      this.hold(target.dataset.for ?? target.name);
    }
  }

  /** Whether the other side is this model as it was: edits are not about it. */
  get holding() {
    return !this.keys.has("vs") && (this.kept || [...this.keys.keys()].some((k) => k.startsWith("vs.")));
  }

  /** Keeps a key's value for the other side, before it changes. @param {string} key */
  hold(key) {
    const { keys, calculator } = this;
    if (!this.holding || keys.has(`vs.${key}`)) return;
    let value = keys.get(key);
    if (key.startsWith("set.") && key.length > 4) value ??= calculator.question.base(key.slice(4)) ?? "null";
    else if (key === "prompt") value ??= keys.get("context") ?? "8192";
    else if (key !== "units") value ??= calculator.form.elements[key]?.dataset.default;
    if (value && key !== "units") calculator.question.keys.set(`vs.${key}`, value);
  }

  /** Another model comes: the one that is kept becomes the other side by name. */
  holdModel(next) {
    const { question } = this.calculator;
    if (!this.holding || question.pasted || next === question.slug) return;
    this.kept = false;
    for (const [key, value] of [...question.keys]) if (key.startsWith("set.") && !question.keys.has(`vs.${key}`)) question.keys.set(`vs.${key}`, value);
    question.keys.set("vs", question.slug);
  }

  /** What the counting program is told of the other side: name, slug, config, device. */
  others(keys) {
    const slug = keys.get("vs")?.toLowerCase();
    const device = this.devices.get((keys.get("vs.device") ?? keys.get("device") ?? "h100-sxm-80gb").toLowerCase()) ?? "";
    if (!slug) return ["", "", "", device];
    const model = this.models.get(slug);
    if (model) return [...model, device];
    this.load(slug);
    return [];
  }

  /** Gets a model from its page, which holds its families too. */
  async load(slug) {
    if (this.loading.has(slug)) return;
    this.loading.add(slug);
    try {
      const response = await fetch(`/models/${encodeURIComponent(slug)}/`).catch(() => null);
      if (!response) return await this.withoutNetwork(slug);
      if (!response.ok && response.status !== 404) throw new Error(`The model ${slug} could not be loaded (status ${response.status}).`);
      const root = new DOMParser().parseFromString(await response.text(), "text/html").querySelector("[data-calculator]");
      if (root?.dataset.slug !== slug) throw new Error(`No model of the catalogue is called ${slug}.`); // "..", too, is an address
      const text = (name) => root.querySelector(`[data-${name}]`).textContent;
      if (text("families")) addFamilies(text("families"));
      else await this.calculator.everyFamily();
      this.put(slug, root.dataset.name, text("config"));
    } catch (error) {
      this.say("compare", error.message);
    } finally {
      this.loading.delete(slug);
    }
  }

  put(slug, name, config) {
    this.models.set(slug, [name, slug, config]);
    this.say("compare", "");
    this.calculator.update({ again: true });
  }

  /** The worker keeps every config, but not every page. */
  async withoutNetwork(slug) {
    const question = this.calculator.question.copy();
    question.choose(slug);
    await this.calculator.load(question);
    await this.calculator.everyFamily();
    this.put(slug, question.name, question.config);
  }
}

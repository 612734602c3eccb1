// Comparing two answers, and finding the rule behind a number: sections of the answer that are put there on use. What
// they ask is in the link (vs, vs.KEY, mine; package query; a pasted config of the other side in the fragment), and
// the counting program writes what they show.
import "./shared.js";
import look from "asset:compare.css";
import rules from "asset:rules.css";
import explainAddress from "asset:explain.wasm";
import * as defaults from "generated:defaults.js";
import { readFile } from "./config.js";
import * as engine from "./engine.js";
import * as link from "./link.js";
import { devices } from "./lists.js";
import { pack, unpack } from "./packed.js";
import { attend, only, unknown } from "./picker.js";
import { heard } from "./problems.js";
import { Question } from "./question.js";
import { style } from "./style.js";

const titles = { compare: "Compare", mine: "Why is my number different?" };

/** What asks for another side. */
const ask = `<div class="ask"><label><span>With the model</span> <input type="text" name="vs" role="combobox" aria-expanded="false" aria-autocomplete="list" autocomplete="off" data-picks="models" spellcheck="false"></label>
<button type="button" data-keep>Keep this answer to compare with</button></div>
<details class="other"><summary>With another config.json</summary>
<label><span>Paste it here, or drop the file on this section</span> <textarea name="vs-config" rows="5" spellcheck="false"></textarea></label>
<label><span>Choose a file</span> <input type="file" name="vs-file" accept=".json,application/json"></label></details>`;

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
    this.texts = new Map(); // configs of links, by what packs them
    this.large = ""; // a config of the other side that no link can carry
    this.turn = 0; // of the newest other side
    this.lacks = ""; // what is said as long as nothing else is
    Question.others = (keys) => this.others(keys);
    // With what is put beside an open row, and what sets rules of thumb, so that nothing below them moves later.
    const needs = Promise.all([style(rules), style(look), import("./beside.js").then(({ prepare }) => this.keys.has("mine") && prepare())]);
    this.loaded = Promise.all([devices(), engine.widen(explainAddress, needs)]).then(([list]) => {
      for (const d of list) this.devices.set(d.slug, JSON.stringify(d));
      calculator.update({ again: true });
    }).catch((error) => {
      this.lacks = `What explains differences could not be loaded: ${error.message}. Check the connection and open this page again.`;
      for (const name of Object.keys(titles)) this.say(name, this.lacks);
    });
    // Before the calculator hears of an edit: the other side may have to hold what was there.
    const { root } = calculator;
    for (const kind of ["input", "change", "pick"]) root.addEventListener(kind, ({ target, detail }) => { if (target.closest("[data-field]:not([data-aside] *)")) this.edited(target, detail); }, true);
    root.addEventListener("click", ({ target }) => {
      const { reset, add } = target.closest("button")?.dataset ?? {};
      if (reset) this.hold(`set.${reset}`);
      if (add !== undefined) this.hold(`set.${calculator.field("add-key").value.trim()}`);
    }, true);
    calculator.root.addEventListener("config", () => this.holdModel(""));
    addEventListener("popstate", () => this.another(link.second), true);
  }

  /** Whether the other side's config was pasted. */
  get pasted() {
    return link.second !== "" || this.large !== "";
  }

  get keys() {
    return this.calculator.question.keys;
  }

  /** @param {string} [which] */
  show(which) {
    const of = { compare: this.pasted || [...this.keys.keys()].some((k) => /^vs\b/.test(k)), mine: this.keys.has("mine") };
    let fresh = false;
    for (const name of Object.keys(titles)) if (of[name] || name === which) fresh = this.section(name) || fresh;
    if (fresh) this.calculator.update({ again: true });
    const section = this.place(which ?? (of.compare ? "compare" : "mine"));
    if (!which) { // a link leads to what it is about
      if (fresh && !scrollY && !link.place()) this.focus = () => { if (section.getBoundingClientRect().top > innerHeight) section.scrollIntoView({ behavior: "instant" }); };
      return;
    }
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
    section.innerHTML = `<h2 id="aside-${name}">${titles[name]}</h2>${name === "compare" ? ask : ""}<div class="region" data-region="${name}"><p>Loading.</p></div><p class="said" data-said role="status"></p>`;
    section.setAttribute("aria-labelledby", `aside-${name}`);
    calculator.root.querySelector(".blueprint").before(section);
    const region = section.querySelector("[data-region]");
    calculator.regions.add(region);
    calculator.watch.observe(region);
    new MutationObserver(() => this.shown(region)).observe(region, { attributes: true, attributeFilter: ["selected"], childList: true, subtree: true });
    section.addEventListener("focusin", ({ target }) => {
      if (target.dataset.picks) attend(/** @type {HTMLInputElement} */ (target), target.value);
    });
    section.addEventListener("pick", ({ detail }) => this.with(detail.slug));
    section.addEventListener("input", ({ target }) => {
      if (target.name === "vs-config") this.paste(target.value);
      if (target.name === "mine") this.mine(section, "patient");
    });
    section.addEventListener("change", ({ target }) => {
      if (target.name === "vs") this.named(target.value.trim());
      if (target.name === "vs-file" && target.files[0]) this.file(target.files[0]);
      if (target.name === "mine" || target.name === "rule") this.mine(section, "step");
    });
    section.addEventListener("click", (event) => this.clicked(event));
    section.addEventListener("pointerdown", ({ target }) => this.lead(target.closest("[data-go]"))); // also for a new tab
    if (name === "compare") this.drops(section);
    return true;
  }

  /** Takes configs that are dropped on the section, or pasted in it, for the other side. @param {Element} section */
  drops(section) {
    const own = (event) => {
      event.preventDefault();
      event.stopPropagation(); // the page would take it for the first side
    };
    const over = (yes) => {
      document.documentElement.classList.remove("dropping");
      section.classList.toggle("over", yes);
    };
    section.addEventListener("dragover", (event) => {
      own(event);
      over(true);
    });
    section.addEventListener("dragleave", (event) => { if (!section.contains(event.relatedTarget)) over(false); });
    section.addEventListener("drop", (event) => {
      own(event);
      over(false);
      const [file] = event.dataTransfer.files;
      if (file) this.file(file);
      else this.paste(event.dataTransfer.getData("text/plain"));
    });
    section.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text") ?? "";
      if (event.target.nodeName === "TEXTAREA" || !text.trimStart().startsWith("{")) return;
      own(event);
      this.paste(text);
    });
  }

  /** A region has new fields: a choice follows the answer, also after Back. */
  shown(region) {
    if (region.dataset.region === "compare") this.fill();
    if (region.querySelector("table, .error, input")) heard();
    for (const select of region.querySelectorAll("select")) select.value = select.querySelector("[selected]")?.value ?? "";
    this.focus?.();
    this.focus = null;
  }

  say(name, text) {
    const said = this.place(name)?.querySelector("[data-said]");
    if (said) said.textContent = text || this.lacks;
    if (text) heard();
  }

  /** @param {any} event */
  clicked(event) {
    const { calculator, keys } = this;
    const go = event.target.closest("[data-go]");
    this.lead(go);
    if (event.target.closest("[data-keep]")) {
      for (const key of [...keys.keys()]) if (/^vs\b/.test(key)) keys.delete(key);
      this.another("");
      this.kept = true;
      calculator.update({ step: true });
      this.say("compare", "Kept. Change the question: the difference to this answer stands here then.");
    } else if (go && location.pathname === "/" && !(event.ctrlKey || event.metaKey || event.shiftKey)) {
      event.preventDefault();
      this.kept = false;
      this.say("compare", "");
      history.pushState(null, "", go.href);
      this.another(new URLSearchParams(location.hash.slice(1)).get("vs.config") ?? "");
      calculator.field("config").value = ""; // the answer puts the first side's there
      calculator.arrive();
    }
  }

  /** Gives a way on the pasted configs, which its HTML cannot know: exchanged, or without the other side's. @param {PageElement | null} go */
  lead(go) {
    if (!go) return;
    const { calculator, keys } = this;
    let first = calculator.fragment.replace("#config=", "");
    let second = link.second;
    const swap = go.dataset.go === "S";
    if (swap && (second || keys.has("vs"))) [first, second] = [second, first];
    if (!swap && go.closest('[data-aside="compare"]')) second = "";
    go.hash = [first && `config=${first}`, second && `vs.config=${second}`].filter(Boolean).join("&");
  }

  /** The other side's config is another: one that a link packs, or one that is too large for it. */
  another(packed, large = "") {
    this.turn++; // a config that is being packed comes too late
    link.compareWith(packed);
    this.large = large;
  }

  /** The fields follow the question, except the one that is typed in. */
  fill() {
    const section = this.place("compare");
    const put = (name, text) => {
      const field = section.querySelector(`[name="${name}"]`);
      if (field !== document.activeElement && field.value !== text) field.value = text;
    };
    put("vs", this.models.get(this.keys.get("vs"))?.[0] ?? this.keys.get("vs") ?? "");
    put("vs-config", this.large || (this.texts.get(link.second) ?? ""));
  }

  /** @param {File} file */
  async file(file) {
    try {
      await this.paste(await readFile(file));
    } catch (error) {
      this.say("compare", error.message);
    }
  }

  /** Compares with a pasted config; one that cannot be answered goes into no link. @param {string} text */
  async paste(text) {
    const { calculator, keys } = this;
    let turn = ++this.turn;
    const field = this.place("compare").querySelector('[name="vs-config"]');
    field.closest("details").open = true;
    if (field !== document.activeElement) field.value = text;
    const step = !this.pasted;
    await this.loaded;
    await this.families(text);
    if (turn !== this.turn || (step && !text.trim())) return;
    this.kept = false;
    for (const key of [...keys.keys()]) if (key === "vs" || key.startsWith("vs.set.")) keys.delete(key);
    this.another("", text.trim());
    turn = this.turn;
    this.say("compare", "");
    calculator.update({ again: true });
    if (this.failed) return;
    let packed = "";
    try {
      packed = this.large && await pack(text, calculator.fragment.replace("#config=", ""));
      if (this.large && !packed) this.say("compare", "The two configs are too large for one link (64 kB): a copied link would not carry this one.");
    } catch {
      // An old browser without compression: the answer stands, the link lacks the config.
    }
    if (turn !== this.turn) return;
    if (packed) {
      this.texts.set(packed, text);
      this.another(packed);
    }
    calculator.address(step);
  }

  /** Whether the other side has no answer. */
  get failed() {
    const { answer } = this.calculator;
    return answer.regions.includes("compare") && answer.html("compare").includes('class="error"');
  }

  /** Loads the families that a config needs and the page does not have. @param {string} config */
  async families(config) {
    try {
      for (let done = true; done && !engine.complete();) {
        const { need } = engine.ask({ ...this.calculator.question.ask(), query: "v=1", config, others: [] });
        done = Boolean(need) && await this.calculator.family(need);
      }
    } catch {
      // The program stopped at it, or is being started again: the answer that comes says so.
    }
  }

  /** Compares with the model that a text names. @param {string} text */
  async named(text) {
    try {
      this.with(text && await only("models", text, true));
    } catch (error) {
      this.say("compare", error.message);
    }
  }

  /** Compares with a model of the catalogue. @param {string} slug */
  with(slug) {
    const { calculator, keys } = this;
    if (slug === (keys.get("vs") ?? "")) return;
    this.kept = false;
    this.another("");
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
  edited(target, detail) {
    if (!target.dataset.picks) this.hold(target.dataset.for ?? target.name);
    else if (!detail?.slug) return; // typed, and not chosen yet
    else if (target.name === "model") this.holdModel(detail.slug);
    else this.hold(target.name);
  }

  /** Whether the other side is this model as it was: edits are not about it. */
  get holding() {
    return !this.keys.has("vs") && !this.pasted && (this.kept || [...this.keys.keys()].some((k) => k.startsWith("vs.")));
  }

  /** Keeps a key's value for the other side, before it changes. @param {string} key */
  hold(key) {
    const { keys, calculator } = this;
    if (!this.holding || keys.has(`vs.${key}`)) return;
    let value = keys.get(key);
    if (key.startsWith("set.") && key.length > 4) value ??= calculator.question.base(key.slice(4)) ?? "null";
    else if (key === "prompt") value ??= keys.get("context") ?? defaults.context;
    else if (key !== "units") value ??= calculator.field(key)?.dataset.default;
    if (value && key !== "units") calculator.question.keys.set(`vs.${key}`, value);
  }

  /** Another model or config comes: the one that is kept becomes the other side by its name or by its config. */
  holdModel(next) {
    const { question, fragment } = this.calculator;
    if (!this.holding || (next && next === question.slug)) return;
    this.kept = false;
    for (const [key, value] of [...question.keys]) if (key.startsWith("set.") && !question.keys.has(`vs.${key}`)) question.keys.set(`vs.${key}`, value);
    if (question.listed) {
      question.keys.set("vs", question.slug);
      return;
    }
    const packed = fragment.replace("#config=", "");
    this.texts.set(packed, question.config);
    this.another(packed, packed ? "" : question.config);
  }

  /** What the counting program is told of the other side: name, slug, config, device. */
  others(keys) {
    const slug = keys.get("vs")?.toLowerCase();
    const device = this.devices.get((keys.get("vs.device") ?? keys.get("device") ?? defaults.device).toLowerCase()) ?? "";
    if (this.pasted) {
      const text = this.large || this.texts.get(link.second);
      if (text !== undefined) return ["", "", text, device];
      this.unpack(link.second);
      return [];
    }
    if (!slug) return ["", "", "", device];
    const model = this.models.get(slug);
    if (model) return [...model, device];
    this.load(slug);
    return [];
  }

  /** Reads the other side's config out of the link. @param {string} packed */
  async unpack(packed) {
    if (this.loading.has(packed)) return;
    this.loading.add(packed);
    try {
      const text = await unpack(packed, link.config());
      await this.loaded;
      await this.families(text);
      this.texts.set(packed, text);
      if (packed === link.second) this.calculator.update({ again: true });
    } catch (error) {
      this.say("compare", `${error.message.replace("the config", "The other side's config")}.`);
    }
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
      if (root?.dataset.slug !== slug) throw await unknown("models", slug); // "..", too, is an address
      const text = (name) => root.querySelector(`[data-${name}]`).textContent;
      if (text("families")) engine.addFamilies(text("families"));
      else await this.calculator.family();
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
    await this.calculator.family();
    this.put(slug, question.name, question.config);
  }
}

// The question: the keys of a link, and the config that it is about.
import { device, model } from "generated:defaults.js";
import { names } from "./lists.js";

/** Groups the thousands of a number's digits. @param {string} digits */
export const group = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ",");

/** The keys of a device that is not listed. */
export const typedDevice = ["memory", "bandwidth", "peak"];

const prefixes = ["", "k", "M", "G", "T", "P", "E"];

/** An amount as a person writes it, in plain digits: "24 GB", "1.008 TB/s", "48GiB"; nobody has a device of 24 bytes. Another text stays. @param {string} text @param {string} key */
export function amount(text, key) {
  const found = /^(\d*\.?\d+)\s*([kmgtpe]?)(i?)(b|b\/s|flops?|flop\/s|ops)?$/.exec(text.replaceAll(/[,_]/g, "").toLowerCase());
  if (!found) return text;
  const [, digits, prefix, binary, unit] = found;
  const power = prefix || unit || Number(digits) > 1e6 ? " kmgtpe".indexOf(prefix || " ") : key === "peak" ? 4 : 3;
  return String(Math.round(Number(digits) * (binary ? 1024 : 1000) ** power));
}

/** Plain digits as an amount: "24 GB". @param {string} digits @param {string} unit */
export function worded(digits, unit) {
  const n = Number(digits);
  if (!(n > 0)) return digits;
  const power = Math.min(prefixes.length - 1, Math.floor(Math.log10(n) / 3));
  return `${Number((n / 1000 ** power).toPrecision(6))} ${prefixes[power]}${unit}`;
}

export class Question {
  /**
   * @param {string} query as in a link
   * @param {string} name of the model
   * @param {string} slug of the model; empty for a pasted config
   * @param {string} config its config.json
   */
  constructor(query, name, slug, config) {
    /** @type {Map<string, string>} */
    this.keys = new Map(new URLSearchParams(query));
    this.keys.delete("v");
    this.name = name;
    this.slug = slug;
    this.config = config;
    this.raw = ""; // a link's own text, until an answer says how it is written
    this.said = ""; // of how a link was read
    this.typed = false; // whether something was, while its model was on its way
    /** Answers in place of the counting program, for a model that only its checkpoint knows. @type {Function | undefined} */
    this.held = undefined;
  }

  copy() {
    const q = new Question(this.query(), this.name, this.slug, this.config);
    q.held = this.held;
    return q;
  }

  /** Whether the model is the catalogue's. */
  get listed() {
    return this.slug !== "" && !this.slug.includes("/");
  }

  /** Whether the config was pasted. */
  get pasted() {
    return this.slug === "";
  }

  /** What the program is told beyond the question; a script that is loaded on use says it. @param {Map<string, string>} _keys @returns {string[]} */
  static others = (_keys) => [];

  /** What the counting program is asked. */
  ask() {
    return { others: Question.others(this.keys), query: this.raw || this.query(), name: this.name, slug: this.listed ? this.slug : "", config: this.held ? "" : this.config, device: (this.keys.get("device") ?? device).toLowerCase() };
  }

  /** The query as a link has it. The counting program brings it into canonical form. */
  query() {
    let s = "v=1";
    for (const [key, value] of this.keys) s += `&${encodeURIComponent(key)}=${encodeURIComponent(value)}`;
    return s.replaceAll(/%(2C|2F|3A|40)/g, decodeURIComponent); // as the counting program writes it
  }

  /** The slug that the keys ask for. */
  asked() {
    return this.keys.get("model") ?? model;
  }

  /** Forgets everything but the config and takes a link's keys. A model's own page stands for its model. */
  reset(query, home) {
    this.raw = query;
    this.keys = new Map(new URLSearchParams(query));
    this.keys.delete("v");
    const own = new URLSearchParams(home).get("model");
    if (own && !this.keys.has("model") && location.pathname !== "/") {
      this.keys.set("model", own);
      this.raw = `${query}&model=${encodeURIComponent(own)}`;
    }
  }

  /** Takes the canonical form of an answer. */
  accept(query) {
    this.raw = "";
    this.keys = new Map(new URLSearchParams(query));
    this.keys.delete("v");
  }

  /** Names the model. @param {string} slug */
  rename(slug) {
    this.raw = "";
    this.keys.set("model", slug);
    return this;
  }

  /** Asks for a model: what was changed in another one's config is dropped. */
  choose(slug) {
    if (slug.split("@")[0] !== this.keys.get("model")?.split("@")[0]) for (const key of [...this.keys.keys()]) if (key.startsWith("set.")) this.keys.delete(key);
    return this.rename(slug);
  }

  /** Takes a model of the hub, as a link names it, or one of files, which has no such name. */
  bring(model, name, config, held) {
    this.choose(model);
    if (!model) this.keys.delete("model");
    this.take(name, model, config, held);
  }

  take(name, slug, config, held) {
    this.held = held;
    this.name = name;
    this.slug = slug;
    this.config = config;
  }

  /** Takes a pasted config. */
  paste(text) {
    if (!this.pasted) for (const key of [...this.keys.keys()]) if (key.startsWith("set.")) this.keys.delete(key);
    this.keys.delete("model");
    this.take("", "", text);
  }

  /**
   * Sets a key as a person typed it. Returns false for a field that isn't part of the question.
   * @param {string} key
   * @param {string} value
   * @param {boolean} [number] whether only a whole number makes sense
   * @param {boolean} [binary] whether a person's k is 1,024, as the command reads it too
   */
  put(key, value, number, binary) {
    if (!key || /^(model|config|file|folder|add-.*)$/.test(key)) return false;
    this.raw = "";
    let text = typedDevice.includes(key) ? amount(value.trim(), key) : value.trim();
    if (number && /^[\d,_\s]+$/.test(text)) text = text.replaceAll(/[,_\s]/g, "");
    const short = binary && /^(\d[\d.,_\s]*)([km])$/i.exec(text);
    if (short) {
      const tokens = Number(short[1].replaceAll(/[,_\s]/g, "")) * (/k/i.test(short[2]) ? 1024 : 1024 ** 2);
      text = Number.isSafeInteger(tokens) ? String(tokens) : `${text}i`;
    }
    if (text === "" || (key.startsWith("set.") && text === this.base(key.slice(4)))) this.keys.delete(key);
    else this.keys.set(key, text);
    return true;
  }

  delete(key) {
    this.raw = "";
    this.keys.delete(key);
  }

  /** What the config itself says under a dotted path, as JSON. */
  base(path) {
    let value;
    try {
      value = JSON.parse(this.config);
    } catch {
      return undefined; // Python's NaN and Infinity; the counting program reads them
    }
    for (const part of path.split(".")) value = value?.[part];
    return value === undefined ? undefined : JSON.stringify(value);
  }

  /**
   * Writes the question into its controls, except into the field that is being typed in.
   * @param {Element} root of the calculator
   * @param {EventTarget} [except]
   */
  fill(root, except) {
    const { fields, ranges } = (root.controls ??= { fields: root.querySelectorAll("[data-default]"), ranges: root.querySelectorAll("[data-for]") }); // which stay
    for (const element of fields) {
      if (element === except && element.type === "text") continue;
      const value = this.keys.get(element.name) ?? element.dataset.default;
      let text = /^\d+$/.test(value) ? group(value) : value;
      if (element.dataset.amount) text = value && worded(value, element.dataset.amount);
      if (element.name === "device" && typedDevice.some((key) => this.keys.has(key))) text = "a device of your own";
      else if (element.dataset.picks) text = names.get(value) ?? (value === element.dataset.slug ? element.defaultValue : value);
      if (element.value !== text) element.value = text;
    }
    for (const range of ranges) {
      const value = Number(this.keys.get(range.dataset.for) ?? root.querySelector(`[data-field] [name="${range.dataset.for}"]`).dataset.default);
      if (value > 0 && document.activeElement !== range) range.value = String(Math.floor(Math.log2(value)));
    }
    const model = root.querySelector('[data-field] [name="model"]');
    if (model && model !== except) model.value = this.name;
  }
}

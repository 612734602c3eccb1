// The editor's help: what the key in focus means, where its value comes from, a slider where a range makes sense, and the
// way back to the model as it is.
import { meanings as asked } from "generated:asked.js";
import meaningsAddress from "asset:keys.json";

/** @type {Promise<Record<string, string>> | null} */
let loading = null;
async function meanings() {
  loading ??= fetch(meaningsAddress).then((response) => (response.ok ? response.json() : {}));
  try {
    return await loading;
  } catch {
    loading = null;
    return {}; // the key's own name has to do
  }
}

/** How far a slider goes: four octaves, a quarter of one for each step. */
const reach = 8;

/** The values of a slider around a key's own: whole multiples of what divides it, so that shapes stay usual. */
function values(base) {
  let grain = 1;
  while (base % (grain * 2) === 0 && grain * 16 <= base) grain *= 2;
  const all = [];
  for (let step = -reach; step <= reach; step++) all.push(Math.max(grain, Math.round((base * 2 ** (step / 4)) / grain) * grain));
  return [...new Set(all)];
}

function element(name, className, ...content) {
  const e = document.createElement(name);
  if (className) e.className = className;
  e.append(...content);
  return e;
}

class Help {
  /** @param {HTMLElement} root of a calculator */
  constructor(root) {
    this.root = root;
    this.was = {}; // the values of keys that the config lacks, before an edit
    this.words = element("p", "help-words");
    this.origin = element("p", "quiet");
    this.range = document.createElement("input");
    this.range.type = "range";
    this.reset = element("button", "");
    this.reset.type = "button";
    this.reset.dataset.resetAll = "";
    this.about = element("div", "help-key", this.words, this.origin, this.range);
    this.about.hidden = true;
    this.panel = element("div", "help", this.about, this.reset);
    this.panel.setAttribute("role", "group");
    this.panel.setAttribute("aria-label", "About the key");
    this.keys = root.querySelector('[data-region="keys"]');
    this.range.addEventListener("input", (event) => {
      event.stopPropagation(); // the calculator hears of the field
      this.slide();
    });
    this.range.addEventListener("change", (event) => event.stopPropagation());
    this.reset.addEventListener("click", (event) => {
      event.stopPropagation();
      this.back();
    });
    /** @param {any} event */
    const came = ({ target }) => { if (root.contains(target) && target.name?.startsWith("set.")) this.show(target.name.slice(4)); };
    root.addEventListener("focusin", came);
    came({ target: document.activeElement }); // who came before this was there
    new MutationObserver(() => this.count()).observe(this.keys, { childList: true, subtree: true, attributes: true, attributeFilter: ["class"] });
    this.count();
  }

  /** Offers the way back while something is changed. */
  count() {
    const n = this.keys.querySelectorAll("[data-reset]").length;
    this.reset.hidden = n === 0;
    this.reset.textContent = `Back to ${this.root.calculator.question.name || "the config"} as it is`;
    if (n > 0 && !this.panel.isConnected) this.keys.after(this.panel);
    if (this.name) this.where();
  }

  /** @param {string} name of a key, dotted */
  async show(name) {
    this.name = name;
    const key = name.split(".").at(-1);
    const all = await meanings();
    if (this.name !== name) return;
    const code = element("a", "", element("code", "", name));
    code.href = `/read-a-config-json/#key-${key}`;
    this.words.replaceChildren(code, all[key] ? `: ${all[key]}.` : "");
    this.range.hidden = true;
    const base = this.base();
    if (Number.isInteger(base) && base > 0) {
      this.values = values(base);
      this.range.hidden = this.values.length < 3;
      this.range.max = String(this.values.length - 1);
      this.range.setAttribute("aria-label", `${name}, from ${this.values[0]} to ${this.values.at(-1)}`);
      const now = Number(this.field()?.value.replaceAll(",", ""));
      this.range.value = String(this.values.findIndex((v, i) => v >= now || i === this.values.length - 1));
    }
    this.about.hidden = false;
    if (!this.panel.isConnected) this.keys.after(this.panel);
    this.where();
  }

  field() {
    return this.root.calculator.field(`set.${this.name}`);
  }

  /** The row of the key in the table of all keys. */
  row() {
    for (const row of this.keys.querySelectorAll("table.keys tbody tr")) {
      if (row.querySelector("th code")?.textContent === this.name) return row;
    }
    return null;
  }

  /** The value that the model has of itself; a default's where the config has none. */
  base() {
    const own = this.root.calculator.question.base(this.name);
    if (own !== undefined) return Number(own);
    const cell = this.row()?.cells[1];
    return Number(this.was[this.name] ??= cell?.querySelector("input")?.value ?? cell?.textContent ?? "");
  }

  /** Says where the value comes from. */
  where() {
    const own = this.root.calculator.question.base(this.name);
    const from = this.row()?.cells[2].textContent.replace(/(undo|remove)$/, "").trim() ?? "";
    const text = own !== undefined ? `The config says ${own}.` : from.startsWith("default:") ? `Not in the config: the family's default is ${from.slice(9).trim()}.` : "Not in the config: the family's default.";
    if (this.origin.textContent !== text) this.origin.textContent = text;
  }

  slide() {
    const field = this.field();
    if (!field) return;
    field.value = String(this.values[Number(this.range.value)]);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** Takes every change of a key back, as one step. */
  back() {
    const { calculator } = this.root;
    for (const key of [...calculator.question.keys.keys()]) if (key.startsWith("set.")) calculator.question.delete(key);
    calculator.update({ step: true });
    this.keys.querySelector("input")?.focus();
  }
}

/** Starts listening in every calculator. */
export function startHelp() {
  for (const field of document.querySelectorAll(".calc [data-field]")) {
    const label = asked[field.dataset.field] && field.querySelector("label");
    if (label) label.title = asked[field.dataset.field];
  }
  for (const root of document.querySelectorAll(".calc")) if (root.calculator) new Help(root);
}

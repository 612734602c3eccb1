// The pickers of models and devices: a combobox with a list (ARIA Authoring Practices, "editable combobox with list
// autocomplete"). Loaded when a reader comes to one of the fields (data-picks). What is chosen comes to the form as the
// event "pick": {slug}, or {fetch}, an id that the hub should be asked for.
import "./shared.js";
import look from "asset:picker.css";
import { devices, models } from "./lists.js";
import { style } from "./style.js";

const most = 40; // that a list shows of what is found
const first = 12; // of them when nothing is typed: popular.toml

/** @typedef {{slug: string, name: string, about: string, ids: string[], words: string[][]}} Choice */

/** What a text says: words, letters and digits apart. @param {string} text @returns {string[]} */
export const words = (text) => text.toLowerCase().match(/\p{L}+|\d+/gu) ?? [];

/** @type {Map<string, Promise<Choice[]>>} */
const lists = new Map();

/** Everything of a kind, popular ones first. @param {string} kind models or devices */
async function choices(kind) {
  if (!lists.has(kind)) lists.set(kind, (kind === "models" ? ofModels() : ofDevices()).then((all) => all.map((c) => ({ ...c, words: [c.name, c.slug, ...c.ids].map(words) }))));
  try {
    return await lists.get(kind);
  } catch (error) {
    lists.delete(kind);
    throw error;
  }
}

const ofModels = async () => (await models()).map(([slug, text, ...ids]) => {
  const at = text.lastIndexOf(", ");
  return { slug, name: text.slice(0, at), about: text.slice(at + 2), ids };
});

/** The computers that a chip is in: people know these by name. */
const computers = /** @type {const} */ ([[/^Apple.*(Max|Ultra)/, "Mac Studio"], [/^Apple(?!.*Ultra)/, "MacBook Pro"], [/^Apple(?!.*(Max|Ultra))/, "Mac mini"], [/AI Max/, "Strix Halo"]]);

/** A device's memory as people know it: in the slug it is what the maker sells, which the driver's bytes need not be (a card "of 24 GB" has 25.8). */
const memorySold = (slug, name, bytes) => (!bytes || /\d GB/.test(name) ? "" : `${/-(\d+)gb$/.exec(slug)?.[1] ?? (bytes / 1e9).toFixed(0)} GB`);

const ofDevices = async () => (await devices()).map(({ slug, name, memory }) => ({ slug, name, about: memorySold(slug, name, memory?.bytes), ids: computers.filter(([chip]) => chip.test(name)).map(([, computer]) => `${name} ${computer}`) }));

/** How well words fit one of a choice's names: 0 when not all of them are in it, separately, in any order. */
function fit(asked, name) {
  if (asked.length > name.length) return 0; // a link may hold thousands
  const left = [...name];
  let score = 1;
  // A whole word before the beginning of one: "3 32" is not "32" twice.
  const rest = asked.filter((word) => {
    const at = left.indexOf(word);
    if (at < 0) return true;
    left.splice(at, 1);
    score += 4;
    return false;
  });
  for (const word of rest) {
    const at = left.findIndex((x) => x.startsWith(word));
    if (at < 0) return 0;
    left.splice(at, 1);
    score += 2;
  }
  return score + 1 / (1 + left.length); // of two, the one that has less beside what was asked
}

/** Those that have all words of a text, the best first. @param {Choice[]} all @param {string} text */
function find(all, text) {
  const asked = words(text);
  if (asked.length === 0) return all.slice(0, first);
  // An id may be of another model with the same shape: a name of its own goes before it.
  const best = ({ words: names }) => Math.max(...names.map((name, i) => fit(asked, name) / (i < 2 ? 1 : 2)));
  return all.map((c) => /** @type {const} */ ([best(c), c])).filter(([score]) => score > 0).sort(([a], [b]) => Math.floor(b) - Math.floor(a) || 0).map(([, c]) => c);
}

/** Of what, and how many: "8x H100", "H100 x8". Only devices are counted. @param {string} kind @param {string} text @returns {[string, string | undefined]} */
export function counted(kind, text) {
  const found = kind === "devices" && /^(\d{1,3}|\d{4}(?=\s*[x×]\s*\D))\s*[x×]\s*(?=\S)|(?:\s[x×]\s?|[x×])(\d{1,4})$/i.exec(text);
  return found ? [text.replace(found[0], ""), found[1] ?? found[2]] : [text, undefined];
}

/** The models that have all words of a text, the best first. @param {string} text @returns {Promise<Choice[]>} */
export const withWords = async (text) => (words(text).length > 0 ? find(await choices("models"), text) : []);

/** The id of a model of the hub that a text is: owner/name, with @revision and :file, or the address of its page; "" for others. @param {string} text */
const onHub = (text) => text.trim().replace(/^hf:/, "").match(/^[\w.-]+\/[\w.-]+(@[\w./-]+)?(:[\w./-]+)?$|^https?:\/\/[^/]+\/[\w.-]+\/[\w.-]+(\/[^?#]*)?/)?.[0] ?? "";

/** The choice that a text names: its slug, its name or an id of the hub. @param {Choice[]} all @param {string} text */
function named(all, text) {
  const low = text.trim().toLowerCase().replace(/^https?:\/\/[^/]+\/([^/]+\/[^/?#]+)\/?$/, "$1");
  return all.find((c) => c.slug === low) ?? all.find((c) => c.name.toLowerCase() === low || c.ids.some((id) => id.toLowerCase() === low));
}

/** Pairs of letters, to see what is alike. */
function pairs(text) {
  const s = ` ${words(text).join("")} `;
  return new Set([...s].slice(1).map((c, i) => s[i] + c));
}

/** The most alike, best first: what somebody may have meant. @param {string} kind @param {string} text @returns {Promise<Choice[]>} */
export async function near(kind, text) {
  const all = await choices(kind);
  [text] = counted(kind, text);
  const found = find(all, text);
  if (found.length > 0 && words(text).length > 0) return found.slice(0, 3);
  const own = pairs(text);
  const alike = (name) => {
    const other = pairs(name);
    return (2 * [...own].filter((p) => other.has(p)).length) / (own.size + other.size);
  };
  return all.map((c) => /** @type {const} */ ([Math.max(...[c.name, c.slug, ...c.ids].map(alike)), c])).filter(([score]) => score > 0.3).sort(([a], [b]) => b - a).slice(0, 3).map(([, c]) => c);
}

/**
 * What a typed text stands for: the slug of what it names, or of the only one that has all its words; with first the best
 * of several. "" when nothing does.
 * @param {string} kind @param {string} text @param {boolean} [best]
 */
export async function resolve(kind, text, best) {
  const all = await choices(kind);
  [text] = counted(kind, text);
  const own = named(all, text);
  if (own) return own.slug;
  if (kind === "models" && onHub(text)) return "";
  const found = words(text).length > 0 ? find(all, text) : [];
  return found.length === 1 || (best && found.length > 0) ? found[0].slug : "";
}

let ids = 0;

class Picker {
  /** @param {HTMLInputElement} input */
  constructor(input) {
    this.input = input;
    this.kind = input.dataset.picks;
    this.before = input.value;
    this.at = -1;
    this.turn = 0;
    this.list = document.createElement("ul");
    this.list.className = "choices";
    this.list.id = `choices-${++ids}`;
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", this.kind === "models" ? "Models" : "Devices");
    this.list.hidden = true;
    (input.closest("dialog") ?? document.body).append(this.list); // a column that scrolls would cut it off
    input.setAttribute("aria-controls", this.list.id);
    input.addEventListener("input", () => this.show());
    input.addEventListener("click", () => { if (this.list.hidden) this.show(true); });
    input.addEventListener("keydown", (event) => this.key(event));
    input.addEventListener("blur", () => this.hide());
    this.list.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
    this.list.addEventListener("click", ({ target }) => this.choose(target.closest("[role=option]")));
    for (const kind of ["scroll", "resize"]) addEventListener(kind, ({ target }) => { if (target !== this.list) this.place(); }, { capture: true, passive: true });
  }

  /** The field has the focus: everything is offered, and what is in it may be written over. */
  attend(before) {
    this.before = before;
    return this.show(this.input.value === before);
  }

  /** @param {boolean} [all] whether what is in the field isn't a question yet */
  async show(all) {
    const text = all ? "" : this.input.value.trim();
    const turn = ++this.turn;
    let found, own;
    try {
      const [known] = await Promise.all([choices(this.kind), style(look)]);
      const [bare] = counted(this.kind, text);
      own = named(known, bare);
      found = find(known, bare).slice(0, most);
      if (own && found.length === 0) found = [own]; // by its address
      this.empty = found.length === 0;
      if (this.empty && text) found = await near(this.kind, text);
      if (turn !== this.turn) return; // typed on, chosen or left
    } catch (error) {
      this.list.replaceChildren(this.said(error.message));
      this.open();
      return;
    }
    const nodes = found.map(({ slug, name, about }) => this.option({ slug }, name, about));
    if (this.empty && text) nodes.unshift(this.said(found.length > 0 ? "No such name. Did you mean:" : "No such name."));
    const id = this.kind === "models" && this.input.name === "model" && onHub(text);
    if (id && !own) nodes.push(this.option({ fetch: id }, `Fetch ${id} from the model hub`));
    if (this.kind === "devices" && this.input.name === "device") nodes.push(this.option({ own: "" }, "A device that isn’t listed: type its memory and bandwidth"));
    this.at = -1;
    this.input.removeAttribute("aria-activedescendant");
    this.list.replaceChildren(...nodes);
    this.open();
  }

  /** @param {Record<string, string>} data what choosing it tells @param {string} name @param {string} [about] */
  option(data, name, about = "") {
    const li = document.createElement("li");
    li.setAttribute("role", "option");
    li.setAttribute("aria-selected", "false");
    li.id = `${this.list.id}-${data.slug ?? Object.keys(data)}`;
    Object.assign(li.dataset, data);
    li.append(name);
    if (about) li.append(" ", Object.assign(document.createElement("span"), { className: "quiet", textContent: about }));
    return li;
  }

  said(text) {
    const li = document.createElement("li");
    li.className = "quiet";
    li.setAttribute("role", "presentation");
    li.textContent = text;
    return li;
  }

  get options() {
    return [...this.list.querySelectorAll("[role=option]")];
  }

  open() {
    this.list.hidden = false;
    this.list.scrollTop = 0;
    this.input.setAttribute("aria-expanded", "true");
    this.place();
  }

  hide() {
    this.turn++;
    this.list.hidden = true;
    this.at = -1;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }

  /** Below its field, or above it where there is more room. */
  place() {
    if (this.list.hidden) return;
    const { left, top, bottom, width } = this.input.getBoundingClientRect();
    const under = innerHeight - bottom;
    const above = under < 180 && top > under;
    const { style } = this.list;
    style.insetInlineStart = `${left}px`;
    style.inlineSize = `${Math.min(Math.max(width, 288), innerWidth - left - 8)}px`;
    style.maxBlockSize = `${Math.min(360, (above ? top : under) - 8)}px`;
    style.insetBlockStart = above ? "auto" : `${bottom + 2}px`;
    style.insetBlockEnd = above ? `${innerHeight - top + 2}px` : "auto";
  }

  /** @param {number} to */
  move(to) {
    const { options } = this;
    if (options.length === 0) return;
    this.at = (to + options.length) % options.length;
    for (const [i, o] of options.entries()) o.setAttribute("aria-selected", String(i === this.at));
    options[this.at].scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", options[this.at].id);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.isComposing) return;
    const closed = this.list.hidden;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (closed) this.show(true);
      else if (event.altKey && event.key === "ArrowUp") this.hide();
      else this.move(event.key === "ArrowDown" ? this.at + 1 : this.at < 0 ? -1 : this.at - 1);
    } else if (event.key === "Escape" && !closed) {
      event.preventDefault();
      event.stopPropagation();
      this.input.value = this.before;
      this.hide();
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.enter();
    }
  }

  /** Takes what is marked, else the first that was found. */
  async enter() {
    const text = this.input.value.trim();
    if (this.at >= 0) return this.choose(this.options[this.at]);
    if (!text || text === this.before) return this.hide();
    let slug = "";
    try {
      slug = await resolve(this.kind, text, true);
    } catch {
      // The list could not be loaded: who is told of the text says why.
    }
    if (slug) this.tell({ slug });
    else if (onHub(text) && this.input.name === "model") this.tell({ fetch: onHub(text) });
    else this.input.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** @param {HTMLElement | null} option */
  choose(option) {
    if (option) this.tell({ ...option.dataset });
  }

  async tell(detail) {
    const [, many] = counted(this.kind, this.input.value.trim());
    const own = detail.slug && (await choices(this.kind)).find((c) => c.slug === detail.slug);
    if (own) this.input.value = this.before = own.name;
    this.hide();
    this.input.dispatchEvent(new CustomEvent("pick", { detail: { ...detail, many }, bubbles: true }));
  }
}

const pickers = new WeakMap();

/** A reader has come to a field. @param {HTMLInputElement} input @param {string} before what was in it */
export function attend(input, before) {
  if (!pickers.has(input)) pickers.set(input, new Picker(input));
  return pickers.get(input).attend(before);
}

/** That a name is not known, as an error: what may have been meant is in its message, and beside it in meant. @param {string} kind @param {string} text */
export async function unknown(kind, text) {
  const meant = await near(kind, text);
  const short = `No ${kind === "models" ? "model" : "device"} of the catalogue is called ${text.length > 60 ? `${text.slice(0, 59)}…` : text}.`;
  const names = meant.map((c) => c.name).join(", ").replace(/, ([^,]*)$/, " or $1");
  const fetch = kind === "models" && onHub(text) ? onHub(text) : undefined;
  return Object.assign(new Error(names ? `${short} Did you mean ${names}?` : `${short} The list has all names.`), { short, meant: fetch ? [] : meant, fetch });
}

/** As {@link resolve}; that nothing is named is an error. @param {string} kind @param {string} text @param {boolean} [best] */
export async function only(kind, text, best) {
  const slug = await resolve(kind, text, best);
  if (!slug) throw await unknown(kind, text);
  pickers.get(document.activeElement)?.hide(); // for a name that was finished before the list came
  return slug;
}

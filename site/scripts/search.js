// The search over the whole site: a dialog over the models, which are found by words of their names, and over the index of
// sections and terms, in the browser.
import MiniSearch from "minisearch";
import look from "asset:search.css";
import { withWords, words } from "./picker.js";
import { style } from "./style.js";

const most = 24; // results that are shown
const first = 6; // of them models, before all others

/** What people also write for a word of the book. @type {Record<string, string[]>} */
const also = {
  vram: ["memory"], ram: ["memory"], gpu: ["device", "accelerator"], gpus: ["devices"], oom: ["memory", "fits"], fit: ["fits"], fits: ["fit"],
  quantization: ["quantisation", "quantized", "formats"], quantisation: ["quantization", "quantized", "formats"], quantized: ["quantization"], quantised: ["quantized"],
  speed: ["time"], latency: ["time"], throughput: ["tokens"], price: ["cost"], finetune: ["training"], finetuning: ["training", "lora"],
  blog: ["chapter"], article: ["chapter"], articles: ["chapters"], posts: ["chapters"], tutorial: ["chapter"], docs: ["contents"],
};

/** Loads the index once; a failure is forgotten, so that the next opening tries again. */
let loading = null;
const engine = () => (loading ??= load().catch((error) => {
  loading = null;
  throw error;
}));

async function load() {
  const response = await fetch("/search.json");
  if (!response.ok) throw new Error(`status ${response.status}`);
  const index = await response.json();
  const entry = (kind) => ([page, id, title, text]) => ({
    kind, text, href: index.pages[page][0] + (id && `#${id}`), title: title || index.pages[page][1], of: title ? index.pages[page][1] : "",
  });
  const all = [
    ...index.sections.map(entry("section")),
    ...index.terms.map(entry("term")),
    { kind: "section", text: "Every chapter and page of this site, section by section.", href: "/contents/", title: "All chapters", of: "Contents" },
  ];
  all.forEach((e, id) => { e.id = id; });
  const mini = new MiniSearch({
    fields: ["title", "of", "text"],
    storeFields: ["kind", "href", "title", "of", "text"],
    searchOptions: {
      boost: { title: 5, of: 1.5 },
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      boostDocument: (id, term, stored) => (stored.kind === "section" ? 1.5 : 1),
    },
  });
  mini.addAll(all);
  return mini;
}

/** A word, or what is also written for it. */
const either = (word) => ({ combineWith: "OR", queries: [word, ...(also[word] ?? [])] });

/** Whether an entry's title is the text itself, 1 or 0. */
const called = ({ title }, text) => +(title.toLowerCase() === text.toLowerCase());

/** The best entries: models whose names have all words, then what holds all words, else what holds some; what is called just that before the rest. */
async function find(mini, text) {
  const models = (await withWords(text)).slice(0, first);
  const queries = text.toLowerCase().split(/[\s\p{P}]+/u).filter(Boolean).map(either);
  const found = mini.search({ combineWith: "AND", queries });
  const rest = found.length > 0 || models.length > 0 ? found : mini.search({ combineWith: "OR", queries });
  return [...models.map((m) => ({ kind: "model", href: `/models/${m.slug}/`, title: `${m.name}, ${m.about}`, of: "Model", terms: words(text) })), ...rest.sort((a, b) => called(b, text) - called(a, text))].slice(0, most);
}

/** A text as nodes, the words that were found marked. @param {string[]} words */
function marked(text, words) {
  if (words.length === 0) return [text];
  const some = new RegExp(`(${words.map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`, "i");
  return text.split(some).map((part, i) => {
    if (i % 2 === 0) return part;
    const mark = document.createElement("mark");
    mark.textContent = part;
    return mark;
  });
}

/** The part of a text that has the first word that was found. */
function excerpt(text, words) {
  const lower = text.toLowerCase();
  const places = words.map((w) => lower.indexOf(w)).filter((at) => at >= 0);
  const at = Math.max(0, Math.min(...places, text.length) - 60);
  if (places.length === 0 || at === 0) return text.slice(0, 180) + (text.length > 180 ? " …" : "");
  const from = text.indexOf(" ", at) + 1;
  return `… ${text.slice(from, from + 180)}${from + 180 < text.length ? " …" : ""}`;
}

function part(name, className, ...nodes) {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.append(...nodes);
  return element;
}

/** @param {object} result of the search */
function line(result) {
  const words = result.terms;
  const link = part("a", "", part("span", "hit", ...marked(result.title, words)));
  link.href = result.href;
  if (result.of) link.append(" ", part("span", "quiet", result.of));
  if (result.kind !== "model") link.append(part("span", "excerpt", ...marked(excerpt(result.text, words), words)));
  return part("li", "", link);
}

/** @type {HTMLDialogElement} */
let dialog;

async function make() {
  await style(look);
  dialog = document.createElement("dialog");
  dialog.className = "search";
  dialog.setAttribute("aria-label", "Search");
  dialog.innerHTML = `<form method="dialog"><label><span class="vh">Search the book, the keys and the models</span>
<input type="search" placeholder="Search the book, the keys, the models" autocomplete="off" spellcheck="false" enterkeyhint="go"></label><button>Close</button></form>
<p class="quiet" role="status"></p><ol></ol><p><a href="/contents/">Everything in a list</a></p>`;
  const [form, said, list] = dialog.children;
  const field = form.querySelector("input");
  const show = async () => {
    const text = field.value.trim();
    if (!text) {
      list.replaceChildren();
      said.textContent = "";
      return;
    }
    try {
      const mini = await engine();
      if (text !== field.value.trim()) return; // typed on
      const found = await find(mini, text);
      if (text !== field.value.trim()) return;
      list.replaceChildren(...found.map(line));
      said.textContent = found.length === 0 ? "Nothing found." : `${found.length === most ? `The best ${most}` : found.length} result${found.length === 1 ? "" : "s"}`;
    } catch (error) {
      list.replaceChildren();
      said.textContent = `The index could not be loaded: ${error.message}.`;
    }
  };
  field.addEventListener("input", show);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault(); // not the button
    show().then(() => list.querySelector("a")?.click());
  });
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { // a field of this kind would take the first one for itself
      event.preventDefault();
      dialog.close();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const stops = [field, ...list.querySelectorAll("a")];
    const next = stops[stops.indexOf(/** @type {any} */ (document.activeElement)) + step];
    if (next) {
      event.preventDefault();
      next.focus();
    }
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target.closest("a")) dialog.close();
  });
  document.body.append(dialog);
  engine().then(show, show);
}

let making = null;

/** Whether readers want single keys; keys.js asks them. */
function keys() {
  try {
    return localStorage.getItem("keys") !== "off";
  } catch {
    return true;
  }
}

/** Opens the dialog, with what was asked before. @param {Event} event that asks for it */
export async function open(event) {
  if (event.type === "keydown" && !keys()) return;
  await (making ??= make());
  if (dialog.open) return;
  dialog.showModal();
  dialog.querySelector("input").select();
}

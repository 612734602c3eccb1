// A framed answer: answers the question of its address, tells the page around it how high it is, and takes that page's theme.
import { device } from "generated:defaults.js";
import * as link from "./link.js";
import { morph } from "./morph.js";
import { sentence } from "./problems.js";

const html = document.documentElement;
const root = document.querySelector("[data-embed]");

/** The question of the address, less what concerns only the frame. */
function asked() {
  return link.read().split("&").filter((pair) => !/^theme(=|$)/.test(pair)).join("&") || "v=1";
}

/**
 * What a model's page holds: its answer, name, config and families.
 * @param {string} slug
 * @returns {Promise<Element>}
 */
async function pageOf(slug) {
  if (slug === root.dataset.slug) return root;
  const response = await fetch(`/models/${encodeURIComponent(slug)}/`);
  if (!response.ok && response.status !== 404) throw new Error(`the model ${slug} could not be loaded: status ${response.status}`);
  const page = new DOMParser().parseFromString(await response.text(), "text/html").querySelector("[data-calculator]");
  if (page?.dataset.slug !== slug) throw new Error(`no model of the catalogue is called ${slug || "nothing"}`); // ".", too, is an address
  return page;
}

/** The counting program, all of it: the verdict is the larger one's. */
async function programs() {
  const engine = await import("./engine.js");
  await Promise.all([engine.widen(), engine.prepareDrawing()]);
  return engine;
}

const text = (page, name) => page.querySelector(`[data-${name}]`).textContent;

/** The regions of the answer to a question, by the counting program. */
async function count(query, page, engine) {
  engine.addFamilies(text(page ?? root, "families"));
  /** @type {import("./engine.js").Question} */
  const question = page
    ? { query, name: page.dataset.name, slug: page.dataset.slug, config: text(page, "config") }
    : { query, name: "", slug: "", config: await (await import("./packed.js")).unpack(link.config()) };
  question.device = (new URLSearchParams(query).get("device") ?? device).toLowerCase();
  let answer = engine.ask(question);
  while (answer.need && !engine.complete()) {
    await engine.loadFamily(root.dataset.all, answer.need);
    answer = engine.ask(question);
  }
  if (answer.error) throw new Error(sentence(answer.error, true));
  return answer;
}

async function answer() {
  const query = asked(), pasted = link.fragment();
  root.querySelector("[data-open]").href = `/?${query}${pasted ? location.hash : ""}`;
  // A model as it is has its answer on its page. Any other question needs the programs, too.
  const [page, engine] = await Promise.all([
    pasted ? null : pageOf(new URLSearchParams(query).get("model") ?? root.dataset.slug),
    pasted || query.split("&").some((pair) => !/^(v=1$|model=)/.test(pair)) ? programs() : null,
  ]);
  if (page === root && !engine) return;
  const html = engine
    ? (await count(query, page, engine)).html
    : (region) => page.querySelector(`[data-region="${region}"]`)?.innerHTML ?? "";
  for (const region of root.querySelectorAll("[data-region]")) morph(region, html(region.dataset.region));
}

/** The page around the frame sets the height, and may change the theme. */
function talk() {
  if (parent === window) return;
  const tell = () => parent.postMessage({ type: "llmsize", height: Math.ceil(html.getBoundingClientRect().height) }, "*");
  new ResizeObserver(tell).observe(html);
  addEventListener("message", ({ source, data }) => {
    if (source !== parent || data?.type !== "llmsize") return;
    if (data.theme === "light" || data.theme === "dark") html.dataset.theme = data.theme;
    else delete html.dataset.theme;
  });
}

try {
  await answer();
} catch (error) {
  root.classList.add("failed");
  root.querySelector("[data-problems]").textContent = `This question has no answer: ${error.message}`;
}
delete html.dataset.asked;
talk();

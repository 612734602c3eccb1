// Reads the question out of a link's address, and has it answered: what the functions have in common.
import { attribute, data, meta, spelled } from "./head.js";
import { ask, canonical, compile, json, load, text } from "./program.js";

/** As long as a query may be: a longer one is refused before anything is loaded. */
const longest = 2048;

/** As many keys of a config may a link change, with values as long: counting more could take longer than the host allows. */
const [mostKeys, longestValue] = [24, 256];

/** Throws for a query that is not counted here. The page's own script answers it. @param {URL} url */
export function refuse(url) {
  if (url.search.length > longest) throw new Error(`the query is longer than ${longest} characters`);
  const changed = [...new URLSearchParams(url.search)].filter(([key]) => /^(vs\.)?set\./.test(key));
  if (changed.length > mostKeys) throw new Error(`the query changes more than ${mostKeys} keys`);
  if (changed.some(([, value]) => value.length > longestValue)) throw new Error(`a value is longer than ${longestValue} characters`);
}

/** A model's slug; ".", too, is an address. */
const slugged = /^[a-z0-9][a-z0-9._-]{0,99}$/;

/** Milliseconds that a page or a picture waits for its answer. */
const limit = 2000;

/** What a model's page holds of it. */
const subject = (html) => ({
  name: attribute(html, "data-name"), slug: attribute(html, "data-slug"), config: data(html, "config"), families: data(html, "families"), all: attribute(html, "data-all"),
  image: meta(html, "og:image"), alt: meta(html, "og:image:alt"), site: meta(html, "og:site_name") || "llmsize", html,
});

/** Who made a model, as its page tells search engines; "" where it does not. */
function maker(html) {
  const from = html.indexOf('application/ld+json">');
  try {
    return JSON.parse(html.slice(from + 'application/ld+json">'.length, html.indexOf("</script>", from))).about.author.name ?? "";
  } catch {
    return "";
  }
}

/** The second side of a comparison in words: another model, other values, or both; "" where there is none. */
async function second(answer, named) {
  const [slug, what] = [answer.region("vs"), answer.region("beside")];
  const who = slug ? (await named(slug)).name : what ? "the same" : "";
  return !what ? who : `${who} with ${what}`;
}

/** The address of the picture of a link's answer: whatever else a link says, it is one. @param {URL} url */
export async function pictureOf(url) {
  const files = await load(new URL("/edge.json", url).href, json);
  const query = await canonical(await load(new URL(files.program, url).href, compile), url.search.slice(1));
  if (!query) throw new Error("the query cannot be read");
  return new URL(`/answer.png?${query}&build=${files.build}`, url);
}

/**
 * The answer to a link. It throws where there is none.
 * @param {URL} url
 * @param {string} html of the page that the link leads to; "" when it is not known
 */
export async function answerTo(url, html) {
  const files = await load(new URL("/edge.json", url).href, json);
  const file = (address) => new URL(address, url).href;
  const keys = new URLSearchParams(url.search);
  let about = subject(html);
  const slug = (keys.get("model") ?? (about.slug || files.model)).toLowerCase();
  const named = async (other) => {
    if (!slugged.test(other)) throw new Error("the model is not a name");
    const page = subject(await load(file(`/models/${other}/`), text));
    if (page.slug !== other) throw new Error(`no model is called ${other}`);
    return page;
  };
  let query = url.search.slice(1);
  if (!keys.has("model")) query += `&model=${slug}`;
  const [module, devices] = await Promise.all([load(file(files.program), compile), load(file(files.devices), json)]);
  // The home page and the frame show one model, but only a model's own page has that model's card.
  if (slug !== about.slug || !url.pathname.startsWith("/models/")) about = await named(slug);
  const wanted = (keys.get("device") ?? files.device).toLowerCase();
  const device = devices.find((d) => d.slug === wanted);
  const question = { query, name: about.name, slug: about.slug, config: about.config, device: device ? JSON.stringify(device) : "" };
  const families = [about.families];
  let answer = await ask(module, families, question);
  for (const asked = new Set(); answer.need; answer = await ask(module, families, question)) {
    if (asked.has("")) throw new Error(`no family for ${answer.need}`);
    const name = asked.has(answer.need) ? "" : await holding(answer.need, file(about.all));
    asked.add(name && answer.need);
    families.push(await load(name ? part(file(about.all), name) : file(about.all), text));
  }
  const beside = await second(answer, named);
  return {
    answer, site: about.site, title: beside ? `${answer.region("headline")}, beside ${beside}` : answer.region("headline"),
    maker: maker(about.html), beside,
    // A model as it is has its card as a file.
    card: /^v=1(&model=[^&]*)?$/.test(answer.query)
      ? { image: about.image, alt: about.alt }
      : { image: file(`/answer.png?${answer.query}&build=${files.build}`), alt: answer.region("alt") },
    kit: file(files.kit), link: file(`/?${answer.query}`),
  };
}

/** The address of one family, of that of all of them. */
const part = (all, name) => all.replace(/\.txt$/, `/${name}.txt`);

/** The file that holds a type; "" when none does: then all may be like it. */
async function holding(type, all) {
  const index = await load(part(all, "index"), text);
  const line = index.split("\n").find((names) => names.split(" ").includes(type)) ?? "";
  return line.split(" ")[0];
}

/** Gives up on work that takes too long. @template T @param {Promise<T>} work @returns {Promise<T>} */
export function within(work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${limit} ms`)), limit);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Tells the host's log what went wrong, in one line. @param {string} who @param {unknown} error */
export function log(who, error) {
  const said = error instanceof Error ? error.message : String(error);
  console.log(spelled(`${who}: ${said.slice(0, 300)}`));
}

// Reads the question out of a link's address, and has it answered: what the functions have in common.
import { attribute, data, meta } from "./head.js";
import { ask, compile, json, load, text } from "./program.js";

/** As long as a query may be, in the core as well: a longer one is refused before anything is loaded. */
export const longest = 8192;

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
async function second(query, nameOf) {
  const asked = new URLSearchParams(query);
  const values = [...asked].flatMap(([key, value]) => (key.startsWith("vs.") ? [`${key.slice(3)}=${value}`] : []));
  const who = asked.has("vs") ? await nameOf(asked.get("vs")) : values.length > 0 ? "the same" : "";
  const what = values.length > 2 ? `${values.length} other values` : values.join(" and ");
  return !what ? who : `${who} with ${what.length > 80 ? "other values" : what}`;
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
  const slug = (keys.get("model") ?? (about.slug || "llama-3.1-8b")).toLowerCase();
  if (!/^[a-z0-9][a-z0-9._-]{0,99}$/.test(slug)) throw new Error("the model is no name");
  let query = url.search.slice(1);
  if (!keys.has("model")) query += `&model=${slug}`;
  const [module, devices] = await Promise.all([load(file(files.program), compile), load(file(files.devices), json)]);
  // The home page and the frame show one model, but only a model's own page has that model's card.
  if (slug !== about.slug || !url.pathname.startsWith("/models/")) about = subject(await load(file(`/models/${slug}/`), text));
  const wanted = (keys.get("device") ?? "h100-sxm-80gb").toLowerCase();
  const device = devices.find((d) => d.slug === wanted);
  const question = { query, name: about.name, slug: about.slug, config: about.config, device: device ? JSON.stringify(device) : "" };
  let answer = await ask(module, [about.families], question);
  if (answer.need) answer = await ask(module, [about.families, await load(file(about.all), text)], question);
  if (answer.need) throw new Error(`no family for ${answer.need}`);
  const beside = await second(answer.query, async (other) => subject(await load(file(`/models/${other}/`), text)).name);
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
  console.log(`${who}: ${said.slice(0, 300).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, " ")}`);
}

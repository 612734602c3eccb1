// Tells what a shared link answers to programs that show it in a chat or a feed: title, description and card of
// a page come from the query of its address. Runs at the host's edge (netlify.toml says for which paths), and counts
// with the program that the page's own is built from.
//
// Whatever goes wrong here, the page goes out as it was built. A browser that opens the page gets it as it was
// built, too, and at once: the page's script answers there.
import { attribute, data, dress, meta } from "../head.js";
import { ask, compile, json, load, text } from "../program.js";

/** Milliseconds that a page waits for its answer. */
const limit = 2000;

/** As long as a query may be, in the core as well. */
const longest = 8192;

/**
 * @param {Request} request
 * @param {{next: () => Promise<Response>}} context
 * @returns {Promise<Response | undefined>} undefined: the host goes on without us
 */
export default async function unfurl(request, context) {
  const url = new URL(request.url);
  if (request.method !== "GET" || !url.search || url.search.length > longest || !url.pathname.endsWith("/")) return undefined;
  if (request.headers.get("sec-fetch-mode") === "navigate") return undefined; // only browsers say so
  const page = await context.next();
  if (page.status !== 200 || !page.headers.get("content-type")?.startsWith("text/html")) return page;
  const html = await page.text();
  let told = html;
  try {
    told = await within(limit, tell(url, html));
  } catch (error) {
    console.log(`unfurl: ${error.message}`);
  }
  const headers = new Headers(page.headers);
  for (const name of ["content-length", "content-encoding", "etag"]) headers.delete(name); // of the page as it was built
  return new Response(told, { status: page.status, headers });
}

/** A host that cannot run this sends the page as it is. */
export const config = { onError: "bypass" };

/** @template T @param {number} ms @param {Promise<T>} work @returns {Promise<T>} */
function within(ms, work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${ms} ms`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** What a model's page holds of it. */
const subject = (html) => ({
  name: attribute(html, "data-name"), slug: attribute(html, "data-slug"), config: data(html, "config"), families: data(html, "families"), all: attribute(html, "data-all"),
  image: meta(html, "og:image"), alt: meta(html, "og:image:alt"),
});

/**
 * The page with the answer in its head.
 * @param {URL} url
 * @param {string} html
 */
async function tell(url, html) {
  const files = await load(new URL("/edge.json", url).href, json);
  const file = (address) => new URL(address, url).href;
  const keys = new URLSearchParams(url.search);
  let about = subject(html);
  const slug = (keys.get("model") ?? about.slug).toLowerCase();
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
  const other = new URLSearchParams(answer.query).get("vs");
  const title = other ? `${answer.title}, beside ${subject(await load(file(`/models/${other}/`), text)).name}` : answer.title;
  // A card shows the model as it is: for a changed one it would show another count.
  const card = !/&set\./.test(answer.query);
  const site = meta(html, "og:site_name") || "llmsize";
  return dress(html, `${title} · ${site}`, {
    description: answer.described,
    "og:site_name": site,
    "og:type": "website",
    "og:title": title,
    "og:description": answer.described,
    "og:url": file(`/?${answer.query}`),
    "og:image": card ? about.image : "",
    "og:image:width": card ? "1200" : "",
    "og:image:height": card ? "630" : "",
    "og:image:alt": card ? about.alt : "",
    "twitter:card": card ? "summary_large_image" : "summary",
  });
}

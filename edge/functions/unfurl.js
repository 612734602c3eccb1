// Tells what a shared link answers to programs that show it in a chat or a feed: title, description and card of
// a page come from the query of its address. Runs at the host's edge (netlify.toml says for which paths), and counts
// with the program that the page's own is built from.
//
// Whatever goes wrong here, the page goes out as it was built. A browser that opens the page gets it as it was
// built, too, and at once: the page's script answers there.
import { dress } from "../head.js";
import { answerTo, log, refuse, within } from "../question.js";

/**
 * @param {Request} request
 * @param {{next: () => Promise<Response>}} context
 * @returns {Promise<Response | undefined>} undefined: the host goes on without us
 */
export default async function unfurl(request, context) {
  const url = new URL(request.url);
  if (request.method !== "GET" || !url.search || !url.pathname.endsWith("/")) return undefined;
  if (request.headers.get("sec-fetch-mode") === "navigate") return undefined; // only browsers say so
  try {
    refuse(url);
  } catch (error) {
    log("unfurl", error);
    return undefined;
  }
  const page = await context.next();
  if (page.status !== 200 || !page.headers.get("content-type")?.startsWith("text/html")) return page;
  const html = await page.text();
  let told = html;
  try {
    told = await within(tell(url, html));
  } catch (error) {
    log("unfurl", error);
  }
  const headers = new Headers(page.headers);
  for (const name of ["content-length", "content-encoding", "etag"]) headers.delete(name); // of the page as it was built
  return new Response(told, { status: page.status, headers });
}

/** A host that cannot run this sends the page as it is. */
export const config = { onError: "bypass" };

/**
 * The page with the answer in its head.
 * @param {URL} url
 * @param {string} html
 */
async function tell(url, html) {
  const { answer, site, title, card, link } = await answerTo(url, html);
  const description = answer.region("described");
  return dress(html, `${title} · ${site}`, {
    description,
    "og:site_name": site,
    "og:type": "website",
    "og:title": title,
    "og:description": description,
    "og:url": link,
    "og:image": card.image,
    "og:image:width": "1200",
    "og:image:height": "630",
    "og:image:alt": card.alt,
    "twitter:card": "summary_large_image",
  });
}

// Paints the card of a link's answer, /answer.png?v=1&…: the picture that a chat or a feed shows beside what
// unfurl.js writes into the page's head. The program that counts paints, too, with the site's own painter, so the card of
// a model as it is has the pixels of the one that was made at build.
//
// Each answer has one address, its canonical query: any other leads there, so that nobody fills what the host keeps
// with one picture under many. A question without an answer leads to the site's card. Without this function nobody
// asks for /answer.png: only unfurl.js names it.
import { png } from "../png.js";
import { bytes, load } from "../program.js";
import { answerTo, log, pictureOf, refuse, within } from "../question.js";

/** A card's pixels across and down, in package card as well. */
const [width, height] = [1200, 630];

/**
 * @param {Request} request
 * @returns {Promise<Response | undefined>} undefined: the host goes on without us
 */
export default async function card(request) {
  if (request.method !== "GET" && request.method !== "HEAD") return undefined;
  const url = new URL(request.url);
  try {
    refuse(url);
    const own = await within(pictureOf(url));
    return url.search === own.search ? picture(await within(paint(url))) : elsewhere(own);
  } catch (error) {
    log("card", error);
    return elsewhere(new URL("/card.png", url));
  }
}

/** A host that cannot run this has no such picture. */
export const config = { onError: "bypass" };

/** The host keeps a picture until the site is published anew; who shows it, for a day. @param {BodyInit} data */
const picture = (data) => new Response(data, {
  headers: {
    "content-type": "image/png",
    "cache-control": "public, max-age=86400",
    "netlify-cdn-cache-control": "public, max-age=31536000",
    "x-content-type-options": "nosniff",
    "x-robots-tag": "noindex",
  },
});

/** The way to another picture, which nobody keeps. @param {URL} url */
const elsewhere = (url) => new Response(null, { status: 302, headers: { location: url.href, "cache-control": "no-store", "x-robots-tag": "noindex" } });

/** @param {URL} url */
async function paint(url) {
  const { answer, site, maker, beside, kit } = await answerTo(url, "");
  const painted = answer.card(await load(kit, bytes), site, maker, beside);
  if (painted.length === 0) throw new Error("the kit cannot be read");
  const colours = 1 + 3 * (painted[0] + 1);
  return png(width, height, painted.subarray(1, colours), painted.subarray(colours));
}

// Owns the address bar: the question as a query, a pasted config as a fragment.

export const maxPacked = 64 * 1024;
export const maxConfig = 1 << 20;
const mark = "#config=";

/**
 * Writes the question into the address.
 * @param {string} query canonical, without "?"
 * @param {string} fragment "" or what {@link pack} returned
 * @param {boolean} step whether Back should return to what was there before
 * @param {string} home the query for which the page's plain address stands
 */
export function write(query, fragment, step, home) {
  const number = /[#&](at=[\w.-]*)/.exec(location.hash)?.[1]; // that is linked to
  const address = location.pathname + (query === home && !fragment ? "" : "?" + query) + fragment + (number ? (fragment ? "&" : "#") + number : "");
  if (address === location.pathname + location.search + location.hash) return;
  if (step) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}

/** The query in the address, without "?". */
export const read = () => location.search.slice(1);

/** Whether the address carries a config. */
export const carries = () => location.hash.startsWith(mark);

/** The config that the address carries, as {@link pack} returned it. */
export const fragment = () => (carries() ? location.hash.split("&")[0] : "");

/** @param {() => void} changed called when Back, Forward or an edit of the address changed it */
export function listen(changed) {
  let last = "";
  const seen = () => location.search + fragment();
  addEventListener("popstate", () => changed());
  last = seen();
  addEventListener("hashchange", () => {
    if (seen() !== last) changed();
    last = seen();
  });
}

/** The absolute address of an answer. */
export const absolute = (query, fragment) => `${location.origin}/?${query}${fragment}`;

/**
 * Packs a config for the fragment: base64url of raw-deflated JSON.
 * @param {string} text
 * @returns {Promise<string>} "#config=…", or "" when it is too large for a link
 */
export async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  const packed = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return packed.length > maxPacked ? "" : mark + packed;
}

/**
 * Unpacks the config of the address.
 * @returns {Promise<string>}
 */
export async function unpack() {
  const packed = fragment().slice(mark.length);
  if (packed.length > maxPacked) throw new Error("the config in this link is longer than 64 kB");
  let bytes;
  try {
    bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  } catch {
    throw new Error("the config in this link is cut off or changed");
  }
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  let size = 0;
  try {
    for (let r = await reader.read(); !r.done; r = await reader.read()) {
      size += r.value.length;
      if (size > maxConfig) break;
      parts.push(r.value);
    }
  } catch {
    throw new Error("the config in this link is cut off or changed");
  }
  if (size > maxConfig) {
    reader.cancel().catch(() => {});
    throw new Error("the config in this link unpacks to more than 1 MB");
  }
  return new Blob(parts).text();
}

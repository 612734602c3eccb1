// Configs as a link carries them: base64url of raw-deflated JSON. Loaded when one is pasted, or comes in a link.
import "./shared.js";
import { maxConfig } from "./link.js";

/** The most characters that the configs of a link have together. */
const most = 64 * 1024;

/**
 * Packs a config for the fragment.
 * @param {string} text
 * @param {string} other the config that stands beside it, packed
 * @returns {Promise<string>} "" when both are too large for a link
 */
export async function pack(text, other) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  const packed = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return packed.length + other.length > most ? "" : packed;
}

/**
 * Unpacks a config of the address.
 * @param {string} packed
 * @param {string} [other] the config that stands beside it, packed
 * @returns {Promise<string>}
 */
export async function unpack(packed, other = "") {
  if (packed.length > most) throw new Error("the config in this link is longer than 64 kB");
  if (packed.length + other.length > most) throw new Error("the two configs in this link are together longer than 64 kB");
  let bytes;
  try {
    bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  } catch {
    throw new Error("the config in this link is cut off or changed");
  }
  // A browser unpacks what it is handed at a time in one go, to a thousand times as much: small pieces keep the page moving.
  let at = 0;
  const pieces = new ReadableStream({ pull: (to) => (at < bytes.length ? to.enqueue(bytes.subarray(at, (at += 1024))) : to.close()) });
  const reader = pieces.pipeThrough(new DecompressionStream("deflate-raw")).getReader();
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

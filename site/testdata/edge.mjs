// Runs the host's edge functions against a served site, as the host would, in Node or in Deno.
// Usage: node edge.mjs SITE < requests.json; each request is {path, headers, broken}. Prints an array of
// {status, html, picture, sent, same, ms, cpu}; same: the page left as it was built. A picture is in base64.
import unfurl, { config as ofUnfurl } from "../../edge/functions/unfurl.js";
import card, { config as ofCard } from "../../edge/functions/card.js";
import { Buffer } from "node:buffer";
import process from "node:process";
import { text } from "node:stream/consumers";

const site = process.argv[2];
const requests = JSON.parse(await text(process.stdin));
const real = globalThis.fetch;
const log = console.log;
console.log = (...words) => console.error(...words); // the functions' log

const out = [];
for (const { path, headers, method, broken } of requests) {
  // broken is a part of an address for which the network fails, or never answers ("slow:…").
  globalThis.fetch = (address, ...rest) => {
    if (!broken || !String(address).includes(broken.replace("slow:", ""))) return real(address, ...rest);
    return broken.startsWith("slow:") ? new Promise(() => {}) : Promise.reject(new Error("no network"));
  };
  const request = new Request(new URL(path, site), { headers, method });
  const built = () => real(request.url, { redirect: "manual", headers: { "accept-encoding": "identity" } });
  const painted = new URL(request.url).pathname === "/answer.png";
  const from = performance.now();
  const used = process.cpuUsage();
  const answer = await (painted ? card(request) : unfurl(request, { next: built }));
  const ms = performance.now() - from;
  const { user, system } = process.cpuUsage(used);
  const about = { ms, cpu: (user + system) / 1000, passed: !answer };
  if (painted) {
    out.push({ ...about, status: answer?.status ?? 404, sent: Object.fromEntries(answer?.headers ?? []), picture: answer ? Buffer.from(await answer.arrayBuffer()).toString("base64") : "" });
    continue;
  }
  const page = await built();
  const plain = await page.text();
  const html = answer ? await answer.text() : plain;
  out.push({ ...about, status: answer?.status ?? page.status, type: answer?.headers.get("content-type") ?? page.headers.get("content-type"), policy: (answer ?? page).headers.get("content-security-policy"), html, same: html === plain });
}
log(JSON.stringify({ config: [ofUnfurl, ofCard], out }));

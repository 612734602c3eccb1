// Runs the host's edge function against a served site, as the host would.
// Usage: node edge.mjs SITE < requests.json; each request is {path, headers, broken}. Prints an array of
// {status, html, same, ms}; same: the function left the page as it was built.
import unfurl, { config } from "../../edge/functions/unfurl.js";
import { text } from "node:stream/consumers";

const site = process.argv[2];
const requests = JSON.parse(await text(process.stdin));
const real = globalThis.fetch;
const log = console.log;
console.log = (...words) => console.error(...words); // the function's log

const out = [];
for (const { path, headers, broken } of requests) {
  // broken is a part of an address for which the network fails, or never answers ("slow:…").
  globalThis.fetch = (address, ...rest) => {
    if (!broken || !String(address).includes(broken.replace("slow:", ""))) return real(address, ...rest);
    return broken.startsWith("slow:") ? new Promise(() => {}) : Promise.reject(new Error("no network"));
  };
  const request = new Request(new URL(path, site), { headers });
  const built = () => real(request.url, { redirect: "manual", headers: { "accept-encoding": "identity" } });
  const from = performance.now();
  const answer = await unfurl(request, { next: built });
  const ms = performance.now() - from;
  const page = await built();
  const plain = await page.text();
  const html = answer ? await answer.text() : plain;
  out.push({ status: answer?.status ?? page.status, type: answer?.headers.get("content-type") ?? page.headers.get("content-type"), policy: (answer ?? page).headers.get("content-security-policy"), html, same: html === plain, passed: !answer, ms });
}
log(JSON.stringify({ config, out }));

// Keeps one whole version of the site for when there is no network. The generator writes in front of this:
//
//   build    the version, which every answer of the host has in its header X-Build
//   files    what is kept: the home page, all that the calculator loads, and what is searched
//   configs  one file with the config.json of every model
//
// Online, pages come from the network, so a reader never sees an old page for want of a reload, and no script has to
// reload one. What is kept is used when the network does not answer, and only as a whole: a page of this version
// with this version's data. Files under /assets/ have their content's hash in their name and fit any version.
/* global build, files, configs */

const prefix = "llmsize ";
const kept = prefix + build;
const pages = `${kept} pages`; // ids of open pages that are of this version
const patience = 4000; // milliseconds, where there is something to show instead

/** What is kept under a path. To look does not make a cache that is gone. */
const find = (path, cacheName = kept) => caches.match(path, { cacheName });
const buildOf = (response) => response.headers.get("X-Build");

addEventListener("install", (event) => event.waitUntil(keep()));

/** Keeps everything or fails: then the browser tries again later, and the version before stays. */
async function keep() {
  const cache = await caches.open(kept);
  const get = async (path) => {
    const named = path.startsWith("/assets/");
    const response = await fetch(path, named ? {} : { cache: "no-cache" });
    if (!response.ok || (!named && buildOf(response) !== build)) throw new Error(`${path} is not of build ${build}`);
    return response;
  };
  await Promise.all([
    ...files.map(async (path) => cache.put(path, await get(path))),
    get(configs).then((response) => response.json()).then((all) => Promise.all(
      Object.entries(all).map(([slug, text]) => cache.put(`/models/${slug}/config.json`, new Response(text, { headers: { "Content-Type": "application/json" } }))),
    )),
  ]);
}

addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) {
    if (name.startsWith(prefix) && !name.startsWith(kept)) await caches.delete(name);
  }
  await registration.navigationPreload?.enable();
  await clients.claim();
})()));

/** A newer page takes the version that waits into use. */
addEventListener("message", ({ data }) => { if (data === "take over") skipWaiting(); });

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || pathname.startsWith("/embed")) return;
  if (pathname.startsWith("/assets/")) event.respondWith(asset(request, pathname));
  else if (request.mode === "navigate") event.respondWith(page(event, pathname));
  else if (pathname.endsWith("/config.json") || files.includes(pathname)) event.respondWith(data(event, pathname));
});

async function asset(request, pathname) {
  const copy = await find(pathname);
  if (copy) return copy;
  // A part of a file that is kept: without a network the whole will do, which holds it.
  const whole = await find(pathname.replace(/\/[^/]*(?=\.txt$)/, ""));
  return whole ? fetch(request).catch(() => whole) : fetch(request);
}

async function page(event, pathname) {
  const network = (async () => (await event.preloadResponse) ?? fetch(event.request))();
  const copy = await find(pathname);
  const late = new Promise((done) => { if (copy) setTimeout(done, patience); });
  const response = await Promise.race([network, late]).catch(() => undefined);
  if (response && (response.status < 500 || !copy)) {
    if (buildOf(response) === build) {
      if (response.ok && !response.redirected) event.waitUntil(put(pathname, response.clone()));
      event.waitUntil(remember(event.resultingClientId));
    } else if (buildOf(response)) {
      event.waitUntil(giveWay());
    }
    return response;
  }
  if (copy) {
    event.waitUntil(remember(event.resultingClientId));
    return copy;
  }
  const text = '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>No connection</title><h1>No connection</h1><p>This page was not kept. <a href="/">The calculator</a> works without a connection.</p>';
  return new Response(text, { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } });
}

async function data(event, pathname) {
  const mine = await find(`/${event.clientId}`, pages);
  return (mine && await find(pathname)) || fetch(event.request);
}

async function put(pathname, response) {
  await (await caches.open(kept)).put(pathname, response);
}

/** Remembers that an open page is of this version, and forgets pages that are closed. */
async function remember(id) {
  const open = await caches.open(pages);
  for (const request of await open.keys()) {
    if (!(await clients.get(new URL(request.url).pathname.slice(1)))) await open.delete(request);
  }
  if (id) await open.put(`/${id}`, new Response());
}

/** The host has another version. When no other page is open, the worker that waits with it may take over. */
async function giveWay() {
  if (!registration.waiting) await registration.update().catch(() => {});
  const open = await clients.matchAll({ type: "window" });
  if (open.length <= 1) registration.waiting?.postMessage("take over");
}

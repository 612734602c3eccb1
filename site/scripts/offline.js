// Lets the site be read without a network: starts the worker that keeps one whole version of it (site/root/sw.js).

/** Starts when the browser has nothing else to do. */
export function startOffline() {
  const workers = navigator.serviceWorker;
  if (!workers || workers.controller || navigator.connection?.saveData) return;
  if (document.querySelector('script[src^="/__dev/"]')) return; // someone is writing here: every build is new
  const idle = globalThis.requestIdleCallback ?? (/** @param {() => void} f */ (f) => f());
  idle(() => workers.register("/sw.js").catch(() => {})); // without it, everything works with a network
}

// Owns the address bar: the question as a query, pasted configs as a fragment: "#config=…" is the first side's,
// "vs.config=…" that of what it is compared with (packed.js). A number that is linked to, "at=…", is behind them.

export const maxConfig = 1 << 20;

const part = (name) => new RegExp(`[#&]${name}=([^&]*)`).exec(location.hash)?.[1];

/** The config of the second side, packed; "" without one. */
export let second = part("vs.config") ?? "";

/** Another second side goes into the address at the next {@link write}. @param {string} packed */
export const compareWith = (packed) => { second = packed; };

/** A fragment with both configs. @param {string} fragment of the first */
export const whole = (fragment) => fragment + (second && `${fragment ? "&" : "#"}vs.config=${second}`);

/**
 * Writes the question into the address.
 * @param {string} query canonical, without "?"
 * @param {string} fragment of the first config, "" without one
 * @param {boolean} step whether Back should return to what was there before
 * @param {string} home the query for which the page's plain address stands
 */
export function write(query, fragment, step, home) {
  const configs = whole(fragment);
  const address = location.pathname + (query === home && !configs ? "" : "?" + query) + hash(configs, place());
  if (address === location.pathname + location.search + location.hash) return;
  if (step) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}

/** What of the answer the address leads to: a number, or a tab. */
export const place = () => /[#&](at=[\w.~-]*|running|training|compute|tensors)(?![\w=])/.exec(location.hash)?.[1];

/** A fragment with configs and a place. @param {string} configs @param {string | undefined} to */
export const hash = (configs, to) => configs + (to ? (configs ? "&" : "#") + to : "");

/** The address with another tab. @param {string} tab */
export const withTab = (tab) => location.pathname + location.search + hash(whole(fragment()), tab);

/** The query in the address, without "?". */
export const read = () => location.search.slice(1);

/** The first config in the address, packed; undefined without one. */
export const config = () => part("config");

/** The fragment of the first config in the address. */
export const fragment = () => (config() === undefined ? "" : `#config=${config()}`);

/** @param {() => void} changed called when Back, Forward or an edit of the address changed it */
export function listen(changed) {
  let last = "";
  const seen = () => {
    second = part("vs.config") ?? "";
    return location.search + whole(fragment());
  };
  addEventListener("popstate", () => {
    seen();
    changed();
  });
  last = seen();
  addEventListener("hashchange", () => {
    if (seen() !== last) changed();
    last = seen();
  });
}

/** The absolute address of an answer. */
export const absolute = (query, fragment) => `${location.origin}/?${query}${whole(fragment)}`;

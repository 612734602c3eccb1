// Most edits change values and no structure. Then the values are written in their places, and nothing is parsed: a third of the
// script's part in an edit's frame. Everything else is for morph.js, which does the same slower.

/** What elements were last given, in tags and texts. @type {WeakMap<Element, string[]>} */
const given = new WeakMap();

/** The one escape that links have. @param {string} text */
const plain = (text) => text.replaceAll("&amp;", "&");

/**
 * Gives an element new HTML. Says whether that was done: it isn't where the structure differs, where a script has changed
 * a value that changes, where there are fields, and where a span would mean something else.
 * @param {Element} target
 * @param {string} html written by the counting program, which escapes what comes from outside
 */
export function rewrite(target, html) {
  const now = html.match(/<[^>]+>|[^<]+/g) ?? [];
  const was = given.get(target);
  given.set(target, now);
  if (was?.length !== now.length || html.includes("<input")) return false;
  const nodes = document.createTreeWalker(target, 5); // elements and texts
  /** @type {[any, string, string?][]} */
  const changes = [];
  for (let i = 0; i < was.length; i++) {
    const [a, b] = [was[i], now[i]];
    /** @type {any} */
    const node = a.startsWith("</") ? null : nodes.nextNode();
    if (a === b) continue;
    if (!node || /&(?!amp;)/.test(a + b)) return false;
    if (a[0] !== "<") {
      if (b[0] === "<" || node.nodeValue !== plain(a)) return false;
      changes.push([node, plain(b)]);
      continue;
    }
    const [from, to] = [a.split('"'), b.split('"')]; // names and values in turn
    if (from.length !== to.length || node.localName !== /[\w-]+/.exec(a)[0]) return false;
    for (let k = 0; k < from.length; k++) if (from[k] !== to[k]) {
      const name = k % 2 && from[k - 1].slice(from[k - 1].lastIndexOf(" ") + 1, -1);
      if (!name || a.startsWith("<span") || node.getAttribute(name) !== plain(from[k])) return false;
      changes.push([node, plain(to[k]), name]);
    }
  }
  if (nodes.nextNode()) return false;
  for (const [node, text, name] of changes) if (name) node.setAttribute(name, text);
  else node.nodeValue = text;
  return true;
}


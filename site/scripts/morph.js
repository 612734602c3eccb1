// Turns the inside of an element into new HTML by changing only what differs: open details stay open,
// the field that is typed in keeps its text and caret, and rectangles move instead of being replaced.

/**
 * @param {Element} target
 * @param {string} html written by the counting program, which escapes what comes from outside
 */
export function morph(target, html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  children(target, template.content);
}

function children(from, to) {
  let old = from.firstChild;
  for (let next = to.firstChild; next; ) {
    const after = next.nextSibling;
    if (!old) {
      from.append(next);
    } else if (alike(old, next)) {
      node(old, next);
      old = old.nextSibling;
    } else {
      const gone = old;
      old = old.nextSibling;
      gone.replaceWith(next);
    }
    next = after;
  }
  while (old) {
    const gone = old;
    old = old.nextSibling;
    gone.remove();
  }
}

const field = (element) => element.nodeType === Node.ELEMENT_NODE && element.getAttribute("data-field");
// A span that means something else now is another one: a stamp must not fly to where a sentence stands.
const alike = (a, b) => a.nodeName === b.nodeName && field(a) === field(b) && (a.nodeName !== "SPAN" || a.className === b.className);

function node(old, next) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== next.nodeValue) old.nodeValue = next.nodeValue;
    return;
  }
  const input = old.nodeName === "INPUT";
  // Equal markup may still hold a field whose text was changed.
  if (!input && old.isEqualNode(next) && !old.querySelector("input")) return;
  for (const name of next.getAttributeNames()) {
    const text = next.getAttribute(name);
    if (old.getAttribute(name) !== text) old.setAttribute(name, text);
  }
  for (const name of old.getAttributeNames()) {
    // What readers and the script put there stays.
    if (!next.hasAttribute(name) && name !== "open" && !name.startsWith("aria-")) old.removeAttribute(name);
  }
  if (input) value(old, next);
  else children(old, next);
}

function value(old, next) {
  const text = next.getAttribute("value") ?? "";
  if (old.value !== text && old !== document.activeElement) old.value = text;
}

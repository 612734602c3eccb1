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

const alike = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && a.dataset?.field === b.dataset?.field;

function node(old, next) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== next.nodeValue) old.nodeValue = next.nodeValue;
    return;
  }
  // Equal markup may still hold a field whose text was changed.
  if (old.isEqualNode(next) && old.nodeName !== "INPUT" && !old.querySelector("input")) return;
  for (const { name, value } of next.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  for (const { name } of [...old.attributes]) {
    // What readers and the script put there stays.
    if (!next.hasAttribute(name) && name !== "open" && !name.startsWith("aria-")) old.removeAttribute(name);
  }
  if (old.nodeName === "INPUT") value(old, next);
  children(old, next);
}

function value(old, next) {
  const text = next.getAttribute("value") ?? "";
  if (old.value !== text && old !== document.activeElement) old.value = text;
}

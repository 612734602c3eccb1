// Reads and writes the head of a built page, as text: an edge function has no document.

const entities = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Text as it was before it was written into HTML. @param {string} s */
export function plain(s) {
  return s.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (all, decimal, hex, name) => {
    if (name) return entities[name.toLowerCase()] ?? all;
    return String.fromCodePoint(Math.min(decimal ? Number(decimal) : parseInt(hex, 16), 0x10ffff));
  });
}

/** Text with every character spelled out that nobody sees, or that turns the direction of what follows: package spell's. @param {string} s */
export function spelled(s) {
  return s.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, (c) => {
    let out = "";
    for (let i = 0; i < c.length; i++) out += `\\u${c.charCodeAt(i).toString(16).padStart(4, "0")}`;
    return out;
  });
}

/** Text as it is in HTML, also inside quotes. @param {string} s */
export const escape = (s) => spelled(s).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/** An attribute of the first element that has it, as plain text; "" when none has. */
export function attribute(html, name) {
  const m = html.match(new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)'|([^\\s>]*))`));
  return m ? plain(m[1] ?? m[2] ?? m[3]) : "";
}

/** What a script of data holds: it is written as it is. */
export function data(html, name) {
  const from = html.indexOf(`data-${name}>`);
  if (from < 0) return "";
  const start = from + `data-${name}>`.length;
  return html.slice(start, html.indexOf("</script>", start));
}

const tag = (key) => new RegExp(`<meta (?:name|property)=["']?${key}["']? content=(?:"([^"]*)"|'([^']*)'|([^\\s>]*))>`);

/** The content of a meta element, as plain text; "" when there is none. */
export function meta(html, key) {
  const m = html.match(tag(key));
  return m ? plain(m[1] ?? m[2] ?? m[3]) : "";
}

/**
 * Sets the title and meta elements of a page. A key whose text is "" goes; one that the page lacks is added.
 * @param {string} html
 * @param {string} title
 * @param {Record<string, string>} metas content by name or property
 */
export function dress(html, title, metas) {
  const end = html.indexOf("</head>");
  if (end < 0) return html;
  let head = html.slice(0, end).replace(/<title>[^<]*<\/title>/, () => `<title>${escape(title)}</title>`);
  for (const [key, text] of Object.entries(metas)) {
    const kind = key.startsWith("og:") ? "property" : "name";
    const written = text === "" ? "" : `<meta ${kind}="${key}" content="${escape(text)}">`;
    if (tag(key).test(head)) head = head.replace(tag(key), () => written);
    else head += written;
  }
  return head + html.slice(end);
}

// The table of components as text: Markdown, or CSV. Loaded when somebody copies or shares it.

/** The rows of the table of components, as text. @param {Element} table */
export function rows(table) {
  const out = [["Component", "In one layer", "Layers", "Parameters", "Share"]];
  for (const row of table.querySelectorAll(":scope > tbody > tr:first-child, :scope > tfoot > tr")) {
    out.push([...row.cells].map((cell) => {
      const copy = /** @type {Element} */ (cell.cloneNode(true));
      for (const mark of copy.querySelectorAll(".swatch")) mark.remove();
      return copy.textContent.replace(/^× /, "").trim();
    }));
  }
  return out;
}

/** Text as Markdown's readers show it: nothing in it is emphasis, a link, code or another cell. @param {string} s */
export const literal = (s) => s.replace(/\s+/g, " ").replace(/[\\`*_~[\]<>|&$#!:@]|(?<=www)\./gi, "\\$&");

/** @param {Element} table */
export function markdown(table) {
  const [head, ...body] = rows(table);
  const line = (cells) => `| ${cells.map(literal).join(" | ")} |`;
  return [line(head), "| --- | ---: | ---: | ---: | ---: |", ...body.map(line)].join("\n") + "\n";
}

/** @param {Element} table */
export function csv(table) {
  const cell = (c) => (/[",\n]/.test(c) ? `"${c.replaceAll('"', '""')}"` : c);
  return rows(table).map((r) => r.map(cell).join(",")).join("\r\n") + "\r\n";
}

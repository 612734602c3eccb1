// A list of models or devices: filters while one types, sorts by a click on a column's head.

const prefixes = { k: 1e3, K: 1e3, M: 1e6, G: 1e9, B: 1e9, T: 1e12, P: 1e15 };

/** The number that a cell holds: "8,030,261,248", "8.03 B", "16.1 GB". @param {string} text */
function size(text) {
  const [digits, unit = ""] = text.replaceAll(",", "").split(" ");
  return (Number(digits) || 0) * (unit === "B" && !digits.includes(".") ? 1 : (prefixes[unit[0]] ?? 1));
}

/** What one's filter finds in the others of a page is said beside it. @type {{title: Element | null, found: (words: string[]) => number, show: (text: string) => void}[]} */
const lists = [];

/** What a row is found by: of a cell that opens, its name. @param {HTMLTableRowElement} row */
const written = (row) => [...row.cells].map((cell) => (cell.querySelector("summary") ?? cell).textContent).join(" ").toLowerCase().replaceAll(",", "");

/** @param {Element} root */
export function startCatalogue(root) {
  const body = root.querySelector("tbody");
  const rows = [...body.rows];
  const text = new Map(rows.map((row) => [row, written(row)]));
  const below = new Map(); // the row under one that is open, with its drawing
  const filter = root.querySelector("[data-filter]");
  const said = root.querySelector("[data-filtered]");
  const of = root.dataset.of ?? "models";
  let title = root;
  while (title && !title.matches("h2")) title = title.previousElementSibling ?? title.parentElement;
  const fits = (row, words) => words.every((w) => text.get(row).includes(w));
  const hide = (row) => {
    if (below.has(row)) below.get(row).hidden = row.hidden || !row.querySelector("details").open;
  };
  const apply = () => {
    const words = filter.value.toLowerCase().replaceAll(",", "").split(/\s+/);
    let shown = 0;
    for (const row of rows) {
      row.hidden = !fits(row, words);
      hide(row);
      if (!row.hidden) shown++;
    }
    said.textContent = shown === rows.length ? `${shown} ${of}` : `${shown} of ${rows.length} ${of}`;
    if (!filter.value.trim()) return;
    for (const other of lists) {
      const found = other === self || !other.title ? 0 : other.found(words);
      if (!found) continue;
      const link = document.createElement("a");
      link.href = `#${other.title.id}`;
      link.textContent = `${found} in ${other.title.firstChild.textContent.trim()}`;
      link.addEventListener("click", () => other.show(filter.value));
      said.append(" · ", link);
    }
  };
  const self = {
    title,
    found: (words) => rows.filter((row) => fits(row, words)).length,
    show: (value) => {
      filter.value = value;
      apply();
    },
  };
  lists.push(self);
  filter.addEventListener("input", apply);
  apply();

  // A drawing is loaded when its row is opened, and is under it, as wide as the list; without script its link leads to it.
  body.addEventListener("toggle", ({ target }) => {
    const link = target instanceof HTMLDetailsElement && target.querySelector("a.drawn");
    if (!link) return;
    const row = target.closest("tr");
    if (target.open && !below.has(row)) {
      const under = document.createElement("tr");
      under.className = "below";
      under.insertCell().colSpan = row.cells.length;
      under.cells[0].append(Object.assign(new Image(), { src: link.href, alt: link.textContent }));
      row.after(under);
      below.set(row, under);
    }
    hide(row);
  }, true);

  const heads = [...root.querySelectorAll("thead th")];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") !== "descending";
      for (const h of heads) h.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => row.cells[column].textContent.trim();
      const numeric = head.classList.contains("num");
      const compare = (a, b) => (numeric ? size(key(a)) - size(key(b)) : key(b).localeCompare(key(a), "en", { numeric: true }));
      rows.sort((a, b) => (down ? compare(b, a) : compare(a, b)));
      body.append(...rows);
      for (const [row, under] of below) row.after(under);
    });
  });
}

// A list of models or devices: filters while one types, sorts by a click on a column's head.

const prefixes = { k: 1e3, K: 1e3, M: 1e6, G: 1e9, B: 1e9, T: 1e12, P: 1e15 };

/** The number that a cell holds: "8,030,261,248", "8.03 B", "16.1 GB". @param {string} text */
function size(text) {
  const [digits, unit = ""] = text.replaceAll(",", "").split(" ");
  return (Number(digits) || 0) * (unit === "B" && !digits.includes(".") ? 1 : (prefixes[unit[0]] ?? 1));
}

/** @param {Element} root */
export function startCatalogue(root) {
  const body = root.querySelector("tbody");
  const rows = [...body.rows];
  const text = rows.map((row) => row.textContent.toLowerCase().replaceAll(",", ""));
  const filter = root.querySelector("[data-filter]");
  const said = root.querySelector("[data-filtered]");
  const of = root.dataset.of ?? "models";
  const apply = () => {
    const words = filter.value.toLowerCase().replaceAll(",", "").split(/\s+/);
    let shown = 0;
    rows.forEach((row, i) => {
      row.hidden = !words.every((w) => text[i].includes(w));
      if (!row.hidden) shown++;
    });
    said.textContent = shown === rows.length ? `${shown} ${of}` : `${shown} of ${rows.length} ${of}`;
  };
  filter.addEventListener("input", apply);
  apply();

  // A drawing is loaded when its row is opened; without script its link leads to it.
  body.addEventListener("toggle", ({ target }) => {
    const link = target instanceof HTMLDetailsElement && target.open && target.querySelector("a.drawn:not(:has(img))");
    if (!link) return;
    const drawing = Object.assign(new Image(), { src: link.href, alt: link.textContent });
    link.replaceChildren(drawing);
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
    });
  });
}

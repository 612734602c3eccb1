// More ways to take an answer along: the table as JSON, the share sheet of phones.
import { copy, rows } from "./copy.js";

/** A cell as JSON: a number where it is one. */
const value = (text) => (/^-?\d+$/.test(text) ? Number(text) : text);

/** @param {Element} table */
export function json(table) {
  const [head, ...body] = rows(table);
  const keys = head.map((h) => h.toLowerCase().replaceAll(" ", "_"));
  return JSON.stringify(body.map((row) => Object.fromEntries(row.map((cell, i) => [keys[i], value(cell)]).filter(([, v]) => v !== ""))), null, 2) + "\n";
}

function button(text, run) {
  const b = document.createElement("button");
  b.type = "button";
  b.textContent = text;
  b.addEventListener("click", (event) => {
    event.stopPropagation(); // the calculator knows only its own
    run(b);
  });
  return b;
}

/** Adds the buttons. */
export function startSharing() {
  for (const root of document.querySelectorAll(".calc")) {
    root.querySelector("[data-json]")?.addEventListener("click", ({ currentTarget }) => {
      root.calculator?.catchUp(); // the table may still be the answer's before
      copy(currentTarget, json(root.querySelector("table.parts")));
    });
    const link = root.querySelector('[data-copy="link"]');
    if (!link || !navigator.share || root.classList.contains("embedded")) continue;
    const last = [...link.parentElement.querySelectorAll("button")].at(-1);
    last.after(" ", button("Share", async () => { // the last, so that no other moves
      try {
        await navigator.share({ title: document.title, url: location.href });
      } catch (error) {
        if (error.name !== "AbortError") link.click(); // else copy it, which says whether that worked
      }
    }));
  }
}

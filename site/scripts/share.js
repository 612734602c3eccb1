// More ways to take an answer along: its picture, a frame for other pages, a citation, the table as JSON, the share sheet
// of phones.
import { copy } from "./copy.js";
import { rows } from "./table.js";
import { absolute } from "./link.js";
import { group } from "./question.js";

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

/** What the panel shows beside the link: made when it is opened, and again after an edit. */
class Panel {
  constructor(root, details) {
    this.root = root;
    this.details = details;
    this.sheet = details.querySelector(".sheet");
    this.more = document.createElement("div");
    this.sheet.append(this.more);
    details.addEventListener("toggle", () => { if (details.open) this.fill(); });
    root.addEventListener("answer", () => { if (details.open) this.fill(); });
    document.addEventListener("pointerdown", ({ target }) => { if (details.open && !details.contains(target)) details.open = false; });
  }

  /** The link of the question. */
  get address() {
    const { calculator } = this.root;
    return calculator.page() ?? absolute(calculator.question.query(), calculator.fragment);
  }

  fill() {
    const { root, more, address } = this;
    const { calculator } = root;
    const query = new URL(address, location.href).search.slice(1) || calculator.question.query();
    const { origin } = location;
    const frame = `<iframe src="${origin}/embed/?${query.replaceAll("&", "&amp;")}" width="100%" height="600" title="${calculator.question.name || "A model"}, counted"></iframe>`;
    const today = new Date().toISOString().slice(0, 10);
    const count = group(root.querySelector(".exactly").textContent);
    const cite = `llmsize: ${calculator.question.name || "a config"}, ${count} parameters. ${address} (read ${today}).`;
    const section = (html = "") => Object.assign(document.createElement("section"), { className: "share-part", innerHTML: html });
    const part = (title, text, note) => {
      const all = section(`<label>${title}<textarea readonly rows="3"></textarea></label> <span class="said" data-said role="status"></span>`);
      const [label] = all.children;
      label.lastElementChild.value = text;
      label.after(button(`Copy ${note}`, (b) => copy(b, text)));
      return all;
    };
    const image = section();
    image.append(button("Make the picture", async (b) => {
      try {
        const { card } = await import("./card.js");
        const url = URL.createObjectURL(await card(root, address, count));
        const picture = Object.assign(document.createElement("a"), { href: url, download: "llmsize.png", textContent: "Save the picture (1200 × 630)" });
        b.replaceWith(picture);
        picture.focus();
        picture.click();
      } catch (error) {
        b.after(` The picture could not be made: ${error.message}.`);
      }
    }));
    const embed = part("Embed: paste this into a page", frame, "the frame");
    if (!calculator.question.pasted) {
      const preview = Object.assign(document.createElement("iframe"), { src: `/embed/?${query}`, title: "How the frame looks", loading: "lazy", height: "260", tabIndex: -1 });
      embed.append(preview);
    }
    more.replaceChildren(image, embed, part("Citation", cite, "the citation"));
  }
}

/** Adds the buttons. */
export function startSharing() {
  document.addEventListener("keydown", ({ key, target }) => {
    const sheet = key === "Escape" && target.closest("details[name=sheet]");
    if (sheet) sheet.open = false, sheet.querySelector("summary").focus();
  });
  for (const root of document.querySelectorAll(".calc")) {
    root.querySelector("[data-json]")?.addEventListener("click", async ({ currentTarget }) => {
      copy(/** @type {Element} */ (currentTarget), json(await root.calculator.table()));
    });
    const details = root.calculator && root.querySelector("[data-share]");
    if (details) {
      const panel = new Panel(root, details);
      if (details.open) panel.fill();
    }
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

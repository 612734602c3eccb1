// Goals in a text: says whether the page's calculator has reached them.

/** Digits of an element as a number. @param {Element | null | undefined} element */
const digits = (element) => Number(element?.textContent.replace(/\D/g, "") || NaN);

/** What a calculator shows now, by a goal's name. @param {Element} root @param {string} name */
function value(root, name) {
  const rows = root.querySelectorAll("[data-region=bytes] > details");
  const bytes = (i) => digits(rows[i]?.querySelector(".sum b"));
  if (name === "parameters") return digits(root.querySelector(".exactly"));
  if (name === "weights") return bytes(0);
  if (name === "cache") return bytes(2) - bytes(0); // its own row may have several sums
  if (name === "together") return bytes(2);
  const field = root.querySelector(`[name="${CSS.escape(name)}"]`);
  return Number(field?.value.replace(/\D/g, "") || NaN);
}

/** Watches the page's first calculator for a list of conditions. @param {Element} list @param {Element} root */
function start(list, root) {
  const said = list.parentElement.querySelector("[data-goal-said]");
  const look = () => {
    let met = 0;
    const all = /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("li"));
    for (const li of all) {
      const now = value(root, li.dataset.name);
      const bound = Number(li.dataset.bound);
      const holds = li.dataset.sign === "≤" ? now <= bound : now >= bound;
      met += Number(holds);
      li.dataset.met = holds ? "yes" : "no";
      li.querySelector("output").textContent = holds ? "reached" : "not yet";
    }
    const words = met === all.length ? "You have reached the goal." : "";
    if (said.textContent !== words) said.textContent = words;
  };
  new MutationObserver(look).observe(root, { childList: true, subtree: true, characterData: true });
  root.addEventListener("input", look);
}

const root = document.querySelector("[data-calculator]");
if (root) for (const list of document.querySelectorAll("[data-goal]")) start(list, root);

export {}; // a module

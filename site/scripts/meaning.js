// What a thing on the page is about: a component (r-ffn), a dimension (d-h), a tensor (q_proj). Read from what the
// answer's HTML says anyway: classes of boxes, swatches and letters, names in tables, words of the prose.

const roles = {
  embedding: "embedding", embeddings: "embedding", positions: "position", attention: "attention", "feed-forward": "ffn", experts: "expert", expert: "expert", router: "router",
  state: "state", norm: "norm", norms: "norm", head: "head", vision: "vision", audio: "audio", projector: "projector",
};
/** Words that name a dimension; of several the longest counts. */
const words = {
  "hidden size": "h", layers: "L", layer: "L", vocabulary: "V", "attention heads": "a", "key/value heads": "k", "key and value heads": "k", "width of a head": "d", "head width": "d",
  "feed-forward width": "f", "experts per token": "K", context: "s", sequences: "b", batch: "b", hidden_size: "h", num_hidden_layers: "L", vocab_size: "V",
  num_attention_heads: "a", num_key_value_heads: "k", head_dim: "d", intermediate_size: "f", num_experts: "E", num_experts_per_tok: "K",
};
const dimension = /^d-([hLVakdfEKsb])$/;
const role = /^r-(\w+)$/;

/** @typedef {{role?: string, dim?: string, tensor?: string}} Meaning */

const classes = (e) => (e.getAttribute("class") ?? "").split(" ");
const found = (e, pattern) => classes(e).map((c) => pattern.exec(c)?.[1]).find(Boolean);

/** A tensor's name without what is alike in all: "self_attn.q_proj.weight" is q_proj. */
export function tensor(text) {
  const parts = text.trim().split(".").filter((p) => p && p !== "weight" && p !== "bias" && !p.startsWith("{"));
  return parts.at(-1) ?? "";
}

/** The rows of the table of tensors that list one. @param {ParentNode} root @param {string} [name] @returns {any[]} */
export const rowsOf = (root, name) => (name ? [...root.querySelectorAll("table.tensors > tbody > tr")].filter((row) => tensor(row.querySelector("code").textContent) === name) : []);

/** The letters that a dimension line of the drawing begins with: "a·d 4,096", "3·h 4,800". */
export const letters = (text) => text.trim().split(" ")[0].split("·").filter((l) => /^[hLVakdfEKsb]$/.test(l));

/**
 * What an element is about; the nearest that says something counts.
 * @param {any} target
 * @returns {Meaning | null}
 */
export function meaning(target) {
  for (let e = target; e && e !== document.body; e = e.parentElement) {
    const dim = found(e, dimension);
    if (dim) return { dim };
    const of = found(e, role);
    if (of) {
      const name = classes(e).includes("m") && e.querySelector("title")?.textContent.split(" ")[0];
      return name ? { role: of, tensor: tensor(name) } : { role: of };
    }
    if (classes(e).includes("dimension")) {
      const [first] = letters(e.textContent);
      if (first) return { dim: first };
    }
    if (e.matches("table.tensors > tbody > tr")) {
      const name = tensor(e.querySelector("code").textContent);
      const of = [...e.closest("tbody.part, .parts > tbody")?.querySelectorAll("th .swatch") ?? []];
      return of.length === 1 ? { role: found(of[0], role), tensor: name } : { tensor: name };
    }
    if (e.matches(".parts > tbody > tr:first-child, .legend > li")) {
      const of = e.querySelectorAll(".swatch");
      if (of.length > 0) return { role: found(of[0], role) };
    }
    if (e.matches(".field")) {
      const letter = e.querySelector("label var");
      if (letter) return { dim: found(letter, dimension) };
    }
    if (e.matches(".answer, .prose, form")) return null;
  }
  return null;
}

const wordPattern = new RegExp(`(?<![\\w-])(${[...Object.keys(words), ...Object.keys(roles)].sort((a, b) => b.length - a.length).join("|")})(?![\\w-])`, "gi");

/**
 * The words of a text that mean something, with their places.
 * @param {string} text
 * @returns {{from: number, to: number, is: Meaning}[]}
 */
export function named(text) {
  return [...text.matchAll(wordPattern)].map((m) => {
    const word = m[1].toLowerCase();
    return { from: m.index, to: m.index + word.length, is: word in words ? { dim: words[word] } : { role: roles[word] } };
  });
}

/** What the word of a prose at a place on the screen means. @returns {Meaning | null} */
export function wordAt(x, y) {
  const at = document.caretPositionFromPoint?.(x, y);
  const range = at ? null : document.caretRangeFromPoint?.(x, y);
  const node = at?.offsetNode ?? range?.startContainer;
  const offset = at?.offset ?? range?.startOffset;
  if (node?.nodeType !== Node.TEXT_NODE) return null;
  const hit = named(node.data).find(({ from, to }) => offset >= from && offset <= to);
  if (!hit) return null;
  // The caret is the nearest one: far from any text it is not what is pointed at.
  const box = document.createRange();
  box.setStart(node, hit.from);
  box.setEnd(node, hit.to);
  for (const r of box.getClientRects()) if (x >= r.left && x <= r.right && y >= r.top && y <= r.bottom) return hit.is;
  return null;
}

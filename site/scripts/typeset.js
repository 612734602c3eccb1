// Formulas as MathJax sets them, from the text that the counting program writes. MathJax itself stays at the build: it
// rendered every atom (build/text/maths, live.go); here atoms are put in a row, with TeX's spaces between them.

/**
 * @typedef {{number: Record<string, string>, letter: Record<string, string>, operator: Record<string, [string, string]>, text: Record<string, string>,
 *   space: string, thin: string, over: string[], power: string[], css: string}} Atoms
 * @typedef {{kind: string, text?: string, dim?: string, groups?: string[], gap: boolean}} Token what was read; gap: behind a space
 * @typedef {{is: string, html: string, gap?: boolean, word?: boolean, number?: boolean, after?: boolean, inner?: Node[]}} Node a term with its class in TeX; after: what goes on with the number before
 */

/** What cannot be set: the formula stays text. */
class Unknown extends Error {}

/** Everything that a formula is written with; the first that fits counts. */
const pattern = new RegExp([
  /(?<gap>(?:\s|&nbsp;)+)/,
  /(?<number>\d+(?:,\d{3}(?!\d))*(?:\.\d+)?)/,
  /(?<operator>&lt;|&gt;|[·×÷+−\-/=≤≥≈()⌈⌉⌊⌋,;^⁄%:])/,
  /<var class="(?<dim>[\w-]+)">(?<letter>\p{L})(?:<sub>(?<index>\w+)<\/sub>)?<\/var>/u,
  /<span class="n">(?<count>\d+(?:<span>\d+<\/span>)*)<\/span>/,
  /<code>(?<code>[\w.]+)<\/code>/,
  /(?<tag><\/?(?:span|b)\b[^<>]*>)/,
  /(?<indexed>[A-Za-z]_[A-Za-z])(?!\w)/,
  /(?<word>\p{L}\p{L}+\/s(?!\p{L})|\p{L}[\p{L}\d]*(?:[-’'.][\p{L}\d]{2,}|[’']s)*)/u,
  /(?<power>[²³])/,
].map((r) => r.source).join("|"), "uy");
const signs = { "&lt;": "<", "&gt;": ">", "-": "−", "⁄": "/" };

/** @param {string} html @returns {Token[]} */
function read(html) {
  /** @type {Token[]} */
  const tokens = [];
  let gap = false;
  const put = (kind, more) => { tokens.push({ kind, gap, ...more }); gap = false; };
  for (let at = 0; at < html.length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const found = pattern.exec(html)?.groups ?? missing(html.slice(at));
    const { number, operator, letter, count, word } = found;
    if (found.gap) gap = true;
    else if (number) put("number", { groups: [number] });
    else if (operator) put("operator", { text: signs[operator] ?? operator });
    else if (letter) put("letter", { dim: found.dim, text: found.index ? `${letter}_${found.index}` : letter });
    else if (count) put("number", { groups: count.replaceAll("</span>", "").split("<span>") });
    else if (found.code) put("code", { text: found.code });
    else if (found.indexed) put("letter", { text: found.indexed });
    else if (found.power) put("operator", { text: "^" }), put("number", { groups: [found.power === "²" ? "2" : "3"] });
    else if (word) {
      // 6ND is a product of letters; "a second" has an article, 700 W a unit.
      const behind = tokens.at(-1)?.kind === "number";
      if (behind && !gap && /^\p{Lu}+$/u.test(word)) for (const text of word) put("letter", { text });
      else if (word.length > 1 || behind && gap || word === "a" && /^ \p{L}{2}/u.test(html.slice(pattern.lastIndex))) put("word", { text: word });
      else put("letter", { text: word });
    }
  }
  return tokens;
}

/** Digits and commas beyond which a number may be broken, and stands apart from its unit. */
const long = 24;

const mirror = { "(": ")", "⌈": "⌉", "⌊": "⌋" };

/** Reads tokens into terms. @param {Atoms} atoms */
class Reader {
  constructor(tokens, atoms) {
    this.tokens = tokens;
    this.atoms = atoms;
    this.at = 0;
  }

  get token() { return this.tokens[this.at]; }

  is(text) { return this.token?.kind === "operator" && this.token.text === text; }

  glyphs(table, text) {
    return [...text].map((c) => this.atoms[table][c] ?? missing(c)).join("");
  }

  /** Terms up to a closing sign. @param {string} [close] @param {boolean} [flat] whether quotients stay on the line */
  terms(close, flat) {
    /** @type {Node[]} */
    const nodes = [];
    while (this.token && !(close && this.is(close))) {
      if (this.is("/") && this.token.gap && this.tokens[this.at + 1]?.gap && !flat && nodes.length) {
        this.at++;
        const above = factor(nodes);
        const below = [];
        do below.push(...this.term(flat)); while (this.token && !(close && this.is(close)) && !this.ends(below.at(-1)));
        const [before, between, after] = this.atoms.over;
        nodes.push({ is: "inner", gap: above[0].gap, html: before + lines(bare(above), this.atoms) + between + lines(bare(below), this.atoms) + after });
      } else nodes.push(...this.term(flat));
    }
    return nodes;
  }

  /** Whether what comes isn't part of a factor that ends with a node. */
  ends(last) {
    const { token } = this;
    if (token.kind === "operator") return !mirror[token.text] && token.text !== "^";
    return !token.gap ? false : token.kind !== "word" || last.is === "close";
  }

  /** One term with its exponent. @returns {Node[]} */
  term(flat) {
    const { token, atoms } = this;
    const { gap } = token;
    let node;
    this.at++;
    if (token.kind === "number") {
      if (token.groups[0].length > long) return this.digits(token);
      node = { is: "ord", gap, number: true, html: token.groups.map((g) => `<mjx-mn>${this.glyphs("number", g)}</mjx-mn>`).join(atoms.thin) };
      if (this.is("%")) {
        this.at++;
        node.html += `<mjx-mtext>${atoms.text["%"]}</mjx-mtext>`;
      }
    } else if (token.kind === "letter") {
      const html = atoms.letter[token.text] ?? missing(token.text);
      node = { is: "ord", gap, html: token.dim ? html.replace(/^<[\w-]+/, `$& class="${token.dim}"`) : html };
    } else if (token.kind === "word") {
      if (/^(min|max|log)$/.test(token.text) && this.is("(")) {
        const [is, html] = atoms.operator[token.text];
        return [{ is: is === "ord" ? "op" : is, gap, html }];
      }
      let { text } = token;
      const colon = this.is(":");
      if (colon) {
        this.at++;
        text += ":";
      }
      node = { is: colon ? "label" : "ord", gap, word: true, html: `<mjx-mtext>${this.glyphs("text", text)}</mjx-mtext>` };
    } else if (token.kind === "code") {
      node = { is: "ord", gap, word: true, html: `<mjx-mtext><mjx-utext>${token.text}</mjx-utext></mjx-mtext>` };
    } else if (mirror[token.text]) {
      node = this.group(token, flat);
    } else {
      const [is, html] = atoms.operator[token.text] ?? missing(token.text);
      return [{ is, gap, html }];
    }
    if (!this.is("^")) return [node];
    this.at++;
    const [before, between, after] = atoms.power;
    const power = inline(bare(this.term(true)), atoms, true);
    return [{ is: node.inner ? "close" : "ord", gap, html: before + inline([node], atoms) + between + power + after }];
  }

  /** A number that a phone's line may not hold: it may be broken after every third comma. @returns {Node[]} */
  digits({ groups, gap }) {
    return groups[0].match(/[\d.]+(?:,\d+){0,2},?/g).map((part, i) => ({ is: "ord", gap: gap && i === 0, number: true, after: i > 0, html: `<mjx-mn>${this.glyphs("number", part)}</mjx-mn>` }));
  }

  /** What is in parentheses, with them; a lone quotient does without. */
  group(token, flat) {
    const { at } = this;
    const close = mirror[token.text];
    let inner = this.terms(close, false);
    if (token.text === "(" && inner.length === 1 && inner[0].is === "inner" && !flat) {
      this.close(close);
      return { ...inner[0], gap: token.gap };
    }
    this.at = at;
    inner = this.terms(close, true);
    this.close(close);
    const { operator } = this.atoms;
    return { is: "close", gap: token.gap, html: "", inner: [{ is: "open", gap: token.gap, html: operator[token.text][1] }, ...inner, { is: "close", html: operator[close][1] }] };
  }

  close(text) {
    if (!this.is(text)) missing(text);
    this.at++;
  }
}

/** @param {string} what @returns {never} */
function missing(what) {
  throw new Unknown(what);
}

/** Takes the factor off the end of terms: back to an operator, a label, or words before a number. @param {Node[]} nodes */
function factor(nodes) {
  let i = nodes.length;
  while (i > 0 && /^(ord|close|inner|open)$/.test(nodes[i - 1].is) && !(i < nodes.length && nodes[i].number && nodes[i - 1].word)) i--;
  if (i === nodes.length) missing("/");
  return nodes.splice(i);
}

/** A factor above or below a line, or in an exponent, needs no parentheses. @param {Node[]} nodes */
const bare = (nodes) => (nodes.length === 1 && nodes[0].inner ? nodes[0].inner.slice(1, -1) : nodes);

/** Groups as terms in a row. @param {Node[]} nodes @returns {Node[]} */
const spread = (nodes) => nodes.flatMap((n) => (n.inner ? spread(n.inner) : [n]));

/** TeX's spaces: 2 thin, 3 medium, 4 thick. */
function space(left, right) {
  if (left === "bin" || right === "bin") return 3;
  if (left === "rel" || right === "rel") return left === right || left === "open" || right === "close" ? 0 : 4;
  if (left === "punct") return 2;
  if (left === "open" || right === "close" || right === "punct" || right === "open" && left !== "inner") return 0;
  return left === "op" || right === "op" || left === "inner" || right === "inner" ? 2 : 0;
}

/** Terms with the space before each, an operator without a left side being none. @param {Node[]} nodes */
function spaced(nodes, tight) {
  let left = "";
  return spread(nodes).map((n) => {
    const is = n.is === "bin" && /^(|bin|rel|open|punct|op|label)$/.test(left) ? "ord" : n.is;
    const wide = left && !tight ? space(left === "label" ? "ord" : left, is === "label" ? "ord" : is) : 0;
    // Between words, and where TeX has no more than a thin space for what the text sets apart.
    const apart = left && n.gap && !tight && (wide === 0 || wide === 2 && (left !== "punct" || n.word));
    left = is;
    return { ...n, is, wide: apart ? 0 : wide, apart };
  });
}

const set = (n) => (n.wide ? n.html.replace(/^<[\w-]+/, `$& space="${n.wide}"`) : n.html);

/** Terms that are not broken. */
const inline = (nodes, atoms, tight) => spaced(nodes, tight).map((n) => (n.apart ? atoms.space : "") + set(n)).join("");

/** Terms in pieces between which a line may be broken: before operators, and between words. */
function lines(nodes, atoms) {
  const pieces = [];
  let left = null;
  for (const n of spaced(nodes)) {
    // A fraction may stand alone: it is then as wide as the line, and broken above and below its bar.
    const opens = !left || n.after || n.is === "inner" || (n.is === "bin" || n.is === "rel" || n.apart) && !(n.word && left.number && !left.after);
    if (opens) pieces.push("");
    const i = pieces.length - 1;
    // The space stands at the end of the piece before: a line does not begin with it.
    if (n.apart && opens) pieces[i - 1] += atoms.space;
    pieces[i] += (n.apart && !opens ? atoms.space : "") + set(n);
    left = n;
  }
  return pieces.length > 1 ? `<mjx-mrow class="lines">${pieces.map((p) => `<mjx-mrow>${p}</mjx-mrow>`).join("")}</mjx-mrow>` : pieces[0] ?? "";
}

/** Whether there is mathematics in a formula, and not words alone. @param {string} html */
export const formal = (html) => /<var|[·×÷+−≤≥(]| \/ |(?<!\p{L})\p{L}(?!\p{L})(?! \p{L})/u.test(html.replace(/<\/?(span|b|code)\b[^>]*>/g, ""));

/**
 * Sets a formula.
 * @param {string} html as site/view writes formulas: text with var, code and counts
 * @param {Atoms} atoms
 * @returns {string | null} what is in mjx-math, or null when something in it has no atom
 */
export function typeset(html, atoms) {
  try {
    const reader = new Reader(read(html), atoms);
    const nodes = reader.terms();
    return nodes.length ? lines(nodes, atoms) : null;
  } catch (error) {
    if (error instanceof Unknown) return null;
    throw error;
  }
}

// Bundled by bundle.go, run in goja: what formulas that are put together in a reader's browser are made of, in MathJax's
// CHTML. Each atom is MathJax's own rendering of it; so is the stylesheet.
import {mathjax} from '@mathjax/src/js/mathjax.js';
import {TeX} from '@mathjax/src/js/input/tex.js';
import {CHTML} from '@mathjax/src/js/output/chtml.js';
import {liteAdaptor} from '@mathjax/src/js/adaptors/liteAdaptor.js';
import {RegisterHTMLHandler} from '@mathjax/src/js/handlers/html.js';
import '@mathjax/src/js/input/tex/base/BaseConfiguration.js';
import '@mathjax/src/js/input/tex/ams/AmsConfiguration.js';
import '@mathjax/src/js/input/tex/html/HtmlConfiguration.js';
import {MathJaxNewcmFont} from '@mathjax/mathjax-newcm-font/mjs/chtml.js';

mathjax.asyncLoad = (name) => { throw new Error('font range not bundled: ' + name); };
mathjax.asyncIsSynchronous = true;

const adaptor = liteAdaptor();
RegisterHTMLHandler(adaptor);
const tex = new TeX({
  packages: ['base', 'ams', 'html'],
  formatError: (_jax, err) => { throw new Error(err.message); },
});
const chtml = new CHTML({fontData: MathJaxNewcmFont, fontURL: '', linebreaks: {inline: false}, displayOverflow: 'overflow'});
const doc = mathjax.document('', {InputJax: tex, OutputJax: chtml});

/** Styles of elements as classes: the site's content policy forbids style attributes. */
const styles = new Map();

function clean(html) {
  return html
    .replace(/ data-latex="[^"]*"| noic="true"/g, '')
    // The height of a word's letters isn't part of a letter.
    .replace(/(<mjx-c [^>]*?) style="padding-top: [^"]*"/g, '$1')
    .replace(/ style="([^"]*)"/g, (_, style) => {
      if (!styles.has(style)) styles.set(style, 'mjx-s' + (styles.size + 1));
      return ` class="${styles.get(style)}"`;
    })
    .replace(/<(mjx-[\w-]+) class="([^"]*)" class="([^"]*)"/g, '<$1 class="$2 $3"');
}

/** Renders TeX as a formula that is displayed. Returns what is inside of mjx-math, and the tree that it was made of. */
function render(source) {
  tex.reset();
  const item = new doc.options.MathItem(source, tex, true);
  item.setMetrics(16, 8, 1e6, 1e6, 1);
  item.convert(doc);
  const html = clean(adaptor.innerHTML(adaptor.tags(item.typesetRoot, 'mjx-math')[0]));
  if (html.includes('mjx-utext')) throw new Error('the font lacks a glyph of ' + source);
  return {html, root: item.root};
}

const classes = ['ord', 'op', 'bin', 'rel', 'open', 'close', 'punct', 'inner'];

/** The first operator of a formula's tree. */
function operator(node) {
  if (node.isKind('mo')) return node;
  for (const child of node.childNodes ?? []) {
    const found = operator(child);
    if (found) return found;
  }
  return null;
}

/** The glyphs of one token, by the characters they stand for. */
function glyphs(source, characters) {
  const all = render(source).html.match(/<mjx-c [^>]*>[^<]*<\/mjx-c>/g);
  if (all.length !== characters.length) throw new Error(`${source} has ${all.length} glyphs, not ${characters.length}`);
  return Object.fromEntries(characters.map((c, i) => [c, all[i]]));
}

/** A construction around slots: the markup before, between and after them. */
function around(source, ...slots) {
  let {html} = render(source);
  const parts = [];
  for (const slot of slots) {
    const {html: filled} = render(slot);
    const at = [filled, filled.replace('<mjx-mn', '<mjx-mn size="s"')].find((f) => html.includes(f));
    const i = html.indexOf(at);
    if (i < 0) throw new Error(`${source} does not show ${slot}: ${html}`);
    parts.push(html.slice(0, i));
    html = html.slice(i + at.length);
  }
  return [...parts, html];
}

/** What the page asks for, as live.go lists it. */
globalThis.renderAtoms = (text) => {
  const wanted = JSON.parse(text);
  const atoms = {
    number: {...glyphs('0123456789.5', [...'0123456789.5']), ...glyphs('1{,}2', [...'1,2'])},
    letter: {}, operator: {},
    text: {},
    space: render('\\mskip 4.5mu').html, // a quarter of an em, between words
    thin: render('\\,').html, // between groups of digits
    over: around('\\frac{1}{2}', '1', '2'),
    power: around('x^{2}', 'x', '2'),
  };
  for (const [sign, source] of Object.entries(wanted.letters)) atoms.letter[sign] = render(source).html;
  for (const [sign, source] of Object.entries(wanted.operators)) {
    // Alone it isn't an operator: its class is told by what is between two terms.
    atoms.operator[sign] = [classes[operator(render(`x ${source} y`).root)?.texClass] ?? 'ord', render(source).html];
  }
  for (const character of wanted.text) Object.assign(atoms.text, glyphs(`\\text{${character}}`, [character]));
  atoms.css = stylesheet(JSON.stringify(atoms).replaceAll('\\"', '"'));
  return JSON.stringify(atoms);
};

/** MathJax's rendering of a whole formula, to hold the page's own against. */
globalThis.renderWhole = (source) => render(source).html;

/**
 * MathJax's stylesheet without the rules that nothing here needs. Elements that the page adds around atoms have theirs.
 * @param {string} html all atoms
 */
function stylesheet(html) {
  const tags = new Set(['mjx-container', 'mjx-math', 'mjx-mn', 'mjx-mtext', 'mjx-mrow', ...[...html.matchAll(/<(mjx-[\w-]+)/g)].map((m) => m[1])]);
  const names = new Set(['NCM-N', ...[...html.matchAll(/class="([^"]*)"/g)].flatMap((m) => m[1].split(' '))]);
  const attributes = new Set(['[jax="CHTML"]', '[space="2"]', '[space="3"]', '[space="4"]', ...[...html.matchAll(/ ([\w-]+="[^"]*")/g)].map((m) => `[${m[1]}]`)]);
  const needed = (selector) =>
    (selector.match(/mjx-[\w-]+(?![\w-]*")/g) ?? []).filter((t) => !selector.includes('.' + t)).every((t) => tags.has(t)) &&
    (selector.match(/\.[A-Za-z][\w-]*/g) ?? []).every((c) => names.has(c.slice(1))) &&
    (selector.match(/\[[^\]]*\]/g) ?? []).every((a) => attributes.has(a));
  const kept = [];
  for (const [, list, body] of adaptor.cssText(chtml.styleSheet(doc)).matchAll(/^([^@\s{}][^{}]*?) \{\n([^{}]*)\}/gm)) {
    const selectors = list.split(/,\s*/).filter(needed);
    if (selectors.length) kept.push(`${selectors.join(', ')} {\n${body}}`);
  }
  for (const [style, name] of styles) kept.push(`.${name} {\n  ${style}\n}`);
  return kept.join('\n');
}

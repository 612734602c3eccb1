// Bundled by bundle.go, run in goja: TeX in, SVG, glyphs and MathML out. No Node, no DOM.
import {mathjax} from '@mathjax/src/js/mathjax.js';
import {TeX} from '@mathjax/src/js/input/tex.js';
import {SVG} from '@mathjax/src/js/output/svg.js';
import {liteAdaptor} from '@mathjax/src/js/adaptors/liteAdaptor.js';
import {RegisterHTMLHandler} from '@mathjax/src/js/handlers/html.js';
import {SerializedMmlVisitor} from '@mathjax/src/js/core/MmlTree/SerializedMmlVisitor.js';
import '@mathjax/src/js/input/tex/base/BaseConfiguration.js';
import '@mathjax/src/js/input/tex/ams/AmsConfiguration.js';
import '@mathjax/src/js/input/tex/newcommand/NewcommandConfiguration.js';
import '@mathjax/src/js/input/tex/html/HtmlConfiguration.js';
import '@mathjax/src/js/input/tex/boldsymbol/BoldsymbolConfiguration.js';
import {MathJaxNewcmFont} from '@mathjax/mathjax-newcm-font/mjs/svg.js';
import bundledRanges from 'font-ranges'; // written by bundle.go: imports the chosen ranges, exports their names

mathjax.asyncLoad = () => {}; // every bundled range registers itself when it is imported
mathjax.asyncIsSynchronous = true;

// A range that is not bundled has to fail: with a loader that does nothing, a missing delimiter is looked for without end.
for (const [name, range] of Object.entries(MathJaxNewcmFont.dynamicFiles)) {
  if (!bundledRanges.includes(name)) {
    range.setup = () => {
      range.promise = null;
      throw new Error('font range not bundled: ' + name + ' (add it to fontRanges in build/text/maths/bundle.go)');
    };
  }
}

const adaptor = liteAdaptor();
RegisterHTMLHandler(adaptor);
const tex = new TeX({
  packages: ['base', 'ams', 'newcommand', 'html', 'boldsymbol'],
  formatError: (_jax, err) => { throw new Error(err.message); },
});
const svg = new SVG({
  fontCache: 'global', fontData: MathJaxNewcmFont, useXlink: false,
  linebreaks: {inline: false}, displayOverflow: 'overflow',
});
const doc = mathjax.document('', {InputJax: tex, OutputJax: svg});
const visitor = new SerializedMmlVisitor();

// The cache of glyph outlines is emptied before each formula, so that the answer names
// exactly the glyphs that this formula draws. The page unites them.
globalThis.renderTeX = (source, display) => {
  tex.reset();
  svg.clearFontCache();
  const item = new doc.options.MathItem(source, tex, display); // one parse for both outputs
  item.setMetrics(16, 8, 1e6, 1e6, 1);
  item.convert(doc);
  const root = adaptor.tags(item.typesetRoot, 'svg')[0];
  return JSON.stringify({
    viewBox: adaptor.getAttribute(root, 'viewBox'),
    drawing: adaptor.innerHTML(root),
    glyphs: Object.fromEntries(svg.fontCache.cache),
    mathml: visitor.visitTree(item.root),
  });
};

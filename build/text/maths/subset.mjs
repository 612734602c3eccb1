// Run by Node: cuts the font that is named to the characters of the standard input, and writes it as woff2. The notice of its
// copyright stays in it; the advance of each glyph and the height of lines do not change.
import {readFileSync, writeSync} from 'node:fs';
import subsetFont from 'subset-font';

const out = await subsetFont(readFileSync(process.argv[1]), readFileSync(0, 'utf8'), {targetFormat: 'woff2'});
writeSync(1, out);

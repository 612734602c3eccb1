// Run by Node: cuts the font that is named to the characters of the standard input, without hints and features that a screen
// does not need, and writes it as woff2. The notice of its copyright stays in it.
import {readFileSync, writeSync} from 'node:fs';
import subsetFont from 'subset-font';

const out = await subsetFont(readFileSync(process.argv[1]), readFileSync(0, 'utf8'), {
  targetFormat: 'woff2', noHinting: true, noLayoutClosure: true, keepFeatures: [], dropTables: ['MATH', 'BASE', 'DSIG', 'meta', 'GDEF', 'GPOS'],
});
writeSync(1, out);

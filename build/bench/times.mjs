// Times questions in a program as the page asks it: the answer, then every region.
// Usage: node times.mjs wasm_exec.js program.wasm input.json; prints [{Refused, Answer, All, Memory, Regions}]: what was
// named as the reason for no answer, milliseconds, bytes, and how many regions were written. Each question is asked three times, of an instance of its own; the least counts.
import { readFileSync } from "node:fs";
import { load } from "../toolchain/program.mjs";

const [, , exec, wasm, input] = process.argv;
const { families, questions } = JSON.parse(readFileSync(input, "utf8"));
const start = await load(exec, wasm, families);

// The processor's time: a machine that does other things too makes waiting longer.
const now = () => (({ user, system }) => (user + system) / 1000)(process.cpuUsage());

const out = [];
for (const question of questions) {
  const best = { Refused: "", Answer: Infinity, All: Infinity, Memory: 0, Regions: 0 };
  for (let i = 0; i < 3; i++) {
    const program = await start();
    const from = now();
    let error, answered, regions = [], at = "answer";
    try {
      ({ error, regions = [] } = JSON.parse(program.answer(question)));
      answered = now() - from;
      for (const [i, id] of regions.entries()) {
        at = id;
        program.region(i);
      }
    } catch (e) {
      error = { field: `${at}: ${e}, ${program.memory() >> 20} MB` };
    }
    best.Regions = regions.length;
    best.Refused = error ? error.field || error.problem : "";
    best.Answer = Math.min(best.Answer, answered);
    best.All = Math.min(best.All, now() - from);
    best.Memory = Math.max(best.Memory, program.memory());
  }
  out.push(best);
}
console.log(JSON.stringify(out));
process.exit(0); // Go's program waits for ever

// Asks a program every question of a file, as the page does, and prints a hash of each answer.
// Usage: node answers.mjs wasm_exec.js program.wasm input.json
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { load } from "../../../build/toolchain/program.mjs";

const [, , exec, wasm, input] = process.argv;
const { families, questions } = JSON.parse(readFileSync(input, "utf8"));
const start = await load(exec, wasm, families);
const most = 64 << 20;
let program = await start();
let instances = 1;
const times = [];
for (const question of questions) {
  if (program.memory() > most) {
    program = await start();
    instances++;
  }
  const from = performance.now();
  const hash = createHash("sha256");
  try {
    const answer = program.answer(question);
    hash.update(answer);
    JSON.parse(answer).regions?.forEach((_, i) => hash.update(program.region(i)));
  } catch (error) {
    console.error(`${question.name} ${question.query}, ${program.memory() >> 20} MB: ${question.config.slice(0, 400)}`);
    throw error;
  }
  times.push(performance.now() - from);
  console.log(hash.digest("hex"));
}
times.sort((a, b) => a - b);
console.error(`${instances} instances; an answer took ${times[times.length >> 1].toFixed(2)} ms in the middle, ${times.at(-1).toFixed(2)} at most`);
process.exit(0); // Go's program waits for ever

// Asks a program every question of a file, as the page does, and prints a hash of each answer.
// Usage: node answers.mjs wasm_exec.js program.wasm input.json
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [, , exec, wasm, input] = process.argv;
createRequire(import.meta.url)(exec);
const { families, questions } = JSON.parse(readFileSync(input, "utf8"));
const module = await WebAssembly.compile(readFileSync(wasm));
const encoder = new TextEncoder();
const most = 64 << 20;
let x, memory, program;

function put(text) {
  const bytes = encoder.encode(text);
  const at = x.argument(bytes.length);
  new Uint8Array(memory.buffer).set(bytes, at);
}

const read = (at) => new Uint8Array(memory.buffer, at, x.length());

async function start() {
  if (WebAssembly.Module.imports(module).length === 0) {
    x = (await WebAssembly.instantiate(module)).exports;
    x._initialize();
  } else {
    const go = new globalThis.Go();
    const instance = await WebAssembly.instantiate(module, go.importObject);
    program = go.run(instance);
    x = instance.exports;
  }
  memory = x.memory ?? x.mem;
  put(families);
  x.families();
}

await start();
let instances = 1;
const times = [];
for (const question of questions) {
  if (memory.buffer.byteLength > most) {
    await start();
    instances++;
  }
  const from = performance.now();
  put(JSON.stringify(question));
  const hash = createHash("sha256");
  try {
    const answer = Buffer.from(read(x.answer()));
    hash.update(answer);
    JSON.parse(answer).regions?.forEach((_, i) => hash.update(read(x.region(i))));
  } catch (error) {
    console.error(`${question.name} ${question.query}, ${memory.buffer.byteLength >> 20} MB: ${question.config.slice(0, 400)}`);
    throw error;
  }
  times.push(performance.now() - from);
  console.log(hash.digest("hex"));
}
times.sort((a, b) => a - b);
console.error(`${instances} instances; an answer took ${times[times.length >> 1].toFixed(2)} ms in the middle, ${times.at(-1).toFixed(2)} at most`);
process.exit(0); // Go's program waits for ever

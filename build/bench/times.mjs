// Times questions in a program as the page asks it: the answer, then every region that is no worker's.
// Usage: node times.mjs wasm_exec.js program.wasm input.json; prints [{Answer, All, Memory}] in ms and bytes.
// Each question is asked three times, of an instance of its own; the least counts.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [, , exec, wasm, input] = process.argv;
createRequire(import.meta.url)(exec);
const { families, questions } = JSON.parse(readFileSync(input, "utf8"));
const module = await WebAssembly.compile(readFileSync(wasm));
const encoder = new TextEncoder();
const decoder = new TextDecoder();

async function instance() {
  let x;
  if (WebAssembly.Module.imports(module).length === 0) {
    x = (await WebAssembly.instantiate(module)).exports;
    x._initialize();
  } else {
    const go = new globalThis.Go();
    const made = await WebAssembly.instantiate(module, go.importObject);
    Promise.resolve(go.run(made)).catch(() => {});
    x = made.exports;
  }
  const memory = x.memory ?? x.mem;
  const put = (text) => {
    const bytes = encoder.encode(text);
    const at = x.argument(bytes.length);
    new Uint8Array(memory.buffer).set(bytes, at);
  };
  const read = (at) => decoder.decode(new Uint8Array(memory.buffer, at, x.length()));
  put(families);
  x.families();
  return { x, put, read, memory };
}

// The processor's time: a machine that does other things too makes waiting longer.
const now = () => (({ user, system }) => (user + system) / 1000)(process.cpuUsage());

const out = [];
for (const { Query, Config, Device } of questions) {
  const best = { Answer: Infinity, All: Infinity, Memory: 0 };
  for (let i = 0; i < 3; i++) {
    const { x, put, read, memory } = await instance();
    const from = now();
    put(JSON.stringify({ query: Query, name: "", slug: "", config: Config, device: Device }));
    const answer = JSON.parse(read(x.answer()));
    const answered = now() - from;
    for (const [i, id] of (answer.regions ?? []).entries()) {
      if (id !== "layouts") read(x.region(i)); // a worker's
    }
    best.Answer = Math.min(best.Answer, answered);
    best.All = Math.min(best.All, now() - from);
    best.Memory = Math.max(best.Memory, memory.buffer.byteLength);
  }
  out.push(best);
}
console.log(JSON.stringify(out));
process.exit(0); // Go's program waits for ever

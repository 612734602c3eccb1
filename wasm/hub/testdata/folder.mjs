// Drops a folder on the worker, as the page does, and prints what comes of it with the memory that verify.wasm then has.
// Usage: node folder.mjs worker.js wasm_exec.js verify.wasm families.txt FOLDER, where FOLDER/sizes.json says how long files are:
// behind what there is of them on disk they read as zeros.
import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { runInThisContext } from "node:vm";

const [, , worker, exec, wasm, families, folder] = process.argv.map((path) => resolve(path));

class Held {
  constructor(path, size) {
    Object.assign(this, { path, size });
  }

  slice(from, to) {
    return { arrayBuffer: async () => {
      const bytes = new Uint8Array(Math.max(Math.min(to, this.size) - from, 0));
      const file = openSync(this.path);
      if (from < fstatSync(file).size) readSync(file, bytes, 0, bytes.length, from);
      closeSync(file);
      return bytes.buffer;
    } };
  }

  text() {
    return readFileSync(this.path, "utf8");
  }
}

globalThis.self = globalThis;
globalThis.importScripts = createRequire(import.meta.url);
globalThis.fetch = async (path) => ({ ok: true, text: () => readFileSync(path, "utf8"), arrayBuffer: () => readFileSync(path) });
let memory;
let first; // the memory of what reads the headers
const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (...of) => {
  const made = await instantiate(...of);
  ({ memory = made.exports.mem } = made.exports);
  first ??= memory;
  return made;
};
const sizes = JSON.parse(readFileSync(join(folder, "sizes.json"), "utf8"));
const files = Object.entries(sizes).map(([name, size]) => ({ path: `folder/${name}`, file: new Held(join(folder, name), size) }));
let came = {};
globalThis.postMessage = (answer) => {
  if (!("ok" in answer)) return;
  const asked = "verdict" in came;
  const { user, system } = process.cpuUsage();
  came = { ...came, ...answer, processor: (user + system) / 1000, [asked ? "answered" : "memory"]: memory.buffer.byteLength, peak: first.buffer.byteLength };
  if (answer.verdict?.verdict === "alone") { // which answers questions, too
    globalThis.onmessage({ data: { id: 2, of: 1, question: { query: "v=1", name: "folder" } } });
    return;
  }
  console.log(JSON.stringify(came));
  process.exit(0); // Go's program runs on
};
runInThisContext(readFileSync(worker, "utf8"), worker);
globalThis.onmessage({ data: { id: 1, verify: wasm, verifyExec: exec, families, files } });

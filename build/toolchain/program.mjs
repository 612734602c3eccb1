// Drives a program of the page in Node as the page drives it (package wasm/program says how), for tests and timings.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const encoder = new TextEncoder();

/**
 * Compiles a program, and returns a function that starts it, each time with a memory of its own.
 * @param {string} exec the compiler's wasm_exec.js
 * @param {string} wasm the program's file
 */
export async function open(exec, wasm) {
  createRequire(import.meta.url)(exec);
  const module = await WebAssembly.compile(readFileSync(wasm));
  return async function start() {
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
    return {
      x,
      /** Puts the next argument of a call. */
      put(text) {
        const bytes = encoder.encode(text);
        const at = x.argument(bytes.length);
        new Uint8Array(memory.buffer).set(bytes, at);
      },
      /** The bytes of what a call has returned. */
      read: (at) => Buffer.from(new Uint8Array(memory.buffer, at, x.length())),
      /** How many bytes of memory the instance has. */
      memory: () => memory.buffer.byteLength,
    };
  };
}

/**
 * The same for a program that counts.
 * @param {string} families the packed family files that each instance is given
 */
export async function load(exec, wasm, families) {
  const instance = await open(exec, wasm);
  return async function start() {
    const { x, put, read, memory } = await instance();
    put(families);
    x.families();
    return {
      /** The answer to a message, as bytes of JSON. */
      answer(message) {
        put(JSON.stringify(message));
        return read(x.answer());
      },
      /** The bytes of one of the answer's regions. */
      region: (i) => read(x.region(i)),
      memory,
    };
  };
}

// Has the program draw every plan of a file for both columns, and prints what it drew as JSON.
// Usage: node draw.mjs wasm_exec.js program.wasm plans.json
import { readFileSync } from "node:fs";
import { open } from "../../../build/toolchain/program.mjs";

const [, , exec, wasm, input] = process.argv;
const { x, put, read } = await (await open(exec, wasm))();
const drawn = JSON.parse(readFileSync(input, "utf8")).flatMap((plan) => [1, 0].map((wide) => {
  put(plan);
  return read(x.draw(wide)).toString();
}));
process.stdout.write(JSON.stringify(drawn), () => process.exit(0)); // Go's program waits for ever

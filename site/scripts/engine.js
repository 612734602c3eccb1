// Owns the counting program: loads it once, asks it, and makes a new instance when one breaks.
import calcAddress from "asset:calc.wasm";
import lensesAddress from "asset:lenses.wasm";
import drawAddress from "asset:draw.wasm";
import execAddress from "asset:calc.exec.js";
import { devices } from "./lists.js";

/**
 * @typedef {{field: string, given: string, problem: string, allowed: string, hint: string, line: number}} Fault
 * @typedef {{query: string, issues: Fault[], error: Fault | null, need?: string, title?: string, spoken?: string, published?: string, regions?: string[], html?: (region: string) => string}} Answer
 * @typedef {{query: string, name: string, slug: string, config: string, device?: string, others?: string[]}} Question
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The program broke at this question and was started again. */
export class Broken extends Error {}

/** The program in use: the small one, until a question needs every lens. */
let address = calcAddress;
/** @type {Promise<WebAssembly.Module> | null} */
let compiled = null;
/** @type {any} */
let program = null;
/** Bundles of family files that an instance needs. @type {string[]} */
const bundles = [];

/** TinyGo's program frees nothing: past this many bytes a new instance takes over. */
const most = 64 << 20;

function renew() {
  program = null;
  start().catch(() => {}); // the next question tries again
}

/** Compiles the program, once; a failure is forgotten, so that the next call tries again. */
async function compile() {
  compiled ??= fetchModule(address);
  try {
    return await compiled;
  } catch (error) {
    compiled = null;
    throw error;
  }
}

/** @param {string} from address of a program */
async function fetchModule(from) {
  const response = await fetch(from);
  if (!response.ok) throw new Error(`the counting program could not be loaded: status ${response.status}`);
  const kept = response.clone();
  return WebAssembly.compileStreaming(response).catch(async () => WebAssembly.compile(await kept.arrayBuffer()));
}

/** @type {Promise<void> | null} */
let widening = null;

/** Devices by slug, as the program reads them: known when every lens is. @type {Map<string, string>} */
const known = new Map();

/** Whether the program answers in every lens. */
export const wide = () => address !== calcAddress;

/** Goes over to the program with every lens, or to a larger one. The small one answers until it is there, and what its answers need. @param {string} [to] @param {Promise<any>} [needs] */
export async function widen(to, needs) {
  if (to || !widening) widening = over(to ?? lensesAddress, needs);
  try {
    await widening;
  } catch (error) {
    widening = null;
    throw error;
  }
}

/** @param {string} to @param {Promise<any>} [needs] */
async function over(to, needs) {
  const [module, list] = await Promise.all([fetchModule(to), devices(), needs]);
  for (const d of list) known.set(d.slug, JSON.stringify(d));
  if (wide() && to === lensesAddress) return; // a larger one was quicker
  address = to;
  compiled = Promise.resolve(module);
  program = null;
  await start();
}

/** Makes an instance and gives it the families. */
async function start() {
  const from = address;
  const module = await compile();
  if (program) return;
  const x = await instantiate(module);
  if (program || address !== from) return; // another start was quicker, or a larger program is on its way
  program = { ...x, memory: x.memory ?? x.mem };
  for (const bundle of bundles) give(bundle);
}

/** TinyGo's program wants nothing of the page; Go's wants its wasm_exec.js. @param {WebAssembly.Module} module */
async function instantiate(module) {
  if (WebAssembly.Module.imports(module).length === 0) {
    const { exports } = /** @type {any} */ (await WebAssembly.instantiate(module));
    exports._initialize();
    return exports;
  }
  await import(execAddress);
  const go = new globalThis.Go();
  const instance = await WebAssembly.instantiate(module, go.importObject);
  Promise.resolve(go.run(instance)).catch(() => {}); // a program of exports: it does not end, or has ended well
  return instance.exports;
}

/** @param {string} text the next argument of a call @param {any} [to] a program */
function put(text, to = program) {
  const bytes = encoder.encode(text);
  const at = to.argument(bytes.length);
  new Uint8Array(to.memory.buffer).set(bytes, at);
}

/** The program that draws what any other has counted: loaded when somebody turns to a question. */
let pen = null;
/** @type {Promise<void> | null} while it is on its way */
let sharpening = null;

/** Loads the program that draws. A failure is forgotten, so that the next call tries again. */
export async function prepareDrawing() {
  if (pen) return;
  sharpening ??= fetchModule(drawAddress).then(instantiate).then((x) => { pen = { ...x, memory: x.memory ?? x.mem }; }).finally(() => { sharpening = null; });
  await sharpening;
}

/** Whether a drawing is made without waiting. */
export const draws = () => pen !== null;

/** Draws a plan; the program must be there. @param {string} plan @param {boolean} broad */
function drawn(plan, broad) {
  const by = pen;
  pen = null; // a trap would leave it in an unknown state
  put(plan, by);
  const svg = taken(by, by.draw(Number(broad)));
  if (by.memory.buffer.byteLength <= most) pen = by;
  return svg;
}

function give(bundle) {
  put(bundle);
  program.families();
}

/** Loads the program, so that the first question is answered at once. */
export async function prepare() {
  await compile().catch((error) => widening ?? Promise.reject(error)); // a larger one answers as well
  if (!program) await start();
}

/** Whether a question is answered without waiting. */
export const ready = () => program !== null;

/** @param {string} bundle family files (family.Library.Pack) */
export function addFamilies(bundle) {
  if (bundles.includes(bundle)) return;
  bundles.push(bundle);
  if (program) give(bundle);
}

/** What an instance has, for one elsewhere. */
export const families = () => bundles.join("");

let all = false;

/** Whether the families of all types are there. */
export const complete = () => all;

/** @param {string} from */
async function read(from) {
  const response = await fetch(from);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.text();
}

/** A part of the families. @param {string} all address of the bundle of all: beside it, in a folder of its name, each comes with what it needs @param {string} name */
const part = (all, name) => read(all.replace(/\.txt$/, `/${name}.txt`));

/** @type {Promise<Map<string, string>> | null} */
let index = null;

/** The file that holds a type, by types and names of files: loaded once, before it is known which. A failure is forgotten. @param {string} all */
export const prepareFamilies = (all) => (index ??= part(all, "index").then((text) => new Map(text.split("\n").flatMap((line) => {
  const names = line.split(" ");
  return names.map((name) => [name, names[0]]);
})))).catch((error) => {
  index = null;
  throw error;
});

/**
 * Loads the family that a question needs, or those of all types where the index does not know it: a type that
 * is none may be like one.
 * @param {string} address of the bundle of all
 * @param {string} [need]
 */
export async function loadFamily(address, need) {
  const files = need && await prepareFamilies(address);
  const file = files && files.get(need);
  addFamilies(await (file ? part(address, file) : read(address)));
  if (file) files.delete(need); // asked for once more, it is not there
  else all = true;
}

/**
 * Asks the program. It must be ready.
 * @param {Question} question
 * @returns {Answer}
 */
export function ask(question) {
  const { device } = question;
  return guard(() => {
    put(JSON.stringify({ ...question, device: known.get(device) ?? "" }));
    const by = program;
    const answer = JSON.parse(taken(by, by.answer()));
    if (known.size > 0 && !known.has(device)) answer.issues.push({ field: "device", given: device, problem: "is not a device of the catalogue", allowed: "", hint: "", line: 0 });
    by.last = answer;
    // The program writes the regions of its last answer: when another calculator of the page has asked since, it counts again.
    const written = (region) => guard(() => by.last === answer ? taken(by, by.region(answer.regions.indexOf(region))) : ask(question).html(region));
    answer.html = (region) => region === "wide" || region === "narrow" ? pen && drawn(written("plan"), region === "wide") : written(region);
    answer.regions?.push("wide", "narrow"); // which come after its own
    if (by.memory.buffer.byteLength > most) renew();
    return answer;
  });
}

/** Calls a function of the program's own with a message; what comes back is text. @param {string} name @param {object} message */
export function call(name, message) {
  return guard(() => {
    put(JSON.stringify(message));
    const by = program;
    const out = taken(by, by[name]());
    if (by.memory.buffer.byteLength > most) renew();
    return out;
  });
}

const taken = (by, at) => decoder.decode(new Uint8Array(by.memory.buffer, at, by.length()));

/** A trap leaves the instance in an unknown state. @template T @param {() => T} call */
function guard(call) {
  try {
    return call();
  } catch (cause) {
    program = null;
    throw new Broken("the counting program stopped", { cause });
  }
}

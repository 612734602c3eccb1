// The counting program at the host's edge: one instance for each question, of a module that is compiled once.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** @type {Map<string, Promise<any>>} */
const kept = new Map();

/**
 * Loads a file of the site once. A failure is forgotten, so that the next question tries again.
 * @template T
 * @param {string} address
 * @param {(response: Response) => Promise<T>} read
 * @returns {Promise<T>}
 */
export function load(address, read) {
  let loading = kept.get(address);
  if (!loading) {
    loading = fetch(address).then((response) => {
      if (!response.ok) throw new Error(`${address}: status ${response.status}`);
      return read(response);
    });
    kept.set(address, loading);
    loading.catch(() => kept.delete(address));
  }
  return loading;
}

/** @param {Response} response */
export const bytes = async (response) => new Uint8Array(await response.arrayBuffer());

/** @param {Response} response */
export const compile = async (response) => WebAssembly.compile(await response.arrayBuffer());

/** @param {Response} response */
export const json = (response) => response.json();

/** @param {Response} response */
export const text = (response) => response.text();

/**
 * @typedef {{query: string, need?: string, region: (id: string) => string,
 *   card: (kit: Uint8Array, site: string, maker: string, beside: string) => Uint8Array}} Answer
 * region is a text of the answer, card its picture (wasm/edge says how they are called). An answer with need
 * set is none: it lacks that family.
 */

/** An instance, and how its functions are called. @param {WebAssembly.Module} module it imports nothing */
async function start(module) {
  const { exports: x } = await WebAssembly.instantiate(module, {});
  const put = (argument) => {
    const data = typeof argument === "string" ? encoder.encode(argument) : argument;
    const at = x.argument(data.length);
    new Uint8Array(x.memory.buffer).set(data, at);
  };
  const result = (at) => new Uint8Array(x.memory.buffer, at, x.length()); // until the next call
  x._initialize();
  return { x, put, result, read: (at) => decoder.decode(result(at)) };
}

/** The canonical form of a query, without counting anything; "" when it has none. @param {WebAssembly.Module} module @param {string} query */
export async function canonical(module, query) {
  const { x, put, read } = await start(module);
  put(JSON.stringify({ query }));
  return read(x.canonical());
}

/**
 * Asks the program a question (package program says how).
 * @param {WebAssembly.Module} module it imports nothing
 * @param {string[]} families bundles of family files
 * @param {{query: string, name: string, slug: string, config: string, device: string}} question
 * @returns {Promise<Answer>}
 */
export async function ask(module, families, question) {
  const { x, put, result, read } = await start(module);
  for (const bundle of families) {
    put(bundle);
    x.families();
  }
  put(JSON.stringify(question));
  const answer = JSON.parse(read(x.answer()));
  if (answer.error && !answer.need) throw new Error([answer.error.field, answer.error.problem].filter(Boolean).join(": "));
  return {
    query: answer.query, need: answer.need,
    region: (id) => read(x.region(answer.regions.indexOf(id))),
    card(kit, site, maker, beside) {
      put(kit);
      put(JSON.stringify({ site, maker, beside }));
      return result(x.card()).slice();
    },
  };
}

// Runs hub.wasm: gets a model's config.json from the hub, and headers of its files, which verify.wasm reads.
// The comments of main.go here and in wasm/verify describe the messages.

const patience = 20000; // milliseconds
const atOnce = 8;
const first = 64 << 10; // bytes of a file that are asked for before its header's length is known
const most = 4 << 20; // bytes that are asked for at once
const bite = 64 << 10; // bytes that are read at once

let program = null; // a promise of the running program, made by the first message
let verifier = null; // a promise of the compiled verify.wasm
let held = null; // the last checkpoint whose class nobody knows: the message that brought it, what read its headers until something is asked, what is then kept of it as text, and what answers for it
const full = 32 << 20; // bytes of memory after which another instance answers: none gives memory back

async function load(exec, wasm) {
  importScripts(exec); // sets Go
  const go = new Go();
  const response = await fetch(wasm);
  if (!response.ok) throw new Error(`${wasm} has status ${response.status}`);
  const { instance } = await WebAssembly.instantiateStreaming(response, go.importObject);
  // It runs until something breaks; what still waits for an answer then gets this.
  const stopped = go.run(instance).then(() => { throw new Error("the program stopped"); });
  stopped.catch(() => {}); // heard below, by those who wait
  return { stopped };
}

/** What the page is to be told instead of an answer. */
class Failure extends Error {
  constructor(error) {
    super(error.message);
    this.error = error;
  }
}

/** The answer of one of hub.wasm's functions. */
async function hub(name, ...args) {
  const { stopped } = await program;
  const answer = await Promise.race([self[name](...args), stopped]);
  if (answer.error) throw Object.assign(new Failure(answer.error), { answer });
  return answer;
}

/** A file of the site's own. */
async function fetched(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} has status ${response.status}`);
  return response;
}

/** A trap: the program's memory is full, or it met what it does not expect. */
const stopped = (cause) => new Failure({ kind: "checkpoint", message: "The program that reads headers stopped: they take more memory than it may have.", hint: String(cause.message) });

/** verify.wasm, an instance for one checkpoint. */
class Verifier {
  static async make({ verify, verifyExec, families }) {
    verifier ??= fetched(verify).then(async (r) => WebAssembly.compile(await r.arrayBuffer()));
    verifier.catch(() => { verifier = null; }); // the next message loads it anew
    const module = await verifier;
    const v = new Verifier();
    if (WebAssembly.Module.imports(module).length === 0) {
      v.x = (await WebAssembly.instantiate(module)).exports;
      v.x._initialize();
      // TinyGo's memory doubles when it is full: begun with 60 pages of 64 kB, it has a size just under 64 MB.
      v.x.memory.grow(Math.max(60 - (v.x.memory.buffer.byteLength >> 16), 0));
    } else {
      importScripts(verifyExec);
      const go = new Go();
      const instance = await WebAssembly.instantiate(module, go.importObject);
      go.run(instance).catch(() => {});
      v.x = instance.exports;
    }
    v.memory = v.x.memory ?? v.x.mem;
    v.spent = 0; // milliseconds in the program
    v.families = families;
    return v;
  }

  /** Calls an export, and once more with each family that it needs. */
  async known(name, ...args) {
    for (const asked = new Set(); ; ) {
      const answer = this.call(name, ...args);
      if (!answer.need || asked.has("")) return answer;
      // The index says which file of the folder beside families.txt holds a type; of a type that is none, all may be like it.
      const beside = (file) => this.families.replace(/\.txt$/, `/${file}.txt`);
      const text = async (address) => (await fetched(address)).text();
      this.index ??= (await text(beside("index"))).split("\n").map((line) => line.split(" "));
      const [file = ""] = asked.has(answer.need) ? [] : this.index.find((names) => names.includes(answer.need)) ?? [];
      asked.add(file && answer.need);
      this.put(await text(file ? beside(file) : this.families));
      this.x.families();
    }
  }

  /** Reads a file's next bytes, a bite of those that are at hand. */
  feed(bytes) {
    return this.call("feed", bytes.subarray(0, bite));
  }

  put(bytes, room = "argument") {
    if (typeof bytes === "string") bytes = new TextEncoder().encode(bytes);
    const at = this.x[room](bytes.length);
    new Uint8Array(this.memory.buffer).set(bytes, at);
  }

  taken(at) {
    return new TextDecoder().decode(new Uint8Array(this.memory.buffer, at, this.x.length()));
  }

  /** Calls an export with its arguments. */
  call(name, ...args) {
    let answer;
    const begun = performance.now();
    try {
      for (const a of args) this.put(a, name === "feed" ? "room" : "argument");
      answer = JSON.parse(this.taken(this.x[name]()));
    } catch (cause) {
      throw stopped(cause);
    }
    this.spent += performance.now() - begun;
    if (answer.error) throw new Failure({ kind: "checkpoint", message: answer.error.text, hint: "" });
    return answer;
  }

  /** What came of a checkpoint, with what it took. */
  came(verdict, made) {
    if (verdict.verdict === "alone") held = { made, reader: this, text: "", v: null };
    return { verdict, spent: this.spent, memory: this.memory.buffer.byteLength };
  }

  /** What answers for the checkpoint that is held: an instance of its own, for the one that read the headers has much in its memory. */
  static async held() {
    const of = held;
    if (of.reader) {
      of.text = of.reader.call("keep").text;
      of.reader = null;
    }
    if (!of.v) {
      const v = await Verifier.make(of.made);
      v.call("hold", of.text);
      of.v = v;
    }
    return of.v;
  }

  /** The answer to a question about the checkpoint, with the HTML of all its regions. */
  answer({ query, name, device, config }) {
    try {
      this.put(JSON.stringify({ query, name, slug: "", config: config || "{}", device: device ?? "" }));
      const answer = JSON.parse(this.taken(this.x.answer()));
      answer.html = Object.fromEntries((answer.regions ?? []).map((id, i) => [id, this.taken(this.x.region(i))]));
      if (this.memory.buffer.byteLength > full) held.v = null;
      return answer;
    } catch (cause) {
      held.v = null;
      throw stopped(cause);
    }
  }

  /** Reads one file's header; begun are its first bytes and its size. */
  async header(name, begun, read) {
    let { bytes, size } = await begun;
    let state = this.call("open", name, String(size));
    let at = 0; // where bytes begin
    while (!state.done) {
      if (state.at >= at && state.at < at + bytes.length) {
        state = this.feed(bytes.subarray(state.at - at));
        continue;
      }
      if (size >= 0 && state.at >= size) {
        this.call("ended");
        return;
      }
      at = state.at;
      ({ bytes } = await read(at, Math.min(Math.max(state.need, first), most)));
      if (bytes.length === 0) {
        this.call("ended");
        return;
      }
    }
  }
}

/** Holds a config against the headers of files; read(name, at, n) brings a piece. */
async function compare(v, names, read, tell) {
  const begun = new Map();
  const ahead = (i) => {
    for (const name of names.slice(i, i + atOnce)) {
      if (begun.has(name)) continue;
      const piece = read(name, 0, first);
      piece.catch(() => {}); // heard when it is its turn
      begun.set(name, piece);
    }
  };
  let last = 0;
  for (const [i, name] of names.entries()) {
    ahead(i);
    await v.header(name, begun.get(name), (at, n) => read(name, at, n));
    begun.set(name, null);
    if (i + 1 < names.length && Date.now() - last < 100) continue; // as often as is seen
    last = Date.now();
    tell({ done: i + 1, of: names.length });
  }
  return v.known("verdict");
}

/** The files that an index names. */
async function indexed(v, name, read) {
  v.call("index", name);
  for (let at = 0; ; ) {
    const { bytes, size } = await read(name, at, most);
    for (let i = 0; i < bytes.length; i += bite) v.feed(bytes.subarray(i));
    at += bytes.length;
    if (bytes.length === 0 || at >= size) break;
  }
  return v.call("files").files.sort();
}

/** Whether an error says that a file is not there. */
const absent = (error) => error instanceof Failure && error.error.file;

async function fromHub(data, tell) {
  const { base, timeout = patience } = data;
  let asked;
  let text = null;
  try {
    asked = await hub("hubConfig", base, data.model, timeout);
  } catch (error) {
    if (!data.verify || !absent(error)) throw error;
    text = error;
    asked = { ...error.answer, config: "" };
  }
  const { config } = asked;
  let { model } = asked;
  const file = data.file || asked.file;
  if (!data.verify) return { config, model };
  if (config && !file) tell({ config, model }); // the answer from the config comes first
  const v = await Verifier.make(data);
  await v.known("begin", config);
  const read = async (name, at, n) => {
    const part = await hub("hubPiece", base, model, name, at, n, timeout);
    ({ model } = part);
    return part;
  };
  let names;
  try {
    if (file) throw new Failure({ file: true });
    names = await indexed(v, "model.safetensors.index.json", read);
  } catch (error) {
    if (!absent(error)) throw error;
    await v.known("begin", config);
    const all = await hub("hubFiles", base, model, timeout);
    ({ model } = all);
    const picked = v.call("pick", JSON.stringify({ folder: model, names: all.files.sort(), file }));
    if (picked.choose) return { config, model, choose: picked.choose };
    names = picked.files;
    if (names.length === 0) {
      if (text) throw text;
      throw new Failure({ kind: "not-found", message: `${model} holds no checkpoint beside its config.`, hint: "" });
    }
    if (names[0].endsWith(".index.json")) names = await indexed(v, names[0], read);
  }
  const verdict = await compare(v, names, read, (progress) => tell({ progress }));
  return { config, ...v.came(verdict, data), model: file ? `${model}:${file}` : model };
}

/** Files that were dropped or picked: read by slices, and sent nowhere. */
async function fromFiles(data, tell) {
  // Of a folder with others in it, those that stand highest.
  const depth = (path) => path.split("/").length;
  const known = data.files.filter(({ path }) => /(^|\/)config\.json$|\.(safetensors|gguf|index\.json|bin|pth?|ckpt|pkl)$/i.test(path));
  const top = Math.min(...known.map(({ path }) => depth(path)));
  const byName = new Map(known.filter(({ path }) => depth(path) === top).map(({ path, file }) => [path.slice(path.lastIndexOf("/") + 1), file]));
  const read = async (name, at, n) => {
    const f = byName.get(name);
    if (!f) throw new Failure({ kind: "not-found", message: `The index names ${name}, which is not among the files.`, hint: "Choose the whole folder." });
    return { bytes: new Uint8Array(await f.slice(at, at + n).arrayBuffer()), size: f.size };
  };
  const config = byName.has("config.json") ? await byName.get("config.json").text() : "";
  if (config) tell({ config });
  const v = await Verifier.make(data);
  await v.known("begin", config);
  if (byName.size === 0) throw new Failure({ kind: "not-found", message: "None of these files is a checkpoint or a config.json.", hint: "Choose safetensors or GGUF files, or a folder with them." });
  const picked = v.call("pick", JSON.stringify({ folder: "", names: [...byName.keys()].sort(), file: data.file ?? "" }));
  if (picked.choose) return { config, choose: picked.choose };
  let { files } = picked;
  if (files.length === 0) return { config };
  if (files[0].endsWith(".index.json")) files = await indexed(v, files[0], read);
  return { config, ...v.came(await compare(v, files, read, (progress) => tell({ progress })), data) };
}

self.onmessage = async ({ data }) => {
  const { id, exec, wasm } = data;
  const tell = (news) => self.postMessage({ id, ...news });
  try {
    let answer;
    if (data.question) {
      if (held?.made.id !== data.of) throw new Failure({ kind: "gone", message: "The headers of this checkpoint are no longer at hand.", hint: "Fetch or choose it again." });
      answer = { answer: (await Verifier.held()).answer(data.question) };
    } else if (data.files) {
      answer = await fromFiles(data, tell);
    } else {
      program ??= load(exec, wasm);
      await program;
      answer = await fromHub(data, tell);
    }
    self.postMessage({ id, ok: true, ...answer });
  } catch (reason) {
    if (reason instanceof Failure) {
      self.postMessage({ id, ok: false, error: reason.error });
      return;
    }
    program = null; // the next message loads it anew
    self.postMessage({
      id,
      ok: false,
      error: {
        kind: "program",
        message: `The part that reads checkpoints does not run: ${reason.message}.`,
        hint: "Check the connection and reload the page, or paste the config.json here.",
      },
    });
  }
};

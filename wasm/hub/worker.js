// Runs hub.wasm: gets a model's config.json from the hub. The comment of main.go describes the messages.

const patience = 20000; // milliseconds

let program = null; // a promise of the running program, made by the first message

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

self.onmessage = async ({ data }) => {
  const { id, exec, wasm, base, model, timeout = patience } = data;
  try {
    program ??= load(exec, wasm);
    const { stopped } = await program;
    const { config, error } = await Promise.race([self.hubConfig(base, model, timeout), stopped]);
    self.postMessage(error ? { id, ok: false, error } : { id, ok: true, config });
  } catch (reason) {
    program = null; // the next message loads it anew
    self.postMessage({
      id,
      ok: false,
      error: {
        kind: "program",
        message: `The part that asks the hub does not run: ${reason.message}.`,
        hint: "Check the connection and reload the page, or paste the config.json here.",
      },
    });
  }
};

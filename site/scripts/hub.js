// Fetches a config from the model hub, in a worker that is loaded only when someone asks.
import workerAddress from "asset:hub.worker.js";
import wasmAddress from "asset:hub.wasm";
import execAddress from "asset:hub.exec.js";

const base = "https://huggingface.co";
/** @type {Worker | null} */
let worker = null;
let last = 0;

/**
 * @param {string} model an id such as owner/name, or the address of the model's page
 * @returns {Promise<string>} its config.json
 */
export function fetchConfig(model) {
  worker ??= new Worker(workerAddress);
  const id = ++last;
  return new Promise((resolve, reject) => {
    const done = () => {
      worker?.removeEventListener("message", answer);
      worker?.removeEventListener("error", failed);
    };
    const answer = ({ data }) => {
      if (data.id !== id) return;
      done();
      if (data.ok) resolve(data.config);
      else reject(new Error([data.error.message, data.error.hint].filter(Boolean).join(" ")));
    };
    const failed = () => {
      done();
      worker = null;
      reject(new Error("The part that asks the hub could not be loaded. Paste the config.json instead."));
    };
    worker.addEventListener("message", answer);
    worker.addEventListener("error", failed);
    worker.postMessage({ id, exec: execAddress, wasm: wasmAddress, base, model });
  });
}

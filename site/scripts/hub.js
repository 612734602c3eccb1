// Fetches a config from the model hub, and holds it against the headers of the model's files; reads files that were
// dropped, too. All of it happens in a worker that is loaded only when someone asks.
import workerAddress from "asset:hub.worker.js";
import wasmAddress from "asset:hub.wasm";
import execAddress from "asset:hub.exec.js";
import verifyAddress from "asset:verify.wasm";
import verifyExecAddress from "asset:verify.exec.js";

const base = "https://huggingface.co";
/** @type {Worker | null} */
let worker = null;
let last = 0;

/** Where the verdict stands: under the field that asked for it. */
function place(calculator) {
  const { root } = calculator;
  let region = root.querySelector("[data-checkpoint]");
  if (!region) {
    region = document.createElement("section");
    region.dataset.checkpoint = "";
    region.setAttribute("aria-live", "polite");
    root.querySelector('[data-field="hub"]').after(region);
  }
  return region;
}

/** Says how far the reading is, with a button that stops it. */
function busy(region, text, stop) {
  const p = document.createElement("p");
  p.textContent = `${text} `;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Stop";
  button.addEventListener("click", stop);
  p.append(button);
  region.replaceChildren(p);
}

/**
 * Asks the worker. The promise is kept with the config as soon as that is in; what comes of the headers is written into the
 * region then.
 * @param {any} calculator
 * @param {object} question model, or files
 * @returns {Promise<string>}
 */
function ask(calculator, question) {
  worker ??= new Worker(workerAddress);
  const own = worker;
  const id = ++last;
  const region = place(calculator);
  region.replaceChildren();
  return new Promise((resolve, reject) => {
    let config = null;
    const done = () => {
      own.removeEventListener("message", heard);
      own.removeEventListener("error", failed);
    };
    const stop = () => {
      done();
      own.terminate();
      worker = null;
      region.replaceChildren();
      reject(new Error("Stopped."));
    };
    const say = (error) => {
      const text = [error.message, error.hint].filter(Boolean).join(" ");
      if (config === null) reject(new Error(text));
      else region.textContent = `The files could not be read. ${text}`; // the config's answer stays
    };
    const heard = ({ data }) => {
      if (data.id !== id) return;
      if (data.config && config === null) resolve((config = data.config));
      if (data.progress) busy(region, `Reading headers, ${data.progress.done} of ${data.progress.of} files.`, stop);
      else if (!("ok" in data)) busy(region, "Reading headers.", stop);
      if (!("ok" in data)) return;
      done();
      if (!data.ok) {
        region.replaceChildren();
        say(data.error);
      } else if (data.verdict) {
        region.innerHTML = data.verdict.html; // text of the files is escaped in it
        resolve(config ?? "");
      } else {
        resolve(data.config);
      }
    };
    const failed = () => {
      done();
      worker = null;
      say({ message: "The part that asks the hub could not be loaded. Paste the config.json instead." });
    };
    own.addEventListener("message", heard);
    own.addEventListener("error", failed);
    own.postMessage({ id, exec: execAddress, wasm: wasmAddress, verify: verifyAddress, verifyExec: verifyExecAddress, families: new URL(calculator.root.dataset.all, location.href).href, base, ...question });
  });
}

/**
 * @param {string} model an id such as owner/name, or the address of the model's page
 * @param {any} calculator
 * @returns {Promise<string>} its config.json
 */
export const fetchConfig = (model, calculator) => ask(calculator, { model });

/** Reads files that were dropped; they go nowhere. @param {File[]} files @returns {Promise<string>} their config.json, empty for none */
export const readFiles = (files, calculator) => ask(calculator, { files });

// The ways in which a config.json comes: pasted, dropped, chosen as a file.
import { maxConfig } from "./link.js";

/**
 * @param {File} file
 * @returns {Promise<string>}
 */
export async function readFile(file) {
  if (file.size > maxConfig) {
    throw new Error(`${file.name} is ${(file.size / 1e6).toFixed(1)} MB; a config.json has at most 1 MB. Choose the config, not the weights or the tokenizer.`);
  }
  return file.text();
}

/** Whether a file is a config by its name: anything else is looked at by what reads checkpoints. @param {{name: string}} file */
export const isConfig = ({ name }) => /\.json$/i.test(name) && !/index\.json$/i.test(name);

/**
 * Listens for a config that is pasted, and for what is dropped anywhere on the page.
 * @param {(text: string) => void} take
 * @param {(files: (File | FileSystemEntry)[]) => void} open
 */
export function listen(take, open) {
  const root = document.documentElement;
  const typed = (target) => target instanceof HTMLElement && target.closest("input, textarea, [contenteditable]");
  document.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text") ?? "";
    if ((!typed(event.target) || event.target.name === "model") && text.trimStart().startsWith("{")) {
      event.preventDefault();
      take(text);
    }
  });
  const files = (event) => event.dataTransfer?.types.includes("Files");
  const holds = (event) => files(event) || (event.dataTransfer?.types.includes("text/plain") && !typed(event.target));
  document.addEventListener("dragover", (event) => {
    if (!holds(event)) return;
    event.preventDefault();
    root.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) root.classList.remove("dropping");
  });
  document.addEventListener("drop", (event) => {
    root.classList.remove("dropping");
    if (!holds(event)) return;
    event.preventDefault();
    const { items, files: plain } = event.dataTransfer;
    // A folder is one only as an entry, which has to be asked for at once.
    const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    if (files(event)) open(entries.some((e) => e.isDirectory) ? entries : [...plain]);
    else take(event.dataTransfer.getData("text/plain"));
  });
}

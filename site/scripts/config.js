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

/**
 * Listens for a config that is pasted or dropped anywhere on the page.
 * @param {(text: string) => void} take
 * @param {(error: Error) => void} fail
 */
export function listen(take, fail) {
  const root = document.documentElement;
  const typed = (target) => target instanceof HTMLElement && target.closest("input, textarea, [contenteditable]");
  document.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text") ?? "";
    if (!typed(event.target) && text.trimStart().startsWith("{")) {
      event.preventDefault();
      take(text);
    }
  });
  const holds = (event) => [...(event.dataTransfer?.types ?? [])].some((t) => t === "Files" || t === "text/plain");
  document.addEventListener("dragover", (event) => {
    if (!holds(event) || typed(event.target)) return;
    event.preventDefault();
    root.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) root.classList.remove("dropping");
  });
  document.addEventListener("drop", (event) => {
    root.classList.remove("dropping");
    if (!holds(event) || typed(event.target)) return;
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    if (file) readFile(file).then(take, fail);
    else take(event.dataTransfer.getData("text/plain"));
  });
}

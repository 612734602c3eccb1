// Puts a button below each block of code that is there to be copied.
import { copy } from "./copy.js";

/** @param {Element} root */
export function startSnippets(root) {
  const blocks = root.matches("pre") ? [root] : root.querySelectorAll("pre");
  for (const block of blocks) {
    const tools = document.createElement("p");
    tools.className = "tools";
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    const said = document.createElement("span");
    said.className = "said";
    said.dataset.said = "";
    said.setAttribute("role", "status");
    tools.append(button, " ", said);
    button.addEventListener("click", () => copy(button, block.textContent.trim() + "\n"));
    block.after(tools);
  }
}

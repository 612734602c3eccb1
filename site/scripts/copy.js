// Owns the clipboard: copies a text, and says that it did or why not.

/**
 * @param {Element} button
 * @param {string} text
 */
export async function copy(button, text) {
  const said = button.parentElement.querySelector("[data-said]");
  try {
    if (button.closest(".stale, .waiting")) throw new Error("your question has no answer yet");
    await navigator.clipboard.writeText(text);
    said.textContent = "Copied";
  } catch (error) {
    said.textContent = `Not copied: ${error.name === "NotAllowedError" ? "the browser does not allow it here" : error.message}`;
  }
  // The words are a node of their own: a later copy's stay when this one's time is over.
  setTimeout((words) => words.remove(), 4000, said.firstChild);
}

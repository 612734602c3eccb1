// The catalogue's models by name: loaded when somebody begins to choose one.
import address from "asset:models.json";

/** @type {Promise<[string, string][]> | null} */
let list = null;

/** Every model: its slug, and its name and size in words. @returns {Promise<[string, string][]>} */
export async function models() {
  list ??= fetch(address).then((response) => {
    if (!response.ok) throw new Error(`status ${response.status}`);
    return response.json();
  });
  try {
    return await list;
  } catch (error) {
    list = null; // the next call tries again
    throw new Error(`The list of models could not be loaded: ${error.message}.`);
  }
}

/** Fills the list that a field offers, once. @param {HTMLDataListElement} offer */
export async function fill(offer) {
  if (offer.options.length > 0) return;
  const all = await models();
  if (offer.options.length === 0) offer.append(...all.map(([slug, words]) => new Option(words, slug)));
}

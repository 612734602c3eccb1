// The catalogue's models and devices: loaded when somebody begins to choose one.
import devicesAddress from "asset:devices.json";
import modelsAddress from "asset:models.json";

/**
 * Loads a list once; a failure is forgotten, so that the next call tries again.
 * @param {string} address
 * @param {string} what it lists, for the message
 */
function list(address, what) {
  let loading = null;
  return async () => {
    loading ??= fetch(address).then((response) => {
      if (!response.ok) throw new Error(`status ${response.status}`);
      return response.json();
    });
    try {
      return await loading;
    } catch (error) {
      loading = null;
      throw new Error(`The list of ${what} could not be loaded: ${error.message}.`);
    }
  };
}

/** Every model: its slug, and its name and size in words. @type {() => Promise<[string, string][]>} */
export const models = list(modelsAddress, "models");

/** Every device, as the counting program reads it. @type {() => Promise<{slug: string, name: string}[]>} */
export const devices = list(devicesAddress, "devices");

/** Fills the list that a field offers, once. @param {EventTarget} field for a model or a device */
export async function offer(field) {
  if (field.list.options.length > 0) return;
  const all = field.name === "device" ? (await devices()).map((d) => [d.slug, d.name]) : await models();
  if (field.list.options.length === 0) field.list.append(...all.map(([slug, words]) => new Option(words, slug)));
}

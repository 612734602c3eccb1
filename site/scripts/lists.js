// The catalogue's models and devices: loaded when somebody begins to choose one.
import devicesAddress from "asset:devices.json";
import modelsAddress from "asset:models.json";

/**
 * Loads a list once; a failure is forgotten, so that the next call tries again.
 * @param {string} address
 * @param {string} what it lists, for the message
 * @param {(list: any) => void} [read] hears what came
 */
function list(address, what, read) {
  let loading = null;
  return async () => {
    loading ??= fetch(address).then((response) => {
      if (!response.ok) throw new Error(`status ${response.status}`);
      return response.json();
    }).then((all) => {
      read?.(all);
      return all;
    });
    try {
      return await loading;
    } catch (error) {
      loading = null;
      throw new Error(`The list of ${what} could not be loaded: ${error.message}.`);
    }
  };
}

/** Names that people read, by the slugs that links hold: of what is loaded. @type {Map<string, string>} */
export const names = new Map();

/** Every model, popular ones first: its slug, its name and size in words, its ids on the hub. @type {() => Promise<string[][]>} */
export const models = list(modelsAddress, "models");

/** Every device, popular ones first, as the counting program reads it. @type {() => Promise<{slug: string, name: string, memory?: {bytes: number}}[]>} */
export const devices = list(devicesAddress, "devices", (all) => { for (const d of all) names.set(d.slug, d.name); });

// Says beside the page where a number comes from, what moves it and what would keep it to a goal, with a counting program of
// its own. A message asks {turn, question, families, figure, row, what, knob, goal}; the answer is {turn, html}, or {turn, error} when
// the program does not run here. Who asks ends the worker when the question has changed.
import deriveAddress from "asset:derive.wasm";
import * as engine from "./engine.js";
import { devices } from "./lists.js";

async function derive(message) {
  const { question, families, figure, row, what, knob, goal } = message;
  engine.addFamilies(families);
  if (!engine.wide()) await engine.widen(deriveAddress);
  await engine.prepare();
  const list = await devices();
  const own = list.find((d) => d.slug === question.device);
  return engine.call("derive", { ...question, device: own ? JSON.stringify(own) : "", devices: list, figure, row, what, knob, goal });
}

onmessage = async ({ data }) => {
  const { turn } = data;
  try {
    postMessage({ turn, html: await derive(data) });
  } catch (error) {
    postMessage({ turn, error: error.message });
  }
};

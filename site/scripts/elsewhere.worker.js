// Counts a region beside the page, with a counting program of its own. A message asks {turn, region, program, question, families,
// all}: which region, of which program, the page's question, the family files that it has, where those of all types are. The
// answer is {turn, html}, or {turn, error} when the program does not run here.
import deriveAddress from "asset:derive.wasm";
import speedAddress from "asset:speed.wasm";
import * as engine from "./engine.js";

const programs = { derive: deriveAddress, speed: speedAddress };

async function look({ region, program, question, families, all }) {
  engine.addFamilies(families);
  if (!engine.wide()) await engine.widen(programs[program]);
  await engine.prepare(); // the instance before may have been dropped
  const answer = engine.ask(question);
  if (answer.need && !engine.complete()) {
    await engine.loadFamily(all, answer.need);
    return look({ region, program, question, families, all });
  }
  return answer.error ? "" : answer.html(region); // the page says what is wrong with its question
}

/** The answer to the question before: they are answered in turn. */
let before = Promise.resolve();

onmessage = ({ data }) => {
  const { turn } = data;
  before = before.then(() => look(data)).then((html) => postMessage({ turn, html }), (error) => postMessage({ turn, error: error.message }));
};

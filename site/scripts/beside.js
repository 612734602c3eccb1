// What is beside the answer and waits until a reader first moves: charts, links to numbers, highlighting, keys, more
// ways to copy. Loaded once, by main.js.
import "./shared.js";
import look from "asset:beside.css";
import { startCharts } from "./charts.js";
import { startFormulas } from "./formulas.js";
import { startHelp } from "./help.js";
import { startHighlight } from "./highlight.js";
import { startKeys } from "./keys.js";
import { startLayouts } from "./layouts.js";
import { startMemory } from "./memory.js";
import { startDrawing } from "./drawing.js";
import { startNumbers } from "./numbers.js";
import { startSharing } from "./share.js";
import { style } from "./style.js";
import { startToken } from "./token.js";

await style(look);
startCharts();
startLayouts();
startMemory();
startToken();
startDrawing();
startNumbers();
startHighlight();
startKeys();
startSharing();
startHelp();
startFormulas();

export { prepare } from "./formulas.js";
export { hear } from "./keys.js";

// Starts what stands in a chapter or a reference page.
import "./contents.js";

if (document.querySelector("[data-scores]")) import("./softmax.js");

// Starts what is in a chapter or a reference page.
import "./contents.js";

// A link to a section that has moved goes on to where it is.
const onward = () => {
  const link = location.hash && document.querySelector(`.moved [id="${CSS.escape(location.hash.slice(1))}"] > a`);
  if (link) location.replace(link.href);
};
addEventListener("hashchange", onward);
onward();

if (document.querySelector("[data-scores]")) import("./softmax.js");
if (document.querySelector(".graph.moments")) import("./moments.js");
if (document.querySelector("[data-guess]")) import("./guess.js");
if (document.querySelector("[data-goal]")) import("./goal.js");
if (document.querySelector("[data-walk]")) import("./walk.js");
if (document.querySelector("[data-scrub]")) import("./scrub.js");

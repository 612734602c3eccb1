// What has to be known before the first paint: the chosen theme (without a choice, or without script, the system's
// holds), whether the page is read from its top, and whether its address asks a question of its own.
const { dataset } = document.documentElement;
try {
  const { theme } = localStorage;
  if (theme === "light" || theme === "dark") dataset.theme = theme;
} catch {
  // Storage may be forbidden; the system's theme holds.
}
// What is below the first screen may come later, but not where a link leads to it or a reader comes back to it.
if (!location.hash && performance.getEntriesByType("navigation")[0]?.type === "navigate") dataset.top = "";
// Of the answer's tabs one is shown: the one of the address ("#training"), or the one with the number that it leads to
// ("#at=training.fits"). Without script all of them are.
const tabs = { running: "bytes|running|kv|timeline|roofline", training: "training|layouts|step", compute: "compute|scaling", tensors: "tensors|parts|flow|size" };
const tab = () => {
  const asked = Object.keys(tabs).find((id) => new RegExp(`[#&](?:${id}(?![\\w=])|at=(?:${tabs[id]})\\b)`).test(location.hash));
  if (asked || !dataset.tab) dataset.tab = asked ?? "running";
};
tab();
addEventListener("hashchange", () => {
  delete dataset.top;
  tab();
});
// The page as it was built answers another question than a link: the calculator waits for its own answer.
if (location.search || /[#&](vs\.)?config=/.test(location.hash)) {
  dataset.asked = "";
  const alone = () => {
    const { asked } = dataset;
    delete dataset.asked;
    if (asked?.endsWith("counted") === false) for (const calc of document.querySelectorAll(".calc:not(.embedded)")) calc.classList.add("stale");
  };
  // No script could be loaded: the page's own answer is better than nothing, if it is there and says that it is.
  setTimeout(() => (document.readyState === "loading" ? addEventListener("DOMContentLoaded", alone) : alone()), 9000);
}

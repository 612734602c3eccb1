// What has to be known before the first paint: the chosen theme (without a choice, or without script, the system's
// holds), and whether the page is read from its top.
const { dataset } = document.documentElement;
try {
  const { theme } = localStorage;
  if (theme === "light" || theme === "dark") dataset.theme = theme;
} catch {
  // Storage may be forbidden; the system's theme holds.
}
// What is below the first screen may come later, but not where a link leads to it or a reader comes back to it.
if (!location.hash && performance.getEntriesByType("navigation")[0]?.type === "navigate") dataset.top = "";

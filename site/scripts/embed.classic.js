// Before the first paint of a framed answer: sets the theme that the address asks for, and hides the
// answer that was built in when the address asks another question.
const keys = new URLSearchParams(location.search);
const theme = keys.get("theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
keys.delete("theme");
keys.delete("v");
if (keys.size > 0 || location.hash.startsWith("#config=")) document.documentElement.dataset.asked = "";

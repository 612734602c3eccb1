// Reloads the page after a build, and shows the error of a build that failed.
// Only the development server adds this script.

const events = new EventSource("/__dev/events");
let build = null;
let overlay = null;

events.addEventListener("build", (event) => {
  const state = JSON.parse(event.data);
  if (state.error) {
    show(state.error);
    return;
  }
  // Another number, after a pause of the server too, means another site than the one that is shown.
  if (overlay || (build !== null && build !== state.build)) {
    location.reload();
    return;
  }
  build = state.build;
});

function show(text) {
  overlay?.remove();
  overlay = document.createElement("div");
  const root = overlay.attachShadow({ mode: "open" });
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = "/__dev/overlay.css";
  const box = document.createElement("div");
  box.setAttribute("role", "alert");
  const title = document.createElement("strong");
  title.textContent = "The site does not build";
  const hint = document.createElement("p");
  hint.textContent = "The page shows the last build that worked. Mend the file and it reloads. Escape hides this.";
  const error = document.createElement("pre");
  error.textContent = text;
  box.append(title, error, hint);
  root.append(style, box);
  document.body.append(overlay);
}

addEventListener("keydown", (event) => {
  if (event.key === "Escape" && overlay) overlay.hidden = true;
});
// A page that waits in the back-forward cache must not hold one of the browser's few connections.
addEventListener("pagehide", () => events.close());

// A worker that keeps a published site may have stood at this address before: it goes, with what it kept.
navigator.serviceWorker?.getRegistrations().then((all) => all.forEach((r) => r.unregister()));
globalThis.caches?.keys().then((names) => names.filter((n) => n.startsWith("llmsize ")).forEach((n) => caches.delete(n)));

// The choice of theme: light, dark or the system's. theme.classic.js applies it on the next page before the first paint.

/** Connects the choice in the header. */
export function startTheme() {
  const root = document.documentElement;
  for (const select of document.querySelectorAll("[data-theme-choice]")) {
    select.value = root.dataset.theme ?? "system";
    select.addEventListener("change", () => {
      if (select.value === "system") delete root.dataset.theme;
      else root.dataset.theme = select.value;
      try {
        if (select.value === "system") localStorage.removeItem("theme");
        else localStorage.setItem("theme", select.value);
      } catch {
        // Storage may be forbidden: the choice holds for this page.
      }
    });
  }
}

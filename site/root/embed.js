// <llm-size query="v=1&model=llama-3.1-8b"> shows an answer of this site on another one. Until the answer is
// there, and where it cannot be, what is inside the element is shown: put a link there.
//
//   query    of a link to the calculator, without "?"
//   theme    light, dark, or nothing: as the page around it is, and again when that changes
(() => {
  const site = new URL(document.currentScript.src).origin;

  const pixel = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

  /** A colour's lightness, 0 to 255; nothing for one that is not there. */
  function light(colour) {
    let [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
    if (!colour.startsWith("rgb")) { // oklch() and the like: paint it
      pixel.clearRect(0, 0, 1, 1);
      pixel.fillStyle = colour;
      pixel.fillRect(0, 0, 1, 1);
      [r, g, b, a] = pixel.getImageData(0, 0, 1, 1).data;
    }
    return a > 0 ? r * 0.299 + g * 0.587 + b * 0.114 : undefined;
  }

  /** Whether what lies behind an element is dark; where no colour does, whether the browser's own paper is. */
  function dark(element) {
    for (let e = element; e; e = e.parentElement ?? e.getRootNode().host) {
      const behind = light(getComputedStyle(e).backgroundColor);
      if (behind !== undefined) return behind < 128;
    }
    return light(getComputedStyle(element.frame).color) > 128; // CanvasText
  }

  class LLMSize extends HTMLElement {
    static observedAttributes = ["query", "theme"];

    connectedCallback() {
      if (!this.frame) this.build();
      addEventListener("message", this);
      this.scheme = matchMedia("(prefers-color-scheme: dark)");
      this.scheme.addEventListener("change", this);
      document.addEventListener("transitionend", this); // a page that fades into its other theme
      this.watch = new MutationObserver(() => this.handleEvent());
      for (const e of [document.documentElement, document.body]) this.watch.observe(e, { attributes: true });
      this.load();
    }

    disconnectedCallback() {
      removeEventListener("message", this);
      this.scheme.removeEventListener("change", this);
      document.removeEventListener("transitionend", this);
      this.watch.disconnect();
    }

    attributeChangedCallback(name) {
      if (!this.isConnected || !this.frame) return;
      if (name === "query") this.load();
      else this.handleEvent();
    }

    build() {
      const link = document.createElement("a");
      link.textContent = "Count this model";
      this.fallback = document.createElement("slot");
      this.fallback.append(link);
      this.link = link;
      this.frame = document.createElement("iframe");
      this.frame.title = "Parameters of a model, counted";
      this.frame.loading = "lazy";
      this.frame.style.cssText = "display:block;width:100%;height:0;border:0;color:CanvasText";
      this.attachShadow({ mode: "open" }).append(this.fallback, this.frame);
    }

    load() {
      const query = this.getAttribute("query") || "v=1";
      this.link.href = `${site}/?${query}`;
      this.theme = this.wanted();
      this.told = false;
      this.frame.src = `${site}/embed/?${query}&theme=${this.theme}`;
    }

    wanted() {
      const theme = this.getAttribute("theme");
      return theme === "light" || theme === "dark" ? theme : dark(this) ? "dark" : "light";
    }

    handleEvent(event) {
      if (event?.type === "message") {
        if (event.source !== this.frame.contentWindow || event.origin !== site || event.data?.type !== "llmsize") return;
        this.frame.style.height = `${Number(event.data.height) || 0}px`;
        this.fallback.hidden = true;
      }
      const theme = this.wanted();
      // What was said before the frame could hear is said again at its first word.
      if (theme === this.theme && (this.told || event?.type !== "message")) return;
      this.theme = theme;
      this.told = event?.type === "message" || this.told;
      this.frame.contentWindow?.postMessage({ type: "llmsize", theme }, site);
    }
  }

  if (!customElements.get("llm-size")) customElements.define("llm-size", LLMSize);
})();

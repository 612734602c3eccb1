// The time of a token on the first screen. The answer has its bound; what a run really takes is predicted in a worker, when
// somebody is at the page and has asked something that the build has not, and stands there from then on.
import { count } from "./elsewhere.js";

class Token {
  constructor(root) {
    this.calculator = root.calculator;
    this.region = root.querySelector('[data-region="brief"]');
    this.bound = ""; // as the answer has it
    this.predicted = ""; // for the newest question, or until that is there for the one before
    this.shown = ""; // the newer of both, as the page has it
    this.question = "";
    this.turn = 0;
    this.busy = false;
    // Where the answer writes its bound again, the prediction comes back before that is painted.
    new MutationObserver(() => this.keep()).observe(this.region, { childList: true, subtree: true, characterData: true });
    root.addEventListener("answer", () => this.asked());
    if (this.calculator.answer) this.asked();
  }

  get place() {
    return this.region.querySelector("[data-token] dd");
  }

  keep() {
    const { place } = this;
    if (!place || place.innerHTML === this.shown) return;
    this.bound = place.innerHTML;
    this.put(this.predicted || this.bound);
  }

  /** @param {string} html */
  put(html) {
    const { place } = this;
    if (!place) return;
    if (place.innerHTML !== html) place.innerHTML = html;
    this.shown = place.innerHTML;
  }

  async asked() {
    const question = JSON.stringify(this.calculator.question.ask());
    this.keep();
    if (question === this.question) return;
    this.question = question;
    const turn = ++this.turn;
    this.place?.setAttribute("aria-busy", "true");
    clearTimeout(this.long);
    this.long = setTimeout(() => { // what is there is another question's
      this.predicted = "";
      this.put(this.bound);
    }, 1000);
    if (this.busy) return; // it looks again when it is done
    this.busy = true;
    const html = await count(this.calculator, "speed", "token").catch(() => "");
    this.busy = false;
    if (turn !== this.turn) {
      this.question = "";
      return this.asked();
    }
    clearTimeout(this.long);
    this.predicted = html;
    this.put(html || this.bound);
    this.place?.removeAttribute("aria-busy");
  }
}

/** Starts it for the page's own calculator. */
export function startToken() {
  if (navigator.connection?.saveData) return;
  for (const root of document.querySelectorAll(".calc:not(.embedded)")) if (root.calculator) new Token(root);
}

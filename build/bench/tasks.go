package bench

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/chromedp/chromedp"

	"llmsize/build/toolchain/browser"
)

// task is what somebody comes to the site for: where they begin, and what they do, one picture after each step.
type task struct {
	name, path string
	steps      []string // scripts that do what a hand would
}

// hand is what the steps of a task use: typing into a field as a person does, a click, and waiting for the verdict.
//
//go:embed scripts/hand.js
var hand string

// visits are the eight that the page is measured by.
var visits = []task{
	{"1-fit", "/", []string{`await type("model", "qwen3 32b")`, `await type("context", "32k")`, `await click('[data-chip="most"]')`}},
	{"2-card", "/devices/rtx-4090-24gb/", []string{`await rest(500)`}},
	{"3-config", "/", []string{`await type("config", JSON.stringify({ architectures: ["LlamaForCausalLM"], model_type: "llama", hidden_size: 1536, intermediate_size: 4608, num_attention_heads: 12, num_key_value_heads: 3, num_hidden_layers: 30, vocab_size: 49152, tie_word_embeddings: true }))`}},
	{"4-train", "/?v=1&model=llama-2-7b", []string{`await type("devices", "64"); await click('.tabs [href="#training"]'); await show(".tabs"); await until(() => document.querySelector('[data-region="layouts"] table'))`, `await click('[data-region="layouts"] .apply'); await show(".tabs")`}},
	{"5-width", "/", []string{`await type("set.hidden_size", "8192"); await rest(600); document.querySelector(".facts-of").scrollIntoView()`, `await click(".shape [data-apply]"); await rest(600); document.querySelector(".facts-of").scrollIntoView()`}},
	{"6-compare", "/?v=1&vs=qwen3-8b", []string{`await until(() => document.querySelector(".aside .sides")); document.querySelector(".aside").scrollIntoView()`}},
	{"7-embed", "/?v=1&model=gpt2&context=1024", []string{`await click(".share > summary"); await until(() => document.querySelector(".share-part iframe")); await rest(1500)`}},
	{"8-heads", "/", []string{`await type("set.num_key_value_heads", "1"); await rest(600); document.querySelector(".facts-of").scrollIntoView()`}},
}

// shootTasks takes the pictures of the tasks, one after each step, into a folder.
func shootTasks(b *browser.Running, site, out string) error {
	for _, t := range visits {
		if err := shootTask(b, site, out, t); err != nil {
			return fmt.Errorf("task %s: %w", t.name, err)
		}
	}
	return nil
}

func shootTask(b *browser.Running, site, out string, t task) error {
	tab, done := b.Tab(2 * time.Minute)
	defer done()
	if err := chromedp.Do(tab, chromedp.EmulateViewport(1440, 900), chromedp.Navigate(site+t.path), chromedp.Sleep(500*time.Millisecond)); err != nil {
		return err
	}
	for i, step := range t.steps {
		if _, err := chromedp.Run(tab, chromedp.Evaluate[bool](`(async () => {`+hand+step+`; return true })()`, chromedp.EvalAwaitPromise)); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
		png, err := chromedp.Run(tab, chromedp.CaptureScreenshot())
		if err != nil {
			return err
		}
		name := filepath.Join(out, fmt.Sprintf("task-%s-%d.png", t.name, i+1))
		if err := os.WriteFile(name, png, 0o644); err != nil {
			return err
		}
		fmt.Println(name)
	}
	return nil
}

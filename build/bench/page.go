package bench

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"llmsize/build/toolchain/browser"
)

// measured is one run: milliseconds, and what travelled.
type measured struct {
	Paint, Visible, First float64
	Edits                 []float64
	LoadTasks, EditTasks  []float64 // long tasks until the first edit's answer, and after it
	Shift                 float64
	bytes, requests       int64    // until the first edit's answer
	travelled             []string // each request of these, with its bytes
}

// What runs in the page. before comes before the page's own scripts; %s is the answer's selector. first waits for an answer, sets a value
// until the page hears of it, and waits for the new answer to be painted: of an input, an answer and values. rest makes n other
// edits and hands everything over.
var (
	//go:embed scripts/before.js
	before string
	//go:embed scripts/first.js
	first string
	//go:embed scripts/rest.js
	rest string
)

// once loads the page in a fresh profile and edits it.
func once(b *browser.Running, address string, o *options, rate float64) (measured, error) {
	var m measured
	tab, done := b.Tab(2 * time.Minute)
	defer done()
	var mu sync.Mutex
	names := map[network.RequestID]string{}
	err := chromedp.Listen(tab, func(event any) {
		mu.Lock()
		defer mu.Unlock()
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			names[e.RequestID] = e.Request.URL
		case *network.EventLoadingFinished:
			m.bytes += int64(e.EncodedDataLength)
			m.requests++
			m.travelled = append(m.travelled, fmt.Sprintf("%8.0f %s", e.EncodedDataLength, names[e.RequestID]))
		}
	})
	if err != nil {
		return m, err
	}
	if _, err := chromedp.Call(tab, network.Enable, network.EnableParams{}); err != nil {
		return m, err
	}
	if _, err := chromedp.Call(tab, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true}); err != nil {
		return m, err
	}
	if _, err := chromedp.Call(tab, page.Enable, page.EnableParams{}); err != nil {
		return m, err
	}
	script := page.AddScriptToEvaluateOnNewDocumentParams{Source: fmt.Sprintf(before, quote(o.answer))}
	if _, err := chromedp.Call(tab, page.AddScriptToEvaluateOnNewDocument, script); err != nil {
		return m, err
	}
	if _, err := chromedp.Call(tab, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		return m, err
	}
	if _, err := chromedp.Call(tab, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: rate}); err != nil {
		return m, err
	}
	if err := chromedp.Do(tab, chromedp.EmulateViewport(1280, 800), chromedp.Navigate(address+o.path)); err != nil {
		return m, err
	}
	values, err := json.Marshal(o.values)
	if err != nil {
		return m, err
	}
	if _, err := chromedp.Run(tab, chromedp.Evaluate[float64](fmt.Sprintf("%s(%s, %s, %s)", first, quote(o.input), quote(o.answer), values), chromedp.EvalAwaitPromise)); err != nil {
		return m, err
	}
	mu.Lock()
	bytes, requests, travelled := m.bytes, m.requests, m.travelled
	mu.Unlock()
	text, err := chromedp.Run(tab, chromedp.Evaluate[string](fmt.Sprintf("%s(%d)", rest, o.edits), chromedp.EvalAwaitPromise))
	if err != nil {
		return m, err
	}
	mu.Lock()
	defer mu.Unlock()
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return m, err
	}
	m.bytes, m.requests, m.travelled = bytes, requests, travelled
	return m, nil
}

// quote writes text into a script.
func quote(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // of a string it cannot fail
	}
	return string(text)
}

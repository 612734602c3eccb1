package bench

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"llmsize/build/browser"
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

// before runs before the page's own scripts. %s: the answer's selector.
const before = `{
	const b = globalThis.bench = { tasks: [], shift: 0, visible: 0 };
	new PerformanceObserver((l) => { for (const e of l.getEntries()) b.tasks.push([e.startTime, e.duration]) }).observe({ type: "longtask", buffered: true });
	new PerformanceObserver((l) => { for (const e of l.getEntries()) if (!e.hadRecentInput) b.shift += e.value }).observe({ type: "layout-shift", buffered: true });
	const look = () => {
		const e = document.querySelector(%s);
		if (e?.textContent.trim() && e.checkVisibility()) b.visible = performance.now();
		else requestAnimationFrame(look);
	};
	requestAnimationFrame(look);
}`

// first waits for an answer, sets a value until the page hears of it, and waits for the new answer to be painted. Arguments: input, answer, values.
const first = `(async (input, answer, values) => {
	const text = () => document.querySelector(answer)?.textContent ?? "";
	const field = () => document.querySelector(input);
	const set = (value) => {
		const e = field();
		Object.getOwnPropertyDescriptor(Object.getPrototypeOf(e), "value").set.call(e, value); // as a person does, past what frameworks put in its place
		e.dispatchEvent(new Event("input", { bubbles: true }));
		e.dispatchEvent(new Event("change", { bubbles: true }));
	};
	// Resolves when the frame is done that shows another answer.
	bench.edit = (value, again) => new Promise((done, fail) => requestAnimationFrame(() => {
		const was = text(), from = performance.now();
		const painted = () => {
			if (text() === was) return;
			watch.disconnect();
			clearInterval(repeat);
			clearTimeout(late);
			const c = new MessageChannel();
			c.port1.onmessage = () => done(performance.now() - from);
			// From within a frame the message comes after its paint; from outside, the next frame is awaited.
			if (inFrame) c.port2.postMessage(0);
			else requestAnimationFrame(() => c.port2.postMessage(0));
		};
		let inFrame = true;
		const watch = new MutationObserver(painted);
		watch.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
		const repeat = again ? setInterval(() => set(value), 250) : 0;
		const late = setTimeout(() => fail(new Error("the answer does not change within 10 s of writing " + value + " into " + input)), 10000);
		set(value);
		painted();
		queueMicrotask(() => queueMicrotask(() => { inFrame = false }));
	}));
	if (!field()) throw new Error("no element is " + input);
	bench.next = 0;
	bench.shifted = bench.shift; // edits move things, which a reader expects
	bench.values = values;
	while (!bench.visible) await new Promise(requestAnimationFrame);
	await bench.edit(values[bench.next++], true);
	return bench.first = performance.now();
})`

// rest makes the other edits and hands everything over. Argument: how many.
const rest = `(async (n) => {
	const pause = (ms) => new Promise((done) => setTimeout(done, ms));
	await pause(1000); // what the page still loads of itself
	const edits = [], from = performance.now();
	for (let i = 0; i < n; i++) {
		edits.push(await bench.edit(bench.values[bench.next++ % bench.values.length]));
		await pause(100);
	}
	await pause(200);
	const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? performance.getEntriesByName("first-paint")[0]?.startTime ?? 0;
	return JSON.stringify({
		Paint: paint, Visible: bench.visible, First: bench.first, Edits: edits, Shift: bench.shifted,
		LoadTasks: bench.tasks.filter(([at]) => at < bench.first).map((t) => t[1]), EditTasks: bench.tasks.filter(([at]) => at >= from).map((t) => t[1]),
	});
})`

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

package site_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

// hostileLinks is how many links are tried; more find more, and make audit tries many.
var hostileLinks = flag.Int("hostile", 300, "how many hostile links are tried")

// watch runs before a page's own scripts: whatever a link must never bring about is written into harm.
const watch = `
	globalThis.harm = [];
	const waiting = new Set(), later = setTimeout, never = clearTimeout;
	globalThis.setTimeout = (f, ms = 0, ...of) => {
		const id = later((...of) => { waiting.delete(id); f(...of); }, ms, ...of);
		if (ms < 500) waiting.add(id);
		return id;
	};
	globalThis.clearTimeout = (id) => { waiting.delete(id); never(id); };
	globalThis.rest = async () => { // everything that waits gets its turn: the drawing, the address, what is said
		await new Promise((done) => requestIdleCallback(done, { timeout: 500 }));
		await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
		for (let turn = 0; waiting.size && turn < 200; turn++) await new Promise((done) => later(done, 10));
	};
	const seen = (what) => { if (harm.length < 20) harm.push(what) };
	for (const name of ["alert", "confirm", "prompt", "print", "open"]) globalThis[name] = () => seen(name + " was called");
	Object.defineProperty(globalThis, "pwned", { set() { seen("a script ran") }, get() { seen("a script ran") } });
	addEventListener("error", (e) => seen("exception: " + e.message));
	addEventListener("unhandledrejection", (e) => seen("exception: " + (e.reason?.stack ?? e.reason)));
	document.addEventListener("securitypolicyviolation", (e) => seen("the policy refused " + e.violatedDirective + ": " + (e.blockedURI || e.sample)));
	addEventListener("submit", () => seen("a form was sent"));
	let stop = 0;
	const tasks = new PerformanceObserver((list) => { for (const e of list.getEntries()) stop = Math.max(stop, e.duration) });
	tasks.observe({ type: "longtask" });
	globalThis.stopped = async () => { // for how long the page did nothing else, at most, since this was asked before
		await new Promise((done) => setTimeout(done));
		for (const e of tasks.takeRecords()) stop = Math.max(stop, e.duration);
		const was = stop;
		stop = 0;
		return was;
	};
	const builtIn = [Object, Array, String, Function, Promise, Map, Element].map((c) => c.prototype);
	const had = builtIn.map((p) => Reflect.ownKeys(p).length);
	globalThis.look = () => {
		for (const key in {}) seen("every object has a key " + key);
		builtIn.forEach((p, i) => { if (Reflect.ownKeys(p).length !== had[i]) seen("a prototype was changed: " + p) });
		const mark = document.querySelector("x-harm, [x-harm]");
		if (mark) seen("markup came in: " + mark.outerHTML.slice(0, 200));
		const runs = ["href", "src", "action", "data"]; // where an address that begins so is a program; further on it is the text of a query
		const program = (e) => runs.some((name) => /^javascript:/i.test((e.getAttribute(name) ?? "").replace(/[\x00-\x20]/g, "")));
		const bad = document.querySelector("[onerror], [onload], [onclick], [onfocus], [onmouseover], [onbegin], [ontoggle], [srcdoc]") ??
			[...document.querySelectorAll(runs.map((name) => "[" + name + "*='script:' i]").join())].find(program);
		if (bad) seen("an attribute runs: " + bad.outerHTML.slice(0, 200));
		const count = document.querySelector(".exactly")?.textContent;
		if (count !== undefined && !/^\d+$/.test(count)) seen("the count is " + count);
		return harm.splice(0);
	};`

// visit opens a link in the page that is there, as Back and Forward do, waits until it is answered or refused, and returns for how
// long. lost is called for one that is neither.
const visit = `
	const note = document.querySelector("[data-problems]"), root = note.closest("[data-calculator]");
	const settled = () => note.textContent !== "waiting" || root.querySelector(".error");
	const visit = async (link, byHash, lost) => {
		for (const e of root.querySelectorAll(".error")) e.remove();
		note.textContent = "waiting";
		const from = performance.now();
		if (byHash && link.startsWith("/#")) location.hash = link.slice(1);
		else {
			history.pushState(null, "", link);
			dispatchEvent(new PopStateEvent("popstate"));
		}
		for (let turn = 0; !settled(); turn++) {
			if (performance.now() - from > 8000) { lost(); break; }
			await new Promise((done) => (turn < 20 ? queueMicrotask : setTimeout)(done, 1));
		}
		return performance.now() - from;
	};
`

// try visits links. It returns what a link did, the longest wait, the links at which the page stood still for too long by the clock,
// and how many links there was time for.
const try = `(async (links, most) => {
	const found = [], still = [];
	let longest = 0, slowest = "", answered = 0, done = 0, stood = 0;
	const start = performance.now();
	` + visit + `
	await stopped();
	for (const [i, link] of links.entries()) {
		const took = await visit(link, i % 2 === 0, () => found.push([link, "no answer and no message in 8 s"]));
		if (took > longest) { longest = took; slowest = link; }
		if (note.textContent === "") answered++;
		if (i % 100 === 99 || i === links.length - 1) await rest();
		const stop = await stopped();
		if (stop > most) still.push(link);
		else stood = Math.max(stood, stop);
		for (const what of look()) found.push([link, what]);
		if (location.pathname !== "/") found.push([link, "the page is now " + location.href.slice(0, 200)]);
		done++;
		if (found.length > 5 || performance.now() - start > 20000) break;
	}
	return JSON.stringify({ found, still, longest, slowest: slowest.slice(0, 300), answered, done, stood });
})`

// again visits one link, which has been looked at for harm, a little later.
const again = `(async (link) => { ` + visit + ` await rest(); await visit(link, false, () => {}); await rest(); return true; })`

// atMostStill is for how many milliseconds a page may do nothing else.
const atMostStill = 250

// tried is what try says.
type tried struct {
	Found    [][2]string
	Still    []string // links at which the page stood still, or another program of the machine had the processor
	Longest  float64
	Stood    float64
	Slowest  string
	Answered int
	Done     int
}

// openWatched opens a page in which harm is noticed.
func openWatched(t *testing.T, url, path string, more ...string) *page {
	t.Helper()
	return open(t, url, path, func(p *page) {
		p.first(watch + strings.Join(more, ""))
	})
}

// tryLinks opens links one after the other in a page.
func (p *page) tryLinks(links []string) tried {
	p.t.Helper()
	list, err := json.Marshal(links)
	if err != nil {
		p.t.Fatal(err)
	}
	var out tried
	if err := json.Unmarshal([]byte(eval[string](p, fmt.Sprintf("%s(%s, %d)", try, list, atMostStill))), &out); err != nil {
		p.t.Fatal(err)
	}
	out.Found = append(out.Found, p.worked(out.Still)...)
	return out
}

// worked tries links again at which the page stood still by the clock: other programs of the machine may have been the reason. This
// time it counts processor time. The page's thread says after which amount of it the thread comes to answer, as often as it
// does, so the largest step is what it did in one go.
func (p *page) worked(still []string) (found [][2]string) {
	p.t.Helper()
	if len(still) == 0 {
		return nil
	}
	if _, err := chromedp.Call(p.tab, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks}); err != nil {
		p.t.Fatal(err)
	}
	thread := func() time.Duration {
		got, err := chromedp.Call(p.tab, performance.GetMetrics, cdp.Empty{})
		if err == nil {
			for _, m := range got.Metrics {
				if m.Name == "TaskDuration" {
					return time.Duration(m.Value * float64(time.Second))
				}
			}
		}
		p.t.Fatal("the page's thread doesn't say how long it worked: ", err)
		return 0
	}
	for _, link := range still[:min(len(still), 10)] {
		address, err := json.Marshal(link)
		if err != nil {
			p.t.Fatal(err)
		}
		least := time.Hour
		for try := 0; try < 3 && least > atMostStill*time.Millisecond; try++ {
			eval[bool](p, again+`("/")`)
			most, last := time.Duration(0), thread() // before it is asked: on a busy machine it may be through when the asking is
			eval[bool](p, `(`+again+`(`+string(address)+`).then(() => { globalThis.visited = true }), true)`)
			for more := true; more; {
				more = !eval[bool](p, `new Promise((done) => setTimeout(() => done(globalThis.visited === true), 4))`) // asked at once, the asking is most of the work
				now := thread()
				most, last = max(most, now-last), now
			}
			eval[bool](p, `delete globalThis.visited`)
			least = min(least, most)
		}
		if least > atMostStill*time.Millisecond {
			found = append(found, [2]string{link, fmt.Sprintf("the page stood still: it worked for %.0f ms in one go", ms(least))})
		}
	}
	return found
}

// maker makes links from the catalogue's configs.
func maker(t *testing.T, seed uint64) *hostile {
	t.Helper()
	h := &hostile{Rand: rand.New(rand.NewPCG(seed, 7))}
	for _, slug := range catalogue {
		data, err := os.ReadFile(filepath.Join("..", "content", "models", slug+".json"))
		var m struct{ Config json.RawMessage }
		if err == nil {
			err = json.Unmarshal(data, &m)
		}
		if err != nil {
			t.Fatal(err)
		}
		h.configs = append(h.configs, string(m.Config))
	}
	return h
}

// TestHostileLinks opens links that mean harm: nothing of them runs, nothing throws, each is answered or refused
// in words, and the page works afterwards.
func TestHostileLinks(t *testing.T) {
	t.Parallel()
	url := host(t)
	for _, c := range []struct {
		name string
		test func(t *testing.T)
	}{
		{"a hole is noticed", func(t *testing.T) { aHole(t, url) }},
		{"the small program", func(t *testing.T) { inOnePage(t, url, 1, *hostileLinks*3/4, false) }},
		{"every lens", func(t *testing.T) { inOnePage(t, url, 2, *hostileLinks/4, true) }},
		{"opened anew", func(t *testing.T) { openedAnew(t, url) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.test(t)
		})
	}
}

// batch is how many links one tab gets, which has three minutes.
const batch = 125

// inOnePage tries links without loading the page again, some in each of several tabs; lenses says with which program.
func inOnePage(t *testing.T, url string, seed uint64, n int, lenses bool) {
	h := maker(t, seed)
	var mu sync.Mutex
	var all tried
	for from := 0; from < n; from += batch {
		links := make([]string, min(batch, n-from))
		for i := range links {
			links[i] = h.link()
		}
		t.Run(fmt.Sprint("from ", from), func(t *testing.T) {
			t.Parallel()
			got := inOneTab(t, url, links, lenses)
			mu.Lock()
			defer mu.Unlock()
			all.Done, all.Answered = all.Done+got.Done, all.Answered+got.Answered
			all.Stood = max(all.Stood, got.Stood)
			if got.Longest > all.Longest {
				all.Longest, all.Slowest = got.Longest, got.Slowest
			}
		})
	}
	t.Cleanup(func() { // when all tabs are through
		t.Logf("%d of %d links, %d answered without a word; the page stood still for %.0f ms at most; the longest took %.0f ms: %.200s", all.Done, n, all.Answered, all.Stood, all.Longest, all.Slowest)
		if !t.Failed() && (all.Answered == 0 || all.Answered > all.Done/2) {
			t.Errorf("%d of %d links are answered without a word: they are not what they should be", all.Answered, all.Done)
		}
	})
}

// inOneTab tries links in a tab of their own.
func inOneTab(t *testing.T, url string, links []string, lenses bool) tried {
	p := openWatched(t, url, "/")
	p.expected = "status of 404" // of a second model that the catalogue lacks
	p.ready()
	if lenses {
		p.calm()
		eval[bool](p, `(() => { for (const d of document.querySelectorAll(".answer details")) d.open = true; document.querySelector('[data-region="running"]').scrollIntoView(); return true })()`)
		p.fill("context", "4096") // what is on the screen has to follow
		p.is("the larger program is there", `performance.getEntriesByType("resource").some((r) => r.name.includes("/lenses-") && r.responseEnd > 0)`)
	}
	got := p.tryLinks(links)
	for _, f := range got.Found {
		t.Errorf("%s\n  %.1500s", f[1], f[0])
	}
	// The page still works, also for a link that means no harm.
	eval[bool](p, `(() => { history.pushState(null, "", "/?v=1&model=gpt2"); dispatchEvent(new PopStateEvent("popstate")); return true })()`)
	p.counts(strconv.Itoa(gpt2))
	return got
}

// openedAnew loads pages at hostile addresses: what scripts do at their start, frames included.
func openedAnew(t *testing.T, url string) {
	h := maker(t, 3)
	for round := range 2 {
		var addresses []string
		for i, path := range []string{"/", "/embed/", "/models/gpt2/", "/example/", "/models/", "/404.html", "/", "/embed/", "/models/gpt2/", "/example/"} {
			address := path + strings.TrimPrefix(h.link(), "/")
			if round == 0 { // a good model with one bad value
				address = path + "?v=1&model=gpt2&batch=" + h.escape(payloads[i]) + "&theme=" + h.escape(payloads[i])
			}
			addresses = append(addresses, address)
		}
		t.Run(fmt.Sprint("round ", round), func(t *testing.T) {
			t.Parallel()
			p := openWatched(t, url, "/")
			p.expected = "status of 404" // of a model that the catalogue lacks
			for _, address := range addresses {
				p.visit(address)
				// A page without a calculator of its own has no answer to wait for.
				p.is("what it asks is answered", `document.documentElement.dataset.asked === undefined || !document.querySelector(".calc:not(.embedded), body.embed")`)
				p.calm()
				for _, what := range eval[[]string](p, `look()`) {
					t.Errorf("%s\n  %.1500s", what, address)
				}
			}
		})
	}
}

// aHole plants what the watch is for, one at a time: each has to be noticed. All are planted in one page, which is cleaned between them.
func aHole(t *testing.T, url string) {
	decoded := `decodeURIComponent(location.search)`
	holes := []struct{ hole, link, noticed string }{
		{`document.querySelector("h1").innerHTML = ` + decoded, `/?<img x-harm src=x>`, "markup came in"},
		{`document.querySelector("h1").innerHTML = ` + decoded, `/?<b onclick=pwned=1>`, "an attribute runs: <b onclick"},
		{`document.querySelector("h1").innerHTML = ` + decoded, `/?<a href=%20JavaScript:pwned=1>`, "an attribute runs: <a href"},
		{`document.querySelector("h1").innerHTML = ` + decoded, `/?<img src=x onerror=pwned=1>`, "the policy refused script-src"},
		{`const s = document.createElement("script"); s.textContent = location.search.slice(1); document.body.append(s)`, `/?pwned=1`, "the policy refused script-src"},
		{`const i = document.createElement("img"); i.src = location.search.slice(1); document.body.append(i)`, `/?https://harm.example/`, "the policy refused img-src"},
		{`globalThis[location.search.slice(1)] = 1`, `/?pwned`, "a script ran"},
		{`globalThis[location.search.slice(1)]()`, `/?alert`, "alert was called"},
		{`throw new Error("hole")`, `/?v=1`, "exception: Uncaught Error: hole"},
		{`Promise.reject(new Error("hole"))`, `/?v=1`, "exception: Error: hole"},
		// So much work, not so much time: a busy machine gives the page little of it. One step waits for the step before: some 0.5 s, once
		// the function that is called again and again is compiled. One that is called once stays slow.
		{`if (location.search === "?still") { const f = (x) => { for (let i = 0; i < 1e5; i++) x = (Math.imul(x, 1103515245) + i) | 0; return x; }; let x = 1; for (let k = 0; k < 4000; k++) x = f(x); globalThis.worked = x; }`, `/?still`, "the page stood still"},
		{`setTimeout(() => { document.querySelector(".exactly").textContent = "NaN" }, 100)`, `/?context=lots`, "the count is NaN"},
		{`const o = {}; for (const [k, v] of new URLSearchParams(location.search)) { const [a, b] = k.split("."); o[a][b] = v }`, `/?__proto__.polluted=1`, "every object has a key polluted"}, // the last: a page does not get over it
	}
	var planted strings.Builder
	planted.WriteString(`{ let heading; const holes = [`)
	for _, c := range holes {
		fmt.Fprintf(&planted, "() => { %s },\n", c.hole)
	}
	planted.WriteString(`]; let hole; globalThis.plant = (i) => {
		const h1 = document.querySelector("h1");
		heading ??= h1.innerHTML;
		h1.innerHTML = heading;
		look();
		hole = holes[i];
		return true;
	}; addEventListener("popstate", () => hole?.()); }`)
	p := openWatched(t, url, "/", planted.String())
	p.ready()
	p.expected = " " // whatever the browser says: the hole is there for it
	for i, c := range holes {
		eval[bool](p, `plant(`+strconv.Itoa(i)+`)`)
		got := p.tryLinks([]string{c.link})
		if len(got.Found) == 0 || !strings.Contains(fmt.Sprint(got.Found), c.noticed) {
			t.Errorf("%s at %s is not noticed, but %q", c.hole, c.link, got.Found)
		}
	}
}

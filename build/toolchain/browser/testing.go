package browser

import (
	"context"
	"sync"
	"time"

	"github.com/chromedp/chromedp"

	"llmsize/build/toolchain"
)

// TB is the part of testing.TB that a tab needs; the generator imports this package too.
type TB interface {
	Helper()
	Fatal(args ...any)
	Cleanup(func())
}

// testLimit ends a test whose page hangs.
const testLimit = 3 * time.Minute

// shared is the test process's browser while any of its tests has a tab open, or Keep holds it. It is not kept
// longer by itself: the browser's profile folder is removed only by closing it.
var shared struct {
	sync.Mutex
	running *Running
	tabs    int
	brief   bool
}

// Brief says that tabs are many and live shortly: programs are compiled once, the quick way, and never again for speed, and what a
// page has fetched need not be fetched for the next one, as far as its server says that it keeps. Call it before the first tab, and not
// where time is measured.
func Brief() {
	shared.Lock()
	defer shared.Unlock()
	shared.brief = true
}

// Tab gives a test a tab in an empty profile. Tests that run while another one has a tab open share its
// browser: a tab opened before subtests spares each of them the start (0.2 s).
// Without a browser the test fails and says how to get one: a skipped browser test would pass unseen.
func Tab(t TB) context.Context {
	t.Helper()
	tab, _ := OpenTab(t)
	return tab
}

// OpenTab is Tab for a test that has many: what is returned closes the tab before the test ends.
func OpenTab(t TB) (tab context.Context, closeTab func()) {
	t.Helper()
	running, err := enter()
	if err != nil {
		t.Fatal(err)
	}
	tab, end := running.Tab(testLimit)
	closeTab = sync.OnceFunc(func() {
		end()
		leave()
	})
	t.Cleanup(closeTab)
	return tab, closeTab
}

// enter starts the browser where it does not run, for one more tab.
func enter() (*Running, error) {
	shared.Lock()
	defer shared.Unlock()
	if shared.running == nil {
		root, err := toolchain.Root(".")
		if err != nil {
			return nil, err
		}
		var more []chromedp.ExecAllocatorOption
		if shared.brief {
			more = append(more, chromedp.Flag("js-flags", "--liftoff-only"))
		}
		if shared.running, err = start(context.Background(), root, more...); err != nil {
			return nil, err
		}
		shared.running.keepsFiles = shared.brief
	}
	shared.tabs++
	return shared.running, nil
}

// Keep keeps the browser, once a test has started it, until release is called: for a TestMain whose tests come and go.
func Keep() (release func()) {
	shared.Lock()
	defer shared.Unlock()
	shared.tabs++
	return leave
}

// leave closes the browser when nobody is left.
func leave() {
	shared.Lock()
	defer shared.Unlock()
	if shared.tabs--; shared.tabs == 0 && shared.running != nil {
		shared.running.Close()
		shared.running = nil
	}
}

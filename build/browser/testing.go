package browser

import (
	"context"
	"sync"
	"time"

	"llmsize/build/toolchain"
)

// TB is the part of testing.TB that a tab needs; the generator imports this package too.
type TB interface {
	Helper()
	Fatal(args ...any)
	Logf(format string, args ...any)
	Cleanup(func())
}

// testLimit ends a test whose page hangs.
const testLimit = 3 * time.Minute

// shared is the test process's browser while any of its tests has a tab open. It is not kept
// longer: the browser's profile folder is removed only by closing it, and a test process has no other last moment.
var shared struct {
	sync.Mutex
	running *Running
	tabs    int
}

// Tab gives a test a tab with a fresh profile. Tests that run while another one has a tab open share its
// browser: a tab opened before subtests spares each of them the start (0.2 s).
// Without a browser the test fails and says how to get one: a skipped browser test would pass unseen.
func Tab(t TB) context.Context {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.running == nil {
		root, err := toolchain.Root(".")
		if err != nil {
			t.Fatal(err)
		}
		if shared.running, err = Start(context.Background(), root); err != nil {
			t.Fatal(err)
		}
		t.Logf("browser: %s (%s)", shared.running.Found.Path, shared.running.Found.Source)
	}
	tab, closeTab := shared.running.Tab(testLimit)
	shared.tabs++
	t.Cleanup(func() {
		shared.Lock()
		defer shared.Unlock()
		closeTab()
		if shared.tabs--; shared.tabs == 0 {
			shared.running.Close()
			shared.running = nil
		}
	})
	return tab
}

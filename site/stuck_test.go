package site_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	cdpnetwork "github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/chromedp"
)

// patience is how long a page may take to load, or to do what is expected of it: many times what it takes on a busy machine with a large program.
const patience = 30 * time.Second

// loading is what a tab waits for, to tell it when a page does not load.
type loading struct {
	mu      sync.Mutex
	asked   map[cdpnetwork.RequestID]string // requests without an end
	workers map[string]string               // service workers by version, with their state
	steps   []string                        // of the page that loads
}

// observe notes an event of the tab.
func (l *loading) observe(event any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch e := event.(type) {
	case *cdpnetwork.EventRequestWillBeSent:
		l.asked[e.RequestID] = e.Request.URL
	case *cdpnetwork.EventLoadingFinished:
		delete(l.asked, e.RequestID)
	case *cdpnetwork.EventLoadingFailed:
		delete(l.asked, e.RequestID)
	case *cdppage.EventLifecycleEvent:
		l.steps = append(l.steps, e.Name)
	case *serviceworker.EventWorkerVersionUpdated:
		for _, v := range e.Versions {
			l.workers[v.VersionID] = fmt.Sprint(v.Status, ", ", v.RunningStatus)
		}
	}
}

// watched is a tab's loading before its first page.
func watched() loading {
	return loading{asked: map[cdpnetwork.RequestID]string{}, workers: map[string]string{}}
}

// begin forgets the page before.
func (l *loading) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked, l.steps = map[cdpnetwork.RequestID]string{}, nil
}

// say tells what the page that does not load waits for.
func (l *loading) say(tab context.Context) string {
	ctx, cancel := context.WithTimeout(tab, 2*time.Second)
	defer cancel()
	state, err := chromedp.Run(ctx, chromedp.Evaluate[string](`document.readyState + " at " + location.href.slice(0, 300)`))
	if err != nil {
		state = "its script does not answer: " + err.Error()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return fmt.Sprintf("%s; it went through %s; it waits for %q; workers: %q",
		state, strings.Join(l.steps, ", "), slices.Collect(maps.Values(l.asked)), slices.Collect(maps.Values(l.workers)))
}

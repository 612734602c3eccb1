// Package browser starts a Chromium without a screen, for card images and for tests of the real pages.
//
// A test asks for a tab and works on it with chromedp:
//
//	tab := browser.Tab(t)
//	err := chromedp.Do(tab, chromedp.Navigate(address))
//	title, err := chromedp.Run(tab, chromedp.Evaluate[string]("document.title"))
//
// Each call of Tab gives a fresh profile (its own cookies, storage and service workers), closed when the
// test ends. The tab's context ends after three minutes, so that a page that hangs fails its own test.
// The generator calls Start, which returns errors instead.
//
// Which browser it is, and what to do when there is none, is package toolchain's matter.
package browser

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"llmsize/build/toolchain"
)

// Running is a browser process.
type Running struct {
	Found toolchain.Browser
	ctx   context.Context
	stop  context.CancelFunc
}

// Start starts the browser that the checkout at root has at hand. Close it, or end ctx. The browser
// keeps its sandbox unless this process is root's, where Chromium refuses to have one.
func Start(ctx context.Context, root string) (*Running, error) { return start(ctx, root) }

func start(ctx context.Context, root string, more ...chromedp.ExecAllocatorOption) (*Running, error) {
	found, err := toolchain.FindBrowser(ctx, root)
	if err != nil {
		return nil, err
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(found.Path),
		chromedp.Env(found.Env...),
		// The same glyph widths whatever the system's font settings.
		chromedp.Flag("font-render-hinting", "none"),
	)
	opts = append(opts, more...)
	if os.Geteuid() == 0 {
		opts = append(opts, chromedp.NoSandbox)
	}
	alloc, stopAlloc := chromedp.NewExecAllocator(ctx, opts...)
	first, stopFirst := chromedp.NewContext(alloc, chromedp.WithErrorf(quiet))
	stop := func() { stopFirst(); stopAlloc() }
	if err := chromedp.Do(first); err != nil { // the process starts here
		stop()
		return nil, fmt.Errorf("start %s (%s): %w", found.Path, found.Source, err)
	}
	return &Running{Found: *found, ctx: first, stop: stop}, nil
}

// Close ends the process and all its tabs.
func (r *Running) Close() { r.stop() }

// Tab opens a tab with a fresh profile. It ends with the call of the returned function or after limit.
//
// chromedp reads what a tab sends for as long as the context lives with which the tab was opened, and
// hands the messages of all tabs on in one loop. When a tab that nobody reads any more has sent 1,024 messages, that
// loop waits for ever, and with it every other tab (chromedp v0.22.1, browser.go, run). So a tab is opened without the
// limit, and falls silent before it is closed.
func (r *Running) Tab(limit time.Duration) (context.Context, context.CancelFunc) {
	parent, giveUp := context.WithCancel(r.ctx)
	tab, closeTab := chromedp.NewContext(parent, chromedp.WithNewBrowserContext())
	late := time.AfterFunc(limit, giveUp)
	_ = chromedp.Do(tab) // what fails here fails again, and is reported, with the first that is done in the tab
	unwatched(tab)
	late.Stop()
	limited, cancel := context.WithTimeout(tab, limit)
	return limited, func() {
		cancel()
		silence(tab)
		closeTab()
		giveUp()
	}
}

// unwatched ends what chromedp asks of every tab for its searches of nodes: the page tells of each change of its elements and
// styles, which costs it more than the change. Scripts find elements here, so nobody listens.
func unwatched(tab context.Context) {
	c := chromedp.FromContext(tab)
	if c.Target == nil {
		return
	}
	for _, off := range []cdp.Command[cdp.Empty, cdp.Empty]{css.Disable, dom.Disable} {
		_, _ = cdp.Call(tab, c.Target, off, cdp.Empty{})
	}
}

// silence ends what a tab sends, while what it has sent is still read. A tab that does not hear is closed all the same.
func silence(tab context.Context) {
	c := chromedp.FromContext(tab)
	if c.Target == nil {
		return
	}
	ctx, cancel := context.WithTimeout(tab, 5*time.Second)
	defer cancel()
	_, _ = cdp.Call(ctx, c.Browser, target.DetachFromTarget, target.DetachFromTargetParams{SessionID: c.Target.SessionID})
}

// quiet drops what chromedp says when a browser is newer than its protocol tables.
func quiet(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !strings.Contains(text, "could not unmarshal event") {
		fmt.Fprintln(os.Stderr, "browser:", text)
	}
}

// Package browser starts a Chromium without a screen, for card images and for tests of the real pages.
//
// A test asks for a tab and works on it with chromedp:
//
//	tab := browser.Tab(t)
//	err := chromedp.Do(tab, chromedp.Navigate(address))
//	title, err := chromedp.Run(tab, chromedp.Evaluate[string]("document.title"))
//
// Each call of Tab gives a fresh profile (its own cookies, storage and service workers), closed when the
// test ends. The tab's context ends after a minute, so that a page that hangs fails its own test.
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
func Start(ctx context.Context, root string) (*Running, error) {
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
func (r *Running) Tab(limit time.Duration) (context.Context, context.CancelFunc) {
	tab, closeTab := chromedp.NewContext(r.ctx, chromedp.WithNewBrowserContext())
	tab, cancel := context.WithTimeout(tab, limit)
	return tab, func() { cancel(); closeTab() }
}

// quiet drops what chromedp says when a browser is newer than its protocol tables.
func quiet(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !strings.Contains(text, "could not unmarshal event") {
		fmt.Fprintln(os.Stderr, "browser:", text)
	}
}

// Package browser starts a Chromium without a screen, for card images and for tests of the real pages.
//
// A test asks for a tab and works on it with chromedp:
//
//	tab := browser.Tab(t)
//	err := chromedp.Do(tab, chromedp.Navigate(address))
//	title, err := chromedp.Run(tab, chromedp.Evaluate[string]("document.title"))
//
// Each call of Tab gives a profile of its own (cookies, storage, service workers), empty as a new one, until the
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
	"sync"
	"time"

	protocol "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"llmsize/build/toolchain"
)

// Running is a browser process.
type Running struct {
	Found toolchain.Browser
	ctx   context.Context
	stop  context.CancelFunc

	keepsFiles bool // of what pages have fetched, a profile keeps what their servers let it keep

	mu   sync.Mutex
	idle []*profile
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

// Tab opens a tab in a profile as good as new. It ends with the call of the returned function or after limit.
//
// A profile and its tab serve one after the other: starting a process of the page's own and reading its scripts for the first
// time costs more than most pages. Between two, all that a page can leave behind is thrown away (leave), and what was set for
// the tab ends with the session that set it.
//
// chromedp reads what a tab sends for as long as the context lives with which the tab was opened, and
// hands the messages of all tabs on in one loop. When a tab that nobody reads any more has sent 1,024 messages, that
// loop waits for ever, and with it every other tab (chromedp v0.22.1, browser.go, run). So a tab is opened without the
// limit, and falls silent before it is let go.
func (r *Running) Tab(limit time.Duration) (context.Context, context.CancelFunc) {
	parent, giveUp := context.WithCancel(r.ctx)
	late := time.AfterFunc(limit, giveUp)
	p, err := r.profile(parent)
	if err != nil { // which the first that is done in the tab meets, too, without the reason
		quiet("no profile for a tab: %v", err)
		late.Stop()
		giveUp()
		return parent, giveUp
	}
	tab, letGo := chromedp.NewContext(context.WithValue(parent, key{}, p), chromedp.WithTargetID(p.target), chromedp.WithDetachOnCancel())
	_ = chromedp.Do(tab) // what fails here fails again, and is reported, with the first that is done in the tab
	unwatched(tab)
	late.Stop()
	limited, cancel := context.WithTimeout(tab, limit)
	return limited, func() {
		inTime := limited.Err() == nil
		cancel()
		clean := inTime && p.leave(tab, r.keepsFiles) == nil
		silence(tab)
		letGo()
		giveUp()
		r.back(p, clean)
	}
}

// profile has its own cookies, storage, workers and permissions, and one tab.
type profile struct {
	context cdp.BrowserContextID
	target  target.ID
}

type key struct{}

// Profile names the profile of a tab, for commands to the browser.
func Profile(tab context.Context) cdp.BrowserContextID {
	if p, ok := tab.Value(key{}).(*profile); ok {
		return p.context
	}
	return ""
}

// profile is one that nobody uses, or a new one.
func (r *Running) profile(ctx context.Context) (*profile, error) {
	r.mu.Lock()
	if n := len(r.idle); n > 0 {
		p := r.idle[n-1]
		r.idle = r.idle[:n-1]
		r.mu.Unlock()
		return p, nil
	}
	r.mu.Unlock()
	made, err := chromedp.CallBrowser(ctx, target.CreateBrowserContext, target.CreateBrowserContextParams{})
	if err != nil {
		return nil, err
	}
	window := true
	tab, err := chromedp.CallBrowser(ctx, target.CreateTarget, target.CreateTargetParams{URL: blank, BrowserContextID: made.BrowserContextID, NewWindow: &window})
	if err != nil {
		return nil, err
	}
	return &profile{context: made.BrowserContextID, target: tab.TargetID}, nil
}

// back keeps a clean profile for the next tab, and closes another.
func (r *Running) back(p *profile, clean bool) {
	if clean {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.idle = append(r.idle, p)
		return
	}
	ctx, cancel := context.WithTimeout(r.ctx, 5*time.Second)
	defer cancel()
	_, _ = chromedp.CallBrowser(ctx, target.DisposeBrowserContext, target.DisposeBrowserContextParams{BrowserContextID: p.context})
}

// leave throws away what pages have left in a profile. Where that fails, or a page has opened another tab, the profile can't be
// used again.
func (p *profile) leave(tab context.Context, keepsFiles bool) error {
	ctx, cancel := context.WithTimeout(tab, 10*time.Second)
	defer cancel()
	if err := p.empty(ctx); err != nil {
		return err
	}
	session := chromedp.FromContext(ctx).Target
	if _, err := cdp.Call(ctx, session, storage.ClearDataForOrigin, storage.ClearDataForOriginParams{Origin: "*", StorageTypes: "all"}); err != nil {
		return err
	}
	clears := []cdp.Command[cdp.Empty, cdp.Empty]{network.ClearBrowserCookies, page.ResetNavigationHistory}
	if !keepsFiles {
		clears = append(clears, network.ClearBrowserCache)
	}
	for _, all := range clears {
		if _, err := cdp.Call(ctx, session, all, cdp.Empty{}); err != nil {
			return err
		}
	}
	if _, err := chromedp.CallBrowser(ctx, protocol.ResetPermissions, protocol.ResetPermissionsParams{BrowserContextID: p.context}); err != nil {
		return err
	}
	open, err := chromedp.CallBrowser(ctx, target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		return err
	}
	for _, t := range open.TargetInfos {
		if t.Type == "page" && t.BrowserContextID == p.context && t.TargetID != p.target {
			return fmt.Errorf("a tab with %s is left", t.URL)
		}
	}
	return nil
}

// empty replaces a profile's page by an empty one. The page does so itself: an empty one that the browser opens gets another
// process. A tab's own storage goes only while its page is there.
func (p *profile) empty(ctx context.Context) error {
	there := make(chan struct{})
	gone := sync.OnceFunc(func() { close(there) })
	heard, stop := context.WithCancel(ctx)
	defer stop()
	err := chromedp.Listen(heard, func(event any) {
		if e, ok := event.(*page.EventFrameNavigated); ok && e.Frame.ParentID == "" && e.Frame.URL == blank {
			gone()
		}
	})
	if err != nil {
		return err
	}
	// An empty page and one without an origin have no storage.
	const leave = `(() => { try { sessionStorage.clear() } catch {} window.name = ""; location.replace("` + blank + `"); return true })()`
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](leave)); err != nil {
		return err
	}
	select {
	case <-there:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

const blank = "about:blank"

// unwatched ends what chromedp asks of every tab and nobody here hears.
//
// For its searches of nodes the page tells of each change of its elements and styles, which costs it more than the change. Scripts
// find elements here.
//
// It attaches the tab to its workers, and Chromium does not end a service worker that is watched when it has been idle for 30 seconds.
// So one that is started again while its successor takes over (a page asks it for a file just then) stayed for up to five minutes, and
// the successor waited: ServiceWorkerVersion::OnRequestTermination, StartWorkerInternal.
func unwatched(tab context.Context) {
	c := chromedp.FromContext(tab)
	if c.Target == nil {
		return
	}
	for _, off := range []cdp.Command[cdp.Empty, cdp.Empty]{css.Disable, dom.Disable} {
		_, _ = cdp.Call(tab, c.Target, off, cdp.Empty{})
	}
	_, _ = cdp.Call(tab, c.Target, target.SetAutoAttach, target.SetAutoAttachParams{})
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

package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	protocol "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

func site(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "max-age=3600")
		if r.URL.Path == "/worker.js" {
			w.Header().Set("Content-Type", "text/javascript")
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>six</title><script>document.title = "script ran"</script><script src="/worker.js"></script>`)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestTabRunsScripts(t *testing.T) {
	tab := Tab(t)
	if err := chromedp.Do(tab, chromedp.Navigate(site(t))); err != nil {
		t.Fatal(err)
	}
	if got, err := chromedp.Run(tab, chromedp.Title()); err != nil || got != "script ran" {
		t.Errorf("title %q, %v", got, err)
	}
}

func started(t *testing.T) *Running {
	t.Helper()
	r, err := Start(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// TestATabIsAsNew: a profile serves again, and nothing of what was done in it is found there.
func TestATabIsAsNew(t *testing.T) {
	r := started(t)
	address := site(t)
	const found = `(async () => [
		"cookies " + document.cookie, "kept " + (localStorage.getItem("k") ?? ""), "in the tab " + (sessionStorage.getItem("k") ?? ""),
		"databases " + (await indexedDB.databases()).length, "caches " + await caches.keys(), "workers " + (await navigator.serviceWorker.getRegistrations()).length,
		"history " + history.length, "a script " + Boolean(globalThis.planted), "a name " + window.name,
		"dark " + matchMedia("(prefers-color-scheme: dark)").matches, "wide " + (innerWidth === 1234), "asked " + (await navigator.permissions.query({ name: "clipboard-read" })).state,
		"served from here " + performance.getEntriesByType("resource").filter((e) => e.transferSize === 0).map((e) => e.name),
	].join("; "))()`
	const left = `(async () => {
		document.cookie = "k=left", localStorage.setItem("k", "left"), sessionStorage.setItem("k", "left"), history.pushState(null, "", "?left"), window.name = "left";
		await new Promise((done) => indexedDB.open("left").onsuccess = done);
		await (await caches.open("left")).put("/left", new Response("left"));
		await navigator.serviceWorker.register("/worker.js");
		return true;
	})()`
	awaited := chromedp.EvalAwaitPromise
	var targets []target.ID
	var said []string
	for range 3 {
		tab, closeTab := r.Tab(time.Minute)
		if err := chromedp.Do(tab, chromedp.Navigate(address)); err != nil {
			t.Fatal(err)
		}
		now, err := chromedp.Run(tab, chromedp.Evaluate[string](found, awaited))
		if err != nil {
			t.Fatal(err)
		}
		said = append(said, now)
		for _, set := range []func() error{
			func() error { return chromedp.Do(tab, chromedp.EmulateViewport(1234, 567)) },
			func() error {
				_, err := chromedp.Call(tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}})
				return err
			},
			func() error {
				_, err := chromedp.Call(tab, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: "globalThis.planted = true"})
				return err
			},
			func() error {
				_, err := chromedp.CallBrowser(tab, protocol.SetPermission, protocol.SetPermissionParams{Permission: &protocol.PermissionDescriptor{Name: "clipboard-read"}, Setting: protocol.PermissionSettingGranted, Origin: address, BrowserContextID: Profile(tab)})
				return err
			},
			func() error { return chromedp.Do(tab, chromedp.Navigate(address+"/?two")) },
			func() error { _, err := chromedp.Run(tab, chromedp.Evaluate[bool](left, awaited)); return err },
		} {
			if err := set(); err != nil {
				t.Fatal(err)
			}
		}
		if now, err = chromedp.Run(tab, chromedp.Evaluate[string](found, awaited)); err != nil || strings.Count(now, "left") < 4 || !strings.Contains(now, "workers 1") || !strings.Contains(now, "a script true; a name left; dark true; wide true; asked granted; served from here http") {
			t.Fatalf("the test leaves %s, %v", now, err)
		}
		targets = append(targets, chromedp.FromContext(tab).Target.TargetID)
		closeTab()
	}
	if targets[0] != targets[1] || targets[1] != targets[2] {
		t.Errorf("tabs %v are not one", targets)
	}
	if said[1] != said[0] || said[2] != said[0] || !strings.Contains(said[0], "workers 0") {
		t.Errorf("tabs find\n%s", strings.Join(said, "\n"))
	}
}

// TestWorkersAreAlone: Chromium treats a worker that is watched unlike a reader's.
func TestWorkersAreAlone(t *testing.T) {
	r := started(t)
	tab, closeTab := r.Tab(time.Minute)
	defer closeTab()
	if err := chromedp.Do(tab, chromedp.Navigate(site(t))); err != nil {
		t.Fatal(err)
	}
	const start = `(async () => {
		globalThis.own = new Worker("/worker.js");
		await navigator.serviceWorker.register("/worker.js");
		return Boolean(await navigator.serviceWorker.ready);
	})()`
	if _, err := chromedp.Run(tab, chromedp.Evaluate[bool](start, chromedp.EvalAwaitPromise)); err != nil {
		t.Fatal(err)
	}
	all, err := chromedp.CallBrowser(tab, target.GetTargets, target.GetTargetsParams{Filter: target.Filter{{}}})
	if err != nil {
		t.Fatal(err)
	}
	workers := 0
	for _, one := range all.TargetInfos {
		if strings.HasSuffix(one.URL, "/worker.js") {
			workers++
			if one.Attached {
				t.Errorf("a %s is watched", one.Type)
			}
		}
	}
	if workers == 0 { // a page's own is listed only where it is watched
		t.Errorf("no worker among %v", all.TargetInfos)
	}
}

// TestATabThatOpensAnother: its profile goes with it.
func TestATabThatOpensAnother(t *testing.T) {
	r := started(t)
	address := site(t)
	var profiles []cdp.BrowserContextID
	for range 2 {
		tab, closeTab := r.Tab(time.Minute)
		if err := chromedp.Do(tab, chromedp.Navigate(address)); err != nil {
			t.Fatal(err)
		}
		if ok, err := chromedp.Run(tab, chromedp.Evaluate[bool](`Boolean(open("/?another"))`)); !ok || err != nil {
			t.Fatal("no other tab is opened: ", err)
		}
		profiles = append(profiles, Profile(tab))
		closeTab()
	}
	if profiles[0] == "" || profiles[0] == profiles[1] {
		t.Errorf("profiles %v", profiles)
	}
}

func TestNothingIsLeftBehind(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Run("a test with a tab", func(t *testing.T) {
		if err := chromedp.Do(Tab(t), chromedp.Navigate("about:blank")); err != nil {
			t.Fatal(err)
		}
	})
	left, err := filepath.Glob(filepath.Join(tmp, "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("in the temporary folder: %v, %v", left, err)
	}
	if shared.running != nil || shared.tabs != 0 {
		t.Error("the browser still runs")
	}
}

// TestATabThatTalks: a page that never stops sending disturbs no other tab, when it is closed nor when its time is up.
func TestATabThatTalks(t *testing.T) {
	r := started(t)
	const rounds = `new Promise((done) => { let n = 0; setInterval(() => { for (let i = 0; i < 100; i++) console.log(i); if (++n === 100) done(true) }, 10) })`
	talk := chromedp.Evaluate[bool](rounds, chromedp.EvalAwaitPromise)
	for _, limit := range []time.Duration{time.Minute, time.Second} {
		tab, closeTab := r.Tab(limit)
		err := chromedp.Do(tab, chromedp.Navigate(site(t)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := chromedp.Run(tab, talk); err != nil && tab.Err() == nil {
			t.Fatal(err)
		}
		if limit == time.Second {
			<-tab.Done()
		}
		closeTab()
		other, closeOther := r.Tab(30 * time.Second)
		if err := chromedp.Do(other, chromedp.Navigate(site(t))); err != nil {
			t.Errorf("after a tab of %v that talks: %v", limit, err)
		}
		closeOther()
	}
}

func TestNoBrowser(t *testing.T) {
	t.Setenv("CHROME", filepath.Join(t.TempDir(), "none"))
	if _, err := Start(t.Context(), "."); err == nil {
		t.Error("started a browser that is not there")
	}
	notOne := filepath.Join(t.TempDir(), "chrome")
	if err := os.WriteFile(notOne, []byte("#!/bin/sh\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CHROME", notOne)
	if _, err := Start(t.Context(), "."); err == nil {
		t.Error("a program that ends at once passed for a browser")
	}
}

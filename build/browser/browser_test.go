package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

func site(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>six</title><script>document.title = "script ran"</script>`)
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

func TestTabsDoNotShareStorage(t *testing.T) {
	address := site(t)
	for i, want := range []string{"", ""} {
		tab := Tab(t)
		if err := chromedp.Do(tab, chromedp.Navigate(address)); err != nil {
			t.Fatal(err)
		}
		got, err := chromedp.Run(tab, chromedp.Evaluate[string](
			`(() => { const old = localStorage.getItem("k") ?? ""; localStorage.setItem("k", "left"); return old })()`))
		if err != nil || got != want {
			t.Errorf("tab %d finds %q, %v; want nothing", i, got, err)
		}
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
	r, err := Start(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	talk := chromedp.Evaluate[bool](`(() => { setInterval(() => { for (let i = 0; i < 100; i++) console.log(i) }, 10); return true })()`)
	for _, limit := range []time.Duration{time.Minute, time.Second} {
		tab, closeTab := r.Tab(limit)
		err := chromedp.Do(tab, chromedp.Navigate(site(t)))
		if err == nil {
			_, err = chromedp.Run(tab, talk)
		}
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(1500 * time.Millisecond)
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

// Command screenshots takes pictures of the built site, for people to look at:
// each page wide and narrow, light and dark, into .cache/screenshots.
//
//	go run ./build/screenshots                     the usual pages
//	go run ./build/screenshots -wide 1280 / /models/gpt2/
package main

import (
	"context"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"llmsize/build/browser"
	"llmsize/build/serve"
)

func main() {
	dist := flag.String("site", "dist", "the built site")
	out := flag.String("out", ".cache/screenshots", "where the pictures go")
	wide := flag.Int64("wide", 1280, "width of the wide picture, in px")
	narrow := flag.Int64("narrow", 320, "width of the narrow picture, in px")
	full := flag.Bool("full", true, "the whole page, not only its first screen")
	flag.Parse()
	pages := flag.Args()
	if len(pages) == 0 {
		pages = []string{"/", "/models/", "/models/llama-3.1-8b/", "/models/deepseek-v3/", "/where-the-numbers-come-from/", "/404.html"}
	}
	if err := run(*dist, *out, pages, []int64{*wide, *narrow}, *full); err != nil {
		fmt.Fprintln(os.Stderr, "screenshots:", err)
		os.Exit(1)
	}
}

func run(dist, out string, pages []string, widths []int64, full bool) error {
	if _, err := os.Stat(filepath.Join(dist, "index.html")); err != nil {
		return fmt.Errorf("there is no site in %s: run make build first", dist)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	server := httptest.NewServer(serve.Handler(dist, serve.Options{}))
	defer server.Close()
	b, err := browser.Start(context.Background(), ".")
	if err != nil {
		return err
	}
	defer b.Close()
	for _, page := range pages {
		for _, width := range widths {
			for _, theme := range []string{"light", "dark"} {
				name := filepath.Join(out, fmt.Sprintf("%s-%d-%s.png", slug(page), width, theme))
				if err := shoot(b, server.URL+page, name, width, theme, full); err != nil {
					return fmt.Errorf("%s: %w", page, err)
				}
				fmt.Println(name)
			}
		}
	}
	return nil
}

func slug(page string) string {
	page, _, _ = strings.Cut(page, "?")
	s := strings.Trim(strings.ReplaceAll(page, "/", "-"), "-")
	if s == "" {
		return "home"
	}
	return s
}

// shoot takes one picture after the page's script has settled.
func shoot(b *browser.Running, address, name string, width int64, theme string, full bool) error {
	tab, done := b.Tab(time.Minute)
	defer done()
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}}
	if _, err := chromedp.Call(tab, emulation.SetEmulatedMedia, media); err != nil {
		return err
	}
	if err := chromedp.Do(tab, chromedp.EmulateViewport(width, 800), chromedp.Navigate(address), chromedp.Sleep(700*time.Millisecond)); err != nil {
		return err
	}
	var png []byte
	var err error
	if full {
		// What is below the first screen is laid out, but not painted, until somebody scrolls there.
		const paint = `(() => { const s = new CSSStyleSheet(); s.replaceSync("* { content-visibility: visible !important }"); document.adoptedStyleSheets.push(s); return true })()`
		if _, err := chromedp.Run(tab, chromedp.Evaluate[bool](paint)); err != nil {
			return err
		}
		png, err = chromedp.Run(tab, chromedp.FullScreenshot(100))
	} else {
		png, err = chromedp.Run(tab, chromedp.CaptureScreenshot())
	}
	if err != nil {
		return err
	}
	return os.WriteFile(name, png, 0o644)
}

package bench

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

	"llmsize/build/serve"
	"llmsize/build/toolchain/browser"
)

// Screenshots takes pictures of the built site, for people to look at:
// each page wide and narrow, light and dark, into .cache/screenshots.
//
//	go run ./build screenshots                     the usual pages
//	go run ./build screenshots -wide 1280 / /models/gpt2/
func Screenshots(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("screenshots", flag.ExitOnError)
	dist := flags.String("site", "dist", "the built site")
	out := flags.String("out", ".cache/screenshots", "where the pictures go")
	wide := flags.Int64("wide", 1280, "width of the wide picture, in px")
	narrow := flags.Int64("narrow", 320, "width of the narrow picture, in px")
	done := flags.Bool("tasks", false, "also the eight tasks that people come with, step by step")
	full := flags.Bool("full", true, "the whole page, not only its first screen")
	flags.Parse(args)
	pages := flags.Args()
	if len(pages) == 0 {
		pages = []string{"/", "/models/", "/models/llama-3.1-8b/", "/models/deepseek-v3/", "/where-the-numbers-come-from/", "/404.html"}
	}
	return runScreenshots(ctx, *dist, *out, pages, []int64{*wide, *narrow}, *full, *done)
}

func runScreenshots(ctx context.Context, dist, out string, pages []string, widths []int64, full, done bool) error {
	if _, err := os.Stat(filepath.Join(dist, "index.html")); err != nil {
		return fmt.Errorf("there is no site in %s: run make build first", dist)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	server := httptest.NewServer(serve.Handler(dist, serve.Options{}))
	defer server.Close()
	b, err := browser.Start(ctx, ".")
	if err != nil {
		return err
	}
	defer b.Close()
	if done {
		if err := shootTasks(b, server.URL, out); err != nil {
			return err
		}
	}
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

package bench

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"

	"llmsize/build/serve"
	"llmsize/build/toolchain"
	"llmsize/build/toolchain/browser"
)

// options are what is timed, and how.
type options struct {
	path, input, answer string
	values              []string // that the edits turn through
	runs, edits         int
	list                bool      // name what travels
	rates               []float64 // how many times slower the processor is
}

// Pages times a page in a browser as a reader meets it, from a built folder or an address:
//
//	go run ./build bench dist
//	go run ./build bench -path /models/deepseek-v3/ -values 8192,7168 dist
//	go run ./build bench -input '#params' -values 7,8 -answer '#total' ../other-site/dist
//
// Every site is timed the same way: a fresh profile for each run, a processor at full speed and at a quarter of it. A folder
// is served like ours, brotli included. What is measured, from the start of the navigation:
//
//	first paint      something is on the screen
//	answer visible   the element of -answer has text and is laid out
//	first edit       a value is set in the field of -input when the page has loaded; the answer has changed and is painted
//	bytes            all that has travelled by then, as packed
//
// and then, for a number of edits, the time from the event until the frame that shows the new answer is done: script, style,
// layout and paint, without the wait for the screen. Long tasks are those of more than 50 ms, by which the page does not
// hear its reader; the layout shift is the sum until the first edit.
//
// A machine that is busy elsewhere is slow here: the best edit is the page's own, the median is the machine's.
func Pages(ctx context.Context, args []string) error {
	var o options
	flags := flag.NewFlagSet("bench", flag.ExitOnError)
	flags.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: go run ./build bench [flags] FOLDER|ADDRESS (with at least two -values and one run)")
		flags.PrintDefaults()
	}
	flags.StringVar(&o.path, "path", "/", "page of the site")
	flags.StringVar(&o.input, "input", `[name="set.hidden_size"]`, "CSS selector of the field that is edited")
	flags.StringVar(&o.answer, "answer", ".exactly", "CSS selector of the element that shows the answer")
	values := flags.String("values", "8192,4096", "what the edits write, in turn; each has to change the answer")
	rates := flags.String("cpu", "1,4", "how many times slower the processor is made")
	flags.IntVar(&o.runs, "runs", 5, "how often the page is loaded, at each speed")
	flags.IntVar(&o.edits, "edits", 20, "edits in each run")
	flags.BoolVar(&o.list, "list", false, "name what travels until the first edit is answered")
	flags.Parse(args)
	o.values = strings.Split(*values, ",")
	for _, text := range strings.Split(*rates, ",") {
		rate, err := strconv.ParseFloat(text, 64)
		if err != nil || rate < 1 {
			return fmt.Errorf("-cpu %s: allowed: numbers from 1", text)
		}
		o.rates = append(o.rates, rate)
	}
	if flags.NArg() != 1 || len(o.values) < 2 || o.runs < 1 {
		flags.Usage()
		return errors.New("nothing is timed")
	}
	return run(ctx, flags.Arg(0), &o)
}

func run(ctx context.Context, site string, o *options) error {
	address := strings.TrimSuffix(site, "/")
	if !strings.HasPrefix(site, "http") {
		if info, err := os.Stat(site); err != nil || !info.IsDir() {
			return fmt.Errorf("%s isn't a folder or an address", site)
		}
		server := httptest.NewServer(serve.Handler(site, serve.Options{}))
		defer server.Close()
		address = server.URL
	}
	root, err := toolchain.Root(".")
	if err != nil {
		return err
	}
	b, err := browser.Start(ctx, root)
	if err != nil {
		return err
	}
	defer b.Close()
	fmt.Printf("%s, path %s, %d runs of %d edits, %s\n", site, o.path, o.runs, o.edits, b.Found.Source)
	var columns []column
	for _, rate := range o.rates {
		c := column{rate: rate}
		for range o.runs {
			m, err := once(b, address, o, rate)
			if err != nil {
				return fmt.Errorf("at %g× slower: %w", rate, err)
			}
			c.runs = append(c.runs, m)
		}
		columns = append(columns, c)
	}
	fmt.Print(table(columns))
	if o.list {
		for _, line := range columns[0].runs[0].travelled {
			fmt.Println(line)
		}
	}
	return nil
}

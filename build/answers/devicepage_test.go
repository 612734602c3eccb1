package answers

import (
	"html"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"llmsize/core/predict"
)

// TestDevicePages: what a cell promises is what the calculator answers at its link, and no more fits: one token beyond
// the cell's most does not, nor one token where a cell says what is lacking.
func TestDevicePages(t *testing.T) {
	t.Parallel()
	e := newEngine(t)
	list, err := e.DevicePages()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != len(e.devices.List) {
		t.Fatalf("%d pages of %d devices", len(list), len(e.devices.List))
	}
	cell := regexp.MustCompile(`<a class="u(\d+) l[1-4]" href="/\?([^"]*)" title="([\d,]+) tokens fit`)
	fits := func(query string) string {
		r, err := e.report(query)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return r.Running.Fits
	}
	context := regexp.MustCompile(`context=\d+`)
	looked := map[string]bool{"h100-sxm-80gb": true, "rtx-4090-24gb": true, "hgx-h100-8": true, "gb200-nvl72": true, "apple-m4-max-128gb": true}
	found := 0
	for _, d := range list {
		if !looked[d.Slug] {
			continue
		}
		cells := cell.FindAllStringSubmatch(string(d.Body), -1)
		if len(cells) < 20 {
			t.Errorf("%s: %d cells with a context", d.Slug, len(cells))
		}
		if !strings.Contains(string(d.Body), "<b>All</b> is all that the model is trained for. A plus says") {
			t.Errorf("%s: the marks of its cells are not explained, by words that need no colour", d.Slug)
		}
		for i, c := range cells {
			if i%7 != 0 { // every format and number of users comes round
				continue
			}
			query, most := html.UnescapeString(c[2]), strings.ReplaceAll(c[3], ",", "")
			n, _ := strconv.ParseInt(most, 10, 64)
			if got := fits(query); got != "yes" {
				t.Errorf("%s: %s: fits %q", d.Slug, query, got)
			}
			if got := fits(context.ReplaceAllString(query, "context="+most)); got != "yes" {
				t.Errorf("%s: %s at %s: fits %q", d.Slug, query, most, got)
			}
			if got := fits(context.ReplaceAllString(query, "context="+strconv.FormatInt(n+1, 10))); got == "yes" {
				t.Errorf("%s: %s at one more than %s still fits", d.Slug, query, most)
			}
			found++
		}
		delete(looked, d.Slug)
	}
	if len(looked) > 0 || found < 25 {
		t.Errorf("devices without a page: %v; %d cells looked at", looked, found)
	}
	// A predicted speed is what the calculator predicts at the row's link; of a device without runs none is shown.
	row := regexp.MustCompile(`<th scope="row"><a href="/\?([^"]*)">[^<]*</a></th><td>[^<]*</td><td class="num"><b>([^<]*)</b></td><td class="num">([^<]*) to ([^<]*)</td>`)
	speeds := 0
	for _, d := range list {
		rows := row.FindAllStringSubmatch(string(d.Body), -1)
		if d.Slug == "rk3576-16gb" && (len(rows) > 0 || !strings.Contains(string(d.Body), "no measured runs of such a device")) {
			t.Errorf("%s: %d predicted", d.Slug, len(rows))
		}
		if !strings.HasSuffix(d.Slug, "-24gb") {
			continue
		}
		for _, c := range rows {
			r, err := e.report(html.UnescapeString(c[1]))
			if err != nil {
				t.Fatal(err)
			}
			a, _ := predict.Run(r, e.engines)
			if speeds++; a.Decode == nil || c[2] != perSecond(a.Decode.Likely) || c[3] != perSecond(a.Decode.Low) || c[4] != perSecond(a.Decode.High) {
				t.Errorf("%s: %s: %s, %s to %s shown, %+v predicted", d.Slug, c[1], c[2], c[3], c[4], a.Decode)
			}
		}
	}
	if speeds < 20 {
		t.Errorf("%d speeds", speeds)
	}
	// A model that does not fit says so where the calculator does.
	if got := fits("v=1&model=deepseek-v3&context=1&weights=bf16&device=rtx-4090-24gb"); got == "yes" {
		t.Error("DeepSeek-V3 fits an RTX 4090")
	}
	for _, d := range list {
		if d.Slug == "rtx-4090-24gb" && !regexp.MustCompile(`DeepSeek V3</a></th><td class="num size">671 B</td><td class="num"><span class="u1 l0" title="lacks [\d,]+ bytes`).MatchString(string(d.Body)) {
			t.Error("the RTX 4090's page does not say what DeepSeek-V3 lacks")
		}
	}
}

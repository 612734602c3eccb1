package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// TestCompare: two models, and one model under two queries, in text and as JSON.
func TestCompare(t *testing.T) {
	for _, c := range []struct {
		args, want string
		code       int
	}{
		{"report llama-2-7b vs=llama-3.1-8b", "compared with Llama 3.1 8B", 0},
		{"report llama-2-7b vs=llama-3.1-8b", "attention: 67,108,864 → 41,943,040 in each layer", 0},
		{"report llama-3.1-8b vs.context=16384", "keys and values: 8,192 → 16,384 tokens", 0},
		{"report gpt2 vs=no-such-model", "vs: model: there is no file", 1},
		{"report gpt2 vs.contxt=1", "vs.contxt", 1},
		{"report gpt2 vs.set.n_layer=deep", "vs.n_layer", 1},
		{"report gpt2 vs.device=abacus", "vs: device", 1},
		{"link gpt2 vs.context=512 vs=llama-2-7b", "?v=1&model=gpt2&vs=llama-2-7b&vs.context=512", 0},
	} {
		var out, errs bytes.Buffer
		if code := run(strings.Fields(c.args), strings.NewReader(""), &out, &errs); code != c.code || !strings.Contains(out.String()+errs.String(), c.want) {
			t.Errorf("%s: exit %d, no %q in\n%s%s", c.args, code, c.want, out.String(), errs.String())
		}
	}
	var out bytes.Buffer
	run([]string{"report", "--json", "gpt2", "vs.set.n_layer=24"}, strings.NewReader(""), &out, &out)
	var r struct {
		Compare struct {
			Query   string
			Figures []struct {
				Name, Unit           string
				From, To, Difference int64
				Steps                []struct {
					Name, Note string
					Amount     int64
				}
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if r.Compare.Query != "v=1&model=gpt2&set.n_layer=24" || len(r.Compare.Figures) < 6 {
		t.Errorf("got %+v", r.Compare)
	}
	for _, f := range r.Compare.Figures {
		sum := f.From
		for _, s := range f.Steps {
			sum += s.Amount
		}
		if sum != f.To || f.Difference != f.To-f.From {
			t.Errorf("%s: the steps of %+v lead to %d", f.Name, f, sum)
		}
	}
}

// TestCompareLink: a link may carry the configs of both sides.
func TestCompareLink(t *testing.T) {
	wide := strings.Replace(tiny, `"hidden_size":4`, `"hidden_size":8`, 1)
	if wide == tiny {
		t.Fatal("the config has no width of 4")
	}
	packed := make([]string, 2)
	for i, text := range []string{tiny, wide} {
		var err error
		if packed[i], err = pack([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for link, want := range map[string]string{
		"?v=1#config=" + packed[0] + "&vs.config=" + packed[1]: "compared with pasted config",
		"?v=1&model=gpt2#vs.config=" + packed[0]:               "compared with pasted config",
		"?v=1&model=gpt2&vs=gpt2#vs.config=" + packed[0]:       "compared with pasted config",
	} {
		code, out, errs := call("", "report", link)
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("%s: %d, %s%s", link, code, out, errs)
		}
		if _, out, _ = call("", "link", link); strings.Contains(out, "vs=") || strings.Count(out, "config=") != strings.Count(link, "config=") {
			t.Errorf("%s is given on as %s", link, out)
		}
	}
	if code, _, errs := call("", "report", "?v=1#vs.config=%%%"); code != 1 || !strings.Contains(errs, "vs.config: the part of the link after # is damaged") {
		t.Errorf("%d, %s", code, errs)
	}
}

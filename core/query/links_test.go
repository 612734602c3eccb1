package query_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"llmsize/core/query"
)

// version1 are the keys that version 1 began with, in the order of its canonical form, and what they mean when a
// link leaves them out. Other keys may stand between or after them; nothing here ever changes.
var version1 = []struct{ key, absent string }{
	{"model", "llama-3.1-8b"}, {"context", "8192"}, {"prompt", "8192"}, {"batch", "1"}, {"chunk", "512"}, {"weights", "auto"}, {"kv", "bf16"},
	{"kv-policy", "minimum"}, {"attention", "causal"}, {"flash", "on"}, {"device", "h100-sxm-80gb"}, {"devices", "1"}, {"tp", "1"}, {"pp", "1"},
	{"ep", "1"}, {"dp", "1"}, {"optimizer", "adamw"}, {"precision", "bf16-mixed"}, {"zero", "0"}, {"recompute", "none"}, {"seq", "4096"},
	{"micro-batch", "1"}, {"tokens", "20x"}, {"lora-rank", "0"}, {"lora-targets", "all-linear"}, {"units", "gb"}, {"vs", ""},
}

func TestVersion1(t *testing.T) {
	var q query.Query
	last := -1
	for _, k := range version1 {
		p, ok := query.ParamNamed(k.key)
		if !ok {
			t.Errorf("%s is gone", k.key)
			continue
		}
		if got := q.Get(p); got != k.absent {
			t.Errorf("%s is %q in a link that leaves it out, not %q any more", k.key, got, k.absent)
		}
		if int(p) < last {
			t.Errorf("%s stands before another key that it stood behind", k.key)
		}
		last = int(p)
	}
}

// TestLinksOfVersion1 opens every link that is on file.
func TestLinksOfVersion1(t *testing.T) {
	text, err := os.ReadFile("testdata/v1.txt")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		link, asks, ok := strings.Cut(line, "\t")
		if !ok {
			t.Fatalf("testdata/v1.txt:%d: no tab between a link and what it asks", i+1)
		}
		q, issues, fault := query.Parse(link)
		if fault != nil || len(issues) > 0 {
			t.Errorf("testdata/v1.txt:%d: %s: %v %v", i+1, link, fault, issues)
			continue
		}
		if got := q.String(); got != asks {
			t.Errorf("testdata/v1.txt:%d: %s asks\n%s, no longer\n%s", i+1, link, got, asks)
		}
		again, _, _ := query.Parse("/?" + asks)
		if again.String() != asks {
			t.Errorf("testdata/v1.txt:%d: what it asks is not in canonical form: %s", i+1, asks)
		}
		for _, pair := range strings.Split(asks, "&") {
			key, _, _ := strings.Cut(pair, "=")
			named[key] = true
		}
	}
	for _, k := range version1 {
		if !named[k.key] {
			t.Errorf("no link on file sets %s", k.key)
		}
	}
}

// TestOrder: a link's keys may come in any order; the question is written in one.
func TestOrder(t *testing.T) {
	const link = "v=1&model=gpt2&set.a=1&set.b=2&context=5&weights=fp8&tp=2&zero=1&units=gib&vs=qwen3-8b"
	parts := strings.Split(link, "&")
	for i := range parts {
		turned := slices.Concat(parts[i:], parts[:i])
		slices.Reverse(turned)
		q, issues, fault := query.Parse("?" + strings.Join(turned, "&"))
		if fault != nil || len(issues) > 0 || q.String() != link {
			t.Errorf("%v: %s %v %v", turned, q.String(), issues, fault)
		}
	}
}

package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"llmsize/core/query"
)

// extremes of counts: what a query may hold at most, powers around which float64,
// int32 and int64 change, and sizes that people ask for.
var extremes = []string{"1", "2", "3", "7", "8", "63", "1000", "8192", "131072", "1048576", "2147483647", "2147483648", "4294967296",
	"1073741824", "1099511627776", "1125899906842623", "1125899906842624"}

// strange are overrides that a link may hold: some aren't numbers, some aren't text.
var strange = []string{"set.vision_config.model_type=NaN", "set.x=Infinity", "set.x=-Infinity", "set.x=[1,NaN,{\"y\":1e999}]", "set.x=1e-999", "set.x=\"\xff\xfe\"",
	"set.x=\u2028<script>\"\\", "set.tie_word_embeddings=true", "set.rope_theta=1e400", "set.time_step_limit=[0.0,Infinity]"}

// draw is a random query: mostly valid, with extremes.
func draw(rng *rand.Rand) []string {
	pick := func(list []string) string { return list[rng.IntN(len(list))] }
	kv := []string{"model=" + catalog.Models[rng.IntN(len(catalog.Models))].Slug}
	if rng.IntN(3) > 0 {
		kv = append(kv, "device="+machines.List[rng.IntN(len(machines.List))].Slug)
	}
	for range rng.IntN(7) {
		p := query.Param(rng.IntN(int(query.NumParams)))
		in := query.About(p)
		switch {
		case p == query.Model || p == query.Device || p == query.Versus || p == query.Mine || p == query.LoRATargets:
		case len(in.Allowed) > 0:
			kv = append(kv, in.Name+"="+pick(in.Allowed))
		case p == query.Accept || p == query.MFU || p == query.Draft:
			kv = append(kv, fmt.Sprintf("%s=%d", in.Name, 1+rng.IntN(64)))
		case p == query.TP || p == query.PP || p == query.EP || p == query.DP || p == query.CP || p == query.VP:
			kv = append(kv, fmt.Sprintf("%s=%d", in.Name, 1<<rng.IntN(7)))
		default:
			kv = append(kv, in.Name+"="+pick(extremes))
		}
	}
	if rng.IntN(4) == 0 {
		kv = append(kv, pick(strange))
	}
	return kv
}

// TestJSONParses holds every report to JSON that two readers take: this language's
// own, and one that refuses what RFC 8259 does not know.
func TestJSONParses(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 1))
	answered := 0
	for range 1200 {
		kv := draw(rng)
		r, err := asked(t, kv)
		if err != nil {
			continue
		}
		answered++
		if r.Training.Memory != nil && rng.IntN(40) == 0 {
			r.Rank()
		}
		text := r.JSON()
		if !utf8.ValidString(text) {
			t.Fatalf("%q: the JSON is no UTF-8", kv)
		}
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		var tree map[string]any
		if err := d.Decode(&tree); err != nil {
			t.Fatalf("%q: %v", kv, err)
		}
		var plain any // numbers as float64: none may pass them
		if err := json.Unmarshal([]byte(text), &plain); err != nil {
			t.Fatalf("%q: %v", kv, err)
		}
		var small bytes.Buffer
		if err := json.Compact(&small, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if small.String() != r.Tree().String() {
			t.Fatalf("%q: indented and compact forms differ", kv)
		}
		if d := &r.Running; d.Device != nil {
			near(t, kv, tree, d.Speed.Prefill.Seconds, "running", "time", "prefill", "seconds")
			near(t, kv, tree, d.Speed.Prefill.Memory, "running", "time", "prefill", "memory_seconds")
			near(t, kv, tree, d.Speed.Prefill.FLOPs, "running", "time", "prefill", "flops")
		}
		if x := &r.Compute.Train.Time; x.Peak > 0 {
			near(t, kv, tree, float64(x.Seconds), "compute", "train", "time", "seconds")
			near(t, kv, tree, x.Hours(), "compute", "train", "time", "device_hours")
		}
		if r.Compute.Train.Tokens > 0 { // a model that reads no text is not trained on tokens
			near(t, kv, tree, float64(r.Compute.Train.FLOPs), "compute", "train", "flops")
		}
	}
	if answered < 500 {
		t.Errorf("only %d of the queries were answered", answered)
	}
}

// near holds a number of the tree to the float that it is written from.
func near(t *testing.T, kv []string, tree any, want float64, path ...string) {
	t.Helper()
	for _, key := range path {
		tree = tree.(map[string]any)[key]
	}
	n, ok := tree.(json.Number)
	if !ok {
		if math.IsInf(want, 0) || math.IsNaN(want) {
			return
		}
		t.Fatalf("%q: %v is %v, want %g", kv, path, tree, want)
	}
	got, err := n.Float64()
	if err != nil || math.Abs(got-want) > 1e-9*math.Abs(want)+1e-3 {
		t.Fatalf("%q: %v is %s, want %g", kv, path, n, want)
	}
}

// TestJSONCases are reports that once were no JSON, or had a number that was cut.
func TestJSONCases(t *testing.T) {
	for _, kv := range [][]string{
		{"model=llama-3.1-405b", "batch=8", "context=131072"}, // 1639 seconds
		{"model=qwen2.5-vl-7b", "set.vision_config.model_type=NaN"},
		{"model=llama-3.1-405b", "context=1125899906842624", "prompt=1125899906842624"}, // seconds past 10^9, FLOPs past 10^38
	} {
		r, fail := asked(t, kv)
		if fail != nil {
			continue // a fault is an answer, too
		}
		var tree map[string]any
		if err := json.Unmarshal([]byte(r.JSON()), &tree); err != nil {
			t.Errorf("%q: %v", kv, err)
		}
	}
	r := on(t, "model=llama-3.1-405b&batch=1048576&context=131072")
	var tree struct {
		Running struct {
			Time struct{ Prefill struct{ Seconds float64 } }
		}
	}
	if err := json.Unmarshal([]byte(r.JSON()), &tree); err != nil {
		t.Fatal(err)
	}
	if s := tree.Running.Time.Prefill.Seconds; s == 1e9 || math.Abs(s/r.Running.Speed.Prefill.Seconds-1) > 1e-12 {
		t.Errorf("%g seconds, want %g", s, r.Running.Speed.Prefill.Seconds)
	}
}

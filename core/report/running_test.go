package report_test

import (
	"strings"
	"testing"

	"llmsize/content/catalogue"
	"llmsize/core/family/families"
	"llmsize/core/fault"
	"llmsize/core/memory"
	"llmsize/core/query"
	"llmsize/core/report"
)

var catalog, _ = catalogue.AllModels()
var machines, _ = catalogue.AllDevices()

// on answers a link about a catalogue model on its device.
func on(t testing.TB, link string) *report.Report {
	t.Helper()
	r, err := try(t, link)
	if err != nil {
		t.Fatal(link, err)
	}
	return r
}

func try(t testing.TB, link string) (*report.Report, *fault.Error) {
	t.Helper()
	q, issues, err := query.Parse(link)
	if err != nil || len(issues) > 0 {
		t.Fatal(err, issues)
	}
	return about(t, q)
}

// asked answers what a command line says: key=value, each.
func asked(t testing.TB, kv []string) (*report.Report, *fault.Error) {
	t.Helper()
	var q query.Query
	for _, x := range kv {
		key, value, _ := strings.Cut(x, "=")
		if err := q.PutKey(key, value); err != nil {
			return nil, err
		}
	}
	return about(t, q)
}

// about answers a query about the catalogue's model and device.
func about(t testing.TB, q query.Query) (*report.Report, *fault.Error) {
	t.Helper()
	m, ok := catalog.Find(q.Get(query.Model))
	if !ok {
		t.Fatalf("no model %s", q.Get(query.Model))
	}
	s, xerr := m.Subject()
	if xerr != nil {
		t.Fatal(xerr)
	}
	d, ok := machines.Find(q.Get(query.Device))
	if !ok {
		t.Fatalf("no device %s", q.Get(query.Device))
	}
	s.Device = d.Spec()
	return report.Answer(q, s, families.Library())
}

// TestFootprint adds Llama-3.1-8B up by hand.
func TestFootprint(t *testing.T) {
	r := on(t, "context=8192")
	terms := map[string]memory.Term{}
	sum, low, high := int64(0), int64(0), int64(0)
	for _, x := range r.Running.Terms {
		terms[x.What] = x
		sum, low, high = sum+x.Bytes, low+x.Low, high+x.High
	}
	if terms["weights"].Bytes != 2*8_030_261_248 || terms["cache"].Bytes != 131_072*8192 || terms["weights"].Status != memory.Exact {
		t.Errorf("weights %+v, cache %+v", terms["weights"], terms["cache"])
	}
	if x := terms["logits"]; x.High != 128_256*4 || x.Low != 128_256*2 || x.Status != memory.Bound {
		t.Errorf("logits %+v", x)
	}
	// 512 tokens in 16 bits: gate, up and their product of 14,336, and three hidden states of 4,096.
	if x := terms["activations"]; x.Bytes != 512*2*(3*14_336+3*4096) || x.Status != memory.Band {
		t.Errorf("activations %+v, want %d", x, 512*2*(3*14_336+3*4096))
	}
	if x := r.Running.Total; x.Bytes != sum || x.Low != low || x.High != high || x.Status != memory.Band {
		t.Errorf("total %+v, want %d, %d to %d", x, sum, low, high)
	}
	// Under llama.cpp's policy both buffers are its own: 266.50 MiB and 128,256 logits.
	r = on(t, "context=8192&kv-policy=llama.cpp&kv=fp16&weights=q4_k_m")
	for _, x := range r.Running.Terms {
		switch x.What {
		case "compute buffer":
			if mib := float64(x.Bytes) / (1 << 20); mib < 266.4 || mib > 266.6 || x.Status != memory.Planned {
				t.Errorf("compute buffer %+v", x)
			}
		case "output buffer":
			if x.Bytes != 128_256*4 || x.Status != memory.Exact {
				t.Errorf("output buffer %+v", x)
			}
		}
	}
}

// TestPeersMemory holds answers that other calculators get wrong, with the
// formula that goes wrong.
func TestPeersMemory(t *testing.T) {
	cache := func(link string) int64 { return int64(on(t, link).Cache.Bytes) }
	const gib = 1 << 30
	// Llama-3.1-70B at 8,192 tokens: 80 layers · 8 heads · 128 · 2 · 2 bytes · 8,192 = 2.5 GiB.
	// 40 GiB is 2·2·b·s·L·h: all 64 heads instead of 8, and twice over.
	if n := cache("model=llama-3.1-70b&context=8192"); n != 5*gib/2 || 16*n != 2*2*8192*80*8192*2 {
		t.Errorf("Llama-3.1-70B: %d, want 2.5 GiB", n)
	}
	// DeepSeek-V3: 61 · 576 · 2 bytes a token; 15.25 GiB at 4,096 is MLA taken for 128 heads of 128.
	if n := cache("model=deepseek-v3&context=4096"); n != 61*576*2*4096 || 61*2*128*128*2*4096 != 15*gib+gib/4 {
		t.Errorf("DeepSeek-V3: %d", n)
	}
	// A model does not fit a card of 96 GB because it has 70.6 billion parameters: they take two bytes each.
	r := on(t, "model=llama-3.1-70b&device=rtx-pro-6000-server")
	if r.Running.Fits != "no" || r.Weights.Bytes != 2*70_553_706_496 {
		t.Errorf("70B in bf16 on 96 GB: %s", r.Running.Fits)
	}
	// Active parameters do not decide what fits: DeepSeek-V3 in 4 bits takes some 400 GB, not 22.
	if r = on(t, "model=deepseek-v3&weights=q4_k_m&device=rtx-4090-24gb"); r.Running.Fits != "no" || r.Weights.Bytes < 380e9 {
		t.Errorf("DeepSeek-V3 on 24 GB: %s, %d bytes", r.Running.Fits, r.Weights.Bytes)
	}
}

// TestPeersTime holds decoding against what others take for granted.
func TestPeersTime(t *testing.T) {
	// Experts read: E(1 − (1 − K/E)^B), not K. DeepSeek-V3 in fp8 reads 585 GB at
	// 64 sequences (less the embedding's 0.93), 15.8 times what it reads at one.
	for _, c := range []struct {
		link string
		gb   float64
	}{{"model=deepseek-v3&weights=fp8&batch=1", 36.6}, {"model=deepseek-v3&weights=fp8&batch=8", 163}, {"model=deepseek-v3&weights=fp8&batch=64", 584.4}, {"model=mixtral-8x7b&batch=8", 84.1}} {
		if got := on(t, c.link).Running.Speed.Decode.Weights / 1e9; got < c.gb*0.995 || got > c.gb*1.005 {
			t.Errorf("%s reads %.1f GB of weights, want %.1f", c.link, got, c.gb)
		}
	}
	// MLA absorbed at 131,072 tokens multiplies 2 · 128 · 1,088 · 61 · 131,072 = 2.23 TFLOPs of
	// scores; without the heads it would be 9.2 GFLOPs.
	r := on(t, "model=deepseek-v3&context=131072")
	scores := 0.0
	for i := range r.Compute.Decode.Terms {
		scores += r.Compute.Decode.Terms[i].Score
	}
	if want := 2.0 * 128 * 1088 * 61 * 131072; scores != want {
		t.Errorf("scores %.4g, want %.4g", scores, want)
	}
	// Tensor cores, not vector units: an H100 prefills at 989 TFLOPS, not at 67. Of 8,192 tokens one makes logits.
	r = on(t, "")
	if p := r.Running.Speed.Prefill; p.Binds != "compute" || p.Compute != (float64(r.Compute.Prefill.FLOPs)-2*128256*4096*8191)/989e12 {
		t.Errorf("prefill %+v", p)
	}
	// Critical batch of dense bf16 weights: peak ÷ bandwidth (A100 153, H100 295, H200 206).
	for device, want := range map[string]int64{"a100-sxm4-80gb": 153, "h100-sxm-80gb": 295, "h200-sxm-141gb": 206} {
		if n := on(t, "device="+device).Running.Speed.Critical; n < want || n > want+2 {
			t.Errorf("%s: critical batch %d, want %d", device, n, want)
		}
	}
	// A decoding step of Llama-3.1-8B reads every weight but the embedding, and the cache.
	d := r.Running.Speed.Decode
	if want := float64(2*(8_030_261_248-128_256*4096) + 131_072*8192); d.Bytes != want || d.Seconds != want/3350e9 || d.Binds != "memory" {
		t.Errorf("decode %+v, want %.0f bytes", d, want)
	}
}

// TestLayout divides models over devices.
func TestLayout(t *testing.T) {
	// Llama-3.1-70B over 8: heads, widths and vocabulary divide; norms stand on each.
	r := on(t, "model=llama-3.1-70b&tp=8")
	norms := int64(2*(2*80+1)*8192) * 7
	if got, want := r.Running.Stages[0].Terms[0].Bytes*8, 2*70_553_706_496+norms; got != int64(want) {
		t.Errorf("weights on 8: %d, want %d", got, want)
	}
	if got := r.Running.Stages[0].Terms[1].Bytes * 8; got != int64(r.Cache.Bytes) {
		t.Errorf("cache on 8: %d, want %d", got, r.Cache.Bytes)
	}
	// 16 devices for 8 key and value heads: each head stands twice.
	r = on(t, "model=llama-3.1-70b&tp=16")
	if got := r.Running.Stages[0].Terms[1].Bytes * 16; got != 2*int64(r.Cache.Bytes) {
		t.Errorf("cache on 16: %d, want twice %d", got, r.Cache.Bytes)
	}
	// The latent of MLA stands on every device.
	r = on(t, "model=deepseek-v3&weights=fp8&device=h200-sxm-141gb&tp=8")
	if got := r.Running.Stages[0].Terms[1].Bytes; got != int64(r.Cache.Bytes) {
		t.Errorf("latent on each: %d, want %d", got, r.Cache.Bytes)
	}
	// 126 layers in 8 stages: six of 16, two of 15; embedding first, head last.
	r = on(t, "model=llama-3.1-405b&pp=8")
	var layers []int64
	sum := int64(0)
	for i := range r.Running.Stages {
		layers = append(layers, r.Running.Stages[i].Layers)
		sum += r.Running.Stages[i].Terms[0].Bytes
	}
	for i, n := range layers {
		if want := int64(16); i >= 6 && n != 15 || i < 6 && n != want {
			t.Errorf("stages of %v layers", layers)
			break
		}
	}
	if sum != int64(r.Weights.Bytes) {
		t.Errorf("stages weigh %d, the model %d", sum, r.Weights.Bytes)
	}
	if a, b := r.Running.Stages[0].Terms[0].Bytes-r.Running.Stages[1].Terms[0].Bytes, int64(2*128_256*16_384); a != b {
		t.Errorf("the first stage has %d more, want the embedding's %d", a, b)
	}
	// A tied head is a copy on the last stage.
	r = on(t, "model=llama-3.2-1b&pp=2")
	if got, want := r.Running.Stages[0].Terms[0].Bytes+r.Running.Stages[1].Terms[0].Bytes-int64(r.Weights.Bytes), int64(2*128_256*2048); got != want {
		t.Errorf("two stages of a tied model hold %d more, want the embedding's %d", got, want)
	}
	// GGUF files by layers, to the byte: no copy of an untied head.
	r = on(t, "model=llama-3.1-8b&weights=q4_k_m&pp=4")
	sum = 0
	for i := range r.Running.Stages {
		sum += r.Running.Stages[i].Terms[0].Bytes
	}
	if sum != int64(r.Weights.Bytes) {
		t.Errorf("stages of a GGUF file weigh %d, the file %d", sum, r.Weights.Bytes)
	}
	// Experts over ep of the dp ranks: the routed ones divide, nothing else.
	r = on(t, "model=mixtral-8x7b&dp=8&ep=8")
	const experts = 32 * 8 * 3 * 4096 * 14336
	if got, want := r.Running.Stages[0].Terms[0].Bytes, int64(2*(46_702_792_704-experts)+2*experts/8); got != want {
		t.Errorf("ep=8: %d, want %d", got, want)
	}
	for link, field := range map[string]string{
		"tp=3": "tp", "pp=33": "pp", "ep=2": "ep", "tp=2&devices=3": "devices", "model=mixtral-8x7b&ep=3": "ep", "device=hgx-h100-8&tp=4&dp=2&devices=2": "devices",
	} {
		if err := on(t, link).Running.Fault; err == nil || err.Field != field || err.Given == "" || err.Allowed == "" {
			t.Errorf("%s: %v, want an error about %s", link, err, field)
		}
	}
	if r = on(t, "model=llama-3.1-70b&device=hgx-h100-8"); !r.Running.Assumed || r.Running.Layout.TP != 8 || r.Running.Accelerators != 8 || r.Running.Fits != "yes" {
		t.Errorf("a board of eight: %+v", r.Running.Layout)
	}
}

// TestInverse: what is found fits, and one more does not.
func TestInverse(t *testing.T) {
	for _, link := range []string{"", "model=gemma-3-27b&weights=q4_k_m&kv-policy=llama.cpp&device=rtx-4090-24gb", "model=deepseek-v3&weights=fp8&device=h200-sxm-141gb&tp=8", "model=llama-3.1-70b&device=hgx-h100-8", "model=qwen3-30b-a3b&kv-policy=paged", "model=llama-3.2-1b&kv-policy=transformers&device=t4"} {
		r := on(t, link)
		q := r.Query
		n := r.Running.Context
		if n < 1 {
			t.Errorf("%s: nothing fits", link)
			continue
		}
		for more, want := range map[int64]string{0: "yes", 1: "more"} {
			q.Put(query.Context, itoa(n+more))
			got := on(t, q.String()).Running.Fits
			if want == "yes" && got != "yes" || want == "more" && got == "yes" {
				t.Errorf("%s: %d tokens: %s", link, n+more, got)
			}
		}
		q = r.Query
		for more, want := range map[int64]string{0: "yes", 1: "more"} {
			if r.Running.Batch+more == 0 {
				continue
			}
			q.Put(query.Batch, itoa(r.Running.Batch+more))
			got := on(t, q.String()).Running.Fits
			if want == "yes" && r.Running.Batch > 0 && got != "yes" || want == "more" && got == "yes" {
				t.Errorf("%s: batch %d: %s", link, r.Running.Batch+more, got)
			}
		}
	}
	// Llama-3.1-8B on an H100: one more token is 131,072 bytes more, and passes 85,520,809,984.
	if x := on(t, "").Running; x.ContextNeed[2]-x.ContextNeed[1] != 131_072 || x.ContextNeed[1] > 85_520_809_984 || x.ContextNeed[2] <= 85_520_809_984 {
		t.Errorf("needs %v", x.ContextNeed)
	}
	// What binds: the cache grows with tokens and sequences; weights that do not fit leave no room for one;
	// transformers processes the whole prompt at once, so that activations grow too.
	for link, want := range map[string][2]string{"": {"cache", "cache"}, "model=llama-3.1-70b": {"weights", "weights"}, "kv-policy=transformers&flash=off&model=llama-3.2-1b": {"activations", "activations"}} {
		if r := on(t, link).Running; r.ContextBinds != want[0] || r.BatchBinds != want[1] {
			t.Errorf("%s: %s and %s bind, want %v", link, r.ContextBinds, r.BatchBinds, want)
		}
	}
	// Llama-3.1-405B in bf16, 812 GB, on H100s: ten hold the weights alone, but 10 = 5 × 2 and 8,192 tokens need room.
	r := on(t, "model=llama-3.1-405b")
	l := r.Running.Fewest
	if n := l.Devices(); !r.Running.FewestOK || n < 10 || n > 12 {
		t.Errorf("fewest: %+v", l)
	}
	if r.Running.Fits != "no" || r.Running.Context != 0 {
		t.Errorf("405B on one H100: %s, %d tokens", r.Running.Fits, r.Running.Context)
	}
	// A state does not grow: any context fits.
	if r = on(t, "model=mamba-130m"); !r.Running.AnyContext {
		t.Errorf("mamba-130m: %d tokens", r.Running.Context)
	}
}

func itoa(n int64) string {
	s := ""
	for ; n > 0; n /= 10 {
		s = string(rune('0'+n%10)) + s
	}
	return s
}

// TestFewest: the fewest devices hold the model as laid out, and no smaller number
// does in any layout of up to eight slices.
func TestFewest(t *testing.T) {
	for _, link := range []string{"model=llama-3.1-405b", "model=llama-3.1-70b&device=rtx-4090-24gb&weights=q4_k_m&kv-policy=llama.cpp", "model=mixtral-8x22b&device=rtx-5090-32gb", "model=deepseek-v3&device=h200-sxm-141gb", "model=gpt2-xl&device=rtx-2080-ti&context=131072&batch=8"} {
		r := on(t, link)
		f := r.Running.Fewest
		if !r.Running.FewestOK {
			t.Errorf("%s: no number of devices holds it", link)
			continue
		}
		as := func(tp, pp int64) string {
			q := r.Query
			for p, n := range map[query.Param]int64{query.TP: tp, query.PP: pp, query.Devices: tp * pp} {
				if fail := q.Put(p, itoa(n)); fail != nil {
					t.Fatal(fail)
				}
			}
			x := on(t, q.String())
			if x.Running.Fault != nil {
				return "impossible"
			}
			return x.Running.Fits
		}
		if got := as(f.TP, f.PP); got != "yes" {
			t.Errorf("%s: tp %d × pp %d: %s", link, f.TP, f.PP, got)
		}
		for n := f.Devices() - 1; n > 0 && n > f.Devices()-4; n-- {
			for tp := int64(1); tp <= 8; tp++ {
				if n%tp == 0 && as(tp, n/tp) == "yes" {
					t.Errorf("%s: %d devices hold it, tp %d × pp %d; the fewest are said to be %d", link, n, tp, n/tp, f.Devices())
				}
			}
		}
	}
}

// TestInverseEverywhere does so through the catalogue: what is named fits when it
// is asked, one more does not.
func TestInverseEverywhere(t *testing.T) {
	asked := 0
	for i := range catalog.Models {
		slug := catalog.Models[i].Slug
		if i%9 != 0 && slug != "t5-v1.1-base" && slug != "whisper-large-v3-turbo" && slug != "llama-3.2-11b-vision" && slug != "deepseek-v4-flash" {
			continue
		}
		for _, extra := range []string{"device=h100-sxm-80gb", "device=hgx-h100-8&kv-policy=llama.cpp", "device=rtx-4090-24gb&kv-policy=transformers&flash=off", "device=h100-sxm-80gb&kv-policy=paged&weights=q4_k_m", "device=hgx-h100-8&draft=2"} {
			r, err := try(t, "v=1&model="+slug+"&"+extra)
			if err != nil || r.Running.Device == nil {
				continue
			}
			x := &r.Running
			for _, most := range []struct {
				of query.Param
				n  int64
			}{{query.Context, x.Context}, {query.Batch, x.Batch}} {
				if most.n == 0 || most.n > 1<<36 {
					continue
				}
				for more, want := range []bool{true, false} {
					q := r.Query
					if fail := q.Put(most.of, itoa(most.n+int64(more))); fail != nil {
						t.Fatal(fail)
					}
					again, err := try(t, q.String())
					if err != nil {
						t.Fatal(err)
					}
					if asked++; (again.Running.Fits == "yes") != want {
						t.Errorf("%s: %s", q.String(), again.Running.Fits)
					}
				}
			}
		}
	}
	if asked < 300 {
		t.Errorf("only %d answers were asked again", asked)
	}
}

// TestDraft: guesses pay as far as they are kept, and cost what checking them and
// making them takes.
func TestDraft(t *testing.T) {
	near := func(what string, got, want float64) {
		t.Helper()
		if got < want*(1-1e-9) || got > want*(1+1e-9) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	// A dense model bound by memory checks five tokens in the time of one: 3.3616 tokens a step.
	r := on(t, "draft=4&accept=80")
	s := &r.Running.Speed
	if s.Drafting.Check.Bytes != s.Decode.Bytes || s.Drafting.Guess.Seconds != 0 {
		t.Errorf("a check reads %v, a step %v; guess %+v", s.Drafting.Check.Bytes, s.Decode.Bytes, s.Drafting.Guess)
	}
	near("a token", s.Drafting.Token, s.Decode.Seconds/3.3616)
	if on(t, "").Running.Speed.Drafting.Seconds != 0 {
		t.Error("guesses that nobody asked for")
	}
	// One layer for predicting does not double DeepSeek-V3's rate, as a factor of 1 + num_nextn_predict_layers
	// has it: guesses are kept 85 times of 100, the check routes twice the tokens to more experts (of 256 with 8
	// picked, 2 tokens read 15.75 instead of 8), and the guess reads a layer and the head.
	r = on(t, "model=deepseek-v3&device=hgx-h200-8&draft=1&accept=85")
	s = &r.Running.Speed
	if gain := s.Decode.Seconds / s.Drafting.Token; gain > 1.3 || gain < 0.9 {
		t.Errorf("drafting gains %.3f", gain)
	}
	if s.Drafting.Check.Weights < 1.3*s.Decode.Weights || s.Drafting.Guess.Weights < 129_280*7168 {
		t.Errorf("check reads %.3g, decode %.3g, a guess %.3g", s.Drafting.Check.Weights, s.Decode.Weights, s.Drafting.Guess.Weights)
	}
	// The prediction layer: one of 256 · 3 · 7168 · 2048 experts and the rest, 11.5 billion parameters in some 8 bits,
	// divided over eight devices where its matrices are.
	found := int64(0)
	for _, x := range r.Running.Fullest.Terms {
		if x.What == "prediction layers" {
			found = x.Bytes
		}
	}
	if found < 11_500_000_000/8 || found > 11_700_000_000/7 {
		t.Errorf("prediction layers take %d", found)
	}
	for link, field := range map[string]string{"draft=65": "draft", "draft=2&accept=101": "accept"} {
		if err := on(t, link).Running.Fault; err == nil || err.Field != field || err.Allowed == "" {
			t.Errorf("%s: %v", link, err)
		}
	}
}

// TestExpanded: DeepSeek-V3's latents as keys and values of every head multiply
// 2 · 128 · (192 + 128) for a token held instead of 2 · 128 · (576 + 512), and
// read 128 · 320 elements instead of 576.
func TestExpanded(t *testing.T) {
	r := on(t, "model=deepseek-v3&context=131072&device=hgx-h200-8&tp=1&dp=8&ep=8")
	s := &r.Running.Speed
	if s.Expanded.Cache != 61*128*320*2*131_072 || s.Decode.Cache != 61*576*2*131_072 {
		t.Errorf("cache %v and %v", s.Expanded.Cache, s.Decode.Cache)
	}
	if got, want := s.Decode.FLOPs-s.Expanded.FLOPs, float64(61*2*128*(1088-320)*131_072); got != want {
		t.Errorf("absorbed multiplies %v more, want %v", got, want)
	}
	// Heads divide over tp devices; the latent stands on each.
	r = on(t, "model=deepseek-v3&context=131072&device=hgx-h200-8&tp=8")
	s = &r.Running.Speed
	if s.Expanded.Cache != 61*128*320*2*131_072 || s.Decode.Cache != 8*61*576*2*131_072 {
		t.Errorf("cache on eight %v and %v", s.Expanded.Cache, s.Decode.Cache)
	}
	if on(t, "").Running.Speed.Expanded.Seconds != 0 {
		t.Error("a model without latents is expanded")
	}
}

// TestExpertsOverTensorRanks: eight devices that divide attention by heads can
// hold whole experts instead of slices of all: as many bytes, and nothing beside
// the all-reduce to send. Replicas send tokens to their experts and back.
func TestExpertsOverTensorRanks(t *testing.T) {
	whole, sliced := on(t, "model=mixtral-8x7b&tp=8&ep=8&devices=8"), on(t, "model=mixtral-8x7b&tp=8&devices=8")
	if whole.Running.ExpertsOver != 8 || whole.Running.Fullest.Total != sliced.Running.Fullest.Total || whole.Running.Speed.Decode.Traffic != sliced.Running.Speed.Decode.Traffic {
		t.Errorf("%+v, want %+v", whole.Running.Fullest.Total, sliced.Running.Fullest.Total)
	}
	if r := on(t, "model=mixtral-8x7b&tp=4&dp=2&ep=8"); r.Running.ExpertsOver != 8 || r.Running.Layout.EP != 2 {
		t.Errorf("ep 8 over 4 × 2: %+v", r.Running.Layout)
	}
	// One token of each of eight replicas goes to 2 experts in 32 layers and comes back: 7/8 of them elsewhere.
	r := on(t, "model=mixtral-8x7b&dp=8&ep=8&batch=8")
	if got, want := r.Running.Speed.Decode.Traffic.Experts, 2*7.0/8*4096*2*2*32; got != want {
		t.Errorf("all-to-all sends %v, want %v", got, want)
	}
	if err := on(t, "model=mixtral-8x7b&tp=2&ep=8&devices=2").Running.Fault; err == nil || err.Field != "ep" {
		t.Errorf("eight groups of experts on two devices: %v", err)
	}
}

// TestEqualSlices: runtimes refuse slices that are not equal (vllm/distributed/utils.py, divide, commit 0199690), so none is
// accepted or proposed. Llama-3.2-3B has 24 heads, which 3 divides, and 8,192 channels, which it does not;
// Devstral-2-123B 96 heads, which 6 divides, and 28,672 = 2¹²·7 channels. Whole experts are not sliced.
func TestEqualSlices(t *testing.T) {
	err := on(t, "model=llama-3.2-3b&tp=3").Running.Fault
	if err == nil || err.Field != "tp" || err.Allowed != "a divisor of 8192" || err.Hint != "tp=2 and tp=4 do" {
		t.Errorf("three slices of 8,192 channels: %v", err)
	}
	if r := on(t, "model=devstral-2-123b&devices=6&device=h200-sxm-141gb"); r.Running.Fault != nil || r.Running.Layout.TP != 2 || r.Running.Layout.PP != 3 {
		t.Errorf("six devices are laid out as %+v, %v", r.Running.Layout, r.Running.Fault)
	}
	// 512 channels of each of 40 experts; nothing else stands between matrices.
	if err := on(t, "model=granite-3.1-3b-a800m&tp=3").Running.Fault; err == nil || err.Problem != "does not divide the 512 channels of an expert" {
		t.Errorf("three slices of an expert of 512: %v", err)
	}
	if err := on(t, "model=granite-3.1-3b-a800m&tp=8&ep=8&devices=8").Running.Fault; err != nil {
		t.Error(err)
	}
	for _, m := range models(t).Models {
		r := on(t, "model="+m.Slug+"&device=rtx-4090-24gb")
		if x := &r.Running; x.FewestOK && (x.Fewest.Check(r.Model, 0) != nil || x.Fewest.Even(r.Model, false) != nil) {
			t.Errorf("%s: the fewest devices are %+v", m.Slug, x.Fewest)
		}
	}
}

// TestPastTheLimit: a context past what the model is made for is answered, with
// the limit named.
func TestPastTheLimit(t *testing.T) {
	for link, want := range map[string]string{
		"context=262144":                  "262,144 tokens are more than the 131,072 that the model is made for (max_position_embeddings); bytes and FLOPs are counted all the same",
		"model=gpt2&context=1025":         "1,025 tokens are more than the 1,024 that the model is made for (n_positions); bytes and FLOPs are counted all the same",
		"context=131072":                  "",
		"model=mamba-130m&context=999999": "",
	} {
		got := ""
		for _, w := range on(t, link).Warnings {
			if w.Field == "context" {
				got = w.Text
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", link, got, want)
		}
	}
}

// TestNoDevice: the lens is absent without a device, the footprint is not.
func TestNoDevice(t *testing.T) {
	r := answer(t, "", llama8b)
	if _, ok := r.Field("running.fits"); ok {
		t.Error("there is an answer about no device")
	}
	if v, ok := r.Field("memory.total.bytes"); !ok || v.Text == "" {
		t.Error("no total")
	}
}

// BenchmarkRunning is the whole report with every question about a device, and
// without a device: between the two lie the inverse answers and the bounds.
func BenchmarkRunning(b *testing.B) {
	lib := families.Library()
	for _, link := range []string{"", "model=llama-3.1-70b&device=hgx-h100-8&weights=q4_k_m&kv-policy=llama.cpp", "model=deepseek-v3&device=gb200-nvl72", "model=deepseek-v4-pro&device=gb200-nvl72&kv-policy=paged", "model=qwen3.8-2.4t-a95b&device=tpu-v5p-8960&kv-policy=transformers", "model=laguna-s-2.1&device=gb200-nvl72&kv-policy=llama.cpp"} {
		q, _, _ := query.Parse(link)
		m, _ := catalog.Find(q.Get(query.Model))
		s, _ := m.Subject()
		d, _ := machines.Find(q.Get(query.Device))
		for _, of := range []string{"with device", "without"} {
			if s.Device = d.Spec(); of == "without" {
				s.Device = nil
			}
			b.Run(m.Slug+" "+of, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := report.Answer(q, s, lib); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

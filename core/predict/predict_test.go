package predict_test

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"llmsize/content/asked"
	"llmsize/content/catalogue"
	"llmsize/core/config"
	"llmsize/core/device"
	"llmsize/core/family/families"
	"llmsize/core/jsonout"
	"llmsize/core/predict"
	"llmsize/core/query"
	"llmsize/core/report"
)

func engines(t testing.TB) *predict.Library {
	t.Helper()
	l, err := catalogue.AllEngines()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got/want-1) > 1e-9 {
		t.Errorf("%s: %g, want %g", what, got, want)
	}
}

// TestModel writes the terms out: 1,000 bytes a second, 200 bytes of weights and 20 of cache a sequence, two layers.
func TestModel(t *testing.T) {
	w := predict.Work{Layers: 2, Launches: 2, Always: 200, Matmul: 50, Head: 10, TP: 1, PP: 1, DP: 1, Bandwidth: 1000, Rate: 1e14}
	s := predict.Step{Share: 0.8, Cache: 0.5, Experts: 1, Layer: 0.01, Tensor: 0.005, Busy: 0.5, Sequence: 0.002, Narrowed: 0.5, Routed: 0.25}
	// 200/800 + 20/500 + 2 × 0.01
	near(t, "one sequence", w.Decode(&s, 1, 20, 100), 0.25+0.04+0.02)
	// Three: the cache of each, products of the two others at half of 100 FLOP/s, the host's time for them.
	near(t, "three sequences", w.Decode(&s, 3, 20, 100), 0.25+0.12+2*60/50.0+0.02+0.004)
	// Four devices divide bytes and FLOPs and add two doublings to each layer.
	w.TP = 4
	near(t, "four devices", w.Decode(&s, 1, 20, 100), (0.25+0.04)/4+2*(0.01+0.01))
	w.TP = 1
	// 8 bits multiply four times as fast; the square root of that is reached.
	near(t, "narrow", w.Reading(&s, 1e14, 0, 4e14), 50e14/(0.5*1e14*2)+2*0.01/2)
	// Four ranks with a link of 10,000 bytes a second, of which half is reached: two layers of width 100, twice 2 · 3/4 of 16 bits each.
	w.TP, w.Hidden, w.Link, s.Links = 4, 100, 10000, 0.5
	near(t, "links", w.Reading(&s, 1000, 0, 100), 50e3/(0.5*100*4)+2*0.01/2+2*100*1000*2*2*2*0.75/5000)
	// The same of each of three sequences that take a step.
	near(t, "links of a step", w.Decode(&s, 3, 20, 100), (0.25+0.12+2*60/50.0)/4+2*(0.01+0.01)+0.004+2*100*3*2*2*2*0.75/5000)
	w.TP, w.Link = 1, 0
	f := predict.Fill{Half: 0.5, Narrow: 0.25, Scores: 0.1, Slope: 0, Layer: 0.003, Chunk: 512}
	// 1,000 tokens are two chunks of 512, four of 250, or one: each reads the weights and launches two layers.
	once := (1000*50+10)/(0.25*1e14) + 3e12/(0.1*1e14)
	near(t, "prefill", w.Prefill(&f, 1000, 1, 0, 3e12, 1e14), once+2*(200/1000.0+2*0.003))
	near(t, "small chunks", w.Prefill(&f, 1000, 1, 250, 3e12, 1e14), once+4*(200/1000.0+2*0.003))
	f.Chunk = 0
	near(t, "whole", w.Prefill(&f, 1000, 1, 0, 3e12, 1e14), once+200/1000.0+2*0.003)
	// 6 FLOPs a parameter's token at a fifth of 10^14, two layers of width 100 that go through memory five times in 16 bits;
	// four times more devices than a switch joins are two doublings.
	w.Hidden = 100
	tr := predict.Train{Share: 0.2, Narrowed: 1, Routed: 1, Passes: 5, Beyond: 0.1}
	x := predict.Layout{FLOPs: 6e13, Rate: 1e14, Beyond: 4, Tokens: 50, TP: 1, CP: 1, PP: 1, VP: 1}
	near(t, "training", w.Training(&tr, &x), (6e13/2e13+2*100*2*5/1000.0)*1.2)
	// Two ranks launch for each layer, and send four times 2 (n - 1) bytes of 16 bits a layer and channel over a link of which
	// half is reached; of three stages with two parts each and five micro-batches, two tenths more is waiting.
	tr.Launch, tr.Links, x.Beyond, x.TP, x.Link, x.PP, x.VP, x.Micro = 0.25, 0.5, 1, 2, 10000, 3, 2, 5
	near(t, "training, spread", w.Training(&tr, &x), (6e13/2e13+2*100*2*5/1000.0+2*0.25*2/50+2*100*2*8/5000.0)*1.2)
	l := predict.Load{Mix: 0.5, First: 0.1, Own: 2, Queue: 0.25, Steps: 1}
	near(t, "token", w.Token(&s, &l, 3, 10, 20, 6, 100), w.Decode(&s, 3, 20, 100)+0.5*2*6/10)
	step := w.Decode(&s, 3, 20, 100)
	near(t, "first token", w.FirstToken(&s, &l, 3, 10, 20, 6, 100), 0.1+step+2*6*1.5)
	// On two stages each steps for half of four users, and reads half of the others' prompts meanwhile.
	w.PP = 2
	near(t, "token, two stages", w.Token(&s, &l, 4, 10, 20, 6, 100), w.Decode(&s, 2, 20, 100)+0.5*3*6/(10*2))
	near(t, "first token, two stages", w.FirstToken(&s, &l, 4, 10, 20, 6, 100), 0.1+w.Decode(&s, 2, 20, 100)+2*6*(1+0.25*3/2))
	w.PP = 1
	// Of two others, each reads for 6 s of the 6 s and ten steps that its answer takes.
	l.Clash = 0.5
	near(t, "first token, others under way", w.FirstToken(&s, &l, 3, 10, 20, 6, 100), 0.1+step+2*6*(1.5+0.5*2*6/(6+10*step)))
}

func TestLibrary(t *testing.T) {
	var l predict.Library
	text := "# words\nname = \"x\"\ntitle = \"X\"\nsources = [\"a\", \"b\"]\n[step]\nshare = 0.9\nlayer_us = 50\n[[decode]]\nlevel = \"any\"\nfactor = 1.1\nlow = 0.8\nhigh = 1.2\nrows = 3\ndevices = 2\n[[decode]]\nlevel = \"family\"\nof = \"f\"\nfactor = 2\n"
	if err := l.Add("x.toml", text); err != nil {
		t.Fatal(err)
	}
	if err := l.Add("families.toml", "[[family]]\nname = \"f\"\ndevices = [\"d\"]\n"); err != nil {
		t.Fatal(err)
	}
	e := l.Engine("x")
	if e == nil || e.Title != "X" || len(e.Sources) != 2 || e.Step.Share != 0.9 || math.Abs(e.Step.Layer-50e-6) > 1e-15 || len(e.Decode) != 2 || e.Decode[0].Rows != 3 {
		t.Fatalf("%+v", e)
	}
	if f := l.Family("d"); f == nil || f.Name != "f" || l.Family("e") != nil || l.Engine("y") != nil {
		t.Error(f)
	}
	for _, c := range []struct {
		family string
		want   float64
	}{{"f", 2}, {"g", 1.1}, {"", 1.1}} {
		if got := predict.Pick(e.Decode, "d", c.family, "M"); got == nil || got.Factor != c.want {
			t.Errorf("%q: %+v", c.family, got)
		}
	}
	for text, line := range map[string]int{"name = \"x\"\n[step]\nshar = 1\n": 3, "name\n": 1, "name = \"x\"\n[[decode]]\nfactor = \"much\"\n": 3, "[[family]]\nof = 1\n": 2} {
		var l predict.Library
		if err := l.Add("a.toml", text); err == nil || err.Line != line {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestTraining: a named program's constants, slower where one asks for wider products, none for adapters.
func TestTraining(t *testing.T) {
	l := engines(t)
	rate := func(link string) *predict.Range {
		a, _ := predict.Run(asked.Answer(t, link), l)
		return a.Training
	}
	wide := rate("model=llama-3-70b&device=h100-sxm-80gb&devices=64&tp=4&pp=4&program=megatron")
	narrow := rate("model=llama-3-70b&device=h100-sxm-80gb&devices=64&tp=4&pp=4&program=megatron&weights=fp8")
	if wide == nil || narrow == nil || narrow.Likely <= wide.Likely || narrow.Likely > 2*wide.Likely {
		t.Errorf("%+v in 16 bits, %+v in 8", wide, narrow)
	}
	// A program that nobody measured gets what all have in common, with a band that is no narrower.
	if x := rate("model=llama-3-70b&device=h100-sxm-80gb&devices=64&tp=4&pp=4"); x == nil || x.Likely < wide.Likely/2 || x.Likely > 2*wide.Likely {
		t.Errorf("no program named: %+v, Megatron %+v", x, wide)
	}
	if x := rate("model=llama-3-8b&device=h100-sxm-80gb&lora-rank=8&program=megatron"); x != nil {
		t.Errorf("adapters: %+v", x)
	}
	// Nobody trains in integers: weights that a server keeps in 8 bits make no step faster, and a device that has no other rate trains nothing.
	if x, y := rate("model=llama-3-8b&device=h100-sxm-80gb&devices=8&weights=w8a8"), rate("model=llama-3-8b&device=h100-sxm-80gb&devices=8"); x == nil || *x != *y {
		t.Errorf("%+v in integers, %+v in 16 bits", x, y)
	}
	if x := rate("model=qwen3-0.6b&device=rk3576-16gb&weights=w8a8"); x != nil {
		t.Errorf("integers alone: %+v", x)
	}
	// 70 billion weights and gradients in 16 bits are 282 GB: no 24 hold them, and 64 times 80 do.
	if x := rate("model=llama-3-70b&device=rtx-4090-24gb"); x != nil {
		t.Errorf("does not fit: %+v", x)
	}
	if l.Beyond("h100-sxm-80gb", 32) != 4 || l.Beyond("gb300-278gb", 32) != 1 || l.Beyond("gb300-278gb", 144) != 2 {
		t.Error("devices beyond one switch")
	}
}

// TestLaunches: what a step launches, by the matrices of a layer. A plain layer has seven, and launches seven other kernels.
func TestLaunches(t *testing.T) {
	for _, c := range []struct {
		model            string
		layers, launches float64
	}{
		{"llama-3.1-8b", 32, 32},
		// Gemma 3 12B's 48 layers have the same seven matrices; its tower's 27 layers see images, before a token is written.
		{"gemma-3-12b", 48, 48},
		// Four of attention, the router, and three that all experts share.
		{"qwen3-30b-a3b", 48, 48 * (4 + 1 + 3 + 7) / 14.0},
		// Latent attention has five in each of 61 layers; three layers have a plain feed-forward, the others router, experts and a shared expert.
		{"deepseek-v3", 61, (3*(5+3+7) + 58*(5+1+3+3+7)) / 14.0},
	} {
		w, ok := predict.Of(asked.Answer(t, "model="+c.model+"&device=h200-sxm-141gb&devices=8&tp=8"))
		if !ok {
			t.Fatal(c.model)
		}
		near(t, c.model+", layers", w.Layers, c.layers)
		near(t, c.model+", launches", w.Launches, c.launches)
	}
}

// TestAnswers: every engine's file is read, each part of the JSON stands where it can, bands hold the likely value, and
// nothing passes what memory allows.
func TestAnswers(t *testing.T) {
	l := engines(t)
	if len(l.Engines) < 8 || len(l.Families) < 20 {
		t.Fatalf("%d engines, %d families", len(l.Engines), len(l.Families))
	}
	for _, c := range []struct{ link, engine, parts string }{
		{"model=llama-3.1-8b&weights=q4_k_m&device=rtx-4090-24gb&context=1024&prompt=512", "llama.cpp-cuda", "decode prefill"},
		{"model=llama-3.1-8b&weights=q4_k_m&device=apple-m2-ultra-192gb", "llama.cpp-metal", "decode prefill"},
		{"model=llama-3.1-8b&weights=mlx-q4&device=apple-m3-max-128gb", "mlx", "decode"},
		{"model=llama-3.1-8b&weights=q8_0&device=rx-7900-xtx&engine=llama.cpp", "llama.cpp-vulkan", "decode"},
		{"model=llama-3.1-8b&weights=q8_0&device=ryzen-ai-max-395-128gb&engine=llama.cpp-rocm", "llama.cpp-rocm", "decode"},
		{"model=llama-3.1-8b&weights=awq-g128&device=rtx-4090-24gb", "vllm", "decode"},
		{"model=llama-3.1-8b&device=h100-sxm-80gb&users=16&output=256&prompt=1024&context=2048", "vllm", "decode serving"},
		{"model=llama-3.1-8b&device=h100-sxm-80gb&engine=tensorrt-llm&batch=8&output=100&prompt=1024&context=2048", "tensorrt-llm", "decode serving"},
		{"model=llama-3.1-8b&device=h100-sxm-80gb&users=16", "vllm", "decode"},
		{"model=llama-3.1-8b&device=gaudi3", "habana", ""},
		{"model=llama-2-7b&device=gaudi1&context=1024", "habana", "decode"},
		{"model=llama-3.1-8b&weights=q4_k_m&device=ryzen-9-5950x-128gb&context=1024", "llama.cpp-cpu", "decode prefill"},
		{"model=llama-3.1-8b&weights=q4_k_m&device=ryzen-9-5950x-128gb&engine=llamafile&context=1024", "llama.cpp-cpu", "decode prefill"},
		{"model=llama-3-8b&weights=f16&device=rtx-4080-16gb&context=1024", "llama.cpp-cuda", "decode prefill"},
		{"model=t5-v1.1-xxl&device=rtx-4090-24gb", "llama.cpp-cuda", ""},
	} {
		r := asked.Answer(t, c.link)
		a, ok := predict.Run(r, l)
		if !ok || a.Engine != c.engine {
			t.Errorf("%s: %v %q", c.link, ok, a.Engine)
			continue
		}
		got := map[string][]*predict.Range{"decode": {a.Decode}, "prefill": {a.Prefill}, "serving": {}}
		if l := a.Load; l != nil {
			got["serving"] = []*predict.Range{l.First, l.Token, l.Output}
		}
		for part, list := range got {
			if wanted := strings.Contains(c.parts, part); wanted && len(list) == 0 {
				t.Errorf("%s: no %s", c.link, part)
			}
			for _, x := range list {
				if wanted := strings.Contains(c.parts, part); part != "prefill" && (x != nil) != wanted || wanted && x == nil {
					t.Errorf("%s: %s is %+v", c.link, part, x)
				} else if x != nil && !(x.Low > 0 && x.Low <= x.Likely && x.Likely <= x.High && x.High < 10*x.Low) {
					t.Errorf("%s: %s is %+v", c.link, part, *x)
				}
			}
		}
		if a.Decode != nil && a.Decode.High*r.Running.Speed.Decode.Memory > 1+1e-9 {
			t.Errorf("%s: %g tokens a second, more than memory allows", c.link, a.Decode.High)
		}
		if c.parts == "" && len(a.Missing) == 0 {
			t.Errorf("%s: nobody says why nothing is predicted", c.link)
		}
	}
}

// TestNames: the JSON's names, which others depend on: each rate and time has its ends in order, and what it rests on is said.
func TestNames(t *testing.T) {
	r := asked.Answer(t, "model=llama-3.1-8b&weights=fp8&device=h100-sxm-80gb&engine=tensorrt-llm&users=16&output=256&prompt=1024&context=2048&tpot-ms=20&price=3.6&measured=60")
	predict.Add(r, engines(t))
	q := asked.Answer(t, "model=llama-3.1-8b&weights=q4_k_m&device=rtx-4090-24gb&context=1024")
	predict.Add(q, engines(t))
	for _, c := range []struct {
		r    *report.Report
		path string
	}{
		{r, "decode.tokens_per_second"}, {r, "serving.ttft_seconds"}, {r, "serving.tpot_seconds"}, {r, "serving.output_tokens_per_second"},
		{r, "training.tokens_per_second_per_device"}, {r, "cost.million_input_tokens"}, {r, "cost.million_output_tokens"},
		{q, "decode.tokens_per_second"}, {q, "prefill.tokens_per_second"},
	} {
		last := 0.0
		for _, end := range []string{"low", "likely", "high"} {
			n, err := strconv.ParseFloat(member(c.r.Predicted, c.path+"."+end), 64)
			if err != nil || n < last || n == 0 {
				t.Errorf("%s.%s: %v, after %g (%v)", c.path, end, n, last, err)
			}
			last = n
		}
	}
	for path, want := range map[string]string{"basis.engine": "tensorrt-llm", "basis.usual": "false", "basis.serving.class": "device", "basis.serving.of": "h100-sxm-80gb", "basis.extrapolated": "false"} {
		if got := member(r.Predicted, path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	for _, path := range []string{"basis.serving.rows", "basis.sources", "joules_per_output_token_at_most", "promise.users", "measured", "curve", "bound.decode.tokens_per_second"} {
		if member(r.Predicted, path) == "" {
			t.Errorf("no %s", path)
		}
	}
}

// member is a member of JSON by its path, without quotes; empty where there is none.
func member(v jsonout.Value, path string) string {
	for _, key := range strings.Split(path, ".") {
		if v = v.Get(key); v.Read().Kind == config.Absent {
			return ""
		}
	}
	return strings.Trim(v.String(), `"`)
}

// TestElsewhere: an engine that does not run on a device predicts nothing there, and the answer names one that does.
func TestElsewhere(t *testing.T) {
	for link, near := range map[string]string{
		"device=mi355x&engine=mlx":                                        "vllm",
		"device=rtx-4090-24gb&engine=llama.cpp-metal&weights=q4_k_m":      "llama.cpp-cuda",
		"device=apple-m3-max-128gb&engine=llama.cpp-cuda&weights=q4_k_m":  "llama.cpp-metal",
		"device=radeon-ai-pro-r9700&engine=tensorrt-llm":                  "",
		"device=rx-7900-xtx&engine=llama.cpp-cpu&weights=q4_k_m":          "llama.cpp-vulkan",
		"device=ryzen-9-5950x-128gb&engine=llama.cpp-cuda&weights=q4_k_m": "llama.cpp-cpu",
		"device=gaudi2&engine=llama.cpp-vulkan":                           "habana", // Vulkan has no driver for these
		"device=inferentia2&engine=llama.cpp-vulkan":                      "neuron",
		"device=gaudi2&engine=llama.cpp":                                  "habana",
		"device=tpu-v6e&engine=ollama":                                    "vllm",
		"device=trainium1&engine=transformers":                            "neuron",
	} {
		a := ask(t, "model=llama-3.1-8b&context=1024&"+link)
		if a.Decode != nil || a.Prefill != nil || a.Load != nil || len(a.Missing) != 1 || !strings.Contains(a.Missing[0], "does not run on") || !strings.Contains(a.Missing[0], near) {
			t.Errorf("%s: %+v, %q", link, a.Decode, a.Missing)
		}
	}
	// Of a device that a reader types nobody knows what runs there.
	if a := ask(t, "model=llama-3.1-8b&context=1024&memory=24000000000&bandwidth=1000000000000&engine=mlx&weights=mlx-q4"); a.Decode == nil {
		t.Errorf("typed: %q", a.Missing)
	}
}

// TestExtrapolated: a question far beyond the runs says so.
func TestExtrapolated(t *testing.T) {
	l := engines(t)
	for link, want := range map[string]bool{
		"model=llama-3.1-8b&weights=q4_k_m&device=rtx-4090-24gb&context=1024":                      false,
		"model=llama-3.1-8b&weights=q4_k_m&device=rtx-4090-24gb&context=1024&batch=64":             true,
		"model=llama-3.1-8b&device=h100-sxm-80gb&users=100000&output=100&prompt=1024&context=2048": true,
		"model=llama-3.1-8b&weights=q4_k_m&device=apple-m3-ultra-512gb&context=2000000":            true,
		"model=llama-3.1-8b&device=gaudi2":                                                         false, // nothing is predicted
	} {
		a, _ := predict.Run(asked.Answer(t, link), l)
		if (len(a.Beyond) > 0) != want {
			t.Errorf("%s: %q", link, a.Beyond)
		}
	}
}

// TestNothingPassesABound: of questions drawn from the catalogue, on every device, by every engine, in many formats and layouts, no
// prediction is faster than what memory and arithmetic allow; every range is in order; and where nothing is predicted, a sentence says why.
func TestNothingPassesABound(t *testing.T) {
	t.Parallel()
	l := engines(t)
	devices, err := catalogue.AllDevices()
	if err != nil {
		t.Fatal(err)
	}
	models, err := catalogue.AllModels()
	if err != nil {
		t.Fatal(err)
	}
	state := uint32(19)
	draw := func(list ...string) string { // of the same questions every time
		state = state*1664525 + 1013904223
		return list[state>>8%uint32(len(list))]
	}
	names := []string{""}
	for _, e := range l.Engines {
		if (len(e.Decode) > 0 || len(e.Token) > 0) && e.Name != predict.Eager { // which weights ask for
			names = append(names, "&engine="+e.Name)
		}
	}
	seen := map[string]int{}
	check := func(link, what string, x *predict.Range, least, most float64) {
		if x == nil {
			return
		}
		seen[what]++
		if !(x.Low > 0 && x.Low <= x.Likely && x.Likely <= x.High && x.High < math.Inf(1)) || x.Low < least*(1-1e-9) || x.High > most*(1+1e-9) {
			t.Errorf("%s: %s is %+v, at least %g, at most %g", link, what, *x, least, most)
		}
	}
	for i := range devices.List {
		for range 8 {
			link := "model=" + draw("llama-3.1-8b", "llama-3.2-1b", "qwen3-30b-a3b", "gpt-oss-20b", models.Models[int(state>>9)%len(models.Models)].Slug) + "&device=" + draw(devices.List[i].Slug, devices.List[i].Slug, "h100-sxm-80gb", "b300-sxm-270gb") + draw(names...) +
				"&weights=" + draw("auto", "f16", "q4_k_m", "q8_0", "fp8", "awq-g128", "w8a8", "iq2_xxs") + draw("", "&batch=3", "&batch=64") +
				draw("&context=64&prompt=32&output=32", "&context=1024&prompt=512", "&context=8192&prompt=4096&output=4096", "&context=100000&prompt=16&output=1") + draw("", "&users=1", "&users=300") +
				draw("", "", "&tp=2&devices=2", "&pp=2&devices=2", "&dp=2&devices=2") + draw("", "&ngl=5")
			r := asked.Answer(t, link)
			a, ok := predict.Run(r, l)
			if !ok {
				continue
			}
			w, runs := predict.Of(r)
			if a.Decode == nil && a.Offloaded == nil && len(a.Missing) == 0 {
				t.Errorf("%s: nobody says why nothing is predicted", link)
			}
			if room := r.Running.Device.Memory; r.Running.Fits == "no" && !r.Query.Has(query.OnDevice) && (r.Running.Device.Known != "label" || r.Running.Fullest.Total.Low > room/1e9*(1<<30)) {
				// Labels are decimal; a card of 16 GB may have 16 GiB.
				if seen["unfit"]++; a.Decode != nil || a.Prefill != nil || a.Load != nil || len(a.Missing) == 0 {
					t.Errorf("%s: does not fit: %+v", link, a)
				}
			}
			q := &r.Query
			prompt, output := float64(q.Int(query.Prompt)), float64(q.Int(query.Output))
			least := func(seconds float64) float64 { return 1 / max(seconds, 1e-30) }
			check(link, "decode", a.Decode, 0, least(a.Bounds.Decode.Seconds))
			check(link, "prefill", a.Prefill, 0, prompt*float64(q.Int(query.Batch))*least(a.Bounds.Prefill.Seconds))
			if !runs {
				continue
			}
			if d := r.Running.Device; a.Training != nil {
				peak := float64(max(d.Peak[device.BF16], d.Peak[device.FP16], 2*d.Peak[device.FP32], d.Peak[device.FP8], d.Peak[device.FP4]))
				check(link, "training", a.Training, 0, peak/w.Learning(q.Int(query.Seq)))
			}
			// A token reads what every token needs, and its own sequence's cache, at the bandwidth of the devices that share a layer; a
			// prompt is multiplied by all of them.
			bytes := w.Always + w.Experts*float64(w.Picked)/math.Max(float64(w.Total), 1) + w.Cache(q.Int(query.Prompt))
			later, first, request := bytes/(w.Bandwidth*w.TP), 0.0, 0.0
			if p := a.Bounds.Rate * w.TP * w.PP; p > 0 {
				first = prompt * w.Matmul / p
				request = ((prompt+output-1)*w.Matmul + output*w.Head) / (p * w.DP)
			}
			loads := a.Curve
			if a.Load != nil {
				loads = append(loads, *a.Load)
			}
			for i := range loads {
				check(link, "token", loads[i].Token, later, math.Inf(1))
				check(link, "first", loads[i].First, first, math.Inf(1))
				check(link, "output", loads[i].Output, 0, output*least(request))
			}
			if f := a.Offloaded; f != nil && f.Likely > f.Bound {
				t.Errorf("%s: %g with layers on the host, at most %g", link, f.Likely, f.Bound)
			}
		}
	}
	for what, most := range map[string]int{"decode": 100, "prefill": 50, "token": 500, "first": 100, "output": 100, "training": 50, "unfit": 50} {
		if seen[what] < most {
			t.Errorf("%d of %s, expected %d", seen[what], what, most)
		}
	}
}

// TestCeiling: which arithmetic bounds, by hand from the data sheets' ratios.
func TestCeiling(t *testing.T) {
	d := &device.Device{}
	d.Peak[device.BF16], d.Peak[device.FP16], d.Peak[device.Half], d.Peak[device.INT8] = 100, 100, 200, 400
	for _, c := range []struct {
		engine, weights string
		want            float64
	}{{"llama.cpp-cuda", "q4_k_m", 400}, {"llama.cpp-cuda", "f16", 200}, {"vllm", "bf16", 100}, {"exllama", "gptq-g128", 200}, {"vllm", "awq-g128", 100}, {"vllm", "w8a8", 400}, {"vllm", "fp8", 100}} {
		if got, _ := predict.Ceiling(d, c.engine, c.weights); got != c.want {
			t.Errorf("%s of %s: %g, want %g", c.engine, c.weights, got, c.want)
		}
	}
	d.Peak[device.INT8] = 0
	if got, _ := predict.Ceiling(d, "llama.cpp-cuda", "q4_k_m"); got != 0 {
		t.Errorf("an unknown rate bounds: %g", got)
	}
}

// ask predicts.
func ask(t testing.TB, link string) predict.Answer {
	t.Helper()
	a, ok := predict.Run(asked.Answer(t, link), engines(t))
	if !ok {
		t.Fatal(link)
	}
	return a
}

const busy = "model=llama-3.1-8b&device=h100-sxm-80gb&output=256&prompt=1024&context=2048"

// TestParts: the parts of a step add up to what decoding is predicted from.
func TestParts(t *testing.T) {
	a := ask(t, "model=llama-3.1-8b&weights=q4_k_m&device=rtx-4090-24gb&context=1024")
	near(t, "parts", 1/float64(a.Step.Sum()*a.Class), a.Decode.Likely)
	if a.Step.Read <= 0 || a.Step.Kernels < 0 || a.Step.Layers <= 0 {
		t.Errorf("%+v", a.Step)
	}
}

// TestCurve: times grow with users, and those without room wait.
func TestCurve(t *testing.T) {
	a := ask(t, busy+"&users=64")
	if len(a.Curve) < 8 || a.Curve[0].Users != 1 || a.Curve[0].Queued || !a.Curve[len(a.Curve)-1].Queued {
		t.Fatalf("%d points", len(a.Curve))
	}
	for i := range a.Curve[1:] {
		x, y := &a.Curve[i], &a.Curve[i+1]
		if y.Users <= x.Users || y.First.Likely < x.First.Likely || y.Token.Likely < x.Token.Likely*(1-1e-9) {
			t.Errorf("%+v, then %+v", x, y)
		}
	}
}

// TestFullQueue: where there is no room for all, every place is taken, though nobody knows how long the others wait: that many answers in the
// time of one, at the likely time of a token and for a prompt's reading.
func TestFullQueue(t *testing.T) {
	a := ask(t, "model=llama-3.1-8b&weights=fp8&kv=fp8&device=h200-sxm-141gb&engine=vllm&users=4096&output=2000&prompt=1000&context=3000&price=3.6")
	l := a.Load
	if l == nil || !l.Queued || l.First != nil || l.Output == nil || a.Cost == nil || a.Energy <= 0 {
		t.Fatalf("%+v", a)
	}
	// The 150.8 GB that the device reports hold 8.03 GB of weights, and 65.5 kB of cache for each of 3,000 tokens of some 725 users, of whom
	// each spends a little of the time on the prompt.
	places := l.Output.Likely * l.Token.Likely
	if places < 690 || places > 726 || l.Output.Low >= l.Output.Likely || l.Output.Likely >= l.Output.High {
		t.Errorf("%+v, %g places", l.Output, places)
	}
	if c := a.Cost; c.Input.Low >= c.Input.Likely || c.Input.Likely >= c.Input.High {
		t.Errorf("%+v", c.Input)
	}
	if few := ask(t, "model=llama-3.1-8b&weights=fp8&kv=fp8&device=h200-sxm-141gb&engine=vllm&users=16&output=2000&prompt=1000&context=3000").Load; few.Queued || few.Output != nil {
		t.Errorf("%+v", few)
	}
}

// TestPromise: the users of the answer keep the promise, and one more would not.
func TestPromise(t *testing.T) {
	p := ask(t, busy+"&ttft-ms=2000&tpot-ms=12.5").Promise
	if p == nil || p.Likely < 1 || p.Sure > p.Likely || p.Likely > p.Room {
		t.Fatalf("%+v", p)
	}
	kept := func(users int64) bool {
		l := ask(t, busy+"&users="+strconv.FormatInt(users, 10)).Load
		return l.First.Likely <= 2 && l.Token.Likely <= 0.0125 && !l.Queued
	}
	if !kept(p.Likely) || kept(p.Likely+1) {
		t.Errorf("%d users keep it: %v; one more: %v", p.Likely, kept(p.Likely), kept(p.Likely+1))
	}
	if p := ask(t, busy+"&tpot-ms=0.001").Promise; p == nil || p.Likely != 0 {
		t.Errorf("a microsecond a token: %+v", p)
	}
}

// TestCost: what the tokens of an hour cost together is the hour's price, and boards draw no more than their watts.
func TestCost(t *testing.T) {
	a := ask(t, busy+"&users=64&price=3.6")
	// 3.6 an hour is 0.001 a second, in which an answer's 1,024 and 256 tokens take 256 / rate.
	each := 256 / a.Load.Output.Likely
	near(t, "an answer", (1024*a.Cost.Input.Likely+256*a.Cost.Output.Likely)/1e6, 0.001*each)
	near(t, "joules", a.Energy, 700/a.Load.Output.Likely)
	// Where the time to first token isn't known, neither is what an answer costs.
	if c := ask(t, "model=deepseek-v3&device=h200-sxm-141gb&tp=8&users=64&output=512&prompt=2048&context=4096&price=24"); c.Load.First == nil && c.Cost != nil {
		t.Errorf("%+v", c.Cost)
	}
	b := ask(t, "model=llama-3.1-8b&weights=q4_k_m&device=rtx-4090-24gb&context=1024&batch=2&price=3.6")
	near(t, "alone", b.Cost.Output.Likely, 0.001*1e6/(2*b.Decode.Likely))
}

// TestFirstTokens: a server's prefill on a device where only first tokens were measured is the first token of a lone user, in tokens a
// second; twice the prompts take nearly twice as long.
func TestFirstTokens(t *testing.T) {
	const link = "model=llama-3.1-70b&weights=fp8&device=h100-sxm-80gb&devices=2&tp=2&context=8193&prompt=8192&output=1&users=1"
	a := ask(t, link)
	if a.Prefill == nil || a.Load == nil || a.Load.First == nil {
		t.Fatalf("%+v", a.Missing)
	}
	if got, want := a.Prefill.Likely, 8192/a.Load.First.Likely; math.Abs(got/want-1) > 0.01 {
		t.Errorf("%g tokens/s, by the first token %g", got, want)
	}
	// vLLM's first tokens there with four users come after 0.738 s (ai-dynamo/aiconfigurator@095f58a, silicon_sample.csv): one user waits for nobody.
	if least := 8192 / 0.738; a.Prefill.High < least {
		t.Errorf("at most %g tokens/s, measured %g with others waiting", a.Prefill.High, least)
	}
	if two := ask(t, link+"&batch=2"); two.Prefill == nil || two.Prefill.Likely < a.Prefill.Likely || two.Prefill.Likely > 1.2*a.Prefill.Likely {
		t.Errorf("%+v of two, %+v of one", two.Prefill, a.Prefill)
	}
	said := false
	for _, b := range a.Basis {
		said = said || b.Part == "prefill" && b.Firsts && b.Level == "device"
	}
	if !said {
		t.Errorf("%+v", a.Basis)
	}
}

// TestProcessors: what graphics cards do says nothing of a processor.
func TestProcessors(t *testing.T) {
	for _, link := range []string{"model=llama-3.1-8b&device=ryzen-9-5950x-128gb&engine=vllm", "model=llama-3.2-1b&device=ryzen-9-5950x-128gb"} {
		if a := ask(t, link); a.Training != nil || strings.Contains(link, "vllm") && a.Decode != nil {
			t.Errorf("%s: %+v, %+v", link, a.Decode, a.Training)
		}
	}
}

// TestMeasured: a reader's rate among public ones, and what would make it as slow.
func TestMeasured(t *testing.T) {
	const link = "model=llama-3.1-8b&weights=q4_k_m&device=rtx-3090-24gb&context=1024&measured="
	m := ask(t, link+"110").Measured
	// 4.59 GB of blocks and 134 MB of cache at 936 GB/s allow about 198 tokens a second.
	if m == nil || m.Share < 0.5 || m.Share > 0.6 || m.Place != predict.Inside || m.Faster < 0 || m.Faster > 1 || m.Among.Rows < 8 {
		t.Fatalf("%+v", m)
	}
	slow := ask(t, link+"30").Measured
	if slow.Place != predict.Below || slow.Host <= 0 || len(slow.Causes) < 2 || slow.Faster > m.Faster {
		t.Errorf("%+v", slow)
	}
	if fast := ask(t, link+"500").Measured; fast.Share < 1 || len(fast.Causes) != 1 || fast.Faster != 1 || fast.Place != predict.Impossible {
		t.Errorf("%+v", fast)
	}
	// Between the band and the bound it is fast, not slow.
	a := ask(t, link+"110")
	if quick := ask(t, link+strconv.FormatFloat((a.Decode.High+1/a.Bounds.Decode.Seconds)/2, 'f', 1, 64)).Measured; quick.Place != predict.Above || len(quick.Causes) == 0 || quick.Host != 0 {
		t.Errorf("%+v", quick)
	}
	// Runs of one sequence say nothing of thirty-two.
	if many := ask(t, "model=llama-3.1-8b&device=h100-sxm-80gb&engine=vllm&context=1024&batch=32&measured=30").Measured; many == nil || many.Faster >= 0 {
		t.Errorf("%+v", many)
	}
}

// TestOffload: bytes on both sides add up, and a step reads each side at its own speed.
func TestOffload(t *testing.T) {
	const link = "model=llama-3.1-70b&weights=q4_k_m&device=rtx-4090-24gb&context=4096"
	half, none := ask(t, link+"&ngl=40").Offloaded, ask(t, link+"&ngl=0").Offloaded
	if half == nil || half.OnDevice != 40 || half.Layers != 80 || half.Fits != "yes" || half.Likely >= half.Bound {
		t.Fatalf("%+v", half)
	}
	near(t, "both sides", half.Device+half.Host, none.Device+none.Host)
	if half.WholeFits != "no" || half.Whole <= half.Room || half.Holds.High > half.Room || half.Holds.Bytes <= int64(half.Device) {
		t.Errorf("whole it does not fit, in part it does: %+v", half)
	}
	if none.Device != 0 || none.Bound >= half.Bound || half.Embedding <= 0 {
		t.Errorf("%+v", none)
	}
	// Half of the layers on the host at 89.6 GB/s: its bound is theirs and the device's, one after the other.
	faster := ask(t, link+"&ngl=40&host-bandwidth=460800000000").Offloaded
	near(t, "host", 1/half.Bound-1/faster.Bound, (1/89.6e9-1/460.8e9)*(half.Host-half.Embedding))
	// What is likely: of the host's bandwidth llama.cpp reaches on a processor what its runs there say, for weights and for the cache.
	h := engines(t).Engine("llama.cpp-cpu").Step
	cache := 2 * 80 * 8 * 128 * 2 * 4096.0 / 2 // two vectors of 8 heads of 128 numbers in 16 bits in each of 80 layers; half of them
	near(t, "likely", 1/half.Likely-1/faster.Likely, (1/89.6e9-1/460.8e9)*((half.Host-half.Embedding-cache)/h.Share+cache/h.Cache))
	// Over PCIe 5, 64 GB/s, a hidden state of 8,192 numbers in 32 bits goes and comes.
	near(t, "link", ask(t, "model=llama-3.1-70b&weights=q4_k_m&device=h100-pcie-80gb&ngl=40&context=4096").Offloaded.Crossing, 2*4*8192/64e9)
	// Gemma 3 12B's 48 layers write tokens; its tower's 27 see images.
	if o := ask(t, "model=gemma-3-12b&weights=q4_k_m&device=rtx-4090-24gb&ngl=44").Offloaded; o == nil || o.Layers != 48 {
		t.Errorf("a tower's layers: %+v", o)
	}
	moe := ask(t, "model=qwen3-30b-a3b&weights=q4_k_m&device=rtx-4060-ti-16gb&context=4096&ncmoe=48").Offloaded
	if moe == nil || moe.Fits != "yes" || moe.Host < 10*moe.Device {
		t.Errorf("experts on the host: %+v", moe)
	}
}

// BenchmarkRun: predicting takes little beside answering.
func BenchmarkRun(b *testing.B) {
	l := engines(b)
	r := asked.Answer(b, "model=deepseek-v3&device=h200-sxm-141gb&tp=8&users=16&output=256&prompt=1024&context=2048")
	for b.Loop() {
		predict.Run(r, l)
	}
	if each := b.Elapsed().Seconds() / float64(b.N); b.N > 10 && each > 1e-3 {
		b.Errorf("%g s, at most 1 ms", each)
	}
}

// BenchmarkReport is a report with its prediction, for every model of the catalogue under load on eight devices: 1 ms is the most.
// Each is timed by the least of several answers, because other work on the machine only adds.
func BenchmarkReport(b *testing.B) {
	l, library := engines(b), families.Library()
	all, err := catalogue.AllModels()
	if err != nil {
		b.Fatal(err)
	}
	devices, err := catalogue.AllDevices()
	if err != nil {
		b.Fatal(err)
	}
	d, _ := devices.Find("h200-sxm-141gb")
	slowest, most, sum, answered := "", time.Duration(0), time.Duration(0), 0
	for b.Loop() {
		slowest, most, sum, answered = "", 0, 0, 0
		for i := range all.Models {
			m := &all.Models[i]
			s, err := m.Subject()
			if err != nil {
				b.Fatal(err)
			}
			s.Device = d.Spec()
			q, _, fail := query.Parse("v=1&model=" + m.Slug + "&device=h200-sxm-141gb&devices=8&tp=8&users=16&output=256&prompt=1024&context=2048")
			if fail != nil {
				b.Fatal(fail)
			}
			least := time.Duration(math.MaxInt64)
			for range 8 {
				begun := time.Now()
				r, fail := report.Answer(q, s, library)
				if fail != nil {
					break // eight devices cannot share it
				}
				predict.Add(r, l)
				least = min(least, time.Since(begun))
			}
			if least == math.MaxInt64 {
				continue
			}
			answered++
			sum += least
			if least > most {
				slowest, most = m.Slug, least
			}
		}
	}
	if answered < len(all.Models)/2 {
		b.Fatalf("%d of %d models are answered", answered, len(all.Models))
	}
	b.ReportMetric(float64(sum.Microseconds())/float64(answered), "µs/model")
	b.ReportMetric(float64(most.Microseconds()), "µs/slowest")
	if most > time.Millisecond {
		b.Errorf("%s takes %v, at most 1 ms", slowest, most)
	}
}

// TestEager: transformers' own modules launch every kernel for themselves, which AutoAWQ's fused layers don't. Speeds are Qwen's, of
// docs/source/benchmark/speed_benchmark.rst, of an A100, and AutoAWQ's README's of 4 bits on an RTX 4090. gpt-fast, compiled, launches a step at once; its speeds are its README's.
func TestEager(t *testing.T) {
	for _, c := range []struct {
		query, engine string
		measured      float64
	}{
		{"model=qwen2.5-14b&weights=bf16&context=1025&device=a100-sxm4-80gb&engine=transformers", "transformers-eager", 24.74},
		{"model=qwen2.5-14b&weights=bf16&context=15360&device=a100-sxm4-80gb&engine=transformers", "transformers-eager", 13.92},
		{"model=qwen2.5-0.5b&weights=bf16&context=31744&device=a100-sxm4-80gb&engine=transformers", "transformers-eager", 47.16},
		{"model=llama-2-13b&weights=awq-g128&context=3072&device=rtx-4090-24gb&engine=transformers", "transformers", 73.8213},
		{"model=llama-2-7b&weights=bf16&context=100&device=a100-sxm4-80gb&engine=gpt-fast", "gpt-fast", 104.9},
		{"model=llama-2-7b&weights=bf16&context=100&device=a100-sxm4-80gb&tp=8&engine=gpt-fast", "gpt-fast", 328.43},
	} {
		a := ask(t, c.query)
		if a.Engine != c.engine || a.Decode == nil {
			t.Fatalf("%s: %s answers %v", c.query, a.Engine, a.Missing)
		}
		if a.Decode.Low > c.measured || a.Decode.High < c.measured {
			t.Errorf("%s: %.1f to %.1f tokens a second, and runs reach %v", c.query, a.Decode.Low, a.Decode.High, c.measured)
		}
	}
}

// TestReplicas: replicas without a sequence read no prompt, so that two sequences are predicted alike on two replicas and on eight,
// and one on eight as on one device. The band was as wide as nothing there: all of it lay at the bound.
func TestReplicas(t *testing.T) {
	lib := engines(t)
	prefill := func(link string) predict.Range {
		x, ok := predict.Run(asked.Answer(t, "model=llama-3.1-8b&device=h100-sxm-80gb"+link), lib)
		if !ok || x.Prefill == nil {
			t.Fatal(link, ok)
		}
		return *x.Prefill
	}
	for few, many := range map[string]string{"": "&devices=8&dp=8", "&batch=2&devices=2&dp=2": "&batch=2&devices=8&dp=8"} {
		a, b := prefill(few), prefill(many)
		if a != b || !(a.Low < a.Likely && a.Likely < a.High) {
			t.Errorf("%s: %v, %s: %v", few, a, many, b)
		}
	}
}

package report_test

import (
	"math"
	"strings"
	"testing"

	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/train"
	"llmsize/core/units"
)

// TestTrainable is the number of parameters that get a gradient: all, or the
// adapters: 2·r·4096 beside each of two square matrices in 32 layers.
func TestTrainable(t *testing.T) {
	for link, want := range map[string]string{
		"":                                "8030261248",
		"lora-rank=0&lora-targets=q,v":    "8030261248",
		"lora-rank=8&lora-targets=q,o":    "4194304",
		"lora-rank=16&lora-targets=q,o":   "8388608",
		"lora-rank=8&lora-targets=q,o,x1": "4194304",
	} {
		r := answer(t, link, llama8b)
		if v, ok := r.Field("training.trainable"); !ok || v.Text != want {
			t.Errorf("%s: %s, want %s", link, v.Text, want)
		}
		warned := false
		for _, w := range r.Warnings {
			warned = warned || w.Field == "lora-targets" && strings.Contains(w.Text, "x1")
		}
		if warned != strings.Contains(link, "x1") {
			t.Errorf("%s: warnings %v", link, r.Warnings)
		}
	}
}

// TestWideAdapters: 2·r·4,096 are more than 4,096² from rank 2,049 on.
func TestWideAdapters(t *testing.T) {
	for link, want := range map[string]bool{"lora-rank=64": false, "lora-rank=2048&lora-targets=q,o": false, "lora-rank=2049&lora-targets=q,o": true, "lora-rank=100000000": true} {
		warned := false
		for _, w := range answer(t, link, llama8b).Warnings {
			warned = warned || w.Field == "lora-rank"
		}
		if warned != want {
			t.Errorf("%s: warned %v", link, warned)
		}
	}
}

// TestTrainingMemory is the default recipe, 16 bytes a parameter, and the parts
// that add up to the whole.
func TestTrainingMemory(t *testing.T) {
	for _, c := range []struct{ link, path, want string }{
		{"", "memory.training.weights", "16060522496"},
		{"", "memory.training.gradients", "16060522496"},
		{"", "memory.training.optimizer", "96363134976"},                                    // 12 × 8,030,261,248
		{"optimizer=adam&precision=deepspeed", "memory.training.optimizer", "128484179968"}, // 16 ×
		{"tp=8&devices=16&zero=1", "memory.training.layout.dp", "2"},
		{"tp=8", "memory.training.layout.devices", "8"},
		{"devices=64&tp=4&cp=2&zero=1", "memory.training.layout.dp", "8"},
		{"devices=64&tp=4&cp=2&zero=1", "memory.training.optimizer", "1505823744"}, // 12 × (8,029,995,008/4 + 65 norms of 4,096) / 16
		{"offload=optimizer", "memory.training.host", "112423657472"},              // 14 × 8,030,261,248
		{"offload=all&zero=3", "memory.training.gathered", "1050673152"},           // 2 × 128,256 × 4,096
		{"pp=4&global-batch=2", "memory.training.layout.micro_batches", "2"},
		{"pp=4&dp=1024", "memory.training.layout.micro_batches", "4"},                            // nobody named a batch
		{"pp=4&global-batch=16&dp=4&micro-batch=2", "memory.training.layout.micro_batches", "2"}, // of four sequences
		{"pp=4&vp=2", "memory.training.layout.micro_batches", "7"},                               // of the first piece, 4 of the second: 11 · 4 layers = 32 · (1 + 3/8)
		{"lora-rank=8&lora-targets=q,o&weights=int8", "memory.training.weights", "8038649856"},   // 1 byte of the base, 2 of 4,194,304
	} {
		r := answer(t, c.link, llama8b)
		if v, ok := r.Field(c.path); !ok || v.Text != c.want {
			t.Errorf("%s: %s is %s, want %s", c.link, c.path, v.Text, c.want)
		}
		sum := int64(0)
		for _, n := range r.Training.Memory.Parts {
			sum += n
		}
		if sum != r.Training.Memory.Bytes {
			t.Errorf("%s: parts add up to %d of %d", c.link, sum, r.Training.Memory.Bytes)
		}
	}
	for p, names := range map[query.Param][]string{query.Optimizer: nil, query.Precision: nil} {
		for _, o := range train.Optimizers {
			if p == query.Optimizer {
				names = append(names, o.Name)
			}
		}
		for _, o := range train.Precisions {
			if p == query.Precision {
				names = append(names, o.Name)
			}
		}
		if got := query.About(p).Allowed; strings.Join(got, " ") != strings.Join(names, " ") {
			t.Errorf("%s: a query may name %v, there are %v", query.About(p).Name, got, names)
		}
	}
}

// TestBeyond: what PyTorch takes beside a run is there under ZeRO stage 3, and in no sum.
func TestBeyond(t *testing.T) {
	r := answer(t, "dp=8&zero=3", llama8b)
	v, ok := r.Field("memory.training.beyond")
	if !ok || len(v.Items) != 4 || v.Items[1].Get("bytes").Text != "436224000" || v.Items[1].Get("values").Text != "w = 2, L = 218,112,000" {
		t.Errorf("%s", v.JSON())
	}
	for _, link := range []string{"", "dp=8&zero=1", "tp=3&zero=3"} {
		if v, ok := answer(t, link, llama8b).Field("memory.training.beyond"); ok {
			t.Errorf("%s: %s", link, v.JSON())
		}
	}
}

// TestRanks: without dp there are as many parts of the batch as devices leave, or, without these, as
// experts need beside the pieces of a sequence.
func TestRanks(t *testing.T) {
	for link, want := range map[string]string{"ep=8": "8", "ep=8&cp=2": "4", "ep=8&cp=8": "1", "ep=4&tp=2&devices=16": "8", "ep=8&dp=16": "16", "cp=2&devices=8": "4"} {
		r := answer(t, link, mixtral)
		if v, ok := r.Field("memory.training.layout.dp"); !ok || v.Text != want {
			t.Errorf("%s: dp %s, want %s (%v)", link, v.Text, want, r.Training.Fault)
		}
		// The run's time is that of the same devices.
		x := on(t, "model=mixtral-8x7b&"+link)
		if l := &x.Training.Question.Layout; x.Compute.Train.Time.Devices != l.Devices() {
			t.Errorf("%s: the run takes %d devices, its time is that of %d", link, l.Devices(), x.Compute.Train.Time.Devices)
		}
	}
}

// TestTaken: Muon takes the seven matrices of a layer, and AdamW the embedding, the
// head and the norms; 8-bit AdamW takes all that have 4,096 elements, norms too.
func TestTaken(t *testing.T) {
	for optimizer, want := range map[string][2]int{"muon": {7, 5}, "adafactor": {9, 3}, "adamw-8bit": {12, 0}, "shampoo": {9, 3}, "adamw": {0, 0}} {
		r := answer(t, "optimizer="+optimizer, llama8b)
		var got [2]int
		list, _ := r.Field("training.optimizer_tensors")
		elements := int64(0)
		for _, x := range list.Items {
			i := 1
			if x.Get("own").Text == "true" {
				i = 0
			}
			got[i]++
			n, _ := x.Get("elements").Int()
			k, _ := x.Get("tensors").Int()
			elements += n * k
		}
		if got != want || len(list.Items) > 0 && elements != 8_030_261_248 {
			t.Errorf("%s: %v of %d elements, want %v", optimizer, got, elements, want)
		}
	}
}

// TestTrainingRefused names what a run cannot be, and answers everything else
// all the same: parameters, the cache, the footprint as if one device held it.
func TestTrainingRefused(t *testing.T) {
	for link, field := range map[string]string{
		"tp=3": "tp", "pp=33": "pp", "ep=2": "ep", "devices=6&tp=4": "devices", "devices=16&tp=4&dp=2": "devices",
		"cp=3": "cp", "vp=2": "vp", "pp=8&vp=8": "vp", "offload=all": "offload", "cp=1125899906842624": "cp", "dp=1125899906842624&tp=1125899906842624": "tp",
		"lora-rank=8&lora-targets=c_attn": "lora-targets", "seq=1125899906842624": "seq",
	} {
		r := answer(t, link, llama8b)
		fail := r.Training.Fault
		if fail == nil || fail.Field != field || fail.Given == "" || fail.Allowed == "" {
			t.Errorf("%s: %v", link, fail)
			continue
		}
		if v, ok := r.Field("training.problem.field"); !ok || v.Text != field {
			t.Errorf("%s: the report names %q", link, v.Text)
		}
		if _, ok := r.Field("memory.training.bytes"); ok {
			t.Errorf("%s: there are bytes of a run that cannot be", link)
		}
		if v, ok := r.Field("parameters.total"); !ok || v.Text != "8030261248" || r.Running.Total.Bytes <= 0 || !r.Exact() {
			t.Errorf("%s: the rest is not answered: %s", link, v.Text)
		}
		named := 0
		for _, w := range r.Warnings {
			if w.Field == field && strings.Contains(w.Text, fail.Problem) {
				named++
			}
		}
		if named != 1 {
			t.Errorf("%s: named %d times in %v", link, named, r.Warnings)
		}
	}
}

// TestTrainingFits: what fits the device is there when there is a device, and is
// the boundary of the query itself.
func TestTrainingFits(t *testing.T) {
	r := on(t, "model=llama-3.1-8b&tp=4&zero=1&devices=8")
	v, ok := r.Field("training.inverse.micro_batch.most")
	if !ok {
		t.Fatal("no largest micro-batch")
	}
	n, _ := v.Int()
	for k, fits := range map[int64]bool{n: true, n + 1: false} {
		x := on(t, "model=llama-3.1-8b&tp=4&zero=1&devices=8&micro-batch="+units.Itoa(k))
		if got := x.Training.Memory.Bytes <= x.Subject.Device.Memory; got != fits || x.Inverse().Fits != fits {
			t.Errorf("a micro-batch of %d fits %v, want %v", k, got, fits)
		}
	}
	if _, ok := answer(t, "", llama8b).Field("training.inverse.fits"); ok {
		t.Error("something fits no device")
	}
	if r = on(t, "model=llama-3.1-8b"); r.Inverse().Micro.N != 0 || r.Inverse().Micro.Binds != "optimizer" {
		t.Errorf("16 bytes a parameter fit one device: %+v", r.Inverse())
	}
}

// TestLayouts: a report lists layouts when it is told to look, for the fewest devices
// when the query's do not hold the run, and also where the query's own layout cannot be.
func TestLayouts(t *testing.T) {
	r := on(t, "model=llama-3.1-8b&devices=8")
	if _, ok := r.Field("training.ranking.fit"); ok {
		t.Error("layouts that nobody asked for")
	}
	for _, c := range []struct {
		link    string
		devices int64
	}{{"devices=8", 8}, {"", 2}, {"devices=8&tp=3", 8}, {"device=hgx-h100-8", 8}, {"device=hgx-h100-8&devices=128&global-batch=64", 1024}, {"tp=8&pp=2", 16}} {
		r := on(t, "model=llama-3.1-8b&"+c.link)
		r.Rank()
		x := r.Training.Ranking
		if x == nil || len(x.List) == 0 || r.Training.Ranked != c.devices || len(x.List) > report.Listed {
			t.Errorf("%s: %+v for %d devices", c.link, x, r.Training.Ranked)
			continue
		}
		for _, l := range x.List {
			if l.Layout.Devices() != c.devices || l.Bytes > r.Subject.Device.Memory {
				t.Errorf("%s: %+v", c.link, l)
			}
		}
		if v, ok := r.Field("training.inverse.devices.devices"); r.Inverse() != nil && (!ok || v.Text != "2") {
			t.Errorf("%s: the fewest devices are %s", c.link, v.Text)
		}
		if v, ok := r.Field("training.ranking.devices"); !ok || v.Text != units.Itoa(c.devices) || !strings.Contains(r.JSON(), `"layouts": [`) {
			t.Errorf("%s: the report has %s", c.link, v.Text)
		}
	}
	r = answer(t, "devices=8", llama8b)
	if r.Rank(); r.Training.Ranking != nil {
		t.Error("layouts on no device")
	}
	for _, link := range []string{"cp=3", "lora-rank=8&lora-targets=nothing"} {
		r := on(t, "model=llama-3.1-8b&"+link)
		if r.Rank(); r.Training.Ranking != nil {
			t.Errorf("%s: layouts of a run that cannot be", link)
		}
	}
	// An all-reduce of 2 bytes for each of 8,030,261,248 gradients between 8 ranks.
	if v, ok := on(t, "model=llama-3.1-8b&devices=8").Field("training.sent"); !ok || !strings.Contains(v.JSON(), `"bytes":28105914368`) {
		t.Errorf("a step sends %s", v.JSON())
	}
}

// TestScaling: 20 tokens for each parameter is the rule's own plan.
func TestScaling(t *testing.T) {
	r := answer(t, "", llama8b)
	for path, want := range map[string]string{
		"compute.scaling.tokens_per_parameter": "20.000",
		"compute.scaling.rule_parameters":      "8030261248",
		"compute.scaling.rule_tokens":          "160605224960",
	} {
		if v, ok := r.Field(path); !ok || v.Text != want {
			t.Errorf("%s is %s, want %s", path, v.Text, want)
		}
	}
	if r := answer(t, "tokens=15T", llama8b); r.Compute.Scaling.PerParam < 1800 || r.Compute.Scaling.PerParam > 1900 {
		t.Errorf("Llama 3's 15 T tokens are %.0f a parameter", r.Compute.Scaling.PerParam)
	}
	for _, e := range r.Compute.Scaling.Estimates {
		if e.Loss < e.BestLoss || e.BestLoss < 1.9 || e.Loss > 2.5 {
			t.Errorf("%s: loss %.3f, at best %.3f", e.Law.Name, e.Loss, e.BestLoss)
		}
	}
}

// TestActivationFunctions writes out what a function keeps of a width f, beside what the gate keeps:
// the way up and the product.
func TestActivationFunctions(t *testing.T) {
	const seq, h, f = 4096, 4096, 14336
	for name, n := range map[string]float64{
		"silu":       2, // x and silu(x)
		"relu":       1, // its result
		"relu2":      2, // r = relu(x), and r²
		"gelu":       2,
		"quick_gelu": 3, // x·σ(1.702x): both factors, and the product
		"gelu_new":   5, // ½x·(1 + tanh(c·(x + 0.044715·x³))): x, ½x, tanh, 1 + tanh, the product
		"gelu_fast":  8, // ½x·(1 + tanh(cx·(1 + 0.044715x·x))): x, 0.044715x, cx, 1 + …, ½x, tanh, 1 + tanh, the product
	} {
		r := answer(t, "", strings.Replace(llama8b, "{", `{"hidden_act":"`+name+`",`, 1))
		if got, want := saved(t, r, "feed-forward"), float64(seq*2)*(h+f*(n+2)); got != want {
			t.Errorf("%s: %.0f bytes a layer, want %.0f", name, got, want)
		}
	}
}

// TestNode: slices over sixteen devices stand on two boards of eight, and inside a system of 72.
func TestNode(t *testing.T) {
	for device, wide := range map[string]bool{"h100-sxm-80gb": true, "gb200-nvl72": false} {
		list, _ := on(t, "model=llama-3.1-8b&device="+device+"&tp=16&dp=9&devices="+map[string]string{"h100-sxm-80gb": "144", "gb200-nvl72": "2"}[device]).Sent()
		found := false
		for _, x := range list {
			if x.By == "tp" {
				found = true
				if x.Wide != wide {
					t.Errorf("%s: sixteen slices on several nodes: %v", device, x.Wide)
				}
			}
		}
		if !found {
			t.Errorf("%s: slices send nothing", device)
		}
	}
}

// TestMeasuredRate: what a rate comes to counts model FLOPs, whatever is computed again; with all layers
// run again the hardware does a third more.
func TestMeasuredRate(t *testing.T) {
	plain := on(t, "model=llama-3.1-8b&tokens-per-second=5000").Compute.Train.Time
	again := on(t, "model=llama-3.1-8b&tokens-per-second=5000&recompute=full").Compute.Train.Time
	if plain.Share != again.Share || math.Abs(again.Hardware/again.Share-4.0/3) > 1e-9 || plain.Hardware != plain.Share {
		t.Errorf("%+v and, recomputed, %+v", plain, again)
	}
}

// TestKernels: with fused kernels a layer of GPT-3 keeps Korthikanti's 34·s·b·h, and 5·a·s²·b of scores, however
// its config writes GELU out; modules of transformers keep more.
func TestKernels(t *testing.T) {
	const s, h, a = 2048, 12288, 96
	named := strings.Replace(gpt3, "{", `{"activation_function":"gelu_new",`, 1)
	for config, link := range map[string]string{gpt3: "kernels=fused&flash=off&seq=2048", named: "kernels=fused&flash=off&seq=2048&micro-batch=1"} {
		got := 0.0
		for _, x := range answer(t, link, config).Training.Memory.Saved {
			if x.Layers == 96 && !x.Again {
				got += x.Layer
			}
		}
		if want := float64(34*s*h + 5*a*s*s); got != want {
			t.Errorf("%s: a layer keeps %.0f bytes, want %.0f", link, got, want)
		}
	}
	if fused, plain := parts(answer(t, "kernels=fused", llama8b), train.Activations), parts(answer(t, "", llama8b), train.Activations); fused >= plain {
		t.Errorf("fused kernels keep %.0f bytes, modules %.0f", fused, plain)
	}
}

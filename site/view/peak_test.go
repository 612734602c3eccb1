package view

import (
	"strings"
	"testing"
)

// TestPeak: training leads with its peak. AdamW's step over lists of tensors: 2 + 2 + 12 bytes a parameter and 4 for a
// moment, 160.6 GB; the band, what is live, why the sum differs, and a program's keys with their source.
func TestPeak(t *testing.T) {
	for link, want := range map[string][]string{
		"v=1": {"Peak of a step in the optimizer's step 161 GB", "optimizer states 96363134976", "temporaries 32121044992", "In all 160605257728",
			"The sum of all that a step ever holds is 161 GB, and no moment holds all of it", "0 B are there at the peak", "An estimate", "NCCL", "1,343 MiB of context"},
		"v=1&program=torchtune":                  {"Program torchtune", "loss=chunked", "pytorch/torchtune, recipes"},
		"v=1&program=torchtune&lora-rank=8":      {"lora-dtype=bf16"},
		"v=1&pp=4":                               {"The ranks of the pipeline", "0 4 in the backward pass"},
		"v=1&method=grpo&precision=bf16":         {"reference", "rollout"},
		"v=1&recompute=selective&flash=off&pp=1": {"The peak of a step is not known: recompute"},
	} {
		if html := Peak(onCard(t, link, llama31)); strings.Contains(html, `<th scope="col">Bytes</th>`) {
			t.Errorf("%s: a column of bytes has its head on the other side", link)
		}
		text := digits(strings.NewReplacer("</td>", " </td>", "</th>", " </th>", "</b>", " </b>").Replace(Peak(onCard(t, link, llama31))))
		for _, s := range want {
			if link == "v=1" && s == "NCCL" {
				if strings.Contains(text, s) {
					t.Errorf("%s: one device has %s", link, s)
				}
				continue
			}
			if !strings.Contains(text, s) {
				t.Errorf("%s: no %q in\n%s", link, s, text)
			}
		}
	}
}

// TestUnsure: a peak of a class that nobody compared says that it is an estimate, where it stands and under its picture; one
// of Llama does not.
func TestUnsure(t *testing.T) {
	for config, want := range map[string]bool{llama31: false, `{"model_type":"baichuan","hidden_size":512,"num_hidden_layers":2,"num_attention_heads":4,"intermediate_size":1024,"vocab_size":1000}`: true} {
		r := onCard(t, "v=1", config)
		g, p := stepChart(r), prefillChart(r)
		if g == nil || p == nil {
			t.Fatal("no picture")
		}
		for what, has := range map[string]bool{
			"sentence": strings.Contains(peakLine(r), `class="status estimate"`), "figure": strings.Contains(Peak(r), ", an estimate</span>"),
			"picture of a step": strings.Contains(g.note, "not compared"), "picture of a prefill": strings.Contains(p.note, "not compared"),
		} {
			if has != want {
				t.Errorf("%s: the %s says that it is an estimate: %v, want %v", r.Model.Type, what, has, want)
			}
		}
	}
}

// TestUnsureSum: where the parts of a sum are counted otherwise than its class keeps them, the sum is an estimate with its reason, at
// its figure and beside the peak, which isn't part of it then; Llama's is not.
func TestUnsureSum(t *testing.T) {
	const scout = `{"model_type":"llama4_text","architectures":["Llama4ForCausalLM"]}`
	for config, want := range map[string]bool{llama31: false, scout: true} {
		r := onCard(t, "v=1", config)
		sum, peak := trainingLens(r), Peak(r)
		for what, has := range map[string]bool{
			"figure": strings.Contains(sum, ", an estimate</span>"), "reason at the figure": strings.Contains(sum, "the class runs every expert on every token"),
			"reason beside the peak": strings.Contains(peak, "That sum is an estimate: experts are counted"), "sum that is less than the peak": strings.Contains(peak, "The sum of its parts is"),
		} {
			if has != want {
				t.Errorf("%s: there is a %s: %v, want %v", r.Model.Type, what, has, want)
			}
		}
	}
}

// TestPeakDecides: whether a run fits is decided by its peak with the likely share of the runtime, whatever the sum of its parts says: a step
// of Qwen3-Next on 64 devices peaks at half as much again as its sum, one of Llama with AdamW over lists below its own. Where no step is followed
// the sum decides, and is stamped. What is offered then is one click away.
func TestPeakDecides(t *testing.T) {
	const next = `{"model_type":"qwen3_next","architectures":["Qwen3NextForCausalLM"]}`
	for _, c := range []struct {
		config, link string
		sum, fits    bool // whether the sum is within the device's memory, and the verdict
		says, not    string
	}{
		{next, "v=1&zero=3&devices=64", true, false, `data-apply="recompute=full"`, "by the sum"},
		{llama31, "v=1&zero=3&devices=8", true, true, "A step peaks at", "Apply"},
		{llama31, "v=1&recompute=selective&flash=off&devices=8&zero=3", true, true, `by the sum of its parts. <span class="status estimate">`, "A step peaks at"},
		{llama31, "v=1&zero=3&devices=8&recompute=full&flash=off&seq=512", true, true, "A step peaks at", "by the sum"},
	} {
		r := onCard(t, c.link, c.config)
		if sum := r.Training.Memory.Bytes <= r.Subject.Device.Memory; sum != c.sum {
			t.Errorf("%s: %d in all", c.link, r.Training.Memory.Bytes)
		}
		html := Peak(r)
		if fits := strings.Contains(html, `<b class="yes">Fits</b>`); fits != c.fits || fits == strings.Contains(html, `<b class="no">Needs `) || !strings.Contains(html, c.says) || strings.Contains(html, c.not) {
			t.Errorf("%s: %v\n%s", c.link, fits, html)
		}
		if sum := trainingLens(r); strings.Contains(sum, "Fits") || strings.Contains(sum, `class="yes"`) {
			t.Errorf("%s: the sum of the parts says what fits:\n%s", c.link, sum)
		}
		for _, once := range []string{peakLine(r), outset(r)} {
			if strings.Contains(once, "data-apply") {
				t.Errorf("%s: the page is built with changes that a worker looks for", c.link)
			}
		}
	}
}

// TestFollows: under the step's picture stand what makes it fit, what fits and what programs set, each a link; a chapter's
// picture has none of these.
func TestFollows(t *testing.T) {
	r := onCard(t, "v=1&devices=8", llama31)
	g := stepChart(r)
	if g == nil {
		t.Fatal("no picture")
	}
	html := g.html([]int64{600})
	text := digits(strings.NewReplacer("</td>", " </td>", "</th>", " </th>").Replace(html))
	for _, want := range []string{"What would make it fit A card, the least cost first", "zero=1 fits",
		"What training programs set", "pytorch/torchtitan", "unslothai/unsloth", "A key that the question sets itself stays as it is"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if n := strings.Count(html, `data-apply="`); n < 5 || !strings.Contains(html, `data-apply="zero=1"`) {
		t.Errorf("%d changes are taken over by one click", n)
	}
	if n := strings.Count(html, `href="/?v=1`); n < 15 {
		t.Errorf("%d links", n)
	}
	plain, ok := Chart("step", r, 600)
	if !ok || strings.Contains(plain, "href=") || !strings.Contains(plain, `class="moment"`) || !strings.Contains(plain, "<tbody>") {
		t.Errorf("a chapter's picture has links, or no moments:\n%s", plain)
	}
}

// TestPrefill: the prompt's cache grows layer by layer, 8 heads × 128 × 2 × 2 bytes a token.
func TestPrefill(t *testing.T) {
	html, ok := Chart("prefill", onCard(t, "v=1&context=8192", llama31), 600)
	text := digits(strings.NewReplacer("</td>", " </td>", "</th>", " </th>").Replace(html))
	for _, want := range []string{"prefill, layer 0", "prefill, layer 31", "decode", "KV cache", "1.07 GB"} { // 8,192 · 131,072
		if !ok || !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if s := regionOf("prefill", "v=1&kv-policy=paged", t); !strings.Contains(s, "kv-policy") {
		t.Errorf("it is not said why there is no picture: %s", s)
	}
}

// regionOf is a far region's HTML.
func regionOf(id, link string, t *testing.T) string {
	for _, x := range OnUse() {
		if x.ID == id {
			return x.HTML(onCard(t, link, llama31))
		}
	}
	return ""
}

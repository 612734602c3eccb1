package report_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
)

func answer(t *testing.T, link, text string) *report.Report {
	t.Helper()
	return answerBy(t, link, text, families.Library())
}

// answerBy is answer by other families.
func answerBy(t *testing.T, link, text string, lib *family.Library) *report.Report {
	t.Helper()
	q, issues, err := query.Parse(link)
	if err != nil || len(issues) > 0 {
		t.Fatal(err, issues)
	}
	cfg, err := config.ParseObject(text)
	if err != nil {
		t.Fatal(err)
	}
	r, err := report.Answer(q, report.Subject{Config: cfg}, lib)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const llama8b = `{"model_type":"llama","architectures":["LlamaForCausalLM"],"vocab_size":128256,"hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8}`

// TestCompute works Llama-3.1-8B out by hand: every parameter but the embedding
// and the norms is multiplied by, and each of 32 layers scores with 32 heads of
// 128, twice.
func TestCompute(t *testing.T) {
	const weights = 8_030_261_248 - 128_256*4096 - (2*32+1)*4096
	const scores = 32 * 4 * 32 * 128 // FLOPs of one pair in all layers
	for _, c := range []struct {
		link            string
		prefill, decode float64
	}{
		{"context=1000", 2*weights*1000 + scores*1000*1001/2, 2*weights + scores*1000},
		{"context=1000&attention=full", 2*weights*1000 + scores*1000*1000, 2*weights + scores*1000},
		{"context=1000&prompt=10&batch=3", 3 * (2*weights*10 + scores*10*11/2), 3 * (2*weights + scores*1000)},
	} {
		r := answer(t, c.link, llama8b)
		if float64(r.Compute.Prefill.FLOPs) != c.prefill || float64(r.Compute.Decode.FLOPs) != c.decode {
			t.Errorf("%s: prefill %s, decode %s; want %.0f, %.0f", c.link, r.Compute.Prefill.FLOPs.Digits(), r.Compute.Decode.FLOPs.Digits(), c.prefill, c.decode)
		}
	}
	const forward = 2*weights*100 + scores*100*101/2
	for link, want := range map[string][2]float64{
		"seq=100&tokens=1000":                     {3 * forward * 10, 3 * forward * 10},
		"seq=100&tokens=1000&recompute=full":      {3 * forward * 10, 4 * forward * 10},
		"seq=100&tokens=1000&recompute=selective": {3 * forward * 10, (3*forward + scores*100*101/2) * 10},
		// k, o and up: the second, fourth and sixth of seven products
		"seq=100&tokens=1000&recompute=ops":           {3 * forward * 10, (3*forward + 100*32*2*4096*(1024+4096+14336)) * 10},
		"seq=100&tokens=1000&recompute=ops&flash=off": {3 * forward * 10, (3*forward + 100*32*2*4096*(1024+4096+14336) + scores*100*101/2) * 10},
	} {
		r := answer(t, link, llama8b)
		if float64(r.Compute.Train.FLOPs) != want[0] || float64(r.Compute.Train.Hardware) != want[1] {
			t.Errorf("%s: %s and %s, want %.0f and %.0f", link, r.Compute.Train.FLOPs.Digits(), r.Compute.Train.Hardware.Digits(), want[0], want[1])
		}
	}
	if n := answer(t, "", llama8b).Compute.Train.Tokens; n != 20*8_030_261_248 {
		t.Errorf("20x is %d tokens", n)
	}
	bert := answer(t, "", `{"model_type":"bert","architectures":["BertForMaskedLM"]}`)
	if bert.Compute.Decode.FLOPs != 0 {
		t.Error("an encoder decodes")
	}
	if _, ok := bert.Field("compute.decode.flops"); ok {
		t.Error("an encoder's decode is in the report")
	}
}

// BenchmarkAnswer is the whole report of a dense model; at most 1 ms is wanted.
func BenchmarkAnswer(b *testing.B) {
	lib := families.Library()
	cfg, _ := config.ParseObject(llama8b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := report.Answer(query.Query{}, report.Subject{Config: cfg}, lib); err != nil {
			b.Fatal(err)
		}
	}
}

// TestNoTokens: a model that reads images alone has parameters and weights, no cache, and no
// figure for tokens that it never reads; one that reads text too keeps those of its text.
func TestNoTokens(t *testing.T) {
	for _, kind := range []string{"resnet", "dinov2", "detr", "swin"} {
		r := answer(t, "v=1", `{"model_type":"`+kind+`"}`)
		if r.Parameters.Total == 0 || r.Weights.Bytes == 0 {
			t.Errorf("%s: %v parameters, %v bytes", kind, r.Parameters.Total, r.Weights.Bytes)
		}
		if r.Compute.Prefill.FLOPs != 0 || len(r.Compute.Conventions) > 0 || len(r.Compute.Scaling.Estimates) > 0 {
			t.Errorf("%s: work for each token: %v", kind, r.Compute)
		}
		if r.Training.Fault == nil || r.Running.Fault == nil {
			t.Errorf("%s: training and running are answered: %v", kind, r.Warnings)
		}
		if len(r.Cache.Terms) != 0 {
			t.Errorf("%s has a cache of %v", kind, r.Cache.Terms)
		}
	}
	if r := answer(t, "v=1", `{"model_type":"clip"}`); r.Compute.Prefill.FLOPs == 0 || r.Training.Fault != nil {
		t.Errorf("CLIP's text is not counted: %v", r.Training.Fault)
	}
}

// TestTokensWithoutFLOPs: where a family says how many tokens a picture takes in a prompt and not how many pass through its tower, the answer has the
// tokens, no FLOPs, and the part of which nothing is said. Where neither is said, the answer has no picture.
func TestTokensWithoutFLOPs(t *testing.T) {
	t.Parallel()
	lib := families.Library().Copy()
	lib.Add("seer", `type seer
title Seer
class Seer causal
block model
  value image_height = 768
  value image_width = 768
  value image_tokens = 256
  stream image
    vision "patch embeddings"
      conv patches 3 -> 64 kernel 16, 16
  embedding
    embed words 99, 64
  layers i 1 at layers.{i}
    ffn width=96
      linear up 64 -> 96
      linear down 96 -> 64
`)
	asked := func(link, text string) *report.Report { return answerBy(t, link, text, lib) }
	r := asked("v=1&image=640x480", `{"model_type":"seer"}`)
	u := r.Compute.Image
	if u == nil || u.Unit.Given != 256 || u.Unknown == "" || u.FLOPs != 0 {
		t.Fatalf("%+v, want 256 tokens, no FLOPs, and why", u)
	}
	warned := ""
	for _, w := range r.Warnings {
		if w.Field == "image" {
			warned = w.Text
		}
	}
	if !strings.HasPrefix(warned, "gives tokens and no FLOPs: ") || !strings.HasSuffix(warned, u.Unknown) {
		t.Errorf("the warning is %q", warned)
	}
	if u := asked("v=1", `{"model_type":"seer"}`).Compute.Image; u == nil || u.Unit.Given != 256 {
		t.Errorf("not asked for: %+v", u)
	}
	if u := asked("v=1&image=640x480", `{"model_type":"llama"}`).Compute.Image; u != nil {
		t.Errorf("Llama sees %+v", u)
	}
}

// TestUnits works a sound, a clip and a window out by hand.
func TestUnits(t *testing.T) {
	t.Parallel()
	// A HiFi-GAN of one step and one block: a second of 16,000 samples is ⌈16000/4⌉ = 4,000 frames of four. The first convolution gives out 4,000 places,
	// the transposed one multiplies for each that it reads, the other three run at 16,000.
	r := answer(t, "v=1&seconds=1", `{"model_type":"speecht5_hifigan","model_in_dim":80,"upsample_initial_channel":32,"upsample_rates":[4],"upsample_kernel_sizes":[8],"resblock_kernel_sizes":[3],"resblock_dilation_sizes":[[1]]}`)
	const sound = 2 * (4_000*(80*32*7+32*16*8) + 16_000*(2*16*16*3+16*1*7))
	if u := r.Compute.Audio; u == nil || u.FLOPs != sound || u.Millis != 1000 {
		t.Errorf("a sound: %+v, want %d", u, sound)
	}
	// VideoMAE with one layer: 4 frames of 32 by 32 in boxes of 2 by 16 by 16 are 2 · 2 · 2 = 8 tokens of 64 numbers.
	r = answer(t, "v=1", `{"model_type":"videomae","architectures":["VideoMAEModel"],"num_frames":4,"image_size":32,"patch_size":16,"hidden_size":64,"num_attention_heads":4,"num_hidden_layers":1,"intermediate_size":128}`)
	const clip = 2 * 8 * (3*2*16*16*64 + 4*64*64 + 2*64*128 + 2*8*64)
	if u := r.Compute.Image; u == nil || u.FLOPs != clip || u.Clip != 4 || !strings.Contains(r.JSON(), `"clip": 4`) {
		t.Errorf("a clip: %+v, want %d", u, clip)
	}
	// PatchTST with one layer: 32 values of each of 2 channels in patches of 4 are 8 tokens a channel, which look at the 8 of theirs.
	r = answer(t, "v=1", `{"model_type":"patchtst","architectures":["PatchTSTModel"],"num_input_channels":2,"context_length":32,"patch_length":4,"patch_stride":4,"d_model":16,"num_attention_heads":2,"ffn_dim":48,"num_hidden_layers":1}`)
	const window = 2 * 2 * 8 * (4*16 + 4*16*16 + 2*16*48 + 2*8*16)
	if u := r.Compute.Series; u == nil || u.FLOPs != window || u.Length != 32 || u.Channels != 2 || !strings.Contains(r.JSON(), `"channels": 2`) {
		t.Errorf("a window: %+v, want %d", u, window)
	}
	// A transducer of one recurrent layer: a word takes four gates of 16 by 16 of what is read and of what is kept, a projection, and the joint network over
	// 99 words and 3 lengths; a frame in which nothing is said takes the joint network alone, and so its sound has it once for each.
	const transducer = `{"model_type":"parakeet_tdt","architectures":["ParakeetForTDT"],"vocab_size":99,"durations":[0,1,2],"decoder_hidden_size":16,"num_decoder_layers":1}`
	r = answer(t, "v=1&seconds=1", transducer)
	const word, frames = 2 * (2*4*16*16 + 16*16 + 16*(99+3)), 13 // 101 spectra, halved three times
	silent := units.FLOPs(0)
	for _, x := range r.Compute.Audio.Terms {
		if x.Role == model.Head {
			silent += units.FLOPs(x.FLOPs())
		}
	}
	if r.Compute.Decode.FLOPs != word || silent != 2*frames*16*(99+3) || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0].Text, "counted is the most") {
		t.Errorf("a word takes %v, want %d; frames without one %v; warnings %v", r.Compute.Decode.FLOPs, word, silent, r.Warnings)
	}
}

// TestUncounted: what is not counted says why. Of a video to draw a pass reads the boxes that are not hidden, whose number no key holds;
// a model around a codec makes sound and hears none.
func TestUncounted(t *testing.T) {
	t.Parallel()
	r := answer(t, "v=1", `{"model_type":"videomae","architectures":["VideoMAEForPreTraining"]}`)
	if r.Compute.Image != nil || r.Running.Fault == nil || !strings.Contains(r.Running.Fault.Problem, "how much a pass reads") {
		t.Errorf("%+v, %v", r.Compute.Image, r.Running.Fault)
	}
	r = answer(t, "v=1&seconds=2", `{"model_type":"musicgen"}`)
	warned := false
	for _, w := range r.Warnings {
		warned = warned || w.Field == "seconds" && strings.HasPrefix(w.Text, "is not used: ")
	}
	if r.Compute.Audio != nil || !warned {
		t.Errorf("MusicGen hears %+v, warnings %v", r.Compute.Audio, r.Warnings)
	}
	// The class is a base of others (transformers 5.23.0, models/qwen3_omni_moe): it has methods that they share, no module and no forward.
	r = answer(t, "v=1", `{"model_type":"qwen3_omni_moe","architectures":["Qwen3OmniMoePreTrainedModelForConditionalGeneration"]}`)
	if f := r.Running.Fault; f == nil || !strings.HasPrefix(f.Problem, "it holds no tensor") || len(r.Warnings) == 0 || !strings.Contains(r.Warnings[0].Text, "ask for Qwen3OmniMoeForConditionalGeneration") {
		t.Errorf("a class without modules: %v, warnings %v", f, r.Warnings)
	}
}

// TestPlacesDoNotWrap: of n convolutions that halve a sound the first works on 2^(n - 1) places for each of the encoder's tokens. What passes
// int64 is an error; what is below it is counted.
func TestPlacesDoNotWrap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n          int
		link       string
		field, can string
	}{
		{2, "v=1", "", ""},
		{50, "v=1", "", ""},
		{51, "v=1", "prompt", "up to 8,191 tokens"}, // of 8,192: 2^63 places
		{51, "v=1&prompt=8191", "", ""},
		{52, "v=1", "prompt", "up to 4,095 tokens"},
		{52, "v=1&prompt=4095", "seq", "up to 4,095 tokens"},
		{52, "v=1&prompt=4095&seq=4095", "", ""},
		{60, "v=1&prompt=15&seq=15", "", ""},
		{60, "v=1&prompt=15&seq=16", "seq", "up to 15 tokens"},
	} {
		q, _, err := query.Parse(c.link)
		if err != nil {
			t.Fatal(err)
		}
		text := `{"model_type":"speech_to_text","num_conv_layers":` + strconv.Itoa(c.n) + `,"conv_kernel_sizes":[5` + strings.Repeat(",5", c.n-1) + `]}`
		cfg, err := config.ParseObject(text)
		if err != nil {
			t.Fatal(err)
		}
		r, err := report.Answer(q, report.Subject{Config: cfg}, families.Library())
		if c.field != "" {
			if err == nil || err.Field != c.field || err.Given == "" || err.Allowed != c.can || err.Hint == "" {
				t.Errorf("%d convolutions, %s: %v", c.n, c.link, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%d convolutions, %s: %v", c.n, c.link, err)
			continue
		}
		want, got := 0.0, 0.0
		for j := range c.n {
			in, out := 512, 1024
			if j == 0 {
				in = 80
			}
			if j == c.n-1 {
				out = 512
			}
			want += math.Ldexp(2*float64(in*out*5)*float64(r.Query.Int(query.Prompt)), c.n-1-j)
		}
		for _, x := range r.Compute.Prefill.Terms {
			got += x.Conv
		}
		if got != want {
			t.Errorf("%d convolutions, %s: %g FLOPs, want %g", c.n, c.link, got, want)
		}
	}
}

// TestMoreThanCounts: what a picture takes is said, or that it is more than can be counted; never a number that went round.
func TestMoreThanCounts(t *testing.T) {
	for width, counts := range map[string]bool{"14": true, "1000": true, "1073741824": false} {
		r := answer(t, "v=1&image=1024x1024", `{"model_type":"pp_chart2table_vision","window_size":`+width+`}`)
		switch image := r.Compute.Image; {
		case counts && (image == nil || image.Activations <= 0):
			t.Errorf("a window of %s: %v", width, image)
		case !counts && image != nil:
			t.Errorf("a window of %s: its products give out %d bytes", width, image.Activations)
		case !counts && (r.Running.Fault == nil || !strings.Contains(r.Running.Fault.Problem, "more than can be counted") || len(r.Warnings) == 0):
			t.Errorf("a window of %s: %v, %v", width, r.Running.Fault, r.Warnings)
		}
	}
}

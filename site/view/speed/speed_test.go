package speed_test

import (
	"bytes"
	"compress/flate"
	"strings"
	"testing"

	"llmsize/content/asked"
	"llmsize/content/engines"
	"llmsize/core/predict"
	"llmsize/core/units"
	"llmsize/site/view/speed"
)

func html(t *testing.T, link string) string {
	t.Helper()
	return speed.HTML(asked.Answer(t, link), library(t))
}

func library(t *testing.T) *predict.Library {
	t.Helper()
	var l predict.Library
	engines.Each(func(name, text string) {
		if err := l.Add(name, text); err != nil {
			t.Fatal(err)
		}
	})
	return &l
}

// TestToken: a token takes the reciprocal of the predicted rate, between those of its band's ends; where nothing is predicted, the
// first screen keeps the bound.
func TestToken(t *testing.T) {
	l := library(t)
	r := asked.Answer(t, "model=llama-3.1-8b&device=h100-sxm-80gb&context=8192")
	a, ok := predict.Run(r, l)
	if !ok || a.Decode == nil {
		t.Fatal("nothing is predicted")
	}
	got, from := speed.Token(r, l), -1
	for _, rate := range []float64{a.Decode.Likely, a.Decode.High, a.Decode.Low, 1 / a.Bounds.Decode.Seconds} {
		s, _, _ := strings.Cut(units.Seconds(1/rate).Short(), " ")
		at := strings.Index(got, s)
		if at <= from {
			t.Errorf("%s is not behind place %d of %s", s, from, got)
		}
		from = at
	}
	if !strings.Contains(got, "estimate") {
		t.Errorf("%s does not say that it is an estimate", got)
	}
	for _, link := range []string{"model=llama-3.1-70b&device=rtx-4090-24gb", "memory=24000000000&bandwidth=1008000000000"} {
		if got := speed.Token(asked.Answer(t, link), l); got != "" {
			t.Errorf("%s: %s", link, got)
		}
	}
}

// TestHTML: each question shows what it asks for, and nothing that cannot be.
func TestHTML(t *testing.T) {
	const served = "model=llama-3.1-8b&device=h100-sxm-80gb&prompt=1024&context=2048&output=256&users=32"
	for _, c := range []struct {
		link       string
		wants, not []string
	}{
		{"model=llama-3.1-8b&weights=q4_k_m&device=rtx-4090-24gb&context=1024", []string{"Decode, tokens/s", "Prefill", "Eight of ten", "From the bound to the prediction", "which people use on this device", "int8"}, []string{"Users against latency", "NaN", "Inf"}},
		{served + "&ttft-ms=2000&tpot-ms=20&price=4", []string{"Users against latency", "Within the promise", "the promise:", "A million generated", " J, if every board"}, []string{"NaN", "Inf"}},
		{served + "&engine=sglang&ttft-ms=2000&tpot-ms=50", []string{"Each later token, 32 users", "Not predicted: users within the promise: it needs the time to first token"}, []string{"First token, 32", "Within the promise"}},
		{"model=llama-3.1-8b&device=h100-sxm-80gb&tpot-ms=50", []string{"users within the promise: it needs the users or the tokens of an answer"}, []string{"Within the promise"}},
		{served + "&tpot-ms=0.01", []string{"not one user"}, []string{"the promise:"}},
		{"model=llama-3.1-70b&device=rtx-4090-24gb", []string{"does not fit"}, []string{"Eight of ten", "From the bound"}},
		{"model=llama-3.1-8b&device=gaudi3", []string{"Not predicted: decode: no runs of Optimum Habana"}, []string{"Decode, tokens/s", "From the bound"}},
		{"model=llama-3.1-8b&device=apple-m4-max-128gb&engine=vllm", []string{"vLLM does not run on Apple M4 Max 128 GB: name "}, []string{"Decode, tokens/s"}},
		{"model=llama-3.1-70b&weights=q4_k_m&device=rtx-4090-24gb&ngl=40&context=4096", []string{"Device and host, estimated", "Extrapolated", "embedding", `<b class="yes">fits</b>, `, " GB free", "and does not fit. With 40 of 80 layers on the device, decoding reaches about"}, []string{"Eight of ten"}},
		{"model=llama-3.1-8b&weights=q4_k_m&device=rtx-3090-24gb&context=1024&measured=30", []string{"of the bound", "below the predicted", "What may make it so slow", "Layers on the host"}, []string{"That doesn't make it", "Nothing looks wrong"}},
	} {
		got := html(t, c.link)
		for _, s := range c.wants {
			if !strings.Contains(got, s) {
				t.Errorf("%s: no %q", c.link, s)
			}
		}
		for _, s := range c.not {
			if strings.Contains(got, s) {
				t.Errorf("%s: %q", c.link, s)
			}
		}
	}
}

// TestMeasured: a reader is told where a rate lies beside the band of the very question, then where it ranks among other
// questions' runs, and never hears praise and excuses for one rate without the reason.
func TestMeasured(t *testing.T) {
	const low, high = 0.2, 0.9
	for _, c := range []struct {
		place      predict.Place
		faster     float64
		wants, not []string
	}{
		{predict.Above, high, []string{"above the predicted 40 to 60", "faster than at least eight of ten", "than 90% do", "What may make it so fast"}, []string{"That doesn't", "so slow"}},
		{predict.Above, low, []string{"above the predicted 40 to 60", "than 20% do", "That doesn't make it slow: those runs", "What may make it so fast"}, []string{"so slow"}},
		{predict.Inside, 0.5, []string{"inside the predicted 40 to 60", "Nothing looks wrong", "than 50% do"}, []string{"What may", "says more about those runs"}},
		{predict.Inside, high, []string{"inside the predicted 40 to 60", "says more about those runs"}, []string{"What may", "That doesn't"}},
		{predict.Inside, low, []string{"inside the predicted 40 to 60", "says more about those runs"}, []string{"What may", "That doesn't"}},
		{predict.Below, high, []string{"below the predicted 40 to 60", "than 90% do", "That doesn't make it fast: those runs", "What may make it so slow"}, []string{"so fast:"}},
		{predict.Below, low, []string{"below the predicted 40 to 60", "slower than at least eight of ten", "than 20% do", "What may make it so slow"}, []string{"That doesn't"}},
		{predict.Below, 0, []string{"each comes closer"}, []string{"That doesn't", "than 0%"}},
		{predict.Above, 1, []string{"none comes as close"}, []string{"That doesn't", "100%"}},
		{predict.Below, -1, []string{"below the predicted"}, []string{"Among"}},
		{predict.Impossible, 1, []string{"don't allow that", "It may have been"}, []string{"Among", "predicted"}},
		{"", high, []string{"than 90% do", "on another device of its maker"}, []string{"predicted", "That doesn't", "What may", "1 device"}},
	} {
		a := predict.Answer{Decode: &predict.Range{Low: 40, Likely: 50, High: 60}, Measured: &predict.Measured{Rate: 30, Share: 0.3, Faster: c.faster, Place: c.place,
			Among: predict.Class{Level: "maker", Of: "NVIDIA", Rows: 65, Devices: 1}}}
		if c.place == predict.Above || c.place == predict.Below || c.place == predict.Impossible {
			a.Measured.Causes = []string{"another question"}
		}
		got := speed.Measured(&a)
		for _, s := range c.wants {
			if !strings.Contains(got, s) {
				t.Errorf("%s, %g: no %q in %s", c.place, c.faster, s, got)
			}
		}
		for _, s := range c.not {
			if strings.Contains(got, s) {
				t.Errorf("%s, %g: %q in %s", c.place, c.faster, s, got)
			}
		}
	}
}

// TestEngineData: what a reader's browser loads of engines when somebody asks. Brotli packs tighter than deflate.
func TestEngineData(t *testing.T) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	engines.Each(func(_, text string) { w.Write([]byte(text)) })
	w.Close()
	if b.Len() > 10_000 {
		t.Errorf("%d bytes, at most 10,000", b.Len())
	}
}

package timeline_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"llmsize/core/config"
	"llmsize/core/device"
	"llmsize/core/family/families"
	"llmsize/core/jsonout"
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/timeline"
)

// answer asks about a config as every host does.
func answer(t *testing.T, src, link string) *report.Report {
	t.Helper()
	cfg, err := config.ParseObject(src)
	if err != nil {
		t.Fatal(err)
	}
	q, warnings, err := query.Parse(link)
	if err != nil || len(warnings) > 0 {
		t.Fatal(link, err, warnings)
	}
	r, err := report.Answer(q, report.Subject{Config: cfg}, families.Library())
	if err != nil {
		t.Fatal(link, err)
	}
	timeline.Add(r)
	return r
}

// fixtures are lines of package step's figures, what PyTorch itself holds.
func fixtures(t *testing.T, name string) (heads []string, lines [][]string) {
	t.Helper()
	b, err := os.ReadFile("../step/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Split(strings.TrimSpace(string(b)), "\n")
	for _, l := range all[2:] {
		lines = append(lines, strings.Split(l, "\t"))
	}
	return strings.Split(all[1], "\t"), lines
}

func configs(t *testing.T) map[string]string {
	_, lines := fixtures(t, "configs.txt")
	out := map[string]string{}
	for _, l := range lines {
		out[l[0]] = l[1]
	}
	return out
}

// TestQuestions: a question spelled in a link's keys has the peak of the run that it describes.
func TestQuestions(t *testing.T) {
	cfg := configs(t)
	heads, lines := fixtures(t, "train.txt")
	tried := 0
	for _, l := range lines {
		kind, model, recipe, batch, seq, optimizer, words := l[0], l[1], l[2], l[3], l[4], l[5], l[6]
		if kind == "F" && strings.HasPrefix(optimizer, "muon") || strings.Contains(words, "eager") || kind == "C" && !strings.Contains(words, "mixed") {
			continue
		}
		link := "?v=1&precision=" + recipe + "&micro-batch=" + batch + "&seq=" + seq
		name, kernel, ok := strings.Cut(strings.Replace(optimizer, "adamw-amsgrad", "amsgrad", 1), "-")
		if optimizer == "adafactor-transformers" {
			name, ok = optimizer, false
		}
		if name == "amsgrad" {
			name = "adamw-amsgrad"
		}
		if ok {
			kernel = kernel[strings.LastIndexByte(kernel, '-')+1:]
			link += "&optimizer-kernel=" + kernel
			if strings.Contains(optimizer, "sgd-momentum") {
				name = "sgd-momentum"
			}
		}
		link += "&optimizer=" + name
		for _, w := range strings.Fields(words) {
			key, value, _ := strings.Cut(w, "=")
			switch key {
			case "checkpoint":
				link += "&recompute=full"
			case "no-dropout":
				for _, k := range []string{"attn_pdrop", "embd_pdrop", "resid_pdrop", "hidden_dropout_prob", "attention_probs_dropout_prob"} {
					if strings.Contains(cfg[model], `"`+k+`"`) {
						link += "&set." + k + "=0.0"
					}
				}
			case "kept":
				link += "&outputs=kept"
			case "lora":
				rank, targets, _ := strings.Cut(value, ":")
				link += "&lora-rank=" + rank + "&lora-targets=" + targets
			case "adapters16":
				link += "&lora-dtype=bf16"
			case "lora-dropout":
				link += "&lora-dropout=0.05"
			case "fsdp":
				link = strings.Replace(link, "precision="+recipe, "precision=fsdp-mixed", 1) + "&zero=3&dp=" + value
			case "keep":
				link += "&reshard=off"
			case "tp":
				link += "&tp=" + value
				if !strings.Contains(words, "sequence") {
					link += "&sp=off"
				}
			}
		}
		r := answer(t, cfg[model], link)
		for i, h := range heads[7:] {
			if h == "inputs" {
				continue
			}
			want, _ := strconv.ParseInt(l[7+i], 10, 64)
			v, ok := r.Field("memory.training.timeline." + h)
			got, _ := v.Int()
			if d := float64(got-want) / float64(want); !ok || d > 0.01 || d < -0.01 {
				p, _ := r.Field("memory.training.timeline.problem.problem")
				t.Errorf("%s: %s is %s (%s), want %d within 1%%", link, h, v.Text, p.Text, want)
				break
			}
		}
		tried++
	}
	if tried < 230 {
		t.Errorf("only %d questions were tried", tried)
	}
}

// TestServed is the same of a prefill.
func TestServed(t *testing.T) {
	cfg := configs(t)
	heads, lines := fixtures(t, "serve.txt")
	for _, l := range lines {
		link := "?v=1&batch=" + l[3] + "&context=" + l[4]
		if strings.Contains(l[6], "eager") {
			link += "&flash=off"
		}
		if strings.Contains(l[6], "logits") {
			link += "&logits=all"
		}
		r := answer(t, cfg[l[1]], link)
		for i, h := range heads[7:] {
			if h == "inputs" {
				continue
			}
			want, _ := strconv.ParseInt(l[7+i], 10, 64)
			v, _ := r.Field("memory.inference.timeline." + h)
			got, _ := v.Int()
			if d := float64(got-want) / float64(want); d > 0.01 || d < -0.01 {
				t.Errorf("%s %s: %s is %s, want %d within 1%%", l[1], link, h, v.Text, want)
			}
		}
	}
}

// TestSaid: a run that no timeline follows is said with the key that asks for it, and the sum stays.
func TestSaid(t *testing.T) {
	cfg := configs(t)["llama-3.2-1b"]
	for link, field := range map[string]string{
		"?v=1&recompute=selective&flash=off":            "recompute",
		"?v=1&precision=fsdp-mixed":                     "precision",
		"?v=1&optimizer=rmsprop&optimizer-kernel=fused": "optimizer-kernel",
	} {
		r := answer(t, cfg, link)
		if v, _ := r.Field("memory.training.timeline.problem.field"); v.Text != field {
			t.Errorf("%s: the problem is with %q, want %s", link, v.Text, field)
		}
		if v, ok := r.Field("memory.training.bytes"); !ok || v.Text == "" {
			t.Errorf("%s: no sum", link)
		}
	}
}

// TestWay: a model with state-space mixers says which of their ways is laid out, and no other does.
func TestWay(t *testing.T) {
	for src, want := range map[string]bool{`{"model_type":"mamba2","architectures":["Mamba2ForCausalLM"],"num_hidden_layers":2}`: true, configs(t)["llama-3.2-1b"]: false} {
		r := answer(t, src, "?v=1&seq=512&context=512")
		for _, path := range []string{"memory.training.timeline.way", "memory.inference.timeline.way"} {
			if v, ok := r.Field(path); ok != want || want && !strings.Contains(v.Text, "without further kernels") {
				t.Errorf("%.40s: %s is %q", src, path, v.Text)
			}
		}
	}
}

// TestTextAlone: of a model that also sees a step of text is laid out. It says so; the tower's weights are there, and what
// gradients and states take is the language model's alone.
func TestTextAlone(t *testing.T) {
	r := answer(t, `{"model_type":"gemma3","architectures":["Gemma3ForConditionalGeneration"],"text_config":{"num_hidden_layers":6}}`, "?v=1&seq=256&prompt=256&precision=bf16")
	for _, path := range []string{"memory.training.timeline.", "memory.inference.timeline."} {
		if v, _ := r.Field(path + "way"); !strings.Contains(v.Text, "text alone") {
			t.Errorf("%sway is %q", path, v.Text)
		}
		if v, _ := r.Field(path + "status"); v.Text != "exact" {
			t.Errorf("%sstatus is %q", path, v.Text)
		}
	}
	at := func(name string) int64 {
		v, _ := r.Field("memory.training.timeline." + name)
		n, _ := v.Int()
		return n
	}
	tower := int64(0)
	r.Model.Each(func(_ *model.Block, _ *model.Kind, p *model.Part, x *model.Tensor, layers int64) {
		if p.Stream == "image" && !x.Buffer {
			tower += x.Elements * x.Copies * layers
		}
	})
	gradients := at("after_backward") - at("steady")
	if states := at("steady") - at("model") - 256*8; states != 2*gradients || gradients > at("model")-2*tower || gradients < at("model")-2*tower-1<<20 || tower < 90_000_000 {
		t.Errorf("gradients take %d bytes and states %d, of a model of %d with %d values in its tower", gradients, states, at("model"), tower)
	}
}

// TestInverse: the largest number that fits does, and the next one does not, each asked as a question of its own; the
// smallest stage and the least recomputation too.
func TestInverse(t *testing.T) {
	cfg := configs(t)["llama-3.1-8b"]
	for _, c := range []struct {
		link string
		room int64
	}{
		{"?v=1&dp=8&zero=1", 85_520_809_984},
		{"?v=1&pp=4&vp=2&recompute=full", 60_000_000_000},
		{"?v=1&lora-rank=16&recompute=full", 32_000_000_000},
		{"?v=1&dp=8&zero=3&precision=fsdp-mixed&cp=2", 50_000_000_000},
	} {
		fits := func(more string) bool {
			r := answer(t, cfg, c.link+more)
			x, err := timeline.Training(r, false)
			if err != nil {
				t.Fatal(c.link, more, err)
			}
			_, likely, _ := timeline.Device(r, x)
			return likely <= c.room
		}
		x, ok := timeline.Solve(answer(t, cfg, c.link), c.room)
		if !ok {
			t.Errorf("%s: nothing", c.link)
			continue
		}
		if x.Fits != fits("") {
			t.Errorf("%s fits: %v", c.link, x.Fits)
		}
		unit := int64(1)
		if strings.Contains(c.link, "cp=2") {
			unit = 2
		}
		for _, y := range []struct {
			key  string
			most timeline.Most
			unit int64
		}{{"micro-batch", x.Micro, 1}, {"seq", x.Seq, unit}, {"lora-rank", x.Rank, 1}} {
			if y.key == "lora-rank" && !strings.Contains(c.link, y.key) {
				continue
			}
			link := "&" + y.key + "="
			if y.key == "lora-rank" {
				link = "&lora-rank="
				c.link = strings.Replace(c.link, "&lora-rank=16", "", 1)
			}
			if y.most.Any || y.most.N < 1 || !fits(link+strconv.FormatInt(y.most.N, 10)) || fits(link+strconv.FormatInt(y.most.N+y.unit, 10)) {
				t.Errorf("%s: the largest %s is %+v", c.link, y.key, y.most)
			}
		}
	}
	x, _ := timeline.Solve(answer(t, cfg, "?v=1&dp=8&zero=3"), 64_000_000_000)
	for zero := range int64(4) {
		r := answer(t, cfg, "?v=1&dp=8&zero="+strconv.FormatInt(zero, 10))
		y, _ := timeline.Training(r, false)
		if _, likely, _ := timeline.Device(r, y); (likely <= 64_000_000_000) != (zero >= x.Zero) {
			t.Errorf("the smallest stage is %d, but stage %d takes %d", x.Zero, zero, likely)
		}
	}
}

// TestLayouts: each layout fits by its own question, they come in the order of their cost, and one that fits by the sum
// of its parts alone is not among them.
func TestLayouts(t *testing.T) {
	cfg := configs(t)["llama-3.1-8b"]
	ask := func(link string) *report.Report {
		r := answer(t, cfg, link)
		r.Subject.Device = &device.Device{Slug: "a", Name: "A", Count: 1, Memory: 24 << 30}
		r, err := r.Again(r.Query, r.Subject.Device)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	ranking, _ := timeline.Layouts(ask("?v=1&devices=16&global-batch=64"))
	list := ranking.List
	if len(list) < 3 {
		t.Fatalf("%d layouts", len(list))
	}
	for i, x := range list {
		l := x.Layout
		link := fmt.Sprintf("?v=1&devices=16&global-batch=64&tp=%d&pp=%d&dp=%d&zero=%d&recompute=%s&micro-batch=%d", l.TP, l.PP, l.DP, l.Zero, x.Recompute, x.Micro)
		r := answer(t, cfg, link)
		y, err := timeline.Training(r, false)
		if err != nil {
			t.Fatal(link, err)
		}
		_, peak := y.Fullest()
		_, likely, _ := timeline.Device(r, y)
		if peak != x.Peak || likely != x.Likely || likely > 24<<30 {
			t.Errorf("%s peaks at %d, listed %d", link, peak, x.Peak)
		}
		if i > 0 && x.Cost < list[i-1].Cost {
			t.Errorf("%s costs %g, the one before %g", link, x.Cost, list[i-1].Cost)
		}
	}
}

// TestBand: the device's band stands around the peak, low to high.
func TestBand(t *testing.T) {
	r := answer(t, configs(t)["llama-3.1-8b"], "?v=1&precision=bf16")
	at := func(name string) int64 {
		v, _ := r.Field("memory.training.timeline." + name)
		n, ok := v.Int()
		if !ok {
			t.Fatalf("no %s", name)
		}
		return n
	}
	peak, low, likely, high := at("peak"), at("device.low"), at("device.likely"), at("device.high")
	if peak >= low || low >= likely || likely >= high || high > peak*5/4+(4<<30) {
		t.Errorf("peak %d, band %d %d %d", peak, low, likely, high)
	}
	sum := int64(0)
	v, _ := r.Field("memory.training.timeline.peak_split")
	for i := range v.Keys {
		n, _ := v.Vals[i].Int()
		sum += n
	}
	if sum != peak {
		t.Errorf("the parts of the peak come to %d, not %d", sum, peak)
	}
}

// TestPrograms: each program's preset is answered, takes what its keys say, and takes less than the plain loop.
func TestPrograms(t *testing.T) {
	cfg := configs(t)["llama-3.1-8b"]
	field := "peak"
	peak := func(link string) int64 {
		r := answer(t, cfg, link)
		v, _ := r.Field("memory.training.timeline." + field)
		n, ok := v.Int()
		if !ok {
			p, _ := r.Field("memory.training.timeline.problem")
			t.Fatalf("%s: %s", link, p.JSON())
		}
		return n
	}
	for _, p := range query.Programs {
		link := "?v=1&dp=8&seq=8192&program=" + p.Name
		spelled := "?v=1&dp=8&seq=8192"
		for _, k := range p.Keys {
			spelled += "&" + query.About(k.Param).Name + "=" + k.Value
		}
		if a, b := peak(link), peak(spelled); a != b {
			t.Errorf("%s takes %d bytes, its keys written out %d", p.Name, a, b)
		}
	}
	for _, pair := range [][2]string{ // the first takes less
		{"loss=chunked", "loss=fp32"}, {"loss=fused", "loss=chunked"}, {"loss=whole", "loss=fp32"}, {"recompute=full", "recompute=none"},
		{"zero=1", "zero=0"}, {"zero=2", "zero=1"}, {"zero=3", "zero=2"}, {"optimizer-kernel=fused", "optimizer-kernel=foreach"},
	} {
		base := "?v=1&dp=8&seq=16384&precision=bf16&micro-batch=2&"
		if strings.HasPrefix(pair[0], "loss") {
			base, field = base+"recompute=full&", "peak_forward"
		} else {
			field = "peak"
		}
		if strings.HasPrefix(pair[0], "zero") || strings.HasPrefix(pair[0], "opt") {
			base = "?v=1&dp=8&seq=512&precision=bf16&"
		}
		if a, b := peak(base+pair[0]), peak(base+pair[1]); a >= b {
			t.Errorf("%s takes %d bytes, %s %d", pair[0], a, pair[1], b)
		}
	}
}

// TestChanges: what is listed lowers the peak, to what its own question says; where one change does not do, several do.
func TestChanges(t *testing.T) {
	cfg := configs(t)["llama-3.1-8b"]
	for _, c := range []struct {
		link     string
		room     int64
		single   bool // one change does
		together bool // several do
	}{
		{"?v=1", 80_000_000_000, true, false}, // adapters of an 8 B model
		{"?v=1&dp=8&micro-batch=4", 141_000_000_000, false, true},
		{"?v=1&optimizer=sgd&lora-rank=8&seq=32768", 90_000_000_000, true, false}, // layers made again
		{"?v=1", 1_000_000_000, false, false},
	} {
		r := answer(t, cfg, c.link)
		now, _ := r.Field("memory.training.timeline.peak")
		peak, _ := now.Int()
		list := timeline.Changes(r, c.room)
		single, together := false, false
		for _, x := range list {
			if x.Peak >= peak {
				t.Errorf("%s: %s has a peak of %d, now %d", c.link, x.Set(), x.Peak, peak)
			}
			v, _ := answer(t, cfg, "?"+x.Query.String()).Field("memory.training.timeline.peak")
			if n, _ := v.Int(); n != x.Peak {
				t.Errorf("%s: %s says %d, its question %d", c.link, x.Set(), x.Peak, n)
			}
			if x.Fits && len(x.Keys) == 1 {
				single = true
			} else if x.Fits {
				together = true
			}
		}
		if single != c.single || together != c.together {
			t.Errorf("%s in %d bytes: fits by one change %v, by several %v; want %v, %v", c.link, c.room, single, together, c.single, c.together)
		}
	}
}

// TestStatus: a timeline is exact where a step of the type was compared with its class's own, and says that it is an
// estimate everywhere else: of a type that nobody compared, and of a class that is not known.
func TestStatus(t *testing.T) {
	t.Parallel()
	for link, want := range map[string]string{"?v=1&micro-batch=1&seq=128": "exact", "?v=1&micro-batch=1&seq=128&flash=off": "estimate"} {
		r := answer(t, `{"model_type":"falcon"}`, link) // whose own way of storing scores was not followed
		if got, also := timeline.Status(r), timeline.ServedStatus(r); got != want || also != want {
			t.Errorf("%s: status is %s, of a prefill %s, want %s", link, got, also, want)
		}
	}
	if r := answer(t, `{"model_type":"llama"}`, "?v=1&micro-batch=1&seq=128&flash=off"); timeline.Status(r) != "exact" {
		t.Errorf("stored scores of Llama: status is %s", timeline.Status(r))
	}
	for src, want := range map[string]string{
		`{"model_type":"llama"}`:    "exact",
		`{"model_type":"baichuan"}`: "estimate",
		`{"model_type":"nobody-knows","hidden_size":256,"num_hidden_layers":2,"num_attention_heads":4,"vocab_size":1000}`: "estimate",
	} {
		r := answer(t, src, "?v=1&micro-batch=1&seq=128")
		for name, tree := range map[string]jsonout.Value{"training": r.Timelines.Training, "inference": r.Timelines.Inference} {
			if got := tree.Get("status").String(); got != `"`+want+`"` || tree.Get("peak_at").Len() == 0 {
				t.Errorf("%s, %s: status is %s, want %s", src, name, got, want)
			}
		}
		if (timeline.Unsure(r) == "") != (want == "exact") {
			t.Errorf("%s: %q", src, timeline.Unsure(r))
		}
	}
}

// TestDrawn: combinations that nobody chose (batches, lengths that are no round numbers, formats, optimizers, adapters, shards,
// stored scores, dropout that a config asks for), asked as a link asks: what is kept within 1%, peaks within 3%.
func TestDrawn(t *testing.T) {
	t.Parallel()
	for _, f := range []struct{ name, path string }{{"runs.txt", "memory.training.timeline."}, {"served.txt", "memory.inference.timeline."}} {
		heads, lines := fixtures(t, "../../timeline/testdata/"+f.name)
		asked, out := 0, 0
		for _, l := range lines {
			r := answer(t, l[1], "?v=1&"+l[0])
			at := func(name string) float64 {
				v, _ := r.Field(f.path + name)
				n, ok := v.Int()
				if !ok {
					p, _ := r.Field(f.path + "problem.problem")
					t.Errorf("%s %.60s: no %s: %s", l[0], l[1], name, p.Text)
				}
				return float64(n)
			}
			right := true
			steady := 0.0
			for i, h := range heads[2:] {
				want, _ := strconv.ParseFloat(l[2+i], 64)
				got, within := at(h), 0.03
				switch h {
				case "steady":
					steady = want
				case "after_forward":
					got, want, within = got-at("steady"), want-steady, 0.01
				}
				if d := (got - want) / want; d > within || d < -within {
					right = false
					t.Logf("%s %.90s: %s is %.0f, %+.2f%% from %.0f", l[0], l[1], h, got, 100*d, want)
				}
			}
			if asked++; right {
				out++
			}
		}
		if t.Logf("%s: %d of %d come out", f.name, out, asked); out < asked {
			t.Errorf("%s: %d of %d come out", f.name, out, asked)
		}
	}
}

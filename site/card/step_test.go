package card

import (
	"testing"

	"llmsize/core/config"
	"llmsize/core/device"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/timeline"
)

const llama31 = `{"architectures":["LlamaForCausalLM"],"model_type":"llama","hidden_size":4096,"intermediate_size":14336,"num_attention_heads":32,"num_hidden_layers":32,"num_key_value_heads":8,"vocab_size":128256,"tie_word_embeddings":false}`

func asked(t *testing.T, link string) *report.Report {
	t.Helper()
	return on(t, link, nil)
}

// on answers a question about a device.
func on(t *testing.T, link string, d *device.Device) *report.Report {
	t.Helper()
	q, _, fail := query.Parse(link)
	if fail != nil {
		t.Fatal(fail)
	}
	cfg, err := config.ParseObject(llama31)
	if err != nil {
		t.Fatal(err)
	}
	r, fail := report.Answer(q, report.Subject{Config: cfg, Device: d}, families.Library())
	if fail != nil {
		t.Fatal(fail)
	}
	return r
}

// TestStep: a question about training has the memory of its step on the card, each moment's areas what is live then, the
// peak's figure and place in words; any other has the model, and so has a run that no timeline follows.
func TestStep(t *testing.T) {
	for link, step := range map[string]bool{"v=1&precision=bf16": true, "v=1&lora-rank=16&recompute=full": true, "v=1": false, "v=1&context=9000": false, "v=1&pp=4": false, "v=1&recompute=selective&flash=off": false} {
		r := asked(t, link)
		c := Answer(r)
		if (c.Hill != nil) != step || step == (len(c.Scene.Shapes) > 0) {
			t.Errorf("%s: a step %v, %d shapes", link, c.Hill != nil, len(c.Scene.Shapes))
		}
		if !step {
			continue
		}
		x, fail := timeline.Training(r, true)
		if fail != nil {
			t.Fatal(fail)
		}
		for i := range x.Curve {
			sum := int64(0)
			for _, a := range c.Hill.Areas {
				sum += a.Live[i]
			}
			if sum != x.Curve[i].Live.Total() {
				t.Fatalf("%s: moment %d has %d bytes, drawn %d", link, i, x.Curve[i].Live.Total(), sum)
			}
		}
		if n := len(c.Hill.Phases); n != 3 || c.Hill.Phases[0].Title != "forward" || c.Hill.Phases[n-1].Until != len(x.Curve) {
			t.Errorf("%s: phases %v", link, c.Hill.Phases)
		}
	}
	c := Answer(asked(t, "v=1&precision=fp32"))
	if c.Figure != "161 GB" || c.Alt() != "a llama config: 161 GB at the peak of a step. Memory over the step is drawn, highest at the optimizer's step." { // 5 × 4 × 8.03e9, foreach's temporaries with them
		t.Errorf("%q: %s", c.Figure, c.Alt())
	}
}

// TestHillIsPainted: an area of all moments reaches from the ground to its share of the height, and the next stands on it.
func TestHillIsPainted(t *testing.T) {
	k, ok := ReadKit(small())
	if !ok {
		t.Fatal("the kit cannot be read")
	}
	c := &Card{Title: "a", Figure: "a", Hill: &Hill{Areas: []Area{{"a", 2, []int64{1, 1}}, {"b", 3, []int64{0, 1}}}, Phases: []Phase{{"a", 2}}}}
	p := Paint(c, k)
	at := func(x, y int) RGB { return p.Colours[p.Rows[y*(Width+1)+1+x]] }
	half := (hillGround-hillTop)/2 + hillTop
	for _, w := range []struct {
		what string
		x, y int
		want RGB
	}{
		{"the first area at the ground", margin + 100, hillGround - 10, k.colours[washOf(2)]},
		{"nothing above half", margin + 100, half - 20, k.colours[paper]},
		{"the second area above half", right - 100, half - 20, k.colours[washOf(3)]},
		{"the first area below it", right - 100, half + 20, k.colours[washOf(2)]},
	} {
		if got := at(w.x, w.y); got != w.want {
			t.Errorf("%s is %v, want %v", w.what, got, w.want)
		}
	}
}

// TestAreasAreNamed: below a hill each of its areas has its colour, however wide the names are: letters of the
// tests' font are as wide as they are high.
func TestAreasAreNamed(t *testing.T) {
	k, ok := ReadKit(small())
	if !ok {
		t.Fatal("the kit cannot be read")
	}
	h := &Hill{Phases: []Phase{{"a", 2}}}
	for i, role := range areaRoles {
		h.Areas = append(h.Areas, Area{"aaaaaaaaaaaaaaaa", role, []int64{1, int64(i)}})
	}
	p := Paint(&Card{Title: "a", Figure: "a", Hill: h}, k)
	for _, a := range h.Areas {
		n := 0
		for y := hillGround + 28; y < Height; y++ {
			for x := margin; x < right; x++ {
				if p.Colours[p.Rows[y*stride+1+x]] == k.colours[edgeOf(a.Role)] {
					n++
				}
			}
		}
		if n != 16*16-12*12 { // the frame of its square
			t.Errorf("of %s %d pixels are below the hill", a.Role, n)
		}
	}
}

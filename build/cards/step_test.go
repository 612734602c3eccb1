package cards

import (
	"testing"

	"llmsize/content/asked"
	"llmsize/site/card"
)

// TestStepsAreNamed: on the card of a step each area that is drawn has its colour and its name below the picture, whatever trains.
// The names end where the card does.
func TestStepsAreNamed(t *testing.T) {
	of := colours(t)
	k, ok := card.ReadKit(string(kit(t)))
	if !ok {
		t.Fatal("the kit cannot be read")
	}
	most := 0
	for _, link := range []string{
		"v=1&dp=8&zero=3&program=torchtitan", "v=1&dp=8&zero=3&precision=bf16", "v=1&dp=8&zero=3&program=deepspeed", "v=1&program=torchtune",
		"v=1&program=unsloth&lora-rank=16", "v=1&lora-rank=16&weights=nf4", "v=1&recompute=full&micro-batch=4", "v=1&method=grpo&reference=on&lora-rank=8&dp=8&zero=3&rollouts=8", "v=1&method=grpo&dp=8&zero=2",
	} {
		c := card.Answer(asked.Answer(t, link))
		if c.Hill == nil {
			t.Errorf("%s: no step", link)
			continue
		}
		p := card.Paint(&c, k)
		most = max(most, len(c.Hill.Areas))
		for _, a := range c.Hill.Areas {
			want, n := of[a.Role.String()+"-line"], 0
			for y := 556; y < card.Height; y++ { // below the names of the passes
				for x := range card.Width {
					if got := p.Colours[p.Rows[y*(card.Width+1)+1+x]]; got == (card.RGB{R: want.R, G: want.G, B: want.B}) {
						n++
					}
				}
			}
			if n < 16*16-12*12 { // the frame of its square
				t.Errorf("%s: of %s, drawn as %s, %d pixels are below the picture", link, a.Name, a.Role, n)
			}
		}
		for y := 556; y < card.Height; y++ {
			for x := right + 1; x < card.Width; x++ {
				if p.Rows[y*(card.Width+1)+1+x] != p.Rows[1] && (x-14)%30 > 1 {
					t.Fatalf("%s: something is written past the margin, at %d, %d", link, x, y)
				}
			}
		}
	}
	if most < 6 {
		t.Errorf("at most %d areas were drawn", most)
	}
}

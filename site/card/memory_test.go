package card

import (
	"strings"
	"testing"

	"llmsize/core/device"
)

// TestMemoryOfAnAnswer: a question about running has what the device holds, which adds up to what the report says; others do not.
func TestMemoryOfAnAnswer(t *testing.T) {
	h100 := &device.Device{Slug: "h100-sxm-80gb", Name: "NVIDIA H100", Memory: 80 << 30, Count: 1, Bandwidth: 3_350_000_000_000}
	for link, drawn := range map[string]bool{"v=1": false, "v=1&context=9000": false, "v=1&devices=2": true, "v=1&tp=2&devices=2&weights=fp32": true, "v=1&devices=2&lora-rank=16": false} {
		r := on(t, link, h100)
		c := Answer(r)
		if (c.Memory != nil) != drawn {
			t.Errorf("%s: %+v", link, c.Memory)
			continue
		}
		if !drawn {
			continue
		}
		sum := int64(0)
		for _, p := range c.Memory.Parts {
			sum += p.Bytes
		}
		if sum != r.Running.Fullest.Total.Bytes || c.Memory.Room != 80<<30 {
			t.Errorf("%s: %d bytes of %d, the report says %d", link, sum, c.Memory.Room, r.Running.Fullest.Total.Bytes)
		}
		if !strings.Contains(c.Alt(), "What NVIDIA H100 holds is drawn to scale, weights ") {
			t.Errorf("%s: %s", link, c.Alt())
		}
	}
}

// TestMemoryOfTraining: what a host without package step shows of training adds up to the report's sum on the fullest device.
func TestMemoryOfTraining(t *testing.T) {
	h100 := &device.Device{Slug: "h100-sxm-80gb", Name: "NVIDIA H100", Memory: 80 << 30, Count: 1, Bandwidth: 3_350_000_000_000}
	for _, link := range []string{"v=1&optimizer=muon", "v=1&lora-rank=16", "v=1&zero=3&dp=8&seq=2048"} {
		r := on(t, link, h100)
		c := Brief(r)
		if c.Memory == nil || c.Hill != nil || len(c.Scene.Shapes) == 0 {
			t.Fatalf("%s: %+v", link, c)
		}
		sum := int64(0)
		for _, p := range c.Memory.Parts {
			sum += p.Bytes
		}
		if sum != r.Training.Memory.Bytes {
			t.Errorf("%s: %d bytes, the report says %d", link, sum, r.Training.Memory.Bytes)
		}
	}
}

// TestMemoryIsPainted: of 100 bytes of room 50 are weights and 25 cache; what has no room lies beyond the frame.
func TestMemoryIsPainted(t *testing.T) {
	k, ok := ReadKit(small())
	if !ok {
		t.Fatal("the kit cannot be read")
	}
	for _, c := range []struct {
		what   string
		memory Memory
		share  float64
		want   RGB
	}{
		{"weights", Memory{Room: 100, Parts: []Part{{Name: "a", Bytes: 50, colour: ofWeights}, {Name: "b", Bytes: 25, colour: ofCache}}}, .25, k.colours[ofWeights]},
		{"cache", Memory{Room: 100, Parts: []Part{{Name: "a", Bytes: 50, colour: ofWeights}, {Name: "b", Bytes: 25, colour: ofCache}}}, .6, k.colours[ofCache]},
		{"free", Memory{Room: 100, Parts: []Part{{Name: "a", Bytes: 50, colour: ofWeights}, {Name: "b", Bytes: 25, colour: ofCache}}}, .9, k.colours[paper]},
		{"room", Memory{Room: 100, Parts: []Part{{Name: "a", Bytes: 200, colour: ofWeights}}}, .4, k.colours[ofWeights]},
		{"too much", Memory{Room: 100, Parts: []Part{{Name: "a", Bytes: 200, colour: ofWeights}}}, .8, blend(k.colours[over], k.colours[paper], 1, 2)},
	} {
		p := Paint(&Card{Title: "a", Memory: &c.memory}, k)
		x := margin + int(c.share*float64(right-margin))
		if got := p.Colours[p.Rows[(memoryTop+memoryHigh/2)*(Width+1)+1+x]]; got != c.want {
			t.Errorf("%s is %v, want %v", c.what, got, c.want)
		}
	}
}

package report_test

import (
	"strings"
	"testing"

	"llmsize/core/config"
	"llmsize/core/device"
	"llmsize/core/query"
	"llmsize/core/report"
)

// accelerator is a device of the given TB/s, 400 TFLOP/s and 80 GB.
func accelerator(t *testing.T, tbps string) *device.Device {
	t.Helper()
	v, err := config.ParseObject(`{"slug":"card","name":"A card","memory":{"bytes":80000000000},"bandwidth":{"bytes_per_second":` + tbps + `000000000000},"peak":{"bf16":{"per_second":400000000000000}}}`)
	if err != nil {
		t.Fatal(err)
	}
	d, err := device.Parse(&v, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// onto answers a query about a model of the catalogue on a device.
func onto(t *testing.T, text string, d *device.Device) *report.Report {
	t.Helper()
	q, issues, fail := query.Parse(text)
	if fail != nil || len(issues) > 0 {
		t.Fatal(text, fail, issues)
	}
	m, ok := models(t).Find(q.Get(query.Model))
	if !ok {
		t.Fatal(text)
	}
	s, err := m.Subject()
	if err != nil {
		t.Fatal(err)
	}
	s.Device = d
	r, fail := report.Answer(q, s, library)
	if fail != nil {
		t.Fatal(text, fail)
	}
	return r
}

// compared is one figure's way from a report to another.
func compared(t *testing.T, a, b *report.Report, name string) report.Comparison {
	t.Helper()
	for _, c := range report.Compare(a, b) {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no %s", name)
	return report.Comparison{}
}

// Llama 3.1 8B: a step reads every weight but the table of embeddings, of which it
// needs one row, and the cache of 131,072 bytes for each token.
const (
	read    = 2 * (8_030_261_248 - 128256*4096)
	context = 131072 * 8192
)

func TestCompareTimes(t *testing.T) {
	const prefill, next = report.Prefill, report.NextToken
	for _, c := range []struct {
		from, to string
		speeds   [2]string // TB/s
		name     string
		want     report.Comparison
	}{
		// 2 TB/s are 2,000 bytes in a nanosecond. Half the cache.
		{"v=1", "v=1&kv=fp8", [2]string{"2", "2"}, next, report.Comparison{From: (read + context + 1000) / 2000, To: (read + context/2 + 1000) / 2000, Steps: []report.Step{
			{"cache", "1.07 GB → 537 MB", (read+context/2+1000)/2000 - (read+context+1000)/2000}}}},
		// The same bytes at twice the rate.
		{"v=1", "v=1", [2]string{"2", "4"}, next, report.Comparison{From: (read + context + 1000) / 2000, To: (read + context + 2000) / 4000, Steps: []report.Step{
			{"rate", "2.00 TB/s → 4.00 TB/s", (read+context+2000)/4000 - (read+context+1000)/2000}}}},
		// Both: the bytes change at the first side's rate, then the rate.
		{"v=1", "v=1&kv=fp8", [2]string{"2", "4"}, next, report.Comparison{From: (read + context + 1000) / 2000, To: (read + context/2 + 2000) / 4000, Steps: []report.Step{
			{"cache", "1.07 GB → 537 MB", (read+context/2+1000)/2000 - (read+context+1000)/2000},
			{"rate", "2.00 TB/s → 4.00 TB/s", (read+context/2+2000)/4000 - (read+context/2+1000)/2000}}}},
		{"v=1", "v=1", [2]string{"2", "2"}, next, report.Comparison{From: (read + context + 1000) / 2000, To: (read + context + 1000) / 2000}},
	} {
		got := compared(t, onto(t, c.from, accelerator(t, c.speeds[0])), onto(t, c.to, accelerator(t, c.speeds[1])), c.name)
		if got.From != c.want.From || got.To != c.want.To || len(got.Steps) != len(c.want.Steps) || got.Unit != "ns" {
			t.Errorf("%s to %s at %v: %+v, want %+v", c.from, c.to, c.speeds, got, c.want)
			continue
		}
		for i, s := range c.want.Steps {
			if got.Steps[i] != s {
				t.Errorf("%s to %s at %v: step %+v, want %+v", c.from, c.to, c.speeds, got.Steps[i], s)
			}
		}
	}

	// A prefill is bound by 400 TFLOP/s: 2 FLOPs for each weight of the layers and each of 8,192 tokens, the head once, and
	// in each layer 4·a·d for each of s(s+1)/2 pairs. Twice the sequences are twice of each.
	const s = 8192
	a, b := onto(t, "v=1", accelerator(t, "2")), onto(t, "v=1&batch=2", accelerator(t, "2"))
	c := compared(t, a, b, prefill)
	products, scores := int64(2*s*int64(5_637_144_576)), int64(4*4096*32*(s*(s+1)/2))
	found := map[string]int64{}
	for _, step := range c.Steps {
		found[step.Name] = step.Amount
	}
	if got, want := found["ffn"], (products+200_000)/400_000; got != want { // 5,637,144,576 weights of feed-forward; 400,000 FLOPs in a nanosecond
		t.Errorf("feed-forward takes %d ns more, want %d", got, want)
	}
	if got, want := found["attention scores"], (scores+200_000)/400_000; got-want > 1 || want-got > 1 {
		t.Errorf("the scores take %d ns more, want %d", got, want)
	}

	// At 1,024 sequences of one token a step computes for longer than it reads: another bound.
	a, b = onto(t, "v=1&context=1", accelerator(t, "2")), onto(t, "v=1&context=1&batch=1024", accelerator(t, "2"))
	c = compared(t, a, b, next)
	last := c.Steps[len(c.Steps)-1]
	memory := float64(read+131072*1024) / 2000
	if last.Name != "another bound" || !strings.HasPrefix(last.Note, "memory → compute, ") || last.Amount != c.To-int64(memory+0.5) {
		t.Errorf("the bound changes by %+v of %+v, from %f ns", last, c, memory)
	}
	if c.Steps[0].Name != "cache" || len(c.Steps) != 2 {
		t.Errorf("the steps are %+v", c.Steps)
	}
	// And back: what binds there, at the first side's rate, then the other.
	c = compared(t, b, a, next)
	if last = c.Steps[len(c.Steps)-1]; !strings.HasPrefix(last.Note, "compute → memory, ") || last.Amount <= 0 {
		t.Errorf("back the bound changes by %+v", last)
	}
}

// TestCompareRoom: 80 GB less what the device needs at most.
func TestCompareRoom(t *testing.T) {
	d := accelerator(t, "2")
	a, b := onto(t, "v=1", d), onto(t, "v=1&context=1048576", d)
	c := compared(t, a, b, report.Room)
	if c.From != 80_000_000_000-a.Running.Fullest.Total.High || c.To != 80_000_000_000-b.Running.Fullest.Total.High {
		t.Errorf("%+v", c)
	}
	if c.From < 0 || c.To >= 0 || a.Running.Fits != "yes" || b.Running.Fits == "yes" {
		t.Errorf("the room is %d and %d, it fits: %s and %s", c.From, c.To, a.Running.Fits, b.Running.Fits)
	}
	s, ok := c.Decides()
	if want := int64(131072 * (8192 - 1048576)); !ok || s.Amount != want {
		t.Errorf("what decides it is %+v, want %d bytes of the cache", s, want)
	}
	larger := *d
	larger.Memory *= 2
	c = compared(t, a, onto(t, "v=1", &larger), report.Room)
	if s, ok := c.Decides(); !ok || s != (report.Step{Name: "memory of the device", Note: "80.0 GB → 160 GB", Amount: 80_000_000_000}) {
		t.Errorf("the device decides it: %+v", s)
	}
	// Training: AdamW's 12 bytes of states for a parameter, whole or an eighth of them.
	c = compared(t, a, onto(t, "v=1&dp=8&zero=1", d), report.TrainingRoom)
	if s, ok := c.Decides(); !ok || s.Name != "optimizer" || s.Amount < 12*8_030_261_248/8*7-8 || s.Amount > 12*8_030_261_248/8*7+8 || c.From >= 0 {
		t.Errorf("what makes room for training is %+v of %+v", s, c)
	}
	if _, ok := (&report.Comparison{From: 1, To: 1}).Decides(); ok {
		t.Error("something decides nothing")
	}
}

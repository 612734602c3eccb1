package report_test

import (
	"math"
	"testing"

	"llmsize/core/compute"
)

// close checks a figure to a share of itself.
func close(t *testing.T, what string, got, want, share float64) {
	t.Helper()
	if math.Abs(got/want-1) > share {
		t.Errorf("%s: %.6g, want %.6g", what, got, want)
	}
}

// TestTrainingTime works a run's time out by hand: Llama-3.1-8B takes 3 ·
// (2·7,504,658,432 + 2·32·32·128·(s+1)) FLOPs for a token, an H100 gives 989e12 a
// second and may draw 700 W.
func TestTrainingTime(t *testing.T) {
	const each = 3 * (2*(8_030_261_248-128_256*4096-65*4096) + 2*32*32*128*(4096+1))
	run := on(t, "model=llama-3.1-8b&tokens=15T&devices=1024&mfu=45").Compute.Train
	seconds := each * 15e12 / (1024 * 989e12 * 0.45)
	close(t, "seconds", float64(run.Time.Seconds), seconds, 1e-12)
	close(t, "device hours", run.Time.Hours(), seconds*1024/3600, 1e-12)
	close(t, "watt-hours", run.Time.Energy(), seconds*1024/3600*700, 1e-12)
	if run.Time.Devices != 1024 || run.Time.Share != 0.45 || run.Time.Hardware != 0.45 {
		t.Errorf("%+v", run.Time)
	}
	// Layers that run again are work of the hardware: a third more.
	close(t, "HFU", on(t, "model=llama-3.1-8b&recompute=full").Compute.Train.Time.Hardware, 0.4*4/3, 1e-12)
	// A system counts its parts.
	if n := on(t, "model=llama-3.1-8b&device=hgx-h100-8&devices=2").Compute.Train.Time.Devices; n != 16 {
		t.Errorf("two systems of eight: %d devices", n)
	}
	if n := on(t, "model=llama-3.1-8b&tp=4&pp=2&dp=8").Compute.Train.Time.Devices; n != 64 {
		t.Errorf("a layout of 4 × 2 × 8: %d devices", n)
	}
	// A measured rate says both: how long it takes, and what share of the peak that is. torchtitan's 5,762 tokens
	// a second on an H100 are 33.7% with all pairs, as it counts.
	run = on(t, "model=llama-3.1-8b&seq=8192&attention=full&devices=8&tokens=1B&tokens-per-second=5762").Compute.Train
	close(t, "MFU", run.Time.Share, 0.337, 0.002)
	close(t, "seconds", float64(run.Time.Seconds), 1e9/(8*5762), 1e-12)
	r := on(t, "model=llama-3.1-8b&seq=8192&tokens-per-second=5762")
	for i := range r.Compute.Conventions {
		c := &r.Compute.Conventions[i]
		got := r.Compute.Train.Utilisation(c)
		if c.Pass == "forward" {
			if got != 0 {
				t.Errorf("%s is a forward pass, and %.3f of the peak", c.Name, got)
			}
			continue
		}
		close(t, c.Name, got, 5762*c.Token/989e12, 1e-12)
	}
	// No device is faster than its peak: a rate of all eight devices, say.
	if w := on(t, "model=llama-3.1-8b&tokens-per-second=46096").Warnings; len(w) != 1 || w[0].Field != "tokens-per-second" {
		t.Errorf("%v", w)
	}
	// Without a rate no convention has a share, without a device nothing does.
	if got := on(t, "model=llama-3.1-8b").Compute.Train; got.Utilisation(&r.Compute.Conventions[4]) != 0 {
		t.Error("a share of the peak without a rate")
	}
	if got := answer(t, "", llama8b).Compute.Train.Time; got.Peak != 0 || got.Seconds != 0 {
		t.Errorf("%+v without a device", got)
	}
}

// TestScalingBudget: 30 days of 64 H100s at 40% are a budget, whatever the run takes.
func TestScalingBudget(t *testing.T) {
	r := on(t, "model=llama-3.1-8b&devices=64&days=30")
	const c = 64 * 989e12 * 0.4 * 30 * 86400
	s := &r.Compute.Scaling
	close(t, "budget", float64(s.Budget), c, 1e-12)
	if !s.Asked || on(t, "model=llama-3.1-8b").Compute.Scaling.Asked {
		t.Error("who asks for a budget")
	}
	close(t, "20 tokens a parameter", float64(s.RuleN), math.Sqrt(c/120), 1e-9)
	for i := range s.Estimates {
		e := &s.Estimates[i]
		n, d := compute.Laws[i].Optimum(c)
		close(t, e.Law.Name, float64(e.BestN), n, 1e-9)
		close(t, e.Law.Name, float64(e.BestD), d, 1e-9)
	}
}

// TestOverTraining: Llama-3-8B on 15 T tokens, 1,868 for each parameter, takes
// several times what its loss needs; serving many tokens is what it is for.
func TestOverTraining(t *testing.T) {
	s := on(t, "model=llama-3-8b&tokens=15T&served=100T").Compute.Scaling
	close(t, "tokens a parameter", s.PerParam, 15e12/8_030_261_248, 1e-12)
	for i := range s.Estimates {
		e := &s.Estimates[i]
		n, d := e.Law.Optimum(float64(e.Least))
		close(t, e.Law.Name+": the least budget's loss", e.Law.Loss(n, d), e.Loss, 1e-9)
		close(t, e.Law.Name+": how much more", e.Over, 6*8_030_261_248.0*15e12/float64(e.Least), 1e-9)
		if e.Over < 1 || float64(e.LeastLife) > float64(e.Life) || e.LifeN <= 0 {
			t.Errorf("%s: %.2f times the least, %g over its life, %g at least", e.Law.Name, e.Over, float64(e.Life), float64(e.LeastLife))
		}
		close(t, e.Law.Name+": over its life", float64(e.Life), 6*8_030_261_248.0*15e12+2*8_030_261_248.0*100e12, 1e-12)
	}
	// Besiroglu's fit asks for 20 tokens a parameter: 1,868 are much too many for it.
	if o := s.Estimates[1].Over; o < 2 {
		t.Errorf("besiroglu: %.2f times the least", o)
	}
	if s := on(t, "model=llama-3-8b").Compute.Scaling; s.Served != 0 || s.Estimates[0].Life != 0 {
		t.Error("a life without tokens served")
	}
}

package compute

import (
	"llmsize/core/model"
)

// Machine is what bounds a pass: one device, or as many as work on it at the
// same time.
type Machine struct {
	Peak      float64 // dense operations a second; 0 when not known
	Bandwidth float64 // bytes a second
	Link      float64 // bytes a second, one direction; 0 when not known
}

// Load is what a pass asks of a machine.
type Load struct {
	FLOPs float64
	Bytes float64 // read from memory
	Sent  float64 // over the link
}

// Time is a pass at best, in seconds.
type Time struct {
	Compute float64 // FLOPs ÷ peak; 0 when no peak is known
	Memory  float64 // bytes ÷ bandwidth
	Link    float64 // bytes ÷ link; 0 when no link is known
	Seconds float64 // the largest of them
	Binds   string  // which that is: "compute", "memory", "link"
}

// Roofline is the time that a pass takes at best:
//
//	t = max(F / peak, D / bandwidth, C / link)
//
// with F FLOPs, D bytes read and C bytes sent, each overlapped with the others
// (Williams, Waterman and Patterson 2009, Communications of the ACM 52(4)). It is
// a bound: nothing runs faster, and what runs comes to a part of it.
func Roofline(m Machine, l Load) Time {
	t := Time{Memory: float64(l.Bytes / m.Bandwidth)}
	if m.Peak > 0 {
		t.Compute = float64(l.FLOPs / m.Peak)
	}
	if m.Link > 0 {
		t.Link = float64(l.Sent / m.Link)
	}
	t.Seconds, t.Binds = t.Memory, "memory"
	if t.Compute > t.Seconds {
		t.Seconds, t.Binds = t.Compute, "compute"
	}
	if t.Link > t.Seconds {
		t.Seconds, t.Binds = t.Link, "link"
	}
	return t
}

// Coverage is the share of a layer's experts that a batch of n tokens reads:
//
//	1 − (1 − K/E)^n
//
// when each token picks K of E experts and all are as likely; real routers pick
// some more often, so it is the most that is expected. At one token it is K/E,
// and it is not K/E at more.
func Coverage(experts, picked, n int64) float64 {
	if experts <= 0 || picked >= experts {
		return 1
	}
	miss, left := float64(experts-picked)/float64(experts), 1.0
	for x := n; x > 0; x >>= 1 {
		if x&1 == 1 {
			left = float64(left * miss)
		}
		miss = float64(miss * miss)
	}
	return 1 - left
}

// Traffic is what devices of a layout send while they work on n tokens together,
// in bytes for one device: elements of size bytes.
type Traffic struct {
	AllReduce float64 // tensor parallelism
	Stages    float64 // pipeline parallelism
	Experts   float64 // expert parallelism
}

// Sum is all of it.
func (t *Traffic) Sum() float64 { return float64(float64(t.AllReduce+t.Stages) + t.Experts) }

// Send works out what one device sends for n tokens of a pass:
//
//	tensor     2 (t−1)/t · n·h·s   for each mixer and each feed-forward: a ring all-reduce
//	pipeline   n·h·s               for each boundary between stages
//	experts    2 (e−1)/e · n·K·h·s for each layer of experts: to them and back
//
// with h the hidden size and s the bytes of an element (Shoeybi et al. 2019,
// arXiv 1909.08053, section 3; Lepikhin et al. 2020, arXiv 2006.16668, section 3).
func Send(m *model.Model, hidden, n, size, tp, pp, ep int64) Traffic {
	var t Traffic
	row := float64(float64(n) * float64(hidden) * float64(size))
	steps, moe := 0.0, 0.0
	for k, p := range m.Parts() {
		if p.Stream != "" || p.Get(model.Unused) != 0 {
			continue
		}
		switch {
		case p.Get(model.Heads) > 0 || p.Get(model.StateSize) > 0 || p.Role == model.FFN:
			steps += float64(k.Count)
		case p.Get(model.Experts) > 0:
			steps += float64(k.Count)
			moe = float64(moe + float64(float64(k.Count)*float64(p.Get(model.TopK))))
		}
	}
	if tp > 1 {
		t.AllReduce = float64(2 * float64(tp-1) / float64(tp) * row * steps)
	}
	if pp > 1 {
		t.Stages = float64(row * float64(pp-1))
	}
	if ep > 1 {
		t.Experts = float64(2 * float64(ep-1) / float64(ep) * row * moe)
	}
	return t
}

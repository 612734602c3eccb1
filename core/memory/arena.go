package memory

// span is a stretch of an arena.
type span struct{ at, n int64 }

// arena places tensors as ggml's graph planner does (ggml-alloc.c): in the
// smallest hole that is large enough, else at the end; what is given back joins
// the holes beside it. Its peak is the size of the buffer.
type arena struct {
	holes []span // by address; the endless one past the last tensor is not among them
	end   int64
	peak  int64
}

// arenaAlign is what the planner rounds sizes up to on a CPU.
const arenaAlign = 32

// take places n bytes.
func (a *arena) take(n int64) span {
	n = roundUp(n, arenaAlign)
	best := -1
	for i, h := range a.holes {
		if h.n >= n && (best < 0 || h.n <= a.holes[best].n) {
			best = i
		}
	}
	if best < 0 {
		s := span{a.end, n}
		a.end += n
		a.peak = max(a.peak, a.end)
		return s
	}
	s := span{a.holes[best].at, n}
	a.holes[best].at += n
	if a.holes[best].n -= n; a.holes[best].n == 0 {
		a.holes = append(a.holes[:best], a.holes[best+1:]...)
	}
	return s
}

// give gives a tensor's place back.
func (a *arena) give(s span) {
	if s.n == 0 {
		return
	}
	i := 0
	for i < len(a.holes) && a.holes[i].at < s.at {
		i++
	}
	if i > 0 && a.holes[i-1].at+a.holes[i-1].n == s.at {
		i--
		a.holes[i].n += s.n
	} else {
		a.holes = append(a.holes, span{})
		copy(a.holes[i+1:], a.holes[i:])
		a.holes[i] = s
	}
	if h := a.holes[i]; i+1 < len(a.holes) && h.at+h.n == a.holes[i+1].at {
		a.holes[i].n += a.holes[i+1].n
		a.holes = append(a.holes[:i+1], a.holes[i+2:]...)
	}
	if last := len(a.holes) - 1; last >= 0 && a.holes[last].at+a.holes[last].n == a.end {
		a.end = a.holes[last].at
		a.holes = a.holes[:last]
	}
}

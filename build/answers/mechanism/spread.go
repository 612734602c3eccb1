package mechanism

import (
	"fmt"
	"strconv"
)

// shards draws what four devices hold of weights, gradients and optimizer states, by stage, to scale.
func shards() string {
	s := &sheet{}
	parts := []struct {
		class string
		bytes int
		from  int // the stage from which on it is shared out
	}{{"r-attention", 2, 3}, {"r-ffn", 2, 2}, {"r-embedding", 12, 1}}
	const devices, unit = 4, 4 // units of width for a byte of a parameter
	y := 2
	for i, name := range []string{"weights, 2 bytes", "gradients, 2", "optimizer, 12"} {
		x := []int{4, 130, 224}[i]
		s.box(x, y, 11, 11, parts[i].class)
		s.say(x+15, y+10, "", name)
	}
	y = 24
	for stage := range 4 {
		total := 0.0
		for _, p := range parts {
			if stage >= p.from {
				total += float64(p.bytes) / devices
			} else {
				total += float64(p.bytes)
			}
		}
		s.say(4, y+12, "own", "stage "+strconv.Itoa(stage))
		s.say(324, y+12, "end", strconv.FormatFloat(total, 'g', 3, 64)+" bytes a parameter on each")
		y += 18
		for d := range devices {
			x := 26
			s.say(20, y+d*15+10, "end quiet", strconv.Itoa(d+1))
			for _, p := range parts {
				wide := p.bytes * unit * 4
				if stage < p.from {
					s.box(x, y+d*15, wide, 12, p.class)
				} else {
					s.box(x, y+d*15, wide, 12, "hollow")
					s.box(x+d*wide/devices, y+d*15, wide/devices, 12, p.class)
				}
				x += wide
			}
		}
		y += devices*15 + 10
	}
	return s.svg("Four devices, four stages: nothing is shared out, then the optimizer's states, then gradients too, then weights too")
}

// job is a piece of a pipeline's work: which stage, when, how long, for which micro-batch.
type job struct{ stage, from, length, batch int }

// schedule draws a pipeline of four stages with eight micro-batches: all forward and then all backward, and one
// forward one backward; a backward pass takes twice as long.
func schedule() string {
	const stages, batches = 4, 8
	s := &sheet{}
	y := 4
	for k, name := range []string{"all forward, then all backward", "one forward, one backward"} {
		jobs := plan(stages, batches, k == 1)
		end := 0
		for _, j := range jobs {
			end = max(end, j.from+j.length)
		}
		s.say(4, y+12, "own", name)
		most := 0
		for st := range stages {
			held, peak := 0, 0
			for _, j := range jobs {
				if j.stage != st {
					continue
				}
				if j.length == 1 {
					held++
				} else {
					held--
				}
				peak = max(peak, held)
			}
			if st == 0 {
				most = peak
			}
		}
		y += 18
		const left, cell = 42, 8
		for st := range stages {
			s.say(38, y+st*19+12, "end quiet", "GPU "+strconv.Itoa(st+1))
			s.box(left, y+st*19, end*cell, 17, "hollow")
		}
		for _, j := range jobs {
			class := "r-attention"
			if j.length == 2 {
				class = "r-head"
			}
			s.box(left+j.from*cell, y+j.stage*19, j.length*cell, 17, class)
			s.say(left+j.from*cell+j.length*cell/2, y+j.stage*19+12, "num mid", strconv.Itoa(j.batch+1))
		}
		y += stages*19 + 14
		s.say(42, y, "quiet", fmt.Sprintf("GPU 1 holds %d micro-batches' activations", most))
		y += 14
	}
	s.box(4, y-2, 11, 11, "r-attention")
	s.say(19, y+8, "", "forward")
	s.box(84, y-2, 11, 11, "r-head")
	s.say(99, y+8, "", "backward")
	s.box(174, y-2, 11, 11, "hollow")
	s.say(189, y+8, "", "waiting: the bubble")
	return s.svg("Two schedules of a pipeline with four GPUs and eight micro-batches. Both take as long and wait as long; the second holds fewer activations")
}

// plan lists the work of a pipeline in the order in which each stage does it: forward passes take one turn,
// backward passes two. With alternating, a stage takes a backward pass as soon as one is ready and enough forward
// passes are under way.
func plan(stages, batches int, alternating bool) []job {
	type turn struct {
		forward bool
		batch   int
	}
	order := make([][]turn, stages)
	for st := range stages {
		warm := batches
		if alternating {
			warm = min(stages-st, batches)
		}
		for b := range warm {
			order[st] = append(order[st], turn{true, b})
		}
		back := 0
		for b := warm; b < batches; b++ {
			order[st] = append(order[st], turn{false, back}, turn{true, b})
			back++
		}
		for ; back < batches; back++ {
			order[st] = append(order[st], turn{false, back})
		}
	}
	done := map[[3]int]int{} // end of a pass by stage, batch and direction
	next := make([]int, stages)
	free := make([]int, stages)
	var jobs []job
	for left := 2 * stages * batches; left > 0; {
		moved := false
		for st := range stages {
			if next[st] == len(order[st]) {
				continue
			}
			t := order[st][next[st]]
			ready, known := 0, true
			switch {
			case t.forward && st > 0:
				ready, known = done[[3]int{st - 1, t.batch, 0}], done[[3]int{st - 1, t.batch, 0}] > 0
			case !t.forward && st < stages-1:
				ready, known = done[[3]int{st + 1, t.batch, 1}], done[[3]int{st + 1, t.batch, 1}] > 0
			case !t.forward:
				ready, known = done[[3]int{st, t.batch, 0}], done[[3]int{st, t.batch, 0}] > 0
			}
			if !known {
				continue
			}
			length, way := 1, 0
			if !t.forward {
				length, way = 2, 1
			}
			from := max(ready, free[st])
			jobs = append(jobs, job{st, from, length, t.batch})
			free[st] = from + length
			done[[3]int{st, t.batch, way}] = from + length
			next[st]++
			left--
			moved = true
		}
		if !moved {
			panic("mechanism: a pipeline's schedule waits for itself")
		}
	}
	return jobs
}

// exchange draws the four collectives: what four devices have before and after.
func exchange() string {
	s := &sheet{}
	const n, c = 4, 15
	colours := []string{"r-attention", "r-ffn", "r-embedding", "r-expert"}
	kinds := []struct {
		name          string
		before, after func(d, part int) string // class of a device's part; "" for nothing
	}{
		{"all-gather", func(d, p int) string {
			if d == p {
				return colours[p]
			}
			return "hollow"
		}, func(_, p int) string { return colours[p] }},
		{"reduce-scatter", func(_, p int) string { return colours[p] + " light" }, func(d, p int) string {
			if d == p {
				return colours[p]
			}
			return "hollow"
		}},
		{"all-reduce", func(_, p int) string { return colours[p] + " light" }, func(_, p int) string { return colours[p] }},
		{"all-to-all", func(d, _ int) string { return colours[d] }, func(_, p int) string { return colours[p] }},
	}
	for k, kind := range kinds {
		x, y := 2+k%2*165, 16+k/2*98
		s.say(x, y-4, "own", kind.name)
		for d := range n {
			s.say(x+8, y+d*(c+4)+12, "mid quiet", strconv.Itoa(d+1))
			for p := range n {
				s.box(x+16+p*c, y+d*(c+4), c, c, kind.before(d, p))
				s.box(x+98+p*c, y+d*(c+4), c, c, kind.after(d, p))
			}
		}
		s.line("flow", true, x+80, y+2*(c+4)-3, x+95, y+2*(c+4)-3)
	}
	s.say(4, 214, "quiet", "A row is a GPU, a colour a part of the tensor;")
	s.say(4, 228, "quiet", "in all-to-all, the GPU that it comes from.")
	s.say(4, 242, "quiet", "Light: each GPU's own numbers. Full: their sum,")
	s.say(4, 256, "quiet", "or the one copy there is.")
	return s.svg("Four GPUs before and after all-gather, reduce-scatter, all-reduce and all-to-all")
}

package step

// thin leaves three layers of each kind to be laid out, where there are more: the first of its kind, the last,
// and one between them for all the others, which take the same to the byte. Collectives overlap from layer to
// layer, so the last but one has its own, too.
func (p *plan) thin() {
	p.all = p.pattern
	rounds := 3
	if p.o.Shard != nil {
		rounds = 4
	}
	order := func(back bool) (out []uint16) {
		seen := make([]bool, len(p.kinds))
		for i := range p.all {
			k := p.all[i]
			if back {
				k = p.all[len(p.all)-1-i]
			}
			if !seen[k] {
				seen[k] = true
				out = append(out, k)
			}
		}
		return out
	}
	first, last := order(false), order(true)
	p.round = len(first) // a stage of a pipeline need not have layers of all kinds
	if len(p.all) <= rounds*p.round || p.bridge > 0 {
		return
	}
	p.pattern = append([]uint16{}, first...)
	for range rounds - 2 {
		p.pattern = append(p.pattern, first...)
	}
	for i := len(last) - 1; i >= 0; i-- {
		p.pattern = append(p.pattern, last[i])
	}
}

// stands is the layer of the thinned pattern that a layer is laid out as.
func (p *plan) stands(i int) int {
	if len(p.pattern) == len(p.all) {
		return i
	}
	n := p.round
	from := n // the second round
	switch i {
	case 0:
		return 0
	case len(p.all) - 1:
		return len(p.pattern) - 1
	case len(p.all) - 2:
		from = len(p.pattern) - 2*n
	}
	for j := from; j < from+n; j++ {
		if p.pattern[j] == p.all[i] {
			return j
		}
	}
	return from
}

// assemble puts the legs of all layers together: each adds to what is live what it added where it was laid out.
// Alone grows to the highest total where sums are made in place. Late is what goes of each layer at the end of the forward pass. It returns what is live at the end of each phase.
func (p *plan) assemble(legs []leg, late []int64, start Split, curve *[]Moment, high *[NumPhases]Moment, alone *int64) (ends [NumPhases]Split, ok bool) {
	live := start
	before := start // of the leg that is replayed
	out := make([]Moment, 0, 2*len(p.all)+6)
	ok = true
	play := func(l *leg, from *Split, layer int32) {
		*alone = max(*alone, live.Total()+l.alone-from.Total())
		x := Moment{Phase: l.phase, Layer: layer, Part: partNames[l.part], Op: l.what}
		for c := range live {
			x.Live[c] = live[c] + l.high[c] - from[c]
			live[c] += l.end[c] - from[c]
		}
		total := x.Live.Total()
		if total < 0 || total > 1<<60 {
			ok = false
		}
		if total >= high[l.phase].Live.Total() {
			high[l.phase] = x
		}
		ends[l.phase] = live
		out = append(out, x)
	}
	for i := 0; i < len(legs); {
		l := &legs[i]
		if l.layer < 0 || len(p.pattern) == len(p.all) {
			play(l, &before, l.layer)
			before = l.end
			if l.phase == Forward && i > 0 && len(late) < len(p.all) {
				for _, n := range late {
					live[Copies] += n
				}
				for at := range p.all {
					live[Copies] -= late[p.stands(at)]
				}
				ends[Forward] = live
			}
			i++
			continue
		}
		j := i // the layers of one pass, in its order
		for j < len(legs) && legs[j].layer >= 0 && legs[j].phase == l.phase {
			j++
		}
		back := l.layer != 0
		for n := range p.all {
			at := n
			if back {
				at = len(p.all) - 1 - n
			}
			s := p.stands(at)
			if back {
				s = len(p.pattern) - 1 - s
			}
			from := &before
			if s > 0 {
				from = &legs[i+s-1].end
			}
			play(&legs[i+s], from, int32(at))
			if !ok {
				return ends, false
			}
		}
		before = legs[j-1].end
		i = j
	}
	*curve = out
	return ends, ok
}

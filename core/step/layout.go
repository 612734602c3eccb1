package step

// thin leaves out layers that take the same to the byte as others which stay: those of one kind between layers of the same
// kinds. What a collective gathers ahead and reduces behind lives into the next layer's turn, and the one after that.
func (p *plan) thin() {
	if p.all = p.pattern; p.o.each {
		return
	}
	after := 1
	if p.o.Shard != nil {
		after = 2
	}
	p.opens = -1
	for i, k := range p.all {
		if p.kinds[k].turns() {
			p.opens = i
			break
		}
	}
	n := len(p.all)
	p.as = make([]uint16, n)
	kept := make([]uint16, n) // layers, of which the first ones are left out as they are found to be like others
	var first []int           // of those that are alike
	var many []int
	for i := range p.all {
		kept[i] = uint16(i)
		at := 0
		for at < len(first) && !p.alike(i, first[at], 1, after) {
			at++
		}
		if at == len(first) {
			first, many = append(first, i), append(many, 0)
		}
		p.as[i] = uint16(at)
		many[at]++
	}
	out := make([]int, len(many))
	for a := 1; a < len(kept); a++ {
		clear(out)
		most := a
		for b := a + 1; b < len(kept); b++ {
			same := p.as[kept[b-1]]
			if out[same]++; out[same] == many[same] {
				break
			}
			if p.as[kept[a]] == p.as[kept[b]] {
				most = b
			}
		}
		for _, i := range kept[a:most] {
			many[p.as[i]]--
		}
		kept = append(kept[:a], kept[most:]...)
	}
	p.pattern = make([]uint16, len(kept))
	stands := make([]uint16, len(many))
	bridge := p.bridge
	for at, i := range kept {
		p.pattern[at] = p.all[i]
		stands[p.as[i]] = uint16(at)
		if int(i) == bridge { // a layer of its own: none else stands between these
			p.bridge = at
		}
	}
	for i := range p.as {
		p.as[i] = stands[p.as[i]]
	}
}

// turns reports whether a layer turns heads by their positions.
func (k *kind) turns() bool {
	for i := range k.branches {
		if a := k.branches[i].attn; a != nil && a.rope > 0 {
			return true
		}
	}
	return false
}

// turned reports whether any layer does.
func (p *plan) turned() bool {
	for i := range p.kinds {
		if p.kinds[i].turns() {
			return true
		}
	}
	return false
}

// alike reports whether two layers are of one kind, and those next to them, that many before and after. The first that reads
// the tables of positions is like no other: with its gradients they go.
func (p *plan) alike(i, j, before, after int) bool {
	if (i == p.opens) != (j == p.opens) {
		return false
	}
	for d := -before; d <= after; d++ {
		in, also := i+d >= 0 && i+d < len(p.all), j+d >= 0 && j+d < len(p.all)
		if in != also || in && p.all[i+d] != p.all[j+d] {
			return false
		}
	}
	return true
}

// stands is the layer of the thinned pattern that a layer is laid out as.
func (p *plan) stands(i int) int {
	if len(p.pattern) == len(p.all) {
		return i
	}
	return int(p.as[i])
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
		back, first := l.phase == Backward, int(l.layer)
		for n := range p.all {
			at := n
			if back {
				at = len(p.all) - 1 - n
			}
			s := p.stands(at)
			if back {
				s = len(p.pattern) - 1 - s
			} else if s -= first; s < 0 { // an encoder's, which this pass does without
				continue
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

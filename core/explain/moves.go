package explain

import (
	"llmsize/core/config"
	"llmsize/core/device"
	"llmsize/core/figure"
	"llmsize/core/formula"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
)

// Move is what one step of a key does to a figure.
type Move struct {
	Key   Source
	To    string        // the key's value after the step
	Link  string        // the question with it
	Value formula.Value // the figure then
	Times float64       // in what it was; 0 where that isn't a number, or is zero
}

// Moves lists the keys whose next step gives the figure at a path another value, the largest change first. A step
// doubles a size or a count, turns a switch, takes the next smaller format, the next larger device, the next choice.
func Moves(r *report.Report, h *Host, path string) []Move {
	base := numbersOf(h, r, path).Value(path)
	var out []Move
	sources := Sources(r)
	for i := range sources {
		s := &sources[i]
		for _, to := range step(r, h, s) {
			x, err := ask(r, h, s, to)
			if err != nil {
				continue // the next one may be possible
			}
			if v := numbersOf(h, x, path).Value(path); v.Kind != formula.Null && v != base {
				m := Move{Key: *s, To: to, Link: x.Query.String(), Value: v}
				if base.OK() && v.OK() && base.Float() > 0 {
					m.Times = v.Float() / base.Float()
				}
				out = insert(out, m)
			}
			break
		}
	}
	return out
}

// insert keeps the list in order of how far each moves.
func insert(list []Move, m Move) []Move {
	i := len(list)
	for i > 0 && list[i-1].far() < m.far() {
		i--
	}
	list = append(list, m)
	copy(list[i+1:], list[i:])
	list[i] = m
	return list
}

// far is how far a move goes, the same up and down: twice as much is as far as half.
func (m *Move) far() float64 {
	switch {
	case m.Times > 1:
		return m.Times
	case m.Times > 0:
		return 1 / m.Times
	}
	return 1e300 // to or from nothing
}

// Ladder of formats, from the widest: what one format smaller is.
var (
	weightLadder = [...]string{"fp32", "bf16", "fp8", "q6_k", "q5_k_m", "q4_k_m", "q3_k_m", "q2_k", "iq2_xxs"}
	weightBits   = [...]int64{32_000_000, 16_000_000, 8_000_000, 6_600_000, 5_700_000, 4_900_000, 4_000_000, 2_700_000, 0}
	cacheLadder  = [...]string{"fp32", "bf16", "fp8", "q5_1", "q4_0"}
)

// step is the next value of a key, with others to take where it cannot be.
func step(r *report.Report, h *Host, s *Source) []string {
	n, whole := s.Value.Int()
	if s.Asked {
		in := query.About(s.param)
		switch s.param {
		case query.Weights:
			for i, name := range weightLadder {
				if weightBits[i] < r.Weights.Per-1_000_000 {
					return []string{name}
				}
			}
			return nil
		case query.KV:
			for i := range cacheLadder[:len(cacheLadder)-1] {
				if cacheLadder[i] == s.Value.Text || i == 1 && s.Value.Text == "fp16" {
					return []string{cacheLadder[i+1]}
				}
			}
			return nil
		case query.Device:
			if d := larger(r.Subject.Device, h); d != nil {
				return []string{d.Slug}
			}
			return nil
		case query.Tokens:
			if len(s.Value.Text) > 1 && !whole {
				per, _ := units.ParseCount(s.Value.Text[:len(s.Value.Text)-1])
				return []string{units.Itoa(2*per) + "x"}
			}
		case query.LoRARank, query.Days, query.Served, query.Rate, query.Draft:
			if n == 0 {
				return []string{map[query.Param]string{query.LoRARank: "16", query.Days: "30", query.Served: "1T", query.Rate: "", query.Draft: "4"}[s.param]}
			}
		case query.MFU, query.Accept:
			return []string{units.Itoa(min(100, n+10))}
		}
		for i, a := range in.Allowed {
			if a == r.Query.Get(s.param) {
				return append(append([]string{}, in.Allowed[i+1:]...), in.Allowed[:i]...)
			}
		}
		if whole {
			return []string{units.Itoa(2 * n)}
		}
		return nil
	}
	switch s.Value.Kind {
	case config.Number:
		if whole && n > 0 {
			return []string{units.Itoa(2 * n), units.Itoa(n / 2)}
		}
	case config.Bool:
		if s.Value.Text == "true" {
			return []string{"false"}
		}
		return []string{"true"}
	}
	return nil
}

// larger is the smallest device that has more memory in all.
func larger(d *device.Device, h *Host) *device.Device {
	if d == nil {
		return nil
	}
	var best *device.Device
	for _, x := range h.Devices {
		if total(x) > total(d) && (best == nil || total(x) < total(best)) {
			best = x
		}
	}
	return best
}

func total(d *device.Device) int64 { return d.Memory * d.Count }

// Text is a figure's value as readers take it in.
func Text(r *report.Report, path string, v formula.Value) string {
	u := figure.Count
	if f := figure.Find(path); f != nil {
		u = f.Unit
	}
	return u.Short(v, r.Query.Get(query.Units))
}

package explain

import (
	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/core/figure"
	"llmsize/core/formula"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
)

// Sought is the answer to a goal.
type Sought struct {
	To      string        // the largest value of the key that keeps to the goal; empty where none does
	AtLeast bool          // it is the smallest: the figure falls as the key grows
	Link    string        // the question with it
	Value   formula.Value // the figure with it
	Next    string        // the next value, with which
	Then    formula.Value // the figure passes the goal; nothing where any value keeps to it
	Why     string        // why no value does
}

// most is as far as a count is tried.
const most = 1 << 32

// Seek looks for the largest value of a key with which the figure at a path is at most a goal. Of a key of choices, it
// is the first in the order of the list, which goes from the widest format down. Counts and sizes are taken to move a
// figure one way, as far as the search goes; what it returns is asked once more, and so is the next one.
func Seek(r *report.Report, h *Host, path, key string, goal float64) (Sought, *fault.Error) {
	if _, err := figureOf(h, r, path); err != nil {
		return Sought{}, err
	}
	var s *Source
	sources := Sources(r)
	for i := range sources {
		if sources[i].Key() == key {
			s = &sources[i]
		}
	}
	if s == nil {
		e := &fault.Error{Field: "key", Given: fault.Clip(key, 60), Problem: "is not a key of this question"}
		var names []string
		for i := range sources {
			names = append(names, sources[i].Key())
		}
		for i, n := range Nearest(names, key, 3) {
			if i > 0 {
				e.Hint += ", "
			}
			e.Hint += n
		}
		return Sought{}, e
	}
	k := knob{r: r, h: h, s: s, path: path, goal: goal}
	n, whole := s.Value.Int()
	switch {
	case s.Asked && s.param == query.Weights:
		return k.choices(weightLadder[:]), nil
	case s.Asked && s.param == query.KV:
		return k.choices(cacheLadder[:]), nil
	case s.Asked && s.param == query.Device:
		return k.choices(k.devices()), nil
	case s.Asked && len(query.About(s.param).Allowed) > 0:
		return k.choices(query.About(s.param).Allowed), nil
	case whole:
		return k.count(n), nil
	}
	return Sought{}, &fault.Error{Field: "key", Given: key, Problem: "is neither a number nor one of a list of choices"}
}

// figureOf is a figure that is a number.
func figureOf(h *Host, r *report.Report, path string) (formula.Value, *fault.Error) {
	v := numbersOf(h, r, path).Value(path)
	if v.Kind == formula.Null {
		return v, unknown(r, path)
	}
	if !v.OK() {
		return v, &fault.Error{Field: "FIGURE", Given: path, Problem: "isn't a number: no goal can be set for it"}
	}
	return v, nil
}

// knob is a key that is turned until a figure keeps to a goal.
type knob struct {
	r    *report.Report
	h    *Host
	s    *Source
	path string
	goal float64
	err  *fault.Error // of the last value that could not be asked
}

// at is the figure, and the link, with the key at a value; ok is false where it cannot be asked.
func (k *knob) at(value string) (v formula.Value, link string, ok bool) {
	x, err := ask(k.r, k.h, k.s, value)
	if err != nil {
		k.err = err
		return v, "", false
	}
	v = numbersOf(k.h, x, k.path).Value(k.path)
	return v, x.Query.String(), v.OK()
}

func (k *knob) keeps(v formula.Value) bool { return v.Float() <= k.goal }

func (k *knob) choices(list []string) Sought {
	out := Sought{}
	for _, c := range list {
		v, link, ok := k.at(c)
		if !ok {
			continue
		}
		if k.keeps(v) {
			out.To, out.Link, out.Value = c, link, v
			return out
		}
		out.Next, out.Then = c, v
	}
	return k.none(out.Then)
}

// devices are those of the catalogue, the largest first.
func (k *knob) devices() []string {
	var out []string
	var size []int64
	for _, d := range k.h.Devices {
		at := len(out)
		for at > 0 && size[at-1] < total(d) {
			at--
		}
		out = append(out[:at], append([]string{d.Slug}, out[at:]...)...)
		size = append(size[:at], append([]int64{total(d)}, size[at:]...)...)
	}
	return out
}

// count finds the largest number: of those that differ from the key's own by a multiple of the smallest step that can be
// asked.
func (k *knob) count(own int64) Sought {
	by := int64(0)
	for _, d := range [...]int64{1, 2, 4, 8, 16, 32, 64, 128, 256} {
		_, _, up := k.at(units.Itoa(own + d))
		_, _, far := k.at(units.Itoa(own + 3*d))
		if up && far {
			by = d
			break
		}
	}
	if by == 0 { // sizes that others must divide
		by = own
	}
	first := own % by
	if first < 1 {
		first += by
	}
	value := func(i int64) int64 { return first + i*by }
	ask := func(i int64) (formula.Value, string, bool) { return k.at(units.Itoa(value(i))) }
	v, link, ok := ask(0)
	for !ok && value(0) < own {
		first += by
		v, link, ok = ask(0)
	}
	if !ok {
		return k.none(formula.Value{})
	}
	if !k.keeps(v) { // it may fall as the key grows
		low, lowest := int64(0), v
		for high := int64(1); value(high) <= most; low, high = high, 2*high {
			v, link, ok := ask(high)
			if !ok || v.Float() >= lowest.Float() {
				break
			}
			if lowest = v; !k.keeps(v) {
				continue
			}
			out := Sought{To: units.Itoa(value(high)), Link: link, Value: v, AtLeast: true}
			for high-low > 1 {
				mid := (low + high) / 2
				if v, link, ok := ask(mid); ok && k.keeps(v) {
					high = mid
					out.To, out.Link, out.Value = units.Itoa(value(mid)), link, v
				} else {
					low = mid
				}
			}
			return out
		}
		return k.none(v)
	}
	out := Sought{To: units.Itoa(value(0)), Link: link, Value: v}
	low, high := int64(0), int64(1)
	var then formula.Value
	for {
		if value(high) > most {
			return out // any
		}
		v, link, ok := ask(high)
		if !ok || !k.keeps(v) {
			then = v
			break
		}
		out.To, out.Link, out.Value = units.Itoa(value(high)), link, v
		low, high = high, 2*high
	}
	for high-low > 1 {
		mid := (low + high) / 2
		v, link, ok := ask(mid)
		if ok && k.keeps(v) {
			low = mid
			out.To, out.Link, out.Value = units.Itoa(value(mid)), link, v
		} else {
			high, then = mid, v
		}
	}
	out.Next, out.Then = units.Itoa(value(high)), then
	return out
}

// none says why nothing keeps to the goal.
func (k *knob) none(least formula.Value) Sought {
	if !least.OK() {
		s := Sought{Why: "no other value of it can be asked"}
		if k.err != nil {
			s.Why += ": " + k.err.Error()
		}
		return s
	}
	name := k.path
	if f := figure.Find(k.path); f != nil && f.Label != "" {
		name = f.Name()
	}
	return Sought{Then: least, Why: name + " is " + Text(k.r, k.path, least) + " even at the smallest value of " + k.s.Key()}
}

// Goal reads a number with its unit, as a reader writes it of a figure: "24 GB", "10ms", "1.5B", "8 J". B is a byte where
// bytes are counted, and else a billion.
func Goal(text string, of figure.Unit) (float64, bool) {
	i := 0
	for i < len(text) && (text[i] >= '0' && text[i] <= '9' || text[i] == '.' || text[i] == ',') {
		i++
	}
	digits := ""
	for j := range i {
		if text[j] != ',' {
			digits += text[j : j+1]
		}
	}
	f, ok := config.ParseFloat(digits)
	if !ok || i == 0 {
		return 0, false
	}
	rest := text[i:]
	for len(rest) > 0 && rest[0] == ' ' {
		rest = rest[1:]
	}
	if rest == "B" && of == figure.Bytes {
		return f, true
	}
	for _, u := range goalUnits {
		if rest == u.name {
			return float64(f * u.times), true
		}
	}
	return 0, false
}

var goalUnits = [...]struct {
	name  string
	times float64
}{{"", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"ns", 1e-9}, {"µs", 1e-6}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"hours", 3600}, {"h", 3600}, {"k", 1e3}, {"K", 1e3}, {"M", 1e6}, {"B", 1e9}, {"T", 1e12},
	{"J", 1}, {"mJ", 1e-3}, {"kJ", 1e3}, {"MFLOP", 1e6}, {"GFLOP", 1e9}, {"TFLOP", 1e12}, {"PFLOP", 1e15}, {"EFLOP", 1e18}, {"ZFLOP", 1e21}, {"YFLOP", 1e24}}

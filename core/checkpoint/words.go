package checkpoint

import (
	"llmsize/core/fault"
	"llmsize/core/jsonout"
	"llmsize/core/units"
)

// Words says a verdict in a sentence.
func (v *Verdict) Words() string {
	if v.Unread > 0 && v.Verdict != Differs {
		way := "a way"
		if v.Method != "" {
			way = fault.Clip(v.Method, 40) + ", a way"
		}
		return "Matrices are packed in " + way + " that isn't unpacked here: their elements are the config's word." + also(v.Verdict == MoreIn && v.only(Scale), " Everything else agrees.")
	}
	switch v.Verdict {
	case Alone:
		return "The checkpoint speaks for itself: there is no config of a known kind to compare with."
	case Equal:
		return "Config and checkpoint agree: every tensor is there, and no other."
	case MoreIn:
		if v.only(Scale) {
			return "Config and checkpoint agree: every tensor is there, and packed ones come with what it takes to read them."
		}
		return "The checkpoint holds everything that the config says, and more."
	case OtherIn:
		return "Config and checkpoint agree but for dtypes."
	}
	missing, shapes := int64(0), int64(0)
	for _, d := range v.Differences {
		switch d.Kind {
		case Missing:
			missing += d.Tensors
		case Shape:
			shapes += d.Tensors
		}
	}
	said := ""
	if missing > 0 {
		said = Tensors(missing) + " of the class " + plural(missing, "is", "are") + " missing"
	}
	if shapes > 0 {
		if said != "" {
			said += ", and "
		}
		said += Tensors(shapes) + plural(shapes, " has", " have") + " another shape"
	}
	return "Config and checkpoint differ: " + said + "."
}

// only reports whether what is extra has that reason, and nothing else differs.
func (v *Verdict) only(reason string) bool {
	for _, d := range v.Differences {
		if d.Kind != Extra || d.Reason != reason {
			return false
		}
	}
	return true
}

func also(is bool, text string) string {
	if is {
		return text
	}
	return ""
}

// words of each reason, for what is extra.
var extraWords = [...]string{"layers that predict further tokens", "stored again, though tied", "buffers that the class lacks", "scales and other packing data", "adapters", "more, for no reason known here"}

// Words says what a difference is: "more: stored again, though tied".
func (d *Difference) Words() string {
	switch d.Kind {
	case Missing:
		if d.Reason == Buffer {
			return "missing buffers"
		}
		return "missing"
	case Shape:
		return "of another shape"
	case Precision:
		return "in another dtype than the config's"
	}
	return ReasonWords(d.Reason)
}

// Named is the i-th name of a difference, with what differs: "model.embed_tokens.weight, [384, 64] where the class has [320, 64]".
func (d *Difference) Named(i int) string {
	if i < len(d.How) {
		return d.Names[i] + ", " + d.How[i]
	}
	return d.Names[i]
}

// Tensors says how many: "1 tensor", "21 tensors".
func Tensors(n int64) string { return units.Group(n) + plural(n, " tensor", " tensors") }

// ReasonWords says why a checkpoint holds more than its class: "stored again, though tied".
func ReasonWords(reason string) string {
	for r := range reasons {
		if reasons[r] == reason {
			return extraWords[r]
		}
	}
	return reason
}

// Line is a term of what a checkpoint holds.
type Line struct {
	What string
	N    int64 // of elements; below zero for what is not there
}

// Sum adds up what the checkpoint holds, beginning with the config's class: the last line is the checkpoint. Packing data stand for
// nothing and aren't a term. It is empty where no config of a known kind is there.
func (v *Verdict) Sum() []Line {
	if !v.Known {
		return nil
	}
	out := []Line{{"the config's class", v.Config}}
	n := v.Config
	put := func(what string, x int64) {
		if x != 0 {
			out = append(out, Line{what, x})
			n += x
		}
	}
	put("buffers that it stores too", v.Buffers)
	shapes := int64(0)
	for i := range v.Differences {
		switch d := &v.Differences[i]; {
		case d.Kind == Missing:
			put(d.Words()+", "+Tensors(d.Tensors), -d.Parameters)
		case d.Kind == Extra && d.Reason != Scale:
			put(d.Words()+", "+Tensors(d.Tensors), d.Parameters)
		case d.Kind == Shape:
			shapes = d.Tensors
		}
	}
	if rest := v.Parameters - n; shapes > 0 {
		put("of another shape, "+Tensors(shapes), rest)
	} else {
		put("halves of bytes that stand for nothing", rest)
	}
	return append(out, Line{"the checkpoint, " + Tensors(v.Tensors), v.Parameters})
}

// Notes are sentences about how names were read.
func (v *Verdict) Notes() []string {
	var out []string
	for _, r := range v.Renamed {
		from, to := "begin with "+r.From, "begin with "+r.To
		if r.From == "" {
			from = "lack the beginning " + r.To
			to = "with it"
		}
		if r.To == "" {
			to = "without that"
		}
		out = append(out, "names that "+from+" are read as those that the class has "+to)
	}
	if v.Unread > 0 {
		out = append(out, units.Group(v.Unread)+plural(v.Unread, " matrix", " matrices")+" of the class, "+units.Group(v.Assumed)+
			" elements, "+plural(v.Unread, "is", "are")+" packed in a way that isn't unpacked here; the count takes them as the class has them")
	}
	if v.Biases {
		out = append(out, "biases beside packed matrices are the quantizer's: its modules keep one even where the class has none")
	}
	if v.Regrouped {
		out = append(out, "experts, or matrices of one module, are stored in other tensors than the class's; together they are as large")
	}
	return out
}

func plural(n int64, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// JSON is the verdict for programs.
func (v *Verdict) JSON() jsonout.Value {
	var known jsonout.Value
	if v.Known {
		known = jsonout.Object("parameters", jsonout.Int(v.Config), "buffers", jsonout.Int(v.Buffers))
	}
	list := jsonout.List()
	for i := range v.Differences {
		d := &v.Differences[i]
		names := jsonout.List()
		for _, n := range d.Names {
			names = names.Append(jsonout.Text(n))
		}
		var how jsonout.Value
		if len(d.How) > 0 {
			how = jsonout.List()
			for _, s := range d.How {
				how = how.Append(jsonout.Text(s))
			}
		}
		list = list.Append(jsonout.Object("kind", jsonout.Text(d.Kind), "reason", jsonout.Text(d.Reason), "tensors", jsonout.Int(d.Tensors), "parameters", jsonout.Int(d.Parameters), "names", names, "how", how))
	}
	var unread jsonout.Value
	if v.Unread > 0 {
		unread = jsonout.Object("matrices", jsonout.Int(v.Unread), "parameters", jsonout.Int(v.Assumed), "method", jsonout.Text(v.Method))
	}
	return jsonout.Object("config", known, "checkpoint", jsonout.Object("tensors", jsonout.Int(v.Tensors), "parameters", jsonout.Int(v.Parameters), "bytes", jsonout.Int(v.Bytes)),
		"differences", list, "unread", unread, "verdict", jsonout.Text(v.Verdict))
}

// Of is what tensors of one type come to.
type Of struct {
	Type     Type
	Tensors  int64
	Elements int64 // as stored, packed ones not unpacked
	Bytes    int64
}

// Types adds up the tensors by type, in the order of the table.
func (l *List) Types() []Of {
	all := make([]Of, NumTypes)
	for i := range l.count {
		t := l.at(i).typ
		n := l.Elements(i)
		size, _ := t.dataBytes(n)
		all[t].Tensors++
		all[t].Elements += n
		all[t].Bytes += size
	}
	var out []Of
	for t := range all {
		if all[t].Type = Type(t); all[t].Tensors > 0 {
			out = append(out, all[t])
		}
	}
	return out
}

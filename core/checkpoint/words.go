package checkpoint

import (
	"llmsize/core/jsonout"
)

// Words says a verdict in a sentence.
func (v *Verdict) Words() string {
	switch v.Verdict {
	case Alone:
		return "The checkpoint speaks for itself: there is no config of a known kind to compare with."
	case Equal:
		return "Config and checkpoint agree: every tensor is there, and no other."
	case MoreIn:
		return "The checkpoint holds everything that the config says, and more."
	case OtherIn:
		return "Config and checkpoint agree but for dtypes."
	}
	return "Config and checkpoint differ: a tensor is missing or has another shape."
}

// words of each reason, for what is extra.
var extraWords = [...]string{"layers that predict further tokens", "stored again, though tied", "buffers of other versions", "scales and other packing data", "adapters", "more, for no reason known here"}

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

// ReasonWords says why a checkpoint holds more than its class: "stored again, though tied".
func ReasonWords(reason string) string {
	for r := range reasons {
		if reasons[r] == reason {
			return extraWords[r]
		}
	}
	return reason
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
	if v.Regrouped {
		out = append(out, "experts are stored in other tensors than the class's; together they are as large")
	}
	return out
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
		list = list.Append(jsonout.Object("kind", jsonout.Text(d.Kind), "reason", jsonout.Text(d.Reason), "tensors", jsonout.Int(d.Tensors), "parameters", jsonout.Int(d.Parameters), "names", names))
	}
	return jsonout.Object("config", known, "checkpoint", jsonout.Object("tensors", jsonout.Int(v.Tensors), "parameters", jsonout.Int(v.Parameters), "bytes", jsonout.Int(v.Bytes)),
		"differences", list, "verdict", jsonout.Text(v.Verdict))
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

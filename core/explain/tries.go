package explain

import (
	"llmsize/core/config"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
)

// words are texts that keys may say wherever they stand: formats, activation functions, kinds of layers and positions.
var words = []string{"float32", "float16", "bfloat16", "float8_e4m3fn", "silu", "gelu", "gelu_new", "gelu_pytorch_tanh", "relu", "relu2", "quick_gelu",
	"full_attention", "sliding_attention", "linear_attention", "attention", "mamba", "dense", "sparse", "moe", "absolute", "rotary", "relative_key", "relative_key_query"}

// tries are the values that are tried for a key, the likeliest to tell first.
func tries(r *report.Report, h *Host, s *Source) []string {
	var out []string
	add := func(list ...string) {
	next:
		for _, x := range list {
			for _, o := range out {
				if o == x {
					continue next
				}
			}
			if x != s.Value.JSON() && x != s.Value.Text {
				out = append(out, x)
			}
		}
	}
	numbers := func(n int64) {
		for _, x := range [...]int64{2 * n, n / 2, n + 1, n - 1, 3 * n, n + 8, n + 64, n / 4, 4 * n, n + 32, n - 8, n - 2, n + 2, 1, 2, 4, 8, 16, 64, 128, 256, 1024, 0, 3, 10 * n, 1000 * n, 1_000_000, 1 << 31} {
			if x >= 0 && x <= 1<<40 {
				add(units.Itoa(x))
			}
		}
	}
	if s.Asked {
		switch in := query.About(s.param); s.param {
		case query.Device:
			for _, d := range h.Devices {
				add(d.Slug)
			}
		case query.Tokens:
			add("40x", "1x", "1000000000", "15T")
		case query.LoRATargets:
			add("q,v", "q,k,v,o", "all-linear-no-experts", "peft-default", "all-linear")
		default:
			if add(in.Allowed...); len(in.Allowed) == 0 {
				n, _ := s.Value.Int()
				numbers(n)
				add("100", "50", "20")
			}
		}
		return out
	}
	switch s.Value.Kind {
	case config.Number:
		if n, ok := s.Value.Int(); ok {
			numbers(n)
			break
		}
		f, _ := s.Value.Float()
		for _, x := range [...]float64{2 * f, f / 2, 1, 0, 4 * f, 8} {
			if x < 1e9 {
				add(units.Fixed(int64(x*1e6+0.5), 1_000_000, 6))
			}
		}
	case config.Bool:
		add("true", "false")
	case config.String:
		texts(r, s, add)
	case config.List:
		lists(s.Value, r, s, add)
	case config.Null:
		add("true", "false")
		numbers(64)
		texts(r, s, add)
	}
	add("null")
	return out
}

// texts tries what families know, and the words above.
func texts(r *report.Report, s *Source, add func(...string)) {
	leaves(r.Config, "", func(name string, v config.Value) {
		if last(name) == "model_type" && last(s.Name) != "model_type" {
			add(r.Library().Words(v.Text)...)
		}
	})
	add(words...)
	if last(s.Name) == "model_type" || s.Name == "architectures" {
		add(r.Library().Types()...)
	}
}

func last(name string) string { return name[len(name)-len(rest(name)):] }

func rest(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '.' {
			return name[i+1:]
		}
	}
	return name
}

// lists tries other lists: all entries like one of them, one entry changed, fewer and more.
func lists(v config.Value, r *report.Report, s *Source, add func(...string)) {
	n := len(v.Items)
	with := func(change func(items []config.Value) []config.Value) {
		items := change(append([]config.Value{}, v.Items...))
		x := config.Value{Kind: config.List, Items: items}
		add(x.JSON())
	}
	for i := range v.Items {
		same := false
		for j := range i {
			same = same || v.Items[j].JSON() == v.Items[i].JSON()
		}
		if same {
			continue
		}
		with(func(items []config.Value) []config.Value {
			for k := range items {
				items[k] = v.Items[i]
			}
			return items
		})
		with(func(items []config.Value) []config.Value {
			items[0] = v.Items[i]
			return items
		})
		if k, ok := v.Items[i].Int(); ok {
			for _, to := range [...]int64{2 * k, k + 1, k / 2, 1, 0} {
				with(func(items []config.Value) []config.Value {
					items[i] = config.Value{Kind: config.Number, Text: units.Itoa(to)}
					return items
				})
				with(func(items []config.Value) []config.Value {
					for j := range items {
						items[j] = config.Value{Kind: config.Number, Text: units.Itoa(to)}
					}
					return items
				})
			}
		}
	}
	if n > 0 && v.Items[0].Kind == config.String {
		texts(r, s, func(list ...string) {
			for _, w := range list {
				for _, all := range [...]bool{true, false} {
					with(func(items []config.Value) []config.Value {
						for k := range items {
							if all || k == 0 {
								items[k] = config.Value{Kind: config.String, Text: w}
							}
						}
						return items
					})
				}
			}
		})
	}
	add("[]")
	with(func(items []config.Value) []config.Value {
		return append(items, config.Value{Kind: config.Number, Text: "0"}, config.Value{Kind: config.Number, Text: "1"}, config.Value{Kind: config.Number, Text: "2"})[:n+min(n, 1)]
	})
	for k := range int64(8) {
		add("[" + units.Itoa(k) + "]")
	}
	if n > 1 {
		with(func(items []config.Value) []config.Value { return items[:n-1] })
		with(func(items []config.Value) []config.Value {
			for i := range n / 2 {
				items[i], items[n-1-i] = items[n-1-i], items[i]
			}
			return items
		})
	}
}

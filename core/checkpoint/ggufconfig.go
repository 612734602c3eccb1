package checkpoint

import (
	"strings"

	"llmsize/core/config"
	"llmsize/core/units"
)

// Config reads a GGUF file's metadata as a config, which family gguf describes:
// model_type is "gguf-" and general.architecture; the architecture's own keys
// follow without its name, dots as underscores (llama.attention.head_count is
// attention_head_count). Beside them
//
//	vocab_size   where no key says it: the tokens of the vocabulary, else the rows of token_embd.weight
//	token_type_count  what encoders tell apart, where the tokenizer's metadata say it
//	optional     the tensors of the first layer and outside layers that are there, by name without
//	             "blk.0." and ".weight": which of those a loader takes if they are there it counts
//	routed_layers  the layers that have a router, where experts are counted: of some architectures no key says which
//	keyed_layers, valued_layers  the layers that have keys and values, where not all that have queries do
//
// The value is absent when the metadata name no architecture. The list is finished.
func (l *List) Config() config.Value {
	name := l.meta("general.architecture").Value.Text
	if name == "" {
		return config.Value{}
	}
	str := func(s string) config.Value { return config.Value{Kind: config.String, Text: s} }
	num := func(n int64) config.Value { return config.Value{Kind: config.Number, Text: units.Itoa(n)} }
	cfg := config.Value{Kind: config.Object}
	put := func(key string, v config.Value) {
		cfg.Keys, cfg.Vals = append(cfg.Keys, key), append(cfg.Vals, v)
	}
	put("architectures", config.Value{Kind: config.List, Items: []config.Value{str("GGUF")}})
	put("model_type", str("gguf-"+name))
	vocabulary := false
	for _, m := range l.Meta {
		key, ok := strings.CutPrefix(m.Key, name+".")
		if !ok || m.Value.Kind == config.Null || m.Value.Kind == config.List && len(m.Value.Items) == 0 {
			continue
		}
		key = strings.ReplaceAll(key, ".", "_")
		if cfg.Has(key) {
			continue
		}
		vocabulary = vocabulary || key == "vocab_size"
		put(key, m.Value)
	}
	if !vocabulary {
		n := l.meta("tokenizer.ggml.tokens").Count
		if i := l.Find("token_embd.weight"); n == 0 && i >= 0 && len(l.Dims(i)) == 2 {
			n = l.Dims(i)[0]
		}
		if n > 0 {
			put("vocab_size", num(n))
		}
	}
	if m := l.meta("tokenizer.ggml.token_type_count"); m.Value.Kind == config.Number {
		put("token_type_count", m.Value)
	}
	var optional, routed, keyed, valued []config.Value
	queried := 0
	seen := map[string]bool{}
	for i := range l.count {
		s := l.Name(i)
		if strings.HasPrefix(s, "blk.") {
			layer, rest, _ := strings.Cut(s[4:], ".")
			s = rest
			if n, ok := number(layer); ok {
				switch s {
				case "ffn_gate_inp.weight":
					routed = append(routed, num(int64(n)))
				case "attn_q.weight":
					queried++
				case "attn_k.weight":
					keyed = append(keyed, num(int64(n)))
				case "attn_v.weight":
					valued = append(valued, num(int64(n)))
				}
			}
		}
		s, _ = cutEnd(s, ".weight")
		if !seen[s] {
			seen[s] = true
			optional = append(optional, str(s))
		}
	}
	put("optional", config.Value{Kind: config.List, Items: optional})
	if len(routed) > 0 {
		put("routed_layers", config.Value{Kind: config.List, Items: routed})
	}
	if len(keyed) > 0 && len(keyed) < queried {
		put("keyed_layers", config.Value{Kind: config.List, Items: keyed})
	}
	if len(valued) > 0 && len(valued) < queried {
		put("valued_layers", config.Value{Kind: config.List, Items: valued})
	}
	return cfg
}

// meta finds an entry of the metadata.
func (l *List) meta(key string) Meta {
	for _, m := range l.Meta {
		if m.Key == key {
			return m
		}
	}
	return Meta{}
}

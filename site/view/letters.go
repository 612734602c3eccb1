package view

import (
	"llmsize/core/model"
	"llmsize/site/markup"
)

// letter is a dimension's letter: one and the same on the whole site, in one
// colour (the class d-…), whatever a family's config calls the key.
type letter struct {
	sign  string // "h"; an index after "_" is set below the line
	class string
	words string   // what it is
	names []string // the names that configs and families give it
}

// letters is the site's table of dimensions. Names are ordered by how common they are.
var letters = []letter{
	{"h", "d-h", "hidden size", []string{"hidden_size", "n_embd", "d_model", "dim", "hidden_dim", "embed_dim", "model_dim"}},
	{"L", "d-L", "layers", []string{"num_hidden_layers", "n_layer", "num_layers", "n_layers", "decoder_layers", "encoder_layers"}},
	{"V", "d-V", "vocabulary", []string{"vocab_size", "padded_vocab_size"}},
	{"a", "d-a", "attention heads", []string{"num_attention_heads", "n_head", "n_heads", "num_heads", "decoder_attention_heads", "encoder_attention_heads"}},
	{"k", "d-k", "key/value heads", []string{"num_key_value_heads", "num_kv_heads", "multi_query_group_num", "n_kv_heads", "kv_n_heads"}},
	{"d", "d-d", "width of a head", []string{"head_dim", "kv_channels", "d_kv", "attention_head_size"}},
	{"f", "d-f", "feed-forward width", []string{"intermediate_size", "ffn_dim", "n_inner", "d_ff", "ffn_hidden_size", "decoder_ffn_dim", "encoder_ffn_dim"}},
	{"f_E", "d-f", "width of an expert", []string{"moe_intermediate_size", "expert_intermediate_size", "expert_ffn_hidden_size"}},
	{"E", "d-E", "experts", []string{"num_experts", "n_routed_experts", "num_local_experts", "moe_num_experts"}},
	{"K", "d-K", "experts per token", []string{"num_experts_per_tok", "moe_topk", "moe_top_k", "top_k", "moe_k", "num_experts_per_token"}},
	{"s", "d-s", "context", []string{"context"}},
	{"b", "d-b", "sequences", []string{"batch"}},
}

// letterOf returns the letter of a name that a family or a config uses.
func letterOf(name string) *letter {
	for i := range letters {
		for _, n := range letters[i].names {
			if n == name {
				return &letters[i]
			}
		}
	}
	return nil
}

// letterOfKey is letterOf for a key by any of its names.
func letterOfKey(k *model.Key) *letter {
	if l := letterOf(k.Name); l != nil {
		return l
	}
	for _, a := range k.Also {
		if l := letterOf(a); l != nil {
			return l
		}
	}
	return nil
}

// html is the letter as it is in a formula.
func (l *letter) html() markup.Markup {
	for i := 0; i < len(l.sign); i++ {
		if l.sign[i] == '_' {
			return markup.Markup(`<var class="` + l.class + `">` + l.sign[:i] + "<sub>" + l.sign[i+1:] + "</sub></var>")
		}
	}
	return markup.Markup(`<var class="` + l.class + `">` + l.sign + "</var>")
}

// sign is a letter by its sign, for formulas that the page writes itself.
func sign(s string) markup.Markup {
	for i := range letters {
		if letters[i].sign == s {
			return letters[i].html()
		}
	}
	return markup.Markup(s)
}

// inLetters writes a formula whose letters are those of the table.
func inLetters(formula string) markup.Markup {
	var out markup.Markup
	for i := 0; i < len(formula); i++ {
		c := markup.Markup(formula[i : i+1])
		if letterByte(formula[i]) && (i == 0 || !letterByte(formula[i-1])) && (i+1 == len(formula) || !letterByte(formula[i+1])) {
			c = sign(string(c))
		}
		out += c
	}
	return out
}

package family

import (
	"llmsize/core/fault"
)

// A configuration class says of each of its fields what it takes, and refuses the rest before anything is built. In a family's file
// this is letters: i a whole number, f a number with a point or an exponent, b true or false, s text, n null, d an object, [X] a list
// whose entries are X, [] any list, 'WORD… one of these words. A letter - alone says that here the class takes anything, whatever a
// family above it says.

// taking holds the keys of a config to what the class takes.
func (s *scope) taking() {
	for i, name := range s.cfg.Keys {
		c := &s.cfg.Vals[i]
		if letters := s.fam.letters(name); s.spend(lookup) && letters != "" && letters != "-" && !fitting(letters, fromConfig(c)) {
			s.fail(&fault.Error{Field: s.path + name, Given: fault.Clip(c.JSON(), 60), Problem: "must be " + inWords(letters), Line: c.Line})
		}
	}
}

// Usual is what most classes let the commonest keys hold; a family says what its own does otherwise.
var Usual = []string{
	"f initializer_range layer_norm_eps rms_norm_eps init_std initializer_factor router_aux_loss_coef layer_norm_epsilon norm_eps",
	"fi attention_dropout dropout hidden_dropout_prob attention_probs_dropout_prob activation_dropout drop_path_rate",
	"b use_cache output_router_logits norm_topk_prob is_decoder tie_word_embeddings",
	"i max_position_embeddings image_token_id image_token_index", "in bos_token_id pad_token_id", "[i]in eos_token_id",
	"s hidden_act activation_function", "[s]n layer_types mlp_layer_types", "dn rope_parameters id2label",
	"ns dtype torch_dtype",
}

var usual = takesOf(Usual)

// take is what a key of some name may hold.
type take struct{ name, letters string }

// takesOf reads lines of letters with names.
func takesOf(lines []string) (out []take) {
	for _, line := range lines {
		letters, at := "", 0
		for at < len(line) {
			from := at
			for at < len(line) && line[at] != ' ' {
				at++
			}
			if word := line[from:at]; from == 0 {
				letters = word
			} else {
				out = append(out, take{word, letters})
			}
			at++
		}
	}
	return out
}

// letters are what the nearest family says of a key, "" where none does.
func (r *resolved) letters(name string) string {
	for _, list := range [...][]take{r.takes, usual} {
		for i := range list {
			if list[i].name == name {
				return list[i].letters
			}
		}
	}
	return ""
}

// kindLetters stand for the kinds of a value, in their order.
const kindLetters = "nbifs[d"

// fitting reports whether a value is one of those that letters stand for.
func fitting(letters string, v val) bool {
	for i := 0; i < len(letters); i++ {
		letter, inner := letters[i], ""
		switch letter {
		case '[':
			inner = inside(letters[i:])
			i += len(inner) + 1
		case '\'':
			inner = wordAt(letters[i+1:])
			i += len(inner)
			if v.k == kStr && v.str() == inner {
				return true
			}
		}
		fits := letter == kindLetters[v.k] || letter == 'f' && v.k == kObj && v.obj().Has("__float__") // so the library writes infinity
		for _, x := range v.list() {
			fits = fits && (inner == "" || fitting(inner, x))
		}
		if fits {
			return true
		}
	}
	return false
}

// inside is what stands between a bracket and the one that closes it.
func inside(letters string) string {
	depth := 0
	for i := 0; i < len(letters); i++ {
		switch letters[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return letters[1:i]
			}
		}
	}
	return ""
}

func wordAt(letters string) string {
	for i := 0; i < len(letters); i++ {
		if letters[i] == '\'' {
			return letters[:i]
		}
	}
	return letters
}

// inWords says what letters stand for: "a whole number or null".
func inWords(letters string) string {
	out := ""
	for i := 0; i < len(letters); i++ {
		if i > 0 {
			out += " or "
		}
		for k := range kindWords {
			if kindLetters[k] == letters[i] {
				out += kindWords[k]
			}
		}
		switch letters[i] {
		case 'f':
			out += " with a point"
		case '[':
			inner := inside(letters[i:])
			if i += len(inner) + 1; inner != "" {
				out += ", each entry " + inWords(inner)
			}
		case '\'':
			w := wordAt(letters[i+1:])
			out += w
			i += len(w)
		}
	}
	return out
}

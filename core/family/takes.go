package family

import (
	"strings"

	"llmsize/core/config"
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
		letters, problem := s.fam.letters(name), ""
		if s.spend(lookup) && letters != "" && letters != "-" && !fitting(letters, c) {
			problem = "must be " + inWords(letters)
		} else if p, ok := fromConfig(c).num(); ok && c.Kind == config.Number && (p < 0 || p > 1) && (strings.Contains(name, "dropout") || strings.HasSuffix(name, "_pdrop")) {
			letters, problem = "f", "must be a probability, from 0 to 1"
		}
		if problem != "" {
			s.fail(&fault.Error{Field: s.path + name, Given: fault.Clip(c.JSON(), 60), Problem: problem, Allowed: inWords(letters), Line: c.Line})
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
	"n'float32'float16'bfloat16'float64'float'half'double'float8_e4m3fn'float8_e5m2'float8_e4m3fnuz'float8_e5m2fnuz dtype torch_dtype",
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

// fitting reports whether a value is one of those that letters stand for.
func fitting(letters string, v *config.Value) bool {
	for i := 0; i < len(letters); i++ {
		fits := false
		switch letters[i] {
		case 'i':
			fits = v.Kind == config.Number && whole(v.Text)
		case 'f':
			fits = v.Kind == config.Number && !whole(v.Text) || v.Has("__float__") // so the library writes infinity
		case 'b':
			fits = v.Kind == config.Bool
		case 's':
			fits = v.Kind == config.String
		case 'n':
			fits = v.Kind == config.Null
		case 'd':
			fits = v.Kind == config.Object
		case '[':
			inner := inside(letters[i:])
			i += len(inner) + 1
			fits = v.Kind == config.List
			for j := 0; fits && inner != "" && j < len(v.Items); j++ {
				fits = fitting(inner, &v.Items[j])
			}
		case '\'':
			word := wordAt(letters[i+1:])
			i += len(word)
			fits = v.Kind == config.String && v.Text == word
		}
		if fits {
			return true
		}
	}
	return false
}

// whole reports whether a number is written without point and exponent, as the class reads it.
func whole(text string) bool {
	for i := 0; i < len(text); i++ {
		if !isDigit(text[i]) && (i > 0 || text[i] != '-') {
			return false
		}
	}
	return true
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
		word := ""
		switch letters[i] {
		case 'i':
			word = "a whole number"
		case 'f':
			word = "a number with a point, such as 0.0"
		case 'b':
			word = "true or false"
		case 's':
			word = "text"
		case 'n':
			word = "null"
		case 'd':
			word = "an object"
		case '[':
			inner := inside(letters[i:])
			if i += len(inner) + 1; inner == "" {
				word = "a list"
			} else {
				word = "a list (each entry " + inWords(inner) + ")"
			}
		case '\'':
			w := wordAt(letters[i+1:])
			word, i = `"`+w+`"`, i+len(w)
		}
		if out != "" {
			out += " or "
		}
		out += word
	}
	return out
}

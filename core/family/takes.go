package family

// A configuration class says of each of its fields what it takes, and refuses the rest before anything is built. In a family's file
// this is letters: i a whole number, f a number with a point or an exponent, b true or false, s text, n null, d an object, [X] a list
// whose entries are X, [] any list, 'WORD… one of these words, a a function without arguments of its own; after p a number is from 0
// to 1. A letter - alone says that here the class takes anything, whatever a family above it says.

// settled are the activations that transformers makes with arguments (5.23.0, activations.py, ACT2CLS). A model that makes its
// function itself, without them, cannot.
const settled = "gelu_10 gelu_python gelu_python_tanh"

// taking holds the keys of a config to what the class takes.
func (s *scope) taking() {
	for i, name := range s.cfg.Keys {
		c := &s.cfg.Vals[i]
		if letters := s.fam.letters(name); s.spend(lookup) && letters != "" && letters != "-" && !fitting(letters, fromConfig(c)) {
			s.refuse(s.path+name, c, "must be "+inWords(letters), "")
		}
	}
}

// Usual is what most classes let the commonest keys hold; a family says what its own does otherwise.
var Usual = []string{
	"f initializer_range layer_norm_eps rms_norm_eps init_std initializer_factor router_aux_loss_coef layer_norm_epsilon norm_eps",
	"pfi attention_dropout dropout hidden_dropout_prob attention_probs_dropout_prob activation_dropout", "fi drop_path_rate",
	"b use_cache output_router_logits norm_topk_prob is_decoder tie_word_embeddings",
	"i max_position_embeddings image_token_id image_token_index", "in bos_token_id pad_token_id", "[i]in eos_token_id",
	"s hidden_act activation_function", "[s]n layer_types mlp_layer_types", "dn rope_parameters id2label",
	"n'bfloat16'float16'float32'float64'half'float'double dtype torch_dtype", // what torch lets parameters be
}

// take is what a key of some name may hold.
type take struct{ name, letters string }

// takesOf reads lines of letters with names.
func takesOf(lines []string) (out []take) {
	for _, line := range lines {
		letters, names := first(line)
		for names != "" {
			var name string
			name, names = first(names)
			out = append(out, take{name, letters})
		}
	}
	return out
}

// letters are what the nearest family says of a key, "" where none does.
func (r *resolved) letters(name string) string {
	for i := range r.takes {
		if r.takes[i].name == name {
			return r.takes[i].letters
		}
	}
	for _, line := range Usual {
		if letters, names := first(line); among(names, name) {
			return letters
		}
	}
	return ""
}

// kindLetters stand for the kinds of a value, in their order.
const kindLetters = "nbifs[d"

// fitting reports whether a value is one of those that letters stand for.
func fitting(letters string, v val) bool {
	if p, _ := v.num(); letters[0] == 'p' && (p < 0 || p > 1) { // torch.nn.Dropout takes no other
		return false
	}
	for letters != "" {
		var letter byte
		var inner string
		letter, inner, letters = next(letters)
		fits := letter == kindLetters[v.k] || letter == 'f' && v.k == kObj && v.obj().Has("__float__") || // so the library writes infinity
			letter == '\'' && v.k == kStr && v.str() == inner || letter == 'a' && v.k == kStr && !among(settled, v.str())
		for _, x := range v.list() {
			fits = fits && (inner == "" || fitting(inner, x))
		}
		if fits {
			return true
		}
	}
	return false
}

// next takes the first letter with what belongs to it: what is in a list's brackets, a word up to the next one.
func next(letters string) (letter byte, inner, rest string) {
	letter = letters[0]
	depth, i := 0, 1
	if letter == '[' {
		depth = 1
	} else if letter != '\'' {
		return letter, "", letters[1:]
	}
	for ; i < len(letters); i++ {
		switch letters[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return letter, letters[1:i], letters[i+1:]
			}
		case '\'':
			if depth == 0 {
				return letter, letters[1:i], letters[i:]
			}
		}
	}
	return letter, letters[1:], ""
}

// inWords says what letters stand for: "a whole number or null".
func inWords(letters string) string {
	out := ""
	for letters != "" {
		var letter byte
		var inner string
		letter, inner, letters = next(letters)
		if out != "" {
			out += " or "
		}
		for k := range kindWords {
			if kindLetters[k] == letter {
				out += kindWords[k]
			}
		}
		switch {
		case letter == 'p':
			out = "from 0 to 1:"
		case letter == 'a':
			out += "a function that needs no arguments, unlike " + settled
		case letter == 'f':
			out += " with a point"
		case letter != '[':
			out += inner
		case inner != "":
			out += ", each entry " + inWords(inner)
		}
	}
	return out
}

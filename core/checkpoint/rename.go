package checkpoint

import "strings"

// Checkpoints name a class's tensors in more than one way: without the name of
// the base model before them (gpt2's own files say h.0, the class
// transformer.h.0), under another name of the language model's part, with
// gamma and beta for a norm's weight and bias. What transformers renames when
// it loads is renamed here by what names have in common.

// maxVoters bounds the work of finding what names begin with.
const maxVoters = 2000

// rename decides under which text the checkpoint has each run of the class.
func (v *verifier) rename() {
	v.stored = map[string][]int32{}
	have := map[string]bool{}
	first := map[string]int{} // a tensor of each text
	var order []string
	for i := range v.count {
		t := v.at(i).name.text
		if i > 0 && v.at(i-1).name.text == t {
			continue
		}
		w := v.word(t)
		own := v.texts.texts[w.own]
		if len(w.packs) > 0 && v.Logical(i).Packing && !v.wants(own) {
			continue
		}
		if !have[own] {
			have[own], first[own] = true, i
			order = append(order, own)
		}
		v.stored[own] = append(v.stored[own], t)
	}
	taken := map[string]string{} // by the checkpoint's text: the class's
	var open []*wanted
	for i := range v.wanted {
		w := &v.wanted[i]
		if have[w.text] {
			w.from = w.text
			taken[w.text] = w.text
		} else {
			open = append(open, w)
		}
	}
	free := map[string]string{} // a text as the class might have it: the checkpoint's
	var list []string
	for _, s := range order {
		if taken[s] == "" {
			free[s] = s
			list = append(list, s)
		}
	}
	for _, s := range list { // older words for the same
		for _, old := range oldWords {
			if b, ok := cutEnd(s, old.from); ok && free[b+old.to] == "" && !have[b+old.to] {
				free[b+old.to] = s
				list = append(list, b+old.to)
			}
		}
	}
	for _, s := range list {
		if v.gguf && free[s+".weight"] == "" && !have[s+".weight"] { // as the converter writes Falcon-H1's norms
			free[s+".weight"] = s
		}
	}
	open = v.take(open, free, taken, "", "")
	for range 8 {
		if len(open) == 0 || len(list) > maxVoters || len(open) > maxVoters {
			return
		}
		from, to, ok := v.vote(open, list, free, taken, first)
		if !ok {
			return
		}
		before := len(open)
		open = v.take(open, free, taken, from, to)
		if len(open) == before {
			return
		}
		v.out.Renamed = append(v.out.Renamed, Renamed{from, to})
	}
}

// oldWords are endings that transformers reads as others (modeling_utils.py, renamings of old checkpoints).
var oldWords = []struct{ from, to string }{
	{".gamma", ".weight"}, {".beta", ".bias"},
	{".weight_g", ".parametrizations.weight.original0"}, {".weight_v", ".parametrizations.weight.original1"},
}

// wants reports whether the class has a tensor of that text.
func (v *verifier) wants(text string) bool {
	for i := range v.wanted {
		if v.wanted[i].text == text {
			return true
		}
	}
	return false
}

// take gives the runs whose names begin with to the texts that begin with from.
func (v *verifier) take(open []*wanted, free map[string]string, taken map[string]string, from, to string) []*wanted {
	rest := open[:0]
	for _, w := range open {
		if strings.HasPrefix(w.text, to) {
			if s, ok := free[from+w.text[len(to):]]; ok && (taken[s] == "" || taken[s] == w.text) {
				w.from = s
				taken[s] = w.text
				continue
			}
		}
		rest = append(rest, w)
	}
	return rest
}

// vote finds the pair of beginnings that names most runs: what is left of a name
// of the checkpoint and one of the class when all words that they end with alike
// are taken off. At least two words have to be alike and sizes agree; a pair that
// stands alone has to be a beginning that only one side has.
func (v *verifier) vote(open []*wanted, list []string, free map[string]string, taken map[string]string, first map[string]int) (from, to string, ok bool) {
	type pair struct{ from, to string }
	votes := map[pair]int{}
	best := 0
	for _, w := range open {
		if w.tied {
			continue
		}
		for _, s := range list {
			if taken[free[s]] != "" || lastWord(s) != lastWord(w.text) {
				continue
			}
			n, words := common(s, w.text)
			if words < 2 {
				continue
			}
			if x := v.Logical(first[free[s]]); x.Elements != w.t.Elements && !x.flat {
				continue
			}
			p := pair{s[:len(s)-n], w.text[:len(w.text)-n]}
			votes[p]++
			k := votes[p]
			alone := p.from == "" || p.to == ""
			if k >= 2 || alone {
				if alone {
					k++ // the simpler reading of two
				}
				if k > best || k == best && len(p.from)+len(p.to) < len(from)+len(to) {
					best, from, to, ok = k, p.from, p.to, true
				}
			}
		}
	}
	return from, to, ok
}

// common is how many bytes of whole words two names end with alike, and how many words.
func common(a, b string) (n, words int) {
	i, j := len(a), len(b)
	for i > 0 && j > 0 && a[i-1] == b[j-1] {
		i--
		j--
		if a[i] == '.' {
			n = len(a) - i - 1
			words++
		}
	}
	if (i == 0 || a[i-1] == '.') && (j == 0 || b[j-1] == '.') && n < len(a)-i {
		n = len(a) - i
		words++
	}
	return n, words
}

func lastWord(s string) string { return s[strings.LastIndexByte(s, '.')+1:] }

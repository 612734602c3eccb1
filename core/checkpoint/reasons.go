package checkpoint

import "strings"

// Why a checkpoint holds what its class lacks, by what names and shapes say.

// predictionWords are in names of layers that predict further tokens.
// Sources: DeepSeek-V3's README_WEIGHTS.md (eh_proj, enorm, hnorm, shared_head behind
// the last layer); Qwen3-Next, MiMo and Nemotron-H (mtp); GLM (nextn); Medusa and EAGLE heads.
var predictionWords = []string{"mtp", "nextn", "eh_proj", "enorm", "hnorm", "medusa", "eagle"}

// bufferWords are last words of names of what classes compute anew, or kept in older versions.
var bufferWords = []string{"inv_freq", "original_inv_freq", "masked_bias", "position_ids", "token_type_ids", "num_batches_tracked", "relative_position_index",
	"cos_cached", "sin_cached", "freqs_cis", "rope_freqs", "causal_mask", "attn_mask", "tril", "_float_tensor", "positional_ids", "pos_ids"}

// adapterWords begin words of names of adapters: the prefixes of peft's tuners (peft 0.21.2, tuners/*/model.py), and what its prompts are called.
var adapterWords = []string{"lora_", "adapter", "ia3_", "hada_", "lokr_", "vera_", "oft_", "boft_", "prompt_embeddings", "prompt_encoder",
	"adamss_", "beft_", "bone_", "c3a_", "deft_", "delora_", "fourierft_", "frod_", "glora_", "gralora_", "hira_", "hra_", "lily_", "ln_tuning_", "miss_", "osf_", "peanut_", "poly_",
	"psoft_", "pvera_lambda_", "randlora_", "road_", "shira_", "supertuning_", "tinylora_", "trainable_tokens_", "unilora_", "vblora_", "waveft_", "xlora_"}

// layerOf is the stack and the number of the layer that a tensor is of; stack -1 for none.
func (v *verifier) layerOf(i int) (st int, layer int32) {
	n := v.at(i).name
	text := v.texts.texts[n.text]
	for si := range v.stacks {
		s := &v.stacks[si]
		if n.index[s.slot] < 0 {
			continue
		}
		if begins(text, s.text) || v.renamedBegins(text, s.text) {
			return si, n.index[s.slot]
		}
	}
	return -1, 0
}

func begins(s, with string) bool { return strings.HasPrefix(s, with) }

// renamedBegins is begins for names that the checkpoint begins otherwise.
func (v *verifier) renamedBegins(text, with string) bool {
	for _, r := range v.out.Renamed {
		if begins(text, r.From) && begins(r.To+text[len(r.From):], with) {
			return true
		}
	}
	return false
}

// ahead lists the layers behind the last of their stack that predict further
// tokens: those that have a word for it, or that the config announces.
func (v *verifier) ahead() map[[2]int32]bool {
	out := map[[2]int32]bool{}
	announced := v.announced()
	for i := range v.count {
		if v.seen[i] {
			continue
		}
		st, layer := v.layerOf(i)
		if st < 0 || layer < v.stacks[st].layers {
			continue
		}
		if layer < v.stacks[st].layers+announced || hasWord(v.Name(i), predictionWords) {
			out[[2]int32{int32(st), layer}] = true
		}
	}
	return out
}

// announced is how many layers for further tokens the config names.
func (v *verifier) announced() int32 {
	most := int32(0)
	for _, path := range []string{"", "text_config"} {
		c := &v.cfg
		if path != "" {
			c = v.cfg.Get(path)
		}
		for i, key := range c.Keys {
			if strings.Contains(key, "nextn") || strings.Contains(key, "mtp") {
				if n, ok := c.Vals[i].Int(); ok && n > 0 && n < 1<<16 {
					most = max(most, int32(n))
				}
			}
		}
	}
	return most
}

// reason says why tensor i is extra.
func (v *verifier) reason(i int, x *Logical, ahead map[[2]int32]bool) string {
	if x.Packing {
		return Scale
	}
	s := v.Name(i)
	if hasWord(s, adapterWords) {
		return Adapter
	}
	if st, layer := v.layerOf(i); st >= 0 && ahead[[2]int32{int32(st), layer}] || hasWord(s, predictionWords) {
		return Prediction
	}
	if v.isBuffer(i, s) {
		return Buffer
	}
	if module, ok := cutEnd(s, ".bias"); ok {
		// GPTQ's modules keep a bias whether or not the class has one (AutoGPTQ, nn_modules/qlinear: a buffer of zeros).
		if v.Find(module+".qweight") >= 0 {
			v.out.Biases = true
			return Buffer
		}
		// The bias of a matrix that is another's is a copy too: BERT's cls.predictions.decoder.bias.
		for wi := range v.wanted {
			if w := &v.wanted[wi]; w.tied && w.text == module+".weight" {
				return Tied
			}
		}
	}
	return Other
}

// isBuffer knows buffers by their last word; masks by their shape; and what is
// stored in integers but packs nothing.
func (v *verifier) isBuffer(i int, s string) bool {
	last := s
	if at := strings.LastIndexByte(s, '.'); at >= 0 {
		last = s[at+1:]
	}
	for _, w := range bufferWords {
		if last == w {
			return true
		}
	}
	d := v.Dims(i)
	if n := len(d); (last == "bias" || strings.Contains(last, "mask")) && n >= 2 && d[n-1] == d[n-2] {
		return true // a mask over positions: [1, 1, n, n]
	}
	t := v.Type(i)
	return types[t].kind == whole && !v.Logical(i).Packed && t.String() != "U32"
}

// hasWord reports whether a word between dots begins with one of the list.
func hasWord(s string, words []string) bool {
	for i := 0; i < len(s); i++ {
		if i > 0 && s[i-1] != '.' && s[i-1] != '_' {
			continue
		}
		for _, w := range words {
			if strings.HasPrefix(s[i:], w) {
				return true
			}
		}
	}
	return false
}

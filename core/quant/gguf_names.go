package quant

import (
	"llmsize/core/model"
)

// What a tensor of the hub is in a GGUF file: its name there and its slot. A
// tensor is known by its role and by the last words of its name, so that models
// which nobody listed come out right as long as they name things as others do.
// Source: gguf-py's tensor_mapping.py and conversion/ in llama.cpp as in
// llama-cpp-python 0.3.36.

// word is one name: the hub's last words, and what they become.
type word struct {
	last string // "q_proj"; with the word before where one is not enough: "output.dense"
	name string
	slot slot
}

// attentionWords name the matrices around attention. Fused query, key and value
// matrices keep one name.
var attentionWords = []word{
	{"q_proj", "attn_q", attnQ}, {"query", "attn_q", attnQ}, {"q_lin", "attn_q", attnQ}, {"SelfAttention.q", "attn_q", attnQ},
	{"k_proj", "attn_k", attnK}, {"key", "attn_k", attnK}, {"k_lin", "attn_k", attnK}, {"SelfAttention.k", "attn_k", attnK},
	{"v_proj", "attn_v", attnV}, {"value", "attn_v", attnV}, {"v_lin", "attn_v", attnV}, {"SelfAttention.v", "attn_v", attnV},
	{"qkv_proj", "attn_qkv", attnV}, {"query_key_value", "attn_qkv", attnV}, {"Wqkv", "attn_qkv", attnV}, {"c_attn", "attn_qkv", attnV},
	{"in_proj_weight", "attn_qkv", attnV}, {"in_proj_qkv", "attn_qkv", attnV},
	{"o_proj", "attn_output", attnOut}, {"out_proj", "attn_output", attnOut}, {"dense", "attn_output", attnOut}, {"Wo", "attn_output", attnOut},
	{"c_proj", "attn_output", attnOut}, {"out_lin", "attn_output", attnOut}, {"SelfAttention.o", "attn_o", other},
	{"EncDecAttention.q", "cross_attn_q", attnQ}, {"EncDecAttention.k", "cross_attn_k", attnK}, {"EncDecAttention.v", "cross_attn_v", attnV}, {"EncDecAttention.o", "cross_attn_o", other},
	{"gate_proj", "attn_gate", other}, {"g_proj", "attn_gate", other}, {"in_proj_z", "attn_gate", other}, {"output_gate", "attn_gate", other}, {"linear_gate", "attn_gate", other},
	{"q_a_proj", "attn_q_a", other}, {"q_b_proj", "attn_q_b", other}, {"kv_a_proj_with_mqa", "attn_kv_a_mqa", other}, {"kv_b_proj", "attn_kv_b", attnV},
	{"wq_a", "attn_q_a", other}, {"wq_b", "attn_q_b", other}, {"wkv", "attn_kv", other}, {"wo_a", "attn_output_a", other}, {"wo_b", "attn_output_b", other},
	{"indexer.q_proj", "indexer.q_proj", other}, {"indexer.k_proj", "indexer.k_proj", other}, {"index_q_proj", "indexer.q_proj", other}, {"index_k_proj", "indexer.k_proj", other},
	{"indexer.wq_b", "indexer.attn_q_b", other}, {"indexer.wk", "indexer.attn_k", attnK}, {"weights_proj", "indexer.proj", other},
}

// ffnWords name the matrices of a feed-forward; experts and shared experts have
// the same with an ending. A fused gate and up matrix of a dense feed-forward
// goes by the name of up.
var ffnWords = []word{
	{"gate_proj", "ffn_gate", ffnGate}, {"w1", "ffn_gate", ffnGate}, {"wi_0", "ffn_gate", ffnGate}, {"linear_gate", "ffn_gate", ffnGate}, {"c_fc_0", "ffn_gate", ffnGate},
	{"up_proj", "ffn_up", ffnUp}, {"w3", "ffn_up", ffnUp}, {"v1", "ffn_up", ffnUp}, {"gate_up_proj", "ffn_up", ffnUp}, {"wi", "ffn_up", ffnUp}, {"wi_1", "ffn_up", ffnUp}, {"Wi", "ffn_up", ffnUp},
	{"c_fc", "ffn_up", ffnUp}, {"c_fc_1", "ffn_up", ffnUp}, {"fc1", "ffn_up", ffnUp}, {"fc_in", "ffn_up", ffnUp}, {"dense_h_to_4h", "ffn_up", ffnUp}, {"intermediate.dense", "ffn_up", ffnUp},
	{"lin1", "ffn_up", ffnUp}, {"input_linear", "ffn_up", ffnUp}, {"w13_weight", "ffn_up", ffnUp},
	{"down_proj", "ffn_down", ffnDown}, {"w2", "ffn_down", ffnDown}, {"wo", "ffn_down", ffnDown}, {"Wo", "ffn_down", ffnDown}, {"c_proj", "ffn_down", ffnDown}, {"fc2", "ffn_down", ffnDown}, {"fc_out", "ffn_down", ffnDown},
	{"dense_4h_to_h", "ffn_down", ffnDown}, {"output.dense", "ffn_down", ffnDown}, {"lin2", "ffn_down", ffnDown}, {"output_linear", "ffn_down", ffnDown}, {"w2_weight", "ffn_down", ffnDown},
	{"fc1_latent_proj", "ffn_latent_down", other}, {"fc2_latent_proj", "ffn_latent_up", other},
	{"feed_forward.key", "channel_mix_key", other}, {"feed_forward.value", "channel_mix_value", other}, {"feed_forward.receptance", "channel_mix_receptance", other},
}

// stateWords name the matrices of recurrent mixers. All but the fused one take
// the base type.
var stateWords = []word{
	{"in_proj", "ssm_in", other}, {"out_proj", "ssm_out", other}, {"x_proj", "ssm_x", other}, {"dt_proj", "ssm_dt", other}, {"in_proj_ba", "ssm_ba", other},
	{"in_proj_qkv", "attn_qkv", attnV}, {"in_proj_qkvz", "attn_qkv", attnV}, {"in_proj_z", "attn_gate", other}, {"in_proj_a", "ssm_alpha", other}, {"in_proj_b", "ssm_beta", other}, {"b_proj", "ssm_beta", other},
	{"q_proj", "attn_q", attnQ}, {"k_proj", "attn_k", attnK}, {"v_proj", "attn_v", attnV}, {"o_proj", "attn_output", attnOut}, {"qkv_proj", "attn_qkv", attnV}, {"output_gate", "attn_gate", other},
	{"f_a_proj", "ssm_f_a", other}, {"f_b_proj", "ssm_f_b", other}, {"g_a_proj", "ssm_g_a", other}, {"g_b_proj", "ssm_g_b", other},
	{"conv.in_proj", "shortconv.in_proj", other}, {"conv.out_proj", "shortconv.out_proj", other},
}

// outsideWords name what is outside the layers, or beside the steps of one.
var outsideWords = []word{
	{"token_type_embeddings", "token_types", other},
	{"embed_tokens_per_layer", "per_layer_token_embd", embed},
	{"per_layer_model_projection", "per_layer_model_proj", other},
	{"per_layer_input_gate", "inp_gate", other}, {"per_layer_projection", "proj", other},
	{"linear_left", "laurel_l", other}, {"linear_right", "laurel_r", other}, {"altup_projections", "altup_proj", other}, {"altup_unembed_projections", "altup_unembd_proj", other}, {"modality_router", "altup_router", other},
	{"lm_head", "output", head}, {"embed_out", "output", head}, {"head", "output", head}, {"unembed", "output", head}, {"lm_head.linear", "output", head},
}

// find looks up the last words of a module's name: two of them first.
func find(list []word, module string) (word, bool) {
	one, two := lastWords(module)
	for _, w := range list {
		if w.last == two {
			return w, true
		}
	}
	for _, w := range list {
		if w.last == one {
			return w, true
		}
	}
	return word{name: one}, false
}

// lastWords returns the last word of a dotted name, and the last two.
func lastWords(name string) (one, two string) {
	dots := 0
	one, two = name, name
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] != '.' {
			continue
		}
		if dots++; dots == 1 {
			one = name[i+1:]
		} else {
			two = name[i+1:]
			break
		}
	}
	return one, two
}

// moduleOf is a tensor's name without the word that says what of the module it
// is; isWeight is false for a bias and its like.
func moduleOf(name string) (module string, isWeight bool) {
	for _, end := range []string{".weight", ".proj"} {
		if cut, ok := cutSuffix(name, end); ok {
			return cut, true
		}
	}
	for _, end := range []string{".bias", "_bias"} {
		if cut, ok := cutSuffix(name, end); ok {
			return cut, false
		}
	}
	return name, true
}

func cutSuffix(s, end string) (string, bool) {
	if n := len(s) - len(end); n >= 0 && s[n:] == end {
		return s[:n], true
	}
	return s, false
}

// wordsFor is the list for a role inside layers.
func wordsFor(r model.Role) []word {
	switch r {
	case model.Attention:
		return attentionWords
	case model.FFN, model.Expert:
		return ffnWords
	case model.State:
		return stateWords
	}
	return outsideWords
}

// careful are the matrices that the quantiser leaves in 16 bits in models whose
// family says so (GLM-5.3's): what picks tokens, what steers the recurrence, the
// residual streams' mixing, and keys and values around the latent. careful8 are
// those that it stores in no less than eight bits there.
var (
	careful  = []string{"indexer.attn_q_b", "indexer.attn_k", "indexer.proj", "index_kpool_compress_gate", "ssm_f_a", "ssm_f_b", "ssm_g_a", "ssm_g_b", "ssm_beta", "attn_kv_a_mqa", "attn_k_b", "attn_v_b", "hc_attn_fn", "hc_ffn_fn"}
	careful8 = []string{"attn_q_a", "attn_q_b"}
)

func among(list []string, name string) bool {
	for _, x := range list {
		if x == name {
			return true
		}
	}
	return false
}

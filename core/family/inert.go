package family

// inertFile names the rest of the keys that are without effect in any family.
const inertFile = "inert"

// isInert reports whether a key is one of the commonest that change no tensor in
// any family: what transformers writes into every config, and numerics that have
// no weights. A leading underscore marks notes of the writing library. The rest
// are in families/inert.arch, which a page loads when it meets a key that it does
// not know.
func isInert(key string) bool {
	return key != "" && key[0] == '_' || among(inertKeys, key)
}

const inertKeys = "model_type architectures auto_map transformers_version torch_dtype dtype use_cache is_encoder_decoder is_causal quantization_config " +
	"bos_token_id eos_token_id pad_token_id hidden_act hidden_activation activation_function initializer_range rms_norm_eps layer_norm_eps " +
	"attention_dropout rope_theta rope_scaling rope_parameters rotary_emb_base partial_rotary_factor rope_local_base_freq " +
	"original_max_position_embeddings pretraining_tp"

// inert is isInert with the rest of the keys. loaded is false when the answer
// needs them and their file is not in the library.
func (lib *Library) inert(key string) (inert, loaded bool) {
	if isInert(key) {
		return true, true
	}
	if lib.named(inertFile) == nil {
		return false, false
	}
	f, err := lib.parse(inertFile)
	return err == nil && has(f.inert, key), true
}

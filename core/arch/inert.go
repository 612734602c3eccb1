package arch

// isInert reports whether a key is known to change no tensor in any family:
// what the tokenizer, the trainer and the generator read, numerics that have no
// weights, and what transformers writes into every config. A leading underscore
// marks notes of the writing library. Families add their own with `inert`.
func isInert(key string) bool {
	if key == "" || key[0] == '_' {
		return key != ""
	}
	for i := 0; i+len(key) < len(inertKeys); i++ {
		if inertKeys[i] <= ' ' && inertKeys[i+1:i+1+len(key)] == key && inertKeys[i+1+len(key)] <= ' ' {
			return true
		}
	}
	return false
}

// inertKeys is one text, so that the page pays for the words and nothing else.
const inertKeys = `
model_type architectures auto_map transformers.js_config transformers_version torch_dtype dtype name_or_path torchscript
use_cache use_return_dict return_dict output_attentions output_hidden_states output_router_logits output_scores is_decoder is_encoder_decoder
bos_token_id eos_token_id pad_token_id unk_token_id sep_token_id cls_token_id mask_token_id decoder_start_token_id forced_bos_token_id forced_eos_token_id
bos_token eos_token pad_token tokenizer_class prefix task_specific_params finetuning_task problem_type label2id
attention_dropout attention_probs_dropout_prob hidden_dropout hidden_dropout_prob attn_dropout attn_pdrop embd_pdrop resid_pdrop dropout activation_dropout classifier_dropout embd_dropout embed_dropout resid_dropout embedding_dropout residual_dropout attn_dropout_prob classifier_dropout_prob summary_first_dropout layerdrop encoder_layerdrop decoder_layerdrop
initializer_range initializer_factor init_std init_method embedding_initializer_range
rms_norm_eps layer_norm_eps layer_norm_epsilon norm_eps norm_epsilon layernorm_epsilon
hidden_act hidden_activation activation_function act activation feed_forward_proj_act
rope_theta rope_scaling rope_parameters rotary_emb_base rotary_base partial_rotary_factor rope_local_base_freq rope_ratio rope_interleaved original_max_position_embeddings
attn_logit_softcapping final_logit_softcapping query_pre_attn_scalar logit_scale logits_scaling embedding_multiplier residual_multiplier attention_multiplier
attn_implementation flash_attn use_flash_attn use_flash_attention use_flash_attention_2
chunk_size_feed_forward pretraining_tp gradient_checkpointing cross_attention_hidden_size
temperature top_k top_p do_sample num_beams num_beam_groups max_length min_length max_new_tokens repetition_penalty length_penalty early_stopping no_repeat_ngram_size bad_words_ids
is_causal is_llama_config model_size max_sequence_length context_window_size prefill_chunk_size tensor_parallel_shards output_past n_special predict_special_tokens
use_scaled_init_for_output_weights sequence_parallel_enabled selective_checkpoint_enabled move_model_to_device fuse_cross_entropy fuse_norm
attention_softmax_in_fp32 scale_attention_softmax_in_fp32 scale_attn_weights
num_return_sequences diversity_penalty typical_p encoder_no_repeat_ngram_size exponential_decay_length_penalty suppress_tokens begin_suppress_tokens remove_invalid_values return_dict_in_generate
tf_legacy_loss use_bfloat16 pruned_heads add_prefix_space quantization_config neuron compression_config onnx
router_aux_loss_coef router_z_loss_coef router_jitter_noise aux_loss_alpha seq_aux norm_topk_prob routed_scaling_factor scoring_func topk_method
`

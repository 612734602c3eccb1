package family_test

import (
	"fmt"
	"strings"
	"testing"

	"llmsize/core/family/families"
	"llmsize/core/model"
)

// Where the published integers stand.
const (
	hub  = "the safetensors total of the model's files, as collected by AlexsJones/llmfit, hf_models.json"
	ling = "the safetensors total of the model's files, as the Hub states it"
	vit  = `"vision_config":{"model_type":"intern_vit_6b","hidden_size":1024,"intermediate_size":4096,"num_hidden_layers":24,"num_attention_heads":16,"image_size":448,"patch_size":14,"qkv_bias":true,"qk_normalization":false,"norm_type":"layer_norm"}`
	vit6 = `"vision_config":{"model_type":"intern_vit_6b","hidden_size":3200,"intermediate_size":12800,"num_hidden_layers":45,"num_attention_heads":25,"image_size":448,"patch_size":14,"qkv_bias":false,"qk_normalization":true,"norm_type":"rms_norm"}`
	so4  = `"model_type":"siglip_vision_model","hidden_size":1152,"intermediate_size":4304,"num_attention_heads":16,"patch_size":14,"vision_use_head":false`
)

// alpha says what the trainer's count of StableLM-Alpha v2 holds beside the weights: two norms a layer, of which one is
// used, whole on each of two devices.
const alpha = "the trainer counts two norms a layer, of which one is used, on each of two devices"

// rounded are counts as their makers round them, with the digits that they give.
var rounded = []struct {
	model, config, figure, source string
	experts                       int64 // the figure is of one of this many experts, over all layers; 0: of all parameters
}{
	{"snowflake-arctic-instruct", `"model_type":"arctic","hidden_size":7168,"intermediate_size":4864,"num_hidden_layers":35,"num_attention_heads":56,"num_key_value_heads":8,"num_local_experts":128,"num_experts_per_tok":2,"moe_layer_frequency":1,"parallel_attn_mlp_res":true`,
		"3.66B", "Snowflake/snowflake-arctic-instruct, model card: 128x3.66B", 128},
	{"NV-Embed-v2", `"model_type":"nvembed","architectures":["NVEmbedModel"],"text_config":{"model_type":"bidir_mistral"}`,
		"7.85B", "nvidia/NV-Embed-v2, model card, of the files", 0},
	{"MiniCPM-SALA", `"model_type":"minicpm_sala","num_key_value_heads":2,"lightning_nh":32,"lightning_nkv":32,"mixer_types":[` +
		`"minicpm4",` + strings.Repeat(`"lightning-attn",`, 8) + `"minicpm4",` + strings.Repeat(`"lightning-attn",`, 6) + `"minicpm4","minicpm4",` + strings.Repeat(`"lightning-attn",`, 4) +
		`"minicpm4",` + strings.Repeat(`"lightning-attn",`, 6) + `"minicpm4","minicpm4","minicpm4"]`,
		"9B", "OminiX-ai/OminiX-MLX, minicpm-sala-mlx/README.md", 0},
	{"Hunyuan-A13B-Instruct", `"model_type":"hunyuan","vocab_size":128167,"hidden_size":4096,"intermediate_size":3072,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8,"attention_head_dim":128,"num_experts":64,"moe_topk":8,"tie_word_embeddings":true`,
		"80B", "Tencent-Hunyuan/Hunyuan-A13B, README.md", 0},
}

// TestRounded holds counts to the figures that their makers round, and each such count says so.
func TestRounded(t *testing.T) {
	lib := families.Library()
	for _, c := range rounded {
		m, err := describe(t, lib, "{"+c.config+"}")
		if err != nil {
			t.Errorf("%s: %v", c.model, err)
			continue
		}
		params, _ := sums(m)
		if c.experts > 0 {
			params = 0
			m.Each(func(_ *model.Block, _ *model.Kind, _ *model.Part, x *model.Tensor, layers int64) {
				if x.Role == model.Expert {
					params += x.Elements * x.Copies * layers
				}
			})
			params /= c.experts
		}
		digits := 0
		if _, after, ok := strings.Cut(c.figure, "."); ok {
			digits = len(after) - 1
		}
		said := false
		for _, w := range m.Warnings {
			said = said || strings.Contains(w.Text, "rounded")
		}
		if !said {
			t.Errorf("%s: nothing says that the figure which it agrees with is rounded: %v", c.model, m.Warnings)
		}
		if got := fmt.Sprintf("%.*fB", digits, float64(params)/1e9); got != c.figure || !m.Exact() {
			t.Errorf("%s: %d parameters are %s, want %s: %s; %v", c.model, params, got, c.figure, c.source, m.Warnings)
		}
	}
}

// published are integers that the makers or their files state. adds is what the
// figure holds beside parameters and stored buffers, or, below 0, leaves out.
var published = []struct {
	model, config string
	figure        int64
	adds          int64
	why           string
	source        string
}{
	// Types whose code lives beside the weights.
	{"Qwen-7B-Chat", `"model_type":"qwen","hidden_size":4096,"intermediate_size":22016,"num_hidden_layers":32,"num_attention_heads":32,"kv_channels":128,"vocab_size":151936`,
		7_721_324_544, 0, "", hub},
	{"EXAONE-3.5-2.4B", `"model_type":"exaone","hidden_size":2560,"intermediate_size":7168,"num_layers":30,"num_attention_heads":32,"num_key_value_heads":8,"head_dim":80,"vocab_size":102400,"tie_word_embeddings":true`,
		2_405_327_360, 0, "", hub},
	{"EXAONE-Deep-7.8B", `"model_type":"exaone","hidden_size":4096,"intermediate_size":14336,"num_layers":32,"num_attention_heads":32,"num_key_value_heads":8,"head_dim":128,"vocab_size":102400,"tie_word_embeddings":false`,
		7_818_448_896, 0, "", hub},
	{"Baichuan-7B", `"model_type":"baichuan","vocab_size":64000,"hidden_size":4096,"intermediate_size":11008,"num_hidden_layers":32,"num_attention_heads":32`,
		7_000_559_616, 0, "", "baichuan-inc/Baichuan-13B, README_EN.md"},
	{"Baichuan-13B", `"model_type":"baichuan","vocab_size":64000,"hidden_size":5120,"intermediate_size":13696,"num_hidden_layers":40,"num_attention_heads":40`,
		13_264_901_120, 0, "", "baichuan-inc/Baichuan-13B, README_EN.md"},
	{"glm-4-9b", `"model_type":"chatglm","padded_vocab_size":151552,"pad_token_id":151329,"hidden_size":4096,"ffn_hidden_size":13696,"num_layers":40,"num_attention_heads":32,"kv_channels":128,"multi_query_attention":true,"multi_query_group_num":2,"add_qkv_bias":true`,
		9_399_951_392, 0, "", hub},
	{"chatglm3-6b-32k", `"model_type":"chatglm","padded_vocab_size":65024,"pad_token_id":0,"hidden_size":4096,"ffn_hidden_size":13696,"num_layers":28,"num_attention_heads":32,"kv_channels":128,"multi_query_attention":true,"multi_query_group_num":2,"add_qkv_bias":true`,
		12_487_168_064 / 2, 0, "two bytes each", "THUDM/chatglm3-6b-32k, pytorch_model.bin.index.json, total_size"},
	{"chatglm-6b", `"model_type":"chatglm","vocab_size":150528,"hidden_size":4096,"inner_hidden_size":16384,"num_layers":28,"num_attention_heads":32,"position_encoding_2d":true`,
		13_744_473_856 / 2, (4*28 + 2) * 4096, "norms are stored in four bytes", "THUDM/chatglm-6b, pytorch_model.bin.index.json, total_size"},
	{"telechat-7B", `"model_type":"telechat","vocab_size":160256,"hidden_size":4096,"n_layer":30,"n_head":32,"ffn_hidden_size":12288`,
		14_400_036_864 / 2, 0, "two bytes each", "Tele-AI/Telechat, pytorch_model.bin.index.json, total_size"},
	{"MiMo-7B-Base", `"model_type":"mimo","vocab_size":151680,"hidden_size":4096,"intermediate_size":11008,"num_hidden_layers":36,"num_attention_heads":32,"num_key_value_heads":8,"head_dim":128,"attention_bias":true,"num_nextn_predict_layers":1`,
		7_833_409_536, 0, "", hub},
	{"phi-1_5", `"model_type":"phi-msft","vocab_size":51200,"n_embd":2048,"n_layer":24,"n_head":32,"n_inner":null`,
		1_418_270_720, 0, "", hub},
	{"MiniCPM4-8B", `"model_type":"minicpm","vocab_size":73448,"hidden_size":4096,"intermediate_size":16384,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":2,"tie_word_embeddings":false`,
		8_185_253_888, 0, "", hub},
	{"deepseek-moe-16b-chat", `"model_type":"deepseek","vocab_size":102400,"hidden_size":2048,"intermediate_size":10944,"moe_intermediate_size":1408,"num_hidden_layers":28,"num_attention_heads":16,"num_key_value_heads":16,"n_routed_experts":64,"n_shared_experts":2,"num_experts_per_tok":6,"first_k_dense_replace":1`,
		16_375_728_128, 0, "", hub},
	{"Ling-lite-1.5", `"model_type":"bailing_moe","vocab_size":126464,"hidden_size":2048,"intermediate_size":5632,"moe_intermediate_size":1408,"num_hidden_layers":28,"num_attention_heads":16,"num_key_value_heads":4,"head_dim":128,"num_experts":64,"num_shared_experts":2,"num_experts_per_tok":6,"use_bias":false`,
		16_801_974_272, 0, "", hub},
	{"LLaDA2.1-mini", `"model_type":"llada2_moe","vocab_size":157184,"hidden_size":2048,"intermediate_size":5120,"moe_intermediate_size":512,"num_hidden_layers":20,"num_attention_heads":16,"num_key_value_heads":4,"head_dim":128,"num_experts":256,"num_shared_experts":1,"num_experts_per_tok":8,"first_k_dense_replace":1`,
		16_255_643_392, 0, "", hub},
	{"LLaDA2.1-flash", `"model_type":"llada2_moe","vocab_size":157184,"hidden_size":4096,"intermediate_size":9216,"moe_intermediate_size":1024,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":4,"head_dim":128,"num_experts":256,"num_shared_experts":1,"num_experts_per_tok":8,"first_k_dense_replace":1`,
		102_889_705_216, 0, "", hub},
	{"Ling-mini-2.0", `"model_type":"bailing_moe_v2","vocab_size":157184,"hidden_size":2048,"intermediate_size":5120,"moe_intermediate_size":512,"num_hidden_layers":20,"num_attention_heads":16,"num_key_value_heads":4,"head_dim":128,"num_experts":256,"num_shared_experts":1,"num_experts_per_tok":8,"first_k_dense_replace":1`,
		16_255_643_392, 0, "", ling},
	{"Ling-flash-2.0", `"model_type":"bailing_moe_v2","vocab_size":157184,"hidden_size":4096,"intermediate_size":9216,"moe_intermediate_size":1024,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":4,"head_dim":128,"num_experts":256,"num_shared_experts":1,"num_experts_per_tok":8,"first_k_dense_replace":1`,
		102_889_705_216, 0, "", ling},
	{"Llama-3_3-Nemotron-Super-49B-v1", `"model_type":"nemotron-nas","vocab_size":128256,"hidden_size":8192,"num_hidden_layers":80,"num_attention_heads":64,"block_configs":[` + superBlocks() + `]`,
		49_867_145_216, 0, "", hub},
	{"Step-3.5-Flash", `"model_type":"step3p5","vocab_size":128896,"hidden_size":4096,"intermediate_size":11264,"num_hidden_layers":48,"num_attention_heads":64,"num_attention_groups":8,"head_dim":128,"moe_num_experts":288,"moe_intermediate_size":1280,"share_expert_dim":1280,"attention_other_setting":{"num_attention_heads":96},"sliding_window":512,"moe_layers_enum":"` +
		numbers(3, 45) + `","layer_types":[` + strings.TrimSuffix(strings.Repeat(`"full_attention",`+strings.Repeat(`"sliding_attention",`, 3), 12), ",") + `]`,
		199_384_301_376, 3 * (2*4096*4096 + 128896*4096 + 3*4096), "each of three prediction layers has a matrix for two vectors, a head and three norms more", hub},

	{"stablelm-base-alpha-3b-v2", `"model_type":"stablelm_alpha"`,
		2_796_431_360, (2*(4*32+2) - (2*32 + 2)) * 2560, alpha, "Stability-AI/StableLM, README.md; configs/stablelm-base-alpha-3b-v2-4k-extension.yml, model-parallel-size"},
	{"stablelm-base-alpha-7b-v2", `"model_type":"stablelm_alpha","hidden_size":4096`,
		6_890_209_280, (2*(4*32+2) - (2*32 + 2)) * 4096, alpha, "Stability-AI/StableLM, README.md"},
	{"stablelm-base-alpha-3b", `"model_type":"gpt_neox","vocab_size":50688,"hidden_size":4096,"intermediate_size":16384,"num_hidden_layers":16,"num_attention_heads":32`,
		3_638_525_952, (4 - 1) * (6*16 + 2) * 4096, "norms and the biases that follow a split matrix stand whole on each of four devices, and are counted on each", "Stability-AI/StableLM, README.md; configs/stablelm-base-alpha-3b.yml, model-parallel-size"},

	// Types that see, and an encoder, whose code lives beside the weights.
	{"Kimi-VL-A3B-Instruct", `"model_type":"kimi_vl","vision_config":{"model_type":"moonvit"},"text_config":{"model_type":"deepseek_v3","vocab_size":163840,"hidden_size":2048,"intermediate_size":11264,"moe_intermediate_size":1408,"num_hidden_layers":27,"num_attention_heads":16,"num_key_value_heads":16,"n_shared_experts":2,"n_routed_experts":64,"num_experts_per_tok":6,"first_k_dense_replace":1,"kv_lora_rank":512,"q_lora_rank":null,"qk_nope_head_dim":128,"qk_rope_head_dim":64,"v_head_dim":128,"n_group":1,"topk_group":1,"num_nextn_predict_layers":0}`,
		16_407_656_048, 0, "", "ai-bot-pro/achatbot, pull request 142: parameters and buffers of the class"},
	{"LocateAnything-3B", `"model_type":"locateanything","vision_config":{"model_type":"moonvit","hidden_size":1152,"init_pos_emb_height":64,"init_pos_emb_width":64,"intermediate_size":4304,"merge_kernel_size":[2,2],"num_attention_heads":16,"num_hidden_layers":27,"patch_size":14},"text_config":{"model_type":"qwen2","hidden_size":2048,"intermediate_size":11008,"num_attention_heads":16,"num_hidden_layers":36,"num_key_value_heads":2,"tie_word_embeddings":true,"vocab_size":152681,"block_size":6,"causal_attn":false,"null_token_id":152678,"switch_token_id":152679,"text_mask_token_id":151676}`,
		3_830_665_968, 152681 * 2048, "the tied head is stored once more", "the safetensors total of nvidia/LocateAnything-3B, as the Hub states it (num_parameters)"},
	{"dots.ocr", `"model_type":"dots_ocr","hidden_size":1536,"intermediate_size":8960,"num_hidden_layers":28,"num_attention_heads":12,"num_key_value_heads":2,"vocab_size":151936,"tie_word_embeddings":false,"vision_config":{"embed_dim":1536,"hidden_size":1536,"intermediate_size":4224,"num_hidden_layers":42,"num_attention_heads":12,"patch_size":14,"spatial_merge_size":2,"post_norm":true,"use_bias":false}`,
		3_039_179_264, 0, "", hub},
	{"jina-embeddings-v2-base-en", `"model_type":"bert","auto_map":{"AutoConfig":"jinaai/jina-bert-implementation--configuration_bert.JinaBertConfig"},"architectures":["JinaBertModel"],"vocab_size":30528,"max_position_embeddings":8192,"position_embedding_type":"alibi","feed_forward_type":"geglu"`,
		137_368_320, 0, "", hub},
	{"jina-embeddings-v2-base-code", `"model_type":"bert","auto_map":{"AutoConfig":"jinaai/jina-bert-v2-qk-post-norm--configuration_bert.JinaBertConfig"},"architectures":["JinaBertModel"],"_name_or_path":"jinaai/jina-bert-v2-qk-post-norm","vocab_size":61056,"max_position_embeddings":8192,"position_embedding_type":"alibi","feed_forward_type":"geglu"`,
		160_869_120, 0, "", hub},
	{"jina-embeddings-v3", `"model_type":"xlm-roberta","auto_map":{"AutoConfig":"jinaai/xlm-roberta-flash-implementation--configuration_xlm_roberta.XLMRobertaFlashConfig","AutoModel":"jinaai/xlm-roberta-flash-implementation--modeling_lora.XLMRobertaLoRA"},"architectures":["XLMRobertaModel"],"lora_adaptations":["retrieval.query","retrieval.passage","separation","classification","text-matching"],"lora_rank":4`,
		572_310_396, 0, "", hub},
	{"mHuBERT-147", `"model_type":"hubert","architectures":["HubertModel"]`,
		94_371_712, 0, "", hub},
	{"encodec_24khz", `"model_type":"encodec"`,
		23_273_218, 0, "", hub},

	// Image towers whose code lives beside the weights.
	{"InternVL2-1B", `"model_type":"internvl_chat",` + vit + `,"llm_config":{"model_type":"qwen2","hidden_size":896,"intermediate_size":4864,"num_hidden_layers":24,"num_attention_heads":14,"num_key_value_heads":2,"vocab_size":151655}`,
		938_158_976, 0, "", hub},
	{"InternVL2-4B", `"model_type":"internvl_chat",` + vit + `,"llm_config":{"model_type":"phi3","hidden_size":3072,"intermediate_size":8192,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":32,"vocab_size":32020}`,
		4_146_855_936, 0, "", hub},
	{"InternVL2-8B", `"model_type":"internvl_chat",` + vit + `,"llm_config":{"model_type":"internlm2","hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8,"vocab_size":92553,"bias":false}`,
		8_075_365_376, 0, "", hub},
	{"InternVL2-26B", `"model_type":"internvl_chat",` + vit6 + `,"llm_config":{"model_type":"internlm2","hidden_size":6144,"intermediate_size":16384,"num_hidden_layers":48,"num_attention_heads":48,"num_key_value_heads":8,"vocab_size":92553,"bias":false}`,
		25_514_186_112, 0, "", hub},
	{"InternVL2_5-38B", `"model_type":"internvl_chat",` + vit6 + `,"llm_config":{"model_type":"qwen2","hidden_size":5120,"intermediate_size":27648,"num_hidden_layers":64,"num_attention_heads":40,"num_key_value_heads":8,"vocab_size":151674}`,
		38_388_164_992, 0, "", hub},
	{"InternVL3_5-8B", `"model_type":"internvl_chat",` + vit + `,"llm_config":{"model_type":"qwen3","hidden_size":4096,"intermediate_size":12288,"num_hidden_layers":36,"num_attention_heads":32,"num_key_value_heads":8,"head_dim":128,"vocab_size":151936}`,
		8_528_318_464, 0, "", hub},
	{"Molmo-7B-D-0924", `"model_type":"molmo","hidden_size":3584,"intermediate_size":37888,"num_hidden_layers":28,"num_attention_heads":28,"num_key_value_heads":4,"vocab_size":152064,"embedding_size":152064,"qkv_bias":true`,
		8_021_025_280, 0, "", hub},
	{"Molmo-7B-O-0924", `"model_type":"molmo","hidden_size":4096,"intermediate_size":22016,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":32,"vocab_size":100278,"embedding_size":100352,"attention_layer_norm":true`,
		7_665_032_192, 0, "", hub},
	{"MiniCPM-V-4", `"model_type":"minicpmv","version":4.0,"hidden_size":2560,"intermediate_size":10240,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":2,"head_dim":128,"vocab_size":73448,"query_num":64,"vision_config":{` + so4 + `,"num_hidden_layers":27,"image_size":980}`,
		4_059_533_040, 0, "", hub},
	{"MiniCPM-Llama3-V-2_5", `"model_type":"minicpmv","version":2.5,"hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8,"vocab_size":128256,"query_num":96,"vision_config":{` + so4 + `,"num_hidden_layers":27,"image_size":980}`,
		8_537_092_336, 0, "", hub},
	{"deepseek-vl-1.3b-chat", `"model_type":"multi_modality","aligner_config":{"params":{"depth":2,"input_dim":1024,"n_embed":2048}},"vision_config":{"cls":"CLIPVisionTower","params":{"image_size":384}},"language_config":{"model_type":"llama","hidden_size":2048,"intermediate_size":5632,"num_hidden_layers":24,"num_attention_heads":16,"vocab_size":102400}`,
		1_975_235_584, 0, "", hub},
	{"deepseek-vl2-small", `"model_type":"deepseek_vl_v2","projector_config":{"n_embed":2048},"vision_config":{"layers":27,"mlp_ratio":3.7362,"patch_size":14,"width":1152},"language_config":{"model_type":"deepseek_v2","hidden_size":2048,"intermediate_size":10944,"moe_intermediate_size":1408,"num_hidden_layers":27,"num_attention_heads":16,"kv_lora_rank":512,"q_lora_rank":null,"qk_nope_head_dim":128,"qk_rope_head_dim":64,"v_head_dim":128,"n_routed_experts":64,"n_shared_experts":2,"num_experts_per_tok":6,"first_k_dense_replace":1,"vocab_size":102400}`,
		16_148_349_504, 0, "", hub},

	// Types of transformers, by what their makers' files hold.
	{"MiniMax-M1", `"model_type":"minimax_m1","vocab_size":200064,"hidden_size":6144,"intermediate_size":9216,"num_hidden_layers":80,"num_attention_heads":64,"num_key_value_heads":8,"head_dim":128,"num_local_experts":32`,
		912_210_767_872 / 2, 80 * 32 * 6144, "routers are stored in four bytes", "MiniMax-AI/MiniMax-M1, model.safetensors.index.json, total_size"},
	{"Qwen2.5-VL-7B-Instruct", `"model_type":"qwen2_5_vl","hidden_size":3584,"intermediate_size":18944,"num_hidden_layers":28,"num_attention_heads":28,"num_key_value_heads":4,"vocab_size":152064,"vision_config":{"depth":32,"hidden_size":1280,"intermediate_size":3420,"out_hidden_size":3584,"num_heads":16}`,
		8_292_166_656, 0, "", hub},
	{"aya-vision-8b", `"model_type":"aya_vision","downsample_factor":2,"alignment_intermediate_size":28672,"text_config":{"model_type":"cohere2","hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8,"vocab_size":256000},"vision_config":{` + so4 + `,"num_hidden_layers":27,"image_size":364}`,
		8_631_842_032, 0, "", hub},
	{"paligemma2-3b-mix-224", `"model_type":"paligemma","projection_dim":2304,"text_config":{"model_type":"gemma2","vocab_size":257216},"vision_config":{` + so4 + `,"num_hidden_layers":27,"image_size":224}`,
		3_032_242_416, 0, "", hub},
	{"SmolVLM-256M-Instruct", `"model_type":"idefics3","scale_factor":4,"text_config":{"model_type":"llama","hidden_size":576,"intermediate_size":1536,"num_hidden_layers":30,"num_attention_heads":9,"num_key_value_heads":3,"vocab_size":49280},"vision_config":{"hidden_size":768,"intermediate_size":3072,"num_hidden_layers":12,"num_attention_heads":12,"image_size":512,"patch_size":16}`,
		256_484_928, 0, "", hub},
	{"LFM2-VL-1.6B", `"model_type":"lfm2_vl","projector_hidden_size":2560,"text_config":{"model_type":"lfm2","hidden_size":2048,"block_ff_dim":12288,"num_hidden_layers":16,"full_attn_idxs":[2,5,8,10,12,14]},"vision_config":{"model_type":"siglip2_vision_model","hidden_size":1152,"intermediate_size":4304,"num_hidden_layers":26,"num_attention_heads":16,"vision_use_head":false}`,
		1_584_804_000, 0, "", hub},
	{"GLM-4.5V", `"model_type":"glm4v_moe","vision_config":{"depth":24,"hidden_size":1536,"intermediate_size":10944,"out_hidden_size":4096},"text_config":{"vocab_size":151552,"hidden_size":4096,"num_attention_heads":96,"num_key_value_heads":8,"head_dim":128,"attention_bias":true}`,
		107_710_933_120, 0, "", hub},
	{"InternVL3-1B-hf", `"model_type":"internvl","tie_word_embeddings":false,"vision_config":{"attention_bias":true},"text_config":{"model_type":"qwen2","hidden_size":896,"intermediate_size":4864,"num_hidden_layers":24,"num_attention_heads":14,"num_key_value_heads":2,"vocab_size":151674}`,
		938_193_024, 0, "", hub},
}

// TestPublished holds counts against integers that others state. The facts of each
// config are the model's own; keys that do not matter to the count are left out.
func TestPublished(t *testing.T) {
	lib := families.Library()
	for _, c := range published {
		m, err := describe(t, lib, "{"+c.config+"}")
		if err != nil {
			t.Errorf("%s: %v", c.model, err)
			continue
		}
		params, buffers := sums(m)
		if got := params + buffers + c.adds; got != c.figure || !m.Exact() {
			t.Errorf("%s: %d parameters + %d in buffers + %d (%s) = %d, want %d: %s; %v", c.model, params, buffers, c.adds, c.why, got, c.figure, c.source, m.Warnings)
		}
	}
}

// superBlocks are the 80 blocks of Nemotron Super: how many there are of each kind,
// whether they attend, and how wide their feed-forward is.
func superBlocks() string {
	var out []string
	for _, k := range []struct {
		n       int
		attends bool
		mult    float64
	}{{48, true, 5.25}, {1, true, 2.625}, {1, false, 5.25}, {1, false, 3.28125}, {5, false, 2.625}, {10, false, 1.3125}, {8, false, 1.0}, {6, false, 0.5}} {
		for range k.n {
			attention := `"no_op":true`
			if k.attends {
				attention = `"n_heads_in_group":8`
			}
			out = append(out, fmt.Sprintf(`{"attention":{%s},"ffn":{"ffn_mult":%v}}`, attention, k.mult))
		}
	}
	return strings.Join(out, ",")
}

// numbers writes the whole numbers from one to before another, with commas.
func numbers(from, to int) string {
	var out []string
	for i := from; i < to; i++ {
		out = append(out, fmt.Sprint(i))
	}
	return strings.Join(out, ",")
}

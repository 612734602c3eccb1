"""Makes small GGUF files of the architectures that llama.cpp knows, as its converter names and shapes their tensors.

    python build/oracle/ggufs.py [NAME ...]

transformers builds each model, the gguf library's own map gives its tensors their names in a file, and what a
converter does beside that (experts put together, gate and up taken apart, latent matrices for each head) is below. The metadata
are those that llama.cpp's conversion writes. Types are mixed as in Q4_K_M: larger ones for values and the way down.
core/checkpoint/testdata/gguf.txt gets the config that the hub would have, the elements as torch counts them, and the header.
"""

import base64
import json
import pathlib
import sys
import tempfile
import zlib

import gguf
import torch
import transformers

import kept

OUT = pathlib.Path("core/checkpoint/testdata/gguf.txt")
SMALL = dict(vocab_size=320, hidden_size=256, intermediate_size=512, num_hidden_layers=4, num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=512,
             pad_token_id=0, bos_token_id=1, eos_token_id=2)
GPT = dict(vocab_size=320, n_embd=256, n_layer=3, n_head=4, n_positions=512)
HEAD = dict(SMALL, head_dim=64)
ALL = {k: v for k, v in SMALL.items() if k != "num_key_value_heads"}
LAYERS = ["sliding_attention", "sliding_attention", "sliding_attention", "full_attention"]
MOE = dict(HEAD, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=256)
LATENT = dict(SMALL, num_key_value_heads=4, q_lora_rank=256, kv_lora_rank=256, qk_nope_head_dim=64, qk_rope_head_dim=32, v_head_dim=64)
DEEP = dict(LATENT, n_routed_experts=4, n_shared_experts=1, num_experts_per_tok=2, moe_intermediate_size=256, first_k_dense_replace=1, n_group=1, topk_group=1)
DELTA = dict(MOE, shared_expert_intermediate_size=256, linear_num_key_heads=2, linear_num_value_heads=4, linear_key_head_dim=64, linear_value_head_dim=64)
BAMBA = dict(mamba_d_conv=4, mamba_n_heads=8, mamba_d_head=64, mamba_d_state=32, mamba_n_groups=2)


def build(kind, keys, name=None):
    config = transformers.AutoConfig.for_model(kind, **keys)
    config._attn_implementation = "eager"
    with torch.device("meta"):
        auto = getattr(transformers, name) if name else transformers.AutoModelForCausalLM
        model = (auto._from_config if name else auto.from_config)(config, dtype=torch.bfloat16)
    return model


def checkpoint(model):
    """Names and shapes as save_pretrained writes them, and the config."""
    model = model.to_empty(device="cpu")
    model.tie_weights()
    for t in list(model.parameters()) + list(model.buffers()):
        t.data.zero_()
    from safetensors import safe_open
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        tensors = {}
        for path in pathlib.Path(folder).glob("*.safetensors"):
            with safe_open(path, framework="pt") as f:
                for name in f.keys():
                    tensors[name] = tuple(f.get_slice(name).get_shape())
        return tensors, json.loads((pathlib.Path(folder) / "config.json").read_text())


def experts(tensors):
    """Each expert's matrix becomes one for all of them."""
    out, count = {}, {}
    for name, shape in tensors.items():
        at = name.split(".")
        i = next((i for i, w in enumerate(at) if w == "experts" and i + 1 < len(at) and at[i + 1].isdigit()), None)
        if i is None:
            out[name] = shape
        else:
            whole = ".".join(at[: i + 1] + at[i + 2:])
            count[whole] = (count.get(whole, (0,))[0] + 1, *shape)
    out.update(count)
    return out


def halves(end, first, second, turned=False):
    """A matrix of two becomes two."""
    def change(tensors):
        out = {}
        for name, shape in tensors.items():
            if name.endswith(end):
                *of, rows, columns = shape
                if turned:
                    rows, columns = columns, rows
                for word in (first, second):
                    out[name[: -len(end)] + word] = (*of, rows // 2, columns)
            else:
                out[name] = shape
        return out
    return change


def turned(*ends):
    return lambda tensors: {k: (*v[:-2], v[-1], v[-2]) if k.endswith(ends) else v for k, v in tensors.items()}


def renamed(*pairs):
    def change(tensors):
        out = {}
        for name, shape in tensors.items():
            for old, new in pairs:
                name = name.replace(old, new)
            out[name] = shape
        return out
    return change


def without(*words):
    return lambda tensors: {k: v for k, v in tensors.items() if not any(w in k for w in words)}


def latent(c):
    """The way up from the latent, apart for keys and values and for each head."""
    def change(tensors):
        out = {}
        heads, nope, v = c["num_attention_heads"], c["qk_nope_head_dim"], c["v_head_dim"]
        for name, shape in tensors.items():
            if name.endswith("kv_b_proj.weight"):
                out[name.replace("kv_b_proj", "k_b_proj")] = (heads, shape[1], nope)
                out[name.replace("kv_b_proj", "v_b_proj")] = (heads, v, shape[1])
            else:
                out[name] = shape
        return out
    return change


def state_space(c, heads=False):
    """As files have them: a convolution without its middle side, vectors for heads as columns, a norm in groups."""
    def change(tensors):
        out = {}
        for name, shape in tensors.items():
            if name.endswith("conv1d.weight") or name.endswith("conv.conv.weight"):
                shape = (shape[0], shape[2])
            if heads and (name.endswith("A_log") or name.endswith(".D")):
                shape = (shape[0], 1)
            if heads and (name.endswith("mamba.norm.weight") or name.endswith("mixer.norm.weight")) and groups:
                shape = (groups, shape[0] // groups)
            if name.endswith("A_log"):
                name = name[: -len("_log")] + "_log"
            out[name] = shape
        return out
    groups = c.get("mamba_n_groups") or c.get("n_groups")
    return change


def base(c):
    """What the converter writes of any text model."""
    get = lambda *names: next((c[n] for n in names if c.get(n) is not None), None)
    m = {"block_count": get("num_hidden_layers", "n_layer", "n_layers"), "context_length": get("max_position_embeddings", "n_positions", "max_seq_len") or 512, "embedding_length": get("hidden_size", "n_embd", "d_model"),
         "feed_forward_length": get("intermediate_size", "n_inner", "ffn_dim"), "attention.head_count": get("num_attention_heads", "n_head", "n_heads"),
         "attention.head_count_kv": get("num_key_value_heads"), "expert_count": get("num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts"),
         "expert_used_count": get("num_experts_per_tok", "num_experts_per_token", "moe_k"), "attention.layer_norm_rms_epsilon": 1e-6, "rope.freq_base": 10000.0}
    if get("head_dim"):
        m["attention.key_length"] = m["attention.value_length"] = c["head_dim"]
    return {k: v for k, v in m.items() if v is not None}


def moe(c):
    return {"expert_feed_forward_length": c.get("moe_intermediate_size")}


def shared(c):
    return {**moe(c), "expert_shared_feed_forward_length": c["shared_expert_intermediate_size"]}


def deep(c):
    return {"leading_dense_block_count": c["first_k_dense_replace"], **moe(c), "expert_shared_count": c["n_shared_experts"], "expert_weights_scale": 1.0, "expert_weights_norm": True}


def mla(c):
    return {"attention.q_lora_rank": c.get("q_lora_rank"), "attention.kv_lora_rank": c["kv_lora_rank"], "attention.head_count_kv": 1, "attention.key_length": c["kv_lora_rank"] + c["qk_rope_head_dim"],
            "attention.value_length": c["kv_lora_rank"], "attention.key_length_mla": c["qk_nope_head_dim"] + c["qk_rope_head_dim"], "attention.value_length_mla": c["v_head_dim"],
            "rope.dimension_count": c["qk_rope_head_dim"]}


def mla_whole(c):
    """As files were before April 2025."""
    return {"attention.q_lora_rank": c.get("q_lora_rank"), "attention.kv_lora_rank": c["kv_lora_rank"], "attention.key_length": c["qk_nope_head_dim"] + c["qk_rope_head_dim"],
            "attention.value_length": c["v_head_dim"], "rope.dimension_count": c["qk_rope_head_dim"]}


def slides(c):
    return {"attention.sliding_window": c["sliding_window"]}


def kv_where(attends):
    """No key heads where a layer does something else."""
    return lambda c: {"attention.head_count_kv": [c["num_key_value_heads"] if attends(c, i) else 0 for i in range(c["num_hidden_layers"])]}


def ssm(conv, inner, states, rank, groups=0):
    return {"ssm.conv_kernel": conv, "ssm.inner_size": inner, "ssm.state_size": states, "ssm.time_step_rank": rank, **({"ssm.group_count": groups} if groups else {})}


def bamba(c):
    return ssm(c["mamba_d_conv"], c["mamba_n_heads"] * 64, c["mamba_d_state"], c["mamba_n_heads"], c["mamba_n_groups"])


def both(*of):
    return lambda c: {k: v for f in of for k, v in f(c).items()}


GEMMA4 = dict(SMALL, head_dim=64, global_head_dim=128, sliding_window=64, layer_types=LAYERS, vocab_size_per_layer_input=320, hidden_size_per_layer_input=32)


def gemma4(c):
    local, whole = [t == "sliding_attention" for t in c["layer_types"]], c["num_hidden_layers"] - c["num_kv_shared_layers"]
    return {**slides(c), "attention.sliding_window_pattern": local, "attention.key_length": c["global_head_dim"], "attention.value_length": c["global_head_dim"], "attention.key_length_swa": c["head_dim"], "attention.value_length_swa": c["head_dim"],
            "attention.shared_kv_layers": c["num_kv_shared_layers"], "embedding_length_per_layer_input": c["hidden_size_per_layer_input"], "rope.dimension_count": c["global_head_dim"], "expert_feed_forward_length": c.get("moe_intermediate_size"),
            "expert_count": c.get("num_experts"), "expert_used_count": c.get("top_k_experts"),
            "feed_forward_length": [c["intermediate_size"] * (1 if i < whole or not c["use_double_wide_mlp"] else 2) for i in range(c["num_hidden_layers"])],
            "attention.head_count_kv": [c["num_key_value_heads"] if s else c.get("num_global_key_value_heads") or c["num_key_value_heads"] for s in local]}


def biases(tensors):
    """gpt-oss: the biases of experts, gate and up apart."""
    out = {}
    for name, shape in tensors.items():
        if name.endswith("gate_up_proj_bias"):
            for word in ("gate", "up"):
                out[name.replace("gate_up_proj_bias", word + "_proj.bias")] = (shape[0], shape[1] // 2)
        else:
            out[name.replace(".down_proj.weight_bias", ".down_proj.bias").replace(".down_proj_bias", ".down_proj.bias")] = shape
    return out


fused = lambda c: halves("experts.gate_up_proj", "experts.gate_proj.weight", "experts.up_proj.weight")
down = lambda c: renamed(("experts.down_proj.weight", "experts.down_proj"), ("experts.down_proj", "experts.down_proj.weight"))

# name: type, keys, architecture, further metadata, what a converter changes.
CASES = {
    "llama": ("llama", HEAD, "llama", None, []),
    "mistral": ("mistral", HEAD, "llama", None, []),
    "mixtral": ("mixtral", dict(SMALL, num_local_experts=4, num_experts_per_tok=2), "llama", None, []),
    "qwen2": ("qwen2", dict(SMALL, tie_word_embeddings=True), "qwen2", None, []),
    "qwen2-moe": ("qwen2_moe", dict(MOE, shared_expert_intermediate_size=256), "qwen2moe", shared, []),
    "qwen3": ("qwen3", HEAD, "qwen3", None, []),
    "qwen3-moe": ("qwen3_moe", MOE, "qwen3moe", moe, []),
    "gemma": ("gemma", HEAD, "gemma", None, []),
    "gemma2": ("gemma2", dict(HEAD, sliding_window=64), "gemma2", slides, []),
    "gemma3": ("gemma3_text", dict(HEAD, num_hidden_layers=7, sliding_window=64), "gemma3", slides, []),
    "phi": ("phi", SMALL, "phi2", None, []),
    "phi3": ("phi3", SMALL, "phi3", None, []),
    "phimoe": ("phimoe", dict(SMALL, num_local_experts=4, num_experts_per_tok=2, lm_head_bias=True, attention_bias=True), "phimoe", None, []),
    "starcoder2": ("starcoder2", SMALL, "starcoder2", None, []),
    "gpt2": ("gpt2", GPT, "gpt2", lambda c: {"feed_forward_length": 4 * c["n_embd"]}, [lambda c: turned("c_attn.weight", "c_proj.weight", "c_fc.weight")]),
    "gpt-bigcode": ("gpt_bigcode", GPT, "starcoder", lambda c: {"feed_forward_length": 4 * c["n_embd"], "attention.head_count_kv": 1}, []),
    "gpt-neox": ("gpt_neox", dict(ALL, tie_word_embeddings=False), "gptneox", None, []),
    "bloom": ("bloom", dict(vocab_size=320, hidden_size=256, n_layer=3, n_head=4), "bloom", lambda c: {"feed_forward_length": 4 * c["hidden_size"]}, [lambda c: renamed(("transformer.", ""))]),
    "falcon": ("falcon", dict(vocab_size=320, hidden_size=256, num_hidden_layers=3, num_attention_heads=4, multi_query=True), "falcon", lambda c: {"feed_forward_length": 4 * c["hidden_size"], "attention.head_count_kv": 1}, []),
    "falcon-40b": ("falcon", dict(vocab_size=320, hidden_size=256, num_hidden_layers=3, num_attention_heads=4, num_kv_heads=2, new_decoder_architecture=True), "falcon", lambda c: {"feed_forward_length": 4 * c["hidden_size"], "attention.head_count_kv": c["num_kv_heads"]}, []),
    "mpt": ("mpt", dict(vocab_size=320, d_model=256, n_layers=3, n_heads=4), "mpt", lambda c: {"feed_forward_length": 4 * c["d_model"]}, []),
    "stablelm": ("stablelm", SMALL, "stablelm", None, []),
    "stablelm-parallel": ("stablelm", dict(SMALL, use_parallel_residual=True), "stablelm", None, []),
    "cohere": ("cohere", SMALL, "command-r", None, []),
    "cohere2": ("cohere2", dict(HEAD, sliding_window=64), "cohere2", slides, []),
    "olmo": ("olmo", SMALL, "olmo", None, []),
    "olmo2": ("olmo2", SMALL, "olmo2", None, []),
    "olmo3": ("olmo3", dict(SMALL, layer_types=LAYERS, sliding_window=64), "olmo2", lambda c: {**slides(c), "attention.sliding_window_pattern": [t == "sliding_attention" for t in c["layer_types"]]}, []),
    "olmoe": ("olmoe", dict(MOE), "olmoe", None, []),
    "granite": ("granite", SMALL, "granite", None, []),
    "granitemoe": ("granitemoe", dict(SMALL, num_local_experts=4, num_experts_per_tok=2), "granitemoe", None,
                   [lambda c: halves("input_linear.weight", "gate_proj.weight", "up_proj.weight"), lambda c: renamed(("block_sparse_moe.gate_proj", "mlp.experts.gate_proj"), ("block_sparse_moe.up_proj", "mlp.experts.up_proj"), ("block_sparse_moe.output_linear", "mlp.experts.down_proj"))]),
    "glm": ("glm", HEAD, "chatglm", None, []),
    "glm4": ("glm4", HEAD, "glm4", None, []),
    "glm4-moe": ("glm4_moe", dict(MOE, n_routed_experts=4, n_shared_experts=1, first_k_dense_replace=1, n_group=1, topk_group=1), "glm4moe", deep, []),
    "deepseek-v2": ("deepseek_v2", dict(DEEP, q_lora_rank=None), "deepseek2", both(deep, mla), [latent]),
    "deepseek-v2-whole": ("deepseek_v2", DEEP, "deepseek2", both(deep, mla_whole), []),
    "deepseek-v3": ("deepseek_v3", DEEP, "deepseek2", both(deep, mla), [latent]),
    "minicpm3": ("minicpm3", dict(LATENT, v_head_dim=64), "minicpm3", mla_whole, []),
    "exaone4": ("exaone4", dict(HEAD, layer_types=LAYERS, sliding_window=64), "exaone4", lambda c: {**slides(c), "attention.sliding_window_pattern": [t == "sliding_attention" for t in c["layer_types"]]}, []),
    "nemotron": ("nemotron", HEAD, "nemotron", None, []),
    "smollm3": ("smollm3", SMALL, "smollm3", None, []),
    "arcee": ("arcee", HEAD, "arcee", None, []),
    "seed-oss": ("seed_oss", HEAD, "seed_oss", None, []),
    "apertus": ("apertus", SMALL, "apertus", None, [lambda c: without("act_fn")]),
    "ernie4.5": ("ernie4_5", HEAD, "ernie4_5", None, []),
    "ernie4.5-moe": ("ernie4_5_moe", dict(SMALL, moe_num_experts=4, moe_k=2, moe_intermediate_size=256, moe_layer_start_index=1, moe_layer_interval=1, moe_num_shared_experts=2), "ernie4_5-moe",
                     lambda c: {**moe(c), "interleave_moe_layer_step": 1, "leading_dense_block_count": 1, "expert_shared_count": 2, "expert_shared_feed_forward_length": 512}, []),
    "dots1": ("dots1", dict(MOE, n_routed_experts=4, n_shared_experts=1, first_k_dense_replace=1, n_group=1, topk_group=1), "dots1", deep, []),
    "hunyuan-dense": ("hunyuan_v1_dense", dict(HEAD, rope_parameters={"rope_type": "default", "rope_theta": 10000.0}), "hunyuan-dense", None, []),
    "minimax-m2": ("minimax_m2", dict(MOE), "minimax-m2", lambda c: {"expert_feed_forward_length": c["intermediate_size"]}, []),
    "gpt-oss": ("gpt_oss", dict(HEAD, num_local_experts=4, num_experts_per_tok=2, sliding_window=64), "gpt-oss", lambda c: {**slides(c), "expert_feed_forward_length": c["intermediate_size"]},
                [lambda c: turned("experts.gate_up_proj", "experts.down_proj"), fused, down, lambda c: biases]),
    "llama4": ("llama4_text", dict(HEAD, intermediate_size_mlp=768, num_local_experts=4, num_experts_per_tok=1, interleave_moe_layer_step=2, attention_chunk_size=64), "llama4",
               lambda c: {"feed_forward_length": c["intermediate_size_mlp"], "expert_feed_forward_length": c["intermediate_size"], "interleave_moe_layer_step": 2, "attention.chunk_size": 64},
               [lambda c: halves("experts.gate_up_proj", "experts.gate_proj.weight", "experts.up_proj.weight", turned=True), lambda c: turned("experts.down_proj"), down]),
    "dbrx": ("dbrx", dict(vocab_size=320, d_model=256, n_layers=3, n_heads=4, attn_config={"kv_n_heads": 2, "clip_qkv": 8, "rope_theta": 10000.0}, ffn_config={"ffn_hidden_size": 256, "moe_num_experts": 4, "moe_top_k": 2}), "dbrx",
             lambda c: {"feed_forward_length": 256, "attention.head_count_kv": 2, "expert_count": 4, "expert_used_count": 2},
             [lambda c: lambda t: {k: (4, v[0] // 4, v[1]) if ".experts.mlp." in k else v for k, v in t.items()}, lambda c: turned("experts.mlp.w2"), lambda c: renamed(("experts.mlp.w1", "experts.mlp.w1.weight"), ("experts.mlp.v1", "experts.mlp.v1.weight"), ("experts.mlp.w2", "experts.mlp.w2.weight"))]),
    "mamba": ("mamba", dict(vocab_size=320, hidden_size=256, num_hidden_layers=3, state_size=16), "mamba", lambda c: {"feed_forward_length": 0, "attention.head_count": 0, **ssm(4, 512, 16, 16)}, [state_space]),
    "falcon-mamba": ("falcon_mamba", dict(vocab_size=320, hidden_size=256, num_hidden_layers=3, state_size=16), "mamba", lambda c: {"feed_forward_length": 0, "attention.head_count": 0, "ssm.dt_b_c_rms": True, **ssm(4, 512, 16, 16)}, [state_space]),
    "mamba2": ("mamba2", dict(vocab_size=320, hidden_size=256, num_hidden_layers=3, num_heads=8, head_dim=64, state_size=32, n_groups=2), "mamba2",
               lambda c: {"feed_forward_length": 0, "attention.head_count": 0, "attention.key_length": None, "attention.value_length": None, **ssm(4, 512, 32, 8, 2)}, [lambda c: state_space(c, True)]),
    "jamba": ("jamba", dict(SMALL, num_experts=4, num_experts_per_tok=2, expert_layer_period=2, expert_layer_offset=1, attn_layer_period=2, attn_layer_offset=1, mamba_dt_rank=16), "jamba",
              lambda c: {**kv_where(lambda c, i: i % 2 == 1)(c), **ssm(4, 512, 16, 16)}, [state_space]),
    "granite-hybrid": ("granitemoehybrid", dict(SMALL, **BAMBA, num_local_experts=0, shared_intermediate_size=512, layer_types=["mamba", "attention", "mamba", "attention"]), "granitehybrid",
                       lambda c: {**kv_where(lambda c, i: i % 2 == 1)(c), **bamba(c), "expert_count": None, "expert_used_count": None}, [lambda c: state_space(c, True), lambda c: halves("shared_mlp.input_linear.weight", "shared_mlp.gate_proj.weight", "shared_mlp.up_proj.weight"),
                                                                                   lambda c: renamed(("shared_mlp.output_linear", "mlp.down_proj"), ("shared_mlp.gate_proj", "mlp.gate_proj"), ("shared_mlp.up_proj", "mlp.up_proj"))]),
    "falcon-h1": ("falcon_h1", dict(HEAD, **BAMBA, mamba_d_ssm=512), "falcon-h1", bamba, [lambda c: state_space(c, True)]),
    "nemotron-h": ("nemotron_h", dict(HEAD, num_hidden_layers=3, hybrid_override_pattern="M*-", mamba_num_heads=8, mamba_head_dim=64, ssm_state_size=32, n_groups=2), "nemotron_h",
                   lambda c: {"block_count": 3, "attention.head_count_kv": [0, 2, 0], "feed_forward_length": [0, 0, 512], **ssm(4, 512, 32, 8, 2), "expert_count": None, "expert_used_count": None}, [lambda c: state_space(c, True)]),
    "lfm2": ("lfm2", dict(SMALL, block_auto_adjust_ff_dim=False, layer_types=["conv", "full_attention", "conv", "full_attention"]), "lfm2",
             lambda c: {**kv_where(lambda c, i: i % 2 == 1)(c), "shortconv.l_cache": 3}, [state_space]),
    "qwen3-next": ("qwen3_next", DELTA, "qwen3next", lambda c: {**shared(c), **ssm(4, 256, 64, 4, 2), "full_attention_interval": 4}, [state_space]),
    "nomic-bert": ("nomic_bert", dict(ALL, num_hidden_layers=3, type_vocab_size=2), "nomic-bert", lambda c: {"tokenizer.ggml.token_type_count": 2}, [], "NomicBertModel"),
    "afmoe": ("afmoe", dict(MOE, num_dense_layers=1, num_shared_experts=1, sliding_window=64), "afmoe", lambda c: {**slides(c), **moe(c), "leading_dense_block_count": 1, "expert_shared_count": 1},
              [lambda c: renamed((".expert_bias", ".expert_bias.bias"))]),
    "mimo2": ("mimo_v2_flash", dict(MOE, n_routed_experts=4, v_head_dim=32, sliding_window=64, layer_types=LAYERS, mlp_layer_types=["dense", "sparse", "sparse", "sparse"]), "mimo2",
              lambda c: {**slides(c), **moe(c), "attention.value_length": 32, "attention.sliding_window_pattern": [int(t == "sliding_attention") for t in c["layer_types"]], "leading_dense_block_count": 1,
                         "attention.head_count_kv": [{"sliding_attention": 4, "full_attention": 2}[t] for t in c["layer_types"]]}, [lambda c: renamed(("attention_sink_bias", "attention_sink_bias.weight"))]),
    "glm-dsa": ("glm_moe_dsa", dict(DEEP, index_n_heads=4, index_head_dim=64, index_topk=32), "glm-dsa", lambda c: {**both(deep, mla)(c), "attention.indexer.head_count": 4, "attention.indexer.key_length": 64, "attention.indexer.top_k": 32}, [latent]),
    "modern-bert": ("modernbert", dict(ALL, local_attention=64), "modern-bert", lambda c: {"attention.sliding_window": 64, "attention.sliding_window_pattern": 3, "attention.causal": False}, [], "ModernBertModel"),
    # What llama.cpp keeps apart of a model that sees: the tower and the projector.
    "mmproj": ("llava", dict(text_config=dict(model_type="llama", **SMALL), vision_config=dict(model_type="clip_vision_model", hidden_size=256, intermediate_size=512, num_hidden_layers=4, num_attention_heads=4,
               image_size=56, patch_size=14)), "clip", lambda c: {"block_count": None, "context_length": None, "rope.freq_base": None, "attention.layer_norm_rms_epsilon": None, "vision.block_count": 4, "vision.image_size": 56,
               "vision.patch_size": 14, "vision.embedding_length": 256, "vision.feed_forward_length": 512, "vision.projection_dim": 256, "vision.attention.head_count": 4},
               [lambda c: lambda t: {k: v for k, v in t.items() if any(w in k for w in SEEN)}, lambda c: renamed(("vision_tower.", "vision_tower.vision_model."))], "LlavaForConditionalGeneration"),
    "jais2": ("jais2", HEAD, "jais2", None, []),
    "eurobert": ("eurobert", SMALL, "eurobert", None, [], "EuroBertModel"),
    "gemma4": ("gemma4_text", dict(GEMMA4, layer_types=2 * ["sliding_attention", "full_attention"], num_kv_shared_layers=2, use_double_wide_mlp=True), "gemma4", gemma4, [lambda c: renamed((".layer_scalar", ".layer_scalar.weight"))]),
    "gemma4-moe": ("gemma4_text", dict(GEMMA4, num_kv_shared_layers=0, hidden_size_per_layer_input=0, attention_k_eq_v=True, num_global_key_value_heads=1, enable_moe_block=True, num_experts=4, top_k_experts=2, moe_intermediate_size=256), "gemma4", gemma4,
                   [lambda c: renamed((".layer_scalar", ".layer_scalar.weight"), ("experts.gate_up_proj", "experts.gate_up_proj.weight"), ("experts.down_proj", "experts.down_proj.weight"), ("router.scale", "router.proj.scale"), ("router.per_expert_scale", "experts.down_proj.scale"))]),
    "kimi-linear": ("kimi_linear", dict(DEEP, q_lora_rank=None, num_experts=4, num_shared_experts=1, num_experts_per_token=2, linear_attn_config=dict(full_attn_layers=[4], kda_layers=[1, 2, 3], head_dim=64, num_heads=4, short_conv_kernel_size=4)), "kimi-linear",
                    lambda c: {**deep(c), **mla(c), "kda.head_dim": 64, "ssm.conv_kernel": 4, "attention.head_count_kv": [0, 0, 0, 4]}, [latent, lambda c: renamed(*((f"block_sparse_moe.{w}_proj", f"mlp.{w}_proj") for w in ("gate", "up", "down")))]),
    "step35": ("step3p5", dict(HEAD, sliding_window=64, layer_types=LAYERS, num_sliding_attention_heads=8, moe_num_experts=4, moe_top_k=2, moe_intermediate_size=256, share_expert_dim=256, moe_layers_enum="1,2,3", architectures=["Step3p5ForCausalLM"]), "step35",
               lambda c: {**slides(c), "attention.head_count": [8, 8, 8, 4], "attention.sliding_window_pattern": [t == "sliding_attention" for t in c["layer_types"]], "leading_dense_block_count": 1, "expert_count": 4, "expert_used_count": 2,
                          "expert_feed_forward_length": 256, "expert_shared_feed_forward_length": 256},
               [lambda c: lambda t: {"lm_head.weight": (320, 256), **{"model." + k: v for k, v in t.items()}}, fused, down], "Step3p7TextModel"),  # transformers has no class with its head
    **{name: ("t5", dict(vocab_size=320, d_model=256, d_ff=512, d_kv=32, num_layers=2, num_decoder_layers=3, num_heads=4, feed_forward_proj=gate, tie_word_embeddings=tied), architecture,
              lambda c: {"block_count": c["num_layers"], "decoder_block_count": c["num_decoder_layers"], "embedding_length": 256, "feed_forward_length": c["d_ff"], "attention.head_count": c["num_heads"], "attention.head_count_kv": None,
                         "attention.key_length": c["d_kv"], "attention.value_length": c["d_kv"], "attention.relative_buckets_count": 32, "rope.freq_base": None}, [], auto)
       for name, architecture, gate, tied, auto in (("t5", "t5", "relu", True, "T5ForConditionalGeneration"), ("t5-gated", "t5", "gated-gelu", False, "T5ForConditionalGeneration"), ("t5-encoder", "t5encoder", "gated-gelu", False, "T5EncoderModel"))},
    "gemma3n": ("gemma3n_text", dict(SMALL, head_dim=64, intermediate_size=[512] * 5, num_hidden_layers=5, num_kv_shared_layers=0, layer_types=LAYERS[:3] + LAYERS[2:], sliding_window=64, vocab_size_per_layer_input=320, hidden_size_per_layer_input=32), "gemma3n",
                lambda c: {**slides(c), "altup.num_inputs": 4, "altup.active_idx": 0, "attention.shared_kv_layers": 0, "embedding_length_per_layer_input": 32, "attention.sliding_window_pattern": [t == "sliding_attention" for t in c["layer_types"]]},
                [lambda c: lambda t: {**{k: v for k, v in t.items() if "altup_projections" not in k and "altup_unembed" not in k}, "altup_proj.weight": (3, 256, 256), "altup_unembd_proj.weight": (3, 256, 256)},
                 lambda c: renamed(("altup.correct_output_scale", "altup.correct_output_scale.weight"))]),
}


def size_of(shape):
    n = 1
    for d in shape:
        n *= d
    return n


# What the names of a tower and a projector have.
SEEN = ("vision_tower", "multi_modal_projector")


def kind_of(name, shape):
    """What Q4_K_M makes of a tensor, as far as its row divides."""
    types = gguf.GGMLQuantizationType
    if len(shape) < 2 or "ssm_" in name and "in.weight" not in name and "out.weight" not in name or "ffn_gate_inp" in name or "shortconv.conv" in name:
        return types.F32
    row = shape[-1]
    if row % 256 == 0:
        larger = name == "output.weight" or "attn_v" in name or "ffn_down" in name and name.split(".")[1] in "01"
        return types.Q6_K if larger else types.Q4_K
    return types.Q8_0 if row % 32 == 0 else types.F16


def write(path, architecture, metadata, tensors, vocabulary):
    w = gguf.GGUFWriter(path, architecture)
    for key, n in metadata.items():
        key = key if key.startswith("tokenizer.") else f"{architecture}.{key}"
        if isinstance(n, list):
            w.add_array(key, n)
        elif isinstance(n, bool):
            w.add_bool(key, n)
        elif isinstance(n, float):
            w.add_float32(key, n)
        else:
            w.add_uint32(key, n)
    if vocabulary:
        w.add_tokenizer_model("gpt2")
        w.add_token_list([f"t{i}" for i in range(vocabulary)])
    data = 0
    for name, shape in tensors.items():
        kind = kind_of(name, shape)
        block, size = gguf.GGML_QUANT_SIZES[kind]
        n = size_of(shape)
        w.add_tensor_info(name, shape, None, n // block * size, raw_dtype=kind)
        data += -(-(n // block * size) // 32) * 32
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_ti_data_to_file()
    w.close()
    head = path.read_bytes()
    return head, -(-len(head) // 32) * 32 + data


def make(name):
    kind, keys, architecture, more, changes, *auto = CASES[name]
    model = build(kind, keys, *auto)
    elements = sum(p.numel() for n, p in model.named_parameters() if architecture != "clip" or any(w in n for w in SEEN))
    tensors, config = checkpoint(model)
    config["architectures"] = keys.get("architectures", config["architectures"])
    c = {**config, **{k: v for k, v in keys.items() if k not in config}}
    metadata = {**base(c), **(more(c) if more else {})}
    metadata = {k: v for k, v in metadata.items() if v is not None}
    tensors = experts(tensors)
    for change in changes:
        before, tensors = tensors, change(c)(tensors)
        if architecture != "clip" and sum(map(size_of, tensors.values())) < sum(map(size_of, before.values())):  # what a converter leaves out
            elements -= sum(p.numel() for n, p in model.named_parameters() if n in before and n not in tensors)
        if "lm_head.weight" in tensors and "lm_head.weight" not in before:
            elements += size_of(tensors["lm_head.weight"])
    arch = next(a for a, n in gguf.MODEL_ARCH_NAMES.items() if n == architecture)
    names = gguf.get_tensor_name_map(arch, metadata.get("decoder_block_count") or metadata.get("block_count") or metadata["vision.block_count"])
    out = {}
    for t, shape in tensors.items():
        for old, new in ALIASES:
            t = t.replace(old, new)
        for end in (".weight", ".bias", ".scale", ""):
            if t.endswith(end):
                stem = names.get_name(t[: len(t) - len(end)] if end else t)
                if stem:
                    break
        if not stem:
            raise ValueError(f"no name for {t} {shape}")
        out[stem + end] = shape
    return config, elements, *write(pathlib.Path(tempfile.mkdtemp()) / "m.gguf", architecture, metadata, out, c.get("vocab_size", 0))


# What the converter renames before it asks the map.
ALIASES = [("dt_bias", "dt_proj.bias"), ("e_score_correction_bias", "e_score_correction.bias"), ("self_attn.sinks", "self_attn.sinks.weight")]


def main():
    """Makes those that are named, or all, and keeps the others that are there."""
    head = [f"# What llama.cpp's converter makes of models, without weights: build/oracle/ggufs.py, transformers {transformers.__version__}.",
            "# case NAME, verdict, difference, elements as torch counts them; config JSON; file NAME, bytes, header deflated in base64"]
    cases = kept.read(OUT)
    for name in sys.argv[1:] or CASES:
        try:
            config, elements, header, size = make(name)
        except Exception as e:
            print(f"{name}: {type(e).__name__} {e}"[:300])
            continue
        cases[name] = [f"case\t{name}\t{'alone' if name == 'mmproj' else 'equal'}\t\t{elements}", "config\t" + json.dumps(config, separators=(",", ":")), f"file\tmodel.gguf\t{size}\t" + base64.b64encode(zlib.compress(header, 9)).decode()]
        kept.write(OUT, head, CASES, cases)
        print(name, elements, flush=True)


if __name__ == "__main__":
    main()

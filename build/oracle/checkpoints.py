"""Makes small checkpoints with the writers that people use, and keeps what a reader sees of them.

    python build/oracle/checkpoints.py FOLDER

Models are built by transformers with random weights of zero and written by save_pretrained, by the
safetensors library and by the gguf library; some are then changed the way that published ones differ: a head
stored twice, layers for further tokens, packed matrices. FOLDER gets the checkpoints, and
core/checkpoint/testdata/written.txt their configs and headers with what has to be said of each: weights are not kept.
"""

import base64
import json
import pathlib
import shutil
import struct
import sys
import zlib

import gguf
import numpy
import peft
import torch
import transformers
from safetensors import safe_open
from safetensors.torch import save_file

OUT = pathlib.Path("core/checkpoint/testdata/written.txt")
SMALL = dict(vocab_size=320, hidden_size=64, intermediate_size=160, num_hidden_layers=3, num_attention_heads=4, num_key_value_heads=2)


def build(kind, **keys):
    kind, _, name = kind.partition(":")
    config = transformers.AutoConfig.for_model(kind, **keys)
    masked, seq2seq = transformers.AutoModelForMaskedLM, transformers.AutoModelForSeq2SeqLM
    auto = {"bert": masked, "camembert": masked, "albert": masked, "deberta": masked, "luke": masked, "t5": seq2seq, "bart": seq2seq}.get(kind, transformers.AutoModelForCausalLM)
    with torch.device("meta"):
        model = (getattr(transformers, name)._from_config if name else auto.from_config)(config, dtype=torch.bfloat16)
    model = model.to_empty(device="cpu")
    model.tie_weights()
    for t in list(model.parameters()) + list(model.buffers()):
        t.data.zero_()
    return model


def read(folder):
    tensors = {}
    for path in sorted(folder.glob("*.safetensors")):
        with safe_open(path, framework="pt") as f:
            for name in f.keys():
                tensors[name] = f.get_tensor(name)
    return tensors


def configure(folder, **keys):
    path = folder / "config.json"
    config = json.loads(path.read_text())
    config.update(keys)
    path.write_text(json.dumps(config, indent=1))


def rewrite(folder, change):
    """Writes the tensors anew as change has them."""
    tensors = change(read(folder))
    for path in folder.glob("*.safetensors*"):
        path.unlink()
    save_file({k: v.contiguous() for k, v in tensors.items()}, folder / "model.safetensors", metadata={"format": "pt"})


def zeros(dtype, *shape):
    return torch.zeros(shape, dtype=dtype)


def packed(pack):
    """A change that packs every matrix of the layers' linear modules."""

    def change(tensors):
        out = {}
        for name, t in tensors.items():
            if t.dim() == 2 and name.startswith("model.layers.") and name.endswith(".weight") and "norm" not in name:
                rows, columns = t.shape
                out.update(pack(name[: -len(".weight")], rows, columns))
            else:
                out[name] = t
        return out

    return change


def gptq(base, rows, columns):
    groups = columns // 32
    return {base + ".qweight": zeros(torch.int32, columns // 8, rows), base + ".qzeros": zeros(torch.int32, groups, rows // 8),
            base + ".scales": zeros(torch.float16, groups, rows), base + ".g_idx": zeros(torch.int32, columns)}


def awq(base, rows, columns):
    groups = columns // 32
    return {base + ".qweight": zeros(torch.int32, columns, rows // 8), base + ".qzeros": zeros(torch.int32, groups, rows // 8),
            base + ".scales": zeros(torch.float16, groups, rows)}


def fp8(base, rows, columns):
    return {base + ".weight": zeros(torch.float8_e4m3fn, rows, columns),
            base + ".weight_scale_inv": zeros(torch.float32, -(-rows // 128), -(-columns // 128))}


def nf4(base, rows, columns):
    name = base + ".weight"
    return {name: zeros(torch.uint8, rows * columns // 2, 1), name + ".absmax": zeros(torch.uint8, rows * columns // 64),
            name + ".quant_map": zeros(torch.float32, 16), name + ".nested_absmax": zeros(torch.float32, rows * columns // 64 // 256 + 1),
            name + ".nested_quant_map": zeros(torch.float32, 256), name + ".quant_state.bitsandbytes__nf4": zeros(torch.uint8, 90)}


def w4a16(base, rows, columns):
    return {base + ".weight_packed": zeros(torch.int32, rows, columns // 8), base + ".weight_scale": zeros(torch.bfloat16, rows, columns // 32),
            base + ".weight_shape": zeros(torch.int64, 2)}


def nvfp4(base, rows, columns):
    return {base + ".weight_packed": zeros(torch.uint8, rows, columns // 2), base + ".weight_scale": zeros(torch.float8_e4m3fn, rows, columns // 16),
            base + ".weight_global_scale": zeros(torch.float32, 1), base + ".input_global_scale": zeros(torch.float32, 1)}


def mlx(base, rows, columns):
    return {base + ".weight": zeros(torch.uint32, rows, columns // 8), base + ".scales": zeros(torch.bfloat16, rows, columns // 32),
            base + ".biases": zeros(torch.bfloat16, rows, columns // 32)}


def int8(base, rows, columns):
    return {base + ".weight": zeros(torch.int8, rows, columns), base + ".SCB": zeros(torch.float32, rows), base + ".weight_format": zeros(torch.uint8)}


def w8a8(base, rows, columns):
    return {base + ".weight": zeros(torch.int8, rows, columns), base + ".weight_scale": zeros(torch.bfloat16, rows, 1)}


def fp8_static(base, rows, columns):
    return {base + ".weight": zeros(torch.float8_e4m3fn, rows, columns), base + ".weight_scale": zeros(torch.float32), base + ".input_scale": zeros(torch.float32)}


def nvfp4_modelopt(base, rows, columns):
    return {base + ".weight": zeros(torch.uint8, rows, columns // 2), base + ".weight_scale": zeros(torch.float8_e4m3fn, rows, columns // 16),
            base + ".weight_scale_2": zeros(torch.float32), base + ".input_scale": zeros(torch.float32)}


def gptq_with_bias(base, rows, columns):
    return {**gptq(base, rows, columns), base + ".bias": zeros(torch.float16, rows)}


def hqq(base, rows, columns):
    groups = rows * columns // 32
    return {base + ".W_q": zeros(torch.uint8, groups // 2, 32), base + ".scale": zeros(torch.bfloat16, groups, 1), base + ".zero": zeros(torch.bfloat16, groups, 1),
            base + ".shape": zeros(torch.int32, 2), base + ".nbits": zeros(torch.int32, 1), base + ".group_size": zeros(torch.int32, 1), base + ".axis": zeros(torch.int32, 1)}


def aqlm(base, rows, columns):
    return {base + ".codes": zeros(torch.int16, rows, columns // 8, 1), base + ".codebooks": zeros(torch.bfloat16, 1, 256, 1, 8), base + ".scales": zeros(torch.bfloat16, rows, 1, 1, 1)}


def marlin_24(base, rows, columns):
    return {base + ".weight_packed": zeros(torch.int32, columns // 32, rows * 2), base + ".scale_packed": zeros(torch.float16, 1, rows), base + ".meta": zeros(torch.int16, rows // 2, columns // 8)}


def torchao_fp8(base, rows, columns):
    return {base + "._weight_qdata": zeros(torch.float8_e4m3fn, rows, columns), base + "._weight_scale": zeros(torch.float32, rows, 1)}


def vptq(base, rows, columns):
    return {base + ".indices": zeros(torch.int32, 1, rows, columns // 16), base + ".centroids.weight": zeros(torch.bfloat16, 1, 2048), base + ".perm": zeros(torch.int16, columns)}


def switched(tensors):
    """MLX has the experts of a layer in one tensor."""
    out, experts = {}, {}
    for name, t in tensors.items():
        if ".experts." in name:
            layer, rest = name.split(".experts.")
            number, matrix = rest.split(".", 1)
            experts.setdefault(f"{layer}.switch_mlp.{matrix[: -len('.weight')]}", {})[int(number)] = t
        else:
            out[name] = t
    for base, each in experts.items():
        rows, columns = each[0].shape
        out.update({base + ".weight": zeros(torch.uint32, len(each), rows, columns // 8), base + ".scales": zeros(torch.bfloat16, len(each), rows, columns // 32),
                    base + ".biases": zeros(torch.bfloat16, len(each), rows, columns // 32)})
    return out


def again(kept, copy):
    return lambda tensors: {**tensors, copy: tensors[kept].clone()}


def ahead_apart(tensors):
    """The same under a name of its own, as Qwen3-Next has it."""
    width = tensors["model.norm.weight"].shape[0]
    last = max(int(n.split(".")[2]) for n in tensors if n.startswith("model.layers."))
    out = {**tensors, "mtp.fc.weight": zeros(torch.bfloat16, width, 2 * width), "mtp.norm.weight": zeros(torch.bfloat16, width)}
    for name, t in tensors.items():
        if name.startswith(f"model.layers.{last}."):
            out[name.replace(f"model.layers.{last}.", "mtp.layers.0.", 1)] = t.clone()
    return out


def adapted(method):
    """What peft's own model writes: everything under its names, adapters between."""

    def change(tensors):
        model = build("llama", **LLAMA)
        targets = ["q_proj", "v_proj"]
        config = {"lora": lambda: peft.LoraConfig(r=8, target_modules=targets), "dora": lambda: peft.LoraConfig(r=8, target_modules=targets, use_dora=True),
                  "ia3": lambda: peft.IA3Config(target_modules=targets, feedforward_modules=[]), "loha": lambda: peft.LoHaConfig(r=4, target_modules=targets)}[method]()
        return dict(peft.get_peft_model(model, config).state_dict())

    return change


def each_layer(name, value):
    return lambda tensors: {**tensors, **{name.format(i): value.clone() for i in range(3)}}


def layer_less(tensors):
    return {k: v for k, v in tensors.items() if not k.startswith("model.layers.2.")}


def layer_more(tensors):
    return {**tensors, **{k.replace(".2.", ".3.", 1): v.clone() for k, v in tensors.items() if k.startswith("model.layers.2.")}}


def mxfp4(tensors):
    out = {}
    for name, t in tensors.items():
        if t.dim() == 3 and "experts" in name:
            experts, inputs, outputs = t.shape
            out[name + "_blocks"] = zeros(torch.uint8, experts, outputs, inputs // 32, 16)
            out[name + "_scales"] = zeros(torch.uint8, experts, outputs, inputs // 32)
        else:
            out[name] = t
    return out


def ahead(tensors):
    """A layer that predicts the next but one token, behind the last."""
    last = 1 + max(int(n.split(".")[2]) for n in tensors if n.startswith("model.layers."))
    out = dict(tensors)
    for name, t in tensors.items():
        if name.startswith(f"model.layers.{last - 1}."):
            out[name.replace(f".{last - 1}.", f".{last}.", 1)] = t.clone()
    width = tensors["model.norm.weight"].shape[0]
    out[f"model.layers.{last}.eh_proj.weight"] = zeros(torch.bfloat16, width, 2 * width)
    for norm in ("enorm", "hnorm", "shared_head.norm"):
        out[f"model.layers.{last}.{norm}.weight"] = zeros(torch.bfloat16, width)
    for copy, of in (("embed_tokens", "model.embed_tokens"), ("shared_head.head", "lm_head")):
        out[f"model.layers.{last}.{copy}.weight"] = tensors[of + ".weight"].clone()
    return out


def with_(**more):
    return lambda tensors: {**tensors, **{k.replace("__", "."): v for k, v in more.items()}}


def renamed(old, new):
    return lambda tensors: {(new + k[len(old):] if k.startswith(old) else k): v for k, v in tensors.items()}


def without(name):
    return lambda tensors: {k: v for k, v in tensors.items() if k != name}


def masks(tensors):
    out = {k.removeprefix("transformer."): v for k, v in tensors.items()}
    for i in range(3):
        out[f"h.{i}.attn.bias"] = zeros(torch.bfloat16, 1, 1, 128, 128)
    return out


LLAMA = dict(SMALL, head_dim=16)
DEEPSEEK = dict(vocab_size=320, hidden_size=128, intermediate_size=256, moe_intermediate_size=128, num_hidden_layers=3, num_attention_heads=4, num_key_value_heads=4,
                n_routed_experts=4, n_shared_experts=1, num_experts_per_tok=2, n_group=2, topk_group=1, first_k_dense_replace=1, q_lora_rank=64, kv_lora_rank=32,
                qk_nope_head_dim=32, qk_rope_head_dim=16, v_head_dim=32)
MOE = dict(SMALL, num_experts=4, num_local_experts=4, num_experts_per_tok=2, moe_intermediate_size=32, head_dim=16)

OPT = dict(vocab_size=320, hidden_size=64, ffn_dim=160, num_hidden_layers=3, num_attention_heads=4, max_position_embeddings=128, word_embed_proj_dim=64)
NEXT = dict(SMALL, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=32, shared_expert_intermediate_size=32, head_dim=16, linear_num_key_heads=2, linear_num_value_heads=4,
            linear_key_head_dim=16, linear_value_head_dim=16)
GLM = dict(SMALL, n_routed_experts=4, num_experts_per_tok=2, moe_intermediate_size=32, head_dim=16, first_k_dense_replace=1, n_group=1, topk_group=1)
BERT = dict(vocab_size=320, hidden_size=64, intermediate_size=160, num_hidden_layers=2, num_attention_heads=4)

LLAMA_TYPED = dict(LLAMA, model_type="llama")
HEARS = dict(d_model=32, hidden_size=32, intermediate_size=64, encoder_layers=2, num_hidden_layers=2, encoder_attention_heads=4, num_attention_heads=4, encoder_ffn_dim=64, num_mel_bins=16, max_source_positions=64)
SEES = dict(text_config=LLAMA_TYPED, vision_config=dict(model_type="clip_vision_model", hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, image_size=28, patch_size=14))


def quantized(method, **more):
    return {"quantization_config": {"quant_method": method, **more}}


def group(**weights):
    return quantized("compressed-tensors", config_groups={"group_0": {"targets": ["Linear"], "weights": weights}})


# name: kind of model, its config, change of its tensors, further keys of its config, verdict, what differs.
CASES = {
    "llama": ("llama", LLAMA, None, {}, "equal", ""),
    "llama-parts": ("llama", LLAMA, None, {}, "equal", ""),
    "qwen2": ("qwen2", dict(SMALL, tie_word_embeddings=True), None, {}, "equal", ""),
    "qwen3": ("qwen3", dict(SMALL, head_dim=32, tie_word_embeddings=False), None, {}, "equal", ""),
    "gemma2": ("gemma2", dict(SMALL, head_dim=16), None, {}, "equal", ""),
    "gpt2": ("gpt2", dict(vocab_size=320, n_embd=64, n_layer=3, n_head=4, n_positions=128), None, {}, "equal", ""),
    "gpt2-with-masks": ("gpt2", dict(vocab_size=320, n_embd=64, n_layer=3, n_head=4, n_positions=128), masks, {}, "extra", "extra buffer"),
    "mixtral": ("mixtral", MOE, None, {}, "equal", ""),
    "qwen3-moe": ("qwen3_moe", MOE, None, {}, "equal", ""),
    "bert": ("bert", dict(vocab_size=320, hidden_size=64, intermediate_size=160, num_hidden_layers=2, num_attention_heads=4), None, {}, "equal", ""),
    "t5": ("t5", dict(vocab_size=320, d_model=64, d_ff=160, d_kv=16, num_layers=2, num_heads=4), None, {}, "equal", ""),
    "mamba": ("mamba", dict(vocab_size=320, hidden_size=64, num_hidden_layers=2, state_size=8), None, {}, "equal", ""),
    "tied-twice": ("qwen2", dict(SMALL, tie_word_embeddings=True), lambda t: {**t, "lm_head.weight": t["model.embed_tokens.weight"].clone()}, {}, "extra", "extra tied"),
    "ahead": ("deepseek_v3", DEEPSEEK, ahead, {"num_nextn_predict_layers": 1}, "extra", "extra prediction"),
    "old-frequencies": ("llama", LLAMA, with_(model__layers__0__self_attn__rotary_emb__inv_freq=zeros(torch.float32, 8)), {}, "extra", "extra buffer"),
    "adapter": ("llama", LLAMA, with_(model__layers__0__self_attn__q_proj__lora_A__weight=zeros(torch.bfloat16, 8, 64)), {}, "extra", "extra adapter"),
    "longer-vocabulary": ("llama", LLAMA, with_(model__embed_tokens__weight=zeros(torch.bfloat16, 384, 64)), {}, "differs", "shape other"),
    "no-last-norm": ("llama", LLAMA, without("model.norm.weight"), {}, "differs", "missing other"),
    "norm-in-32-bits": ("llama", LLAMA, with_(model__norm__weight=zeros(torch.float32, 64)), {}, "precision", "precision other"),
    "one-beginning-more": ("llama", LLAMA, renamed("", "language_model."), {}, "equal", ""),
    "nobody's": ("llama", LLAMA, renamed("model.layers.", "trunk.blocks."), {"model_type": "nobody_has_this", "architectures": ["NobodyForCausalLM"]}, "alone", ""),
    "gptq": ("llama", LLAMA, packed(gptq), {"quantization_config": {"quant_method": "gptq", "bits": 4, "group_size": 32, "desc_act": True}}, "extra", "extra scale"),
    "awq": ("llama", LLAMA, packed(awq), {"quantization_config": {"quant_method": "awq", "bits": 4, "group_size": 32}}, "extra", "extra scale"),
    "fp8": ("qwen3", dict(SMALL, head_dim=32, tie_word_embeddings=False), packed(fp8), {"quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]}}, "extra", "extra scale"),
    "nf4": ("llama", LLAMA, packed(nf4), {"quantization_config": {"quant_method": "bitsandbytes", "load_in_4bit": True}}, "extra", "extra scale"),
    "w4a16": ("llama", LLAMA, packed(w4a16), {"quantization_config": {"quant_method": "compressed-tensors", "format": "pack-quantized", "config_groups": {"group_0": {"targets": ["Linear"], "weights": {"num_bits": 4, "group_size": 32, "type": "int", "strategy": "group", "symmetric": True}}}}}, "extra", "extra scale"),
    "nvfp4": ("llama", LLAMA, packed(nvfp4), {"quantization_config": {"quant_method": "compressed-tensors", "format": "nvfp4-pack-quantized", "config_groups": {"group_0": {"targets": ["Linear"], "weights": {"num_bits": 4, "group_size": 16, "type": "float"}}}}}, "extra", "extra scale"),
    "mlx": ("llama", LLAMA, packed(mlx), {"quantization": {"bits": 4, "group_size": 32}}, "extra", "extra scale"),
    "mxfp4": ("gpt_oss", dict(vocab_size=320, hidden_size=64, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, head_dim=16, num_local_experts=4, num_experts_per_tok=2),
              mxfp4, {"quantization_config": {"quant_method": "mxfp4"}}, "extra", "extra scale"),
    "int8": ("llama", LLAMA, packed(int8), quantized("bitsandbytes", load_in_8bit=True), "extra", "extra scale"),
    "w8a8": ("qwen2", SMALL, packed(w8a8), group(num_bits=8, type="int", strategy="channel"), "extra", "extra scale"),
    "fp8-static": ("mistral", LLAMA, packed(fp8_static), quantized("fp8", activation_scheme="static"), "extra", "extra scale"),
    "nvfp4-modelopt": ("qwen3", dict(SMALL, head_dim=32), packed(nvfp4_modelopt), quantized("modelopt", quant_algo="NVFP4"), "extra", "extra scale"),
    "gptq-with-bias": ("llama", LLAMA, packed(gptq_with_bias), quantized("gptq", bits=4, group_size=32), "extra", "extra buffer, extra scale"),
    "hqq": ("llama", LLAMA, packed(hqq), quantized("hqq", quant_config={"weight_quant_params": {"nbits": 4, "group_size": 32, "axis": 1}}), "extra", "extra scale"),
    "aqlm": ("llama", LLAMA, packed(aqlm), quantized("aqlm", in_group_size=8, out_group_size=1, num_codebooks=1, nbits_per_codebook=16), "extra", "extra scale"),
    "marlin-24": ("llama", LLAMA, packed(marlin_24), group(num_bits=4, type="int", strategy="channel"), "extra", "extra scale"),
    "torchao": ("llama", LLAMA, packed(torchao_fp8), quantized("torchao", quant_type={"default": {"_type": "Float8WeightOnlyConfig", "_data": {}}}), "extra", "extra scale"),
    "vptq": ("llama", LLAMA, packed(vptq), quantized("vptq"), "extra", "extra scale"),
    "fp8-experts": ("qwen3_moe", MOE, packed(fp8), quantized("fp8", weight_block_size=[128, 128]), "extra", "extra scale"),
    "mlx-experts": ("qwen3_moe", MOE, switched, {"quantization": {"bits": 4, "group_size": 32}}, "extra", "extra scale"),
    "qwen2-moe": ("qwen2_moe", dict(MOE, shared_expert_intermediate_size=32), None, {}, "equal", ""),
    "glm4-moe": ("glm4_moe", GLM, None, {}, "equal", ""),
    "qwen3-next": ("qwen3_next", NEXT, None, {}, "equal", ""),
    "camembert": ("camembert", BERT, None, {}, "equal", ""),
    "albert": ("albert", dict(BERT, embedding_size=32), None, {}, "equal", ""),
    "gpt2-twice": ("gpt2", dict(vocab_size=320, n_embd=64, n_layer=3, n_head=4, n_positions=128), again("transformer.wte.weight", "lm_head.weight"), {}, "extra", "extra tied"),
    "opt-twice": ("opt", OPT, again("model.decoder.embed_tokens.weight", "lm_head.weight"), {}, "extra", "extra tied"),
    "t5-twice": ("t5", dict(vocab_size=320, d_model=64, d_ff=160, d_kv=16, num_layers=2, num_heads=4), again("shared.weight", "encoder.embed_tokens.weight"), {}, "extra", "extra tied"),
    "bert-twice": ("bert", BERT, again("bert.embeddings.word_embeddings.weight", "cls.predictions.decoder.weight"), {}, "extra", "extra tied"),
    "ahead-glm": ("glm4_moe", GLM, ahead, {"num_nextn_predict_layers": 1}, "extra", "extra prediction"),
    "ahead-apart": ("qwen3_next", NEXT, ahead_apart, {}, "extra", "extra prediction"),
    "masks": ("gpt_neox", dict(SMALL, rotary_pct=0.25), each_layer("gpt_neox.layers.{}.attention.bias", zeros(torch.bool, 1, 1, 64, 64)), {}, "extra", "extra buffer"),
    "position-ids": ("bert", BERT, lambda t: {**t, "bert.embeddings.position_ids": zeros(torch.int64, 1, 512)}, {}, "extra", "extra buffer"),
    "lora": ("llama", LLAMA, adapted("lora"), {}, "extra", "extra adapter"),
    "dora": ("llama", LLAMA, adapted("dora"), {}, "extra", "extra adapter"),
    "ia3": ("llama", LLAMA, adapted("ia3"), {}, "extra", "extra adapter"),
    "loha": ("llama", LLAMA, adapted("loha"), {}, "extra", "extra adapter"),
    "layer-less": ("llama", LLAMA, layer_less, {}, "differs", "missing other"),
    "layer-more": ("llama", LLAMA, layer_more, {}, "extra", "extra other"),
    "deberta": ("deberta", BERT, None, {}, "equal", ""),
    "luke": ("luke", dict(BERT, entity_vocab_size=100, entity_emb_size=32), None, {}, "equal", ""),
    "ernie4.5-moe": ("ernie4_5_moe", dict(SMALL, moe_num_experts=4, moe_k=2, moe_intermediate_size=32, moe_layer_start_index=1, moe_num_shared_experts=1, pad_token_id=0), None, {}, "equal", ""),
    "hunyuan-moe": ("hunyuan_v1_moe", dict(SMALL, num_experts=4, moe_topk=2, head_dim=16, rope_parameters={"rope_type": "default", "rope_theta": 10000.0}, pad_token_id=0), None, {}, "equal", ""),
    # Base classes of composites, which their families don't name.
    "llava-base": ("llava:LlavaModel", SEES, None, {}, "equal", ""),
    "llava-next-base": ("llava_next:LlavaNextModel", SEES, None, {}, "equal", ""),
    "qwen2-vl-base": ("qwen2_vl:Qwen2VLModel", dict(text_config=dict(SMALL, rope_parameters={"rope_type": "default", "mrope_section": [2, 3, 3]}),
                                                    vision_config=dict(depth=2, embed_dim=32, hidden_size=64, num_heads=4)), None, {}, "equal", ""),
    "voxtral-base": ("voxtral:VoxtralModel", dict(text_config=LLAMA_TYPED, audio_config=dict(HEARS)), None, {}, "equal", ""),
    "udop-base": ("udop:UdopModel", dict(vocab_size=320, d_model=64, d_kv=16, d_ff=128, num_layers=2, num_heads=4, max_2d_position_embeddings=32), None, {}, "equal", ""),
    "radio": ("radio:RadioModel", dict(hidden_size=64, num_hidden_layers=2, num_attention_heads=4, max_img_size=64), None, {}, "equal", ""),
    # The config's dtype is that of the first parameter, which is kept in 32 bits.
    "xlnet": ("xlnet", dict(vocab_size=320, d_model=64, n_layer=2, n_head=4, d_inner=128), None, {}, "equal", ""),
    "xlnet-half": ("xlnet", dict(vocab_size=320, d_model=64, n_layer=2, n_head=4, d_inner=128), lambda t: {k: v.half() if "ff.layer_1" in k else v for k, v in t.items()}, {}, "precision", "precision other"),
    "wav2vec2": ("wav2vec2:Wav2Vec2ForPreTraining", dict(BERT, conv_dim=[32, 32], conv_stride=[5, 2], conv_kernel=[10, 3], num_feat_extract_layers=2, num_conv_pos_embeddings=16,
                                                         num_conv_pos_embedding_groups=4, num_codevectors_per_group=8, codevector_dim=32, proj_codevector_dim=32), None, {}, "equal", ""),
    # An index inside a word, and stages of a backbone.
    "nllb-moe": ("nllb-moe:NllbMoeModel", dict(vocab_size=320, d_model=64, encoder_layers=2, decoder_layers=2, encoder_ffn_dim=128, decoder_ffn_dim=128, encoder_attention_heads=4,
                                               decoder_attention_heads=4, num_experts=3, encoder_sparse_step=2, decoder_sparse_step=2, max_position_embeddings=64), None, {}, "equal", ""),
    "pvt-v2": ("pvt_v2:PvtV2Model", dict(hidden_sizes=[16, 32, 64, 64], depths=[1, 1, 1, 1], num_attention_heads=[1, 2, 4, 4]), None, {}, "equal", ""),
    "doclayout": ("pp_doclayout_v3:PPDocLayoutV3Model", {}, None, {}, "equal", ""),
    "half": ("llama", LLAMA, lambda t: {k: v.half() for k, v in t.items()}, {}, "precision", "precision other"),
}

# name: architecture, metadata, type of the matrices, shape of the model.
GGUFS = {
    "gguf-llama": ("llama", {}, "Q8_0", {}),
    "gguf-llama-q4_k": ("llama", {}, "Q4_K", {}),
    "gguf-qwen2": ("qwen2", {}, "F16", {"bias": True, "tied": True}),
    "gguf-qwen3": ("qwen3", {"attention.key_length": 128, "attention.value_length": 128}, "BF16", {"dim": 128, "value": 128, "norms": True}),
    "gguf-asymmetric": ("llama", {"attention.key_length": 96, "attention.value_length": 64}, "F16", {"dim": 96, "value": 64}),
    "gguf-per-layer": ("llama", {"attention.head_count_kv": [2, 1, 2]}, "F16", {"kv": [2, 1, 2]}),
}


def write_gguf(path, architecture, keys, kind, how):
    width, ff, heads, layers, vocabulary = 256, 512, 4, 3, 320
    dim, value, kv = how.get("dim", width // heads), how.get("value", width // heads), how.get("kv", [2] * layers)
    w = gguf.GGUFWriter(path, architecture)
    put = lambda key, n: w.add_array(f"{architecture}.{key}", n) if isinstance(n, list) else w.add_uint32(f"{architecture}.{key}", n)
    said = {"block_count": layers, "context_length": 512, "embedding_length": width, "feed_forward_length": ff, "attention.head_count": heads, "attention.head_count_kv": 2}
    for key, n in {**said, **keys}.items():
        put(key, n)
    w.add_float32(f"{architecture}.attention.layer_norm_rms_epsilon", 1e-6)
    w.add_tokenizer_model("gpt2")
    w.add_token_list([f"t{i}" for i in range(vocabulary)])
    types = gguf.GGMLQuantizationType

    def tensor(name, *shape):
        t = types[kind] if len(shape) > 1 else types.F32
        block, size = gguf.GGML_QUANT_SIZES[t]
        if t in (types.F32, types.F16):
            w.add_tensor(name, numpy.zeros(shape, dtype=numpy.float32 if t == types.F32 else numpy.float16))
            return
        stored = (*shape[:-1], shape[-1] // block * size)
        w.add_tensor(name, numpy.zeros(stored, dtype=numpy.uint8), raw_dtype=t)

    tensor("token_embd.weight", vocabulary, width)
    tensor("output_norm.weight", width)
    if not how.get("tied"):
        tensor("output.weight", vocabulary, width)
    for i in range(layers):
        at = f"blk.{i}."
        tensor(at + "attn_norm.weight", width)
        for part, rows in (("q", heads * dim), ("k", kv[i] * dim), ("v", kv[i] * value)):
            tensor(f"{at}attn_{part}.weight", rows, width)
            if how.get("bias"):
                tensor(f"{at}attn_{part}.bias", rows)
        if how.get("norms"):
            tensor(at + "attn_q_norm.weight", dim)
            tensor(at + "attn_k_norm.weight", dim)
        tensor(at + "attn_output.weight", width, heads * value)
        tensor(at + "ffn_norm.weight", width)
        for part in ("gate", "up"):
            tensor(f"{at}ffn_{part}.weight", ff, width)
        tensor(at + "ffn_down.weight", width, ff)
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()
    return gguf_header(path)


def gguf_header(path):
    r = gguf.GGUFReader(path)
    return r.data_offset, sum(int(t.n_elements) for t in r.tensors)


def main():
    out = pathlib.Path(sys.argv[1])
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    lines = [f"# What transformers {transformers.__version__}, safetensors and gguf write, without weights: build/oracle/checkpoints.py.",
             "# case NAME, verdict, difference, elements of the class (0 where nothing says it); config JSON; file NAME, bytes, header deflated in base64"]
    for name, (kind, keys, change, more, verdict, difference) in CASES.items():
        folder = out / name
        model = build(kind, **keys)
        elements = sum(p.numel() for p in model.parameters())
        model.save_pretrained(folder, **({"max_shard_size": "150KB"} if name.endswith("-parts") else {}))
        (folder / "generation_config.json").unlink(missing_ok=True)
        if change:
            rewrite(folder, change)
        configure(folder, **more)
        lines.append(f"case\t{name}\t{verdict}\t{difference}\t{elements if verdict != 'alone' else 0}")
        lines += keep(folder)
    for name, (architecture, keys, kind, how) in GGUFS.items():
        folder = out / name
        folder.mkdir()
        header, elements = write_gguf(folder / "model.gguf", architecture, keys, kind, how)
        lines.append(f"case\t{name}\tequal\t\t{elements}")
        lines.append(file_line(folder / "model.gguf", header))
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text("\n".join(lines) + "\n")
    print(len(CASES) + len(GGUFS), "checkpoints,", OUT.stat().st_size, "bytes kept")


def keep(folder):
    lines = ["config\t" + json.dumps(json.loads((folder / "config.json").read_text()), separators=(",", ":"))]
    for path in sorted(folder.glob("*.index.json")):
        lines.append(file_line(path, path.stat().st_size))
    for path in sorted(folder.glob("*.safetensors")):
        with path.open("rb") as f:
            (length,) = struct.unpack("<Q", f.read(8))
        lines.append(file_line(path, 8 + length))
    return lines


def file_line(path, header):
    with path.open("rb") as f:
        head = f.read(header)
    return f"file\t{path.name}\t{path.stat().st_size}\t" + base64.b64encode(zlib.compress(head, 9)).decode()


if __name__ == "__main__":
    main()

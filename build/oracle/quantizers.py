"""Packs small models with the quantizers that people use, and keeps what a reader sees of the files.

    python build/oracle/quantizers.py FOLDER [NAME ...]

transformers builds each model; MLX, llm-compressor, Model Optimizer, AutoRound, AutoAWQ, bitsandbytes and torchao pack and write it, on a CPU.
FOLDER gets the files, core/checkpoint/testdata/packed.txt the configs and headers in the form of written.txt: the elements are those that
torch counts before anything is packed. Besides transformers and gguf it needs

    pip install mlx mlx-cpu mlx-lm compressed-tensors llmcompressor nvidia-modelopt auto-round autoawq bitsandbytes torchao

(autoawq asks for an old torch: install it with --no-deps). What a library cannot do here is named and left as it was.
"""

import base64
import json
import os
import pathlib
import shutil
import sys
import zlib

os.environ["HF_HUB_OFFLINE"] = "1"

import torch
import transformers

import kept

OUT = pathlib.Path("core/checkpoint/testdata/packed.txt")
SMALL = dict(vocab_size=320, hidden_size=128, intermediate_size=256, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, head_dim=32, max_position_embeddings=256,
             pad_token_id=0, bos_token_id=1, eos_token_id=2)
MOE = dict(num_experts=4, num_local_experts=4, n_routed_experts=4, num_experts_per_tok=2, moe_intermediate_size=64)
WIDE = dict(MOE, moe_intermediate_size=128)
DEEP = dict(MOE, n_shared_experts=1, n_group=2, topk_group=1, first_k_dense_replace=1, q_lora_rank=64, kv_lora_rank=64, qk_nope_head_dim=32, qk_rope_head_dim=32, v_head_dim=32, num_key_value_heads=4)
INDEXED = dict(DEEP, index_n_heads=4, index_head_dim=64, index_topk=16)
DELTA = dict(MOE, num_hidden_layers=4, shared_expert_intermediate_size=64, linear_num_key_heads=2, linear_num_value_heads=4, linear_key_head_dim=32, linear_value_head_dim=32)
MAMBA = dict(mamba_n_heads=8, mamba_d_head=32, mamba_d_state=16, mamba_n_groups=1)
PROMPT = torch.tensor([[5, 6, 7, 8] * 8])


def source(folder, kind, keys):
    """A model that transformers wrote, and its elements."""
    model = transformers.AutoModelForCausalLM.from_config(transformers.AutoConfig.for_model(kind, **{**SMALL, **keys}), dtype=torch.bfloat16)
    model.save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    return sum(p.numel() for p in model.parameters())


def tokenizer():
    from tokenizers import Tokenizer, models
    words = ["<pad>", "<s>", "</s>", "<unk>"] + [f"t{i}" for i in range(4, SMALL["vocab_size"])]
    return transformers.PreTrainedTokenizerFast(tokenizer_object=Tokenizer(models.WordLevel({w: i for i, w in enumerate(words)}, unk_token="<unk>")), unk_token="<unk>", pad_token="<pad>", bos_token="<s>", eos_token="</s>")


def load(folder, **how):
    return transformers.AutoModelForCausalLM.from_pretrained(folder, **{"dtype": torch.bfloat16, **how})


def configure(folder, **keys):
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **keys}))


def mlx(keys=None, **how):
    """mlx_lm.convert; keys are those that it wants in a config as older ones had them."""

    def write(folder, to):
        from mlx_lm import convert
        configure(folder, rope_theta=10000.0, rope_scaling=None, partial_rotary_factor=1.0, **(keys or {}))
        convert(str(folder), str(to), **how)

    return write


def four(**keys):
    return mlx(keys, quantize=True, q_bits=4)


def compressor(scheme, **how):
    """llm-compressor, which writes compressed-tensors."""

    def write(folder, to):
        import datasets
        from llmcompressor import oneshot
        from llmcompressor.modifiers.quantization import QuantizationModifier
        model = load(folder)
        rows = datasets.Dataset.from_dict({"input_ids": PROMPT.tolist(), "attention_mask": [[1] * PROMPT.shape[1]]})
        oneshot(model=model, recipe=QuantizationModifier(targets="Linear", scheme=scheme, ignore=["lm_head"], **how), tokenizer=tokenizer(), dataset=rows, num_calibration_samples=1, pipeline="basic")
        model.save_pretrained(to, save_compressed=True)

    return write


def optimizer(name):
    """NVIDIA's Model Optimizer."""

    def write(folder, to):
        import modelopt.torch.quantization as mtq
        from modelopt.torch.export import export_hf_checkpoint
        model = mtq.quantize(load(folder), getattr(mtq, name), lambda m: m(PROMPT))
        with torch.inference_mode():
            export_hf_checkpoint(model, export_dir=str(to))

    return write


def rounded(form, **how):
    """AutoRound, without a data set: rounding to the nearest. Of GPTQ and AWQ its config says float16, though the tensors stay as they were."""

    def write(folder, to):
        from auto_round import AutoRound
        AutoRound(str(folder), iters=0, disable_opt_rtn=True, device_map="cpu", **{"group_size": 32, **how}).quantize_and_save(str(to), format=form)
        for path in [p for d in to.iterdir() if d.is_dir() for p in d.iterdir()]:
            shutil.move(str(path), to)

    return write


def awq(version):
    """AutoAWQ's modules."""

    def write(folder, to):
        from awq.modules.linear import gemm, gemv
        model, module, whole = load(folder, dtype=torch.float16), {"gemm": gemm.WQLinear_GEMM, "gemv": gemv.WQLinear_GEMV}[version], version == "gemv"
        for name, x in list(model.named_modules()):
            if isinstance(x, torch.nn.Linear) and name != "lm_head":
                scales = torch.ones((x.out_features, x.in_features // 64) if whole else (x.in_features // 64, x.out_features), dtype=torch.float16)
                above, _, last = name.rpartition(".")
                setattr(model.get_submodule(above), last, module.from_linear(x, 4, 64, False, scales, scales * 0))
        model.save_pretrained(to)
        configure(to, quantization_config=dict(quant_method="awq", bits=4, group_size=64, zero_point=True, version=version))

    return write


def bits(**how):
    """bitsandbytes, through transformers."""
    return lambda folder, to: load(folder, quantization_config=transformers.BitsAndBytesConfig(**how), device_map="cpu").save_pretrained(to)


def torchao(name, **how):
    """torchao, through transformers."""

    def write(folder, to):
        import torchao.quantization
        load(folder, quantization_config=transformers.TorchAoConfig(quant_type=getattr(torchao.quantization, name)(**how)), device_map="cpu").save_pretrained(to)

    return write


# name: kind of model, its config, who writes it, what differs.
CASES = {
    "mlx": ("llama", {}, mlx(), ""),
    **{f"mlx-{n}-bits": ("llama", {}, mlx(quantize=True, q_bits=n, q_group_size=group), "extra scale") for n, group in ((2, 32), (3, 64), (4, 64), (5, 32), (6, 64), (8, 128))},
    **{f"mlx-{mode}": ("llama", {}, mlx(quantize=True, q_mode=mode), "extra scale") for mode in ("mxfp4", "mxfp8", "nvfp4")},
    **{f"mlx-{mix.replace('_', '-')}": ("llama", {}, mlx(quantize=True, quant_predicate=mix), "extra scale") for mix in ("mixed_2_6", "mixed_4_6")},
    "mlx-tied": ("qwen3", dict(tie_word_embeddings=True), four(), "extra scale"),
    "mlx-moe": ("qwen3_moe", MOE, four(num_experts=4), "extra scale"),
    "mlx-granite-moe": ("granitemoe", MOE, four(), "extra scale"),
    "mlx-granite-hybrid": ("granitemoehybrid", dict(MOE, **MAMBA, shared_intermediate_size=64, layer_types=["mamba", "attention"]), four(layer_types=["mamba", "attention"]), "extra scale"),
    "mlx-ernie-moe": ("ernie4_5_moe", dict(moe_num_experts=4, moe_k=2, moe_intermediate_size=64, moe_layer_start_index=1, moe_num_shared_experts=1), four(), "missing other, extra scale"),  # it leaves the routers' correction out
    "mlx-lfm2": ("lfm2", dict(layer_types=["conv", "full_attention"]), four(block_dim=128, block_multiple_of=256, block_ffn_dim_multiplier=1.0), "extra scale"),
    "mlx-lfm2-moe": ("lfm2_moe", dict(MOE, num_dense_layers=1, layer_types=["conv", "full_attention"]), four(), "extra scale"),
    "mlx-deepseek-v3": ("deepseek_v3", DEEP, four(), "extra scale"),
    "mlx-deepseek-v3.2": ("deepseek_v32", INDEXED, four(), "extra scale"),
    "mlx-glm-lite": ("glm4_moe_lite", DEEP, four(), "extra scale"),
    "mlx-mamba": ("mamba", dict(state_size=8), mlx(), ""),
    "mlx-mamba2": ("mamba2", dict(state_size=16, num_heads=8, head_dim=32, n_groups=1), four(), "extra scale"),
    "mlx-jamba": ("jamba", dict(MOE, attn_layer_period=2, attn_layer_offset=1, expert_layer_period=2, expert_layer_offset=1, mamba_dt_rank=16), four(), "extra scale"),
    "mlx-falcon-h1": ("falcon_h1", dict(MAMBA, mamba_d_ssm=256), four(), "extra scale"),
    "mlx-nemotron-h": ("nemotron_h", dict(num_hidden_layers=3, hybrid_override_pattern="M*-", mamba_num_heads=8, mamba_head_dim=32, ssm_state_size=16, n_groups=1), four(), "extra scale"),
    "mlx-qwen3-next": ("qwen3_next", DELTA, four(), "extra scale"),
    **{f"compressor-{s.lower()}": ("llama", {}, compressor(s), "extra scale") for s in ("W2A16", "W3A16", "W4A16", "W4A16_ASYM", "W5A16", "W6A16", "W7A16", "W8A16", "W4A8", "W4AFP8", "W8A8", "FP8", "FP8_DYNAMIC", "FP8_BLOCK", "NVFP4", "NVFP4A16",
                                                                                        "MXFP4", "MXFP6A16", "MXFP8")},
    **{f"compressor-moe-{s.lower()}": ("qwen3_moe", WIDE, compressor(s), "extra scale") for s in ("W4A16", "FP8_BLOCK", "NVFP4", "MXFP4")},
    "compressor-latent": ("deepseek_v3", dict(DEEP, moe_intermediate_size=128, q_lora_rank=128, kv_lora_rank=128), compressor("W4A16"), "extra scale"),
    "compressor-cache": ("qwen3", {}, compressor("FP8", kv_cache_scheme=dict(num_bits=8, type="float", strategy="tensor", dynamic=False, symmetric=True)), "extra scale"),
    **{f"optimizer-{n.lower().replace('_', '-')}": ("llama", {}, optimizer(n + "_CFG"), "extra scale") for n in ("FP8_DEFAULT", "FP8_PER_CHANNEL_PER_TOKEN", "FP8_2D_BLOCKWISE_WEIGHT_ONLY", "NVFP4_DEFAULT", "NVFP4_MLP_ONLY", "INT4_AWQ", "W4A8_AWQ_BETA",
                                                                                                           "INT8_SMOOTHQUANT", "MXFP4_DEFAULT", "MXFP8_DEFAULT")},
    "round-gptq": ("llama", {}, rounded("auto_gptq"), "extra scale, precision other"),
    "round-gptq-asymmetric": ("llama", {}, rounded("auto_gptq", sym=False), "extra scale, precision other"),
    "round-gptq-8-bits": ("llama", {}, rounded("auto_gptq", bits=8), "extra scale, precision other"),
    "round-gptq-moe": ("qwen3_moe", MOE, rounded("auto_gptq"), "extra scale, precision other"),
    "round-awq": ("llama", {}, rounded("auto_awq"), "extra scale, precision other"),
    "round-3-bits": ("llama", {}, rounded("auto_round", bits=3), "extra scale"),
    "awq-gemm": ("llama", {}, awq("gemm"), "extra scale"),
    "awq-gemv": ("llama", {}, awq("gemv"), "extra scale"),
    "bits-nf4": ("llama", {}, bits(load_in_4bit=True, bnb_4bit_quant_type="nf4"), "extra scale"),
    "bits-nf4-twice": ("llama", {}, bits(load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_use_double_quant=True), "extra scale"),
    "bits-nf4-as-bf16": ("llama", {}, bits(load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_quant_storage=torch.bfloat16), "extra scale"),
    "bits-fp4-as-fp32": ("llama", {}, bits(load_in_4bit=True, bnb_4bit_quant_type="fp4", bnb_4bit_quant_storage=torch.float32), "extra scale"),
    "bits-int8": ("llama", {}, bits(load_in_8bit=True), "extra scale"),
    "bits-moe": ("qwen3_moe", WIDE, bits(load_in_4bit=True), "extra scale"),
    "torchao-int8": ("llama", {}, torchao("Int8WeightOnlyConfig"), "extra scale"),
    "torchao-fp8": ("llama", {}, torchao("Float8WeightOnlyConfig"), "extra scale"),
    "torchao-intx": ("llama", {}, torchao("IntxWeightOnlyConfig", weight_dtype=torch.int4), "extra scale"),
}


def header(path):
    with path.open("rb") as f:
        size = f.read(8)
        return size + f.read(int.from_bytes(size, "little"))


def make(folder, name):
    kind, keys, write, difference = CASES[name]
    before, after = folder / (name + "-before"), folder / name
    for d in (before, after):
        shutil.rmtree(d, ignore_errors=True)
    elements = source(before, kind, keys)
    write(before, after)
    shutil.rmtree(before)
    verdict = "differs" if "missing" in difference else "extra" if difference else "equal"
    lines = [f"case\t{name}\t{verdict}\t{difference}\t{elements}", "config\t" + json.dumps(json.loads((after / "config.json").read_text()), separators=(",", ":"))]
    for path in sorted(after.glob("*.safetensors")):
        lines.append(f"file\t{path.name}\t{path.stat().st_size}\t" + base64.b64encode(zlib.compress(header(path), 9)).decode())
    return lines


def main():
    """Makes those that are named, or all, and keeps the others that are there."""
    folder = pathlib.Path(sys.argv[1])
    cases = kept.read(OUT)
    for name in sys.argv[2:] or CASES:
        try:
            cases[name] = make(folder, name)
        except Exception as e:
            print(f"{name}: {type(e).__name__} {e}"[:300], flush=True)
            continue
        head = [f"# What quantizers write of models that transformers {transformers.__version__} builds, without weights: build/oracle/quantizers.py, in the form of written.txt."]
        kept.write(OUT, head, CASES, cases)
        print(name, flush=True)


if __name__ == "__main__":
    main()

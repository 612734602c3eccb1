"""Runs one forward pass on the meta device and records the cache and the FLOPs.

Scores are computed by the plain kernel, so their whole square counts; experts by the tokens that are
routed to them. Where a type has a window it is set small enough to bite.
"""

import copy

import torch
from torch.utils.flop_counter import FlopCounterMode

import meta
import names

LENGTHS = (24, 64)
WINDOW = 16
WINDOW_KEYS = ("sliding_window", "attention_window", "window_size", "local_attention_window", "attention_chunk_size")


def with_window(config):
    """The config with every window that its class has set to WINDOW tokens."""
    known = meta.config_object(config).to_dict()
    small = {k: WINDOW for k in WINDOW_KEYS if isinstance(known.get(k), int) and not isinstance(known.get(k), bool)}
    return {**copy.deepcopy(config), **small}


def plain_kernels(obj):
    for part in (obj, getattr(obj, "text_config", None)):
        if part is not None:
            part._attn_implementation = "eager"
            part._experts_implementation = "batched_mm"


def cache_tensors(value, path="", seen=None):
    """(path, shape, dtype) of every tensor that can be reached from a cache object."""
    seen = set() if seen is None else seen
    if id(value) in seen:
        return
    seen.add(id(value))
    if torch.is_tensor(value):
        yield path, tuple(value.shape), str(value.dtype).removeprefix("torch.")
        return
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, (list, tuple)):
        inner = enumerate(value)
    elif hasattr(value, "__dict__"):
        inner = ((k, v) for k, v in vars(value).items() if k != "config")
    else:
        return
    for key, item in inner:
        yield from cache_tensors(item, f"{path}.{key}" if path else str(key), seen)


def fold_cache(cache):
    by_kind = {}
    for path, shape, dtype in cache_tensors(cache):
        if 0 in shape or dtype == "int64" or path.endswith("cumulative_length"):
            continue
        by_kind.setdefault(dtype, []).append((path, shape))
    return [[name, shape, dtype] for dtype, found in by_kind.items() for name, shape in names.fold(found)]


def record(config):
    """Cache and FLOPs for each of LENGTHS tokens. Raises what the model raises: not all run without data."""
    config = with_window(config)
    obj, cls = meta.config_object(config), meta.model_class(config)
    plain_kernels(obj)
    with torch.device("meta"):
        model = cls._from_config(obj, dtype=torch.bfloat16).eval()
    result = {"config": config, "cache": {}, "flops": {}}
    for length in LENGTHS:
        tokens = torch.zeros(1, length, dtype=torch.long, device="meta")
        inputs = {"input_ids": tokens}
        if getattr(obj, "is_encoder_decoder", False):
            inputs["decoder_input_ids"] = tokens
        counter = FlopCounterMode(display=False)
        with torch.no_grad(), counter:
            try:
                output = model(**inputs, use_cache=True)
            except TypeError:
                output = model(**inputs)
        by_op = {str(op).removeprefix("aten."): int(n) for op, n in counter.get_flop_counts().get("Global", {}).items()}
        result["flops"][str(length)] = {"total": int(counter.get_total_flops()), "by_op": by_op}
        for holder in ("past_key_values", "cache_params", "state"):
            cache = getattr(output, holder, None)
            if cache is not None:
                result["cache"][str(length)] = fold_cache(cache)
                break
    return result

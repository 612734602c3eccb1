"""Chooses configurations of a type that has no fixture yet: its defaults, and one key changed at a time."""

import copy
import re

from transformers import PreTrainedConfig

import meta

# Keys that cannot shape a tensor, or only name one.
SKIP = re.compile(
    r"token|_ids?$|^(pad|bos|eos)|seed|max_length|max_new|num_labels|dtype|^init|_init|dropout|eps$|_prob$"
    r"|loss|coef|jitter|cache|rope|temperature|scal|^_|architectures|model_type|_version$|^output_|return_|std$"
    r"|beam|lang|chunk_size_feed"
)
# What no value is known for: tried where the default is absent.
ABSENT = (
    (r"head_dim|v_head|qk_", (64, 96)),
    (r"heads|n_head", (4, 1)),
    (r"inner|intermediate|ffn", (1536, 2048)),
    (r"rank", (256, 192)),
    (r"window", (128,)),
    (r"experts", (8, 4)),
    (r"size|dim|width", (512, 256)),
    (r"layers", (2, 3)),
)
MANY = 1500  # stored tensors; above that a smaller sibling stands in for the changes


def other_values(key, value):
    """Values that differ from the default and may well be accepted, the likeliest first."""
    if isinstance(value, bool):
        return [not value]
    if value is None:
        return next((list(v) for pattern, v in ABSENT if re.search(pattern, key)), [])
    if isinstance(value, int):
        if re.search(r"vocab|position|n_ctx|max_", key):
            return [value + 64, value + 192]
        if re.search(r"layers?$|depth", key):
            return [n for n in (value - 1, value + 3) if n > 0]
        if re.search(r"top_?k|per_tok|group|first_k|offset|start|index", key):
            return [value + 1, value + 2]
        if re.search(r"freq|step|period|interval|stride|every", key):
            return [value + 1, value + 2]
        return [n for n in (value * 2, value // 2, value + 64) if n > 0 and n != value]
    if isinstance(value, float):
        return [value * 2, value / 2] if re.search(r"ratio|expand|factor|mult|partial|pct", key) else []
    if isinstance(value, list) and len({str(x) for x in value}) > 1:
        return [value[::-1], value[1:] + value[:1]]
    return []


def keys(obj, prefix=()):
    """(path, default) of each key that may shape a tensor, nested configurations included."""
    common = set(PreTrainedConfig().to_dict()) - {"tie_word_embeddings"}
    for key, value in obj.to_dict().items():
        if key in common or SKIP.search(key):
            continue
        # Other keys may be of some layers only, and have no value here.
        inner = getattr(obj, key, None) if key.endswith("_config") else None
        if hasattr(inner, "to_dict"):
            if not prefix:
                yield from keys(inner, (key,))
        elif not isinstance(value, dict):
            yield (*prefix, key), value


def changed(config, path, value, obj):
    config = copy.deepcopy(config)
    inner = config
    for key in path[:-1]:
        inner = inner.setdefault(key, {"model_type": getattr(obj, key).model_type})
    inner[path[-1]] = value
    return config


def smaller(config, obj):
    known = obj.to_dict()
    small = dict(config)
    for key in ("n_routed_experts", "num_experts", "num_local_experts", "moe_num_experts"):
        if isinstance(known.get(key), int) and known[key] > 16:
            small[key] = 16
    for key in ("num_hidden_layers", "n_layers", "num_layers"):
        if isinstance(known.get(key), int) and known[key] > 8:
            small[key] = 8
    return small


def cases(config):
    """The described cases, the keys that shape a tensor with their defaults, and those that do not."""
    obj = meta.config_object(config)
    model = meta.build(config)
    found = [{"config": config, **meta.describe(model)}]
    base, like = config, found[0]
    if len(model.state_dict()) > MANY and smaller(config, obj) != config:
        base = smaller(config, obj)
        like = meta.describe(meta.build(base))
        found.append({"config": base, **like})
    shape, inert = {}, []
    for path, default in keys(obj):
        name = ".".join(path)
        for value in other_values(path[-1], default):
            variant = changed(base, path, value, obj)
            try:
                described = meta.describe(meta.build(variant))
            except Exception:
                continue  # a value that the class refuses
            if described["tensors"] != like["tensors"]:
                found.append({"config": variant, **described})
                long = isinstance(default, list) and len(default) > 12
                shape[name] = {"default": f"list of {len(default)}" if long else default}
                break
        else:
            inert.append(name)
    return found, shape, inert

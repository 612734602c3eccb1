"""Builds a model on the meta device, where tensors have a shape and no data, and lists what it stores."""

import copy
import importlib
import os
import warnings

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
warnings.filterwarnings("ignore")

import torch
import transformers
from transformers import CONFIG_MAPPING, core_model_loading
from transformers.core_model_loading import revert_weight_conversion
from transformers.models.auto import modeling_auto
from transformers.models.dinat import modeling_dinat

import names

# Keys of a config.json that say how it was saved, not what it describes.
SAVED_BY = ("transformers_version", "quantization_config", "auto_map", "_name_or_path")

# DiNAT asks for natten's kernels when it is built; only a pass needs them, they have no weights.
modeling_dinat.requires_backends = lambda *_: None


def as_wide(_, tensors, target_patterns, **__):
    """Inkling 2's head under its saved name. The library adds rows of zeros when it saves; what is counted is the class's own."""
    tensor = next(iter(tensors.values()))
    return {target_patterns[0]: tensor[0] if isinstance(tensor, list) else tensor}


if hasattr(core_model_loading, "Inkling2UnpadVocab"):
    core_model_loading.Inkling2UnpadVocab.convert = as_wide

# Where the class is looked up, in this order, when a config names none that exists.
HEADS = (
    modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    modeling_auto.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES,
    modeling_auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES,
    modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    modeling_auto.MODEL_MAPPING_NAMES,
)


def model_class(config):
    """The class that a config.json asks for, by its architectures or else by its type. Parts of models have one that the library doesn't list."""
    for name in config.get("architectures") or []:
        if hasattr(transformers, name):
            return getattr(transformers, name)
        home = CONFIG_MAPPING[config["model_type"]].__module__.replace(".configuration_", ".modeling_")
        if found := getattr(importlib.import_module(home), name, None):
            return found
    for mapping in HEADS:
        found = mapping.get(config["model_type"])
        if found:
            return getattr(transformers, found if isinstance(found, str) else found[0])
    raise LookupError(f"no class for {config['model_type']}")


def config_object(config):
    """A config.json as the library's own object, with its defaults for absent keys."""
    kind = CONFIG_MAPPING[config["model_type"]]
    keys = copy.deepcopy({k: v for k, v in config.items() if k not in SAVED_BY and k != "model_type"})
    return kind.from_dict(keys)


def build(config, dtype=None):
    """The model of a config.json, without weights."""
    obj, cls = config_object(config), model_class(config)
    with torch.device("meta"):
        return cls._from_config(obj, dtype=dtype) if dtype else cls._from_config(obj)


def describe(model):
    """Counts and tensors of a model, with the names that a checkpoint has."""
    parameters = dict(model.named_parameters(remove_duplicate=False))
    kept, seen = {}, set()
    for name, tensor in model.state_dict().items():
        weight = parameters.get(name)
        if weight is not None:
            if id(weight) in seen:
                continue  # tied: the first name stays
            seen.add(id(weight))
        kept[name] = tensor
    buffers = {n: t for n, t in kept.items() if n not in parameters}
    stored = sum(t.numel() for t in kept.values())
    buffered = sum(t.numel() for t in buffers.values())
    result = {
        "architecture": type(model).__name__,
        "parameters": stored - buffered,
        "buffers": buffered,
    }
    try:
        saved = revert_weight_conversion(model, dict(kept))
        if sum(t.numel() for t in saved.values()) != stored:
            raise ValueError("the mapping to saved names changes the sum")
    except Exception as why:  # some classes have no way back
        saved, result["note"] = kept, f"names of modules: {why}"[:160]
    result["tensors"] = names.fold(saved)
    if buffers:
        result["persistent_buffers"] = [name for name, _ in names.fold(buffers)]
    return result

"""Whole configurations of types whose class cannot be built from its defaults alone.

START maps a type and one of its classes to configurations: keys are changed one at a time in the first; the
others, which change what no single key can, are cases of their own. Sizes are small where the class allows it:
what is recorded is how tensors follow from keys.
"""

START = {
    ("timm_wrapper", "TimmWrapperForImageClassification"): [
        {"architecture": "resnet50", "num_classes": 1000},
        {"architecture": "resnet18", "num_classes": 10},
        {"architecture": "resnet152", "num_classes": 1000},
    ],
    ("timm_wrapper", "TimmWrapperModel"): [
        *({"architecture": name, "num_classes": 1000} for name in ("resnet26", "resnet34", "resnet101", "mobilenetv5_300m_enc")),
        {"architecture": "fastvit_mci3", "num_classes": 1000, "model_args": {"inference_mode": True}},
    ],
}


def classes(kind):
    """The classes of a type for which there are whole configurations."""
    return [name for of, name in START if of == kind]


def configs(kind, name):
    """The configurations to begin with: the class's defaults where nothing else is needed."""
    return [{"model_type": kind, "architectures": [name], **keys} for keys in START.get((kind, name), [{}])]

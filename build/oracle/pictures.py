"""Records what processors make of pictures, and what towers compute: core/compute/testdata/pictures.txt.

    python build/oracle/pictures.py

tokens lines: type, width, height, tokens that the type's processor holds room for in a prompt, with its
class's defaults or those that a line names. flops lines: type, class, the input, FLOPs by torch's counter on
the meta device, eager attention; keys of a config stand behind.
"""

import json
import pathlib

import torch
import transformers
from torch.utils.flop_counter import FlopCounterMode

import meta

OUT = pathlib.Path("core/compute/testdata/pictures.txt")
SIZES = [(1024, 768), (768, 1024), (640, 480), (1920, 1080), (300, 1200), (224, 224), (3000, 2000), (56, 40), (4096, 512)]


class Lend:
    """What a processor's method reads of itself."""

    def __init__(self, **keys):
        self.__dict__.update(keys)

    def _merge_kwargs(self, *_, **__):
        return {"images_kwargs": self.kwargs}


def tokens(name, processor, lent, config):
    """Tokens of pictures by the processor's own method, which is called without a tokenizer."""
    cls = getattr(transformers, processor)
    for key in ("_get_number_of_features", "_get_unpadded_features"):
        if hasattr(cls, key):
            setattr(Lend, key, getattr(cls, key))
    for width, height in SIZES:
        try:
            found = cls._get_num_multimodal_tokens(lent, image_sizes=[(height, width)])["num_image_tokens"][0]
        except (ValueError, ZeroDivisionError) as why:
            print(name, width, height, why)
            continue
        yield f"tokens\t{json.dumps(config)}\t{width}\t{height}\t{found}"


def processors():
    t = transformers
    qwen = t.Qwen2VLImageProcessor()
    for name in ("qwen2_vl", "qwen2_5_vl"):
        yield from tokens(name, "Qwen2VLProcessor", Lend(image_processor=qwen, kwargs={}), {"model_type": name})
    seen = t.Qwen2VLImageProcessor(patch_size=16)
    yield from tokens("qwen3_vl", "Qwen3VLProcessor", Lend(image_processor=seen, kwargs={}), {"model_type": "qwen3_vl"})
    tiles = t.GotOcr2ImageProcessor(size={"height": 448, "width": 448}, crop_to_patches=True)
    yield from tokens("internvl", "InternVLProcessor", Lend(image_processor=tiles, image_seq_length=256, kwargs={"crop_to_patches": True}), {"model_type": "internvl"})
    next_ = t.LlavaNextImageProcessor(size={"shortest_edge": 336}, crop_size={"height": 336, "width": 336})
    lent = Lend(image_processor=next_, patch_size=14, num_additional_image_tokens=1, vision_feature_select_strategy="default", kwargs={})
    yield from tokens("llava_next", "LlavaNextProcessor", lent, {"model_type": "llava_next"})
    one = t.LlavaOnevisionImageProcessor()
    for most in ("anyres_max_9", "anyres_max_4"):
        lent = Lend(image_processor=one, num_image_tokens=729, vision_feature_select_strategy="full", vision_aspect_ratio=most, kwargs={})
        yield from tokens("llava_onevision", "LlavaOnevisionProcessor", lent, {"model_type": "llava_onevision", "vision_aspect_ratio": most})
    pix = t.PixtralImageProcessor()
    yield from tokens("mistral3", "PixtralProcessor", Lend(image_processor=pix, patch_size=14, spatial_merge_size=2, kwargs={}),
                      {"model_type": "mistral3", "vision_config": {"model_type": "pixtral", "patch_size": 14, "image_size": 1024}})
    gemma = t.Gemma4ImageProcessor()
    yield from tokens("gemma4", "Gemma4Processor", Lend(image_processor=gemma, kwargs={}), {"model_type": "gemma4", "vision_config": {"model_type": "gemma4_vision"}})
    idefics = t.Idefics3ImageProcessor()
    words = lambda text, add_special_tokens: {"input_ids": [0]}
    vision = {"model_type": "idefics3_vision", "image_size": 364, "patch_size": 14}
    yield from tokens("idefics3", "Idefics3Processor", Lend(image_processor=idefics, image_seq_len=169, tokenizer=words, kwargs={}), {"model_type": "idefics3", "vision_config": vision})


VISION = [
    ("vit", "ViTModel", (224, 224), {}),
    ("deit", "DeiTModel", (224, 224), {}),
    ("beit", "BeitModel", (224, 224), {}),
    ("clip_vision_model", "CLIPVisionModel", (224, 224), {}),
    ("siglip_vision_model", "SiglipVisionModel", (224, 224), {"vision_use_head": False}),
    ("dinov2", "Dinov2Model", (224, 224), {}),
    ("dinov3_vit", "DINOv3ViTModel", (224, 224), {}),
    ("convnext", "ConvNextModel", (224, 224), {}),
    ("convnextv2", "ConvNextV2Model", (224, 224), {}),
    ("dinov3_convnext", "DINOv3ConvNextModel", (224, 224), {}),
    ("swin", "SwinModel", (224, 224), {}),
    ("resnet", "ResNetModel", (224, 224), {}),
    ("segformer", "SegformerModel", (512, 512), {}),
    ("hiera", "HieraModel", (224, 224), {}),
    ("pvt", "PvtModel", (224, 224), {}),
    ("vit_msn", "ViTMSNModel", (224, 224), {}),
    ("ijepa", "IJepaModel", (224, 224), {}),
    ("poolformer", "PoolFormerModel", (224, 224), {}),
    ("mobilenet_v2", "MobileNetV2Model", (224, 224), {}),
    ("efficientnet", "EfficientNetModel", (224, 224), {}),
    ("regnet", "RegNetModel", (224, 224), {}),
    ("sam_vision_model", "SamVisionModel", (1024, 1024), {}),
]
AUDIO = [
    ("wav2vec2", "Wav2Vec2Model", 1, {}),
    ("wav2vec2", "Wav2Vec2Model", 10, {}),
    ("hubert", "HubertModel", 5, {}),
    ("wavlm", "WavLMModel", 5, {}),
]


def counted(model, **inputs):
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        model(**inputs)
    return counter.get_total_flops()


def flops():
    for kind, name, (width, height), keys in VISION:
        config = {"model_type": kind, "architectures": [name], **keys}
        try:
            model = meta.build({**config, "attn_implementation": "eager"}).eval()
            with torch.device("meta"):
                total = counted(model, pixel_values=torch.empty(1, 3, height, width))
        except Exception as why:
            print(kind, repr(why)[:150])
            continue
        yield f"flops\t{json.dumps(config)}\t{width}x{height}\t{total}"
    for kind, name, seconds, keys in AUDIO:
        config = {"model_type": kind, "architectures": [name], **keys}
        try:
            model = meta.build({**config, "attn_implementation": "eager"}).eval()
            with torch.device("meta"):
                total = counted(model, input_values=torch.empty(1, 16000 * seconds))
        except Exception as why:
            print(kind, repr(why)[:150])
            continue
        yield f"flops\t{json.dumps(config)}\t{seconds}\t{total}"
    config = {"model_type": "whisper", "architectures": ["WhisperModel"]}
    with torch.device("meta"):
        model = meta.build({**config, "attn_implementation": "eager"}).get_encoder().eval()
        total = counted(model, input_features=torch.empty(1, 80, 3000))
    yield f"flops\t{json.dumps(config)}\t30\t{total}"


def main():
    head = f"# build/oracle/pictures.py: transformers {transformers.__version__}, torch {torch.__version__.split('+')[0]}"
    lines = [head, *processors(), *flops()]
    OUT.write_text("\n".join(lines) + "\n")
    print(len(lines) - 1, "lines")


if __name__ == "__main__":
    main()

"""Records what processors make of pictures and of sounds, and what towers compute: core/compute/testdata/pictures.txt.

    python build/oracle/pictures.py

tokens lines: a config, width, height, tokens that the type's processor holds room for in a prompt. The
processor is its class's, with the class's defaults or what PROCESSORS names; the config says what these
defaults take for granted. Where a processor does not say how many there are, it is asked for the text that it
puts in a prompt, with a mark for each token. Two line breaks are one token, as most vocabularies have it.
features lines: a config, width, height, tokens that the class's own tower and projection give on the meta device.
heard lines: a config, milliseconds, tokens of a sound by the class's own rule.
flops lines: a config, the input, FLOPs by torch's counter on the meta device, eager attention.
"""

import collections
import functools
import importlib
import inspect
import json
import operator
import pathlib
import re
import types

import torch
import transformers
from torch.utils.flop_counter import FlopCounterMode
from transformers.models.auto.image_processing_auto import IMAGE_PROCESSOR_MAPPING_NAMES
from transformers.models.auto.processing_auto import PROCESSOR_MAPPING_NAMES

import meta

OUT = pathlib.Path("core/compute/testdata/pictures.txt")
SIZES = [(1024, 768), (768, 1024), (640, 480), (1920, 1080), (300, 1200), (224, 224), (3000, 2000), (56, 40), (4096, 512)]


class Marks:
    """A tokenizer to which every mark is one token."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return 7 if name.endswith("_id") else f"<{name}>"

    def __call__(self, text, **_):
        return {"input_ids": self.tokenize(text)}

    def tokenize(self, text):
        return re.findall(r"<[^<>]*>|\n\n|.", text, re.S)

    def get_vocab(self):
        return collections.defaultdict(int)

    def encode(self, *_, **__):
        return [7, 7]

    def convert_tokens_to_ids(self, _):
        return 7

    def add_tokens(self, *_, **__):
        pass

    add_special_tokens = add_tokens


def processor_of(kind, given):
    """The processor of a type, with a tokenizer of marks; given are values of its own, and of its image processor under "image"."""
    name = IMAGE_PROCESSOR_MAPPING_NAMES[kind]
    name = name if isinstance(name, str) else name.get("torchvision") or next(iter(name.values()))
    image = getattr(transformers, name)(**given.get("image", {}))
    cls = getattr(transformers, PROCESSOR_MAPPING_NAMES[kind])
    processor = object.__new__(cls)
    keep = transformers.ProcessorMixin.__init__
    transformers.ProcessorMixin.__init__ = lambda *_, **__: None
    parts = {"image_processor": image, "tokenizer": Marks(), "feature_extractor": None, "audio_processor": None, "video_processor": Marks()}
    processor.image_processor, processor.tokenizer, processor.video_processor = image, parts["tokenizer"], parts["video_processor"]
    try:
        cls.__init__(processor, **{k: v for k, v in parts.items() if k in inspect.signature(cls.__init__).parameters})
    finally:
        transformers.ProcessorMixin.__init__ = keep
    for key, value in given.items():
        if key not in ("image", "images", "text"):
            setattr(processor, key, value)
    kwargs = {}
    for c in reversed(cls.__mro__):
        kwargs.update(getattr(c, "images_kwargs", None) or {})
    kwargs = {**kwargs, **given.get("images", {})}
    processor._merge_kwargs = lambda *_, **__: {"images_kwargs": kwargs, "videos_kwargs": {}, "text_kwargs": {}}
    return processor, kwargs


def room(kind, given, width, height):
    """Tokens that a type's processor holds room for, of a picture; with those around and between them where marks are asked for."""
    processor, kwargs = processor_of(kind, given)
    counts = type(processor)._get_num_multimodal_tokens if hasattr(type(processor), "_get_num_multimodal_tokens") else None
    if counts and counts is not getattr(transformers.ProcessorMixin, "_get_num_multimodal_tokens", None) and not given.get("marks"):
        return int(processor._get_num_multimodal_tokens(image_sizes=[(height, width)])["num_image_tokens"][0])
    seen = processor.image_processor([torch.zeros(3, height, width, dtype=torch.uint8)], **kwargs)
    return len(processor.tokenizer.tokenize(processor.replace_image_token(seen, 0, **given.get("text", {}))))


def vision(**keys):
    return {"vision_config": keys}


# Types whose processor leaves room for none, or for a number that is given to it: what the class makes of a picture.
FEATURES = [
    ("blip", {}, (384, 384), lambda m, x: m.vision_model(x)[0]),
    ("git", {}, (224, 224), lambda m, x: m.git.visual_projection(m.git.image_encoder(x).last_hidden_state)),
    ("florence2", {}, (768, 768), lambda m, x: m.get_image_features(x).pooler_output),
    ("got_ocr2", {}, (1024, 1024), lambda m, x: m.get_image_features(x).pooler_output),
    ("idefics", {}, (224, 224), lambda m, x: m.model.vision_model(x).last_hidden_state),
    ("pp_chart2table", {}, (1024, 1024), lambda m, x: m.get_image_features(x).pooler_output),
    ("pp_formulanet", {}, (512, 512), lambda m, x: m.model.encoder(x).pooler_output),
    ("pp_formulanet", vision(image_size=768), (768, 768), lambda m, x: m.model.encoder(x).pooler_output),
]


def features():
    for kind, keys, (width, height), seen in FEATURES:
        config = {"model_type": kind, **keys}
        try:
            model = meta.build(config).eval()
            with torch.device("meta"), torch.no_grad():
                out = seen(model, torch.empty(1, 3, height, width))
        except Exception as why:
            print(kind, repr(why)[:200])
            continue
        yield f"tokens\t{json.dumps(config)}\t{width}\t{height}\t{out.shape[-2]}"
    # BLIP-2's Q-Former reads data, so these are small and real.
    small = {"vision_config": {"hidden_size": 64, "num_hidden_layers": 1, "num_attention_heads": 4, "intermediate_size": 64}, "text_config": {"model_type": "opt", "num_hidden_layers": 1}}
    for queries in (32, 24):
        config = {"model_type": "blip-2", "num_query_tokens": queries, **small}
        model = meta.model_class(config)._from_config(meta.config_object(config)).eval()
        with torch.no_grad():
            out = model.get_image_features(torch.zeros(1, 3, 224, 224)).pooler_output
        yield f"tokens\t{json.dumps(config)}\t224\t224\t{out.shape[-2]}"
    # UDOP's encoder puts patches beside the words, of which there are eight here.
    for size in (224, 320):
        config = {"model_type": "udop", "image_size": size, "d_model": 64, "d_ff": 64, "num_layers": 1, "num_heads": 4, "d_kv": 16}
        model = meta.model_class(config)._from_config(meta.config_object(config)).eval()
        with torch.no_grad():
            words = torch.ones(1, 8, dtype=torch.long)
            out = model.encoder(input_ids=words, bbox=torch.full((1, 8, 4), 0.5), pixel_values=torch.zeros(1, 3, size, size), attention_mask=words)
        yield f"tokens\t{json.dumps(config)}\t{size}\t{size}\t{out.last_hidden_state.shape[-2] - 8}"
    # ViLT picks from the patches that a mask holds, and LayoutLMv3 has a mark before them.
    for width, height, most in [*((w, h, -1) for w, h in SIZES), (1920, 1080, 200)]:
        config = {"model_type": "vilt", "max_image_length": most, **SMALLER}
        model = meta.model_class(config)._from_config(meta.config_object(config)).eval()
        with torch.no_grad():
            seen = transformers.ViltImageProcessor()([torch.zeros(3, height, width, dtype=torch.uint8)], return_tensors="pt")
            out = model.embeddings.visual_embed(seen["pixel_values"], seen["pixel_mask"], most)[0]
        yield f"tokens\t{json.dumps(config)}\t{width}\t{height}\t{out.shape[-2]}"
    for size in (224, 384):
        config = {"model_type": "layoutlmv3", "input_size": size, **SMALLER}
        model = meta.model_class(config)._from_config(meta.config_object(config)).eval()
        with torch.no_grad():
            out = model.forward_image(torch.zeros(1, 3, size, size))
        yield f"tokens\t{json.dumps(config)}\t{size}\t{size}\t{out.shape[-2]}"
    # Mllama's cross-attention sees all patches of the tiles that a picture fills.
    for width, height in SIZES:
        tiles = transformers.MllamaImageProcessor(size={"height": 560, "width": 560})([torch.zeros(3, height, width, dtype=torch.uint8)])["num_tiles"][0][0]
        config = {"model_type": "mllama", "architectures": ["MllamaForConditionalGeneration"], **vision(image_size=560)}
        yield f"tokens\t{json.dumps(config)}\t{width}\t{height}\t{tiles * meta.build(config).model.vision_model.num_patches}"
    # Kosmos-2 writes its marks into the prompt.
    processor = object.__new__(transformers.Kosmos2Processor)
    processor.boi_token, processor.eoi_token = "<image>", "</image>"
    prompt = processor.preprocess_examples("", images=[torch.zeros(3, 224, 224)])
    yield f"tokens\t{json.dumps({'model_type': 'kosmos-2'})}\t224\t224\t{len(prompt.split())}"


# What a config says, and what its processor is given beside its class's defaults.
PE = vision(model_type="timm_wrapper", architecture="vit_pe_lang_large_patch14_448", model_args={"embed_dim": 1024})
PIXTRAL = vision(model_type="pixtral", patch_size=14, image_size=1024)
SLICES = {"text": {"image_token_divisor": 16}}
LLAVA = {"patch_size": 14, "num_additional_image_tokens": 1, "vision_feature_select_strategy": "default", "image": {"size": {"shortest_edge": 336}, "crop_size": {"height": 336, "width": 336}}}
PROCESSORS = [
    ("qwen2_vl", {}, {}),
    ("qwen2_5_vl", {}, {}),
    ("qwen3_vl", {}, {"image": {"patch_size": 16}}),
    ("qwen3_5", {}, {"image": {"patch_size": 16}}),
    ("ernie4_5_vl_moe", {}, {}),
    ("exaone4_5", {}, {}),
    ("glm4v", {}, {}),
    ("glm46v", {}, {}),
    ("glm5_next", {}, {}),
    ("hyperclovax_vision_v2", {}, {}),
    ("video_llama_3", vision(patch_size=14), {}),
    ("paddleocr_vl", {}, {}),
    ("minimax_m3_vl", {}, {}),
    ("lfm3_vl", vision(patch_size=14), {}),
    ("dots3_note", {}, {}),
    ("hunyuan_vl", {}, {}),
    ("hy_v4_vl", {}, {}),
    ("cosmos3_edge", {}, {}),
    ("kimi_k25", {}, {}),
    ("muse_glimmer", {}, {}),
    ("muse_spark", {}, {}),
    ("nemotron_h_omni", {}, {}),
    ("inkling2", {}, {}),
    ("inkling2_loop", {}, {}),
    ("inkling_mm_model", {}, {}),
    ("neomme", {}, {}),
    ("fuyu", {}, {}),
    ("emu3", {}, {}),
    ("apertus1p5", {}, {"marks": True}),
    ("chameleon", {}, {}),
    ("internvl", {}, {"image": {"size": {"height": 448, "width": 448}}}),
    ("qianfan_ocr", {}, {"image": {"size": {"height": 448, "width": 448}}}),
    ("aya_vision", vision(image_size=364, patch_size=14), {"image": {"size": {"height": 364, "width": 364}}, "patch_size": 28}),
    ("cohere2_vision", {}, {"patch_size": 16}),
    ("granite_docling", {}, {}),
    ("llama4", vision(image_size=336), {}),
    ("molmo2", {}, {}),
    ("step3p7", {}, {}),
    ("phi4_multimodal", {}, {}),
    ("lfm2_vl", {}, {"text": {"use_image_special_tokens": True}}),
    ("minicpmv4_6", vision(patch_size=14), SLICES),
    ("minicpmv4_7", vision(patch_size=14), SLICES),
    ("deepseek_ocr2", {"text_config": {"num_experts_per_tok": 2}}, {}),
    ("unlimited_ocr", {}, {}),
    ("minicpm_ocr", vision(patch_size=14), {"text": {"image_token_divisor": 4}}),
    ("glm_image", {}, {"image": {"patch_size": 16, "merge_size": 1}}),
    ("perception_lm", PE, {"patch_size": 14, "pooling_ratio": 1}),
    ("perception_lm", {**PE, "projector_pooling_ratio": 2}, {"patch_size": 14, "pooling_ratio": 2}),
    ("ultravbert", vision(image_size=512), {"image_seq_len": 64}),
    ("llava_next", {}, LLAVA),
    ("llava_onevision", {"vision_aspect_ratio": "anyres_max_9"}, {"num_image_tokens": 729, "vision_feature_select_strategy": "full", "vision_aspect_ratio": "anyres_max_9"}),
    ("llava_onevision", {"vision_aspect_ratio": "anyres_max_4"}, {"num_image_tokens": 729, "vision_feature_select_strategy": "full", "vision_aspect_ratio": "anyres_max_4"}),
    ("video_llava", {}, {}),
    ("mistral3", PIXTRAL, {"patch_size": 14, "spatial_merge_size": 2, "image": {"size": {"longest_edge": 1024}}}),
    ("gemma4", vision(model_type="gemma4_vision"), {}),
    ("embedding_gemma2", vision(model_type="gemma4_vision"), {}),
    ("idefics3", vision(model_type="idefics3_vision", image_size=364, patch_size=14), {}),
]
# Types whose tokens are the same for every picture.
FIXED = [
    ("aria", {}, {}),
    ("gemma3", {}, {}),
    ("gemma3n", {}, {}),
    ("shieldgemma2", {}, {}),
    ("t5gemma2", {}, {}),
    ("janus", {}, {}),
    ("deepseek_vl", vision(model_type="siglip_vision_model", image_size=384), {}),
    ("deepseek_vl_hybrid", vision(model_type="siglip_vision_model", image_size=384), {}),
    ("ovis2", {}, {"images": {"return_tensors": "pt"}}),
]


def tokens():
    for types, sizes in ((PROCESSORS, SIZES), (FIXED, SIZES[:1])):
        for kind, config, given in types:
            for width, height in sizes:
                try:
                    found = room(kind, given, width, height)
                except Exception as why:
                    print(kind, width, height, repr(why)[:150])
                    continue
                yield f"tokens\t{json.dumps({'model_type': kind, **config})}\t{width}\t{height}\t{found}"


# SpeechT5's base class hears nothing.
WHOSE = {"gemma4": {"audio_config": {"model_type": "gemma4_audio"}}, "speecht5": {"architectures": ["SpeechT5ForSpeechToText"]}}
DURATIONS = [1000, 7300, 12345, 30000]


def heard():
    """Tokens of sounds, by the rules of processors and feature extractors over frames that an extractor makes."""
    whisper = transformers.WhisperFeatureExtractor(feature_size=128)
    t = transformers

    def frames(ms):
        return torch.tensor(whisper(torch.zeros(16 * ms).numpy(), sampling_rate=16000, return_attention_mask=True)["attention_mask"].sum())

    def phi(ms):
        return t.Phi4MultimodalFeatureExtractor()(torch.zeros(16 * ms), sampling_rate=16000, return_tensors="pt")["audio_embed_sizes"][0]

    def omni(name, ms):
        lent = object.__new__(getattr(t, name))
        lent.feature_extractor, lent.n_window = whisper, 50
        return lent._get_num_audio_tokens(16 * ms)

    def granite(ms):
        lent = object.__new__(t.GraniteSpeechFeatureExtractor)  # which wants torchaudio
        lent.melspec_kwargs, lent.projector_window_size, lent.projector_downsample_rate = {"hop_length": 160}, 15, 5
        return lent._get_num_audio_features([16 * ms])[0]

    def stacked(ms):
        lent = object.__new__(t.Nemotron3_5TranscribeProcessor)
        lent.subsampling_factor = 8
        seen = t.NemotronAsrStreamingFeatureExtractor()(torch.zeros(16 * ms), sampling_rate=16000, return_attention_mask=True)
        return lent._get_audio_token_length(seen["attention_mask"].sum())

    def encoded(name, spectra, **keys):
        model = getattr(t, name)(getattr(t, name + "Config")(num_hidden_layers=1, **keys))
        return model._get_subsampling_output_length(torch.tensor(spectra))

    def muse(ms):
        lent = object.__new__(t.MuseSparkProcessor)
        lent.audio_start_token, lent.audio_token, lent.audio_end_token, lent.feature_extractor = "(", ".", ")", t.MuseSparkFeatureExtractor()
        return len(lent.replace_audio_token({"input_values": torch.zeros(1, 24 * ms)}, 0))

    def apertus(ms):
        lent = object.__new__(t.Apertus1p5Processor)
        lent.audio_token, lent.boa_token, lent.eoa_token, lent.feature_extractor = ".", "(", ")", t.WavTokenizerFeatureExtractor()
        return len(lent.replace_audio_token({"padding_mask": torch.ones(1, 24 * ms)}, 0))

    def inkling(ms):
        seen = t.InklingFeatureExtractor()(torch.zeros(16 * ms).numpy(), sampling_rate=16000, return_tensors="pt")
        lent = object.__new__(t.InklingProcessor)
        lent.audio_token = "."
        return len(lent.replace_audio_token({"audio_input_ids": seen["input_features"], "audio_input_ids_mask": seen.get("input_features_mask")}, 0))

    rules = {
        "audioflamingo3": lambda ms: t.AudioFlamingo3Processor._get_audio_token_length(None, frames(ms)),
        "musicflamingo": lambda ms: t.MusicFlamingoProcessor._get_audio_token_length(None, frames(ms)) + 2,
        "glmasr": lambda ms: t.GlmAsrProcessor._get_audio_token_length(None, frames(ms)),
        "qwen3_asr": lambda ms: t.Qwen3ASRProcessor._get_audio_token_length(None, frames(ms)),
        "gemma4": lambda ms: t.Gemma4Processor._compute_audio_num_tokens(types.SimpleNamespace(feature_extractor=t.Gemma4AudioFeatureExtractor(), audio_seq_length=750), [0] * (16 * ms), 16000),
        "omniasr": lambda ms: t.OmniASRProcessor._get_num_audio_tokens(types.SimpleNamespace(conv_kernel=[10, 3, 3, 3, 3, 2, 2], conv_stride=[5, 2, 2, 2, 2, 2, 2]), torch.tensor(16 * ms)),
        "fun_asr_nano": lambda ms: joined(ms / 1000),
        "vibevoice": lambda ms: -(-24 * ms // t.VibeVoiceAcousticTokenizerFeatureExtractor().pad_to_multiple_of),
        "dots3_note_audio_encoder": lambda ms: t.Dots3NoteFeatureExtractor()(torch.zeros(16 * ms).numpy())["num_audio_tokens"][0],
        "csm": lambda ms: t.CsmProcessor._get_encoded_length(24 * ms, **t.CsmProcessor.audio_kwargs["encoded_length_kwargs"]),
        "kyutai_speech_to_text": lambda ms: 24 * ms // t.KyutaiSpeechToTextConfig().codec_config.frame_size,
        "canary": lambda ms: encoded("ParakeetEncoder", ms // 10 + 1, num_mel_bins=128),
        "cohere_asr": lambda ms: encoded("ParakeetEncoder", ms // 10 + 1, num_mel_bins=128),
        "speech_to_text": lambda ms: t.Speech2TextModel(t.Speech2TextConfig(encoder_layers=1, decoder_layers=1))._get_feat_extract_output_lengths(t.Speech2TextFeatureExtractor()(torch.zeros(16 * ms).numpy(), sampling_rate=16000)["input_features"][0].shape[0]),
        "speecht5": lambda ms: t.SpeechT5ForSpeechToText(t.SpeechT5Config(encoder_layers=1, decoder_layers=1)).speecht5.encoder.prenet._get_feat_extract_output_lengths(16 * ms),
        "granite_speech": granite,
        "granite_speech_plus": granite,
        "phi4_multimodal": phi,
        "muse_spark": muse,
        "inkling_mm_model": inkling,
        "apertus1p5": apertus,
        "nemo_speechlm": stacked,
        "qwen2_5_omni_thinker": lambda ms: omni("Qwen2_5OmniProcessor", ms),
        "qwen3_omni_moe_thinker": lambda ms: omni("Qwen3OmniMoeProcessor", ms),
    }
    for kind, rule in rules.items():
        for ms in DURATIONS:
            yield f"heard\t{json.dumps({'model_type': kind, **WHOSE.get(kind, {})})}\t{ms}\t{int(rule(ms))}"


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
    ("llama4_vision_model", "Llama4VisionModel", (336, 336), {"hidden_size": 1408, "image_size": 336, "num_hidden_layers": 2}),
    ("blip_vision_model", "BlipVisionModel", (384, 384), {}),
    ("git_vision_model", "GitVisionModel", (224, 224), {}),
    ("radio", "RadioModel", (224, 224), {}),
    ("sam_vision_model", "SamVisionModel", (1024, 1024), {}),
]
AUDIO = [
    ("wav2vec2", "Wav2Vec2Model", 1, {}),
    ("wav2vec2", "Wav2Vec2Model", 10, {}),
    ("hubert", "HubertModel", 5, {}),
    ("wavlm", "WavLMModel", 5, {}),
]
PIECES = dict(audio_channels=2, sampling_rate=48000, norm_type="time_group_norm", use_causal_conv=False, chunk_length_s=1.0, overlap=0.01, normalize=True, target_bandwidths=[3.0, 6.0, 12.0, 24.0])
# Codecs, vocoders and encoders of speech: seconds, and what the extractor makes of them. Those that look at their data run on
# real zeros.
REAL, SHAPE = "cpu", "meta"
FRAMES = {"hidden_size": 96, "intermediate_size": 160, "num_hidden_layers": 2, "num_attention_heads": 4, "num_conv_pos_embeddings": 19, "num_conv_pos_embedding_groups": 4}
HALVES = {"semantic_model_config": {"model_type": "hubert", **FRAMES}, "acoustic_model_config": {"model_type": "dac", "encoder_hidden_size": 8, "downsampling_ratios": [8, 5, 4, 2], "upsampling_ratios": [8, 5, 4, 2], "decoder_hidden_size": 64, "hidden_size": 48}}
SMALL_EAR = {"hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 4}
SPEAKS = {"text_config": {"model_type": "qwen2", **SMALL_EAR, "num_key_value_heads": 4}}


def halves(filled):
    """Which spectra of half minutes are heard."""
    return (torch.arange(3000) < torch.tensor(filled).view(-1, 1)).long()


EAR_4 = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "output_proj_dims": 80}


def spectra_4(seconds):
    """As many as Gemma 4's extractor makes of a sound."""
    return transformers.Gemma4AudioFeatureExtractor()([torch.zeros(round(16000 * seconds)).numpy()])["input_features"][0].shape[0]


WORDY = {"num_filters": 8, "hidden_size": 32, "codebook_dim": 32, "codebook_size": 64, "num_lstm_layers": 1, "upsampling_ratios": [7, 4, 3], "num_residual_layers": 2, "compress": 4, "norm_type": "time_group_norm", "decoder_hidden_size": 64, "decoder_intermediate_size": 96, "decoder_num_layers": 2}
TOLD = {
    "text_config": {"vocab_size": 700, "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 1, "num_attention_heads": 4}, "image_token_offset": 100, "audio_token_offset": 612,
    "vision_config": {"codebook_size": 512, "base_channels": 32, "channel_multiplier": [1, 2, 3], "num_res_blocks": 2, "resolution": 64, "attn_resolutions": [16, 32]}, "audio_config": {"model_type": "wavtokenizer_encoder", "num_filters": 8, "hidden_size": 32, "codebook_dim": 32, "codebook_size": 64},
}


SOUND = [
    ("encodec", "EncodecModel", 1, {}, REAL, {"input_values": (1, 1, 24000)}),
    ("encodec", "EncodecModel", 1.501, {}, REAL, {"input_values": (1, 1, 36024)}),
    ("encodec", "EncodecModel", 1, PIECES, REAL, {"input_values": (1, 2, 95520)}),
    ("wavtokenizer", "WavTokenizerModel", 1, {}, REAL, {"input_values": (1, 1, 24000)}),
    ("wavtokenizer", "WavTokenizerModel", 1.501, WORDY, REAL, {"input_values": (1, 1, 36024)}),
    ("wavtokenizer_encoder", "WavTokenizerEncoderModel", 0.457, {}, REAL, {"input_values": (1, 1, 10968)}),
    ("wavtokenizer_encoder", "WavTokenizerEncoderModel", 2.5, {**WORDY, "use_causal_conv": True, "use_conv_shortcut": False}, REAL, {"input_values": (1, 1, 60000)}),
    *[("apertus1p5", f"Apertus1p5{of}", seconds, TOLD, REAL, {"input_values": (1, 1, round(24000 * seconds)), "padding_mask": [round(24000 * seconds)] * 2}) for of, seconds in (("Model", 1), ("ForConditionalGeneration", 3.21))],
    ("mimi", "MimiModel", 1, {}, REAL, {"input_values": (1, 1, 24000)}),
    ("mimi", "MimiModel", 1.501, {}, REAL, {"input_values": (1, 1, 36024)}),
    ("mimi_encoder", "MimiEncoderModel", 1, {}, REAL, {"input_values": (1, 1, 24000)}),
    ("mimi_decoder", "MimiDecoderModel", 1, {}, REAL, {"latents": (1, 512, 13)}),
    ("pocket_tts_audio_tokenizer", "PocketTTSAudioTokenizerModel", 1, {}, REAL, {"input_values": (1, 1, 24000)}),
    ("pocket_tts_audio_tokenizer_encoder", "PocketTTSAudioTokenizerEncoderModel", 1, {}, REAL, {"input_values": (1, 1, 24000)}),
    ("pocket_tts_audio_tokenizer_decoder", "PocketTTSAudioTokenizerDecoderModel", 1, {}, REAL, {"latents": (1, 512, 13)}),
    # Filled up to whole frames: of 512 samples, 320, 1920 and 3200.
    ("dac", "DacModel", 1, {}, SHAPE, {"input_values": (1, 1, 16384)}),
    ("dac", "DacModel", 1, {"sampling_rate": 44100}, SHAPE, {"input_values": (1, 1, 44544)}),
    ("dac", "DacModel", 1, {"sampling_rate": 24000, "n_codebooks": 32, "downsampling_ratios": [2, 4, 5, 8], "upsampling_ratios": [8, 5, 4, 2]}, SHAPE, {"input_values": (1, 1, 24000)}),
    ("pe_audio_encoder", "PeAudioEncoder", 1, {}, SHAPE, {"input_values": (1, 1, 48000)}),
    ("vibevoice_acoustic_tokenizer", "VibeVoiceAcousticTokenizerModel", 1, {}, SHAPE, {"input_values": (1, 1, 25600)}),
    ("vibevoice_acoustic_tokenizer_encoder", "VibeVoiceAcousticTokenizerEncoderModel", 1, {}, SHAPE, {"hidden_states": (1, 1, 25600)}),
    ("vibevoice_acoustic_tokenizer_decoder", "VibeVoiceAcousticTokenizerDecoderModel", 1, {}, SHAPE, {"hidden_states": (1, 64, 8)}),
    ("speecht5_hifigan", "SpeechT5HifiGan", 1, {}, SHAPE, {"spectrogram": (1, 63, 80)}),
    ("speecht5_hifigan", "SpeechT5HifiGan", 1, {"upsample_rates": [5, 4, 4, 2], "upsample_kernel_sizes": [10, 8, 8, 4]}, SHAPE, {"spectrogram": (1, 100, 80)}),
    ("fastspeech2_conformer_hifigan", "FastSpeech2ConformerHifiGan", 1, {}, SHAPE, {"spectrogram": (1, 87, 80)}),
    ("univnet", "UnivNetModel", 1, {}, SHAPE, {"input_features": (1, 93, 100), "noise_sequence": (1, 93, 64)}),
    ("parakeet_encoder", "ParakeetEncoder", 1, {}, SHAPE, {"input_features": (1, 101, 80)}),
    ("parakeet_encoder", "ParakeetEncoder", 1, {"num_mel_bins": 128, "subsampling_factor": 4, "num_hidden_layers": 4}, SHAPE, {"input_features": (1, 101, 128)}),
    ("parakeet_ctc", "ParakeetForCTC", 10, {}, SHAPE, {"input_features": (1, 1001, 80)}),
    ("parakeet_rnnt", "ParakeetForRNNT", 1, {}, SHAPE, {"input_features": (1, 101, 80)}),
    *[("parakeet_tdt", "ParakeetForTDT", n, {"vocab_size": 99, "decoder_hidden_size": 48, "durations": [0, 1, 2], "encoder_config": {"num_hidden_layers": 2, "hidden_size": 64, "intermediate_size": 96, "num_attention_heads": 4, "num_mel_bins": 128}}, SHAPE, {"input_features": (1, 100 * n + 1, 128)}) for n in (3, 10)],
    ("nemotron_asr_streaming", "NemotronAsrStreamingForRNNT", 1, {}, REAL, {"input_features": (1, 101, 80)}),
    ("nemotron3_5_asr", "Nemotron3_5AsrForRNNT", 2, {"num_prompts": 16, "default_prompt_id": 5, "encoder_config": {"num_hidden_layers": 2, "hidden_size": 64, "intermediate_size": 96, "num_attention_heads": 4}}, REAL, {"input_features": (1, 201, 80)}),
    ("nemotron_asr_streaming_encoder", "NemotronAsrStreamingEncoder", 1, {}, REAL, {"input_features": (1, 101, 80)}),
    ("lasr_encoder", "LasrEncoder", 1, {}, SHAPE, {"input_features": (1, 98, 128)}),
    ("lasr_ctc", "LasrForCTC", 10, {}, SHAPE, {"input_features": (1, 998, 128)}),
    ("granite_speech5_encoder", "GraniteSpeech5Encoder", 1, {}, SHAPE, {"input_features": (1, 50, 320)}),
    ("granite_speech5_encoder", "GraniteSpeech5Encoder", 1.34, {}, SHAPE, {"input_features": (1, 67, 320)}),
    ("granite_speech5_ctc", "GraniteSpeech5ForCTC", 10, {}, SHAPE, {"input_features": (1, 500, 320)}),
    ("fun_asr_nano_encoder", "FunAsrNanoEncoder", 1, {}, REAL, {"input_features": (1, 17, 560), "input_features_mask": (1, 17)}),
    ("moonshine_streaming_encoder", "MoonshineStreamingEncoder", 1, {}, SHAPE, {"input_values": (1, 16000)}),
    ("moonshine_streaming_encoder", "MoonshineStreamingEncoder", 1.234, {}, SHAPE, {"input_values": (1, 19760)}),
    *[("moonshine_streaming", f"MoonshineStreaming{of}", n, {"num_key_value_heads": 8, **keys}, SHAPE, {"input_values": (1, int(16000 * n))}) for of, n, keys in (("ForConditionalGeneration", 1, {}), ("Model", 1.24, {"hidden_size": 64, "encoder_config": {"hidden_size": 64, "intermediate_size": 96, "num_attention_heads": 4, "num_key_value_heads": 2, "num_hidden_layers": 2}}))],
    # Frames of convolutions, with what adapts, squeezes or labels them, at lengths that fill none of these.
    *[(kind, f"{of}{name}", n, {**FRAMES, **keys}, REAL, {"input_values": (1, round(16000 * n))}) for kind, of in (("wav2vec2", "Wav2Vec2"), ("hubert", "Hubert"), ("wavlm", "WavLM"), ("unispeech", "UniSpeech"), ("unispeech-sat", "UniSpeechSat"), ("data2vec-audio", "Data2VecAudio"), ("wav2vec2-conformer", "Wav2Vec2Conformer"), ("sew", "SEW"), ("sew-d", "SEWD")) for name, n, keys in (("Model", 1.235, {}), ("ForCTC", 0.457, {"vocab_size": 33}), ("ForSequenceClassification", 7.311, {"num_labels": 7, "classifier_proj_size": 48}))],
    *[(kind, f"{of}{name}", n, {**FRAMES, "num_labels": 7, **keys}, REAL, {"input_values": (1, round(16000 * n))}) for kind, of in (("wav2vec2", "Wav2Vec2"), ("data2vec-audio", "Data2VecAudio"), ("wav2vec2-conformer", "Wav2Vec2Conformer")) for name, n, keys in (("ForAudioFrameClassification", 1.5, {}), ("ForXVector", 3.21, {"xvector_output_dim": 64, "tdnn_dim": [64, 64, 64, 64, 150]}))],
    *[(kind, f"{of}Model", 2.345, {**FRAMES, **keys}, REAL, {"input_values": (1, 37520)}) for kind, of, keys in (
        ("wav2vec2", "Wav2Vec2", {"add_adapter": True, "num_adapter_layers": 2}),
        ("wav2vec2", "Wav2Vec2", {"do_stable_layer_norm": True, "feat_extract_norm": "layer", "conv_dim": [32, 64], "conv_stride": [7, 9], "conv_kernel": [11, 12], "num_feat_extract_layers": 2}),
        ("wav2vec2-conformer", "Wav2Vec2Conformer", {"position_embeddings_type": "rotary", "conv_depthwise_kernel_size": 15}),
        ("sew", "SEW", {"squeeze_factor": 3, "num_conv_pos_embeddings": 16}),
        ("sew-d", "SEWD", {"share_att_key": False, "position_buckets": 40, "squeeze_factor": 3}),
        ("sew-d", "SEWD", {"pos_att_type": ["c2p"], "position_buckets": -1, "max_position_embeddings": 60}),
    )],
    *[("wav2vec2-bert", f"Wav2Vec2Bert{of}", n, {**FRAMES, **keys} if keys else keys, REAL, {"input_features": (1, frames, 160)}) for of, n, frames, keys in (
        ("Model", 1, 49, {}), ("ForCTC", 0.457, 22, {"vocab_size": 33, "position_embeddings_type": "relative"}), ("ForSequenceClassification", 7.311, 365, {"position_embeddings_type": "rotary", "num_labels": 7}),
        ("Model", 2.345, 117, {"add_adapter": True, "num_adapter_layers": 2, "use_intermediate_ffn_before_adapter": True, "output_hidden_size": 128}), ("ForXVector", 3.21, 160, {"num_labels": 7, "xvector_output_dim": 64, "tdnn_dim": [64, 64, 64, 64, 150]}),
    )],
    # Filled up to whole frames, and by half a frame on both ends for the network of speech.
    *[("xcodec", "XcodecModel", n, keys, REAL, {"input_values": (1, 1, -(-round(16000 * n) // 320) * 320)}) for n, keys in ((1, {}), (0.457, HALVES), (1.235, {**HALVES, "codebook_size": 256, "target_bandwidths": [0.5, 2]}), (2.345, {**HALVES, "kernel_size": 5, "block_dilations": [1, 3], "unit_kernel_size": 5}))],
    *[("audio-spectrogram-transformer", f"AST{of}", n, {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 96, "max_length": round(100 * n), **keys}, REAL, {"input_values": (1, round(100 * n), keys.get("num_mel_bins", 128))}) for of, n, keys in (("Model", 3.37, {"frequency_stride": 8, "time_stride": 7, "num_mel_bins": 64}), ("ForAudioClassification", 2.5, {"patch_size": 12, "num_labels": 9}))],
    *[("encodec", "EncodecModel", n, {"num_filters": 8, "hidden_size": 32, "codebook_dim": 32, "codebook_size": 64, "num_lstm_layers": 1}, REAL, {"input_values": (1, 1, round(24000 * n))}) for n in (0.457, 1.235)],
    *[("dac", "DacModel", n, {"decoder_hidden_size": 128, "n_codebooks": 4, "codebook_size": 64, "codebook_dim": 6, "downsampling_ratios": [2, 5, 7], "upsampling_ratios": [7, 5, 2], "encoder_hidden_size": 16}, SHAPE, {"input_values": (1, 1, -(-round(16000 * n) // 70) * 70)}) for n in (0.457, 1.235)],
    *[("lasr_encoder", "LasrEncoder", n, SMALL_EAR, SHAPE, {"input_features": (1, (round(16000 * n) - 400) // 160 + 1, 128)}) for n in (0.457, 7.31)],
    *[("parakeet_encoder", "ParakeetEncoder", n, SMALL_EAR, SHAPE, {"input_features": (1, round(1000 * n) // 10 + 1, 80)}) for n in (0.457, 1.235, 7.31)],
    *[("univnet", "UnivNetModel", n, {}, SHAPE, {"input_features": (1, round(24000 * n) // 256, 100), "noise_sequence": (1, round(24000 * n) // 256, 64)}) for n in (0.457, 1.235)],
    # Spectra as Gemma 4's extractor makes them; the last chunk of the layers is filled up.
    *[("gemma4_audio", "Gemma4AudioModel", n, {**EAR_4, **keys} if keys else keys, REAL, {"input_features": (1, spectra_4(n), 128)}) for n, keys in ((1, {}), (7.31, {"attention_chunk_size": 10, "attention_context_left": 7, "attention_context_right": 3, "conv_kernel_size": 3}), (12.345, {"use_clipped_linears": False}))],
    *[("gemma4", f"Gemma4{of}", n, {"text_config": {"model_type": "gemma4_text", **SMALL_EAR, "num_key_value_heads": 2, "head_dim": 16, "global_head_dim": 16, "vocab_size": 300, "vocab_size_per_layer_input": 300, "hidden_size_per_layer_input": 8, "num_kv_shared_layers": 0, "layer_types": ["sliding_attention", "full_attention"]}, "audio_config": {"model_type": "gemma4_audio", **EAR_4}}, REAL, {"input_features": (1, spectra_4(n), 128), "input_features_mask": [spectra_4(n)] * 2}) for of, n in (("ForConditionalGeneration", 7.31), ("Model", 30), ("Model", 0.457))],
    *[("embedding_gemma2", "EmbeddingGemma2Model", n, {"text_config": {**SMALL_EAR, "num_hidden_layers": 1, "num_key_value_heads": 2, "head_dim": 16, "vocab_size": 300, "layer_types": ["full_attention"]}, "audio_config": {"model_type": "gemma4_audio", **EAR_4}}, REAL, {"input_features": (1, spectra_4(n), 128), "input_features_mask": [spectra_4(n)] * 2}) for n in (7.31, 30, 0.457)],
    *[("omniasr_audio", "OmniASRAudioModel", n, {**SMALL_EAR, "num_conv_pos_embeddings": 20, "num_conv_pos_embedding_groups": 4, **keys}, REAL, {"input_values": (1, 1, round(16000 * n))}) for n, keys in ((1, {}), (7.31, {"conv_dim": [32, 64], "conv_kernel": [11, 12], "conv_stride": [7, 9], "conv_bias": False}))],
    *[("omniasr_ctc", f"OmniASR{of}", n, {"vocab_size": 99, "audio_config": {**SMALL_EAR, "num_conv_pos_embeddings": 20, "num_conv_pos_embedding_groups": 4}}, REAL, {"input_values": (1, 1, round(16000 * n))}) for of, n in (("ForCTC", 10), ("CTCModel", 2.345))],
    *[("omniasr", f"OmniASR{of}", n, {"text_config": {"model_type": "llama", **SMALL_EAR, "vocab_size": 12000}, "audio_config": {**SMALL_EAR, "hidden_size": 96}}, REAL, {"input_values": (1, 1, round(16000 * n))}) for of, n in (("ForConditionalGeneration", 1), ("Model", 7.31))],
    # Half a minute after the other, each filled up; what was filled up is left out behind the projection.
    *[(kind, name, n, {**SPEAKS, "audio_config": {**SMALL_EAR, "intermediate_size": 256, **({"model_type": "audioflamingo3_encoder"} if kind == "musicflamingo" else {})}}, REAL, {"input_features": (len(filled), 128, 3000), **more}) for n, filled in ((7.3, [730]), (45, [3000, 1500])) for kind, name, more in (
        ("voxtral", "VoxtralForConditionalGeneration", {}),
        ("audioflamingo3", "AudioFlamingo3ForConditionalGeneration", {"input_features_mask": halves(filled)}),
        ("musicflamingo", "MusicFlamingoForConditionalGeneration", {"input_features_mask": halves(filled), "input_ids": torch.full((1, sum(((n - 1) // 2 - 1) // 2 + 1 for n in filled)), transformers.MusicFlamingoConfig().audio_token_id)}),
    )],
    *[("qwen2_audio", "Qwen2AudioForConditionalGeneration", n, {**SPEAKS, "audio_config": {"d_model": 64, "encoder_layers": 2, "encoder_attention_heads": 4, "encoder_ffn_dim": 96}}, REAL, {"input_features": (1, 128, 3000)}) for n in (7.3, 30)],
    *[("whisper", "WhisperForAudioClassification", 30, keys, SHAPE, {"input_features": (1, 80, 3000)}) for keys in ({}, {"d_model": 64, "encoder_layers": 2, "encoder_ffn_dim": 96, "encoder_attention_heads": 4, "use_weighted_layer_sum": True}, {"d_model": 96, "encoder_layers": 3, "encoder_ffn_dim": 64, "encoder_attention_heads": 4, "classifier_proj_size": 100, "id2label": {"0": "a", "1": "b", "2": "c"}})],
    ("whisper", "WhisperForConditionalGeneration", 7.3, {"d_model": 64, "encoder_layers": 2, "encoder_attention_heads": 4, "encoder_ffn_dim": 96, "decoder_layers": 1, "decoder_attention_heads": 4, "num_mel_bins": 128}, SHAPE, {"input_features": (1, 128, 3000)}),
    # Encoders before decoders: spectra of 400 samples, 160 apart; samples; spectra 10 ms apart, one of them at the end.
    *[("speech_to_text", f"Speech2Text{of}", n, keys, SHAPE, {"input_features": (1, round(100 * n) - 2, keys.get("input_feat_per_channel", 80))}) for of, n, keys in (("ForConditionalGeneration", 30, {}), ("Model", 7.31, {"d_model": 64, "encoder_layers": 2, "encoder_ffn_dim": 96, "conv_channels": 96}), ("Model", 1, {"d_model": 64, "encoder_layers": 2, "num_conv_layers": 3, "conv_kernel_sizes": [5, 4, 3], "input_feat_per_channel": 40}), ("ForConditionalGeneration", 12.34, {"d_model": 64, "encoder_layers": 1, "num_conv_layers": 1, "conv_kernel_sizes": [7]}))],
    *[("speecht5", f"SpeechT5ForSpeechTo{of}", n, keys, SHAPE, {"input_values": (1, round(16000 * n))}) for of, n, keys in (("Text", 1, {}), ("Speech", 7.31, {"hidden_size": 96, "encoder_layers": 2, "encoder_ffn_dim": 128}), ("Text", 3, {"hidden_size": 64, "encoder_attention_heads": 4, "decoder_attention_heads": 4, "encoder_layers": 1, "num_conv_pos_embeddings": 19, "conv_dim": [32, 48], "conv_stride": [8, 40], "conv_kernel": [10, 48], "num_feat_extract_layers": 2}))],
    *[("canary", f"Canary{of}", n, {"encoder_config": {"model_type": "parakeet_encoder", "num_mel_bins": 128, "num_hidden_layers": 2, **keys}}, SHAPE, {"input_features": (1, round(100 * n) + 1, 128)}) for of, n, keys in (("ForConditionalGeneration", 10, {}), ("Model", 7.31, {"hidden_size": 64, "intermediate_size": 96, "num_attention_heads": 4, "num_key_value_heads": 2}), ("Model", 1, {"hidden_size": 64, "subsampling_factor": 4, "subsampling_conv_channels": 32}))],
    *[("cohere_asr", "CohereAsrForConditionalGeneration", n, {"hidden_size": 64, "num_hidden_layers": 1, "encoder_config": {"num_mel_bins": 128, "num_hidden_layers": 2, **keys}}, SHAPE, {"input_features": (1, round(100 * n) + 1, 128)}) for n, keys in ((10, {"hidden_size": 1280}), (7.31, {"hidden_size": 96, "intermediate_size": 128, "num_attention_heads": 4, "subsampling_conv_channels": 64}), (35, {"hidden_size": 64, "intermediate_size": 96}))],
    ("nemotron3_diarization", "Nemotron3DiarizationForAudioFrameClassification", 20, {}, SHAPE, {"input_features": (1, 2000, 128)}),
    ("nemotron3_diarization", "Nemotron3DiarizationModel", 1, {}, SHAPE, {"input_features": (1, 100, 128)}),
    ("nemotron3_5_transcribe_audio", "Nemotron3_5TranscribeAudioModel", 1, {}, REAL, {"input_features": (1, 104, 128)}),
    ("clap_audio_model", "ClapAudioModel", 10, {}, SHAPE, {"input_features": (1, 1, 1001, 64)}),
    ("clap_audio_model", "ClapAudioModelWithProjection", 10, {"window_size": 7}, SHAPE, {"input_features": (1, 1, 1001, 64)}),
]


def seen_by(kind, width, height, keys, given={}):
    """A picture as the processor of a type gives it to the whole model's tower and projection."""
    processor, kwargs = processor_of(kind, given)
    seen = processor.image_processor([torch.zeros(3, height, width, dtype=torch.uint8)], **{**kwargs, "return_tensors": "pt"})
    name = meta.model_class({"model_type": kind}).__name__
    base = getattr(transformers, name.replace("ForConditionalGeneration", "Model"))
    return (kind, name, f"{width}x{height}", keys, REAL, {k: v for k, v in seen.items() if k in inspect.signature(base.get_image_features).parameters})


def clip(frames, height, width):
    return (1, frames, 3, height, width)


SMALLER = {"hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 4}
JEPA = {"frames_per_clip": 4, "crop_size": 64, "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4, "pred_num_hidden_layers": 3, "pred_hidden_size": 48, "pred_num_attention_heads": 4}
# Videos: as many frames of the size as the config says.
CLIPS = [
    # Latents that read a picture place by place.
    *[("perceiver", f"PerceiverForImageClassification{of}", {"num_self_attends_per_block": 2, "num_latents": 20, "d_latents": 64, "num_self_attention_heads": 4, "num_cross_attention_heads": 1, "num_labels": 5, **keys}, REAL, {"pixel_values": (1, 3, *sides)}) for of, sides, keys in (
        ("Learned", (30, 30), {"image_size": 30}), ("Learned", (21, 21), {"image_size": 21, "num_blocks": 2, "qk_channels": 32, "v_channels": 64}), ("Learned", (56, 56), {"num_self_attends_per_block": 1, "cross_attention_shape_for_attention": "q"}),
        ("Fourier", (30, 41), {}), ("Fourier", (24, 24), {"cross_attention_widening_factor": 2, "qk_channels": 32, "v_channels": 64}), ("Fourier", (224, 224), {"self_attention_widening_factor": 3}),
        ("ConvProcessing", (57, 75), {}), ("ConvProcessing", (224, 224), {"num_blocks": 3}), ("ConvProcessing", (98, 33), {"cross_attention_shape_for_attention": "q"}),
    )],
    ("videomae", "VideoMAEModel", {}, SHAPE, {"pixel_values": clip(16, 224, 224)}),
    ("videomae", "VideoMAEForVideoClassification", {"use_mean_pooling": False, "num_frames": 8, "image_size": [224, 192]}, SHAPE, {"pixel_values": clip(8, 224, 192)}),
    ("videomae", "VideoMAEForVideoClassification", {**SMALLER, "num_frames": 7, "image_size": 100, "tubelet_size": 3, "qv_bias": False}, SHAPE, {"pixel_values": clip(7, 100, 100)}),
    ("videomae", "VideoMAEModel", {**SMALLER, "num_frames": 6, "image_size": [97, 130], "patch_size": 8}, SHAPE, {"pixel_values": clip(6, 97, 130)}),
    ("vivit", "VivitModel", {}, SHAPE, {"pixel_values": clip(32, 224, 224)}),
    ("vivit", "VivitForVideoClassification", {}, SHAPE, {"pixel_values": clip(32, 224, 224)}),
    ("vivit", "VivitModel", {**SMALLER, "num_frames": 7, "image_size": 100, "tubelet_size": [3, 16, 8], "pooler_output_size": 24}, SHAPE, {"pixel_values": clip(7, 100, 100)}),
    ("vivit", "VivitForVideoClassification", {**SMALLER, "num_frames": 5, "image_size": [97, 130], "tubelet_size": [1, 8, 20]}, SHAPE, {"pixel_values": clip(5, 97, 130)}),
    ("timesformer", "TimesformerModel", {}, SHAPE, {"pixel_values": clip(8, 224, 224)}),
    ("timesformer", "TimesformerForVideoClassification", {"attention_type": "space_only"}, SHAPE, {"pixel_values": clip(8, 224, 224)}),
    ("timesformer", "TimesformerForVideoClassification", {"attention_type": "joint_space_time"}, SHAPE, {"pixel_values": clip(8, 224, 224)}),
    *[("timesformer", f"Timesformer{of}", {**SMALLER, "num_frames": frames, "image_size": side, "patch_size": patch, "attention_type": kind}, SHAPE, {"pixel_values": clip(frames, side, side)}) for of, frames, side, patch, kind in (("ForVideoClassification", 5, 100, 16, "divided_space_time"), ("Model", 7, 75, 10, "joint_space_time"), ("Model", 3, 130, 20, "space_only"))],
    ("vjepa2", "VJEPA2Model", JEPA, REAL, {"pixel_values_videos": clip(4, 64, 64)}),
    ("vjepa2", "VJEPA2ForVideoClassification", {"frames_per_clip": 16, "crop_size": 384}, SHAPE, {"pixel_values_videos": clip(16, 384, 384)}),
    ("vjepa2", "VJEPA2Model", {**JEPA, "frames_per_clip": 7, "crop_size": 100, "mlp_ratio": 2.5, "pred_mlp_ratio": 1.5}, REAL, {"pixel_values_videos": clip(7, 100, 100)}),
    ("vjepa2", "VJEPA2ForVideoClassification", {**JEPA, "frames_per_clip": 9, "tubelet_size": 3, "crop_size": 75, "patch_size": 10, "num_pooler_layers": 2}, SHAPE, {"pixel_values_videos": clip(9, 75, 75)}),
    ("vjepa2", "VJEPA2Model", {**JEPA, "frames_per_clip": 5, "crop_size": 97}, REAL, {"pixel_values_videos": clip(5, 97, 97)}),
    ("videoprism_vision_model", "VideoPrismVisionModel", {}, SHAPE, {"pixel_values_videos": clip(16, 288, 288)}),
    ("videoprism_vision_model", "VideoPrismVideoModel", {}, SHAPE, {"pixel_values_videos": clip(16, 288, 288)}),
    ("videoprism_vision_model", "VideoPrismForVideoClassification", {}, SHAPE, {"pixel_values_videos": clip(16, 288, 288)}),
]
# Towers that get their picture by another name, or of another size than most.
QUERIES = {"encoder_config": {"hidden_size": 896, "intermediate_size": 1024, "num_hidden_layers": 2, "num_attention_heads": 14, "num_key_value_heads": 2}}
PICTURES = [
    # Towers at small sides, some of which patches don't divide.
    *[(kind, name, {**SMALLER, **keys}, {"pixel_values": (1, 3, *sides)}) for kind, name, keys, sides in (
        ("radio", "RadioModel", {}, (96, 128)), ("mlcd_vision_model", "MLCDVisionModel", {"image_size": 75, "patch_size": 14}, (75, 75)),
        ("sam_vision_model", "SamVisionModel", {"image_size": 112, "patch_size": 16, "window_size": 3, "global_attn_indexes": [1]}, (112, 112)),
        ("sam_vision_model", "SamVisionModel", {"image_size": 96, "patch_size": 16, "window_size": 4, "global_attn_indexes": [0], "output_channels": 48}, (96, 96)),
        ("focalnet", "FocalNetModel", {"embed_dim": 24, "depths": [1, 1, 2, 1]}, (101, 75)), ("sapiens2", "Sapiens2Model", {"image_size": [96, 64]}, (96, 64)),
        ("align_vision_model", "AlignVisionModel", {"image_size": 101}, (101, 75)), ("aimv2_vision_model", "Aimv2VisionModel", {"image_size": 75}, (75, 75)),
        ("groupvit_vision_model", "GroupViTVisionModel", {"image_size": 75}, (75, 75)),
    )],
    *[("ovis2_vision", "Ovis2VisionModel", {**SMALLER, "image_size": side, "patch_size": 14, "hidden_stride": stride}, {"pixel_values": (1, 3, side, side)}) for side, stride in ((100, 1), (115, 2))],
    ("llama4_vision_model", "Llama4VisionModel", {**SMALLER, "intermediate_size": 256, "image_size": 120, "patch_size": 14, "projector_input_dim": 80, "projector_output_dim": 80}, {"pixel_values": (1, 3, 120, 120)}),
    ("pvt", "PvtModel", {"image_size": 96, "hidden_sizes": [16, 32, 40, 64]}, {"pixel_values": (1, 3, 96, 96)}),
    ("pvt", "PvtForImageClassification", {"image_size": 128, "depths": [1, 2, 1, 1], "sequence_reduction_ratios": [4, 4, 2, 1], "num_labels": 7}, {"pixel_values": (1, 3, 128, 128)}),
    ("bridgetower_vision_model", "BridgeTowerVisionModel", {**SMALLER, "image_size": 75}, {"image": (1, 3, 75, 75)}),
    ("flava_image_model", "FlavaImageModel", {}, {"pixel_values": (1, 3, 224, 224)}),
    ("flava_image_codebook", "FlavaImageCodebook", {}, {"pixel_values": (1, 3, 112, 112)}),
    ("bridgetower_vision_model", "BridgeTowerVisionModel", {}, {"image": (1, 3, 288, 288)}),
    ("mgp-str", "MgpstrForSceneTextRecognition", {}, {"pixel_values": (1, 3, 32, 128)}),
    ("hgnet_v2", "HGNetV2ForImageClassification", {}, {"pixel_values": (1, 3, 224, 224)}),
    ("hgnet_v2", "HGNetV2ForImageClassification", {"stem_strides": [2, 1, 1, 1, 2], "stage_downsample": [True, True, False, True]}, {"pixel_values": (1, 3, 224, 160)}),
    ("deepseek_ocr2_sam_vision_model", "DeepseekOcr2SamVisionEncoder", {}, {"pixel_values": (1, 3, 1024, 1024)}),
    ("deepseek_ocr2_vision", "DeepseekOcr2VisionModel", {**QUERIES, "sam_config": {"image_size": 768}}, {"pixel_values": (1, 3, 768, 768)}),
    ("deepseek_ocr2_vision", "DeepseekOcr2VisionModel", QUERIES, {"pixel_values": (1, 3, 1024, 1024)}),
    ("unlimited_ocr_vision", "UnlimitedOcrVisionModel", {}, {"pixel_values": (1, 3, 1024, 1024)}),
]
SPOKEN = {"dit_config": {"hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "head_dim": 32, "emb_dim": 64, "num_embeds": 99}, "bigvgan_config": {"upsample_initial_channel": 128}}
POINTS = {"keypoint_detector_config": {"model_type": "superpoint", "max_keypoints": 512}}
SAM_EYE = {"hidden_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4, "mlp_dim": 96, "global_attn_indexes": [1]}
HEARS = {"hidden_size": 64, "speech_encoder_layers": 3, "speech_encoder_attention_heads": 4, "speech_encoder_intermediate_size": 96, "vocab_size": 99, "encoder_layers": 1, "decoder_layers": 1, "encoder_ffn_dim": 96, "decoder_ffn_dim": 96, "t2u_encoder_layers": 1, "t2u_decoder_layers": 1, "t2u_encoder_ffn_dim": 96, "t2u_decoder_ffn_dim": 96}
VIT3 = {"model_type": "sam3_vit_model", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4, "intermediate_size": 96, "image_size": 336, "global_attn_indexes": [1]}
PAGE = {"model_type": "pp_lcnet_v4", "out_features": ["stage1", "stage2", "stage3", "stage4"], "block_configs": [[[3, 96, 96, 1, True]], [[3, 96, 96, 2, False], [3, 96, 96, 1, True]], [[3, 96, 192, 2, False], [3, 192, 192, 1, True]], [[3, 192, 384, 2, False], [3, 384, 384, 1, True]]]}
LINE = {"model_type": "pp_lcnet_v3", "scale": 0.95, "out_features": ["stage1", "stage5"], "block_configs": [[[3, 16, 32, 1, False]], [[3, 32, 64, 1, False], [3, 64, 64, 1, False]], [[3, 64, 128, [2, 1], False]], [[3, 128, 256, [1, 2], False], [5, 256, 256, 1, False]], [[5, 256, 512, [2, 1], True], [5, 512, 512, 1, True], [5, 512, 512, [2, 1], False]]]}
SHAPES = {"vertical_long_to_small_conv": (1, 0), "horizontal_small_to_long_conv": (0, 1), "symmetric_conv_long": (1, 1)}
LARGE = {"kernel_list": [3, 2, 2], "scale_factor_list": [1, 2, 4, 8], "intraclass_block_config": {"reduce_channel": [1, 1, 0], "return_channel": [1, 1, 0], **{f"{name}_{ratio}": [[1 + 2 * n * high, 1 + 2 * n * wide], [1, 1], [n * high, n * wide]] for name, (high, wide) in SHAPES.items() for n, ratio in ((3, "longratio"), (2, "midratio"), (1, "shortratio"))}}}
WORDS = {"text_config": {"num_hidden_layers": 1}}
CUT = {"depth": 2, "hidden_size": 64, "num_heads": 4, "intermediate_size": 96, "fullatt_block_indexes": [1]}
CLIP = {"model_type": "clip_vision_model", **SMALLER, "image_size": 336, "patch_size": 14}
SIGLIP = {"model_type": "siglip_vision_model", **SMALLER, "image_size": 384, "patch_size": 14}
QUERY = {"hidden_size": 48, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 96}
VIEW = {"hidden_size": 96, "num_attention_heads": 4, "num_key_value_heads": 4, "head_dim": 24, "intermediate_size": 128}
POOL = {"hidden_size": 96, "num_attention_heads": 4, "num_key_value_heads": 4, "head_dim": 24, "intermediate_size": 128, "text_hidden_size": 256}
EYE = {"depth": 1, "hidden_size": 64, "num_heads": 4, "intermediate_size": 96}
TOWER = {"encoder_layers": 2, "d_model": 64, "encoder_attention_heads": 4, "encoder_ffn_dim": 96, "output_dim": 80, "downsample_hidden_size": 24}
# Parts that get no picture and no sound as such: what one is, and what it is cut into; a number is itself.
READ = {"text_config": {"vocab_size": 99, "hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 1, "num_attention_heads": 4, "num_key_value_heads": 4}}
LLAMA = {"text_config": {"model_type": "llama", **READ["text_config"]}}
RESNET = {"model_type": "resnet", "embedding_size": 16, "hidden_sizes": [16, 32, 64, 128], "depths": [1, 1, 1, 1], "out_indices": [2, 3, 4]}
NECK = {"neck_hidden_sizes": [24, 32, 40, 48], "fusion_hidden_size": 16}
SWIN = {"model_type": "swin", "embed_dim": 32, "depths": [1, 2, 1, 1], "num_heads": [2, 4, 8, 16], "out_indices": [2, 3, 4]}
NEXT = {"model_type": "convnext", "hidden_sizes": [16, 32, 64, 128], "depths": [1, 1, 2, 1]}
SQUARES = {"model_type": "dinov2", "hidden_size": 64, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 96, "patch_size": 14, "image_size": 70}
HIERA = {"hidden_size": 32, "blocks_per_stage": [1, 1, 2, 1], "embed_dim_per_stage": [32, 64, 128, 256], "num_attention_heads_per_stage": [1, 2, 4, 8], "window_size_per_stage": [8, 4, 14, 7], "global_attention_blocks": [3]}
POINT = {"input_points": torch.full((1, 1, 1, 2), 100.0)}


def hiera(side, **keys):
    """SAM 2's tower for a picture of a size."""
    backbone = {**HIERA, **keys, "model_type": "sam2_hiera_det_model", "image_size": [side, side]}
    return {"prompt_encoder_config": {"image_size": side}, **vision(model_type="sam2_vision_model", backbone_config=backbone, backbone_channel_list=[256, 128, 64, 32], backbone_feature_sizes=[[side // n] * 2 for n in (4, 8, 16)])}


ADAPTED = {"text_config": {"model_type": "qwen3", "num_hidden_layers": 1, "hidden_size": 128, "num_attention_heads": 4, "num_key_value_heads": 4, "intermediate_size": 96}, "adaptor_config": {"hidden_size": 128, "intermediate_size": 32, "num_hidden_layers": 3, "projector_hidden_size": 200}}
DIFFUSES = {"diffusion_head_config": {"hidden_size": 64, "intermediate_size": 96}}
NARROW = {"downsample_hidden_size": 24, "adapter_input_size": 64, "adapter_out_dim": 64}
NOTES = {"text_config": {"vocab_size": 99, "pad_token_id": 0, **SMALLER, "moe_intermediate_size": 48, "num_key_value_heads": 4}, "vision_config": {**SMALLER, "num_hidden_layers": 4, "moe_intermediate_size": 48, "adapter_in_dim": 64, "adapter_out_dim": 64, "num_local_experts": 6, "pyramid_num_routed": [0, 0, 4, 6]}, "audio_config": {**SMALLER, **NARROW}}


def joined(seconds):
    """Frames of Fun-ASR-Nano's extractor, which stands over Kaldi's spectra."""
    return importlib.import_module("transformers.models.fun_asr_nano.feature_extraction_fun_asr_nano").FunAsrNanoFeatureExtractor._apply_lfr(types.SimpleNamespace(num_frames_lfr=7, stride_lfr=6), torch.zeros((round(16000 * seconds) - 400) // 160 + 1, 80)).shape[0]


def minutes(seconds, bands):
    """A sound as dots3-note's extractor cuts it."""
    seen = transformers.Dots3NoteFeatureExtractor(feature_size=bands)(torch.zeros(round(16000 * seconds)).numpy())
    return {key: seen[key] for key in ("input_features", "chunk_sample_lengths")}


def patched(kind, width, height):
    """A picture as a processor cuts it, each patch for itself."""
    processor, kwargs = processor_of(kind, {"image": {"temporal_patch_size": 1}})
    seen = processor.image_processor([torch.zeros(3, height, width, dtype=torch.uint8)], **{**kwargs, "return_tensors": "pt"})
    return {key: seen[key] for key in ("pixel_values", "image_grid_thw")}


HGNET = {"model_type": "hgnet_v2", "embedding_size": 32, "stem_channels": [3, 16, 24], "hidden_sizes": [32, 64, 128, 256], "stage_in_channels": [24, 32, 64, 128], "stage_mid_channels": [8, 16, 24, 32], "stage_out_channels": [32, 64, 128, 256], "stage_num_blocks": [1, 1, 2, 1], "stage_downsample": [False, True, True, True], "stage_light_block": [False, False, True, True], "stage_kernel_size": [3, 3, 5, 5], "stage_numb_of_layers": [2, 3, 2, 2], "stage_downsample_strides": [2, 2, 2, 2], "out_features": ["stage2", "stage3", "stage4"]}
DETECTOR = {"encoder_hidden_dim": 64, "d_model": 64, "encoder_ffn_dim": 96, "decoder_in_channels": [64, 64, 64], "decoder_layers": 3, "decoder_ffn_dim": 128, "num_queries": 60, "num_labels": 11, "encoder_in_channels": [32, 64, 128], "backbone_config": RESNET}


def picture(of, width, height, **given):
    """A picture as an image processor gives it."""
    return getattr(transformers, of + "ImageProcessor")(**given)([torch.zeros(3, height, width, dtype=torch.uint8)], return_tensors="pt")["pixel_values"]


READ_3N = {**READ["text_config"], "num_hidden_layers": 2, "num_kv_shared_layers": 0, "laurel_rank": 8, "hidden_size_per_layer_input": 8, "vocab_size_per_layer_input": 99}
CONFORMER = {"hidden_size": 64, "conf_num_hidden_layers": 2, "conf_num_attention_heads": 4}


def spectra(seconds):
    """As many as Gemma 3n's extractor makes of a sound."""
    return transformers.Gemma3nAudioFeatureExtractor()(torch.zeros(round(16000 * seconds)).numpy())["input_features"][0].shape[0]


PARTS = [
    ("chameleon_vqgan", "ChameleonVQVAE", "512x512", {}, SHAPE, {"pixel_values": (1, 3, 512, 512)}),
    ("chameleon_vqgan", "ChameleonVQVAE", "72x72", {"resolution": 72, "attn_resolutions": [36], "channel_multiplier": [1, 2, 2, 3], "base_channels": 32, "num_embeddings": 512}, SHAPE, {"pixel_values": (1, 3, 72, 72)}),
    *[("apertus1p5_vision_tokenizer", "Apertus1p5VisionTokenizerModel", f"{width}x{height}", keys, SHAPE, {"pixel_values": (1, 3, height, width)}) for width, height, keys in ((1024, 768, {}), (192, 320, TOLD["vision_config"]))],
    *[("apertus1p5", f"Apertus1p5{of}", f"{width}x{height}", TOLD, SHAPE, {"pixel_values": (1, 3, height, width), "image_sizes": torch.tensor([[height, width]])}) for of, width, height in (("Model", 320, 256), ("ForConditionalGeneration", 200, 300))],
    ("emu3_vqgan", "Emu3VQVAE", "1024x768", {}, SHAPE, {"pixel_values": (1, 3, 768, 1024), "image_sizes": torch.tensor([[768, 1024]])}),
    ("emu3_vqgan", "Emu3VQVAE", "640x512", {"temporal_downsample_factor": 8, "attn_resolutions": [2], "channel_multiplier": [1, 2, 2], "base_channels": 32, "hidden_size": 64, "num_attention_heads": 2, "codebook_size": 512}, SHAPE, {"pixel_values": (1, 3, 512, 640), "image_sizes": torch.tensor([[512, 640]])}),
    ("groupvit_vision_model", "GroupViTVisionModel", "224x224", {}, SHAPE, {"pixel_values": (1, 3, 224, 224)}),
    ("groupvit_vision_model", "GroupViTVisionModel", "96x96", {"image_size": 96, "depths": [2, 1, 2, 1], "num_group_tokens": [32, 0, 8, 0], "num_output_groups": [16, 0, 4, 4], "assign_mlp_ratio": [0.25, 3]}, SHAPE, {"pixel_values": (1, 3, 96, 96)}),
    ("deepseek_ocr2_encoder", "DeepseekOcr2VisionEncoder", "1024x1024", {"num_hidden_layers": 4}, SHAPE, {"inputs_embeds": (1, 512, 4096), "num_patches": 256}),
    ("deepseek_ocr2_encoder", "DeepseekOcr2VisionEncoder", "1024x1024", QUERIES["encoder_config"], SHAPE, {"inputs_embeds": (1, 512, 896), "num_patches": 256}),
    ("idefics2_perceiver", "Idefics2PerceiverResampler", "980x980", {"resampler_depth": 1}, REAL, {"context": (1, 4900, 4096), "attention_mask": (1, 4900)}),
    ("idefics2_perceiver", "Idefics2PerceiverResampler", "980x980", {"hidden_size": 256, "resampler_n_latents": 32, "resampler_n_heads": 8, "num_key_value_heads": 2}, REAL, {"context": (1, 4900, 256), "attention_mask": (1, 4900)}),
    # A picture is cut in patches of 40 pixels, 20 rows of 26 and 12 of 17; each stands for two frames.
    ("inkling_vision", "InklingVisionModel", "1024x768", {}, SHAPE, {"pixel_values": (520, 2, 40, 40, 3)}),
    ("inkling_vision", "InklingVisionModel", "640x480", {"text_hidden_size": 256, "num_hidden_layers": 8}, SHAPE, {"pixel_values": (204, 2, 40, 40, 3)}),
    *[("inkling_audio", "InklingAudioModel", n / 20, keys, SHAPE, {"audio_input_ids": (1, n, keys.get("n_mel_bins", 80))}) for n, keys in ((20, {}), (25, {"n_mel_bins": 64, "text_hidden_size": 256}), (600, {"mel_vocab_size": 32, "text_hidden_size": 1024}))],
    ("molmo2_adapter", "Molmo2Adapter", "378x378", {}, REAL, {"image_features": (1, 729, 2304), "pooled_patches_idx": (196, 4)}),
    ("molmo2_adapter", "Molmo2Adapter", "378x378", {"hidden_size": 256, "num_attention_heads": 4, "num_key_value_heads": 2, "vision_feature_layer": [-1], "text_hidden_size": 512}, REAL, {"image_features": (1, 729, 256), "pooled_patches_idx": (196, 4)}),
    # Views of a picture, and which four patches each token asks.
    ("molmo2", "Molmo2Model", "1024x768", {"vision_config": {"num_hidden_layers": 2}, **READ, "adapter_config": {"vision_feature_layer": [1, 0]}}, REAL, {"pixel_values": (7, 729, 588), "image_token_pooling": (955, 4), "image_grids": [[14, 14, 23, 33]]}),
    ("molmo2", "Molmo2Model", "640x480", {"vision_config": {"num_hidden_layers": 3, "hidden_size": 256, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 64, "intermediate_size": 512}, **READ, "adapter_config": {"hidden_size": 256, "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 32, "intermediate_size": 384, "text_hidden_size": 256, "vision_feature_layer": [-1]}}, REAL, {"pixel_values": (5, 729, 588), "image_token_pooling": (725, 4), "image_grids": [[14, 14, 23, 23]]}),
    *[("molmo2", "Molmo2Model", "1024x768", {**keys, **READ}, REAL, {"pixel_values": (7, 729, 588), "image_token_pooling": (955, 4), "image_grids": [[14, 14, 23, 33]]}) for keys in ({"vision_config": {"num_hidden_layers": 7, **VIEW}, "adapter_config": {"vision_feature_layer": [-1, 3, 0], **POOL}}, {"vit_config": {"num_hidden_layers": 5, **VIEW}, "adapter_config": {"vit_layers": [-2, 1], **POOL}})],
    *[seen_by("idefics2", width, height, {**keys, "text_config": {"model_type": "mistral", **READ["text_config"]}}) for width, height, keys in ((640, 480, vision(num_hidden_layers=2)), (1920, 1080, vision(image_size=980, patch_size=14, num_hidden_layers=1)), (301, 1201, vision(**SMALLER, image_size=980, patch_size=14)), (224, 100, {**vision(**SMALLER, image_size=448), "perceiver_config": {"resampler_n_latents": 24, "resampler_depth": 2}}))],
    *[(f"{sam}_detr_decoder", f"{of}DetrDecoder", "1008x1008", keys, REAL, {"vision_features": (1, 5184, width), "text_features": (1, 32, width), "vision_pos_encoding": (1, 5184, width), "spatial_shapes": [[72, 72]]}) for sam, of in (("sam3", "Sam3"), ("sam3_lite_text", "Sam3LiteText")) for width, keys in ((256, {}), (128, {"hidden_size": 128, "num_layers": 2, "num_attention_heads": 4, "intermediate_size": 192, "num_queries": 50}))],
    *[(f"{sam}_detr_encoder", f"{of}DetrEncoder", "1008x1008", {"num_layers": 2}, SHAPE, {"vision_features": [(1, 256, 72, 72)], "text_features": (1, 32, 256), "vision_pos_embeds": [(1, 256, 72, 72)]}) for sam, of in (("sam3", "Sam3"), ("sam3_lite_text", "Sam3LiteText"))],
    *[("phi4_multimodal_audio", "Phi4MultimodalAudioModel", n, {"hidden_size": 64, "intermediate_size": 96, "num_blocks": 2, "num_attention_heads": 4, "ext_pw_out_channel": 64, "depthwise_separable_out_channel": 64, "nemo_conv_channels": 32, **keys}, REAL, {"hidden_states": (1, 100 * n - 2, keys.get("input_size", 80)), "mask": None}) for n, keys in ((3, {}), (30, {"input_size": 128}), (45, {"kernel_size": 5}))],
    *[("glmasr", "GlmAsrForConditionalGeneration", n, {**READ, "audio_config": {"hidden_size": 64, "intermediate_size": 256, "num_hidden_layers": 2, "num_attention_heads": 4}}, REAL, {"input_features": (views, 128, 3000), "input_features_mask": [[100 * n - 3000 * (views - 1)] * views, 3000]}) for n, views in ((12, 1), (60, 2))],
    *[("voxtral_realtime", "VoxtralRealtimeForConditionalGeneration", n, {**READ, "audio_config": {"hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 4, "head_dim": 24}}, REAL, {"input_features": (1, 128, 100 * n)}) for n in (2, 12)],
    *[("moonshine", f"Moonshine{of}", n, keys, SHAPE, {"input_values": (1, round(16000 * n))}) for of, n, keys in (("ForConditionalGeneration", 1, {}), ("Model", 10.101, {"hidden_size": 64, "intermediate_size": 96}))],
    *[("florence2", "Florence2Model", "768x768", {"vision_config": keys, "text_config": {"model_type": "bart", "d_model": 64, "encoder_layers": 1, "decoder_layers": 1, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64, "encoder_attention_heads": 4, "decoder_attention_heads": 4, "vocab_size": 99}}, REAL, {"pixel_values": (1, 3, 768, 768)}) for keys in ({"depths": [1, 1, 2, 1], "embed_dim": [32, 64, 128, 256], "projection_dim": 64}, {"depths": [1, 1, 1], "embed_dim": [24, 48, 96], "num_heads": [2, 4, 8], "num_groups": [4, 2, 8], "patch_size": [7, 3, 3], "patch_stride": [4, 2, 3], "patch_padding": [3, 1, 1], "patch_prenorm": [False, True, True], "window_size": 10, "projection_dim": 64})],
    *[("ovis2", "Ovis2Model", f"{side}x{side}", {"vision_config": {**SMALLER, "vocab_size": 205, "image_size": side, **keys}, "vocab_size": 99, "hidden_size": 64, "text_config": {"model_type": "qwen2", **READ["text_config"], "hidden_size": 64}}, REAL, {"pixel_values": (1, 3, side, side)}) for side, keys in ((224, {}), (448, {"hidden_stride": 2}))],
    *[(kind, f"{of}Model", "1024x1024", {"vision_config": {"hidden_size": 48, "mlp_dim": 96, "num_hidden_layers": 2, "num_attention_heads": 4, "global_attn_indexes": [1], **keys}, "text_config": {"model_type": "qwen2", **READ["text_config"]}}, REAL, {"pixel_values": (1, 3, 1024, 1024)}) for kind, of, keys in (("got_ocr2", "GotOcr2", {}), ("got_ocr2", "GotOcr2", {"output_channels": 32, "use_rel_pos": False}), ("got_ocr2", "GotOcr2", {"window_size": 16}))],
    *[("pp_formulanet_vision", "PPFormulaNetVisionModel", f"{side}x{side}", {"hidden_size": 48, "mlp_dim": 96, "num_hidden_layers": 2, "num_attention_heads": 4, "global_attn_indexes": [1], "image_size": side, **keys}, REAL, {"pixel_values": (1, 3, side, side)}) for side, keys in ((512, {}), (768, {"post_conv_mid_channels": 96, "post_conv_out_channels": 64}))],
    # Whole models, whose merger or adapter works on fewer tokens than the layers; Qwen2.5-VL's windows are cut at the edges.
    seen_by("qwen2_vl", 280, 224, {**READ, "vision_config": {"depth": 2, "embed_dim": 64, "num_heads": 4, "hidden_size": 256}}),
    seen_by("qwen2_5_vl", 280, 224, {**READ, "vision_config": {**CUT, "out_hidden_size": 256}}),
    seen_by("qwen2_5_vl", 700, 500, {**READ, "vision_config": {**CUT, "out_hidden_size": 256, "window_size": 84}}),
    seen_by("qwen3_vl", 320, 256, {**READ, "vision_config": {**CUT, "out_hidden_size": 256, "deepstack_visual_indexes": [0]}}, {"image": {"patch_size": 16}}),
    seen_by("glm4v", 280, 224, {**READ, "vision_config": {**CUT, "out_hidden_size": 256}}),
    seen_by("hunyuan_vl", 640, 480, {"text_config": {**READ["text_config"], "head_dim": 64}, "vision_config": {"num_hidden_layers": 2}}),
    *[seen_by("hy_v4_vl", width, height, {"text_config": {**READ["text_config"], "pad_token_id": None, "q_lora_rank": 64, "mlp_layer_types": ["dense"]}, "vision_config": {**SMALLER, "out_hidden_size": 256, **keys}}) for width, height, keys in ((640, 480, {}), (300, 1200, {"num_hidden_layers": 3, "max_image_size": 512}))],
    seen_by("inkling2_loop", 300, 200, {"text_config": {"vocab_size": 99, "hidden_size": 256, "num_hidden_layers": 6, "loop_layer_index_end": 6, "moe_intermediate_size": 64, "n_routed_experts": 8}, "vision_config": {**SMALLER, "text_hidden_size": 256}}),
    seen_by("lfm2_vl", 640, 480, {**READ, "vision_config": SMALLER}),
    seen_by("aya_vision", 640, 480, {**READ, "vision_config": {**SMALLER, "image_size": 364, "patch_size": 14}}, {"image": {"size": {"height": 364, "width": 364}}, "patch_size": 28}),
    *[(kind, meta.model_class({"model_type": kind}).__name__, size, keys, REAL, {"pixel_values": shape, **more}) for kind, keys, size, shape, more in (
        ("llava", {**LLAMA, "vision_config": CLIP}, "336x336", (1, 3, 336, 336), {}),
        ("vipllava", {**LLAMA, "vision_config": CLIP, "vision_feature_layers": [-2, -1]}, "336x336", (1, 3, 336, 336), {}),
        ("llava_next", {**LLAMA, "vision_config": CLIP}, "672x672", (1, 5, 3, 336, 336), {"image_sizes": [[672, 672]]}),
        ("llava_onevision", {"text_config": {"model_type": "qwen2", **READ["text_config"]}, "vision_config": SIGLIP}, "1152x1152", (1, 10, 3, 384, 384), {"image_sizes": [[1152, 1152]]}),
        ("paligemma", {"text_config": {"model_type": "gemma", **READ["text_config"], "head_dim": 64}, "vision_config": {**SIGLIP, "image_size": 224, "vision_use_head": False}, "projection_dim": 256}, "224x224", (1, 3, 224, 224), {}),
        ("gemma3", {"text_config": {"model_type": "gemma3_text", **READ["text_config"], "head_dim": 64}, "vision_config": {**SIGLIP, "image_size": 896}}, "896x896", (1, 3, 896, 896), {}),
        ("cohere2_vision", {"text_config": {"model_type": "cohere2", **READ["text_config"]}, "vision_config": {**SIGLIP, "image_size": 512, "patch_size": 16}}, "512x512", (1, 3, 512, 512), {}),
        ("deepseek_vl", {**LLAMA, "vision_config": SIGLIP}, "384x384", (1, 3, 384, 384), {}),
        ("janus", {**LLAMA, "vision_config": {**SMALLER, "image_size": 384, "patch_size": 16, "projection_dim": 256}, "vq_config": {"base_channels": 32}}, "384x384", (1, 3, 384, 384), {}),
        ("video_llava", {**LLAMA, "vision_config": {**CLIP, "image_size": 224}}, "224x224", (1, 3, 224, 224), {}),
        ("granite_docling", {"text_config": {"model_type": "granite_docling_text", **READ["text_config"], "pad_token_id": 0}, "vision_config": {**SMALLER, "out_hidden_size": 256, "deepstack_visual_indexes": [0]}}, "512x512", (1, 1, 3, 512, 512), {"pixel_attention_mask": torch.ones(1, 1, dtype=torch.bool)}),
        ("aria", {"text_config": {**READ["text_config"], "moe_num_experts": 2}, "vision_config": {"model_type": "idefics3_vision", **SMALLER, "image_size": 980, "patch_size": 14}}, "980x980", (1, 3, 980, 980), {"pixel_mask": torch.ones(1, 980, 980, dtype=torch.bool)}),
    )],
    *[("llama4_vision_model", "Llama4VisionModel", f"{side}x{side}", {**SMALLER, **keys, "image_size": side, "projector_input_dim": 80, "projector_output_dim": 80}, REAL, {"pixel_values": (1, 3, side, side)}) for side, keys in ((336, {"intermediate_size": 256}), (448, {"intermediate_size": 1024, "pixel_shuffle_ratio": 0.25}), (224, {"hidden_size": 48, "intermediate_size": 192, "patch_size": 16}))],
    *[("llama4", "Llama4ForConditionalGeneration", what, {**READ, "vision_config": {**SMALLER, "intermediate_size": 256, "image_size": side, "projector_input_dim": 80, "projector_output_dim": 80, "vision_output_dim": 80}}, REAL, {"pixel_values": (views, 3, side, side)}) for what, side, views in (("336x336", 336, 1), ("1024x768", 336, 13))],
    # Networks of timm's, whose stages halve the picture: of any size alone, and of one size in a whole model.
    *[("timm_wrapper", "TimmWrapperModel", f"{width}x{height}", {"architecture": "fastvit_mci3", "num_classes": 0, "model_args": {"inference_mode": True}}, SHAPE, {"pixel_values": (1, 3, height, width), "do_pooling": False}) for width, height in ((1024, 1024), (700, 1000))],
    *[("timm_wrapper", "TimmWrapperModel", f"{width}x{height}", {"architecture": "mobilenetv5_300m_enc", "num_classes": 0}, SHAPE, {"pixel_values": (1, 3, height, width), "do_pooling": False}) for width, height in ((768, 768), (600, 650))],
    *[("fast_vlm", "FastVlmForConditionalGeneration", "1024x1024", keys, SHAPE, {"pixel_values": (1, 3, 1024, 1024)}) for keys in ({}, {"text_config": {"model_type": "qwen2", **READ["text_config"]}, "vision_config": {"model_type": "timm_wrapper", "architecture": "fastvit_mci3", "num_classes": 0, "hidden_size": 3072, "model_args": {"inference_mode": True}}})],
    *[("gemma3n", name, "768x768", {"text_config": {**READ_3N, "hidden_size": width}, "audio_config": CONFORMER}, SHAPE, {"pixel_values": (1, 3, 768, 768)}) for name, width in (("Gemma3nForConditionalGeneration", 256), ("Gemma3nModel", 64))],
    # Mimi's encoder and search in tables, before a model that reads codes.
    *[(kind, f"{of}ForConditionalGeneration", n, {**READ["text_config"], **more, "codec_config": {"model_type": "mimi", **codec}}, REAL, {"input_values": (1, 1, round(24000 * n))}) for kind, of, more in (("csm", "Csm", {"depth_decoder_config": {"num_hidden_layers": 1, "hidden_size": 64, "backbone_hidden_size": 256, "intermediate_size": 96}}), ("kyutai_speech_to_text", "KyutaiSpeechToText", {"ffn_dim": 512, "num_codebooks": 8, "vocab_size": 4001, "pad_token_id": 3, "audio_pad_token_id": 69})) for n, codec in ((1, {}), (3.21, {"num_hidden_layers": 2, "num_quantizers": 8, "hidden_size": 64, "upsample_groups": 64, "intermediate_size": 96, "num_filters": 16}))],
    # A sound of Gemma 3n's: samples filled up to 128, spectra of 513 of them.
    *[("gemma3n_audio", "Gemma3nAudioEncoder", n, {**CONFORMER, **keys}, REAL, {"audio_mel": (1, spectra(n), keys.get("input_feat_size", 128)), "audio_mel_mask": torch.zeros(1, spectra(n), dtype=torch.bool)}) for n, keys in ((30, {}), (7.31, {"conf_attention_chunk_size": 8, "conf_attention_context_left": 9, "conf_attention_context_right": 2, "sscp_conv_channel_size": [24, 16], "input_feat_size": 80}), (1, {"hidden_size": 96, "sscp_conv_kernel_size": [[5, 3], [3, 3]], "sscp_conv_stride_size": [[3, 2], [2, 2]]}))],
    *[("gemma3n", "Gemma3nModel", n, {"text_config": READ_3N, "audio_config": {**CONFORMER, **keys}}, REAL, {"input_features": (1, spectra(n), 128), "input_features_mask": torch.zeros(1, spectra(n), dtype=torch.bool)}) for n, keys in ((30, {}), (12.34, {"conf_reduction_factor": 3}))],
    ("aimv2_vision_model", "Aimv2VisionModel", "224x224", SMALLER, REAL, {"pixel_values": (1, 3, 224, 224)}),
    # A whole picture and windows of another size.
    *[seen_by("step3p7", width, height, {**READ, "vision_config": SMALLER}) for width, height in ((700, 700), (1100, 700))],
    *[seen_by(kind, width, height, {"text_config": {"model_type": "qwen3_5_text", **READ["text_config"], "head_dim": 64}, "insert_layer_id": after, "vision_config": {**SMALLER, "num_hidden_layers": 3, "patch_size": 14}}) for kind, width, height, after in (("minicpmv4_6", 400, 300, 1), ("minicpmv4_6", 1200, 700, 0), ("minicpm_ocr", 1200, 700, 1))],
    # Patches that come among words.
    *[("vilt", "ViltModel", f"{width}x{height}", keys, REAL, dict(transformers.ViltImageProcessor()([torch.zeros(3, height, width, dtype=torch.uint8)], return_tensors="pt"))) for width, height, keys in ((640, 480, {}), (700, 400, {"hidden_size": 96, "num_attention_heads": 4, "patch_size": 16, "num_channels": 3}), (2000, 500, {"hidden_size": 96, "num_attention_heads": 4, "patch_size": 48, "image_size": 384}), (20, 15, SMALLER), (97, 1000, {**SMALLER, "patch_size": 16}))],
    *[("layoutlmv3", "LayoutLMv3Model", f"{side}x{side}", {**keys, "input_size": side}, REAL, {"pixel_values": (1, 3, side, side)}) for side, keys in ((224, {}), (224, {"hidden_size": 96, "num_attention_heads": 4, "patch_size": 28}), (384, {"hidden_size": 96, "num_attention_heads": 4}))],
    *[("udop", name, f"{side}x{side}", {**keys, "image_size": side}, REAL, {"pixel_values": (1, 3, side, side)}) for side, name, keys in ((224, "UdopForConditionalGeneration", {"num_layers": 1, "d_model": 64}), (512, "UdopModel", {"num_layers": 1, "d_model": 96, "patch_size": 32}), (120, "UdopModel", {"num_layers": 1, "d_model": 64}))],
    # A Q-Former's queries look at a picture, or at windows of a sound.
    *[("blip-2", "Blip2VisionModelWithProjection", f"{side}x{side}", {"vision_config": {"hidden_size": 96, "num_attention_heads": 4, "intermediate_size": 128, "num_hidden_layers": 2, "image_size": side}, "qformer_config": {**QUERY, **keys, "encoder_hidden_size": 96}, "num_query_tokens": n, "image_text_hidden_size": n + 30}, REAL, {"pixel_values": (1, 3, side, side)}) for side, n, keys in ((224, 24, {}), (75, 10, {"hidden_size": 32, "cross_attention_frequency": 1}), (101, 7, {"use_qformer_text_input": True}))],
    ("blip-2", "Blip2ForConditionalGeneration", "224x224", {"vision_config": VIEW, "qformer_config": {**QUERY, "encoder_hidden_size": 96}, "num_query_tokens": 24, "text_config": {"model_type": "opt", "num_hidden_layers": 1, "hidden_size": 64, "num_attention_heads": 4, "word_embed_proj_dim": 64, "ffn_dim": 64}}, REAL, {"pixel_values": (1, 3, 224, 224)}),
    # As many words as a detector reads, of which the text's network has made something; Swin's windows at the edges are filled up.
    *[("swin", "SwinModel", f"{side}x{side}", {"embed_dim": 32, "depths": [1, 2, 1], "num_heads": [2, 4, 8], "image_size": side, **keys}, SHAPE, {"pixel_values": (1, 3, side, side)}) for side, keys in ((384, {}), (136, {"window_size": 8}))],
    *[(kind, f"{of}GroundingDino{name}", f"{width}x{height}", {"d_model": 64, "encoder_layers": 2, "decoder_layers": 3, "encoder_ffn_dim": 96, "decoder_ffn_dim": 128, "num_queries": 60, "max_text_len": read, "text_config": {"model_type": "bert", "num_hidden_layers": 1, "hidden_size": 64, "intermediate_size": 64, "num_attention_heads": 4}, **keys}, REAL, {"read": read, "pixel_values": picture("GroundingDino", width, height)}) for kind, of, name, width, height, read, keys in (
        ("grounding-dino", "", "ForObjectDetection", 640, 480, 16, {"backbone_config": SWIN}),
        ("grounding-dino", "", "Model", 1000, 300, 5, {"backbone_config": {**SWIN, "out_indices": [1, 3]}, "num_feature_levels": 3, "encoder_attention_heads": 4}),
        ("grounding-dino", "", "ForObjectDetection", 333, 500, 9, {"decoder_bbox_embed_share": False, "num_feature_levels": 5, "backbone_config": SWIN}),
        ("grounding-dino", "", "ForObjectDetection", 640, 480, 16, {"backbone_config": RESNET}),
        ("mm-grounding-dino", "MM", "ForObjectDetection", 500, 400, 7, {"backbone_config": SWIN}),
        ("grounding-dino", "", "Model", 333, 500, 9, {"backbone_config": {**NEXT, "out_indices": [2, 3, 4]}}),
    )],
    # A detector's encoder works on the places of all maps of a picture.
    *[("deformable_detr", f"DeformableDetr{name}", f"{width}x{height}", {"d_model": 64, "encoder_layers": 2, "decoder_layers": 3, "encoder_ffn_dim": 96, "decoder_ffn_dim": 128, "num_queries": 60, "num_labels": 11, **keys}, REAL, {"pixel_values": picture("DeformableDetr", width, height)}) for name, width, height, keys in (
        ("Model", 640, 480, {"backbone_config": RESNET}),
        ("Model", 333, 500, {"backbone_config": {**SWIN, "out_indices": [1, 3]}, "num_feature_levels": 3, "encoder_attention_heads": 4}),
        ("ForObjectDetection", 640, 480, {"backbone_config": RESNET}),
        ("ForObjectDetection", 1000, 300, {"backbone_config": SWIN, "num_feature_levels": 5, "with_box_refine": True}),
        ("ForObjectDetection", 333, 500, {"backbone_config": SWIN, "with_box_refine": True, "two_stage": True, "two_stage_num_proposals": 70}),
        ("ForObjectDetection", 640, 480, {"backbone_config": {**RESNET, "out_indices": [4]}, "num_feature_levels": 1}),
    )],
    # Queries that look at a picture, whose places have keys and values.
    *[(kind, f"{of}{name}", f"{width}x{height}", {"d_model": 64, "encoder_layers": 2, "decoder_layers": 3, "encoder_ffn_dim": 96, "decoder_ffn_dim": 128, "num_queries": 60, "num_labels": 11, **keys}, REAL, {"pixel_values": picture("Detr", width, height)}) for kind, of in (("detr", "Detr"), ("conditional_detr", "ConditionalDetr"), ("table-transformer", "TableTransformer")) for name, width, height, keys in (
        ("Model", 333, 500, {"backbone_config": {**SWIN, "out_indices": [4]}}),
        ("ForObjectDetection", 640, 480, {"backbone_config": {**RESNET, "out_indices": [4]}, "encoder_attention_heads": 4}),
        ("ForObjectDetection", 1000, 300, {"backbone_config": {**RESNET, "out_indices": [4]}, "decoder_layers": 2}),
    )],
    # Over networks that leave out what is no whole step or patch at a side's end.
    *[(kind, f"{of}{name}", f"{width}x{height}", {"hidden_size" if of == "DabDetr" else "d_model": 64, "encoder_layers": 2, "decoder_layers": 3, "encoder_ffn_dim": 96, "decoder_ffn_dim": 128, "num_queries": 60, "num_labels": 11, **keys, "backbone_config": network}, REAL, {"pixel_values": picture("DeformableDetr" if of == "DeformableDetr" else "Detr", width, height)}) for kind, of, name, width, height, network, keys in (
        ("detr", "Detr", "ForObjectDetection", 333, 500, {**NEXT, "out_indices": [4]}, {}),
        ("conditional_detr", "ConditionalDetr", "Model", 401, 300, {**NEXT, "model_type": "convnextv2", "out_indices": [3]}, {}),
        ("table-transformer", "TableTransformer", "ForObjectDetection", 1000, 300, {**NEXT, "model_type": "dinov3_convnext", "out_indices": [4]}, {}),
        ("deformable_detr", "DeformableDetr", "ForObjectDetection", 333, 500, {**NEXT, "out_indices": [2, 3, 4]}, {}),
        ("deformable_detr", "DeformableDetr", "Model", 401, 300, {**NEXT, "model_type": "dinov3_convnext", "out_indices": [1, 3]}, {"num_feature_levels": 3}),
        ("dab-detr", "DabDetr", "ForObjectDetection", 1000, 300, {**NEXT, "model_type": "convnextv2", "out_indices": [4]}, {}),
        ("detr", "Detr", "ForSegmentation", 333, 500, {**NEXT, "out_indices": [1, 2, 3, 4]}, {"num_queries": 7, "encoder_attention_heads": 8}),
        ("detr", "Detr", "Model", 333, 500, {**SQUARES, "out_indices": [3]}, {}),
        ("deformable_detr", "DeformableDetr", "Model", 401, 300, {**SQUARES, "out_indices": [2, 3]}, {"num_feature_levels": 2}),
        ("conditional_detr", "ConditionalDetr", "ForObjectDetection", 333, 500, {**SQUARES, "model_type": "dinov3_vit", "patch_size": 16, "out_indices": [3]}, {}),
        ("dab-detr", "DabDetr", "Model", 1000, 300, {**SQUARES, "model_type": "dinov2_with_registers", "out_indices": [3]}, {}),
    )],
    # Over timm's ResNets, the first of which these models have where a config names none; a side whose last halving is left out.
    *[(kind, f"{of}{name}", f"{width}x{height}", {"d_model": 64, "encoder_layers": 2, "decoder_layers": 3, "encoder_ffn_dim": 96, "decoder_ffn_dim": 128, "num_queries": 60, "num_labels": 11, **keys}, REAL, {"pixel_values": picture(eyes, width, height)}) for kind, of, eyes, name, width, height, keys in (
        ("detr", "Detr", "Detr", "ForObjectDetection", 333, 500, {}),
        ("detr", "Detr", "Detr", "Model", 1000, 300, {"backbone": "resnet18", "use_timm_backbone": True, "dilation": True}),
        ("conditional_detr", "ConditionalDetr", "ConditionalDetr", "ForObjectDetection", 1000, 300, {"backbone": "resnet101", "dilation": True}),
        ("deformable_detr", "DeformableDetr", "DeformableDetr", "ForObjectDetection", 300, 401, {"backbone": "resnet50", "dilation": True}),
        ("table-transformer", "TableTransformer", "Detr", "ForObjectDetection", 401, 300, {"backbone": "resnet18"}),
        ("detr", "Detr", "Detr", "ForSegmentation", 333, 500, {"d_model": 64, "encoder_attention_heads": 8, "num_queries": 10}),
        ("detr", "Detr", "Detr", "ForSegmentation", 1000, 300, {"d_model": 128, "encoder_attention_heads": 8, "num_queries": 6, "backbone_config": {**RESNET, "out_indices": [1, 2, 3, 4]}}),
        ("detr", "Detr", "Detr", "ForSegmentation", 640, 480, {"encoder_attention_heads": 16, "num_queries": 7, "decoder_layers": 1, "backbone_config": {**SWIN, "out_indices": [1, 2, 3, 4]}}),
        ("conditional_detr", "ConditionalDetr", "ConditionalDetr", "ForSegmentation", 640, 480, {"num_queries": 9, "backbone_config": {**RESNET, "out_indices": [1, 2, 3, 4]}}),
        ("conditional_detr", "ConditionalDetr", "ConditionalDetr", "ForSegmentation", 401, 300, {"num_queries": 8, "encoder_attention_heads": 16, "backbone_config": {**RESNET, "depths": [1, 2, 1, 1], "out_indices": [1, 2, 3, 4]}}),
        ("conditional_detr", "ConditionalDetr", "ConditionalDetr", "ForSegmentation", 1000, 300, {"num_queries": 5, "decoder_layers": 2, "backbone": "resnet18"}),
    )],
    # Real-time detectors: queries that look at points of three maps of a picture that is made a square.
    *[(kind, f"{of}{name}", f"{width}x{height}", {"encoder_hidden_dim": 64, "d_model": 64, "encoder_ffn_dim": 96, "decoder_in_channels": [64, 64, 64], "decoder_layers": 3, "decoder_ffn_dim": 128, "num_queries": 60, "num_labels": 11, "encoder_in_channels": [32, 64, 128], "backbone_config": {**RESNET, **network}, **keys}, REAL, {"pixel_values": picture("RTDetr", width, height)}) for kind, of, network, keys in (("rt_detr", "RTDetr", {"model_type": "rt_detr_resnet"}, {}), ("rt_detr_v2", "RTDetrV2", {"model_type": "rt_detr_resnet"}, {}), ("d_fine", "DFine", {}, {"encoder_hidden_dim": 96, "decoder_in_channels": [96, 96, 96]})) for name, width, height in (("Model", 333, 500), ("ForObjectDetection", 640, 480))],
    *[(kind, f"{of}ForObjectDetection", "1000x300", {"encoder_hidden_dim": 64, "d_model": 64, "encoder_ffn_dim": 96, "decoder_in_channels": [64, 64, 64], "decoder_layers": 2, "decoder_ffn_dim": 128, "num_queries": 60, "num_labels": 11, "encoder_in_channels": [32, 64, 128], "hidden_expansion": 0.5, "num_feature_levels": 4, "backbone_config": RESNET, **keys}, REAL, {"pixel_values": picture("RTDetr", 1000, 300)}) for kind, of, keys in (("rt_detr", "RTDetr", {"encoder_layers": 2}), ("rt_detr_v2", "RTDetrV2", {"decoder_n_levels": 4, "tie_word_embeddings": False}))],
    ("d_fine", "DFineForObjectDetection", "1000x300", {"encoder_hidden_dim": 64, "d_model": 64, "encoder_ffn_dim": 96, "decoder_in_channels": [64, 64, 64], "decoder_layers": 3, "decoder_ffn_dim": 128, "num_queries": 60, "num_labels": 11, "encoder_in_channels": [32, 64, 128], "hidden_expansion": 0.5, "tie_word_embeddings": False, "depth_mult": 0.5, "eval_idx": 2, "backbone_config": RESNET}, REAL, {"pixel_values": picture("RTDetr", 1000, 300)}),
    ("pp_doclayout_v2", "PPDocLayoutV2Model", "1000x300", {"encoder_hidden_dim": 64, "d_model": 64, "encoder_ffn_dim": 96, "decoder_in_channels": [64, 64, 64], "decoder_layers": 2, "decoder_ffn_dim": 128, "num_queries": 60, "encoder_in_channels": [32, 64, 128], "backbone_config": RESNET}, REAL, {"pixel_values": picture("PPDocLayoutV2", 1000, 300)}),
    # A plain Transformer over a square that its windows cut, with maps that are doubled or halved.
    *[("lw_detr", f"LwDetr{name}", "640x480", {"d_model": 64, "decoder_layers": layers, "decoder_ffn_dim": 96, "decoder_self_attention_heads": 4, "decoder_cross_attention_heads": 8, "num_queries": 60, "num_labels": 11, "group_detr": 3, "projector_scale_factors": scales, "backbone_config": {"model_type": "lw_detr_vit", "hidden_size": 48, "num_hidden_layers": 4, "num_attention_heads": 4, "window_block_indices": [0, 2], "out_indices": [1, 3], **network}}, REAL, {"pixel_values": (1, 3, side, side)}) for name, layers, scales, side, network in (("Model", 2, [1.0], 640, {"image_size": 1024}), ("ForObjectDetection", 3, [2.0, 0.5], 640, {"image_size": 1024}), ("ForObjectDetection", 2, [0.5, 1.0, 2.0], 645, {"image_size": 645, "patch_size": 15, "num_windows": 1}), ("ForObjectDetection", 1, [2.0], 648, {"hidden_size": 516, "num_hidden_layers": 3, "window_block_indices": [1], "out_indices": [1, 2], "image_size": 648, "patch_size": 12, "num_windows": 9}))],
    *[("rf_detr", f"RfDetr{name}", "640x480", {"d_model": 64, "decoder_layers": layers, "decoder_ffn_dim": 96, "decoder_self_attention_heads": 4, "decoder_cross_attention_heads": 8, "num_queries": 60, "num_labels": 11, "group_detr": 3, "intermediate_size": 80, **keys, "backbone_config": {"model_type": "rf_detr_dinov2", "hidden_size": 48, "num_hidden_layers": 5, "num_attention_heads": 4, "out_indices": [2, 4], **network}}, REAL, {"pixel_values": (1, 3, side, side)}) for name, layers, side, keys, network in (("Model", 2, 560, {}, {"image_size": 518}), ("ForObjectDetection", 3, 384, {}, {"image_size": 384, "patch_size": 16, "num_windows": 2, "out_indices": [1, 3]}), ("ForInstanceSegmentation", 4, 432, {}, {"image_size": 432, "patch_size": 12, "num_windows": 2}), ("ForInstanceSegmentation", 2, 315, {"mask_downsample_ratio": 8}, {"image_size": 313, "patch_size": 15, "num_windows": 1, "use_swiglu_ffn": True}), ("ForObjectDetection", 1, 288, {}, {"image_size": 287, "patch_size": 16, "num_windows": 3}))],
    *[(kind, f"{of}{name}", "1000x300", {"encoder_hidden_dim": 64, "d_model": 64, "encoder_ffn_dim": 96, "decoder_in_channels": [64, 64, 64], "decoder_layers": layers, "decoder_ffn_dim": 128, "num_queries": 60, "num_labels": 11, "encoder_in_channels": [32, 64, 128], "backbone_config": RESNET, **keys}, REAL, {"pixel_values": picture("RTDetr", 1000, 300)}) for kind, of, name, layers, keys in (
        ("deimv2", "Deimv2", "Model", 2, {}),
        ("deimv2", "Deimv2", "ForObjectDetection", 3, {"hidden_expansion": 0.5, "use_gateway": False, "encoder_has_trailing_conv": False, "share_bbox_head": True, "num_feature_levels": 4, "depth_mult": 0.5}),
        ("deimv2", "Deimv2", "ForObjectDetection", 2, {"encoder_hidden_dim": 96, "decoder_in_channels": [96, 96, 96], "num_feature_levels": 4, "tie_word_embeddings": False, "encoder_layers": 2}),
        ("deimv2", "Deimv2", "ForObjectDetection", 3, {"spatial_tuning_adapter_inplanes": 8, "backbone_config": {"model_type": "dinov3_vit", **SMALLER, "num_hidden_layers": 4, "num_register_tokens": 3, "out_indices": [2, 3, 4]}}),
        ("deimv2", "Deimv2", "ForObjectDetection", 2, {"encoder_type": "lite", "encoder_in_channels": [64], "feat_strides": [16, 32], "num_feature_levels": 2, "decoder_in_channels": [64, 64], "backbone_config": {**RESNET, "out_indices": [3]}}),
        ("d_fine", "DFine", "ForObjectDetection", 2, {"num_feature_levels": 4}),
        ("d_fine", "DFine", "ForObjectDetection", 2, {"encoder_hidden_dim": 96, "decoder_in_channels": [96, 96, 96], "num_feature_levels": 4}),
    )],
    # Pages: what is found is read in an order, and masks are drawn for it.
    *[(f"pp_doclayout_{version}", f"PPDocLayout{version.upper()}{name}", "1000x300", {"encoder_hidden_dim": 64, "d_model": 64, "encoder_ffn_dim": 96, "decoder_in_channels": [64, 64, 64], "decoder_layers": layers, "decoder_ffn_dim": 128, "num_queries": 60, "num_labels": 11, "encoder_in_channels": [32, 64, 128], "backbone_config": {**RESNET, "out_indices": [1, 2, 3, 4] if version == "v3" else [2, 3, 4]}, **({"class_thresholds": [0.5] * 11, "class_order": [*range(11)]} if version == "v2" else {}), **keys}, REAL, {"pixel_values": picture(f"PPDocLayout{version.upper()}", 1000, 300)}) for version, name, layers, keys in (
        ("v2", "ForObjectDetection", 2, {}),
        ("v2", "ForObjectDetection", 3, {"num_feature_levels": 4, "reading_order_config": {"hidden_size": 96, "num_attention_heads": 4, "intermediate_size": 160, "num_hidden_layers": 2, "has_spatial_attention_bias": False, "coordinate_size": 16, "shape_size": 16, "global_pointer_head_size": 24}}),
        ("v2", "ForObjectDetection", 1, {"num_queries": 90, "reading_order_config": {"hidden_size": 64, "num_attention_heads": 2, "intermediate_size": 128, "num_hidden_layers": 1, "coordinate_size": 12, "shape_size": 8, "relation_bias_embed_dim": 8}}),
        ("v3", "Model", 2, {"x4_feat_dim": 16}),
        ("v3", "ForObjectDetection", 3, {"x4_feat_dim": 16, "mask_feature_channels": [24, 40], "num_prototypes": 12, "global_pointer_head_size": 20, "mask_enhanced": False}),
        ("v3", "ForObjectDetection", 1, {"x4_feat_dim": 16, "tie_word_embeddings": False, "num_feature_levels": 4, "encoder_layers": 2, "num_queries": 90}),
        ("v4", "Model", 2, {}),
        ("v4", "ForObjectDetection", 3, {"s2r_steps": 6, "global_pointer_head_size": 20}),
        ("v4", "ForObjectDetection", 1, {"s2r_steps": 1, "num_queries": 90, "hidden_expansion": 0.5}),
    )],
    *[("dab-detr", f"DabDetr{name}", f"{width}x{height}", {"hidden_size": 64, "encoder_layers": 2, "decoder_layers": 3, "encoder_ffn_dim": 96, "decoder_ffn_dim": 128, "num_queries": 60, "num_labels": 11, "backbone_config": {**RESNET, "out_indices": [4]}, **keys}, REAL, {"pixel_values": picture("ConditionalDetr", width, height)}) for name, width, height, keys in (("Model", 333, 500, {}), ("ForObjectDetection", 640, 480, {}), ("ForObjectDetection", 1000, 300, {"keep_query_pos": True, "num_patterns": 2, "tie_word_embeddings": False}))],
    *[("bit", f"Bit{name}", f"{width}x{height}", {"embedding_size": 16, "hidden_sizes": [32, 48, 64, 96], "depths": [2, 1, 1, 1], "num_groups": 4, "num_labels": 7, **keys}, REAL, {"pixel_values": (1, 3, height, width)}) for name, width, height, keys in (("Model", 250, 170, {}), ("ForImageClassification", 133, 97, {"layer_type": "bottleneck", "output_stride": 16}), ("Model", 101, 75, {"global_padding": "SAME", "embedding_dynamic_padding": True}))],
    # How far things are: four maps of a tower, which are added up from coarse to fine. Published files give a processor of their own to Depth Anything and ZoeDepth.
    *[(kind, f"{of}ForDepthEstimation", f"{width}x{height}", {"backbone_config": {"model_type": "dinov2", **SMALLER, "num_hidden_layers": 4, "out_indices": [1, 2, 3, 4], "image_size": 518, "patch_size": 14, "reshape_hidden_states": False}, "reassemble_hidden_size": 64, **NECK, **keys}, REAL, {"pixel_values": picture("DPT", width, height, size={"height": 518, "width": 518}, keep_aspect_ratio=True, ensure_multiple_of=14)}) for kind, of, width, height, keys in (("depth_anything", "DepthAnything", 640, 480, {}), ("depth_anything", "DepthAnything", 1000, 300, {"head_hidden_size": 12, "fusion_hidden_size": 24}), ("depth_anything", "DepthAnything", 333, 500, {"reassemble_factors": [8, 4, 2, 1]}), ("depth_anything", "DepthAnything", 800, 501, {"neck_hidden_sizes": [16, 24, 32], "reassemble_factors": [2, 1, 0.5], "backbone_config": {"model_type": "dinov2", **SMALLER, "num_hidden_layers": 3, "out_indices": [1, 2, 3], "image_size": 518, "patch_size": 14, "reshape_hidden_states": False}}), ("prompt_depth_anything", "PromptDepthAnything", 640, 480, {}), ("prompt_depth_anything", "PromptDepthAnything", 301, 500, {"fusion_hidden_size": 24}))],
    *[("dpt", f"DPT{name}", "640x480", {**SMALLER, "num_hidden_layers": 4, "image_size": size, "backbone_out_indices": [0, 1, 2, 3], **NECK, "num_labels": 7, **keys}, REAL, {"pixel_values": (1, 3, *size)}) for name, size, keys in (("ForDepthEstimation", [96, 96], {}), ("ForDepthEstimation", [80, 80], {"readout_type": "ignore", "reassemble_factors": [8, 4, 2, 1]}), ("ForSemanticSegmentation", [112, 112], {"readout_type": "add"}), ("ForSemanticSegmentation", [80, 80], {"use_auxiliary_head": False, "use_batch_norm_in_fusion_residual": True}), ("Model", [96, 96], {}))],
    *[("dpt", "DPTForDepthEstimation", "640x480", {**NECK, "neck_hidden_sizes": [24, 32, 40, 48], "reassemble_factors": [1, 1, 1, 0.5], **SMALLER, "num_hidden_layers": 4, "backbone_out_indices": [0, 1, 2, 3], "is_hybrid": True, "image_size": side, "backbone_featmap_shape": [1, 96, side // 16, side // 16], "neck_ignore_stages": [0, 1], "backbone_config": {"model_type": "bit", "global_padding": "same", "embedding_dynamic_padding": True, "layer_type": "bottleneck", "embedding_size": 32, "hidden_sizes": [24, 32, 96], "num_groups": 8, "depths": [1, 1, 2], "out_features": ["stage1", "stage2", "stage3"]}}, REAL, {"pixel_values": (1, 3, side, side)}) for side in (96, 160)],
    *[("dpt", "DPTForDepthEstimation", "640x480", {**NECK, "reassemble_factors": factors, "backbone_config": network}, REAL, {"pixel_values": (1, 3, side, side)}) for side, factors, network in ((98, [4, 2, 1, 0.5], {"model_type": "dinov2", **SMALLER, "num_hidden_layers": 4, "out_indices": [1, 2, 3, 4], "image_size": 98, "patch_size": 14, "reshape_hidden_states": False}), (96, [4, 2, 1, 0.5], {"model_type": "beit", **SMALLER, "num_hidden_layers": 4, "out_indices": [1, 2, 3, 4], "image_size": 96, "patch_size": 16, "reshape_hidden_states": False}))],
    *[("zoedepth", "ZoeDepthForDepthEstimation", f"{width}x{height}", {"backbone_config": {"model_type": "beit", **SMALLER, "num_hidden_layers": 4, "out_indices": [1, 2, 3, 4], "image_size": 96, "patch_size": 16, "use_relative_position_bias": True, "reshape_hidden_states": False}, **NECK, "bottleneck_features": 16, **keys}, REAL, {"pixel_values": picture("ZoeDepth", width, height, ensure_multiple_of=32)}) for width, height, keys in ((640, 480, {"bin_configurations": [{"n_bins": 64, "min_depth": 0.001, "max_depth": 10.0}]}), (1000, 300, {"bin_configurations": [{"n_bins": 32, "min_depth": 0.001, "max_depth": 10.0}], "bin_centers_type": "normed", "num_relative_features": 24, "num_attractors": [8, 4, 2, 1], "bin_embedding_dim": 40}), (333, 500, {"bin_configurations": [{"name": "nyu", "n_bins": 64, "min_depth": 0.001, "max_depth": 10.0}, {"name": "kitti", "n_bins": 64, "min_depth": 0.001, "max_depth": 80.0}], "num_patch_transformer_layers": 4, "patch_transformer_hidden_size": 128, "patch_transformer_intermediate_size": 96, "patch_transformer_num_attention_heads": 4}))],
    *[("chmv2", "CHMv2ForDepthEstimation", f"{width}x{height}", {"backbone_config": {"model_type": "dinov3_vit", **SMALLER, "num_hidden_layers": 4, "out_indices": [1, 2, 3, 4], "image_size": 96, "return_class_token": True}, "post_process_channels": [24, 32, 40, 48], "fusion_hidden_size": 16, "head_hidden_size": 12, "number_output_channels": 20, **keys}, REAL, {"pixel_values": (1, 3, height, width)}) for width, height, keys in ((96, 96, {}), (112, 80, {"readout_type": "ignore"}), (208, 144, {"reassemble_factors": [2, 2, 1, 1]}))],
    *[("tipsv2_dpt", f"Tipsv2DptFor{of}", "640x480", {"backbone_config": {"model_type": "tipsv2_vision_model", **SMALLER, "num_hidden_layers": 4, "out_indices": [1, 2, 3, 4], "image_size": side, "patch_size": 14, "reshape_hidden_states": False}, **NECK, "num_depth_bins": 20, "num_labels": 5}, REAL, {"pixel_values": (1, 3, side, side)}) for of, side in (("NormalEstimation", 98), ("SemanticSegmentation", 70), ("DensePrediction", 112))],
    *[("tipsv2_dpt", "Tipsv2DptForDepthEstimation", "640x480", {"backbone_config": {"model_type": "tipsv2_vision_model", **SMALLER, "num_hidden_layers": 4, "out_indices": [1, 2, 3, 4], "image_size": side, "patch_size": 14, "reshape_hidden_states": False}, **NECK, **keys}, REAL, {"pixel_values": (1, 3, side, side)}) for side, keys in ((98, {}), (70, {"num_depth_bins": 20}), (112, {"reassemble_factors": [2, 2, 1, 1]}))],
    *[("yolos", f"Yolos{name}", f"{width}x{height}", {**SMALLER, "image_size": [96, 160], "num_detection_tokens": 10, "num_labels": 7, **keys}, REAL, {"pixel_values": picture("Yolos", width, height)}) for name, width, height, keys in (("Model", 333, 500, {}), ("ForObjectDetection", 640, 480, {}), ("ForObjectDetection", 1000, 300, {"patch_size": 24, "use_mid_position_embeddings": False, "num_detection_tokens": 25}), ("ForObjectDetection", 64, 48, {}), ("Model", 130, 1000, {"num_detection_tokens": 3}))],
    *[(kind, f"{of}ForSemanticSegmentation", "640x480", {**SMALLER, "num_hidden_layers": 4, "image_size": size if kind == "beit" else size[0], "out_indices": outs, "num_labels": 7, "auxiliary_channels": 24, **keys}, REAL, {"pixel_values": (1, 3, size[0], size[1] if kind == "beit" else size[0])}) for kind, of, outs in (("beit", "Beit", [1, 2, 3, 4]), ("data2vec-vision", "Data2VecVision", [1, 2, 3, 4])) for size, keys in (([96, 96], {}), ([112, 80], {"pool_scales": [1, 2, 5], "auxiliary_num_convs": 2, "auxiliary_concat_input": True}), ([80, 144], {"use_auxiliary_head": False, "use_relative_position_bias": True}))],
    # SAM without points, boxes and masks: its tower, and what draws masks of its places.
    *[("sam" if of == "Sam" else "sam_hq", f"{of}Model", f"{side}x{side}", {"vision_config": {"num_pos_feats": 16, "hidden_size": 48, "num_hidden_layers": 3, "num_attention_heads": 4, "mlp_dim": 96, "global_attn_indexes": [1], "image_size": side, "output_channels": 32, "window_size": window}, "mask_decoder_config": {"hidden_size": 32, "mlp_dim": 64, "num_hidden_layers": layers, "num_attention_heads": 4, "iou_head_hidden_dim": 24, "num_multimask_outputs": outs, **({"vit_dim": 48} if of == "SamHQ" else {})}, "prompt_encoder_config": {"hidden_size": 32, "image_size": side, "mask_input_channels": 4}}, REAL, {"pixel_values": (1, 3, side, side)}) for of in ("Sam", "SamHQ") for side, layers, outs, window in ((256, 2, 3, 14), (208, 1, 2, 5), (336, 3, 3, 7))],
    *[("sam2", "Sam2Model", f"{side}x{side}", {"vision_config": {"fpn_hidden_size": 32, "backbone_feature_sizes": [[side // 4, side // 4], [side // 8, side // 8], [side // 16, side // 16]], "backbone_channel_list": [128, 64, 32, 16], "backbone_config": {"model_type": "sam2_hiera_det_model", "hidden_size": 16, "num_attention_heads": 1, "image_size": [side, side], "embed_dim_per_stage": [16, 32, 64, 128], "num_attention_heads_per_stage": [1, 2, 4, 8], "blocks_per_stage": [1, 1, 2, 1], "global_attention_blocks": [3], "window_size_per_stage": windows}}, "mask_decoder_config": {"hidden_size": 32, "mlp_dim": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "iou_head_hidden_dim": 24, "num_multimask_outputs": outs}, "prompt_encoder_config": {"hidden_size": 32, "image_size": side, "mask_input_channels": 4}}, REAL, {"pixel_values": (1, 3, side, side)}) for side, outs, windows in ((256, 3, [8, 4, 4, 4]), (192, 2, [8, 4, 14, 7]), (320, 3, [8, 4, 14, 7]))],
    *[("sam3_tracker", "Sam3TrackerModel", f"{side}x{side}", {"vision_config": {"backbone_config": {**VIT3, "image_size": side, "window_size": side // 28}, "fpn_hidden_size": 32, "backbone_feature_sizes": [[side // 14 * n] * 2 for n in (4, 2, 1)]}, "mask_decoder_config": {"hidden_size": 32, "mlp_dim": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "iou_head_hidden_dim": 24, "num_multimask_outputs": outs}, "prompt_encoder_config": {"hidden_size": 32, "image_size": side, "patch_size": 14, "mask_input_channels": 4}}, REAL, {"pixel_values": (1, 3, side, side)}) for side, outs in ((336, 3), (280, 2), (504, 3))],
    *[(kind, f"{of}ForObjectDetection", f"{side}x{side}", {"projection_dim": 48, "text_config": {**SMALLER, "hidden_size": 48}, "vision_config": {**SMALLER, "image_size": side, **keys}}, REAL, {"pixel_values": (1, 3, side, side)}) for kind, of in (("owlvit", "OwlViT"), ("owlv2", "Owlv2")) for side, keys in ((224, {}), (160, {"patch_size": 16}), (126, {"patch_size": 14, "num_hidden_layers": 3}))],
    *[(kind, f"{of}ForUniversalSegmentation", f"{side}x{side}", {**SMALLER, "num_hidden_layers": 4, "image_size": side, "num_blocks": 2, "num_queries": 12, "num_labels": 7, **keys}, REAL, {"pixel_values": (1, 3, side, side)}) for kind, of in (("eomt", "Eomt"), ("eomt_dinov3", "EomtDinov3")) for side, keys in ((96, {}), (80, {"num_blocks": 1, "num_upscale_blocks": 3, "num_register_tokens": 2}), (112, {"num_blocks": 3, "num_queries": 20, "num_upscale_blocks": 1, "patch_size": 14}), (97, {"num_upscale_blocks": 3, "num_blocks": 4}))],
    *[("vitpose", "VitPoseForPoseEstimation", f"{width}x{height}", {"num_labels": 7, **keys, "backbone_config": {"model_type": "vitpose_backbone", **SMALLER, "image_size": [height, width], "patch_size": [16, 16]}}, REAL, {"pixel_values": (1, 3, height, width)}) for width, height, keys in ((48, 64, {}), (96, 128, {"use_simple_decoder": False}), (80, 112, {"scale_factor": 2}))],
    # Pyramids whose keys are of a smaller map, at sides that don't come to whole squares.
    *[(kind, f"{of}{name}", f"{width}x{height}", {"hidden_sizes": [8, 16, 24, 32], "depths": [1, 2, 1, 1], "num_attention_heads": [1, 2, 3, 4], "num_labels": 7, **keys}, REAL, {"pixel_values": picture("GLPN", width, height) if of == "GLPN" else (1, 3, height, width)}) for kind, of, name, width, height, keys in (
        ("segformer", "Segformer", "ForSemanticSegmentation", 250, 170, {"decoder_hidden_size": 20}),
        ("segformer", "Segformer", "ForImageClassification", 301, 223, {"sr_ratios": [6, 3, 2, 1]}),
        ("segformer", "Segformer", "ForSemanticSegmentation", 512, 512, {"decoder_hidden_size": 36}),
        ("glpn", "GLPN", "ForDepthEstimation", 333, 500, {"decoder_hidden_size": 16}),
        ("glpn", "GLPN", "ForDepthEstimation", 640, 480, {"sr_ratios": [6, 3, 2, 1]}),
        ("glpn", "GLPN", "Model", 250, 170, {}),
        ("pvt_v2", "PvtV2", "Model", 250, 170, {}),
        ("pvt_v2", "PvtV2", "ForImageClassification", 301, 223, {"linear_attention": True}),
        ("pvt_v2", "PvtV2", "ForImageClassification", 224, 224, {"sr_ratios": [6, 3, 2, 1]}),
    )],
    # Swin V2's windows, and what draws a picture larger.
    *[("swinv2", f"Swinv2{name}", f"{side}x{side}", {"embed_dim": 24, "depths": [1, 2, 1, 1], "num_heads": [2, 2, 4, 4], "image_size": side, "window_size": window, "num_labels": 7}, REAL, {"pixel_values": (1, 3, side, side)}) for name, side, window in (("Model", 96, 4), ("ForImageClassification", 224, 7), ("Model", 160, 6))],
    *[("swin2sr", f"Swin2SR{name}", f"{side}x{side}", {"embed_dim": 24, "depths": [2, 1], "num_heads": [2, 2], "image_size": side, **keys}, REAL, {"pixel_values": (1, 3, side, side)}) for name, side, keys in (("Model", 64, {"resi_connection": "3conv"}), ("ForImageSuperResolution", 64, {"upscale": 4}), ("ForImageSuperResolution", 40, {"upsampler": "pixelshuffle_aux", "upscale": 4}), ("ForImageSuperResolution", 48, {"upsampler": "nearest+conv", "upscale": 4, "window_size": 6}), ("ForImageSuperResolution", 40, {"upsampler": "pixelshuffledirect", "upscale": 3}), ("ForImageSuperResolution", 64, {"upscale": 3}))],
    *[(kind, f"{of}{name}", f"{width}x{height}", {"num_labels": 7, **keys}, SHAPE, {"pixel_values": (1, 3, height, width)}) for kind, of in (("mobilevit", "MobileViT"), ("mobilevitv2", "MobileViTV2"), ("mobilenet_v2", "MobileNetV2"), ("mobilenet_v1", "MobileNetV1")) for name, width, height, keys in (("Model", 250, 170, {}), ("ForImageClassification", 301, 97, {}))],
    # DeepLab's heads, which average a whole picture.
    *[(kind, f"{of}ForSemanticSegmentation", f"{side}x{side}", {"num_labels": 7, **keys}, SHAPE, {"pixel_values": (1, 3, side, side)}) for kind, of in (("mobilevit", "MobileViT"), ("mobilevitv2", "MobileViTV2"), ("mobilenet_v2", "MobileNetV2")) for side, keys in ((512, {}), (256, {"output_stride": 16}), (384, {"num_labels": 21, "output_stride": 16}))],
    *[("clipseg", "CLIPSegForImageSegmentation", f"{side}x{side}", {"vision_config": {**SMALLER, "image_size": side, "patch_size": patch, "num_hidden_layers": 4}, "text_config": SMALLER, "extract_layers": [1, 2, 3], "reduce_dim": 16, "projection_dim": 40, **keys}, REAL, {"pixel_values": (1, 3, side, side), "conditional_embeddings": (1, 40)}) for side, patch, keys in ((96, 16, {}), (80, 16, {"use_complex_transposed_convolution": True}), (160, 32, {"extract_layers": [1, 3], "reduce_dim": 32}))],
    *[("seggpt", f"SegGpt{name}", f"{width}x{height}", {**SMALLER, "num_hidden_layers": 5, "image_size": [2 * height, width], "mlp_dim": 96, "intermediate_hidden_state_indices": [2, 3, 4], "decoder_hidden_size": 16, "pretrain_image_size": 48, **keys}, REAL, {"pixel_values": (1, 3, height, width), "prompt_pixel_values": (1, 3, height, width), "prompt_masks": (1, 3, height, width)}) for name, width, height, keys in (("ForImageSegmentation", 48, 48, {"merge_index": 0}), ("ForImageSegmentation", 64, 64, {"merge_index": 1, "decoder_hidden_size": 24}), ("Model", 80, 80, {"merge_index": 1}))],
    # Windows that are filled up, with positions in their scores; a picture with its rough mask is filled up to a multiple of 32.
    *[("vitdet", "VitDetModel", f"{side}x{side}", {**SMALLER, "num_hidden_layers": 3, "image_size": side, **keys}, REAL, {"pixel_values": (1, 3, side, side)}) for side, keys in ((96, {"window_size": 4, "window_block_indices": [0, 2]}), (112, {"window_size": 5, "window_block_indices": [1], "use_relative_position_embeddings": True}), (80, {"residual_block_indices": [1]}))],
    *[("vitmatte", "VitMatteForImageMatting", f"{width}x{height}", {"backbone_config": {"model_type": "vitdet", **SMALLER, "num_hidden_layers": 3, "num_channels": 4, "image_size": 512, "out_features": ["stage3"], **keys}, "hidden_size": 64, "convstream_hidden_sizes": [8, 16, 24], "fusion_hidden_sizes": [32, 16, 12, 8]}, REAL, {"pixel_values": (1, 4, -(-height // 32) * 32, -(-width // 32) * 32)}) for width, height, keys in ((250, 170, {}), (333, 100, {"window_size": 4, "window_block_indices": [0], "use_relative_position_embeddings": True}), (128, 96, {"window_size": 5, "window_block_indices": [0, 1], "residual_block_indices": [1]}))],
    # Pieces of a large picture at three sizes, and the whole of it small.
    *[("depth_pro", f"DepthPro{name}", "1536x1536", {"fusion_hidden_size": 16, "intermediate_hook_ids": [1, 0], "intermediate_feature_dims": [16, 16], "scaled_images_feature_dims": [32, 32, 24], **keys, **{f"{of}_model_config": {"model_type": "dinov2", "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "mlp_ratio": 2, "image_size": 384, "patch_size": patch} for of in ("image", "patch", "fov")}}, REAL, {"pixel_values": (1, 3, 1536, 1536)}) for name, patch, keys in (("Model", 16, {}), ("ForDepthEstimation", 16, {"use_fov_model": True}), ("ForDepthEstimation", 24, {"intermediate_hook_ids": [1], "intermediate_feature_dims": [12], "scaled_images_overlap_ratios": [0.0, 0.25, 0.5]}))],
    # What is no whole patch at a side's end is not seen.
    *[(kind, f"{of}{name}", f"{size[1]}x{size[0]}", {**SMALLER, "image_size": size if size[0] != size[1] else size[0], **keys, **({"num_labels": 7} if name.startswith("For") else {})}, SHAPE, {"pixel_values": (1, 3, *size)}) for kind, of, names, sizes, keys in (
        *[(kind, of, ("Model", "Backbone", "ForImageClassification"), ((75, 75),) * 3, {"mlp_ratio": 2}) for kind, of in (("dinov2", "Dinov2"), ("dinov2_with_registers", "Dinov2WithRegisters"))],
        *[(kind, of, ("Model", "Backbone"), ((75, 75), (125, 125)), {"mlp_ratio": 2}) for kind, of in (("pixio", "Pixio"), ("tipsv2_vision_model", "Tipsv2Vision"))],
        *[(kind, of, ("Model", "Backbone"), ((75, 75), (101, 65)), {}) for kind, of in (("dinov3_vit", "DINOv3ViT"), ("sapiens2", "Sapiens2"), ("beit", "Beit"))],
        *[(kind, of, names, ((75, 75), (101, 65)), {}) for kind, of, names in (("vit", "ViT", ("Model", "ForImageClassification")), ("deit", "DeiT", ("Model", "ForImageClassificationWithTeacher")), ("ijepa", "IJepa", ("Model", "ForImageClassification")), ("vit_msn", "ViTMSN", ("Model", "ForImageClassification")), ("data2vec-vision", "Data2VecVision", ("Model", "ForImageClassification")))],
    ) for name, size in zip(names, sizes)],
    # All experts are worked out, and one's result is taken.
    *[(kind, name, "48x64", {**keys, **({"backbone_config": {"model_type": "vitpose_backbone", **SMALLER, "image_size": [64, 48], "patch_size": [16, 16], **more}} if kind == "vitpose" else {**SMALLER, "image_size": [64, 48], "patch_size": [16, 16], **more})}, REAL, {"pixel_values": (1, 3, 64, 48), "dataset_index": torch.tensor([1])}) for kind, name, keys, more in (("vitpose_backbone", "VitPoseBackbone", {}, {"num_experts": 3, "part_features": 16}), ("vitpose_backbone", "VitPoseBackbone", {}, {"num_experts": 6, "part_features": 40}), ("vitpose", "VitPoseForPoseEstimation", {"num_labels": 7}, {"num_experts": 4, "part_features": 8}))],
    # Layers see what isn't masked; what draws sees all.
    ("vit_mae", "ViTMAEForPreTraining", "224x224", {}, SHAPE, {"pixel_values": (1, 3, 224, 224)}),
    *[("vit_mae", f"ViTMAE{name}", f"{side}x{side}", {**SMALLER, "image_size": side, "decoder_num_attention_heads": 4, "decoder_hidden_size": 48, "decoder_num_hidden_layers": 3, "decoder_intermediate_size": 80, **keys}, SHAPE, {"pixel_values": (1, 3, side, side)}) for name in ("Model", "ForPreTraining") for side, keys in ((96, {}), (112, {"mask_ratio": 0.6}), (224, {"mask_ratio": 0.5, "patch_size": 32}))],
    # Windows that are filled up.
    *[("sam3_vit_model", "Sam3ViTModel", f"{side}x{side}", {**SMALLER, "image_size": side, "window_size": window, "global_attn_indexes": whole}, SHAPE, {"pixel_values": (1, 3, side, side)}) for side, window, whole in ((336, 24, [1]), (336, 9, [1]), (280, 8, [0]), (350, 7, []))],
    *[("sam3_vision_model", "Sam3VisionModel", f"{side}x{side}", {"backbone_config": {"model_type": "sam3_vit_model", **SMALLER, "image_size": side, "window_size": window, "global_attn_indexes": [1]}, "fpn_hidden_size": 32}, SHAPE, {"pixel_values": (1, 3, side, side)}) for side, window in ((336, 10), (392, 24))],
    *[(kind, name, f"{side}x{side}", {**SMALLER, "image_size": side, "patch_size": 16}, SHAPE, {"pixel_values": (1, 3, side, side)}) for side in (75, 101) for kind, name in (("mlcd_vision_model", "MLCDVisionModel"), ("flava_image_model", "FlavaImageModel"), ("clip_vision_model", "CLIPVisionModel"), ("siglip_vision_model", "SiglipVisionModel"), ("aimv2_vision_model", "Aimv2VisionModel"), ("blip_vision_model", "BlipVisionModel"), ("git_vision_model", "GitVisionModel"), ("kosmos_2_vision_model", "Kosmos2VisionTransformer"), ("janus_vision_model", "JanusVisionModel"))],
    # Backbones see a picture as their models do.
    *[(kind, f"{of}Backbone", f"{width}x{height}", {"depths": [1, 2, 2, 1], "hidden_sizes": [16, 24, 32, 48], **keys}, SHAPE, {"pixel_values": (1, 3, height, width)}) for kind, of in (("convnext", "ConvNext"), ("convnextv2", "ConvNextV2"), ("dinov3_convnext", "DINOv3ConvNext")) for width, height, keys in ((250, 171, {}), (133, 97, {"out_features": ["stage2", "stage3"]}))],
    *[(kind, f"{of}Backbone", f"{side}x{side}", {"embed_dim": 32, "depths": [1, 2, 1], "num_heads": [2, 4, 8], "image_size": side, "window_size": window, "out_features": ["stage2", "stage3"]}, SHAPE, {"pixel_values": (1, 3, side, side)}) for side, window in ((97, 7), (133, 5), (250, 7)) for kind, of in (("swin", "Swin"), ("maskformer-swin", "MaskFormerSwin"), ("swinv2", "Swinv2"))],
    *[(kind, f"{of}Backbone", f"{width}x{height}", keys, SHAPE, {"pixel_values": (1, 3, height, width)}) for width, height in ((250, 171), (133, 97)) for kind, of, keys in (("pvt_v2", "PvtV2", {"hidden_sizes": [8, 16, 24, 32], "depths": [1, 2, 1, 1], "num_attention_heads": [1, 2, 3, 4]}), ("bit", "Bit", {"embedding_size": 16, "hidden_sizes": [32, 48, 64, 96], "depths": [2, 1, 1, 1], "num_groups": 4}), ("resnet", "ResNet", {"embedding_size": 16, "hidden_sizes": [16, 32, 64, 128], "depths": [1, 1, 2, 1]}), ("textnet", "TextNet", {}), ("hgnet_v2", "HGNetV2", {}))],
    # Types that had one line or none.
    *[(kind, name, f"{width}x{height}", keys, SHAPE, {"pixel_values": (1, 3, height, width)}) for width, height in ((250, 171), (133, 97)) for kind, name, keys in (("regnet", "RegNetModel", {"embedding_size": 16, "hidden_sizes": [16, 32, 48, 64], "depths": [1, 2, 1, 1], "groups_width": 8}), ("regnet", "RegNetForImageClassification", {"embedding_size": 16, "hidden_sizes": [16, 32, 48, 64], "depths": [1, 2, 1, 1], "groups_width": 16, "layer_type": "x"}), ("textnet", "TextNetForImageClassification", {"num_labels": 7}), ("focalnet", "FocalNetModel", {"embed_dim": 24, "depths": [1, 2, 1, 1]}), ("hgnet_v2", "HGNetV2ForImageClassification", {"num_labels": 7}), ("mobilenet_v1", "MobileNetV1Model", {"depth_multiplier": 0.5}), ("mobilenet_v2", "MobileNetV2ForImageClassification", {"output_stride": 16, "num_labels": 7}))],
    *[("hiera", f"Hiera{name}", f"{width}x{height}", {"embed_dim": 16, "image_size": [height, width], "num_heads": [1, 2, 4, 8], "depths": [1, 2, 3, 1]}, SHAPE, {"pixel_values": (1, 3, height, width)}) for name in ("Model", "ForImageClassification", "Backbone") for width, height in ((224, 224), (64, 96))],
    *[("mgp-str", f"Mgpstr{name}", f"{width}x{height}", {**{k: n for k, n in SMALLER.items() if k != "intermediate_size"}, "image_size": [height, width]}, SHAPE, {"pixel_values": (1, 3, height, width)}) for name, width, height in (("ForSceneTextRecognition", 128, 32), ("Model", 96, 48))],
    *[("donut-swin", "DonutSwinModel", f"{width}x{height}", {"embed_dim": 32, "depths": [1, 2, 1], "num_heads": [2, 4, 8], "image_size": [height, width]}, SHAPE, {"pixel_values": (1, 3, height, width)}) for width, height in ((192, 128), (300, 200))],
    *[("superpoint", "SuperPointForKeypointDetection", f"{width}x{height}", {}, REAL, {"pixel_values": (1, 3, height, width)}) for width, height in ((248, 168), (128, 96))],
    # Steps that leave out the end of a side.
    *[(kind, f"{of}{name}", f"{width}x{height}", {"depths": [1, 2, 2, 1], "hidden_sizes": [16, 24, 32, 48], "num_labels": 7, **keys}, SHAPE, {"pixel_values": (1, 3, height, width)}) for kind, of, names in (("convnext", "ConvNext", ("Model", "ForImageClassification")), ("convnextv2", "ConvNextV2", ("Model", "ForImageClassification")), ("dinov3_convnext", "DINOv3ConvNext", ("Model",)), ("poolformer", "PoolFormer", ("Model", "ForImageClassification"))) for name, (width, height, keys) in zip(names, ((250, 171, {}), (301, 97, {"padding": [3, 1, 0, 1], "patch_sizes": [9, 3, 2, 3]} if kind == "poolformer" else {})))],
    # Keys and values of fewer places, and queries of fewer still.
    *[("cvt", f"Cvt{name}", f"{width}x{height}", {"embed_dim": [16, 24, 36], "num_heads": [1, 2, 3], "num_labels": 7, **keys}, REAL, {"pixel_values": (1, 3, height, width)}) for name, width, height, keys in (("Model", 224, 224, {}), ("ForImageClassification", 250, 171, {}), ("ForImageClassification", 129, 97, {"stride_kv": [3, 2, 1], "kernel_qkv": [5, 3, 3], "padding_q": [2, 1, 1], "padding_kv": [2, 1, 1]}))],
    *[("levit", f"Levit{name}", f"{side}x{side}", {"image_size": side, "num_labels": 7, **keys}, SHAPE, {"pixel_values": (1, 3, side, side)}) for name, side, keys in (("Model", 224, {}), ("ForImageClassification", 256, {"depths": [2, 1, 3]}), ("ForImageClassificationWithTeacher", 160, {"hidden_sizes": [64, 96, 128], "num_attention_heads": [2, 3, 4]}))],
    *[("swiftformer", f"SwiftFormer{name}", f"{width}x{height}", {"num_labels": 7, **keys}, SHAPE, {"pixel_values": (1, 3, height, width)}) for name, width, height, keys in (("Model", 224, 224, {}), ("ForImageClassification", 250, 171, {"depths": [1, 2, 1, 1]}), ("ForImageClassification", 301, 97, {"embed_dims": [24, 32, 48, 64], "mlp_ratio": 2}))],
    # Segmenters: masks at a fourth of a picture's sides, and maps that are added from coarse to fine.
    *[("maskformer", f"MaskFormer{name}", f"{width}x{height}", {"fpn_feature_size": 64, "mask_feature_size": 32, "decoder_config": {"model_type": "detr", "d_model": 64, "decoder_layers": 2, "decoder_ffn_dim": 96, "decoder_attention_heads": 4, "num_queries": 30}, "num_labels": 11, "backbone_config": {**network, "out_indices": [1, 2, 3, 4]}}, REAL, {"pixel_values": picture("MaskFormer", width, height)}) for name, width, height, network in (("Model", 640, 480, RESNET), ("ForInstanceSegmentation", 333, 500, SWIN), ("ForInstanceSegmentation", 1000, 300, SWIN))],
    *[("mask2former", f"Mask2Former{name}", f"{width}x{height}", {"feature_size": 64, "mask_feature_size": 32, "hidden_dim": 64, "encoder_layers": 2, "decoder_layers": 5, "num_attention_heads": 4, "dim_feedforward": 96, "encoder_feedforward_dim": 80, "num_queries": 30, "num_labels": 11, "backbone_config": {**SWIN, "out_indices": [1, 2, 3, 4]}, **keys}, REAL, {"pixel_values": picture("Mask2Former", width, height)}) for name, width, height, keys in (("Model", 640, 480, {"hidden_dim": 96}), ("ForUniversalSegmentation", 1000, 300, {}))],
    *[("oneformer", f"OneFormer{name}", f"{width}x{height}", {"conv_dim": 64, "mask_dim": 64, "hidden_dim": 64, "encoder_layers": 2, "decoder_layers": 5, "query_dec_layers": 1, "num_attention_heads": 4, "dim_feedforward": 96, "encoder_feedforward_dim": 80, "num_queries": 30, "num_labels": 11, "task_seq_len": 77, "backbone_config": {**SWIN, "out_indices": [1, 2, 3, 4]}, **keys}, REAL, {"pixel_values": picture("OneFormer", width, height), "task_inputs": (1, 77)}) for name, width, height, keys in (("Model", 640, 480, {"hidden_dim": 96}), ("ForUniversalSegmentation", 1000, 300, {"enforce_input_proj": True, "decoder_layers": 3}), ("ForUniversalSegmentation", 333, 500, {"query_dec_layers": 3, "num_queries": 40, "backbone_config": {**RESNET, "out_indices": [1, 2, 3, 4]}}))],
    *[("upernet", "UperNetForSemanticSegmentation", f"{width}x{height}", {"hidden_size": 32, "auxiliary_channels": 16, "num_labels": 11, **keys}, REAL, {"pixel_values": picture("Segformer", width, height)}) for width, height, keys in ((640, 480, {"backbone_config": {**RESNET, "out_indices": [1, 2, 3, 4]}, "auxiliary_in_channels": 64}), (300, 500, {"backbone_config": {**SWIN, "out_indices": [1, 2, 3, 4]}, "auxiliary_in_channels": 128, "auxiliary_num_convs": 2}), (640, 480, {"backbone_config": {**SWIN, "out_indices": [1, 2, 3, 4]}, "use_auxiliary_head": False, "pool_scales": [1, 4]}))],
    # Sides that can't be halved evenly.
    *[(kind, f"{of}Model", "250x170", {"embedding_size": 16, "hidden_sizes": [32, 48, 64], "depths": [2, 1, 1], **keys}, SHAPE, {"pixel_values": (1, 3, 170, 250)}) for kind, of, keys in (("resnet", "ResNet", {}), ("resnet", "ResNet", {"downsample_in_first_stage": True}), ("resnet", "ResNet", {"downsample_in_bottleneck": True}), ("resnet", "ResNet", {"layer_type": "basic"}), ("regnet", "RegNet", {"groups_width": 8}))],
    # Sides that patches or halvings don't divide, and patches of an even side that reach over an end.
    *[(kind, name, f"{width}x{height}", keys, REAL, {"pixel_values": (1, 3, height, width)}) for kind, name, width, height, keys in (
        ("flava_image_codebook", "FlavaImageCodebook", 93, 93, {"hidden_size": 64}), ("flava_image_codebook", "FlavaImageCodebook", 75, 121, {"hidden_size": 48, "num_blocks_per_group": 1}),
        ("pp_formulanet_vision", "PPFormulaNetVisionModel", 383, 383, {**SAM_EYE, "image_size": 383}),
        ("got_ocr2", "GotOcr2Model", 347, 347, {**vision(**SAM_EYE, image_size=347), "text_config": {"model_type": "qwen2", **READ["text_config"]}}),
        *(("layoutlmv3", "LayoutLMv3Model", side, side, {**SMALLER, **keys, "input_size": side}) for side, keys in ((255, {}), (229, {"patch_size": 28}))),
        ("sam_vision_model", "SamVisionModel", 127, 127, {**SAM_EYE, "image_size": 127, "window_size": 4}),
        *((f"sam{hq}", f"Sam{of}Model", side, side, {"vision_config": {**SAM_EYE, "image_size": side, "output_channels": 32, "num_pos_feats": 16}, "mask_decoder_config": {"hidden_size": 32, "mlp_dim": 64, "num_hidden_layers": 1, "num_attention_heads": 4, "iou_head_hidden_dim": 24, **more}, "prompt_encoder_config": {"hidden_size": 32, "image_size": side, "mask_input_channels": 4}}) for hq, of, side, more in (("", "", 207, {}), ("_hq", "HQ", 205, {"vit_dim": 48}))),
        ("sam3_tracker", "Sam3TrackerModel", 347, 347, {"vision_config": {"backbone_config": {**VIT3, "image_size": 347, "window_size": 12}, "fpn_hidden_size": 32, "backbone_feature_sizes": [[96, 96], [48, 48], [24, 24]]}, "mask_decoder_config": {"hidden_size": 32, "mlp_dim": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "iou_head_hidden_dim": 24}, "prompt_encoder_config": {"hidden_size": 32, "image_size": 347, "patch_size": 14, "mask_input_channels": 4}}),
        *(("pvt", "PvtForImageClassification", side, side, {"image_size": side, "hidden_sizes": [16, 32, 40, 64], "sequence_reduction_ratios": ratios}) for side, ratios in ((159, [4, 4, 2, 1]), (100, [3, 5, 2, 1]))),
        *(("swiftformer", "SwiftFormerForImageClassification", width, height, keys) for width, height, keys in ((213, 134, {"down_pad": 2}), (302, 94, {"down_pad": 0, "embed_dims": [24, 32, 48, 64]}), (301, 275, {"down_patch_size": 5, "down_stride": 3, "depths": [1, 1, 2, 1]}))),
        ("superpoint", "SuperPointForKeypointDetection", 139, 107, {"encoder_hidden_sizes": [16, 24, 32, 48], "decoder_hidden_size": 40}),
        ("gemma3", "Gemma3ForConditionalGeneration", 889, 889, {**vision(**SMALLER, image_size=889, patch_size=14), "text_config": {"model_type": "gemma3_text", **READ["text_config"], "head_dim": 64}}),
        *((kind, name, width, height, {"hidden_sizes": [8, 16, 24, 32], "depths": [1, 2, 1, 1], "num_attention_heads": [1, 2, 3, 4], **keys}) for kind, name, width, height, keys in (
            ("segformer", "SegformerForSemanticSegmentation", 256, 133, {"decoder_hidden_size": 20, "patch_sizes": [14, 6, 6, 6]}), ("segformer", "SegformerModel", 128, 96, {"patch_sizes": [7, 4, 3, 3]}),
            ("pvt_v2", "PvtV2Model", 250, 171, {"patch_sizes": [8, 4, 4, 4], "strides": [8, 4, 4, 4]}), ("glpn", "GLPNModel", 128, 96, {"patch_sizes": [7, 3, 2, 3]}),
        )),
    )],
    ("encodec", "EncodecModel", 1.235, {"num_filters": 8, "hidden_size": 32, "codebook_dim": 32, "codebook_size": 64, "num_lstm_layers": 1, "target_bandwidths": [24.0, 3.0, 6.0, 1.5]}, REAL, {"input_values": (1, 1, 29640)}),
    # A detector that is told one class and no task, and pairs of pictures.
    *[("omdet-turbo", "OmDetTurboForObjectDetection", f"{side}x{side}", {**keys, "image_size": side}, REAL, {"pixel_values": (1, 3, side, side)}) for side, keys in ((640, {}), (320, {"num_queries": 100, "decoder_num_layers": 2, "encoder_layers": 2}), (224, {"num_queries": 60, "eval_size": 224, "encoder_projection_indices": [1, 2], "decoder_hidden_dim": 256, "learn_initial_query": True}))],
    *[("efficientloftr", f"EfficientLoFTR{of}", "640x480", keys, REAL, {"pixel_values": (1, 2, 3, 480, 640)}) for of, keys in (("Model", {}), ("ForKeypointMatching", {}), ("ForKeypointMatching", {"stage_num_blocks": [1, 1, 2, 1], "out_features": [16, 24, 32, 64], "hidden_size": 64, "num_attention_layers": 2}), ("Model", {"stage_num_blocks": [1, 1, 2, 1], "out_features": [16, 24, 32, 64], "hidden_size": 64, "q_aggregation_kernel_size": 5, "q_aggregation_stride": 5, "kv_aggregation_kernel_size": 5, "kv_aggregation_stride": 5}))],
    # What hears beside what reads, with fewer frames behind it.
    *[(f"seamless_m4t{two}", f"SeamlessM4T{of}{name}", n, keys, REAL, {"input_features": (1, max((round(16000 * n) - 400) // 160 + 2, 2) // 2, keys.get("feature_projection_input_dim", 160))}) for two, of, name, n, keys in (
        ("", "", "ForSpeechToText", 1, {**HEARS, "speech_encoder_layers": 2}),
        ("", "", "Model", 7.31, {**HEARS, "num_adapter_layers": 2, "adaptor_stride": 3, "adaptor_kernel_size": 5, "conv_depthwise_kernel_size": 15}),
        ("", "", "ForSpeechToSpeech", 0.457, {**HEARS, "position_embeddings_type": "rotary", "adaptor_stride": 4}),
        ("", "", "ForSpeechToText", 3.3, {**HEARS, "add_adapter": False}),
        ("_v2", "v2", "ForSpeechToText", 1, {**HEARS, "hidden_size": 1024, "speech_encoder_layers": 2}),
        ("_v2", "v2", "Model", 12.345, {**HEARS, "left_max_position_embeddings": 20, "feature_projection_input_dim": 128}),
        ("_v2", "v2", "ForSpeechToSpeech", 2.5, {**HEARS, "num_adapter_layers": 2}),
    )],
    *[("moshi", "MoshiForConditionalGeneration", n, {**SMALL_EAR, "ffn_dim": 96, "vocab_size": 99, "num_codebooks": codebooks, "depth_decoder_config": {"hidden_size": 64, "num_hidden_layers": 1, "num_attention_heads": 4, "ffn_dim": 96}, "audio_encoder_config": {"model_type": "mimi", "num_hidden_layers": 2, "num_filters": 16, "hidden_size": 64, "upsample_groups": 64, "intermediate_size": 96, "num_quantizers": 16}}, REAL, {"input_values": (1, 1, round(24000 * n)), "num_quantizers": codebooks}) for n, codebooks in ((1, 8), (7.31, 5))],
    # Steps that are no power of two, an even kernel for positions, and patches of another side.
    *[(kind, name, f"{width}x{height}", keys, REAL, {"pixel_values": (1, 3, height, width)}) for kind, name, width, height, keys in (
        ("bit", "BitModel", 251, 151, {"embedding_size": 16, "hidden_sizes": [32, 48, 64, 96], "depths": [2, 1, 1, 1], "num_groups": 4, "output_stride": 31}), ("bit", "BitModel", 128, 96, {"embedding_size": 16, "hidden_sizes": [32, 48, 64, 96], "depths": [1, 1, 1, 1], "num_groups": 4, "output_stride": 6}),
        ("mobilenet_v2", "MobileNetV2ForSemanticSegmentation", 128, 96, {"output_stride": 15}), ("mobilenet_v2", "MobileNetV2Model", 133, 97, {"output_stride": 8}),
        ("mobilevit", "MobileViTModel", 128, 96, {"output_stride": 15}), ("mobilevitv2", "MobileViTV2Model", 128, 96, {"output_stride": 24, "width_multiplier": 0.5}),
    )],
    *[("data2vec-audio", f"Data2VecAudio{of}", n, {**FRAMES, **keys}, REAL, {"input_values": (1, round(16000 * n))}) for of, n, keys in (("Model", 1.235, {"num_conv_pos_embeddings": 4}), ("ForCTC", 0.457, {"vocab_size": 33, "conv_pos_kernel_size": 16}))],
    seen_by("unlimited_ocr", 1300, 700, {**READ, "vision_config": {"sam_config": {"hidden_size": 48, "mlp_dim": 96, "num_hidden_layers": 3, "num_attention_heads": 4, "global_attn_indexes": [1], "downsample_channels": [24, 64], "patch_size": 24}, "encoder_config": SMALLER}}),
    *[("hiera", name, f"{width}x{height}", {"embed_dim": 16, "image_size": [height, width], "num_heads": [1, 2, 4, 8], "depths": [1, 2, 3, 1], **keys}, REAL, {"pixel_values": (1, 3, height, width)}) for name, width, height, keys in (
        ("HieraBackbone", 64, 96, {"masked_unit_attention": [False, False, True, True]}), ("HieraModel", 96, 64, {"masked_unit_attention": [True, False, True, False]}), ("HieraModel", 128, 96, {"num_query_pool": 2}), ("HieraForImageClassification", 64, 64, {"masked_unit_attention": [False, True, False, True], "num_query_pool": 1}),
    )],
    # Samples that are filled up to whole tokens.
    *[("muse_spark_audio", "MuseSparkAudioModel", n, keys, SHAPE, {"input_values": (1, -(-round(24000 * n) // hop) * hop)}) for n, hop, keys in ((1, 1920, {}), (7.31, 1920, {}), (0.457, 120, {"patch_sizes": [6, 5, 4], "hidden_sizes": [32, 48, 96], "depths": [1, 3, 2], "num_hidden_layers": 3, "conv_kernel_size": 5, "mlp_ratio": 2.5, "out_hidden_size": 128}))],
    ("muse_spark", "MuseSparkModel", 2.5, {"audio_config": {"hidden_sizes": [32, 48, 96, 128], "out_hidden_size": 128}, "text_config": {**SMALLER, "hidden_size": 128}, "vision_config": SMALLER}, SHAPE, {"input_values": (1, 61440)}),
    # A head that reads another of the maps than the last.
    *[("dpt", f"DPTFor{of}", "640x480", {**SMALLER, "num_hidden_layers": 4, "image_size": [96, 96], "backbone_out_indices": [0, 1, 2, 3], **NECK, "head_in_index": place}, REAL, {"pixel_values": (1, 3, 96, 96)}) for of, place in (("SemanticSegmentation", -2), ("DepthEstimation", 1))],
    ("depth_anything", "DepthAnythingForDepthEstimation", "640x480", {"backbone_config": {"model_type": "dinov2", **SMALLER, "num_hidden_layers": 4, "out_indices": [1, 2, 3, 4], "image_size": 518, "patch_size": 14, "reshape_hidden_states": False}, "reassemble_hidden_size": 64, **NECK, "head_in_index": 0}, REAL, {"pixel_values": picture("DPT", 640, 480, size={"height": 518, "width": 518}, keep_aspect_ratio=True, ensure_multiple_of=14)}),
    ("voxtral", "VoxtralForConditionalGeneration", 45, {**SPEAKS, "audio_config": {**SMALL_EAR, "hidden_size": 128, "intermediate_size": 256}}, REAL, {"input_features": (2, 128, 3000)}),
    # Patches of 32 pixels as they are.
    *[("neomme", "NeoMMEModel", what, {"num_hidden_layers": 1, "hidden_size": width}, REAL, {"pixel_values": (patches, 3072)}) for what, patches, width in (("640x480", 300, 64), ("1024x768", 768, 96))],
    # A whole picture, and tiles of another size.
    *[seen_by("deepseek_ocr2", width, height, {"text_config": {**READ["text_config"], "num_experts_per_tok": 2, "mlp_layer_types": ["dense"]}, "vision_config": {"sam_config": {"hidden_size": 48, "mlp_dim": 96, "num_hidden_layers": 3, "num_attention_heads": 4, "global_attn_indexes": [1], "downsample_channels": [24, 64]}, "encoder_config": {**SMALLER, "num_key_value_heads": 2, **keys}}}) for width, height, keys in ((700, 400, {}), (1300, 700, {}), (2000, 2900, {"num_hidden_layers": 1, "num_attention_heads": 2}))],
    ("unlimited_ocr_sam_vision_model", "UnlimitedOcrSamVisionEncoder", "640x640", {"hidden_size": 48, "mlp_dim": 96, "num_hidden_layers": 2, "num_attention_heads": 4, "global_attn_indexes": [1], "image_size": 640}, REAL, {"pixel_values": (1, 3, 640, 640)}),
    *[seen_by("unlimited_ocr", width, height, {**READ, "vision_config": {"sam_config": {"hidden_size": 48, "mlp_dim": 96, "num_hidden_layers": 3, "num_attention_heads": 4, "global_attn_indexes": [1], "downsample_channels": [24, 64]}, "encoder_config": {**SMALLER, **keys}}}) for width, height, keys in ((600, 400, {}), (1300, 700, {}), (2000, 2900, {"num_hidden_layers": 1, "num_attention_heads": 2}))],
    # InstructBLIP's queries see a question, too, which has no words here.
    *[(kind, meta.model_class({"model_type": kind}).__name__, f"{side}x{side}", {"vision_config": {**VIEW, "image_size": side}, "qformer_config": {**QUERY, **keys, "encoder_hidden_size": 96}, "num_query_tokens": queries, "text_config": {"model_type": "opt", "num_hidden_layers": 1, "hidden_size": 64, "num_attention_heads": 4, "word_embed_proj_dim": 64, "ffn_dim": 64}}, REAL, {"pixel_values": (1, 3, side, side), "qformer_input_ids": (1, 0)}) for kind, side, queries, keys in (("instructblip", 224, 32, {}), ("instructblip", 112, 24, {"cross_attention_frequency": 3, "num_hidden_layers": 4}))],
    *[(f"granite_speech{kind}", f"GraniteSpeech{kind[1:].title()}ForConditionalGeneration", n, {"text_config": {"model_type": "granite", **READ["text_config"]}, "projector_config": {"model_type": "blip_2_qformer", **QUERY, "encoder_hidden_size": 64}, "encoder_config": {"hidden_dim": 64, "num_layers": layers, "num_heads": 4}}, REAL, {"input_features": (1, (round(1000 * n) // 10 + 1) // 2, 160)}) for kind in ("", "_plus") for n, layers in ((3, 1), (30, 4), (7.31, 2), (12.345, 3), (0.43, 2))],
    # A picture with 32 words, of which the text tower has made something.
    ("sam3_vision_model", "Sam3VisionModel", "336x336", {"backbone_config": VIT3, "scale_factors": [2.0, 1.0, 4.0, 0.5]}, REAL, {"pixel_values": (1, 3, 336, 336)}),
    *[(f"{sam}_mask_decoder", f"{of}MaskDecoder", "1008x1008", {}, SHAPE, {"decoder_queries": (1, 200, 256), "backbone_features": [(1, 256, 288, 288), (1, 256, 144, 144), (1, 256, 72, 72)], "encoder_hidden_states": (1, 5184, 256), "prompt_features": (1, 32, 256)}) for sam, of in (("sam3", "Sam3"), ("sam3_lite_text", "Sam3LiteText"))],
    *[(sam, f"{of}Model", f"{side}x{side}", {"vision_config": {"backbone_config": {**VIT3, "image_size": side, **keys}}, **rest}, REAL, {"pixel_values": (1, 3, side, side), "text_embeds": {"pooler_output": (1, 32, 256)}}) for sam, of in (("sam3", "Sam3"), ("sam3_lite_text", "Sam3LiteText")) for side, keys, rest in ((336, {}, {"detr_encoder_config": {"num_layers": 2}, "detr_decoder_config": {"num_layers": 3, "num_queries": 50}}), (1008, {"num_hidden_layers": 3}, {}))],
    # Moments of speech, 12.5 a second, each of which is a pass for itself.
    ("moshi_depth", "MoshiDepthDecoder", 1, {}, REAL, {"input_ids": (13, 8), "last_hidden_state": (13, 8, 4096)}),
    ("moshi_depth", "MoshiDepthDecoder", 0.08, {"hidden_size": 256, "input_size": 512, "num_attention_heads": 8, "num_key_value_heads": 4, "num_codebooks": 16, "ffn_dim": 512}, REAL, {"input_ids": (1, 16), "last_hidden_state": (1, 16, 512)}),
    # Fifty codes and a hundred frames a second, and as many frames of a voice.
    ("qwen2_5_omni_dit", "Qwen2_5OmniToken2WavDiTModel", 1, {}, REAL, {"hidden_states": (1, 100, 80), "condition_vector": (1, 100, 80), "speaker_embedding": (1, 100, 192), "quantized_code": (1, 50), "time_step": (1,)}),
    ("qwen2_5_omni_bigvgan", "Qwen2_5OmniToken2WavBigVGANModel", 0.12, {}, REAL, {"mel_spectrogram": (1, 80, 12)}),
    ("qwen2_5_omni_bigvgan", "Qwen2_5OmniToken2WavBigVGANModel", 1, {"upsample_initial_channel": 64, "upsample_rates": [4, 3], "upsample_kernel_sizes": [9, 7], "resblock_kernel_sizes": [3, 5], "resblock_dilation_sizes": [[1, 3, 5], [1, 2, 4]]}, REAL, {"mel_spectrogram": (1, 80, 100)}),
    ("qwen2_5_omni_token2wav", "Qwen2_5OmniToken2WavModel", 1, SPOKEN, REAL, {"code": (1, 50), "conditioning": (1, 192), "reference_mel": (1, 100, 80)}),
    ("qwen2_5_omni_token2wav", "Qwen2_5OmniToken2WavModel", 0.5, {**SPOKEN, "dit_config": {**SPOKEN["dit_config"], "repeats": 4, "enc_res2net_scale": 4, "enc_channels": [64, 64, 64, 128], "enc_kernel_sizes": [5, 3, 3, 1], "enc_dilations": [1, 2, 3, 1]}}, REAL, {"code": (1, 25), "conditioning": (1, 192), "reference_mel": (1, 100, 80)}),
    # Frames of a spectrogram, a hundred a second; Qwen3-ASR's are filled up to whole pieces.
    *[(f"qwen{kind}_thinker", f"Qwen{of}ThinkerForConditionalGeneration", n / 100, {**READ, "vision_config": EYE, "audio_config": {**TOWER, **keys}}, REAL, {"input_features": (1, 128, n), "feature_attention_mask": [n, n]}) for kind, of in (("2_5_omni", "2_5Omni"), ("3_omni_moe", "3OmniMoe")) for n, keys in ((57, {}), (100, {}), (730, {}), (1235, {"n_window": 52, "n_window_infer": 300}), (3000, {}))],
    *[("qwen3_asr_encoder", "Qwen3ASREncoder", n / 100, TOWER, REAL, {"input_features": (1, 128, 100 * -(-n // 100)), "input_features_mask": [n, 100 * -(-n // 100)]}) for n in (57, 1235, 3000)],
    ("qwen2_5_omni", "Qwen2_5OmniForConditionalGeneration", 7.3, {"thinker_config": {**READ, "vision_config": EYE, "audio_config": TOWER}, "talker_config": READ["text_config"], "token2wav_config": SPOKEN}, REAL, {"input_features": (1, 128, 730), "feature_attention_mask": [730, 730]}),
    ("qwen3_omni_moe", "Qwen3OmniMoeForConditionalGeneration", 7.3, {"thinker_config": {**READ, "vision_config": EYE, "audio_config": TOWER}, "talker_config": {"spatial_merge_size": 2, "text_config": {**READ["text_config"], "num_experts": 4, "shared_expert_intermediate_size": 64}, "code_predictor_config": READ["text_config"]}, "code2wav_config": {"hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 4, "intermediate_size": 96, "decoder_dim": 64}}, REAL, {"input_features": (1, 128, 730), "feature_attention_mask": [730, 730]}),
    # As many words as these may write.
    ("slanext", "SLANeXtForTableRecognition", "512x512", {"max_text_length": 6}, REAL, {"pixel_values": (1, 3, 512, 512)}),
    ("slanext", "SLANeXtForTableRecognition", "224x224", {"vision_config": {"image_size": 224, "num_hidden_layers": 2, "global_attn_indexes": [1]}, "post_conv_out_channels": 64, "hidden_size": 96, "out_channels": 20, "max_text_length": 3}, REAL, {"pixel_values": (1, 3, 224, 224)}),
    ("slanet", "SLANetForTableRecognition", "488x488", {"max_text_length": 6}, REAL, {"pixel_values": (1, 3, 488, 488)}),
    ("slanet", "SLANetForTableRecognition", "320x256", {"post_conv_out_channels": 64, "hidden_size": 96, "csp_num_blocks": 2, "csp_kernel_size": 3, "max_text_length": 3}, REAL, {"pixel_values": (1, 3, 256, 320)}),
    ("pp_ocrv5_mobile_det", "PPOCRV5MobileDetForObjectDetection", "640x640", {}, SHAPE, {"pixel_values": (1, 3, 640, 640)}),
    ("pp_ocrv5_mobile_det", "PPOCRV5MobileDetForObjectDetection", "320x256", {"reduction": 8, "neck_out_channels": 64}, SHAPE, {"pixel_values": (1, 3, 256, 320)}),
    # PP-OCRv6's default network is made for one line, and its detectors have no pass with it: these stages halve a page.
    ("pp_ocrv6_small_det", "PPOCRV6SmallDetForObjectDetection", "640x640", {"layer_list_out_channels": [96, 96, 192, 384], "backbone_config": PAGE}, SHAPE, {"pixel_values": (1, 3, 640, 640)}),
    ("pp_ocrv6_small_det", "PPOCRV6SmallDetForObjectDetection", "320x256", {"layer_list_out_channels": [96, 96, 192, 384], "backbone_config": PAGE, "dilated_kernel_size": 5, "neck_out_channels": 64, "reduction": 8, "kernel_list": [5, 2, 2]}, SHAPE, {"pixel_values": (1, 3, 256, 320)}),
    ("pp_ocrv6_medium_det", "PPOCRV6MediumDetForObjectDetection", "640x640", {**LARGE, "backbone_config": PAGE}, SHAPE, {"pixel_values": (1, 3, 640, 640)}),
    ("pp_ocrv5_server_det", "PPOCRV5ServerDetForObjectDetection", "640x640", LARGE, SHAPE, {"pixel_values": (1, 3, 640, 640)}),
    ("pp_ocrv5_server_det", "PPOCRV5ServerDetForObjectDetection", "320x256", {**LARGE, "neck_out_channels": 128, "reduce_factor": 4}, SHAPE, {"pixel_values": (1, 3, 256, 320)}),
    # A line is made 48 pixels high and 320 wide at least; the telephone's network goes down in the middle of a stage.
    ("pp_ocrv5_mobile_rec", "PPOCRV5MobileRecForTextRecognition", "400x100", {"backbone_config": LINE}, SHAPE, {"pixel_values": (1, 3, 48, 320)}),
    ("pp_ocrv5_server_rec", "PPOCRV5ServerRecForTextRecognition", "1000x50", {"head_out_channels": 99, "hidden_size": 64, "mlp_ratio": 3.0}, SHAPE, {"pixel_values": (1, 3, 48, 960)}),
    *[(kind, name, "320x48", {}, SHAPE, {"pixel_values": (1, 3, 48, 320)}) for kind, name in (("pp_ocrv5_server_rec", "PPOCRV5ServerRecForTextRecognition"), ("pp_ocrv6_small_rec", "PPOCRV6SmallRecForTextRecognition"), ("pp_ocrv6_tiny_rec", "PPOCRV6TinyRecForTextRecognition"))],
    # What is compared with a text, whose own projection a picture or a sound doesn't take.
    *[(kind, name, f"{side}x{side}", {**WORDS, **keys}, SHAPE, {"pixel_values": (1, 3, side, side)}) for kind, name, side, keys in (
        ("clip", "CLIPModel", 224, {}), ("clip", "CLIPModel", 112, {"projection_dim": 48, **vision(**SMALLER, image_size=112, patch_size=16)}), ("clip", "CLIPForImageClassification", 224, vision(**SMALLER)),
        ("siglip", "SiglipModel", 224, vision(**SMALLER)), ("siglip", "SiglipForImageClassification", 224, vision(**SMALLER)),
        *((kind, name, 224, {"projection_dim": 80, **vision(**SMALLER)}) for kind, name in (("altclip", "AltCLIPModel"), ("chinese_clip", "ChineseCLIPModel"), ("clipseg", "CLIPSegModel"), ("metaclip_2", "MetaClip2Model"))),
        ("aimv2", "Aimv2Model", 224, {"projection_dim": 80, **vision(**SMALLER)}), ("owlvit", "OwlViTModel", 768, {"projection_dim": 80, **vision(**SMALLER)}), ("owlv2", "Owlv2Model", 960, vision(**SMALLER, image_size=960)),
        ("groupvit", "GroupViTModel", 224, {"projection_dim": 64, "projection_intermediate_dim": 96}), ("tipsv2", "Tipsv2Model", 448, {}),
        ("blip", "BlipModel", 384, {}), ("blip", "BlipModel", 384, {"projection_dim": 64, **vision(hidden_size=96, num_attention_heads=4)}), *(("blip", f"BlipFor{of}", side, vision(hidden_size=96, num_attention_heads=4, num_hidden_layers=2, image_size=side)) for of, side in (("QuestionAnswering", 100), ("ImageTextRetrieval", 75))),
        ("vision-text-dual-encoder", "VisionTextDualEncoderModel", 224, {"text_config": {"model_type": "bert", "num_hidden_layers": 1}, **vision(model_type="vit", num_hidden_layers=2)}),
        ("flava", "FlavaModel", 224, {"image_config": {**SMALLER, "num_hidden_layers": 3}}), ("flava", "FlavaModel", 160, {"image_config": {**SMALLER, "image_size": 160, "patch_size": 8}, "multimodal_config": {"hidden_size": 96}}),
        ("align", "AlignModel", 600, {}), ("align", "AlignModel", 289, vision(image_size=289, depthwise_padding=[18])),
    )],
    *[("clap", "ClapModel", 10, {**WORDS, **keys}, SHAPE, {"input_features": (1, 1, 1001, 64)}) for keys in ({}, {"projection_dim": 96, "audio_config": {"depths": [1, 1, 2, 1], "hidden_size": 256, "patch_embeds_hidden_size": 32, "projection_dim": 96}})],
    *[("pe_audio", f"PeAudio{of}Model", frames / 25, {"text_config": {"model_type": "modernbert", "num_hidden_layers": 1}, "audio_config": keys}, SHAPE, {"input_values": (1, 1, 1920 * frames)}) for of, frames, keys in (("", 25, {}), ("FrameLevel", 25, {}), ("", 63, {**SMALLER, "num_key_value_heads": 2, "head_dim": 24}), ("FrameLevel", 50, {**SMALLER, "num_key_value_heads": 2, "head_dim": 24}))],
    # As many patches as the processor fills up to, whatever the picture is; queries that look at places and at themselves.
    *[(kind, name, what, keys, REAL, inputs) for kind, name, what, keys, inputs in (
        ("pix2struct_vision_model", "Pix2StructVisionModel", "640x480", {}, {"flattened_patches": (1, 2048, 770)}),
        ("pix2struct_vision_model", "Pix2StructVisionModel", "300x900", {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "d_ff": 96, "d_kv": 24, "patch_embed_hidden_size": 300}, {"flattened_patches": (1, 2048, 302)}),
        ("pix2struct", "Pix2StructForConditionalGeneration", "640x480", vision(hidden_size=64, num_hidden_layers=2, num_attention_heads=4, d_ff=96, d_kv=24), {"flattened_patches": (1, 2048, 770)}),
        *(("kosmos-2.5", "Kosmos2_5ForConditionalGeneration", "640x480", {**vision(**SMALLER, head_dim=of), "text_config": {"embed_dim": wide, "attention_heads": 2, "ffn_dim": 128, "layers": 1}, **keys}, {"flattened_patches": (1, 4096, 770)}) for of, wide, keys in ((16, 96, {}), (24, 64, {"latent_query_num": 99}))),
        ("kosmos-2", "Kosmos2ForConditionalGeneration", "224x224", {"text_config": {"layers": 1}}, {"pixel_values": (1, 3, 224, 224)}),
        ("kosmos-2", "Kosmos2ForConditionalGeneration", "168x168", {"latent_query_num": 33, **vision(**SMALLER, image_size=168), "text_config": {"embed_dim": 96, "attention_heads": 4, "ffn_dim": 128, "layers": 1}}, {"pixel_values": (1, 3, 168, 168)}),
    )],
    # Hiera whose sides differ, and SAM 2 with a point.
    *[("sam2_hiera_det_model", "Sam2HieraDetModel", f"{width}x{height}", {**keys, "image_size": [height, width]}, SHAPE, {"pixel_values": (1, 3, height, width)}) for width, height, keys in ((1024, 1024, {}), (512, 512, HIERA), (640, 448, {**HIERA, "window_size_per_stage": [8, 6, 10, 5], "num_query_pool_stages": 2}))],
    *[(kind, "Sam2Model", f"{side}x{side}", keys, REAL, {"pixel_values": (1, 3, side, side), **given}) for kind, side, keys, given in (
        ("sam2", 1024, {}, POINT), ("sam2_video", 1024, {}, POINT),
        ("sam2", 512, {**hiera(512), "mask_decoder_config": {"mlp_dim": 200, "num_multimask_outputs": 2, "iou_head_depth": 4, "attention_downsample_rate": 4}}, POINT),
        ("sam2_video", 640, hiera(640, blocks_per_stage=[1, 2, 3, 1], global_attention_blocks=[2, 5]), {}),
    )],
    # EdgeTAM over the networks that are known, and with a point.
    ("edgetam_video", "EdgeTamModel", "1024x1024", {}, REAL, {"pixel_values": (1, 3, 1024, 1024), **POINT}),
    *[(kind, "EdgeTamModel", f"{side}x{side}", {"prompt_encoder_config": {"image_size": side}, **vision(model_type="edgetam_vision_model", backbone_channel_list=wide, backbone_feature_sizes=[[side // n] * 2 for n in (4, 8, 16)], backbone_config={"model_type": "timm_wrapper", "architecture": network, "num_classes": 2, "model_args": {"in_chans": 3, "features_only": True, "out_indices": [1, 2, 3, 4]}}), **keys}, REAL, {"pixel_values": (1, 3, side, side), **given}) for kind, side, network, wide, keys, given in (
        ("edgetam", 1024, "resnet50", [2048, 1024, 512, 256], {}, POINT),
        ("edgetam_video", 512, "resnet18", [512, 256, 128, 64], {}, {}),
        ("edgetam", 320, "resnet26", [2048, 1024, 512, 256], {"mask_decoder_config": {"mlp_dim": 200, "num_multimask_outputs": 2, "iou_head_depth": 4, "attention_downsample_rate": 4}}, POINT),
    )],
    # Six spectra of 25 ms a frame, and layers behind the encoder's.
    *[("fun_asr_nano", f"FunAsrNano{of}", n, keys, REAL, {"input_features": (1, joined(n), 80 * keys.get("audio_config", {}).get("num_stacked_frames", 7)), "input_features_mask": [joined(n)] * 2}) for of, n, keys in (
        ("ForConditionalGeneration", 10, {"text_config": {"model_type": "qwen3", "hidden_size": 1024, "num_hidden_layers": 1}}),
        ("Model", 7.31, {**ADAPTED, "audio_config": SMALLER}),
        ("ForConditionalGeneration", 0.99, {**ADAPTED, "audio_config": {**SMALLER, "num_hidden_layers": 3, "fsmn_kernel_size": 5, "num_stacked_frames": 5}}),
    )],
    # Samples that are filled up to whole tokens; a minute each, where another network hears more.
    *[(kind, name, n, {**SPEAKS, **keys}, REAL, {"input_values": (1, 1, -(-round(24000 * n) // hop) * hop), "padding_mask": [-(-round(24000 * n) // hop) * hop] * 2}) for kind, name, n, hop, keys in (
        ("vibevoice", "VibeVoiceForConditionalGeneration", 1, 3200, DIFFUSES),
        ("vibevoice", "VibeVoiceModel", 7.31, 80, {**DIFFUSES, "audio_config": {"model_type": "vibevoice_acoustic_tokenizer", "num_filters": 4, "depths": [1, 1, 2, 1], "downsampling_ratios": [2, 5, 8], "hidden_size": 48}}),
        ("vibevoice", "VibeVoiceModel", 2.5, 3200, {**DIFFUSES, "audio_config": {"model_type": "vibevoice_acoustic_tokenizer", "num_filters": 8}}),
        ("vibevoice_asr", "VibeVoiceAsrForConditionalGeneration", 1, 3200, {}),
        *(("vibevoice_asr", "VibeVoiceAsrForConditionalGeneration", n, 3200, {"acoustic_tokenizer_encoder_config": {"num_filters": 4, "depths": [1] * 7}, "semantic_tokenizer_encoder_config": {"num_filters": 4, "depths": [1] * 7, "hidden_size": 32}}) for n in (2.5, 65)),
    )],
    ("vibevoice_acoustic_tokenizer", "VibeVoiceAcousticTokenizerModel", 1.3, {"num_filters": 4, "depths": [1, 1, 2, 1], "downsampling_ratios": [2, 5, 8], "hidden_size": 48}, SHAPE, {"input_values": (1, 1, 31200)}),
    # Minutes of a sound, all as long as the longest; patches of which some layers send each to experts.
    *[("dots3_note_audio_encoder", "Dots3NoteAudioModel", n, keys, REAL, minutes(n, bands)) for n, bands, keys in ((1, 128, {}), (7.31, 80, {**SMALLER, **NARROW, "feature_size": 80}), (60, 128, {**SMALLER, **NARROW}), (75.433, 44, {**SMALLER, **NARROW, "num_hidden_layers": 1, "feature_size": 44}))],
    *[("dots3_note", "Dots3NoteForConditionalGeneration", what, NOTES, REAL, inputs) for what, inputs in ((12.345, minutes(12.345, 128)), ("640x480", patched("dots3_note", 640, 480)), ("333x500", patched("dots3_note", 333, 500)))],
    ("dots3_note", "Dots3NoteForConditionalGeneration", "1000x300", {**NOTES, "vision_config": {**NOTES["vision_config"], "pyramid_num_routed": [-1, 1, 2, 8], "num_experts_per_tok": 3, "num_local_experts": 8}}, REAL, patched("dots3_note", 1000, 300)),
    # Four frames of a film, and a question of no words; tiles, each through Q-Formers for squares of patches.
    *[("instructblipvideo", "InstructBlipVideoForConditionalGeneration", f"{side}x{side}", {"vision_config": {"hidden_size": 96, "num_attention_heads": 4, "intermediate_size": 128, "num_hidden_layers": 2, "image_size": side, **seen}, "qformer_config": {**QUERY, **keys, "encoder_hidden_size": 96}, "num_query_tokens": queries, "text_config": {"model_type": "opt", "num_hidden_layers": 1, "hidden_size": 64, "num_attention_heads": 4, "word_embed_proj_dim": 64, "ffn_dim": 64}}, REAL, {"pixel_values": clip(4, side, side), "qformer_input_ids": (1, 0)}) for side, queries, keys, seen in ((224, 32, {}, {}), (112, 24, {"cross_attention_frequency": 3, "num_hidden_layers": 4}, {}), (160, 7, {"num_hidden_layers": 2}, {"patch_size": 16}))],
    *[("granite4_vision", f"Granite4Vision{of}", f"{width}x{height}", {"text_config": {"model_type": "granite4_vision_text", **SMALLER, "num_hidden_layers": 4, "num_key_value_heads": 4}, "image_grid_pinpoints": [[256, 512], [512, 256], [512, 512], [768, 256]], "vision_config": {"hidden_size": 128, "num_attention_heads": 4, "intermediate_size": 160, "num_hidden_layers": 3, "image_size": 256, "patch_size": 16, "model_type": tower}, **keys}, REAL, {"pixel_values": (1, 14, 3, 256, 256), "image_sizes": torch.tensor([[height, width]])}) for of, width, height, tower, keys in (
        ("ForConditionalGeneration", 500, 300, "siglip_vision_model", {"downsample_rate": "4/8", "deepstack_layer_map": [[-1, 0], [1, 1]], "spatial_vision_layer": -1, "spatial_target_layers": [0, 1, 2, 3], "vision_feature_select_strategy": "full"}),
        ("Model", 640, 480, "clip_vision_model", {"downsample_rate": "1/2", "deepstack_layer_map": [[2, 0]], "spatial_vision_layer": 1, "spatial_target_layers": [1, 2, 3, 0]}),
        *(("Model", 320, 200, "clip_vision_model", {"downsample_rate": "2/4", "deepstack_layer_map": [[2, 0]], "spatial_vision_layer": 1, "spatial_target_layers": targets}) for targets in ([], [2], [1, 3])),
        ("Model", 333, 999, "clip_vision_model", {"downsample_rate": "2/4", "deepstack_layer_map": [[2, 0], [1, 2], [3, 1]], "spatial_vision_layer": 1, "spatial_target_layers": [1, 2, 0, 3], "qformer_config": {"model_type": "blip_2_qformer", "hidden_size": 128, "num_attention_heads": 2, "num_hidden_layers": 2, "intermediate_size": 72, "encoder_hidden_size": 128}}),
    )],
    # Detectors with more maps than their network gives, over HGNet-V2 or Swin, and answers of each layer.
    *[(kind, name, f"{width}x{height}", {**DETECTOR, **keys}, REAL, {"pixel_values": picture("RTDetr", width, height)}) for kind, name, width, height, keys in (
        ("rt_detr", "RTDetrForObjectDetection", 640, 480, {"num_feature_levels": 5}),
        ("rt_detr", "RTDetrForObjectDetection", 333, 500, {"num_feature_levels": 6}),
        ("rt_detr_v2", "RTDetrV2ForObjectDetection", 640, 480, {"num_feature_levels": 5, "decoder_n_levels": 5}),
        *((kind, name, width, height, {"encoder_in_channels": [64, 128, 256], "backbone_config": HGNET}) for kind, name, width, height in (("rt_detr", "RTDetrForObjectDetection", 333, 500), ("rt_detr_v2", "RTDetrV2ForObjectDetection", 640, 480), ("d_fine", "DFineForObjectDetection", 333, 500))),
        ("rt_detr", "RTDetrModel", 640, 480, {"encoder_in_channels": [512, 1024, 2048], "backbone_config": {"model_type": "hgnet_v2", "out_features": ["stage2", "stage3", "stage4"]}}),
        ("d_fine", "DFineModel", 333, 500, {"eval_idx": 1, "decoder_layers": 4}),
    )],
    *[("dab-detr", f"DabDetr{of}", f"{width}x{height}", {"hidden_size": 64, "encoder_layers": 2, "decoder_layers": 3, "encoder_ffn_dim": 96, "decoder_ffn_dim": 128, "num_queries": 60, "num_labels": 11, "backbone_config": {**SWIN, "out_indices": [4]}}, REAL, {"pixel_values": picture("ConditionalDetr", width, height)}) for of, width, height in (("Model", 333, 500), ("ForObjectDetection", 640, 480))],
    *[("maskformer", "MaskFormerForInstanceSegmentation", f"{width}x{height}", {"use_auxiliary_loss": True, "fpn_feature_size": 64, "mask_feature_size": 32, "decoder_config": {"model_type": "detr", "d_model": 64, "decoder_layers": layers, "decoder_ffn_dim": 96, "decoder_attention_heads": 4, "num_queries": 30}, "num_labels": 11, "backbone_config": {**network, "out_indices": [1, 2, 3, 4]}}, REAL, {"pixel_values": picture("MaskFormer", width, height)}) for width, height, layers, network in ((333, 500, 2, SWIN), (640, 480, 4, RESNET))],
    # Films and pictures beside words: what they take whatever the words are.
    *[("xclip", "XCLIPModel", f"{side}x{side}", keys, SHAPE, {"pixel_values": clip(frames, side, side)}) for side, frames, keys in (
        (224, 8, {}),
        (224, 5, {"projection_dim": 48, "prompt_layers": 3, "prompt_num_attention_heads": 4, "text_config": {**SMALLER, "num_hidden_layers": 1}, **vision(**SMALLER, patch_size=16, num_frames=5, mit_hidden_size=48, mit_intermediate_size=80, mit_num_hidden_layers=2, mit_num_attention_heads=4)}),
        (336, 16, {**WORDS, **vision(**SMALLER, image_size=336, patch_size=14, num_frames=16, mit_num_hidden_layers=2)}),
    )],
    ("xclip_vision_model", "XCLIPVisionModel", "98x98", {**SMALLER, "num_frames": 7, "image_size": 98, "patch_size": 14}, SHAPE, {"pixel_values": (7, 3, 98, 98)}),
    *[("bridgetower", f"BridgeTower{of}", f"{side}x{side}", {"text_config": {**SMALLER, "hidden_size": 128, "num_hidden_layers": 4}, "hidden_size": 128, **keys} if keys else keys, REAL, {"pixel_values": (1, 3, side, side)}) for of, side, keys in (
        ("Model", 288, {}),
        ("ForMaskedLM", 96, {"num_hidden_layers": 3, "share_cross_modal_transformer_layers": False, **vision(hidden_size=128, num_hidden_layers=4, image_size=96)}),
        ("ForImageAndTextRetrieval", 112, {"num_hidden_layers": 2, **vision(hidden_size=192, num_hidden_layers=4, image_size=112, patch_size=14)}),
        *((of, 80, {"num_hidden_layers": high, **vision(hidden_size=128, num_hidden_layers=deep, image_size=80, **more)}) for of, high, deep, more in (("Model", 2, 7, {}), ("ForImageAndTextRetrieval", 3, 5, {"remove_last_layer": True}), ("ForMaskedLM", 5, 6, {"remove_last_layer": True}), ("Model", 1, 3, {}), ("Model", 1, 6, {"share_layernorm": False}))),
        ("ForContrastiveLearning", 112, {"num_hidden_layers": 2, "contrastive_hidden_size": 48, "logit_scale_init_value": 2.7, **vision(hidden_size=128, num_hidden_layers=4, image_size=112, patch_size=14)}),
    )],
    *[("tvp", f"Tvp{of}", f"{side}x{side}", keys, SHAPE, {"pixel_values": clip(frames, side, side)}) for of, side, frames, keys in (
        ("Model", 448, 48, {}),
        ("ForVideoGrounding", 320, 5, {**SMALLER, "max_img_size": 320, "num_frames": 5, "backbone_config": {**RESNET, "out_indices": [4]}}),
        ("ForVideoGrounding", 227, 7, {**SMALLER, "max_img_size": 227, "visual_prompt_size": 30, "num_frames": 7, "backbone_config": {"model_type": "resnet", "embedding_size": 16, "hidden_sizes": [16, 32, 64], "depths": [1, 2, 1], "out_indices": [3], "layer_type": "basic"}}),
    )],
    # Sides that are halved down, or up where they are filled alike on both ends.
    *[("efficientnet", f"EfficientNet{of}", f"{width}x{height}", keys, SHAPE, {"pixel_values": (1, 3, height, width)}) for of, width, height, keys in (
        ("Model", 600, 600, {}),
        ("ForImageClassification", 289, 289, {"width_coefficient": 1.1, "depth_coefficient": 1.2, "hidden_dim": 1408, "image_size": 260, "depthwise_padding": [5, 8, 16], "num_labels": 10}),
        ("ForImageClassification", 301, 467, {"width_coefficient": 1.2, "depth_coefficient": 1.4, "hidden_dim": 1536, "image_size": 300, "depthwise_padding": [5, 18]}),
        ("Model", 381, 223, {"width_coefficient": 1.0, "depth_coefficient": 1.0, "hidden_dim": 1280, "strides": [1, 2, 2, 1, 2, 1, 2], "kernel_sizes": [3, 5, 3, 3, 5, 5, 3], "depthwise_padding": [3, 1]}),
    )],
    ("align_vision_model", "AlignVisionModel", "289x346", {"depthwise_padding": [2]}, SHAPE, {"pixel_values": (1, 3, 346, 289)}),
    # A pair of pictures with as many points in each as there may be; nothing is dropped.
    ("superglue", "SuperGlueForKeypointMatching", "640x480", POINTS, REAL, {"pixel_values": (1, 2, 3, 480, 640)}),
    ("superglue", "SuperGlueForKeypointMatching", "640x480", {**POINTS, "hidden_size": 128, "keypoint_detector_config": {**POINTS["keypoint_detector_config"], "max_keypoints": 100, "descriptor_decoder_dim": 128}, "keypoint_encoder_sizes": [16, 32], "gnn_layers_types": ["self", "cross", "cross"], "num_attention_heads": 2}, REAL, {"pixel_values": (1, 2, 3, 480, 640)}),
    # An encoder as wide as its decoder, which has no projection.
    *[("vision-encoder-decoder", "VisionEncoderDecoderModel", f"{width}x{height}", {"encoder": {**encoder, "image_size": [height, width]}, "decoder": {"model_type": "trocr", "d_model": wide, "decoder_layers": 1, "decoder_attention_heads": 4, "decoder_ffn_dim": 96, "vocab_size": 99, "is_decoder": True, "add_cross_attention": True}}, REAL, {"pixel_values": (1, 3, height, width)}) for width, height, wide, encoder in ((83, 100, 64, {"model_type": "deit", **SMALLER}), (150, 200, 128, {"model_type": "donut-swin", "embed_dim": 32, "depths": [1, 2, 1], "num_heads": [2, 4, 8], "window_size": 5}))],
    ("lightglue", "LightGlueForKeypointMatching", "640x480", POINTS, REAL, {"pixel_values": (1, 2, 3, 480, 640)}),
    ("lightglue", "LightGlueForKeypointMatching", "640x480", {**POINTS, "descriptor_dim": 128, "num_hidden_layers": 3, "num_attention_heads": 2, "depth_confidence": -1.0, "width_confidence": -1.0}, REAL, {"pixel_values": (1, 2, 3, 480, 640)}),
    ("lightglue", "LightGlueForKeypointMatching", "640x480", {"keypoint_detector_config": {"model_type": "superpoint", "max_keypoints": 7}, "num_key_value_heads": 2, "num_hidden_layers": 2}, REAL, {"pixel_values": (1, 2, 3, 480, 640)}),
]


def transduced(model, **inputs):
    """What a transducer takes of a sound: the joint network gives nothing at each frame; words take it, and the recurrent network, once more."""
    frames = model.get_audio_features(**inputs).pooler_output
    model.joint(torch.zeros_like(frames[:, :1, None]), frames[:, :, None])


def before(model, **inputs):
    """Cohere's encoder, and the matrix that its decoder has before it."""
    frames = model.model.encoder(**inputs).last_hidden_state
    model.model.decoder.proj(frames)


def seen_or_heard(model, **inputs):
    """A picture or a sound of Gemma 3n's or Apertus', with what makes words of it."""
    (model.get_audio_features if {"input_features", "input_values"} & set(inputs) else model.get_image_features)(**inputs)


class Said(torch.nn.Module):
    """The output of the network of a text."""

    def __init__(self, words, width):
        super().__init__()
        self.said = types.SimpleNamespace(last_hidden_state=torch.zeros(1, words, width))

    def forward(self, *_, **__):
        return self.said


def found(model, read, **inputs):
    """A detector over a picture and so many words, without the words' own network."""
    inner = getattr(model, "model", model)
    inner.text_backbone, inner.text_projection = Said(read, model.config.d_model), torch.nn.Identity()
    model(input_ids=torch.full((1, read), 7), **inputs)


def unasked(model, pixel_values):
    """OWL-ViT without words: what each patch is, and where."""
    seen, outputs = model.image_embedder(pixel_values=pixel_values)
    getattr(model, model.base_model_prefix).visual_projection(outputs.pooler_output)
    patches = seen.flatten(1, 2)
    for head in (model.class_head.dense0, model.class_head.logit_shift, model.class_head.logit_scale, *([model.objectness_head] if hasattr(model, "objectness_head") else [])):
        head(patches)
    model.box_predictor(patches, seen)


def tiled(model, **inputs):
    """A picture and its tiles."""
    inputs["num_local_patches"] = [len(inputs["pixel_values_local"])] if inputs.get("pixel_values_local") is not None else [0]
    model.get_image_features(**inputs)


def projected(model, **inputs):
    """A tower, and the projection behind it."""
    model.multi_modal_projector(model.get_image_features(**inputs).last_hidden_state)


def film(model, **inputs):
    """The frames of a film, within pixels that are learned."""
    inner = getattr(model, "model", model)
    inner.vision_model(inner.visual_prompter(**inputs))


def drawn(model, **inputs):
    """Masks of each layer have no pass without what the layers give out."""
    model(output_hidden_states=model.config.use_auxiliary_loss, **inputs)


def noted(model, **inputs):
    """A sound or a picture of dots3-note's, each expert by itself: the counter doesn't see them together."""
    for part in model.modules():
        if hasattr(part, "config"):
            part.config._experts_implementation = "eager"
    (model.get_audio_features if "input_features" in inputs else model.model.get_image_features)(**inputs)


def latent(model, **inputs):
    """Kosmos-2's tower, and the queries that look at it."""
    model.image_to_text_projection(model.vision_model(**inputs).last_hidden_state)


def towered(model, input_features):
    """Qwen2-Audio's tower over all of half a minute, and its projection."""
    model = getattr(model, "model", model)
    model.multi_modal_projector(model.audio_tower(input_features, attention_mask=torch.zeros(1, 1, 1500, 1500)).last_hidden_state)


class Nothing(torch.nn.Module):
    """In place of a part that words run, and behind one that a picture runs."""

    def __init__(self, width, part=None):
        super().__init__()
        self.width, self.part = width, part

    def forward(self, *given):
        if self.part:
            self.part(*given)
        return torch.zeros(1, self.width)


def wordless(model, **inputs):
    """What a picture takes beside words: of counts with one, two and three of these, which make a square's curve, the count with none."""
    inner = getattr(model, "bridgetower", model)
    if hasattr(inner, "cross_modal_text_pooler"):
        inner.cross_modal_text_pooler = Nothing(model.config.hidden_size)
    for name in ("itc_text_head", "itc_cross_modal_head", "itm_score", "mlm_score"):
        if hasattr(model, name):
            setattr(model, name, Nothing(0))
    if hasattr(model, "itc_image_head"):
        model.itc_image_head = Nothing(0, model.itc_image_head)
    counts = []
    for n in (1, 2, 3):
        with FlopCounterMode(display=False) as counter, torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
            model(input_ids=torch.full((n, 5) if "XCLIP" in type(model).__name__ else (1, n), 7), **inputs)
        counts.append(counter.get_total_flops())
    return 3 * counts[0] - 3 * counts[1] + counts[2]


# Inputs that are whole numbers, and what classes without a forward of their own run.
def unasked_turbo(model, pixel_values):
    """OmDet-Turbo for one class and no task, whose words the text's network has made something of."""
    maps = model.encoder(model.vision_backbone(pixel_values)).extracted_states
    wide = model.config.class_embed_dim
    return model.decoder(maps, torch.zeros(1, 1, wide), torch.zeros(0, 1, wide), torch.zeros(1, 0, dtype=torch.long))


WHOLE = ("qformer_input_ids", "freq", "quantized_code", "input_ids", "code", "audio_input_ids", "pooled_patches_idx", "image_token_pooling")
RUN = {"DeepseekOcr2ForConditionalGeneration": tiled, "NeoMMEModel": "get_image_features", "UnlimitedOcrForConditionalGeneration": tiled, **dict.fromkeys(("OwlViTForObjectDetection", "Owlv2ForObjectDetection"), unasked), **dict.fromkeys(("GroundingDinoModel", "GroundingDinoForObjectDetection", "MMGroundingDinoForObjectDetection"), found), **dict.fromkeys(("CsmForConditionalGeneration", "KyutaiSpeechToTextForConditionalGeneration"), "codec_model.encode"), "FastVlmForConditionalGeneration": "get_image_features", "Gemma3nForConditionalGeneration": "get_image_features", "Gemma3nModel": seen_or_heard, "InstructBlipForConditionalGeneration": "get_image_features", "Llama4ForConditionalGeneration": projected, "CohereAsrForConditionalGeneration": before, **dict.fromkeys(("Speech2TextForConditionalGeneration", "CanaryForConditionalGeneration"), "model.encoder"), **dict.fromkeys(("Speech2TextModel", "CanaryModel"), "encoder"), **dict.fromkeys(("SpeechT5ForSpeechToText", "SpeechT5ForSpeechToSpeech"), "speecht5.encoder"), "ViltModel": "embeddings.visual_embed", "LayoutLMv3Model": "forward_image", **dict.fromkeys(("UdopForConditionalGeneration", "UdopModel"), "encoder.embed_patches"), **{f"{of}ForConditionalGeneration": "model.get_image_features" for of in ("DeepseekVL", "Janus")}, **{f"{of}ForConditionalGeneration": "get_image_features" for of in ("Llava", "VipLlava", "LlavaNext", "LlavaOnevision", "PaliGemma", "Gemma3", "Cohere2Vision", "VideoLlava", "GraniteDocling", "Aria", "Step3p7", "MiniCPMV4_6", "MiniCPMOcr", "Qwen2VL", "Qwen2_5_VL", "Qwen3VL", "Glm4v", "HunYuanVL", "HYV4VL", "Inkling2Loop", "Lfm2Vl", "AyaVision")}, **dict.fromkeys(("ParakeetForRNNT", "ParakeetForTDT", "NemotronAsrStreamingForRNNT", "Nemotron3_5AsrForRNNT"), transduced), "ChameleonVQVAE": "encode", "Emu3VQVAE": "encode", "Idefics2ForConditionalGeneration": "get_image_features", "Molmo2Model": "get_image_features", "Florence2Model": "get_image_features", "GotOcr2Model": "get_image_features", "Ovis2Model": "get_image_features", "Blip2ForConditionalGeneration": "get_image_features", **{f"GraniteSpeech{of}ForConditionalGeneration": "get_audio_features" for of in ("", "Plus")}, **dict.fromkeys(("GlmAsrForConditionalGeneration", "VoxtralRealtimeForConditionalGeneration"), "get_audio_features"), "MoonshineModel": "encoder", "MoonshineForConditionalGeneration": "model.encoder", "MoonshineStreamingModel": "encoder", "MoonshineStreamingForConditionalGeneration": "model.encoder", **{f"Qwen{of}ForConditionalGeneration": "thinker.get_audio_features" for of in ("2_5Omni", "3OmniMoe")}, **{f"Qwen{of}ThinkerForConditionalGeneration": "get_audio_features" for of in ("2_5Omni", "3OmniMoe")}}
RUN |= dict.fromkeys(("CLIPModel", "SiglipModel", "AlignModel", "AltCLIPModel", "ChineseCLIPModel", "CLIPSegModel", "MetaClip2Model", "GroupViTModel", "Owlv2Model", "OwlViTModel", "Aimv2Model", "BlipModel", "Tipsv2Model", "VisionTextDualEncoderModel"), "get_image_features")
RUN |= {"ClapModel": "get_audio_features", **dict.fromkeys(("PeAudioModel", "PeAudioFrameLevelModel"), "get_audio_embeds")}
RUN |= {**dict.fromkeys(("XCLIPModel", "BridgeTowerModel", "BridgeTowerForMaskedLM", "BridgeTowerForImageAndTextRetrieval", "BridgeTowerForContrastiveLearning"), wordless), **dict.fromkeys(("TvpModel", "TvpForVideoGrounding"), film)}
RUN["MaskFormerForInstanceSegmentation"] = drawn
RUN |= dict.fromkeys((f"SeamlessM4T{of}{name}" for of in ("", "v2") for name in ("Model", "ForSpeechToText", "ForSpeechToSpeech")), "speech_encoder")
RUN |= {"Apertus1p5VisionTokenizerModel": "encode", **dict.fromkeys(("Apertus1p5Model", "Apertus1p5ForConditionalGeneration"), seen_or_heard)}
RUN["MoshiForConditionalGeneration"] = "audio_encoder.encode"
RUN |= {"OmDetTurboForObjectDetection": unasked_turbo, "MuseSparkModel": "audio_tower"}
RUN |= {"VisionEncoderDecoderModel": "encoder", "BlipForQuestionAnswering": "vision_model", "BlipForImageTextRetrieval": "vision_model"}
RUN |= {**dict.fromkeys(("FunAsrNanoModel", "FunAsrNanoForConditionalGeneration", "VibeVoiceModel", "VibeVoiceAsrForConditionalGeneration"), "get_audio_features"), "VibeVoiceForConditionalGeneration": "model.get_audio_features"}
RUN |= {"Dots3NoteForConditionalGeneration": noted, "InstructBlipVideoForConditionalGeneration": "get_video_features", **dict.fromkeys(("Granite4VisionModel", "Granite4VisionForConditionalGeneration"), "get_image_features")}
RUN |= {**dict.fromkeys(("Kosmos2ForConditionalGeneration", "Kosmos2_5ForConditionalGeneration"), latent), "Pix2StructForConditionalGeneration": "encoder"}
RUN |= {"Qwen2AudioForConditionalGeneration": towered, "WhisperForConditionalGeneration": "model.encoder", **{f"{of}ForConditionalGeneration": "get_audio_features" for of in ("Voxtral", "AudioFlamingo3", "MusicFlamingo", "OmniASR")}, "OmniASRModel": "get_audio_features"}
RUN |= {"Gemma4ForConditionalGeneration": "model.get_audio_features", "Gemma4Model": "get_audio_features", "EmbeddingGemma2Model": "get_audio_features"}
# Series: a window as long as the config says.
SMALL = {"num_hidden_layers": 2, "hidden_size": 64, "head_dim": 16, "num_attention_heads": 4, "intermediate_size": 96}
PATCHES = {"num_input_channels": 7, "context_length": 512, "patch_length": 12, "patch_stride": 12}
MIXED = {"num_input_channels": 7, "context_length": 512, "patch_length": 16, "patch_stride": 16, "d_model": 48}
AMONG = {"num_input_channels": 5, "mode": "mix_channel", "self_attn": True, "self_attn_heads": 2, "gated_attn": False, "head_aggregation": None}
WINDOWS = [
    *[("patchtst", f"PatchTST{of}", PATCHES, {"past_values": (1, 512, 7)}) for of in ("Model", "ForClassification", "ForRegression", "ForPrediction", "ForPretraining")],
    ("patchtst", "PatchTSTModel", {"num_input_channels": 3, "channel_attention": True, "use_cls_token": True, "share_embedding": False, "patch_length": 4, "patch_stride": 2}, {"past_values": (1, 32, 3)}),
    ("patchtst", "PatchTSTForPrediction", {"num_input_channels": 3, "pooling_type": None, "patch_length": 4, "patch_stride": 4}, {"past_values": (1, 32, 3)}),
    ("patchtst", "PatchTSTForPretraining", {"num_input_channels": 3, "use_cls_token": True, "do_mask_input": True, "patch_length": 4, "patch_stride": 4}, {"past_values": (1, 32, 3)}),
    *[("patchtsmixer", f"PatchTSMixer{of}", MIXED, {"past_values": (1, 512, 7)}) for of in ("Model", "ForTimeSeriesClassification", "ForRegression", "ForPrediction", "ForPretraining")],
    *[("patchtsmixer", f"PatchTSMixer{of}", AMONG, {"past_values": (1, 32, 5)}) for of in ("Model", "ForTimeSeriesClassification", "ForRegression", "ForPrediction", "ForPretraining")],
    ("timesfm", "TimesFmModel", SMALL, {"past_values": (1, 512), "past_values_padding": (1, 512), "freq": (1, 1)}),
    ("timesfm", "TimesFmModelForPrediction", SMALL, {"past_values": [512]}),
    ("timesfm2_5", "TimesFm2_5Model", {**SMALL, "num_key_value_heads": 4, "context_length": 1024}, {"past_values": (1, 1024)}),
    ("timesfm2_5", "TimesFm2_5ModelForPrediction", {**SMALL, "num_key_value_heads": 4, "context_length": 1024}, {"past_values": [1024]}),
    ("timesfm2_5", "TimesFm2_5ModelForPrediction", {**SMALL, "num_key_value_heads": 4, "context_length": 1024, "force_flip_invariance": False}, {"past_values": [1024]}),
]


MASKS = ("feature_attention_mask", "input_features_mask", "padding_mask")


def counted(model, **inputs):
    run = RUN.get(type(model).__name__, "forward")
    run = functools.partial(run, model) if callable(run) else operator.attrgetter(run)(model)
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        own = run(**inputs)  # some count by themselves
    return own if isinstance(own, int) else counter.get_total_flops()


def distances(a, b, p=2):
    """torch.cdist as one product, which the counter sees; the kernel's own has two columns more, for lengths."""
    return (a * a).sum(-1, keepdim=True) - 2 * a @ b.transpose(-1, -2) + (b * b).sum(-1).unsqueeze(-2)


def units():
    """One sound, one clip or picture, one window: what it is, the class, the config, where it runs, the sizes of what it gets."""
    for kind, name, seconds, keys, device, inputs in SOUND:
        yield seconds, kind, name, keys, device, inputs
    for kind, name, keys, device, inputs in [*CLIPS, *((kind, name, keys, SHAPE, inputs) for kind, name, keys, inputs in PICTURES)]:
        height, width = next(iter(inputs.values()))[-2:]
        yield f"{width}x{height}", kind, name, keys, device, inputs
    for kind, name, what, keys, device, inputs in PARTS:
        yield what, kind, name, keys, device, inputs
    for kind, name, keys, inputs in WINDOWS:
        yield "window", kind, name, keys, REAL, inputs


def given(key, size):
    """What a class gets: a tensor, a list of tensors, what another part gives out, a list of series, whole numbers that it reads, or one number."""
    if isinstance(size, tuple):
        return torch.full(size, 0.5) if key == "pixel_values" else torch.zeros(size, dtype=torch.long if key in WHOLE else torch.float)
    if torch.is_tensor(size) or size is None:
        return size
    if isinstance(size, dict):
        return types.SimpleNamespace(**{k: given(k, n) for k, n in size.items()})
    if not isinstance(size, list):
        return size
    if key in MASKS:  # [n, of]: the first n of the places are heard
        return (torch.arange(size[1]) < torch.tensor(size[0]).view(-1, 1)).long()
    if isinstance(size[0], list):
        return torch.tensor(size)
    return [given(key, n) if isinstance(n, tuple) else torch.linspace(0, 1, n) for n in size]


def plain_kernels():
    """From here on the counter sees every product."""
    torch.cdist = distances
    torch.backends.mkldnn.enabled = False  # whose recurrent layers it doesn't see
    torch.backends.mha.set_fastpath_enabled(False)  # nor this


def asked(config, device, inputs):
    """FLOPs of a config's class for one unit. Raises what the class raises."""
    eager = {**config, "attn_implementation": "sdpa" if config["model_type"] == "qwen2_5_omni_dit" else "eager"}  # which it lacks
    torch.manual_seed(1)  # with these weights SLANet and SLANeXt write no word that ends a table
    model = meta.build(eager) if device == SHAPE else meta.model_class(config)._from_config(meta.config_object(eager))
    with torch.device(device):
        return counted(model.eval().requires_grad_(False), **{k: given(k, size) for k, size in inputs.items()})


def unit_flops():
    plain_kernels()
    for what, kind, name, keys, device, inputs in units():
        config = {"model_type": kind, "architectures": [name], **keys}
        try:
            total = asked(config, device, inputs)
        except Exception as why:
            print(kind, repr(why)[:150])
            continue
        yield f"flops\t{json.dumps(config)}\t{what}\t{total}"


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
    for seconds in (5, 10):  # a hundred frames of a spectrogram each
        config = {"model_type": "audio-spectrogram-transformer", "architectures": ["ASTForAudioClassification"], "max_length": 100 * seconds}
        with torch.device("meta"):
            model = meta.build({**config, "attn_implementation": "eager"}).eval()
            total = counted(model, input_values=torch.empty(1, 100 * seconds, 128))
        yield f"flops\t{json.dumps(config)}\t{seconds}\t{total}"


def main():
    head = f"# build/oracle/pictures.py: transformers {transformers.__version__}, torch {torch.__version__.split('+')[0]}"
    lines = [head, *tokens(), *features(), *heard(), *flops(), *unit_flops()]
    OUT.write_text("\n".join(lines) + "\n")
    print(len(lines) - 1, "lines")


if __name__ == "__main__":
    main()

"""Asks the library about random configurations: what a person may have, and what nobody should.

    python build/oracle/sample.py SEED ROUNDS OUT [PART/PARTS] [TYPE]…

Each round takes every class that has a fixture and changes a few keys of one of its configurations: half of them as people
do (sizes, flags, parts, all keys spelled out), half oddly (values of another kind, lists of another length, heads that do
not divide). OUT gets a line of JSON for each: the config, and what was built of it on the meta device or who refused it.
No round at all asks about every class of each type, with few layers and nothing else changed.
"""

import copy
import importlib
import inspect
import json
import pathlib
import random
import re
import signal
import sys

import fixtures
import meta
import transformers
from transformers.models.auto import modeling_auto

LAYERS = re.compile(r"^(num_hidden_layers|n_layers?|num_layers|encoder_layers|decoder_layers|num_encoder_layers|num_decoder_layers|depth|n_layer)$")
HEADS = re.compile(r"heads?$")
WIDTH = re.compile(r"hidden_size|d_model|n_embd|embed_dim|^dim$|width|_dim$|_size$|channels|intermediate|rank|inner")
VOCAB = re.compile(r"vocab|position|n_ctx|max_")
UNTOUCHED = {"model_type", "architectures", "transformers_version", "_name_or_path", "per_layer_config"}
ODD = (None, "text", 2.5, -1, 0, [], [1, 2], {}, True, 2, False, "gelu", 1.0, [None])
FILLED = ((r"head_dim|v_head|qk_", (64, 96)), (r"heads", (4, 2)), (r"inner|intermediate|ffn", (512, 768)), (r"rank", (64, 48)),
          (r"window", (128,)), (r"experts", (8, 4)), (r"size|dim|width", (256, 384)), (r"layers", (2, 3)))


class Slow(Exception):
    pass


def late(*_):
    raise Slow


def parts(obj, prefix=()):
    """(path, default) of each key of a configuration, those of its parts included."""
    saved = obj.to_dict()
    for key, value in saved.items():
        if key in UNTOUCHED:
            continue
        inner = getattr(obj, key, None)
        if hasattr(inner, "to_dict"):
            yield (*prefix, key), inner
            if len(prefix) < 2:
                yield from parts(inner, (*prefix, key))
        else:
            yield (*prefix, key), value


def put(config, path, value, obj):
    config = copy.deepcopy(config)
    inner = config
    for key in path[:-1]:
        obj = getattr(obj, key)
        if not isinstance(inner.get(key), dict):
            inner[key] = {"model_type": obj.model_type} if obj.model_type else {}
        inner = inner[key]
    inner[path[-1]] = value
    return config


def usual(key, value, words, rng):
    """Another value that a person may have there, or None."""
    if isinstance(value, bool):
        return not value
    if value is None:
        known = next((v for pattern, v in FILLED if re.search(pattern, key)), None)
        return rng.choice(known) if known else rng.choice(sorted(words.get(key, [""]))) or None
    if isinstance(value, int):
        if VOCAB.search(key):
            return value + rng.choice((1, 64, 1000))
        if LAYERS.match(key) or re.search(r"layers?$", key):
            return max(1, value + rng.choice((-1, 1, 2)))
        if HEADS.search(key):
            return rng.choice([n for n in (value // 2, value * 2, 1) if n > 0 and n != value])
        if WIDTH.search(key) and value > 8:
            return rng.choice([value * 2, value // 2, value * 3 // 2, value + 64])
        return rng.choice((value + 1, value * 2 or 1, max(value - 1, 0)))
    if isinstance(value, float):
        return rng.choice((value * 2, value / 2, 0.0))
    if isinstance(value, str):
        return rng.choice(sorted(words.get(key, {value})))
    if isinstance(value, (list, tuple)) and value:
        value = list(value)
        if all(isinstance(v, int) and not isinstance(v, bool) for v in value):
            return rng.choice(([v * 2 for v in value], value[::-1], [v + 1 for v in value]))
        return rng.choice((value[::-1], value[1:] + value[:1]))
    return None


def odd(key, value, rng):
    """A value that hardly anybody has there."""
    if isinstance(value, bool) or value is None or rng.random() < 0.35:
        return rng.choice(ODD)
    if isinstance(value, int):
        return rng.choice((value + 1, value * 2 + 1, 0, -1, None, float(value), str(value), 10**4, [value], [value, value]))
    if isinstance(value, float):
        return rng.choice((int(value), None, -value, str(value), [value], value > 0))
    if isinstance(value, str):
        return rng.choice(("bogus", None, 1, [value], ""))
    if isinstance(value, (list, tuple)):
        value = list(value)
        return rng.choice((value[:-1], value + value[:1], None, value[0] if value else 0, [value], [str(v) for v in value], ["bogus", *value[1:]], [0, *value[1:]]))
    return rng.choice(ODD)


def smaller(config, obj, rng):
    """The same with few layers, where no list has an entry for each."""
    for path, value in list(parts(obj)):
        if LAYERS.match(path[-1]) and isinstance(value, int) and value > 5:
            changed = put(config, path, rng.randint(2, 5), obj)
            try:
                meta.config_object(changed)
                config = changed
            except Exception:
                pass
    return config


def plain(value):
    return json.loads(json.dumps(value, default=str))


def sample(config, names, words, rng):
    """A changed config, and of which kind it is."""
    obj = meta.config_object(config)
    strange = rng.random() < 0.5
    if strange or rng.random() < 0.7:
        config = smaller(config, obj, rng)
        obj = meta.config_object(config)
    if not strange and names and rng.random() < 0.25:
        config = {**config, "architectures": [rng.choice(names)]}
    if rng.random() < 0.3:  # all keys spelled out, as older files have them
        config = {**plain({k: v for k, v in obj.to_dict().items() if k not in UNTOUCHED}), **config}
    keys = [(p, v) for p, v in parts(obj) if not hasattr(v, "to_dict")]
    for path, value in rng.sample(keys, min(len(keys), rng.randint(1, 4))) if not strange or rng.random() < 0.3 else ():
        if (new := usual(path[-1], value, words, rng)) is not None:
            config = put(config, path, plain(new), obj)
    if strange:
        path, value = rng.choice(keys if rng.random() < 0.5 else [k for k in keys if isinstance(k[1], (int, list, tuple, str)) and not isinstance(k[1], bool)] or keys)
        config = put(config, path, plain(odd(path[-1], value, rng)), obj)
    return config, "odd" if strange else "usual"


def ask(config):
    """What the library makes of a config."""
    where = "config"
    signal.alarm(20)
    try:
        obj = meta.config_object(config)
        cls = meta.model_class(config)
        where = "model"
        with meta.torch.device("meta"):
            model = cls._from_config(obj)
        parameters = dict(model.named_parameters(remove_duplicate=False))
        stored = {n: t for n, t in model.state_dict().items() if n not in parameters}
        return {"class": type(model).__name__, "parameters": sum(p.numel() for p in {id(p): p for p in parameters.values()}.values()), "buffers": sum(t.numel() for t in stored.values())}
    except Slow:
        return None
    except (NotImplementedError, LookupError, ImportError):
        return None  # what the meta device or this machine lacks, or the library does not list
    except Exception as why:
        if "meta" in str(why):
            return None
        return {"at": where, "error": f"{type(why).__name__}: {why}".replace("\n", " ")[:300]}
    finally:
        signal.alarm(0)


def heads_of(kind):
    found = []
    for name in dir(modeling_auto):
        if name.endswith("_MAPPING_NAMES"):
            value = getattr(modeling_auto, name).get(kind)
            found += [value] if isinstance(value, str) else list(value or [])
    return sorted({name for name in found if not name.endswith("Config")})


def exported(obj):
    """The classes of a config's own module that the library exports."""
    home = importlib.import_module(type(obj).__module__.replace(".configuration_", ".modeling_"))
    classes = inspect.getmembers(home, lambda c: inspect.isclass(c) and issubclass(c, transformers.PreTrainedModel))
    return [name for name, c in classes if hasattr(transformers, name) and getattr(c, "config_class", None) is type(obj) and not name.endswith("PreTrainedModel")]


def every_class(known):
    """A small config of each type for each of its classes."""
    seen = set()
    for kind, name, configs in known:
        if kind in seen:
            continue
        seen.add(kind)
        base, names = {**configs[0], "architectures": [name]}, heads_of(kind)
        signal.alarm(30)
        try:
            obj = meta.config_object(base)
            base = smaller(base, obj, random.Random(kind))
            names = sorted({*names, *exported(obj)})
        except (Slow, Exception):
            pass  # no module of its own: the classes that are listed
        finally:
            signal.alarm(0)
        for name in names:
            yield {**base, "architectures": [name]}


def main():
    seed, rounds, out = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3])
    part, of = map(int, (sys.argv[4] if len(sys.argv) > 4 else "0/1").split("/"))
    only = set(sys.argv[5:])
    signal.signal(signal.SIGALRM, late)
    known, words = [], {}
    for path in sorted(fixtures.TESTDATA.glob("*/*.*.txt")):
        header, configs, _ = fixtures.read(path)
        known.append((header["model_type"], header["architecture"], configs))
    for kind in meta.CONFIG_MAPPING.keys():
        try:
            for path, value in parts(meta.CONFIG_MAPPING[kind]()):
                if isinstance(value, str):
                    words.setdefault(path[-1], set()).add(value)
        except Exception:
            pass
    if only:
        known = [k for k in known if k[0] in only]
    with out.open("a") as file:
        for config in every_class(known[part::of]) if rounds == 0 else ():
            if (found := ask(config)) is not None:
                file.write(json.dumps({"kind": "usual", "config": config, **found}) + "\n")
                file.flush()
        for n in range(rounds):
            rng = random.Random(f"{seed} {n} {part}")
            here = known[part::of]
            rng.shuffle(here)
            for kind, name, configs in here:
                base = configs[0] if rng.random() < 0.6 else rng.choice(configs)
                signal.alarm(30)
                try:
                    config, what = sample(dict(base, architectures=base.get("architectures") or [name]), heads_of(kind), words, rng)
                except (Slow, Exception):
                    continue
                finally:
                    signal.alarm(0)
                if (found := ask(config)) is not None:
                    file.write(json.dumps({"kind": what, "config": config, **found}) + "\n")
                    file.flush()


if __name__ == "__main__":
    main()

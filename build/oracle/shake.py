"""Asks torch what shaken pictures, sounds and windows cost: pictures.py's units with other sides, sizes and kernels.

    python build/oracle/shake.py SEED ROUNDS OUT [PART/PARTS] [TYPE]…

OUT gets a flops line as in core/compute/testdata/pictures.txt for each that the class takes. Compare them by
go run ./build family -sample OUT. Where a processor makes every picture as large, or fills sounds up to whole frames, a
tower alone is given what nobody gives it, and torch computes what a window leaves out: such a line is off and no fault.
"""

import json
import pathlib
import random
import re
import signal
import sys

import meta
import pictures
import sample
import torch

# Keys that say how large a picture is.
SIDE = re.compile(r"image_size|input_size|img_size|crop_size|image_resolution|^size$|^resolution$")
# Keys that shape nothing of a tower, or what it is given.
STILL = re.compile(r"sampling_rate|upsample_rate|stage_names|out_features|out_indices|repeats|hop_|ratios$|token|_ids?$|vocab|position|text_config|label|layer_norm|dtype|talker"
                   r"|eps|dropout|prob|std|scale_init|init")


def resized(config, old, new, key=""):
    """The config with new sides where it names the old ones."""
    if isinstance(config, dict):
        return {k: resized(v, old, new, k) for k, v in config.items()}
    if SIDE.search(key):
        if config == old[0] == old[1]:
            return new[0]
        if isinstance(config, (list, tuple)) and tuple(config) == old:
            return list(new)
    return config


def turned(what, config, inputs, rng):
    """A picture of other sides, and a config that says so."""
    first, size = next(iter(inputs.items()))
    if not (isinstance(size, tuple) and len(size) in (4, 5) and first.startswith("pixel_values") and what == f"{size[-1]}x{size[-2]}"):
        return what, config, inputs
    old = size[-2:]

    def other(n):
        n = n if n < 500 or rng.random() < 0.3 else rng.choice((224, 256, 320, 384))
        return max(24, n + rng.choice((-37, -19, -7, -3, -1, 1, 5, 11, 16, 17, 23, 31, 32)))

    free = resized(config, old, (1, 1)) == config
    high = other(old[0])
    wide = other(old[1]) if old[0] != old[1] or free and rng.random() < 0.3 else high
    new = resized(config, old, (high, wide))
    if free and high == wide:  # the default is named, so that it can be another
        obj = meta.config_object(config)
        for path, value in sample.parts(obj):
            if SIDE.search(path[-1]) and (value == old[0] or isinstance(value, (list, tuple)) and tuple(value) == old):
                new = sample.put(new, path, [high, wide] if isinstance(value, (list, tuple)) else high, obj)
    return f"{wide}x{high}", new, {**inputs, first: (*size[:-2], high, wide)}


# Numbers that a sound becomes, by its length in hundredths of a second: samples, and spectra 10 ms apart.
HEARD = (*(lambda n, rate=rate: rate * n // 100 for rate in (16000, 24000, 48000)), lambda n: n, lambda n: n + 1, lambda n: n - 2)


def longer(what, inputs, rng):
    """A sound of another length, where what it becomes is one of HEARD and nothing else is given."""
    if not isinstance(what, (int, float)) or len(inputs) != 1 or round(100 * what) != round(100 * what, 6):
        return what, inputs
    (key, size), old, new = *inputs.items(), round(100 * what), rng.choice((17, 46, 100, 123, 246, 355, 731, 1001, 1234)) + rng.randrange(9)
    if not isinstance(size, tuple) or key not in ("input_values", "input_features"):
        return what, inputs
    at = len(size) - 1 if size[:-1] in ((1,), (1, 1)) else 1
    rule = next((r for r in HEARD if len(size) < 4 and r(old) == size[at]), None)
    return (what, inputs) if rule is None else (new / 100, {key: (*size[:at], rule(new), *size[at + 1:])})


def shaken(unit, rng):
    """A unit with other sides, another length or other keys, or several of these."""
    what, kind, name, keys, device, inputs = unit
    config = {"model_type": kind, "architectures": [name], **keys}
    if rng.random() < 0.8:
        what, config, inputs = turned(what, config, inputs, rng)
        what, inputs = longer(what, inputs, rng)
    if rng.random() < 0.75:
        obj = meta.config_object(config)
        may = [(p, v) for p, v in sample.parts(obj) if not hasattr(v, "to_dict") and isinstance(v, (int, float, list, tuple)) and v not in ([], ()) and not SIDE.search(p[-1]) and not any(STILL.search(k) for k in p)]
        for path, value in rng.sample(may, min(len(may), rng.choice((1, 1, 2, 3)))):
            if (new := sample.usual(path[-1], value, {}, rng)) is not None:
                config = sample.put(config, path, sample.plain(new), obj)
    return what, config, device, inputs


def main():
    seed, rounds, out = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3])
    part, of = map(int, (sys.argv[4] if len(sys.argv) > 4 else "0/1").split("/"))
    only = set(sys.argv[5:])
    units = [u for u in pictures.units() if not only or u[1] in only][part::of]
    signal.signal(signal.SIGALRM, sample.late)
    pictures.plain_kernels()
    with out.open("a") as file:
        for n in range(rounds):
            for i, unit in enumerate(units):
                signal.alarm(25)
                try:
                    what, config, device, inputs = shaken(unit, random.Random(f"{seed} {n} {part} {i} {unit[1]}"))
                    total = pictures.asked(config, device, inputs)
                except (sample.Slow, Exception) as why:  # a value that the class refuses
                    print(unit[1], repr(why)[:100])
                    continue
                finally:
                    signal.alarm(0)
                file.write(f"flops\t{json.dumps(config)}\t{what}\t{total}\n")
                file.flush()


if __name__ == "__main__":
    main()

"""Records what the library builds for each model type.

    python build/oracle/oracle.py OUT [FOLDER | FOLDER/TYPE]…

A type that has a fixture is built again for the same configurations, so that a diff shows what a new
version of the library changes. A type that has none gets its defaults and one key changed at a time;
name it: causal/llama. OUT gets one JSON file for each type, which `go run ./build fixtures OUT` turns into
a fixture.
"""

import json
import pathlib
import sys

import torch
import transformers
from transformers.models.auto import modeling_auto

import fixtures
import forward
import meta
import vary
import whole

FOLDERS = {
    "causal": modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    "seq2seq": modeling_auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES,
    "masked": modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    "encoder": modeling_auto.MODEL_FOR_TEXT_ENCODING_MAPPING_NAMES,
    "vlm": modeling_auto.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES,
    "other": modeling_auto.MODEL_MAPPING_NAMES,
}
RUN = ("causal", "seq2seq")  # where a new type's forward pass is recorded


def again(path):
    """The cases of an existing fixture, built anew."""
    header, configs, ran = fixtures.read(path)
    found = [{"config": c, **meta.describe(meta.build(c))} for c in configs]
    return header, found, ran


def new(folder, kind, name):
    """The cases of a class without a fixture."""
    first, *more = whole.configs(kind, name)
    found, shape, inert = vary.cases(first)
    known = [case["config"] for case in found]
    found += [{"config": c, **meta.describe(meta.build(c))} for c in more if c not in known]
    header = {
        "model_type": kind,
        "architecture": name,
        "shape_keys": shape,
        "inert_keys": inert,
    }
    return header, found, folder in RUN


def record(folder, kind, name, path):
    header, found, run = again(path) if path else new(folder, kind, name)
    result = {
        **header,
        "transformers": transformers.__version__,
        "torch": torch.__version__.split("+")[0],
        "cases": found,
        "runtime": [],
    }
    if run:
        try:
            result["runtime"] = [forward.record(found[0]["config"])]
        except Exception as why:
            print(f"{folder}/{kind}: no forward pass: {why!r}"[:200], file=sys.stderr)
    return result


def wanted(arguments):
    """(folder, type, class, path of its fixture or None) for each type that the arguments name."""
    for argument in arguments or FOLDERS:
        folder, _, kind = argument.partition("/")
        if folder not in FOLDERS:
            sys.exit(f"no folder {folder}; there are {', '.join(FOLDERS)}")
        paths = sorted((fixtures.TESTDATA / folder).glob(f"{kind or '*'}.*.txt"))
        for path in paths:
            header = fixtures.read(path)[0]
            yield folder, header["model_type"], header["architecture"], path
        if kind and not paths:
            known = FOLDERS[folder].get(kind, [])
            names = whole.classes(kind) or ([known] if isinstance(known, str) else known[:1])
            if not names:
                sys.exit(f"the library has no {kind} among its {folder} types")
            for name in names:
                yield folder, kind, name, None


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    out, failed = pathlib.Path(sys.argv[1]), []
    for folder, kind, name, path in wanted(sys.argv[2:]):
        if whole.EARLIER.get(kind, transformers.__version__) != transformers.__version__:
            print(f"{folder}/{kind}: left as it is: it is made with transformers {whole.EARLIER[kind]}", flush=True)
            continue
        try:
            result = record(folder, kind, name, path)
        except Exception as why:
            failed.append(f"{folder}/{kind}: {why!r}"[:300])
            continue
        target = out / folder / f"{kind}.{result['architecture']}.json"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(json.dumps(result))
        print(f"{folder}/{kind}: {len(result['cases'])} cases, {len(result['runtime'])} passes", flush=True)
    if failed:
        sys.exit("\n".join(failed))


if __name__ == "__main__":
    main()

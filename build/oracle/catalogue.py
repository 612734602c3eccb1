"""Counts every model of the catalogue with the library and writes core/family/testdata/catalogue.txt.

    python build/oracle/catalogue.py
"""

import json
import pathlib

import transformers

import fixtures
import meta


def known(config):
    """Raises a LookupError where code beside the weights has a class that the library lacks: then the type is not its own."""
    named = config.get("architectures", [])
    if "auto_map" in config and named and meta.model_class(config).__name__ not in named:
        raise LookupError(named[0])


def main():
    lines = [
        "# slug, trainable parameters, elements of persistent buffers: "
        f"what transformers {transformers.__version__} builds"
    ]
    for path in sorted(pathlib.Path("content/models").glob("*.json"), key=lambda p: p.stem):
        model = json.loads(path.read_text())
        try:
            known(model["config"])
            described = meta.describe(meta.build(model["config"]))
        except LookupError:
            print(f"{path.stem}: left out: its class is not the library's", flush=True)
            continue
        lines.append(f"{model['slug']}\t{described['parameters']}\t{described['buffers']}")
    (fixtures.TESTDATA / "catalogue.txt").write_text("\n".join(lines) + "\n")
    print(f"{len(lines) - 1} models")


if __name__ == "__main__":
    main()

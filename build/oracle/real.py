"""Builds real configurations and writes OUT/real.json.

    python build/oracle/real.py OUT [CONFIGS_DIR]

Those of core/family/testdata/real.txt are built again. CONFIGS_DIR adds its *.json files that the library
can build; a SOURCES.tsv there says where each was read: file, model, repository, path, commit.
"""

import csv
import json
import pathlib
import sys

import fixtures
import meta


def added(folder, known):
    """The configurations of a folder that are not known yet."""
    with open(folder / "SOURCES.tsv", newline="") as table:
        rows = list(csv.reader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
    for name, *where in rows[1:]:
        if name not in known:
            text = (folder / name).read_text()
            yield {"file": name, "origin": " ".join(w for w in where[:4] if w), "config_text": text}


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    reals = fixtures.read_real()
    known = {r["file"] for r in reals}
    if len(sys.argv) == 3:
        reals += added(pathlib.Path(sys.argv[2]), known)
    found = []
    for real in reals:
        config = json.loads(real["config_text"])
        try:
            described = meta.describe(meta.build(config))
        except Exception as why:
            if real["file"] in known:
                raise
            print(f"{real['file']}: left out: {why!r}"[:200], flush=True)
            continue
        found.append({**real, "model_type": config["model_type"], **described})
    found.sort(key=lambda r: r["file"])
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    (out / "real.json").write_text(json.dumps(found))
    print(f"{len(found)} configurations")


if __name__ == "__main__":
    main()

"""Builds the real configurations of core/arch/testdata/real.txt again and writes OUT/real.json.

    python build/oracle/real.py OUT
"""

import json
import pathlib
import sys

import fixtures
import meta


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    found = []
    for real in fixtures.read_real():
        config = json.loads(real["config_text"])
        described = meta.describe(meta.build(config))
        found.append({**real, "model_type": config["model_type"], **described})
        print(real["file"], described["parameters"], flush=True)
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    (out / "real.json").write_text(json.dumps(found))


if __name__ == "__main__":
    main()

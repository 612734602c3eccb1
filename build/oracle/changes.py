"""Says what a new version of the library changes: types that appeared or went, defaults that moved.

    python build/oracle/changes.py

What is compared with stands in core/family/testdata/defaults.txt: a line for each model type, and one for each key of
its configuration class with the default that it has. The file is written anew, so that a diff keeps the answer.
"""

import json
import pathlib

FILE = pathlib.Path("core/family/testdata/defaults.txt")


def installed():
    """The installed version, and each of its types with the defaults of its own keys, as JSON; none where the class cannot be made."""
    import transformers
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING, CONFIG_MAPPING_NAMES

    common = set(transformers.PreTrainedConfig().to_dict()) - {"tie_word_embeddings"}
    return transformers.__version__, {kind: defaults(CONFIG_MAPPING, kind, common) for kind in sorted(CONFIG_MAPPING_NAMES)}


def defaults(classes, kind, common):
    try:
        keys = classes[kind]().to_dict()
    except Exception:
        return {}
    found = {}
    for key, value in sorted(keys.items()):
        if key in common:
            continue
        text = json.dumps(value, sort_keys=True, default=str)
        found[key] = text if len(text) <= 120 else text[:117] + "..."
    return found


def read():
    """Types with their defaults as the file has them."""
    known, kind = {}, None
    if not FILE.exists():
        return known
    for line in FILE.read_text().splitlines():
        word, *rest = line.split("\t")
        if word == "type":
            kind = known.setdefault(rest[0], {})
        elif word == "key":
            kind[rest[0]] = rest[1]
    return known


def moved(before, now):
    """What differs between two versions, a line each."""
    for kind in sorted(now.keys() - before.keys()) if before else ():
        yield f"appeared: {kind}"
    for kind in sorted(before.keys() - now.keys()):
        yield f"gone: {kind}"
    for kind in sorted(now.keys() & before.keys()):
        for key in sorted(now[kind].keys() | before[kind].keys()):
            was, is_ = before[kind].get(key), now[kind].get(key)
            if was != is_:
                yield f"{kind}.{key}: {'no key' if was is None else was} → {'no key' if is_ is None else is_}"


def main():
    before = read()
    version, now = installed()
    for line in moved(before, now):
        print(line)
    lines = [f"# defaults of transformers {version}: build/oracle/changes.py"]
    for kind, keys in now.items():
        lines.append(f"type\t{kind}")
        lines += [f"key\t{key}\t{value}" for key, value in keys.items()]
    FILE.write_text("\n".join(lines) + "\n")
    print(f"{len(now)} types, {sum(map(len, now.values()))} keys")


if __name__ == "__main__":
    main()

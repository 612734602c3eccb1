"""Says what a new version of the library changes: types that appeared or went, defaults that moved, and what keys may hold.

    python build/oracle/changes.py

What is compared with stands in core/family/testdata/defaults.txt: a line for each model type, one for each key of its
configuration class with the default that it has, and one for each type of value with the keys that are held to it. The
file is written anew, so that a diff keeps the answer.
"""

import dataclasses
import json
import pathlib
import types
import typing

FILE = pathlib.Path("core/family/testdata/defaults.txt")


def installed():
    """The installed version, each of its types with the defaults of its own keys, as JSON, none where the class cannot be made, and with what its keys take."""
    import transformers
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING, CONFIG_MAPPING_NAMES

    common = set(transformers.PreTrainedConfig().to_dict()) - {"tie_word_embeddings"}
    kinds = sorted(CONFIG_MAPPING_NAMES)
    return transformers.__version__, {k: defaults(CONFIG_MAPPING, k, common) for k in kinds}, {k: fields(CONFIG_MAPPING[k]) for k in kinds}


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


SIMPLE = {int: "i", float: "f", bool: "b", str: "s", dict: "d", list: "[]", type(None): "n", None: "n"}


def letters(kind):
    """What a field of a configuration class takes from JSON, in the letters of `takes` (core/family/doc.go); "" is anything."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if kind in SIMPLE:
        return SIMPLE[kind]
    if origin in (typing.Union, types.UnionType):
        found = [letters(k) for k in inner]
        return "" if "" in found else "".join(sorted({k for k in found if k != "-"}, key=lambda k: (k[0] == "'", k))) or "-"
    if origin is typing.Literal:
        return "".join(f"'{word}" for word in sorted(inner)) if all(isinstance(word, str) for word in inner) else ""
    if origin is list:
        return f"[{letters(inner[0])}]"
    if origin is dict:
        return "d"
    if origin is tuple or isinstance(kind, type):
        return "-"  # no value of JSON is one; a union may have others
    return ""  # text that the library does not check, and what has no such rule


def fields(kind):
    """The keys of a configuration class that are held to a type, by its letters."""
    found = {}
    names = {field.name for field in dataclasses.fields(kind)}
    if free := sorted(set(kind.attribute_map) - names):
        found["-"] = free  # other names of keys: what is given under these is not checked
    for field in dataclasses.fields(kind):
        if (word := letters(field.type)) not in ("", "-"):
            found.setdefault(word, []).append(field.name)
            if field.name in ("_out_features", "_out_indices"):  # what a backbone's config is given under another name
                found[word].append(field.name[1:])
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
    version, now, takes = installed()
    for line in moved(before, now):
        print(line)
    lines = [f"# defaults of transformers {version}: build/oracle/changes.py"]
    for kind, keys in now.items():
        lines.append(f"type\t{kind}")
        lines += [f"key\t{key}\t{value}" for key, value in keys.items()]
        lines += [f"takes\t{word}\t{' '.join(sorted(names))}" for word, names in sorted(takes[kind].items())]
    FILE.write_text("\n".join(lines) + "\n")
    print(f"{len(now)} types, {sum(map(len, now.values()))} keys")


if __name__ == "__main__":
    main()

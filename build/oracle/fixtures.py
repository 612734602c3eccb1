"""Reads back from the text fixtures what a new run needs: the configurations, not the counts."""

import copy
import json
import pathlib

TESTDATA = pathlib.Path("core/family/testdata")


def descend(config, dotted):
    *path, last = dotted.split(".")
    for key in path:
        config = config[key]
    return config, last


def read(path):
    """Header, configurations of the cases, and whether forward passes were recorded."""
    header = {"shape_keys": {}, "inert_keys": []}
    cases, runtime, current = [], False, None
    for line in pathlib.Path(path).read_text().splitlines():
        word, *rest = line.split("\t")
        if word in ("model_type", "architecture"):
            header[word] = rest[0]
        elif word == "shape_key":
            header["shape_keys"][rest[0]] = {"default": json.loads(rest[1])}
        elif word == "inert_keys":
            header["inert_keys"] = rest[0].split(" ")
        elif word == "case":
            current = copy.deepcopy(cases[int(rest[0])]) if rest else {}
            cases.append(current)
        elif word == "runtime":
            runtime, current = True, {}  # its window is set anew
        elif word == "config":
            current.update(json.loads(rest[0]))
        elif word == "set" and not runtime:
            inner, key = descend(current, rest[0])
            inner[key] = json.loads(rest[1])
        elif word == "unset" and not runtime:
            inner, key = descend(current, rest[0])
            del inner[key]
    return header, cases, runtime


def read_real(path=TESTDATA / "real.txt"):
    """Name, origin and configuration text of each real configuration."""
    found = []
    for line in pathlib.Path(path).read_text().splitlines():
        word, *rest = line.split("\t")
        if word == "real":
            found.append({"file": rest[0] + ".json"})
        elif word == "origin":
            found[-1]["origin"] = rest[0]
        elif word == "config":
            found[-1]["config_text"] = rest[0]
    return found

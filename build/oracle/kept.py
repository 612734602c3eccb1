"""Fixtures whose cases are made one by one, and kept until they are made again."""


def read(path):
    """The lines of each case of a file, by its name."""
    cases = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        if line.startswith("case\t"):
            cases[line.split("\t")[1]] = mine = []
        if not line.startswith("#"):
            mine.append(line)
    return cases


def write(path, head, names, cases):
    """Writes the cases that there are, in the order of their names' list."""
    path.write_text("\n".join(head + [line for name in names if name in cases for line in cases[name]]) + "\n")

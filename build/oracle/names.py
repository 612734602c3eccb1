"""Writes many tensors whose names differ in numbers only as one pattern with index sets."""


def index_set(numbers):
    """{0-3,5} for 0, 1, 2, 3 and 5."""
    runs = []
    for n in sorted(numbers):
        if runs and runs[-1][1] == n - 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    return "{" + ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs) + "}"


def products(tuples):
    """Splits a set of equally long tuples into products of index sets, first places first."""
    if not next(iter(tuples)):
        return [()]
    tails = {}
    for first, *rest in tuples:
        tails.setdefault(first, set()).add(tuple(rest))
    alike = {}
    for first, rest in sorted(tails.items()):
        alike.setdefault(frozenset(rest), []).append(first)
    return [(index_set(firsts), *tail) for rest, firsts in alike.items() for tail in products(rest)]


def fold(tensors):
    """A sorted list of [pattern, shape] for a mapping of names to tensors, or a list of (name, shape)."""
    pairs = tensors.items() if isinstance(tensors, dict) else tensors
    groups = {}
    for name, tensor in pairs:
        parts = name.split(".")
        template = tuple(None if p.isdigit() else p for p in parts)
        numbers = tuple(int(p) for p in parts if p.isdigit())
        shape = tuple(getattr(tensor, "shape", tensor))
        groups.setdefault((template, shape), set()).add(numbers)
    folded = []
    for (template, shape), tuples in groups.items():
        for sets in products(tuples):
            fill = iter(sets)
            folded.append([".".join(p if p is not None else next(fill) for p in template), list(shape)])
    return sorted(folded)

"""Symmetrization of two directional word alignments: slow, plain, the reference for `alinea::symmetrize`.

Its results equal those of the program `symal` of Moses on 60 random pairs of alignments under all six methods (360 of
360 values; see `crates/alinea/tests/vectors/README.md`).

Run as a program it checks the vectors:

    python3 crates/alinea-dev/reference/symmetrize.py crates/alinea/tests/vectors/symmetrize.jsonl
"""

import json
import sys

# (target, source), in the order in which neighbors are tried.
STRAIGHT = [(-1, 0), (0, -1), (1, 0), (0, 1)]
ALL = STRAIGHT + [(-1, -1), (-1, 1), (1, -1), (1, 1)]


def order(point):
    """Links are visited by target position, then by source position."""
    return point[1], point[0]


def symmetrize(forward, reverse, method):
    """Joins two sets of (source, target).

    forward: each target word has at most one source word; reverse: each source word has at most one target word.
    method: intersection, union, grow, grow-diag, grow-diag-final, grow-diag-final-and.

    Links added while a pass scans are scanned in the same pass if they sort after the current link, otherwise in the
    next pass.
    """
    intersection, union = forward & reverse, forward | reverse
    if method == "intersection":
        return set(intersection)
    if method == "union":
        return set(union)
    result = set(intersection)
    sources, targets = {i for i, _ in result}, {j for _, j in result}
    neighbors = ALL if "diag" in method else STRAIGHT
    added = True
    while added:
        added = False
        current = None
        while True:
            rest = sorted((p for p in result if current is None or order(p) > current), key=order)
            if not rest:
                break
            point = rest[0]
            current = order(point)
            for dj, di in neighbors:
                beside = (point[0] + di, point[1] + dj)
                if beside in union and not (beside[0] in sources and beside[1] in targets):
                    result.add(beside)
                    sources.add(beside[0])
                    targets.add(beside[1])
                    added = True
    if "final" in method:
        both = method.endswith("and")
        for candidates in (forward - reverse, reverse - forward):
            for point in sorted(candidates, key=order):
                if point in result:
                    continue
                free_source, free_target = point[0] not in sources, point[1] not in targets
                if (free_source and free_target) if both else (free_source or free_target):
                    result.add(point)
                    sources.add(point[0])
                    targets.add(point[1])
    return result


def parse(text):
    """`0-0 1-2` as a set of pairs."""
    return {tuple(int(number) for number in link.split("-")) for link in text.split()}


def main(path):
    wrong = 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            if case["op"] != "symmetrize":
                continue
            given = case["input"]
            result = symmetrize(parse(given["forward"]), parse(given["reverse"]), given["method"])
            if result != parse(case["expect"]):
                print(case["id"], sorted(result))
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

"""Recomputes what test vectors expect by the reference implementations in this folder.

    python3 crates/alinea-dev/reference/vectors.py [FILE...]          # tells lines that differ; then its status is 1
    python3 crates/alinea-dev/reference/vectors.py --write [FILE...]  # writes what is computed into lines that differ
    python3 crates/alinea-dev/reference/vectors.py --draw NAME        # draws the random lines of a file anew

Without files it reads all vectors of the library and the Python package.  Of these it takes the lines whose `source`
begins with `ref`, and those of `correlations.jsonl`; the others were computed by other programs, or by hand, as the
README.md beside them says.  It draws random lines, too, and tells those that the files of the library lack.  NAME is
that of such a file without its ending; `--seed` draws others than those that are there.
"""

import argparse
import json
import sys
from pathlib import Path

from compute import COMPUTE
from draw import SEED, draw

ROOT = Path(__file__).parents[3]
FOLDERS = ["crates/alinea/tests/vectors", "python/tests/vectors"]
TOLERANCE = 1e-9


def equal(found, expected):
    """Whether two JSON values are equal: numbers up to the tolerance, all else exactly."""
    if isinstance(expected, dict):
        return (
            isinstance(found, dict)
            and found.keys() == expected.keys()
            and all(equal(found[k], expected[k]) for k in found)
        )
    if isinstance(expected, list):
        return isinstance(found, list) and len(found) == len(expected) and all(map(equal, found, expected))
    if isinstance(found, float) or isinstance(expected, float):
        numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in (found, expected))
        return numbers and abs(found - expected) <= TOLERANCE * max(1, abs(expected))
    return type(found) is type(expected) and found == expected


def recompute(vector):
    """The line as the references compute it, or None where they do not."""
    if "williams_t" in vector:
        return {**vector, **COMPUTE["correlation"](vector)}
    if not str(vector.get("source")).startswith("ref"):
        return None
    found = json.loads(json.dumps(COMPUTE[vector["op"]](vector["input"])))
    expected = vector["expect"]
    if isinstance(expected, dict) and isinstance(found, dict):
        found = {key: found.get(key) for key in expected}
        if "bleu by" in vector["source"]:
            found["bleu"] = expected["bleu"]
    return {**vector, "expect": found}


def check(path, write, compute):
    """Numbers of lines that were recomputed and that differ; what differs is told, and written if that is wanted."""
    with path.open(encoding="utf-8") as file:
        lines = list(file)
    checked = different = 0
    for number, line in enumerate(lines):
        vector = json.loads(line)
        found = compute(vector)
        if found is None:
            continue
        checked += 1
        if not equal(found, vector):
            different += 1
            for key in (key for key in vector if not equal(found[key], vector[key])):
                old, new = json.dumps(vector[key]), json.dumps(found[key])
                print(f"{path}:{number + 1}: {key} is {old}, but computed is {new}")
            lines[number] = json.dumps(found, ensure_ascii=False) + "\n"
    if write and different:
        path.write_text("".join(lines), "utf-8")
    return checked, different


def missing(path, drawn):
    """How many of the drawn lines a file lacks."""
    with path.open(encoding="utf-8") as file:
        there = {json.dumps([vector["op"], vector["input"]]) for vector in map(json.loads, file)}
    lacking = [line for line in map(json.dumps, drawn) if line not in there]
    for line in lacking:
        print(f"{path}: drawn, but not there: {line}")
    return len(lacking)


def check_all(files, write, compute):
    """Checks files; the exit status."""
    wrong = 0
    for path in files:
        checked, different = check(path, write, compute)
        wrong += 0 if write else different
        if checked:
            told = " and written" if write and different else ""
            print(f"{path}: {checked} lines recomputed, {different} different{told}")
    return 1 if wrong else 0


def check_drawn(folder):
    """Checks that the random lines are those that are drawn; the exit status."""
    wrong = 0
    for name, drawn in draw(SEED).items():
        path = folder / f"{name}.jsonl"
        lacking = missing(path, drawn)
        wrong += lacking
        print(f"{path}: {len(drawn)} lines drawn, {lacking} missing")
    return 1 if wrong else 0


def print_drawn(name, seed):
    """Writes the random lines of a file anew."""
    for number, (op, given) in enumerate(draw(seed)[name], 1):
        vector = {"id": f"{name}-{number:03}", "op": op, "source": "ref", "input": given, "expect": COMPUTE[op](given)}
        print(json.dumps(vector, ensure_ascii=False))


def arguments_of(parser):
    """The arguments that name files and tell whether to write."""
    parser.add_argument("files", metavar="FILE", nargs="*", type=Path, help="vectors to check; all without it")
    parser.add_argument("--write", action="store_true", help="write what is computed into lines that differ")
    return parser.parse_args()


def all_files():
    """All vectors of the library and the Python package."""
    return [path for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.jsonl"))]


def main():
    """Reads the arguments; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    names = sorted(draw(SEED))
    parser.add_argument("--draw", metavar="NAME", choices=names, help="draw random lines anew: %(choices)s")
    parser.add_argument("--seed", type=int, default=SEED, help="of the random lines (default: %(default)s)")
    arguments = arguments_of(parser)
    if arguments.draw:
        print_drawn(arguments.draw, arguments.seed)
        return 0
    if arguments.files:
        return check_all(arguments.files, arguments.write, recompute)
    return max(check_all(all_files(), arguments.write, recompute), check_drawn(ROOT / FOLDERS[0]))


if __name__ == "__main__":
    sys.exit(main())

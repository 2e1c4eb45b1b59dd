"""Compares the vectors of symmetrization with the program `symal` of Moses.

    git clone https://github.com/moses-smt/mosesdecoder && cd mosesdecoder && git checkout 3445289
    gcc -O1 -c symal/cmd.c && g++ -O1 symal/symal.cpp cmd.o -o symal.bin
    python3 crates/alinea-dev/reference/symal.py PATH/TO/symal.bin crates/alinea/tests/vectors/symmetrize.jsonl

Its input has a count, and for both sides the number of words, the words, `#`, and for each word the position of its
partner from 1, or 0; target first.
"""

import json
import subprocess
import sys

from symmetrize import parse

OPTIONS = {
    "intersection": ["-alignment=intersect"],
    "union": ["-alignment=union"],
    "grow": ["-alignment=grow"],
    "grow-diag": ["-alignment=grow", "-diagonal=yes"],
    "grow-diag-final": ["-alignment=grow", "-diagonal=yes", "-final=yes"],
    "grow-diag-final-and": ["-alignment=grow", "-diagonal=yes", "-final=yes", "-both=yes"],
}


def side(length, partners):
    """The lines of one side."""
    words = " ".join("w" * length)
    return f"{length} {words} # {' '.join(str(partners.get(word, -1) + 1) for word in range(length))}"


def joined(program, forward, reverse, method):
    """What the program makes of two sets of links, written as (source, target)."""
    both = forward | reverse
    lengths = [max((link[end] for link in both), default=0) + 1 for end in (0, 1)]
    target = side(lengths[1], {j: i for i, j in forward})
    source = side(lengths[0], dict(reverse))
    given = f"1\n{target}\n{source}\n"
    return parse(
        subprocess.run([program, *OPTIONS[method]], input=given, capture_output=True, text=True, check=True).stdout
    )


def main(program, path):
    """Tells lines that differ; the exit status."""
    compared = different = 0
    with open(path, encoding="utf-8") as lines:
        for vector in map(json.loads, lines):
            if "symal" in vector["source"]:
                given = vector["input"]
                found = joined(program, parse(given["forward"]), parse(given["reverse"]), given["method"])
                compared += 1
                if found != parse(vector["expect"]):
                    different += 1
                    print(f"{vector['id']}: symal has {sorted(found)}")
    print(f"{compared} lines compared, {different} different")
    return 1 if different or not compared else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

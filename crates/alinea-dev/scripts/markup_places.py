"""Compares places of tags: those of translators, and those that `alinea project markup` found.

    zstd -dc en-de.jsonl.zst | python markup_places.py split /tmp/en-de   # .source .plain .gold, a segment a line
    alinea project markup /tmp/en-de.source /tmp/en-de.plain -o /tmp/en-de.found
    python markup_places.py score /tmp/en-de.gold /tmp/en-de.found
    alinea project markup /tmp/en-de.source /tmp/en-de.plain --write-words /tmp/s /tmp/t -o /dev/null
    alinea align /tmp/s /tmp/t --posteriors /tmp/links -o /dev/null
    python markup_places.py hull /tmp/en-de /tmp/s /tmp/t /tmp/links 0.36  # the baselines
    python markup_places.py proportional /tmp/en-de

The input of `split` has JSON lines with `source` and `target`, both with tags, all of which are elements. `score`
prints the share of pairs of tags that are exactly where they are in the gold file, of those with both borders at most
one word away, and of segments in which all are exact; for all segments, odd-numbered and even-numbered ones. Then for
each name the share of exact ones. `hull` scores stretches from the first to the last word that is linked into a pair,
with a confidence of that much if links have some; `proportional` the same share of the words of the target.
"""

from __future__ import annotations

import html
import json
import re
import sys
from collections import Counter
from pathlib import Path

TAG = re.compile(r"<(/?)([A-Za-z_][\w.:-]*)[^<>]*?(/?)>")
WORD = re.compile(
    r"[\u30a1-\u30fa\u30fc]+|[\u3041-\u309f\u3005-\u3007\u3400-\u9fff\uf900-\ufaff]|[^\W_\u3005-\u9fff]+|[^\w\s]|_"
)
Pair = tuple[str, int, int]


def plain(line: str) -> str:
    """The text without its tags."""
    return html.unescape(TAG.sub("", line))


def cut(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A word, cut before capitals behind small letters."""
    cuts = [at for at in range(start + 1, end) if text[at - 1].islower() and text[at].isupper()]
    return list(zip([start, *cuts], [*cuts, end], strict=True))


def stretches(line: str) -> tuple[str, list[Pair]]:
    """The text of a line, and its pairs of tags: name, first character, the one behind the last."""
    text, opened, found = "", [], []
    at = 0
    for tag in TAG.finditer(line):
        text += html.unescape(line[at : tag.start()])
        at = tag.end()
        if tag[1]:
            name, start = opened.pop()
            found.append((name, start, len(text)))
        elif not tag[3]:
            opened.append((tag[2], len(text)))
    return text + html.unescape(line[at:]), found


def words_of(text: str) -> list[tuple[int, int]]:
    """Where the words of a text stand."""
    return [span for word in WORD.finditer(text) for span in cut(text, *word.span())]


def in_words(text: str, found: list[Pair]) -> list[Pair]:
    """Pairs by words: name, first word, the word behind the last one."""
    words = words_of(text)

    def before(place: int) -> int:
        return sum(end <= place for _, end in words)

    def until(place: int) -> int:
        return sum(start < place for start, _ in words)

    return [(name, before(start), max(before(start), until(end))) for name, start, end in found]


def pairs(line: str) -> list[Pair]:
    """The pairs of tags of a line, by words."""
    return in_words(*stretches(line))


def spans(text: str, words: list[str]) -> list[tuple[int, int]]:
    """Where words stand in a text."""
    found = []
    at = 0
    for word in words:
        at = text.index(word, at)
        found.append((at, at + len(word)))
        at += len(word)
    return found


def hull(source: str, target: str, words: tuple[list[str], list[str]], links: str, least: float) -> list[Pair]:
    """The pairs of a segment, in its translation, from the first word that is linked into it to the last."""
    text, found = stretches(source)
    of_source, of_target = spans(text, words[0]), spans(target, words[1])
    cells = []
    for link in links.split():
        cell, _, confidence = link.partition(":")
        if float(confidence or 1) >= least:
            cells.append(tuple(map(int, cell.split("-"))))
    placed = []
    for name, start, end in found:
        linked = [of_target[j] for i, j in cells if start <= of_source[i][0] and of_source[i][1] <= end]
        if linked:
            placed.append((name, min(linked)[0], max(linked)[1]))
    return in_words(target, placed)


def proportional(source: str, target: str) -> list[Pair]:
    """The pairs of a segment, at the same share of the words of the translation."""
    text, found = stretches(source)
    factor = len(words_of(target)) / max(len(words_of(text)), 1)
    return [(name, round(start * factor), round(end * factor)) for name, start, end in in_words(text, found)]


def near(gold: list[Pair], found: list[Pair]) -> int:
    """How many have a partner whose borders are at most one word away."""
    left, number = list(gold), 0
    for name, start, end in found:
        partner = next((p for p in left if p[0] == name and abs(p[1] - start) <= 1 and abs(p[2] - end) <= 1), None)
        if partner:
            left.remove(partner)
            number += 1
    return number


def score(gold_lines: list[str], found_pairs: list[list[Pair]]) -> None:
    """Prints shares."""
    names: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for label, parity in (("all", None), ("odd", 1), ("even", 0)):
        total = exact = nearly = segments = whole = 0
        for number, (gold_line, found) in enumerate(zip(gold_lines, found_pairs, strict=True), 1):
            gold = pairs(gold_line)
            if not gold or (parity is not None and number % 2 != parity):
                continue
            hits = Counter(gold) & Counter(found)
            total, exact, segments = total + len(gold), exact + hits.total(), segments + 1
            nearly += near(gold, found)
            whole += hits.total() == len(gold)
            if parity is None:
                names.update(name for name, *_ in gold)
                right.update(name for name, *_ in hits.elements())
        shares = [100 * exact / total, 100 * nearly / total, 100 * whole / segments]
        print(label, total, segments, *(f"{share:.1f}" for share in shares))
    for name, number in names.most_common(10):
        print(name, number, f"{100 * right[name] / number:.1f}")


def lines(path: str) -> list[str]:
    """The lines of a file."""
    return Path(path).read_text(encoding="utf-8").split("\n")[:-1]


def split(to: str) -> None:
    """Writes segments, translations without tags, and translations with tags."""
    rows = [json.loads(line) for line in sys.stdin]
    for ending, written in (
        ("source", [row["source"] for row in rows]),
        ("plain", [plain(row["target"]) for row in rows]),
        ("gold", [row["target"] for row in rows]),
    ):
        Path(f"{to}.{ending}").write_text("".join(f"{line}\n" for line in written), encoding="utf-8")


def main() -> None:
    """Does what the arguments say."""
    match sys.argv[1:]:
        case ["split", to]:
            split(to)
        case ["score", gold, found]:
            score(lines(gold), [pairs(line) for line in lines(found)])
        case ["hull", base, *words, links, least] if len(words) == 2:
            cut_lines = [[line.split(" ") if line else [] for line in lines(path)] for path in words]
            rows = zip(lines(f"{base}.source"), lines(f"{base}.plain"), *cut_lines, lines(links), strict=True)
            found_pairs = [hull(source, target, (s, t), cells, float(least)) for source, target, s, t, cells in rows]
            score(lines(f"{base}.gold"), found_pairs)
        case ["proportional", base]:
            sides = zip(lines(f"{base}.source"), lines(f"{base}.plain"), strict=True)
            score(lines(f"{base}.gold"), [proportional(*side) for side in sides])
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()

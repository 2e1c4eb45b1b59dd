"""Pictures of an aligned sentence: graphs for Graphviz, and SVG that needs no other program."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from alinea._sentence import AlignedSentence

_ADVANCE, _GAP, _MARGIN = 9, 16, 10
_TOP, _BOTTOM, _HEIGHT = 20, 100, 120


def dot(pair: AlignedSentence) -> str:
    """The graph, with nodes ``source_0``, ``source_1``, ..., ``target_0``, ...: equal words are different nodes."""
    return graph(pair, pair.alignment.links(), lambda side, position, _: f"{side}_{position}")


def graph(pair: AlignedSentence, links: Iterable[tuple[Any, ...]], name: Callable[[str, int, str], str]) -> str:
    """The graph of some links, with nodes named by side, position and word: sides in a rank, words in order.

    Raises:
        ValueError: A word has a NUL character.
    """
    labels = {side: list(map(_quoted, words)) for side, words in (("source", pair.words), ("target", pair.mots))}
    nodes = {side: [f'"{name(side, n, word)}"' for n, word in enumerate(words)] for side, words in labels.items()}
    lines = ["graph align {", "node[shape=plaintext]"]
    for side in ("source", "target"):
        lines += [f'{node} [label="{word}"] ' for node, word in zip(nodes[side], labels[side], strict=True)]
    lines += [f"{nodes['source'][i]} -- {nodes['target'][j]} " for i, j in links]
    for side in ("source", "target"):
        row = nodes[side]
        lines += [f"{left} -- {right} [style=invis]" for left, right in pairwise(row)]
    lines += [f"{{rank = same; {' '.join(nodes[side])}}}" for side in ("source", "target")]
    return "\n".join([*lines, "}"])


def svg(pair: AlignedSentence) -> str:
    """The words of both sentences in two rows, a line for each link."""
    rows = [_row(pair.words), _row(pair.mots)]
    width = max(end for _, end in rows)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{_HEIGHT}" text-anchor="middle"']
    lines[0] += ' font-family="monospace" font-size="15">'
    for i, j in pair.alignment.links():
        ends = (rows[0][0][i], _TOP + 6, rows[1][0][j], _BOTTOM - 16)
        lines.append('<line x1="{}" y1="{}" x2="{}" y2="{}" stroke="gray"/>'.format(*ends))
    for (centers, _), words, y in zip(rows, (pair.words, pair.mots), (_TOP, _BOTTOM), strict=True):
        lines += [
            f'<text x="{x}" y="{y}">{escape(_printable(word))}</text>' for x, word in zip(centers, words, strict=True)
        ]
    return "\n".join([*lines, "</svg>"])


def _row(words: list[Any]) -> tuple[list[int], int]:
    """Where the middle of each word is, and where the row ends."""
    centers, x = [], _MARGIN
    for word in words:
        width = max(len(_printable(word)), 1) * _ADVANCE
        centers.append(x + width // 2)
        x += width + _GAP
    return centers, max(x - _GAP, _MARGIN) + _MARGIN


def _printable(word: object) -> str:
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in _text(word))


def _quoted(word: object) -> str:
    text = _text(word)
    if "\0" in text:
        raise ValueError(f"a word with a NUL character cannot be drawn: {text!r}")
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")


def _text(word: object) -> str:
    """The characters of a word, also of one whose class says other things of itself."""
    return str.__getitem__(word, slice(None)) if isinstance(word, str) else str(word)

"""LRscore, which compares the orders of the source words in translations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from alinea import _errors, _native
from alinea._links import Alignments, LinkArray, arrays
from alinea.metrics._metrics import Bleu, Metric
from alinea.metrics._text import Lines, read
from alinea.metrics._words import OrderName

_BLANKS = re.compile("[ \t]+")


def linked_lines(lines: Lines, *, source: Lines, links: Alignments) -> list[str]:
    r"""Lines with the links from the words of their source, as :class:`LrScore` reads them.

    >>> from alinea.metrics import linked_lines
    >>> linked_lines(["la maison"], source=["the house !"], links=["0-0 1-1"])
    ['3\t0-0 1-1\tla maison']

    Args:
        lines: The lines of a system, or of a stream of references, tokenized.
        source: The source of each, tokenized.
        links: The links of each, words of the source first.

    Raises:
        Error: Their numbers differ, or a link is outside its sentences.
        TypeError: A line is not a ``str``, or links have the wrong type.
    """
    texts, sources, of_lines = read(lines, "lines"), read(source, "source"), _each(links)
    for name, count in (("source", len(sources)), ("links", len(of_lines))):
        if count != len(texts):
            raise _errors.Error(f"unequal lengths: lines has {len(texts)} segments, {name} has {count}")
    return [_linked(number, *of_line) for number, of_line in enumerate(zip(texts, sources, of_lines, strict=True))]


def _each(links: Alignments) -> Sequence[LinkArray]:
    found = arrays(links, "links")
    if isinstance(found, tuple):
        offsets, rows = found
        return [rows[start:end] for start, end in pairwise(offsets)]
    return found


def _linked(number: int, line: str, source: str, links: LinkArray) -> str:
    words, others = _words(source), _words(line)
    pairs: list[tuple[int, int]] = sorted({(int(one), int(other)) for one, other in links})
    for one, other in pairs:
        if one >= words or other >= others:
            lengths = f"the source has {words} word{'s' * (words != 1)}, the target {others}"
            raise _errors.Error(f"links[{number}]: link {one}-{other} is out of range, {lengths}")
    return f"{words}\t{' '.join(f'{one}-{other}' for one, other in pairs)}\t{line}"


def _words(line: str) -> int:
    """The number of words between blanks and tabs."""
    return len([word for word in _BLANKS.split(line) if word])


@dataclass(frozen=True)
class LrScore(Metric):
    """LRscore (Birch and Osborne 2010): ``alpha * order + (1 - alpha) * BLEU``, 0 to 1.

    The order of the words of the source in the translation, by links, is compared with that in the reference, sentence
    by sentence, times the brevity penalty; of several references the best counts. Lines come from :func:`linked_lines`.

    >>> from alinea.metrics import LrScore, linked_lines
    >>> source, reference = ["er hat ihn gesehen"], ["he has seen him"]
    >>> references = linked_lines(reference, source=source, links=["0-0 1-1 2-3 3-2"])
    >>> hypotheses = linked_lines(["he has him seen"], source=source, links=["0-0 1-1 2-2 3-3"])
    >>> score = LrScore("hamming", alpha=1).score(hypotheses, references=references)
    >>> score.value
    0.5

    Attributes:
        kind: How orders are compared; see :class:`Order`. The paper has ``"hamming"`` and ``"kendall-sqrt"``.
        alpha: The share of the order, from 0 to 1; the paper tuned it for each pair of languages.
        bleu: The other part. Lines are tokenized, as links are between words, so BLEU cuts them at blanks.
    """

    kind: OrderName = "kendall-sqrt"
    alpha: float = 0.5
    bleu: Bleu = field(default_factory=lambda: Bleu(tokenizer="none"))

    def _metric(self, references: Sequence[Sequence[str]]) -> _native.Metric:
        return _native.lr_metric(self.bleu._metric(references), kind=self.kind, alpha=self.alpha)

    def _of_segments(self, native: _native.Metric) -> _native.Metric:  # noqa: ARG002
        return replace(self, bleu=replace(self.bleu, effective_order=True))._metric([])

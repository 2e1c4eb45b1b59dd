"""Error analysis: scores by bucket, gains over a baseline, and a page with alignments and their evaluation.

:func:`breakdown` evaluates links by distance from the diagonal, word frequency, tag or fertility; :func:`gains` is
:func:`compare` with relative differences; :func:`write_page` writes the HTML page of ``alinea view``. All of it is
computed by the native module (crates ``alinea-text``, module ``evaluate``, and ``alinea``, module ``view``).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from alinea import _native
from alinea._annotators import References
from alinea._errors import config_error
from alinea._evaluation import people_of
from alinea._links import (
    Alignments,
    Annotators,
    GoldAlignment,
    Links,
    Posteriors,
    Sentences,
    arrays,
    pairs_of_arrays,
)
from alinea._projection import Trees, trees_of
from alinea._warnings import warn_of_few

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Bucket:
    """The scores of links that have something in common; see :func:`breakdown`.

    Scores and counts are those of :class:`Evaluation`, of these links alone.

    >>> import alinea
    >>> [bucket.label for bucket in alinea.breakdown(["0-0"], ["0-0"])]
    ['0', '1', '2', '3', '4+']

    Attributes:
        label: What they have in common.
    """

    label: str
    precision: float | None
    recall: float | None
    f: float | None
    aer: float | None
    hypothesis: int
    sure: int
    possible: int
    in_sure: int
    in_possible: int


@dataclass(frozen=True)
class Gain:
    """What is gained in one score; see :func:`gains`.

    >>> import alinea
    >>> alinea.gains(["0-0 1-1"] * 300, ["0-0"] * 300, ["0-0 1-1"] * 300).recall.absolute
    0.5

    Attributes:
        absolute: New minus old; ``None`` if one is not defined.
        absolute_interval: Its confidence interval, both ends included; ``None`` if it is defined in no sample.
        relative: New minus old as a share of the old; ``None`` if that is 0, too.
        relative_interval: Its confidence interval.
    """

    absolute: float | None
    absolute_interval: tuple[float, float] | None
    relative: float | None
    relative_interval: tuple[float, float] | None


@dataclass(frozen=True)
class Gains:
    """What a system gains over a baseline; see :func:`gains`.

    >>> import alinea
    >>> alinea.gains(["0-0 1-1"] * 300, ["0-0"] * 300, ["0-0 1-1"] * 300).precision.absolute
    0.0

    Attributes:
        precision: In precision.
        recall: In recall.
        f: In F.
        aer: In the alignment error rate, where a negative gain is an improvement.
    """

    precision: Gain
    recall: Gain
    f: Gain
    aer: Gain


def breakdown(
    gold: Iterable[GoldAlignment | Links] | Alignments | Annotators,
    hypotheses: Alignments,
    *,
    side: Literal["source", "target"] = "source",
    lengths: Iterable[tuple[int, int]] | None = None,
    frequencies: Iterable[Iterable[int]] | None = None,
    tags: Iterable[Iterable[str]] | None = None,
    references: References = "instances",
    annotated_only: bool = False,
    alpha: float = 0.5,
) -> list[Bucket]:
    """Partitions links into buckets and evaluates each, to locate errors.

    By the distance from the diagonal if there are ``lengths``, by the ``frequencies`` or the ``tags`` of the words of
    one side if these are given, and otherwise by fertility, the number of gold links of the word.

    >>> import alinea
    >>> buckets = alinea.breakdown(["0-0 1-1 1-2"], ["0-0 1-1"], tags=[["DET", "NOUN"]])
    >>> [(bucket.label, bucket.recall) for bucket in buckets]
    [('DET', 1.0), ('NOUN', 0.5)]

    Args:
        gold: The gold standard, or the links of several annotators; see :func:`evaluate`.
        hypotheses: The alignments to evaluate, as many.
        side: Whose words have the frequencies, tags or fertilities.
        lengths: The numbers of source and of target words of each sentence pair.
        frequencies: A number for each word of each sentence of that side.
        tags: A tag, such as its part of speech, for each word of each sentence of that side.
        references: As in :func:`evaluate`.
        annotated_only: Whether only links between words that both have a gold link count.
        alpha: The weight of precision in ``f``, from 0 to 1.

    Returns:
        The buckets in order; those into which no link fell are among them.

    Raises:
        Error: There are more or fewer hypotheses than gold alignments, or a link is between words without the given
            attribute.
        ParseError: A line is not in Pharaoh format.
        ConfigError: ``side``, ``references`` or ``alpha`` is not allowed, or more than one of ``lengths``,
            ``frequencies`` and ``tags`` is given.
    """
    if side not in ("source", "target"):
        raise config_error("side", side, "source or target")
    attributes = {"lengths": lengths, "frequencies": frequencies, "tags": tags}
    given = [name for name, values in attributes.items() if values is not None]
    if len(given) > 1:
        raise config_error(given[1], "given", f"unset if {given[0]} is given")
    attribute: list[tuple[int, int]] | list[list[int]] | list[list[str]] | None = None
    if lengths is not None:
        attribute = list(lengths)
    elif frequencies is not None:
        attribute = [list(sentence) for sentence in frequencies]
    elif tags is not None:
        attribute = [list(sentence) for sentence in tags]
    judged = arrays(hypotheses, "hypotheses")
    buckets = _native.breakdown(people_of(gold), judged, attribute, side == "target", references, annotated_only, alpha)
    return [_bucket(*bucket) for bucket in buckets]


def gains(
    gold: Iterable[GoldAlignment | Links] | Alignments | Annotators,
    baseline: Alignments,
    system: Alignments,
    *,
    references: References = "instances",
    annotated_only: bool = False,
    alpha: float = 0.5,
    samples: int = 1000,
    confidence: float = 0.95,
    seed: int = 12345,
) -> Gains:
    """Computes the gains of a system over a baseline, absolute and relative, with paired bootstrap intervals.

    >>> import alinea
    >>> gold = ["0-0 1-1", "0-0 1-1"] * 150
    >>> found = alinea.gains(gold, ["0-0", "0-0 1-1"] * 150, gold)
    >>> found.recall.absolute, round(found.recall.relative, 4)
    (0.25, 0.3333)
    >>> low, high = found.recall.absolute_interval
    >>> 0.2 < low < 0.25 < high < 0.3
    True

    Args:
        gold: The gold standard, or the links of several annotators; see :func:`evaluate`.
        baseline: The alignments of the baseline, as many.
        system: Those of the system.
        references: As in :func:`evaluate`.
        annotated_only: Whether only links between words that both have a gold link count.
        alpha: The weight of precision in ``f``, from 0 to 1.
        samples: The number of samples (Koehn 2004), which take the same sentences of both.
        confidence: That of the intervals, between 0 and 1.
        seed: Equal seeds draw equal samples.

    Raises:
        Error: There are more or fewer alignments than gold alignments, or none.
        ParseError: A line is not in Pharaoh format.
        ConfigError: An option has a value that is not allowed.

    Warns:
        FewSegmentsWarning: There are fewer than 300 sentences. One has no intervals.
    """
    sentences, found = _native.gains(
        people_of(gold),
        arrays(baseline, "baseline"),
        arrays(system, "system"),
        references,
        annotated_only,
        alpha,
        {"samples": samples, "seed": seed, "confidence": confidence},
    )
    warn_of_few(sentences, "sentence")
    precision, recall, f, aer = (Gain(*absolute, *relative) for absolute, relative in found)
    return Gains(precision, recall, f, aer)


def write_page(
    path: str | os.PathLike[str],
    source: Sentences,
    target: Sentences,
    links: Mapping[str, Iterable[GoldAlignment | Links] | Alignments | Posteriors],
    *,
    gold: Mapping[str, Iterable[GoldAlignment | Links] | Alignments] | None = None,
    title: str = "Alignments",
    source_trees: Trees | None = None,
    target_trees: Trees | None = None,
) -> None:
    r"""Writes alignments as one HTML file for a browser: pictures of pairs, and their evaluation by a gold standard.

    >>> import alinea, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "page.html")
    ...     alinea.write_page(path, ["das Haus"], ["the house"], {"ours": ["0-0 1-1"]}, gold={"people": ["0-0"]})
    ...     path.read_text().split("\n")[0]
    '<!DOCTYPE html>'

    Args:
        path: Where to write. The file is complete or absent.
        source: The source sentences.
        target: Their translations, as many.
        links: Sets of links to show and to compare, by their names. Those of :class:`Posteriors` fade with their
            confidences, and with a gold standard the page has a precision–recall curve and a reliability
            diagram.
        gold: Gold standards, by their names.
        title: The title of the page.
        source_trees: Trees to draw above the source words, one for each sentence that is not empty.
        target_trees: Trees to draw below the target words.

    Raises:
        Error: There are more or fewer sentences on one side, links, confidences or trees; a tree is of other words
            than its sentence; two sets have one name, or there are none.
        ParseError: A line is not in Pharaoh format, or a tree is malformed.
        ConfigError: A confidence is no number.
        OSError: The file cannot be written.
    """
    layers: list[dict[str, object]] = []
    for name, given in links.items():
        if isinstance(given, Posteriors):
            confidences = np.asarray(given.confidences, dtype=np.float32)
            layers.append(_layer(name, given.links, confidences))
        else:
            layers.append(_layer(name, given))
    layers.extend(_layer(name, given, gold=True) for name, given in (gold or {}).items())
    _native.write_page(
        path,
        source,
        target,
        layers,
        title=title,
        source_trees=None if source_trees is None else trees_of(source_trees, "source_trees"),
        target_trees=None if target_trees is None else trees_of(target_trees, "target_trees"),
    )


def _layer(
    name: str,
    links: Iterable[GoldAlignment | Links] | Alignments,
    confidences: NDArray[np.float32] | None = None,
    *,
    gold: bool = False,
) -> dict[str, object]:
    return {"name": name, "gold": gold, "pairs": pairs_of_arrays(links), "confidences": confidences}


def _bucket(label: str, scores: list[float | None], counts: list[int]) -> Bucket:
    precision, recall, f, aer = scores
    hypothesis, sure, possible, in_sure, in_possible = counts
    return Bucket(label, precision, recall, f, aer, hypothesis, sure, possible, in_sure, in_possible)


for _public in (Bucket, Gain, Gains, breakdown, gains, write_page):
    _public.__module__ = "alinea"

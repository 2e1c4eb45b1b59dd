"""What models are trained on and how: the arguments that several functions share, as the native module takes them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, SupportsFloat, TypeAlias

from alinea._links import Alignments, GoldAlignment, LinkArray, Links, Sentences, items, pairs_of_arrays
from alinea._tables import Classes, class_numbers

if TYPE_CHECKING:
    from alinea._encoder import TextEncoder

Model: TypeAlias = Literal["agreement-loo", "quality", "agreement", "hmm", "ibm1", "default"]
"""The name of an alignment model; see :func:`align`."""

ChainModel: TypeAlias = Literal["ibm2", "diagonal", "ibm3", "ibm4", "ibm5"]
"""The name of a model that ends a chain of textbook models; see :func:`align`."""

Method: TypeAlias = Literal[
    "intersection",
    "union",
    "grow",
    "grow-diag",
    "grow-diag-final",
    "grow-diag-final-and",
    "intersect",
    "gd",
    "grow_diag",
    "gdf",
    "grow_diag_final",
    "gdfa",
    "grow_diag_final_and",
]
"""The name of a way to join two directions, or an abbreviation; see :func:`symmetrize`."""

Tokenize: TypeAlias = Literal["none", "whitespace", "unicode", "script", "dictionary"] | str
"""How a sentence that is a ``str`` is cut into words; see :func:`align`. The ``str`` is ``"sentencepiece:FILE"``."""

Entry: TypeAlias = tuple[str, str] | tuple[str, str, float]
"""A source word, a target word, and perhaps how much the pair of them counts; see :func:`align`."""

Iterations: TypeAlias = int | tuple[int, int] | str
"""Passes of training; see :func:`align`."""

Added: TypeAlias = Iterable[tuple[Sentences, Sentences]]
"""Texts to learn from beside the one to be aligned, each a source and its target; see :func:`align`."""

GivenLinks: TypeAlias = Iterable[GoldAlignment | Links | None] | Alignments
"""Links of the first sentence pairs, known beforehand; see :func:`align`."""

Encode: TypeAlias = Literal["all"] | int | str
"""Which sentence pairs are encoded: all, so many, or a share of the words such as ``"30%"``; see :func:`align`."""

Purpose: TypeAlias = Literal["sure", "balanced", "full"]
"""What links are for; see :func:`align`."""

LinkKind: TypeAlias = Literal["sure", "possible"]
"""What confidences are the probability of; see :func:`posteriors`."""

_ENTRY_WEIGHT = 0.01


def recipe_of(
    model: Model | ChainModel,
    iterations: Iterations | None,
    pegging: bool,
    checkpoint: str | os.PathLike[str] | None,
) -> dict[str, object]:
    """What is trained, and how long."""
    return {"model": model, "iterations": iterations, "pegging": pegging, "checkpoint": checkpoint}


def data_of(
    added: Added,
    weight: float | Iterable[float] | None,
    dictionary: Iterable[Entry],
    links: GivenLinks,
    *,
    gold: GivenLinks = (),
    annotated_only: bool = False,
    source_classes: Classes | None = None,
    target_classes: Classes | None = None,
    encoder: TextEncoder | None = None,
) -> dict[str, object]:
    """Further training data: added texts, a dictionary, known links, gold links, word vectors."""
    texts = list(added)
    weights: list[float] = []
    if weight is not None:
        weights = [float(weight)] if isinstance(weight, (int, float)) else list(weight)
    return {
        "added": texts,
        "weights": weights,
        "dictionary": entries_of(dictionary),
        "links": links_of(links),
        "gold": links_of(gold, "gold"),
        "annotated_only": annotated_only,
        "classes": _both_classes(source_classes, target_classes),
        "encoder": encoder,
    }


def links_of(links: GivenLinks, name: str = "links") -> os.PathLike[str] | list[tuple[int, LinkArray, LinkArray]]:
    """Links of the first pairs, the argument ``name``: a file, or those of each pair that has any."""
    return links if isinstance(links, os.PathLike) else _known(items(links, name))


def entries_of(dictionary: Iterable[Entry]) -> list[tuple[str, str, float]]:
    """The entries of a dictionary, each with a weight."""
    return [_entry(entry, f"dictionary[{number}]") for number, entry in enumerate(dictionary)]


def _entry(entry: object, place: str) -> tuple[str, str, float]:
    """An entry with a weight."""
    match tuple(entry) if isinstance(entry, Iterable) and not isinstance(entry, str) else ():
        case (str(source), str(target)):
            return source, target, _ENTRY_WEIGHT
        case (str(source), str(target), SupportsFloat() as weight):
            return source, target, float(weight)
    raise TypeError(f"{place}: expected a source word, a target word and perhaps a weight, not {entry!r}")


def decoding_of(
    threshold: float | str | None = None,
    objective: str | None = None,
    symmetrize: Method | None = None,
    *,
    least: float | None = None,
    calibrated: LinkKind | None = None,
) -> dict[str, object]:
    """How links are read off a model; ``least`` is what a threshold is called where all likely links are wanted."""
    return {
        "threshold": threshold,
        "least": least,
        "objective": objective,
        "symmetrize": symmetrize,
        "calibrated": calibrated,
    }


def reading_of(tokenize: Tokenize, lowercase: bool, max_length: int) -> dict[str, object]:
    """How sentences become words."""
    return {"tokenize": tokenize, "lowercase": lowercase, "max_length": max_length}


def _known(pairs: Iterable[GoldAlignment | Links | None]) -> list[tuple[int, LinkArray, LinkArray]]:
    """The numbers of the pairs whose links are given, with the sure and the possible ones."""
    given = [(n, links) for n, links in enumerate(pairs) if links is not None]
    gold = pairs_of_arrays(links for _, links in given)
    return [(n, sure, possible) for (n, _), (sure, possible) in zip(given, gold, strict=True)]


def _both_classes(source: Classes | None, target: Classes | None) -> tuple[object, object] | None:
    """The classes of both sides."""
    if source is None and target is None:
        return None
    if source is None or target is None:
        raise ValueError("source_classes and target_classes: both are needed, or none")
    return class_numbers(source, "source_classes"), class_numbers(target, "target_classes")

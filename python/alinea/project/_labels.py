"""Labels of words, such as names, carried over links to the translation.

A label finds its words by the probabilities of links and by what is labeled elsewhere in the text; the native module
does the work (crate ``alinea-order``, module ``project::labels``), and ``docs/guides/carry-labels.md`` says how.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from alinea import _native
from alinea._align import posteriors
from alinea._links import Alignments, Posteriors, Sentences, arrays
from alinea.project._documents import entities_of, words_of_documents

Method: TypeAlias = Literal["consistent", "overlap", "hull", "longest", "all"]
"""How a label finds its words."""

Scheme: TypeAlias = Literal["iob1", "iob2", "bioes"]
"""How labels are written as tags."""

Loss: TypeAlias = Literal["unlinked", "weak", "taken", "unconfident", "wordless"]
"""Why a label was not projected."""


class Span(NamedTuple):
    """A label of some words.

    >>> from alinea import project
    >>> project.Span(1, 3, "LOC").label
    'LOC'

    Attributes:
        start: The first word, from 0.
        end: The word behind the last one.
        label: What they are labeled with.
    """

    start: int
    end: int
    label: str


Labels: TypeAlias = Iterable[Iterable[Span | tuple[int, int, str] | Mapping[str, Any]] | Iterable[str] | None]
"""The labels of each sentence: spans, or a tag for each word, in any of the schemes; ``None`` for none, as in a column
of a data frame. Spans may be dictionaries with ``start``, ``end`` and ``label``, or as Prodigy has them, with
``token_start`` and ``token_end``, the last word."""


class ProjectedSpan(NamedTuple):
    """A label in the target.

    >>> from alinea import project
    >>> project.ProjectedSpan(0, 1, "PER", 0.97, 0).confidence
    0.97

    Attributes:
        start: The first word, from 0.
        end: The word behind the last one.
        label: What they are labeled with.
        confidence: The mean over its words of how probable it is that they belong to it, from 0 to 1.
        source: Which of the labels of the source sentence it is, from 0.
    """

    start: int
    end: int
    label: str
    confidence: float
    source: int


class ProjectedLabels(NamedTuple):
    """What became of the labels of a sentence.

    >>> from alinea import project
    >>> project.labels(["Anna"], ["Elle"], [["B-PER"]], links=[""])[0]
    ProjectedLabels(spans=[], lost={0: 'unlinked'})

    Attributes:
        spans: Those in the target, in the order of their words.
        lost: Why a label is not among them, by its number in the source: none of its words is linked
            (``"unlinked"``), links are too improbable (``"weak"``), the words belong to another label (``"taken"``), or
            the confidence is too low (``"unconfident"``); or a label of characters is on no word (``"wordless"``).
    """

    spans: list[ProjectedSpan]
    lost: dict[int, Loss]


def labels(
    source: Sentences,
    target: Sentences,
    labels: Labels | None = None,
    links: Posteriors | Alignments | None = None,
    *,
    method: Method = "consistent",
    threshold: float = 0.36,
    min_confidence: float = 0.0,
    threads: int = 0,
) -> list[ProjectedLabels]:
    """Projects labels of source words, such as names, to the target.

    Each label becomes a stretch of target words; labels that have no word in common in the source have none in the
    target. With ``"consistent"`` what is found depends on the whole text: give as much of it at once as there is.

    >>> import alinea
    >>> source, target = ["Anna lives in York", "in York"], ["Anna habite à York", "à York"]
    >>> found = alinea.project.labels(source, target, [[(3, 4, "LOC")], ["O", "B-LOC"]])
    >>> [pair.spans[0][:3] for pair in found]
    [(3, 4, 'LOC'), (1, 2, 'LOC')]

    Args:
        source: The sentences of the source language. They may be documents of spaCy (or what looks like them), whose
            tokens are the words; :func:`set_entities` puts what is returned into those of the target.
        target: Their translations, one for each; likewise.
        labels: The labels of each source sentence; if there are none, the entities of the documents (``ents``).
        links: The links of each pair, best with confidences: what :func:`alinea.posteriors` or
            :meth:`alinea.TrainedModel.posteriors` return. Links without count 0.9. If there are none, the text is
            aligned by :func:`alinea.posteriors`.
        method: How a label finds its words: by the probabilities of links and what is labeled elsewhere in the text
            (``"consistent"``); by links alone (``"overlap"``); from the first linked word to the last (``"hull"``); the
            longest stretch of linked words with gaps of one (``"longest"``); or every stretch of linked words
            (``"all"``). Only with the last three, stretches of labels may overlap.
        threshold: The minimum confidence of a link for the last three, from 0 to 1.
        min_confidence: The minimum confidence of a label, from 0 to 1.
        threads: The number of threads, 0 for one on each core. Results do not depend on it.

    Returns:
        What became of the labels of each pair.

    Raises:
        Error: There are more or fewer sentences on one side, labels or links; or one of them is not in its sentence.
        ConfigError: An option has a value that is not allowed.
        ParseError: A tag is none.
        TypeError: A label is none, or there are no labels and the source has no documents.
        OSError: A file cannot be read.
    """
    source, target = (list(side) if isinstance(side, Iterator) else side for side in (source, target))
    if labels is None:
        labels = entities_of(source)
    source, target = words_of_documents(source), words_of_documents(target)
    given = [_spans(sentence) for sentence in labels]
    if links is None:
        links = posteriors(source, target, threads=threads)
    confidences = links.confidences if isinstance(links, Posteriors) else None
    rows = arrays(links.links if isinstance(links, Posteriors) else links, "links")
    found = _native.project_labels(
        source,
        target,
        given,
        rows,
        confidences,
        method=method,
        threshold=threshold,
        min_confidence=min_confidence,
        threads=threads,
    )

    def projected(spans: list[Span], found: _Found) -> ProjectedLabels:
        stretches, lost = found
        of = [ProjectedSpan(start, end, spans[n].label, confidence, n) for n, start, end, confidence in stretches]
        return ProjectedLabels(of, {**dict(lost)})

    return [projected(*pair) for pair in zip(given, found, strict=True)]


_Lost: TypeAlias = Literal["unlinked", "weak", "taken", "unconfident"]
_Found: TypeAlias = tuple[list[tuple[int, int, int, float]], list[tuple[int, _Lost]]]


def _spans(sentence: Iterable[Any] | None) -> list[Span]:
    items = [] if sentence is None else list(sentence)
    if items and all(isinstance(item, str) for item in items):
        return spans_of(items)
    return [span_of(item) for item in items]


def span_of(item: Any) -> Span:
    """A label as it is given."""
    match item:
        case {"token_start": start, "token_end": last, "label": label}:
            return Span(start, last + 1, label)
        case {"start": start, "end": end, "label": label} | (start, end, label):
            return Span(start, end, label)
    raise TypeError(f"a label is (start, end, label) or has these keys, not {item!r}")


def spans_of(tags: Iterable[str]) -> list[Span]:
    """The labels of a sentence whose words have these tags.

    >>> from alinea import project
    >>> project.spans_of(["O", "B-LOC", "I-LOC", "S-PER"])
    [Span(start=1, end=3, label='LOC'), Span(start=3, end=4, label='PER')]

    Args:
        tags: A tag for each word: O, or B-, I-, E-, L-, S- or U- and a label.

    Raises:
        ParseError: A tag is none.
    """
    return [Span(*span) for span in _native.label_spans(list(tags))]


def tags_of(
    spans: Iterable[Span | ProjectedSpan | tuple[int, int, str]], words: int, scheme: Scheme = "iob2"
) -> list[str]:
    """A tag for each word of a sentence that has these labels.

    >>> from alinea import project
    >>> project.tags_of([(1, 3, "LOC")], 4)
    ['O', 'B-LOC', 'I-LOC', 'O']

    Args:
        spans: The labels, which must not overlap.
        words: The number of words of the sentence.
        scheme: How they are written: ``"iob1"``, ``"iob2"`` or ``"bioes"``.

    Raises:
        Error: Labels overlap, or are not in the sentence.
        ConfigError: There is no such scheme.
    """
    return _native.label_tags([(span[0], span[1], span[2]) for span in spans], words, scheme)


for _public in (ProjectedLabels, ProjectedSpan, Span, labels, spans_of, tags_of):
    _public.__module__ = "alinea.project"

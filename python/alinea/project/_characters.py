"""Labels of characters, as annotation tools have them, carried over by way of words."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeAlias

from alinea import _native
from alinea._errors import Error
from alinea._links import Alignments, Posteriors
from alinea.project._labels import Method, ProjectedLabels, Span, labels, span_of

CharacterLabels: TypeAlias = Iterable[Iterable[Span | tuple[int, int, str] | Mapping[str, Any]] | None]
"""The labels of each text: ``(start, end, label)``, or dictionaries with these keys; ``None`` for none."""

Words: TypeAlias = Callable[[str], Iterable[tuple[int, int]]]
"""Says where the words of a text begin and end, in characters."""


def words_of(text: str) -> list[tuple[int, int]]:
    """The words of a text that nobody has cut: where each begins, and where it ends, in characters.

    Letters and digits in a row are a word; all else is a word of its own, and so are Chinese characters and Hiragana.

    >>> from alinea import project
    >>> [text[start:end] for text in ["L'Île, 東京"] for start, end in project.words_of(text)]
    ['L', "'", 'Île', ',', '東', '京']

    Args:
        text: The text.
    """
    return _native.text_words(text)


def text_labels(
    source: Iterable[str],
    target: Iterable[str],
    labels: CharacterLabels,
    links: Posteriors | Alignments | None = None,
    *,
    words: Words = words_of,
    partial_words: Literal["widen", "refuse"] = "widen",
    method: Method = "consistent",
    threshold: float = 0.36,
    min_confidence: float = 0.0,
    threads: int = 0,
) -> list[ProjectedLabels]:
    """Projects labels of characters to the target, as :func:`labels` does those of words.

    >>> from alinea import project
    >>> source, target = ["Anna's home is York."], ["Annas Heimat ist York."]
    >>> spans = [[{"start": 0, "end": 4, "label": "PER"}, {"start": 15, "end": 19, "label": "LOC"}]]
    >>> found = project.text_labels(source, target, spans, links=["0-0 3-1 4-2 5-3 6-4"])
    >>> [(target[0][span.start : span.end], span.label) for span in found[0].spans]
    [('Annas', 'PER'), ('York', 'LOC')]

    Args:
        source: The texts of the source language.
        target: Their translations, one for each.
        labels: The labels of each source text; places count characters, ends are behind the last one.
        links: As for :func:`labels`, between the words that ``words`` finds.
        words: Where the words of a text are, in their order.
        partial_words: What becomes of labels that begin or end inside a word: they have the whole word, or are an
            error.
        method: As for :func:`labels`.
        threshold: As for :func:`labels`.
        min_confidence: As for :func:`labels`.
        threads: As for :func:`labels`.

    Returns:
        What became of the labels of each text, in characters.

    Raises:
        Error: As :func:`labels`; or a label is not in its text, or begins or ends inside a word and is refused.
        TypeError: A label is none.
    """
    texts = [list(source), list(target)]
    given = [[] if items is None else [span_of(item) for item in items] for items in labels]
    if len(given) != len(texts[0]):
        raise Error(f"unequal lengths: source has {len(texts[0])} sentences, labels has {len(given)}")
    cut = [[list(words(text)) for text in side] for side in texts]
    on_words = [
        [_on_words(span, number, text, its, partial_words) for span in spans]
        for number, (text, its, spans) in enumerate(zip(texts[0], cut[0], given, strict=True), 1)
    ]
    sides = [
        [[text[start:end] for start, end in its] for text, its in zip(side, of_side, strict=True)]
        for side, of_side in zip(texts, cut, strict=True)
    ]
    found = _project(
        sides,
        [[span for span in spans if span is not None] for spans in on_words],
        links,
        method=method,
        threshold=threshold,
        min_confidence=min_confidence,
        threads=threads,
    )
    return [_in_characters(*parts) for parts in zip(found, on_words, cut[1], strict=True)]


def _project(
    sides: list[list[list[str]]], spans: list[list[Span]], links: Any, **options: Any
) -> list[ProjectedLabels]:
    return labels(sides[0], sides[1], spans, links, **options)


def _on_words(span: Span, number: int, text: str, words: list[tuple[int, int]], partial: str) -> Span | None:
    """The words that a label is on, if there are any."""
    if not 0 <= span.start < span.end <= len(text):
        raise Error(f"text {number}: {span.label} at {span.start} to {span.end} in a text of {len(text)} characters")
    first = bisect_right(words, span.start, key=lambda word: word[1])
    last = bisect_left(words, span.end, key=lambda word: word[0])
    if first >= last:
        return None
    if partial == "refuse" and (words[first][0] < span.start or span.end < words[last - 1][1]):
        raise Error(f"text {number}: {span.label} on {text[span.start : span.end]!r} begins or ends inside a word")
    return Span(first, last, span.label)


def _in_characters(
    found: ProjectedLabels, on_words: list[Span | None], words: list[tuple[int, int]]
) -> ProjectedLabels:
    """With places in the target text, and the numbers of the labels as they were given."""
    numbers = [number for number, span in enumerate(on_words) if span is not None]
    spans = [
        span._replace(start=words[span.start][0], end=words[span.end - 1][1], source=numbers[span.source])
        for span in found.spans
    ]
    lost = {numbers[number]: why for number, why in found.lost.items()}
    lost |= {number: "wordless" for number, span in enumerate(on_words) if span is None}
    return ProjectedLabels(spans, dict(sorted(lost.items())))


for _public in (text_labels, words_of):
    _public.__module__ = "alinea.project"

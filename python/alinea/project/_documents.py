"""Documents of spaCy, or what looks like them: tokens with ``text`` and ``idx``, and ``ents``.

Nothing here imports spaCy: words are asked of the tokens, and spans are made by the documents themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

_T = TypeVar("_T")


def _is_document(item: object) -> bool:
    return hasattr(item, "ents") and hasattr(item, "char_span")


def words_of_documents(sentences: _T) -> _T | list[list[str]]:
    """The words of documents; anything else as it is."""
    if isinstance(sentences, (list, tuple)) and any(_is_document(item) for item in sentences):
        return [[token.text for token in item] if _is_document(item) else item for item in sentences]
    return sentences


def entities_of(documents: object) -> list[list[tuple[int, int, str]]]:
    """The entities of documents, by words."""
    if not isinstance(documents, (list, tuple)) or not all(_is_document(item) for item in documents):
        raise TypeError("labels are missing, and the source has no documents with entities")
    return [[(entity.start, entity.end, entity.label_) for entity in document.ents] for document in documents]


def set_entities(documents: Iterable[Any], found: Iterable[Any], key: str | None = None) -> None:
    """Puts labels into documents of spaCy (or what looks like them): as ``ents``, or as ``spans[key]``.

    >>> from alinea import project
    >>> def carry(nlp_en, nlp_de, english, german):
    ...     source, target = list(nlp_en.pipe(english)), list(nlp_de.pipe(german))
    ...     project.set_entities(target, project.labels(source, target))
    ...     return target

    Args:
        documents: The documents.
        found: For each what :func:`labels` returned, or its spans.
        key: The name of the group of spans, in which labels may overlap. If there is none they become ``ents``: of
            labels that have a word in common the most confident one, and then the first.

    Raises:
        ValueError: There are more documents than lists of labels, or fewer.
    """
    for document, labels in list(zip(documents, found, strict=True)):
        spans = getattr(labels, "spans", labels)
        if key is None:
            document.ents = [_span(document, span) for span in _apart(spans)]
        else:
            document.spans[key] = [_span(document, span) for span in spans]


def _span(document: Any, span: Sequence[Any]) -> Any:
    start, end, label = span[:3]
    last = document[end - 1]
    return document.char_span(document[start].idx, last.idx + len(last.text), label=label)


def _apart(spans: Sequence[Any]) -> list[Any]:
    """Those that stay if none may overlap, in the order of words."""
    kept: list[Any] = []
    for span in sorted(spans, key=lambda span: -getattr(span, "confidence", 0.0)):
        if all(span[1] <= other[0] or other[1] <= span[0] for other in kept):
            kept.append(span)
    return sorted(kept, key=lambda span: span[0])


set_entities.__module__ = "alinea.project"

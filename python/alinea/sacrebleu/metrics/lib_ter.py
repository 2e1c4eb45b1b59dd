"""Edits of TER."""

from __future__ import annotations

from alinea import _native

__all__ = ["translation_edit_rate"]

_METRIC = _native.Metric.ter(normalized=False, no_punctuation=False, asian_support=False, case_sensitive=True)


def translation_edit_rate(words_hyp: list[str], words_ref: list[str]) -> tuple[int, int]:
    """The number of edits, shifts among them, that turn words into those of a reference; and the number of the latter.

    >>> translation_edit_rate(["we", "saw", "it", "yesterday"], ["yesterday", "we", "saw", "it"])
    (1, 4)
    """
    (rows,), _ = _METRIC.measure([[" ".join(words_hyp)]], [[" ".join(words_ref)]], 1)
    edits, length = rows[0].tolist()
    return int(edits), int(length)

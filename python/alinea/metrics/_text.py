"""Accepted forms of lines of text and of references."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TypeAlias, cast

from alinea import _errors, _native
from alinea._links import ArrowArray, ArrowColumn

Lines: TypeAlias = Iterable[str] | os.PathLike[str] | ArrowColumn | ArrowArray
"""Lines of text: a sequence of ``str``, an open file, a ``pathlib.Path`` of a file, or a column of a data frame."""

References: TypeAlias = Iterable[str | Sequence[str]]
"""For each segment its one reference, a ``str``, or all of its references, a sequence of ``str``."""


class OddTextWarning(UserWarning):
    """A warning about text that looks wrong.

    Lines that look tokenized, Chinese or Japanese that is cut at blanks, or a translation that is the reference.

    >>> import warnings
    >>> from alinea.metrics import OddTextWarning, bleu
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always", OddTextWarning)
    ...     score = bleu(["it rains"], references=["it rains"])
    >>> print(caught[0].message)
    hypotheses: each line is the same as a reference of its segment
    """


def read(lines: Lines, name: str) -> list[str]:
    """The lines of a text; messages call it ``name``."""
    if isinstance(lines, str):
        raise TypeError(f"{name}: expected a sequence of lines, not a str (pass a file as a pathlib.Path)")
    if isinstance(lines, os.PathLike):
        return _native.read_lines(lines)
    column = _native.read_arrow(lines, name)
    if column is not None:
        if column[0] is None:
            raise TypeError(f"{name}: expected a column of str")
        return column[0]
    found = []
    for number, line in enumerate(cast(Iterable[str], lines)):
        if not isinstance(line, str):
            raise TypeError(f"{name}[{number}]: a line is a str, not {type(line).__name__}")
        found.append(_without_end(line))
    return found


def _without_end(line: str) -> str:
    """The line as it is without the end that open files give it."""
    return line.removesuffix("\n").removesuffix("\r") if line.endswith("\n") else line


def read_references(references: References | None, streams: Iterable[Lines] | None) -> list[list[str]]:
    """The references of each segment, given in one of two ways."""
    if (references is None) == (streams is None):
        raise TypeError("either references (for each segment) or reference_streams (for each a stream) must be given")
    if references is not None:
        if isinstance(references, (str, os.PathLike)):
            raise TypeError("references: for each segment a str or a sequence of str (a file is a reference stream)")
        return [_of_segment(number, given) for number, given in enumerate(references)]
    if isinstance(streams, (str, os.PathLike)):
        raise TypeError("reference_streams: a sequence of streams, not one")
    read_streams = [read(stream, f"reference_streams[{number}]") for number, stream in enumerate(streams or ())]
    if not read_streams:
        raise _errors.Error("no references: there are no reference streams")
    for number, stream in enumerate(read_streams):
        if len(stream) != len(read_streams[0]):
            lengths = f"stream 1 has {len(read_streams[0])} segments, stream {number + 1} has {len(stream)}"
            raise _errors.Error(f"unequal lengths: reference {lengths}")
    return [list(lines) for lines in zip(*read_streams, strict=True)]


def _of_segment(number: int, given: str | Sequence[str]) -> list[str]:
    lines = [given] if isinstance(given, str) else list(given)
    for line in lines:
        if not isinstance(line, str):
            raise TypeError(f"references[{number}]: a reference is a str, not {type(line).__name__}")
    return [_without_end(line) for line in lines]

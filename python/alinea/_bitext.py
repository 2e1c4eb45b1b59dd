"""Sentence pairs in one file: TMX, XLIFF, JSON lines, tables, zip archives, lines ``source ||| target``.

The native module reads and writes them (crate ``alinea-text``, module ``format::pairs``, which defines each format), a
part at a time: memory does not grow with the file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Literal, TypeAlias

from alinea import _native
from alinea._errors import config_error

PairFormat: TypeAlias = Literal["joint", "columns", "tmx", "xliff", "xliff2", "jsonl", "csv", "tsv", "zip"]
"""The name of a format of sentence pairs; see :func:`read_bitext`."""

_PART = 1000
"""Pairs that go through the native module at a time."""


def read_bitext(
    path: str | os.PathLike[str],
    format: PairFormat | None = None,  # noqa: A002  # what it is called everywhere
    *,
    languages: tuple[str, str] | None = None,
    fields: tuple[str, str] | None = None,
    tags: Literal["strip", "keep"] = "strip",
    lossy: bool = False,
) -> Iterator[tuple[str, str]]:
    r"""Reads sentence pairs from one file, one after another: memory does not grow with the file.

    >>> import alinea, pathlib, tempfile
    >>> unit = '<tu><tuv xml:lang="en-US"><seg>%s</seg></tuv><tuv xml:lang="fr"><seg>%s</seg></tuv></tu>'
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = pathlib.Path(directory, "memory.tmx")
    ...     body = unit % ("the <hi>house</hi>", "la maison") + unit % ("a house", "")
    ...     _ = path.write_text(f'<tmx version="1.4"><header srclang="en"/><body>{body}</body></tmx>')
    ...     list(alinea.read_bitext(path))
    [('the house', 'la maison')]

    To align them, ``source, target = zip(*alinea.read_bitext(path))``.

    Args:
        path: The file, plain or compressed by gzip, zstd, xz or bzip2.
        format: ``"tmx"`` (translation memories), ``"xliff"`` (1.2 and 2), ``"jsonl"`` (an object a line), ``"csv"`` and
            ``"tsv"`` (with a header), ``"zip"`` (an archive of two texts, or of one file), ``"joint"`` (lines
            ``source ||| target``), ``"columns"`` (between tabs, without header). Without it, what the content says, or
            the name.
        languages: The languages of source and target; ``"en"`` means ``"en-US"`` too. Without them, the two that are
            there.
        fields: Columns by name or number (from ``"1"``), or members of objects, such as ``"translation.en"``.
        tags: Whether tags within segments of TMX and XLIFF are left out, with the code in them, or kept as markup.
        lossy: Replaces bytes that are not UTF-8 instead of failing; in XML they are an error in any case.

    Segments that have no text in one of the languages are left out.

    Raises:
        OSError: The file cannot be read, or is cut short.
        ParseError: The file does not follow its format.
        Error: It is not clear what is source and target.
        ConfigError: An option has a value that is not allowed.
    """
    if tags not in ("strip", "keep"):
        raise config_error("tags", tags, "strip or keep")
    file = _native.PairFile(path, format, languages=languages, fields=fields, keep_tags=tags == "keep", lossy=lossy)
    return _pairs(file)


def _pairs(file: _native.PairFile) -> Iterator[tuple[str, str]]:
    while part := file.read(_PART):
        yield from part


def write_bitext(
    path: str | os.PathLike[str],
    pairs: Iterable[tuple[str, str]],
    format: PairFormat | None = None,  # noqa: A002  # what it is called everywhere
    *,
    languages: tuple[str, str] | None = None,
    fields: tuple[str, str] | None = None,
    replace: str | None = None,
) -> int:
    r"""Writes sentence pairs to a file, which is complete or absent, and returns how many were written.

    >>> import alinea, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = pathlib.Path(directory, "text.csv")
    ...     alinea.write_bitext(path, [("yes, a house", "une maison")], languages=("en", "fr"))
    ...     path.read_text()
    1
    'en,fr\n"yes, a house",une maison\n'

    Args:
        path: The file to write; compressed if its name ends in ``.gz``, ``.zst``, ``.xz`` or ``.bz2``.
        pairs: The pairs, perhaps of a generator.
        format: As in :func:`read_bitext`; without it, what the name of the file says. ``"xliff"`` is written in version
            1.2, ``"xliff2"`` in 2.0.
        languages: The languages, which TMX, XLIFF and archives name.
        fields: The names of columns or members; without them, the languages (tables), or ``"src"`` and ``"tgt"``.
        replace: A character to write in the place of those that XML does not allow, which are an error without it.

    Pairs with a blank side are left out in TMX and XLIFF, where that means that there is no translation.

    Raises:
        OSError: The file cannot be written.
        ParseError: A line has a line break, or something that the format cannot have.
        Error: The format names the languages, and they are not given.
        ConfigError: An option has a value that is not allowed.
    """
    output = _native.PairOutput(path, format, languages=languages, fields=fields, replace=replace)
    rest = iter(pairs)
    while part := list(islice(rest, _PART)):
        output.write(part)
    written, _ = output.finish()
    return written


for _public in (read_bitext, write_bitext):
    _public.__module__ = "alinea"
del _public

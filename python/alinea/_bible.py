"""Books of the Bible in USFM: their verses, words and links.

The native module reads and writes them (crate ``alinea-text``, module ``format::usfm``, which says what the text of a
verse is, and what a word); ``docs/guides/bible-books.md`` shows what the command does with them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from alinea import _native
from alinea._alignment import Alignment
from alinea._errors import Error
from alinea._links import Alignments, arrays


class OriginalWord(NamedTuple):
    """A word of the original, as milestones of its translation name it.

    >>> import alinea
    >>> alinea.OriginalWord("casa", 1, 2, {"x-strong": "H1"}).occurrence
    1

    Attributes:
        content: The word.
        occurrence: Which one it is of those words of the verse that are equal, from 1.
        occurrences: How many of them there are.
        attributes: What else is said of it: ``x-strong``, ``x-lemma`` and so on.
    """

    content: str
    occurrence: int
    occurrences: int
    attributes: dict[str, str]


class Verse(NamedTuple):
    r"""A verse of a book, or several that are translated together.

    >>> import alinea, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = pathlib.Path(directory, "08-RUT.usfm")
    ...     _ = path.write_text(r'\id RUT \c 1 \p \v 1 The \w house|lemma="house"\w*, \nd white\nd*.')
    ...     verse = alinea.read_usfm(path)[0]
    >>> verse.reference, verse.text, verse.words
    ('RUT 1:1', 'The house, white.', ['The', 'house', 'white'])
    >>> verse.attributes[1]
    {'lemma': 'house'}

    Attributes:
        reference: Which it is: ``"RUT 1:1"``, or ``"RUT 1:1-2"``, or ``"RUT 1:1a"``.
        text: Its text, without notes and headings.
        words: Its words, without punctuation.
        attributes: What the book says of each word, as ``lemma`` and ``strong``.
        original: The words of the original that its milestones name, in the order of these.
        links: Links from ``original`` to ``words``.
    """

    reference: str
    text: str
    words: list[str]
    attributes: list[dict[str, str]]
    original: list[OriginalWord]
    links: Alignment


def read_usfm(path: str | os.PathLike[str]) -> list[Verse]:
    r"""Reads the verses of a book in USFM.

    Not part of the text of a verse are notes, cross-references, figures, headings and introductions. A word is letters
    and digits with inner apostrophes and hyphens, or what stands in ``\w ...\w*`` without blanks.

    >>> import alinea, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = pathlib.Path(directory, "08-RUT.usfm")
    ...     _ = path.write_text(r"\id RUT \c 1 \p \v 1 A house.\f + \ft Or hut.\f* \v 2-3 A flower, and the sun.")
    ...     verses = alinea.read_usfm(path)
    >>> [(verse.reference, verse.words) for verse in verses]
    [('RUT 1:1', ['A', 'house']), ('RUT 1:2-3', ['A', 'flower', 'and', 'the', 'sun'])]

    Args:
        path: The file, plain or compressed.

    Returns:
        The verses in the order of the file.

    Raises:
        ParseError: The file is no book in USFM, a verse is there twice, or a note or milestone is not closed.
        OSError: The file cannot be read.
    """
    return [
        Verse(
            reference,
            text,
            words,
            [dict(attributes) for attributes in said],
            [OriginalWord(content, n, of, dict(attributes)) for content, n, of, attributes in original],
            Alignment(links),
        )
        for reference, text, words, said, original, links in _native.read_usfm(path)
    ]


def write_usfm(
    path: str | os.PathLike[str],
    book: str | os.PathLike[str],
    source: Iterable[Sequence[str]],
    links: Alignments,
    *,
    attributes: Iterable[Sequence[Mapping[str, str]]] | None = None,
) -> None:
    r"""Writes a book in USFM with links, as ``\zaln`` milestones around its words; all else stays as it is.

    Milestones that the book has are replaced. The file is complete or absent.

    >>> import alinea, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     book, aligned = (pathlib.Path(directory, name) for name in ("book.usfm", "aligned.usfm"))
    ...     _ = book.write_text(r"\id RUT \c 1 \p \v 1 The house.")
    ...     alinea.write_usfm(aligned, book, [["casa"]], ["0-0 0-1"])
    ...     verse = alinea.read_usfm(aligned)[0]
    >>> verse.words, [word.content for word in verse.original], sorted(verse.links)
    (['The', 'house'], ['casa'], [(0, 0), (0, 1)])

    Args:
        path: The file to write.
        book: The book of the target.
        source: The words of the original, for each verse of the book.
        links: The links of each verse, from words of the original to :attr:`Verse.words`.
        attributes: What is said of each word of the original, as :attr:`Verse.attributes` of its book has it;
            milestones have ``strong``, ``lemma`` and ``x-morph``.

    Raises:
        ParseError: The book is not in USFM, or a line of links is not in Pharaoh format.
        Error: There are more or fewer verses, links or attributes; or a link is not between the words of its verse.
        OSError: A file cannot be read or written.
    """
    words = [list(verse) for verse in source]
    said: list[list[Mapping[str, str]]]
    said = [[{}] * len(verse) for verse in words] if attributes is None else [list(verse) for verse in attributes]
    if [len(verse) for verse in said] != [len(verse) for verse in words]:
        raise Error("attributes: expected one for each word of the source")
    named = [
        [(word, list(of_word.items())) for word, of_word in zip(verse, of_verse, strict=True)]
        for verse, of_verse in zip(words, said, strict=True)
    ]
    _native.write_usfm(path, book, named, arrays(links, "links"))

r"""Files of aligned sentences in the format of the Comtrans corpus, which ``nltk.corpus`` reads.

Three lines for each pair of sentences: the words of the first, separated by blanks; those of the second; and the links
between them, as pairs ``i-j`` of positions from 0, or an empty line for none. Empty lines between pairs of sentences
are skipped, and so are lines that begin with ``=``.

:data:`comtrans` is the Comtrans corpus itself, where NLTK's downloader has put it.

>>> import os, tempfile
>>> from alinea.nltk.corpus import AlignedCorpusReader
>>> with tempfile.TemporaryDirectory() as directory:
...     with open(os.path.join(directory, "de-en.txt"), "w", encoding="utf-8") as file:
...         _ = file.write("das Haus\nthe house\n0-0 1-1\n")
...     corpus = AlignedCorpusReader(directory, ".*")
...     corpus.fileids(), corpus.aligned_sents()
(['de-en.txt'], [AlignedSent(['das', 'Haus'], ['the', 'house'], Alignment([(0, 0), (1, 1)]))])
"""

from __future__ import annotations

import io
import os
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from alinea._alignment import check_positions, parse
from alinea._errors import ParseError
from alinea.nltk._corpus import CorpusView, Folder, ZippedFolder, installed
from alinea.nltk.api import AlignedSent, Alignment

__all__ = ["AlignedCorpusReader", "comtrans"]

_Lines: TypeAlias = tuple[list[str], list[str], str, int]
"""Words, mots, links, and the number of the line with the links."""

_LINES = 3
"""Of a pair of sentences."""


class AlignedCorpusReader:
    """The files of a directory. They are read anew at each call, so that changes are seen.

    What is returned are views: sequences that find their items when somebody asks for them.
    """

    _sentence: ClassVar[type[Any]] = AlignedSent
    _alignment: ClassVar[type[Any]] = Alignment

    _folder: Folder | ZippedFolder
    _fileids: list[str]
    _encoding: str | None

    def __init__(
        self,
        root: str | os.PathLike[str],
        fileids: str | Iterable[str],
        sep: str = "/",  # noqa: ARG002  # as there
        *,
        encoding: str | None = None,
    ) -> None:
        """Chooses files.

        Args:
            root: The directory, or a zip archive with the files.
            fileids: The names of files in it, or one regular expression that matches their names, with ``/`` between
                directories, from beginning to end. Those are sorted.
            sep: Without effect, as in NLTK.
            encoding: How text is encoded. Without it, UTF-8, and Latin-1 for files that are not UTF-8; the Comtrans
                corpus is Latin-1.

        Raises:
            OSError: ``root`` is neither.
            ValueError: The regular expression is none.
        """
        self._choose(ZippedFolder(Path(root)) if zipfile.is_zipfile(root) else Folder(Path(root)), fileids, encoding)

    def _choose(self, folder: Folder | ZippedFolder, fileids: str | Iterable[str], encoding: str | None) -> None:
        self._folder = folder
        self._encoding = encoding
        if isinstance(fileids, str):
            try:
                pattern = re.compile(fileids)
            except re.error as error:
                raise ValueError(f"fileids: {error} in the regular expression {fileids!r}") from None
            self._fileids = sorted(name for name in folder.names() if pattern.fullmatch(name))
        else:
            self._fileids = list(fileids)

    def fileids(self) -> list[str]:
        """Returns the names of the files."""
        return list(self._fileids)

    def raw(self, fileids: str | Iterable[str] | None = None) -> str:
        """Returns the text of the files, one after another; arguments are those of :meth:`words`.

        Raises:
            OSError: A file cannot be read.
            ParseError: It has another encoding.
        """
        return "".join(text for _, text in self._texts(fileids))

    def words(self, fileids: str | Iterable[str] | None = None) -> CorpusView[str]:
        """Returns the words of all first sentences.

        Args:
            fileids: The name of a file, or names; all files, if left out.

        Raises:
            OSError: A file cannot be read.
            ParseError: It has another encoding; from the view, it does not have the format.
        """
        return self._view(fileids, lambda _, lines: lines[0])

    def sents(self, fileids: str | Iterable[str] | None = None) -> CorpusView[list[str]]:
        """Returns the first sentences, each as a list of words; arguments and errors are those of :meth:`words`."""
        return self._view(fileids, lambda _, lines: [lines[0]])

    def aligned_sents(self, fileids: str | Iterable[str] | None = None) -> CorpusView[Any]:
        """Returns the pairs of sentences, aligned; arguments and errors are those of :meth:`words`.

        A link outside its sentences is a ``ParseError`` too.
        """
        return self._view(fileids, lambda path, lines: [self._aligned(path, *lines)])

    def _view(self, fileids: str | Iterable[str] | None, items: Callable[[str, _Lines], list[Any]]) -> CorpusView[Any]:
        texts = self._texts(fileids)
        return CorpusView(item for path, text in texts for lines in _pairs(path, text) for item in items(path, lines))

    def _texts(self, fileids: str | Iterable[str] | None) -> list[tuple[str, str]]:
        names = self._fileids if fileids is None else [fileids] if isinstance(fileids, str) else fileids
        return [(self._folder.path(name), self._decoded(name)) for name in names]

    def _decoded(self, name: str) -> str:
        data = self._folder.read(name)
        try:
            return data.decode(self._encoding or "utf-8")
        except UnicodeDecodeError as error:
            if self._encoding is None:
                return data.decode("latin-1")
            line = data.count(b"\n", 0, error.start) + 1
            raise _error(self._folder.path(name), line, f"the text is not {self._encoding}") from None

    def _aligned(self, path: str, words: list[str], mots: list[str], links: str, line: int) -> Any:
        alignment = self._alignment(parse(links, path, line))
        try:
            check_positions(alignment, len(words), len(mots))
        except IndexError as error:
            raise _error(path, line, str(error)) from error
        return self._sentence(words, mots, alignment)


class _Installed(AlignedCorpusReader):
    """A corpus of NLTK, which is looked for when something of it is asked for."""

    def __init__(self, name: str, fileids: str) -> None:
        self._name = name
        self._pattern = fileids

    def __getattr__(self, attribute: str) -> Any:
        if attribute not in ("_folder", "_fileids", "_encoding"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {attribute!r}")
        self._choose(installed("corpora", self._name), self._pattern, None)
        return vars(self)[attribute]


comtrans = _Installed("comtrans", r"(?!\.).*\.txt")
"""The Comtrans corpus, 100,000 sentence pairs of German, English and French, if it is in a folder of NLTK's data.

Those are what ``NLTK_DATA`` names, ``nltk_data`` in the home directory and beside Python, and the usual places of the
system; a ``LookupError`` says where it was looked for.
"""


def _pairs(path: str, text: str) -> Iterator[_Lines]:
    lines = _lines(text)
    for number, words in lines:
        if not words.strip(" \t"):
            continue
        rest = [(number, words), *islice(lines, _LINES - 1)]
        if len(rest) < _LINES:
            raise _error(path, rest[-1][0], "the file ends before the third line of a pair of sentences")
        (_, mots), (last, links) = rest[1:]
        yield _words(words), _words(mots), links, last


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(io.StringIO(text, newline="\n"), 1):
        if not line.startswith("="):
            yield number, line.removesuffix("\n").removesuffix("\r")


def _words(line: str) -> list[str]:
    return [word for word in re.split("[ \t]", line) if word]


def _error(path: str, line: int, what: str) -> ParseError:
    return ParseError(f"{path}:{line}: {what}", path, line, 0)

r"""Files of aligned sentences in the format of the Comtrans corpus, which ``nltk.corpus`` reads.

Three lines for each pair of sentences: the words of the first, separated by blanks; those of the second; and the links
between them, as pairs ``i-j`` of positions from 0, or an empty line for none. Empty lines between pairs of sentences
are skipped.

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

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from alinea._alignment import check_positions, parse
from alinea._errors import ParseError
from alinea.nltk.api import AlignedSent, Alignment

__all__ = ["AlignedCorpusReader"]

_Lines: TypeAlias = tuple[list[str], list[str], str, int]
"""Words, mots, links, and the number of the line with the links."""


class AlignedCorpusReader:
    """The files of a directory. They are read anew at each call, so that changes are seen."""

    _sentence: ClassVar[type[Any]] = AlignedSent
    _alignment: ClassVar[type[Any]] = Alignment

    def __init__(
        self, root: str | os.PathLike[str], fileids: str | Iterable[str], *, encoding: str | None = None
    ) -> None:
        """Chooses files.

        Args:
            root: The directory.
            fileids: The names of files in it, or one regular expression that matches their names, with ``/`` between
                directories, from beginning to end. Those are sorted.
            encoding: How text is encoded. Without it, UTF-8, and Latin-1 for files that are not UTF-8; the Comtrans
                corpus is Latin-1.

        Raises:
            OSError: ``root`` is no directory.
            ValueError: The regular expression is none.
        """
        self._root = Path(root)
        self._encoding = encoding
        if not self._root.is_dir():
            raise NotADirectoryError(f"{self._root}: not a directory")
        if isinstance(fileids, str):
            try:
                pattern = re.compile(fileids)
            except re.error as error:
                raise ValueError(f"fileids: {error} in the regular expression {fileids!r}") from None
            names = (path.relative_to(self._root).as_posix() for path in self._root.rglob("*") if path.is_file())
            self._fileids = sorted(name for name in names if pattern.fullmatch(name))
        else:
            self._fileids = list(fileids)

    def fileids(self) -> list[str]:
        """Returns the names of the files."""
        return list(self._fileids)

    def words(self, fileids: str | Iterable[str] | None = None) -> list[str]:
        """Returns the words of all first sentences.

        Args:
            fileids: The name of a file, or names; all files, if left out.

        Raises:
            OSError: A file cannot be read.
            ParseError: It does not have the format.
        """
        return [word for words in self.sents(fileids) for word in words]

    def sents(self, fileids: str | Iterable[str] | None = None) -> list[list[str]]:
        """Returns the first sentences, each as a list of words; arguments and errors are those of :meth:`words`."""
        return [words for path in self._paths(fileids) for words, *_ in self._read(path)]

    def aligned_sents(self, fileids: str | Iterable[str] | None = None) -> list[Any]:
        """Returns the pairs of sentences, aligned; arguments and errors are those of :meth:`words`.

        A link outside its sentences is a ``ParseError`` too.
        """
        return [self._aligned(path, *lines) for path in self._paths(fileids) for lines in self._read(path)]

    def _paths(self, fileids: str | Iterable[str] | None) -> list[Path]:
        names = self._fileids if fileids is None else [fileids] if isinstance(fileids, str) else fileids
        return [self._root / name for name in names]

    def _read(self, path: Path) -> Iterator[_Lines]:
        lines = [line.removesuffix("\r") for line in self._decoded(path).split("\n")]
        if not lines[-1]:
            lines.pop()
        number = 0
        while number < len(lines):
            if not lines[number].strip(" \t"):
                number += 1
                continue
            if number + 3 > len(lines):
                raise _error(path, len(lines), "the file ends before the third line of a pair of sentences")
            words, mots, links = lines[number : number + 3]
            number += 3
            yield _words(words), _words(mots), links, number

    def _decoded(self, path: Path) -> str:
        data = path.read_bytes()
        try:
            return data.decode(self._encoding or "utf-8")
        except UnicodeDecodeError as error:
            if self._encoding is None:
                return data.decode("latin-1")
            line = data.count(b"\n", 0, error.start) + 1
            raise _error(path, line, f"the text is not {self._encoding}") from None

    def _aligned(self, path: Path, words: list[str], mots: list[str], links: str, line: int) -> Any:
        alignment = self._alignment(parse(links, str(path), line))
        try:
            check_positions(alignment, len(words), len(mots))
        except IndexError as error:
            raise _error(path, line, str(error)) from None
        return self._sentence(words, mots, alignment)


def _words(line: str) -> list[str]:
    return [word for word in re.split("[ \t]", line) if word]


def _error(path: Path, line: int, what: str) -> ParseError:
    return ParseError(f"{path}:{line}: {what}", str(path), line, 0)

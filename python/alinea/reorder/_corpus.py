"""Corpora of the shared task on learning word order from alignments (2012).

:class:`TaskCorpus` reads and writes the five files of a corpus: rows (``.conll``, whose column 7 has the order), text,
tags, parses and kept words (``.align.info``). Parsing and checks are native (crate ``alinea-text``, module
``format::rsmt``, which defines the files); ``docs/reordering.md`` shows how to run a shared task with them.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from alinea import _native
from alinea._links import Alignments, Sentences, arrays
from alinea._tables import Classes
from alinea.reorder._orders import Key, OrderColumn, Orders, column_of
from alinea.reorder._source import Source, known_of, source_of


class TaskCorpus:
    """A corpus of the shared task: whole sentences, and rows for their aligned words, whose column 7 has the order.

    >>> from alinea import reorder
    >>> import pathlib, tempfile
    >>> corpus = reorder.TaskCorpus.pack(["I am going home"], ["0-0 2-2 3-1"])
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     stem = pathlib.Path(directory, "en_hi.en.trn")
    ...     corpus.write(stem)
    ...     print(sorted(path.name for path in pathlib.Path(directory).iterdir()))
    ...     corpus = reorder.TaskCorpus.read(f"{stem}.conll")
    ['en_hi.en.trn.align.info', 'en_hi.en.trn.conll', 'en_hi.en.trn.txt']
    >>> corpus.orders[0].tolist(), corpus.source().words
    ([0, 3, 2], [['I', 'am', 'going', 'home']])
    """

    __slots__ = ("_corpus",)

    _corpus: _native.TaskCorpus

    def __init__(self) -> None:
        raise TypeError("a corpus is made by TaskCorpus.read and TaskCorpus.pack")

    @classmethod
    def _of(cls, native: _native.TaskCorpus) -> TaskCorpus:
        corpus = cls.__new__(cls)
        corpus._corpus = native
        return corpus

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> TaskCorpus:
        r"""Reads the rows of a corpus and the files beside them.

        >>> from alinea import reorder
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     path = pathlib.Path(directory, "en_fr.en.conll")
        ...     _ = path.write_text("1\tred\t-\tA\tJJ\t-\t2\t-\t-\t-\n2\thouse\t-\tN\tNN\t-\t0\t-\t-\t-\n\n")
        ...     reorder.TaskCorpus.read(path).orders[0].tolist()
        [1, 0]

        Args:
            path: The rows, ``*.conll``; ``.txt``, ``.pos``, ``.parse`` and ``.align.info`` beside them are found by
                their names.

        Raises:
            OSError: A file cannot be read.
            ParseError: A line is malformed, or column 7 makes no order.
            Error: Files have different numbers of sentences, or words.
            UserWarning: There is no ``.align.info``, and in some sentences it is not certain which words the rows are.
        """
        corpus = cls._of(_native.TaskCorpus.read(path))
        if corpus._corpus.guessed:
            message = (
                f"{os.fspath(path)}: there is no .align.info, and in {corpus._corpus.guessed} sentences the rows may be"
                " other words than those taken, the leftmost"
            )
            warnings.warn(message, stacklevel=2)
        return corpus

    @classmethod
    def pack(
        cls,
        source: Source | Sentences,
        links: Alignments,
        *,
        parses: Iterable[str] | None = None,
        key: Key = "mean",
    ) -> TaskCorpus:
        """Makes a corpus of sentences with links. Tags, fine tags and trees of the source become tags and parses.

        >>> from alinea import reorder
        >>> source = reorder.Source(["red house"], tags=["ADJ NOUN"], relations=["amod root"], heads=[[1, -1]])
        >>> reorder.TaskCorpus.pack(source, ["0-1 1-0"]).parses
        ['(root (amod (ADJ red)) (NOUN house))']

        Args:
            source: The source sentences.
            links: The links of each.
            parses: A parse in brackets of each sentence; without, trees of the source become such.
            key: The number by which a word is sorted; see :func:`gold_orders`.

        Raises:
            Error: There are more or fewer sentences than links, a link is outside its sentence, or a word is empty or
                has blanks in it.
            ParseError: A line of links is not in Pharaoh format, or a parse is malformed.
            ConfigError: ``key`` is not allowed.
        """
        lines = None if parses is None else list(parses)
        return cls._of(_native.TaskCorpus.pack(source_of(source)._native, arrays(links, "links"), lines, key))

    def __len__(self) -> int:
        return len(self._corpus)

    def __getitem__(self, sentences: slice) -> TaskCorpus:
        return TaskCorpus._of(self._corpus.select(list(range(*sentences.indices(len(self))))))

    def __repr__(self) -> str:
        return f"<TaskCorpus of {len(self)} sentences>"

    def source(self, *, classes: Classes | None = None, coarse_classes: Classes | None = None) -> Source:
        """The whole sentences, with tags if there are any of all words.

        >>> from alinea import reorder
        >>> reorder.TaskCorpus.pack(["red house"], ["0-1 1-0"]).source(classes={"red": 1, "house": 2}).layers
        ('words', 'classes')

        Args:
            classes: Classes of words.
            coarse_classes: Fewer classes of words.

        Raises:
            ParseError: A file of classes is malformed.
            OSError: A file of classes cannot be read.
        """
        return Source._of(self._corpus.source(known_of(classes, coarse_classes)))

    @property
    def orders(self) -> OrderColumn:
        """The positions of the words with rows, in their right order; empty where that is unknown (:attr:`known`).

        >>> from alinea import reorder
        >>> reorder.TaskCorpus.pack(["I am going home"], ["0-0 2-2 3-1"]).orders[0].tolist()
        [0, 3, 2]
        """
        return OrderColumn(*self._corpus.orders())

    @property
    def rows(self) -> OrderColumn:
        """The positions of the words with rows, as they stand in the sentence.

        >>> from alinea import reorder
        >>> reorder.TaskCorpus.pack(["I am going home"], ["0-0 2-2 3-1"]).rows[0].tolist()
        [0, 2, 3]
        """
        return OrderColumn(*self._corpus.kept())

    @property
    def known(self) -> NDArray[np.bool_]:
        """Whether the order of each sentence is known; one without rows has none to know.

        >>> from alinea import reorder
        >>> reorder.TaskCorpus.pack(["red house", "yes"], ["0-1 1-0", ""]).known.tolist()
        [True, True]
        """
        return np.array(self._corpus.known(), dtype=np.bool_)

    @property
    def parses(self) -> list[str | None]:
        """The parse of each sentence, in brackets; ``None`` where there is none.

        >>> from alinea import reorder
        >>> reorder.TaskCorpus.pack(["red house"], ["0-1 1-0"], parses=["(NP (JJ red) (NN house))"]).parses
        ['(NP (JJ red) (NN house))']
        """
        return self._corpus.parses()

    def reordered(self, orders: Orders) -> TaskCorpus:
        """The same corpus with another column 7: a run.

        >>> from alinea import reorder
        >>> corpus = reorder.TaskCorpus.pack(["I am going home"], ["0-0 2-2 3-1"])
        >>> corpus.reordered([[3, 2, 1, 0]]).orders[0].tolist()
        [3, 2, 0]

        Args:
            orders: Positions of the words of each sentence, in their new order; words without rows may be missing.

        Raises:
            Error: There are more or fewer orders than sentences, or one names a word twice, one that there is not, or
                lacks a word with a row.
        """
        return TaskCorpus._of(self._corpus.reordered(column_of(orders, "orders")))

    def hidden(self) -> tuple[TaskCorpus, TaskCorpus, list[int]]:
        """Test data without orders, and the gold standard to evaluate predictions against.

        >>> from alinea import reorder
        >>> corpus = reorder.TaskCorpus.pack(["red house", "yes"], ["0-1 1-0", ""])
        >>> test, gold, left_out = corpus.hidden()
        >>> test.known.tolist(), gold.orders[0].tolist(), left_out
        ([False], [1, 0], [1])

        Returns:
            The sentences with unknown orders, to be written without kept words (``write(stem, info=False)``), the same
            sentences with their orders, and the numbers of the sentences that both lack: those without rows, which
            cannot be identified without kept words.
        """
        test, gold, left_out = self._corpus.hidden()
        return TaskCorpus._of(test), TaskCorpus._of(gold), left_out

    def write(self, stem: str | os.PathLike[str], *, info: bool = True) -> None:
        """Writes all files: rows, text, kept words, and tags and parses if all sentences have them.

        >>> from alinea import reorder
        >>> import pathlib, tempfile
        >>> corpus = reorder.TaskCorpus.pack(["red house"] * 9, ["0-1 1-0"] * 9)
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     corpus[:6].write(pathlib.Path(directory, "en_fr.en.trn"))
        ...     corpus[6:].write(pathlib.Path(directory, "en_fr.en.tst"))
        ...     len(reorder.TaskCorpus.read(pathlib.Path(directory, "en_fr.en.tst.conll")))
        3

        Args:
            stem: What their names begin with, such as ``out/en_hi.en.trn``. The files are complete or absent.
            info: Whether there is a file of kept words, ``.align.info``; test data have none.

        Raises:
            OSError: A file cannot be written.
            Error: There are no tags or parses, but a file of them is there already.
        """
        self._corpus.write(stem, info)

    def write_rows(self, path: str | os.PathLike[str]) -> None:
        r"""Writes the rows alone, the form of a submitted run.

        >>> from alinea import reorder
        >>> import pathlib, tempfile
        >>> corpus = reorder.TaskCorpus.pack(["red house"], ["0-1 1-0"])
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     path = pathlib.Path(directory, "run.conll")
        ...     corpus.write_rows(path)
        ...     path.read_text().splitlines()[0].split("\t")
        ['1', 'red', '-', '-', '-', '-', '2', '-', '-', '-']

        Args:
            path: The file, which is complete or absent.

        Raises:
            OSError: The file cannot be written.
        """
        self._corpus.write_rows(path)


TaskCorpus.__module__ = "alinea.reorder"

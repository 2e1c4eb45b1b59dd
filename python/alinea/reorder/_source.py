"""Source sentences with the annotation of their words.

A :class:`Source` holds sentences with layers (lemmas, tags, relations, word classes) and trees in native memory, built
once from Python objects, CoNLL-U, or the annotation format of LADER (Neubig, Watanabe and Mori 2012) and of Nakagawa's
preorderer (2015), and then passed to training, prediction and evaluation. Readers and layers are those of the crate
``alinea-order``, modules ``reorder::reading`` and ``reorder::sentence``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from alinea import _native
from alinea._links import Alignments, Sentences, arrays
from alinea._tables import Classes, class_numbers
from alinea._trees import Trees, trees_of

if TYPE_CHECKING:
    from alinea.reorder._orders import Orders

Layer: TypeAlias = Literal["words", "lemmas", "tags", "finetags", "classes", "coarseclasses", "relations"]
"""What is known of the words of a sentence, one by one."""


class Source:
    """The source sentences of a text: their words, with layers of annotation and trees as features for models.

    >>> from alinea import reorder
    >>> source = reorder.Source(["red house", "old bird"], tags=["ADJ NOUN", "ADJ NOUN"], heads=[[1, -1], [1, -1]])
    >>> len(source), source.layers
    (2, ('words', 'tags'))
    >>> source.layer("tags")[0]
    ['ADJ', 'NOUN']

    What is given for a layer is read as texts are: a sequence with a ``str`` or a sequence of ``str`` for each
    sentence, a file with one sentence per line, or a column of a data frame.
    """

    __slots__ = ("_native",)

    def __init__(
        self,
        words: Sentences,
        *,
        lemmas: Sentences | None = None,
        tags: Sentences | None = None,
        finetags: Sentences | None = None,
        relations: Sentences | None = None,
        classes: Classes | None = None,
        coarse_classes: Classes | None = None,
        heads: Iterable[Iterable[int] | NDArray[np.integer]] | None = None,
        brackets: Iterable[str] | None = None,
    ) -> None:
        """Combines sentences and their annotation.

        Args:
            words: The sentences.
            lemmas: The lemma of each word.
            tags: The part of speech of each word.
            finetags: Its part of speech in a tag set of the language.
            relations: Its relation to its head.
            classes: Classes of words. Words that are not there are looked up in lower case.
            coarse_classes: Fewer classes of words.
            heads: The position of the head of each word, from 0; -1 for roots.
            brackets: A bracketed parse of each sentence, such as ``(S (NP (PRP I)) (VP (VBP see)))``.

        Raises:
            Error: There are more or fewer sentences in a layer, or words in a sentence of it; or heads are no tree.
            ParseError: A line of brackets, or of a file, is malformed.
            OSError: A file cannot be read.
            TypeError: A sentence is neither a ``str`` nor words.
        """
        given = {"lemmas": lemmas, "tags": tags, "finetags": finetags, "relations": relations}
        layers = [(name, layer) for name, layer in given.items() if layer is not None]
        known = known_of(classes, coarse_classes, layers, heads, brackets)
        self._native = _native.ReorderSource.of_words(words, known)

    @classmethod
    def of_trees(cls, trees: Trees, *, classes: Classes | None = None, coarse_classes: Classes | None = None) -> Source:
        r"""Reads a treebank: words, lemmas, tags, fine tags, relations and dependency trees.

        >>> from alinea import reorder
        >>> rows = "1\tred\t_\tADJ\t_\t_\t2\tamod\t_\t_\n2\thouse\t_\tNOUN\t_\t_\t0\troot\t_\t_"
        >>> source = reorder.Source.of_trees([rows])
        >>> source.layers, source.heads[0].tolist()
        (('words', 'tags', 'relations'), [1, -1])

        Args:
            trees: A CoNLL-U file, or each sentence's lines.
            classes: Classes of words.
            coarse_classes: Fewer classes of words.

        Raises:
            ParseError: A tree is malformed.
            OSError: A file cannot be read.
        """
        known = known_of(classes, coarse_classes)
        return cls._of(_native.ReorderSource.of_trees(trees_of(trees, "trees"), known))

    @classmethod
    def of_annotation(
        cls,
        path: str | os.PathLike[str],
        *,
        classes: Classes | None = None,
        coarse_classes: Classes | None = None,
    ) -> Source:
        r"""Reads annotation as LADER and Nakagawa's program have it: words, tags and classes in columns.

        >>> from alinea import reorder
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     path = pathlib.Path(directory, "train.annot")
        ...     _ = path.write_text("I sleep\tPRP VBP\t0 1\n")
        ...     reorder.Source.of_annotation(path).layers
        ('words', 'tags', 'classes')

        Args:
            path: The file: three columns separated by tabs, whose tokens are separated by blanks.
            classes: Classes of words, instead of those of the file.
            coarse_classes: Fewer classes of words.

        Raises:
            ParseError: A line is malformed.
            OSError: The file cannot be read.
        """
        return cls._of(_native.ReorderSource.of_annotation(path, known_of(classes, coarse_classes)))

    @classmethod
    def _of(cls, native: _native.ReorderSource) -> Source:
        source = cls.__new__(cls)
        source._native = native
        return source

    def __len__(self) -> int:
        return len(self._native)

    def __getitem__(self, sentences: slice) -> Source:
        return Source._of(self._native.select(list(range(*sentences.indices(len(self))))))

    def __repr__(self) -> str:
        return f"<Source of {len(self)} sentences, {', '.join(self.layers)}>"

    @property
    def words(self) -> list[list[str]]:
        """The words of each sentence.

        >>> from alinea import reorder
        >>> reorder.Source(["red house"]).words
        [['red', 'house']]
        """
        return self._native.layer("words") or []

    @property
    def lengths(self) -> list[int]:
        """The number of words of each sentence.

        >>> from alinea import reorder
        >>> reorder.Source(["red house", ""]).lengths
        [2, 0]
        """
        return self._native.lengths()

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The names of the layers that all sentences have.

        >>> from alinea import reorder
        >>> reorder.Source(["red house"], classes={"red": 1, "house": 2}).layers
        ('words', 'classes')
        """
        return cast("tuple[Layer, ...]", tuple(self._native.layers()))

    def layer(self, name: Layer) -> list[list[str]] | None:
        """One layer, sentence by sentence; ``None`` if a sentence lacks it.

        >>> from alinea import reorder
        >>> reorder.Source(["red house"], classes={"house": 2}).layer("classes")
        [['-', '2']]

        Args:
            name: The name of the layer.

        Raises:
            ConfigError: There is no such layer.
        """
        return self._native.layer(name)

    @property
    def heads(self) -> list[NDArray[np.int64] | None]:
        """The positions of the heads of each sentence's words, -1 for roots; ``None`` where there is no tree.

        >>> from alinea import reorder
        >>> reorder.Source(["red house"]).heads
        [None]
        """
        return [None if heads is None else np.array(heads, dtype=np.int64) for heads in self._native.heads()]

    def export(
        self,
        stem: str | os.PathLike[str],
        links: Alignments | None = None,
        *,
        target: Sentences | None = None,
        columns: Iterable[Layer] = (),
    ) -> tuple[Layer, ...]:
        r"""Writes the sentences, and links, as LADER and Nakagawa's top-down preorderer read them.

        >>> from alinea import reorder
        >>> import pathlib, tempfile
        >>> source = reorder.Source(["red house"], tags=["ADJ NOUN"], classes={"red": 1, "house": 2})
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     stem = pathlib.Path(directory, "train")
        ...     columns = source.export(stem, ["0-1 1-0"], target=["maison rouge"])
        ...     columns, stem.with_suffix(".annot").read_text(), stem.with_suffix(".align").read_text()
        (('words', 'tags', 'classes'), 'red house\tADJ NOUN\t1 2\n', '2-2 ||| 0-1 1-0\n')

        Args:
            stem: What the names of the files begin with: ``.annot``, and ``.align`` if there are links. They are
                complete or absent.
            links: The links of each sentence.
            target: The target sentences, whose lengths are in the file; without them, lengths are inferred from links.
            columns: At most two layers after the words; without, the finest tags there are, or else coarse classes, and
                classes.

        Returns:
            The layers that are columns.

        Raises:
            OSError: A file cannot be written.
            Error: There are more or fewer links or target sentences, a link is outside its sentence, or a token is
                empty or has blanks in it.
            ConfigError: A sentence lacks a layer that is asked for, or there are too many.
        """
        read = None if links is None else arrays(links, "links")
        return tuple(cast("list[Layer]", self._native.export(os.fspath(stem), read, target, list(columns))))

    def reordered(self, orders: Orders) -> list[list[str]]:
        """The words of each sentence in another order.

        >>> from alinea import reorder
        >>> source = reorder.Source(["I am going home"])
        >>> source.reordered(reorder.gold_orders(source, ["0-0 2-2 3-1"], attach="right"))
        [['I', 'home', 'am', 'going']]

        Args:
            orders: Positions of words, in their new order; words that are missing there are left out.

        Raises:
            ValueError: There are more or fewer orders than sentences.
            IndexError: A position is outside its sentence.
        """
        return [
            [sentence[position] for position in np.asarray(order, dtype=np.int64).tolist()]
            for sentence, order in zip(self.words, orders, strict=True)
        ]


def source_of(source: Source | Sentences) -> Source:
    """The given source, or one of sentences without annotation."""
    return source if isinstance(source, Source) else Source(source)


def known_of(
    classes: Classes | None,
    coarse_classes: Classes | None,
    layers: Iterable[tuple[str, object]] = (),
    heads: Iterable[Iterable[int] | NDArray[np.integer]] | None = None,
    brackets: Iterable[str] | None = None,
) -> dict[str, Any]:
    """The annotation of words, as the native module takes it."""
    tables = [("classes", classes), ("coarseclasses", coarse_classes)]
    return {
        "layers": list(layers),
        "classes": [(name, class_numbers(table, name)) for name, table in tables if table is not None],
        "heads": None if heads is None else [[int(head) for head in sentence] for sentence in heads],
        "brackets": None if brackets is None else list(brackets),
    }


Source.__module__ = "alinea.reorder"

"""Reading and writing of links in the formats of other programs.

Pharaoh (Moses), TALP, NAACL (Mihalcea and Pedersen 2003), A3 of GIZA++, Comtrans of NLTK, and JSON lines. Files are
parsed and written by the native module (crate ``alinea-text``, module ``format::alignment``, which defines each
format), plain or compressed; :class:`LinkFile` holds the result as arrays.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from alinea import _html, _native
from alinea._columns import SHOWN, LinkColumn
from alinea._errors import config_error
from alinea._links import Alignments, GoldAlignment, Links, Posteriors, Sentences, items, pairs_of_arrays

LinkFormat: TypeAlias = Literal[
    "pharaoh", "talp", "naacl", "giza", "comtrans", "jsonl", "opustrainer", "simalign", "serval", "bal"
]
"""The name of a format of links; see :func:`read_links`."""

GizaDirection: TypeAlias = Literal["source-target", "target-source"]
"""Which sentence of an A3 file is the source; see :func:`read_links`."""

Writable: TypeAlias = "Iterable[GoldAlignment | Links] | Alignments | Posteriors | LinkFile"
"""Links to write: of a text, of a gold standard, with confidences, or of a file."""


@dataclass(frozen=True, eq=False)
class LinkFile:
    r"""The content of a file of links; see :func:`read_links`.

    >>> import alinea, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = pathlib.Path(directory, "gold.naacl")
    ...     _ = path.write_text("1 1 1 S\n1 2 3 P 0.5\n")
    ...     read = alinea.read_links(path)
    >>> read
    <LinkFile of 1 sentence pairs, 2 links, 1 only possible, weights>
    >>> read.links.rows.tolist(), read.possible.tolist(), read.weights.tolist()
    ([[0, 0], [1, 2]], [False, True], [nan, 0.5])

    Attributes:
        links: All links of each sentence pair, sure or possible; positions count from 0.
        possible: For each row of ``links``, whether the link is only possible.
        weights: The weight of each row, NaN where the file has none; ``None`` if it has none at all.
        source: The source words of each sentence pair; ``None`` if the format has none.
        target: The target words.
        scores: The score of each sentence pair, NaN where there is none; ``None`` if the format has none.
    """

    links: LinkColumn
    possible: NDArray[np.bool]
    weights: NDArray[np.float32] | None
    source: list[list[str]] | None
    target: list[list[str]] | None
    scores: NDArray[np.float64] | None

    def __len__(self) -> int:
        return len(self.links)

    def __repr__(self) -> str:
        return f"<LinkFile of {self._summary()}>"

    def _repr_html_(self) -> str:
        shown = range(min(len(self), SHOWN))
        rows = [[str(number), self._shown(number)] for number in shown]
        return _html.table(f"LinkFile of {self._summary()}", (), rows, align="rl", more=len(self) - len(shown))

    def _summary(self) -> str:
        possible = int(self.possible.sum())
        also = [f"{possible:,} only possible"] * bool(possible)
        also += [name for name in ("weights", "source", "target", "scores") if getattr(self, name) is not None]
        return ", ".join([f"{len(self):,} sentence pairs", f"{len(self.links.rows):,} links", *also])

    def _shown(self, number: int) -> str:
        """The links of a pair as notebooks show them."""
        start, end = self.links.offsets[number : number + 2].tolist()
        kept = slice(start, min(end, start + _html.ITEMS))
        marks = np.where(self.possible[kept], "p", "-").tolist()
        texts = [f"{i}{mark}{j}" for (i, j), mark in zip(self.links.rows[kept].tolist(), marks, strict=True)]
        if self.weights is not None:
            weights = self.weights[kept].tolist()
            texts = [
                text if math.isnan(weight) else f"{text}:{weight:.2f}"
                for text, weight in zip(texts, weights, strict=True)
            ]
        return _html.several(texts, end - start)

    def gold(self) -> list[GoldAlignment]:
        r"""Returns the sure and the possible links of each sentence pair.

        >>> import alinea, pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     path = pathlib.Path(directory, "gold.talp")
        ...     _ = path.write_text("1-1 2p3\n")
        ...     alinea.read_links(path).gold()
        [GoldAlignment(sure=[[0, 0]], possible=[[0, 0], [1, 2]])]
        """
        bounds = self.links.offsets.tolist()
        pairs = zip(bounds, bounds[1:], self.links, strict=False)
        return [
            GoldAlignment._of_arrays(links[~self.possible[start:end]], np.asarray(links)) for start, end, links in pairs
        ]


def read_links(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    format: LinkFormat | None = None,  # noqa: A002  # what it is called everywhere
    *,
    base: Literal[0, 1] | None = None,
    threshold: float | None = None,
    sentences: int | Sequence[str] | None = None,
    direction: GizaDirection = "source-target",
    fill_gaps: bool = False,
    encoding: Literal["utf-8", "latin-1"] = "utf-8",
) -> LinkFile:
    """Reads links from a file, plain or compressed by gzip or zstd.

    >>> import alinea, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = pathlib.Path(directory, "links.jsonl")
    ...     alinea.write_links(path, ["0-0 1-1"], source=["the house"], target=["la maison"])
    ...     read = alinea.read_links(path)
    >>> read.links[0].tolist(), read.source
    ([[0, 0], [1, 1]], [['the', 'house']])

    Args:
        path: The file, or the parts of an A3 file that MGIZA writes.
        format: ``"pharaoh"``: lines ``0-0 1p2 2-1:0.93`` (Moses); ``"talp"``: lines ``1-1 2p3``; ``"naacl"``: lines
            ``12 1 1 S`` of the shared tasks of 2003 and 2005; ``"giza"``: the three lines of GIZA++'s ``A3.final``;
            ``"comtrans"``: the three lines of NLTK's corpus; ``"jsonl"``: objects ``{"links": [[0, 0]]}``;
            ``"opustrainer"``: source, target and links between tabs; ``"simalign"``: sentence number and links
            ``0-1-.91-.93``; ``"serval"``: Serval's JSON; ``"bal"``: what symal reads. Without it, what the name of the
            file suggests, or its first line, otherwise ``"pharaoh"``.
        base: What positions in the file count from; without it, that of the format.
        threshold: Links of a smaller weight are left out; those without weight stay.
        sentences: The sentences of a NAACL file, in order: how many, or their names.
        direction: Which sentence of an A3 file is the source: the one with the brackets, or the other.
        fill_gaps: Pairs whose number is missing in an A3 file are blank, instead of an error.
        encoding: ``"latin-1"`` for older corpora, such as NLTK's.

    Raises:
        OSError: The file cannot be read.
        ParseError: A line does not follow the format.
        ConfigError: An option has a value that is not allowed.
    """
    paths = [path] if isinstance(path, (str, os.PathLike)) else list(path)
    column, possible, weights, source, target, scores = _native.read_links(
        paths,
        format,
        base=base,
        threshold=threshold,
        sentences=_names(sentences),
        target_source=_is_target_source(direction),
        latin_1=_is_latin_1(encoding),
        fill_gaps=fill_gaps,
    )
    return LinkFile(LinkColumn(*column), possible, weights, source, target, scores)


def write_links(
    path: str | os.PathLike[str],
    links: Writable,
    format: LinkFormat | None = None,  # noqa: A002  # what it is called everywhere
    *,
    base: Literal[0, 1] | None = None,
    digits: int | None = None,
    source: Sentences | None = None,
    target: Sentences | None = None,
    sentences: int | Sequence[str] | None = None,
    direction: GizaDirection = "source-target",
) -> None:
    r"""Writes links to a file, which is complete or absent; compressed if its name ends in ``.gz`` or ``.zst``.

    >>> import alinea, pathlib, tempfile
    >>> found = alinea.posteriors(["the house", "the flower"], ["la maison", "la fleur"], least=0.5)
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = pathlib.Path(directory, "links.talp")
    ...     alinea.write_links(path, found, digits=1)
    ...     path.read_text()
    '1-1:1.0 2-2:1.0\n1-1:1.0 2-2:1.0\n'

    Args:
        path: The file to write.
        links: The links of each sentence pair. Those of a gold standard are written as sure and possible ones, and
            those of :class:`Posteriors` and :class:`LinkFile` with their weights.
        format: As in :func:`read_links`, without ``"bal"``.
        base: What positions in the file count from; without it, that of the format.
        digits: The decimals of weights. Without it JSON lines have weights at full precision, the other formats
            no weights.
        source: The source sentences, which ``"giza"``, ``"comtrans"`` and ``"opustrainer"`` need, and ``"jsonl"`` and
            ``"serval"`` show; without them,
            those that a :class:`LinkFile` has.
        target: The target sentences.
        sentences: The names of the sentences in a NAACL file; without them, their numbers.
        direction: Which sentence of an A3 file is the source.

    Raises:
        OSError: The file cannot be written.
        Error: There are more or fewer sentences than links, or they are missing where a format needs them; or a link
            is outside its sentences.
        ParseError: A line of links is not in Pharaoh format.
        ConfigError: An option has a value that is not allowed.
    """
    options = (base, digits, _names(sentences), _is_target_source(direction))
    _native.write_links(path, format, _parts(links), _words(links, source, target), *options)


def write_pharaoh(path: str | os.PathLike[str], links: Writable, *, digits: int | None = None) -> None:
    r"""Writes links in Pharaoh format, a line for each sentence pair; see :func:`write_links`.

    >>> import alinea, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = pathlib.Path(directory, "links")
    ...     alinea.write_pharaoh(path, alinea.align(["the house", "a house"], ["la maison", "une maison"]))
    ...     path.read_text()
    '0-0 1-1\n0-0 1-1\n'

    Args:
        path: The file to write.
        links: The links of each sentence pair.
        digits: The decimals of weights; without it no weights are written.

    Raises:
        OSError: The file cannot be written.
        ParseError: A line of links is not in Pharaoh format.
        ConfigError: ``digits`` is not allowed.
    """
    write_links(path, links, "pharaoh", digits=digits)


def to_pharaoh(links: Writable, *, digits: int | None = None) -> list[str]:
    """Returns links in Pharaoh format, a line for each sentence pair; see :func:`write_links`.

    >>> import alinea
    >>> alinea.to_pharaoh([[(0, 0), (1, 2)], alinea.GoldAlignment([(0, 0)], [(1, 1)]), []])
    ['0-0 1-2', '0-0 1p1', '']

    Args:
        links: The links of each sentence pair.
        digits: The decimals of weights; without it no weights are written.

    Raises:
        ParseError: A line of links is not in Pharaoh format.
        ConfigError: ``digits`` is not allowed.
    """
    return _native.to_pharaoh(_parts(links), digits)


def parse_pharaoh(line: str) -> GoldAlignment:
    """Reads one line in Pharaoh format: ``0-0 1p2``, positions from 0, a ``p`` for a link that is only possible.

    >>> import alinea
    >>> gold = alinea.parse_pharaoh("0-0 1p2")
    >>> gold.sure.tolist(), gold.possible.tolist()
    ([[0, 0]], [[0, 0], [1, 2]])

    Raises:
        ParseError: A link is malformed.
    """
    return GoldAlignment._of_arrays(*_native.parse_pharaoh(line, "<memory>", 1))


def read_pharaoh(path: str | os.PathLike[str]) -> list[GoldAlignment]:
    """Reads a file in Pharaoh format, plain or compressed by gzip or zstd; see :func:`parse_pharaoh`.

    >>> import alinea, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = pathlib.Path(directory, "links")
    ...     _ = path.write_text("0-0 1p2")
    ...     alinea.read_pharaoh(path)
    [GoldAlignment(sure=[[0, 0]], possible=[[0, 0], [1, 2]])]

    Raises:
        OSError: The file cannot be read.
        ParseError: A link is malformed.
    """
    return [GoldAlignment._of_arrays(sure, possible) for sure, possible in _native.read_pharaoh(path)]


_Parts: TypeAlias = tuple[
    tuple[NDArray[np.int64], NDArray[np.uint32]], NDArray[np.bool_] | None, NDArray[np.float32] | None
]


def _parts(links: Writable) -> _Parts:
    """A column of links; which are only possible, if any are; their weights, if they have any."""
    if isinstance(links, Posteriors):
        weights = np.asarray(links.confidences, dtype=np.float32)
        return (links.links.offsets, links.links.rows), None, weights
    if isinstance(links, LinkFile):
        return (links.links.offsets, links.links.rows), links.possible, links.weights
    given = links if isinstance(links, os.PathLike) else items(links, "links")
    if isinstance(given, LinkColumn):
        return (given.offsets, given.rows), None, None
    pairs = pairs_of_arrays(given)
    offsets = np.cumsum([0, *(len(possible) for _, possible in pairs)], dtype=np.int64)
    rows = np.concatenate([np.empty((0, 2), dtype=np.uint32), *(possible for _, possible in pairs)])
    marks = [_only_possible(sure, possible) for sure, possible in pairs]
    return (offsets, rows), np.concatenate([np.empty(0, dtype=np.bool_), *marks]), None


def _only_possible(sure: NDArray[np.uint32], possible: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Which of the possible links are not sure."""
    if len(sure) == len(possible):
        return np.zeros(len(possible), dtype=np.bool_)
    known = set(map(tuple, sure.tolist()))
    return np.array([tuple(link) not in known for link in possible.tolist()], dtype=np.bool_)


def _words(links: Writable, source: Sentences | None, target: Sentences | None) -> tuple[object, object] | None:
    """The sentences, if there are any."""
    if (source is None) != (target is None):
        raise ValueError("source and target: both are needed, or none")
    if source is not None:
        return source, target
    if isinstance(links, LinkFile) and links.source is not None and links.target is not None:
        return links.source, links.target
    return None


def _names(sentences: int | Sequence[str] | None) -> int | list[str] | None:
    return sentences if sentences is None or isinstance(sentences, int) else list(sentences)


def _is_target_source(direction: GizaDirection) -> bool:
    if direction not in ("source-target", "target-source"):
        raise config_error("direction", direction, "source-target or target-source")
    return direction == "target-source"


def _is_latin_1(encoding: str) -> bool:
    if encoding not in ("utf-8", "latin-1"):
        raise config_error("encoding", encoding, "utf-8 or latin-1")
    return encoding == "latin-1"


for _public in (LinkFile, read_links, write_links, write_pharaoh, to_pharaoh, parse_pharaoh, read_pharaoh):
    _public.__module__ = "alinea"
del _public

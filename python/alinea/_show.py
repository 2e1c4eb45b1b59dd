"""Viewing alignments: pages for a browser, pictures in notebooks, drawings in a terminal.

:func:`show` draws what ``alinea view`` draws; :func:`page` is its HTML page as text, :func:`write_page` as a file. The
drawing is native (crate ``alinea``, module ``view``); this module sorts out what it was given.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from alinea import _html, _native
from alinea._alignment import Alignment
from alinea._errors import config_error
from alinea._formats import LinkFile
from alinea._links import (
    Alignments,
    GoldAlignment,
    Links,
    Posteriors,
    Sentence,
    Sentences,
    known_pairs_of_arrays,
    pairs_of_arrays,
)
from alinea._pictures import texts
from alinea._sentence import AlignedSentence
from alinea._trees import Trees, trees_of

PictureFormat: TypeAlias = Literal["html", "svg", "grid", "interlinear", "dot"]
"""What is drawn; see :func:`show`."""

LinkSet: TypeAlias = "Iterable[GoldAlignment | Links] | Alignments | Posteriors | LinkFile"
"""The links of each sentence pair of a text, with or without confidences."""

LinkSets: TypeAlias = "LinkSet | Mapping[str, LinkSet]"
"""One set of links, or several by their names."""

GoldSet: TypeAlias = "LinkSet | Iterable[GoldAlignment | Links | None]"
"""A gold standard: the links of each sentence pair, ``None`` where it has none of the pair."""

GoldSets: TypeAlias = "GoldSet | Mapping[str, GoldSet]"
"""One gold standard, or several by their names."""

_FORMATS: tuple[PictureFormat, ...] = get_args(PictureFormat)
# What a notebook takes: larger pages are files.
_INLINE = 8_000_000


class Picture:
    """A drawing of sentence pairs; see :func:`show`. Notebooks display it, and ``str`` returns its text.

    >>> import alinea
    >>> picture = alinea.show("das Haus", "the house", "0-0 1-1", format="grid")
    >>> str(picture).splitlines()[-1]
    '■ link 2'

    Attributes:
        format: The format; see :func:`show`.
        lines: The numbers of the pairs that it shows, from 1.
    """

    __slots__ = ("_text", "_title", "format", "lines")

    format: PictureFormat
    lines: range

    def __init__(self, text: str, format: PictureFormat, lines: range, title: str) -> None:  # noqa: A002
        self._text = text
        self._title = title
        self.format = format
        self.lines = lines

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        first, last = self.lines.start, self.lines.stop - 1
        what = f"pair {first}" if first == last else f"{len(self.lines):,} pairs"
        return f"<Picture of {what}: {self.format}, {len(self._text):,} characters>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it to a file, which is complete or absent; compressed if its name ends in ``.gz`` or ``.zst``.

        >>> import alinea, pathlib, tempfile
        >>> picture = alinea.show("das Haus", "the house", "0-0 1-1")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "house.svg")
        ...     picture.save(path)
        ...     path.read_text(encoding="utf-8") == str(picture)
        True

        Args:
            path: The file to write.

        Raises:
            ConfigError: The name has the extension of another format, such as ``house.html`` or ``house.pdf`` for SVG.
            OSError: The file cannot be written.
        """
        _native.write_picture(path, self._text, self.format)

    def _repr_html_(self) -> str:
        if self.format == "svg":
            return _html.drawing(self._text)
        if self.format != "html":
            return _html.text(self._text)
        if len(self._text) > _INLINE:
            size = f"{len(self._text) / 1e6:,.0f} MB"
            advice = 'save it to a file, .save("page.html"), or show fewer pairs, line=range(1, 1001)'
            return _html.note(f"A page of {size} with {len(self.lines):,} pairs is too large for a notebook: {advice}")
        return _html.frame(self._text, self._title)

    def _repr_svg_(self) -> str | None:
        return self._text if self.format == "svg" else None


def show(
    source: Sentences | Sentence | AlignedSentence | Iterable[AlignedSentence],
    target: Sentences | Sentence | None = None,
    links: LinkSets | Links | None = None,
    gold: GoldSets | GoldAlignment | Links | None = None,
    *,
    line: int | range | None = None,
    format: PictureFormat | None = None,  # noqa: A002  # what it is called everywhere
    title: str = "Alignments",
    source_trees: Trees | None = None,
    target_trees: Trees | None = None,
) -> Picture:
    """Draws sentence pairs with their links, as ``alinea view`` does. Notebooks display the result.

    >>> import alinea
    >>> source, target = ["das Haus", "ein Buch"], ["the house", "a book"]
    >>> alinea.show(source, target, ["0-0 1-1", "0-0 1-1"]).format
    'html'
    >>> alinea.show(source, target, ["0-0 1-1", "0-0 1-1"], line=2).format
    'svg'

    One pair, in a terminal:

    >>> print(alinea.show("das Haus", "the house", "0-0 1-1", format="grid"))
              h
              o
            t u
            h s
            e e
            0
     das 0  ■ ·
    Haus 1  · ■
    <BLANKLINE>
    ■ link 2
    <BLANKLINE>

    Args:
        source: The source sentences; or one, as a ``str``, or, if the links are those of one pair, in a list or as its
            words; or an :class:`AlignedSentence`, or several, without target and links.
        target: Their translations, one for each.
        links: The links of each pair: one set, or several to be compared, by their names. Those of
            :class:`Posteriors` fade with their confidences.
        gold: The gold standard, or several by their names; ``None`` in place of the links of pairs that it lacks.
        line: The pair to draw, from 1, or a ``range`` of them; without it, all on a page, the first in a picture.
        format: ``"html"``, a page of all pairs with search, filters and, with a gold standard, evaluation; ``"svg"``, a
            picture of one pair; ``"grid"`` or ``"interlinear"``, a drawing in characters; ``"dot"``, a graph for
            Graphviz. Without it, ``"svg"`` for one pair with one set of links, otherwise ``"html"``.
        title: The title of a page.
        source_trees: Trees to draw above the source words, on pages and in SVG: one for each sentence that is not
            empty.
        target_trees: Trees to draw below the target words.

    Raises:
        Error: There are more or fewer sentences on one side, links, confidences or trees; a tree does not match
            its sentence; two sets have the same name, or there are none.
        ParseError: A link is outside its sentences, a line is not in Pharaoh format, or a tree is malformed.
        ConfigError: There is no such line or format; or a picture is requested of several pairs or sets of links.
        ValueError: There are several sentences, and links of one pair.
        TypeError: Sentences or links have the wrong type.
        OSError: A file cannot be read.
    """
    sides, links, gold = _given(source, target, links, gold)
    sets, standards, title = _sets(links, "links"), _sets(gold, "gold"), _title(title)
    drawn = _drawn(sides, sets, standards, source_trees, target_trees)
    lines = _lines(line, len(drawn))
    alone = len(sets) <= 1 and len(standards) <= 1
    if format is None:
        format = "svg" if alone and len(lines) == 1 else "html"  # noqa: A001
    if format not in _FORMATS:
        raise config_error("format", format, "html, svg, grid, interlinear or dot")
    if format == "html":
        return Picture(drawn.page(title, lines.start - 1, lines.stop - 1), format, lines, title)
    if not alone:
        raise config_error("format", format, "html for several sets of links or gold standards")
    if line is not None and len(lines) != 1:
        raise config_error("format", format, "html for several pairs")
    if not lines:
        raise config_error("format", format, "html where there are no pairs")
    return Picture(drawn.draw(lines.start - 1, format), format, lines[:1], title)


def page(
    source: Sentences,
    target: Sentences,
    links: LinkSets,
    *,
    gold: GoldSets | None = None,
    title: str = "Alignments",
    source_trees: Trees | None = None,
    target_trees: Trees | None = None,
) -> str:
    """Returns the HTML page of alignments: the text of the file that :func:`write_page` writes.

    >>> import alinea
    >>> alinea.page(["das Haus"], ["the house"], ["0-0 1-1"]).splitlines()[0]
    '<!DOCTYPE html>'

    Args:
        source: The source sentences; see :func:`write_page` for all arguments.
        target: Their translations.
        links: The links of each sentence pair, or several sets by their names.
        gold: The gold standard, or several by their names.
        title: The title of the page.
        source_trees: Trees to draw above the source words.
        target_trees: Trees to draw below the target words.

    Raises:
        Error: See :func:`write_page`, also for other exceptions.
    """
    drawn = _drawn((source, target), _sets(links, "links"), _sets(gold, "gold"), source_trees, target_trees)
    return drawn.page(_title(title), 0, len(drawn))


def write_page(
    path: str | os.PathLike[str],
    source: Sentences,
    target: Sentences,
    links: LinkSets,
    *,
    gold: GoldSets | None = None,
    title: str = "Alignments",
    source_trees: Trees | None = None,
    target_trees: Trees | None = None,
) -> None:
    r"""Writes alignments as one HTML file for a browser: pictures of pairs, and their evaluation by a gold standard.

    >>> import alinea, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "page.html")
    ...     alinea.write_page(path, ["das Haus"], ["the house"], {"ours": ["0-0 1-1"]}, gold={"people": ["0-0"]})
    ...     path.read_text().split("\n")[0]
    '<!DOCTYPE html>'

    Args:
        path: The file to write. The file is complete or absent; compressed if its name ends in ``.gz`` or ``.zst``.
        source: The source sentences.
        target: Their translations, one for each.
        links: The links of each sentence pair; or several sets of them to show and to compare, by their names. Those
            of :class:`Posteriors` fade with their confidences, and with a gold standard the page has a
            precision–recall curve and a reliability diagram.
        gold: The gold standard, or several by their names; ``None`` in place of the links of pairs that it lacks.
        title: The title of the page.
        source_trees: Trees to draw above the source words, one for each sentence that is not empty.
        target_trees: Trees to draw below the target words.

    Raises:
        Error: There are more or fewer sentences on one side, links, confidences or trees; a tree does not match
            its sentence; two sets have the same name, or there are none.
        ParseError: A link is outside its sentences, a line is not in Pharaoh format, or a tree is malformed.
        ConfigError: A confidence is not a finite number, or the name of the file is that of another kind of picture.
        TypeError: Sentences or links have the wrong type.
        OSError: A file cannot be read or written.
    """
    drawn = _drawn((source, target), _sets(links, "links"), _sets(gold, "gold"), source_trees, target_trees)
    drawn.write_page(path, _title(title))


def _given(source: Any, target: Any, links: Any, gold: Any) -> tuple[tuple[Any, Any], Any, Any]:
    """Texts and sets of links, in place of one pair or of aligned sentences."""
    if target is None and links is None:
        is_one = isinstance(source, AlignedSentence)
        pairs = [source] if is_one else _aligned(source)
        sides = [texts(pair.words) for pair in pairs], [texts(pair.mots) for pair in pairs]
        return sides, [pair.alignment for pair in pairs], _each(gold) if is_one else gold
    if target is None:
        raise TypeError("target: the translations of the sentences are needed")
    if links is None and gold is None:
        raise TypeError("links: those of each sentence pair are needed")
    if isinstance(source, str) or isinstance(target, str) or _is_of_one_pair(links) or _is_of_one_pair(gold):
        return ([_sentence(source, "source")], [_sentence(target, "target")]), _each(links), _each(gold)
    return (source, target), links, gold


def _sentence(side: Any, name: str) -> Any:
    """One sentence, from itself, from its words, or from a sequence that has this sentence alone."""
    if isinstance(side, (str, os.PathLike)) or not isinstance(side, Iterable):
        return side
    items = list(side.to_pylist() if hasattr(side, "to_pylist") else side)
    if len(items) == 1:
        return items[0]
    if any(_is_sentence(item) for item in items):
        raise ValueError(
            f"{name}: {len(items)} sentences, but links of one pair; give a sequence of links for several pairs, and"
            " words that contain blanks as a list in a list: [words]"
        )
    return items


def _is_sentence(item: object) -> bool:
    """Whether it is certainly no word."""
    if isinstance(item, str):
        return bool(_BLANK.search(item.strip(" \t")))
    return isinstance(item, (list, tuple))


def _aligned(source: Any) -> list[AlignedSentence]:
    """Sentences that have their targets and links."""
    if not isinstance(source, (str, os.PathLike)) and isinstance(source, Iterable):
        pairs = list(source)
        if all(isinstance(pair, AlignedSentence) for pair in pairs):
            return pairs
    raise TypeError("target and links are needed, unless the source is an AlignedSentence, or a sequence of them")


def _is_of_one_pair(links: object) -> bool:
    """Whether links are those of one sentence pair, not one for each pair of a text."""
    if isinstance(links, Mapping):
        return any(map(_is_of_one_pair, links.values()))
    if isinstance(links, np.ndarray):
        return links.ndim == _PAIR and links.dtype != object
    if isinstance(links, (list, tuple)) and not isinstance(links, Posteriors):
        return bool(links) and _is_link(links[0])
    return isinstance(links, (str, Alignment, AlignedSentence, GoldAlignment))


def _is_link(item: object) -> bool:
    """Whether it is one link, not those of a pair: two positions, or a structure of them."""
    if isinstance(item, (tuple, list)):
        return bool(item) and isinstance(item[0], (int, np.integer))
    if isinstance(item, np.ndarray):
        return item.ndim == 1 and item.size > 0 and np.issubdtype(item.dtype, np.integer)
    return isinstance(item, Mapping) and "source" in item


def _each(links: Any) -> Any:
    """The links of one pair, as those of each pair of a text, if they are not in a sequence already."""
    if isinstance(links, Mapping):
        return {name: _each(of_pair) for name, of_pair in links.items()}
    if isinstance(links, (list, tuple)):
        are_of_text = bool(links) and not _is_link(links[0])
    elif isinstance(links, np.ndarray):
        are_of_text = links.ndim > _PAIR or links.dtype == object
    else:
        is_column = hasattr(links, "__arrow_c_stream__") or hasattr(links, "__arrow_c_array__")
        are_of_text = links is None or is_column or isinstance(links, (LinkFile, os.PathLike))
    return links if are_of_text else [links]


def _sets(given: Any, name: str) -> dict[str, GoldSet]:
    """Sets of links by their names; one alone has this one."""
    if given is None:
        return {}
    sets = dict(given) if isinstance(given, Mapping) else {name: given}
    for other in sets:
        if not isinstance(other, str):
            raise TypeError(f"{name}: sets have names of type str, not {type(other).__name__}")
    return sets


def _title(title: str) -> str:
    if not isinstance(title, str):
        raise TypeError(f"title: expected a str, not {type(title).__name__}")
    return title


def _lines(line: int | range | None, pairs: int) -> range:
    """The pairs that are drawn, from 1."""
    if line is None:
        return range(1, pairs + 1)
    if isinstance(line, range):
        lines = line
    elif isinstance(line, (int, np.integer)) and not isinstance(line, bool):
        lines = range(int(line), int(line) + 1)
    else:
        raise TypeError(f"line: expected a number or a range, not {type(line).__name__}")
    if not lines or lines.step != 1 or lines.start < 1 or lines.stop > pairs + 1:
        allowed = f"1 to {pairs:,}, or a range of these" if pairs else "left out: there are no pairs"
        raise config_error("line", line, allowed)
    return lines


def _drawn(
    sides: tuple[Any, Any],
    sets: dict[str, GoldSet],
    standards: dict[str, GoldSet],
    source_trees: Trees | None,
    target_trees: Trees | None,
) -> _native.DrawnPairs:
    """All of it in native memory, checked."""
    layers = [_layer(name, links, is_gold=False) for name, links in sets.items()]
    layers += [_layer(name, links, is_gold=True) for name, links in standards.items()]
    return _native.DrawnPairs(
        *sides,
        layers,
        None if source_trees is None else trees_of(source_trees, "source_trees"),
        None if target_trees is None else trees_of(target_trees, "target_trees"),
    )


def _layer(name: str, links: GoldSet, *, is_gold: bool) -> dict[str, object]:
    """A set of links as the native module takes it."""
    given: Any = links
    if isinstance(given, LinkFile):
        weights, has_possible = given.weights, bool(given.possible.any())
        if weights is None or has_possible or not np.isfinite(weights).all():
            given = given.gold()
        else:
            given = Posteriors(given.links, weights)
    confidences = None
    if isinstance(given, Posteriors):
        confidences = np.asarray(given.confidences, dtype=np.float32)
        given = given.links
    pairs = known_pairs_of_arrays(given, name) if is_gold else pairs_of_arrays(given, name)
    return {"name": name, "gold": is_gold, "pairs": pairs, "confidences": confidences}


_PAIR = 2
_BLANK = re.compile(r"[ \t]")

for _public in (Picture, page, show, write_page):
    _public.__module__ = "alinea"
del _public

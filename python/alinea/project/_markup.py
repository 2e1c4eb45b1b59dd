"""Inline tags, such as those of XML, carried over links to the translation.

The native module does the work (crate ``alinea-order``, module ``project::markup``), and
``docs/guides/carry-markup.md`` says how.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias

from alinea import _native
from alinea._align import posteriors
from alinea._links import Alignments, Posteriors, arrays

Syntax: TypeAlias = Literal["xml", "html", "xliff", "tmx", "usfm", "plain"]
"""How tags are written; ``"plain"`` has none but placeholders."""

WordRule: TypeAlias = Literal["script", "unicode", "dictionary", "whitespace", "none"]
"""How text is cut into words; see ``tokenize`` of :func:`alinea.align`."""

Unplaced: TypeAlias = Literal["near", "start", "end", "drop"]
"""Where pairs of tags go whose words have no counterpart."""

TagLoss: TypeAlias = Literal["unlinked", "weak", "taken", "inside", "deep", "crossing"]
"""Why a pair of tags was not placed."""


class PlacedTag(NamedTuple):
    """What became of a tag that stands alone, or of a pair of tags.

    >>> from alinea import project
    >>> project.PlacedTag("<b>", "</b>", (0, 1), (1, 2), 0.9, None).open
    '<b>'

    Attributes:
        open: The tag as it is written, the first of a pair.
        close: The other one.
        source: The first of its source words, from 0, and the word behind the last one.
        target: The same in the target; ``None`` if it was dropped.
        confidence: The mean probability that a target word in it is linked into it, from 0 to 1.
        lost: Why a pair is not around its words: none of them is linked (``"unlinked"``), links are too improbable
            (``"weak"``), the words belong to another pair (``"taken"``), what it is in was not placed (``"inside"``),
            it is in too many others (``"deep"``), or its tags would be in the wrong order (``"crossing"``).
    """

    open: str
    close: str | None
    source: tuple[int, int]
    target: tuple[int, int] | None
    confidence: float
    lost: TagLoss | None


class MarkedTranslation(NamedTuple):
    """A translation with the tags of its source.

    >>> from alinea import project
    >>> project.markup(["<b>Yes</b>"], ["Ja"], links=["0-0"])[0].text
    '<b>Ja</b>'

    Attributes:
        text: The translation with its tags.
        tags: What became of each tag, in the order of the source.
    """

    text: str
    tags: list[PlacedTag]


def markup(
    source: Iterable[str],
    target: Iterable[str],
    links: Posteriors | Alignments | None = None,
    *,
    syntax: Syntax = "xml",
    placeholders: Sequence[str] = (),
    escaped: bool = False,
    tokenize: WordRule = "script",
    unplaced: Unplaced = "near",
    threads: int = 0,
) -> list[MarkedTranslation]:
    """Carries inline tags over to the translation.

    What is found depends on the whole text: give as much of it at once as there is.

    >>> import alinea
    >>> source = ["Click <b>Save</b>.", "Click Cancel."]
    >>> target = ["Auf Sichern klicken.", "Auf Abbrechen klicken."]
    >>> alinea.project.markup(source, target, ["0-2 1-1 2-3", ""])[0].text
    'Auf <b>Sichern</b> klicken.'

    Args:
        source: Segments with tags.
        target: Their translations without tags, one for each.
        links: The links of each pair between the words that :func:`markup_words` returns, best with confidences. Links
            without count 0.9. If there are none, these words are aligned by :func:`alinea.posteriors`.
        syntax: How tags are written.
        placeholders: Regular expressions (of Rust's ``regex``) for what else is a tag.
        escaped: Whether the translations are escaped already. If not, they are plain text, in which ``&`` and ``<``
            mean themselves.
        tokenize: How text is cut into words.
        unplaced: Where pairs of tags go whose words have no counterpart: around nothing near their neighbors
            (``"near"``), before everything (``"start"``), behind everything (``"end"``), or nowhere (``"drop"``).
        threads: The number of threads, 0 for one on each core. Results do not depend on it.

    Returns:
        The translations with tags.

    Raises:
        Error: There are more or fewer segments on one side, or links; or a link is not between words.
        ParseError: A segment is malformed, or a translation has tags.
        ConfigError: An option has a value that is not allowed.
    """
    segments, translations, expressions = list(source), list(target), list(placeholders)
    if links is None:
        of_target: Syntax = syntax if escaped else "plain"
        texts = (
            [" ".join(markup_words(segment, syntax, expressions, tokenize=tokenize)) for segment in segments],
            [" ".join(markup_words(translation, of_target, tokenize=tokenize)) for translation in translations],
        )
        links = posteriors(*texts, threads=threads)
    found = _native.project_markup(
        segments,
        translations,
        arrays(links.links if isinstance(links, Posteriors) else links, "links"),
        links.confidences if isinstance(links, Posteriors) else None,
        syntax=syntax,
        placeholders=expressions,
        escaped=escaped,
        tokenize=tokenize,
        unplaced=unplaced,
        threads=threads,
    )
    return [MarkedTranslation(text, [PlacedTag(*tag) for tag in tags]) for text, tags in found]


def markup_words(
    segment: str, syntax: Syntax = "xml", placeholders: Sequence[str] = (), *, tokenize: WordRule = "script"
) -> list[str]:
    """The words of a segment that links count, without its tags.

    >>> from alinea import project
    >>> project.markup_words("Click <b>Save</b>.")
    ['Click', 'Save', '.']
    >>> project.markup_words("[保存]をクリック", "plain")
    ['[', '保', '存', ']', 'を', 'クリック']

    Args:
        segment: A segment, or a translation that is plain text (with the syntax ``"plain"``).
        syntax: How tags are written.
        placeholders: Regular expressions for what else is a tag.
        tokenize: How text is cut into words.

    Raises:
        ParseError: The segment is malformed.
        ConfigError: An option has a value that is not allowed.
    """
    return _native.markup_words(segment, syntax, list(placeholders), tokenize)


for _public in (MarkedTranslation, PlacedTag, markup, markup_words):
    _public.__module__ = "alinea.project"

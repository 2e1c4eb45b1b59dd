"""How words are translated: a bilingual concordance and dictionary over links.

The native module counts (crate ``alinea-text``, module ``concordance``); ``docs/guides/concordance.md`` has the
definitions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias, overload

from alinea import _html, _native
from alinea._align import posteriors
from alinea._columns import SHOWN
from alinea._links import Alignments, Posteriors, Sentences, arrays

TranslationRank: TypeAlias = Literal["count", "g2", "dice"]
"""What the translations of a headword are ranked by."""


class Occurrence(NamedTuple):
    """An occurrence of a headword, with its sentence pair.

    >>> import alinea
    >>> (house,) = alinea.concordance(["the house"], ["la maison"], ["0-0 1-1"], word="house")
    >>> example = house.translations[0].examples[0]
    >>> [example.source[place] for place in example.source_places]
    ['house']
    >>> [example.target[place] for place in example.target_places]
    ['maison']

    Attributes:
        pair: The number of the sentence pair, from 0.
        id: What it is called, if ``ids`` were given.
        source: The source words.
        target: The target words.
        source_places: The positions of the words of the headword, or of its translation if that is in the source.
        target_places: The same in the target.
        confidence: The mean confidence of the links, from 0 to 1; ``None`` if they have none.
    """

    pair: int
    id: str | None
    source: list[str]
    target: list[str]
    source_places: list[int]
    target_places: list[int]
    confidence: float | None


@dataclass(frozen=True)
class HeadwordTranslation:
    """A translation of a headword.

    >>> import alinea
    >>> (word,) = alinea.concordance(["do not go"], ["ne va pas"], ["1-0 1-2 2-1"], word="not")
    >>> word.translations[0].words, word.translations[0].count
    ('ne ... pas', 1)

    Attributes:
        words: The words that are linked to the headword, in their order, with ``...`` where they are not adjacent.
        count: How many occurrences of the headword are translated so.
        share: Their share of all its occurrences, from 0 to 1.
        confidence: The mean confidence of these occurrences, each the mean of its links; ``None`` if links have none.
        g2: Dunning's log-likelihood ratio, negative where headword and translation occur together less often than by
            chance.
        dice: Dice's coefficient, from 0 to 1.
        examples: Examples, in the order of the text.
    """

    words: str
    count: int
    share: float
    confidence: float | None
    g2: float
    dice: float
    examples: list[Occurrence]


@dataclass(frozen=True)
class Headword:
    """A word or phrase, and how it is translated; see :func:`concordance`.

    >>> import alinea
    >>> (house,) = alinea.concordance(["the house", "a House"], ["la maison", "un"], ["0-0 1-1", "0-0"], word="house")
    >>> house.word, house.count, house.untranslated
    ('house', 2, 1)

    Attributes:
        word: The words, as they are written most often.
        count: How often it occurs.
        translations: Its translations, the best first.
        other_translations: How many translations are not listed.
        other_count: How many occurrences have these.
        untranslated: How many occurrences have no link.
        untranslated_examples: Examples of these.
    """

    word: str
    count: int
    translations: list[HeadwordTranslation]
    other_translations: int
    other_count: int
    untranslated: int
    untranslated_examples: list[Occurrence]

    def __repr__(self) -> str:
        first = ", ".join(f"{found.words} {found.count}" for found in self.translations[:3])
        return f"<Headword {self.word!r}, {self.count:,} times: {first or 'not translated'}>"

    def _repr_html_(self) -> str:
        def share(count: int) -> str:
            return _html.percent(count / self.count if self.count else None, 1)

        rows = [
            [
                found.words,
                f"{found.count:,}",
                share(found.count),
                _html.number(found.confidence, 2),
                f"{found.g2:,.1f}",
                _html.number(found.dice, 3),
                _first(found.examples, found.words),
            ]
            for found in self.translations
        ]
        if self.other_translations:
            name = f"({self.other_translations:,} other)"
            rows.append([name, f"{self.other_count:,}", share(self.other_count), "", "", "", ""])
        if self.untranslated:
            example = _first(self.untranslated_examples, "")
            rows.append(["(not translated)", f"{self.untranslated:,}", share(self.untranslated), "", "", "", example])
        head = ("translation", "count", "%", "confidence", "G²", "Dice", "example")
        return _html.table(f"{self.word}, {self.count:,} times", head, rows, align="lrrrrrl")


def _first(examples: Sequence[Occurrence], words: str) -> str:
    """The first example in one line."""
    if not examples:
        return ""
    example = examples[0]
    name = f"{example.id}: " if example.id else ""
    between = " – " if words else " "
    return f"{name}{' '.join(example.source)}{between}{' '.join(example.target)}"


def _listed(translations: Sequence[HeadwordTranslation]) -> str:
    """The first translations in one line."""
    more = len(translations) - _html.ITEMS
    shown = ", ".join(f"{found.words} {found.count:,}" for found in translations[: _html.ITEMS])
    return shown + (f" … {more:,} more" if more > 0 else "")


class Concordance(Sequence[Headword]):
    """Headwords with their translations, the most frequent first; see :func:`concordance`.

    >>> import alinea
    >>> found = alinea.concordance(["the house", "the flower"], ["la maison", "la fleur"], ["0-0 1-1", "0-0 1-1"])
    >>> [(word.word, word.translations[0].words) for word in found]
    [('the', 'la'), ('flower', 'fleur'), ('house', 'maison')]
    >>> found
    <Concordance of 3 headwords in 2 sentence pairs>

    Attributes:
        pairs: The number of sentence pairs.
        words: The number of words of the side that headwords are of.
        missing: Of the words that were asked for, those that do not occur.
    """

    __slots__ = ("_headwords", "missing", "pairs", "words")

    pairs: int
    words: int
    missing: list[str]

    def __init__(self, headwords: Iterable[Headword], pairs: int, words: int, missing: Iterable[str] = ()) -> None:
        self._headwords = list(headwords)
        self.pairs, self.words, self.missing = pairs, words, list(missing)

    def __len__(self) -> int:
        return len(self._headwords)

    @overload
    def __getitem__(self, place: int) -> Headword: ...
    @overload
    def __getitem__(self, place: slice) -> list[Headword]: ...
    def __getitem__(self, place: int | slice) -> Headword | list[Headword]:
        return self._headwords[place]

    def __iter__(self) -> Iterator[Headword]:
        return iter(self._headwords)

    def __repr__(self) -> str:
        number = len(self)
        return f"<Concordance of {number:,} headword{'' if number == 1 else 's'} in {self.pairs:,} sentence pairs>"

    def _repr_html_(self) -> str:
        if len(self) == 1:
            return self[0]._repr_html_()
        rows = [[word.word, f"{word.count:,}", _listed(word.translations)] for word in self._headwords[:SHOWN]]
        caption = f"Concordance, {len(self):,} headwords in {self.pairs:,} sentence pairs"
        head, more = ("word", "count", "translations"), len(self) - len(rows)
        return _html.table(caption, head, rows, align="lrl", more=more)


def concordance(
    source: Sentences,
    target: Sentences,
    links: Posteriors | Alignments | None = None,
    word: str | Iterable[str] | None = None,
    *,
    side: Literal["source", "target"] = "source",
    regex: bool = False,
    case: bool = False,
    source_lemmas: Sentences | None = None,
    target_lemmas: Sentences | None = None,
    ids: Iterable[str] | None = None,
    threshold: float = 0.36,
    min_count: int = 1,
    top: int | None = 10,
    rank: TranslationRank = "count",
    examples: int | None = None,
    threads: int = 0,
) -> Concordance:
    """Looks up how words are translated: all translations with counts, scores and examples; or a dictionary.

    The translation of an occurrence are all words that are linked to it.

    >>> import alinea
    >>> source = ["he does not sell the house", "the House sits"]
    >>> target = ["il ne vend pas la maison", "la Chambre siège"]
    >>> links = ["0-0 2-1 2-3 3-2 4-4 5-5", "0-0 1-1 2-2"]
    >>> (house,) = alinea.concordance(source, target, links, "house")
    >>> [(found.words, found.count) for found in house.translations]
    [('Chambre', 1), ('maison', 1)]
    >>> alinea.concordance(source, target, links, ["not", "sell the"])
    <Concordance of 2 headwords in 2 sentence pairs>

    Args:
        source: The sentences of the source language.
        target: Their translations, one for each.
        links: The links of each pair, best with confidences, as :func:`alinea.posteriors` returns them. If there are
            none, the text is aligned by that function.
        word: A word to look up, or a phrase, words with blanks between; or several of them. Without, all words are.
        side: The side that the words are of.
        regex: Whether each word of them is a regular expression, which must match a whole word.
        case: Whether words that differ in case are different.
        source_lemmas: What is counted in place of the source words, one for each.
        target_lemmas: The same for the target.
        ids: What each pair is called in examples, such as a verse.
        threshold: The minimum confidence of a link, from 0 to 1. Links without confidence always count.
        min_count: Headwords, and translations, that occur fewer times are left out.
        top: The maximum number of translations of a headword; ``None`` for all.
        rank: What translations are ranked by: how often they occur (``"count"``), Dunning's log-likelihood ratio
            (``"g2"``), or Dice's coefficient (``"dice"``).
        examples: The maximum number of examples of each translation; by default 3 if words are looked up, otherwise 0.
        threads: The number of threads that align the text if there are no links, 0 for one on each core.

    Returns:
        The headwords, the most frequent first. Words that do not occur are in ``missing``.

    Raises:
        Error: There are more or fewer sentences on one side, lemmas, ids or links; a link is outside its sentences; or
            what should be a regular expression is none.
        ConfigError: An option has a value that is not allowed.
        OSError: A file cannot be read.
    """
    if links is None:
        # They are read twice.
        source, target = (list(text) if isinstance(text, Iterator) else text for text in (source, target))
        links = posteriors(source, target, threads=threads)
    words = None if word is None else [word] if isinstance(word, str) else list(word)
    confidences = links.confidences if isinstance(links, Posteriors) else None
    rows = arrays(links.links if isinstance(links, Posteriors) else links, "links")
    names = None if ids is None else [str(name) for name in ids]
    wanted: dict[str, object] = {
        "words": words,
        "side": side,
        "regex": regex,
        "case": case,
        "threshold": threshold,
        "min_count": min_count,
        "top": top,
        "rank": rank,
        "examples": examples if examples is not None else 0 if words is None else 3,
    }
    pairs, number, missing, found = _native.concordance(
        source, target, rows, confidences, (source_lemmas, target_lemmas), names, wanted
    )
    return Concordance((_headword(entry) for entry in found), pairs, number, missing)


def _headword(entry: _native._Headword) -> Headword:
    word, count, translations, others, untranslated, examples = entry
    listed = [HeadwordTranslation(*found[:-1], _occurrences(found[-1])) for found in translations]
    return Headword(word, count, listed, others[0], others[1], untranslated, _occurrences(examples))


def _occurrences(examples: Iterable[_native._Occurrence]) -> list[Occurrence]:
    return [Occurrence(*example) for example in examples]


for _class in (Concordance, Headword, HeadwordTranslation, Occurrence):
    _class.__module__ = "alinea"
del _class

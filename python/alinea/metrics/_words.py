"""Metrics over words other than BLEU: GLEU, NIST, RIBES, METEOR, LEPOR, and scores of word order.

Each class is a dataclass of settings, as in ``_metrics.py``; the definitions are those of the papers cited at each
class, with variants of NLTK where it departs from them. Tokenizing, matching and counting are native (crate
``alinea-metric``).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from alinea import _errors, _native
from alinea.metrics._metrics import Metric, Tokenizer, native_tokenizer

Synonyms: TypeAlias = Iterable[Sequence[str]] | os.PathLike[str]
"""Sets of words with one meaning, or the ``pathlib.Path`` of a file with a set in each line, between blanks."""

OrderName: TypeAlias = Literal["hamming", "kendall", "kendall-sqrt", "tau", "spearman", "footrule", "ulam", "fuzzy"]
"""The name of a score of orders; see :class:`Order`."""

_LEAST = 2


@dataclass(frozen=True)
class Gleu(Metric):
    """GLEU (Wu et al. 2016): n-grams of all orders in one bag; the smaller one of precision and recall, 0 to 1.

    >>> from alinea.metrics import Gleu
    >>> Gleu().score(["the the the the the the the"], references=["the cat is on the mat"]).value == 2 / 22
    True

    Attributes:
        tokenizer: The tokenizer, by name or a :class:`Tokenizer`.
        shortest: Words of the shortest n-grams, at least 1.
        longest: Words of the longest n-grams, up to 32.
        lowercase: Whether case is ignored.
    """

    tokenizer: str | Tokenizer = "13a"
    shortest: int = 1
    longest: int = 4
    lowercase: bool = False

    def _metric(self, references: Sequence[Sequence[str]]) -> _native.Metric:  # noqa: ARG002
        return _native.gleu_metric(
            tokenizer=native_tokenizer(self.tokenizer),
            shortest=self.shortest,
            longest=self.longest,
            lowercase=self.lowercase,
        )


@dataclass(frozen=True)
class Nist(Metric):
    """NIST (Doddington 2002): n-grams weighted by their information in the references of the whole text; from 0 up.

    Information weights of a single segment are also those of the whole text.

    >>> from alinea.metrics import Nist
    >>> hypotheses, references = ["the cat sat", "a dog ran"], ["the cat sat down", "the dog ran"]
    >>> round(Nist().score(hypotheses, references=references).value, 4)
    2.1918

    Attributes:
        tokenizer: The tokenizer, by name or a :class:`Tokenizer`.
        order: Words of the longest n-grams, from 1 to 32.
        several: The treatment of several references of a segment: ``"together"`` as in the paper; ``"nltk"`` takes the
            best for each order, as NLTK 3.10 does.
        lowercase: Whether case is ignored.
    """

    tokenizer: str | Tokenizer = "13a"
    order: int = 5
    several: Literal["together", "nltk"] = "together"
    lowercase: bool = False

    def _metric(self, references: Sequence[Sequence[str]]) -> _native.Metric:
        return _native.nist_metric(
            references,
            tokenizer=native_tokenizer(self.tokenizer),
            order=self.order,
            several=self.several,
            lowercase=self.lowercase,
        )


@dataclass(frozen=True)
class Ribes(Metric):
    """RIBES (Isozaki et al. 2010): are the words that hypothesis and reference share in the same order? 0 to 1.

    >>> from alinea.metrics import Ribes
    >>> Ribes().score(["Bob hit John yesterday"], references=["John hit Bob yesterday"]).value
    0.5

    Attributes:
        tokenizer: The tokenizer, by name or a :class:`Tokenizer`.
        alpha: The exponent of the precision of words, at least 0.
        beta: The exponent of the brevity penalty, at least 0.
        correlation: ``"tau"``, Kendall's; ``"rho"``, Spearman's; or ``"rho-nltk"``, NLTK's version of it.
        lowercase: Whether case is ignored.
    """

    tokenizer: str | Tokenizer = "13a"
    alpha: float = 0.25
    beta: float = 0.1
    correlation: Literal["tau", "rho", "rho-nltk"] = "tau"
    lowercase: bool = False

    def _metric(self, references: Sequence[Sequence[str]]) -> _native.Metric:  # noqa: ARG002
        return _native.ribes_metric(
            tokenizer=native_tokenizer(self.tokenizer),
            alpha=self.alpha,
            beta=self.beta,
            correlation=self.correlation,
            lowercase=self.lowercase,
        )


@dataclass(frozen=True)
class Meteor(Metric):
    """METEOR (Lavie and Agarwal 2007): words, then stems, then synonyms match, in few pieces at best; 0 to 1.

    >>> from alinea.metrics import Meteor
    >>> hypothesis, references = ["an automobile stopped"], ["a car stopped"]
    >>> Meteor().score(hypothesis, references=references).value < 0.2
    True
    >>> Meteor(synonyms=[("car", "automobile")]).score(hypothesis, references=references).value > 0.5
    True

    Attributes:
        tokenizer: The tokenizer, by name or a :class:`Tokenizer`.
        alpha: The weight of recall against precision, 0 to 1, where 1 is recall alone.
        beta: How the penalty grows with the number of pieces, at least 0.
        gamma: The greatest penalty, 0 to 1.
        stemmer: Porter's rules: ``"nltk"`` with NLTK's extensions, ``"author"`` with those of Porter's program,
            ``"original"`` as published; ``None`` for no stems.
        synonyms: Sets of words with one meaning, or a file of them; without them there is no such stage.
        synonym_lookup: The key of the lookup: ``"words"``, or ``"stems"`` as in NLTK 3.10.
        lowercase: Whether case is ignored.
    """

    tokenizer: str | Tokenizer = "13a"
    alpha: float = 0.9
    beta: float = 3
    gamma: float = 0.5
    stemmer: Literal["nltk", "author", "original"] | None = "nltk"
    synonyms: Synonyms | None = None
    synonym_lookup: Literal["words", "stems"] = "words"
    lowercase: bool = True

    def _metric(self, references: Sequence[Sequence[str]]) -> _native.Metric:  # noqa: ARG002
        file = self.synonyms if isinstance(self.synonyms, os.PathLike) else None
        given = None if file is not None or self.synonyms is None else _sets(self.synonyms)
        return _native.meteor_metric(
            tokenizer=native_tokenizer(self.tokenizer),
            parameters={"alpha": self.alpha, "beta": self.beta, "gamma": self.gamma},
            stemmer=self.stemmer,
            synonyms=given,
            synonyms_file=file,
            lookup=self.synonym_lookup,
            lowercase=self.lowercase,
        )


def _sets(synonyms: Synonyms) -> list[list[str]]:
    if isinstance(synonyms, str):
        raise TypeError("synonyms: expected a sequence of sets, not a str (pass a file as a pathlib.Path)")
    found = []
    for number, words in enumerate(cast(Iterable[Sequence[str]], synonyms)):
        if isinstance(words, str) or not all(isinstance(word, str) for word in words):
            raise TypeError(f"synonyms[{number}]: a set is a sequence of str")
        found.append(sorted(set(words)))
        if len(found[-1]) < _LEAST:
            raise _errors.Error(f"synonyms[{number}]: a set has at least two words")
    return found


@dataclass(frozen=True)
class Lepor(Metric):
    """LEPOR (Han, Wong and Chao 2012): length, order, precision and recall; 0 to 1.

    >>> from alinea.metrics import Lepor
    >>> round(Lepor().score(["the cat sat"], references=["the cat sat down"]).value, 4)
    0.5199

    Attributes:
        tokenizer: The tokenizer, by name or a :class:`Tokenizer`.
        alpha: The weight of recall, at least 0.
        beta: The weight of precision, at least 0.
        kind: ``"paper"``, or ``"nltk"`` for the other definition of NLTK 3.10.
        lowercase: Whether case is ignored.
    """

    tokenizer: str | Tokenizer = "13a"
    alpha: float = 1
    beta: float = 1
    kind: Literal["paper", "nltk"] = "paper"
    lowercase: bool = False

    def _metric(self, references: Sequence[Sequence[str]]) -> _native.Metric:  # noqa: ARG002
        return _native.lepor_metric(
            tokenizer=native_tokenizer(self.tokenizer),
            alpha=self.alpha,
            beta=self.beta,
            kind=self.kind,
            lowercase=self.lowercase,
        )


@dataclass(frozen=True)
class Order(Metric):
    """The order of the words that hypothesis and reference share: ``score * precision**alpha * brevity_penalty**beta``.

    >>> from alinea.metrics import Order
    >>> Order("ulam").score(["yesterday Bob hit John"], references=["Bob hit John yesterday"]).value
    0.75

    Attributes:
        kind: ``"hamming"``, words in their place; ``"kendall"``, pairs in the right order; ``"kendall-sqrt"``, 1 less
            the root of the share of other pairs; ``"tau"``, Kendall's; ``"spearman"``, Spearman's rho; ``"footrule"``,
            Spearman's; ``"ulam"``, the longest sequence in the right order; ``"fuzzy"``, by the number of chunks.
        tokenizer: The tokenizer, by name or a :class:`Tokenizer`.
        alpha: The exponent of the precision of words, at least 0.
        beta: The exponent of the brevity penalty, at least 0.
        lowercase: Whether case is ignored.
    """

    kind: OrderName = "kendall-sqrt"
    tokenizer: str | Tokenizer = "13a"
    alpha: float = 0
    beta: float = 1
    lowercase: bool = False

    def _metric(self, references: Sequence[Sequence[str]]) -> _native.Metric:  # noqa: ARG002
        return _native.order_metric(
            tokenizer=native_tokenizer(self.tokenizer),
            kind=self.kind,
            alpha=self.alpha,
            beta=self.beta,
            lowercase=self.lowercase,
        )

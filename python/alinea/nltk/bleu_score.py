"""BLEU (Papineni et al. 2002), and the ways to smooth it that Chen and Cherry (2014) compare.

Results are those of NLTK 3.10, for the same arguments: also where NLTK departs from the paper, as
:class:`SmoothingFunction` says. Tokens may be anything that has a hash.

>>> from alinea.nltk.bleu_score import SmoothingFunction, sentence_bleu
>>> reference = "the cat is on the mat".split()
>>> round(sentence_bleu([reference], "the cat is on a mat".split()), 4)
0.5373
>>> smoothing = SmoothingFunction()
>>> round(sentence_bleu([reference], "a cat on a mat".split(), smoothing_function=smoothing.method3), 4)
0.1151

N-grams are counted by native code, and so is the score, if the smoothing function is a method of
:class:`SmoothingFunction` itself. Other functions, and methods of subclasses, get fractions as in NLTK.
"""

from __future__ import annotations

import fractions
import math
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

from alinea import _native

__all__ = [
    "Fraction",
    "SmoothingFunction",
    "brevity_penalty",
    "closest_ref_length",
    "corpus_bleu",
    "modified_precision",
    "sentence_bleu",
]

Smoothing = Callable[..., Sequence[Any]]
"""Makes new precisions of precisions; see :meth:`SmoothingFunction.method0`."""

_DEFAULT = (0.25, 0.25, 0.25, 0.25)
_DEFAULT_ALONE = [_DEFAULT]
_FEW = 4
"""Hypotheses with fewer words are what ``auto_reweigh`` is about."""
_FIVE = 5
"""The order of n-grams that method 5 looks at behind the last one."""


class Fraction(fractions.Fraction):
    """A fraction that is not reduced to lowest terms.

    >>> from alinea.nltk.bleu_score import Fraction
    >>> half = Fraction(2, 4)
    >>> half.numerator, half.denominator, half == 0.5
    (2, 4, True)
    """

    _given: tuple[Any, Any]
    _reduced: bool

    def __new__(cls, numerator: Any = 0, denominator: Any = None, _normalize: bool = False) -> Fraction:
        """Makes a fraction; with ``_normalize`` in lowest terms."""
        self = super().__new__(cls, numerator, denominator)
        self._given = (numerator, 1 if denominator is None else denominator)
        self._reduced = _normalize or not (isinstance(numerator, int) and isinstance(self._given[1], int))
        return self

    @property
    def numerator(self) -> int:
        """What stands above the line."""
        return super().numerator if self._reduced else cast(int, self._given[0])

    @property
    def denominator(self) -> int:
        """What stands below the line."""
        return super().denominator if self._reduced else cast(int, self._given[1])

    def __eq__(self, other: object) -> bool:
        """Compares values."""
        if isinstance(other, Fraction):
            return self.numerator * other.denominator == other.numerator * self.denominator
        return super().__eq__(other)

    __hash__ = fractions.Fraction.__hash__


def _use_lowest_terms(name: str) -> None:
    """Lets an operation see fractions in lowest terms, as it must."""
    operation = getattr(fractions.Fraction, name)

    def operate(self: Fraction, other: Any) -> Any:
        if isinstance(other, Fraction):
            other = fractions.Fraction(other.numerator, other.denominator)
        return operation(fractions.Fraction(self.numerator, self.denominator), other)

    setattr(Fraction, name, operate)


for _operation in ("add", "sub", "mul", "truediv", "pow", "radd", "rsub", "rmul", "rtruediv"):
    _use_lowest_terms(f"__{_operation}__")


def sentence_bleu(
    references: Sequence[Sequence[Any]],
    hypothesis: Sequence[Any],
    weights: Any = _DEFAULT,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> Any:
    """Scores one sentence: :func:`corpus_bleu` of a corpus that has no other.

    >>> from alinea.nltk.bleu_score import sentence_bleu
    >>> reference, hypothesis = "we met at the old bridge".split(), "we met near the old bridge".split()
    >>> round(sentence_bleu([reference], hypothesis, (0.5, 0.5)), 4)
    0.7071
    >>> [round(score, 4) for score in sentence_bleu([reference], hypothesis, [(1,), (0.5, 0.5), (1 / 3, 1 / 3, 1 / 3)])]
    [0.8333, 0.7071, 0.5]

    Args:
        references: The references.
        hypothesis: What is scored.
        weights: The weight of each order of n-grams, or a list of such weights.
        smoothing_function: What is done with precisions of 0; by default ``SmoothingFunction().method0``.
        auto_reweigh: Whether to look at fewer orders where the hypothesis has fewer than four tokens.

    Returns:
        The score; a list of scores for a list of weights.
    """
    if weights is _DEFAULT and not auto_reweigh:
        built_in = _built_in(smoothing_function)
        if built_in is not None:
            scored = _native.sentence_bleu(references, hypothesis, built_in[0], built_in[1])
            if isinstance(scored, float):
                return scored
            if scored is not None:
                score, without = scored
                for n in without:
                    _warn(n)
                return score if without else 0
    return corpus_bleu([references], [hypothesis], weights, smoothing_function, auto_reweigh)


def corpus_bleu(
    list_of_references: Sequence[Sequence[Sequence[Any]]],
    hypotheses: Sequence[Sequence[Any]],
    weights: Any = _DEFAULT,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> Any:
    """Scores a corpus: matches, n-grams and lengths are added up before anything is divided.

    The smoothing functions that ask for a hypothesis get the last one, as in NLTK.

    >>> from alinea.nltk.bleu_score import corpus_bleu
    >>> references = [["the cat sat on the mat".split()], ["it rained today".split(), "it was raining".split()]]
    >>> hypotheses = ["the cat sat on a mat".split(), "it was raining today".split()]
    >>> round(corpus_bleu(references, hypotheses), 4)
    0.5149

    Args:
        list_of_references: The references of each hypothesis.
        hypotheses: What is scored.
        weights: The weight of each order of n-grams, or a list of such weights.
        smoothing_function: What is done with precisions of 0; by default ``SmoothingFunction().method0``.
        auto_reweigh: Whether to give the orders up to the length of the hypotheses equal weights, where these have
            fewer than four tokens together and ``weights`` is the default.

    Returns:
        The score, from 0 to 1; a list of scores for a list of weights. The integer 0 if no token matches.

    Raises:
        AssertionError: The numbers of hypotheses and of lists of references differ.
        ValueError: A hypothesis has no reference.
        TypeError: A token has no hash.
    """
    check_lengths(list_of_references, hypotheses)
    if weights is _DEFAULT:
        weights = _DEFAULT_ALONE
    else:
        try:
            weights[0][0]
        except (TypeError, IndexError):
            weights = [weights]
    built_in = None if auto_reweigh else _built_in(smoothing_function)
    if built_in is not None:
        scored = _native.bleu(list_of_references, hypotheses, weights, *built_in)
        if scored is not None:
            scores, without = scored
            if not scores:
                return 0 if len(weights) == 1 else [0] * len(weights)
            if without and built_in[0] == 0:
                for n in without:
                    _warn(n)
            return scores[0] if len(scores) == 1 else scores
    return _scores(list_of_references, hypotheses, weights, smoothing_function, auto_reweigh)


def _scores(
    list_of_references: Sequence[Sequence[Sequence[Any]]],
    hypotheses: Sequence[Sequence[Any]],
    weights: Sequence[Any],
    smoothing_function: Smoothing | None,
    auto_reweigh: bool,
) -> Any:
    """The scores by a smoothing function that is called."""
    order = max(map(len, weights))
    matches, totals, hyp_len, ref_len = _native.bleu_counts(list_of_references, hypotheses, order)
    if not matches or matches[0] == 0:
        return 0 if len(weights) == 1 else [0] * len(weights)
    precisions: Sequence[Any] = [Fraction(m, total) for m, total in zip(matches, totals, strict=True)]
    smoothing = smoothing_function or SmoothingFunction().method0
    precisions = smoothing(precisions, references=list_of_references[-1], hypothesis=hypotheses[-1], hyp_len=hyp_len)
    penalty = brevity_penalty(ref_len, hyp_len)
    scores = []
    for weight in weights:
        if auto_reweigh and hyp_len < _FEW and weight == _DEFAULT:
            weight = (1 / hyp_len,) * hyp_len  # noqa: PLW2901
        logarithms = (w * math.log(p) for w, p in zip(weight, precisions, strict=False) if p > 0)
        scores.append(penalty * math.exp(math.fsum(logarithms)))
    return scores[0] if len(scores) == 1 else scores


def check_lengths(list_of_references: Sequence[Any], hypotheses: Sequence[Any]) -> None:
    """Refuses a corpus with more references than hypotheses, or fewer."""
    if len(list_of_references) != len(hypotheses):
        # The exception is that of NLTK, and is raised under `python -O`, too.
        raise AssertionError(
            f"hypotheses and references: {len(hypotheses)} and {len(list_of_references)}; they must be equally many"
        )


def modified_precision(references: Iterable[Sequence[Any]], hypothesis: Sequence[Any], n: int) -> Fraction:
    """Returns how many of the n-grams of a hypothesis match; each as often as the reference has it that has most of it.

    >>> from alinea.nltk.bleu_score import modified_precision
    >>> references = ["the cat is on the mat".split(), "there is a cat on the mat".split()]
    >>> precision = modified_precision(references, ["the"] * 7, 1)
    >>> precision.numerator, precision.denominator
    (2, 7)

    Args:
        references: The references.
        hypothesis: The hypothesis.
        n: The number of tokens of an n-gram, from 1.

    Returns:
        The fraction, not reduced. Its denominator is 1 where there are no n-grams.
    """
    if n < 1:
        raise ValueError(f"n-grams have at least one token, not {n}")
    total = len(hypothesis) - n + 1
    if total < 1:
        return Fraction(0, 1)
    references = list(references) or [[]]
    matches, totals, _, _ = _native.bleu_counts([references], [hypothesis], n)
    return Fraction(matches[n - 1], totals[n - 1])


def closest_ref_length(references: Iterable[Sequence[Any]], hyp_len: int) -> int:
    """Returns the length of the reference that is as long as the hypothesis, or nearly so; of two the shorter one.

    >>> from alinea.nltk.bleu_score import closest_ref_length
    >>> closest_ref_length([["a"] * 13, ["a"] * 11], 12)
    11
    """
    return min((len(reference) for reference in references), key=lambda length: (abs(length - hyp_len), length))


def brevity_penalty(closest_ref_len: int, hyp_len: int) -> float:
    """Returns the factor by which hypotheses lose that are shorter than their references.

    >>> from alinea.nltk.bleu_score import brevity_penalty
    >>> round(brevity_penalty(28, 12), 4), brevity_penalty(12, 13)
    (0.2636, 1)
    """
    if hyp_len > closest_ref_len:
        return 1
    return math.exp(1 - closest_ref_len / hyp_len) if hyp_len else 0


class SmoothingFunction:
    """The smoothing methods of Chen and Cherry (2014), as NLTK has them.

    Each method takes precisions of the orders 1, 2, ... as fractions, and returns others; the list that it is given
    stays as it is. The example is that of NLTK's documentation, with the values of NLTK 3.5, of which only that of
    method 2 is another one today:

    >>> from alinea.nltk.bleu_score import SmoothingFunction, sentence_bleu
    >>> hypothesis = "It is a guide to action which ensures that the military always obeys the commands of the party"
    >>> reference = "It is a guide to action that ensures that the military will forever heed Party commands"
    >>> smoothing = SmoothingFunction(version="3.5")
    >>> def score(method):
    ...     return sentence_bleu([reference.split()], hypothesis.split(), smoothing_function=method)
    >>> score(smoothing.method0)  # doctest: +ELLIPSIS
    0.4118...
    >>> score(smoothing.method1)  # doctest: +ELLIPSIS
    0.4118...
    >>> score(smoothing.method2)  # doctest: +ELLIPSIS
    0.4489...
    >>> score(smoothing.method3)  # doctest: +ELLIPSIS
    0.4118...
    >>> score(smoothing.method4)  # doctest: +ELLIPSIS
    0.4118...
    >>> score(smoothing.method5)  # doctest: +ELLIPSIS
    0.4905...
    >>> score(smoothing.method6)  # doctest: +ELLIPSIS
    0.4135...
    >>> score(smoothing.method7)  # doctest: +ELLIPSIS
    0.4905...
    >>> score(SmoothingFunction().method2)  # doctest: +ELLIPSIS
    0.4452...

    Where NLTK departs from the paper, so does this class: method 4 gives the first order without matches half the
    count, method 5 averages precisions where matched counts are meant (so that a sentence compared with itself gets
    more than 1), methods 5 and 6 look at the last sentence of a corpus only, and method 6 refuses sentences without a
    trigram that matches. Scores by the definitions of the paper are those of :class:`alinea.metrics.Bleu` and of the
    command ``alinea metric`` with ``method0`` to ``method7``; both have these values, too, as ``nltk-method0`` and so
    on.
    """

    def __init__(self, epsilon: float = 0.1, alpha: float = 5, k: float = 5, version: str | None = None) -> None:
        """Chooses parameters.

        Args:
            epsilon: What method 1 counts instead of no match.
            alpha: How many n-grams method 6 adds.
            k: The constant of methods 4 and 7: the smaller, the more is counted instead of no match.
            version: ``"3.5"`` for the values of NLTK 3.5, which differ in three methods: 2 adds one at order 1, too; 4
                counts n - 1 + k / ln(length) at order n where nothing matches, and so gives short sentences more, up to
                scores above 1; 7 is that and then method 5. Of a single token 4 and 7 are not defined.

        Raises:
            ValueError: The version is another one.
        """
        if version not in {None, "3.5"}:
            raise ValueError(f"version = {version!r}: must be None or '3.5'")
        self.epsilon = epsilon
        self.alpha = alpha
        self.k = k
        self.version = version

    def method0(self, p_n: Sequence[Any], *args: Any, **kwargs: Any) -> list[Any]:  # noqa: ARG002
        """No smoothing: instead of 0 the smallest number whose logarithm can be taken, and a warning."""
        for n, p in enumerate(p_n, 1):
            if p.numerator == 0:
                _warn(n)
        return [p if p.numerator != 0 else sys.float_info.min for p in p_n]

    def method1(self, p_n: Sequence[Any], *args: Any, **kwargs: Any) -> list[Any]:  # noqa: ARG002
        """Counts epsilon where nothing matches."""
        return [p if p.numerator != 0 else (p.numerator + self.epsilon) / p.denominator for p in p_n]

    def method2(self, p_n: Sequence[Any], *args: Any, **kwargs: Any) -> list[Any]:  # noqa: ARG002
        """Adds one n-gram that matches to each order, from the second on (Lin and Och 2004)."""
        first = 0 if self.version == "3.5" else 1
        return [*p_n[:first], *(Fraction(p.numerator + 1, p.denominator + 1) for p in p_n[first:])]

    def method3(self, p_n: Sequence[Any], *args: Any, **kwargs: Any) -> list[Any]:  # noqa: ARG002
        """Counts 1/2 where nothing matches for the first time, then 1/4, and so on, as NIST's program does.

        A text with two words and one pair of words that match has the counts 2, 1, 1/2 and 1/4:

        >>> from alinea.nltk.bleu_score import Fraction, SmoothingFunction
        >>> precisions = [Fraction(2, 4), Fraction(1, 3), Fraction(0, 2), Fraction(0, 1)]
        >>> smoothed = SmoothingFunction().method3(precisions)
        >>> [float(p) * n for p, n in zip(smoothed, [4, 3, 2, 1])]
        [2.0, 1.0, 0.5, 0.25]
        """
        count, smoothed = 1.0, []
        for p in p_n:
            count /= 1 if p.numerator else 2
            smoothed.append(p if p.numerator else count / p.denominator)
        return smoothed

    def method4(
        self,
        p_n: Sequence[Any],
        references: Sequence[Sequence[Any]],  # noqa: ARG002
        hypothesis: Sequence[Any],
        hyp_len: int | None = None,
        *args: Any,  # noqa: ARG002
        **kwargs: Any,  # noqa: ARG002
    ) -> list[Any]:
        """As method 3, but times the logarithm of the length, over k: shorter hypotheses get less.

        Raises:
            ZeroDivisionError: The version is 3.5, and the hypothesis has one token.
        """
        length = hyp_len or len(hypothesis)
        if self.version == "3.5":
            return [
                p if p.numerator or not length else (n + self.k / math.log(length)) / p.denominator
                for n, p in enumerate(p_n)
            ]
        power, smoothed = 0, []
        for p in p_n:
            if p.numerator == 0 and length > 1:
                power += 1
                smoothed.append(1 / (2**power * self.k / math.log(length)) / p.denominator)
            else:
                smoothed.append(p)
        return smoothed

    def method5(
        self,
        p_n: Sequence[Any],
        references: Sequence[Sequence[Any]],
        hypothesis: Sequence[Any],
        hyp_len: int | None = None,  # noqa: ARG002
        *args: Any,  # noqa: ARG002
        **kwargs: Any,  # noqa: ARG002
    ) -> list[Any]:
        """Takes the mean of three precisions: of the order before, already smoothed, the order itself, and the next."""
        behind = [*p_n[1:], modified_precision(references, hypothesis, _FIVE)]
        smoothed: list[Any] = []
        before = p_n[0] + 1
        for p, after in zip(p_n, behind, strict=True):
            before = (before + p + after) / 3
            smoothed.append(before)
        return smoothed

    def method6(
        self,
        p_n: Sequence[Any],
        references: Sequence[Sequence[Any]],  # noqa: ARG002
        hypothesis: Sequence[Any],
        hyp_len: int | None = None,  # noqa: ARG002
        *args: Any,  # noqa: ARG002
        **kwargs: Any,  # noqa: ARG002
    ) -> list[Any]:
        """Adds alpha n-grams from order 3 on, of which as many match as both orders before suggest (Gao and He 2013).

        Raises:
            AssertionError: No trigram matches.
        """
        if not p_n[2]:
            raise AssertionError("method 6 needs a hypothesis with at least one trigram that matches")
        smoothed = list(p_n)
        for n in range(2, len(smoothed)):
            two_before, one_before = smoothed[n - 2], smoothed[n - 1]
            prior = 0 if two_before == 0 else one_before**2 / two_before
            total = max(len(hypothesis) - n, 0)
            smoothed[n] = (p_n[n].numerator + self.alpha * prior) / (total + self.alpha)
        return smoothed

    def method7(
        self,
        p_n: Sequence[Any],
        references: Sequence[Sequence[Any]],
        hypothesis: Sequence[Any],
        hyp_len: int | None = None,
        *args: Any,  # noqa: ARG002
        **kwargs: Any,  # noqa: ARG002
    ) -> list[Any]:
        """Method 4, and then method 5."""
        return self.method5(self.method4(p_n, references, hypothesis, hyp_len), references, hypothesis, hyp_len)


_PARAMETERS = {1: "epsilon", 4: "k", 6: "alpha", 7: "k"}
_RULES: dict[object, tuple[int, str | None]] = {
    vars(SmoothingFunction)[f"method{number}"]: (number, _PARAMETERS.get(number)) for number in range(8)
}
_RULE_0 = 0, 0.0
_RULES_OF_3_5 = {2: 8, 4: 9, 7: 10}
_RULE_6 = 6
_ATTRIBUTES = 4
_MOST = 2**32


def _built_in(smoothing: Smoothing | None) -> tuple[int, float] | None:
    """The native rule that a function is, and its parameter."""
    if smoothing is None:
        return _RULE_0
    try:
        # The parts of a method; other functions may have neither.
        owner, function = smoothing.__self__, smoothing.__func__  # type: ignore[attr-defined]
        # Who gives an object methods of its own means them.
        if type(owner) is not SmoothingFunction or len(owner.__dict__) != _ATTRIBUTES:
            return None
        rule, name = _RULES[function]
    except (AttributeError, KeyError, TypeError):
        return None
    native = _RULES_OF_3_5.get(rule, rule) if owner.version == "3.5" else rule
    if name is None:
        return native, 0.0
    parameter = getattr(owner, name)
    # Parameters that make no sense here go the way on which they have their meaning, or their error.
    if (type(parameter) is int or (type(parameter) is float and rule != _RULE_6)) and 0 < parameter < _MOST:
        return native, parameter
    return None


def _warn(n: int) -> None:
    """Says why a score is practically 0."""
    warnings.warn(
        f"no {n}-gram of the hypothesis matches, so BLEU is 0 whatever else matches; a smoothing function, or weights "
        "for fewer orders, tell short texts apart",
        stacklevel=3,
    )

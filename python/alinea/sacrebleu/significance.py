"""Whether two systems differ by more than chance: the paired bootstrap and approximate randomization.

Seeds are those of the variable ``SACREBLEU_SEED``: a number, without it 12345, or ``none`` for other draws each time.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from alinea import _native
from alinea.sacrebleu.metrics import BLEU, CHRF, TER
from alinea.sacrebleu.metrics.base import Metric, Score, Signature
from alinea.sacrebleu.metrics.counted import CountedMetric

__all__ = ["PairedTest", "Result", "estimate_ci"]

_Info = Mapping[str, tuple[Any, "Result"]]
_References = Sequence[Sequence[str | None]] | None


class Result:
    """What a test says of a system.

    Attributes:
        score: The score of all segments.
        p_value: p of the difference to the baseline; ``None`` for that itself.
        mean: The mean of samples, if any were drawn.
        ci: Half the width of their interval.
    """

    def __init__(
        self, score: float, p_value: float | None = None, mean: float | None = None, ci: float | None = None
    ) -> None:
        self.score = score
        self.p_value = p_value
        self.mean = mean
        self.ci = ci

    def __repr__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in vars(self).items())


def estimate_ci(scores: ArrayLike) -> tuple[float, float]:
    """The mean of scores, and half the width of the interval of the middle 95 %.

    >>> from alinea.sacrebleu.significance import estimate_ci
    >>> estimate_ci([3.0, 1.0, 2.0])
    (2.0, 1.0)
    """
    ordered = np.sort(np.asarray(scores))
    cut = len(ordered) // 40
    return float(ordered.mean()), float(0.5 * (ordered[len(ordered) - cut - 1] - ordered[cut]))


def _environment_seed() -> tuple[str, int | None]:
    text = os.environ.get("SACREBLEU_SEED", "12345").lower()
    return text, None if text == "none" else int(text)


def _number(seed: int | None) -> int:
    return secrets.randbits(63) if seed is None else seed


def _array(stats: Any) -> NDArray[np.float64]:
    return np.asarray(stats, dtype=np.float64)


def _of(metric: Metric[Any]) -> _native.Metric | None:
    """The native metric, if that is what scores."""
    if isinstance(metric, CountedMetric) and metric._scores_natively():
        return metric._native_metric(preprocessed=True)
    return None


def _bootstrap_resample(stats: Any, metric: Metric[Any], n_samples: int = 1000) -> tuple[str, list[Score]]:
    """The scores of samples of a system, and the seed. Natively, scores have no parts."""
    text, seed = _environment_seed()
    native = _of(metric)
    if native is not None:
        scores = _native_samples(metric, native, stats, n_samples, _number(seed))
        name = metric._aggregate_and_compute(stats).name
        return text, [Score(name, score) for score in scores]
    drawn = np.random.default_rng(seed).choice(len(stats), size=(n_samples, len(stats)), replace=True)
    rows = np.array(stats, dtype=np.float32)
    return text, [metric._compute_score_from_stats(rows[sample].sum(0)) for sample in drawn]


def _has_no_words(metric: Metric[Any], systems: Sequence[Any]) -> bool:
    """Whether the type of a score depends on whether the sample has any reference word."""
    return isinstance(metric, TER) and any((_array(stats)[:, 1] == 0).any() for stats in systems)


def _native_samples(metric: Metric[Any], native: _native.Metric, stats: Any, samples: int, seed: int) -> list[Any]:
    """The scores of samples."""
    if _has_no_words(metric, [stats]):
        drawn = np.random.default_rng(seed).choice(len(stats), size=(samples, len(stats)), replace=True)
        return _sample_scores(stats, metric, drawn)
    (scores,) = _native.bootstrap_scores(native, [_array(stats)], samples, seed, "numpy", 0)
    return _typed(metric, scores)


def _typed(metric: Metric[Any], scores: Sequence[float]) -> list[Any]:
    """Scores of samples with the types they have in sacreBLEU, where means of single precision are rounded to that.

    BLEU ends with an exponential in double precision. A chrF of nothing but constants is in double precision, too: 0,
    or with a smoothing that adds 1e-16 to each order the mean of those, which no number of single precision is.
    """
    if isinstance(metric, BLEU):
        return list(scores)
    if not isinstance(metric, CHRF):
        return [np.float32(score) for score in scores]
    if metric.eps_smoothing:
        return [single if float(single := np.float32(score)) == score else score for score in scores]
    return [np.float32(score) if score != 0 else score for score in scores]


def _sample_scores(stats: Any, metric: Metric[Any], drawn: NDArray[np.int64]) -> list[Any]:
    """The scores of samples."""
    rows = np.array(stats, dtype=np.float32)
    native = _of(metric)
    if native is not None:
        sums = np.array([rows[sample].sum(0) for sample in drawn])
        scores = _typed(metric, native.sample_scores(sums))
        if isinstance(metric, TER):
            scores = [score if length > 0 else float(score) for score, length in zip(scores, sums[:, 1], strict=True)]
        return scores
    return [metric._compute_score_from_stats(rows[sample].sum(0)).score for sample in drawn]


def _compute_p_value(stats: NDArray[np.float64], real_difference: float) -> float:
    """The share of differences above one, with one added above and below."""
    return float((int(np.sum(stats > real_difference)) + 1) / (len(stats) + 1))


def _paired_ar_test(
    baseline_info: _Info,
    sys_name: str,
    hypotheses: Sequence[str],
    references: _References,
    metrics: Mapping[str, Metric[Any]],
    n_samples: int = 10000,
    n_ar_confidence: int = -1,
    seed: int | None = None,
) -> tuple[str, dict[str, Result]]:
    """Approximate randomization of a system against the baseline."""
    number, results = _number(seed), {}
    for name, metric in metrics.items():
        baseline, of_baseline = baseline_info[name]
        stats = metric._extract_corpus_statistics(hypotheses, references)
        native = _of(metric)
        if native is None:
            results[name] = _randomize(metric, (baseline, of_baseline), stats, n_samples, number)
        else:
            systems = [_array(baseline), _array(stats)]
            tested = _native.paired_randomization(native, systems, n_samples, number, "numpy", None, 0)
            score, _, _, p_value, _ = tested[1]
            results[name] = Result(score, p_value)
        if n_ar_confidence > 0:
            samples = _sample_scores(stats, metric, _drawn_after_coins(number, n_samples, n_ar_confidence, len(stats)))
            results[name].mean, results[name].ci = estimate_ci(samples)
    return sys_name, results


def _drawn_after_coins(seed: int, trials: int, samples: int, segments: int) -> NDArray[np.int64]:
    """The samples whose numbers follow those of the coins."""
    random = np.random.default_rng(seed)
    random.integers(2, size=(trials, segments), dtype=bool)
    return random.choice(segments, size=(samples, segments), replace=True)


def _paired_bs_test(
    baseline_info: _Info,
    sys_name: str,
    hypotheses: Sequence[str],
    references: _References,
    metrics: Mapping[str, Metric[Any]],
    n_samples: int = 1000,
    n_ar_confidence: int = -1,  # noqa: ARG001
    seed: int | None = None,
) -> tuple[str, dict[str, Result]]:
    """The paired bootstrap of a system against the baseline."""
    number, results = _number(seed), {}
    for name, metric in metrics.items():
        baseline, of_baseline = baseline_info[name]
        stats = metric._extract_corpus_statistics(hypotheses, references)
        native = _of(metric)
        if native is not None and not _has_no_words(metric, [baseline, stats]):
            systems = [_array(baseline), _array(stats)]
            tested = _native.paired_bootstrap(native, systems, n_samples, number, "numpy", 0)
            score, interval, _, p_value, _ = tested[1]
            results[name] = Result(score, p_value, *(interval or ()))
            continue
        drawn = np.random.default_rng(number).choice(len(stats), size=(n_samples, len(stats)), replace=True)
        samples = [_sample_scores(rows, metric, drawn) for rows in (baseline, stats)]
        differences = np.abs(np.array(samples[1]) - np.array(samples[0]))
        score = metric._aggregate_and_compute(stats).score
        p_value = _compute_p_value(differences - differences.mean(), abs(of_baseline.score - score))
        results[name] = Result(score, p_value, *estimate_ci(samples[1]))
    return sys_name, results


def _randomize(metric: Metric[Any], baseline: tuple[Any, Result], stats: Any, trials: int, seed: int) -> Result:
    """Approximate randomization by a metric that is written in Python."""
    coins = np.random.default_rng(seed).integers(2, size=(trials, len(stats)), dtype=bool)
    ours, theirs = np.asarray(baseline[0]), np.asarray(stats)
    score = metric._aggregate_and_compute(stats).score
    sides = (coins @ ours + ~coins @ theirs, ~coins @ ours + coins @ theirs)
    scores = [np.array([metric._aggregate_and_compute(sums[None]).score for sums in side]) for side in sides]
    return Result(score, _compute_p_value(np.abs(scores[0] - scores[1]), abs(baseline[1].score - score)))


class PairedTest:
    """Tests systems against the first one, the baseline.

    >>> from alinea.sacrebleu.metrics import BLEU
    >>> from alinea.sacrebleu.significance import PairedTest
    >>> references = [["the cat sat on the mat", "it is raining again"]]
    >>> old, new = ["the cat sat on a mat", "it rains again"], ["the cat sat on the mat", "it is raining again"]
    >>> test = PairedTest([("old", old), ("new", new)], {"BLEU": BLEU()}, references, test_type="bs", n_samples=100)
    >>> signatures, scores = test()
    >>> print(signatures["BLEU"])  # doctest: +ELLIPSIS
    nrefs:1|bs:100|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:alinea-...
    >>> scores["System"], [round(result.score, 1) for result in scores["BLEU"]]
    (['old', 'new'], [41.1, 100.0])

    Args:
        named_systems: Names and hypotheses of the systems.
        metrics: The metrics by name.
        references: Streams of references, or ``None`` if the metrics have them.
        test_type: ``"bs"`` for the paired bootstrap, ``"ar"`` for approximate randomization.
        n_samples: Samples or trials; 0 for 1000 and 10000.
        n_ar_confidence: How many samples intervals are estimated by beside approximate randomization: 0 for 1000, -1
            for no intervals.
        n_jobs: Of no effect: segments are counted and samples drawn by as many threads as there are cores.
    """

    _DEFAULT_SAMPLES = {"ar": 10000, "bs": 1000}  # noqa: RUF012

    def __init__(
        self,
        named_systems: Sequence[tuple[str, Sequence[str]]],
        metrics: Mapping[str, Metric[Any]],
        references: _References,
        test_type: str = "ar",
        n_samples: int = 0,
        n_ar_confidence: int = -1,
        n_jobs: int = 1,
    ) -> None:
        if test_type not in self._DEFAULT_SAMPLES:
            raise ValueError(f"test_type = {test_type}: must be ar or bs")
        self.test_type = test_type
        self._fn = _paired_ar_test if test_type == "ar" else _paired_bs_test
        seed, self._seed = _environment_seed()
        self.n_jobs = n_jobs
        self.references = references
        self.named_systems = named_systems
        self.n_ar_confidence = n_ar_confidence if n_ar_confidence != 0 else self._DEFAULT_SAMPLES["bs"]
        self.n_samples = n_samples if n_samples > 0 else self._DEFAULT_SAMPLES[test_type]
        self.n_systems = len(named_systems) - 1
        self.metrics: dict[str, Metric[Any]] = {}
        self._signatures: dict[str, Signature] = {}
        self._baseline_info: dict[str, tuple[Any, Result]] = {}
        samples = self.n_samples if test_type == "bs" else self.n_ar_confidence
        for metric in metrics.values():
            stats = metric._extract_corpus_statistics(named_systems[0][1], references)
            score = metric._aggregate_and_compute(stats)
            result = Result(score.score)
            if samples > 0:
                drawn = [sample.score for sample in _bootstrap_resample(stats, metric, samples)[1]]
                result.mean, result.ci = estimate_ci(drawn)
            self._baseline_info[score.name] = (stats, result)
            self.metrics[score.name] = metric
            signature = metric.get_signature()
            signature.update("seed", seed)
            signature.update(test_type, self.n_samples)
            if self.n_ar_confidence > 0:
                signature.update("bs", self.n_ar_confidence)
            self._signatures[score.name] = signature

    def __call__(self) -> tuple[dict[str, Signature], dict[str, list[Any]]]:
        """Runs the test.

        Returns:
            The signatures by metric; and the names of the systems, under ``"System"``, and their results by metric.
        """
        scores: dict[str, list[Any]] = {"System": [name for name, _ in self.named_systems]}
        scores |= {name: [result] for name, (_, result) in self._baseline_info.items()}
        seed = _number(self._seed)
        for name, hypotheses in self.named_systems[1:]:
            of_data = (self._baseline_info, name, hypotheses, self.references, self.metrics)
            _, results = self._fn(*of_data, self.n_samples, self.n_ar_confidence, seed)
            for metric, result in results.items():
                scores[metric].append(result)
        return self._signatures, scores

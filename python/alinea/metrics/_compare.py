"""Significance tests between systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from alinea import _errors, _html, _native
from alinea._warnings import warn_of_few
from alinea.metrics._metrics import SEED, Bleu, Generator, Interval, Metric, measure, reference_count
from alinea.metrics._text import Lines, References, read, read_references


@dataclass(frozen=True)
class Comparison:
    """The result of a test of a system by one metric; see :func:`compare`.

    >>> from alinea.metrics import Comparison
    >>> Comparison("new", "BLEU", 30.2, None, 0.03, "nrefs:1|...").p_value
    0.03

    Attributes:
        system: The name of the system.
        metric: The name of the metric.
        value: The score of all segments.
        interval: Where 95 % of the scores of samples are, if samples were drawn and there is more than one segment.
        p_value: The p-value of the difference to the first system, the baseline; 1 if the systems do not differ in
            any sample. ``None`` for the baseline itself, and where there is one segment.
        signature: One line that names every setting.
        identical: Whether each segment counts as that of the baseline; ``False`` for the baseline itself.
    """

    system: str
    metric: str
    value: float
    interval: Interval | None
    p_value: float | None
    signature: str
    identical: bool = False


class Comparisons(list[Comparison]):
    """The results of tests, by metric, and for each by system; see :func:`compare`.

    >>> from alinea.metrics import Comparison, Comparisons
    >>> Comparisons([Comparison("new", "BLEU", 30.2, None, 0.03, "nrefs:1|...")])[0].system
    'new'
    """

    def rows(self) -> list[dict[str, Any]]:
        """Returns a row for each result, by the names of its attributes; the interval is ``mean`` and ``half_width``.

        >>> from alinea.metrics import Comparison, Comparisons
        >>> [row] = Comparisons([Comparison("new", "BLEU", 30.2, None, 0.03, "nrefs:1|...")]).rows()
        >>> row["value"], row["mean"]
        (30.2, None)
        """
        return [
            {
                "metric": found.metric,
                "system": found.system,
                "value": found.value,
                "mean": None if found.interval is None else found.interval.mean,
                "half_width": None if found.interval is None else found.interval.half_width,
                "p_value": found.p_value,
                "identical": found.identical,
                "signature": found.signature,
            }
            for found in self
        ]

    def to_dict(self) -> dict[str, list[Any]]:
        """Returns the columns of a data frame; see :meth:`rows`.

        >>> import pandas
        >>> from alinea.metrics import Comparison, Comparisons
        >>> found = Comparisons([Comparison("new", "BLEU", 30.2, None, 0.03, "nrefs:1|...")])
        >>> pandas.DataFrame(found.to_dict())[["metric", "system", "value", "p_value"]]
          metric system  value  p_value
        0   BLEU    new   30.2     0.03
        """
        return _html.columns(self.rows())

    def _repr_html_(self) -> str:
        rows = []
        for found in self[:_SHOWN]:
            interval = "–" if found.interval is None else f"{found.interval.mean:.2f} ± {found.interval.half_width:.2f}"
            p_value = "identical" if found.identical else _html.number(found.p_value)
            rows.append([found.metric, found.system, _html.number(found.value, 2), interval, p_value])
        signatures = "\n".join(dict.fromkeys(f"{found.metric}|{found.signature}" for found in self))
        head = ["metric", "system", "score", "95 % of samples", "p"]
        return _html.table("", head, rows, align="llrrr", more=len(self) - len(rows), note=signatures)


_SHOWN = 30
_BASELINE_AND_ONE = 2
_DEFAULT_SAMPLES = {"bootstrap": 1000, "randomization": 10000}


def compare(
    systems: Mapping[str, Lines],
    *,
    references: References | None = None,
    reference_streams: Iterable[Lines] | None = None,
    metrics: Sequence[Metric] = (Bleu(),),
    test: Literal["bootstrap", "randomization"] = "bootstrap",
    samples: int | None = None,
    confidence: int | None = None,
    seed: int = SEED,
    generator: Generator = "numpy",
    threads: int = 0,
) -> Comparisons:
    """Tests systems against the first one, the baseline.

    >>> from alinea.metrics import compare
    >>> references = ["the cat sat on the mat", "it is raining again"] * 150
    >>> systems = {
    ...     "old": ["the cat sat on a mat", "it rains again"] * 150,
    ...     "new": ["the cat sat on the mat", "it is raining"] * 150,
    ... }
    >>> for found in compare(systems, references=references, samples=100):
    ...     print(found.system, round(found.value, 1), found.p_value)
    old 41.1 None
    new 89.5 0.009900990099009901

    Args:
        systems: The translations of each system, by name.
        references: For each segment, its reference or a sequence of its references.
        reference_streams: Streams of references, each with one for each segment. Either this or ``references``.
        metrics: The metrics; each is a test of its own.
        test: ``"bootstrap"``, the paired bootstrap (Koehn 2004), or ``"randomization"``, approximate randomization
            (Riezler and Maxwell 2005).
        samples: The number of samples or trials, 1 to 1,000,000; by default 1000 and 10000.
        confidence: How many samples intervals are estimated by beside ``"randomization"``; the bootstrap has them
            anyway.
        seed: The seed of samples and trials.
        generator: The random generator. ``"numpy"`` draws the numbers that sacreBLEU draws with the same seed; another
            is named in the signature.
        threads: The number of threads, 0 for one on each core. The results are the same under any.

    Returns:
        The results by metric, and for each by system.

    Raises:
        Error: There are fewer than two systems, or different numbers of segments.
        ConfigError: An option has a value that is not allowed.
        TypeError: A line is not a ``str``, or references are given in both ways, or in none.

    Warns:
        OddTextWarning: The text looks wrong, for example tokenized.
        FewSegmentsWarning: There are fewer than 300 segments.
    """
    if test not in _DEFAULT_SAMPLES:
        allowed = "bootstrap or randomization"
        raise _errors.ConfigError(f"test = {test}: must be {allowed}", "test", str(test), allowed)
    if test == "bootstrap" and confidence is not None:
        raise _errors.ConfigError(
            f"confidence = {confidence}: the bootstrap has intervals of its own samples",
            "confidence",
            str(confidence),
            "None with the bootstrap",
        )
    texts = {f"systems[{name!r}]": read(lines, f"systems[{name!r}]") for name, lines in systems.items()}
    if len(texts) < _BASELINE_AND_ONE:
        raise _errors.Error("a test compares systems: two or more are needed")
    of_segments = read_references(references, reference_streams)
    samples = _DEFAULT_SAMPLES[test] if samples is None else samples
    compared = Comparisons()
    for metric in metrics:
        native = metric._metric(of_segments)
        rows = measure(native, texts, of_segments, threads)
        if test == "bootstrap":
            tested = _native.paired_bootstrap(native, rows, samples, seed, generator, threads)
            drawn: tuple[int | None, int | None] = (samples, None)
        else:
            tested = _native.paired_randomization(native, rows, samples, seed, generator, confidence, threads)
            drawn = (confidence, samples)
        signature, _ = native.signature(
            reference_count(of_segments), bootstrap=drawn[0], trials=drawn[1], seed=seed, generator=generator
        )
        for system, (value, interval, p_value, _, identical) in zip(systems, tested, strict=True):
            found = None if interval is None or len(of_segments) == 1 else Interval(*interval)
            compared.append(Comparison(system, native.name, value, found, p_value, signature, identical))
    warn_of_few(len(of_segments))
    return compared

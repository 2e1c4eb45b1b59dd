"""Warnings, which name the line that called the package."""

from __future__ import annotations

import os
import sys
import warnings

from alinea._native import FEWEST_SENTENCES

_HERE = os.path.dirname(__file__)


class FewSegmentsWarning(UserWarning):
    """Intervals or tests of so few segments that they may be far off.

    On 300 sentences Koehn (2004, *Statistical Significance Tests for Machine Translation Evaluation*) still found the
    conclusions of the bootstrap right. A single segment has neither intervals nor tests.

    >>> import warnings
    >>> from alinea.metrics import FewSegmentsWarning, bleu
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always", FewSegmentsWarning)
    ...     score = bleu(["it rains today"], references=["it rained today"], confidence=100)
    >>> print(caught[0].message)
    one segment cannot be resampled, so there are no intervals and no tests
    >>> score.interval is None
    True
    """


def warn_of_few(number: int, noun: str = "segment") -> None:
    """Says how little intervals and tests of a few segments are worth."""
    if number == 1:
        warn(f"one {noun} cannot be resampled, so there are no intervals and no tests", FewSegmentsWarning)
    elif 0 < number < FEWEST_SENTENCES:
        known = f"they are known to hold from {FEWEST_SENTENCES} {noun}s on (Koehn 2004)"
        warn(f"intervals and tests of {number} {noun}s may be far off: {known}", FewSegmentsWarning)


def warn(message: str, category: type[UserWarning] = UserWarning) -> None:
    """Warns whoever called this package."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)

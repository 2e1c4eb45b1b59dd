"""Warnings, which name the line that called the package."""

from __future__ import annotations

import os
import sys
import warnings

from alinea._native import FEWEST_SENTENCES

_HERE = os.path.dirname(__file__)


class FewSegmentsWarning(UserWarning):
    """Intervals or tests on so few segments that they may be unreliable.

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
    """Warns that intervals and tests on a few segments may be unreliable."""
    if number == 1:
        warn(f"one {noun} cannot be resampled, so there are no intervals and no tests", FewSegmentsWarning)
    elif 0 < number < FEWEST_SENTENCES:
        tested = f"they have been tested with {FEWEST_SENTENCES} {noun}s or more (Koehn 2004)"
        warn(f"intervals and tests on {number} {noun}s may be unreliable: {tested}", FewSegmentsWarning)


def warn(message: str, category: type[UserWarning] = UserWarning) -> None:
    """Warns whoever called this package."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)

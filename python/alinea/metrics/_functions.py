"""A function for each metric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from alinea.metrics._metrics import Bleu, Chrf, Score, ScoreOptions, Smoothing, Ter, Tokenizer, with_score_options
from alinea.metrics._text import Lines

if TYPE_CHECKING:
    from typing_extensions import Unpack


@with_score_options
def bleu(
    hypotheses: Lines,
    *,
    tokenizer: str | Tokenizer = "13a",
    smoothing: Smoothing = "exp",
    smoothing_value: float | None = None,
    order: int = 4,
    weights: Sequence[float] | None = None,
    effective_order: bool = False,
    lowercase: bool = False,
    **options: Unpack[ScoreOptions],
) -> Score:
    """BLEU; :class:`Bleu` has the options, and its method ``score`` the other arguments.

    >>> from alinea.metrics import bleu
    >>> bleu(["it is raining again"], references=[["it is raining", "again it is raining"]]).value
    63.894310424627285
    >>> bleu(["it is raining again"], reference_streams=[["it is raining"], ["again it is raining"]]).value
    63.894310424627285
    """
    return Bleu(tokenizer, smoothing, smoothing_value, order, weights, effective_order, lowercase).score(
        hypotheses, **options
    )


@with_score_options
def chrf(
    hypotheses: Lines,
    *,
    character_order: int = 6,
    word_order: int = 0,
    beta: float = 2,
    whitespace: bool = False,
    epsilon_smoothing: bool = False,
    lowercase: bool = False,
    **options: Unpack[ScoreOptions],
) -> Score:
    """chrF; :class:`Chrf` has the options, and its method ``score`` the other arguments.

    >>> from alinea.metrics import chrf
    >>> score = chrf(["the cats sat"], references=["the cat sat"], word_order=2)
    >>> score.name, round(score.value, 2)
    ('chrF2++', 64.44)
    """
    return Chrf(character_order, word_order, beta, whitespace, epsilon_smoothing, lowercase).score(
        hypotheses, **options
    )


@with_score_options
def ter(
    hypotheses: Lines,
    *,
    normalized: bool = False,
    no_punctuation: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
    **options: Unpack[ScoreOptions],
) -> Score:
    """TER; :class:`Ter` has the options, and its method ``score`` the other arguments.

    >>> from alinea.metrics import ter
    >>> ter(["yesterday we saw a house"], references=["we saw the house yesterday"]).value
    40.0
    """
    return Ter(normalized, no_punctuation, asian_support, case_sensitive).score(hypotheses, **options)

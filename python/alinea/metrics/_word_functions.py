"""A function for each metric that compares words but BLEU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from alinea.metrics._metrics import Score, ScoreOptions, Tokenizer, with_score_options
from alinea.metrics._text import Lines
from alinea.metrics._words import Gleu, Lepor, Meteor, Nist, Order, OrderName, Ribes, Synonyms

if TYPE_CHECKING:
    from typing_extensions import Unpack


@with_score_options
def gleu(
    hypotheses: Lines,
    *,
    tokenizer: str | Tokenizer = "13a",
    shortest: int = 1,
    longest: int = 4,
    lowercase: bool = False,
    **options: Unpack[ScoreOptions],
) -> Score:
    """GLEU; :class:`Gleu` has the options, and its method ``score`` the other arguments.

    >>> from alinea.metrics import gleu
    >>> gleu(["the cat sat"], references=["the cat sat down"]).value
    0.6
    """
    return Gleu(tokenizer, shortest, longest, lowercase).score(hypotheses, **options)


@with_score_options
def nist(
    hypotheses: Lines,
    *,
    tokenizer: str | Tokenizer = "13a",
    order: int = 5,
    several: Literal["together", "nltk"] = "together",
    lowercase: bool = False,
    **options: Unpack[ScoreOptions],
) -> Score:
    """NIST; :class:`Nist` has the options, and its method ``score`` the other arguments.

    >>> from alinea.metrics import nist
    >>> round(nist(["the cat sat", "a dog ran"], references=["the cat sat down", "the dog ran"]).value, 4)
    2.1918
    """
    return Nist(tokenizer, order, several, lowercase).score(hypotheses, **options)


@with_score_options
def ribes(
    hypotheses: Lines,
    *,
    tokenizer: str | Tokenizer = "13a",
    alpha: float = 0.25,
    beta: float = 0.1,
    correlation: Literal["tau", "rho", "rho-nltk"] = "tau",
    lowercase: bool = False,
    **options: Unpack[ScoreOptions],
) -> Score:
    """RIBES; :class:`Ribes` has the options, and its method ``score`` the other arguments.

    >>> from alinea.metrics import ribes
    >>> ribes(["Bob hit John yesterday"], references=["John hit Bob yesterday"]).value
    0.5
    """
    return Ribes(tokenizer, alpha, beta, correlation, lowercase).score(hypotheses, **options)


@with_score_options
def meteor(
    hypotheses: Lines,
    *,
    tokenizer: str | Tokenizer = "13a",
    alpha: float = 0.9,
    beta: float = 3,
    gamma: float = 0.5,
    stemmer: Literal["nltk", "author", "original"] | None = "nltk",
    synonyms: Synonyms | None = None,
    synonym_lookup: Literal["words", "stems"] = "words",
    lowercase: bool = True,
    **options: Unpack[ScoreOptions],
) -> Score:
    """METEOR; :class:`Meteor` has the options, and its method ``score`` the other arguments.

    >>> from alinea.metrics import meteor
    >>> meteor(["the cats sat"], references=["The cat sat"]).value == 1 - 0.5 * (1 / 3) ** 3
    True
    """
    return Meteor(tokenizer, alpha, beta, gamma, stemmer, synonyms, synonym_lookup, lowercase).score(
        hypotheses, **options
    )


@with_score_options
def lepor(
    hypotheses: Lines,
    *,
    tokenizer: str | Tokenizer = "13a",
    alpha: float = 1,
    beta: float = 1,
    kind: Literal["paper", "nltk"] = "paper",
    lowercase: bool = False,
    **options: Unpack[ScoreOptions],
) -> Score:
    """LEPOR; :class:`Lepor` has the options, and its method ``score`` the other arguments.

    >>> from alinea.metrics import lepor
    >>> round(lepor(["the cat sat"], references=["the cat sat down"]).value, 4)
    0.5199
    """
    return Lepor(tokenizer, alpha, beta, kind, lowercase).score(hypotheses, **options)


@with_score_options
def order(
    hypotheses: Lines,
    *,
    kind: OrderName = "kendall-sqrt",
    tokenizer: str | Tokenizer = "13a",
    alpha: float = 0,
    beta: float = 1,
    lowercase: bool = False,
    **options: Unpack[ScoreOptions],
) -> Score:
    """A score of the order of words; :class:`Order` has the options, and its method ``score`` the other arguments.

    >>> from alinea.metrics import order
    >>> order(["yesterday Bob hit John"], references=["Bob hit John yesterday"], kind="kendall").value
    0.5
    """
    return Order(kind, tokenizer, alpha, beta, lowercase).score(hypotheses, **options)

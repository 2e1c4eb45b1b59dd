"""One function for each score, as sacreBLEU had them before it had classes."""

from __future__ import annotations

from collections.abc import Sequence

from alinea.sacrebleu.metrics import BLEU, CHRF, TER, BLEUScore, CHRFScore, TERScore

__all__ = [
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
]

_Streams = Sequence[Sequence[str | None]]


def corpus_bleu(
    hypotheses: Sequence[str],
    references: _Streams,
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str | None = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = False,
) -> BLEUScore:
    """BLEU of all segments together; see :class:`~alinea.sacrebleu.metrics.bleu.BLEU`.

    >>> from alinea import sacrebleu
    >>> sacrebleu.corpus_bleu(["it is raining again"], [["it is raining"], ["again it is raining"]]).score
    63.894310424627285

    Args:
        hypotheses: The translations.
        references: Streams of references, each with one for each segment, ``None`` where it has none.
        smooth_method: What is done where nothing matches.
        smooth_value: Its parameter.
        force: Whether text that looks tokenized is fine, without a warning.
        lowercase: Whether case is ignored.
        tokenize: What makes tokens.
        use_effective_order: Whether orders that the text is too short for are left out.
    """
    metric = BLEU(
        lowercase=lowercase,
        force=force,
        tokenize=tokenize,
        smooth_method=smooth_method,
        smooth_value=smooth_value,
        effective_order=use_effective_order,
    )
    return metric.corpus_score(hypotheses, references)


def raw_corpus_bleu(
    hypotheses: Sequence[str], references: _Streams, smooth_value: float | None = BLEU.SMOOTH_DEFAULTS["floor"]
) -> BLEUScore:
    """BLEU of text that is tokenized already, with the smoothing ``"floor"`` and effective order.

    Args:
        hypotheses: The translations.
        references: Streams of references.
        smooth_value: What orders without a match count.
    """
    return corpus_bleu(
        hypotheses,
        references,
        smooth_method="floor",
        smooth_value=smooth_value,
        force=True,
        tokenize="none",
        use_effective_order=True,
    )


def sentence_bleu(
    hypothesis: str,
    references: Sequence[str],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,
    tokenize: str | None = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = True,
) -> BLEUScore:
    """BLEU of one segment.

    Args:
        hypothesis: The translation.
        references: Its references.
        smooth_method: What is done where nothing matches.
        smooth_value: Its parameter.
        lowercase: Whether case is ignored.
        tokenize: What makes tokens.
        use_effective_order: Whether orders that the segment is too short for are left out.
    """
    metric = BLEU(
        lowercase=lowercase,
        force=False,
        tokenize=tokenize,
        smooth_method=smooth_method,
        smooth_value=smooth_value,
        effective_order=use_effective_order,
    )
    return metric.sentence_score(hypothesis, references)


def corpus_chrf(
    hypotheses: Sequence[str],
    references: _Streams,
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: int = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """ChrF of all segments together; see :class:`~alinea.sacrebleu.metrics.chrf.CHRF`.

    Args:
        hypotheses: The translations.
        references: Streams of references.
        char_order: The longest n-grams of characters.
        word_order: The longest n-grams of words; with 2 the metric is chrF++.
        beta: The weight of recall relative to precision.
        remove_whitespace: Whether blanks are no characters.
        eps_smoothing: Whether each order has an F of its own.
    """
    metric = CHRF(char_order, word_order, beta, whitespace=not remove_whitespace, eps_smoothing=eps_smoothing)
    return metric.corpus_score(hypotheses, references)


def sentence_chrf(
    hypothesis: str,
    references: Sequence[str],
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: int = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """ChrF of one segment.

    Args:
        hypothesis: The translation.
        references: Its references.
        char_order: The longest n-grams of characters.
        word_order: The longest n-grams of words; with 2 the metric is chrF++.
        beta: The weight of recall relative to precision.
        remove_whitespace: Whether blanks are no characters.
        eps_smoothing: Whether each order has an F of its own.
    """
    metric = CHRF(char_order, word_order, beta, whitespace=not remove_whitespace, eps_smoothing=eps_smoothing)
    return metric.sentence_score(hypothesis, references)


def corpus_ter(
    hypotheses: Sequence[str],
    references: _Streams,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """TER of all segments together; see :class:`~alinea.sacrebleu.metrics.ter.TER`.

    Args:
        hypotheses: The translations.
        references: Streams of references.
        normalized: Whether punctuation is set apart.
        no_punct: Whether punctuation is deleted.
        asian_support: Whether the two above know Chinese and Japanese.
        case_sensitive: Whether case is significant.
    """
    return TER(normalized, no_punct, asian_support, case_sensitive).corpus_score(hypotheses, references)


def sentence_ter(
    hypothesis: str,
    references: Sequence[str],
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """TER of one segment.

    Args:
        hypothesis: The translation.
        references: Its references.
        normalized: Whether punctuation is set apart.
        no_punct: Whether punctuation is deleted.
        asian_support: Whether the two above know Chinese and Japanese.
        case_sensitive: Whether case is significant.
    """
    return TER(normalized, no_punct, asian_support, case_sensitive).sentence_score(hypothesis, references)

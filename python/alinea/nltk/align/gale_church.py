"""Sentences are aligned by their lengths: :mod:`alinea.nltk.gale_church` where ``nltk.align.gale_church`` was."""

from alinea.nltk.gale_church import (
    LOG2,
    MAX_ALIGN_BLOCKS,
    LanguageIndependent,
    align_blocks,
    align_log_prob,
    align_texts,
    erfcc,
    norm_cdf,
    norm_logsf,
    parse_token_stream,
    split_at,
    trace,
)

__all__ = [
    "LOG2",
    "MAX_ALIGN_BLOCKS",
    "LanguageIndependent",
    "align_blocks",
    "align_log_prob",
    "align_texts",
    "erfcc",
    "norm_cdf",
    "norm_logsf",
    "parse_token_stream",
    "split_at",
    "trace",
]

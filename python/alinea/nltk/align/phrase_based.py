"""Pairs of phrases are taken from links: :mod:`alinea.nltk.phrase_based` where ``nltk.align.phrase_based`` was."""

from alinea.nltk.phrase_based import MAX_PHRASE_EXTRACTION_DEFAULT_LEN, Phrase, extract, phrase_extraction

__all__ = ["MAX_PHRASE_EXTRACTION_DEFAULT_LEN", "Phrase", "extract", "phrase_extraction"]

"""Pairs of phrases are taken from links: :mod:`alinea.nltk.phrase_based` where ``nltk.align.phrase_based`` was."""

from alinea.nltk import phrase_based
from alinea.nltk.phrase_based import *  # noqa: F403

__all__ = phrase_based.__all__

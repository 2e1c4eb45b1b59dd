"""Sentences are aligned by their lengths: :mod:`alinea.nltk.gale_church` where ``nltk.align.gale_church`` was."""

from alinea.nltk import gale_church
from alinea.nltk.gale_church import *  # noqa: F403

__all__ = gale_church.__all__

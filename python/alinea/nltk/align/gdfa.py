"""Links of both directions are joined: :mod:`alinea.nltk.gdfa` where ``nltk.align.gdfa`` was."""

from alinea.nltk import gdfa
from alinea.nltk.gdfa import *  # noqa: F403

__all__ = gdfa.__all__

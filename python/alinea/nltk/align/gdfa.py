"""Links of both directions are joined: :mod:`alinea.nltk.gdfa` where ``nltk.align.gdfa`` was."""

from alinea.nltk.gdfa import grow_diag_final_and

__all__ = ["grow_diag_final_and"]

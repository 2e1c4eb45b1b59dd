"""Scores of alignments, as functions on sets: precision, recall, alignment error rate (Och and Ney 2003).

The order of arguments is NLTK's, the reference first. ``precision`` and ``recall`` are here what ``nltk.metrics`` has
for sets of any kind, for links; for a whole text, use :func:`alinea.evaluate`, which pools the counts.

>>> from alinea.nltk import Alignment
>>> from alinea.nltk.metrics import alignment_error_rate
>>> reference = Alignment([(0, 0), (1, 1), (2, 2)])
>>> alignment_error_rate(reference, Alignment([(0, 0), (1, 2), (2, 1)]))
0.6666666666666667
"""

from alinea._scores import alignment_error_rate, precision, recall

__all__ = ["alignment_error_rate", "precision", "recall"]

"""The older ``nltk.align`` of NLTK 3.0, for code that was written for it.

What is different from today's :mod:`alinea.nltk`: text and lists become alignments by themselves, scores are methods of
sentences, an index out of range is an error, and a model keeps to itself what it learns until it is asked.

>>> from alinea.nltk.align import AlignedSent, Alignment, IBMModel1
>>> pair = AlignedSent(["the", "house"], ["das", "Haus"], "0-0 1-1")
>>> pair.precision([(0, 0)]), pair.recall([(0, 0)]), pair.alignment_error_rate("0-0")
(0.5, 1.0, 0.33333333333333337)
>>> model = IBMModel1([pair, AlignedSent(["the", "book"], ["das", "Buch"])], 20)
>>> round(model.probabilities["book"]["Buch"], 1)
1.0
>>> model.align(AlignedSent(["book", "house"], ["Haus", "Buch"])).alignment
Alignment([(0, 1), (1, 0)])

The submodules are ``api``, ``ibm1`` to ``ibm3``, ``gale_church``, ``gdfa`` and ``phrase_based``. There is no ``bleu``:
:mod:`alinea.nltk.bleu_score` has more of it.
"""

from __future__ import annotations

from typing import Any, ClassVar

from alinea.nltk import corpus
from alinea.nltk.align.api import AlignedSent, Alignment
from alinea.nltk.align.ibm1 import IBMModel1
from alinea.nltk.align.ibm2 import IBMModel2
from alinea.nltk.align.ibm3 import IBMModel3

__all__ = ["AlignedCorpusReader", "AlignedSent", "Alignment", "IBMModel1", "IBMModel2", "IBMModel3"]


class AlignedCorpusReader(corpus.AlignedCorpusReader):
    """The files of a directory; see :class:`alinea.nltk.corpus.AlignedCorpusReader`."""

    _sentence: ClassVar[type[Any]] = AlignedSent
    _alignment: ClassVar[type[Any]] = Alignment

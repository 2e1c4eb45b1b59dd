"""IBM Model 2 as ``nltk.align.ibm2`` had it; see :mod:`alinea.nltk.ibm2` for what it computes.

>>> from alinea.nltk.align.ibm2 import IBMModel2
>>> from alinea.nltk.align.api import AlignedSent
>>> corpus = [AlignedSent(["the", "house"], ["das", "Haus"]), AlignedSent(["the", "book"], ["das", "Buch"])]
>>> model = IBMModel2(corpus, 20)
>>> model.align(AlignedSent(["book", "door"], ["Buch", "Tür"])).alignment
Alignment([(0, 0), (1, 1)])
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from alinea._progress import Progress
from alinea._sentence import AlignedSentence
from alinea.nltk import api, ibm2
from alinea.nltk._tables import Probabilities
from alinea.nltk.align._best import best
from alinea.nltk.align.api import AlignedSent

__all__ = ["IBMModel2"]


class IBMModel2:
    """Model 2 (Brown et al. 1993, section 4.2).

    Attributes:
        probabilities: ``probabilities[word][mot]``, with ``None`` for the empty mot.
        alignments: ``alignments[i][j][l][m]``: that word ``j`` of ``m`` comes from mot ``i`` of ``l``, both from 1, and
            0 for the empty mot.
    """

    probabilities: Probabilities
    alignments: Probabilities

    def __init__(self, align_sents: Iterable[AlignedSentence], num_iter: int, *, progress: Progress = False) -> None:
        """Trains the model. The sentences stay as they are.

        Args:
            align_sents: The sentence pairs.
            num_iter: The passes of training, after as many of Model 1.
            progress: Whether progress is shown, pass by pass; see :func:`alinea.align`.

        Raises:
            ValueError: The number of passes is negative.
        """
        pairs = [api.AlignedSent(pair.words, pair.mots) for pair in align_sents]
        model = ibm2.IBMModel2(pairs, num_iter, progress=progress)
        self.probabilities = model.translation_table
        self.alignments = model.alignment_table

    def align(self, align_sent: AlignedSentence) -> AlignedSent:
        """Returns a sentence pair with the alignment that the model finds best. Words without a mot have no link.

        Of equally likely mots a word gets the last; it has none only if that is likelier than all others. What the
        model has not met, words or lengths, has no probability, so that such words get the last mot.
        """
        lengths = len(align_sent.mots), len(align_sent.words)

        def probability(word: Any, mot: Any, places: tuple[int, int]) -> float:
            i, j = places
            of_places = self.alignments[i][j][lengths[0]].get(lengths[1], 0.0)
            return float(self.probabilities[word].get(mot, 0.0) * of_places)

        return best(align_sent, probability)

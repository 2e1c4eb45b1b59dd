"""IBM Model 3 as ``nltk.align.ibm3`` had it; see :mod:`alinea.nltk.ibm3` for what it computes.

>>> from alinea.nltk.align.ibm3 import IBMModel3
>>> from alinea.nltk.align.api import AlignedSent
>>> corpus = [AlignedSent(["the", "house"], ["das", "Haus"]), AlignedSent(["the", "book"], ["das", "Buch"])]
>>> model = IBMModel3(corpus, 20)
>>> model.align(AlignedSent(["the", "book"], ["das", "Buch"])).alignment
Alignment([(0, 0), (1, 1)])
"""

from __future__ import annotations

from collections.abc import Iterable

from alinea._progress import Progress
from alinea._sentence import AlignedSentence
from alinea.nltk import api, ibm3
from alinea.nltk._tables import Probabilities
from alinea.nltk.align.api import AlignedSent

__all__ = ["IBMModel3"]


class IBMModel3:
    """Model 3 (Brown et al. 1993, section 4.4).

    Attributes:
        probabilities: ``probabilities[word][mot]``, with ``None`` for the empty mot.
        align_table: The table of Model 2 that training starts from.
        fertility: ``fertility[n][mot]``: that a mot has ``n`` words.
        distortion: ``distortion[j][i][l][m]``: that mot ``i`` of ``l`` puts a word in place ``j`` of ``m``.
        null_insertion: The probability that a word comes with one of the empty mot.
    """

    probabilities: Probabilities
    align_table: Probabilities
    fertility: Probabilities
    distortion: Probabilities
    null_insertion: float

    def __init__(self, align_sents: Iterable[AlignedSentence], num_iter: int, *, progress: Progress = False) -> None:
        """Trains the model. The sentences stay as they are.

        Args:
            align_sents: The sentence pairs.
            num_iter: The passes of training, after as many of Models 1 and 2.
            progress: Whether progress is shown, pass by pass; see :func:`alinea.align`.

        Raises:
            ValueError: The number of passes is negative.
        """
        pairs = [api.AlignedSent(pair.words, pair.mots) for pair in align_sents]
        self._model = model = ibm3.IBMModel3(pairs, num_iter, progress=progress)
        self.probabilities = model.translation_table
        self.align_table = model.alignment_table
        self.fertility = model.fertility_table
        self.distortion = model.distortion_table
        self.null_insertion = model.p1

    def align(self, align_sent: AlignedSentence) -> AlignedSent:
        """Returns a sentence pair with the alignment that the model finds best. Words without a mot have no link.

        It is found by climbing from the best alignment of Model 2, as in training.
        """
        pair = api.AlignedSent(align_sent.words, align_sent.mots)
        if not pair.words or not pair.mots:
            return AlignedSent(pair.words, pair.mots)
        _, found = self._model.sample(pair)
        links = [(word, mot) for word, mot in found.zero_indexed_alignment() if mot is not None]
        return AlignedSent(pair.words, pair.mots, links)

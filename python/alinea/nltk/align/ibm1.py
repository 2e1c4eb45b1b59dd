"""IBM Model 1 as ``nltk.align.ibm1`` had it; see :mod:`alinea.nltk.ibm1` for what it computes.

>>> from alinea.nltk.align.ibm1 import IBMModel1
>>> from alinea.nltk.align.api import AlignedSent
>>> corpus = [AlignedSent(["the", "house"], ["das", "Haus"]), AlignedSent(["the", "book"], ["das", "Buch"])]
>>> model = IBMModel1(corpus, 20)
>>> model.align(AlignedSent(["book", "door"], ["Buch", "Tür"])).alignment
Alignment([(0, 0), (1, 1)])
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from alinea._progress import Progress
from alinea._sentence import AlignedSentence
from alinea.nltk import api, ibm1
from alinea.nltk._tables import Probabilities
from alinea.nltk.align._best import best
from alinea.nltk.align.api import AlignedSent

__all__ = ["IBMModel1"]


class IBMModel1:
    """Model 1 (Brown et al. 1993, section 4.1).

    Attributes:
        probabilities: ``probabilities[word][mot]``, with ``None`` for the empty mot; see :attr:`unmet` for others.
        unmet: The probability of a pair of words that never met: what training began with, one by the number of words.
    """

    probabilities: Probabilities
    unmet: float

    def __init__(self, align_sents: Iterable[AlignedSentence], num_iter: int, *, progress: Progress = False) -> None:
        """Trains the model. The sentences stay as they are.

        Args:
            align_sents: The sentence pairs.
            num_iter: The passes of training.
            progress: Whether progress is shown, pass by pass; see :func:`alinea.align`.

        Raises:
            ValueError: The number of passes is negative.
        """
        pairs = [api.AlignedSent(pair.words, pair.mots) for pair in align_sents]
        self.probabilities = ibm1.IBMModel1(pairs, num_iter, progress=progress).translation_table
        self.unmet = 1 / max(len({word for pair in pairs for word in pair.words}), 1)

    def align(self, align_sent: AlignedSentence) -> AlignedSent:
        """Returns a sentence pair with the alignment that the model finds best. Words without a mot have no link.

        Of equally likely mots a word gets the last; it has none only if that is likelier than all others. Words that
        the model does not know are as likely for all mots, and get the last.
        """

        def probability(word: Any, mot: Any, _: tuple[int, int]) -> float:
            return float(self.probabilities[word].get(mot, self.unmet))

        return best(align_sent, probability)

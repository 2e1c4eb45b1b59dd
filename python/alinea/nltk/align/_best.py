"""The best mot of each word, for itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from alinea._sentence import AlignedSentence
from alinea.nltk.align.api import AlignedSent


def best(pair: AlignedSentence, probability: Callable[[Any, Any, tuple[int, int]], float]) -> AlignedSent:
    """Links each word with the mot of the greatest probability, which is asked for with the places of both, from 1.

    The empty mot is ``None``, in place 0. Of equally likely mots the last is taken, and the empty one only if it is
    likelier than all others.
    """
    links = []
    for j, word in enumerate(pair.words, 1):
        most, found = probability(word, None, (0, j)), None
        for i, mot in enumerate(pair.mots, 1):
            if (value := probability(word, mot, (i, j))) >= most:
                most, found = value, i - 1
        if found is not None:
            links.append((j - 1, found))
    return AlignedSent(pair.words, pair.mots, links)

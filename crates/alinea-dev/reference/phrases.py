"""Phrase pairs of an alignment: slow, plain, the reference for `alinea::phrase`.

Every pair of spans is tried.  By the definition of Och and Ney (2004), section 3.1, it is a phrase pair if some link is
in it and no link has one end inside and the other outside.
"""

from itertools import combinations


def spans(length, most):
    """Spans (first position, the one behind the last) of at most so many words."""
    return [(first, end) for first, end in combinations(range(length + 1), 2) if end - first <= most]


def phrase_spans(source_length, target_length, links, most=None):
    """All phrase pairs in order; neither side is longer than `most`, where that is not None."""
    most = most or max(source_length, target_length)
    found = []
    for source in spans(source_length, most):
        for target in spans(target_length, most):
            ends = [(source[0] <= i < source[1], target[0] <= j < target[1]) for i, j in links]
            if (True, True) in ends and all(i == j for i, j in ends):
                found.append((source, target))
    return found

"""Scores of alignments: slow, plain, the reference for `alinea::evaluate`.

Links are pairs of positions.  A ratio of zero to zero is None.  Precision, recall and the alignment error rate are
those of Och and Ney (2003), *A systematic comparison of various statistical alignment models*, F is that of Fraser and
Marcu (2007), *Measuring word alignment quality for statistical machine translation*.
"""


def precision(test, possible):
    """The share of the links of the hypothesis that are possible."""
    return len(test & possible) / len(test) if test else None


def recall(test, sure):
    """The share of the sure links that the hypothesis has."""
    return len(test & sure) / len(sure) if sure else None


def error_rate(test, sure, possible):
    """Och and Ney's alignment error rate."""
    if not sure <= possible:
        raise ValueError("sure is not a subset of possible")
    if not test and not sure:
        return None
    return 1 - (len(test & sure) + len(test & possible)) / (len(test) + len(sure))


def f_score(test, sure, possible, alpha):
    """The harmonic mean of precision, weighted by alpha, and recall."""
    p, r = precision(test, possible), recall(test, sure)
    if p is None or r is None:
        return None
    return 1 / (alpha / p + (1 - alpha) / r) if p and r else 0.0

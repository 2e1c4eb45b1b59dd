"""Scores of orders: slow, plain, the reference for `alinea::metric::order`.

An order of n words is given by places: p[i] is the place of word i.  An alignment is a set of pairs (source, target).
Kendall and Hamming are 1 for equal orders, as LRscore has them (Birch and Osborne 2010); `talbot` is the fuzzy
reordering score (Talbot et al. 2011).
"""
import math


def inverse(p):
    q = [0] * len(p)
    for i, place in enumerate(p):
        q[place] = i
    return q


def birch_permutation(n, links):
    """Smallest target position; an unaligned word takes that of the word before it (0 at the start); ties keep order."""
    keys, last = [], 0
    for i in range(n):
        last = min((target for source, target in links if source == i), default=last)
        keys.append(last)
    return inverse(sorted(range(n), key=lambda i: (keys[i], i)))


def discordant(p, q):
    n = len(p)
    return sum(1 for i in range(n) for j in range(n) if p[i] < p[j] and q[i] > q[j])


def hamming(p, q):
    return 1 - sum(x != y for x, y in zip(p, q)) / len(p) if p else 1.0


def kendall(p, q, root=False):
    n = len(p)
    if n < 2:
        return 1.0
    d = discordant(p, q) / ((n * n - n) / 2)
    return 1 - (math.sqrt(d) if root else d)


def spearman(p, q):
    n = len(p)
    return 1 - 6 * sum((x - y) ** 2 for x, y in zip(p, q)) / (n * (n * n - 1)) if n > 1 else 1.0


def footrule(p, q):
    most = len(p) ** 2 // 2
    return 1 - sum(abs(x - y) for x, y in zip(p, q)) / most if most else 1.0


def ulam(p, q):
    """The longest common subsequence of the two sequences of words, by the table of all prefixes."""
    n = len(p)
    a, b = inverse(p), inverse(q)
    table = [[0] * (n + 1) for _ in range(n + 1)]
    for i in range(n):
        for j in range(n):
            table[i + 1][j + 1] = table[i][j] + 1 if a[i] == b[j] else max(table[i][j + 1], table[i + 1][j])
    return table[n][n] / n if n else 1.0


def chunks(p, q):
    order = inverse(p)
    return sum(1 for k in range(len(order)) if k == 0 or q[order[k]] != q[order[k - 1]] + 1)


def talbot(p, q):
    return 1 - (chunks(p, q) - 1) / (len(p) - 1) if len(p) > 1 else 1.0


def brevity(reference, candidate):
    if candidate == 0:
        return 1.0 if reference == 0 else 0.0
    return math.exp(min(1 - reference / candidate, 0))


def lrscore_distance(n, hypothesis, reference, hypothesis_length, reference_length, kind):
    p, q = birch_permutation(n, hypothesis), birch_permutation(n, reference)
    score = hamming(p, q) if kind == "hamming" else kendall(p, q, root=True)
    return score * brevity(reference_length, hypothesis_length)

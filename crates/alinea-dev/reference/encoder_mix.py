"""Reference implementation of word vectors as evidence of links, over vectors that are given. Plain and slow on purpose.

X[k], Y[k]: arrays (words, width) of sentence k's source and target; A[k]: mean posteriors (source words, target words).
"""

import numpy as np

EDGES = np.array([0.001, 0.003, 0.01, 0.03, 0.06, 0.1, 0.16, 0.25, 0.35, 0.45, 0.55, 0.7, 0.85])
F1 = np.array([0.0003, 0.0017, 0.0063, 0.0133, 0.0152, 0.018, 0.0223, 0.0312, 0.0332, 0.0326, 0.0315, 0.0569, 0.0805, 0.657])
F0 = np.array([0.788945, 0.071455, 0.058224, 0.03697, 0.016552, 0.009606, 0.006852, 0.005021, 0.002675, 0.001553, 0.000955,
               0.000805, 0.000318, 0.00007])


def centered(vectors):
    """Vectors of one side of a text without their mean and first principal direction, of length 1."""
    everything = np.concatenate(vectors).astype(np.float64)
    mean = everything.mean(0)
    first = np.linalg.svd(everything - mean, full_matrices=False)[2][0]
    result = []
    for x in vectors:
        x = x - mean
        x = x - np.outer(x @ first, first)
        result.append(x / (np.linalg.norm(x, axis=1, keepdims=True) + 1e-9))
    return result


def greatest(values, n, axis):
    n = min(n, values.shape[axis])
    kept = np.sort(values, axis=axis)
    return (kept[:, -n:] if axis == 1 else kept[-n:]).mean(axis)


def score(x, y, neighbors=3, scale=18.0):
    """The scores E of all cells."""
    cosines = x @ y.T
    c = cosines - 0.5 * greatest(cosines, neighbors, 1)[:, None] - 0.5 * greatest(cosines, neighbors, 0)[None, :]
    e = np.exp(scale * (c - c.max()))
    return np.sqrt(e / e.sum(1, keepdims=True) * (e / e.sum(0, keepdims=True)))


def log_odds(x):
    return np.log((x + 0.005) / (1.005 - x))


def evidence(A, E, pseudo=0):
    """r of each bin, and the divergence D, which is to be taken from a call with pseudo=0; r from one with pseudo=1000."""
    a = np.clip(np.concatenate([x.ravel() for x in A]), 0.002, 0.97)
    b = np.digitize(np.concatenate([x.ravel() for x in E]), EDGES)
    z = a.copy()
    for _ in range(15):
        f1 = np.bincount(b, z, 14) + (pseudo * F1 if pseudo else 0.5)
        f0 = np.bincount(b, 1 - z, 14) + (20 * pseudo * F0 if pseudo else 0.5)
        f1, f0 = f1 / f1.sum(), f0 / f0.sum()
        r = np.maximum.accumulate(np.log(f1) - np.log(f0))
        z = 1 / (1 + np.exp(-(np.log(a / (1 - a)) + r[b])))
    return r, float((f1 * r).sum())


def decision(A, E, r, gate, coefficients=(0.42, 0.43, -1.13)):
    """L of all cells, which are links where it is above 0; (.43, .36, -1.02) with posteriors that know the dictionary."""
    p, q, s = coefficients
    kappa = min(max((gate - 1) / 3, 0), 1)
    wanted, alone = np.log(0.35 / 0.65), np.log(0.45 / 0.55)
    return [
        kappa * (p * log_odds(a) + q * r[np.digitize(e, EDGES)] + s - wanted) + (1 - kappa) * (log_odds(a) - alone)
        for a, e in zip(A, E)
    ]


def dictionary(sentences, vectors, most=10):
    """Of one side: lower-cased types and their mean vectors of length 1."""
    found = {}
    for words, x in zip(sentences, vectors):
        for word, v in zip(words, x):
            of_type = found.setdefault(word.lower(), [])
            if len(of_type) < most:
                of_type.append(v)
    means = np.array([np.mean(v, 0) for v in found.values()])
    return list(found), means / (np.linalg.norm(means, axis=1, keepdims=True) + 1e-9)


def entries(source, target, least=0.05):
    """Pairs of types with their weights; source and target as `dictionary` returns them."""
    e = score(source[1], target[1], neighbors=10)
    return [(source[0][i], target[0][j], float(e[i, j])) for i, j in zip(*np.nonzero(e > least))]

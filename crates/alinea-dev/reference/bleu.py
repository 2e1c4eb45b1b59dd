"""BLEU and the smoothing methods 0-7 in two variants: slow, plain, the reference for `alinea::metric::smoothing`.

'nltk' reproduces the behaviour of NLTK 3.10 (segment level exactly; on corpora methods 5 and 6 look at
the last segment only, as NLTK does).  'paper' follows Chen and Cherry (2014): the counts are smoothed,
not the precisions, with corpus totals throughout; orders for which the hypotheses have no n-gram at all
are left out and the weights of the others renormalised (effective order: ours, the paper is silent).
"""
import math
from collections import Counter


def ngrams(s, n):
    return [tuple(s[i:i + n]) for i in range(len(s) - n + 1)]


def clipped(refs, hyp, n):
    h = Counter(ngrams(hyp, n))
    rs = [Counter(ngrams(r, n)) for r in refs]
    m = sum(min(c, max((r[g] for r in rs), default=0)) for g, c in h.items())
    return m, max(len(hyp) - n + 1, 0)


def closest_len(refs, h):
    return min((len(r) for r in refs), key=lambda l: (abs(l - h), l))


def bp(r, h):
    if h > r:
        return 1.0
    return 0.0 if h == 0 else math.exp(1 - r / h)


def stats(pairs, N):
    """pairs: list of (refs, hyp).  Sums of matches and totals for orders 1..N, hyp and ref length."""
    M, T = [0] * (N + 1), [0] * (N + 1)
    H = R = 0
    for refs, hyp in pairs:
        for n in range(1, N + 1):
            m, t = clipped(refs, hyp, n)
            M[n] += m
            T[n] += t
        H += len(hyp)
        R += closest_len(refs, len(hyp))
    return M, T, H, R


def corpus_bleu(pairs, weights=(.25,) * 4, method=0, variant="nltk", epsilon=.1, alpha=5, k=5):
    N = len(weights)
    M, T, H, R = stats(pairs, N + 1)
    if M[1] == 0:
        return 0.0
    if variant == "paper":
        while N > 1 and T[N] == 0:
            N -= 1
        z = sum(weights[:N])
        weights = tuple(w / z for w in weights[:N])
    # NLTK puts max(1, total) per segment in the denominator
    D = [0] * (N + 2)
    for n in range(1, N + 2):
        D[n] = sum(max(1, clipped(rf, h, n)[1]) for rf, h in pairs) if variant == "nltk" else T[n]
    p = smooth(M, D, H, pairs, N, method, variant, epsilon, alpha, k)
    if variant == "nltk" and method != 0:
        # NLTK leaves zero precisions out of the sum (it happens with method 4 and a one-word text)
        return bp(R, H) * math.exp(sum(w * math.log(x) for w, x in zip(weights, p) if x > 0))
    if any(x <= 0 for x, w in zip(p, weights) if w):
        return 0.0
    return bp(R, H) * math.exp(sum(w * math.log(x) for w, x in zip(weights, p) if w))


def smooth(M, D, H, pairs, N, method, variant, epsilon=.1, alpha=5, k=5):
    div = lambda a, b: a / b if b else 0.0
    p = [div(M[n], D[n]) for n in range(1, N + 1)]
    if method == 0:
        return p
    if method == 1:
        return [div(M[n] if M[n] else epsilon, D[n]) for n in range(1, N + 1)]
    if method == 2:
        return [p[0]] + [(M[n] + 1) / (D[n] + 1) for n in range(2, N + 1)]
    if method == 3:
        out, inv = [], 1
        for n in range(1, N + 1):
            if M[n] == 0:
                inv *= 2
                out.append(div(1 / inv, D[n]))
            else:
                out.append(p[n - 1])
        return out
    if method in (4, 7):
        out, cnt, inc = [], [], 0
        lnT = math.log(H) if H > 1 else 0.0
        for n in range(1, N + 1):
            if M[n] == 0 and H > 1:
                inc += 1
                if variant == "nltk":
                    m = lnT / (2 ** inc * k)
                else:
                    m = (lnT / k) ** inc       # invcnt *= K / ln(len(T))
            else:
                m = M[n]
            cnt.append(m)
            out.append(div(m, D[n]))
        if method == 4:
            return out
        p, counts = out, cnt
    else:
        counts = [M[n] for n in range(1, N + 1)]
    if method in (5, 7):
        if variant == "nltk":
            refs, hyp = pairs[-1]
            m5, t5 = clipped(refs, hyp, 5)
            ext = p + [m5 / max(1, t5)]
            prev, out = p[0] + 1, []
            for n in range(N):
                prev = (prev + p[n] + ext[n + 1]) / 3
                out.append(prev)
            return out
        ext = counts + [M[N + 1]]
        prev, out = counts[0] + 1, []
        for n in range(N):
            prev = (prev + counts[n] + ext[n + 1]) / 3
            out.append(div(prev, D[n + 1]))
        return out
    if method == 6:
        if variant == "nltk" and N > 2 and M[3] == 0:
            raise AssertionError("This smoothing method requires non-zero precision for bigrams.")
        out = list(p)
        for n in range(3, N + 1):
            pi0 = 0 if out[n - 3] == 0 else out[n - 2] ** 2 / out[n - 3]
            l = max(len(pairs[-1][1]) - n + 1, 0) if variant == "nltk" else D[n]
            out[n - 1] = (M[n] + alpha * pi0) / (l + alpha)
        return out
    raise ValueError(method)

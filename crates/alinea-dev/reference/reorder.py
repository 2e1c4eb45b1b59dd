"""Orders from alignments, their scores, and searches for orders: slow, plain, the reference for `alinea::reorder`.

`order` lists words, as positions in the source, as they come; `pos` is its inverse, the place of each word.  An alignment
is a set of pairs (source, target).  All positions count from 0, but the previous indices of the shared task from 1.
"""
import math
from fractions import Fraction

from bleu import corpus_bleu


def inverse(p):
    q = [0] * len(p)
    for k, i in enumerate(p):
        q[i] = k
    return q


def targets(n, a):
    t = [set() for _ in range(n)]
    for i, j in a:
        t[i].add(j)
    return t


def gold(n, a, key="mean", null="drop"):
    """Sort source words by one number drawn from their target positions; ties keep source order.
    key: mean | median | min | max
    null: drop | left (take the key of the nearest aligned word on the left; leading ones 0-th place)
          | right.   Returns the order over the kept source words (original indices)."""
    t = targets(n, a)
    val = []
    for s in t:
        if not s:
            val.append(None)
        elif key == "mean":
            val.append(Fraction(sum(s), len(s)))
        elif key == "median":
            q = sorted(s)
            h = len(q) // 2
            val.append(Fraction(q[h]) if len(q) % 2 else Fraction(q[h - 1] + q[h], 2))
        elif key == "min":
            val.append(Fraction(min(s)))
        elif key == "max":
            val.append(Fraction(max(s)))
    if null == "left":
        last = Fraction(0)
        for i in range(n):
            if val[i] is None:
                val[i] = last
            else:
                last = val[i]
    elif null == "right":
        last = None
        for i in reversed(range(n)):
            if val[i] is None:
                val[i] = last
            else:
                last = val[i]
        last = max((v for v in val if v is not None), default=Fraction(0))
        val = [last if v is None else v for v in val]
    keep = [i for i in range(n) if val[i] is not None]
    return sorted(keep, key=lambda i: (val[i], i))


def interval_ranks(n, a):
    """Partial-order ranks: x <= y iff min x <= min y and max x <= max y.  Words with equal intervals share
    a rank.  Unaligned words get -1.  Returns (ranks, number of ranks) or None when two aligned words are
    incomparable (one interval strictly inside another)."""
    t = targets(n, a)
    iv = {i: (min(s), max(s)) for i, s in enumerate(t) if s}
    def le(x, y):
        return x[0] <= y[0] and x[1] <= y[1]

    for x in iv.values():
        for y in iv.values():
            if not le(x, y) and not le(y, x):
                return None
    lev = sorted(set(iv.values()))
    r = [lev.index(iv[i]) if i in iv else -1 for i in range(n)]
    return r, len(lev)


def discordant(p, q):
    """Pairs (i, j) with p[i] < p[j] and q[i] > q[j]; p and q are position vectors over the same words."""
    n = len(p)
    return sum(1 for i in range(n) for j in range(n) if p[i] < p[j] and q[i] > q[j])


def hamming(p, q):
    n = len(p)
    return 1 - sum(x != y for x, y in zip(p, q)) / n if n else 1.0


def kendall(p, q, root=False):
    n = len(p)
    if n < 2:
        return 1.0
    d = discordant(p, q) / ((n * n - n) / 2)
    return 1 - (math.sqrt(d) if root else d)


def brevity(r, c):
    """exp(min(1 - r / c, 0)); 0 for an empty candidate against a non-empty reference."""
    if c == 0:
        return 1.0 if r == 0 else 0.0
    return math.exp(min(1 - r / c, 0))


def score_against_alignment(n, a, order):
    """FRS and tau of the top-down BTG evaluation: words without alignment are removed, ties are free,
    sentences with incomparable words are skipped (None)."""
    ir = interval_ranks(n, a)
    if ir is None or ir[1] == 0:
        return None
    r, top = ir
    o = [i for i in order if r[i] >= 0]
    m = len(o)
    if m <= 1:
        return {"frs": 1.0, "tau": 1.0, "complete": 1.0}
    err = sum(1 for x in range(m) for y in range(x + 1, m) if r[o[x]] > r[o[y]])
    tau = 1 - err / (m * (m - 1) / 2)
    seq = [-1] + [r[i] for i in o] + [top]
    bad = sum(1 for x, y in zip(seq, seq[1:]) if x != y and x + 1 != y)
    return {"frs": 1 - bad / (m + 1), "tau": tau, "complete": 1.0 if err == 0 else 0.0}


def pef(p, beta=0.6):
    """Score of a permutation over all its permutation trees.  p lists reference places in hypothesis order.
    A node that splits in two blocks, left before right, scores 1; swapped 0; a node whose operator is a
    simple permutation of 4 or more scores 0.  Alternatives (the different binary splits) are averaged."""
    p = list(p)

    def rec(lo, hi):
        if hi - lo == 1:
            return 1.0
        alts = []
        for s in range(lo + 1, hi):
            if max(p[lo:s]) < min(p[s:hi]):
                alts.append((1.0, [(lo, s), (s, hi)]))
            elif min(p[lo:s]) > max(p[s:hi]):
                alts.append((0.0, [(lo, s), (s, hi)]))
        if not alts:
            kids, i = [], lo                       # maximal proper blocks, left to right
            while i < hi:
                j = hi if i > lo else hi - 1
                while not (max(p[i:j]) - min(p[i:j]) == j - i - 1 and j - i < hi - lo):
                    j -= 1
                kids.append((i, j))
                i = j
            alts.append((0.0, kids))
        tot = 0.0
        for op, kids in alts:
            tot += beta * op + (1 - beta) * sum(rec(*k) for k in kids) / len(kids)
        return tot / len(alts)
    return rec(0, len(p)) if p else 1.0


def order_from_previous(prev):
    """prev[i] is the 1-based index of the word put just before word i+1; 0 for the first.
    Returns the order (0-based).  Raises on anything that is not one chain over all words."""
    n = len(prev)
    nxt = {}
    for i, p in enumerate(prev, 1):
        if not 0 <= p <= n or p == i:
            raise ValueError("previous index out of range: %d" % p)
        if p in nxt:
            raise ValueError("two words after %d" % p)
        nxt[p] = i
    out, at = [], 0
    while at in nxt:
        at = nxt[at]
        out.append(at - 1)
    if len(out) != n:
        raise ValueError("the previous indices do not form one chain")
    return out


def previous_from_order(order):
    prev = [0] * len(order)
    for a, b in zip(order, order[1:]):
        prev[b] = a + 1
    return prev


def rsmt_scores(pairs):
    """pairs: list of (words, gold order, candidate order), each order over the same words.
    BLEU as a fraction (corpus level), Hamming and Kendall as macro means of the per-sentence values, each
    times the sentence's brevity penalty; kendall_sqrt is the LRscore variant."""
    bl = corpus_bleu([([[w[i] for i in g]], [w[i] for i in c]) for w, g, c in pairs])
    out = {"bleu": bl, "hamming": 0.0, "kendall": 0.0, "kendall_sqrt": 0.0, "exact": 0.0}
    for w, g, c in pairs:
        p, q = inverse(c), inverse(g)
        b = brevity(len(g), len(c))
        out["hamming"] += hamming(p, q) * b
        out["kendall"] += kendall(p, q) * b
        out["kendall_sqrt"] += kendall(p, q, True) * b
        out["exact"] += c == g
    for k in ("hamming", "kendall", "kendall_sqrt", "exact"):
        out[k] /= len(pairs)
    return out


def btg_parsable(ranks):
    """ranks: one rank per word, -1 for an unaligned word; equal ranks are free.  True when some binary
    bracketing with straight / inverted nodes sorts the aligned words."""
    p = [r for r in ranks if r >= 0]

    def ok(lo, hi):
        if hi - lo <= 1:
            return True
        for s in range(lo + 1, hi):
            if max(p[lo:s]) <= min(p[s:hi]) or min(p[lo:s]) >= max(p[s:hi]):
                return ok(lo, s) and ok(s, hi)       # any valid split will do
        return False
    return bool(p) and ok(0, len(p))


def order_from_tree(t):
    """t: int leaf, or (label, left, right) with label 'S' or 'I'."""
    if isinstance(t, int):
        return [t]
    a, b = order_from_tree(t[1]), order_from_tree(t[2])
    return a + b if t[0] == "S" else b + a


def order_from_actions(n, actions):
    """Top-down actions (pivot, inverted): a stack of spans; pop the last, split, push left then right
    (so the right part is split first); spans of one word are not pushed."""
    out = {}
    stack = [(0, n)] if n > 1 else []
    for piv, inv in actions:
        b, e = stack.pop()
        assert b < piv < e
        out[(b, e)] = (piv, inv)
        if piv - b > 1:
            stack.append((b, piv))
        if e - piv > 1:
            stack.append((piv, e))
    assert not stack

    def rec(b, e):
        if e - b == 1:
            return [b]
        piv, inv = out[(b, e)]
        x, y = rec(b, piv), rec(piv, e)
        return y + x if inv else x + y
    return rec(0, n) if n else []


def btg_best(n, score):
    """CKY over spans: score(b, pivot, e, inverted) -> number.  Returns (total, tree)."""
    best = {(i, i + 1): (0.0, i) for i in range(n)}
    for w in range(2, n + 1):
        for b in range(n - w + 1):
            e = b + w
            cand = None
            for piv in range(b + 1, e):
                for inv in (False, True):
                    v = best[(b, piv)][0] + best[(piv, e)][0] + score(b, piv, e, inv)
                    if cand is None or v > cand[0]:
                        cand = (v, ("I" if inv else "S", best[(b, piv)][1], best[(piv, e)][1]))
            best[(b, e)] = cand
    return best[(0, n)]


# ---- linear ordering problem -----------------------------------------------------------------


def lop_score(B, order):
    """Sum of B[l][r] over pairs with l placed before r."""
    return sum(B[order[x]][order[y]] for x in range(len(order)) for y in range(x + 1, len(order)))


def lop_exact(B):
    n = len(B)
    full = (1 << n) - 1
    f = {0: (0.0, [])}
    for mask in range(1, full + 1):
        c = None
        for v in range(n):
            if mask >> v & 1:
                pv, po = f[mask ^ (1 << v)]
                s = pv + sum(B[u][v] for u in po)
                if c is None or s > c[0] + 1e-12:
                    c = (s, po + [v])
        f[mask] = c
    return f[full]


def lop_btg_step(B, order):
    """Best order in the BTG neighborhood of `order`: every binary tree over it with any set of swaps."""
    def sc(b, piv, e, inv):
        l, r = order[b:piv], order[piv:e]
        return sum(B[y][x] if inv else B[x][y] for x in l for y in r)
    v, t = btg_best(len(order), sc)
    return v, [order[i] for i in order_from_tree(t)] if len(order) else []


def lop_local_search(B, order):
    cur = lop_score(B, order)
    while True:
        v, o = lop_btg_step(B, order)
        if v <= cur + 1e-12:
            return cur, order
        cur, order = v, o


# ---- travelling salesman path ----------------------------------------------------------------


def path_cost(C, order):
    """C is (n+2) x (n+2): index n is the start, n+1 the end."""
    n = len(order)
    seq = [n] + list(order) + [n + 1]
    return sum(C[a][b] for a, b in zip(seq, seq[1:]))


def atsp_exact(C):
    """Held and Karp; returns (cost, order); the lexicographically smallest order among the cheapest."""
    n = len(C) - 2
    f = {(1 << v, v): (C[n][v], (v,)) for v in range(n)}
    for mask in range(1, 1 << n):
        for v in range(n):
            if not mask >> v & 1 or mask == 1 << v:
                continue
            f[(mask, v)] = min((f[(mask ^ 1 << v, u)][0] + C[u][v], f[(mask ^ 1 << v, u)][1] + (v,))
                               for u in range(n) if u != v and mask >> u & 1)
    full = (1 << n) - 1
    c, o = min((f[(full, v)][0] + C[v][n + 1], f[(full, v)][1]) for v in range(n))
    return c, list(o)

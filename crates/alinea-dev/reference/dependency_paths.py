"""Reference implementation of the dependency-path word-order metric (and of a
dependency tree edit distance).  Plain and slow on purpose.

A tree is a list of (head, label) for words 1..n; head 0 is the root.
An alignment is a list of (i, j): node i of D (1-based) is aligned to node j of D2.
"""
from itertools import combinations, product

ALPHA, BETA = "alpha", "beta"          # n left of m / n right of m


def lev(a, b):
    """Levenshtein distance over symbols, unit insert/delete/substitute, no transposition."""
    prev = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        cur = [i]
        for j, y in enumerate(b, 1):
            cur.append(min(prev[j] + 1, cur[-1] + 1, prev[j - 1] + (x != y)))
        prev = cur
    return prev[-1]


def to_root(tree, n):
    out, seen = [n], {n}
    while tree[n - 1][0] != 0:
        n = tree[n - 1][0]
        if n in seen:
            raise ValueError("cycle")
        seen.add(n)
        out.append(n)
    return out


def encode(tree, n, m):
    """Path n -> m as (ascending labels, direction, descending labels)."""
    un, um = to_root(tree, n), to_root(tree, m)
    common = next((x for x in un if x in set(um)), None)
    if common is None:
        raise ValueError("two roots: no path")
    up = [tree[x - 1][1] for x in un[:un.index(common)]]
    down = [tree[x - 1][1] for x in um[:um.index(common)]][::-1]
    return up, (ALPHA if n < m else BETA), down


def disparity(e1, e2):
    L = lev(e1[0], e2[0]) + (e1[1] != e2[1]) + lev(e1[2], e2[2])
    Lmax = max(len(e1[0]), len(e2[0])) + 1 + max(len(e1[2]), len(e2[2]))
    return L, Lmax


def path_pair(D, D2, n, m, n2, m2):
    return disparity(encode(D, n, m), encode(D2, n2, m2))


def orient(D, D2, links):
    """Return (D, D2, links) so that every node of D has one counterpart, if that is possible."""
    links = sorted(set(links))
    left = len({i for i, _ in links}) == len(links)
    right = len({j for _, j in links}) == len(links)
    if left:
        return D, D2, links, "strict"
    if right:
        return D2, D, sorted((j, i) for i, j in links), "strict-swapped"
    return D, D2, links, "relaxed"


def metagraph(D, D2, links):
    """All edges of the meta-graph on the aligned nodes of D.
    Strict ordinality: Eq. 5.5/5.6.  Relaxed: minimum over counterpart choices,
    0 if the two nodes share a counterpart.  An edge with a shared counterpart has Lmax 0
    (it says nothing about order and is left out of the normaliser)."""
    c = {}
    for i, j in links:
        c.setdefault(i, []).append(j)
    edges = []
    for n, m in combinations(sorted(c), 2):
        if set(c[n]) & set(c[m]):
            edges.append({"n": n, "m": m, "n2": None, "m2": None, "L": 0, "Lmax": 0, "size": 0})
            continue
        best = None
        for n2, m2 in product(c[n], c[m]):
            e1, e2 = encode(D, n, m), encode(D2, n2, m2)
            L, Lmax = disparity(e1, e2)
            size = len(e1[0]) + len(e1[2]) + len(e2[0]) + len(e2[2])
            key = (L, size, Lmax, n2, m2)
            if best is None or key < best[0]:
                best = (key, {"n": n, "m": m, "n2": n2, "m2": m2, "L": L, "Lmax": Lmax, "size": size})
        edges.append(best[1])
    return sorted(c), edges


def mst(nodes, edges, tie="local"):
    """Kruskal.  Ties in L: 'local' prefers the shorter pair of paths (then smaller Lmax, then node
    indices); 'generous' prefers the larger Lmax; 'index' only node indices."""
    if tie == "local":
        key = lambda e: (e["L"], e["size"], e["Lmax"], e["n"], e["m"])
    elif tie == "generous":
        key = lambda e: (e["L"], -e["Lmax"], e["size"], e["n"], e["m"])
    else:
        key = lambda e: (e["L"], e["n"], e["m"])
    comp = {v: v for v in nodes}

    def find(v):
        while comp[v] != v:
            v = comp[v]
        return v
    out = []
    for e in sorted(edges, key=key):
        a, b = find(e["n"]), find(e["m"])
        if a != b:
            comp[a] = b
            out.append(e)
    return out


def all_spanning_tree_weights(nodes, edges):
    """Brute force (small graphs): set of (sum L, sum Lmax) over all spanning trees of least sum L."""
    best, acc = None, set()
    k = len(nodes) - 1
    for sub in combinations(edges, k):
        comp = {v: v for v in nodes}

        def find(v):
            while comp[v] != v:
                v = comp[v]
            return v
        ok = True
        for e in sub:
            a, b = find(e["n"]), find(e["m"])
            if a == b:
                ok = False
                break
            comp[a] = b
        if not ok:
            continue
        w = sum(e["L"] for e in sub)
        if best is None or w < best:
            best, acc = w, set()
        if w == best:
            acc.add((w, sum(e["Lmax"] for e in sub)))
    return sorted(acc)


def derp(D, D2, links, tie="local", gamma=0.0):
    """Sentence score.  order = 1 - sum L / sum Lmax over the minimum spanning tree.  coverage = harmonic mean of the aligned
    fractions of both trees.  score = order * coverage ** gamma."""
    A, B, lk, mode = orient(D, D2, links)
    nodes, edges = metagraph(A, B, lk)
    tree = mst(nodes, edges, tie)
    sL, sM = sum(e["L"] for e in tree), sum(e["Lmax"] for e in tree)
    a1, a2 = len({i for i, _ in links}), len({j for _, j in links})
    pa = a1 / len(D) if D else 0.0
    pb = a2 / len(D2) if D2 else 0.0
    cov = 2 * pa * pb / (pa + pb) if pa + pb else 0.0
    if not nodes:
        order = 1.0 if not D and not D2 else 0.0
    elif sM == 0:
        order = 1.0
    else:
        order = 1 - sL / sM
    return {"mode": mode, "nodes": nodes, "edges": edges, "tree": tree, "L": sL, "Lmax": sM,
            "order": order, "coverage": cov, "score": order * cov ** gamma if gamma else order}


# ---------------------------------------------------------------- dependency tree edit distance

def build(tree, keep=None, head_leaf=False):
    """Ordered tree (label id, children) from heads; children in surface order.
    keep: nodes to keep (others are spliced out: their children move up to the nearest kept ancestor).
    head_leaf: each node with children gets itself as a leaf child in its surface position."""
    n = len(tree)
    keep = set(range(1, n + 1)) if keep is None else set(keep)
    kids = {i: [] for i in range(0, n + 1)}
    for i in range(1, n + 1):
        if i not in keep:
            continue
        h = tree[i - 1][0]
        while h and h not in keep:
            h = tree[h - 1][0]
        kids[h].append(i)

    def rec(i):
        ch = sorted(kids[i])
        sub = [(c, rec(c)) for c in ch]
        nodes = [t for _, t in sub]
        if head_leaf and ch:
            pos = sum(1 for c in ch if c < i)
            nodes.insert(pos, (("w", i), []))
        return (("n", i), nodes)
    return (("root", 0), [rec(c) for c in sorted(kids[0])])


def ted(t1, t2, eq, memo=None):
    """Ordered tree edit distance by the forest recursion (unit costs; exponential without memo)."""
    memo = {} if memo is None else memo

    def size(f):
        return sum(1 + size(c) for _, c in f)

    def d(f, g):
        k = (repr(f), repr(g))
        if k in memo:
            return memo[k]
        if not f and not g:
            r = 0
        elif not f:
            r = size(g)
        elif not g:
            r = size(f)
        else:
            (a, fa), (b, gb) = f[-1], g[-1]
            r = min(d(f[:-1] + fa, g) + 1, d(f, g[:-1] + gb) + 1,
                    d(fa, gb) + d(f[:-1], g[:-1]) + (0 if eq(a, b) else 1))
        memo[k] = r
        return r
    return d([t1], [t2])


def tree_size(t):
    return 1 + sum(tree_size(c) for c in t[1])


def dted(D, D2, links, unaligned="keep", head_leaf=False):
    """Score 1 - TED / (|T1| + |T2|) with the artificial root not counted.  Two nodes match when they
    are linked.  unaligned: 'keep' or 'splice'."""
    lk = set(links)
    k1 = k2 = None
    if unaligned == "splice":
        k1, k2 = {i for i, _ in lk}, {j for _, j in lk}
    t1, t2 = build(D, k1, head_leaf), build(D2, k2, head_leaf)

    def eq(a, b):
        if a[0] == "root" or b[0] == "root":
            return a[0] == b[0]
        return a[0] == b[0] and (a[1], b[1]) in lk
    dist = ted(t1, t2, eq)
    tot = tree_size(t1) + tree_size(t2) - 2
    return {"distance": dist, "size1": tree_size(t1) - 1, "size2": tree_size(t2) - 1,
            "score": 1 - dist / tot if tot else 1.0}


# the worked example; the attachment of 'a' in the reference is not certain from the text
HYP_WORDS = "a Sherlock becomes the detective".split()
REF_WORDS = "the detective is becoming a Sherlock Holmes".split()
HYP = [(2, "DET"), (3, "NSUBJ"), (0, "ROOT"), (5, "DET"), (3, "DOBJ")]
REF_A = [(2, "DET"), (4, "NSUBJ"), (4, "AUX"), (0, "ROOT"), (7, "DET"), (7, "CMP"), (4, "DOBJ")]
REF_B = [(2, "DET"), (4, "NSUBJ"), (4, "AUX"), (0, "ROOT"), (6, "DET"), (7, "CMP"), (4, "DOBJ")]
LINKS = [(1, 4), (2, 5), (4, 3), (5, 1), (6, 2)]

if __name__ == "__main__":
    for name, ref in (("A: a->Holmes", REF_A), ("B: a->Sherlock", REF_B)):
        print(name)
        nodes, edges = metagraph(ref, HYP, LINKS)
        for e in edges:
            print("  %-10s %-10s" % (REF_WORDS[e["n"] - 1], REF_WORDS[e["m"] - 1]),
                  encode(ref, e["n"], e["m"]), encode(HYP, e["n2"], e["m2"]), "L", e["L"], "Lmax", e["Lmax"])
        for tie in ("local", "generous", "index"):
            r = derp(ref, HYP, LINKS, tie)
            print("  ", tie, [(REF_WORDS[e["n"] - 1], REF_WORDS[e["m"] - 1], e["L"], e["Lmax"]) for e in r["tree"]],
                  r["L"], r["Lmax"], r["order"], r["coverage"])
        print("   all MSTs (sumL,sumLmax):", all_spanning_tree_weights(nodes, edges))
        for u in ("keep", "splice"):
            for h in (False, True):
                print("   dted", u, h, dted(ref, HYP, LINKS, u, h))

"""Reference: top-down bracketing reorderer (training and search), slow, feature names as text.

Sentence: list of (word, tag, class).  Actions (pivot, inverted) as in reorder.order_from_actions.
Ties in the beam are broken by the order of generation (earlier states first, smaller pivot, straight before
inverted): ours; the published program leaves them to its heap."""
import math
from collections import defaultdict


def le_sets(x, y):
    return all(a <= b for a in x - y for b in y) and all(a <= b for b in y - x for a in x)


def constraint(n, align):
    """Ranks (-1 unaligned) under the order on target sets, or None."""
    t = [set() for _ in range(n)]
    for i, j in align:
        t[i].add(j)
    groups = []
    for i in range(n):
        if not t[i]:
            continue
        k, eq = 0, False
        while k < len(groups):
            a, b = le_sets(t[i], t[groups[k][0]]), le_sets(t[groups[k][0]], t[i])
            if not a and not b:
                return None
            eq = a and b
            if a:
                break
            k += 1
        if not eq:
            groups.insert(k, [])
        groups[k].append(i)
    r = [-1] * n
    for k, g in enumerate(groups):
        for i in g:
            r[i] = k
    from reorder import btg_parsable
    return r if btg_parsable(r) else None


def features(s, b, p, e, nt, side):
    """nt: 'S', 'I' or '-' (label of the action that made the span); side: 'L', 'R' or '-'."""
    n, ln, rn = len(s), p - b, e - p
    f = ["bias", "bal=" + ("L" if rn < ln else "R" if rn > ln else "E"), "len=%d" % min(e - b, 99),
         "sub=%d,%d" % (min(ln, 5), min(rn, 5)), "nt=" + nt, "nts=" + nt + side]
    for y in range(3):
        g = lambda i: s[i][y] if 0 <= i < n else ""
        Ll, Lr, Rl, Rr = b, p - 1, p, e - 1
        for name, idx in (("Ll-", (b - 1,)), ("Ll", (Ll,)), ("Lr", (Lr,)), ("Rl", (Rl,)), ("Rr", (Rr,)), ("Rr+", (e,)),
                          ("Ll-&Ll", (b - 1, Ll)), ("Ll&Lr", (Ll, Lr)), ("Ll&Rl", (Ll, Rl)), ("Ll&Rr", (Ll, Rr)), ("Lr&Rl", (Lr, Rl)),
                          ("Lr&Rr", (Lr, Rr)), ("Rl&Rr", (Rl, Rr)), ("Rr&Rr+", (Rr, e)), ("Lr-&Lr&Rl", (p - 2, Lr, Rl)),
                          ("Ll&Lr&Rl", (Ll, Lr, Rl)), ("Lr&Rl&Rr", (Lr, Rl, Rr)), ("Lr&Rl&Rl+", (Lr, Rl, p + 1)), ("Ll&Lr&Rl&Rr", (Ll, Lr, Rl, Rr))):
            f.append("%d:%s=%s" % (y, name, "\x01".join(map(g, idx))))
        for name, idx in (("Ll", (Ll,)), ("Lr", (Lr,)), ("Rl", (Rl,)), ("Rr", (Rr,)), ("Ll&Rr", (Ll, Rr))):
            f.append("%d:%s%s:%s=%s" % (y, nt, side, name, "\x01".join(map(g, idx))))
    return f


class State:
    __slots__ = ("score", "valid", "stack", "acts")

    def __init__(self, score, valid, stack, acts):
        self.score, self.valid, self.stack, self.acts = score, valid, stack, acts


def start(n):
    return State(0.0, True, [(0, n, "-", "-")] if n > 1 else [], [])


def advance(st, act, score, valid):
    p, inv = act
    b, e, _, _ = st.stack[-1]
    stack = st.stack[:-1]
    nt = "I" if inv else "S"
    if p - b > 1:
        stack = stack + [(b, p, nt, "L")]
    if e - p > 1:
        stack = stack + [(p, e, nt, "R")]
    return State(score, valid, stack, st.acts + [act])


def search(s, w, beam, ranks=None):
    """Returns (system actions, reference actions or None, early)."""
    n = len(s)
    states = [start(n)]
    ref = []
    for _ in range(n - 1):
        new, ref = [], None
        for st in states:
            b, e, nt, side = st.stack[-1]
            for p in range(b + 1, e):
                f = features(s, b, p, e, nt, side)
                for inv in (False, True):
                    sc = st.score + sum(w[inv].get(x, 0.0) for x in f)
                    ok = False
                    if ranks is not None and st.valid:
                        l, r = [x for x in ranks[b:p] if x >= 0], [x for x in ranks[p:e] if x >= 0]
                        ok = not l or not r or (max(r) <= min(l) if inv else max(l) <= min(r))
                    new.append((sc, ok, st, (p, inv)))
                    if ok and (ref is None or sc > ref[0]):
                        ref = (sc, st.acts + [(p, inv)])
        new.sort(key=lambda x: -x[0])                 # stable
        new = new[:beam]
        states = [advance(st, a, sc, ok) for sc, ok, st, a in new]
        if ranks is not None and not any(x.valid for x in states):
            return states[0].acts, ref and ref[1], True
    return states[0].acts, (ref and ref[1]) if ranks is not None else None, False


def train(data, beam=20, iterations=20):
    """data: list of (sentence, alignment).  Returns the averaged weights {False: {...}, True: {...}}."""
    items = [(s, constraint(len(s), a)) for s, a in data]
    items = [(s, c) for s, c in items if c is not None]
    w, av = {False: defaultdict(float), True: defaultdict(float)}, {False: defaultdict(float), True: defaultdict(float)}
    total, t = iterations * len(items), 0
    for _ in range(iterations):
        errors = 0
        for s, c in items:
            sysa, ref, early = search(s, w, beam, c) if len(s) > 1 else ([], [], False)
            if ref is not None and ref != sysa:
                errors += 1
                k = next(i for i in range(len(ref)) if ref[i] != sysa[i])
                diff, loss = defaultdict(int), math.sqrt(len(ref) - k)
                for acts, sign in ((ref, 1), (sysa, -1)):
                    st = start(len(s))
                    for i, a in enumerate(acts):
                        b, e, nt, side = st.stack[-1]
                        if i >= k:
                            for x in features(s, b, a[0], e, nt, side):
                                diff[(a[1], x)] += sign
                                loss -= sign * w[a[1]].get(x, 0.0)
                        st = advance(st, a, 0.0, False)
                norm = sum(v * v for v in diff.values())
                tau = min(1.0, loss / norm)
                co = (total - t) / total
                for (lab, x), v in diff.items():
                    if v:
                        w[lab][x] += tau * v
                        av[lab][x] += tau * v * co
            t += 1
        if not errors:
            break
    return av


def reorder(s, w, beam=20):
    from reorder import order_from_actions
    return order_from_actions(len(s), search(s, w, beam)[0]) if len(s) > 1 else list(range(len(s)))

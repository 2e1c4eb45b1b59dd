"""Draws the random inputs of vectors.

One generator draws all of them, so what a file has depends on those before it.  With `SEED` it draws what is in the
files of these names in `crates/alinea/tests/vectors`.  Positions count from 0, in trees and for `alibi` from 1.
"""

from random import Random

from reorder import interval_ranks
from topdown import features

SEED = 20
# Words of trees whose edit distance is computed.
SMALL = 6
METHODS = ["intersection", "union", "grow", "grow-diag", "grow-diag-final", "grow-diag-final-and"]
WORDS = ["the", "old", "man", "saw", "a", "small", "black", "dog", "in", "the", "park", "today"]


def happens(rnd, probability):
    """An event of a probability."""
    return rnd.random() < probability


def listed(links):
    """Links as a list of lists, in order."""
    return sorted(map(list, links))


def as_text(links):
    """Links as text."""
    return " ".join(f"{i}-{j}" for i, j in sorted(links))


def alignment_scores(rnd):
    """Sets of cells of a small grid; sure links are possible."""
    for _ in range(40):
        n, m = rnd.randint(1, 6), rnd.randint(1, 6)
        cells = [(i, j) for i in range(n) for j in range(m)]
        test = rnd.sample(cells, rnd.randint(0, len(cells)))
        sure = set(rnd.sample(cells, rnd.randint(1, len(cells))))
        possible = sure | set(rnd.sample(cells, rnd.randint(0, len(cells))))
        yield "f", {"test": listed(test), "sure": listed(sure), "possible": listed(possible), "alpha": 0.5}


def symmetrize(rnd):
    """Directions that agree in most of their links, or in few."""
    for _ in range(60):
        n, m = rnd.randint(1, 8), rnd.randint(1, 8)
        reverse = {(i, rnd.randrange(m)) for i in range(n) if happens(rnd, 0.85)}
        forward = {(rnd.randrange(n), j) for j in range(m) if happens(rnd, 0.85)}
        if reverse and forward and happens(rnd, 0.7):
            for i, j in list(reverse):
                if happens(rnd, 0.6):
                    forward = {link for link in forward if link[1] != j} | {(i, j)}
        for method in METHODS:
            yield "symmetrize", {"forward": as_text(forward), "reverse": as_text(reverse), "method": method}


def phrases(rnd):
    """Some links of a small grid, and limits."""
    for _ in range(40):
        n, m = rnd.randint(1, 6), rnd.randint(1, 6)
        links = {(rnd.randrange(n), rnd.randrange(m)) for _ in range(rnd.randint(1, 7))}
        most = rnd.choice([None, None, 2, 3])
        yield "phrase_spans", {"srclen": n, "trglen": m, "pairs": listed(links), "max_len": most}


def bleu(rnd):
    """Texts of one to three short segments, each smoothing in turn."""

    def segment():
        return [rnd.choice("abcde") for _ in range(rnd.randint(1, 9))]

    for number in range(60):
        pairs = [[[segment() for _ in range(rnd.randint(1, 3))], segment()] for _ in range(rnd.choice([1, 1, 2, 3]))]
        yield "corpus_bleu", {"pairs": pairs, "smoothing": number % 8, "variant": "paper"}


def orders(rnd):
    """Links of short sentences, orders of their words, and pairs of orders."""
    for _ in range(60):
        n, m = rnd.randint(1, 9), rnd.randint(1, 9)
        links = set()
        for i in range(n):
            for _ in range(rnd.choice([0, 1, 1, 1, 2, 3])):
                links.add((i, rnd.randrange(m)))
        row = {"n": n, "m": m, "pairs": listed(links)}
        yield "birch_permutation", row
        for key, unaligned in [(key, "drop") for key in ("mean", "median", "min", "max")] + [
            ("mean", "left"),
            ("mean", "right"),
        ]:
            yield "gold_order", {**row, "key": key, "unaligned": unaligned}
        yield "interval_ranks", row
        if ranks := interval_ranks(n, links):
            yield "btg_parsable", ranks[0]
        yield "score_against_alignment", {**row, "order": shuffled(rnd, n)}
    for _ in range(60):
        n = rnd.randint(1, 9)
        p = shuffled(rnd, n)
        q = shuffled(rnd, n) if happens(rnd, 0.6) else list(range(n))
        yield "permutation_scores", {"p": p, "q": q, "note": "places of word 0, 1, ... in the two orders"}
        yield "pef", {"permutation": p, "beta": 0.6}


def shuffled(rnd, n):
    """A random order of n words."""
    order = list(range(n))
    rnd.shuffle(order)
    return order


def rsmt(rnd):
    """Orders, and sentences with a gold order and one that is nearly that, or the source order."""
    for _ in range(20):
        yield "previous_from_order", shuffled(rnd, rnd.randint(0, 8))
    for _ in range(12):
        sentences = []
        for _ in range(rnd.randint(1, 4)):
            n = rnd.randint(1, 10)
            words = [rnd.choice(WORDS) for _ in range(n)]
            gold, candidate = shuffled(rnd, n), list(range(n))
            if happens(rnd, 0.6):
                candidate = list(gold)
                i, j = rnd.randrange(n), rnd.randrange(n)
                candidate[i], candidate[j] = candidate[j], candidate[i]
            sentences.append([words, gold, candidate])
        yield "rsmt_scores", sentences


def searches(rnd):
    """Matrices of gains and of costs, and lists of actions."""
    for n in range(2, 8):
        for _ in range(6):
            gains = [[rnd.randint(-9, 9) for _ in range(n)] for _ in range(n)]
            yield "lop", {"B": gains, "note": "B[l][r] is gained when l stands before r"}
            costs = [[rnd.randint(0, 20) for _ in range(n + 2)] for _ in range(n + 2)]
            yield "atsp", {"C": costs, "note": "rows from, columns to; index n is the start, n+1 the end"}
    for n in range(1, 9):
        for _ in range(3):
            stack, actions = [(0, n)] if n > 1 else [], []
            while stack:
                begin, end = stack.pop()
                pivot = rnd.randrange(begin + 1, end)
                actions.append([pivot, happens(rnd, 0.5)])
                stack += [span for span in ((begin, pivot), (pivot, end)) if span[1] - span[0] > 1]
            yield "topdown_actions", {"n": n, "actions": actions}


def topdown(rnd):
    """Links; sentences of few words, tags and classes with weights of the features of tags and of spans."""
    for _ in range(60):
        n, m = rnd.randint(1, 8), rnd.randint(1, 8)
        links = {(i, rnd.randrange(m)) for i in range(n) for _ in range(rnd.choice([0, 1, 1, 1, 2]))}
        yield "constraint", {"n": n, "pairs": listed(links)}
    for _ in range(12):
        n = rnd.randint(2, 6)
        sentence = [[rnd.choice("abc"), rnd.choice("NV"), rnd.choice("12")] for _ in range(n)]
        weights = {"straight": {}, "inverted": {}}
        for name in feature_names(sentence):
            for table in weights.values():
                if name not in table:
                    table[name] = round(rnd.uniform(-1, 1), 6)
        kept = {
            label: {name: weight for name, weight in table.items() if name[:2] not in ("0:", "2:")}
            for label, table in weights.items()
        }
        for beam in (1, 4, 1000):
            yield "search", {"sentence": sentence, "beam": beam, "weights": kept}


def feature_names(sentence):
    """Features of all splits of all spans; labels and sides of spans as they can be."""
    n = len(sentence)
    for begin in range(n):
        for end in range(begin + 2, n + 1):
            for pivot in range(begin + 1, end):
                for label in "-SI":
                    for side in "--" if label == "-" else "LR":
                        yield from features(sentence, begin, pivot, end, label, side)


def alibi(rnd):
    """Links, and links of two annotators who agree in part."""
    for _ in range(20):
        n, m = rnd.randint(1, 7), rnd.randint(1, 7)
        links = {(rnd.randint(1, n), rnd.randint(1, m)) for _ in range(rnd.randint(0, 7))}
        yield "types", {"n": n, "m": m, "pairs": listed(links)}
    cells = [(i, j) for i in range(1, 5) for j in range(1, 5)]
    for _ in range(15):
        x, y = {}, {}
        for sentence in map(str, range(rnd.randint(1, 4))):
            x[sentence] = listed(rnd.sample(cells, rnd.randint(0, 5)))
            common = rnd.sample(x[sentence], rnd.randint(0, len(x[sentence])))
            y[sentence] = listed({*map(tuple, common), *rnd.sample(cells, rnd.randint(0, 3))})
        yield "agreement", {"x": x, "y": y}
        yield "prf", [[y[sentence], x[sentence]] for sentence in x]


def tree(rnd, n):
    """A random tree: each word but the first of a random order has one of those before it as its head."""
    order = [word + 1 for word in shuffled(rnd, n)]
    heads = {order[0]: 0}
    for k in range(1, n):
        heads[order[k]] = order[rnd.randrange(k)]
    labels = ["nsubj", "obj", "det", "nmod"]
    return [[heads[i], rnd.choice(labels) if heads[i] else "root"] for i in range(1, n + 1)]


def dependency_paths(rnd):
    """Two trees with links that are one to one, many to one, or any; small ones for tree edit distances, too."""
    for _ in range(60):
        n, m = rnd.randint(1, 8), rnd.randint(1, 8)
        trees = {"tree": tree(rnd, n), "tree2": tree(rnd, m)}
        mode = rnd.choice(["one", "one", "many", "relaxed"])
        if mode == "one":
            k = rnd.randint(0, min(n, m))
            links = list(zip(rnd.sample(range(1, n + 1), k), rnd.sample(range(1, m + 1), k), strict=True))
        elif mode == "many":
            links = [(i, rnd.randint(1, m)) for i in range(1, n + 1) if happens(rnd, 0.7)]
        else:
            links = sorted({(rnd.randint(1, n), rnd.randint(1, m)) for _ in range(rnd.randint(1, 8))})
        given = {**trees, "links": list(map(list, links))}
        yield "derp", {**given, "tie": "local"}
        if max(n, m) <= SMALL:
            for unaligned in ("keep", "splice"):
                for head_leaf in (False, True):
                    yield "dted", {**given, "unaligned": unaligned, "head_leaf": head_leaf}


def word_vectors(rnd):
    """Texts whose words have vectors near those of their meanings, and posteriors that are right more often than not."""
    width = 8
    for noise in (0.1, 0.3, 0.6, 3.0):
        meanings = [[rnd.gauss(0, 1) for _ in range(width)] for _ in range(12)]
        shift = [[rnd.gauss(0, 2) for _ in range(width)] for _ in range(2)]
        given = {name: [] for name in ("source", "target", "source_words", "target_words", "posteriors")}
        for _ in range(12):
            own = rnd.sample(range(12), rnd.randint(2, 6))
            other = shuffled(rnd, len(own))
            for side, order, prefix in ((0, range(len(own)), "S"), (1, other, "t")):
                name = ("source", "target")[side]
                words = [own[place] for place in order]
                vectors = [
                    [round(meanings[word][k] + shift[side][k] + rnd.gauss(0, noise), 3) for k in range(width)]
                    for word in words
                ]
                given[name].append(vectors)
                given[f"{name}_words"].append([f"{prefix}{word}" for word in words])
            given["posteriors"].append(
                [
                    [round(rnd.uniform(0.3, 1) if i == j and happens(rnd, 0.8) else rnd.uniform(0, 0.3), 3) for j in other]
                    for i in range(len(own))
                ]
            )
        yield "word_vectors", given


# In the order in which they are drawn, with the file that has the lines, but for some operations.
DRAWINGS = [
    (alignment_scores, "alignment-scores"),
    (symmetrize, "symmetrize"),
    (phrases, "phrases"),
    (bleu, "bleu"),
    (orders, "gold-orders"),
    (rsmt, "rsmt"),
    (searches, "order-search"),
    (topdown, "topdown"),
    (alibi, "alibi"),
    (dependency_paths, "dependency-paths"),
    (word_vectors, "word-vectors"),
]
ELSEWHERE = {"birch_permutation": "orders", "permutation_scores": "orders", "topdown_actions": "topdown"}


def draw(seed):
    """Pairs (operation, input) by the name of the file that has them."""
    rnd = Random(seed)
    drawn = {}
    for drawing, name in DRAWINGS:
        for op, given in drawing(rnd):
            drawn.setdefault(ELSEWHERE.get(op, name), []).append((op, given))
    return drawn

"""What the operations of the vectors are in the reference implementations: `COMPUTE[op](input)` is the expectation."""

from itertools import permutations

import alibi
import alignment_scores
import bleu
import correlations
import dependency_paths
import encoder_mix
import ibm1
import numpy as np
import orders
import phrases
import reorder
import symmetrize
import topdown


def links_of(given, name="pairs"):
    """A set of links."""
    return {tuple(link) for link in given[name]}


def judged(given):
    """Hypothesis, sure and possible links; without possible ones the sure ones are."""
    sure = links_of(given, "sure")
    return links_of(given, "test"), sure, sure if given["possible"] is None else links_of(given, "possible")


def tuples(sentences):
    """Links of sentences by name, as tuples."""
    return {name: list(map(tuple, links)) for name, links in sentences.items()}


def message(function, *arguments):
    """The message of the ValueError that a function raises, or None."""
    try:
        function(*arguments)
    except ValueError as error:
        return str(error)
    return None


def symmetrized(given):
    """Links as text.  NLTK, and the Python package with it, calls `forward` what the library calls `reverse`."""
    names = ("backward", "forward") if "backward" in given else ("forward", "reverse")
    result = symmetrize.symmetrize(*(symmetrize.parse(given[name]) for name in names), given["method"])
    return " ".join(f"{i}-{j}" for i, j in sorted(result))


def smoothed_bleu(pairs, given):
    """BLEU of pairs of references and hypothesis."""
    return bleu.corpus_bleu(pairs, method=given["smoothing"], variant=given["variant"])


def chain_error(previous):
    """What is wrong with previous indices, in one or a few words."""
    told = message(reorder.order_from_previous, previous)
    return next((word for word in ("chain", "range") if word in told), told)


def permutation_scores(given):
    """All scores of one order against another."""
    p, q = given["p"], given["q"]
    names = ("hamming", "kendall", "spearman", "footrule", "ulam", "chunks", "talbot")
    return {**{name: getattr(orders, name)(p, q) for name in names}, "kendall_sqrt": orders.kendall(p, q, root=True)}


def lrscore_distance(given):
    """One side of LRscore, for links given as text."""
    hypothesis, reference = symmetrize.parse(given["hypothesis"]), symmetrize.parse(given["reference"])
    lengths = given["hypothesis_length"], given["reference_length"]
    return orders.lrscore_distance(given["n"], hypothesis, reference, *lengths, given["kind"])


def interval_ranks(given):
    """Ranks and their number, or None."""
    ranks = reorder.interval_ranks(given["n"], links_of(given))
    return ranks and {"ranks": ranks[0], "count": ranks[1]}


def linear_order(given):
    """Scores of the best order, of the source order, of the best one beside it, and of that of a local search."""
    gains = given["B"]
    source_order = list(range(len(gains)))
    return {
        "optimum": reorder.lop_exact(gains)[0],
        "identity": reorder.lop_score(gains, source_order),
        "btg_step_from_identity": reorder.lop_btg_step(gains, source_order)[0],
        "local_search_from_identity": reorder.lop_local_search(gains, source_order)[0],
    }


def cheapest_path(given):
    """The path from start to end over all words."""
    cost, order = reorder.atsp_exact(given["C"])
    return {"cost": cost, "order": order}


def bracketed(n):
    """How many orders of n words some binary bracketing makes."""
    return sum(reorder.btg_parsable(list(ranks)) for ranks in permutations(range(n)))


def features(given):
    """Names of the features of a split of a span."""
    begin, end = given["span"]
    return sorted(topdown.features(given["sentence"], begin, given["pivot"], end, given["label"], given["side"]))


def search(given):
    """The actions that a beam finds, and the order that they make."""
    sentence, weights = given["sentence"], given["weights"]
    actions = topdown.search(sentence, {False: weights["straight"], True: weights["inverted"]}, given["beam"])[0]
    return {"actions": actions, "order": reorder.order_from_actions(len(sentence), actions)}


def propagate(given):
    """All links, those that were added with the number of their rule, and the first of these."""
    found, trace = alibi.propagate(given["source"], given["target"], links_of(given, "anchors"))
    return {"links": found, "trace": trace, "first": trace[0][:2] if trace else None}


def dependency_path_score(given):
    """The score with its parts: of an edge two words, the disparity and the most that it could be."""
    result = dependency_paths.derp(given["tree"], given["tree2"], links_of(given, "links"), given["tie"])
    edges = {
        name: [[edge[part] for part in ("n", "m", "L", "Lmax")] for edge in result[key]]
        for name, key in (("edges", "edges"), ("mst", "tree"))
    }
    return {**{name: result[name] for name in ("L", "Lmax", "order", "coverage", "nodes")}, **edges}


def tree_edit_distance(given):
    """Distance, sizes and score."""
    links = links_of(given, "links")
    return dependency_paths.dted(given["tree"], given["tree2"], links, given["unaligned"], given["head_leaf"])


def correlation(given):
    """Williams' t and pairs of items."""
    human, metric, other = given["human"], given["metric"], given["other"]
    return {
        "williams_t": correlations.williams_t(human, metric, other),
        "pairs": correlations.pairs(human, metric),
    }


def word_vectors(given):
    """Scores of all cells, what they say, log-odds of links, and the dictionary."""
    sides = [encoder_mix.centered([np.array(x) for x in given[side]]) for side in ("source", "target")]
    scores = [encoder_mix.score(x, y) for x, y in zip(*sides, strict=True)]
    posteriors = [np.array(a) for a in given["posteriors"]]
    ratios, _ = encoder_mix.evidence(posteriors, scores, 1000)
    _, divergence = encoder_mix.evidence(posteriors, scores)
    types = [
        encoder_mix.dictionary(sentences, x)
        for sentences, x in zip((given["source_words"], given["target_words"]), sides, strict=True)
    ]
    return {
        "scores": [e.tolist() for e in scores],
        "ratios": ratios.tolist(),
        "divergence": divergence,
        "log_odds": [
            x.tolist()
            for x in encoder_mix.decision(posteriors, scores, ratios, divergence, (0.43, 0.36, -1.02))
        ],
        "entries": [list(entry) for entry in encoder_mix.entries(*types)],
    }


COMPUTE = {
    "precision": lambda given: alignment_scores.precision(links_of(given, "test"), links_of(given, "reference")),
    "aer": lambda given: alignment_scores.error_rate(*judged(given)),
    "aer_error": lambda given: message(alignment_scores.error_rate, *judged(given)),
    "f": lambda given: alignment_scores.f_score(*judged(given), given["alpha"]),
    "phrase_spans": lambda given: phrases.phrase_spans(
        given["srclen"], given["trglen"], links_of(given), given["max_len"]
    ),
    "ibm1_table": lambda given: ibm1.rows(ibm1.train(given["corpus"], given["iterations"])),
    "symmetrize": symmetrized,
    "sentence_bleu": lambda given: smoothed_bleu([(given["references"], given["hypothesis"])], given),
    "corpus_bleu": lambda given: smoothed_bleu(given["pairs"], given),
    "birch_permutation": lambda given: orders.birch_permutation(given["n"], links_of(given)),
    "permutation_scores": permutation_scores,
    "lrscore_distance": lrscore_distance,
    "gold_order": lambda given: reorder.gold(given["n"], links_of(given), given["key"], given["unaligned"]),
    "interval_ranks": interval_ranks,
    "score_against_alignment": lambda given: reorder.score_against_alignment(
        given["n"], links_of(given), given["order"]
    ),
    "pef": lambda given: reorder.pef(given["permutation"], given["beta"]),
    "btg_parsable": reorder.btg_parsable,
    "previous_from_order": reorder.previous_from_order,
    "order_from_previous_error": chain_error,
    "rsmt_scores": reorder.rsmt_scores,
    "baseline": lambda given: list(range(len(given["words"]))),
    "lop": linear_order,
    "atsp": cheapest_path,
    "count_btg_orders": lambda lengths: list(map(bracketed, lengths)),
    "topdown_actions": lambda given: reorder.order_from_actions(given["n"], given["actions"]),
    "constraint": lambda given: topdown.constraint(given["n"], links_of(given)),
    "features": features,
    "search": search,
    "propagate": propagate,
    "cognate": lambda words: alibi.cognate(*words),
    "types": lambda given: alibi.types(given["n"], given["m"], links_of(given)),
    "agreement": lambda given: alibi.agreement(tuples(given["x"]), tuples(given["y"])),
    "prf": lambda given: alibi.prf([[list(map(tuple, side)) for side in instance] for instance in given]),
    "gain": lambda given: alibi.gain(given["base"], given["new"]),
    "derp": dependency_path_score,
    "dted": tree_edit_distance,
    "correlation": correlation,
    "word_vectors": word_vectors,
}

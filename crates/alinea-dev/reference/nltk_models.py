"""Probabilities of alignments by NLTK's Models 3 to 5, whose tables have random values."""

from random import Random

from nltk.translate import AlignedSent, IBMModel3, IBMModel4, IBMModel5
from nltk.translate.ibm_model import AlignmentInfo

# By how many keys each table has its values.
DEPTHS = {
    "translation_table": 2,
    "alignment_table": 4,
    "fertility_table": 2,
    "distortion_table": 4,
    "head_distortion_table": 3,
    "non_head_distortion_table": 2,
    "head_vacancy_table": 3,
    "non_head_vacancy_table": 3,
}


class Table(dict):
    """A table of tables, and in the last ones a random value for the keys that lead there."""

    def __init__(self, depth, keys=()):
        self.depth, self.keys_before = depth, keys

    def __missing__(self, key):
        keys = (*self.keys_before, key)
        self[key] = Table(self.depth - 1, keys) if self.depth > 1 else 0.2 + 0.8 * Random(repr(keys)).random()
        return self[key]


def probabilities(given):
    """p(target, alignment | source) by the number of the model."""
    source = [f"s{i}" for i in range(given["l"])]
    target = [f"t{j}" for j in range(len(given["alignment"]))]
    cepts = [[j for j, i in enumerate(given["alignment"], 1) if i == cept] for cept in range(len(source) + 1)]
    info = AlignmentInfo((0, *given["alignment"]), (None, *source), ("UNUSED", *target), cepts)
    tables = {name: Table(depth) for name, depth in DEPTHS.items()}
    classes = [{word: (i + 1) % 2 for i, word in enumerate(source)}, {word: j % 3 for j, word in enumerate(target)}]
    found = {}
    for number, kind in ((3, IBMModel3), (4, IBMModel4), (5, IBMModel5)):
        # NLTK calls the words that are generated the words of an aligned sentence.
        sentences = [AlignedSent(target, source)]
        more = classes if number > 3 else []  # noqa: PLR2004
        model = kind(sentences, 0, *more, {**tables, "p1": given["p1"]})
        found[str(number)] = model.prob_t_a_given_s(info)
    return found

"""What the metrics of NLTK that compare words make of a segment, and of a text."""

import importlib
from contextlib import suppress

from nltk.translate import gleu_score, meteor_score, nist_score, ribes_score

# `nltk.translate` has a function of this name.
lepor = importlib.import_module("nltk.translate.lepor")


class Synonyms:
    """In the place of WordNet: sets of synonyms."""

    def __init__(self, sets=()):
        self.sets = sets

    def synsets(self, word, *_):
        """The sets with a word."""
        return [Synset(words) for words in self.sets if word in words]


class Synset:
    """A set of synonyms."""

    def __init__(self, words):
        self.words = words

    def lemmas(self):
        """Its words."""
        return [Lemma(word) for word in self.words]


class Lemma:
    """A word."""

    def __init__(self, word):
        self.word = word

    def name(self):
        """The word as text."""
        return self.word


def rho(references, hypothesis):
    """RIBES with Spearman's coefficient in the place of Kendall's."""
    tau = ribes_score.kendall_tau
    ribes_score.kendall_tau = lambda ranks: ribes_score.spearman_rho(ranks) if len(ranks) > 1 else 0
    try:
        return ribes_score.sentence_ribes(references, hypothesis)
    finally:
        ribes_score.kendall_tau = tau


def words_of(given):
    """References and hypothesis as words."""
    return [reference.split() for reference in given["references"]], given["hypothesis"].split()


def segment(given, synonyms):
    """Metrics of words, but those that NLTK cannot divide for; numbers after a name are parameters."""
    words = words_of(given)
    rates = {"alpha": 0.8, "beta": 1.5, "gamma": 0.4}

    def best_lepor(*weights):
        # NLTK puts the words into the list.
        return max(lepor.sentence_lepor([*given["references"]], given["hypothesis"], *weights, tokenizer=str.split))

    metrics = {
        "gleu": lambda: gleu_score.sentence_gleu(*words),
        "gleu_2_3": lambda: gleu_score.sentence_gleu(*words, 2, 3),
        "nist": lambda: nist_score.sentence_nist(*words),
        "nist_2": lambda: nist_score.sentence_nist(*words, 2),
        "ribes": lambda: ribes_score.sentence_ribes(*words),
        "ribes_1_05": lambda: ribes_score.sentence_ribes(*words, 1, 0.5),
        "ribes_rho": lambda: rho(*words),
        "meteor": lambda: meteor_score.meteor_score(*words, wordnet=Synonyms()),
        "meteor_synonyms": lambda: meteor_score.meteor_score(*words, wordnet=Synonyms(synonyms), **rates),
        "lepor": best_lepor,
        "lepor_2_1": lambda: best_lepor(2, 1),
    }
    found = {}
    for name, metric in metrics.items():
        with suppress(ZeroDivisionError):
            found[name] = metric()
    return found


def corpus(segments):
    """Metrics of words of a text."""
    references, hypotheses = zip(*map(words_of, segments), strict=True)
    return {
        "gleu": gleu_score.corpus_gleu(references, hypotheses),
        "nist": nist_score.corpus_nist(references, hypotheses),
        "ribes": ribes_score.corpus_ribes(references, hypotheses),
    }

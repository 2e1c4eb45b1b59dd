"""What NLTK computes for its vectors: `NLTK[op](input)`."""

import importlib

from nltk.metrics import precision, recall
from nltk.translate import (
    AlignedSent,
    Alignment,
    IBMModel1,
    IBMModel2,
    IBMModel3,
    alignment_error_rate,
    bleu_score,
    chrf_score,
    gleu_score,
    meteor_score,
    nist_score,
    ribes_score,
)
from nltk.translate.gdfa import grow_diag_final_and
from nltk.translate.phrase_based import phrase_extraction
from nltk_metrics import Synonyms
from nltk_models import probabilities

# `nltk.translate` has functions of these names.
gale_church = importlib.import_module("nltk.translate.gale_church")
lepor = importlib.import_module("nltk.translate.lepor")


def alignment(pairs):
    """An alignment of NLTK."""
    return Alignment(map(tuple, pairs))


def listed(pairs):
    """Links as a list of lists, in the order of their text."""
    return sorted(map(list, pairs), key=str)


def sentence(given):
    """An aligned sentence of NLTK."""
    return AlignedSent(given["words"], given["mots"], alignment(given["pairs"]))


def sentence_error(given):
    """The message about links outside a sentence; of its words only the numbers are given."""
    words, mots = (["w"] * given[name] for name in ("words", "mots"))
    try:
        AlignedSent(words, mots, alignment(given["pairs"]))
    except IndexError as error:
        return str(error)
    return None


def error_rate(given):
    """The alignment error rate; the hypothesis is the second argument."""
    possible = given["possible"] and alignment(given["possible"])
    return alignment_error_rate(alignment(given["sure"]), alignment(given["test"]), possible)


def smoothing(given):
    """A smoothing method by its number."""
    return getattr(bleu_score.SmoothingFunction(), f"method{given['smoothing']}")


def sentence_bleu(given):
    """BLEU of a segment."""
    more = {name: given[name] for name in ("weights", "auto_reweigh") if name in given}
    return float(
        bleu_score.sentence_bleu(given["references"], given["hypothesis"], smoothing_function=smoothing(given), **more)
    )


def corpus_bleu(given):
    """BLEU of a text, or None where NLTK refuses."""
    references, hypotheses = zip(*given["pairs"], strict=True)
    weights = given.get("weights", [0.25] * 4)
    try:
        return float(bleu_score.corpus_bleu(references, hypotheses, weights, smoothing(given)))
    except AssertionError:
        return None


def modified_precision(given):
    """Numerator and denominator, not in lowest terms."""
    value = bleu_score.modified_precision(given["references"], given["hypothesis"], given["n"])
    return [value.numerator, value.denominator]


def brevity_penalty(given):
    """The closest length and the penalty."""
    length = given["hypothesis_length"]
    closest = bleu_score.closest_ref_length([["a"] * length for length in given["reference_lengths"]], length)
    return {"closest": closest, "penalty": float(bleu_score.brevity_penalty(closest, length))}


def trained(model, given):
    """A model, and the sentences that it has aligned."""
    sentences = [AlignedSent(words, mots) for words, mots in given["corpus"]]
    return model(sentences, given["iterations"]), sentences


def table(model, least):
    """Probabilities that are greater, by word and word of the other side."""

    def compute(given):
        rows = trained(model, given)[0].translation_table
        return [
            [word, mot, rows[word][mot]]
            for word in sorted(rows)
            for mot in sorted(rows[word], key=str)
            if rows[word][mot] > least
        ]

    return compute


def links(model):
    """What a model links, sentence by sentence."""
    return lambda given: [
        sorted(map(list, sentence.alignment), key=lambda link: link[0]) for sentence in trained(model, given)[1]
    ]


def alignment_table(given):
    """Probabilities of positions under Model 2."""
    rows = trained(IBMModel2, given)[0].alignment_table
    return [
        [i, j, length, other, rows[i][j][length][other]]
        for i in sorted(rows)
        for j in sorted(rows[i])
        for length in sorted(rows[i][j])
        for other in sorted(rows[i][j][length])
    ]


def symmetrized(given):
    """Links as text.  NLTK calls `forward` what the library calls `reverse`."""
    names = ("forward", "backward") if "backward" in given else ("reverse", "forward")
    texts = [given[name] for name in names]
    lengths = [max(int(link.split("-")[end]) for text in texts for link in text.split()) + 1 for end in (0, 1)]
    return str(alignment(grow_diag_final_and(*lengths, *texts)))


def phrases(given):
    """Phrase pairs: spans and words."""
    found = phrase_extraction(given["source"], given["target"], alignment(given["pairs"]), given["max_len"] or 0)
    return [[list(source), list(target), *words] for source, target, *words in sorted(found)]


def both(function, values):
    """A rank correlation of RIBES, from -1 to 1 and from 0 to 1."""
    return {"raw": function(values, False), "normalised": function(values)}


def judged(given):
    """Reference and hypothesis."""
    return given["reference"], given["hypothesis"]


def all_references(function):
    """A metric of a segment with several references."""
    return lambda given: function(given["references"], given["hypothesis"])


def of_a_text(function):
    """A metric of a text."""
    return lambda given: function(given["references"], given["hypotheses"])


def sentence_lepor(given):
    """LEPOR of words that are split already."""
    return lepor.sentence_lepor([" ".join(given["reference"])], " ".join(given["hypothesis"]), tokenizer=str.split)[0]


def cost(given):
    """The cost of one bead, all of whose letters are in the first sentence of a side."""
    kind = tuple(given["kind"])
    sides = [[given[name]] + [0] * number for name, number in zip(("source", "target"), kind, strict=True)]
    return gale_church.align_log_prob(*kind, *sides, kind, gale_church.LanguageIndependent)


def smoothed(pairs, weights):
    """BLEU of a text with each smoothing method, or None where NLTK refuses."""
    return [corpus_bleu({"pairs": pairs, "weights": weights, "smoothing": number}) for number in range(8)]


NLTK = {
    "aer": error_rate,
    "precision": lambda given: precision(alignment(given["reference"]), alignment(given["test"])),
    "recall": lambda given: recall(alignment(given["reference"]), alignment(given["test"])),
    "alignment_error": sentence_error,
    "parse": lambda text: listed(Alignment.fromstring(text)),
    "format": lambda pairs: str(alignment(pairs)),
    "repr": lambda pairs: repr(alignment(pairs)),
    "invert": lambda pairs: listed(alignment(pairs).invert()),
    "range": lambda given: alignment(given["pairs"]).range(given["positions"]),
    "aligned_sent_repr": lambda given: repr(sentence(given)),
    "aligned_sent_str": lambda given: str(sentence(given)),
    "aligned_sent_invert_repr": lambda given: repr(sentence(given).invert()),
    "sentence_bleu": sentence_bleu,
    "auto_reweigh": sentence_bleu,
    "sentence_bleu_multi": lambda given: list(
        map(float, bleu_score.sentence_bleu(given["references"], given["hypothesis"], given["weights"]))
    ),
    "corpus_bleu": corpus_bleu,
    "modified_precision": modified_precision,
    "brevity_penalty": brevity_penalty,
    "ibm1_prob": lambda given: trained(IBMModel1, given)[0].translation_table[given["word"]][given["mot"]],
    "ibm1_table": table(IBMModel1, 1e-6),
    "ibm2_table": table(IBMModel2, 1e-3),
    "ibm3_table": table(IBMModel3, 1e-3),
    "prob_t_a_given_s": probabilities,
    "ibm1_align": links(IBMModel1),
    "ibm2_align": links(IBMModel2),
    "ibm3_align": links(IBMModel3),
    "ibm2_alignment_table": alignment_table,
    "phrases": phrases,
    "nltk_gdfa": symmetrized,
    "gale_church": lambda given: gale_church.align_blocks(given["source_lengths"], given["target_lengths"]),
    "cost": cost,
    "align": lambda given: gale_church.align_blocks(given["source"], given["target"]),
    "nltk_differs": lambda given: gale_church.align_blocks(given["source"], given["target"]),
    "chrf": lambda given: chrf_score.sentence_chrf(*judged(given)),
    "corpus_chrf": of_a_text(chrf_score.corpus_chrf),
    "gleu": all_references(gleu_score.sentence_gleu),
    "corpus_gleu": of_a_text(gleu_score.corpus_gleu),
    "nist": all_references(nist_score.sentence_nist),
    "corpus_nist": of_a_text(nist_score.corpus_nist),
    "nist_length_penalty": lambda given: nist_score.nist_length_penalty(*judged(given)),
    "ribes": all_references(ribes_score.sentence_ribes),
    "corpus_ribes": of_a_text(ribes_score.corpus_ribes),
    "ribes_tau": lambda values: both(ribes_score.kendall_tau, values),
    "ribes_rho": lambda values: both(ribes_score.spearman_rho, values),
    "word_rank_alignment": lambda given: ribes_score.word_rank_alignment(*judged(given)),
    "lepor": sentence_lepor,
    "meteor_exact_stem": lambda given: meteor_score.single_meteor_score(*judged(given), wordnet=Synonyms()),
}

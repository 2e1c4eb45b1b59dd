"""What sacreBLEU computes for its vectors: `SACREBLEU[op](input)`."""

import numpy as np
from sacrebleu import BLEU, CHRF, TER
from sacrebleu.metrics.bleu import _get_tokenizer
from sacrebleu.significance import PairedTest
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer


def bleu(given):
    """BLEU of a segment."""
    metric = BLEU(tokenize=given["tokenize"], smooth_method=given["smooth"], effective_order=given["effective_order"])
    return metric.sentence_score(given["hypothesis"], given["references"]).score


def with_options(metric_class):
    """A metric with options: of the text, of its segments, and of their statistics in single precision."""

    def compute(given):
        metric = metric_class(**given["options"])
        hypotheses, references = given["hypotheses"], given["references"]
        total = metric.corpus_score(hypotheses, list(zip(*references, strict=True)))
        scores = [metric.sentence_score(*pair).score for pair in zip(hypotheses, references, strict=True)]
        statistics = metric._extract_corpus_statistics(hypotheses, list(zip(*references, strict=True)))
        single = [float(metric._compute_score_from_stats(np.array(row, "float32")).score) for row in statistics]
        return {
            "name": total.name,
            "signature": str(metric.get_signature()).rpartition("|version:")[0],
            "score": total.score,
            "segments": scores,
            "single_precision": single,
            "statistics": statistics,
        }

    return compute


def segment(metric):
    """A metric of a segment."""
    return lambda given: (
        metric.sentence_score(
            given["hypothesis"], given["references"] if "references" in given else [given["reference"]]
        ).score
    )


def tokenized(line):
    """Tokens by each tokenizer, joined by blanks."""
    return {name: " ".join(_get_tokenizer(name)()(line).split()) for name in ("none", "13a", "intl", "char", "zh")}


def significance(given):
    """Scores of systems with p-values and intervals, by the bootstrap and by approximate randomization."""
    systems = [(str(number), lines) for number, lines in enumerate(given["systems"])]
    found = {}
    for test, samples in (("bs", 300), ("ar", 500)):
        references = {"references": given["references"]}
        metrics = {
            "BLEU": BLEU(**references),
            "chrF2++": CHRF(word_order=2, **references),
            "TER": TER(normalized=True, **references),
        }
        done = PairedTest(systems, metrics, None, test_type=test, n_samples=samples, n_ar_confidence=200)
        for name, results in done()[1].items():
            if name in metrics:
                found.setdefault(name, {})[test] = [
                    {
                        "score": float(result.score),
                        "p_value": result.p_value,
                        "mean": float(result.mean),
                        "half_width": float(result.ci),
                    }
                    for result in results
                ]
    return found


SACREBLEU = {
    "sacrebleu": bleu,
    "chrf_sacrebleu": segment(CHRF()),
    "chrfpp_sacrebleu": segment(CHRF(word_order=2)),
    "chrf": with_options(CHRF),
    "ter": lambda given: (with_options(TER) if "options" in given else segment(TER()))(given),
    "tercom": lambda given: TercomTokenizer(**given["options"])(given["line"]).split(),
    "tokenize": tokenized,
    "significance": significance,
}

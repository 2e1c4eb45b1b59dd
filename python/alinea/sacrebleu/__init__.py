"""The functions, classes and modules of sacreBLEU 2.6, under the same names and with the same scores, made for speed.

Code for sacreBLEU changes its import:

>>> import alinea.sacrebleu as sacrebleu
>>> hypotheses = ["The dog bit the man.", "It wasn't surprising."]
>>> references = [["The dog bit the man.", "It was not unexpected."], ["The dog had bit the man.", "Nobody gasped."]]
>>> sacrebleu.corpus_bleu(hypotheses, references)
BLEU = 70.71 80.0/62.5/66.7/75.0 (BP = 1.000 ratio = 1.111 hyp_len = 10 ref_len = 9)
>>> chrf = sacrebleu.CHRF(word_order=2)
>>> print(chrf.corpus_score(hypotheses, references).format(signature=str(chrf.get_signature())))  # doctest: +ELLIPSIS
chrF2++|nrefs:2|case:mixed|eff:yes|nc:6|nw:2|space:no|version:alinea-... = 60.24

Scores, intervals, p-values and signatures are those of sacreBLEU over numpy 2, but for the version in signatures, which
is that of this library. What differs:

* Streams of different lengths are an error, with the lengths. sacreBLEU scores what is left when the longer ones are
  cut; that is what becomes of references that are given for each segment, where streams are expected.
* Arguments that cannot be right are a ``ValueError`` or a ``TypeError`` that says what is allowed, where sacreBLEU
  asserts or fails elsewhere.
* Test sets are not listed and not downloaded, and models of SentencePiece are where sacreBLEU has put them. Japanese
  and Korean need the packages of the dictionaries, not MeCab.
* In approximate randomization, fractions that ``"add-k"`` adds stay fractions; sacreBLEU cuts them off. Sums of TER's
  fractional lengths (of several references) are added in order; numpy has another, so that p-values of a few segments
  may differ.
* Samples that ``_bootstrap_resample`` returns have names and scores, and no parts.

:mod:`alinea.metrics` has the same metrics, and more smoothing techniques, without the history.
"""

from alinea.sacrebleu import significance
from alinea.sacrebleu.compat import (
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
    raw_corpus_bleu,
    sentence_bleu,
    sentence_chrf,
    sentence_ter,
)
from alinea.sacrebleu.metrics import BLEU, CHRF, TER
from alinea.sacrebleu.metrics.helpers import extract_char_ngrams, extract_word_ngrams
from alinea.sacrebleu.utils import SACREBLEU_DIR, smart_open
from alinea.sacrebleu.version import __version__

__all__ = [
    "BLEU",
    "CHRF",
    "SACREBLEU_DIR",
    "TER",
    "__version__",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "extract_char_ngrams",
    "extract_word_ngrams",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
    "significance",
    "smart_open",
]

"""The modules of ``nltk.translate``, which align words and score translations: the same names, made for speed.

Code written for NLTK 3.10 changes its imports, ``from nltk.translate import ...`` to ``from alinea.nltk import ...``:

>>> from alinea.nltk import AlignedSent, IBMModel1
>>> corpus = [AlignedSent(["the", "house"], ["das", "Haus"]), AlignedSent(["the", "book"], ["das", "Buch"])]
>>> model = IBMModel1(corpus, 5)
>>> corpus[0].alignment
Alignment([(0, 0), (1, 1)])
>>> round(model.translation_table["book"]["Buch"], 2)
0.84

Code for the older ``nltk.align`` of NLTK 3.0 finds it in :mod:`alinea.nltk.align`; files in the format of the Comtrans
corpus are read by :mod:`alinea.nltk.corpus`.

Alignments differ where NLTK departs from the definitions in its own documentation:

* Models 1 and 2 count a word that occurs twice in a sentence twice; NLTK gives each occurrence half a count.
* Probabilities of alignments are not cut off. NLTK treats all below 1e-12, as those of long sentences are, as equal,
  and Models 3 to 5 cannot search among them. Of equally probable alignments the larger tuple is chosen.
* After training, pairs of words that never occurred together have the minimum probability, not the initial one.
* :func:`~alinea.nltk.gdfa.grow_diag_final_and` is that of Koehn et al. (2005), not the union of both directions.
* The maximum phrase length applies to both sides, and no link leads out of a pair of phrases.
* Scores of alignments use positions of links only; a ratio of zero to zero is ``None``.
* Links outside the sentences, words without a class, and lines that are not links are errors.

``StackDecoder``, a decoder for phrase-based translation, is not included.

Scores of translations are those of NLTK even where it departs from the papers, and arguments are never modified. But:

* METEOR finds synonyms only if an object is passed for ``wordnet``: WordNet is not part of this package.
* LEPOR treats each line as one sentence; NLTK looks for several.
* NIST has a value for texts whose sentences all have fewer words than the longest n-grams.
"""

from alinea.nltk.api import AlignedSent, Alignment, PhraseTable
from alinea.nltk.bleu_score import sentence_bleu as bleu
from alinea.nltk.chrf_score import sentence_chrf as chrf
from alinea.nltk.gale_church import trace
from alinea.nltk.gdfa import grow_diag_final_and
from alinea.nltk.gleu_score import sentence_gleu as gleu
from alinea.nltk.ibm1 import IBMModel1
from alinea.nltk.ibm2 import IBMModel2
from alinea.nltk.ibm3 import IBMModel3
from alinea.nltk.ibm4 import IBMModel4
from alinea.nltk.ibm5 import IBMModel5
from alinea.nltk.ibm_model import IBMModel
from alinea.nltk.lepor import corpus_lepor
from alinea.nltk.lepor import sentence_lepor as lepor
from alinea.nltk.meteor_score import meteor_score as meteor
from alinea.nltk.metrics import alignment_error_rate
from alinea.nltk.nist_score import sentence_nist as nist
from alinea.nltk.phrase_based import extract, phrase_extraction
from alinea.nltk.ribes_score import sentence_ribes as ribes

__all__ = [
    "AlignedSent",
    "Alignment",
    "IBMModel",
    "IBMModel1",
    "IBMModel2",
    "IBMModel3",
    "IBMModel4",
    "IBMModel5",
    "PhraseTable",
    "alignment_error_rate",
    "bleu",
    "chrf",
    "corpus_lepor",
    "extract",
    "gleu",
    "grow_diag_final_and",
    "lepor",
    "meteor",
    "nist",
    "phrase_extraction",
    "ribes",
    "trace",
]

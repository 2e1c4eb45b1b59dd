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

Where results differ from those of NLTK, NLTK is wrong:

* Models 1 and 2 count a word that occurs twice in a sentence twice; NLTK gives each occurrence half a count.
* Alignments are as improbable as they are. NLTK takes all below 1e-12 for equal, as those of longer sentences are, and
  Models 3 to 5 cannot search among them. Of equally good alignments the larger tuple is taken, as words prefer later
  mots.
* After training, pairs of words that never occurred together have the least probability, not the one they began with.
* :func:`~alinea.nltk.gdfa.grow_diag_final_and` is what its name says, not the union of both directions.
* A limit on the length of phrases holds on both sides, and no pair of phrases breaks a link.
* Scores look at positions of links only, and a ratio of nothing to nothing is ``None`` everywhere.
* What cannot be meant is an error: links outside of sentences, words without a class, lines that are no links.

``StackDecoder``, a decoder for phrase-based translation, is left out.

Scores of translations are those of NLTK even where it departs from the papers, and no argument is ever changed. But:

* METEOR knows no synonyms unless an object that does is passed for ``wordnet``: WordNet is not part of this package.
* LEPOR takes each line for one sentence; NLTK looks for several.
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

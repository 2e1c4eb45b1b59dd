"""MT evaluation metrics (BLEU, chrF, TER and others) and significance tests.

>>> from alinea.metrics import bleu
>>> hypotheses = ["The dog bit the man.", "It wasn't surprising."]
>>> references = [["The dog bit the man.", "The dog had bit the man."], ["It was not unexpected.", "Nobody gasped."]]
>>> score = bleu(hypotheses, references=references)
>>> round(score.value, 2), score.details
(70.71, '80.0/62.5/66.7/75.0 (BP = 1.000 ratio = 1.111 hyp_len = 10 ref_len = 9)')
>>> score.signature  # doctest: +ELLIPSIS
'nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:alinea-...'

**Text** is detokenized lines: a sequence of ``str``, an open file, a ``pathlib.Path`` of a file,
plain or compressed, or a column of a data frame.

**References** are given in one of two ways, by keyword: ``references`` has for each segment its
reference or a sequence of its references, as many as it has; ``reference_streams`` has streams with a reference for
each segment, such as files.

Scores of BLEU, chrF and TER, intervals and p-values are those of sacreBLEU for the same settings.
:mod:`alinea.sacrebleu` has them under the names of that program. GLEU, NIST, RIBES, METEOR and LEPOR are those of their
papers, from which NLTK sometimes departs; :mod:`alinea.nltk` has NLTK's.
"""

from alinea._warnings import FewSegmentsWarning
from alinea.metrics._compare import Comparison, Comparisons, compare
from alinea.metrics._correlation import (
    Bounds,
    CoefficientName,
    Correlation,
    CorrelationDifference,
    MetricCorrelation,
    PairsName,
    WilliamsTest,
    correlate,
    correlation,
)
from alinea.metrics._functions import bleu, chrf, ter
from alinea.metrics._linked import LrScore, linked_lines
from alinea.metrics._metrics import (
    Bleu,
    Chrf,
    Generator,
    Interval,
    Metric,
    Score,
    ScoreOptions,
    Smoothing,
    Ter,
    Tokenizer,
)
from alinea.metrics._text import Lines, OddTextWarning, References
from alinea.metrics._trees import (
    DependencyPath,
    PathDisparity,
    PathEncoding,
    PathExplanation,
    PathPair,
    TreeEdit,
    TreeMetric,
    TreePath,
    conllu_sentences,
    disparity,
    encoding,
    meta_graph,
)
from alinea.metrics._word_functions import gleu, lepor, meteor, nist, order, ribes
from alinea.metrics._words import Gleu, Lepor, Meteor, Nist, Order, OrderName, Ribes, Synonyms

__all__ = [
    "Bleu",
    "Bounds",
    "Chrf",
    "CoefficientName",
    "Comparison",
    "Comparisons",
    "Correlation",
    "CorrelationDifference",
    "DependencyPath",
    "FewSegmentsWarning",
    "Generator",
    "Gleu",
    "Interval",
    "Lepor",
    "Lines",
    "LrScore",
    "Meteor",
    "Metric",
    "MetricCorrelation",
    "Nist",
    "OddTextWarning",
    "Order",
    "OrderName",
    "PairsName",
    "PathDisparity",
    "PathEncoding",
    "PathExplanation",
    "PathPair",
    "References",
    "Ribes",
    "Score",
    "ScoreOptions",
    "Smoothing",
    "Synonyms",
    "Ter",
    "Tokenizer",
    "TreeEdit",
    "TreeMetric",
    "TreePath",
    "WilliamsTest",
    "bleu",
    "chrf",
    "compare",
    "conllu_sentences",
    "correlate",
    "correlation",
    "disparity",
    "encoding",
    "gleu",
    "lepor",
    "linked_lines",
    "meta_graph",
    "meteor",
    "nist",
    "order",
    "ribes",
    "ter",
]

for _metric in (Bleu, Chrf, DependencyPath, Gleu, Lepor, LrScore, Meteor, Metric, Nist, Order, Ribes, Ter, TreeEdit):
    _metric.__module__ = "alinea.metrics"
for _public in (
    Comparison,
    Comparisons,
    FewSegmentsWarning,
    Interval,
    OddTextWarning,
    Score,
    Tokenizer,
    bleu,
    chrf,
    compare,
    conllu_sentences,
    linked_lines,
    ter,
):
    _public.__module__ = "alinea.metrics"
for _record in (Bounds, Correlation, CorrelationDifference, MetricCorrelation, WilliamsTest):
    _record.__module__ = "alinea.metrics"
for _coefficient in (correlate, correlation):
    _coefficient.__module__ = "alinea.metrics"
for _of_trees in (PathDisparity, PathEncoding, PathExplanation, PathPair, TreeMetric, TreePath):
    _of_trees.__module__ = "alinea.metrics"
for _function in (disparity, encoding, gleu, lepor, meta_graph, meteor, nist, order, ribes):
    _function.__module__ = "alinea.metrics"
del _metric, _public, _function, _record, _coefficient, _of_trees

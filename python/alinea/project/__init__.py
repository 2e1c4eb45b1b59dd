"""Annotation projection: what is known of a sentence, carried over links to its translation.

:func:`labels` carries labels of words, such as names; :func:`text_labels` labels of characters; :func:`markup` inline
tags; :func:`trees` dependency trees; :func:`links` links themselves, along the dependency trees of both sides, by rules
that :func:`learn_rules` learns.

>>> from alinea import project
>>> source, target = ["Anna lives in York"], ["Anna habite à York"]
>>> found = project.labels(source, target, [["B-PER", "O", "O", "B-LOC"]], links=["0-0 1-1 2-2 3-3"])
>>> [(span.start, span.end, span.label) for span in found[0].spans]
[(0, 1, 'PER'), (3, 4, 'LOC')]
"""

from alinea.project._characters import text_labels, words_of
from alinea.project._documents import set_entities
from alinea.project._labels import (
    Labels,
    Loss,
    Method,
    ProjectedLabels,
    ProjectedSpan,
    Scheme,
    Span,
    labels,
    spans_of,
    tags_of,
)
from alinea.project._links import (
    Confidences,
    LearnedRules,
    Trial,
    learn_rules,
    links,
    syntex_names,
    universal_rules,
)
from alinea.project._markup import (
    MarkedTranslation,
    PlacedTag,
    Syntax,
    TagLoss,
    Unplaced,
    WordRule,
    markup,
    markup_words,
)
from alinea.project._trees import (
    Origin,
    ProjectedTree,
    ProjectedWord,
    TreeMethod,
    trees,
)

__all__ = [
    "Confidences",
    "Labels",
    "LearnedRules",
    "Loss",
    "MarkedTranslation",
    "Method",
    "Origin",
    "PlacedTag",
    "ProjectedLabels",
    "ProjectedSpan",
    "ProjectedTree",
    "ProjectedWord",
    "Scheme",
    "Span",
    "Syntax",
    "TagLoss",
    "TreeMethod",
    "Trial",
    "Unplaced",
    "WordRule",
    "labels",
    "learn_rules",
    "links",
    "markup",
    "markup_words",
    "set_entities",
    "spans_of",
    "syntex_names",
    "tags_of",
    "text_labels",
    "trees",
    "universal_rules",
    "words_of",
]

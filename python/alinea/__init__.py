"""Parallel text: word alignment, its symmetrization and its evaluation.

Functions take and return whole texts, with one item for each sentence pair.

>>> import alinea
>>> source = ["the house", "the flower", "a house"]
>>> target = ["la maison", "la fleur", "une maison"]
>>> [links.tolist() for links in alinea.align(source, target)]
[[[0, 0], [1, 1]], [[0, 0], [1, 1]], [[0, 0], [1, 1]]]

**Text** may be any iterable of sentences (a list, an open file, a numpy array); a ``pathlib.Path`` of a file with a
sentence per line, plain or compressed by gzip or zstd; or a column of a data frame, which is read without a copy:
anything with Arrow's C interface, such as series of polars and pandas and arrays of pyarrow. A sentence is a ``str``,
which is cut into words at blanks and tabs (``tokenize="unicode"`` cuts text that is not tokenized), or its words; nulls
are refused. Where ``str.split()`` would also split elsewhere (at no-break spaces, say) there is a warning with the
first of them: pass ``line.split()`` for that.

**Links** of one sentence pair are a numpy array of type ``uint32`` with a row for each link, in order: the position of
the source word and the position of the target word, both from 0. Functions that take links also take any sequence of
pairs of numbers, a line in Pharaoh format such as ``"0-0 1-2"``, an :class:`Alignment`, or an
:class:`AlignedSentence`. Those of a whole text may also be a ``pathlib.Path`` of a file (in Pharaoh format, unless its
name suggests another of :func:`read_links`), or a column of such lines, of lists of pairs, or of lists of structures
with the fields ``source`` and ``target``. They come back as a :class:`LinkColumn`, a sequence that polars, pandas and
pyarrow read as such a column; :meth:`LinkColumn.of` makes one of any of these. :func:`show` draws them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from alinea._align import align, posteriors, scores, symmetrize, train, word_offsets
from alinea._alignment import Alignment
from alinea._annotate import annotate
from alinea._annotators import (
    Agreement,
    CorrespondenceTypes,
    PairAgreement,
    References,
    agreement,
    correspondence_types,
)
from alinea._bible import OriginalWord, Verse, read_usfm, write_usfm
from alinea._bitext import PairFormat, read_bitext, write_bitext
from alinea._columns import LinkColumn, OffsetColumn, PhraseColumn
from alinea._concordance import Concordance, Headword, HeadwordTranslation, Occurrence, TranslationRank, concordance
from alinea._encoder import Encoder
from alinea._errors import ConfigError, Error, ParseError
from alinea._evaluation import Comparison, Difference, Estimate, Evaluation, Intervals, compare, evaluate
from alinea._formats import (
    GizaDirection,
    LinkFile,
    LinkFormat,
    parse_pharaoh,
    read_links,
    read_pharaoh,
    to_pharaoh,
    write_links,
    write_pharaoh,
)
from alinea._judging import Breakdown, Bucket, Gain, Gains, breakdown, gains
from alinea._links import (
    Alignments,
    Annotators,
    GoldAlignment,
    LinkArray,
    Links,
    Posteriors,
    Sentence,
    Sentences,
)
from alinea._model import Directions, Table, TrainedModel
from alinea._native import __version__
from alinea._progress import MakesBars, Progress, ProgressBar
from alinea._sentence import AlignedSentence
from alinea._sentence_alignment import (
    Bead,
    SentenceEvaluation,
    SentenceGroups,
    SentenceScores,
    evaluate_sentences,
    sentence_align,
)
from alinea._show import GoldSet, GoldSets, LinkSet, LinkSets, Picture, PictureFormat, page, show, write_page
from alinea._tables import Classes, PhraseArray, Translation, WordClasses, classes, lexicon, phrases
from alinea._tokens import convert_links
from alinea._training import ChainModel, Entry, Method, Model, Tokenize
from alinea._trees import Trees

if TYPE_CHECKING:
    from alinea import distributed as distributed
    from alinea import metrics as metrics
    from alinea import nltk as nltk
    from alinea import parts as parts
    from alinea import project as project
    from alinea import reorder as reorder
    from alinea import sacrebleu as sacrebleu
else:

    def __getattr__(name: str) -> object:
        """Import a subpackage when it is first used, as in ``alinea.metrics.bleu(...)``."""
        if name not in {"distributed", "metrics", "nltk", "parts", "project", "reorder", "sacrebleu"}:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return import_module(f"{__name__}.{name}")


__all__ = [
    "Agreement",
    "AlignedSentence",
    "Alignment",
    "Alignments",
    "Annotators",
    "Bead",
    "Breakdown",
    "Bucket",
    "ChainModel",
    "Classes",
    "Comparison",
    "Concordance",
    "ConfigError",
    "CorrespondenceTypes",
    "Difference",
    "Directions",
    "Encoder",
    "Entry",
    "Error",
    "Estimate",
    "Evaluation",
    "Gain",
    "Gains",
    "GizaDirection",
    "GoldAlignment",
    "GoldSet",
    "GoldSets",
    "Headword",
    "HeadwordTranslation",
    "Intervals",
    "LinkArray",
    "LinkColumn",
    "LinkFile",
    "LinkFormat",
    "LinkSet",
    "LinkSets",
    "Links",
    "MakesBars",
    "Method",
    "Model",
    "Occurrence",
    "OffsetColumn",
    "OriginalWord",
    "PairAgreement",
    "PairFormat",
    "ParseError",
    "PhraseArray",
    "PhraseColumn",
    "Picture",
    "PictureFormat",
    "Posteriors",
    "Progress",
    "ProgressBar",
    "References",
    "Sentence",
    "SentenceEvaluation",
    "SentenceGroups",
    "SentenceScores",
    "Sentences",
    "Table",
    "Tokenize",
    "TrainedModel",
    "Translation",
    "TranslationRank",
    "Trees",
    "Verse",
    "WordClasses",
    "__version__",
    "agreement",
    "align",
    "annotate",
    "breakdown",
    "classes",
    "compare",
    "concordance",
    "convert_links",
    "correspondence_types",
    "evaluate",
    "evaluate_sentences",
    "gains",
    "lexicon",
    "page",
    "parse_pharaoh",
    "phrases",
    "posteriors",
    "read_bitext",
    "read_links",
    "read_pharaoh",
    "read_usfm",
    "scores",
    "sentence_align",
    "show",
    "symmetrize",
    "to_pharaoh",
    "train",
    "word_offsets",
    "write_bitext",
    "write_links",
    "write_page",
    "write_pharaoh",
    "write_usfm",
]

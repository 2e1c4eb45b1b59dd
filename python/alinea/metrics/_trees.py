"""Metrics that compare dependency trees, of sentences in CoNLL-U."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from alinea import _native
from alinea.metrics._metrics import SEED, Generator, Metric, Score
from alinea.metrics._text import Lines, References


def conllu_sentences(path: str | os.PathLike[str]) -> list[str]:
    r"""The sentences of a CoNLL-U file, a ``str`` of lines each, as the metrics of trees read them.

    >>> import pathlib, tempfile
    >>> from alinea.metrics import conllu_sentences
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "a.conllu")
    ...     _ = path.write_text("# text = go\n1\tgo\t_\t_\t_\t_\t0\troot\t_\t_\n\n# text = stop\n1\tstop\n")
    ...     [sentence.split("\n")[0] for sentence in conllu_sentences(path)]
    ['# text = go', '# text = stop']

    Raises:
        OSError: The file cannot be read.
    """
    sentences: list[str] = []
    lines: list[str] = []
    for line in [*_native.read_lines(path), ""]:
        if line:
            lines.append(line)
        elif lines:
            sentences.append("\n".join(lines))
            lines = []
    return sentences


@dataclass(frozen=True)
class _OfTrees(Metric):
    """Reads files as CoNLL-U."""

    def score(
        self,
        hypotheses: Lines,
        *,
        references: References | None = None,
        reference_streams: Iterable[Lines] | None = None,
        segments: bool = False,
        confidence: int | None = None,
        seed: int = SEED,
        generator: Generator = "numpy",
        threads: int = 0,
    ) -> Score:
        """Scores a system; see :meth:`Metric.score`. A text is sentences in CoNLL-U, or the path of a file of them."""
        if reference_streams is not None and not isinstance(reference_streams, (str, os.PathLike)):
            reference_streams = [_sentences(stream) for stream in reference_streams]
        return super().score(
            _sentences(hypotheses),
            references=references,
            reference_streams=reference_streams,
            segments=segments,
            confidence=confidence,
            seed=seed,
            generator=generator,
            threads=threads,
        )


def _sentences(text: Lines) -> Lines:
    return conllu_sentences(text) if isinstance(text, os.PathLike) else text


def _sets(synonyms: Iterable[Sequence[str]] | None) -> list[list[str]] | None:
    return None if synonyms is None else [list(words) for words in synonyms]


@dataclass(frozen=True)
class DependencyPath(_OfTrees):
    r"""Word order by dependency paths (McCaffery 2017): do words stand in the same relations, on the same side? 0 to 1.

    Segments are sentences in CoNLL-U. A hypothesis may say how it is aligned with its reference, in a comment
    ``# links = 0-0 1-2``, words of the reference first; ``# links 2 =`` for the second reference. Otherwise words are
    matched.

    >>> from alinea.metrics import DependencyPath
    >>> reference = "1\tdogs\tdog\t_\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\t_\t_\t_\t0\troot\t_\t_"
    >>> hypothesis = "1\tbark\tbark\t_\t_\t_\t0\troot\t_\t_\n2\tdogs\tdog\t_\t_\t_\t1\tnsubj\t_\t_"
    >>> DependencyPath().score([hypothesis], references=[reference]).value
    0.5

    Attributes:
        tie_order: Which of several least spanning trees: ``"local"``, ``"generous"`` or ``"index"``.
        nodes: Whose words the graph is over: ``"auto"``, ``"reference"`` or ``"hypothesis"``.
        relaxed: Whether words on both sides may have several counterparts.
        subtypes: Whether ``nmod:of`` and ``nmod`` are two relations.
        coverage_exponent: The exponent of the share of aligned words, by which the score is multiplied, at least 0.
        pooled: Whether a text is scored by the sums over its sentences, in place of the mean of their scores.
        lemmas: Whether words without links match by lemmas, where all words have them; otherwise by stems.
        context: Whether single words match whose neighbors are linked with each other.
        beam: Partial alignments that are kept while words are matched.
        synonyms: Sets of words with one meaning.
    """

    tie_order: Literal["local", "generous", "index"] = "local"
    nodes: Literal["auto", "reference", "hypothesis"] = "auto"
    relaxed: bool = True
    subtypes: bool = True
    coverage_exponent: float = 0
    pooled: bool = False
    lemmas: bool = True
    context: bool = False
    beam: int = 40
    synonyms: Iterable[Sequence[str]] | None = None

    def _metric(self, references: Sequence[Sequence[str]]) -> _native.Metric:  # noqa: ARG002
        return _native.dependency_path_metric(
            tie_order=self.tie_order,
            nodes=self.nodes,
            relaxed=self.relaxed,
            subtypes=self.subtypes,
            coverage_exponent=self.coverage_exponent,
            pooled=self.pooled,
            matching=(self.lemmas, self.context, self.beam, _sets(self.synonyms)),
        )


@dataclass(frozen=True)
class TreeEdit(_OfTrees):
    r"""The edit distance of dependency trees (Zhang and Shasha 1989), as a score from 0 to 1.

    Segments and their alignment are as for :class:`DependencyPath`.

    >>> from alinea.metrics import TreeEdit
    >>> reference = "1\tdogs\tdog\t_\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\t_\t_\t_\t0\troot\t_\t_"
    >>> TreeEdit().score([reference.replace("dog", "cat")], references=[reference]).value
    0.75

    Attributes:
        splice: Whether words that are not linked are left out; those below them move up.
        head_leaf: Whether heads stand among their dependents once more.
        relations: Whether linked words must have the same relation.
        subtypes: Whether ``nmod:of`` and ``nmod`` are two relations.
        pooled: Whether a text is scored by the sums over its sentences, in place of the mean of their scores.
        lemmas: Whether words without links match by lemmas, where all words have them; otherwise by stems.
        context: Whether single words match whose neighbors are linked with each other.
        beam: Partial alignments that are kept while words are matched.
        synonyms: Sets of words with one meaning.
    """

    splice: bool = False
    head_leaf: bool = False
    relations: bool = False
    subtypes: bool = True
    pooled: bool = False
    lemmas: bool = True
    context: bool = False
    beam: int = 40
    synonyms: Iterable[Sequence[str]] | None = None

    def _metric(self, references: Sequence[Sequence[str]]) -> _native.Metric:  # noqa: ARG002
        return _native.tree_edit_metric(
            splice=self.splice,
            head_leaf=self.head_leaf,
            relations=self.relations,
            subtypes=self.subtypes,
            pooled=self.pooled,
            matching=(self.lemmas, self.context, self.beam, _sets(self.synonyms)),
        )

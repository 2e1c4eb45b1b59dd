"""Metrics that compare dependency trees of sentences in CoNLL-U.

:class:`DependencyPath` is the metric of McCaffery (2017, chapter 5), with its parts :func:`encoding`, :func:`disparity`
and :func:`meta_graph`; :class:`TreeEdit` is the tree edit distance (Zhang and Shasha 1989) as a score. Both are
computed by the native module (crate ``alinea-metric``, modules ``metric::dependency_path`` and ``metric::tree_edit``),
which also matches words without links.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from alinea import _native
from alinea.metrics._metrics import Metric, Score, ScoreOptions, with_score_options
from alinea.metrics._text import Lines

if TYPE_CHECKING:
    from typing_extensions import Unpack


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
class TreeMetric(Metric):
    """The base class of metrics over trees: files are read as CoNLL-U, and words without links are matched.

    >>> from alinea.metrics import DependencyPath, TreeMetric
    >>> metric = DependencyPath(lemmas=False)
    >>> isinstance(metric, TreeMetric), metric.beam
    (True, 40)

    Attributes:
        subtypes: Whether ``nmod:of`` and ``nmod`` are two relations.
        pooled: Whether a text is scored by the sums over its sentences, instead of the mean of their scores.
        lemmas: Whether words without links match by lemmas, where all words have them; otherwise by stems.
        context: Whether single words match whose neighbors are linked with each other.
        beam: Partial alignments that are kept while words are matched.
        synonyms: Sets of words with one meaning.
    """

    subtypes: bool = field(default=True, kw_only=True)
    pooled: bool = field(default=False, kw_only=True)
    lemmas: bool = field(default=True, kw_only=True)
    context: bool = field(default=False, kw_only=True)
    beam: int = field(default=40, kw_only=True)
    synonyms: Iterable[Sequence[str]] | None = field(default=None, kw_only=True)

    def _matching(self) -> dict[str, object]:
        sets = None if self.synonyms is None else [list(words) for words in self.synonyms]
        return {"lemmas": self.lemmas, "context": self.context, "beam": self.beam, "synonyms": sets}

    @with_score_options
    def score(self, hypotheses: Lines, **options: Unpack[ScoreOptions]) -> Score:
        r"""Scores a system; see :meth:`Metric.score`. A text is sentences in CoNLL-U, or the path of a file of them.

        >>> from alinea.metrics import TreeEdit
        >>> hypothesis, reference = (f"1\t{word}\t_\t_\t_\t_\t0\troot\t_\t_" for word in ("go", "going"))
        >>> TreeEdit().score([hypothesis], references=[reference]).value
        1.0
        """
        streams = options.get("reference_streams")
        if streams is not None and not isinstance(streams, (str, os.PathLike)):
            options["reference_streams"] = [_sentences(stream) for stream in streams]
        return super().score(_sentences(hypotheses), **options)


def _sentences(text: Lines) -> Lines:
    return conllu_sentences(text) if isinstance(text, os.PathLike) else text


class TreePath(NamedTuple):
    """A path between two words of a tree; see :class:`PathPair`.

    >>> from alinea.metrics import TreePath
    >>> TreePath((0, 1), ("dogs", "bark"), "nsubj, α, –").path
    'nsubj, α, –'

    Attributes:
        words: The positions of the words, from 0.
        forms: The words as they are written.
        path: The relations on the way up, α if the first word stands left of the last and β otherwise, and the
            relations on the way down.
    """

    words: tuple[int, int]
    forms: tuple[str, str]
    path: str


class PathPair(NamedTuple):
    """A path of the reference and that between the counterparts of its ends; see :meth:`DependencyPath.explain`.

    >>> from alinea.metrics import PathPair
    >>> PathPair(0, 0, None, None).cost
    0

    Attributes:
        cost: How different the paths are.
        most: How different they could be.
        reference: The path in the reference; ``None`` if two words of the hypothesis share a counterpart.
        hypothesis: The path in the hypothesis; ``None`` if two words of the reference share a counterpart.
        in_tree: Whether it is an edge of the minimum spanning tree, which the score is computed from.
    """

    cost: int
    most: int
    reference: TreePath | None
    hypothesis: TreePath | None
    in_tree: bool = True


class PathEncoding(NamedTuple):
    """A path between two words; see :func:`encoding`.

    >>> from alinea.metrics import PathEncoding
    >>> PathEncoding(("DET", "NSUBJ"), "α", ()).ascending
    ('DET', 'NSUBJ')

    Attributes:
        ascending: χ, the relations on the way up.
        direction: ψ, ``"α"`` if the first word stands left of the last, otherwise ``"β"``.
        descending: ω, the relations on the way down.
    """

    ascending: tuple[str, ...]
    direction: str
    descending: tuple[str, ...]


class PathDisparity(NamedTuple):
    """The disparity of two paths; see :func:`disparity`.

    >>> from alinea.metrics import PathDisparity
    >>> PathDisparity(cost=2, most=3).most
    3

    Attributes:
        cost: L, the edit distances of the ways up and of the ways down, and 1 for another direction.
        most: Lmax, the most that it could be for paths of these lengths.
    """

    cost: int
    most: int


def encoding(sentence: str, first: int, last: int) -> PathEncoding:
    r"""The encoding of the path from one word of a sentence to another (McCaffery 2017, section 5.3.1).

    >>> from alinea.metrics import encoding
    >>> sentence = "1\tdogs\t_\t_\t_\t_\t2\tnsubj\t_\t_\n2\tbark\t_\t_\t_\t_\t0\troot\t_\t_"
    >>> encoding(sentence, 1, 0)
    PathEncoding(ascending=(), direction='β', descending=('nsubj',))

    Args:
        sentence: A sentence in CoNLL-U.
        first: The word where the path begins, from 0.
        last: The word where it ends.

    Raises:
        ParseError: The sentence is not CoNLL-U.
        Error: It has no tree, a word has no relation, or there is no such word.
    """
    ascending, rightward, descending = _native.path_encoding(sentence, first, last)
    return PathEncoding(tuple(ascending), "α" if rightward else "β", tuple(descending))


def disparity(one: PathEncoding, other: PathEncoding) -> PathDisparity:
    """The disparity of two paths, L and Lmax (McCaffery 2017, section 5.3.2).

    >>> from alinea.metrics import PathEncoding, disparity
    >>> up_twice = PathEncoding(("XCOMP", "XCOMP"), "α", ())
    >>> disparity(up_twice, PathEncoding((), "β", ("XCOMP", "XCOMP")))
    PathDisparity(cost=5, most=5)

    Raises:
        ValueError: A direction is neither α nor β.
    """
    for path in (one, other):
        if path.direction not in ("α", "β"):
            raise ValueError(f"direction = {path.direction!r}: must be 'α' or 'β'")
    sides = [(list(path.ascending), path.direction == "α", list(path.descending)) for path in (one, other)]
    return PathDisparity(*_native.path_disparity(sides[0], sides[1]))


def meta_graph(hypothesis: str, reference: str) -> list[PathPair]:
    r"""The meta-graph of two sentences: all pairs of aligned words, with their weights (McCaffery 2017, section 5.4.1).

    The settings are those of ``DependencyPath()``; :meth:`DependencyPath.meta_graph` has others.

    >>> from alinea.metrics import meta_graph
    >>> reference = "1\tdogs\tdog\t_\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\t_\t_\t_\t0\troot\t_\t_"
    >>> [(edge.cost, edge.most, edge.in_tree) for edge in meta_graph(reference, reference)]
    [(0, 2, True)]
    """
    return DependencyPath().meta_graph(hypothesis, reference).edges


@dataclass(frozen=True)
class PathExplanation:
    """The explanation of a score; see :meth:`DependencyPath.explain`.

    >>> from alinea.metrics import PathExplanation
    >>> PathExplanation(0, 0.5, 0.5, 1.0, 1, 2, [(0, 0)], []).order
    0.5

    Attributes:
        reference: The number of the reference that gives the best score, from 0.
        score: The score by it.
        order: ``1 - cost / most``.
        coverage: The harmonic mean of the aligned shares of both sentences.
        cost: The sum of the costs of the edges.
        most: The most that it could be.
        links: Which words are aligned, those of the reference first.
        edges: The edges of the spanning tree, the most costly first; or all of the graph.
    """

    reference: int
    score: float
    order: float
    coverage: float
    cost: int
    most: int
    links: list[tuple[int, int]]
    edges: list[PathPair]


@dataclass(frozen=True)
class DependencyPath(TreeMetric):
    r"""Word order by dependency paths (McCaffery 2017): do words stand in the same relations, on the same side? 0 to 1.

    Segments are sentences in CoNLL-U. A hypothesis may say how it is aligned with its reference, in a comment
    ``# links = 0-0 1-2``, words of the reference first; ``# links 2 =`` for the second reference. Otherwise words are
    matched.

    >>> from alinea.metrics import DependencyPath
    >>> reference = "1\tdogs\tdog\t_\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\t_\t_\t_\t0\troot\t_\t_"
    >>> hypothesis = "1\tbark\tbark\t_\t_\t_\t0\troot\t_\t_\n2\tdogs\tdog\t_\t_\t_\t1\tnsubj\t_\t_"
    >>> DependencyPath().score([hypothesis], references=[reference]).value
    0.5

    Settings shared with other metrics over trees are those of :class:`TreeMetric`.

    Attributes:
        tie_order: Which of several minimum spanning trees: ``"local"``, ``"generous"`` or ``"index"``.
        nodes: Whose words the graph is over: ``"auto"``, ``"reference"`` or ``"hypothesis"``.
        relaxed: Whether words on both sides may have several counterparts.
        coverage_exponent: The exponent of the share of aligned words, by which the score is multiplied, at least 0.
    """

    tie_order: Literal["local", "generous", "index"] = "local"
    nodes: Literal["auto", "reference", "hypothesis"] = "auto"
    relaxed: bool = True
    coverage_exponent: float = 0

    def _metric(self, references: Sequence[Sequence[str]]) -> _native.Metric:  # noqa: ARG002
        return _native.dependency_path_metric(self._settings(), self._matching())

    def _settings(self) -> dict[str, object]:
        return {
            "tie_order": self.tie_order,
            "nodes": self.nodes,
            "relaxed": self.relaxed,
            "subtypes": self.subtypes,
            "coverage_exponent": self.coverage_exponent,
            "pooled": self.pooled,
        }

    def explain(self, hypothesis: str, references: str | Sequence[str]) -> PathExplanation:
        r"""Explains the score of a sentence by the edges of the spanning tree.

        >>> from alinea.metrics import DependencyPath
        >>> reference = "1\tdogs\tdog\t_\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\t_\t_\t_\t0\troot\t_\t_"
        >>> hypothesis = "1\tbark\tbark\t_\t_\t_\t0\troot\t_\t_\n2\tdogs\tdog\t_\t_\t_\t1\tnsubj\t_\t_"
        >>> found = DependencyPath().explain(hypothesis, reference)
        >>> found.order, found.cost, found.most, found.links
        (0.5, 1, 2, [(0, 1), (1, 0)])
        >>> for edge in found.edges:
        ...     print(edge.cost, edge.reference.forms, edge.reference.path, edge.hypothesis.path)
        1 ('dogs', 'bark') nsubj, α, – nsubj, β, –

        Args:
            hypothesis: A sentence in CoNLL-U.
            references: Its reference, or several, each a sentence in CoNLL-U.

        Raises:
            ParseError: A sentence is not CoNLL-U.
            Error: A sentence has no tree, a word has no relation, links are outside the sentences, or there is no
                reference.
            ConfigError: An option has a value that is not allowed.
        """
        return self._explain(hypothesis, references, graph=False)

    def meta_graph(self, hypothesis: str, references: str | Sequence[str]) -> PathExplanation:
        r"""The same with all edges of the meta-graph, by the words of its nodes, at most 1000.

        >>> from alinea.metrics import DependencyPath
        >>> reference = "1\tdogs\tdog\t_\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\t_\t_\t_\t0\troot\t_\t_"
        >>> len(DependencyPath().meta_graph(reference, reference).edges)
        1
        """
        return self._explain(hypothesis, references, graph=True)

    def _explain(self, hypothesis: str, references: str | Sequence[str], *, graph: bool) -> PathExplanation:
        texts = [references] if isinstance(references, str) else list(references)
        found = _native.explain_dependency_paths(self._settings(), self._matching(), hypothesis, texts, graph)
        reference, (score, order, coverage), (cost, most), links, edges = found
        pairs = [
            PathPair(of, up_to, one and TreePath(*one), other and TreePath(*other), in_tree)
            for of, up_to, in_tree, one, other in edges
        ]
        return PathExplanation(reference, score, order, coverage, cost, most, links, pairs)


@dataclass(frozen=True)
class TreeEdit(TreeMetric):
    r"""The edit distance of dependency trees (Zhang and Shasha 1989), as a score from 0 to 1.

    Segments and their alignment are as for :class:`DependencyPath`, with the settings of :class:`TreeMetric`.

    >>> from alinea.metrics import TreeEdit
    >>> reference = "1\tdogs\tdog\t_\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\t_\t_\t_\t0\troot\t_\t_"
    >>> TreeEdit().score([reference.replace("dog", "cat")], references=[reference]).value
    0.75

    Attributes:
        splice: Whether words that are not linked are left out; those below them move up.
        head_leaf: Whether heads stand among their dependents once more.
        relations: Whether linked words must have the same relation.
    """

    splice: bool = False
    head_leaf: bool = False
    relations: bool = False

    def _metric(self, references: Sequence[Sequence[str]]) -> _native.Metric:  # noqa: ARG002
        return _native.tree_edit_metric(
            splice=self.splice,
            head_leaf=self.head_leaf,
            relations=self.relations,
            subtypes=self.subtypes,
            pooled=self.pooled,
            matching=self._matching(),
        )

"""Projection of links over dependency trees, and its rules.

:func:`links` propagates links along edges of both trees, by rules written by hand (Debili and Zribi 1996; Ozdowska
2006) or learned by :func:`learn_rules`, which fits a logistic regression over rules and clues. Trees are CoNLL-U. The
native module reads trees and rules and does the work (crate ``alinea-order``, module ``project``);
``docs/projection.md`` has the grammar of rules.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from alinea import _native
from alinea._columns import LinkColumn
from alinea._links import Alignments, arrays
from alinea._trees import Trees, trees_of

Confidences: TypeAlias = os.PathLike[str] | Iterable[str] | Iterable[Iterable[tuple[int, int, float]]]
"""Confidences in links: a file of lines ``0-0:0.97``, such lines, or ``(source, target, confidence)`` of each pair."""


@dataclass(frozen=True)
class Trial:
    """Settings that :func:`learn_rules` tried, and the score of rules learned with them.

    >>> import alinea
    >>> alinea.project.Trial(half_annotated=1.0, threshold=0.25, f=0.93, standard_error=0.004).threshold
    0.25

    Attributes:
        half_annotated: The weight of word pairs of which only one word has a gold link.
        threshold: The minimum probability of a link.
        f: F, from 0 to 1, on held-out sentences.
        standard_error: Its standard error.
    """

    half_annotated: float
    threshold: float
    f: float
    standard_error: float


@dataclass(frozen=True)
class LearnedRules:
    r"""Rules with weights; see :func:`learn_rules`.

    >>> import alinea
    >>> alinea.project.LearnedRules("bias -1.000\n", None, ()).text
    'bias -1.000\n'

    Attributes:
        text: The rules, one per line, as in a file.
        chosen: The settings that were chosen; ``None`` if all were given, or there were fewer than five sentence pairs.
        trials: All that were tried.
    """

    text: str
    chosen: Trial | None
    trials: tuple[Trial, ...]


def universal_rules() -> str:
    """The text of the rules for Universal Dependencies, to be edited and given to :func:`links`.

    >>> import alinea
    >>> "VERB -obj-> N / VERB -obj-> N" in alinea.project.universal_rules()
    True
    """
    return _native.universal_rules()


def syntex_names() -> str:
    """The tags and relations of the parser SYNTEX in Universal Dependencies, as ``names`` of :func:`links`.

    >>> import alinea
    >>> "let -subj- = nsubj|csubj" in alinea.project.syntex_names()
    True
    """
    return _native.syntex_names()


def links(
    source_trees: Trees,
    target_trees: Trees,
    links: Alignments,
    *,
    rules: str | os.PathLike[str] | None = None,
    names: str | os.PathLike[str] | None = None,
    confidences: Confidences | None = None,
    threshold: float | None = None,
    least_precision: float | None = None,
    content_words: bool = False,
    max_rounds: int | None = None,
    several_roots: bool = False,
    threads: int = 0,
) -> LinkColumn:
    r"""Adds links by propagation over the dependency trees of both sides.

    If two verbs are linked, their subjects mostly are too (Debili and Zribi 1996; Ozdowska 2006).

    >>> import alinea
    >>> rows = ["1\twe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_", "2\tread\t_\tVERB\t_\t_\t0\troot\t_\t_"]
    >>> english = "\n".join([*rows, "3\tbooks\t_\tNOUN\t_\t_\t2\tobj\t_\t_"])
    >>> rows = ["1\tleemos\t_\tVERB\t_\t_\t0\troot\t_\t_", "2\tlibros\t_\tNOUN\t_\t_\t1\tobj\t_\t_"]
    >>> spanish = "\n".join(rows)
    >>> alinea.project.links([english], [spanish], ["1-0"])[0].tolist()
    [[1, 0], [2, 1]]

    Rules may be written as in the literature, with the names of another parser:

    >>> names = alinea.project.syntex_names()
    >>> alinea.project.links([english], [spanish], ["1-0"], rules="V-OBJ-N / V-OBJ-N", names=names)[0].tolist()
    [[1, 0], [2, 1]]

    Args:
        source_trees: The trees of the source sentences.
        target_trees: Those of their translations, one for each.
        links: The links to start from, between words of the trees, for each sentence pair; they stay.
        rules: The text of rules, or a file of them; without it those of :func:`universal_rules`. The documentation of
            the command, ``docs/projection.md``, has their grammar. Each rule without weight that never matches
            is reported by a :class:`UserWarning`.
        names: Definitions of names of tags and relations in ``rules``: the text of ``let`` lines, such as
            :func:`syntex_names`, or a file of them.
        confidences: The confidences of an aligner in links, for rules with weights.
        threshold: The minimum probability of a link, from 0 to 1, for rules with weights; without it that of the rules,
            or 0.4.
        least_precision: For rules without weights: those whose precision, where it is written, is lower are left out.
        content_words: Whether determiners, prepositions, auxiliaries, copulas, conjunctions and other markers get no
            links.
        max_rounds: The maximum number of rounds; ``None`` for as many as add links.
        several_roots: Whether a tree may have more than one root.
        threads: The number of threads, 0 for one on each core. Results do not depend on it.

    Returns:
        The links of each pair.

    Raises:
        Error: There are more or fewer sentences on one side, or links; a link is not between the words; a sentence has
            no tree; or an option does not apply to the rules.
        ParseError: A tree, a rule or a link is malformed.
        ConfigError: An option has a value that is not allowed.
        OSError: A file cannot be read.
    """
    found, idle = _native.project(
        trees_of(source_trees, "source_trees"),
        trees_of(target_trees, "target_trees"),
        arrays(links, "links"),
        rules=rules,
        names=names,
        confidences=_confidences(confidences),
        threshold=threshold,
        least_precision=least_precision,
        content_words=content_words,
        max_rounds=max_rounds,
        several_roots=several_roots,
        threads=threads,
    )
    for rule in idle:
        warnings.warn(rule, stacklevel=2)
    return LinkColumn(*found)


def learn_rules(
    source_trees: Trees,
    target_trees: Trees,
    links: Alignments,
    gold: Alignments,
    *,
    confidences: Confidences | None = None,
    annotated_only: bool = False,
    half_annotated: float | None = None,
    threshold: float | None = None,
    penalty: float = 3.0,
    least_proposed: int = 3,
    content_words: bool = False,
    several_roots: bool = False,
    threads: int = 0,
) -> LearnedRules:
    r"""Learns rules with weights for :func:`links` from manually aligned sentences.

    Settings that are not given are chosen by cross-validation in five folds: of all within one standard error of the
    highest F the largest ``half_annotated``, and with it the lowest ``threshold``.

    >>> import alinea
    >>> rows = ["1\twe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_", "2\tread\t_\tVERB\t_\t_\t0\troot\t_\t_"]
    >>> english = "\n".join([*rows, "3\tbooks\t_\tNOUN\t_\t_\t2\tobj\t_\t_"])
    >>> rows = ["1\tleemos\t_\tVERB\t_\t_\t0\troot\t_\t_", "2\tlibros\t_\tNOUN\t_\t_\t1\tobj\t_\t_"]
    >>> spanish = "\n".join(rows)
    >>> text = [english] * 10, [spanish] * 10
    >>> learned = alinea.project.learn_rules(*text, ["1-0"] * 10, ["1-0 2-1"] * 10, penalty=0.3)
    >>> alinea.project.links([english], [spanish], ["1-0"], rules=learned.text)[0].tolist()
    [[1, 0], [2, 1]]
    >>> len(learned.trials), learned.chosen.f
    (13, 1.0)

    Args:
        source_trees: The trees of the source sentences.
        target_trees: Those of their translations, one for each.
        links: The links to start from, of the same kind as when the rules are applied.
        gold: The gold standard.
        confidences: Of an aligner in links, of the same kind as when the rules are applied.
        annotated_only: For gold standards that leave out words: pairs of words without any gold link are ignored.
        half_annotated: With ``annotated_only``, the weight of a pair of words of which one has a gold link, from 0 to
            1; without it 0, 0.25, 0.5 and 1 are tried.
        threshold: The minimum probability of a link, from 0 to 1; without it 0.1 to 0.7 are tried.
        penalty: The penalty on the squares of weights, above 0.
        least_proposed: How many candidates a rule must fit.
        content_words: Whether nothing is learned of determiners, prepositions, auxiliaries, copulas, conjunctions and
            other markers.
        several_roots: Whether a tree may have more than one root.
        threads: The number of threads, 0 for one on each core. Results do not depend on it.

    Raises:
        Error: There are more or fewer sentences on one side, or links; a link is not between the words; or a sentence
            has no tree.
        ParseError: A tree or a link is malformed.
        ConfigError: An option has a value that is not allowed.
        OSError: A file cannot be read.
    """
    text, chosen, trials = _native.learn_rules(
        trees_of(source_trees, "source_trees"),
        trees_of(target_trees, "target_trees"),
        arrays(links, "links"),
        arrays(gold, "gold"),
        confidences=_confidences(confidences),
        annotated_only=annotated_only,
        half_annotated=half_annotated,
        threshold=threshold,
        penalty=penalty,
        least_proposed=least_proposed,
        content_words=content_words,
        several_roots=several_roots,
        threads=threads,
    )
    return LearnedRules(text, None if chosen is None else Trial(*chosen), tuple(Trial(*trial) for trial in trials))


def _confidences(
    confidences: Confidences | None,
) -> list[str] | list[list[tuple[int, int, float]]] | None:
    """The lines, or the triples of each pair."""
    if confidences is None:
        return None
    if isinstance(confidences, str):
        raise TypeError("confidences: expected a sequence of lines, not a str (pass a file as a pathlib.Path)")
    if isinstance(confidences, os.PathLike):
        return _native.read_lines(confidences)
    lines: list[str] = []
    triples: list[list[tuple[int, int, float]]] = []
    for pair in confidences:
        if isinstance(pair, str):
            lines.append(pair)
        else:
            triples.append([(source, target, weight) for source, target, weight in pair])
    if lines and triples:
        raise TypeError("confidences: either lines or triples, not both")
    return lines or triples


for _public in (LearnedRules, Trial, learn_rules, links, syntex_names, universal_rules):
    _public.__module__ = "alinea.project"

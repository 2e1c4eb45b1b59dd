"""Metrics of trees. Expected numbers are those of the worked example of McCaffery (2017)."""

from __future__ import annotations

from pathlib import Path

import pytest

import alinea
from alinea.metrics import (
    DependencyPath,
    TreeEdit,
    TreePath,
    compare,
    conllu_sentences,
    disparity,
    encoding,
    meta_graph,
)


def sentence(words: list[tuple[str, int, str]]) -> str:
    rows = (f"{n}\t{form}\t_\t_\t_\t_\t{head}\t{label}\t_\t_" for n, (form, head, label) in enumerate(words, 1))
    return "\n".join(rows)


HYPOTHESIS = sentence(
    [("a", 2, "DET"), ("Sherlock", 3, "NSUBJ"), ("becomes", 0, "ROOT"), ("the", 5, "DET"), ("detective", 3, "DOBJ")]
)


def reference(a_depends_on: int) -> str:
    return sentence(
        [
            ("the", 2, "DET"),
            ("detective", 4, "NSUBJ"),
            ("is", 4, "AUX"),
            ("becoming", 0, "ROOT"),
            ("a", a_depends_on, "DET"),
            ("Sherlock", 7, "CMP"),
            ("Holmes", 4, "DOBJ"),
        ]
    )


def test_the_example_is_scored_as_by_hand() -> None:
    for head, tie_order, expected in [(7, "local", 5 / 10), (6, "local", 4 / 9), (6, "generous", 6 / 11)]:
        metric = DependencyPath(tie_order=tie_order)  # type: ignore[arg-type]
        score = metric.score([HYPOTHESIS], references=[reference(head)])
        assert score.value == pytest.approx(expected)
    both = DependencyPath().score([HYPOTHESIS], references=[[reference(6), reference(7)]], segments=True)
    assert both.segments is not None
    assert both.segments.tolist() == [0.5]
    assert both.details == "order = 0.5000 coverage = 0.8333 cost = 5 of 10"
    assert TreeEdit().score([HYPOTHESIS], references=[reference(7)]).value == 0.5
    assert TreeEdit(splice=True).score([HYPOTHESIS], references=[reference(7)]).value == pytest.approx(0.6)


def test_files_are_read_as_sentences(tmp_path: Path) -> None:
    trees, translations = tmp_path / "reference.conllu", tmp_path / "system.conllu"
    trees.write_text(reference(7) + "\n\n" + reference(6) + "\n\n", encoding="utf-8")
    translations.write_text(HYPOTHESIS + "\n\n\n# text = again\n" + HYPOTHESIS + "\n", encoding="utf-8")
    assert conllu_sentences(trees) == [reference(7), reference(6)]
    score = DependencyPath().score(translations, reference_streams=[trees])
    assert score.value == pytest.approx((5 / 10 + 4 / 9) / 2)
    pooled = DependencyPath(pooled=True).score(translations, reference_streams=[trees])
    assert pooled.value == pytest.approx(1 - 10 / 19)


def test_links_and_synonyms_decide_what_is_compared() -> None:
    linked = "# links = 0-3 1-4\n" + HYPOTHESIS
    assert DependencyPath().score([linked], references=[reference(7)]).value == 1
    other = HYPOTHESIS.replace("detective", "sleuth")
    covered = DependencyPath(coverage_exponent=1)
    with_table = DependencyPath(coverage_exponent=1, synonyms=[("sleuth", "detective")])
    expected = covered.score([HYPOTHESIS], references=[reference(7)]).value
    assert covered.score([other], references=[reference(7)]).value != expected
    assert with_table.score([other], references=[reference(7)]).value == expected


def test_systems_are_compared() -> None:
    references = [reference(7)] * 300
    systems = {"a": [HYPOTHESIS] * 300, "b": ["# parsed by hand\n" + trees for trees in references]}
    found = compare(systems, references=references, metrics=[DependencyPath()], samples=50)
    assert [(result.metric, result.value) for result in found] == [("DPath", 0.5), ("DPath", 1.0)]


def test_what_cannot_be_compared_is_refused() -> None:
    for wrong, message in [
        (HYPOTHESIS.replace("NSUBJ", "_"), "a relation of word 2"),
        ("1\tgo\t_\t_\t_\t_\t_\t_\t_\t_", "no heads"),
        ("# links = 9-9\n" + HYPOTHESIS, "link 9-9 is out of range"),
        ("", "a segment is one sentence, not 0"),
    ]:
        with pytest.raises(alinea.Error, match=message):
            DependencyPath().score([wrong], references=[reference(7)])
    with pytest.raises(alinea.Error, match="tie order = best"):
        DependencyPath(tie_order="best").score([HYPOTHESIS], references=[reference(7)])  # type: ignore[arg-type]
    with pytest.raises(alinea.Error, match="beam = 0"):
        TreeEdit(beam=0).score([HYPOTHESIS], references=[reference(7)])


def test_a_score_is_explained_as_by_hand() -> None:
    found = DependencyPath().explain(HYPOTHESIS, [reference(6), reference(7)])
    assert (found.reference, found.score, found.order, found.cost, found.most) == (1, 0.5, 0.5, 5, 10)
    assert found.coverage == pytest.approx(10 / 12)
    assert found.links == [(0, 3), (1, 4), (3, 2), (4, 0), (5, 1)]
    assert [(edge.cost, edge.most) for edge in found.edges] == [(2, 2), (2, 3), (1, 3), (0, 2)]
    assert found.edges[1].reference == TreePath((3, 4), ("becoming", "a"), "–, α, DOBJ DET")
    assert found.edges[1].hypothesis == TreePath((2, 0), ("becomes", "a"), "–, β, NSUBJ DET")
    assert DependencyPath().explain(HYPOTHESIS, reference(6)).most == 9


def test_words_that_share_a_counterpart_have_one_path() -> None:
    found = DependencyPath().explain("# links = 0-0 1-1 1-2\n" + HYPOTHESIS, reference(7))
    (shared,) = (edge for edge in found.edges if edge.reference is None)
    assert shared.hypothesis == TreePath((1, 2), ("Sherlock", "becomes"), "NSUBJ, α, –")
    assert (shared.cost, shared.most) == (0, 0)


def test_the_whole_graph_has_the_weights_that_were_worked_out_by_hand() -> None:
    weights = {
        7: [(0, 2), (2, 3), (3, 5), (4, 5), (2, 2), (3, 4), (4, 4), (2, 3), (3, 3), (1, 3)],
        6: [(0, 2), (2, 3), (4, 6), (4, 5), (2, 2), (4, 5), (4, 4), (3, 4), (3, 3), (0, 2)],
    }
    for head, expected in weights.items():
        found = DependencyPath().meta_graph(HYPOTHESIS, reference(head))
        assert [(edge.cost, edge.most) for edge in found.edges] == expected
        assert meta_graph(HYPOTHESIS, reference(head)) == found.edges
        assert sum(edge.in_tree for edge in found.edges) == 4
        assert sum(edge.cost for edge in found.edges if edge.in_tree) == found.cost


def test_encodings_and_disparities_are_those_of_the_thesis() -> None:
    of_reference, of_hypothesis = encoding(reference(7), 0, 5), encoding(HYPOTHESIS, 3, 1)
    assert tuple(of_reference) == (("DET", "NSUBJ"), "α", ("DOBJ", "CMP"))
    assert tuple(of_hypothesis) == (("DET", "DOBJ"), "β", ("NSUBJ",))
    assert disparity(of_reference, of_hypothesis) == (4, 5)
    with pytest.raises(alinea.Error, match="last = 9: the sentence has the words 0 to 6"):
        encoding(reference(7), 0, 9)
    with pytest.raises(ValueError, match="direction"):
        disparity(of_reference, of_hypothesis._replace(direction="left"))


def test_what_cannot_be_explained_is_refused() -> None:
    with pytest.raises(alinea.ParseError):
        DependencyPath().explain("dogs bark", reference(7))
    with pytest.raises(alinea.Error, match="without references"):
        DependencyPath().explain(HYPOTHESIS, [])
    with pytest.raises(alinea.Error, match="out of range"):
        DependencyPath().explain("# links = 9-9\n" + HYPOTHESIS, reference(7))
    with pytest.raises(alinea.Error, match="no heads"):
        DependencyPath().explain("1\ta" + 8 * "\t_", reference(7))
    with pytest.raises(alinea.ConfigError):
        DependencyPath(beam=0).explain(HYPOTHESIS, reference(7))


def test_matching_is_set_by_keywords() -> None:
    for metric in (DependencyPath, TreeEdit):
        with pytest.raises(TypeError):
            metric(*[True] * 9)  # type: ignore[arg-type]
        assert metric(context=True).context

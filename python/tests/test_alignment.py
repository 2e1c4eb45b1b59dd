# mypy: disable-error-code="comparison-overlap"
from __future__ import annotations

import copy
import os
import pickle
import re
import subprocess
import sys
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from vector_files import FOLDER, tuples, vectors

import alinea
from alinea import nltk
from alinea.nltk import align, metrics

GENERATIONS = pytest.mark.parametrize(
    "kind", [alinea.Alignment, nltk.Alignment, align.Alignment], ids=["alinea", "today", "3.0"]
)
SENTENCES = pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        (alinea.AlignedSentence, alinea.Alignment),
        (nltk.AlignedSent, nltk.Alignment),
        (align.AlignedSent, align.Alignment),
    ],
    ids=["alinea", "today", "3.0"],
)


def test_there_is_a_vector_for_each_printed_value() -> None:
    text = (FOLDER / "alignment.jsonl").read_text("utf-8")
    assert text.count('"source": "nltk-align-3.0-doc"') == 16


@GENERATIONS
@vectors("alignment.jsonl", "parse")
def test_text_is_read(vector: dict[str, Any], kind: type[alinea.Alignment]) -> None:
    assert kind.fromstring(vector["input"]) == set(tuples(vector["expect"]))
    assert kind(vector["input"]) == set(tuples(vector["expect"]))


@GENERATIONS
@vectors("alignment.jsonl", "format", "repr")
def test_alignments_are_printed(vector: dict[str, Any], kind: type[alinea.Alignment]) -> None:
    alignment = kind(tuples(vector["input"]))
    assert (str if vector["op"] == "format" else repr)(alignment) == vector["expect"]


@GENERATIONS
@vectors("alignment.jsonl", "invert")
def test_alignments_are_inverted(vector: dict[str, Any], kind: type[alinea.Alignment]) -> None:
    inverted = kind(tuples(vector["input"])).invert()
    assert inverted == set(tuples(vector["expect"]))
    assert type(inverted) is kind


@GENERATIONS
@vectors("alignment.jsonl", "range")
def test_ranges(vector: dict[str, Any], kind: type[alinea.Alignment]) -> None:
    alignment = kind(tuples(vector["input"]["pairs"]))
    assert alignment.range(vector["input"]["positions"]) == vector["expect"]
    if vector["input"]["positions"] is None:
        assert alignment.range() == alignment.range([]) == vector["expect"]


@vectors("alignment.jsonl", "precision", "recall")
def test_precision_and_recall(vector: dict[str, Any]) -> None:
    test, reference = (tuples(vector["input"][name]) for name in ("test", "reference"))
    assert getattr(metrics, vector["op"])(set(reference), set(test)) == vector["expect"]
    assert getattr(metrics, vector["op"])(nltk.Alignment(reference), nltk.Alignment(test)) == vector["expect"]
    for sentence in (align.AlignedSent, alinea.AlignedSentence):
        pair = sentence("a b c d", ["w", "x", "y", "z"], test)
        forms = (reference, list(reference), set(reference), str(alinea.Alignment(reference)))
        for form in (*forms, align.Alignment(reference), sentence("a b c d", "w x y z", reference)):
            assert getattr(pair, vector["op"])(form) == vector["expect"]


@vectors("alignment.jsonl", "aer")
def test_alignment_error_rate(vector: dict[str, Any]) -> None:
    test, sure, possible = (tuples(vector["input"][name]) for name in ("test", "sure", "possible"))
    expected = pytest.approx(vector["expect"], abs=1e-12)
    assert metrics.alignment_error_rate(nltk.Alignment(sure), nltk.Alignment(test), possible) == expected
    pair = align.AlignedSent(["w"] * 6, ["m"] * 6, test)
    assert pair.alignment_error_rate(sure, possible) == expected
    assert pair.alignment_error_rate(align.AlignedSent(["w"] * 6, ["m"] * 6, sure), possible) == expected
    gold = alinea.GoldAlignment(sure, () if possible is None else possible)
    for form in (alinea.Alignment(test), nltk.AlignedSent(["w"] * 6, ["m"] * 6, nltk.Alignment(test))):
        assert alinea.evaluate([gold], [form]).aer == expected


@vectors("alignment.jsonl", "f")
def test_f(vector: dict[str, Any]) -> None:
    test, sure, possible = (tuples(vector["input"][name]) for name in ("test", "sure", "possible"))
    evaluation = alinea.evaluate(
        [alinea.GoldAlignment(sure, possible)], [alinea.Alignment(test)], alpha=vector["input"]["alpha"]
    )
    assert evaluation.f == pytest.approx(vector["expect"], abs=1e-12)


@vectors("alignment.jsonl", "aer_error")
def test_sure_links_must_be_possible(vector: dict[str, Any]) -> None:
    test, sure, possible = (tuples(vector["input"][name]) for name in ("test", "sure", "possible"))
    with pytest.raises(ValueError, match=vector["expect"]):
        metrics.alignment_error_rate(sure, test, possible)


@SENTENCES
@vectors("alignment.jsonl", "alignment_error")
def test_positions_are_checked(vector: dict[str, Any], sentence: Any, kind: Any) -> None:
    words, mots = (["w"] * vector["input"][name] for name in ("words", "mots"))
    links = kind(tuples(vector["input"]["pairs"]))
    with pytest.raises(IndexError) as caught:
        sentence(words, mots, links)
    assert str(caught.value) == vector["expect"]
    pair = sentence(words, mots, kind("0-0"))
    with pytest.raises(IndexError) as caught:
        pair.alignment = links
    assert str(caught.value) == vector["expect"]
    assert pair.alignment == {(0, 0)}


@SENTENCES
@vectors("alignment.jsonl", "aligned_sent_repr", "aligned_sent_str", "aligned_sent_invert_repr")
def test_sentences_are_printed(vector: dict[str, Any], sentence: Any, kind: Any) -> None:
    given = vector["input"]
    pair = sentence(given["words"], given["mots"], kind(tuples(given["pairs"])))
    texts = {"aligned_sent_repr": repr(pair), "aligned_sent_str": str(pair)}
    text = texts.get(vector["op"], repr(pair.invert()))
    name = sentence.__name__
    assert text == vector["expect"].replace("AlignedSent", name)


@vectors("alignment.jsonl", "aligned_sent_dot")
def test_graphs_are_those_of_nltk(vector: dict[str, Any]) -> None:
    given = vector["input"]
    pair = nltk.AlignedSent(given["words"], given["mots"], nltk.Alignment(tuples(given["pairs"])))
    assert pair._to_dot() == vector["expect"]
    # The other form is that of `alinea view`.
    graph = pair.to_dot()
    assert re.findall(r'^  s\d+ \[label="(.*)"\];$', graph, re.MULTILINE) == given["words"]
    assert re.findall(r'^  t\d+ \[label="(.*)"\];$', graph, re.MULTILINE) == given["mots"]
    links = re.findall(r"^  s(\d+) -- t(\d+) \[color", graph, re.MULTILINE)
    assert sorted((int(source), int(target)) for source, target in links) == pair.alignment.links()


def test_equal_words_are_different_nodes() -> None:
    pair = alinea.AlignedSentence(["a", "a"], ["x"], "1-0")
    graph = pair.to_dot()
    assert 's0 [label="a"]' in graph
    assert 's1 [label="a"]' in graph
    assert "s1 -- t0 [color" in graph
    assert graph.count("label=") == 3
    # What cannot be drawn is replaced; NLTK's form has no way to say so.
    assert 's0 [label="a\N{REPLACEMENT CHARACTER}"]' in alinea.AlignedSentence(["a\0"], ["x"]).to_dot()
    with pytest.raises(ValueError, match="NUL"):
        nltk.AlignedSent(["a\0"], ["x"])._to_dot()


def test_pictures_have_all_words_and_links() -> None:
    words, mots = ["a<b", "\0", "\udc80"], ["x", "y", "z"]
    pair = alinea.AlignedSentence(words, mots, [(0, 2), (1, 0), (1, None)])
    picture = ElementTree.fromstring(pair.to_svg())
    texts = [element.text for element in picture.iter("{http://www.w3.org/2000/svg}text")]
    unknown = "\N{REPLACEMENT CHARACTER}"
    assert [text for text in texts if text not in {"0", "1", "2"}] == ["a<b", unknown, unknown, "x", "y", "z"]
    assert len(list(picture.iter("{http://www.w3.org/2000/svg}line"))) == 2
    assert pair._repr_svg_() == pair.to_svg()
    assert ElementTree.fromstring(alinea.AlignedSentence([], []).to_svg()).tag.endswith("svg")


@pytest.mark.parametrize(
    "given",
    [
        [(0, 1), (2, 0)],
        {(0, 1), (2, 0)},
        iter([(0, 1), (2, 0)]),
        [[0, 1], [2, 0], [0, 1]],
        "2-0\t0-1",
        np.array([[0, 1], [2, 0]]),
        [(np.int64(0), np.uint8(1)), (2, 0)],
        alinea.Alignment("0-1 2-0"),
        nltk.Alignment("0-1 2-0"),
        alinea.AlignedSentence("a b c", "x y", "0-1 2-0"),
    ],
    ids=lambda given: type(given).__name__,
)
def test_alignments_come_from_many_forms(given: Any) -> None:
    alignment = alinea.Alignment(given)
    assert alignment == {(0, 1), (2, 0)}
    assert repr(alignment) == "Alignment([(0, 1), (2, 0)])"


@pytest.mark.parametrize(
    "pairs", [[(0,)], [()], [("0", "0")], ["00"], [(True, 0)], [(0, 1.0)], [(None, 0)], [0], 3, [(0, 0, [])], None]
)
def test_what_is_not_an_alignment_is_refused(pairs: Any) -> None:
    with pytest.raises(TypeError):
        alinea.Alignment(pairs)


@pytest.mark.parametrize(
    ("text", "column"), [("0-0 1", 5), ("1-2-3", 1), ("é", 1), ("0-0\té-1", 5), ("0--1", 1), ("1e3-0", 1), ("²-0", 1)]
)
def test_text_that_is_not_links_is_refused(text: str, column: int) -> None:
    with pytest.raises(
        alinea.ParseError, match=rf"^<memory>:1:{column}: expected a link such as `3-4`, found `"
    ) as caught:
        alinea.Alignment.fromstring(text)
    assert (caught.value.path, caught.value.line, caught.value.column) == ("<memory>", 1, column)


def test_only_text_is_read_as_text() -> None:
    with pytest.raises(TypeError, match="not bytes"):
        alinea.Alignment.fromstring(b"0-0")  # type: ignore[arg-type]
    with pytest.raises(alinea.ParseError):
        alinea.Alignment.fromstring("9" * 5000 + "-0")


def test_operators_give_alignments() -> None:
    a, b = alinea.Alignment("0-0 1-1"), {(1, 1), (2, 2, "boat")}
    for left, right in ((a, b), (b, a), (a, frozenset(b)), (a, alinea.Alignment(b))):
        results = (left | right, left & right, left ^ right)
        assert results == ({(0, 0), (1, 1), (2, 2, "boat")}, {(1, 1)}, {(0, 0), (2, 2, "boat")})
        assert {type(result) for result in results} == {alinea.Alignment} or left is b
    assert (a - b, b - a) == ({(0, 0)}, {(2, 2, "boat")})
    assert isinstance(a - b, alinea.Alignment)
    methods = (a.union(b), a.intersection(b), a.difference(b), a.symmetric_difference(b))
    assert methods == (a | b, a & b, a - b, a ^ b)
    assert {type(result) for result in methods} == {alinea.Alignment}
    assert type(nltk.Alignment(a) | b) is nltk.Alignment
    with pytest.raises(TypeError):
        a | [(0, 1)]  # type: ignore[operator]


def test_alignments_are_sets() -> None:
    a = alinea.Alignment([(0, 0), (0, 0), (1, None)])
    assert a == frozenset({(0, 0), (1, None)})
    assert hash(a) == hash(frozenset({(0, 0), (1, None)}))
    assert {(0, 0)} < a
    assert len(a) == 2
    assert (1, None) in a
    assert pickle.loads(pickle.dumps(a)) == a == copy.deepcopy(a)
    assert type(pickle.loads(pickle.dumps(nltk.Alignment(a)))) is nltk.Alignment


def test_rows_of_alignments() -> None:
    for kind in (alinea.Alignment, nltk.Alignment):
        a = kind([(0, 2), (0, 0), (0, None), (3, 1, "boat"), (10**30, 5)])
        assert set(a[0]) == {(0, None), (0, 0), (0, 2)}
        assert a[3] == [(3, 1, "boat")]
        assert a[np.int64(3)] == a[3]
        assert a[1] == a[-1] == []
        assert a[10**30] == [(10**30, 5)]
        for key in ("0", 0.0, slice(0, 1), None):
            with pytest.raises(TypeError, match="integers"):
                a[key]  # type: ignore[index]
    assert alinea.Alignment([(0, 2), (0, 0), (0, None)])[0] == [(0, None), (0, 0), (0, 2)]


def test_order_is_the_same_in_every_process() -> None:
    code = (
        "from alinea.nltk import AlignedSent, Alignment;"
        "a = Alignment([(0, j) for j in (4, None, 2, 0)] + [(1, 0, 'x'), (1, 0, 'y'), (1, 1)]);"
        "print(a, repr(a), a[0], a[1], AlignedSent('ab', 'vwxyz', a)._to_dot())"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2", "3", "random")
    }
    assert len(outputs) == 1


def test_rows_of_older_alignments() -> None:
    a = align.Alignment("0-0 0-1 2-2")
    assert [sorted(row) for row in a[:]] == [[(0, 0), (0, 1)], [], [(2, 2)]]
    assert a[-1] == a[2] == [(2, 2)]
    for key in (3, -4):
        with pytest.raises(IndexError, match="out of range"):
            a[key]
    # One of nothing has a row, as in NLTK 3.0.0.
    assert align.Alignment()[0] == []
    with pytest.raises(IndexError, match="out of range"):
        align.Alignment()[1]
    with pytest.raises(TypeError):
        a["0"]


def test_sentences_convert_their_links_or_refuse_them() -> None:
    for kind in (alinea.AlignedSentence, align.AlignedSent):
        for links in ("0-0", [(0, 0)], {(0, 0)}, np.array([[0, 0]]), alinea.Alignment("0-0")):
            assert kind(["a"], ["x"], links).alignment == {(0, 0)}
    for refused in ("0-0", [(0, 0)], frozenset({(0, 0)})):
        with pytest.raises(TypeError, match="must be an Alignment, not"):
            nltk.AlignedSent(["a"], ["x"], refused)  # type: ignore[arg-type]
    assert nltk.AlignedSent(["a"], ["x"]).alignment == set()
    assert nltk.AlignedSent(["a"], ["x"], alinea.Alignment("0-0")).alignment == {(0, 0)}


def test_text_is_cut_into_words() -> None:
    pair = alinea.AlignedSentence(" a  b\u00a0c\t", "")
    assert (pair.words, pair.mots) == (["a", "b\u00a0c"], [])
    assert repr(pair) == r"AlignedSentence(['a', 'b\xa0c'], [], Alignment([]))"


def test_further_fields_are_kept_and_do_not_count() -> None:
    pair = alinea.AlignedSentence("a b c d", "w x y z", [(0, 0), (1, 1), (2, 2, "boat"), (3, 3, False, (1, 2))])
    assert pair.alignment.invert() == {(0, 0), (1, 1), (2, 2, "boat"), (3, 3, False, (1, 2))}
    reference = [(0, 0), (1, 1), (2, 2), (3, 3)]
    assert (pair.precision(reference), pair.recall(reference), pair.alignment_error_rate(reference)) == (1.0, 1.0, 0.0)
    assert pair.precision([(0, 0), (1, None)]) == 0.25
    assert pair.recall([(0, 0), (1, None)]) == 1.0


def test_objects_are_taken_for_links() -> None:
    extended = [(0, 0), (1, 1, "sure"), (1, 1), (2, None)]
    for links in (alinea.Alignment(extended), alinea.AlignedSentence("a b c", "x y z", extended)):
        (joined,) = alinea.symmetrize([links], ["0-0 2-2"], "union")
        assert joined.tolist() == [[0, 0], [1, 1], [2, 2]]
        evaluation = alinea.evaluate([links], [links])
        assert (evaluation.sure, evaluation.hypothesis, evaluation.aer) == (2, 2, 0.0)
        assert alinea.GoldAlignment(links).sure.tolist() == [[0, 0], [1, 1]]
        known = alinea.align(["a b", "c"], ["x y", "z"], links=[alinea.Alignment([(0, 1, "known"), (1, None)])])
        assert known[0].tolist() == [[0, 1]]
    with pytest.raises(ValueError, match=r"^reverse\[0\]: positions are from 0 to 4294967295$"):
        alinea.symmetrize([""], [alinea.Alignment([(0, 2**32)])], "union")

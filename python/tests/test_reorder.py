"""Word order: gold orders, scores, models, rules. Expectations of vectors, laws, and by hand."""

from __future__ import annotations

import copy
import json
import pickle
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from vector_files import vectors

import alinea
from alinea import reorder

pytestmark = pytest.mark.filterwarnings("ignore::alinea.metrics.FewSegmentsWarning")

ADJECTIVES = ["red", "old", "big", "[new]"]
NOUNS = ["house", "bird", "tree", "book", "road", "lamp"]
WORDS = [["the", ADJECTIVES[n % 4], NOUNS[n % 6], "sleeps"] for n in range(60)]
LINKS = ["0-0 1-2 2-1 3-3"] * 60


def source(count: int = 60) -> reorder.Source:
    """Sentences in whose translation the adjective comes behind its noun."""
    return reorder.Source(
        WORDS[:count],
        tags=["D A N V"] * count,
        relations=["det amod nsubj root"] * count,
        heads=[[2, 2, 3, -1]] * count,
    )


def conllu(words: list[str], rows: list[tuple[str, int, str]]) -> str:
    """A sentence of words with tags, heads from 1 and relations."""
    cells = (
        (str(number), word, "_", tag, "_", "_", str(head), relation, "_", "_")
        for number, (word, (tag, head, relation)) in enumerate(zip(words, rows, strict=True), 1)
    )
    return "\n".join("\t".join(row) for row in cells)


@vectors("gold-orders.jsonl", "gold_order")
def test_gold_orders(vector: dict[str, Any]) -> None:
    given = vector["input"]
    options = {"key": given["key"], "unaligned": given["unaligned"]}
    assert reorder.gold_order(given["n"], given["pairs"], **options).tolist() == vector["expect"]
    sentences = [[str(word) for word in range(given["n"])]]
    assert reorder.gold_orders(sentences, [given["pairs"]], **options)[0].tolist() == vector["expect"]


@vectors("gold-orders.jsonl", "interval_ranks")
def test_gold_ranks(vector: dict[str, Any]) -> None:
    given = vector["input"]
    (found,) = reorder.gold_ranks([[""] * given["n"]], [given["pairs"]])
    if vector["expect"] is None or not given["pairs"]:
        assert found.ranks is None
        assert (found.incomparable is None) == (not given["pairs"])
    else:
        assert found.ranks is not None
        assert found.ranks.tolist() == vector["expect"]["ranks"]
        assert found.ranks.dtype == np.int32


@vectors("gold-orders.jsonl", "score_against_alignment")
def test_scores(vector: dict[str, Any]) -> None:
    given = vector["input"]
    gold = reorder.GoldStandard([[str(word) for word in range(given["n"])]], [given["pairs"]])
    found = gold.evaluate([given["order"]], samples=0)
    expected = vector["expect"] or dict.fromkeys(["frs", "tau", "complete"])
    assert {name: found.scores[name] for name in expected} == pytest.approx(expected, abs=1e-9)
    if len(gold.numbers):
        each = dict(zip(reorder.SCORES, found.sentences[0].tolist(), strict=True))
        assert {name: each[name] for name in expected} == pytest.approx(
            {name: np.nan if value is None else value for name, value in expected.items()}, abs=1e-9, nan_ok=True
        )


def test_whole_orders_place_every_word_once() -> None:
    text = reorder.Source(["a b C d E f", "", "x y"])
    links = ["2-1 4-0", "", ""]
    assert [order.tolist() for order in reorder.gold_orders(text, links, attach="right")] == [
        [3, 4, 5, 0, 1, 2],
        [],
        [0, 1],
    ]
    assert [order.tolist() for order in reorder.gold_orders(text, links)] == [[4, 2], [], []]
    assert text.reordered(reorder.gold_orders(text, links, attach="left"))[0] == ["E", "f", "a", "b", "C", "d"]
    merged = reorder.gold_ranks(["a b c"], ["0-0 0-2 1-1 2-3"], incomparable="merge")[0]
    assert merged.ranks is not None
    assert merged.ranks.tolist() == [0, 0, 1]


def test_orders_are_columns_for_data_frames() -> None:
    polars = pytest.importorskip("polars")
    orders = reorder.gold_orders(["a b", "", "c d e"], ["0-1 1-0", "", "0-2 1-1 2-0"])
    assert polars.Series(orders).to_list() == [[1, 0], [], [2, 1, 0]]
    assert orders.offsets.tolist() == [0, 2, 2, 5]
    assert orders.rows.dtype == np.int32
    assert orders[1:] == reorder.OrderColumn(np.array([0, 0, 3]), np.array([2, 1, 0], dtype=np.int32))
    with pytest.raises(ValueError, match="columns are needed"):
        reorder.OrderColumn(np.array([0, 1]), np.array([[1]], dtype=np.int32))


def test_scores_stand_beside_the_source_as_it_is() -> None:
    assert get_args(reorder.Score) == reorder.SCORES
    gold = reorder.GoldStandard(source(3)[:2], ["0-0 1-2 2-1 3-3", ""])
    found = gold.evaluate([[0, 2, 1, 3], [3, 2, 1, 0]], samples=50)
    assert (len(gold), gold.numbers.tolist(), found.ranked) == (2, [0], 1)
    assert found.scores["exact"] == found.scores["tau"] == found.scores["bleu"] == 1.0
    assert found.baseline is not None
    # One of six pairs, and two of four places.
    assert found.baseline.scores["kendall"] == pytest.approx(1 - 1 / 6)
    assert found.baseline.scores["hamming"] == 0.5
    assert found.sentences.shape == (1, len(reorder.SCORES))
    assert found.differences["hamming"].value == 0.5
    # One sentence cannot be resampled.
    assert (found.estimates["hamming"].value, found.estimates["hamming"].interval) == (1.0, None)
    # Words without links may be missing, and wherever they are makes no difference.
    partly = reorder.GoldStandard(["I am going home"], ["0-0 2-2 3-1"])
    scores = [partly.evaluate([order], samples=0).scores for order in ([0, 3, 2], [1, 0, 3, 2], [0, 3, 1, 2])]
    assert scores[0] == scores[1] == scores[2]
    assert gold.evaluate([[0, 2, 1, 3], []], samples=0).estimates == {}


def test_runs_may_be_files(tmp_path: Path) -> None:
    gold = reorder.GoldStandard(["a b", "c"], ["0-1 1-0", "0-0"])
    run = tmp_path / "run"
    run.write_text("1 0\n0\n")
    assert gold.evaluate(run, samples=0).scores["exact"] == 1.0
    run.write_text("1 0\n")
    with pytest.raises(alinea.Error, match="unequal lengths"):
        gold.evaluate(run)
    run.write_text("1 2\n0\n")
    with pytest.raises(alinea.ParseError, match=r"run:1:3: expected the position of a word, from 0 to 1, each once"):
        gold.evaluate(run)


def test_orders_that_are_none_are_refused() -> None:
    gold = reorder.GoldStandard(["a b"], ["0-1 1-0"])
    wrong: list[tuple[Any, type[Exception], str]] = [
        ([[0, 0]], alinea.Error, r"orders\[0\]: word 0 occurs twice"),
        ([[0, 2]], alinea.Error, r"orders\[0\]: word 2 is outside a sentence of 2 words"),
        ([[0]], alinea.Error, r"orders\[0\]: word 1, which has a place, is missing"),
        ([[0, 1], [0]], alinea.Error, "unequal lengths"),
        ([[0, -1]], ValueError, r"orders\[0\]: positions are from 0"),
        ([[[0, 1]]], ValueError, "one row of positions"),
        ([[0.5, 1]], TypeError, "positions are integers"),
        ("0 1", TypeError, "expected a sequence of orders, not a str"),
    ]
    for orders, error, message in wrong:
        with pytest.raises(error, match=message):
            gold.evaluate(orders)
    with pytest.raises(alinea.Error, match=r"links\[0\]: a link from word 5 of a sentence of 2"):
        reorder.gold_orders(["a b"], ["5-0"])
    with pytest.raises(alinea.Error, match="unequal lengths"):
        reorder.gold_ranks(["a b"], [])
    with pytest.raises(alinea.ConfigError):
        reorder.gold_orders(["a b"], ["0-0"], key="first")  # type: ignore[arg-type]


def test_sources_are_checked() -> None:
    trees = conllu(["a", "b"], [("X", 0, "root")] * 2)
    known = reorder.Source.of_trees([trees], classes={"A": 1, "b": 2, "a": 3})
    assert known.layer("classes") == [["3", "2"]]
    assert known.layer("lemmas") is None
    (heads,) = known.heads
    assert heads is not None
    assert heads.tolist() == [-1, -1]
    assert reorder.Source(["Aa"], classes={"aa": 7}).layer("classes") == [["7"]]
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"tags": ["X"]}, r"tags\[0\]: a layer of 1 words for a sentence of 2"),
        ({"tags": []}, "unequal lengths: source has 1 line, tags has 0"),
        ({"heads": [[1, 0]]}, r"heads\[0\]: words .* each other"),
        ({"heads": [[2, -1]]}, r"heads\[0\]: the head of word 1 is word 3"),
        ({"heads": [[-2, -1]]}, r"heads\[0\]: the head -2 of a word"),
        ({"brackets": ["(S a"]}, r"brackets:1:"),
        ({"brackets": ["(S a)"]}, r"brackets:1: expected brackets around 2 words"),
        ({"brackets": ["(S a c)"]}, r"brackets:1:6: expected the word `b` of the sentence, found `c`"),
    ]
    for options, message in wrong:
        with pytest.raises(alinea.Error, match=message):
            reorder.Source(["a b"], **options)
    with pytest.raises(TypeError, match="classes"):
        reorder.Source(["a b"], classes="file")  # type: ignore[arg-type]


def test_features_of_parts_of_words_are_asked_for() -> None:
    for engine in ("ensemble", "linear", "siblings"):
        model = reorder.train(source(), LINKS, engine=engine, features=["suffix2", "shape"])
        assert all({"suffix2", "shape"} <= set(columns) for columns in model.columns)
    for wrong in ("tags", "suffix0", "color"):
        with pytest.raises(alinea.ConfigError, match="suffix1 to suffix9, or shape"):
            reorder.train(source(), LINKS, features=[wrong])
    with pytest.raises(alinea.ConfigError, match="not rules and children"):
        reorder.train(source(), LINKS, engine="rules", features=["shape"])
    with pytest.raises(alinea.ConfigError, match="for words without links"):
        reorder.train(source(), LINKS, engine="linear", attach_unaligned=True)


def test_models_start_from_those_of_other_text() -> None:
    big = reorder.train(WORDS, LINKS, tuning=False)
    model = reorder.train(["we sleep"] * 6, ["0-0 1-1"] * 6, tuning=False, start=big)
    assert all(order.tolist() == [0, 2, 1, 3] for order in model.orders(WORDS))
    with pytest.raises(alinea.ConfigError, match="a model of the same engine"):
        reorder.train(["we sleep"] * 6, ["0-0 1-1"] * 6, engine="btg", start=big)


def test_files_of_other_programs_are_written(tmp_path: Path) -> None:
    columns = source(2).export(tmp_path / "x", LINKS[:2], columns=["relations"])
    assert columns == ("words", "relations")
    assert (tmp_path / "x.annot").read_text().startswith(" ".join(WORDS[0]) + "\tdet amod nsubj root\n")
    assert (tmp_path / "x.align").read_text() == "4-4 ||| 0-0 1-2 2-1 3-3\n" * 2
    read = reorder.Source.of_annotation(tmp_path / "x.annot")
    assert read.words == WORDS[:2]
    with pytest.raises(alinea.Error, match=r"links\[0\]: a link to word 3 of a sentence of 1"):
        source(1).export(tmp_path / "y", LINKS[:1], target=["a"])
    with pytest.raises(alinea.ConfigError, match="layers that all sentences have"):
        source(1).export(tmp_path / "y", columns=["lemmas"])
    with pytest.raises(alinea.ConfigError, match="at most two"):
        source(1).export(tmp_path / "y", columns=["tags", "relations", "words"])
    assert not (tmp_path / "y.annot").exists()


def test_trees_of_several_orders_are_those_of_the_orders() -> None:
    model = reorder.train(source(), LINKS, engine="btg")
    trees = model.best_trees(source(), 3)
    orders = model.best_orders(source(), 3)
    assert [len(several) for several in trees] == [len(several) for several in orders]
    assert trees[0][0] == model.trees(source(), beam=20)[0]
    with pytest.raises(alinea.Error, match="builds no trees"):
        reorder.train(source(), LINKS, engine="linear").best_trees(source(), 3)


def test_what_does_not_hold_is_done_without_tuning() -> None:
    """Every fifth sentence keeps its order, and those are held out, since there are 500 or more."""
    links = ["0-0 1-1 2-2 3-3" if n % 5 == 0 else line for n, line in enumerate(LINKS * 9)]
    many = reorder.Source(WORDS * 9, tags=["D A N V"] * len(links))
    for engine in ("top-down", "salesman", "linear"):
        model = reorder.train(many, links, engine=engine)
        assert model.search == "leaves sentences as they are"
        assert all(order.tolist() == [0, 1, 2, 3] for order in model.orders(many))
        untuned = reorder.train(many, links, engine=engine, tuning=False)
        assert any(order.tolist() == [0, 2, 1, 3] for order in untuned.orders(many))


@pytest.mark.parametrize("engine", reorder.ENGINES)
def test_models_learn_what_they_can_and_come_back_from_files(engine: str, tmp_path: Path) -> None:
    model = reorder.train(source(), LINKS, engine=engine, threads=1)
    assert model.engine == engine
    new = reorder.Source(
        ["the old lamp sleeps", "", "lamp"],
        tags=["D A N V", "", "N"],
        relations=["det amod nsubj root", "", "root"],
        heads=[[2, 2, 3, -1], [], [-1]],
    )
    assert [order.tolist() for order in model.orders(new)] == [[0, 2, 1, 3], [], [0]]
    model.save(tmp_path / "one")
    reorder.train(source(), LINKS, engine=engine, threads=2).save(tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    read = reorder.Model(tmp_path / "one")
    assert (read.engine, read.columns, read.search) == (engine, model.columns, model.search)
    assert read.search in repr(read)
    read.save(tmp_path / "three")
    assert (tmp_path / "three").read_bytes() == (tmp_path / "one").read_bytes()
    assert read.orders(source(), threads=1) == model.orders(source(), threads=2)
    with pytest.raises(alinea.Error, match=r"source\[0\]"):
        read.orders(["the old lamp sleeps"])


@pytest.mark.parametrize("engine", reorder.ENGINES)
def test_models_and_orders_are_those_of_the_command(answer: Callable[..., str], engine: str, tmp_path: Path) -> None:
    trees, links, classes, model = (tmp_path / name for name in ("trees", "links", "classes", "model"))
    rows = [("D", 3, "det"), ("A", 3, "amod"), ("N", 4, "nsubj"), ("V", 0, "root")]
    trees.write_text("".join(conllu(words, rows) + "\n\n" for words in WORDS))
    links.write_text("".join(line + "\n" for line in LINKS))
    classes.write_text("".join(f"{word}\t1\n" for word in ADJECTIVES))
    given = ["--trees", trees, "--classes", classes]
    answer("reorder", "train", "--links", links, *given, "--engine", engine, "-m", model)
    known = reorder.Source.of_trees(trees, classes=classes)
    reorder.train(known, links, engine=engine).save(tmp_path / "own")
    assert (tmp_path / "own").read_bytes() == model.read_bytes()
    orders = reorder.Model(model).orders(known)
    written = answer("reorder", "apply", model, *given)
    assert [" ".join(map(str, order)) for order in orders] == written.splitlines()
    run = tmp_path / "run"
    run.write_text(written)
    judged = json.loads(answer("reorder", "evaluate", run, "--links", links, "--trees", trees, "--json"))
    found = reorder.GoldStandard(known, links).evaluate(orders)
    assert found.baseline is not None
    baseline, system = judged["systems"]
    assert (found.baseline.scores, found.scores) == (baseline["scores"], system["scores"])
    assert {name: found.differences[name].p_value for name in reorder.SCORES} == {
        name: difference["p_value"] for name, difference in system["differences"].items()
    }


def test_links_and_their_orders_teach_the_same(tmp_path: Path) -> None:
    reorder.train(source(), LINKS, engine="btg").save(tmp_path / "links")
    reorder.train(source(), orders=reorder.gold_orders(source(), LINKS), engine="btg").save(tmp_path / "orders")
    assert (tmp_path / "links").read_bytes() == (tmp_path / "orders").read_bytes()
    with pytest.raises(ValueError, match="either links or orders"):
        reorder.train(["a"])
    with pytest.raises(ValueError, match="either links or orders"):
        reorder.train(["a"], ["0-0"], orders=[[0]])


def test_beams_give_several_orders_and_trees() -> None:
    model = reorder.train(source(), LINKS, engine="btg")
    new = reorder.Source(["the old lamp sleeps"], tags=["D A N V"], relations=["_ _ _ _"], heads=[[2, 2, 3, -1]])
    (best,) = model.best_orders(new, 3, beam=50)
    assert best[0].tolist() == model.orders(new, beam=50)[0].tolist() == [0, 2, 1, 3]
    assert len({tuple(order.tolist()) for order in best}) == 3
    assert "<old lamp>" in model.trees(new)[0]
    with pytest.raises(alinea.ConfigError, match="beam = 0: must be 1 to 100000"):
        model.orders(new, beam=0)
    linear = reorder.train(source(), LINKS, engine="linear")
    with pytest.raises(alinea.ConfigError, match="beam = linear: must be a model of bracketing trees"):
        linear.orders(new, beam=20)
    assert [several[0].tolist() for several in linear.best_orders(new, 3)] == [linear.orders(new)[0].tolist()]
    with pytest.raises(alinea.Error, match="no trees"):
        reorder.train(source(), LINKS, engine="salesman").trees(source())


def test_trees_are_learned_where_there_are_none() -> None:
    bare = reorder.Source(WORDS, tags=["D A N V"] * 60)
    model = reorder.train(bare, LINKS, engine="siblings", induce_trees=True)
    new = reorder.Source(["the old lamp sleeps"], tags=["D A N V"])
    assert model.orders(new)[0].tolist() == [0, 2, 1, 3]
    with pytest.raises(alinea.ConfigError, match="siblings, rules, children"):
        reorder.train(bare, LINKS, engine="btg", induce_trees=True)


def test_what_cannot_be_learned_is_refused(tmp_path: Path) -> None:
    with pytest.raises(alinea.Error, match="nothing to learn from"):
        reorder.train(["a b"], ["0-0"])
    with pytest.raises(alinea.ConfigError, match="engine = guess"):
        reorder.train(["a b"], ["0-1 1-0"], engine="guess")
    with pytest.raises(FileNotFoundError):
        reorder.Model(tmp_path / "none")
    (tmp_path / "other").write_text("something else")
    with pytest.raises(alinea.Error):
        reorder.Model(tmp_path / "other")
    with pytest.raises(OSError, match="the directory"):
        reorder.train(["a b"], ["0-1 1-0"], engine="btg").save(tmp_path / "none" / "model")


def test_other_threads_go_on_and_bars_are_drawn() -> None:
    class Bar:
        tasks: list[tuple[str, int | None]] = []  # noqa: RUF012

        def __init__(self, *, desc: str, total: int | None) -> None:
            self.tasks.append((desc, total))

        def update(self, n: int, /) -> None:
            assert n > 0

        def close(self) -> None:
            self.tasks.append(("closed", None))

    done: list[reorder.Model] = []
    worker = threading.Thread(target=lambda: done.append(reorder.train(source(), LINKS, engine="btg")))
    worker.start()
    model = reorder.train(source(), LINKS, engine="btg", progress=Bar)
    worker.join()
    assert done[0].orders(source()) == model.orders(source(), progress=Bar)
    assert ("reorder", 60) in Bar.tasks
    assert Bar.tasks.count(("closed", None)) * 2 == len(Bar.tasks)


def test_rules_are_read_learned_written_and_applied(tmp_path: Path) -> None:
    path = tmp_path / "my.rules"
    path.write_text("# adjectives behind nouns\nlet N = NOUN|N\n* : */amod head => 2 1\n")
    rules = reorder.RuleSet.read(path)
    assert (len(rules), rules.text, rules.tallies) == (1, "* : */amod head => 2 1\n", [None])
    assert rules.orders(source(), threads=1) == reorder.gold_orders(source(), LINKS)
    assert rules.orders(source(), threads=1) == rules.orders(source(), threads=3)
    learned = reorder.RuleSet.learn(source(), LINKS)
    assert learned.tallies == [(60, 0)]
    assert learned.orders(source()) == reorder.gold_orders(source(), LINKS)
    learned.write(path)
    assert reorder.RuleSet.read(path).text == learned.text == path.read_text()
    with pytest.raises(alinea.ParseError, match=r"rules:1:16: expected the number of a part, from 1 to 1, found `2`"):
        reorder.RuleSet("VERB : head => 2 1")
    with pytest.raises(alinea.Error, match=r"source\[0\]: the sentence has no tree"):
        rules.orders(reorder.Source(["a b"]))
    for options in ({"window": 5}, {"factor": 0.5}, {"rules": -1}):
        with pytest.raises(alinea.ConfigError):
            reorder.RuleSet.learn(source(), LINKS, **options)


def test_models_are_pickled() -> None:
    model = reorder.train(["red house", "old bird"] * 9, ["0-1 1-0"] * 18)
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert repr(again) == repr(model)
        assert again.orders(["old house"])[0].tolist() == model.orders(["old house"])[0].tolist() == [1, 0]

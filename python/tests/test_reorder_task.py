"""The files of the shared task on learning word order: what the task says of them, by hand."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import alinea
from alinea import reorder

pytestmark = pytest.mark.filterwarnings("ignore::alinea.metrics.FewSegmentsWarning")

# I am going home becomes I home going; `am` is not aligned.
ROWS = "1\tI\t-\tP\tPRP\t-\t0\t-\t-\t-\n2\tgoing\t-\tV\tVBG\t-\t3\t-\t-\t-\n3\thome\t-\tN\tNN\t-\t1\t-\t-\t-\n\n"


def packed() -> reorder.TaskCorpus:
    source = reorder.Source(
        ["I am going home", "yes"],
        tags=["P V V N", "I"],
        finetags=["PRP VBP VBG NN", "UH"],
        relations=["nsubj aux root obl", "root"],
        heads=[[2, 2, -1, 2], [-1]],
    )
    return reorder.TaskCorpus.pack(source, ["0-0 2-2 3-1", ""])


def test_files_are_those_of_the_task(tmp_path: Path) -> None:
    packed().write(tmp_path / "en_hi.en.trn")
    files = {path.name.removeprefix("en_hi.en.trn."): path.read_text() for path in tmp_path.iterdir()}
    assert files == {
        "conll": ROWS,
        "txt": "I am going home\nyes\n",
        "pos": "PRP (I) VBP (am) VBG (going) NN (home)\nUH (yes)\n",
        "parse": "(root (nsubj (P I)) (aux (V am)) (V going) (obl (N home)))\n(root (I yes))\n",
        "align.info": "0(I) 2(going) 3(home)\n\n",
    }
    corpus = reorder.TaskCorpus.read(tmp_path / "en_hi.en.trn.conll")
    assert [order.tolist() for order in corpus.orders] == [[0, 3, 2], []]
    assert [rows.tolist() for rows in corpus.rows] == [[0, 2, 3], []]
    assert corpus.source().layer("tags") == [["PRP", "VBP", "VBG", "NN"], ["UH"]]
    assert corpus.parses == packed().parses
    corpus[:1].write(tmp_path / "first")
    assert (tmp_path / "first.txt").read_text() == "I am going home\n"


def test_what_the_files_do_not_say_is_reported(tmp_path: Path) -> None:
    (tmp_path / "x.conll").write_text("1\ta\t-\t-\t-\t-\t-\t-\t-\t-\n\n")
    assert reorder.TaskCorpus.read(tmp_path / "x.conll").known.tolist() == [False]
    (tmp_path / "x.txt").write_text("a b a\n")
    with pytest.warns(UserWarning, match=r"x.conll: there is no .align.info, and in 1 sentences the rows may be"):
        corpus = reorder.TaskCorpus.read(tmp_path / "x.conll")
    assert corpus.rows[0].tolist() == [0]
    (tmp_path / "y.conll").write_text(ROWS.replace("\t0\t-", "\t2\t-"))
    with pytest.raises(alinea.ParseError, match="form a cycle"):
        reorder.TaskCorpus.read(tmp_path / "y.conll")
    (tmp_path / "z.pos").write_text("")
    with pytest.raises(alinea.Error, match="remove it first"):
        reorder.TaskCorpus.pack(["a"], ["0-0"]).write(tmp_path / "z")
    assert not (tmp_path / "z.conll").exists()


def test_test_data_have_no_orders_and_no_kept_words(tmp_path: Path) -> None:
    corpus = reorder.TaskCorpus.pack(["a b", "c", "d e"], ["0-1 1-0", "", "0-0 1-1"])
    test, gold, left_out = corpus.hidden()
    assert left_out == [1]
    test.write(tmp_path / "tst", info=False)
    gold.write(tmp_path / "gold")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "gold.align.info",
        "gold.conll",
        "gold.txt",
        "tst.conll",
        "tst.txt",
    ]
    read = reorder.TaskCorpus.read(tmp_path / "tst.conll")
    assert read.known.tolist() == [False, False]
    assert read.reordered([[1, 0], [0, 1]]).orders[0].tolist() == gold.orders[0].tolist()


def test_what_the_files_cannot_have_is_refused() -> None:
    with pytest.raises(alinea.Error, match=r"source\[0\]: the files cannot have `new york`"):
        reorder.TaskCorpus.pack([["new york"]], ["0-0"])
    with pytest.raises(alinea.ParseError, match="parses:1: expected brackets around 1 words"):
        reorder.TaskCorpus.pack(["a"], ["0-0"], parses=["(S a b)"])
    with pytest.raises(alinea.Error, match="unequal lengths"):
        reorder.TaskCorpus.pack(["a"], ["0-0"], parses=[])
    with pytest.raises(alinea.Error, match=r"orders\[0\]: word 3, of a row, has no place"):
        packed().reordered([[0, 2], []])
    with pytest.raises(TypeError):
        reorder.TaskCorpus()


def test_runs_change_column_7_only(tmp_path: Path) -> None:
    run = packed().reordered([[1, 3, 2, 0], [0]])
    run.write_rows(tmp_path / "run.conll")
    # home going I
    assert [line.split("\t")[6] for line in (tmp_path / "run.conll").read_text().split("\n")[:3]] == ["2", "3", "0"]
    gold = reorder.GoldStandard.of_corpus(packed())
    found = gold.evaluate(tmp_path / "run.conll", samples=0)
    assert found.scores == gold.evaluate(run.orders, samples=0).scores
    # Of three pairs one is as it should be: home before going.
    assert found.scores["kendall"] == pytest.approx(1 / 3)
    model = reorder.train(packed().source(), orders=packed().orders, engine="linear")
    assert packed().reordered(model.orders(packed().source())).known.all()


def test_runs_may_lack_words_if_asked_for() -> None:
    gold = reorder.GoldStandard.of_corpus(packed())
    with pytest.raises(alinea.Error, match=r"word 2, which has a place, is missing \(`incomplete` allows that\)"):
        gold.evaluate([[0, 3], [0]])
    found = gold.evaluate([[0, 3], [0]], incomplete=True)
    # Two words of three.
    assert found.scores["kendall"] == pytest.approx(math.exp(1 - 3 / 2))
    assert found.scores["fuzzy"] is None


def test_hidden_orders_are_no_gold_standard() -> None:
    test, gold, _ = packed().hidden()
    with pytest.raises(alinea.Error, match="the order of sentence 1 is hidden"):
        reorder.GoldStandard.of_corpus(test)
    assert len(reorder.GoldStandard.of_corpus(gold)) == 1


def test_submissions_are_checked_and_ranked(tmp_path: Path) -> None:
    gold, good, bad = (tmp_path / name for name in ("gold.conll", "good.conll", "bad.conll"))
    text, links = [["a", "b", "c"]] * 40, ["0-1 1-0 2-2"] * 40
    corpus = reorder.TaskCorpus.pack(text, links)
    corpus.write_rows(gold)
    corpus.write_rows(good)
    corpus.reordered([[2, 1, 0]] * 40).write_rows(bad)
    corpus.reordered([[0, 1, 2]] * 40).write_rows(tmp_path / "same.conll")
    data = {"a_b": gold}
    names = reorder.submit(
        tmp_path / "one.zip",
        team="one",
        data=data,
        standard={"a_b": [bad, good]},
        nonstandard={"a_b": [tmp_path / "same.conll"]},
    )
    assert names == ["one.a_b.standard.1.conll", "one.a_b.standard.2.conll", "one.a_b.nonstandard.1.conll"]
    reorder.submit(tmp_path / "two.zip", team="two", data=data, standard={"a_b": [bad]})
    assert reorder.check_submission(tmp_path / "one.zip", data) == names
    board = reorder.rank([tmp_path / "two.zip", tmp_path / "one.zip"], data)["a_b"]
    assert [(entry.run, entry.rank) for entry in board] == [
        ("one.a_b.standard.2.conll", 1),
        (None, None),
        ("two.a_b.standard.1.conll", 2),
    ]
    assert [entry.scores["kendall"] for entry in board] == pytest.approx([1.0, 2 / 3, 1 / 3])
    assert board[0].p_above is None
    assert board[0].p_source is not None
    assert board[0].p_source < 0.01
    every = reorder.rank([tmp_path / "two.zip", tmp_path / "one.zip"], data, all_runs=True, samples=0)["a_b"]
    assert (len(every), {entry.rank for entry in every}) == (5, {None})
    with pytest.raises(alinea.Error, match=r"the team one is in .*one.zip already"):
        reorder.rank([tmp_path / "one.zip"] * 2, data)
    with pytest.raises(alinea.Error, match="no run for c_d"):
        reorder.check_submission(tmp_path / "one.zip", {**data, "c_d": gold})
    with pytest.raises(alinea.Error, match=r"nonstandard.1.conll is the same run as one.a_b.standard.1.conll"):
        reorder.submit(tmp_path / "x.zip", team="one", data=data, standard={"a_b": [good]}, nonstandard={"a_b": [good]})
    with pytest.raises(alinea.Error, match="there must be a standard run"):
        reorder.submit(tmp_path / "x.zip", team="x", data=data, standard={}, nonstandard={"a_b": [good]})
    with pytest.raises(alinea.Error, match="no data are given for the pair c_d"):
        reorder.submit(tmp_path / "x.zip", team="x", data=data, standard={"c_d": [good]})
    assert not (tmp_path / "x.zip").exists()

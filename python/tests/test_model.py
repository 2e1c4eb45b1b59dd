"""Models in files, and what is known of a text beforehand."""

import multiprocessing
import pickle
from collections.abc import Iterable
from pathlib import Path

import pytest

import alinea

SOURCE = ["the house", "the flower", "a house", "a flower is small", "the house is small"]
TARGET = ["la maison", "la fleur", "une maison", "une fleur est petite", "la maison est petite"]


def lists(links: Iterable[alinea.LinkArray]) -> list[list[list[int]]]:
    return [pair.tolist() for pair in links]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model"
    alinea.train(SOURCE, TARGET, path)
    return path


def test_the_text_trained_on_gets_the_links_of_training(path: Path) -> None:
    model = alinea.TrainedModel(path)
    assert model.pairs == len(SOURCE)
    assert model.signature.startswith("model:agreement-loo|")
    assert model.signature in repr(model)
    for threshold in (None, 0.2, 0.8):
        expected = lists(alinea.align(SOURCE, TARGET, threshold=threshold))
        for threads in (1, 3):
            assert lists(model.align(SOURCE, TARGET, threshold=threshold, threads=threads)) == expected


@pytest.mark.parametrize("name", ["agreement", "hmm", "ibm1"])
def test_every_model_can_be_kept(tmp_path: Path, name: alinea.Model) -> None:
    path = tmp_path / "model"
    alinea.train(SOURCE, TARGET, path, model=name)
    assert lists(alinea.TrainedModel(path).align(SOURCE, TARGET)) == lists(alinea.align(SOURCE, TARGET, model=name))


def test_unknown_words_and_empty_sentences(path: Path) -> None:
    links = alinea.TrainedModel(path).align(["The houses", ""], [["la", "maison"], []])
    assert lists(links) == [[[0, 0], [1, 1]], []]


def test_files_that_are_no_models_are_refused(tmp_path: Path, path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        alinea.TrainedModel(tmp_path / "none")
    other = tmp_path / "other"
    other.write_text("something else")
    with pytest.raises(alinea.Error, match="expected a file written by alinea"):
        alinea.TrainedModel(other)
    model = alinea.TrainedModel(path)
    with pytest.raises(alinea.Error):
        model.align(["a"], [])
    with pytest.raises(alinea.ConfigError):
        model.align(["a"], ["b"], threshold=2.0)
    with pytest.raises(OSError, match="the directory"):
        alinea.train(SOURCE, TARGET, tmp_path / "no" / "model")


def test_a_dictionary_decides_where_the_text_does_not() -> None:
    straight = alinea.align(["a b"], ["x y"], dictionary=[("a", "x"), ("b", "y", 1.0)])
    crossed = alinea.align(["a b"], ["x y"], dictionary=[("A", "Y"), ("b", "x")])
    assert (lists(straight), lists(crossed)) == ([[[0, 0], [1, 1]]], [[[0, 1], [1, 0]]])
    with pytest.raises(alinea.ConfigError, match="weights above 0"):
        alinea.align(["a b"], ["x y"], dictionary=[("a", "x", -1.0)])
    with pytest.raises(alinea.ConfigError, match="dictionary is for the models"):
        alinea.align(["a b"], ["x y"], dictionary=[("a", "x")], model="hmm")


def test_links_that_are_known_come_out(tmp_path: Path) -> None:
    known = [None, "0-1 1-0", None, alinea.GoldAlignment([(0, 3)], [(1, 1)])]
    links = lists(alinea.align(SOURCE, TARGET, links=known))
    assert links[1] == [[0, 1], [1, 0]]
    assert links[3] in ([[0, 3]], [[0, 3], [1, 1]])
    alinea.train(SOURCE, TARGET, tmp_path / "model", links=known)
    assert "|links:2" in alinea.TrainedModel(tmp_path / "model").signature
    with pytest.raises(alinea.Error, match="link 7-0 is given for pair 1"):
        alinea.align(SOURCE, TARGET, links=["7-0"])
    with pytest.raises(alinea.Error, match="links are given for pair 6 of a text of 5"):
        alinea.align(SOURCE, TARGET, links=[None] * 5 + ["0-0"])


def test_models_are_pickled(path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    model = alinea.TrainedModel("model")
    pickled = pickle.dumps(model)
    assert len(pickled) < 1000
    monkeypatch.chdir("/")
    expected = lists(model.align(SOURCE, TARGET))
    assert lists(pickle.loads(pickled).align(SOURCE, TARGET)) == expected
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert [links.tolist() for links in pool.apply(model.align, (SOURCE, TARGET))] == expected
    alinea.train(SOURCE[:3], TARGET[:3], path)
    with pytest.raises(alinea.Error, match="another model than the one that was pickled"):
        pickle.loads(pickled)
    path.unlink()
    with pytest.raises(FileNotFoundError):
        pickle.loads(pickled)
    assert lists(model.align(SOURCE, TARGET)) == expected


def test_a_model_outlives_changes_of_its_file_and_damage_is_refused(path: Path) -> None:
    model = alinea.TrainedModel(path)
    expected = lists(model.align(SOURCE, TARGET))
    whole = path.read_bytes()
    with path.open("r+b") as file:
        file.write(bytes(len(whole)))
        assert lists(model.align(SOURCE, TARGET)) == expected
        file.truncate(0)
    assert lists(model.align(SOURCE, TARGET)) == expected
    path.write_bytes(whole[:200] + bytes([whole[200] ^ 1]) + whole[201:])
    with pytest.raises(alinea.Error, match="damage"):
        alinea.TrainedModel(path)

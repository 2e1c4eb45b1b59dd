"""Models in files, and what is known of a text beforehand."""

import multiprocessing
import pickle
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import alinea

SAMPLE = Path(__file__).parents[2] / "crates/alinea-cli/sample"
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


@pytest.mark.parametrize("name", ["agreement-loo", "hmm"])
def test_models_say_what_the_command_says(answer: Callable[..., str], tmp_path: Path, name: alinea.Model) -> None:
    text = SAMPLE / "en-fr.en", SAMPLE / "en-fr.fr"
    path = tmp_path / "model"
    alinea.train(*text, path, model=name)
    model = alinea.TrainedModel(path)
    other = (
        [*text[0].read_text().splitlines()[:40], "The houses", ""],
        [*text[1].read_text().splitlines()[1:41], "", "a"],
    )
    files = tmp_path / "source", tmp_path / "target"
    for file, lines in zip(files, other, strict=True):
        file.write_text("\n".join(lines) + "\n")
    outputs = {kind: tmp_path / kind for kind in ("forward", "reverse", "posteriors", "scores")}
    options = [word for kind, file in outputs.items() for word in (f"--{kind}", file)]
    answer("align", *files, "-m", path, *options)
    written = {kind: file.read_text().splitlines() for kind, file in outputs.items()}

    for links, kind in zip(model.directions(*other), ("forward", "reverse"), strict=True):
        assert [" ".join(f"{i}-{j}" for i, j in pair) for pair in lists(links)] == written[kind]
    found = model.posteriors(*other)
    links_of_text = [link.partition(":") for line in written["posteriors"] for link in line.split()]
    assert [f"{i}-{j}" for i, j in found.links.rows.tolist()] == [link for link, _, _ in links_of_text]
    confidences = [float(number) for _, _, number in links_of_text]
    assert found.confidences.tolist() == pytest.approx(confidences, abs=1e-4)
    assert model.posteriors(*other, least=0.6).links == model.align(*other, threshold=0.6)
    scores = model.scores(*other, threads=3)
    assert scores.shape == (42, 2)
    of_text = [[float(number) for number in line.split()] or [np.nan] * 2 for line in written["scores"]]
    np.testing.assert_allclose(scores, of_text, atol=1e-4)


def test_translations_are_those_of_the_table(answer: Callable[..., str], path: Path) -> None:
    table = [line.split("\t") for line in answer("model", "export", path, "--least", "0").splitlines()]
    model = alinea.TrainedModel(path)
    for word in ("house", "is"):
        expected = {target: float(p) for source, target, p in table if source == word}
        found = model.translations(word.title(), None)
        assert dict(found) == pytest.approx(expected, abs=1e-6)
        assert [p for _, p in found] == sorted((p for _, p in found), reverse=True)
        assert model.translations(word, 1) == found[:1]
    assert "house" in dict(model.translations("maison", of="target"))
    with pytest.raises(alinea.ConfigError, match=r"^of = left: must be source or target$"):
        model.translations("house", of=cast("Any", "left"))
    with pytest.raises(alinea.ConfigError, match=r"^n = -1: must be 0 or more, or None$"):
        model.translations("house", -1)


def test_what_was_not_measured_is_not_calibrated(path: Path, tmp_path: Path) -> None:
    found = alinea.TrainedModel(path).posteriors(SOURCE, TARGET, calibrated="possible")
    expected = alinea.posteriors(SOURCE, TARGET, calibrated="possible")
    assert found.links == expected.links
    assert found.confidences.tolist() == expected.confidences.tolist()
    other = tmp_path / "agreement"
    alinea.train(SOURCE, TARGET, other, model="agreement")
    with pytest.raises(alinea.ConfigError, match="calibrated is for the models agreement-loo and quality, not for agr"):
        alinea.TrainedModel(other).posteriors(SOURCE, TARGET, calibrated="possible")


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
    with pytest.raises(alinea.Error, match="pair 1: link 7-0 is out of range"):
        alinea.align(SOURCE, TARGET, links=["7-0"])
    with pytest.raises(alinea.Error, match="links are given for pair 6 of a text of 5"):
        alinea.align(SOURCE, TARGET, links=[None] * 5 + ["0-0"])


def test_links_in_a_file_are_read_as_its_name_says(tmp_path: Path) -> None:
    pharaoh, talp = tmp_path / "known", tmp_path / "known.talp"
    pharaoh.write_text("\n0-1 1-0\n")
    talp.write_text("\n1-2 2-1\n")
    expected = lists(alinea.align(SOURCE, TARGET, links=[None, "0-1 1-0"]))
    assert expected[1] == [[0, 1], [1, 0]]
    for file in (pharaoh, talp):
        assert lists(alinea.align(SOURCE, TARGET, links=file)) == expected
    alinea.train(SOURCE, TARGET, tmp_path / "model", links=talp)
    assert "|links:1" in alinea.TrainedModel(tmp_path / "model").signature, "an empty line says nothing"
    talp.write_text("1-1\n1-2 3-1\n")
    with pytest.raises(alinea.ParseError, match=r"known\.talp:2:5: link 3-1 is out of range") as caught:
        alinea.align(SOURCE, TARGET, links=talp)
    assert (caught.value.path, caught.value.line, caught.value.column) == (str(talp), 2, 5)
    talp.write_text("\n" * 6)
    with pytest.raises(alinea.Error, match=r"known\.talp has links for 6 pairs, the text has only 5"):
        alinea.align(SOURCE, TARGET, links=talp)
    # So are gold standards, and whatever else is links.
    talp.write_text("1-1 2p2\n")
    assert alinea.evaluate(talp, ["0-0"]).recall == 1
    assert alinea.to_pharaoh(talp) == ["0-0 1p1"]


def test_a_model_tells_how_it_reads_text(path: Path) -> None:
    model = alinea.TrainedModel(path)
    assert (model.tokenize, model.lowercase) == ("none", True)
    model = alinea.train(SOURCE, TARGET, tokenize="unicode", lowercase=False)
    assert (model.tokenize, model.lowercase) == ("unicode", False)


def test_what_is_refused_has_the_name_of_the_keyword(path: Path) -> None:
    model = alinea.TrainedModel(path)
    text = SOURCE, TARGET
    for call, message in (
        (lambda: alinea.posteriors(*text, least=2), "least = 2: must be 0 to 1"),
        (lambda: model.posteriors(*text, least=-1), "least = -1: must be 0 to 1"),
        (lambda: model.align(*text, symmetrize=cast("Any", "foo")), "symmetrize = foo: must be intersection, "),
        (lambda: model.adapt(*text, 2000), "passes = 2000: must be 1 to 1000 passes"),
        (lambda: model.adapt(*text, 0), "passes = 0: must be 1 to 1000 passes"),
        (lambda: model.adapt(*text, -1), "passes = -1: must be 1 to 1000 passes"),
        (lambda: model.adapt(*text, 1, weight=1), "weight = 1: must be unset unless text is added"),
    ):
        with pytest.raises(alinea.ConfigError) as caught:
            call()
        assert str(caught.value).startswith(message)
        assert caught.value.field == message.partition(" ")[0]
    with pytest.raises(TypeError, match="least: expected a float"):
        model.posteriors(*text, least=cast("Any", "auto"))


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

"""Chains of textbook models: against the definition, and against the command."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

import alinea

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "crates/alinea-cli/sample"

Text = tuple[list[str], list[str]]
Pair = tuple[list[str], list[str]]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """The first lines of the sample, in two files."""
    paths = tmp_path / "s", tmp_path / "t"
    for file, side in zip(paths, ("en", "fr"), strict=True):
        lines = (SAMPLE / f"en-fr.{side}").read_text(encoding="utf-8").splitlines(keepends=True)
        file.write_text("".join(lines[:200]), encoding="utf-8")
    return paths


def model_2(pairs: list[Pair], passes: tuple[int, int]) -> list[dict[int, int] | None]:
    """The best positions of each target word by Model 2 (Brown et al. 1993), word by word; nothing where they tie."""
    given: list[list[str | None]] = [[None, *source] for source, _ in pairs]
    translations: dict[Any, float] = defaultdict(lambda: 1.0)
    positions: dict[Any, float] = defaultdict(lambda: 1.0)

    def scores(n: int, j: int) -> list[float]:
        target = pairs[n][1]
        lengths = len(given[n]), len(target)
        return [translations[word, target[j]] * positions[i, j, lengths] for i, word in enumerate(given[n])]

    for number in range(sum(passes)):
        counts: list[dict[Any, float]] = [defaultdict(float), defaultdict(float)]
        for n, (_, target) in enumerate(pairs):
            for j, word in enumerate(target):
                found = scores(n, j)
                for i, score in enumerate(found):
                    share = score / sum(found)
                    counts[0][given[n][i], word] += share
                    counts[1][i, j, (len(given[n]), len(target))] += share
        translations = normalized(counts[0], by=lambda key: key[0])
        if number >= passes[0]:
            positions = normalized(counts[1], by=lambda key: key[1:])

    best: list[dict[int, int] | None] = []
    for n, (_, target) in enumerate(pairs):
        all_scores = [scores(n, j) for j in range(len(target))]
        ties = any(sorted(found)[-1] < 1.001 * sorted(found)[-2] for found in all_scores)
        places = {j: found.index(max(found)) - 1 for j, found in enumerate(all_scores)}
        best.append(None if ties else {j: i for j, i in places.items() if i >= 0})
    return best


def normalized(counts: dict[Any, float], by: Any) -> dict[Any, float]:
    sums: dict[Any, float] = defaultdict(float)
    for key, count in counts.items():
        sums[by(key)] += count
    return {key: count / sums[by(key)] for key, count in counts.items()}


def test_model_2_is_that_of_the_definition(text: Text) -> None:
    pairs = [(s.split(), t.split()) for s, t in zip(*text, strict=True) if s and t][:150]
    forward = model_2(pairs, (3, 2))
    reverse = model_2([(t, s) for s, t in pairs], (3, 2))
    expected = alinea.symmetrize(
        [[(i, j) for j, i in (links or {}).items()] for links in forward],
        [list((links or {}).items()) for links in reverse],
        "grow-diag-final-and",
    )
    source, target = zip(*pairs, strict=True)
    found = alinea.align(source, target, model="ibm2", iterations="ibm1:3,ibm2:2")
    clear = [n for n in range(len(pairs)) if forward[n] is not None and reverse[n] is not None]
    assert len(clear) > 100
    assert [found[n].tolist() for n in clear] == [expected[n].tolist() for n in clear]


@pytest.mark.parametrize(
    ("model", "iterations"),
    [(model, None) for model in get_args(alinea.ChainModel)]
    + [("ibm4", "ibm1:5,hmm:5,ibm3:3,ibm4:3"), ("ibm3", "ibm1:2,ibm2:2,ibm3:2"), ("hmm", "hmm:2, ibm1:3")],
)
def test_links_are_those_of_the_command(
    answer: Callable[..., str], files: tuple[Path, Path], model: Any, iterations: str | None
) -> None:
    source, target = files
    options = ["--iterations", iterations] if iterations else []
    written = answer("align", source, target, "--model", model, *options)
    links = alinea.align(source, target, model=model, iterations=iterations)
    assert ["".join(f" {i}-{j}" for i, j in pair.tolist())[1:] for pair in links] == written.splitlines()


@pytest.mark.parametrize("model", get_args(alinea.ChainModel))
@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (["--threshold", "0.3"], {"threshold": 0.3}),
        (["--objective", "f:0.5"], {"objective": "f:0.5"}),
        (["--objective", "precision:0.8"], {"objective": "precision:0.8"}),
    ],
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_thresholds_are_those_of_the_command(
    answer: Callable[..., str], files: tuple[Path, Path], model: Any, arguments: list[str], options: dict[str, Any]
) -> None:
    source, target = files
    written = answer("align", source, target, "--model", model, *arguments)
    links = alinea.align(source, target, model=model, **options)
    assert ["".join(f" {i}-{j}" for i, j in pair.tolist())[1:] for pair in links] == written.splitlines()


@pytest.mark.parametrize("model", ["agreement-loo", "hmm", "diagonal", "ibm4"])
def test_posteriors_are_those_of_the_command(
    answer: Callable[..., str], files: tuple[Path, Path], model: Any, tmp_path: Path
) -> None:
    source, target = files
    answer("align", source, target, "--model", model, "--posteriors", tmp_path / "posteriors")
    found = alinea.posteriors(source, target, model=model)
    written = [line.split() for line in (tmp_path / "posteriors").read_text().splitlines()]
    assert [len(pair) for pair in written] == [len(pair) for pair in found.links]
    links = [link.partition(":") for pair in written for link in pair]
    assert [link for link, _, _ in links] == [f"{i}-{j}" for i, j in found.links.rows.tolist()]
    assert found.confidences.tolist() == pytest.approx([float(number) for _, _, number in links], abs=1e-4)
    assert alinea.posteriors(source, target, model=model, least=0.6).links == alinea.align(
        source, target, model=model, threshold=0.6
    )


def test_calibrated_posteriors_are_those_of_the_command(
    answer: Callable[..., str], files: tuple[Path, Path], tmp_path: Path
) -> None:
    source, target = files
    answer("align", source, target, "--posteriors", tmp_path / "posteriors", "--calibrated", "possible")
    raw, found = alinea.posteriors(source, target), alinea.posteriors(source, target, calibrated="possible")
    written = [link.partition(":") for link in (tmp_path / "posteriors").read_text().split()]
    assert found.confidences.tolist() == pytest.approx([float(number) for _, _, number in written], abs=1e-4)
    assert found.links == raw.links
    assert found.confidences.tolist() != raw.confidences.tolist()
    sure = alinea.posteriors(source, target, calibrated="sure")
    assert (sure.links, sure.confidences.tolist()) == (raw.links, raw.confidences.tolist())
    with pytest.raises(
        alinea.ConfigError, match="calibrated is for the models agreement-loo and quality, not for agreement"
    ):
        alinea.posteriors(source, target, model="agreement", calibrated="sure")
    with pytest.raises(
        alinea.ConfigError, match="calibrated is for the models agreement-loo and quality, not for ibm3"
    ):
        alinea.posteriors(source, target, model="ibm3", calibrated="possible")


def test_classes_are_given_or_learned(answer: Callable[..., str], tmp_path: Path) -> None:
    source, target = tmp_path / "s", tmp_path / "t"
    for file, side in ((source, "en"), (target, "fr")):
        lines = (SAMPLE / f"en-fr.{side}").read_text(encoding="utf-8").splitlines(keepends=True)
        file.write_text("".join(lines[:20]), encoding="utf-8")
    given = alinea.classes(source, classes=8), alinea.classes(target, classes=8)
    files = tmp_path / "en.classes", tmp_path / "fr.classes"
    for file, classes in zip(files, given, strict=True):
        file.write_text("".join(f"{word}\t{number}\n" for word, number in classes.numbers.items()))
    options = ["--pegging", "--source-classes", files[0], "--target-classes", files[1]]
    written = answer("align", source, target, "--model", "ibm4", *options)
    model: Any = "ibm4"
    for first, second in (given, files, [classes.numbers for classes in given]):
        links = alinea.align(source, target, model=model, pegging=True, source_classes=first, target_classes=second)
        assert ["".join(f" {i}-{j}" for i, j in pair.tolist())[1:] for pair in links] == written.splitlines()
    with pytest.warns(UserWarning, match=r"^1 of 2 target words have no class: they share one of their own$"):
        alinea.align(["a b"], ["x y"], model=model, source_classes={"a": 1, "b": 1}, target_classes={"x": 5})


@pytest.mark.parametrize(
    ("model", "options", "error"),
    [
        ("ibm2", {"pegging": True}, alinea.ConfigError),
        ("default", {"pegging": True}, alinea.ConfigError),
        ("ibm3", {"source_classes": {"a": 1}, "target_classes": {"x": 1}}, alinea.ConfigError),
        ("ibm4", {"source_classes": {"a": 1}}, ValueError),
        ("ibm4", {"source_classes": {}, "target_classes": {"x": 1}}, alinea.Error),
        ("ibm4", {"source_classes": "file", "target_classes": "file"}, TypeError),
        ("ibm4", {"threshold": 1.5}, alinea.ConfigError),
        ("ibm4", {"threshold": 0.5, "objective": "aer"}, alinea.ConfigError),
    ],
)
def test_what_a_model_has_no_use_for_is_refused(model: Any, options: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        alinea.align(["a"], ["x"], model=model, **options)


def test_one_number_is_that_of_every_model(text: Text) -> None:
    for model, chain in (("ibm2", "ibm1:2,ibm2:2"), ("diagonal", "diagonal:2"), ("ibm3", "ibm1:2,hmm:2,ibm3:2")):
        options: dict[str, Any] = {"model": model}
        assert alinea.align(*text, iterations=2, **options) == alinea.align(*text, iterations=chain, **options)
    assert alinea.align(*text, iterations="ibm1:2,hmm:3") == alinea.align(*text, iterations=(2, 3))


def test_threads_do_not_change_results(text: Text) -> None:
    assert alinea.align(*text, model="ibm4", threads=1) == alinea.align(*text, model="ibm4", threads=3)


def test_added_text_is_learned_from(text: Text) -> None:
    rest = (text[0][100:], text[1][100:])
    links = alinea.align(text[0][:100], text[1][:100], model="ibm2", added=[rest], weight=1)
    assert links == alinea.align(*text, model="ibm2")[:100]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"iterations": "ibm1:5,hmm:5"},
            "iterations = ibm1:5,hmm:5: must be passes that end with the model itself",
        ),
        ({"iterations": "ibm1:5"}, "iterations = ibm1:5: must be passes that end with the model itself"),
        ({"iterations": "5"}, "iterations = `5`: must be a model and its passes such as ibm1:5"),
        ({"iterations": 0}, "iterations = ibm1:0,hmm:0,ibm3:0: must be 1 to 1000 passes of each model"),
        ({"iterations": -1}, "iterations = -1: must be 1 to 1000 passes of each model"),
        ({"iterations": (5, 5)}, "iterations = ibm1:5,hmm:5: must be passes that end with the model itself"),
        (
            {"dictionary": [("a", "b")]},
            "dictionary is for the models agreement-loo, quality and agreement, not for ibm3",
        ),
        ({"links": ["0-0"]}, "links is for the models agreement-loo, quality, agreement and hmm, not for ibm3"),
    ],
)
def test_options_that_do_not_fit_a_chain_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(alinea.ConfigError) as caught:
        alinea.align(["a"], ["x"], model="ibm3", **options)
    assert str(caught.value).startswith(message)
    assert caught.value.field == next(iter(options))


@pytest.mark.parametrize(
    ("iterations", "message"),
    [
        ("ibm1:5,ibm3:3", "iterations = ibm1:5,ibm3:3: must be passes of ibm1 and hmm only"),
        ("hmm:1,hmm:2", "iterations = `hmm:2`: must be passes of each model once"),
        ("ibm1", "iterations = `ibm1`: must be a model and its passes such as ibm1:5"),
        ("5", "iterations = `5`: must be a model and its passes such as ibm1:5"),
    ],
)
def test_named_passes_of_other_models_are_refused(iterations: str, message: str) -> None:
    with pytest.raises(alinea.ConfigError) as caught:
        alinea.align(["a"], ["x"], iterations=iterations)
    assert str(caught.value).startswith(message)


def test_models_have_the_names_of_the_library() -> None:
    model: Any = "ibm9"
    with pytest.raises(alinea.ConfigError) as caught:
        alinea.align(["a"], ["x"], model=model)
    names = set(caught.value.allowed.replace(" or ", ", ").split(", "))
    assert names == {*get_args(alinea.Model), *get_args(alinea.ChainModel)}


def test_chains_cannot_be_written(tmp_path: Path) -> None:
    model: Any = "ibm4"
    with pytest.raises(
        alinea.ConfigError,
        match=r"^train is for the models agreement-loo, quality, agreement, hmm and ibm1, not for ibm4$",
    ):
        alinea.train(["a"], ["x"], tmp_path / "model", model=model)
    with pytest.raises(alinea.ConfigError, match=r"^train is for the models .* not for ibm4$") as caught:
        alinea.train(["a"], ["x"], model=model)
    assert (caught.value.field, caught.value.value) == ("model", "ibm4")


def test_scores_are_those_of_the_command(answer: Callable[..., str], files: tuple[Path, Path], tmp_path: Path) -> None:
    for file, rest in zip(files, ("\na\n", "x\n\n"), strict=True):
        file.write_text("".join(file.read_text(encoding="utf-8").splitlines(keepends=True)[:60]) + rest)
    models = [*get_args(alinea.Model)[:-1], *get_args(alinea.ChainModel)]
    for model in models:
        written = tmp_path / model
        answer("align", *files, "--model", model, "--scores", written)
        of_command = [
            [float(word) for word in line.split()] or [np.nan] * 2 for line in written.read_text().splitlines()
        ]
        found = alinea.scores(*files, model=model, threads=2)
        np.testing.assert_allclose(found, of_command, atol=5e-5, err_msg=model)
        assert np.isnan(found[-2:]).all()
        assert (found[:-2] < 0).all()

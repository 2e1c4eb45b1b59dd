"""Gold links, from which the decision about links is learned, against the command."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

import alinea

SAMPLE = Path(__file__).parents[2] / "crates/alinea-cli/sample"
GOLD = 50
SOURCE, TARGET = SAMPLE / "en-fr.en", SAMPLE / "en-fr.fr"


@pytest.fixture(scope="module")
def hand(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gold links of the first pairs."""
    path = tmp_path_factory.mktemp("gold") / "hand"
    path.write_text("".join((SAMPLE / "en-fr.gold").read_text().splitlines(keepends=True)[:GOLD]))
    return path


def pharaoh(links: Iterable[alinea.LinkArray]) -> str:
    return "".join(" ".join(f"{i}-{j}" for i, j in pair.tolist()) + "\n" for pair in links)


def test_links_are_those_of_the_command(answer: Callable[..., str], hand: Path) -> None:
    written = answer("align", SOURCE, TARGET, "--gold", hand)
    links = alinea.align(SOURCE, TARGET, gold=hand)
    assert pharaoh(links) == written
    lines = hand.read_text().splitlines()
    given = [alinea.parse_pharaoh(line) for line in lines]
    assert pharaoh(alinea.align(SOURCE, TARGET, gold=given, threads=3)) == written
    assert written != answer("align", SOURCE, TARGET)
    confidences = alinea.posteriors(SOURCE, TARGET, gold=hand, calibrated="possible")
    assert confidences.links == alinea.posteriors(SOURCE, TARGET, gold=hand).links


def test_models_keep_what_they_learned(answer: Callable[..., str], hand: Path, tmp_path: Path) -> None:
    model = alinea.train(SOURCE, TARGET, tmp_path / "model", gold=hand)
    assert model.signature.endswith(f"|links:{GOLD}|gold:{GOLD}")
    own = alinea.align(SOURCE, TARGET, gold=hand)
    assert pharaoh(model.align(SOURCE, TARGET)).splitlines()[GOLD:] == pharaoh(own).splitlines()[GOLD:]
    texts = [path.read_text().splitlines() for path in (SOURCE, TARGET)]
    batches = [links for batch in model.align_batches([(texts[0], texts[1])]) for links in batch]
    assert [links.tolist() for links in batches] == [links.tolist() for links in model.align(SOURCE, TARGET)]
    assert pharaoh(model.align(SOURCE, TARGET)) == answer("align", SOURCE, TARGET, "-m", tmp_path / "model")


def test_models_learn_from_new_text(answer: Callable[..., str], hand: Path, tmp_path: Path) -> None:
    model = alinea.train(SOURCE, TARGET, tmp_path / "model")
    for options, words in (({}, ()), ({"adapt": 2}, ("--adapt", 2))):
        more: dict[str, Any] = options
        written = answer("align", SOURCE, TARGET, "-m", tmp_path / "model", "--gold", hand, *words)
        assert pharaoh(model.align(SOURCE, TARGET, gold=hand, **more)) == written
    adapted = model.adapt(SOURCE, TARGET, 2, gold=hand)
    assert f"|gold:{GOLD}" in adapted.signature


def test_words_may_be_left_out_on_purpose(answer: Callable[..., str], hand: Path) -> None:
    written = answer("align", SOURCE, TARGET, "--gold", hand, "--annotated-only")
    assert pharaoh(alinea.align(SOURCE, TARGET, gold=hand, annotated_only=True)) == written


def test_what_teaches_nothing_is_warned_of() -> None:
    own = [links.tolist() for links in alinea.align(SOURCE, TARGET)]
    given = [[(int(i), int(j)) for i, j in links] for links in own[:GOLD]]
    message = "^cross-validation on the gold links of 50 sentence pairs finds no improvement"
    with pytest.warns(UserWarning, match=message) as caught:
        alinea.align(SOURCE, TARGET, gold=given)
    assert [warning.filename for warning in caught] == [__file__]


def test_what_cannot_be_learned_from_is_refused(tmp_path: Path) -> None:
    text = ["a b", "c d", "e"], ["x y", "z w", "v"]
    null = tmp_path / "null"
    null.write_text("\n\n")
    arguments: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"gold": ["0-0"]}, alinea.ConfigError, "gold = links of 1 sentence pair: must be links of 2 pairs or more"),
        ({"gold": ["0p0", "0p0"]}, alinea.ConfigError, "gold = no sure link: must be some sure links"),
        ({"gold": ["0-0", "0-0"], "model": "hmm"}, alinea.Error, "gold is for the models agreement-loo and quality"),
        ({"gold": ["0-0", "5-0"]}, alinea.Error, "5-0"),
        ({"gold": ["0-0"] * 4}, alinea.Error, "4"),
        ({"gold": null}, alinea.Error, "has no links: gold links of 2 sentence pairs or more are needed"),
        ({"gold": ["0-0", "0-0"], "symmetrize": "union"}, alinea.ConfigError, "unset if gold links are learned from"),
        ({"gold": ["0-0", "0-0"], "checkpoint": null}, alinea.ConfigError, "unset with word vectors or gold links"),
    ]
    for options, error, message in arguments:
        with pytest.raises(error, match=message):
            alinea.align(*text, **options)

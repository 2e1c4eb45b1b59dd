"""Tables of translations, and classes of words."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from vector_files import vectors

import alinea

# Worked out by hand: c(the, la) = 2, c(the, empty) = 1, c(House, maison) = 1, c(flower, fleur) = 1,
# c(flower, fanée) = 1, c(end, fin) = 1, c(empty, .) = 1.
SOURCE = ["the House", "the\tflower", "the end"]
TARGET = ["la maison", "la fleur  fanée", "fin ."]
LINKS = ["0-0 1-1", "0-0 1-1 1-2", "1-0"]
TABLE: list[tuple[str | None, str | None, float, int]] = [
    (None, ".", 1.0, 1),
    ("the", "la", 2 / 3, 2),
    ("the", None, 1 / 3, 1),
    ("flower", "fleur", 0.5, 1),
    ("flower", "fanée", 0.5, 1),
    ("House", "maison", 1.0, 1),
    ("end", "fin", 1.0, 1),
]


def test_probabilities_are_shares_of_links() -> None:
    words = [entry for entry in TABLE if entry[0] and entry[1]]
    assert alinea.lexicon(SOURCE, TARGET, LINKS) == words
    assert alinea.lexicon(SOURCE, TARGET, LINKS, empty_word=True) == TABLE
    assert alinea.lexicon(SOURCE, pa.array(TARGET), pa.array(LINKS), least=0.51) == [words[0], *words[3:]]
    assert alinea.lexicon(SOURCE, TARGET, LINKS, best=1) == [*words[:2], *words[3:]]
    assert alinea.lexicon(SOURCE, TARGET, LINKS, lowercase=True)[-2].word == "house"
    assert alinea.lexicon([], [], []) == []


@vectors("lexical.jsonl", "lexical")
def test_lexical_tables_are_those_of_moses(vector: dict[str, Any]) -> None:
    text = [vector["input"][name] for name in ("source", "target", "links")]
    for reverse, name in ((False, "f2e"), (True, "e2f")):
        found = alinea.lexicon(*text, reverse=reverse, empty_word=True)
        lines = [f"{one.translation or 'NULL'} {one.word or 'NULL'} {one.probability:.7f}" for one in found]
        assert sorted(lines) == vector["expect"][name]


def test_what_does_not_fit_a_table_is_refused() -> None:
    with pytest.raises(alinea.Error, match=r"^unequal lengths: links has 2 lines, source has 3$"):
        alinea.lexicon(SOURCE, TARGET, LINKS[:2])
    with pytest.raises(alinea.Error, match=r"^unequal lengths: source has 3 lines, target has 2$"):
        alinea.lexicon(SOURCE, TARGET[:2], LINKS)
    with pytest.raises(alinea.Error, match=r"^links\[1\]: link 0-9 "):
        alinea.lexicon(SOURCE, TARGET, ["", "0-9", ""])
    for option, value in (("best", 0), ("best", -1), ("least", 1.5), ("least", -0.1), ("least", math.nan)):
        options: dict[str, Any] = {option: value}
        with pytest.raises(alinea.ConfigError, match=f"^{option} = "):
            alinea.lexicon(SOURCE, TARGET, LINKS, **options)


# Articles, nouns and verbs in their places.
TEXT = ["The dog sees a cat", "a cat sees the Dog", "", "the cat hears a dog", "a dog hears the cat"]


def test_words_in_the_same_places_are_in_one_class() -> None:
    found = alinea.classes(TEXT, classes=3)
    groups = {frozenset(word for word in found.numbers if found.numbers[word] == n) for n in (1, 2, 3)}
    assert groups == {frozenset({"a", "the"}), frozenset({"cat", "dog"}), frozenset({"hears", "sees"})}
    assert list(found.numbers) == ["a", "cat", "dog", "hears", "sees", "the"]
    # The verbs are fewest.
    assert found.numbers["sees"] == 3
    # Three classes of two words, each as likely as the other; each class has one follower, but nouns are followed by a
    # verb or by the end: 4 sentences of 5 words, ln 2 each, and 2 ln 2 for what follows the nouns.
    likelihood = -28 * math.log(2)
    assert found.log_likelihood == pytest.approx(likelihood, abs=1e-5)
    assert found.perplexity == pytest.approx(math.exp(-likelihood / 24), abs=1e-6)
    assert found.converged
    assert found.signature.startswith("exchange|classes:3|cooling:40|passes:10|")


def test_classes_are_learned_from_files_and_words(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("\n".join(TEXT))
    assert alinea.classes(path, classes=3) == alinea.classes([line.split() for line in TEXT], classes=3, threads=2)
    assert set(alinea.classes(path, lowercase=False).numbers) == {"The", "Dog", *" ".join(TEXT[1:]).split()}
    assert not alinea.classes(path, classes=3, cooling=0, passes=0).converged


def test_classes_may_begin_with_others(answer: Callable[..., str], tmp_path: Path) -> None:
    text, start = tmp_path / "text", tmp_path / "start"
    text.write_text("\n".join(TEXT))
    # As mkcls numbers them; `the` is left out, and begins with the most words, the nouns and verbs.
    start.write_text("a\t2\ncat\t3\ndog\t3\nhears\t3\nsees\t3\n")
    for passes in (0, 10):
        written = answer("classes", text, "--start", start, "--passes", passes)
        with pytest.warns(UserWarning, match=r"^1 of 6 words are not in start: they begin in the class that has most"):
            found = alinea.classes(text, start=start, passes=passes)
        assert "".join(f"{word}\t{number}\n" for word, number in found.numbers.items()) == written
        numbers = {"a": 2, "cat": 3, "dog": 3, "hears": 3, "sees": 3}
        with pytest.warns(UserWarning, match="not in start"):
            again = alinea.classes(TEXT, start=numbers, passes=passes)
        assert again == found
    stay = alinea.classes(text, start=found, passes=0)
    assert stay.numbers == found.numbers
    assert stay.log_likelihood == pytest.approx(found.log_likelihood)
    with pytest.raises(ValueError, match="start"):
        alinea.classes(TEXT, start=found, classes=3)
    with pytest.raises(alinea.Error):
        alinea.classes(TEXT, start={})
    with pytest.raises(FileNotFoundError):
        alinea.classes(TEXT, start=tmp_path / "none")


def test_classes_of_nothing_are_refused() -> None:
    with pytest.raises(alinea.Error, match=r"^no words to put into classes$"):
        alinea.classes(["", ""])
    for option, value in (("classes", 0), ("classes", 2001), ("cooling", -1), ("passes", 2**32), ("threads", -1)):
        options: dict[str, Any] = {option: value}
        with pytest.raises(alinea.ConfigError, match=f"^{option} = {value}: must be "):
            alinea.classes(TEXT, **options)

"""How words are translated."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from browsers import Open, picture
from playwright.sync_api import expect

import alinea

SOURCE = ["The house is old", "the House sits", "he does not sell the house", "a house !"]
TARGET = ["La maison est vieille", "la Chambre siège", "il ne vend pas la maison", "une demeure ancienne"]
LINKS = ["0-0 1-1 2-2 3-3", "0-0 1-1 2-2", "0-0 1-1 2-1 2-3 3-2 4-4 5-5", "0-0"]
EVIL = "</script><script>alert(1)</script>"
PHONE = {"width": 360, "height": 740}


def listed(word: alinea.Headword) -> list[tuple[str, int]]:
    return [(found.words, found.count) for found in word.translations]


def test_words_have_translations_with_examples() -> None:
    found = alinea.concordance(SOURCE, TARGET, LINKS, "HOUSE", ids=["a", "b", "", "d"])
    (house,) = found
    assert (house.word, house.count, house.untranslated, found.missing) == ("house", 4, 1, [])
    assert listed(house) == [("maison", 2), ("Chambre", 1)]
    assert (found.pairs, found.words) == (4, 16)
    first, second = house.translations[0].examples
    assert (first.pair, first.id, first.source_places, first.target_places) == (0, "a", [1], [1])
    assert (second.pair, second.id, second.target[second.target_places[0]]) == (2, None, "maison")
    assert house.untranslated_examples[0].target_places == []
    assert all(translation.confidence is None for translation in house.translations)
    (pas,) = alinea.concordance(SOURCE, TARGET, LINKS, "pas", side="target", examples=0)
    assert listed(pas) == [("not", 1)]
    assert pas.translations[0].examples == []


def test_queries_are_words_phrases_and_expressions() -> None:
    words = [word.word for word in alinea.concordance(SOURCE, TARGET, LINKS, ["h.*", "zz"], regex=True)]
    assert words == ["house", "he"]
    found = alinea.concordance(SOURCE, TARGET, LINKS, ["the house", "zebra"])
    assert listed(found[0]) == [("la maison", 2), ("la Chambre", 1)]
    assert found.missing == ["zebra"]
    assert [word.word for word in alinea.concordance(SOURCE, TARGET, LINKS, "House", case=True)] == ["House"]
    dictionary = alinea.concordance(SOURCE, TARGET, LINKS, min_count=2, top=1)
    assert [(word.word, listed(word)) for word in dictionary] == [("house", [("maison", 2)]), ("the", [("la", 3)])]
    assert (dictionary[0].other_translations, dictionary[0].other_count) == (1, 1)
    lemmas = [["the", "house", "be", "old"], *SOURCE[1:]]
    (be,) = alinea.concordance(SOURCE, TARGET, LINKS, "be", source_lemmas=lemmas)
    assert listed(be) == [("est", 1)]
    assert be.translations[0].examples[0].source == SOURCE[0].split()


def test_the_command_finds_the_same(answer: Callable[..., str], tmp_path: Path) -> None:
    weights = np.linspace(0.3, 1, sum(len(line.split()) for line in LINKS), dtype=np.float32)
    given = alinea.Posteriors(alinea.LinkColumn.of(LINKS), weights)
    flat = iter(weights)
    lines = [" ".join(f"{link}:{next(flat)}" for link in line.split()) for line in LINKS]
    for name, text in (("s", SOURCE), ("t", TARGET), ("links", lines)):
        (tmp_path / name).write_text("\n".join(text) + "\n", encoding="utf-8")
    for rank in ("count", "g2", "dice"):
        found = alinea.concordance(SOURCE, TARGET, given, rank=rank, examples=1)
        files = (tmp_path / "s", tmp_path / "t", "--links", tmp_path / "links")
        written = answer("concordance", *files, "--json", "--rank", rank, "--examples", 1)
        for word, line in zip(found, written.splitlines(), strict=True):
            entry = json.loads(line)
            assert (word.word, word.count, word.untranslated) == (
                entry["word"],
                entry["count"],
                entry["untranslated"]["count"],
            )
            for translation, other in zip(word.translations, entry["translations"], strict=True):
                assert (translation.words, translation.count) == (other["translation"], other["count"])
                assert translation.g2 == pytest.approx(other["g2"], abs=0.006)
                assert translation.confidence == pytest.approx(other["confidence"], abs=6e-5)
                assert translation.examples[0].pair == other["examples"][0]["pair"] - 1


def test_words_are_aligned_where_there_are_no_links() -> None:
    text = ["the house", "the flower", "a house"], ["la maison", "la fleur", "une maison"]
    (house,) = alinea.concordance(*text, word="house")
    assert listed(house) == [("maison", 2)]
    assert house.translations[0].confidence is not None
    (again,) = alinea.concordance(iter(text[0]), iter(text[1]), alinea.posteriors(*text), "house")
    assert again == house


def test_notebooks_show_tables() -> None:
    found = alinea.concordance([EVIL, "b"], [EVIL, "c"], ["0-0", ""])
    for shown in (
        found._repr_html_(),
        found[0]._repr_html_(),
        alinea.concordance([EVIL], [EVIL], ["0-0"], EVIL)._repr_html_(),
    ):
        assert "<table" in shown
        assert "<script" not in shown
    assert repr(found[1]) == "<Headword 'b', 1 times: not translated>"
    assert repr(found) == "<Concordance of 2 headwords in 2 sentence pairs>"


def test_bad_input_is_refused() -> None:
    with pytest.raises(alinea.Error, match=r"^unequal lengths: source has 4 sentences, links has 1$"):
        alinea.concordance(SOURCE, TARGET, LINKS[:1])
    with pytest.raises(alinea.Error, match=r"^unequal lengths: source has 4 sentences, ids has 2$"):
        alinea.concordance(SOURCE, TARGET, LINKS, ids=["a", "b"])
    with pytest.raises(alinea.Error, match=r"pair 2.*0-9"):
        alinea.concordance(SOURCE, TARGET, ["", "0-9", "", ""])
    with pytest.raises(alinea.Error, match=r"^pair 1: 1 lemmas of 4 words$"):
        alinea.concordance(SOURCE, TARGET, LINKS, source_lemmas=["a", *SOURCE[1:]])
    with pytest.raises(alinea.Error, match=r"word = ho\(use: must be a regular expression: unclosed group$"):
        alinea.concordance(SOURCE, TARGET, LINKS, "ho(use", regex=True)
    with pytest.raises(alinea.ConfigError, match=r"^threshold = 2: must be 0 to 1$"):
        alinea.concordance(SOURCE, TARGET, LINKS, threshold=2)
    with pytest.raises(alinea.ConfigError, match=r"^rank = best: must be count, g2 or dice$"):
        alinea.concordance(SOURCE, TARGET, LINKS, rank="best")  # type: ignore[arg-type]
    with pytest.raises(alinea.ConfigError, match=r"^top = -1: must be 0 or more, or None$"):
        alinea.concordance(SOURCE, TARGET, LINKS, top=-1)


@pytest.fixture
def page(answer: Callable[..., str], tmp_path: Path) -> Path:
    """A dictionary with hostile words, and words that run from right to left."""
    source = [*SOURCE, EVIL, "book", "café"]
    target = [*TARGET, f"{EVIL} ]]>", "סֵפֶר", "coffee"]
    links = [*LINKS, "0-0 0-1", "0-0", "0-0"]
    for name, text in (("s", source), ("t", target), ("links", links)):
        (tmp_path / name).write_text("\n".join(text) + "\n", encoding="utf-8")
    files = (tmp_path / "s", tmp_path / "t", "--links", tmp_path / "links")
    answer("concordance", *files, "--examples", 2, "-o", tmp_path / "page.html")
    return tmp_path / "page.html"


def test_the_page_searches_words_and_translations(page: Path, show: Open) -> None:
    opened = show(page)
    words = opened.locator(".row .word")
    assert opened.locator("#count").inner_text() == "14 of 14 headwords"
    assert words.first.inner_text() == "house"
    assert opened.locator("#word").inner_text() == "house"
    assert opened.locator(".translation .words").all_inner_texts() == ["maison", "Chambre", "not translated"]
    assert opened.locator(".example mark").first.inner_text() == "house"
    search = opened.locator("#search")
    for query, expected in (
        ("CAFE", ["café"]),
        ("vend", ["sell"]),
        ("ne ... pas", ["not"]),
        ("ספר", ["book"]),
        ("zz", []),
    ):
        search.fill(query)
        assert words.all_inner_texts() == expected, query
    search.fill("ספר")
    expect(opened.locator(".translation .words")).to_have_css("direction", "rtl")
    search.fill("script")
    assert words.all_inner_texts() == [EVIL]
    assert opened.locator(".translation .words").first.inner_text() == f"{EVIL} ]]>"
    search.fill("maison")
    opened.locator("#within").select_option("words")
    assert words.all_inner_texts() == []
    search.fill("")
    opened.locator("#sort").select_option("word")
    assert words.all_inner_texts().index("café") < words.all_inner_texts().index("house")
    picture(opened, "concordance")


def test_the_page_fits_a_phone_and_the_dark(page: Path, show: Open) -> None:
    opened = show(page, PHONE, phone=True, dark=True)
    expect(opened.locator("#word-pane")).to_be_hidden()
    opened.locator(".row").first.tap()
    expect(opened.locator("#list-pane")).to_be_hidden()
    expect(opened.locator("#word")).to_have_text("house")
    assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert opened.evaluate("document.querySelector('.translation .words').getClientRects().length") == 1
    assert opened.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(21, 23, 26)"
    picture(opened, "concordance-phone")
    opened.locator("#back").tap()
    expect(opened.locator("#list-pane")).to_be_visible()
    named = show(page, pair="#not")
    assert named.locator("#word").inner_text() == "not"


def test_a_large_dictionary_draws_what_is_seen(answer: Callable[..., str], tmp_path: Path, show: Open) -> None:
    words = [f"w{number}" for number in range(50_000)]
    for name, text in (("s", words), ("t", words), ("links", ["0-0"] * len(words))):
        (tmp_path / name).write_text("\n".join(text) + "\n", encoding="utf-8")
    files = (tmp_path / "s", tmp_path / "t", "--links", tmp_path / "links")
    answer("concordance", *files, "-o", tmp_path / "page.html")
    opened = show(tmp_path / "page.html")
    assert opened.locator("#count").inner_text() == "50,000 of 50,000 headwords"
    assert 0 < opened.locator(".row").count() < 60
    opened.locator("#search").fill("w49999")
    assert opened.locator(".row .word").all_inner_texts() == ["w49999"]
    opened.locator("#search").fill("")
    opened.locator("#list").evaluate("list => { list.scrollTop = list.scrollHeight; }")
    expect(opened.locator(".row .word").last).to_have_text("w9999")

"""What notebooks show: HTML of results, pictures and pages."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, get_args
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from browsers import Open
from browsers import picture as screenshot
from playwright.sync_api import expect

import alinea
from alinea import metrics, nltk, reorder
from alinea._show import PictureFormat

pytestmark = pytest.mark.filterwarnings("ignore::alinea.metrics.FewSegmentsWarning")

SAMPLE = Path(__file__).parents[2] / "crates" / "alinea-cli" / "sample"
EVIL = "<script>alert('&\"')</script>"
GOLD = ["0-0 1-1 1-2", "0-0 1p1"] * 30
LINKS = ["0-0 1-1 2-2", "0-0 1-1"] * 30
SOURCE, TARGET = ["a b c", "d e"] * 30, ["x y z", "v w"] * 30
ORDERS = [[0, 2, 1], [1, 0]] * 30

# No name of a color is among these.
STYLES = {
    "border-collapse": {"collapse"},
    "border": {"1px solid currentColor"},
    "border-bottom": {"1px solid currentColor"},
    "box-sizing": {"border-box"},
    "line-height": {"1.2"},
    "margin": {".3em 0"},
    "opacity": {".7"},
    "overflow-wrap": {"anywhere"},
    "overflow-x": {"auto"},
    "padding": {".1em .8em", ".2em .8em"},
    "text-align": {"left", "right"},
    "white-space": {"pre-line"},
}


class Reader(HTMLParser):
    """Reads HTML whose elements must all end, in order, and looks at their styles."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.cells: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.tags.append(tag)
        if tag in {"td", "th"}:
            self.cells.append("")
        for name, value in attrs:
            assert name in {"style", "scope"}, name
            for declaration in (value or "").split(";") if name == "style" else ():
                key, _, setting = declaration.partition(":")
                assert setting in STYLES[key], declaration

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        if self.open and self.open[-1] in {"td", "th"}:
            self.cells[-1] += data


def read(result: Any) -> Reader:
    shown = result._repr_html_()
    reader = Reader()
    reader.feed(shown)
    reader.close()
    assert reader.open == []
    assert "script" not in reader.tags
    assert len(shown) < 8000
    return reader


def systems() -> dict[str, list[str]]:
    return {EVIL: ["the cat sat on a mat", "it rains"], "new": ["the cat sat on the mat", "it is raining"]}


REFERENCES = ["the cat sat on the mat", "it is raining again"]

RESULTS: dict[str, Callable[[], Any]] = {
    "links": lambda: alinea.LinkColumn.of(LINKS, name=EVIL),
    "phrases": lambda: alinea.phrases(SOURCE, TARGET, LINKS),
    "offsets": lambda: alinea.word_offsets(SOURCE),
    "gold": lambda: alinea.GoldAlignment([(0, 0)], [(1, 1), (1, 2)]),
    "posteriors": lambda: alinea.posteriors(SOURCE, TARGET),
    "directions": lambda: alinea.align(SOURCE, TARGET, directions=True),
    "model": lambda: alinea.train(SOURCE, TARGET),
    "classes": lambda: alinea.classes([f"{EVIL} b c"] * 9, lowercase=False),
    "model of word order": lambda: reorder.train(SOURCE, LINKS, engine="btg"),
    "scores of orders": lambda: reorder.GoldStandard(SOURCE, LINKS).evaluate(ORDERS, samples=20),
    "scores of orders without intervals": lambda: reorder.GoldStandard(SOURCE, LINKS).evaluate(ORDERS, samples=0),
    "scores of the source order": lambda: reorder.GoldStandard(SOURCE, LINKS).evaluate(ORDERS, samples=0).baseline,
    "evaluation": lambda: alinea.evaluate(GOLD, LINKS),
    "evaluation with intervals": lambda: alinea.evaluate(GOLD, LINKS, samples=20),
    "evaluation of nothing": lambda: alinea.evaluate([""], [""]),
    "comparison": lambda: alinea.compare(GOLD, LINKS, GOLD, samples=20),
    "comparison of the same": lambda: alinea.compare(GOLD, GOLD, GOLD, samples=20),
    "breakdown": lambda: alinea.breakdown(GOLD, LINKS, tags=[[EVIL, "B", "A"], ["B", "A"]] * 30),
    "gains": lambda: alinea.gains(GOLD, LINKS, GOLD, samples=20),
    "agreement": lambda: alinea.agreement({EVIL: GOLD, "ben": LINKS, "carl": LINKS}, lengths=[(3, 3), (2, 2)] * 30),
    "score": lambda: metrics.bleu(systems()["new"], references=REFERENCES, confidence=20, segments=True),
    "scores": lambda: metrics.compare(systems(), references=REFERENCES, samples=20),
    "correlation": lambda: metrics.correlate({EVIL: [1, 2, 4, 3], "b": [1, 3, 2, 4]}, human=[1, 2, 3, 4], samples=20,
                                             coefficient="pearson"),
}  # fmt: skip
EVIL_RESULTS = {"links", "classes", "breakdown", "agreement", "scores", "correlation"}


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_tables_that_any_theme_can_show(name: str) -> None:
    shown = read(RESULTS[name]())
    assert "table" in shown.tags
    assert (EVIL in " ".join(shown.texts)) == (name in EVIL_RESULTS)


def test_a_column_shows_its_first_rows() -> None:
    lines = [f"{n}-{n + 1} {n}-{n + 2}" for n in range(420)]
    shown = read(alinea.LinkColumn.of(lines))
    assert shown.cells == [text for n in range(10) for text in (str(n), lines[n])]
    assert "… 410 more" in shown.texts
    assert "LinkColumn of 420 sentence pairs, 840 rows" in shown.texts
    short = read(alinea.LinkColumn.of(lines[:10]))
    assert "more" not in " ".join(short.texts)
    (long,) = read(alinea.LinkColumn.of([" ".join(f"{n}-0" for n in range(100))])).cells[1:]
    assert long == " ".join(f"{n}-0" for n in range(30)) + " … 70 more"
    found = alinea.Posteriors(alinea.LinkColumn.of(["0-0 1-1", "0-0"]), np.array([0.25, 0.5, 1], dtype=np.float32))
    assert read(found).cells == ["0", "0-0:0.25 1-1:0.50", "1", "0-0:1.00"]


def test_tables_have_the_scores() -> None:
    # Of 4 links 2 are sure and 1 is possible, of 3 sure ones 1 is missed.
    found = alinea.evaluate(["0-0 1-1 2-2", "0p0"], ["0-0 1-1 1-2", "0-0"])
    cells = read(found).cells
    assert cells == ["", "percent", "precision", "75.00", "recall", "66.67", "F", "70.59", "AER", "28.57"]
    nothing = read(alinea.evaluate([""], [""])).cells
    assert nothing[3::2] == ["–"] * 4
    compared = read(alinea.compare(["0-0 1-1"] * 9, ["0-0"] * 9, ["0-0 1-1"] * 9, samples=10)).cells
    row = compared.index("recall")
    assert compared[row : row + 5] == ["recall", "50.00", "100.00", "50.00", "[50.00, 50.00]"]


def test_gold_standards_show_what_is_only_possible(tmp_path: Path) -> None:
    gold = alinea.GoldAlignment([(1, 1), (0, 0)], [(0, 0), (0, 10), (0, 2)])
    shown = read(gold)
    assert shown.cells == ["sure", "0-0 1-1", "only possible", "0-2 0-10"]
    assert "GoldAlignment of 4 links" in shown.texts
    many = read(alinea.GoldAlignment([(n, n) for n in range(40)]))
    assert many.cells[1] == " ".join(f"{n}-{n}" for n in range(30)) + " … 10 more"
    path = tmp_path / "links"
    path.write_text("0-0:0.25 1p2\n\n" + " ".join(f"{n}-0" for n in range(40)) + "\n" * 20)
    links = alinea.read_links(path)
    assert repr(links) == "<LinkFile of 22 sentence pairs, 42 links, 1 only possible, weights>"
    with pytest.raises(TypeError, match=r"not LinkFile \(pass its \.links, or its \.gold\(\)\)$"):
        alinea.evaluate(links, links)  # type: ignore[arg-type]
    shown = read(links)
    assert shown.cells[:4] == ["0", "0-0:0.25 1p2", "1", ""]
    assert shown.cells[5] == " ".join(f"{n}-0" for n in range(30)) + " … 10 more"
    assert "… 12 more" in shown.texts


def test_texts_are_not_printed_as_a_whole(tmp_path: Path) -> None:
    alinea.write_links(tmp_path / "links.jsonl", LINKS * 50, source=SOURCE * 50, target=TARGET * 50)
    links = alinea.read_links(tmp_path / "links.jsonl")
    assert repr(links) == "<LinkFile of 3,000 sentence pairs, 7,500 links, source, target>"
    words = [f"w{n}" for n in range(500)]
    classes = alinea.classes([words], classes=3, cooling=0, passes=0)
    assert re.fullmatch(r"<WordClasses of 500 words in 3 classes, perplexity [\d.]+>", repr(classes))
    members = [word for word, number in classes.numbers.items() if number == 1]
    assert read(classes).cells[3:6] == ["1", f"{len(members)}", f"{' '.join(members[:30])} … {len(members) - 30} more"]


def test_scores_of_orders_are_those_of_the_command(answer: Callable[..., str], tmp_path: Path) -> None:
    for name, lines in (("source", SOURCE), ("links", LINKS), ("new", [" ".join(map(str, o)) for o in ORDERS])):
        (tmp_path / name).write_text("\n".join([*lines, ""]))
    judging = ("reorder", "evaluate", tmp_path / "new", "--links", tmp_path / "links", "--source", tmp_path / "source")
    head, before, after, *_ = (
        line.split() for line in answer(*judging, "--bootstrap", 0).splitlines() if line and "scores" not in line
    )
    scores = reorder.GoldStandard(SOURCE, LINKS).evaluate(ORDERS, samples=0)
    cells = read(scores).cells
    table = [cells[start : start + 6] for start in range(6, len(cells), 6)]
    assert [row[0] for row in table] == head[1:]
    assert [row[1] for row in table] == after[1:]
    assert [row[3] for row in table] == before[1:]
    assert {row[2] for row in table} == {"–"}
    sampled = reorder.GoldStandard(SOURCE, LINKS).evaluate(ORDERS, samples=20)
    for row in sampled.rows():
        score, (low, high) = row["score"], (row["low"], row["high"])
        estimate = sampled.estimates[score]
        assert (low, high) == (estimate.interval or (None, None))
        assert row["difference"] == pytest.approx(sampled.differences[score].value)
        assert row["p_value"] == sampled.differences[score].p_value


def test_what_says_more_is_shown_by_the_command_too(answer: Callable[..., str], tmp_path: Path) -> None:
    files = {"gold": GOLD, "old": LINKS, "new": GOLD[::-1]}
    for name, lines in files.items():
        (tmp_path / name).write_text("\n".join([*lines, ""]))
    gold, old, new = (tmp_path / name for name in files)

    def check(found: Any, written: Any) -> None:
        """Whatever is here is there, under the same name."""
        if isinstance(found, dict):
            for key in found:
                check(found[key], written[key])
        elif isinstance(found, list):
            assert len(found) == len(written)
            for one, other in zip(found, written, strict=True):
                check(one, other)
        else:
            assert found == pytest.approx(written, abs=1e-12)

    def as_json(found: Any) -> Any:
        found = json.loads(json.dumps(found.to_dict(), allow_nan=False))
        if isinstance(found, dict):
            # What the command has in its panel.
            for one in (found, found.get("baseline", {}), found.get("system", {})):
                one.pop("annotations", None)
        return found

    command = ("evaluate", "--gold", gold, "--json", "--bootstrap", 100)
    check(as_json(alinea.evaluate(gold, old, samples=100)), json.loads(answer(*command, old)))
    written = json.loads(answer(*command, old, new))
    check(as_json(alinea.compare(gold, old, new, samples=100)), written)
    check(as_json(alinea.gains(gold, old, new, samples=100)), written["gains"])
    written = json.loads(answer("agreement", f"anna={old}", f"ben={new}", "--json"))
    check(as_json(alinea.agreement({"anna": old, "ben": new})), written["agreement"])
    (tmp_path / "reference").write_text("\n".join([*REFERENCES, ""]))
    (tmp_path / "system").write_text("\n".join([*systems()["new"], ""]))
    written = json.loads(answer("metric", tmp_path / "reference", "-i", tmp_path / "system", "--confidence", "--json"))
    found = as_json(metrics.bleu(tmp_path / "system", reference_streams=[tmp_path / "reference"], confidence=1000))
    del found["segments"]
    check(found, written["systems"][0]["scores"][0])


def test_sentences_are_pictures() -> None:
    pair = alinea.AlignedSentence(["das", EVIL], ["the", "house"], "0-0 1-1")
    assert pair._repr_svg_() == str(alinea.show(pair)) == pair.to_svg()
    for shown in (pair._repr_html_(), alinea.Alignment("0-0 1-2")._repr_html_() or ""):
        assert shown.startswith('<div style="overflow-x:auto"><svg ')
        picture = ElementTree.fromstring(shown)
        lines = picture.iter("{http://www.w3.org/2000/svg}line")
        assert len(list(lines)) == 2
    assert alinea.Alignment("0-0 1-2")._repr_svg_() is not None
    # Nobody would see anything.
    for far in ([(0, 4_000_000_000)], [(1000, None)], [(-1, 0)]):
        assert alinea.Alignment(far)._repr_svg_() is None
        assert alinea.Alignment(far)._repr_html_() is None


def test_graphviz_draws_into_notebooks(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = nltk.AlignedSent(["é"], ["x"], nltk.Alignment("0-0"))
    monkeypatch.setattr(nltk.AlignedSent, "_repr_svg_", lambda _: '<?xml version="1.0"?>\n<svg id="1"></svg>\n')
    assert pair._repr_html_() == '<div style="overflow-x:auto"><svg id="1"></svg>\n</div>'


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Text, links and a gold standard in files: the first 60 sentences of the sample."""
    names = {"source": "en-fr.en", "target": "en-fr.fr", "gold": "en-fr.gold"}
    for name, file in names.items():
        lines = (SAMPLE / file).read_text("utf-8").splitlines()[:60]
        (tmp_path / name).write_text("\n".join([*lines, ""]), "utf-8")
    halves = [line.replace("p", "-").split()[::2] for line in (tmp_path / "gold").read_text().splitlines()]
    (tmp_path / "links").write_text("\n".join([*map(" ".join, halves), ""]))
    return [tmp_path / name for name in ("source", "target", "links", "gold")]


@pytest.mark.parametrize("kind", ["svg", "grid", "interlinear", "dot"])
def test_pictures_are_those_of_view(answer: Callable[..., str], files: list[Path], kind: Any) -> None:
    source, target, links, gold = files
    for number in (1, 32):
        for more, standard in (([], None), (["--gold", gold], gold)):
            written = answer("view", source, target, links, "--line", number, "--format", kind, *more)
            picture = alinea.show(source, target, links, standard, line=number, format=kind)
            assert str(picture) == written
            assert (picture.format, picture.lines) == (kind, range(number, number + 1))
            assert (picture._repr_svg_() is not None) == (kind == "svg")
            shown = picture._repr_html_()
            assert (written if kind == "svg" else html.escape(written)) in shown
    assert str(alinea.show(source, target, links, format=kind)) == answer(
        "view", source, target, links, "--format", kind
    )


def test_pages_are_those_of_view(answer: Callable[..., str], files: list[Path], tmp_path: Path) -> None:
    source, target, links, gold = files
    command = ("view", source, target, links, "--title", "A & B", "--format", "html")
    written = answer(*command, "--gold", gold)
    assert alinea.page(source, target, links, gold=gold, title="A & B") == written
    shown = alinea.show(source, target, links, gold, title="A & B")
    assert str(shown) == written
    for path in (tmp_path / "page.html", tmp_path / "shown.html"):
        if path.name == "page.html":
            alinea.write_page(path, source, target, {"links": links}, gold={"gold": gold}, title="A & B")
        else:
            shown.save(path)
        assert path.read_text("utf-8") == written
    part = alinea.show(source, target, links, line=range(3, 8), title="A & B")
    assert str(part) == answer(*command, "--lines", "3-7")
    assert repr(part) == f"<Picture of 5 pairs: html, {len(str(part)):,} characters>"


def frame(shown: alinea.Picture) -> str:
    """What a browser finds in the frame."""
    found: list[str] = []

    class Frame(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            given = dict(attrs)
            # With allow-same-origin, scripts of the page could do everything that those of the notebook can.
            assert (tag, given["sandbox"]) == ("iframe", "allow-scripts allow-forms")
            found.append(given["srcdoc"] or "")

    reader = Frame()
    reader.feed(shown._repr_html_())
    reader.close()
    (content,) = found
    return content


def test_pages_stand_in_frames() -> None:
    source, target = ["it 's", EVIL], ["c' est", "&amp; ' \""]
    shown = alinea.show(source, target, ["0-0", ""], title='A "title" & more')
    assert frame(shown) == str(shown) == alinea.page(source, target, ["0-0", ""], title='A "title" & more')


def test_a_page_works_in_the_frame_of_a_notebook(files: list[Path], tmp_path: Path, show: Open) -> None:
    source, target, links, gold = files
    notebook = tmp_path / "notebook.html"
    shown = alinea.show(source, target, {"links": links, "others": gold}, gold)._repr_html_()
    notebook.write_text(f"<!DOCTYPE html><link rel='icon' href='data:,'><title>Notebook</title>{shown}", "utf-8")
    # That no script fails is looked at in the end.
    page = show(notebook)
    inside = page.frame_locator("iframe")
    expect(inside.locator(".row").first).to_be_visible()
    title = inside.locator("#pair-title")
    before = title.inner_text()
    inside.locator("#next").click()
    expect(title).not_to_have_text(before)
    screenshot(page, "notebook")
    inside.locator("#help").click()
    expect(inside.locator("#keys")).to_be_visible()
    inside.locator("#keys button").click()
    expect(inside.locator("#keys")).not_to_be_visible()


def test_large_pages_are_left_to_browsers(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = alinea.show(SOURCE, TARGET, LINKS)
    assert "<iframe" in shown._repr_html_()
    monkeypatch.setattr("alinea._show._INLINE", 1000)
    text = shown._repr_html_()
    assert "<iframe" not in text
    assert "60 pairs is too large for a notebook: save it to a file, .save(&quot;page.html&quot;)" in text


ONE_PAIR: list[dict[str, Any]] = [
    {"source": "das Haus", "target": "the house", "links": "0-0 1-1"},
    {"source": "das Haus", "target": ["the", "house"], "links": [(0, 0), (1, 1)]},
    {"source": ["das", "Haus"], "target": "the house", "links": alinea.Alignment("0-0 1-1")},
    {"source": ["das", "Haus"], "target": ["the", "house"], "links": "0-0 1-1"},
    {"source": ["das", "Haus"], "target": ["the", "house"], "links": [[0, 0], [1, 1]]},
    {"source": ["das", "Haus"], "target": ["the", "house"], "links": np.array([[0, 0], [1, 1]])},
    {"source": "das Haus", "target": "the house", "links": {"ours": "0-0 1-1"}},
    {"source": ["das Haus"], "target": ["the house"], "links": "0-0 1-1"},
    {"source": ["das Haus"], "target": ["the", "house"], "links": [(0, 0), (1, 1)]},
    {"source": [["das", "Haus"]], "target": "the house", "links": alinea.Alignment("0-0 1-1")},
    {"source": pl.Series(["das Haus"]), "target": np.array(["the", "house"]), "links": [np.array([0, 0]), [1, 1]]},
    {"source": {"das": 1, "Haus": 2}.keys(), "target": ("the house",), "links": "0-0 1-1\n"},
    {"source": pa.array(["das", "Haus"]), "target": pa.chunked_array([["the house"]]), "links": "0-0 1-1"},
    {"source": pa.array([["das", "Haus"]]), "target": "the house", "links": [(0, 0), (1, 1)]},
    {
        "source": ["das", "Haus"],
        "target": ["the house"],
        "links": [{"source": 0, "target": 0}, {"source": 1, "target": 1}],
    },
    {"source": alinea.AlignedSentence("das Haus", "the house", "0-0 1-1")},
]
TEXTS_OF_ONE_PAIR: list[dict[str, Any]] = [
    {"source": ["das Haus"], "target": ["the house"], "links": ["0-0 1-1"]},
    {"source": [["das", "Haus"]], "target": ["the house"], "links": {"ours": [[(0, 0), (1, 1)]]}},
    {"source": pl.Series(["das Haus"]), "target": ("the house",), "links": alinea.LinkColumn.of(["0-0 1-1"])},
    {"source": "das Haus", "target": "the house", "links": ["0-0 1-1"]},
    {"source": "das Haus", "target": ["the", "house"], "links": {"ours": [[(0, 0), (1, 1)]]}},
    {"source": "das Haus", "target": "the house", "links": alinea.LinkColumn.of(["0-0 1-1"])},
    {"source": "das Haus", "target": "the house", "links": pl.Series(["0-0 1-1"])},
    {"source": "das Haus", "target": "the house", "links": np.array([[[0, 0], [1, 1]]])},
    {"source": [nltk.AlignedSent(["das", "Haus"], ["the", "house"], nltk.Alignment("0-0 1-1"))]},
]


@pytest.mark.parametrize("given", [*ONE_PAIR, *TEXTS_OF_ONE_PAIR])
def test_one_pair_is_drawn_however_it_is_given(given: dict[str, Any]) -> None:
    shown = alinea.show(**given)
    assert shown.format == "svg"
    assert str(shown) == alinea.AlignedSentence("das Haus", "the house", "0-0 1-1").to_svg()
    for gold in ("0-0", alinea.GoldAlignment([(0, 0)])):
        standard: Any = gold if any(given is one for one in ONE_PAIR) else [gold]
        for named in (standard, {"anna": standard}):
            assert "wrong 1" in str(alinea.show(**given, gold=named))


def test_words_that_contain_blanks_stand_in_a_list_of_their_own() -> None:
    words, links = ["Hà Nội", "đẹp"], "0-0 1-1"
    shown = alinea.show([words], "Hanoi beautiful", links)
    assert str(shown) == alinea.AlignedSentence(words, "Hanoi beautiful", links).to_svg()
    sides: list[tuple[Any, Any]] = [
        (words, "Hanoi beautiful"),
        (["Hà Nội"], words),
        ([["Hà Nội"], ["đẹp"]], ["Hanoi", "beautiful"]),
    ]
    for source, target in sides:
        with pytest.raises(ValueError, match=r"^(source|target): 2 sentences, but links of one pair; .*: \[words\]$"):
            alinea.show(source, target, links)
    with pytest.raises(ValueError, match=r"^source: 3 sentences, but links of one pair"):
        alinea.show(["das Haus", "", "ein Buch"], ["the house", "", "a book"], ["0-0", "", "0-0"], "0-0")
    with pytest.raises(alinea.Error, match=r"^unequal lengths: links has 2 lines, source has 1$"):
        alinea.show("das Haus", "the house", ["0-0", "1-1"])


def test_several_sets_need_a_page() -> None:
    sets = {"ours": ["0-0 1-1"], "theirs": ["0-1"]}
    shown = alinea.show(["das Haus"], ["the house"], sets, {"anna": ["0-0"], "ben": [None]})
    assert shown.format == "html"
    layers = json.JSONDecoder().raw_decode(str(shown)[str(shown).index('{"layers":') :])[0]
    assert [layer["name"] for layer in layers["layers"]] == ["ours", "theirs", "anna", "ben"]
    # Ben has not looked at it.
    assert layers["pairs"][0]["l"] == [[[0, 0], [1, 1]], [[0, 1]], [[0, 0]], None]
    with pytest.raises(alinea.ConfigError, match=r"^format = svg: must be html for several sets of links"):
        alinea.show(["das Haus"], ["the house"], sets, format="svg")


def test_confidences_are_drawn(tmp_path: Path) -> None:
    found = alinea.Posteriors(alinea.LinkColumn.of(["0-0 1-1"]), np.array([0.25, 1], dtype=np.float32))
    picture = str(alinea.show(["das Haus"], ["the house"], found))
    assert 'stroke-opacity="0.25"' in picture
    path = tmp_path / "links.jsonl"
    alinea.write_links(path, found)
    assert str(alinea.show(["das Haus"], ["the house"], alinea.read_links(path))) == picture
    alinea.write_pharaoh(path, [alinea.GoldAlignment([(0, 0)], [(1, 1)])])
    gold = alinea.read_links(path, "pharaoh")
    assert "missed (possible) 1" in str(alinea.show(["das Haus"], ["the house"], ["0-0"], gold, format="grid"))


def test_trees_are_drawn() -> None:
    tree = "1\tdas\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tHaus\t_\tNOUN\t_\t_\t0\troot\t_\t_"
    source, target, links = ["", "das Haus"], ["", "the house"], ["", "0-0 1-1"]
    picture = alinea.show(source, target, links, line=2, source_trees=[tree])
    assert ">det</text>" in str(picture)
    assert str(alinea.show(source, target, links, line=1, source_trees=[tree])).count("<text") == 0


@pytest.mark.parametrize(
    ("given", "options", "error", "message"),
    [
        ((["a"], ["b", "c"], ["0-0"]), {}, alinea.Error, r"^unequal lengths: source has 1 line, target has 2$"),
        ((["a"], ["b"], ["0-0", ""]), {}, alinea.Error, r"^unequal lengths: links has 2 lines, source has 1$"),
        ((["a"], ["b"], ["0-0"], [""] * 3), {}, alinea.Error, r"^unequal lengths: gold has 3 lines, source has 1$"),
        ((["a", "b"], ["c", "d"], ["", "0-1"]), {}, alinea.ParseError, r"^links:2: link 0-1 is out of range, the "),
        ((["a"], ["b"], {"ours": ["1-1"]}), {}, alinea.ParseError, r"^ours:1: .*; do positions count from 1"),
        ((["a"], ["b"], ["0-0"], ["0p1"]), {}, alinea.ParseError, r"^gold:1: link 0-1 is out of range"),
        ((["a"], ["b"], ["0:0"]), {}, alinea.ParseError, r"^links:1:1: expected a link"),
        ((["a"], ["b"], [[(0, 0), (1,)]]), {}, ValueError, r"^links\[0\]: links are pairs of positions, and some are"),
        ((["a"], ["b"], [[(0, 0, 0)]]), {}, ValueError, r"^links\[0\]: links are pairs of positions, not an array of"),
        ((["a"], ["b"], [[(0, -1)]]), {}, ValueError, r"^links\[0\]: positions are from 0 to"),
        ((["a"], ["b"], [[(0, 0.5)]]), {}, TypeError, r"^links\[0\]: positions are integers, not float64$"),
        ((["a"], ["b"], [7]), {}, TypeError, r"^links\[0\]: links are pairs of positions or a line .*, not int$"),
        ((["a"], ["b"], [None]), {}, TypeError, r"^links\[0\]: .*, not NoneType$"),
        ((["a"], ["b"], 7), {}, TypeError, r"^links: expected a sequence with the links of each .*, not int$"),
        ((["a"], ["b"], {7: [""]}), {}, TypeError, r"^links: sets have names of type str, not int$"),
        ((["a"], ["b"], {}), {}, alinea.Error, r"^a page needs a set of links$"),
        ((["a"], ["b"], {"x": [""]}, {"x": [""]}), {}, alinea.Error, r"^two sets of links are called x$"),
        ((["a"], ["b"]), {}, TypeError, r"^links: those of each sentence pair are needed$"),
        ((["a"],), {}, TypeError, r"^target and links are needed, unless the source is an AlignedSentence"),
        ((["a"], None, ["0-0"]), {}, TypeError, r"^target: the translations"),
        (([1], ["b"], ["0-0"]), {}, TypeError, r"^source\[0\]: a sentence is a str or a sequence of str, not int$"),
        ((["a"], ["b"], ["0-0"]), {"line": 2}, alinea.ConfigError, r"^line = 2: must be 1 to 1, or a range of these$"),
        ((["a"], ["b"], ["0-0"]), {"line": 0}, alinea.ConfigError, r"^line = 0: must be"),
        ((["a"], ["b"], ["0-0"]), {"line": range(1, 3)}, alinea.ConfigError, r"^line = range\(1, 3\): must be 1 to 1"),
        ((["a"], ["b"], ["0-0"]), {"line": True}, TypeError, r"^line: expected a number or a range, not bool$"),
        (([], [], []), {"line": 1}, alinea.ConfigError, r"^line = 1: must be left out: there are no pairs$"),
        (([], [], []), {"format": "svg"}, alinea.ConfigError, r"^format = svg: must be html where there are no pairs$"),
        (
            (["a"], ["b"], ["0-0"]),
            {"format": "pdf"},
            alinea.ConfigError,
            r"^format = pdf: must be html, svg, grid, int",
        ),
        (
            (["a", "b"], ["c", "d"], ["", ""]),
            {"format": "svg", "line": range(1, 3)},
            alinea.ConfigError,
            r"^format = svg: must be html for several pairs$",
        ),
        ((["a"], ["b"], ["0-0"]), {"title": 7}, TypeError, r"^title: expected a str, not int$"),
        ((["a b"], ["b"], [""]), {"source_trees": []}, alinea.Error, r"^source_trees: no tree for sentence 1$"),
        ((Path("nothing"), ["b"], [""]), {}, FileNotFoundError, "nothing"),
        ((["a"], ["b"], Path("nothing")), {}, FileNotFoundError, "nothing"),
    ],
)
def test_what_cannot_be_drawn_is_refused(given: Any, options: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        alinea.show(*given, **options)
    if isinstance(caught.value, alinea.ParseError):
        path, line, _ = message[1:].split(":", maxsplit=2)
        assert (caught.value.path, caught.value.line) == (path, int(line))


def test_only_the_pairs_that_are_drawn_are_looked_at() -> None:
    source, target, links = ["a", "b"], ["c", "d"], ["0-7", "0-0"]
    assert alinea.show(source, target, links, line=2).format == "svg"
    with pytest.raises(alinea.ParseError):
        alinea.show(source, target, links, line=1)
    with pytest.raises(alinea.ParseError):
        alinea.page(source, target, links)


def test_files_are_complete_or_absent(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    with pytest.raises(FileNotFoundError, match=r"the directory .*none does not exist"):
        alinea.write_page(tmp_path / "none" / "page.html", ["a"], ["b"], ["0-0"])
    for name in ("page.pdf", "page.svg.gz"):
        with pytest.raises(alinea.ConfigError, match=r"page\.\S+: must be a name for html, such as \.html"):
            alinea.write_page(tmp_path / name, ["a"], ["b"], ["0-0"])
        assert not (tmp_path / name).exists()
    with pytest.raises(alinea.ParseError, match=r"^links:2: link 0-9 is out of range"):
        alinea.write_page(path, ["a", "b"], ["c", "d"], ["0-0", "0-9"])
    with pytest.raises(TypeError, match=r"^title: expected a str, not NoneType$"):
        alinea.write_page(path, ["a"], ["b"], ["0-0"], title=None)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []
    path.write_text("before")
    with pytest.raises(alinea.Error, match=r"^unequal lengths: links has 2 lines, source has 1$"):
        alinea.write_page(path, ["a"], ["b"], ["0-0", "0-0"])
    assert path.read_text() == "before"
    picture = alinea.show("a", "b", "0-0")
    with pytest.raises(alinea.ConfigError, match=r"page.html: must be a name for svg, such as .svg$"):
        picture.save(path)
    with pytest.raises(IsADirectoryError):
        picture.save(tmp_path)
    picture.save(tmp_path / "a.svg")
    picture.save(tmp_path / "a")
    assert (tmp_path / "a.svg").read_text("utf-8") == (tmp_path / "a").read_text("utf-8") == str(picture)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["a", "a.svg", "page.html"]


def test_names_of_pictures_mean_what_they_mean_in_view(answer: Callable[..., str], tmp_path: Path) -> None:
    for name, line in (("source", "das Haus"), ("target", "the house"), ("links", "0-0 1-1")):
        (tmp_path / name).write_text(f"{line}\n")
    command = ("view", *(tmp_path / name for name in ("source", "target", "links")))
    formats: tuple[Any, ...] = get_args(PictureFormat)
    pictures = {format_: alinea.show("das Haus", "the house", "0-0 1-1", format=format_) for format_ in formats}
    own: dict[str, set[str]] = {format_: set() for format_ in formats}
    for suffix in (".svg", ".SVG", ".html", ".htm", ".dot", ".gv", ".txt", ".svg.gz", ".html.zst", ".gv.gz"):
        path = tmp_path / f"picture{suffix}"
        answer(*command, "-o", path)
        drawn = path.read_bytes()
        path.unlink()
        for format_, picture in pictures.items():
            refused = ""
            try:
                picture.save(path)
            except alinea.ConfigError as error:
                refused = str(error)
            if path.exists():
                own[format_].add(suffix)
                # Pages have the names of the files as their titles.
                assert format_ in {"html", "interlinear"} or path.read_bytes() == drawn
                path.unlink()
            else:
                assert refused.startswith(f"path = {path}: must be a name for {format_}, such as .")
    assert own == {
        "svg": {".svg", ".SVG", ".svg.gz"},
        "html": {".html", ".htm", ".html.zst"},
        "dot": {".dot", ".gv", ".gv.gz"},
        "grid": {".txt"},
        "interlinear": {".txt"},
    }
    # What view refuses, as it is made by other programs.
    for name in ("a.pdf", "a.PNG", "a.pdf.gz", "/dev/shm/alinea-picture-test.pdf"):
        for picture in pictures.values():
            with pytest.raises(alinea.ConfigError, match=r"must be a name for"):
                picture.save(tmp_path / name)
            assert not (tmp_path / name).exists()

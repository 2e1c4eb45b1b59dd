"""The page of `alinea view`, in a browser: what is shown, and what keys, mouse and fingers do."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from browsers import ARABIC, DESK, HEBREW, READ, ROOT, WROTE, Open, View, picture
from playwright.sync_api import Page, expect

SAMPLE = ROOT / "crates" / "alinea-cli" / "sample"

CROSS = "\N{MULTIPLICATION SIGN}"
MODES = ("columns", "matrix", "interlinear", "lines")

PHONE = {"width": 360, "height": 740}

Links = set[tuple[int, int]]


@pytest.fixture
def sample(view: View) -> Path:
    """The sample's gold standard, and every other of its links, with some that may be wrong, as the work of another."""
    lines = (SAMPLE / "en-fr.gold").read_text("utf-8").splitlines()
    half = [line.replace("p", "-").split()[::-2] for line in lines]
    other = "\n".join(" ".join(links + ["1-0", "0-2"][: n % 3]) for n, links in enumerate(half))
    return view(
        SAMPLE / "en-fr.en",
        SAMPLE / "en-fr.fr",
        "half=half",
        "-g",
        f"people={SAMPLE / 'en-fr.gold'}",
        "--lines",
        f"1-{len(lines)}",
        half=other + "\n",
    )


def rows(page: Page) -> list[int]:
    """The numbers of the pairs in the list, as far as they are drawn."""
    return [int(text.removeprefix("#")) for text in page.locator(".row .number").all_inner_texts()]


def chosen(page: Page) -> int:
    number = int(page.locator("#pair-title").inner_text().removeprefix("Pair "))
    assert page.locator('.row[aria-selected="true"] .number').inner_text() == f"#{number}"
    return number


def links(line: str) -> Links:
    pairs = (link.replace("p", "-").split("-") for link in line.split())
    return {(int(source), int(target)) for source, target in pairs}


def sure(line: str) -> Links:
    return links(" ".join(link for link in line.split() if "p" not in link))


def test_errors_come_first_and_scores_are_right(sample: Path, show: Open) -> None:
    page = show(sample)
    gold = (SAMPLE / "en-fr.gold").read_text("utf-8").splitlines()
    half = (sample.parent / "half").read_text("utf-8").splitlines()
    errors = {}
    for number, (people, system) in enumerate(zip(gold, half, strict=True), 1):
        errors[number] = len(links(system) - links(people)) + len(sure(people) - links(system))
    expected = sorted(errors, key=lambda number: (-errors[number], number))
    assert rows(page) == expected[: len(rows(page))]
    page.locator('[data-mode="lines"]').click()
    for number in expected[:5]:
        assert chosen(page) == number
        a, s, p = links(half[number - 1]), sure(gold[number - 1]), links(gold[number - 1])
        scores = page.locator("figcaption .scores").inner_text()
        precision, recall = 100 * len(a & p) / len(a), 100 * len(a & s) / len(s)
        aer = 100 * (1 - (len(a & s) + len(a & p)) / (len(a) + len(s)))
        assert scores == (
            f"{len(a)} links, {len(a - p)} wrong, {len(s - a)} missed; "
            f"precision {precision:.1f}, recall {recall:.1f}, AER {aer:.1f}"
        )
        drawn = {kind: page.locator(f"path.link.{kind}").count() for kind in ("sure", "wrong", "sure-missed")}
        # The legend has one of each.
        assert drawn == {"sure": len(a & s) + 1, "wrong": len(a - p) + 1, "sure-missed": len(s - a) + 1}
        page.keyboard.press("j")
    picture(page, "lines")


def test_keys_move_search_filter_and_change_the_picture(sample: Path, show: Open) -> None:
    page = show(sample)
    order = rows(page)
    page.keyboard.press("j")
    page.keyboard.press("ArrowDown")
    assert chosen(page) == order[2]
    page.keyboard.press("k")
    page.keyboard.press("ArrowUp")
    assert chosen(page) == order[0]
    page.keyboard.press("End")
    assert chosen(page) == rows(page)[-1]

    page.keyboard.press("/")
    page.keyboard.type("Tuesday mardi")
    found = rows(page)
    sources = (SAMPLE / "en-fr.en").read_text("utf-8").splitlines()[:60]
    targets = (SAMPLE / "en-fr.fr").read_text("utf-8").splitlines()[:60]
    pairs = enumerate(zip(sources, targets, strict=True), 1)
    assert sorted(found) == [number for number, (s, t) in pairs if "tuesday" in s.lower() and "mardi" in t.lower()]
    assert set(page.locator("text.found").all_text_contents()) >= {"Tuesday", "mardi"}
    page.locator("#search").fill("#17")
    assert rows(page) == [17]
    page.locator("#search").fill("")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "list"

    page.keyboard.press("f")
    assert page.locator("#filter").input_value() == "errors"
    page.keyboard.press("f")
    assert page.locator("#filter").input_value() == "wrong"
    assert page.locator(".row .badge .wrong").count() == page.locator(".row").count() > 0
    page.keyboard.press("s")
    assert page.locator("#sort").input_value() != "errors"

    pressed = page.locator('[data-mode][aria-pressed="true"]')
    page.locator('[data-mode="lines"]').click()
    for mode in ("columns", "matrix", "interlinear", "lines"):
        page.keyboard.press("m")
        assert pressed.get_attribute("data-mode") == mode
    page.keyboard.press("a")
    assert page.locator("figure[data-layer]").count() == 2
    page.keyboard.press("e")
    expect(page.locator("#evaluation")).to_be_visible()
    expect(page.locator("#pairs")).to_be_hidden()
    picture(page, "evaluation")
    page.keyboard.press("Escape")
    expect(page.locator("#pairs")).to_be_visible()
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()


def test_an_address_names_a_pair(sample: Path, show: Open) -> None:
    page = show(sample, pair="#17")
    assert chosen(page) == 17
    page.keyboard.press("j")
    assert page.evaluate("location.hash") == f"#{chosen(page)}"
    page.evaluate("location.hash = '#23'")
    expect(page.locator("#pair-title")).to_have_text("Pair 23")
    assert chosen(page) == 23


def test_pages_may_be_empty(view: View, show: Open) -> None:
    page = show(view("s", "t", "l", s="", t="", l=""))
    assert page.locator("#count").inner_text() == "0 of 0 pairs"
    for key in ("j", "k", "m", "f", "End"):
        page.keyboard.press(key)
    page = show(view("s", "t", "l", s="\na\n", t="\n\n", l="\n\n"))
    for _ in range(2):
        for mode in MODES:
            page.locator(f'[data-mode="{mode}"]').click()
        page.keyboard.press("j")
    assert chosen(page) == 2


def test_the_mouse_chooses_pairs_words_and_links(sample: Path, show: Open) -> None:
    page = show(sample)
    page.locator(".row").nth(3).click()
    assert chosen(page) == rows(page)[3]
    number = chosen(page)
    gold = (SAMPLE / "en-fr.gold").read_text("utf-8").splitlines()[number - 1]
    half = (sample.parent / "half").read_text("utf-8").splitlines()[number - 1]
    every = links(gold) | links(half)
    source = next(iter(sorted(every)))[0]
    page.locator(f'.word[data-side="0"][data-n="{source}"]').click()
    hot = page.locator('.word.hot[data-side="1"]').evaluate_all("words => words.map((word) => Number(word.dataset.n))")
    assert set(hot) == {target for other, target in every if other == source}

    page.locator("#as-text summary").click()
    expect(page.locator("#tables tbody tr")).to_have_count(len(every))
    table = page.locator("#tables tbody tr").evaluate_all("rows => rows.map((row) => row.cells[2].textContent)")
    assert table == [f"{source}-{target}" for source, target in sorted(every)]

    page.locator('[data-mode="matrix"]').click()
    mark = page.locator("#pictures .mark.sure").first
    box = mark.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    at = [mark.get_attribute(f"data-{side}") for side in "st"]
    assert f"({at[0]}-{at[1]}): sure" in page.locator("#hint").inner_text()
    picture(page, "matrix")

    page.locator("#filter").select_option("missed")
    missed = page.locator(".row .badge").all_inner_texts()
    assert missed
    assert all(re.search(r"○ \d+ missed$", text) for text in missed)


def test_evaluation_is_that_of_the_command(sample: Path, show: Open, command: Path) -> None:
    page = show(sample)
    page.locator("#show-evaluation").click()
    cells = page.locator("#scores tbody tr").first.locator("td.figure").all_inner_texts()
    words: list[str | Path] = [command, "evaluate", "--gold", SAMPLE / "en-fr.gold", sample.parent / "half"]
    report = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout
    corpus = next(line for line in report.splitlines() if line.startswith("corpus")).split()[1:]
    assert [cell.split("\n")[0] for cell in cells[:4]] == corpus


def test_confidences_have_a_curve_and_a_diagram(view: View, show: Open) -> None:
    # Of 20 links of confidence 0.25 five are right, of 20 of 0.75 fifteen: the confidences keep what they promise.
    sentence = " ".join("abcdefghijklmnopqrst")
    low = " ".join(f"{n}-{n}:0.25" for n in range(20))
    high = " ".join(f"{n}-{n}:0.75" for n in range(20))
    right = [" ".join(f"{n}-{n}" for n in range(number)) for number in (5, 15)]
    text, links, gold = f"{sentence}\n{sentence}\n", f"{low}\n{high}\n", "\n".join(right) + "\n"
    page = show(view("s", "t", "l", "-g", "g", s=text, t=text, l=links, g=gold))
    page.keyboard.press("e")
    page.locator("#evaluation summary").click()
    assert "calibration error is 0.0000, over 10 bins" in page.locator("#evaluation").inner_text()
    assert "highest at the threshold 0.75: precision 75.00, recall 75.00" in page.locator("#evaluation").inner_text()
    boxes = page.locator("#evaluation rect.bar").evaluate_all("all => all.map((bar) => bar.getBBox().height)")
    assert len(boxes) == 2
    assert boxes[1] / boxes[0] == pytest.approx(3, abs=0.01)
    # From three quarters of both to half of the one and all of the other; axes begin at the tenth below the least.
    curve = page.locator("#evaluation path.curve").get_attribute("d")
    assert curve == f"M{52 + 374 * (0.75 - 0.7) / 0.3:.1f} {282 - 268 * (0.75 - 0.5) / 0.5:.1f}L426.0 282.0"
    picture(page, "confidences")


def test_a_phone_has_one_thing_at_a_time(sample: Path, show: Open) -> None:
    page = show(sample, PHONE, phone=True)
    expect(page.locator("#pair-pane")).to_be_hidden()
    picture(page, "phone-list")
    page.locator(".row").nth(1).tap()
    expect(page.locator("#list-pane")).to_be_hidden()
    assert page.locator('[data-mode="columns"]').get_attribute("aria-pressed") == "true"
    picture(page, "phone-pair")
    for mode in MODES:
        page.locator(f'[data-mode="{mode}"]').tap()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], mode
        assert page.evaluate("document.getElementById('pair-pane').scrollWidth") <= PHONE["width"], mode
    page.locator("#back").tap()
    expect(page.locator("#list-pane")).to_be_visible()
    page.locator("#show-evaluation").tap()
    assert page.evaluate("document.getElementById('evaluation').scrollWidth") <= PHONE["width"]


def test_dark_and_light(sample: Path, show: Open) -> None:
    color = "getComputedStyle(document.body).backgroundColor"
    page = show(sample, dark=True)
    dark = page.evaluate(color)
    picture(page, "dark")
    page.keyboard.press("t")
    light = page.evaluate(color)
    assert (dark, light) == ("rgb(21, 23, 26)", "rgb(255, 255, 255)")
    assert show(sample).evaluate(color) == light


def test_hostile_text_is_text(view: View, show: Open) -> None:
    words = [
        "</script><script>window.broken=1</script>",
        "<img/src=x/onerror=window.broken=1>",
        "&amp;",
        "<!--",
        "]]>",
        "\u202eabc",
        "שלום",
        "e\u0301\u0302\u0303",
        "\u0301x",
        "\u0000\u001b[31m",
        "\\u003c",
        "日本語",
        "👩‍🔬",
        "' \" `".replace(" ", "\u00a0"),
        "x" * 500,
    ]
    long = [f"w{n}" for n in range(500)]
    source = " ".join(words) + "\n" + " ".join(long) + "\n"
    target = " ".join(reversed(words)) + "\n" + " ".join(long) + "\n"
    last = len(words) - 1
    first = " ".join(f"{n}-{last - n}" for n in range(len(words)))
    names = " ".join(f"{n}-{499 - n}" for n in range(500))
    path = view(
        "source", "target", "<b>&=links", "--title", "<script>window.broken=1</script>", "--lossy",
        source=source.encode() + b"a\xffb\n", target=target + "ok\n", links=f"{first}\n{names}\n0-0\n",
    )  # fmt: skip
    page = show(path)
    assert page.title() == "<script>window.broken=1</script>"
    shown = {word: word for word in words}
    shown.update({"\u202eabc": "\ufffdabc", "\u0301x": "◌\u0301x", "\u0000\u001b[31m": "\ufffd\ufffd[31m"})
    for mode in MODES:
        page.locator(f'[data-mode="{mode}"]').click()
        texts = page.locator('.word[data-side="0"]').evaluate_all(
            "all => all.map((word) => (word.querySelector('title') ?? word).textContent)"
        )
        assert texts == [shown[word] for word in words], mode
    picture(page, "hostile")
    page.keyboard.press("j")
    for mode in MODES:
        page.locator(f'[data-mode="{mode}"]').click()
        assert page.locator(".word").count() == 1000
    picture(page, "long")
    page.keyboard.press("j")
    assert "a\ufffdb" in page.locator('.word[data-side="0"]').all_text_contents()
    assert page.evaluate("window.broken") is None
    assert page.locator("#pictures img, #list img, #list script, #pictures script").count() == 0
    assert page.locator("figcaption strong").inner_text() == "<b>&"


def test_ten_thousand_pairs_are_drawn_as_they_are_seen(view: View, show: Open) -> None:
    number = 10_000
    sentence = [" ".join(f"w{(n * k) % 977}" for k in range(1, 21)) for n in range(number)]
    text = "\n".join(sentence) + "\n"
    identity = " ".join(f"{k}-{k}" for k in range(20))
    gold = "\n".join(identity if n % 7 else identity + " 0-1" for n in range(number)) + "\n"
    path = view("s", "t", "l", "-g", "g", s=text, t=text, l=(identity + "\n") * number, g=gold)
    page = show(path)
    assert page.locator("#count").inner_text() == f"{number} of {number} pairs"
    assert rows(page)[0] == 1
    page.locator("#sort").select_option("number")
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    assert chosen(page) == number
    assert page.locator(".row").count() < 40
    page.locator("#filter").select_option("missed")
    assert page.locator("#count").inner_text() == f"{-(-number // 7)} of {number} pairs"
    page.locator("#filter").select_option("all")
    page.locator("#list").evaluate("list => { list.scrollTop = 60 * 5000; }")
    page.locator("#row-5001").wait_for(state="attached")
    assert page.locator(".row").count() < 40


def test_annotators_stand_side_by_side(view: View, show: Open) -> None:
    path = view(
        "s", "t", "sys=links", "-g", "Ann=ann", "-g", "Ben=ben",
        s="a b\nc d\n", t="A B\nC D\n", links="0-0 1-1\n0-0\n", ann="0-0 1-1\n0-0 1p1\n", ben="0-0 1-1\n0-0 1-1\n",
    )  # fmt: skip
    page = show(path)
    assert page.locator("#reference option").all_inner_texts() == ["nothing", "sys", "Ann", "Ben"]
    page.locator("#every").check()
    assert page.locator("figcaption strong").all_inner_texts() == ["sys", "Ann", "Ben"]
    page.locator("#filter").select_option("differ")
    assert rows(page) == [2]
    page.locator("#shown").select_option(label="Ann")
    page.locator("#reference").select_option(label="Ben")
    marks = page.locator('figure[data-layer="1"] path.link').evaluate_all("all => all.map((link) => link.classList[1])")
    assert marks == ["sure", "sure"]
    page.locator("#reference").select_option(label="nothing")
    marks = page.locator('figure[data-layer="1"] path.link').evaluate_all("all => all.map((link) => link.classList[1])")
    assert marks == ["sure", "possible"]
    picture(page, "annotators")


def test_a_link_without_a_gold_standard_is_just_a_link(view: View, show: Open) -> None:
    path = view(
        "s", "t", "one=l", "two=m", "--title", "T",
        s="a b\nc d\n", t="A B\nC D\n", l="0-0 1-1\n0-0\n", m="0-0 0-1\n0-0\n",
    )  # fmt: skip
    page = show(path)
    assert page.locator("#reference").input_value() == "-1"
    page.locator("#as-text summary").click()
    for mode in MODES:
        page.locator(f'[data-mode="{mode}"]').click()
        assert page.locator("#legend li").all_inner_texts() == ["link"]
        page.locator("#pictures [data-s]").first.click(force=True)
        assert page.locator("#hint").inner_text() == "a – A (0-0): link"
        assert page.locator("#tables tbody tr").all_inner_texts() == ["a\tA\t0-0\tlink\t", "b\tB\t1-1\tlink\t"]
        shown = page.locator("body").inner_text() + page.locator("#pair-pane").inner_html()
        assert not re.search(r"\b(sure|wrong|missed|possible)\b", shown), mode
    # Every number says what it counts.
    assert page.locator(".row .badge").all_inner_texts() == ["2 links", "1 link"]
    assert page.locator("#count").inner_text() == "2 of 2 pairs"
    assert page.locator("figcaption .scores").inner_text() == "2 links"
    headings = page.locator("#tables th").all_inner_texts()
    assert headings == ["source", "target", "positions", "kind", "confidence"]

    # Another system is no gold standard.
    page.locator("#reference").select_option(label="two")
    page.locator("#as-text summary").click()
    assert page.locator(".row .badge").all_inner_texts() == [f"{CROSS} 1 only here\n○ 1 only there", "✓ no differences"]
    assert page.locator("figcaption .scores").inner_text() == "2 links, 1 only here, 1 only in two"
    legend = page.locator("#legend li").all_inner_texts()
    assert legend == ["in both", "in both (possible)", "only here", "only in two", "only in two (possible)"]
    filters = page.locator("#filter option").all_inner_texts()
    assert "with links only in two" in filters
    assert not any("error" in name or "wrong" in name for name in filters)


def test_marks_have_one_name_each(view: View, show: Open) -> None:
    files = {"s": "a b c d e\n", "t": "A B C D E\n", "l": "0-0 1-1 2-2\n", "g": "0-0 1p1 3-3 4p4\n"}
    page = show(view("s", "t", "l", "-g", "g", **files))
    names = ["sure", "possible", "wrong", "missed", "missed (possible)"]
    page.locator("#as-text summary").click()
    for mode in MODES:
        page.locator(f'[data-mode="{mode}"]').click()
        assert page.locator("#legend li").all_inner_texts() == names
        kinds = page.locator("#tables tbody tr").evaluate_all("rows => rows.map((row) => row.cells[3].textContent)")
        assert kinds == names
    assert page.locator(".row .badge").inner_text() == f"{CROSS} 1 wrong\n○ 1 missed"


def test_gold_links_of_a_part_of_the_pairs(view: View, show: Open) -> None:
    path = view(
        "s", "t", "l", "-g", "g", s="a b\n" * 5, t="A B\n" * 5, l="0-0 1-1\n" * 5, g="0-0\n0-0 1-1\n",
    )  # fmt: skip
    page = show(path)
    assert page.locator("#annotated").inner_text() == "2 of 5 pairs have gold links"
    assert rows(page) == [1, 2, 3, 4, 5]
    badges = page.locator(".row .badge").all_inner_texts()
    assert badges == [f"{CROSS} 1 wrong", "✓ no errors", "2 links", "2 links", "2 links"]
    page.locator("#filter").select_option(label="with gold links")
    assert rows(page) == [1, 2]
    page.locator("#filter").select_option(label="without errors")
    assert rows(page) == [2]
    page.locator("#filter").select_option(label="without gold links")
    assert rows(page) == [3, 4, 5]
    assert page.locator("figcaption .scores").inner_text() == "2 links; this pair has no gold links"
    assert page.locator("#legend li").all_inner_texts() == ["link"]
    page.keyboard.press("e")
    evaluation = page.locator("#evaluation").inner_text()
    assert "g: 2 of 5 pairs have gold links" in evaluation
    # Three of four links are right.
    cells = page.locator("#scores tbody td.figure").all_inner_texts()
    assert cells[1].split("\n")[0] == "75.00"
    assert [cell.split("\n")[0] for cell in cells[4:]] == ["2", "4", "3", "0", "1", "0"]
    page.locator("#show-pairs").click()
    page.locator("#reference").select_option(label="nothing")
    expect(page.locator("#annotated")).to_be_hidden()


def long_pair(words: int) -> tuple[str, str, str]:
    source = " ".join(f"word{n % 37}{'en' * (n % 5)}" for n in range(words))
    target = " ".join(f"Wort{n % 41}{'er' * (n % 4)}" for n in range(words + 7))
    return source, target, " ".join(f"{n}-{(n * 7) // 6 % (words + 7)}" for n in range(words))


@pytest.mark.parametrize("size", [DESK, {"width": 400, "height": 800}], ids=["1280", "400"])
def test_long_pairs_fit_the_window(view: View, show: Open, size: dict[str, int]) -> None:
    files = [long_pair(words) for words in (6, 80, 200)]
    s, t, l = ("\n".join(lines) + "\n" for lines in zip(*files, strict=True))
    path = view("s", "t", "l", s=s, t=t, l=l)
    narrow = size["width"] < 760
    fits = "columns" if narrow else "interlinear"
    for number, words, first in ((1, 6, "columns" if narrow else "lines"), (2, 80, fits), (3, 200, fits)):
        page = show(path, size, phone=narrow, pair=f"#{number}")
        if narrow:
            page.locator("#row-" + str(number - 1)).tap()
        assert page.locator('[data-mode][aria-pressed="true"]').get_attribute("data-mode") == first
        for mode in MODES:
            page.locator(f'[data-mode="{mode}"]').click()
            assert page.locator('.word[data-side="0"]').count() == words
            for element in ("document.documentElement", "document.getElementById('pair-pane')"):
                assert page.evaluate(f"{element}.scrollWidth <= {element}.clientWidth"), (words, mode, element)
            inside = page.evaluate(
                "[...document.querySelectorAll('.scroll')].map((e) => e.scrollWidth - e.clientWidth)"
            )
            if mode in ("columns", "interlinear"):
                assert inside == [0], (words, mode)
        picture(page, f"long-{words}-{size['width']}")
    # The words of a matrix stay in sight.
    page.locator('[data-mode="matrix"]').click()
    scroll = page.locator(".scroll")
    scroll.evaluate("scroll => scroll.scrollTo(900, 900)")
    box, above, beside = (page.locator(name).bounding_box() for name in (".scroll", ".above", ".beside"))
    assert box is not None and above is not None and beside is not None  # noqa: PT018
    assert scroll.evaluate("scroll => [scroll.scrollLeft, scroll.scrollTop]") == [900, 900]
    assert above["y"] == pytest.approx(box["y"], abs=1)
    assert beside["x"] == pytest.approx(box["x"], abs=1)
    picture(page, f"long-matrix-{size['width']}")


def test_sentences_from_right_to_left_run_so(view: View, show: Open) -> None:
    path = view(
        "s", "t", "l", s=f"{ARABIC}\n{WROTE}\n", t=f"{READ}\n{HEBREW}\n",
        l="0-2 1-1 2-5 3-4 4-6 5-7 6-9 7-10 8-11 9-12\n0-0 1-0 2-1 4-3 5-2 7-5 8-4 9-6\n",
    )  # fmt: skip
    page = show(path)
    for number, side, sentence in ((1, 0, ARABIC), (2, 1, HEBREW)):
        assert chosen(page) == number
        words = page.locator(f'.word[data-side="{side}"]')
        others = page.locator(f'.word[data-side="{1 - side}"]')
        for mode in MODES:
            page.locator(f'[data-mode="{mode}"]').click()
            picture(page, f"right-to-left-{number}-{mode}")
            assert words.all_text_contents() == sentence.split()
            # Brackets and dots run with their sentence.
            directions = "all => all.map((word) => getComputedStyle(word).direction)"
            assert set(words.evaluate_all(directions)) == {"rtl"}
            assert set(others.evaluate_all(directions)) == {"ltr"}
            middles = "all => all.map((word) => word.getBoundingClientRect()).map((box) => (box.left + box.right) / 2)"
            forth, back = others.evaluate_all(middles), words.evaluate_all(middles)
            if mode in ("lines", "interlinear") or (mode, side) == ("matrix", 1):
                assert back == sorted(back, reverse=True), mode
                assert len(set(back)) == len(back)
            if mode in ("lines", "interlinear") or (mode, side) == ("matrix", 0):
                assert forth == sorted(forth), mode
            if mode == "matrix" and side == 1:
                links = page.locator('#pictures .mark[data-t="0"]').evaluate_all(middles)
                assert links == pytest.approx([back[0]] * 2, abs=2)
        # In columns both stand beside their numbers: the source on the left of them, the target on the right.
        page.locator('[data-mode="columns"]').click()
        edges = "all => all.map((part) => part.getBoundingClientRect()).map((box) => [box.left, box.right])"
        numbers = page.locator("#pictures text.number").evaluate_all(edges)
        left, right = (page.locator(f'.word[data-side="{n}"]').evaluate_all(edges) for n in (0, 1))
        assert max(end for _, end in left) <= min(start for start, _ in numbers)
        assert min(start for start, _ in right) >= max(end for _, end in numbers[len(left) :])
        page.keyboard.press("j")
        page.locator('[data-mode="lines"]').click()


def test_trees_of_sentences_from_right_to_left(view: View, show: Open) -> None:
    words = ["ספר", "זה", "טוב"]
    tree = conllu((words[0], 3, "nsubj"), (words[1], 1, "det"), (words[2], 0, "root"))
    path = view("s", "t", "l", "--source-trees", "st", s=" ".join(words) + "\n", t="x\n", l="0-0\n", st=tree)
    page = show(path)
    middles = "all => all.map((part) => part.getBBox()).map((box) => box.x + box.width / 2)"
    at = page.locator("text.word[data-side='0']").evaluate_all(middles)
    assert at[0] > at[1] > at[2]
    arcs = page.locator("path.arc").evaluate_all("all => all.map((arc) => [arc.dataset.arc, arc.getAttribute('d')])")
    for name, d in arcs:
        word = int(name.split("-")[1])
        numbers = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", d)]
        head = {0: 2, 1: 0, 2: 2}[word]
        assert numbers[0] == pytest.approx(at[head], abs=6), "an arc begins at its head"
        assert numbers[-2] == pytest.approx(at[word], abs=6), "and ends at its word"
    picture(page, "right-to-left-tree")


def test_trees_stand_outside(view: View, show: Open) -> None:
    def tree(*words: tuple[str, int, str]) -> str:
        lines = (f"{n}\t{form}\t_\tX\t_\t_\t{head}\t{name}\t_\t_\n" for n, (form, head, name) in enumerate(words, 1))
        return "".join(lines) + "\n"

    path = view(
        "s", "t", "l", "--source-trees", "st", "--target-trees", "tt",
        s="the old house stands\n", t="das alte Haus steht\n", l="0-0 1-1 2-2 3-3\n",
        st=tree(("the", 3, "det"), ("old", 3, "amod"), ("house", 4, "nsubj"), ("stands", 0, "root")),
        tt=tree(("das", 3, "det"), ("alte", 3, "amod"), ("Haus", 4, "nsubj"), ("steht", 0, "root")),
    )  # fmt: skip
    page = show(path)
    relations = page.locator("text.relation").all_text_contents()
    assert sorted(relations) == sorted(["det", "amod", "nsubj", "root"] * 2)
    assert page.locator("path.arrow").count() == 8
    heights = page.locator("text.relation").evaluate_all("all => all.map((text) => Number(text.getAttribute('y')))")
    by_word = dict(zip(relations[:4], heights[:4], strict=True))
    assert by_word["det"] < by_word["amod"], "the longer arc is above"
    picture(page, "trees")
    # In columns they stand beside the words: of the source on the left, of the target on the right.
    page.locator('[data-mode="columns"]').click()
    assert page.locator("path.arrow").count() == 8
    assert sorted(page.locator("text.relation").all_text_contents()) == sorted(
        ["X det", "X amod", "X nsubj", "X root"] * 2
    )
    reaches = "all => all.map((part) => part.getBBox()).map((box) => [box.x, box.x + box.width])"
    arcs = page.locator("path.arc").evaluate_all(reaches)
    words = page.locator("text.word").evaluate_all(reaches)
    assert all(end <= min(start for start, _ in words[:4]) for _, end in arcs[:4])
    assert all(start >= max(end for _, end in words[4:]) for start, _ in arcs[4:])
    widths = [end - start for start, end in arcs[:3]]
    assert max(widths) > min(widths), "the longer arc is farther out"
    picture(page, "trees-columns")


def conllu(*words: tuple[str, int, str]) -> str:
    rows = [f"{n}\t{form}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_" for n, (form, head, relation) in enumerate(words, 1)]
    return "\n".join(rows) + "\n\n"


@pytest.fixture
def paths(view: View) -> Path:
    """The example of McCaffery (2017), whose numbers are worked out by hand, after a sentence without faults."""
    dogs = conllu(("dogs", 2, "nsubj"), ("bark", 0, "root"))
    becoming = [
        ("is", 4, "AUX"),
        ("becoming", 0, "ROOT"),
        ("a", 7, "DET"),
        ("Sherlock", 7, "CMP"),
        ("Holmes", 4, "DOBJ"),
    ]
    reference = conllu(("the", 2, "DET"), ("detective", 4, "NSUBJ"), *becoming)
    becomes = [("becomes", 0, "ROOT"), ("the", 5, "DET"), ("detective", 3, "DOBJ")]
    hypothesis = conllu(("a", 2, "DET"), ("Sherlock", 3, "NSUBJ"), *becomes)
    return view(
        "ref",
        "hyp",
        "links",
        "--dpath",
        ref=dogs + reference,
        hyp=dogs + hypothesis,
        links="0-0 1-1\n0-3 1-4 3-2 4-0 5-1\n",
    )


def hot(page: Page, selector: str, name: str) -> set[str]:
    """What the parts that are shown are called."""
    return set(page.locator(f"{selector}.hot").evaluate_all(f"parts => parts.map((part) => part.dataset.{name})"))


def test_path_pairs_have_brackets_and_rows(paths: Path, show: Open) -> None:
    page = show(paths)
    # The worst comes first.
    assert rows(page) == [2, 1]
    assert page.locator(".row .badge").all_inner_texts() == ["order 0.50", "order 1.00"]
    assert page.locator("#legend li").first.inner_text() == "link"
    assert "order 0.5000 = 1 - 5 / 10, coverage 0.8333" in page.locator("figcaption").inner_text()
    costs = page.locator("#pictures text.cost").all_text_contents()
    assert sorted(costs) == sorted(2 * ["2/2", "2/3", "1/3"])
    colors = page.locator("#pictures .edge").evaluate_all("all => all.map((edge) => edge.getAttribute('class'))")
    assert sorted(colors) == sorted(2 * [f"edge cost-{cost}" for cost in (0, 1, 2, 2)])
    table = page.locator("#paths tbody tr").evaluate_all(
        "rows => rows.map((row) => [...row.cells].map((cell) => cell.innerText))"
    )
    assert table[1] == ["2 of 3", "becoming a", "–, α, DOBJ DET", "becomes a", "–, β, NSUBJ DET"]
    assert [row[0] for row in table] == ["2 of 2", "2 of 3", "1 of 3", "0 of 2"]
    picture(page, "paths")


def test_a_path_pair_is_traced_through_the_trees(paths: Path, show: Open) -> None:
    page = show(paths)
    page.locator("#paths tbody tr").nth(1).hover()
    assert hot(page, ".arc", "arc") == {"0-4", "0-6", "1-0", "1-1"}
    assert hot(page, ".edge", "e") == {"1"}
    assert hot(page, '.word[data-side="0"]', "n") == {"3", "4"}
    assert hot(page, '.word[data-side="1"]', "n") == {"0", "2"}
    assert hot(page, ".link", "s") == {"3", "4"}
    picture(page, "paths-traced")
    page.locator("h1").hover()
    assert page.locator(".hot").count() == 0
    # A click on a bracket keeps it, and says what it is.
    page.locator('#pictures .reach[data-e="0"]').first.dispatch_event("click")
    assert hot(page, "#paths tr", "e") == {"0"}
    expected = "detective becoming (NSUBJ, α, –) and detective becomes (DOBJ, β, –): costs 2 of 2"
    assert page.locator("#hint").inner_text() == expected
    page.keyboard.press("j")
    assert chosen(page) == 1
    expect(page.locator("#paths tbody tr")).to_have_count(1)


def test_path_pairs_are_searched_and_filtered(paths: Path, show: Open) -> None:
    page = show(paths)
    page.locator("#filter").select_option("costly")
    assert rows(page) == [2]
    page.locator("#filter").select_option("all")
    page.locator("#search").fill("dogs")
    assert rows(page) == [1]
    page.locator("#search").fill("")
    page.locator("#sort").select_option("number")
    assert rows(page) == [1, 2]


def test_path_pairs_on_a_phone(paths: Path, show: Open) -> None:
    page = show(paths, PHONE, phone=True, dark=True)
    page.locator(".row").first.tap()
    expect(page.locator("#pictures .edge")).to_have_count(8)
    picture(page, "paths-phone")
    for mode in MODES:
        page.locator(f'[data-mode="{mode}"]').tap()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], mode
        assert page.evaluate("document.getElementById('pair-pane').scrollWidth") <= PHONE["width"], mode

"""Books of the Bible in USFM."""

from collections.abc import Callable
from pathlib import Path

import pytest

import alinea

SOURCE = r"""\id RUT source
\c 1
\p
\v 1 \w casa|lemma="casa" strong="H1"\w* \w alba|strong="H2"\w* casa
\v 2-3 flor \+nd sol\+nd*
"""

TARGET = r"""\id RUT target
\c 1
\s A heading
\p
\v 1 A white\f + \ft Or pale.\f* house, \nd house\nd*.
\q1
\v 2-3 A flower; the sun!
"""

LINKS = ["0-2 1-1 2-3", "0-1 1-3"]


@pytest.fixture
def books(tmp_path: Path) -> tuple[Path, Path]:
    """Source and target."""
    source, target = tmp_path / "s.usfm", tmp_path / "t.usfm"
    source.write_text(SOURCE, encoding="utf-8", newline="")
    target.write_text(TARGET, encoding="utf-8", newline="")
    return source, target


def test_verses_are_read(books: tuple[Path, Path]) -> None:
    first, second = alinea.read_usfm(books[0])
    assert (first.reference, second.reference) == ("RUT 1:1", "RUT 1:2-3")
    assert first.words == ["casa", "alba", "casa"]
    assert first.attributes == [{"lemma": "casa", "strong": "H1"}, {"strong": "H2"}, {}]
    assert (first.original, first.links) == ([], alinea.Alignment())
    verses = alinea.read_usfm(str(books[1]))
    assert [verse.text for verse in verses] == ["A white house, house.", "A flower; the sun!"]


def test_the_command_writes_the_same(books: tuple[Path, Path], answer: Callable[..., str], tmp_path: Path) -> None:
    source = alinea.read_usfm(books[0])
    ours, theirs, links = (tmp_path / name for name in ("ours.usfm", "theirs.usfm", "links"))
    words, attributes = [verse.words for verse in source], [verse.attributes for verse in source]
    alinea.write_usfm(ours, books[1], words, LINKS, attributes=attributes)
    links.write_text("\n".join(LINKS) + "\n", encoding="utf-8")
    answer("bible", "align", *books, "--links", links, "-o", theirs)
    assert ours.read_bytes() == theirs.read_bytes()
    assert answer("bible", "links", ours, "--source", books[0]).splitlines() == LINKS
    verse = alinea.read_usfm(ours)[0]
    assert verse.original[1] == alinea.OriginalWord("casa", 1, 2, {"x-strong": "H1", "x-lemma": "casa"})
    assert sorted(verse.links) == [(0, 1), (1, 2), (2, 3)]
    # Written over its own milestones, with other links.
    alinea.write_usfm(ours, ours, words, ["", ""])
    assert ours.read_bytes() == books[1].read_bytes()


def test_bad_input_is_refused(books: tuple[Path, Path], tmp_path: Path) -> None:
    bad = tmp_path / "bad.usfm"
    bad.write_text("\\id RUT\n\\c 1\n\\v 1 a \\f + b\n", encoding="utf-8")
    with pytest.raises(alinea.ParseError, match=r"bad.usfm:3:8: expected a `\\f\*` that ends `\\f`"):
        alinea.read_usfm(bad)
    out = tmp_path / "out.usfm"
    with pytest.raises(alinea.Error, match=r"t\.usfm has 2 verses, source has 1$"):
        alinea.write_usfm(out, books[1], [["a"]], LINKS)
    with pytest.raises(alinea.Error, match=r"t\.usfm:5:1: link 0-9 is out of range"):
        alinea.write_usfm(out, books[1], [["a"], ["a"]], ["0-9", ""])
    with pytest.raises(alinea.Error, match=r"an attribute of USFM cannot be"):
        alinea.write_usfm(out, books[1], [['a"'], ["a"]], ["0-0", ""])
    with pytest.raises(alinea.Error, match=r"^attributes: expected one for each word of the source$"):
        alinea.write_usfm(out, books[1], [["a"], ["a"]], LINKS, attributes=[[{}]])
    with pytest.raises(FileNotFoundError):
        alinea.read_usfm(tmp_path / "none")
    assert not out.exists()

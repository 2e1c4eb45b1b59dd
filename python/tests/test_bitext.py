"""Files of sentence pairs: read, written, and compressed by other programs."""

from __future__ import annotations

import bz2
import csv
import gzip
import json
import lzma
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

import alinea

PAIRS = [
    ("the house & <garden>", "la maison et le jardin"),
    ('yes, "he" said', "oui, dit-il"),
    ("a\tb ]]> c", "𝄞 été"),
]

MEMORY = """<?xml version="1.0"?>
<tmx version="1.4"><header srclang="en"/><body>
<tu><tuv xml:lang="en-US"><seg>the <hi>house</hi></seg></tuv><tuv xml:lang="fr"><seg>la maison</seg></tuv>
<tuv xml:lang="de"><seg>das Haus</seg></tuv></tu>
<tu><tuv xml:lang="en-US"><seg>alone</seg></tuv></tu>
</body></tmx>
"""


@pytest.mark.parametrize(
    "name", ["m.tmx", "m.xlf", "m.jsonl", "m.csv", "m.tsv", "m.zip", "m.tmx.gz", "m.csv.xz", "m.tsv.bz2"]
)
def test_what_was_written_is_read_again(tmp_path: Path, name: str) -> None:
    assert alinea.write_bitext(tmp_path / name, iter(PAIRS), languages=("en", "fr")) == len(PAIRS)
    assert list(alinea.read_bitext(tmp_path / name)) == PAIRS


def test_other_programs_read_what_was_written(tmp_path: Path) -> None:
    for name in ("m.tmx", "m.csv", "m.jsonl", "m.zip", "m.xlf"):
        alinea.write_bitext(tmp_path / name, PAIRS, languages=("en", "fr"))
    memory = ElementTree.parse(tmp_path / "m.tmx").getroot()
    segments = [tuple(seg.text or "" for seg in unit.iter("seg")) for unit in memory.iter("tu")]
    assert segments == PAIRS
    languages = {variant.get("{http://www.w3.org/XML/1998/namespace}lang") for variant in memory.iter("tuv")}
    assert languages == {"en", "fr"}
    space = "{urn:oasis:names:tc:xliff:document:1.2}"
    units = ElementTree.parse(tmp_path / "m.xlf").getroot().iter(f"{space}trans-unit")
    assert [(unit.findtext(f"{space}source"), unit.findtext(f"{space}target")) for unit in units] == PAIRS
    alinea.write_bitext(tmp_path / "two", PAIRS, "xliff2", languages=("en", "fr"))
    assert list(alinea.read_bitext(tmp_path / "two")) == PAIRS
    root, space = ElementTree.parse(tmp_path / "two").getroot(), "{urn:oasis:names:tc:xliff:document:2.0}"
    assert (root.get("version"), root.get("srcLang"), root.get("trgLang")) == ("2.0", "en", "fr")
    second = root.iterfind(f"{space}file/{space}unit/{space}segment")
    assert [(one.findtext(f"{space}source"), one.findtext(f"{space}target")) for one in second] == PAIRS
    alinea.write_bitext(tmp_path / "m.csv.bz2", PAIRS, languages=("en", "fr"))
    assert bz2.decompress((tmp_path / "m.csv.bz2").read_bytes()) == (tmp_path / "m.csv").read_bytes()
    with (tmp_path / "m.csv").open(encoding="utf-8", newline="") as file:
        assert [tuple(row) for row in csv.reader(file)] == [("en", "fr"), *PAIRS]
    objects = [json.loads(line) for line in (tmp_path / "m.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(one["src"], one["tgt"]) for one in objects] == PAIRS
    with zipfile.ZipFile(tmp_path / "m.zip") as archive:
        assert archive.namelist() == ["m.en", "m.fr"]
        assert archive.read("m.fr").decode().splitlines() == [target for _, target in PAIRS]


def test_what_other_programs_wrote_is_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "opus.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README", "text")
        archive.writestr("corpus.en-fr.en", "a b\nc\n")
        archive.writestr("corpus.en-fr.fr", "d\ne f\n")
    assert list(alinea.read_bitext(tmp_path / "opus.zip")) == [("a b", "d"), ("c", "e f")]
    assert next(iter(alinea.read_bitext(tmp_path / "opus.zip", languages=("fr", "en")))) == ("d", "a b")
    with (tmp_path / "table.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("id", "src", "tgt"), (1, *PAIRS[0]), (2, *PAIRS[1]), (3, "two\nlines", "b")])
    assert list(alinea.read_bitext(tmp_path / "table.csv")) == [*PAIRS[:2], ("two lines", "b")]
    assert next(iter(alinea.read_bitext(tmp_path / "table.csv", fields=("3", "id")))) == (PAIRS[0][1], "1")


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
def test_compressed_files_are_read(tmp_path: Path, compress: Callable[[bytes], bytes]) -> None:
    generator = random.Random(1)
    words = ["".join(generator.choices("abcdefgh", k=generator.randint(1, 9))) for _ in range(5000)]
    lines = [" ".join(generator.choices(words, k=20)) for _ in range(20_000)]
    text = "".join(f"{line} ||| {line[::-1]}\n" for line in lines)
    path = tmp_path / "text"
    half = len(text) // 2
    whole = compress(text[:half].encode()) + compress(text[half:].encode())
    path.write_bytes(whole)
    assert [source for source, _ in alinea.read_bitext(path)] == lines
    path.write_bytes(whole[:-20])
    with pytest.raises(OSError, match=f"data ends early, after {len(whole) - 20} bytes; the file is truncated"):
        list(alinea.read_bitext(path))


def test_languages_are_chosen(tmp_path: Path) -> None:
    path = tmp_path / "memory"
    path.write_text(MEMORY, encoding="utf-16")
    assert list(alinea.read_bitext(path, languages=("de", "en"))) == [("das Haus", "the house")]
    kept = alinea.read_bitext(path, languages=("en", "de"), tags="keep")
    assert list(kept) == [("the <hi>house</hi>", "das Haus")]
    with pytest.raises(
        alinea.Error, match=r'more than two languages, en-US, fr, de; choose two: languages=\("en", "fr"\)'
    ):
        list(alinea.read_bitext(path))
    with pytest.raises(alinea.Error, match="no segment in the language es; there is en-US, fr, de"):
        list(alinea.read_bitext(path, languages=("en", "es")))


def test_what_is_wrong_is_told(tmp_path: Path) -> None:
    path = tmp_path / "m.tmx"
    path.write_text(MEMORY[:-20], encoding="utf-8")
    with pytest.raises(alinea.ParseError, match="before the file ends"):
        list(alinea.read_bitext(path, languages=("en", "fr")))
    with pytest.raises(alinea.ParseError, match="characters that XML allows"):
        alinea.write_bitext(tmp_path / "out.tmx", [("a\x1b", "b")], languages=("en", "fr"))
    with pytest.raises(alinea.ParseError, match="a line without line breaks"):
        alinea.write_bitext(tmp_path / "out.csv", [("a\nb", "b")])
    assert not (tmp_path / "out.tmx").exists()
    assert not (tmp_path / "out.csv").exists()
    assert (
        alinea.write_bitext(tmp_path / "out.tmx", [("a\x1b", "b"), ("", "c")], languages=("en", "fr"), replace="?") == 1
    )
    assert list(alinea.read_bitext(tmp_path / "out.tmx")) == [("a?", "b")]
    for options, message in [
        ({"format": "pdf"}, "joint, columns, tmx"),
        ({"tags": "drop"}, "strip or keep"),
        ({"languages": ("en", "en")}, "two different codes"),
    ]:
        with pytest.raises(alinea.ConfigError, match=message):
            alinea.read_bitext(path, **options)  # type: ignore[arg-type]
    with pytest.raises(alinea.ConfigError, match="where the name of the file does not tell"):
        alinea.write_bitext(tmp_path / "out", PAIRS)
    with pytest.raises(alinea.Error, match="names the languages, which are not known"):
        alinea.write_bitext(tmp_path / "out.tmx", PAIRS)

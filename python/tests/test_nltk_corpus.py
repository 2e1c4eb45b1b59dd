from __future__ import annotations

import importlib
import os
import re
import zipfile
from pathlib import Path

import pytest

import alinea
from alinea import nltk
from alinea.nltk import align
from alinea.nltk import corpus as nltk_corpus
from alinea.nltk.corpus import AlignedCorpusReader


def test_files_are_read(aligned_corpus: Path) -> None:
    corpus = AlignedCorpusReader(aligned_corpus, ["alignment-en-fr.txt"])
    pairs = corpus.aligned_sents()
    assert [type(pair) for pair in pairs] == [nltk.AlignedSent] * 3
    assert type(pairs[0].alignment) is nltk.Alignment
    assert pairs[1].mots == ["Je", "déclare", "que", "le", "marché", "est", "ouvert"]
    assert str(pairs[2].alignment) == "0-0 0-1 1-2 1-3 2-4 3-5 4-6 5-7"
    assert corpus.words()[:5] == ["Resumption", "of", "the", "session", "I"]
    assert corpus.sents("alignment-en-fr.txt")[0] == pairs[0].words
    older = align.AlignedCorpusReader(aligned_corpus, r".*\.txt").aligned_sents()
    assert [repr(pair) for pair in older] == [repr(pair) for pair in pairs]
    assert {type(pair) for pair in older} == {align.AlignedSent}


def test_files_are_chosen_by_name_or_pattern(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("b.txt", "a.txt", "sub/c.txt", "d.other"):
        (tmp_path / name).write_text(f"{name[0]}\nx\n0-0\n", "utf-8")
    assert AlignedCorpusReader(tmp_path, r".*\.txt").fileids() == ["a.txt", "b.txt", "sub/c.txt"]
    corpus = AlignedCorpusReader(tmp_path, ["b.txt", "d.other"])
    assert corpus.words() == ["b", "d"]
    assert corpus.words(["d.other"]) == corpus.words("d.other") == ["d"]
    assert AlignedCorpusReader(tmp_path, "none").aligned_sents() == []


def test_text_is_cut_at_blanks_and_lines_at_line_feeds(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes("\n \n a\u00a0b\t c\u2028d \r\nx\r\n0-0  1-0\r\n\r\ne\n\n\n f\ny\n\n".encode())
    pairs = AlignedCorpusReader(tmp_path, "a").aligned_sents()
    assert [(pair.words, pair.mots, pair.alignment.links()) for pair in pairs] == [
        (["a\u00a0b", "c\u2028d"], ["x"], [(0, 0), (1, 0)]),
        (["e"], [], []),
        (["f"], ["y"], []),
    ]


def test_encodings(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"\xe9\nx\n0-0\n")
    (tmp_path / "utf-8").write_bytes(b"\xc3\xa9\nx\n0-0\n")
    assert AlignedCorpusReader(tmp_path, ["latin", "utf-8"]).words() == ["é", "é"]
    assert AlignedCorpusReader(tmp_path, ["utf-8"], encoding="latin-1").words() == ["Ã©"]
    with pytest.raises(alinea.ParseError, match=r"latin:1: the text is not utf-8$") as caught:
        AlignedCorpusReader(tmp_path, ["latin"], encoding="utf-8").words()
    assert caught.value.line == 1


@pytest.mark.parametrize(
    ("text", "line", "column", "what"),
    [
        ("a\nx\n0-0\na\nx\n0-0 0=0\n", 6, 5, "expected a link such as `3-4`, found `0=0`"),
        ("a\nx\n1-0\n", 3, 0, "Alignment is outside boundary of words"),
        ("a\nx\n0-1", 3, 0, "Alignment is outside boundary of mots"),
        ("a\nx\n0-0\na\nx", 5, 0, "the file ends before the third line of a pair of sentences"),
        ("a\n", 1, 0, "the file ends before the third line of a pair of sentences"),
    ],
)
def test_errors_say_where(tmp_path: Path, text: str, line: int, column: int, what: str) -> None:
    path = tmp_path / "bad"
    path.write_text(text, "utf-8")
    place = f"{path}:{line}:{column}" if column else f"{path}:{line}"
    with pytest.raises(alinea.ParseError, match=f"^{re.escape(f'{place}: {what}')}$") as caught:
        list(AlignedCorpusReader(tmp_path, "bad").aligned_sents())
    assert (caught.value.path, caught.value.line, caught.value.column) == (str(path), line, column)


def test_places_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(NotADirectoryError):
        AlignedCorpusReader(tmp_path / "nowhere", ".*")
    with pytest.raises(FileNotFoundError):
        AlignedCorpusReader(tmp_path, ["nothing"]).words()
    with pytest.raises(ValueError, match="regular expression '\\('"):
        AlignedCorpusReader(tmp_path, "(")


def test_views_find_what_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a b\nx\n0-0\nc\ny\n0-0\nd\ny\n7-7\n", "utf-8")
    corpus = AlignedCorpusReader(tmp_path, ["a"], "/")
    pairs = corpus.aligned_sents()
    # What is wrong with the third is not found before it is reached, and then every time.
    assert (pairs[0].words, pairs[1].words, [pair.words for pair in pairs[:2]]) == (
        ["a", "b"],
        ["c"],
        [["a", "b"], ["c"]],
    )
    for _ in range(2):
        with pytest.raises(alinea.ParseError):
            len(pairs)
    assert pairs[1].words == ["c"]
    words = corpus.words()
    assert (words[-1], len(words), words[1:3], list(words), words + ["e"]) == (  # noqa: RUF005
        *("d", 4, ["b", "c"]),
        *(["a", "b", "c", "d"], ["a", "b", "c", "d", "e"]),
    )
    assert words == corpus.words() == ["a", "b", "c", "d"] != corpus.sents()
    with pytest.raises(IndexError):
        words[4]


def test_lines_of_equals_signs_are_skipped_and_raw_text_is_whole(tmp_path: Path) -> None:
    text = "=== a corpus ===\na\nx\n0-0\n= part 2\n\nb\n=\ny\n\n"
    (tmp_path / "a").write_text(text, "utf-8")
    (tmp_path / "b").write_bytes(b"\xe9\nz\n0-0\n")
    corpus = AlignedCorpusReader(tmp_path, ["a", "b"])
    assert corpus.raw() == text + "é\nz\n0-0\n"
    assert [(pair.words, pair.mots) for pair in corpus.aligned_sents()] == [
        (["a"], ["x"]),
        (["b"], ["y"]),
        (["é"], ["z"]),
    ]
    (tmp_path / "a").write_text("=\na\nx\n0-9\n", "utf-8")
    with pytest.raises(alinea.ParseError, match="a:4:"):
        len(corpus.aligned_sents())


@pytest.mark.parametrize("zipped", [False, True])
def test_the_comtrans_corpus_is_found_where_nltk_puts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, zipped: bool
) -> None:
    for home in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(home, str(tmp_path / "nobody"))
    monkeypatch.setenv("NLTK_DATA", str(tmp_path / "empty"))
    fresh = type(nltk_corpus.comtrans)("comtrans", nltk_corpus.comtrans._pattern)
    with pytest.raises(LookupError, match=r"corpora/comtrans is not installed .*\n.*empty"):
        fresh.fileids()
    monkeypatch.setenv("NLTK_DATA", f"{tmp_path / 'empty'}{os.pathsep}{tmp_path / 'data'}")
    folder = tmp_path / "data" / "corpora"
    files = {"README": "", "alignment-de-en.txt": "das\nthe\n0-0\n"}
    if zipped:
        folder.mkdir(parents=True)
        with zipfile.ZipFile(folder / "comtrans.zip", "w") as archive:
            archive.writestr("comtrans/", "")
            for name, text in files.items():
                archive.writestr(f"comtrans/{name}", text)
    else:
        (folder / "comtrans").mkdir(parents=True)
        for name, text in files.items():
            (folder / "comtrans" / name).write_text(text, "utf-8")
    assert fresh.fileids() == ["alignment-de-en.txt"]
    assert fresh.aligned_sents("alignment-de-en.txt")[0].mots == ["the"]
    with pytest.raises(FileNotFoundError):
        fresh.words("nothing")


def test_words_keep_what_has_links() -> None:
    for kind in (alinea.AlignedSentence, align.AlignedSent):
        pair = kind(["a", "b"], ["x"], "1-0")
        with pytest.raises(IndexError, match="boundary of words"):
            pair.words = ["a"]
        with pytest.raises(IndexError, match="boundary of mots"):
            pair.mots = []
        pair.words = ["a", "c", "d"]
        assert (pair.words, pair.mots, str(pair.alignment)) == (["a", "c", "d"], ["x"], "1-0")


def test_modules_of_the_older_package() -> None:
    for name in ("api", "gale_church", "gdfa", "ibm1", "ibm2", "ibm3", "phrase_based"):
        module = importlib.import_module(f"alinea.nltk.align.{name}")
        assert all(hasattr(module, item) for item in module.__all__)
    assert (align.Alignment([])[0], repr(align.AlignedSent(encoding="latin-1"))) == (
        [],
        "AlignedSent([], [], Alignment([]))",
    )
    with pytest.raises(IndexError):
        align.Alignment([])[1]

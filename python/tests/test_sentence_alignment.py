"""Groups of sentences that translate each other, by lengths and other evidence, and their evaluation."""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from vector_files import tuples, vectors

import alinea

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "crates/alinea-cli/sample"
# A tiny encoder with random weights, whose embeddings say which words are the same.
TINY = ROOT / "crates/alinea-encoder/tests/data/xlm-roberta"
EMBEDDINGS: dict[str, Any] = {"encoder": TINY, "encoder_layer": 0}
LINES, TRANSLATED = ((SAMPLE / f"en-fr.{name}").read_text(encoding="utf-8").splitlines() for name in ("en", "fr"))

Group = tuple[list[int], list[int]]


class Book:
    """Two texts whose lines do not correspond, and what is known of them, in files and in memory."""

    def __init__(self, folder: Path) -> None:
        """Of each ten pairs the third loses its target and the ninth its source; two targets become one sentence."""
        self.folder = folder
        self.source: list[str] = []
        self.target: list[str] = []
        self.gold: list[Group] = []
        waiting: tuple[list[int], str] = ([], "")
        for number, (source, target) in enumerate(zip(LINES[:200], TRANSLATED[:200], strict=True)):
            place = number % 10
            own = [] if place == 8 else [len(self.source)]
            self.source += [source] * len(own)
            if place == 4:
                waiting = own, f"{target} "
                continue
            others = [] if place == 2 else [len(self.target)]
            self.target += [waiting[1] + target] * len(others)
            self.gold.append((waiting[0] + own, others))
            waiting = [], ""
        self.files = self.write("source", self.source), self.write("target", self.target)
        self.gold_file = self.write("gold", map(numbers, self.gold))
        # Of other text, which is read in different forms.
        rest = LINES[200:], TRANSLATED[200:]
        self.models = {
            "plain": alinea.train(*rest, folder / "plain"),
            "cased": alinea.train(*rest, folder / "cased", lowercase=False, tokenize="unicode"),
        }
        # The best translations of words, some in upper case, and an entry of several words.
        self.dictionary = [("ice cream", "glace", 1.0)]
        for number, word in enumerate(sorted({word for line in LINES[200:] for word in line.lower().split()})):
            for other, _ in self.models["plain"].translations(word, 1):
                self.dictionary.append((word, other, 0.5) if number % 3 else (word.title(), other.upper(), 0.25))
        self.write("dictionary", ("\t".join(map(str, entry)) for entry in self.dictionary))

    def write(self, name: str, lines: Iterable[str]) -> Path:
        path = self.folder / name
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path

    def known(self, names: list[str]) -> tuple[list[object], dict[str, Any]]:
        """Arguments of the command, and of the function."""
        arguments: list[object] = []
        options: dict[str, Any] = {}
        for name in names:
            if name in self.models:
                arguments += ["-m", self.folder / name]
                options["model"] = self.models[name]
            elif name == "dictionary":
                arguments += ["--dictionary", self.folder / name]
                options["dictionary"] = self.dictionary
            else:
                arguments += ["--encoder", TINY, "--encoder-layer", 0]
                options |= EMBEDDINGS
        return arguments, options


def numbers(group: Group) -> str:
    return "\t".join(",".join(map(str, side)) for side in group)


def as_objects(beads: list[alinea.Bead]) -> list[dict[str, Any]]:
    return [{**bead._asdict(), "source": [*bead.source], "target": [*bead.target]} for bead in beads]


def as_lines(beads: list[alinea.Bead]) -> str:
    return "".join(f"{numbers(([*bead.source], [*bead.target]))}\t{bead.confidence:.4f}\n" for bead in beads)


def strict_f(gold: list[Group], beads: list[alinea.Bead]) -> float:
    f = alinea.evaluate_sentences(gold, beads).strict.f
    assert f is not None
    return f


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Book:
    return Book(tmp_path_factory.mktemp("book"))


@vectors("gale-church.jsonl", "gale_church")
def test_sentences_are_aligned_as_by_nltk(vector: dict[str, Any]) -> None:
    source, target = ([["x" * n for n in vector["input"][f"{side}_lengths"]]] for side in ("source", "target"))
    beads = alinea.sentence_align(source, target, max_sentences=2)
    assert [(i, j) for bead in beads for i in bead.source for j in bead.target] == list(map(tuples, vector["expect"]))


def test_groups_lie_in_paragraphs_and_count_over_the_text() -> None:
    source = [["ab" * 10, "cd" * 15, "ef" * 5], [], ["x" * 9]]
    target = [["gh" * 10, "ij" * 21], [], ["y" * 9]]
    first, second, third = alinea.sentence_align(source, target)
    assert [(first.source, first.target), (second.source, second.target)] == [
        (range(1), range(1)),
        (range(1, 3), range(1, 2)),
    ]
    assert (third.source, third.target) == (range(3, 4), range(2, 3))
    # Equal lengths: only the probability of 1-1, 0.89, counts (Gale and Church 1993, table 5).
    assert first.cost == third.cost == pytest.approx(-math.log(0.89), abs=1e-12)
    three = alinea.sentence_align([["x" * 30, "x" * 35, "x" * 25, "x" * 60]], [["y" * 90, "y" * 60]])
    assert [[*bead.source] for bead in three] == [[0, 1, 2], [3]]
    assert alinea.sentence_align([], []) == []
    assert alinea.sentence_align([[]], [[]]) == []


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ([], {}),
        (["--no-paragraphs", "--unit", "bytes"], {"paragraphs": False, "unit": "bytes"}),
        (["--paragraph", "<p>", "--ratio", "1.2"], {"mark": "<p>", "ratio": 1.2}),
    ],
)
def test_files_are_aligned_as_by_the_command(
    answer: Callable[..., str], tmp_path: Path, arguments: list[str], options: dict[str, Any]
) -> None:
    source, target = tmp_path / "de", tmp_path / "en"
    source.write_text("Das Haus ist alt.\nNiemand wohnt darin, und der Garten ist groß. \n\n<p>\nJa.\n")
    target.write_text("The house is old.\nNobody lives in it.\nThe garden is large.\n\n\n<p>\nYes.\n")
    written = answer("sentence-align", source, target, "--json", *arguments)
    found = as_objects(alinea.sentence_align(source, target, **options))
    assert found == [json.loads(line) for line in written.splitlines()]
    assert len(found) > 1


def test_lengths_are_characters_or_bytes_without_line_ends() -> None:
    source, target = [["äöü\n", "x"]], [["abc", "x"]]
    assert alinea.sentence_align(source, target)[0].cost == pytest.approx(-math.log(0.89), abs=1e-12)
    by_bytes = alinea.sentence_align(source, [["abcdef\r\n", "x"]], unit="bytes")
    assert [bead.cost for bead in by_bytes] == pytest.approx([-math.log(0.89)] * 2, abs=1e-12)
    # With lengths in proportion, too.
    doubled = alinea.sentence_align([["abc"]], [["abcdef"]], ratio=2)
    assert doubled[0].cost == pytest.approx(-math.log(0.89), abs=1e-12)


@pytest.mark.parametrize(
    ("source", "options", "error", "message"),
    [
        ("text", {}, TypeError, r"^source: expected a sequence of paragraphs, not a str$"),
        (["text"], {}, TypeError, r"^source\[0\]: expected a sequence of sentences, not a str$"),
        ([[1]], {}, TypeError, r"^source\[0\]: a sentence is a str, not int$"),
        ([["a"]], {"unit": "words"}, alinea.ConfigError, r"^unit = words: must be characters or bytes$"),
        ([["a"]], {"ratio": 0}, alinea.ConfigError, r"^ratio = 0: must be "),
        ([["a"]], {"variance": math.nan}, alinea.ConfigError, r"^variance = NaN: must be "),
        ([["a"]], {"max_sentences": 5}, alinea.ConfigError, r"^max_sentences = 5: must be 1 to 4$"),
        ([["a"], ["b"]], {}, alinea.Error, r"paragraphs"),
        ([], {}, alinea.Error, r"^the source has no sentences, and the target has some$"),
        ([["a"]], {"mark": "<p>"}, ValueError, r"^mark and paragraphs are for files"),
        ([["a"]], {"paragraphs": False}, ValueError, r"^mark and paragraphs are for files"),
        (Path("none"), {}, FileNotFoundError, r"none"),
    ],
)
def test_what_cannot_be_aligned_is_refused(source: Any, options: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        alinea.sentence_align(source, [["a"]], **options)


def test_lengths_that_do_not_fit_are_warned_of() -> None:
    source = [["x" * length for length in (40, 55, 30, 62, 48, 51)]]
    target = [[3 * sentence for sentence in source[0]]]
    message = (
        r"differ more than expected of translations \(.* the target is 3\.00 times as long as the source: ratio=3\.00$"
    )
    with pytest.warns(UserWarning, match=message) as caught:
        alinea.sentence_align(source, target)
    assert [warning.filename for warning in caught] == [__file__]
    alinea.sentence_align(source, target, ratio=3.0)
    alinea.sentence_align(source, source)


def test_more_than_lengths_finds_what_was_left_out(book: Book) -> None:
    def strict(*names: str) -> float:
        _, options = book.known([*names])
        return strict_f(book.gold, alinea.sentence_align([book.source], [book.target], **options))

    by_length = strict()
    assert by_length < 0.6
    assert min(strict("plain"), strict("cased")) > 0.8
    assert strict("dictionary") > by_length + 0.1


@pytest.mark.parametrize(
    "known",
    [
        [],
        ["plain"],
        ["cased"],
        ["dictionary"],
        ["encoder"],
        ["cased", "dictionary"],
        ["plain", "dictionary", "encoder"],
    ],
    ids=lambda names: "+".join(names) or "lengths",
)
@pytest.mark.filterwarnings("ignore:word vectors are not used")
def test_groups_are_those_of_the_command(answer: Callable[..., str], book: Book, known: list[str]) -> None:
    arguments, options = book.known(known)
    cases: list[tuple[list[object], tuple[Any, Any], dict[str, Any]]] = [
        ([], book.files, {}),
        (["--max-sentences", 2, "--ratio", 1.1], ([book.source], [book.target]), {"max_sentences": 2, "ratio": 1.1}),
    ]
    for more, texts, changed in cases:
        command = ["sentence-align", *book.files, *arguments, *more]
        given = {**options, **changed}
        beads = alinea.sentence_align(*texts, **given)
        assert as_lines(beads) == answer(*command, "--format", "scored")
        assert as_objects(beads) == [json.loads(line) for line in answer(*command, "--json").splitlines()]
        assert all(0 <= bead.confidence <= 1 for bead in beads)
        assert alinea.sentence_align(*texts, **given, threads=1) == beads


def test_an_encoder_sees_which_lines_are_missing(answer: Callable[..., str], book: Book, tmp_path: Path) -> None:
    lines = LINES[:200]
    kept = [number for number in range(200) if number % 7 != 3]
    less = [lines[number] for number in kept]
    gold = [([number], [kept.index(number)] if number in kept else []) for number in range(200)]
    files = book.write("whole", lines), book.write("less", less)
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    options = "--encoder", TINY, "--encoder-layer", 0, "--encoder-cache", theirs
    written = answer("sentence-align", *files, "--format", "scored", *options)
    # Lines that are missing do not count where it is told whether lengths fit: there is no warning.
    beads = alinea.sentence_align([lines], [less], **EMBEDDINGS, encoder_cache=ours)
    assert as_lines(beads) == written
    assert ours.read_bytes() == theirs.read_bytes()
    assert strict_f(gold, beads) > 0.95
    assert strict_f(gold, alinea.sentence_align([lines], [less])) < 0.9
    encoder = alinea.Encoder(TINY, 0)
    assert alinea.sentence_align(*files, encoder=encoder, encoder_cache=str(ours)) == beads
    assert ours.read_bytes() == theirs.read_bytes()


def test_texts_without_sentences_have_no_groups(book: Book) -> None:
    _, options = book.known(["plain", "encoder"])
    texts: list[list[list[str]]] = [[], [[]], [[], []]]
    for empty in texts:
        assert alinea.sentence_align(empty, empty, **options) == []


def test_a_dictionary_without_words_is_warned_of() -> None:
    with pytest.warns(UserWarning, match=r"^the dictionary has no entries of one word on each side$") as caught:
        found = alinea.sentence_align([["a 1"]], [["b 1"]], dictionary=[("ice cream", "glace vanille")])
    assert [warning.filename for warning in caught] == [__file__]
    assert len(found) == 1


def test_an_encoder_that_knows_nothing_of_the_languages_is_not_used(book: Book) -> None:
    with pytest.warns(UserWarning, match=r"^word vectors are not used: they say nothing about the order") as caught:
        found = alinea.sentence_align(*book.files, **EMBEDDINGS)
    assert [warning.filename for warning in caught] == [__file__]
    assert found == alinea.sentence_align(*book.files)


@pytest.mark.filterwarnings("ignore:word vectors are not used")
def test_progress_is_shown(book: Book) -> None:
    tasks: list[str] = []

    class Bar:
        def __init__(self, *, desc: str, total: int | None) -> None:  # noqa: ARG002  # as tqdm's
            tasks.append(desc)

        def update(self, n: int) -> None: ...

        def close(self) -> None: ...

    quiet = alinea.sentence_align(*book.files, model=book.models["plain"], **EMBEDDINGS)
    assert alinea.sentence_align(*book.files, model=book.models["plain"], **EMBEDDINGS, progress=Bar) == quiet
    assert tasks == ["encoding", "encoding", "comparing sentences", "scoring sentences"]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"model": "plain"}, TypeError, r"^model: expected a TrainedModel, not str \(TrainedModel\(path\) opens"),
        ({"encoder_layer": 2}, alinea.ConfigError, r"^encoder_layer = 2: must be unset without an encoder$"),
        ({"encoder_cache": "kept"}, alinea.ConfigError, r"^encoder_cache = kept: must be unset without an encoder$"),
        ({"encoder": TINY, "encoder_layer": 4}, alinea.ConfigError, r"^encoder_layer = 4: must be 0 to the number"),
        ({"encoder": Path("none", "of", "them")}, alinea.Error, r"no such folder$"),
        ({"dictionary": [("x",)]}, TypeError, r"^dictionary\[0\]: expected a source word, a target word and perhaps a"),
        ({"dictionary": [("a", "b"), "ab"]}, TypeError, r"^dictionary\[1\]: expected .*, not 'ab'$"),
        ({"dictionary": [("a", "b", "1")]}, TypeError, r"^dictionary\[0\]: expected .*, not \('a', 'b', '1'\)$"),
        ({"dictionary": [("a", "b", -1.0)]}, alinea.ConfigError, r"^dictionary = -1: must be weights above 0"),
        ({"threads": -1}, alinea.ConfigError, r"^threads = -1: must be 0 to 256$"),
    ],
)
def test_options_that_are_not_allowed(options: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        alinea.sentence_align([["a"]], [["a"]], **options)


def test_what_is_wrong_with_texts_is_told_before_they_are_encoded(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    with pytest.raises(alinea.Error, match=r"^the source has 2 paragraphs, the target 1 paragraph$"):
        alinea.sentence_align([["a"], ["b"]], [["a"]], encoder=TINY, encoder_cache=kept)
    assert not kept.exists()
    alinea.sentence_align([["a"]], [["a"]], encoder=TINY, encoder_cache=kept)
    assert kept.exists()


def test_files_of_trees_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "trees.conllu"
    path.write_text("".join(f"{n}\tw\tw\tNOUN\t_\t_\t{n - 1}\tdep\t_\t_\n" for n in (1, 2, 3)))
    with pytest.raises(alinea.Error, match="CoNLL-U"):
        alinea.sentence_align(path, path)


def groups(text: str) -> list[Group]:
    """`0,1:0 2:` as groups."""
    sides = [group.split(":") for group in text.split()]
    source, target = (
        [[int(n) for n in side.split(",") if n] for side in column] for column in zip(*sides, strict=True)
    )
    return list(zip(source, target, strict=True))


# Worked out by hand: the numbers of groups found, right ones, gold groups with both sides, and those found.
@pytest.mark.parametrize(
    ("found", "strict", "lax"),
    [
        ("0:0 1,2:1 3:2,3 4: 5:4 :5", (6, 6, 4, 4), (6, 6, 4, 4)),
        ("0:0 1:1 2: 3:2 :3 4:4 5:5", (7, 1, 4, 1), (7, 3, 4, 3)),
        ("0:0 2,1:1", (2, 2, 4, 2), (2, 2, 4, 2)),
        # A sentence of each side, but of different gold groups.
        ("0:1 1:0", (2, 0, 4, 0), (2, 0, 4, 0)),
    ],
)
def test_scores_are_those_of_the_definitions(
    found: str, strict: tuple[int, ...], lax: tuple[int, ...], tmp_path: Path
) -> None:
    gold = groups("0:0 1,2:1 3:2,3 4: 5:4 :5")
    evaluation = alinea.evaluate_sentences(gold, groups(found))
    for scores, expected in ((evaluation.strict, strict), (evaluation.lax, lax)):
        assert (scores.found, scores.right, scores.gold, scores.recalled) == expected
        number, right, number_of_gold, recalled = expected
        precision, recall = right / number, recalled / number_of_gold
        both = precision + recall
        f = 2 * precision * recall / both if both else 0
        assert (scores.precision, scores.recall, scores.f) == pytest.approx((precision, recall, f))
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    ours.write_text("".join(f"{numbers(group)}\t0.5\n" for group in gold))
    theirs.write_text("".join(f"{source}:{target}:0.25\n" for source, target in groups(found)))
    assert alinea.evaluate_sentences(ours, theirs) == evaluation


def test_no_groups_have_no_scores() -> None:
    evaluation = alinea.evaluate_sentences([([0], [0])], [])
    assert (evaluation.lax.precision, evaluation.lax.recall, evaluation.lax.f) == (0, 0, 0)
    # Nothing can be recalled of gold groups with one side.
    evaluation = alinea.evaluate_sentences([([0], []), ([], [0])], [([0], [])])
    assert (evaluation.strict.precision, evaluation.strict.recall, evaluation.strict.f) == (1, None, None)
    assert evaluation.to_dict()["lax"]["recall"] is None
    assert evaluation._repr_html_().count(">–<") == 4


def test_scores_are_those_of_the_command(command: Path, book: Book) -> None:
    out = book.folder / "out"
    options: list[str | Path] = ["-m", book.folder / "plain", "--gold", book.gold_file, "-o", out, "--quiet"]
    words = [command, "sentence-align", *book.files, *options]
    written = subprocess.run(words, capture_output=True, text=True, check=True).stderr
    beads = alinea.sentence_align(*book.files, model=book.models["plain"])
    evaluation = alinea.evaluate_sentences(book.gold, beads)
    assert evaluation == alinea.evaluate_sentences(book.gold_file, out)
    lines = []
    for sense, scores in (("strict", evaluation.strict), ("lax", evaluation.lax)):
        precision, recall, f = (100 * (score or 0) for score in (scores.precision, scores.recall, scores.f))
        lines.append(f"{sense:6}  precision {precision:6.2f}  recall {recall:6.2f}  F {f:6.2f}\n")
    assert written == "".join(lines)


def test_scores_are_shown_in_notebooks_and_data_frames() -> None:
    evaluation = alinea.evaluate_sentences([([0, 1], [0])], [([0], [0]), ([1], [])])
    assert [row["sense"] for row in evaluation.rows()] == ["strict", "lax"]
    lax = json.loads(json.dumps(evaluation.to_dict()))["lax"]
    assert evaluation.rows()[1] == {"sense": "lax", **lax}
    assert ">50.00<" in evaluation._repr_html_()


@pytest.mark.parametrize(
    ("found", "error", "message"),
    [
        ("0\t0", TypeError, r"^groups: expected groups of sentences, not a str \(pass a file as a pathlib\.Path\)$"),
        ([0], TypeError, r"^groups\[0\]: expected numbers of source sentences and of target sentences, not 0$"),
        ([([0], [0]), ([1],)], TypeError, r"^groups\[1\]: expected numbers of source sentences and of target"),
        ([("0", "0")], TypeError, r"^groups\[0\]: expected numbers of source sentences"),
        ([([0.5], [0])], TypeError, r"^groups\[0\]: expected numbers of source sentences"),
        ([([0], [-1])], ValueError, r"^groups\[0\]: sentences are numbered from 0$"),
        ([([0], [2**65])], ValueError, r"^groups\[0\]: there is no target sentence 36893488147419103232$"),
        ([([0], [0]), ([], [])], ValueError, r"^groups\[1\]: a group has a sentence on one side at least$"),
        ([([1, 0, 1], [0])], ValueError, r"^groups\[0\]: source sentence 1 occurs twice$"),
        ([([0], [0]), ([1], [1, 0])], ValueError, r"^groups\[1\]: target sentence 0 occurs twice$"),
        (Path("none"), FileNotFoundError, r"none"),
    ],
)
def test_what_is_no_group_is_refused(found: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        alinea.evaluate_sentences([([0], [0])], found)


def test_gold_groups_are_needed(tmp_path: Path) -> None:
    with pytest.raises(alinea.Error, match=r"^no gold groups$"):
        alinea.evaluate_sentences([], [([0], [0])])
    path = tmp_path / "gold"
    path.write_text("0\t0\n1\n")
    with pytest.raises(alinea.ParseError, match=r"gold:2:1: expected a group as `0,1<TAB>2` or"):
        alinea.evaluate_sentences(path, [([0], [0])])
    path.write_text("0\t0\n0,1\t1\n")
    with pytest.raises(alinea.ParseError, match=r"gold:2:1: expected source sentence 0 only once"):
        alinea.evaluate_sentences(path, [([0], [0])])

"""Training in parts gives the model of the joined text, and files that do not belong together are refused."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import alinea
from alinea import parts

Text = tuple[list[str], list[str]]


@dataclass(frozen=True)
class Steps:
    """All steps, in a directory."""

    directory: Path
    texts: Sequence[Text]

    def file(self, *name: object) -> Path:
        return self.directory / ".".join(map(str, name))

    def each(self, *name: object) -> list[Path]:
        return [self.file(*name, number) for number in self.numbers()]

    def numbers(self) -> range:
        return range(1, len(self.texts) + 1)

    def begin(self, weights: Sequence[float] = (), reading: dict[str, Any] | None = None, **options: Any) -> int:
        given = list(weights) or [1.0] * len(self.texts)
        for number, text, weight in zip(self.numbers(), self.texts, given, strict=True):
            parts.words(*text, self.file("words", number), weight=weight, **(reading or {}))
        parts.join(self.each("words"), self.file("words"))
        for number, text in zip(self.numbers(), self.texts, strict=True):
            parts.pairs(*text, self.file("pairs", number), part=number, words=self.file("words"), threads=1)
        # In any order.
        return parts.begin(self.each("pairs")[::-1], self.file("state.0"), words=self.file("words"), **options)

    def count(self, done: int, number: int, **options: Any) -> parts.Pass:
        return parts.count(
            *self.texts[number - 1],
            self.file("counts", done + 1, number),
            part=number,
            state=self.file("state", done),
            own=self.file("own", done, number) if done else None,
            keep=self.file("own", done + 1, number),
            **options,
        )

    def run(self, passes: int, prunes: Mapping[int, float] | None = None, **of_first: Any) -> bytes:
        for done in range(passes):
            for number in self.numbers():
                counted = self.count(done, number, **(of_first if number == 1 else {}))
                assert counted[:2] == (done + 1, passes)
                assert counted[3:] == (1, len(self.texts))
            counts, state = self.each("counts", done + 1), self.file("state", done)
            if done + 1 < passes:
                prune, output = (prunes or {}).get(done + 1), self.file("state", done + 1)
                assert parts.maximize(counts, state=state, output=output, prune=prune) == (done + 1, passes)
        kept = self.each("own", passes)
        assert parts.maximize(counts, state=state, model=self.file("model"), own=kept) == (passes, passes)
        return self.file("model").read_bytes()


def cut(text: Text, *ends: int) -> list[Text]:
    starts = [0, *ends]
    return [(text[0][a:b], text[1][a:b]) for a, b in zip(starts, [*ends, len(text[0])], strict=True)]


@pytest.fixture(scope="module")
def short(text: Text) -> Text:
    return text[0][:150], text[1][:150]


@pytest.mark.parametrize("ends", [(), (50, 90), (0, 140, 145)], ids=["1", "3", "4, one empty, one with most"])
def test_the_model_is_that_of_the_joined_text(short: Text, ends: tuple[int, ...], tmp_path: Path) -> None:
    alinea.train(*short, tmp_path / "whole")
    steps = Steps(tmp_path, cut(short, *ends))
    assert steps.run(steps.begin()) == (tmp_path / "whole").read_bytes()


def test_options_are_those_of_training(short: Text, tmp_path: Path) -> None:
    main, more = cut(short, 100)
    dictionary = [("S1", "T1"), ("s2", "t2", 0.5)]
    links = [alinea.GoldAlignment([(0, 0)]) if s and t else None for s, t in zip(*main, strict=True)][:20]
    reading: dict[str, Any] = {"lowercase": False, "tokenize": "unicode", "max_length": 50}
    options: dict[str, Any] = {"model": "agreement", "iterations": "ibm1:2,hmm:1", "dictionary": dictionary}
    more_of: dict[str, Any] = {"added": [more], "weight": 0.3, "links": links}
    alinea.train(main[0], main[1], tmp_path / "whole", **more_of, **options, **reading)
    steps = Steps(tmp_path, [main, more])
    assert steps.begin([1.0, 0.3], reading, **options) == 3
    assert steps.run(3, links=links, max_length=50, threads=1) == (tmp_path / "whole").read_bytes()


def test_files_are_those_of_the_command(short: Text, command: Path, tmp_path: Path) -> None:
    texts = cut(short, 70)
    steps = Steps(tmp_path / "ours", texts)
    steps.directory.mkdir()
    steps.begin(iterations="ibm1:1,hmm:1")
    for number, (source, target) in enumerate(texts, 1):
        for side, lines in (("s", source), ("t", target)):
            (tmp_path / f"{number}.{side}").write_text("".join(f"{line}\n" for line in lines))

    def run(words: str) -> None:
        subprocess.run([command, "parts", *words.split(), "--quiet"], cwd=tmp_path, check=True)

    for number in (1, 2):
        run(f"words {number}.s {number}.t -o words.{number}")
    run("join words.1 words.2 -o words")
    for number in (1, 2):
        run(f"pairs {number}.s {number}.t --part {number} --words words -o pairs.{number}")
    run("begin pairs.1 pairs.2 --words words --iterations ibm1:1,hmm:1 -o state.0")
    run("count 1.s 1.t --part 1 --state state.0 -o counts.1.1 --keep own.1.1")
    steps.count(0, 1)
    for path in steps.directory.iterdir():
        assert path.read_bytes() == (tmp_path / path.name).read_bytes(), path.name


def test_counts_are_added_in_any_grouping(short: Text, tmp_path: Path) -> None:
    steps = Steps(tmp_path, cut(short, 40, 80, 120))
    steps.begin(iterations="ibm1:1,hmm:1")
    for number in steps.numbers():
        steps.count(0, number)
    one, two, three, four = steps.each("counts", 1)
    assert parts.merge_counts([four, two], steps.file("some")) == (1, 2, "Model 1 1/1", 2, 4)
    assert parts.merge_counts([one, steps.file("some"), three], steps.file("all"))[3:] == (4, 4)
    parts.merge_counts([one, two, three, four], steps.file("others"))
    assert steps.file("all").read_bytes() == steps.file("others").read_bytes()
    with pytest.raises(alinea.Error, match="counted twice"):
        parts.merge_counts([steps.file("some"), two], steps.file("none"))
    with pytest.raises(alinea.Error, match="no counts"):
        parts.merge_counts([], steps.file("none"))
    assert not steps.file("none").exists()


def test_pruned_trainings_do_not_depend_on_the_parts(short: Text, tmp_path: Path) -> None:
    models = []
    for name, texts in [("one", [short]), ("two", cut(short, 50))]:
        (tmp_path / name).mkdir()
        steps = Steps(tmp_path / name, texts)
        steps.begin(iterations="ibm1:2,hmm:2")
        models.append(steps.run(4, prunes={2: 0.01, 3: 0.1}))
    assert models[0] == models[1]
    alinea.train(*short, tmp_path / "all", iterations="ibm1:2,hmm:2")
    assert len(models[0]) < len((tmp_path / "all").read_bytes())


def test_what_does_not_belong_together_is_refused(short: Text, tmp_path: Path) -> None:
    steps = Steps(tmp_path, cut(short, 70))
    steps.begin(iterations="ibm1:1,hmm:2")
    for number in (1, 2):
        steps.count(0, number)
    state, counts, output = steps.file("state.0"), steps.each("counts", 1), steps.file("none")
    parts.maximize(counts, state=state, output=steps.file("state.1"))
    steps.file("counts.cut").write_bytes(counts[0].read_bytes()[:3000])
    shutil.copy(counts[0], steps.file("counts.damaged"))
    with open(steps.file("counts.damaged"), "r+b") as file:
        file.seek(-1, 2)
        last = file.read(1)[0]
        file.seek(-1, 2)
        file.write(bytes([last ^ 1]))
    first, second = steps.texts
    words = steps.file("words")
    calls: list[tuple[Any, str]] = [
        (lambda: parts.pairs(*second, output, part=1, words=words), "the text of part 2, not of part 1"),
        (lambda: parts.pairs(*first, output, part=3, words=words), "there is no part 3"),
        (lambda: parts.join([words], output), "words"),
        (lambda: parts.begin(steps.each("pairs")[:1], output, words=words), "pairs of part 2 are missing"),
        (
            lambda: parts.count(*first, output, part=1, state=state, keep=output, own=None, links=["0-90"]),
            "link 0-90 is out of range",
        ),
        (lambda: parts.maximize(counts[:1], state=state, output=output), "the counts of a part are missing"),
        (lambda: parts.maximize(counts, state=steps.file("state.1"), output=output), "the state is that before HMM"),
        (lambda: parts.maximize([steps.file("counts.cut")], state=state, output=output), "counts.cut: "),
        (lambda: parts.maximize([steps.file("counts.damaged")], state=state, output=output), "counts.damaged: "),
    ]
    for call, message in calls:
        with pytest.raises(alinea.Error, match=message):
            call()
        assert not output.exists(), message
    for number in (1, 2):
        steps.count(1, number)
    parts.maximize(steps.each("counts", 2), state=steps.file("state.1"), output=steps.file("state.2"))
    own, state = steps.file("own.1.1"), steps.file("state.2")
    with pytest.raises(alinea.Error, match="the own counts of part 1 are of pass 1"):
        parts.count(*first, output, part=1, state=state, keep=output, own=own)
    assert not output.exists()


def test_arguments_are_checked(short: Text, tmp_path: Path) -> None:
    steps = Steps(tmp_path, [short])
    assert steps.begin(iterations="ibm1:1,hmm:1") == 2
    steps.count(0, 1)
    state, pairs, words, output = (steps.file(name) for name in ("state.0", "pairs.1", "words", "none"))
    [counts] = steps.each("counts", 1)
    wrong: list[tuple[Any, str]] = [
        (lambda: parts.words(*short, output, weight=0), "^weight = 0"),
        (lambda: parts.words(*short, output, max_length=0), "^max_length = 0"),
        (lambda: parts.pairs(*short, output, part=0, words=words), "^part = 0: must be 1 or more$"),
        (lambda: parts.pairs(*short, output, part=1, words=words, threads=-1), "^threads = -1"),
        (lambda: parts.begin([pairs], output, words=words, model="quality"), "not for quality"),
        (lambda: parts.begin([pairs], output, words=words, iterations="ibm1:0"), "iterations"),
        (lambda: parts.maximize([counts], state=state, model=output), "^output = .*none: must be .*: passes are left$"),
        (lambda: parts.maximize([counts], state=state), "^output = None: must be"),
        (lambda: steps.count(0, 1, memory=-1), "^memory = -1: must be bytes, 0 or more"),
        (lambda: parts.maximize([counts], state=state, output=output, prune=2), "^prune = 2: must be above 0"),
    ]
    for call, message in wrong:
        with pytest.raises(alinea.ConfigError, match=message):
            call()
    parts.maximize([counts], state=state, output=steps.file("state.1"))
    steps.count(1, 1)
    with pytest.raises(alinea.ConfigError, match=r"^model = .*none: must be .*: this is the last pass$"):
        parts.maximize(steps.each("counts", 2), state=steps.file("state.1"), output=output)
    with pytest.raises(alinea.ConfigError, match=r"^prune = 0.5: must be None for the last pass"):
        parts.maximize(steps.each("counts", 2), state=steps.file("state.1"), model=output, prune=0.5)
    with pytest.raises(alinea.Error, match="own counts of part 1 are missing"):
        parts.maximize(steps.each("counts", 2), state=steps.file("state.1"), model=output)
    with pytest.raises(alinea.Error, match=r"^1000 bytes of memory are too few: this part takes \d+ at least$"):
        steps.count(0, 1, memory=1000)
    expected = counts.read_bytes()
    steps.count(0, 1, memory=1 << 40)
    assert counts.read_bytes() == expected
    with pytest.raises(FileNotFoundError):
        parts.join([output], steps.file("other"))
    with pytest.raises(TypeError, match=r"source\[1\]: a sentence is"):
        parts.words(["a", None], ["b", "c"], output)  # type: ignore[list-item]
    with pytest.raises(alinea.Error, match="unequal"):
        parts.words(["a"], ["b", "c"], output)
    assert not output.exists()

"""Models in memory and in files: adapted, pruned, merged, streamed, as the command does it."""

import pickle
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import alinea

SAMPLE = Path(__file__).parents[2] / "crates/alinea-cli/sample"
TEXT = SAMPLE / "en-fr.en", SAMPLE / "en-fr.fr"
SOURCE, TARGET = (path.read_text().splitlines() for path in TEXT)
HALF = len(SOURCE) // 2
MODELS = SAMPLE.parents[1] / "alinea/tests/vectors/sentence-piece"


@pytest.fixture(scope="module")
def model() -> alinea.TrainedModel:
    return alinea.train(SOURCE[:HALF], TARGET[:HALF])


@pytest.fixture(scope="module")
def whole() -> alinea.TrainedModel:
    return alinea.train(*TEXT)


def pharaoh(links: Iterable[alinea.LinkArray]) -> str:
    return "".join(" ".join(f"{i}-{j}" for i, j in pair.tolist()) + "\n" for pair in links)


def test_a_model_in_memory_is_the_one_in_a_file(tmp_path: Path, model: alinea.TrainedModel) -> None:
    written, saved = tmp_path / "written", tmp_path / "saved"
    returned = alinea.train(SOURCE[:HALF], TARGET[:HALF], written)
    again = pickle.loads(pickle.dumps(model))
    model_of_file = alinea.TrainedModel(written)
    for other in (returned, again, model_of_file):
        assert other.signature == model.signature
        assert other.align(*TEXT) == model.align(*TEXT)
    other = alinea.train(SOURCE[:HALF], TARGET[:HALF])
    other.save(saved)
    assert saved.read_bytes() == written.read_bytes()
    assert len(pickle.dumps(other)) < 1000, "it has a file now"
    model_of_file.save(saved)
    assert saved.read_bytes() == written.read_bytes()
    with pytest.raises(alinea.Error, match="such a file cannot be compressed"):
        other.save(tmp_path / "model.gz")
    with pytest.raises(OSError, match="the directory"):
        other.save(tmp_path / "no" / "model")


def test_a_model_adapts_as_with_the_command(
    answer: Callable[..., str], tmp_path: Path, model: alinea.TrainedModel
) -> None:
    path, links, words = tmp_path / "model", tmp_path / "links", tmp_path / "words"
    model.save(path)
    files = tmp_path / "source", tmp_path / "target"
    for file, lines in zip(files, (SOURCE[HALF:], TARGET[HALF:]), strict=True):
        file.write_text("\n".join(lines) + "\n")
    written = answer("align", "-m", path, "--adapt", 2, *files)
    assert pharaoh(model.adapt(*files, 2).align(*files)) == written
    assert written != answer("align", "-m", path, *files)
    written = answer("align", "-m", path, "--adapt", *files)
    assert pharaoh(model.adapt(*files).align(*files)) == written
    assert pharaoh(model.align(*files, adapt=True)) == pharaoh(model.align(*files, adapt=8)) == written
    known = SOURCE[:HALF], TARGET[:HALF]
    assert pharaoh(model.align(*known, adapt=False)) == pharaoh(model.align(*known))
    written = answer("align", "-m", path, "--adapt", 2, *files)
    links.write_text("0-0\n")
    words.write_text("the le 1.0\n")
    adapted = model.adapt(*files, 2)
    thresholds: list[dict[str, Any]] = [{"objective": "aer"}, {"objective": "precision:0.95"}, {"objective": "f:0.1"}]
    chosen = [pharaoh(adapted.align(*files, **options)) for options in thresholds]
    for options, links_of_python in zip(thresholds, chosen, strict=True):
        words_of_command = [word for name, value in options.items() for word in (f"--{name}", value)]
        assert links_of_python == answer("align", "-m", path, "--adapt", 2, *files, *words_of_command)
    assert len({written, *chosen}) > 2, "they are chosen for different things"
    written = answer("align", "-m", path, "--adapt", 3, *files, "--links", links, "--dictionary", words)
    adapted = model.adapt(*files, 3, links=["0-0"], dictionary=[("the", "le", 1.0)])
    assert written.startswith("0-0\n")
    # What is known of a pair teaches, but is not kept in the model.
    assert pharaoh(adapted.align(*files)).splitlines()[1:] == written.splitlines()[1:]
    assert pharaoh(model.align(*files, adapt=3, links=["0-0"], dictionary=[("the", "le", 1.0)])) == written
    with pytest.raises(alinea.ConfigError, match="passes"):
        model.adapt(["a"], ["b"], 0)
    with pytest.raises(alinea.ConfigError, match="is for the models"):
        alinea.train(["a"], ["b"], model="hmm").adapt(["a"], ["b"], 1)


def test_models_are_pruned_and_merged_as_by_the_command(
    answer: Callable[..., str], tmp_path: Path, model: alinea.TrainedModel
) -> None:
    first, second, out = tmp_path / "first", tmp_path / "second", tmp_path / "out"
    model.save(first)
    other = alinea.train(SOURCE[HALF:], TARGET[HALF:], second)
    size = model.prune().bytes - 1000
    for found, words in (
        (model.prune(), ["prune", first]),
        (model.prune(size), ["prune", first, "--size", size]),
        (model.merge(other), ["merge", first, second]),
    ):
        answer("model", *words, "-o", out)
        found.save(tmp_path / "ours")
        assert (tmp_path / "ours").read_bytes() == out.read_bytes()
    with pytest.raises(alinea.ConfigError, match="size = 10"):
        model.prune(10)
    with pytest.raises(alinea.ConfigError, match="size = 0"):
        model.prune(0)
    with pytest.raises(alinea.Error, match="models of different kinds"):
        model.merge(alinea.train(["a"], ["b"], model="hmm"))


def test_text_flows_through_a_model(whole: alinea.TrainedModel) -> None:
    expected = whole.align(*TEXT)
    read = 0

    def pairs() -> Iterator[tuple[str, str]]:
        nonlocal read
        for pair in zip(SOURCE, TARGET, strict=True):
            read += 1
            yield pair

    stream = whole.align_stream(pairs(), batch=7)
    assert next(stream).tolist() == expected[0].tolist()
    assert read == 7, "no more is read than a batch"
    assert pharaoh(stream) == pharaoh(expected[1:])
    assert pharaoh(whole.align_stream(zip(SOURCE, TARGET, strict=True), threshold=0.2)) == pharaoh(
        whole.align(*TEXT, threshold=0.2)
    )
    assert list(whole.align_stream(iter([]))) == []
    with pytest.raises(alinea.ConfigError, match=r"^batch = 0: must be 1 or more$"):
        next(whole.align_stream([("a", "b")], batch=0))
    with pytest.raises(ValueError, match="values to unpack"):
        next(whole.align_stream([("a",)]))  # type: ignore[list-item]

    cuts = [0, 100, 101, HALF, len(SOURCE)]
    parts = [(SOURCE[start:end], TARGET[start:end]) for start, end in pairwise(cuts)]
    assert "".join(pharaoh(links) for links in whole.align_batches(parts)) == pharaoh(expected)


def test_record_batches_flow_through_a_model(whole: alinea.TrainedModel) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"en": SOURCE, "fr": TARGET})
    batches = table.to_batches(max_chunksize=50)
    assert len(batches) > 5
    found = whole.align_batches(batches, ("en", "fr"), symmetrize="union")
    assert "".join(map(pharaoh, found)) == pharaoh(whole.align(*TEXT, symmetrize="union"))


def test_training_is_resumed_from_a_checkpoint(answer: Callable[..., str], tmp_path: Path) -> None:
    checkpoint = tmp_path / "counts"
    answer("train", *TEXT, "--shard", "1/1", "--counts", checkpoint)
    model = alinea.train(*TEXT, checkpoint=checkpoint)
    assert not checkpoint.exists()
    expected = alinea.align(*TEXT)
    assert model.align(*TEXT) == expected
    assert alinea.align(*TEXT, checkpoint=checkpoint) == expected
    assert not checkpoint.exists()
    answer("train", *TEXT, "--shard", "1/1", "--counts", checkpoint)
    with pytest.raises(alinea.Error, match="of another text, or of a model trained differently"):
        alinea.align(*TEXT, model="agreement", checkpoint=checkpoint)
    with pytest.raises(alinea.ConfigError, match="checkpoint is for the models"):
        alinea.align(*TEXT, model="ibm3", checkpoint=checkpoint)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no device among the files")
def test_a_checkpoint_is_a_file() -> None:
    with pytest.raises(alinea.Error, match="a checkpoint must be a regular file"):
        alinea.align(*TEXT, checkpoint="/dev/null")


def test_words_that_a_model_does_not_know_are_warned_of(model: alinea.TrainedModel) -> None:
    with pytest.warns(UserWarning, match=r"^the model does not know .* source and target seem to be swapped$"):
        model.align(TARGET, SOURCE)
    unknown = [f"x{n} y{n}" for n in range(60)]
    with pytest.warns(UserWarning, match="is it for other languages") as caught:
        model.align(unknown, unknown)
    assert [warning.filename for warning in caught] == [__file__]


RAW = (
    ["Hello, you.", "The house, the garden.", "A garden, a house!"],
    ["Bonjour, toi.", "La maison, le jardin.", "Un jardin, une maison!"],
)


def test_text_that_is_not_tokenized(answer: Callable[..., str], tmp_path: Path) -> None:
    with pytest.warns(
        UserWarning, match=r"^6\d % of the words end in punctuation .*tokenize=\"unicode\" cuts it$"
    ) as caught:
        alinea.align(*RAW)
    assert [warning.filename for warning in caught] == [__file__]
    files = tmp_path / "source", tmp_path / "target"
    for file, lines in zip(files, RAW, strict=True):
        file.write_text("\n".join(lines) + "\n")
    expected = answer("align", *files, "--tokenize", "unicode")
    model = alinea.train(*RAW, tokenize="unicode")
    for links in (alinea.align(*RAW, tokenize="unicode"), alinea.align(*files, tokenize="unicode"), model.align(*RAW)):
        assert pharaoh(links) == expected
    with pytest.raises(alinea.ConfigError, match="tokenize = words"):
        alinea.align(*RAW, tokenize="words")


def test_pieces_are_words(answer: Callable[..., str], tmp_path: Path) -> None:
    """Those of a model that SentencePiece made; a saved model keeps it."""
    pieces = tmp_path / "pieces.model"
    pieces.write_bytes((MODELS / "unigram.model").read_bytes())
    files = tmp_path / "source", tmp_path / "target"
    for file, lines in zip(files, RAW, strict=True):
        file.write_text("\n".join(lines) + "\n")
    expected = answer("align", *files, "--tokenize", f"sentencepiece:{pieces}")
    assert pharaoh(alinea.align(*RAW, tokenize=f"sentencepiece:{pieces}")) == expected
    model = alinea.train(*RAW, tokenize=f"sentencepiece:{pieces}")
    model.save(tmp_path / "saved")
    (offsets,) = alinea.word_offsets(["The house"], f"sentencepiece:{pieces}")
    assert "".join("The house"[start:end] for start, end in offsets.tolist()) == "Thehouse"
    pieces.unlink()
    saved = alinea.TrainedModel(tmp_path / "saved")
    assert saved.tokenize == "sentencepiece"
    assert pharaoh(saved.align(*RAW)) == expected
    with pytest.raises(OSError, match="No such file"):
        alinea.align(*RAW, tokenize=f"sentencepiece:{pieces}")


def test_scripts_without_blanks() -> None:
    """Dictionaries know words; all kinds of white space may separate them."""
    text = "他昨天在图书馆。\u3000天"
    cut = {
        "dictionary": ["他", "昨天", "在", "图书", "馆", "。", "天"],
        "whitespace": ["他昨天在图书馆。", "天"],
        "none": [text],
        "script": list(text.replace("\u3000", "")),
    }
    for tokenize, words in cut.items():
        (offsets,) = alinea.word_offsets([text], tokenize)
        assert [text[start:end] for start, end in offsets.tolist()] == words, tokenize


def test_a_stream_is_warned_of_once() -> None:
    source, target = ([line.split() for line in side] for side in RAW)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Words are as the user has cut them.
        model = alinea.train(source, target)
        list(model.align_stream(zip(source, target, strict=True), batch=1))
    odd = [("a\u3000b", "x"), *zip(*RAW, strict=True), ("c\u3000d", "y")]
    with pytest.warns() as caught:
        list(model.align_stream(odd, batch=1))
    messages = [str(warning.message) for warning in caught if warning.filename == __file__]
    assert sum("seem to be tokenized" in text for text in messages) == 1, messages
    assert sum("whitespace" in text for text in messages) == 1, messages


def test_links_lead_back_into_raw_text(tmp_path: Path) -> None:
    lines = ["Łódź, \U0001f600 ok.", "", "  a\tb "]
    expected = [["Łódź", ",", "\U0001f600", "ok", "."], [], ["a", "b"]]
    path = tmp_path / "text"
    path.write_text("\n".join(lines) + "\n")
    given: list[Any] = [lines, iter(lines), path]
    if pyarrow := pytest.importorskip("pyarrow"):
        given.append(pyarrow.array(lines))
    for sentences in given:
        offsets = alinea.word_offsets(sentences)
        words = [[line[start:end] for start, end in found.tolist()] for line, found in zip(lines, offsets, strict=True)]
        assert words == expected
    assert [len(found) for found in alinea.word_offsets(lines, "none")] == [3, 0, 2]
    with pytest.raises(TypeError, match=r"sentences\[1\]: a sentence is a str"):
        alinea.word_offsets(["a", ["b"]])  # type: ignore[list-item]


@pytest.mark.parametrize("name", ["agreement-loo", "hmm", "ibm3"])
def test_directions_and_their_union_are_those_of_the_command(
    answer: Callable[..., str], tmp_path: Path, name: Any
) -> None:
    forward, reverse = tmp_path / "forward", tmp_path / "reverse"
    options = ["--symmetrize", "union", "--forward", forward, "--reverse", reverse]
    written = answer("align", *TEXT, "--model", name, *options)
    assert pharaoh(alinea.align(*TEXT, model=name, symmetrize="union")) == written
    found = alinea.align(*TEXT, model=name, directions=True)
    assert (pharaoh(found.forward), pharaoh(found.reverse)) == (forward.read_text(), reverse.read_text())
    assert pharaoh(alinea.symmetrize(*found, "union")) == written
    with pytest.raises(ValueError, match="directions: threshold, objective and symmetrize"):
        alinea.align(*TEXT, directions=True, threshold=0.3)
    with pytest.raises(alinea.ConfigError, match="symmetrize"):
        alinea.align(*TEXT, symmetrize="union", threshold=0.3)


def test_a_threshold_is_chosen_for_whole_texts_only(model: alinea.TrainedModel) -> None:
    grid = [(2 + n) / 40 for n in range(37)]
    chosen = model.align(*TEXT, objective="f:0.5")
    assert chosen in [model.align(*TEXT, threshold=threshold) for threshold in grid]
    assert model.align(*TEXT, objective="f:0") == model.align(*TEXT, threshold=grid[0])
    with pytest.warns(UserWarning, match=r"^no threshold should reach precision:0\.999999: "):
        least = model.align(*TEXT, objective="precision:0.999999")
    assert least == model.align(*TEXT, threshold=grid[-1])
    batches = [links for batch in model.align_batches([TEXT], threshold="full") for links in batch]
    assert [pair.tolist() for pair in batches] == [pair.tolist() for pair in model.align(*TEXT, threshold="full")]

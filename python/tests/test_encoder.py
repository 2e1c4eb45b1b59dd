"""Pretrained encoders: their vectors, and what they do for links."""

from __future__ import annotations

import json
import os
import pickle
import random
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import alinea

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "crates/alinea-cli/sample"
# Tiny encoders with random weights, and what transformers computes with them: see ORIGIN.md there.
DATA = ROOT / "crates/alinea-encoder/tests/data"
TINY = DATA / "xlm-roberta"
FILES = ("config.json", "tokenizer.json", "model.safetensors")

LINES, TARGET = ((SAMPLE / name).read_text(encoding="utf-8").splitlines() for name in ("en-fr.en", "en-fr.fr"))
OTHERS = LINES[60:120]
SOURCE, TARGET = LINES[:60], TARGET[:60]
USELESS = "the encoder knows too little of this text to help"


def as_lists(column: alinea.LinkColumn) -> list[list[list[int]]]:
    return [links.tolist() for links in column]


def pharaoh(links: alinea.LinkColumn) -> str:
    return "".join(f"{line}\n" for line in alinea.to_pharaoh(links))


def disordered(lines: list[str]) -> list[str]:
    """The words of each line in another order. Embeddings with random weights, too, say which are the same."""
    generator = random.Random(5)
    return [" ".join(generator.sample(words, len(words))) for words in map(str.split, lines)]


EMBEDDINGS: dict[str, Any] = {"encoder": TINY, "encoder_layer": 0}
OF_COMMAND = "--encoder", TINY, "--encoder-layer", 0


@pytest.fixture
def copies(tmp_path: Path) -> tuple[Path, Path]:
    """A text that embeddings know the translations of."""
    files = tmp_path / "source", tmp_path / "target"
    for file, lines in zip(files, (SOURCE, disordered(SOURCE)), strict=True):
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return files


def copied(folder: Path, origin: Path = TINY) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        shutil.copy(origin / name, folder / name)
    return folder


def blank_of(folder: Path) -> int | None:
    """The piece of a blank alone, which says only that a word begins."""
    vocabulary = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    pieces = [piece for piece, _ in vocabulary] if isinstance(vocabulary, list) else list(vocabulary)
    return pieces.index("▁") if "▁" in pieces else None


def pooled(
    states: NDArray[np.float64], sentence: dict[str, Any], units: list[list[list[int]]], blank: int | None
) -> Iterator[tuple[NDArray[np.float64], float]]:
    """The mean of the states of the pieces of each word, and of their lengths; a unit is one word, or several."""
    words, place = iter(sentence["words"]), 1
    for unit, pieces in zip(sentence["units"], units, strict=True):
        rows, length = states[place : place + len(pieces)], len(unit.encode())
        place += len(pieces)
        first = 1 if len(pieces) > 1 and pieces[0][0] == blank else 0
        start = 0
        while start < length:
            end = start + len(next(words).encode())
            whole = end - start == length
            own = [n for n, (_, a, b) in enumerate(pieces) if n >= first and (whole or (a < end and b > start))]
            yield rows[own].mean(axis=0), float(np.linalg.norm(rows[own], axis=1).mean())
            start = end


@pytest.mark.parametrize("kind", ["bert", "xlm-roberta"])
def test_vectors_are_means_of_the_hidden_states_of_transformers(kind: str) -> None:
    expected = json.loads((DATA / kind / "expected.json").read_text(encoding="utf-8"))
    sentences = {sentence["name"]: sentence for sentence in expected["sentences"]}
    units = {tokens["name"]: tokens["units"] for tokens in expected["tokens of tokenizer.json"]}
    blank, compared = blank_of(DATA / kind), 0
    for layer in range(4):
        encoder = alinea.Encoder(DATA / kind, layer)
        for hidden in expected["hidden"]:
            name = hidden["name"]
            assert hidden["ids"][1:-1] == [piece for unit in units[name] for piece, _, _ in unit]
            (found,) = encoder.encode([sentences[name]["words"]])
            assert found.dtype == np.float32
            assert found.shape == (len(sentences[name]["words"]), encoder.width)
            means = pooled(np.array(hidden["layers"][layer]), sentences[name], units[name], blank)
            for vector, (mean, length) in zip(found, means, strict=True):
                # Sums of 16-bit integers are within 1 % of single precision.
                assert np.linalg.norm(vector - mean) < 0.011 * length
                compared += 1
    assert compared == 4 * (11 + 9)


def test_what_an_encoder_says_of_itself() -> None:
    encoder = alinea.Encoder(TINY)
    assert (encoder.name, encoder.layer, encoder.width) == ("xlm-roberta.2", 2, 32)
    assert repr(encoder) == "<Encoder xlm-roberta.2>"
    assert alinea.Encoder(str(DATA / "bert"), layer=3).name == "bert.3"


def test_words_are_those_of_the_sentence_as_they_are_written() -> None:
    encoder = alinea.Encoder(TINY)
    cut, empty, words = encoder.encode(["The baker opens at noon.", "", ["The", "baker", "opens", "at", "noon", "."]])
    assert (cut.shape, empty.shape, words.shape) == ((5, 32), (0, 32), (6, 32))
    (unicode,) = encoder.encode(["The baker opens at noon."], tokenize="unicode")
    assert np.array_equal(unicode, words)
    (lower,) = encoder.encode(["the baker opens at noon."])
    assert not np.array_equal(cut[0], lower[0])
    assert encoder.encode([]) == []


def test_a_file_of_sentences_is_encoded_too() -> None:
    encoder, path = alinea.Encoder(TINY), SAMPLE / "en-fr.en"
    found = encoder.encode(path)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(found) == len(lines)
    assert all(map(np.array_equal, found, encoder.encode(lines)))


def test_neither_threads_nor_other_sentences_change_vectors() -> None:
    encoder = alinea.Encoder(TINY)
    alone = encoder.encode(SOURCE, threads=1)
    for threads in (0, 2, 3):
        assert all(map(np.array_equal, alone, encoder.encode(SOURCE, threads=threads)))
    for n in (0, 17, 59):
        assert np.array_equal(encoder.encode([SOURCE[n]])[0], alone[n])
    long = " ".join(["long"] * 700)
    assert encoder.encode([long])[0].shape == (700, 32)


def test_an_encoder_that_knows_nothing_changes_nothing() -> None:
    for encoder in (TINY, str(TINY), alinea.Encoder(TINY)):
        with pytest.warns(UserWarning, match=USELESS):
            links = alinea.align(SOURCE, TARGET, encoder=encoder)
        assert as_lists(links) == as_lists(alinea.align(SOURCE, TARGET))
    with pytest.warns(UserWarning, match=USELESS):
        found = alinea.posteriors(SOURCE, TARGET, encoder=TINY)
    expected = alinea.posteriors(SOURCE, TARGET)
    assert as_lists(found.links) == as_lists(expected.links)
    assert np.array_equal(found.confidences, expected.confidences)
    with pytest.warns(UserWarning, match=USELESS):
        scores = alinea.scores(SOURCE, TARGET, encoder=TINY)
    assert np.array_equal(scores, alinea.scores(SOURCE, TARGET))
    with pytest.warns(UserWarning, match=USELESS):
        paths = alinea.align(SOURCE, TARGET, encoder=TINY, directions=True)
    assert as_lists(paths.forward) == as_lists(alinea.align(SOURCE, TARGET, directions=True).forward)


def test_trained_models_take_encoders() -> None:
    model = alinea.train(SOURCE, TARGET)
    encoder = alinea.Encoder(TINY)
    choices: list[dict[str, Any]] = [{}, {"objective": "aer"}, {"symmetrize": "union"}]
    for options in choices:
        with pytest.warns(UserWarning, match=USELESS):
            links = model.align(SOURCE, TARGET, encoder=encoder, **options)
        assert as_lists(links) == as_lists(model.align(SOURCE, TARGET, **options))
    with pytest.warns(UserWarning, match=USELESS):
        found = model.posteriors(SOURCE, TARGET, encoder=encoder)
    assert np.array_equal(found.confidences, model.posteriors(SOURCE, TARGET).confidences)
    with pytest.warns(UserWarning, match=USELESS):
        adapted = model.adapt(SOURCE, TARGET, 2, encoder=encoder)
    expected = model.adapt(SOURCE, TARGET, 2)
    assert as_lists(adapted.align(SOURCE, TARGET)) == as_lists(expected.align(SOURCE, TARGET))
    assert as_lists(model.align([], [], encoder=encoder)) == []
    assert as_lists(model.align(["", "house"], ["maison", ""], encoder=encoder)) == [[], []]


@pytest.mark.parametrize("encode", [None, "all", "100%", 1000, 20, "20", "30%"])
def test_the_same_pairs_are_encoded_as_by_the_command(
    answer: Callable[..., str], tmp_path: Path, copies: tuple[Path, Path], encode: Any
) -> None:
    options = [*OF_COMMAND, *([] if encode is None else ["--encode", encode])]
    written = answer("align", *copies, *options)
    assert pharaoh(alinea.align(*copies, **EMBEDDINGS, encode=encode)) == written
    assert written != answer("align", *copies)
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    answer("train", *copies, "-m", theirs, *options)
    model = alinea.train(*copies, ours, **EMBEDDINGS, encode=encode)
    assert ours.read_bytes() == theirs.read_bytes()
    some = {20: "|encoded:20", "20": "|encoded:20"}.get(encode, "|encoded:" if encode == "30%" else "")
    assert f"|encoder:xlm-roberta.0{some}" in model.signature
    assert ("|encoded:" in model.signature) == bool(some)
    # What was learned stays in the model.
    found, plain = model.posteriors(*copies), alinea.train(*copies).posteriors(*copies)
    assert not np.array_equal(found.confidences, plain.confidences)


def test_of_large_text_some_pairs_are_encoded_by_default() -> None:
    words = [f"w{n % 97}" for n in range(20_001)]
    for pairs, encoded in ((20_001, "|encoded:5000"), (20_000, "")):
        with pytest.warns(UserWarning, match=USELESS):
            model = alinea.train(words[:pairs], words[:pairs], encoder=TINY)
        assert model.signature.endswith(f"|encoder:xlm-roberta.2{encoded}")


@pytest.mark.parametrize("encode", [None, 20, "30%"])
def test_models_are_joined_and_adapted_as_by_the_command(
    answer: Callable[..., str], tmp_path: Path, copies: tuple[Path, Path], encode: Any
) -> None:
    path = tmp_path / "model"
    model = alinea.train(OTHERS, disordered(OTHERS), path)
    options = ["-m", path, *OF_COMMAND, *([] if encode is None else ["--encode", encode])]
    given = {**EMBEDDINGS, "encode": encode}
    with pytest.warns(UserWarning, match="the model does not know"):
        joined = model.align(*copies, **given)
    assert pharaoh(joined) == answer("align", *copies, *options)
    written = answer("align", *copies, *options, "--adapt", 2)
    assert pharaoh(model.align(*copies, adapt=2, **given)) == written
    assert written not in {pharaoh(joined), pharaoh(model.align(*copies, adapt=2))}
    assert model.adapt(*copies, 2, **given).signature.endswith("|encoded:20") == (encode == 20)
    known = tmp_path / "known"
    known.write_text("0-3 1-0\n", encoding="utf-8")
    written = answer("align", *copies, *options, "--adapt", 2, "--links", known, "--threshold", 0.5)
    assert pharaoh(model.align(*copies, adapt=2, links=known, threshold=0.5, **given)) == written
    found = model.posteriors(*copies, adapt=2, links=known, least=0.5, **given)
    assert pharaoh(found.links) == written


def test_what_is_learned_from_needs_adapting() -> None:
    model = alinea.train(["the house", "the flower"], ["la maison", "la fleur"])
    text = ["the house"], ["la maison"]
    choices: dict[str, Any] = {"added": [text], "weight": 0.5, "dictionary": [("house", "maison")], "links": ["1-1"]}
    for name, value in choices.items():
        for align in (model.align, model.posteriors):
            with pytest.raises(ValueError, match=rf"^{name}: only with adapt$"):
                align(*text, **{name: value})
    for passes in (-1, 0, 2000):
        with pytest.raises(alinea.ConfigError, match=rf"^adapt = {passes}: must be 1 to 1000 passes$"):
            model.align(*text, adapt=passes)


@pytest.mark.filterwarnings("ignore:the encoder")
def test_the_command_keeps_the_same_vectors(answer: Callable[..., str], tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_text("\n".join([*SOURCE, ""]), encoding="utf-8")
    target.write_text("\n".join([*TARGET, ""]), encoding="utf-8")
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    options = "--encoder", TINY, "--encoder-layer", 3, "--encoder-cache", theirs, "-o", tmp_path / "links"
    answer("align", source, target, *options)
    kept = theirs.read_bytes()
    for sides in ((SOURCE, TARGET), (source, target)):
        for lowercase in (True, False):
            ours.unlink(missing_ok=True)
            alinea.align(*sides, lowercase=lowercase, encoder=TINY, encoder_layer=3, encoder_cache=ours)
            assert ours.read_bytes() == kept
    # Nothing is missing there: words are kept as they are written.
    encoder = alinea.Encoder(TINY, 3)
    found = encoder.encode(TARGET, cache=ours)
    assert ours.read_bytes() == kept
    assert all(map(np.array_equal, found, encoder.encode(TARGET)))
    encoder.encode([line.lower() for line in TARGET], cache=ours)
    assert len(ours.read_bytes()) > len(kept)
    with pytest.raises(alinea.Error, match=r"expected word vectors of xlm-roberta\.2 .* each encoder and each layer"):
        alinea.Encoder(TINY).encode(TARGET, cache=ours)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"encoder_layer": 3}, r"^encoder_layer = 3: must be unset without an encoder$"),
        ({"encoder_cache": "kept"}, r"^encoder_cache = kept: must be unset without an encoder$"),
        ({"encode": 10}, r"^encode = 10: must be unset without an encoder$"),
        ({"encoder": TINY, "encode": 0}, r"^encode = 0: must be all, 1 or more pairs, or a share above 0% such as 30"),
        ({"encoder": TINY, "encode": "101%"}, r"^encode = 101%: must be all, 1 or more pairs, or a share above"),
        ({"encoder": TINY, "encode": "half"}, r"^encode = half: must be all, 1 or more pairs, or a share above"),
        ({"encoder": TINY, "encoder_layer": 4}, r"^encoder_layer = 4: must be 0 to the number of layers"),
        ({"encoder": TINY, "encoder_layer": -1}, r"^encoder_layer = -1: must be 0 to the number of layers"),
        ({"encoder": TINY, "model": "hmm"}, r"^encoder is for the models agreement-loo, quality and agreement, not"),
        ({"encoder": TINY, "model": "ibm4"}, r"^encoder is for the models agreement-loo, quality and agreement, not"),
        ({"encoder": TINY, "checkpoint": "counts"}, r"^checkpoint = counts: must be unset with word vectors"),
    ],
)
def test_options_that_do_not_go_together(options: dict[str, Any], message: str) -> None:
    with pytest.raises(alinea.ConfigError, match=message):
        alinea.align(["the house"], ["la maison"], **options)


def test_an_encoder_has_its_own_layer() -> None:
    with pytest.raises(alinea.ConfigError, match=r"^encoder_layer = 2: must be unset with an Encoder"):
        alinea.align(["the house"], ["la maison"], encoder=alinea.Encoder(TINY), encoder_layer=2)
    with pytest.raises(alinea.ConfigError, match=r"^layer = 4: must be 0 to the number of layers"):
        alinea.Encoder(TINY, 4)


def test_models_of_other_kinds_refuse_encoders() -> None:
    model = alinea.train(["the house"], ["la maison"], model="hmm")
    for align in (model.align, model.posteriors):
        with pytest.raises(alinea.ConfigError, match=r"^encoder is for the models"):
            align(["the house"], ["la maison"], encoder=TINY)
    with pytest.raises(alinea.ConfigError, match=r"^encoder is for the models"):
        model.adapt(["the house"], ["la maison"], 2, encoder=TINY)
    with pytest.raises(alinea.ConfigError, match=r"^encoder is for the models"):
        alinea.train(["the house"], ["la maison"], model="hmm", encoder=TINY)


def test_what_is_wrong_with_the_text_is_told_before_it_is_encoded(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    with pytest.raises(alinea.Error, match="unequal lengths"):
        alinea.align(["the house"], [], encoder=TINY, encoder_cache=kept)
    with pytest.raises(alinea.Error):
        alinea.align(["the house"], ["la maison"], links=["7-7"], encoder=TINY, encoder_cache=kept)
    assert not kept.exists()


def test_folders_without_an_encoder(tmp_path: Path) -> None:
    with pytest.raises(alinea.Error, match=r"no such folder$"):
        alinea.Encoder(tmp_path / "nowhere" / "at" / "all")
    with pytest.raises(alinea.Error, match=r"no config\.json in this folder$"):
        alinea.Encoder(tmp_path)
    folder = copied(tmp_path / "broken")
    (folder / "model.safetensors").write_bytes(b"")
    with pytest.raises(alinea.Error, match="weights in the safetensors format"):
        alinea.Encoder(folder)
    with pytest.raises(TypeError):
        alinea.align(["the house"], ["la maison"], encoder=3)  # type: ignore[call-overload]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of Hugging Face."""
    for variable in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "XDG_CACHE_HOME", "HF_HUB_OFFLINE"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "hub"


def test_names_are_looked_up_in_the_cache(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(alinea.Error, match=r"fetch it first: hf download acme/tiny config\.json tokenizer\.json model"):
        alinea.Encoder("acme/tiny")
    copied(cache / "models--acme--tiny" / "snapshots" / "0123abcd")
    assert alinea.Encoder("acme/tiny").name == "tiny.2"


def test_names_that_are_not_in_the_cache_are_fetched(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    hub = ModuleType("huggingface_hub")

    def snapshot_download(name: str, *, allow_patterns: list[str]) -> str:
        calls.append((name, allow_patterns))
        if name == "acme/none":
            raise OSError("404 Client Error\n\nRepository Not Found")
        return str(copied(cache / "models--acme--tiny" / "snapshots" / "0123abcd"))

    monkeypatch.setattr(hub, "snapshot_download", snapshot_download, raising=False)
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    patterns = ["config.json", "tokenizer.json", "*.safetensors", "*.safetensors.index.json"]
    assert alinea.Encoder("acme/tiny").name == "tiny.2"
    assert alinea.Encoder("acme/tiny", 1).name == "tiny.1"
    assert calls == [("acme/tiny", patterns)], "it is in the cache then"
    with pytest.raises(alinea.Error, match=r"^acme/none: .* cannot be fetched: 404 Client Error$"):
        alinea.Encoder("acme/none")
    with pytest.raises(alinea.Error, match=r"no such folder$"):
        alinea.Encoder("no/such/folder")
    assert len(calls) == 2


def test_an_encoder_stays_open_until_its_files_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = copied(tmp_path.resolve() / "encoder")
    first = alinea.Encoder(folder)
    monkeypatch.chdir(folder.parent)
    assert alinea.Encoder("encoder")._native is first._native
    (vectors,) = first.encode(["the house"])
    copied(folder, DATA / "bert")
    second = alinea.Encoder("encoder")
    assert second._native is not first._native
    (other,) = second.encode(["the house"])
    assert not np.array_equal(vectors, other)
    monkeypatch.chdir(DATA)
    again = pickle.loads(pickle.dumps(second))
    assert np.array_equal(again.encode(["the house"])[0], other)
    assert pickle.loads(pickle.dumps(alinea.Encoder(TINY, 1))).name == "xlm-roberta.1"


# Processes that read the same file at once.
FORK = """
import multiprocessing, sys, warnings
import alinea
warnings.simplefilter("ignore", DeprecationWarning)
encoder = alinea.Encoder(sys.argv[1], 1)
words = "The baker opens at six and sells warm bread until noon .".split()
text = [" ".join(words[n % 12:] + words[:n % 7]) for n in range(50)]
def encode(_):
    return [vectors.tobytes() for vectors in encoder.encode(text, threads=2)]
with multiprocessing.get_context("fork").Pool(4) as pool:
    print(set(map(str, pool.map(encode, range(40)))) == {str(encode(0))})
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_processes_that_were_forked_read_the_right_rows() -> None:
    done = subprocess.run([sys.executable, "-c", FORK, TINY], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout == "True\n"


def test_a_real_encoder_spares_a_fifth_of_the_errors(tmp_path: Path) -> None:
    folder = os.environ.get("ALINEA_ENCODER")
    if not folder:
        pytest.skip("ALINEA_ENCODER names no encoder")
    source, target, gold = (SAMPLE / f"en-fr.{name}" for name in ("en", "fr", "gold"))
    judged = len(gold.read_text(encoding="utf-8").splitlines())
    encoder, kept = alinea.Encoder(folder), tmp_path / "vectors"

    def errors(links: alinea.LinkColumn) -> float:
        error = alinea.evaluate(gold, links[:judged]).aer
        assert error is not None
        return error

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        without = errors(alinea.align(source, target))
        joined = alinea.align(source, target, encoder=encoder, encoder_cache=kept)
        assert errors(joined) < 0.8 * without
        again = alinea.align(source, target, encoder=encoder, encoder_cache=kept, threads=1)
        assert as_lists(again) == as_lists(joined)
        model = alinea.train(source, target)
        frozen = model.align(source, target, encoder=encoder, encoder_cache=kept)
        assert errors(frozen) < 0.9 * without
        adapted = model.align(source, target, adapt=2, encoder=encoder, encoder_cache=kept)
        assert errors(adapted) < 0.9 * without

"""Record batches, in any partitions, get the results that the model has for the whole text."""

from __future__ import annotations

import os
import pickle
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import alinea
from alinea.distributed import BatchAligner, Result, _batches, _models

pa = pytest.importorskip("pyarrow")

ALL: list[Result] = ["links", "confidences", "posteriors", "forward", "reverse", "scores"]

Text = tuple[list[str], list[str]]


@pytest.fixture(scope="session")
def model(model_file: Path) -> alinea.TrainedModel:
    return alinea.TrainedModel(model_file)


@pytest.fixture(scope="session")
def table(text: Text) -> Any:
    source, target = text
    return pa.table({"id": range(len(source)), "en": source, "fr": target})


def cut(table: Any, generator: random.Random) -> Iterator[Any]:
    """A table in batches of any sizes, also of none."""
    start = 0
    while start < len(table):
        size = generator.choice([0, 1, 2, 7, 50, 200])
        rows = table.slice(start, size)
        yield from rows.to_batches() or [pa.RecordBatch.from_pylist([], rows.schema)]
        start += size


def column(links: alinea.LinkColumn) -> list[Any]:
    """Links as Arrow has them in Python."""
    return [[{"source": i, "target": j} for i, j in pair.tolist()] for pair in links]


def test_results_are_those_of_the_model(model_file: Path, model: alinea.TrainedModel, table: Any, text: Text) -> None:
    found = BatchAligner(model_file, "en", "fr", columns=ALL).table(table)
    found.validate(full=True)
    assert found.select(table.schema.names) == table
    assert found["links"].to_pylist() == column(model.align(*text))
    forward, reverse = model.directions(*text)
    assert found["forward"].to_pylist() == column(forward)
    assert found["reverse"].to_pylist() == column(reverse)
    posteriors = model.posteriors(*text)
    assert np.array_equal(found["posteriors"].combine_chunks().flatten().field("confidence"), posteriors.confidences)
    pairs = [
        [{key: link[key] for key in ("source", "target")} for link in pair] for pair in found["posteriors"].to_pylist()
    ]
    assert pairs == column(posteriors.links)
    # A link is as sure as among the posteriors.
    sure = [{(p["source"], p["target"]): p["confidence"] for p in pair} for pair in found["posteriors"].to_pylist()]
    for links, confidences, known in zip(
        found["links"].to_pylist(), found["confidences"].to_pylist(), sure, strict=True
    ):
        assert confidences == [known[link["source"], link["target"]] for link in links]
    scores = model.scores(*text)
    assert np.isnan(scores).any()
    expected = [None if np.isnan(score) else score for score in scores[:, 0].tolist()]
    assert [score["forward"] for score in found["scores"].to_pylist()] == expected


def test_options_are_those_of_the_model(model_file: Path, model: alinea.TrainedModel, table: Any, text: Text) -> None:
    found = BatchAligner(model_file, "en", "fr", threshold="sure").table(table)
    assert found["links"].to_pylist() == column(model.align(*text, threshold="sure"))
    found = BatchAligner(model_file, "en", "fr", symmetrize="union", threads=2).table(table)
    assert found["links"].to_pylist() == column(model.align(*text, symmetrize="union"))
    found = BatchAligner(model_file, "en", "fr", columns="posteriors", least=0.5).table(table)
    lengths = [len(links) for links in model.posteriors(*text, least=0.5).links]
    assert [len(links) for links in found["posteriors"].to_pylist()] == lengths


@pytest.mark.parametrize("seed", range(8))
def test_results_do_not_depend_on_batches(model_file: Path, table: Any, seed: int) -> None:
    aligner = BatchAligner(model_file, "en", "fr", columns=ALL)
    expected = aligner.table(table)
    parts = list(aligner(cut(table, random.Random(seed))))
    assert pa.Table.from_batches(parts).equals(expected, check_metadata=True)
    assert all(part.schema == aligner.schema(table.schema) for part in parts)
    assert 0 in {len(part) for part in parts} or seed
    order = np.random.default_rng(seed).permutation(len(table))
    assert aligner.table(table.take(order)).sort_by("id").combine_chunks() == expected.combine_chunks()


def test_sentences_may_be_words(model_file: Path, table: Any, text: Text) -> None:
    words = pa.table({"en": [line.split() for line in text[0]], "fr": [line.split() for line in text[1]]})
    found = BatchAligner(model_file, "en", "fr").table(words)["links"]
    assert found == BatchAligner(model_file, "en", "fr").table(table)["links"]


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "dictionary"])
def test_nulls_have_null_results(model_file: Path, kind: str) -> None:
    kinds = {
        "string_view": getattr(pa, "string_view", pa.string)(),
        "dictionary": pa.dictionary(pa.int32(), pa.string()),
    }
    of = kinds[kind] if kind in kinds else getattr(pa, kind)()
    source, target = ["s1 s2", None, "", None, "s1"], ["t1 t2", "t1", "", None, None]
    batch = pa.record_batch({"source": pa.array(source, of), "target": pa.array(target, of)})
    aligner = BatchAligner(model_file, columns=ALL)
    [found, nulls] = aligner([batch, batch.slice(3)])
    found.validate(full=True)
    for name in ALL:
        column = found[name].to_pylist()
        assert [item is None for item in column] == [False, True, False, True, True], name
        assert column[2] == ({"forward": None, "reverse": None} if name == "scores" else [])
        assert nulls[name].to_pylist() == [None, None]
    assert found["links"][0].as_py() == [{"source": 0, "target": 0}, {"source": 1, "target": 1}]
    [untyped] = aligner([pa.record_batch({"source": pa.nulls(2), "target": pa.nulls(2)})])
    assert untyped["links"].to_pylist() == [None, None]


def test_nothing_gives_nothing(model_file: Path) -> None:
    aligner = BatchAligner(model_file, columns=ALL)
    schema = pa.schema({"source": pa.string(), "target": pa.string(), "more": pa.int8()}, {"key": "value"})
    assert list(aligner([])) == []
    empty = pa.RecordBatch.from_pylist([], schema)
    [found] = aligner([empty])
    assert len(found) == 0
    assert found.schema.equals(aligner.schema(schema), check_metadata=True)
    assert found.schema.names == [*schema.names, *ALL]
    assert aligner.table(schema.empty_table()).schema == aligner.schema(schema)
    assert len(aligner.align(pa.array([], pa.string()), pa.chunked_array([], pa.string()))) == 0


def test_positions_may_be_signed(model_file: Path, table: Any) -> None:
    unsigned, signed = (BatchAligner(model_file, "en", "fr", columns=ALL, signed=signed) for signed in (False, True))
    assert "uint32" in str(unsigned.result_type)
    assert "uint32" not in str(signed.result_type)
    assert signed.table(table).to_pylist() == unsigned.table(table).to_pylist()


def test_an_aligner_is_pickled_without_its_model(model_file: Path, table: Any) -> None:
    aligner = BatchAligner(model_file, "en", "fr", columns=ALL)
    pickled = pickle.dumps(aligner)
    assert len(pickled) < 2000 < model_file.stat().st_size
    again = pickle.loads(pickled)
    assert repr(again) == repr(aligner)
    assert again.table(table) == aligner.table(table)
    # Another process finds the same bytes.
    program = """
import pickle, sys
aligner, table = pickle.load(sys.stdin.buffer)
sys.stdout.buffer.write(pickle.dumps(aligner.table(table)))
"""
    given = pickle.dumps((aligner, table))
    done = subprocess.run([sys.executable, "-c", program], input=given, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert pickle.loads(done.stdout).equals(aligner.table(table), check_metadata=True)


def test_a_process_opens_a_model_once(
    model_file: Path, table: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[str] = []

    def count(path: str) -> alinea.TrainedModel:
        opened.append(path)
        return alinea.TrainedModel(path)

    monkeypatch.setattr(_models, "TrainedModel", count)
    copy = tmp_path / "model.alinea"
    shutil.copy(model_file, copy)
    pickled = pickle.dumps(BatchAligner(copy, "en", "fr"))
    for _ in range(3):
        pickle.loads(pickled).table(table)
    assert opened == [str(copy)]
    os.utime(copy, ns=(0, 0))
    pickle.loads(pickled).table(table)
    assert opened == [str(copy)] * 2, "it may be another now"


def test_another_model_or_none_is_refused(model_file: Path, table: Any, tmp_path: Path) -> None:
    copy = tmp_path / "model.alinea"
    shutil.copy(model_file, copy)
    aligner = BatchAligner(copy, "en", "fr")
    alinea.train(["the house"], ["la maison"], copy)
    with pytest.raises(alinea.Error, match=r"model\.alinea: another model than on the driver$"):
        aligner.table(table)
    copy.unlink()
    with pytest.raises(FileNotFoundError, match=r"model\.alinea"):
        aligner.table(table)
    with pytest.raises(FileNotFoundError, match=r"model\.alinea"):
        BatchAligner(copy)
    copy.write_text("no model")
    with pytest.raises(alinea.Error, match=r"model\.alinea"):
        BatchAligner(copy)


def test_other_versions_are_refused(model_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pickled = pickle.dumps(BatchAligner(model_file))
    monkeypatch.setattr(_batches, "__version__", "98.7.6")
    ours = alinea.__version__.replace(".", r"\.")
    with pytest.raises(alinea.Error, match=rf"^this process has alinea 98\.7\.6, the driver has {ours}: install one"):
        pickle.loads(pickled)


def test_columns_are_checked(model_file: Path, table: Any) -> None:
    aligner = BatchAligner(model_file, "en", "de")
    with pytest.raises(alinea.ConfigError, match=r"^target = de: must be one of the columns id, en, fr$"):
        aligner.table(table)
    with pytest.raises(alinea.ConfigError, match=r"^source = source: must be one of the columns en, en$"):
        BatchAligner(model_file).schema(pa.schema([("en", pa.string())] * 2))
    linked = BatchAligner(model_file, "en", "fr").table(table)
    with pytest.raises(alinea.ConfigError, match=r"^columns = links: must be none of the columns id, en, fr, links$"):
        BatchAligner(model_file, "en", "fr").table(linked)
    with pytest.raises(TypeError, match=r"source: expected a column of strings or of lists of strings, not of Int64"):
        BatchAligner(model_file, "id", "fr").table(table)
    words = pa.array([["the"], ["a", None]])
    with pytest.raises(TypeError, match=r"source\[1\]: a token is a str, not null"):
        BatchAligner(model_file).align(words, words)
    with pytest.raises(alinea.Error, match="source has 2 rows, target has 1"):
        BatchAligner(model_file).align(words, words[:1])
    with pytest.raises(alinea.ParseError, match=r"^source:2: 4 tokens, more than the limit of 3"):
        BatchAligner(model_file, max_length=3).align(pa.array(["a", "a a a a"]), pa.array(["a", "a"]))


def test_options_are_checked_on_the_driver(model_file: Path) -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"columns": ["links", "weights"]}, "^columns = weights: must be links, confidences, "),
        ({"columns": ["links", "links"]}, "each once$"),
        ({"threshold": 2}, "^threshold = 2"),
        ({"symmetrize": "all"}, "symmetrize"),
        ({"threshold": 0.5, "symmetrize": "union"}, "symmetrize"),
        ({"least": -1}, "^least = -1"),
        ({"max_length": 0}, "max_length"),
        ({"threads": -1}, "threads"),
    ]
    for options, message in wrong:
        with pytest.raises(alinea.ConfigError, match=message):
            BatchAligner(model_file, **options)

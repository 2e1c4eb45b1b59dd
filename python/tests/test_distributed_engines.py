"""Ray, Daft and Dask find what one process finds, where they are installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import alinea
from alinea.distributed import BatchAligner, Result, daft_align, dask_align, ray_align

COLUMNS: list[Result] = ["links", "confidences", "posteriors", "forward", "reverse", "scores"]


@pytest.fixture(scope="module")
def table(text: tuple[list[str], list[str]]) -> Any:
    """A text where some sentences are missing."""
    source, target = text
    missing = [None if number % 50 == 0 else line for number, line in enumerate(target)]
    return pa.table({"id": range(len(source)), "en": source, "fr": missing})


@pytest.fixture(scope="module")
def expected(model_file: Path, table: Any) -> Any:
    """What one process finds."""
    return BatchAligner(model_file, "en", "fr", columns=COLUMNS).table(table)


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_AUTH_MODE", "disabled")
        ray = pytest.importorskip("ray")
        pytest.importorskip("ray.data")
        ray.init(num_cpus=2, include_dashboard=False, configure_logging=False)
        yield ray
        ray.shutdown()


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_ray(ray: Any, model_file: Path, table: Any, expected: Any) -> None:
    dataset = ray_align(ray.data.from_arrow(table).repartition(7), model_file, "en", "fr", columns=COLUMNS)
    found = pa.concat_tables(ray.get(dataset.to_arrow_refs()))
    assert found.schema.names == expected.schema.names
    assert found.sort_by("id").to_pylist() == expected.to_pylist()


def test_daft(model_file: Path, table: Any, expected: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DO_NOT_TRACK", "true")
    daft = pytest.importorskip("daft")
    frame = daft.from_arrow(table).into_batches(64)
    found = daft_align(frame, model_file, "en", "fr", columns=COLUMNS).to_arrow()
    assert found.schema.names == expected.schema.names
    assert found.sort_by("id").to_pylist() == expected.to_pylist()
    with pytest.raises(alinea.ConfigError, match=r"^source = source: must be one of the columns id, en, fr$"):
        daft_align(frame, model_file)


@pytest.mark.parametrize("scheduler", ["threads", "processes"])
def test_dask(model_file: Path, table: Any, expected: Any, scheduler: str) -> None:
    dataframe = pytest.importorskip("dask.dataframe")
    frame = dataframe.from_pandas(table.to_pandas(), npartitions=4)
    aligned = dask_align(frame, model_file, "en", "fr", columns=COLUMNS)
    assert [str(kind) for kind in aligned.dtypes[3:]] == [f"{field.type}[pyarrow]" for field in expected.schema][3:]
    found = pa.Table.from_pandas(aligned.compute(scheduler=scheduler), preserve_index=False)
    assert found.select(COLUMNS).to_pylist() == expected.select(COLUMNS).to_pylist()
    with pytest.raises(alinea.ConfigError, match=r"^source = source: must be one of the columns id, en, fr$"):
        dask_align(frame, model_file)

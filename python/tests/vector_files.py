"""Reading the vectors in the folder `vectors`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).with_name("vectors")


def vectors(file: str, *operations: str) -> pytest.MarkDecorator:
    """Runs a test, with an argument ``vector``, for each vector of some operations."""
    lines = (FOLDER / file).read_text("utf-8").splitlines()
    chosen = [vector for vector in map(json.loads, lines) if vector["op"] in operations]
    assert chosen, f"{file} has no vectors of {operations}"
    return pytest.mark.parametrize("vector", chosen, ids=[vector["id"] for vector in chosen])


def tuples(value: Any) -> Any:
    """What JSON has as a list, as a tuple, all the way down."""
    return tuple(map(tuples, value)) if isinstance(value, list) else value


def close(vector: dict[str, Any]) -> Any:
    """The expectation, with its tolerance."""
    return pytest.approx(vector["expect"], rel=0, abs=vector.get("tol", 1e-9))

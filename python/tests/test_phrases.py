"""Phrase pairs: arrays in, arrays out, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import alinea

VECTORS = Path(__file__).parents[2] / "crates/alinea/tests/vectors/phrases.jsonl"


def vectors() -> list[dict[str, Any]]:
    lines = VECTORS.read_text(encoding="utf-8").splitlines()
    return [vector for vector in map(json.loads, lines) if vector["op"] == "phrase_spans"]


@pytest.mark.parametrize("threads", [1, 2])
def test_phrases_are_those_of_the_vectors(threads: int) -> None:
    for limit in (None, 2, 3):
        chosen = [vector for vector in vectors() if vector["input"]["max_len"] == limit]
        assert chosen
        inputs = [vector["input"] for vector in chosen]
        source, target = ([["x"] * given[side] for given in inputs] for side in ("srclen", "trglen"))
        links = [given["pairs"] for given in inputs]
        found = alinea.phrases(source, target, links, max_length=limit, threads=threads)
        assert [array.reshape(-1, 2, 2).tolist() for array in found] == [vector["expect"] for vector in chosen]


def test_arrays_have_four_columns() -> None:
    found = alinea.phrases(["a", ""], ["b", ""], ["0-0", ""])
    assert [array.shape for array in found] == [(1, 4), (0, 4)]
    assert {array.dtype for array in found} == {np.dtype(np.uint32)}
    assert list(alinea.phrases([], [], [])) == []


def test_seven_words_are_the_usual_limit() -> None:
    words, links = "a b c d e f g h", [(n, n) for n in range(8)]
    (found,) = alinea.phrases([words], [words], [links])
    assert len(found) == 35
    (found,) = alinea.phrases([words], [words], [links], max_length=None)
    assert len(found) == 36
    (found,) = alinea.phrases([words], [words], [links], max_length=2**40)
    assert len(found) == 36


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(
        alinea.Error, match=r"^links\[1\]: link 1-0 is out of range, the source has 1 token, the target 1$"
    ):
        alinea.phrases(["a", "a"], ["b", "b"], ["0-0", "1-0"])
    with pytest.raises(alinea.Error, match=r"^unequal lengths: links has 1 line, source has 2$"):
        alinea.phrases(["a", "a"], ["b", "b"], ["0-0"])
    with pytest.raises(alinea.Error, match="source"):
        alinea.phrases(["a", "a"], ["b"], ["0-0", ""])
    with pytest.raises(alinea.ConfigError, match=r"max_length = 0: must be 1 or more, or None$"):
        alinea.phrases(["a"], ["b"], ["0-0"], max_length=0)
    with pytest.raises(alinea.ParseError, match=r"^links:1:1: expected a link"):
        alinea.phrases(["a"], ["b"], ["x"])

"""Links and scores that go to data frames and come back: values, names and indexes."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import alinea
from alinea import metrics, reorder

pytestmark = pytest.mark.filterwarnings("ignore::alinea.metrics.FewSegmentsWarning")

LINES = ["0-0 1-1", "", "0-1 2-0"]
PAIRS = [[[0, 0], [1, 1]], [], [[0, 1], [2, 0]]]
STRUCTURES = [[{"source": i, "target": j} for i, j in pair] for pair in PAIRS]


def column(name: str | None = None) -> alinea.LinkColumn:
    return alinea.LinkColumn.of(LINES, name=name)


@pytest.mark.parametrize(
    "make",
    [
        lambda: pd.Series(LINES, name="gold", index=[7, 7, 9]),
        lambda: pd.Series(PAIRS, name="gold"),
        lambda: pd.Series(STRUCTURES, name="gold"),
        lambda: column("gold").to_pandas(index=list("abc")),
        lambda: pd.DataFrame({"gold": column()})["gold"],
        lambda: pd.DataFrame({"text": ["x", "y", "z"]}).assign(gold=column())["gold"],
        lambda: pd.Series(pa.array(column()).to_pandas(), name="gold"),
        lambda: pl.Series("gold", LINES),
        lambda: pl.Series("gold", PAIRS),
        lambda: pl.Series("gold", STRUCTURES),
        lambda: pl.Series(column("gold")),
        lambda: pl.DataFrame({"gold": column()})["gold"],
        lambda: pl.DataFrame({"gold": column()}).to_pandas()["gold"],
    ],
)
def test_links_are_read_from_series_with_their_names(make: Callable[[], Any]) -> None:
    read = alinea.LinkColumn.of(make())
    assert read == column()
    assert read.name == "gold"
    # Whatever takes links takes them.
    assert alinea.to_pharaoh(make()) == LINES
    assert alinea.symmetrize(make(), LINES, "union") == column()


def test_names_are_those_of_the_column() -> None:
    named = column("gold")
    assert (named.name, named[1:].name, named[::2].name, column().name) == ("gold", "gold", "gold", None)
    assert pickle.loads(pickle.dumps(named)).name == "gold"
    assert named == column()
    assert alinea.LinkColumn.of(named).name == "gold"
    assert alinea.LinkColumn.of(named, name="other").name == "other"
    # Of polars and pandas, and none where there is none.
    assert pl.Series(named).name == "gold"
    assert pl.Series(column()).name == ""
    assert pl.Series(named).to_list() == STRUCTURES
    assert named.to_pandas().name == "gold"
    assert column().to_pandas().name is None
    assert alinea.LinkColumn.of(pd.Series(LINES, name=7)).name is None
    assert alinea.LinkColumn.of(pl.Series(LINES)).name is None
    named.name = "new"
    assert pl.Series(named).name == "new"
    orders = reorder.OrderColumn(np.array([0, 2]), np.array([1, 0]), "order")
    assert (pl.Series(orders).name, pl.Series(orders).to_list()) == ("order", [[1, 0]])


def test_links_become_series_with_an_index() -> None:
    frame = pd.DataFrame({"links": LINES}, index=["first", "second", "third"])
    read = alinea.LinkColumn.of(frame["links"])
    series = read.to_pandas(index=frame.index)
    assert series.index.equals(frame.index)
    assert [links.tolist() for links in series] == PAIRS
    frame["read"] = series
    assert alinea.to_pharaoh(frame["read"]) == LINES
    with pytest.raises(ValueError, match="length"):
        read.to_pandas(index=[1])
    # Arrays of one shape are still one for each item.
    same = alinea.LinkColumn.of(["0-0", "0-1"])
    assert [links.tolist() for links in same.to_pandas()] == [[[0, 0]], [[0, 1]]]
    assert len(alinea.LinkColumn.of([]).to_pandas()) == 0


def test_links_become_lists() -> None:
    assert column().to_pylist() == PAIRS
    assert json.loads(json.dumps(column().to_pylist())) == PAIRS
    assert alinea.LinkColumn.of(column().to_pylist()) == column()


@pytest.mark.parametrize("lists", [pa.list_, pa.large_list])
@pytest.mark.parametrize("number", [pa.int64(), pa.uint32(), pa.int8()], ids=str)
def test_pairs_are_read_from_arrow(lists: Callable[..., Any], number: Any) -> None:
    array = pa.array(PAIRS, lists(lists(number)))
    assert alinea.LinkColumn.of(array) == column()
    assert alinea.LinkColumn.of(array[1:]) == column()[1:]
    assert alinea.LinkColumn.of(pa.chunked_array([array[:1], array[1:1], array[1:]])) == column()
    more = pa.array([[[5, 5]], *PAIRS, [[6, 6]]], lists(lists(number)))
    assert alinea.LinkColumn.of(more[1:4]) == column()


@pytest.mark.parametrize("number", [pa.int64(), pa.uint32()], ids=str)
def test_pairs_of_fixed_size_are_read(number: Any) -> None:
    pair = pa.list_(number, 2)
    for lists in (pa.list_(pair), pa.large_list(pair)):
        array = pa.array(PAIRS, lists)
        assert alinea.LinkColumn.of(array) == column()
        assert alinea.LinkColumn.of(array[1:]) == column()[1:]
        assert alinea.LinkColumn.of(pa.chunked_array([array[:1], array[1:1], array[1:]])) == column()
        more = pa.array([[[5, 5]], *PAIRS, [[6, 6]]], lists)
        assert alinea.LinkColumn.of(more[1:4]) == column()
        # Items that do not begin where their memory does.
        inside = pa.ListArray.from_arrays([0, 2, 2, 4], pa.array([[7, 7], *PAIRS[0], *PAIRS[2]], pair)[1:])
        assert alinea.LinkColumn.of(inside) == column()
        with pytest.raises(TypeError, match=r"^links\[1\]: links are pairs of positions, not null$"):
            alinea.LinkColumn.of(pa.array([[[0, 0]], [[0, 0], None]], lists))
        with pytest.raises(TypeError, match=r"^links\[0\]: links are pairs of positions, not null$"):
            alinea.LinkColumn.of(pa.array([[[0, None]]], lists))
    # As many links in each pair.
    same = [[[0, 0], [1, 2]], [[0, 1], [2, 0]], [[3, 3], [4, 4]]]
    array = pa.array(same, pa.list_(pair, 2))
    assert alinea.LinkColumn.of(array).to_pylist() == same
    assert alinea.LinkColumn.of(array[1:]).to_pylist() == same[1:]
    structures = pa.list_(pa.struct({"source": number, "target": number}), 2)
    array = pa.array([[{"source": i, "target": j} for i, j in links] for links in same], structures)
    assert alinea.LinkColumn.of(array[1:]).to_pylist() == same[1:]
    triples = pa.array([[[0, 1, 2]]], pa.list_(pa.list_(number, 3)))
    with pytest.raises(ValueError, match=r"^links\[0\]: links are pairs of positions, not 3 numbers$"):
        alinea.LinkColumn.of(triples)


def test_arrays_of_polars_are_read() -> None:
    assert alinea.LinkColumn.of(pl.Series(PAIRS, dtype=pl.List(pl.Array(pl.Int64, 2)))) == column()
    same = np.array([[[0, 0], [1, 2]], [[0, 1], [2, 0]]])
    series = pl.Series("gold", same)
    assert isinstance(series.dtype, pl.Array)
    read = alinea.LinkColumn.of(series)
    assert (read.to_pylist(), read.name) == (same.tolist(), "gold")
    assert alinea.align(pl.Series([["a", "b"]] * 2, dtype=pl.Array(pl.String, 2)), ["x y"] * 2) == alinea.align(
        ["a b"] * 2, ["x y"] * 2
    )


@pytest.mark.parametrize(
    "empty",
    [
        pa.array([[], []]),
        pa.array([[], []], pa.large_list(pa.null())),
        pa.array([[[0]], [], []], pa.list_(pa.list_(pa.int8())))[1:],
        pa.array([[], []], pa.list_(pa.list_(pa.null()))),
        pa.array([[], []], pa.list_(pa.null(), 0)),
        pa.chunked_array([pa.array([[]]), pa.array([[]])]),
        pl.Series([[], []]),
        pl.Series([[], []], dtype=pl.List(pl.Null)),
        pl.DataFrame({"links": [[], []]})["links"],
        pd.Series([[], []], dtype=pd.ArrowDtype(pa.list_(pa.null()))),
        pd.Series([[], []]),
    ],
)
def test_columns_without_any_link_are_read(empty: Any) -> None:
    assert alinea.LinkColumn.of(empty).to_pylist() == [[], []]
    assert alinea.to_pharaoh(empty) == ["", ""]
    assert alinea.symmetrize(empty, ["0-0", ""], "union").to_pylist() == [[[0, 0]], []]


def test_columns_without_any_item_are_read() -> None:
    for nothing in (pa.array([]), pl.Series([]), pl.Series([], dtype=pl.Null), pa.chunked_array([], pa.null())):
        assert alinea.LinkColumn.of(nothing).to_pylist() == []
        with pytest.raises(alinea.Error, match="source has 0 lines, target has 1"):
            alinea.align(nothing, ["x"])


def test_sentences_without_words_are_read_from_columns() -> None:
    for empty in (pa.array([[], []]), pl.Series([[], []]), pa.array([[], []], pa.list_(pa.null(), 0))):
        with pytest.raises(alinea.Error, match="nothing to align"):
            alinea.align(empty, ["x", "y"])
    with pytest.raises(TypeError, match=r"^source\[1\]: a token is a str, not null$"):
        alinea.align(pa.array([[], [None]]), ["x", "y"])


@pytest.mark.parametrize(
    ("items", "error", "message"),
    [
        ([[], [None]], TypeError, r"^links\[1\]: links are pairs of positions, not null$"),
        ([[[]], [[]]], ValueError, r"^links\[0\]: links are pairs of positions, not 0 numbers$"),
        ([None, None], TypeError, r"^links: expected a column of strings or of lists of structures .*, not of Null$"),
        ([[[0, 0]], [[0, 1, 2]]], ValueError, r"^links\[1\]: links are pairs of positions, not 3 numbers$"),
        ([[[0, 0]], [[0]]], ValueError, r"^links\[1\]: links are pairs of positions, not 1 numbers$"),
        ([[[0, 0]], [[0, None]]], TypeError, r"^links\[1\]: links are pairs of positions, not null$"),
        ([[[0, 0]], [None]], TypeError, r"^links\[1\]: links are pairs of positions, not null$"),
        ([[[0, 0]], None], TypeError, r"^links\[1\]: links are pairs of positions, not null$"),
        ([[[0, 0]], [[0, -1]]], ValueError, r"^links\[1\]: positions are from 0 to 4294967295$"),
        ([[["a", "b"]]], TypeError, r"^links: expected a column of strings or of lists of structures of .*, not of L"),
        ([[[0.5, 1.0]]], TypeError, r"^links: expected a column of strings or of lists of structures"),
    ],
)
def test_what_are_no_pairs_is_refused(items: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        alinea.LinkColumn.of(pa.array(items))


class Column:
    """A column of `datasets` 5.2: a sequence that is no Arrow, whose items are lists."""

    def __init__(self, table: pa.Table, name: str) -> None:
        self.values = table[name]

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, key: int) -> Any:
        return self.values[key].as_py()

    def __iter__(self) -> Any:
        return iter(self.values.to_pylist())


# What `Dataset.from_dict` and `add_column` store of a column of links, of its lists, and of lines.
@pytest.mark.parametrize("values", [column(), PAIRS, LINES], ids=["column", "lists", "lines"])
def test_links_are_read_from_datasets(values: Any) -> None:
    table = pa.table({"source": ["a b", "", "c d e"], "target": ["x y", "", "z w"], "links": values})
    # As it is, or formatted as "arrow", "pandas", "polars" or "numpy".
    for given in (
        Column(table, "links"),
        table["links"],
        table.to_pandas()["links"],
        pl.DataFrame(table)["links"],
        np.array([*table["links"].to_pylist(), None], dtype=object)[:-1],
    ):
        assert alinea.LinkColumn.of(given) == column()
    texts = Column(table, "source"), Column(table, "target")
    assert len(alinea.align(*texts)) == 3
    assert alinea.show(*texts, Column(table, "links")).format == "html"


def test_structures_of_something_else_are_refused() -> None:
    with pytest.raises(TypeError, match=r"^links\[0\]: a link is a structure of source and target$"):
        alinea.LinkColumn.of([[{"from": 0, "to": 0}]])  # type: ignore[list-item]


def test_scores_become_data_frames() -> None:
    gold, links = ["0-0 1-1 1-2", "0-0 1p1"], ["0-0 1-1 2-2", "0-0 1-1"]
    found = alinea.evaluate(gold, links, samples=20)
    buckets = alinea.breakdown(gold, links)
    compared = alinea.compare(gold, links, gold, samples=20)
    gained = alinea.gains(gold, links, gold, samples=20)
    agreed = alinea.agreement({"anna": gold, "ben": links})
    tested = metrics.compare({"old": ["a b", "c"], "new": ["a b", "d e"]}, references=["a b", "d f"], samples=20)
    correlated = metrics.correlate({"m": [1, 2, 4, 3]}, human=[1, 2, 3, 4], coefficient="pearson", samples=20)
    for make in (pd.DataFrame, pl.DataFrame):
        frame: Any = make(buckets.to_dict())
        assert list(frame["label"]) == ["0", "1", "2", "3", "4+"]
        assert list(frame["in_possible"]) == [0, 3, 1, 0, 0]
        assert list(make(buckets)["sure"]) == list(frame["sure"])
        frame = make(found.rows())
        assert list(frame["score"]) == ["precision", "recall", "f", "aer"]
        assert list(frame["value"]) == [found.precision, found.recall, found.f, found.aer]
        assert found.intervals is not None
        assert frame["high"][1] == found.intervals.recall.interval[1]  # type: ignore[index]
        frame = make(compared.rows())
        assert list(frame["system"] - frame["baseline"]) == pytest.approx(list(frame["difference"]))
        assert list(make(gained.rows())["absolute"]) == pytest.approx(list(frame["difference"]))
        assert list(make(agreed.rows())["common"]) == [4]
        frame = make(tested.to_dict())
        assert list(frame["system"]) == ["old", "new"]
        assert list(frame["value"]) == [one.value for one in tested]
        assert list(make(correlated.rows())["value"]) == [pytest.approx(0.8)]
    assert alinea.breakdown(gold, links, tags=[["A", "B", "A"], ["B", "A"]]).to_dict()["label"] == ["A", "B"]
    assert alinea.Breakdown().to_dict() == {}

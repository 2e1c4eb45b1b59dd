"""Intervals and tests of so few sentences that they say little come with a warning, wherever they are computed."""

from __future__ import annotations

from pathlib import Path

import pytest

import alinea
from alinea import reorder
from alinea.metrics import FewSegmentsWarning, correlate

ONE = r"^one sentence cannot be resampled, so there are no intervals and no tests$"
TWO = (
    r"^intervals and tests on 2 sentences may be unreliable: they have been tested with 300 sentences or more "
    r"\(Koehn 2004\)$"
)


@pytest.mark.parametrize(("sentences", "message"), [(1, ONE), (2, TWO)])
def test_gains(sentences: int, message: str) -> None:
    gold, old = ["0-0 1-1"] * sentences, ["0-0"] * sentences
    with pytest.warns(FewSegmentsWarning, match=message) as caught:
        alinea.gains(gold, old, gold)
    assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize(("sentences", "message"), [(1, ONE), (2, TWO)])
def test_orders(sentences: int, message: str) -> None:
    gold = reorder.GoldStandard(["a b"] * sentences, ["0-1 1-0"] * sentences)
    orders = [[1, 0]] * sentences
    gold.evaluate(orders, samples=0)
    with pytest.warns(FewSegmentsWarning, match=message) as caught:
        gold.evaluate(orders, samples=10)
    assert [warning.filename for warning in caught] == [__file__]


def test_submissions(tmp_path: Path) -> None:
    corpus = reorder.TaskCorpus.pack(["red house", "old bird"], ["0-1 1-0"] * 2)
    gold, archive = tmp_path / "gold.conll", tmp_path / "lab.zip"
    corpus.write_rows(gold)
    reorder.submit(archive, team="lab", data={"en_fr": gold}, standard={"en_fr": [gold]})
    reorder.rank([archive], {"en_fr": gold}, samples=0)
    with pytest.warns(FewSegmentsWarning, match=TWO) as caught:
        reorder.rank([archive], {"en_fr": gold}, samples=10)
    assert [warning.filename for warning in caught] == [__file__]


def test_correlations() -> None:
    items: list[float] = [1, 2, 3, 4, 5, 6]
    message = r"^intervals and tests on {} groups or items are meaningless: there are too few different samples$"
    for groups, units in ((None, 6), ("aabbcc", 3)):
        with pytest.warns(FewSegmentsWarning, match=message.format(units)) as caught:
            correlate({"same": items}, human=items, coefficient="pearson", groups=groups)
        assert [warning.filename for warning in caught] == [__file__]


def test_many_are_not_warned_of() -> None:
    gold = ["0-0 1-1"] * 300
    alinea.gains(gold, gold, gold)
    reorder.GoldStandard(["a b"] * 300, ["0-1 1-0"] * 300).evaluate([[1, 0]] * 300)
    items = [float(n) for n in range(7)]
    correlate({"same": items}, human=items, coefficient="pearson")

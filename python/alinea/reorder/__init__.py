"""Reordering models: putting the words of a sentence into the order of another language.

A model is trained on sentences with links, manual or by :func:`alinea.align`, and puts new sentences into
the order of the other language: for preordering in translation, for studies of simultaneous translation, or of word
order itself. ``docs/reordering.md`` describes the engines.

>>> from alinea import reorder
>>> source = reorder.Source(["red house", "old bird"] * 9, tags=["ADJ NOUN"] * 18)
>>> links = ["0-1 1-0"] * 18
>>> reorder.gold_orders(source, links)[0].tolist()
[1, 0]
>>> model = reorder.train(source, links)
>>> orders = model.orders(source)
>>> reorder.GoldStandard(source, links).evaluate(orders, samples=0).scores["kendall"]
1.0

**Orders** are numpy arrays of type ``int32``: the positions of the words of a sentence, from 0, in their new order, so
that ``[words[position] for position in order]`` is the reordered sentence. Words without links have no place in a gold
order, and are missing there; models order all words. The place of each word in a whole order is
``numpy.argsort(order)``. Those of a text are an :class:`OrderColumn`.
"""

from alinea.reorder._corpus import TaskCorpus
from alinea.reorder._judging import SCORES, Estimate, GoldStandard, OrderScores, Score
from alinea.reorder._model import ENGINES, Model, train
from alinea.reorder._orders import (
    Attach,
    Incomparable,
    Key,
    Order,
    OrderColumn,
    Orders,
    Ranks,
    Unaligned,
    gold_order,
    gold_orders,
    gold_ranks,
)
from alinea.reorder._rules import RuleSet, verb_final_rules
from alinea.reorder._source import Layer, Source
from alinea.reorder._submission import Entry, Files, Runs, check_submission, rank, submit

__all__ = [
    "ENGINES",
    "SCORES",
    "Attach",
    "Entry",
    "Estimate",
    "Files",
    "GoldStandard",
    "Incomparable",
    "Key",
    "Layer",
    "Model",
    "Order",
    "OrderColumn",
    "OrderScores",
    "Orders",
    "Ranks",
    "RuleSet",
    "Runs",
    "Score",
    "Source",
    "TaskCorpus",
    "Unaligned",
    "check_submission",
    "gold_order",
    "gold_orders",
    "gold_ranks",
    "rank",
    "submit",
    "train",
    "verb_final_rules",
]

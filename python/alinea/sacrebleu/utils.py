"""Small functions that code for sacreBLEU imports. What lists and downloads test sets is not here."""

from __future__ import annotations

import gzip
import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any, cast

__all__ = ["SACREBLEU_DIR", "USERHOME", "my_log", "smart_open", "sum_of_lists"]

USERHOME = str(Path("~").expanduser())
SACREBLEU_DIR = os.environ.get("SACREBLEU", str(Path(USERHOME, ".sacrebleu")))
"""Where models of SentencePiece are looked for."""

_LOG_OF_ZERO = -9999999999


def smart_open(file: str, mode: str = "rt", encoding: str = "utf-8") -> IO[Any]:
    """Opens a file of text, compressed if its name ends in ``.gz``."""
    if file.endswith(".gz"):
        return cast(IO[Any], gzip.open(file, mode=mode, encoding=encoding, newline="\n"))
    return open(file, mode=mode, encoding=encoding, newline="\n")


def my_log(num: float) -> float:
    """The logarithm, and a large negative number for that of 0.

    >>> my_log(0), my_log(1)
    (-9999999999, 0.0)
    """
    return math.log(num) if num != 0 else _LOG_OF_ZERO


def sum_of_lists(lists: Sequence[Sequence[Any]]) -> Sequence[Any]:
    """The sum of lists, item by item, from the first to the last.

    >>> sum_of_lists([[1, 2], [3, 4], [5, 6]])
    [9, 12]
    """
    if len(lists) == 1:
        return lists[0]
    total = [type(lists[0][0])(0)] * len(lists[0])
    for items in lists:
        total = [sum_ + item for sum_, item in zip(total, items, strict=False)]
    return total

"""Dependency trees as they are given to functions."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeAlias

Trees: TypeAlias = os.PathLike[str] | Iterable[str]
"""Dependency trees: a CoNLL-U file, or each sentence's lines, as :func:`alinea.metrics.conllu_sentences` has them."""


def trees_of(trees: Trees, name: str) -> os.PathLike[str] | list[str]:
    """The file, or the sentences."""
    if isinstance(trees, str):
        raise TypeError(f"{name}: expected a sequence of sentences, not a str (pass a file as a pathlib.Path)")
    return trees if isinstance(trees, os.PathLike) else list(trees)

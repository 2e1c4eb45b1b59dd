"""The picture of one sentence pair, drawn by the native module (crate ``alinea``, module ``view``).

These are the pictures of ``alinea view``, of words that are at hand; :mod:`alinea._show` has those of whole texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np

from alinea import _native


def draw(
    words: Iterable[object], mots: Iterable[object], links: Sequence[tuple[int, int]], kind: Literal["svg", "dot"]
) -> str:
    """Draws the words of both sentences, and their links, which must be between them."""
    rows = np.array(links, dtype=np.uint32).reshape(-1, 2)
    layer = {"name": "links", "gold": False, "pairs": [(rows, rows)], "confidences": None}
    return _native.DrawnPairs([texts(words)], [texts(mots)], [layer], None, None).draw(0, kind)


def texts(words: Iterable[object]) -> list[str]:
    """The characters of words, whatever their class; what is not text, such as a lone surrogate, is replaced."""
    return [text_of(word).encode("utf-16", "surrogatepass").decode("utf-16", "replace") for word in words]


def text_of(word: object) -> str:
    """The characters of a word, also of one whose class says other things of itself."""
    return str.__getitem__(word, slice(None)) if isinstance(word, str) else str(word)

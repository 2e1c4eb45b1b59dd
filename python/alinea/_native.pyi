from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TypeAlias, final

import numpy as np
from numpy.typing import NDArray

_Links: TypeAlias = NDArray[np.uint32]
_Scores: TypeAlias = list[float | None]
_Counts: TypeAlias = list[int]
_Column: TypeAlias = tuple[NDArray[np.int64], NDArray[np.uint32]]
_Many: TypeAlias = Sequence[_Links] | _Column

__all__ = [
    "TrainedModel",
    "__version__",
    "align",
    "classes",
    "evaluate",
    "export_arrow",
    "lexicon",
    "parse_pharaoh",
    "phrases",
    "read_arrow",
    "read_pharaoh",
    "sentence_align",
    "symmetrize",
    "train",
]

__version__: str

def align(
    source: object,
    target: object,
    *,
    besides: Mapping[str, object],
    model: str,
    iterations: int | tuple[int, int] | str | None,
    threshold: float | str | None,
    objective: str | None,
    lowercase: bool,
    max_length: int,
    threads: int,
    progress: object,
) -> _Column: ...
def train(
    source: object,
    target: object,
    path: str | PathLike[str],
    *,
    besides: Mapping[str, object],
    model: str,
    iterations: int | tuple[int, int] | str | None,
    lowercase: bool,
    max_length: int,
    threads: int,
    progress: object,
) -> None: ...

@final
class TrainedModel:
    def __new__(cls, path: str | PathLike[str]) -> TrainedModel: ...
    @property
    def signature(self) -> str: ...
    @property
    def pairs(self) -> int: ...
    def align(
        self,
        source: object,
        target: object,
        threshold: float | None,
        max_length: int,
        threads: int,
        progress: object,
    ) -> _Column: ...

def symmetrize(forward: _Many, reverse: _Many, method: str) -> _Column: ...
def phrases(
    source: object,
    target: object,
    links: _Many,
    *,
    max_length: int | None,
    threads: int,
) -> _Column: ...
def evaluate(
    gold: Sequence[tuple[_Links, _Links]],
    hypotheses: _Many,
    annotated_only: bool,
    alpha: float,
) -> tuple[_Scores, _Counts, str]: ...
def parse_pharaoh(line: str, path: str, number: int) -> tuple[_Links, _Links]: ...
def read_pharaoh(path: str | PathLike[str]) -> list[tuple[_Links, _Links]]: ...
def read_arrow(column: object, name: str) -> tuple[list[str] | None, _Column | None] | None: ...
def export_arrow(
    offsets: NDArray[np.int64], rows: NDArray[np.uint32], names: Sequence[str]
) -> tuple[object, object]: ...
def lexicon(
    source: object,
    target: object,
    links: _Many,
    *,
    reverse: bool,
    best: int | None,
    least: float,
    empty_word: bool,
    lowercase: bool,
) -> list[tuple[str | None, str | None, float, int]]: ...
def classes(
    text: object,
    *,
    classes: int,
    cooling: int,
    passes: int,
    lowercase: bool,
    max_length: int,
    threads: int,
    progress: object,
) -> tuple[list[tuple[str, int]], list[float], bool, str]: ...
def sentence_align(
    source: Sequence[Sequence[int]], target: Sequence[Sequence[int]], ratio: float, variance: float
) -> list[tuple[list[int], list[int], float]]: ...

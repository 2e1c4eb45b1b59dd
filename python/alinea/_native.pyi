from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

_Links: TypeAlias = NDArray[np.uint32]
_Scores: TypeAlias = list[float | None]
_Counts: TypeAlias = list[int]

__all__ = [
    "Alignments",
    "Counted",
    "FertileModel",
    "NumberedText",
    "TrainedModel",
    "WordModel",
    "__version__",
    "align",
    "align_lengths",
    "evaluate",
    "parse_pharaoh",
    "phrases",
    "read_pharaoh",
    "symmetrize",
    "train",
]

__version__: str

def align(
    source: Iterable[str | Iterable[str]],
    target: Iterable[str | Iterable[str]],
    *,
    besides: Mapping[str, object],
    model: str,
    iterations: int | tuple[int, int] | None,
    threshold: float | str | None,
    objective: str | None,
    lowercase: bool,
    max_length: int,
    threads: int,
) -> list[_Links]: ...
def train(
    source: Iterable[str | Iterable[str]],
    target: Iterable[str | Iterable[str]],
    path: str | PathLike[str],
    *,
    besides: Mapping[str, object],
    model: str,
    iterations: int | tuple[int, int] | None,
    lowercase: bool,
    max_length: int,
    threads: int,
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
        source: Iterable[str | Iterable[str]],
        target: Iterable[str | Iterable[str]],
        threshold: float | None,
        max_length: int,
        threads: int,
    ) -> list[_Links]: ...

def symmetrize(forward: Sequence[_Links], reverse: Sequence[_Links], method: str) -> list[_Links]: ...
def phrases(
    source: Iterable[str | Iterable[str]],
    target: Iterable[str | Iterable[str]],
    links: Sequence[_Links],
    *,
    max_length: int | None,
    threads: int,
) -> list[NDArray[np.uint32]]: ...
def evaluate(
    gold: Sequence[tuple[_Links, _Links]],
    hypotheses: Sequence[_Links],
    annotated_only: bool,
    alpha: float,
) -> tuple[_Scores, _Counts, str]: ...
def parse_pharaoh(line: str, path: str, number: int) -> tuple[_Links, _Links]: ...
def read_pharaoh(path: str | PathLike[str]) -> list[tuple[_Links, _Links]]: ...

@final
class NumberedText:
    def __new__(cls, pairs: list[Any]) -> NumberedText: ...
    def words(self) -> list[Any]: ...
    def mots(self) -> list[Any]: ...
    def lengths(self) -> list[tuple[int, int]]: ...

@final
class WordModel:
    @property
    def text(self) -> NumberedText: ...
    @staticmethod
    def uniform(text: NumberedText, probability: float) -> WordModel: ...
    @staticmethod
    def uniform_positions(text: NumberedText) -> WordModel: ...
    @staticmethod
    def of(text: NumberedText, translation: Any, positions: Any) -> WordModel: ...
    def train(self, passes: int) -> WordModel: ...
    def align(self) -> Alignments: ...
    def translations(self, word: object) -> dict[Any, float] | None: ...
    def positions(self, state: int) -> list[tuple[int, int, int, float]]: ...

@final
class Alignments:
    def of(self, sentence: int) -> list[int | None]: ...

@final
class FertileModel:
    def __new__(
        cls,
        text: NumberedText,
        translation: Any,
        alignment: Any,
        fertility: Any,
        p1: float,
        *,
        distortion: Any,
        relative: tuple[Any, Any, Any, Any] | None,
        vacancies: tuple[Any, Any, float] | None,
    ) -> FertileModel: ...
    def sample(self, pair: int) -> tuple[list[tuple[tuple[int, ...], float]], tuple[int, ...]]: ...
    def count(self) -> tuple[Counted, Alignments]: ...

@final
class Counted:
    def null(self) -> tuple[float, float]: ...
    def translations(self) -> list[tuple[Any, dict[Any, float]]]: ...
    def fertilities(self) -> list[dict[Any, float]]: ...
    def distortions(self) -> list[tuple[int, int, int, int, float]]: ...
    def heads(self) -> list[tuple[int, Any, Any, float]]: ...
    def others(self) -> list[tuple[int, Any, float]]: ...
    def vacancies(self) -> list[tuple[bool, int, int, Any, float]]: ...

def align_lengths(
    source: Sequence[int], target: Sequence[int], ratio: float, variance: float, priors: list[float]
) -> list[tuple[int, int, int, int]]: ...

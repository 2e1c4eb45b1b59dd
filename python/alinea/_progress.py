"""Progress bars of tqdm, or of a class with its interface."""

from __future__ import annotations

from typing import Protocol, TypeAlias, cast


class ProgressBar(Protocol):
    """One task, as ``tqdm`` shows it; see :class:`MakesBars`."""

    def update(self, n: int, /) -> object:
        """The task got ``n`` units further."""

    def close(self) -> object:
        """The task is done, or was given up."""


class MakesBars(Protocol):
    """A factory of bars, as the class ``tqdm`` is: called with the task's name and its length, if that is known.

    It and the bars that it returns are only called in the thread that waits for the work, at most some twenty times a
    second. What they raise ends the work.

    >>> import alinea
    >>> class Printed:
    ...     def __init__(self, *, desc, total):
    ...         self.desc, self.total, self.done = desc, total, 0
    ...
    ...     def update(self, n):
    ...         self.done += n
    ...
    ...     def close(self):
    ...         print(f"{self.desc}: {self.done} of {self.total}")
    >>> links = alinea.align(["yes", "no"], ["oui", "non"], model="ibm1", iterations=1, progress=Printed)
    indexing word pairs: 1 of 1
    Model 1 1/1: 2 of 2
    aligning: 2 of 2
    """

    def __call__(self, *, desc: str, total: int | None) -> ProgressBar:
        """Begins a task."""


Progress: TypeAlias = bool | MakesBars
"""Whether progress is shown: ``True`` for bars of ``tqdm``, or what makes bars in their place."""


for _class in (ProgressBar, MakesBars):
    _class.__module__ = "alinea"
del _class


def makes_bars(progress: bool | object) -> MakesBars | None:
    """What makes bars, if they are wanted."""
    if progress is None or progress is False:
        return None
    if progress is True:
        try:
            from tqdm.auto import tqdm  # noqa: PLC0415  # needed by those who ask for it
        except ImportError as error:
            message = (
                "progress=True shows bars of tqdm, which is not installed; pip install tqdm, or pass what makes bars"
            )
            raise ImportError(message) from error
        return cast(MakesBars, tqdm)
    if not callable(progress):
        raise TypeError(f"progress: expected a bool, or a class such as tqdm, not {type(progress).__name__}")
    return cast(MakesBars, progress)

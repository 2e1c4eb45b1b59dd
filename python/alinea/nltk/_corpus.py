"""Where the files of a corpus are, and views of what is in them."""

from __future__ import annotations

import os
import sys
import zipfile
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Generic, TypeVar, overload

Item = TypeVar("Item")

_SHOWN = 60
"""How many characters of a view are shown."""


class CorpusView(Sequence[Item], Generic[Item]):
    """A sequence whose items are found when they are asked for, and kept.

    >>> from alinea.nltk._corpus import CorpusView
    >>> view = CorpusView(iter(range(100)))
    >>> view[3], view[:2], len(view), view[-1]
    (3, [0, 1], 100, 99)
    >>> view
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, ...]
    """

    __hash__ = None  # type: ignore[assignment]  # equal to lists, as those are

    def __init__(self, items: Iterator[Item]) -> None:
        self._rest = items
        self._found: list[Item] = []
        self._error: Exception | None = None

    def _find(self, count: int | None) -> list[Item]:
        """Finds so many items, or all. An error is told again whenever it is in the way."""
        missing = None if count is None else max(count - len(self._found), 0)
        if missing != 0 and self._error is not None:
            raise self._error
        try:
            self._found.extend(islice(self._rest, missing))
        except Exception as error:
            self._error = error
            raise
        return self._found

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> list[Item]: ...
    def __getitem__(self, index: int | slice) -> Any:
        """Returns an item, or a list of those of a slice."""
        if isinstance(index, slice):
            ends = (index.start or 0, index.stop if index.stop is not None else -1)
            return self._find(None if min(ends) < 0 else max(ends))[index]
        return self._find(index + 1 if index >= 0 else None)[index]

    def __len__(self) -> int:
        return len(self._find(None))

    def __iter__(self) -> Iterator[Item]:
        at = 0
        while len(self._find(at + 1)) > at:
            yield self._found[at]
            at += 1

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, list | CorpusView) else NotImplemented

    def __add__(self, other: Sequence[Item]) -> list[Item]:
        return [*self, *other]

    def __repr__(self) -> str:
        shown: list[str] = []
        for item in self:
            if shown and sum(map(len, shown)) + 2 * len(shown) > _SHOWN:
                return f"[{', '.join(shown)}, ...]"
            shown.append(repr(item))
        return f"[{', '.join(shown)}]"


class Folder:
    """A directory."""

    def __init__(self, root: Path) -> None:
        if not root.is_dir():
            raise NotADirectoryError(f"{root}: not a directory")
        self._root = root

    def names(self) -> list[str]:
        """The names of all files in it, with ``/`` between directories."""
        return [path.relative_to(self._root).as_posix() for path in self._root.rglob("*") if path.is_file()]

    def path(self, name: str) -> str:
        """What messages call a file."""
        return str(self._root / name)

    def read(self, name: str) -> bytes:
        """The bytes of a file."""
        return (self._root / name).read_bytes()


class ZippedFolder:
    """A zip archive, or a directory in it."""

    def __init__(self, archive: Path, prefix: str = "") -> None:
        self._archive = archive
        self._prefix = prefix

    def names(self) -> list[str]:
        """The names of all files in it."""
        with zipfile.ZipFile(self._archive) as archive:
            names = [name for name in archive.namelist() if not name.endswith("/")]
        return [name.removeprefix(self._prefix) for name in names if name.startswith(self._prefix)]

    def path(self, name: str) -> str:
        """What messages call a file."""
        return str(self._archive / f"{self._prefix}{name}")

    def read(self, name: str) -> bytes:
        """The bytes of a file."""
        with zipfile.ZipFile(self._archive) as archive:
            try:
                return archive.read(self._prefix + name)
            except KeyError:
                raise FileNotFoundError(f"{self.path(name)}: no such file in the archive") from None


def installed(kind: str, name: str) -> Folder | ZippedFolder:
    """Finds data of NLTK: ``kind/name`` or ``kind/name.zip`` in one of the folders where its downloader puts them.

    Raises:
        LookupError: It is in none of them.
    """
    folders = _data_folders()
    for folder in folders:
        if (directory := folder / kind / name).is_dir():
            return Folder(directory)
        if zipfile.is_zipfile(archive := folder / kind / f"{name}.zip"):
            return ZippedFolder(archive, f"{name}/")
    places = "".join(f"\n  {folder}" for folder in folders)
    raise LookupError(f"{kind}/{name} is not installed (nltk.download({name!r}) gets it); looked for in{places}")


def _data_folders() -> list[Path]:
    named = [Path(path) for path in os.environ.get("NLTK_DATA", "").split(os.pathsep) if path]
    prefix = Path(sys.prefix)
    own = [Path("~/nltk_data").expanduser(), *(prefix / place / "nltk_data" for place in ("", "share", "lib"))]
    if sys.platform == "win32":
        roaming = os.environ.get("APPDATA")
        return [
            *named,
            *own,
            *([Path(roaming, "nltk_data")] if roaming else []),
            Path("C:/nltk_data"),
            Path("D:/nltk_data"),
        ]
    places = ("/usr/share", "/usr/local/share", "/usr/lib", "/usr/local/lib")
    return [*named, *own, *(Path(place, "nltk_data") for place in places)]

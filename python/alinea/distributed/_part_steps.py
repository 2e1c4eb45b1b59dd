"""What a worker does for a part of a text that is trained on: reads it, and writes the files of a step."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from alinea import parts
from alinea._native import __version__
from alinea._training import Tokenize
from alinea.distributed._models import check_version


@dataclass(frozen=True)
class Reading:
    """How sentences become words."""

    tokenize: Tokenize
    lowercase: bool
    max_length: int


@dataclass(frozen=True)
class PartSteps:
    """The steps of parts, by their numbers from 1. It travels to workers; each step may run anywhere, also twice."""

    directory: str
    texts: Sequence[str]
    reading: Reading
    threads: int
    memory: int | None = None
    version: str = field(default=__version__)

    def file(self, name: str) -> str:
        """The path of a file."""
        return os.path.join(self.directory, name)

    def words(self, part: int) -> None:
        """Counts its words."""
        check_version(self.version, __version__)
        reading = self.reading
        parts.words(
            *self._text(part),
            self.file(f"words.{part}"),
            tokenize=reading.tokenize,
            lowercase=reading.lowercase,
            max_length=reading.max_length,
        )

    def pairs(self, part: int) -> None:
        """Collects its word pairs."""
        check_version(self.version, __version__)
        parts.pairs(
            *self._text(part),
            self.file(f"pairs.{part}"),
            part=part,
            words=self.file("words"),
            max_length=self.reading.max_length,
            threads=self.threads,
        )

    def count(self, number: int, part: int) -> None:
        """Counts it in a pass."""
        check_version(self.version, __version__)
        parts.count(
            *self._text(part),
            self.file(f"counts.{number}.{part}"),
            part=part,
            state=self.file(f"state.{number - 1}"),
            own=self.file(f"own.{number - 1}.{part}") if number > 1 else None,
            keep=self.file(f"own.{number}.{part}"),
            max_length=self.reading.max_length,
            memory=self.memory,
            threads=self.threads,
        )

    def merge(self, groups: Mapping[int, tuple[Sequence[str], str]], group: int) -> None:
        """Adds up the counts of a group of parts."""
        check_version(self.version, __version__)
        counts, output = groups[group]
        parts.merge_counts(map(self.file, counts), self.file(output))

    def _text(self, part: int) -> tuple[pa.Array, pa.Array]:
        with pa.memory_map(self.file(self.texts[part - 1])) as file:
            table = pa.ipc.open_file(file).read_all()
        return table.column(0), table.column(1)


def write_text(path: str, batches: Iterable[pa.RecordBatch]) -> None:
    """Writes sentence pairs, the first two columns of batches, to a new file, which is on the disk afterwards."""
    with open(path, "xb") as file:
        writer = None
        for batch in batches:
            pairs = pa.record_batch(batch.columns[:2], names=["source", "target"])
            writer = writer or pa.ipc.new_file(file, pairs.schema)
            writer.write_batch(pairs)
        writer = writer or pa.ipc.new_file(file, pa.schema([("source", pa.string()), ("target", pa.string())]))
        writer.close()
        file.flush()
        os.fsync(file.fileno())

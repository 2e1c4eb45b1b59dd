"""A training on a text in parts: its files, in a directory that driver and workers share, its steps, and resuming.

An engine does two things: it writes the text, and runs a step for each of some parts. What is there already is not done
again, so a driver that was interrupted resumes. ``training.json`` says which training the files are of; it is written
when the text is complete.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from alinea import _native, parts
from alinea._errors import Error, config_error
from alinea._native import __version__
from alinea._training import Entry, Iterations, Model, reading_of
from alinea.distributed._part_steps import PartSteps, Reading

Run: TypeAlias = Callable[[Callable[[int], None], Sequence[int]], None]
"""Calls a step with each of the numbers, anywhere, and returns when all is done."""

_MANIFEST = "training.json"
_FORMAT = "alinea training in parts"
# So many files of counts are added up by a task.
_FAN = 16


class WrittenText(NamedTuple):
    """The sentence pairs of a text: their number, a sum of their hashes, and the files that have them, in order."""

    pairs: int
    hash: str
    files: Sequence[str]


@dataclass(frozen=True)
class Settings:
    """What is trained, and how."""

    parts: int
    order: Sequence[str]
    model: Model
    iterations: Iterations | None
    dictionary: Sequence[Entry]
    reading: Reading
    threads: int
    memory: int | None = None
    prune: Mapping[int, float] = field(default_factory=dict)

    def told(self) -> dict[str, Any]:
        """What must be the same when a training is resumed."""
        entries = self.dictionary
        return {
            "version": __version__,
            "parts": self.parts,
            "order": list(self.order),
            "model": self.model,
            "iterations": list(self.iterations) if isinstance(self.iterations, tuple) else self.iterations,
            "dictionary": hashlib.sha256(json.dumps(entries).encode()).hexdigest() if entries else None,
            "tokenize": self.reading.tokenize,
            "lowercase": self.reading.lowercase,
            "prune": {str(number): limit for number, limit in sorted(self.prune.items())},
        }


class PartTraining:
    """The training in a directory."""

    def __init__(self, directory: str | os.PathLike[str], settings: Settings) -> None:
        """Looks for a training that was interrupted.

        Raises:
            Error: The directory has another training.
            ConfigError: An option has a value that is not allowed.
            OSError: It cannot be created or read.
        """
        reading = settings.reading
        _native.check_part_training(
            model=settings.model,
            iterations=settings.iterations,
            reading=reading_of(reading.tokenize, reading.lowercase, reading.max_length),
            threads=settings.threads,
        )
        self.directory = os.path.abspath(directory)
        self._settings = settings
        os.makedirs(self.directory, exist_ok=True)
        self._manifest = self._read() if _MANIFEST in os.listdir(self.directory) else None

    def found(self) -> WrittenText | None:
        """The text that was written, if it was completed."""
        return WrittenText(**self._manifest["text"]) if self._manifest else None

    def check(self, pairs: int, hash_sum: str) -> None:
        """Refuses a text other than the one that was written.

        Raises:
            Error: It is another.
        """
        text = self.found()
        if text is not None and (text.pairs, text.hash) != (pairs, hash_sum):
            what = f"{text.pairs} sentence pairs, not {pairs}" if text.pairs != pairs else "other sentences"
            raise self._refused(f"another text ({what})")

    def begin(self, text: WrittenText) -> None:
        """Takes a text that was written just now.

        Raises:
            Error: The driver does not see its files.
        """
        missing = {*text.files}.difference(os.listdir(self.directory))
        if missing:
            raise Error(
                f"{self.directory}: {min(missing)} was written, but is not there: the directory must be on storage "
                "that the driver and all workers share"
            )
        # What a training before this one has left.
        self._remove(lambda name: name not in text.files)
        self._write({"format": _FORMAT, "settings": self._settings.told(), "text": text._asdict(), "passes": None})

    def train(self, model: str | os.PathLike[str], run: Run) -> None:
        """Takes all steps that are left, and removes the files of the training when the model is there.

        Raises:
            Error: A file is damaged; and see the steps, also for other exceptions.
        """
        text = self.found()
        if text is None or self._manifest is None:
            raise Error(f"{self.directory}: the text is missing")
        settings = self._settings
        steps = PartSteps(self.directory, text.files, settings.reading, settings.threads, settings.memory)
        # Of attempts that failed, or that others have overtaken.
        self._remove(lambda name: name.startswith("text.") and name not in text.files)
        passes, states = self._manifest["passes"], self._states()
        if passes is None or not states:
            passes, states = self._first_state(steps, run), [0]
        if settings.prune and max(settings.prune) >= passes:
            raise config_error("prune", settings.prune, f"after passes before the last, 1 to {passes - 1}")
        done = max(states)
        for number in range(done + 1, passes + 1):
            counts = self._counted(steps, number, run)
            kept = [steps.file(f"own.{number}.{part}") for part in self._numbers()]
            state = steps.file(f"state.{number - 1}")
            if number < passes:
                limit = settings.prune.get(number)
                parts.maximize(counts, state=state, output=steps.file(f"state.{number}"), prune=limit)
                self._forget(number)
            else:
                parts.maximize(counts, state=state, model=model, own=kept)
        # The manifest first: without it, the others are nothing to resume.
        self._remove(lambda name: name == _MANIFEST)
        self._remove(lambda _: True)

    def _first_state(self, steps: PartSteps, run: Run) -> int:
        """Takes the steps before the first pass, and tells how many passes there are."""
        names, settings = self._names(), self._settings
        if "words" not in names:
            run(steps.words, [n for n in self._numbers() if f"words.{n}" not in names])
            parts.join([steps.file(f"words.{n}") for n in self._numbers()], steps.file("words"))
        run(steps.pairs, [n for n in self._numbers() if f"pairs.{n}" not in names])
        passes = parts.begin(
            [steps.file(f"pairs.{n}") for n in self._numbers()],
            steps.file("state.0"),
            words=steps.file("words"),
            model=settings.model,
            iterations=settings.iterations,
            dictionary=settings.dictionary,
        )
        self._write({**(self._manifest or {}), "passes": passes})
        self._remove(lambda name: name.startswith(("words", "pairs.")))
        return passes

    def _counted(self, steps: PartSteps, number: int, run: Run) -> list[str]:
        """Counts what is left of a pass, and returns few files that have it all."""
        names = self._names()
        left = [n for n in self._numbers() if not {f"counts.{number}.{n}", f"own.{number}.{n}"} <= names]
        run(partial(steps.count, number), left)
        counts, level = [f"counts.{number}.{n}" for n in self._numbers()], 0
        while len(counts) > _FAN:
            level += 1
            outputs = [f"sum.{number}.{level}.{first}" for first in range(0, len(counts), _FAN)]
            groups = {n: (counts[n * _FAN : (n + 1) * _FAN], output) for n, output in enumerate(outputs)}
            run(partial(steps.merge, groups), [n for n, output in enumerate(outputs) if output not in names])
            counts = outputs
        return [steps.file(name) for name in counts]

    def _forget(self, number: int) -> None:
        """Removes what nobody needs when the state after a pass is there."""
        older = (f"counts.{number}.", f"sum.{number}.", f"own.{number - 1}.")
        self._remove(lambda name: name.startswith(older) or name == f"state.{number - 1}")

    def _numbers(self) -> range:
        return range(1, self._settings.parts + 1)

    def _states(self) -> list[int]:
        return [int(name.removeprefix("state.")) for name in self._names() if name.startswith("state.")]

    def _names(self) -> set[str]:
        # Listed as a whole: network storage may remember that a name was not there when it was asked for.
        return set(os.listdir(self.directory))

    def _remove(self, unwanted: Callable[[str], bool]) -> None:
        ours = ("text.", "words", "pairs.", "state.", "counts.", "own.", "sum.", _MANIFEST)
        for name in sorted(self._names()):
            # Files that were not completed have names with a dot in front.
            if name.removeprefix(".").startswith(ours) and unwanted(name):
                os.unlink(os.path.join(self.directory, name))

    def _read(self) -> dict[str, Any]:
        path = os.path.join(self.directory, _MANIFEST)
        try:
            with open(path, encoding="utf-8") as file:
                manifest: dict[str, Any] = json.load(file)
            told = manifest["settings"] if manifest["format"] == _FORMAT else None
        except (ValueError, TypeError, KeyError):
            told = None
        if not isinstance(told, dict):
            raise Error(f"{path}: no training in parts")
        for name, value in self._settings.told().items():
            if told.get(name) != value:
                raise self._refused(f"a training with {name} = {told.get(name)}, not {value}")
        return manifest

    def _write(self, manifest: dict[str, Any]) -> None:
        """Writes the manifest, which is complete or absent."""
        path = os.path.join(self.directory, _MANIFEST)
        with open(f"{path}.new", "w", encoding="utf-8") as file:
            json.dump(manifest, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(f"{path}.new", path)
        self._manifest = manifest

    def _refused(self, what: str) -> Error:
        return Error(f"{self.directory}: has the files of {what}: name another directory, or delete this one")

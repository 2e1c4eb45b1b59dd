"""Archives of runs for the shared task, and their ranking."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from alinea import _native
from alinea._warnings import warn_of_few
from alinea.reorder._judging import SCORES, Score

Files: TypeAlias = Mapping[str, str | os.PathLike[str]]
"""Files by language pairs, such as ``en_hi``."""

Runs: TypeAlias = Mapping[str, Iterable[str | os.PathLike[str]]]
"""The files of several runs, ``*.conll``, by language pairs."""


@dataclass(frozen=True)
class Entry:
    """A line of a leaderboard; see :func:`rank`.

    >>> from alinea import reorder
    >>> reorder.Entry("lab.en_hi.standard.1.conll", "lab", 1, {"kendall": 0.8}, None, 0.001).rank
    1

    Attributes:
        run: The name of the run; ``None`` for the source order.
        team: The team; ``None`` for the source order.
        rank: The rank, from 1, shared by runs that do not differ significantly from the first of that rank; ``None``
            for the source order, and without samples.
        scores: All scores, by name; see :class:`OrderScores`.
        p_above: The p-value of the difference to the line above.
        p_source: The p-value of the difference to the source order.
    """

    run: str | None
    team: str | None
    rank: int | None
    scores: dict[Score, float | None]
    p_above: float | None
    p_source: float | None


def submit(
    path: str | os.PathLike[str],
    *,
    team: str,
    data: Files,
    standard: Runs,
    nonstandard: Runs | None = None,
) -> list[str]:
    """Checks runs and puts them into one archive. The same runs make the same archive, byte by byte.

    >>> from alinea import reorder
    >>> import pathlib, tempfile
    >>> corpus = reorder.TaskCorpus.pack(["red house", "old bird"], ["0-1 1-0"] * 2)
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     gold, run, archive = (pathlib.Path(directory, name) for name in ("gold.conll", "run.conll", "lab.zip"))
    ...     corpus.write_rows(gold)
    ...     corpus.reordered([[1, 0], [0, 1]]).write_rows(run)
    ...     print(reorder.submit(archive, team="lab", data={"en_fr": gold}, standard={"en_fr": [run]}))
    ...     board = reorder.rank([archive], {"en_fr": gold}, samples=0)["en_fr"]
    ['lab.en_fr.standard.1.conll']
    >>> [(entry.team, entry.scores["kendall"]) for entry in board]
    [('lab', 0.5), (None, 0.0)]

    Args:
        path: The archive, ``*.zip``.
        team: The team: letters, digits, ``_`` and ``-``.
        data: The rows of each pair, of which runs may differ in column 7 only.
        standard: At least one and at most four runs of each pair for which only the data of the task were used.
        nonstandard: At most four others.

    Returns:
        The names of the runs in the archive.

    Raises:
        Error: A run has other sentences or words than the data, a pair has no standard run, or too many.
        ParseError: A line of a run is malformed, or column 7 makes no order.
        OSError: A file cannot be read or written.
    """
    kinds = ((True, standard), (False, nonstandard or {}))
    runs = [(is_standard, pair, run) for is_standard, given in kinds for pair, files in given.items() for run in files]
    return [name for name, _ in _native.write_submission(path, team, dict(data), runs)]


def check_submission(path: str | os.PathLike[str], data: Files) -> list[str]:
    """Checks an archive, and returns the names of its runs.

    >>> from alinea import reorder
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     gold, archive = pathlib.Path(directory, "gold.conll"), pathlib.Path(directory, "lab.zip")
    ...     reorder.TaskCorpus.pack(["red house"], ["0-1 1-0"]).write_rows(gold)
    ...     _ = reorder.submit(archive, team="lab", data={"en_fr": gold}, standard={"en_fr": [gold]})
    ...     reorder.check_submission(archive, {"en_fr": gold})
    ['lab.en_fr.standard.1.conll']

    Args:
        path: The archive, as :func:`submit` or ``alinea reorder submit`` writes it.
        data: The rows of each pair.

    Raises:
        Error: It is not an archive; otherwise as in :func:`submit`.
        ParseError: A line of a run is malformed.
        OSError: A file cannot be read.
    """
    return [name for name, _ in _native.check_submission(path, dict(data))]


def rank(
    submissions: Iterable[str | os.PathLike[str]],
    gold: Files,
    *,
    by: Score = "kendall",
    all_runs: bool = False,
    samples: int = 1000,
    confidence: float = 0.95,
    seed: int = 12345,
    threads: int = 0,
) -> dict[str, list[Entry]]:
    """Makes a leaderboard of each language pair: the best standard run of each team, and the source order.

    The example of :func:`submit` shows one.

    >>> from alinea import reorder
    >>> reorder.rank([], {})
    {}

    Args:
        submissions: Archives, as :func:`submit` writes them.
        gold: The rows of each pair with the right orders.
        by: The score to rank by.
        all_runs: Whether all runs are listed, including nonstandard ones.
        samples: The number of samples of the paired bootstrap; 0 leaves p-values and ranks out.
        confidence: Between 0 and 1; p-values do not depend on it.
        seed: Equal seeds draw equal samples.
        threads: The number of threads, 0 for one on each core. Results do not depend on it.

    Returns:
        The lines of each pair, the best first.

    Raises:
        Error: A team is in two archives, a run is for a pair without gold standard, or has other sentences or words.
        ParseError: A line is malformed.
        ConfigError: An option has a value that is not allowed.
        OSError: A file cannot be read.

    Warns:
        FewSegmentsWarning: Samples are drawn of fewer than 300 sentences. One has no tests.
    """
    bootstrap = {"samples": samples, "seed": seed, "confidence": confidence} if samples else None
    boards = _native.rank_submissions(list(submissions), dict(gold), by, all_runs, bootstrap, threads)
    if bootstrap and boards:
        warn_of_few(min(sentences for _, sentences, _ in boards), "sentence")
    return {
        pair: [
            Entry(run, team, rank, dict(zip(SCORES, scores, strict=True)), *p_values)
            for run, team, rank, scores, p_values in board
        ]
        for pair, _, board in boards
    }


for _public in (Entry, check_submission, rank, submit):
    _public.__module__ = "alinea.reorder"

"""Training on a text in parts, each counted by a process that knows only its own part.

A function for each step of ``alinea parts``, from a part of the text and files to files. The model is byte-identical to
that of :func:`alinea.train` on the joined text. Whatever is done for each part may run at the same time, anywhere;
the other steps need the files of all parts. Each file appears when it is complete, so a step that was interrupted is
just run again. :func:`alinea.distributed.spark_train` takes all steps on Spark.

>>> import alinea, alinea.parts, filecmp, os, tempfile
>>> source, target = ["the house", "the flower", "a house"], ["la maison", "la fleur", "une maison"]
>>> texts = {1: (source[:1], target[:1]), 2: (source[1:], target[1:])}
>>> def train(file, names):
...     for n, text in texts.items():
...         alinea.parts.words(*text, file(f"words.{n}"))
...     alinea.parts.join(names("words"), file("words"))
...     for n, text in texts.items():
...         alinea.parts.pairs(*text, file(f"pairs.{n}"), part=n, words=file("words"))
...     passes = alinea.parts.begin(names("pairs"), file("state.0"), words=file("words"))
...     for number in range(1, passes + 1):
...         state = file(f"state.{number - 1}")
...         for n, text in texts.items():
...             own = file(f"own.{number - 1}.{n}") if number > 1 else None
...             keep, counts = file(f"own.{number}.{n}"), file(f"counts.{n}")
...             _ = alinea.parts.count(*text, counts, part=n, state=state, own=own, keep=keep)
...         if number < passes:
...             _ = alinea.parts.maximize(names("counts"), state=state, output=file(f"state.{number}"))
...     own = names(f"own.{passes}")
...     return alinea.parts.maximize(names("counts"), state=state, model=file("parts.alinea"), own=own)
>>> with tempfile.TemporaryDirectory() as directory:
...     file = lambda name: os.path.join(directory, name)
...     done = train(file, lambda name: [file(f"{name}.{n}") for n in texts])
...     _ = alinea.train(source, target, file("whole.alinea"))
...     same = filecmp.cmp(file("parts.alinea"), file("whole.alinea"), shallow=False)
>>> done, same
(Passes(done=9, passes=9), True)
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from alinea import _native
from alinea._links import Sentences
from alinea._progress import Progress, makes_bars
from alinea._training import Entry, GivenLinks, Iterations, Model, Tokenize, entries_of, links_of, reading_of

_File: TypeAlias = str | os.PathLike[str]

__all__ = ["Pass", "Passes", "begin", "count", "join", "maximize", "merge_counts", "pairs", "words"]


class Pass(NamedTuple):
    """The pass that counts are of; see :func:`count`.

    >>> import alinea.parts
    >>> alinea.parts.Pass(number=1, passes=9, name="Model 1 1/5", counted=2, parts=2).counted
    2

    Attributes:
        number: Its number, from 1.
        passes: The number of passes.
        name: What it is called.
        counted: The number of parts that were counted.
        parts: The number of parts of the text.
    """

    number: int
    passes: int
    name: str
    counted: int
    parts: int


class Passes(NamedTuple):
    """How far a training is; see :func:`maximize`.

    >>> import alinea.parts
    >>> alinea.parts.Passes(done=3, passes=9).done
    3

    Attributes:
        done: The number of passes that are done.
        passes: The number of passes.
    """

    done: int
    passes: int


def words(
    source: Sentences,
    target: Sentences,
    output: _File,
    *,
    weight: float = 1.0,
    tokenize: Tokenize = "none",
    lowercase: bool = True,
    max_length: int = 2000,
) -> None:
    """Counts the words of a part. O(words).

    >>> alinea.parts.words(source, target, "words.1")  # doctest: +SKIP

    Args:
        source: The sentences of the part in the source language.
        target: Their translations, one for each.
        output: The file of words.
        weight: How much a sentence pair of the part counts, from 0.01 to 1; less than 1 for text of another kind.
        tokenize: How sentences that are a ``str`` are cut into words; see :func:`alinea.align`. The same for all parts.
        lowercase: Whether words are compared in lower case. The same for all parts.
        max_length: The maximum number of words in a sentence.

    Raises:
        OSError: The file cannot be written.
        Error: There are more or fewer sentences on one side.
        ParseError: A sentence is too long.
        ConfigError: An option has a value that is not allowed.
        TypeError: A sentence is neither a ``str`` nor words.
    """
    reading = reading_of(tokenize, lowercase, max_length)
    _native.part_words(source, target, output, weight=weight, reading=reading)


def join(words: Iterable[_File], output: _File) -> None:
    """Puts the words of all parts together and ranks them by frequency. O(distinct words).

    >>> alinea.parts.join(["words.1", "words.2"], "words")  # doctest: +SKIP

    Args:
        words: The files of :func:`words`, in the order of the text.
        output: The file of the words of the whole text.

    Raises:
        OSError: A file cannot be read or written.
        Error: A file is damaged or something else, the parts were read differently, or no pair has words on both sides.
    """
    _native.join_words(list(words), output)


def pairs(
    source: Sentences,
    target: Sentences,
    output: _File,
    *,
    part: int,
    words: _File,
    max_length: int = 2000,
    threads: int = 0,
    progress: Progress = False,
) -> None:
    """Collects the pairs of words that occur together in a part. O(cells) at most.

    >>> alinea.parts.pairs(source, target, "pairs.1", part=1, words="words")  # doctest: +SKIP

    Args:
        source: The sentences of the part in the source language.
        target: Their translations.
        output: The file of word pairs.
        part: The number of the part, from 1, in the order of :func:`join`.
        words: The file of :func:`join`.
        max_length: The maximum number of words in a sentence.
        threads: The number of threads, 0 for one on each core.
        progress: Whether progress is shown; see :func:`alinea.align`.

    Raises:
        Error: This is not the text of that part, or ``words`` is damaged or something else. See :func:`words`, also for
            other exceptions.
    """
    _native.part_pairs(
        source,
        target,
        output,
        part=part,
        words=words,
        max_length=max_length,
        threads=threads,
        progress=makes_bars(progress),
    )


def begin(
    pairs: Iterable[_File],
    output: _File,
    *,
    words: _File,
    model: Model = "agreement-loo",
    iterations: Iterations | None = None,
    dictionary: Iterable[Entry] = (),
    threads: int = 0,
    progress: Progress = False,
) -> int:
    """Joins the word pairs of all parts and begins a training. O(distinct word pairs).

    >>> alinea.parts.begin(["pairs.1", "pairs.2"], "state.0", words="words")  # doctest: +SKIP
    9

    Args:
        pairs: The files of :func:`pairs`, one of each part, in any order.
        output: The file of the state before the first pass.
        words: The file of :func:`join`.
        model: The model: ``"agreement-loo"``, ``"agreement"``, ``"hmm"`` or ``"ibm1"``.
        iterations: Passes of training; see :func:`alinea.align`.
        dictionary: Translations of words; see :func:`alinea.align`.
        threads: The number of threads, 0 for one on each core.
        progress: Whether progress is shown.

    Returns:
        The number of passes.

    Raises:
        OSError: A file cannot be read or written.
        Error: A file is damaged, something else, or of another text; or the pairs of a part are missing or there twice.
        ConfigError: The model cannot be trained in parts, or an option has a value that is not allowed.
    """
    return _native.begin_training(
        list(pairs),
        output,
        words=words,
        model=model,
        iterations=iterations,
        dictionary=entries_of(dictionary),
        threads=threads,
        progress=makes_bars(progress),
    )


def count(
    source: Sentences,
    target: Sentences,
    output: _File,
    *,
    part: int,
    state: _File,
    keep: _File,
    own: _File | None = None,
    links: GivenLinks = (),
    max_length: int = 2000,
    memory: int | None = None,
    threads: int = 0,
    progress: Progress = False,
) -> Pass:
    """Counts a part in the next pass.

    O(cells * states); memory is that of the part, and of the words of the whole. With ``memory`` it is bounded, and the
    state is read several times.

    >>> alinea.parts.count(  # doctest: +SKIP
    ...     source, target, "counts.1", part=1, state="state.0", keep="own.1.1"
    ... )
    Pass(number=1, passes=9, name='Model 1 1/5', counted=1, parts=2)

    Args:
        source: The sentences of the part in the source language.
        target: Their translations.
        output: The file of counts.
        part: The number of the part, from 1.
        state: The state of the training, from :func:`begin` or :func:`maximize`.
        keep: The file of what the pairs of this part add to the counts, which the part needs in the next pass.
        own: What ``keep`` was in the pass before, for the same part.
        links: Known links of the first pairs of the part, the same in each pass; see :func:`alinea.align`.
        max_length: The maximum number of words in a sentence.
        memory: The number of bytes that the process may take, all else that it has included: word pairs that do not fit
            are counted one after another, with files without a name beside ``output`` in between. The counts are the
            same.
        threads: The number of threads, 0 for one on each core. The counts are the same under any.
        progress: Whether progress is shown.

    Returns:
        The pass.

    Raises:
        Error: This is not the text of that part; a file is damaged, something else, or of another training, pass or
            part; all passes are done; or text and words take more than ``memory``. See :func:`words`, also for other
            exceptions.
    """
    counted = _native.count_part(
        source,
        target,
        output,
        part=part,
        state=state,
        keep=keep,
        own=own,
        links=links_of(links),
        max_length=max_length,
        memory=memory,
        threads=threads,
        progress=makes_bars(progress),
    )
    return Pass(*counted)


def merge_counts(counts: Iterable[_File], output: _File) -> Pass:
    """Adds up counts of some parts, in any order and grouping, so that :func:`maximize` has fewer files to add.

    O(distinct word pairs) for each file. These may also be counts of ``alinea train --shard``.

    >>> alinea.parts.merge_counts(["counts.1", "counts.2"], "counts")  # doctest: +SKIP
    Pass(number=1, passes=9, name='Model 1 1/5', counted=2, parts=2)

    Args:
        counts: The files of :func:`count`, or sums of some.
        output: The file of the sum.

    Returns:
        The pass, and how many parts were counted.

    Raises:
        OSError: A file cannot be read or written.
        Error: A file is damaged, something else, or of another training or pass; a part was counted twice, or there are
            no files.
    """
    return Pass(*_native.merge_counts(list(counts), output))


def maximize(
    counts: Iterable[_File],
    *,
    state: _File,
    output: _File | None = None,
    model: _File | None = None,
    own: Iterable[_File] = (),
    prune: float | None = None,
    threads: int = 0,
    progress: Progress = False,
) -> Passes:
    """Goes on from what all parts have counted: to the next state, and after the last pass to the model.

    O(distinct word pairs).

    >>> alinea.parts.maximize(["counts.1", "counts.2"], state="state.0", output="state.1")  # doctest: +SKIP
    Passes(done=1, passes=9)

    Args:
        counts: The files of :func:`count` of all parts, or their sums.
        state: The state that they were counted under.
        output: The file of the next state, if passes are left after this one.
        model: The file of the model, after the last pass.
        own: What all parts kept of the last pass, in any order.
        prune: The expected count, above 0 and at most 1, below which pairs of words leave the training after this pass,
            such as 0.001: states and counts become smaller, the model slightly different. Not with ``model``.
        threads: The number of threads, 0 for one on each core.
        progress: Whether progress is shown.

    Returns:
        How many passes are done.

    Raises:
        OSError: A file cannot be read or written.
        Error: A file is damaged, something else, or of another training or pass; or a part is missing.
        ConfigError: ``output`` or ``prune`` is given for the last pass, or ``model`` for another one; or ``prune`` is
            out of range.
    """
    done = _native.maximize_counts(
        list(counts),
        state=state,
        output=output,
        model=model,
        own=list(own),
        prune=prune,
        threads=threads,
        progress=makes_bars(progress),
    )
    return Passes(*done)

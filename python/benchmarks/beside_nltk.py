"""The models of :mod:`alinea.nltk` beside those of NLTK: how much faster, and how far their tables are apart.

Both must be installed. The text is two files with a sentence a line, words separated by blanks:

    python python/benchmarks/beside_nltk.py source.txt target.txt --models 1 2 --pairs 2000 --iterations 5

Models translate from source to target. Words that occur again in a target sentence are left out, since NLTK counts
them as half. Time is from the call of the constructor to its end, by the clock and of the processor; of alinea, the
least of some runs, each with new strings. Probabilities that only one of two tables has count as the least
probability in the other.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

Sentences: TypeAlias = list[tuple[list[str], list[str]]]

MIN_PROB = 1e-12
CLASSES = 5
LAST_WITHOUT_CLASSES = 3


def main() -> None:
    """Prints a row of a table for each model."""
    parser = argparse.ArgumentParser(description="alinea.nltk beside NLTK")
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--models", type=int, nargs="+", default=[1, 2], choices=range(1, 6))
    parser.add_argument("--pairs", type=int, default=2000, help="sentence pairs from the beginning of the files")
    parser.add_argument("--longest", type=int, default=1000, help="the most words of a sentence")
    parser.add_argument("--iterations", type=int, default=5)
    parser.add_argument("--runs", type=int, default=5, help="runs of alinea")
    options = parser.parse_args()
    sentences = read(options.source, options.target, options.pairs, options.longest)
    print("| model | NLTK | alinea | ratio | processor: NLTK | alinea | ratio | greatest relative difference |")
    print("|---|---|---|---|---|---|---|---|")
    for number in options.models:
        # NLTK comes last: its tables are millions of objects, and would slow down what comes after it.
        runs = [timed("alinea.nltk", number, sentences, options.iterations) for _ in range(options.runs)]
        theirs, model = timed("nltk.translate", number, sentences, options.iterations)
        expected, found = tables(model), tables(runs[-1][1])
        apart = max(difference(found[name], table) for name, table in expected.items())
        least = [min(seconds[clock] for seconds, _ in runs) for clock in (0, 1)]
        times = [f"{slow:.2f} s | {fast:.4f} s | {slow / fast:.0f}" for slow, fast in zip(theirs, least, strict=True)]
        print(f"| {number} | {' | '.join(times)} | {apart:.1g} |", flush=True)


def read(source: Path, target: Path, pairs: int, longest: int) -> Sentences:
    """Words and mots of the first sentence pairs that are not empty and not too long."""
    sentences: Sentences = []
    with source.open(encoding="utf-8") as mots, target.open(encoding="utf-8") as words:
        for line, translation in zip(mots, words, strict=True):
            pair = (translation.split(), line.split())
            if len(sentences) < pairs and all(0 < len(side) <= longest for side in pair):
                sentences.append((list(dict.fromkeys(pair[0])), pair[1]))
    return sentences


def timed(module: str, number: int, sentences: Sentences, iterations: int) -> tuple[tuple[float, float], Any]:
    """How long the constructor of a model takes, by clock and processor, and the model.

    The class of a word is its length, more or less.
    """
    nltk = importlib.import_module(module)
    # New strings: those of another run may know their hashes.
    corpus = [
        nltk.AlignedSent([word.encode().decode() for word in words], [mot.encode().decode() for mot in mots])
        for words, mots in sentences
    ]
    sides = [{word: len(word) % CLASSES for pair in sentences for word in pair[side]} for side in (1, 0)]
    classes = sides if number > LAST_WITHOUT_CLASSES else []
    gc.collect()
    start = time.perf_counter(), time.process_time()
    model = getattr(nltk, f"IBMModel{number}")(corpus, iterations, *classes)
    return (time.perf_counter() - start[0], time.process_time() - start[1]), model


def tables(model: Any) -> dict[str, dict[tuple[Any, ...], float]]:
    """The probabilities of all tables of a model, with their keys."""
    return {name: dict(flat(table)) for name, table in vars(model).items() if name.endswith("_table")}


def flat(table: Any, keys: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], float]]:
    """The numbers of a table with all keys that lead to them."""
    if isinstance(table, dict):
        for key, row in table.items():
            yield from flat(row, (*keys, key))
    elif isinstance(table, float):
        yield keys, table


def difference(one: dict[tuple[Any, ...], float], other: dict[tuple[Any, ...], float]) -> float:
    """The greatest relative difference of two tables."""
    pairs = ((one.get(key, MIN_PROB), other.get(key, MIN_PROB)) for key in one.keys() | other.keys())
    return max((abs(a - b) / max(a, b) for a, b in pairs), default=0.0)


if __name__ == "__main__":
    main()

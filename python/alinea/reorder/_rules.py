"""Reordering rules that can be read, written and edited (Genzel 2010)."""

from __future__ import annotations

import os

from alinea import _native
from alinea._links import Alignments
from alinea._progress import Progress, makes_bars
from alinea.reorder._model import gold_of
from alinea.reorder._orders import OrderColumn, Orders
from alinea.reorder._source import Source


class RuleSet:
    """Rules that reorder trees; ``docs/reordering-rules.md`` has their grammar.

    >>> from alinea import reorder
    >>> rules = reorder.RuleSet("VERB : head */obj => 2 1")
    >>> source = reorder.Source(
    ...     ["I see houses"], tags=["PRON VERB NOUN"], relations=["nsubj root obj"], heads=[[1, -1, 1]]
    ... )
    >>> source.reordered(rules.orders(source))
    [['I', 'houses', 'see']]
    """

    __slots__ = ("_native",)

    def __init__(self, text: str) -> None:
        """Reads the lines of a text.

        Raises:
            ParseError: A line is not a rule.
        """
        self._native = _native.ReorderRules(text)

    @classmethod
    def _of(cls, native: _native.ReorderRules) -> RuleSet:
        rules = cls.__new__(cls)
        rules._native = native
        return rules

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> RuleSet:
        """Reads a file.

        >>> from alinea import reorder
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     path = pathlib.Path(directory, "verb-final.rules")
        ...     _ = path.write_text(reorder.verb_final_rules())
        ...     len(reorder.RuleSet.read(path))
        9

        Args:
            path: The file.

        Raises:
            OSError: The file cannot be read.
            ParseError: A line is not a rule.
        """
        return cls._of(_native.ReorderRules.read(path))

    @classmethod
    def learn(
        cls,
        source: Source,
        links: Alignments | None = None,
        *,
        orders: Orders | None = None,
        rules: int = 200,
        window: int = 4,
        sample: int = 10_000,
        factor: float = 2.0,
        least_helped: int = 5,
        seed: int = 1,
        threads: int = 0,
        progress: Progress = False,
    ) -> RuleSet:
        """Learns rules from sentences with trees whose order is known (after Genzel 2010).

        Each round adds the rule that corrects the most word pairs in the wrong order. The same sentences and seed
        give the same rules.

        >>> from alinea import reorder
        >>> source = reorder.Source(
        ...     ["I see houses"] * 9,
        ...     tags=["PRON VERB NOUN"] * 9,
        ...     relations=["nsubj root obj"] * 9,
        ...     heads=[[1, -1, 1]] * 9,
        ... )
        >>> print(reorder.RuleSet.learn(source, ["0-0 1-2 2-1"] * 9).text, end="")
        * : head */obj => 2 1  helped 9 harmed 0

        Args:
            source: The sentences, with trees.
            links: The links of each; see :func:`train`.
            orders: Instead of links, positions of words in their right order.
            rules: The maximum number of rules.
            window: The maximum number of adjacent parts of a rule, from 2 to 4.
            sample: The number of sentences of each round, sampled anew; all if there are no more.
            factor: How many sentences a rule must help for each that it harms, at least 1.
            least_helped: The minimum number of sentences that it must help.
            seed: The random seed of the samples.
            threads: The number of threads, 0 for one on each core. Results do not depend on it.
            progress: Whether progress is shown; see :func:`alinea.align`.

        Raises:
            Error: A sentence has no tree, or none has two words whose order is known; and as in :func:`train`.
            ParseError: A line of links is not in Pharaoh format.
            ConfigError: An option has a value that is not allowed.
            ValueError: Neither links nor orders are given, or both.
        """
        numbers = [rules, window, sample, least_helped]
        gold, bars = gold_of(links, orders), makes_bars(progress)
        return cls._of(_native.ReorderRules.learn(source._native, gold, numbers, factor, seed, threads, bars))

    def __len__(self) -> int:
        return len(self._native)

    def __repr__(self) -> str:
        return f"<RuleSet of {len(self)} rules>"

    @property
    def text(self) -> str:
        r"""The rules, one per line, without the comments and names of the text that they were read from.

        >>> from alinea import reorder
        >>> reorder.RuleSet("VERB : head */obj => 2 1 # objects first").text
        'VERB : head */obj => 2 1\n'
        """
        return self._native.text

    @property
    def tallies(self) -> list[tuple[int, int] | None]:
        """How many sentences each rule helped and harmed, as far as that is written.

        >>> from alinea import reorder
        >>> reorder.RuleSet("VERB : head */obj => 2 1  helped 81 harmed 3").tallies
        [(81, 3)]
        """
        return self._native.tallies

    def write(self, path: str | os.PathLike[str]) -> None:
        r"""Writes the rules to a file, which is complete or absent.

        >>> from alinea import reorder
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     path = pathlib.Path(directory, "my.rules")
        ...     reorder.RuleSet("VERB : head */obj => 2 1").write(path)
        ...     path.read_text()
        'VERB : head */obj => 2 1\n'

        Args:
            path: The file.

        Raises:
            OSError: The file cannot be written.
        """
        self._native.write(path)

    def orders(self, source: Source, *, threads: int = 0, progress: Progress = False) -> OrderColumn:
        """Applies the rules to each sentence.

        >>> from alinea import reorder
        >>> source = reorder.Source(["see houses"], brackets=["(VP (VBP see) (NP (NNS houses)))"])
        >>> reorder.RuleSet("VP : VBP NP => 2 1").orders(source)[0].tolist()
        [1, 0]

        Args:
            source: The sentences, with trees.
            threads: The number of threads, 0 for one on each core. Results do not depend on it.
            progress: Whether progress is shown; see :func:`alinea.align`.

        Returns:
            The positions of all words of each sentence, in their new order.

        Raises:
            Error: A sentence has no tree.
        """
        return OrderColumn(*self._native.orders(source._native, threads, makes_bars(progress)))


def verb_final_rules() -> str:
    """The text of manual rules for English trees and verb-final languages, as a starting point.

    >>> from alinea import reorder
    >>> len(reorder.RuleSet(reorder.verb_final_rules()))
    9
    """
    return _native.verb_final_rules()


for _public in (RuleSet, verb_final_rules):
    _public.__module__ = "alinea.reorder"

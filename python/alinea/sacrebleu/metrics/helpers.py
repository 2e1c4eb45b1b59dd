"""Counts of n-grams."""

from __future__ import annotations

from collections import Counter

__all__ = ["extract_all_char_ngrams", "extract_all_word_ngrams", "extract_char_ngrams", "extract_word_ngrams"]


def extract_all_word_ngrams(line: str, min_order: int, max_order: int) -> tuple[Counter[tuple[str, ...]], int]:
    """The n-grams of a line of tokens, of all orders from ``min_order`` to ``max_order``, and the number of tokens.

    >>> extract_all_word_ngrams("no no", 1, 2)
    (Counter({('no',): 2, ('no', 'no'): 1}), 2)
    """
    tokens = line.split()
    ngrams = (
        tuple(tokens[start : start + order])
        for order in range(min_order, max_order + 1)
        for start in range(len(tokens) - order + 1)
    )
    return Counter(ngrams), len(tokens)


def extract_word_ngrams(tokens: list[str], n: int) -> Counter[str]:
    """The n-grams of tokens, of one order, with blanks between the tokens.

    >>> extract_word_ngrams(["to", "be", "or"], 2)
    Counter({'to be': 1, 'be or': 1})
    """
    return Counter(" ".join(tokens[start : start + n]) for start in range(len(tokens) - n + 1))


def extract_char_ngrams(line: str, n: int, include_whitespace: bool = False) -> Counter[str]:
    """The n-grams of the characters of a line, of one order.

    >>> extract_char_ngrams("to o", 2)
    Counter({'to': 1, 'oo': 1})
    """
    line = line if include_whitespace else "".join(line.split())
    return Counter(line[start : start + n] for start in range(len(line) - n + 1))


def extract_all_char_ngrams(line: str, max_order: int, include_whitespace: bool = False) -> list[Counter[str]]:
    """The same of all orders up to ``max_order``.

    >>> extract_all_char_ngrams("too", 2)
    [Counter({'o': 2, 't': 1}), Counter({'to': 1, 'oo': 1})]
    """
    return [extract_char_ngrams(line, order, include_whitespace) for order in range(1, max_order + 1)]

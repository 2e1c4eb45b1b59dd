r"""Words of a line, by the conventions of the Penn Treebank.

The rules are those of NLTK's ``word_tokenize`` for one sentence, after a program by Robert MacIntyre: marks of
punctuation are words, but periods only at the end; quotation marks become ````` `` ````` and ``''``; ``don't`` is
``do n't``.

>>> from alinea.nltk._words import word_tokenize
>>> word_tokenize('"I don\'t know," she said.')
['``', 'I', 'do', "n't", 'know', ',', "''", 'she', 'said', '.']
"""

from __future__ import annotations

import re

__all__ = ["word_tokenize"]


def _rules(*rules: tuple[str, str]) -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(pattern), replacement) for pattern, replacement in rules]


_APART = r" \g<0> "

_INSIDE = _rules(
    # What opens a quotation.
    (r"[«“\u2018„]|`+", _APART),
    (r'^"', "``"),
    (r"``", _APART),
    (r"""([ ([{<])("|'')""", r"\1 `` "),
    (r"(?i)(?<!\w)'(?!(?:re|ve|ll|[mtsdn])\b)(?=\w)", "' "),
    # Marks of punctuation. The first is the last period, with what closes behind it, which is looked at once.
    (r"([^.])\.(?=([\])}>\"'»”\u2019 ]*))\2\s*$", r"\1 . \2 "),
    (r"([:,])(\D)", r" \1 \2"),
    (r"[:,]$", _APART),
    (r"\.{2,}", _APART),
    (r"[;@#$%&\u2012-\u2015]", _APART),
    (r"([^.])\.(?=([\])}>\"']*))\2\s*$", r"\1 .\2 "),
    (r"[?!]", _APART),
    (r"([^'])' ", r"\1 ' "),
    (r"\*|[\]\[(){}<>]|--", _APART),
)

_AROUND = _rules(
    # What closes a quotation, and what is left of short words.
    (r"[»”\u2019]|''", _APART),
    (r'"', " '' "),
    (r"\s+", " "),
    (r"([^' ])('[sSmMdD]|') ", r"\1 \2 "),
    (r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1 \2 "),
    # Words that are two.
    (r"(?i)\b(can)(not)\b", r" \1 \2 "),
    (r"(?i)\b(d)('ye)\b", r" \1 \2 "),
    (r"(?i)\b(gim)(me)\b", r" \1 \2 "),
    (r"(?i)\b(gon)(na)\b", r" \1 \2 "),
    (r"(?i)\b(got)(ta)\b", r" \1 \2 "),
    (r"(?i)\b(lem)(me)\b", r" \1 \2 "),
    (r"(?i)\b(more)('n)\b", r" \1 \2 "),
    (r"(?i)\b(wan)(na)(?=\s)", r" \1 \2 "),
    (r"(?i) ('t)(is|was)\b", r" \1 \2 "),
)


def word_tokenize(line: str) -> list[str]:
    """Returns the words of a line, which is taken for one sentence."""
    for pattern, replacement in _INSIDE:
        line = pattern.sub(replacement, line)
    line = f" {line} "
    for pattern, replacement in _AROUND:
        line = pattern.sub(replacement, line)
    return line.split()

"""The substitutions that ``13a`` and ``zh`` have in common."""

from __future__ import annotations

import re

from alinea.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

__all__ = ["TokenizerRegexp"]

# Marks of punctuation and symbols; stops and commas behind, and before, what is no digit; hyphens behind digits.
_SUBSTITUTIONS = (
    (re.compile(r"([ -&(-+/:-@\[-`{-~])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)


class TokenizerRegexp(BaseTokenizer):
    """Punctuation set apart, by regular expressions: for tokenizers of users that begin with something else."""

    def signature(self) -> str:
        """What signatures of metrics call it."""
        return "re"

    def __call__(self, line: str) -> str:
        """The tokens of a line."""
        for pattern, replacement in _SUBSTITUTIONS:
            line = pattern.sub(replacement, line)
        return " ".join(line.split())

"""Characters."""

from __future__ import annotations

from alinea.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer, named

__all__ = ["TokenizerChar"]


class TokenizerChar(NativeTokenizer):
    """Characters, each by itself; a call keeps blanks among them."""

    def __init__(self) -> None:
        super().__init__(named("char"))

    def __call__(self, line: str) -> str:
        """The tokens of a line."""
        return " ".join(line)

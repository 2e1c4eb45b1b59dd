"""No tokenizer."""

from __future__ import annotations

from alinea.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer, named

__all__ = ["NoneTokenizer"]


class NoneTokenizer(NativeTokenizer):
    """What stands between blanks; a call returns the line as it is."""

    def __init__(self) -> None:
        super().__init__(named("none"))

    def __call__(self, line: str) -> str:
        """The tokens of a line."""
        return line

"""The tokens of mteval-v13a: for Western languages."""

from __future__ import annotations

from alinea.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer, named

__all__ = ["Tokenizer13a"]


class Tokenizer13a(NativeTokenizer):
    """The tokens of mteval-v13a: for Western languages."""

    def __init__(self) -> None:
        super().__init__(named("13a"))

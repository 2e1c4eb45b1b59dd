"""The tokens of mteval-v14: punctuation and symbols of all scripts."""

from __future__ import annotations

from alinea.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer, named

__all__ = ["TokenizerV14International"]


class TokenizerV14International(NativeTokenizer):
    """The tokens of mteval-v14: punctuation and symbols of all scripts."""

    def __init__(self) -> None:
        super().__init__(named("intl"))

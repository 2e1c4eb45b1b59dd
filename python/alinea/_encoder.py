"""Pretrained encoders, whose word vectors help to align.

:class:`Encoder` wraps that of the native module (crate ``alinea-encoder``), which reads the files of Hugging Face and
computes vectors on the CPU. Models are looked up by name in the cache of Hugging Face, and fetched into it by
``huggingface_hub`` where that is installed. The encoder that was opened last stays open.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from alinea._errors import ConfigError, Error, config_error
from alinea._links import Sentences
from alinea._native import Encoder as NativeEncoder
from alinea._native import find_encoder
from alinea._progress import Progress, makes_bars
from alinea._training import Encode, Tokenize

if TYPE_CHECKING:
    from typing_extensions import Self

TextEncoder: TypeAlias = tuple[NativeEncoder, "str | os.PathLike[str] | None", "str | None"]
"""An encoder as the native module takes it, perhaps a file that keeps vectors, perhaps which pairs are encoded."""

_FILES = ["config.json", "tokenizer.json", "*.safetensors", "*.safetensors.index.json"]


class Encoder:
    """A pretrained encoder, which gives words vectors: BERT, XLM-RoBERTa, or a model of their architecture.

    Those that were trained on text in many languages, such as multilingual-e5, LaBSE and mBERT, give words that
    translate each other similar vectors; the argument ``encoder`` of :func:`align` makes use of that.

    A name is looked up in the cache of Hugging Face. A model that is not there is fetched, if ``huggingface_hub`` is
    installed and ``HF_HUB_OFFLINE`` is not set; ``hf download NAME config.json tokenizer.json model.safetensors`` does
    the same. Vectors are computed on the CPU, and are the same on any computer and under any number of threads.

    The encoder that was opened last stays open, so a second one with the same files takes no time. Encoders can be
    pickled: other processes open the files themselves.

    >>> import alinea
    >>> encoder = alinea.Encoder("intfloat/multilingual-e5-small")  # doctest: +SKIP
    >>> encoder  # doctest: +SKIP
    <Encoder multilingual-e5-small.7>
    >>> links = alinea.align(["the house"], ["la maison"], encoder=encoder)  # doctest: +SKIP
    """

    __slots__ = ("_given", "_native")

    _given: str
    _native: NativeEncoder

    def __init__(self, name_or_path: str | os.PathLike[str], layer: int | None = None) -> None:
        """Opens an encoder.

        Args:
            name_or_path: A folder with ``config.json``, ``tokenizer.json`` and ``model.safetensors`` (or the files that
                ``model.safetensors.index.json`` names), or the name of a model on the Hugging Face Hub.
            layer: The layer whose outputs are the vectors, from 0, the embeddings. Without it, the one that suits the
                encoder.

        Raises:
            Error: There is no such encoder, or it cannot be fetched; it has another architecture, or is damaged.
            ConfigError: There is no such layer.
            OSError: A file cannot be read.
        """
        given = os.fspath(name_or_path)
        # Which does not depend on the working directory, here and where it is unpickled.
        self._given = os.path.abspath(given) if os.path.isdir(given) else given
        folder = find_encoder(self._given, _fetch)
        self._native = _opened(folder, layer, _state(folder))

    def __reduce__(self) -> tuple[type[Self], tuple[str, int]]:
        return type(self), (self._given, self.layer)

    def __repr__(self) -> str:
        return f"<Encoder {self.name}>"

    @property
    def name(self) -> str:
        """The name of the model and the number of the layer, as signatures have them.

        >>> import alinea
        >>> alinea.Encoder("intfloat/multilingual-e5-small").name  # doctest: +SKIP
        'multilingual-e5-small.7'
        """
        return self._native.name

    @property
    def width(self) -> int:
        """How many numbers a vector has.

        >>> import alinea
        >>> alinea.Encoder("intfloat/multilingual-e5-small").width  # doctest: +SKIP
        384
        """
        return self._native.width

    @property
    def layer(self) -> int:
        """The layer whose outputs are the vectors.

        >>> import alinea
        >>> alinea.Encoder("intfloat/multilingual-e5-small", layer=9).layer  # doctest: +SKIP
        9
        """
        return self._native.layer

    def encode(
        self,
        sentences: Sentences,
        *,
        tokenize: Tokenize = "none",
        cache: str | os.PathLike[str] | None = None,
        threads: int = 0,
        progress: Progress = False,
    ) -> list[NDArray[np.float32]]:
        """Returns the vectors of the words of sentences.

        The vector of a word is the mean of the outputs of its pieces. Sentences of more pieces than the encoder takes
        are encoded in windows that overlap.

        >>> import alinea
        >>> encoder = alinea.Encoder("intfloat/multilingual-e5-small")  # doctest: +SKIP
        >>> [vectors.shape for vectors in encoder.encode(["The house is green .", ""])]  # doctest: +SKIP
        [(5, 384), (0, 384)]

        Args:
            sentences: The sentences, as those of :func:`align`; but words are never lowercased.
            tokenize: How sentences that are a ``str`` are cut into words; see :func:`align`.
            cache: A file that keeps word vectors: those that it has are not computed again, and others are added.
            threads: The number of threads, 0 for one on each core.
            progress: Whether progress is shown; see :func:`align`.

        Returns:
            For each sentence an array with a row for each word. Numbers are rounded to half precision.

        Raises:
            Error: The cache has vectors of another encoder or layer, or is damaged.
            ConfigError: ``tokenize`` or ``threads`` is not allowed.
            OSError: A file cannot be read or written.
            TypeError: A sentence is neither a ``str`` nor words.
        """
        return self._native.encode(sentences, tokenize, cache, threads, makes_bars(progress))


def text_encoder(
    encoder: str | os.PathLike[str] | Encoder | None,
    layer: int | None,
    cache: str | os.PathLike[str] | None,
    encode: Encode | None,
) -> TextEncoder | None:
    """The arguments ``encoder``, ``encoder_layer``, ``encoder_cache`` and ``encode`` of a function that aligns."""
    if encoder is None:
        for field, value in (("encoder_layer", layer), ("encoder_cache", cache), ("encode", encode)):
            if value is not None:
                raise config_error(field, value, "unset without an encoder")
        return None
    pairs = None if encode is None else str(encode)
    if isinstance(encoder, Encoder):
        if layer is not None:
            raise config_error("encoder_layer", layer, "unset with an Encoder, which has its own layer")
        return encoder._native, cache, pairs
    try:
        return Encoder(encoder, layer)._native, cache, pairs
    except ConfigError as error:
        if error.field != "layer":
            raise
        raise config_error("encoder_layer", error.value, error.allowed) from None


def _fetch(name: str) -> str | None:
    """The folder of a model that was fetched from the Hugging Face Hub; ``None`` without ``huggingface_hub``."""
    try:
        from huggingface_hub import snapshot_download  # noqa: PLC0415  # needed by those who do not have the files
    except ImportError:
        return None
    try:
        return str(snapshot_download(name, allow_patterns=_FILES))
    except (OSError, ValueError) as error:
        reason, *_ = str(error).strip().splitlines() or [type(error).__name__]
        raise Error(f"{name}: not in the cache of Hugging Face, and cannot be fetched: {reason}") from error


@lru_cache(maxsize=1)
def _opened(folder: Path, layer: int | None, _state: object) -> NativeEncoder:
    """The encoder in a folder, as long as its files stay as they are."""
    return NativeEncoder(folder, layer)


def _state(folder: Path) -> frozenset[tuple[str, int, int]]:
    """What is different when a file of a folder is replaced."""
    files = [(path.name, path.stat()) for path in folder.iterdir() if path.is_file()]
    return frozenset((name, state.st_size, state.st_mtime_ns) for name, state in files)


Encoder.__module__ = "alinea"

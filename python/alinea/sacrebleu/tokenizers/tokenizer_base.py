"""What all tokenizers are."""

from __future__ import annotations

from alinea import _native

__all__ = ["BaseTokenizer"]


class BaseTokenizer:
    """A tokenizer: called with a line, it returns its tokens with blanks between."""

    def signature(self) -> str:
        """What signatures of metrics call it."""
        raise NotImplementedError

    def __call__(self, line: str) -> str:
        """The tokens of a line."""
        raise NotImplementedError


class NativeTokenizer(BaseTokenizer):
    """One of this library, which metrics count by without making strings of its tokens."""

    def __init__(self, native: _native.Tokenizer) -> None:
        self._native = native

    def signature(self) -> str:
        """What signatures of metrics call it."""
        return self._native.name

    def __call__(self, line: str) -> str:
        """The tokens of a line."""
        (tokens,) = self._native.tokenize([line])
        return " ".join(tokens)

    def tokenize(self, lines: list[str]) -> list[str]:
        """The tokens of many lines, each as a call returns them."""
        return [" ".join(tokens) for tokens in self._native.tokenize(lines)]


def named(name: str) -> _native.Tokenizer:
    """The tokenizer of a name that needs no files."""
    return _native.Tokenizer(name, dictionary=None, model=None)

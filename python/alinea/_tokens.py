"""Links between other tokens of the same sentences, such as the subwords of a model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, Literal, Protocol, TypeAlias, cast

from alinea import _native
from alinea._columns import LinkColumn
from alinea._errors import config_error
from alinea._formats import LinkFile, Writable, _parts
from alinea._links import Sentence, Sentences
from alinea._warnings import warn


class Encoded(Protocol):
    """What a tokenizer by Hugging Face makes of a sentence: an ``Encoding`` of the package ``tokenizers``."""

    @property
    def tokens(self) -> list[str]:
        """The tokens."""

    @property
    def offsets(self) -> list[tuple[int, int]]:
        """The first character of each token, and one past the last."""


Offsets: TypeAlias = Iterable[tuple[int, int]]
"""The tokens of a sentence by their places: first character, and one past the last."""

Tokens: TypeAlias = Sentences | Iterable[Encoded] | Iterable[Offsets]
"""The tokens of each sentence: as a text; as a tokenizer by Hugging Face has encoded it; or by their places."""

_Spans: TypeAlias = list[list[tuple[int, int]]]


def convert_links(
    links: Writable,
    source_words: Sentences | None = None,
    source_tokens: Tokens | None = None,
    target_words: Sentences | None = None,
    target_tokens: Tokens | None = None,
    *,
    unmatched: Literal["error", "skip"] = "error",
    ignore_case: bool = False,
) -> LinkFile:
    """Returns links between other tokens of the same sentences, such as subwords.

    >>> import alinea
    >>> words, pieces = ["the lighthouse"], ["▁the ▁light house"]
    >>> converted = alinea.convert_links(["0-0 1-1"], words, pieces, ["le phare"], ["le pha@@ re"])
    >>> alinea.to_pharaoh(converted)
    ['0-0 1-1 1-2 2-1 2-2']
    >>> back = alinea.convert_links(converted, pieces, words, ["le pha@@ re"], ["le phare"])
    >>> alinea.to_pharaoh(back)
    ['0-0 1-1']

    A link becomes all links between tokens that share characters with its words. A side whose words and tokens are
    ``None`` stays as it is. Weights and possible links are kept; of several links that become one the sure one stays,
    and then the heaviest. Pieces of SentencePiece, byte pair encoding (``@@``), WordPiece (``##``) and bytes as GPT-2
    writes them, text that Moses has escaped, and other cuts of a line are recognized.

    Args:
        links: The links between the words.
        source_words: The words that the links count: sentences, or a file.
        source_tokens: The tokens that they are to count: sentences as ``source_words``; an ``Encoding`` of
            ``tokenizers`` for each sentence; or for each the places of its tokens, pairs of first character and one
            past the last. Encodings and places are those of the sentence as one ``str``, words joined by blanks.
        target_words: The same for the target.
        target_tokens: The same for the target.
        unmatched: What to do if tokens do not spell the words: ``"skip"`` leaves out the links of the sentence pair,
            and warns.
        ignore_case: Ignore case and accents when words and tokens are compared.

    Raises:
        Error: Tokens do not spell the words; there are more or fewer sentences than links; or a link is outside its
            sentences.
        ParseError: A line of links is not in Pharaoh format.
        ConfigError: ``unmatched`` is something else.
        ValueError: Of a side only words or only tokens are given.
    """
    if unmatched not in ("error", "skip"):
        raise config_error("unmatched", unmatched, "error or skip")
    source, target = _side("source", source_words, source_tokens), _side("target", target_words, target_tokens)
    skip = unmatched == "skip"
    (column, possible, weights), missed, left_out = _native.convert_links(
        _parts(links), source, target, skip, ignore_case
    )
    if len(missed):
        first = int(missed[0])
        warn(
            f"the tokens of {len(missed)} sentence pairs do not spell their words, first [{first}]: "
            "their links are left out"
        )
    if left_out:
        warn(f"{left_out} links of tokens without characters are left out")
    words = links if isinstance(links, LinkFile) else None
    return LinkFile(
        LinkColumn(*column),
        possible,
        weights,
        words.source if words is not None and source is None else None,
        words.target if words is not None and target is None else None,
        words.scores if words is not None else None,
    )


def _side(name: str, words: Sentences | None, tokens: Tokens | None) -> tuple[object, object] | None:
    """Words and tokens; or the places of both, if those of the tokens are known."""
    if (words is None) != (tokens is None):
        raise ValueError(f"{name}_words and {name}_tokens: both are needed, or none")
    if words is None or tokens is None:
        return None
    if isinstance(tokens, str) or not isinstance(tokens, (list, tuple)):
        return words, tokens
    spans = _spans(cast("Sequence[object]", tokens))
    if spans is None:
        return words, tokens
    if isinstance(words, str) or not isinstance(words, (list, tuple)):
        raise TypeError(
            f"{name}_words: beside places of tokens, a list of sentences is needed, not {type(words).__name__}"
        )
    texts = cast("Sequence[Sentence]", words)
    if len(texts) != len(spans):
        raise ValueError(f"{name}_words has {len(texts)} sentences, {name}_tokens {len(spans)}")
    places = [_places(sentence) for sentence in texts]
    for number, (own, (_, length)) in enumerate(zip(spans, places, strict=True)):
        if any(not 0 <= start <= end <= length for start, end in own):
            raise ValueError(f"{name}_tokens[{number}]: a token is not within the {length} characters of its sentence")
    return [of_words for of_words, _ in places], spans


def _spans(tokens: Sequence[object]) -> _Spans | None:
    """The places of tokens; ``None`` if they are text."""
    known = [getattr(sentence, "offsets", sentence) for sentence in tokens]
    for sentence in known:
        if isinstance(sentence, str):
            return None
        first = next(iter(cast("Iterable[Any]", sentence)), None)
        if first is None:
            continue
        if isinstance(first, str):
            return None
        break
    else:
        return None
    return [[(int(start), int(end)) for start, end in cast("Offsets", sentence)] for sentence in known]


def _places(sentence: Sentence) -> tuple[list[tuple[int, int]], int]:
    """The places of the words of a sentence, and its length, in characters."""
    if isinstance(sentence, str):
        column = _native.word_offsets([sentence], "none")
        return [(start, end) for start, end in column[1].tolist()], len(sentence)
    words = list(sentence)
    ends = list(accumulate((len(word) + 1 for word in words), initial=0))
    return [(start, start + len(word)) for start, word in zip(ends, words, strict=False)], max(ends[-1] - 1, 0)


convert_links.__module__ = "alinea"

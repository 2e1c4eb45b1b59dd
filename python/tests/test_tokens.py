"""Links between other tokens of the same sentences."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import alinea

WORDS = ["the lighthouse stands", "", "a tower"]
PIECES = ["▁the ▁light house ▁st and s", "", "▁a ▁tow er"]
FRENCH = ["le phare est debout", "rien", "une tour"]
BYTES = ["le pha@@ re est de@@ bout", "ri@@ en", "une tour"]
LINKS = ["0-0 1p1 2-2 2-3", "", "0-0 1-1"]


@dataclass
class Encoding:
    """As `tokenizers.Encoding`."""

    tokens: list[str]
    offsets: list[tuple[int, int]]


def places(sentence: str, pieces: str) -> list[tuple[int, int]]:
    """Where pieces of SentencePiece stand, by looking for one behind the other."""
    found, at = [], 0
    for piece in pieces.replace("▁", "").split():
        at = sentence.index(piece, at)
        found.append((at, at + len(piece)))
        at += len(piece)
    return found


def test_links_go_to_pieces_and_come_back(answer: Callable[..., str], tmp_path: Path) -> None:
    converted = alinea.convert_links(LINKS, WORDS, PIECES, FRENCH, BYTES)
    assert alinea.to_pharaoh(converted)[0] == "0-0 1p1 1p2 2p1 2p2 3-3 3-4 3-5 4-3 4-4 4-5 5-3 5-4 5-5"
    back = alinea.convert_links(converted, PIECES, WORDS, BYTES, FRENCH)
    assert alinea.to_pharaoh(back) == LINKS
    files = {"words": WORDS, "pieces": PIECES, "french": FRENCH, "bytes": BYTES, "links": LINKS}
    for name, lines in files.items():
        (tmp_path / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    options = [
        f"--{option}={tmp_path / name}"
        for option, name in zip(("source", "source-tokens", "target", "target-tokens"), files, strict=False)
    ]
    answer("convert", tmp_path / "links", *options, "--format", "pharaoh", "-o", tmp_path / "out")
    assert (tmp_path / "out").read_text().splitlines() == alinea.to_pharaoh(converted)
    paths = [tmp_path / name for name in files]
    assert alinea.to_pharaoh(alinea.convert_links(paths[4], *paths[:4])) == alinea.to_pharaoh(converted)


def test_offsets_say_where_tokens_are() -> None:
    spelled = alinea.to_pharaoh(alinea.convert_links(LINKS, WORDS, PIECES))
    offsets = [places(sentence, pieces) for sentence, pieces in zip(WORDS, PIECES, strict=True)]
    encodings = [Encoding(pieces.split(), own) for pieces, own in zip(PIECES, offsets, strict=True)]
    as_lists = [sentence.split() for sentence in WORDS]
    for words in (WORDS, as_lists):
        for tokens in (offsets, encodings, [np.array(own).reshape(-1, 2) for own in offsets]):
            given: Any = tokens
            assert alinea.to_pharaoh(alinea.convert_links(LINKS, words, given)) == spelled
    # Tokens that mark the sentence have no characters; the others are one further.
    marked: Any = [[(0, 0), *own, (0, 0)] for own in offsets]
    moved = alinea.convert_links(LINKS, WORDS, marked).links.rows - [1, 0]
    assert np.array_equal(moved, alinea.convert_links(LINKS, WORDS, PIECES).links.rows)
    for wrong in ([(0, 99)], [(2, 1)], [(-1, 1)]):
        with pytest.raises(ValueError, match=r"source_tokens\[0\]: a token is not within the 3 characters"):
            alinea.convert_links(["0-0"], ["one"], [wrong])


def test_weights_and_scores_are_kept() -> None:
    posteriors = alinea.Posteriors(alinea.LinkColumn.of(["0-0 1-0"]), np.array([0.25, 0.75], np.float32))
    converted = alinea.convert_links(posteriors, ["ab c"], ["a bc"])
    assert converted.weights is not None
    assert (converted.links[0].tolist(), converted.weights.tolist()) == ([[0, 0], [1, 0]], [0.25, 0.75])
    assert (converted.source, converted.target, converted.scores) == (None, None, None)


def test_sentences_that_do_not_match() -> None:
    wrong = [*PIECES[:2], "▁a ▁tow el"]
    message = "source_tokens[2][2]: expected the characters of `tower` (source_words[2][1]), found `el`"
    with pytest.raises(alinea.Error, match=f"^{re.escape(message)}$"):
        alinea.convert_links(LINKS, WORDS, wrong)
    with pytest.warns(UserWarning, match=r"^the tokens of 1 sentence pairs do not spell their words, first \[2\]"):
        left = alinea.convert_links(LINKS, WORDS, wrong, unmatched="skip")
    assert alinea.to_pharaoh(left)[2] == ""
    with pytest.raises(alinea.Error, match=r"source_tokens\[0\]: expected .*, found the end$"):
        alinea.convert_links(["0-0"], ["a b"], ["a"])
    with pytest.raises(alinea.Error):
        alinea.convert_links(["0-0"], ["Été"], ["ete"])
    assert len(alinea.convert_links(["0-0"], ["Été"], ["ete"], ignore_case=True).links.rows) == 1
    with pytest.warns(UserWarning, match="1 links of tokens without characters are left out"):
        alinea.convert_links(["0-0 1-0"], ["▁ a"], ["a"])


def test_arguments_are_checked() -> None:
    with pytest.raises(ValueError, match="source_words and source_tokens: both are needed, or none"):
        alinea.convert_links(LINKS, WORDS)
    with pytest.raises(alinea.Error, match="links has 3 lines, source_words has 1"):
        alinea.convert_links(LINKS, WORDS[:1], PIECES)
    with pytest.raises(alinea.Error, match=r"links\[0\]: link 5-0 is out of range, the source has 1 token$"):
        alinea.convert_links(["5-0"], ["a"], ["a"])
    with pytest.raises(alinea.ConfigError, match=r"^unmatched = drop: must be error or skip$"):
        alinea.convert_links(LINKS, unmatched="drop")  # type: ignore[arg-type]
    assert alinea.to_pharaoh(alinea.convert_links(LINKS)) == LINKS

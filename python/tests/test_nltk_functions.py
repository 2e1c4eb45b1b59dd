from __future__ import annotations

import itertools
import math
import random
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from vector_files import tuples, vectors

import alinea
from alinea import nltk
from alinea.nltk import gale_church, phrase_based
from alinea.nltk.api import PhraseTable


@vectors("symmetrize.jsonl", "symmetrize")
def test_directions_are_joined_as_by_symal(vector: dict[str, Any]) -> None:
    forward, backward, method = (vector["input"][name] for name in ("forward", "backward", "method"))
    expected = alinea.Alignment(vector["expect"])
    for form in (str, alinea.Alignment, nltk.Alignment):
        (joined,) = alinea.symmetrize([form(backward)], [form(forward)], method)
        assert alinea.Alignment(joined) == expected
    if method == "grow-diag-final-and":
        assert nltk.grow_diag_final_and(29, 19, forward, backward) == expected.links()


@vectors("symmetrize.jsonl", "nltk_gdfa")
def test_grow_diag_final_and_is_not_the_union(vector: dict[str, Any]) -> None:
    forward, backward = vector["input"]["forward"], vector["input"]["backward"]
    union = alinea.Alignment(forward) | alinea.Alignment(backward)
    assert union == alinea.Alignment(vector["expect"])
    assert set(nltk.grow_diag_final_and(29, 19, forward, backward)) < union


def test_links_to_be_joined_are_checked() -> None:
    for forward, backward in (("2-0", ""), ("", "0-3")):
        with pytest.raises(IndexError, match=r"^Alignment is outside boundary of (words|mots)$"):
            nltk.grow_diag_final_and(2, 3, forward, backward)
    with pytest.raises(alinea.ParseError):
        nltk.grow_diag_final_and(2, 3, "0", "")
    assert nltk.grow_diag_final_and(0, 0, "", "") == []


@vectors("phrases.jsonl", "phrases")
def test_phrases_are_those_of_nltk(vector: dict[str, Any]) -> None:
    given = vector["input"]
    phrases = nltk.phrase_extraction(given["source"], given["target"], tuples(given["pairs"]))
    assert sorted(phrases) == [tuples(phrase) for phrase in vector["expect"]]


@vectors("phrases.jsonl", "phrase_spans")
def test_phrases_are_those_of_the_definition(vector: dict[str, Any]) -> None:
    given = vector["input"]
    source, target = (" ".join(f"w{n}" for n in range(given[name])) for name in ("srclen", "trglen"))
    links = nltk.Alignment(tuples(given["pairs"]))
    limit = given["max_len"] or 0
    phrases = nltk.phrase_extraction(source, target, links, limit)
    spans = [tuples(spans) for spans in vector["expect"]]
    assert sorted(phrase[:2] for phrase in phrases) == spans
    for (e0, e1), (f0, f1), words, mots in phrases:
        assert (words, mots) == (" ".join(source.split()[e0:e1]), " ".join(target.split()[f0:f1]))
    assert _extracted(source.split(), target.split(), links, limit) == phrases


def _extracted(source: list[str], target: list[str], links: nltk.Alignment, limit: int) -> set[phrase_based.Phrase]:
    """The phrases of all source spans, one at a time."""
    most = limit or max(len(source), len(target))
    aligned = [any(j == position for _, j in links) for position in range(len(target))]
    phrases = set()
    for start, end in itertools.combinations_with_replacement(range(len(source)), 2):
        inside = [j for i, j in links if start <= i <= end]
        first, last = min(inside, default=len(target)), max(inside, default=-1)
        texts = (source, target, len(source), len(target))
        phrases |= nltk.extract(first, last, start, end, links.links(), aligned, *texts, most)
    return phrases


def test_sentences_that_cannot_be_cut() -> None:
    long = " ".join(["w"] * 257)
    with pytest.raises(ValueError, match=r"257 words.*256"):
        nltk.phrase_extraction(long, "x", [])
    assert len(nltk.phrase_extraction(long, long, [(i, i) for i in range(257)], 2)) == 257 + 256
    assert phrase_based.MAX_PHRASE_EXTRACTION_DEFAULT_LEN == 256
    with pytest.raises(ValueError, match="max_phrase_length = -1"):
        nltk.phrase_extraction("a", "x", [(0, 0)], -1)
    with pytest.raises(IndexError, match="boundary of mots"):
        nltk.phrase_extraction("a", "x", [(0, 1)])
    assert nltk.phrase_extraction("", "", []) == nltk.phrase_extraction("a", "", []) == set()
    assert nltk.phrase_extraction("a", "x", [(0, None)]) == set()


@vectors("gale-church.jsonl", "gale_church")
def test_sentences_are_aligned_by_length(vector: dict[str, Any]) -> None:
    lengths = vector["input"]["source_lengths"], vector["input"]["target_lengths"]
    expected = [tuples(pair) for pair in vector["expect"]]
    assert gale_church.align_blocks(*lengths) == expected
    blocks = gale_church.align_texts([lengths[0], [3]], [lengths[1], [3]])
    assert blocks == [expected, [(0, 0)]]


def test_the_cheapest_groups_are_found() -> None:
    # Brute force over all sequences of groups.
    priors = gale_church.LanguageIndependent.PRIORS
    source, target = [12, 3, 7, 9], [4, 11, 8, 30]

    def sequences(i: int, j: int) -> list[tuple[float, list[tuple[int, int]]]]:
        if (i, j) == (0, 0):
            return [(0.0, [])]
        found = []
        for s, t in priors:
            if s <= i and t <= j:
                cost = gale_church.align_log_prob(i, j, source, target, (s, t), gale_church.LanguageIndependent)
                pairs = [(i - s + a, j - t + b) for a in range(s) for b in range(t)]
                found += [(before + cost, path + pairs) for before, path in sequences(i - s, j - t)]
        return found

    assert gale_church.align_blocks(source, target) == min(sequences(4, 4))[1]


@pytest.mark.parametrize(("mean", "variance"), [(1, 6.8), (0.8, 6.8), (1.25, 3.0)])
def test_native_code_finds_what_the_search_for_any_groups_finds(mean: float, variance: float) -> None:
    class Parameters(gale_church.LanguageIndependent):
        AVERAGE_CHARACTERS = mean
        VARIANCE_CHARACTERS = variance

    class Backwards(Parameters):
        """The same groups in another order, which native code does not know."""

        PRIORS = dict(reversed(Parameters.PRIORS.items()))  # noqa: RUF012

    generator = random.Random(1)
    for _ in range(50):
        source = [generator.randrange(1, 90) for _ in range(generator.randrange(0, 12))]
        target = [max(1, length + generator.randrange(-5, 6)) for length in source if generator.random() < 0.9]
        expected = gale_church.align_blocks(source, target, Backwards)
        assert gale_church.align_blocks(source, target, Parameters) == expected
        # Lengths that are not whole are none of native code's business either.
        fractions: Any = [float(length) for length in source]
        assert gale_church.align_blocks(fractions, target, Parameters) == expected


def test_costs_are_those_of_nltk() -> None:
    # NLTK computes the error function to 1e-7.
    # nltk 3.10.4: align_log_prob(2, 2, [5, 6, 7], [8, 6, 7], kind, LanguageIndependent), norm_logsf(1.0)
    costs = {(1, 1): 0.11653378625595147, (2, 1): 3.09098992264986, (2, 2): 4.804389958653187}
    for kind, cost in costs.items():
        found = gale_church.align_log_prob(2, 2, [5, 6, 7], [8, 6, 7], kind, gale_church.LanguageIndependent)
        assert found == pytest.approx(cost, abs=1e-6)
    assert gale_church.norm_logsf(1.0) == pytest.approx(-1.8410215979624924, abs=1e-6)


def test_tails_of_the_normal_distribution() -> None:
    assert gale_church.norm_cdf(0.0) == 0.5
    assert gale_church.erfcc(0.0) == 1.0
    assert gale_church.norm_logsf(-math.inf) == 0.0
    # Both ways to compute it agree where both can.
    near, far = gale_church.norm_logsf(29.999999), gale_church.norm_logsf(30.000001)
    assert 0 < near - far < 1e-4
    assert far == pytest.approx(math.log(math.erfc(30.000001 / math.sqrt(2)) / 2), abs=1e-7)


def test_texts_that_cannot_be_aligned_by_length() -> None:
    most = gale_church.MAX_ALIGN_BLOCKS
    with pytest.raises(ValueError, match=f"{most + 1} sentences.*{most}"):
        gale_church.align_blocks([5] * (most + 1), [5])
    with pytest.raises(ValueError, match="source has 1 blocks, target has 0"):
        gale_church.align_texts([[1]], [])
    with pytest.raises(ValueError, match="-1 characters"):
        gale_church.align_blocks([-1], [1])

    class OneToOne(gale_church.LanguageIndependent):
        PRIORS = {(1, 1): 1.0}  # noqa: RUF012

    with pytest.raises(ValueError, match="no sequence of groups"):
        gale_church.align_blocks([5, 5], [5], OneToOne)
    assert gale_church.align_blocks([0, 0], [0, 0]) == [(0, 0), (1, 1)]
    assert gale_church.align_blocks([2**32], [2**32]) == [(0, 0)]
    with pytest.raises(ValueError, match="no group of 0 and 0"):
        gale_church.trace({(1, 1): (0, 0)}, [1], [1])


def test_tokens_are_cut_into_blocks() -> None:
    tokens = ["a", "bb", ".", "ccc", ".", "|", "d", ".", ".", "e", "|"]
    assert gale_church.parse_token_stream(tokens, ".", "|") == [[3, 3], [1, 1]]
    assert list(gale_church.split_at(iter([1, 2, 0, 3]), 0)) == [[1, 2], [3]]
    assert list(gale_church.split_at([], 0)) == []


def test_tables_of_phrases_are_sorted() -> None:
    table = PhraseTable()
    for text, value in (("x", -2.0), ("y", -1.0), ("z", -2.0)):
        table.add(("a",), (text,), value)
    entries = table.translations_for(("a",))
    assert [(entry.trg_phrase, entry.log_prob) for entry in entries] == [(("y",), -1.0), (("x",), -2.0), (("z",), -2.0)]
    assert ("a",) in table
    with pytest.raises(KeyError):
        table.translations_for(("b",))


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a script for a shell of Unix")
def test_graphviz_draws_if_it_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = nltk.AlignedSent(["é"], ["x"], nltk.Alignment("0-0"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert pair._repr_svg_() == pair.to_svg()
    program = tmp_path / "dot"
    program.write_text("#!/bin/sh\nexec /bin/cat\n", "utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    assert pair._repr_svg_() == pair._to_dot()

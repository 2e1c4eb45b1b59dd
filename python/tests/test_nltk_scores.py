"""The scores of :mod:`alinea.nltk` against those of NLTK 3.10.4, by vectors, and laws of theirs."""

from __future__ import annotations

import copy
import fractions
import importlib
import json
import random
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from vector_files import FOLDER, vectors

import alinea
from alinea.nltk import bleu_score, chrf_score, gleu_score, meteor_score, nist_score, ribes_score
from alinea.nltk.bleu_score import Fraction, SmoothingFunction, corpus_bleu, modified_precision, sentence_bleu

# The package has a function of the same name, as NLTK has.
lepor = importlib.import_module("alinea.nltk.lepor")

METHODS = [f"method{number}" for number in range(8)]
# From Papineni et al. (2002).
LINES = (
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the command of the Party",
    "It is a guide to action which ensures that the military always obeys the commands of the party",
)
*REFERENCES, HYPOTHESIS = map(str.split, LINES)


def exact(vector: dict[str, Any]) -> Any:
    return pytest.approx(vector["expect"], rel=1e-12, abs=vector.get("tol", 1e-15))


@pytest.fixture
def no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def method(given: dict[str, Any]) -> Callable[..., Any]:
    version = {"nltk": None, "nltk-old2": "3.5"}[given.get("variant", "nltk")]
    function: Callable[..., Any] = getattr(SmoothingFunction(version=version), f"method{given['smoothing']}")
    return function


@pytest.mark.usefixtures("no_warnings")
@vectors("bleu.jsonl", "sentence_bleu", "auto_reweigh")
def test_bleu_of_a_sentence_is_that_of_nltk(vector: dict[str, Any]) -> None:
    given = vector["input"]
    weights = tuple(given.get("weights", (0.25,) * 4))
    arguments = (given["references"], given["hypothesis"], weights, method(given), given.get("auto_reweigh", False))
    assert sentence_bleu(*arguments) == exact(vector)


@pytest.mark.usefixtures("no_warnings")
@vectors("bleu.jsonl", "corpus_bleu")
def test_bleu_of_a_corpus_is_that_of_nltk(vector: dict[str, Any]) -> None:
    given = vector["input"]
    references, hypotheses = zip(*given["pairs"], strict=True)
    weights = tuple(given.get("weights", (0.25,) * 4))
    if vector["expect"] is None:
        with pytest.raises(AssertionError, match="trigram"):
            corpus_bleu(references, hypotheses, weights, method(given))
    else:
        assert corpus_bleu(references, hypotheses, weights, method(given)) == exact(vector)


@vectors("bleu.jsonl", "sentence_bleu_multi")
def test_lists_of_weights(vector: dict[str, Any]) -> None:
    given = vector["input"]
    assert sentence_bleu(given["references"], given["hypothesis"], given["weights"]) == exact(vector)


@vectors("bleu.jsonl", "modified_precision")
def test_modified_precision(vector: dict[str, Any]) -> None:
    precision = modified_precision(**vector["input"])
    assert [precision.numerator, precision.denominator] == vector["expect"]


@vectors("bleu.jsonl", "brevity_penalty")
def test_brevity_penalty(vector: dict[str, Any]) -> None:
    length = vector["input"]["hypothesis_length"]
    closest = bleu_score.closest_ref_length((["a"] * n for n in vector["input"]["reference_lengths"]), length)
    assert closest == vector["expect"]["closest"]
    assert bleu_score.brevity_penalty(closest, length) == pytest.approx(vector["expect"]["penalty"], rel=1e-15)


def segments() -> list[tuple[list[list[str]], list[str]]]:
    """Segments of few words, so that there are matches of all orders and of none."""
    generator = random.Random(3)

    def sentence() -> list[str]:
        return [generator.choice("abcde") for _ in range(generator.randrange(1, 14))]

    return [([sentence() for _ in range(generator.randrange(1, 4))], sentence()) for _ in range(300)]


def hidden(rule: Callable[..., Any]) -> Callable[..., Any]:
    """A function that does not show which method it calls, and so is called with fractions."""

    def smooth(precisions: list[Any], **arguments: Any) -> Any:
        assert all(isinstance(p, Fraction) for p in precisions)
        return rule(precisions, **arguments)

    return smooth


@pytest.mark.usefixtures("no_warnings")
@pytest.mark.parametrize(("release", "version"), [("nltk-3.5", "3.5"), ("nltk-3.10.4", None)])
def test_versions_have_the_values_of_their_releases(release: str, version: str | None) -> None:
    lines = [json.loads(line) for line in (FOLDER / "bleu-nltk.jsonl").read_text(encoding="utf-8").splitlines()]
    smoothing = SmoothingFunction(version=version)
    for vector in lines:
        several, hypotheses = zip(*vector["pairs"], strict=True)
        for name, expected in zip(METHODS, vector["expect"][release], strict=True):
            found = outcome(corpus_bleu, several, hypotheses, tuple(vector["weights"]), getattr(smoothing, name))
            assert found == (AssertionError if expected is None else pytest.approx(expected, rel=1e-12, abs=1e-15))


def test_method_4_of_3_5_is_not_defined_for_one_token() -> None:
    # NLTK 3.5: ZeroDivisionError: float division by zero.
    smoothing = SmoothingFunction(version="3.5")
    for function in (smoothing.method4, smoothing.method7):
        with pytest.raises(ZeroDivisionError):
            sentence_bleu([["the"]], ["the"], smoothing_function=function)


def outcome(function: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except (AssertionError, ZeroDivisionError) as error:
        return type(error)


@pytest.mark.usefixtures("no_warnings")
@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("order", [3, 4, 6])
def test_native_rules_are_those_of_the_methods(name: str, order: int) -> None:
    weights = [(1 / n,) * n for n in range(1, order + 1)]
    pairs = segments()
    several, hypotheses = zip(*pairs, strict=True)
    for smoothing in SmoothingFunction(), SmoothingFunction(0.01, 2, 3.5, version="3.5"):
        rule = getattr(smoothing, name)
        assert corpus_bleu(several, hypotheses, weights, rule) == corpus_bleu(
            several, hypotheses, weights, hidden(rule)
        )
        for references, hypothesis in pairs:
            scores = [
                outcome(sentence_bleu, references, hypothesis, weights, function) for function in (rule, hidden(rule))
            ]
            assert scores[0] == scores[1]


@pytest.mark.usefixtures("no_warnings")
@pytest.mark.parametrize("name", METHODS)
def test_methods_leave_lists_as_they_are(name: str) -> None:
    precisions = [Fraction(5, 6), Fraction(2, 5), Fraction(1, 4), Fraction(0, 3)]
    before = copy.copy(precisions)
    smoothed = getattr(SmoothingFunction(), name)(precisions, REFERENCES, HYPOTHESIS, 18)
    assert smoothed is not precisions
    assert [(p.numerator, p.denominator) for p in precisions] == [(p.numerator, p.denominator) for p in before]


def test_methods_of_subclasses_are_called() -> None:
    class Mine(SmoothingFunction):
        def method3(self, p_n: Any, *args: Any, **kwargs: Any) -> list[Any]:
            assert all(isinstance(p, fractions.Fraction) for p in p_n)
            assert kwargs == {"references": REFERENCES, "hypothesis": HYPOTHESIS, "hyp_len": 18}
            assert not args
            return [fractions.Fraction(1, 2)] * len(p_n)

    assert sentence_bleu(REFERENCES, HYPOTHESIS, smoothing_function=Mine().method3) == pytest.approx(0.5)


def test_fractions_keep_their_terms() -> None:
    fraction = Fraction(2, 4)
    assert (fraction.numerator, fraction.denominator) == (2, 4)
    assert fraction == Fraction(1, 2) == fractions.Fraction(1, 2)
    assert fractions.Fraction(1, 2) == fraction
    assert hash(fraction) == hash(0.5)
    assert float(fraction) == 0.5
    assert fraction + 1 == 1.5
    assert Fraction(2, 4, _normalize=True).numerator == 1


def test_orders_without_matches_are_told_of() -> None:
    with pytest.warns(UserWarning, match="no 3-gram"), pytest.warns(UserWarning, match="no 4-gram"):
        score = sentence_bleu([["a", "b", "c"]], ["a", "b", "d"])
    assert 0 < score < 1e-100


def test_nothing_matches() -> None:
    assert sentence_bleu([["a"]], ["b"]) == 0
    assert sentence_bleu([["a"]], []) == 0
    assert sentence_bleu([[]], ["a"]) == 0
    assert corpus_bleu([[["a"]]], [["b"]], [(1,), (0.5, 0.5)]) == [0, 0]
    assert corpus_bleu([], []) == 0


def test_bad_corpora_are_refused() -> None:
    for score in corpus_bleu, gleu_score.corpus_gleu, nist_score.corpus_nist:
        with pytest.raises(AssertionError, match="1 and 2"):
            score([[["a"]], [["b"]]], [["a"]])
    for score in corpus_bleu, nist_score.corpus_nist:
        with pytest.raises(ValueError, match="at least one reference"):
            score([[]], [["a"]])
    with pytest.raises(TypeError, match="unhashable"):
        sentence_bleu([[["a"]]], [["a"]])
    with pytest.raises(ValueError, match=r"'3\.6'"):
        SmoothingFunction(version="3.6")
    with pytest.raises(ValueError, match="at least one token"):
        modified_precision([["a"]], ["a"], 0)


def test_tokens_are_anything_with_a_hash() -> None:
    numbered = {word: (1, number) for number, word in enumerate({*HYPOTHESIS, *REFERENCES[0], *REFERENCES[1]})}
    references = [[numbered[word] for word in reference] for reference in REFERENCES]
    hypothesis = tuple(numbered[word] for word in HYPOTHESIS)
    assert sentence_bleu(references, hypothesis) == sentence_bleu(REFERENCES, HYPOTHESIS)
    assert gleu_score.sentence_gleu(references, hypothesis) == gleu_score.sentence_gleu(REFERENCES, HYPOTHESIS)
    assert nist_score.sentence_nist(references, hypothesis) == nist_score.sentence_nist(REFERENCES, HYPOTHESIS)
    assert ribes_score.sentence_ribes(references, hypothesis) == ribes_score.sentence_ribes(REFERENCES, HYPOTHESIS)
    # A string is a sequence of characters, and halves of characters are characters.
    assert sentence_bleu(["abcd\ud800"], "abcd\ud800") == sentence_bleu([[1, 2, 3, 4, 5]], (1.0, 2, 3, 4, 5)) == 1.0


class NoSynonyms:
    def synsets(self, word: str) -> list[Any]:
        return [word][:0]


class Lemma(str):
    __slots__ = ()

    def name(self) -> str:
        return str(self)


class Synset(list[Lemma]):
    def lemmas(self) -> list[Lemma]:
        return self


class Synonyms:
    """Sets of words, as NLTK's reader of WordNet would show them."""

    def __init__(self, sets: list[list[str]]) -> None:
        self.sets = sets

    def synsets(self, word: str) -> list[Synset]:
        return [Synset(map(Lemma, words)) for words in self.sets if word in words]


SCORES: dict[str, Callable[[Any], Any]] = {
    "chrf": lambda given: chrf_score.sentence_chrf(given["reference"], given["hypothesis"]),
    "corpus_chrf": lambda given: chrf_score.corpus_chrf(given["references"], given["hypotheses"]),
    "gleu": lambda given: gleu_score.sentence_gleu(given["references"], given["hypothesis"]),
    "corpus_gleu": lambda given: gleu_score.corpus_gleu(given["references"], given["hypotheses"]),
    "nist": lambda given: nist_score.sentence_nist(given["references"], given["hypothesis"]),
    "corpus_nist": lambda given: nist_score.corpus_nist(given["references"], given["hypotheses"]),
    "nist_length_penalty": lambda given: nist_score.nist_length_penalty(given["reference"], given["hypothesis"]),
    "ribes": lambda given: ribes_score.sentence_ribes(given["references"], given["hypothesis"]),
    "corpus_ribes": lambda given: ribes_score.corpus_ribes(given["references"], given["hypotheses"]),
    "word_rank_alignment": lambda given: ribes_score.word_rank_alignment(given["reference"], given["hypothesis"]),
    "ribes_tau": lambda given: {
        "raw": ribes_score.kendall_tau(given, normalize=False),
        "normalised": ribes_score.kendall_tau(given),
    },
    "ribes_rho": lambda given: {
        "raw": ribes_score.spearman_rho(given, normalize=False),
        "normalised": ribes_score.spearman_rho(given),
    },
    "meteor_exact_stem": lambda given: meteor_score.single_meteor_score(**given),
    "lepor": lambda given: lepor.sentence_lepor(
        [" ".join(given["reference"])], " ".join(given["hypothesis"]), tokenizer=str.split
    )[0],
}


@vectors("metrics.jsonl", *SCORES)
def test_scores_are_those_of_nltk(vector: dict[str, Any]) -> None:
    assert SCORES[vector["op"]](vector["input"]) == exact(vector)


@vectors("metrics-nltk.jsonl", "segment")
def test_random_segments_are_scored_as_by_nltk(vector: dict[str, Any], synonyms: Synonyms) -> None:
    lines = vector["input"]
    references, hypothesis = [line.split() for line in lines["references"]], lines["hypothesis"].split()
    meteor = meteor_score.meteor_score
    scores = {
        "gleu": gleu_score.sentence_gleu(references, hypothesis),
        "gleu_2_3": gleu_score.sentence_gleu(references, hypothesis, 2, 3),
        "nist": nist_score.sentence_nist(references, hypothesis),
        "nist_2": nist_score.sentence_nist(references, hypothesis, 2),
        "ribes": ribes_score.sentence_ribes(references, hypothesis),
        "ribes_1_05": ribes_score.sentence_ribes(references, hypothesis, 1, 0.5),
        "meteor": meteor(references, hypothesis),
        "meteor_synonyms": meteor(references, hypothesis, wordnet=synonyms, alpha=0.8, beta=1.5, gamma=0.4),
        "lepor": max(lepor.sentence_lepor(lines["references"], lines["hypothesis"], tokenizer=str.split)),
        "lepor_2_1": max(lepor.sentence_lepor(lines["references"], lines["hypothesis"], 2, 1, str.split)),
    }
    expected = {name: value for name, value in vector["expect"].items() if name in scores and value is not None}
    assert {name: scores[name] for name in expected} == pytest.approx(expected, rel=1e-12)
    assert meteor(references, hypothesis, wordnet=NoSynonyms()) == scores["meteor"]


@vectors("metrics-nltk.jsonl", "corpus")
def test_corpora_are_scored_as_by_nltk(vector: dict[str, Any]) -> None:
    inputs = [line["input"] for line in lines_of("metrics-nltk.jsonl") if line["op"] == "segment"]
    references = [[line.split() for line in given["references"]] for given in inputs]
    hypotheses = [given["hypothesis"].split() for given in inputs]
    scores = {
        "gleu": gleu_score.corpus_gleu(references, hypotheses),
        "nist": nist_score.corpus_nist(references, hypotheses),
        "ribes": ribes_score.corpus_ribes(references, hypotheses),
    }
    assert scores == pytest.approx(vector["expect"], rel=1e-12)


def lines_of(file: str) -> list[dict[str, Any]]:
    import json  # noqa: PLC0415

    return [json.loads(line) for line in (FOLDER / file).read_text("utf-8").splitlines()]


@pytest.fixture
def synonyms() -> Synonyms:
    (sets,) = [line["expect"] for line in lines_of("metrics-nltk.jsonl") if line["op"] == "synonyms"]
    return Synonyms(sets)


def test_chrf_of_any_settings() -> None:
    # Computed by NLTK 3.10.4.
    texts = ("the cat sat on the mat", "a cat  sat on\tthe mats")
    assert chrf_score.sentence_chrf(*texts, 2, 3, 2.0) == pytest.approx(CHRF[0], rel=1e-12)
    assert chrf_score.sentence_chrf(*texts, ignore_whitespace=False) == pytest.approx(CHRF[1], rel=1e-12)
    # What native code does not take is computed here: more orders, and halves of characters.
    assert chrf_score.sentence_chrf(*texts, 1, 40) == pytest.approx(CHRF[2], rel=1e-12)
    assert chrf_score.sentence_chrf("abcdefg\ud800", "abcdefg\ud800") == 1.0
    with pytest.raises(ValueError, match="0 segments"):
        chrf_score.corpus_chrf([], [])


CHRF = (0.8167978104686966, 0.5710066535917929, 0.23187718457741752)


def test_meteor_is_the_same_whatever_sentences_are() -> None:
    # Lists of strings have a way of their own, which other sequences and other functions do not take.
    generator = random.Random(5)
    words = ["The", "the", "cats", "cat", "CAT", "sitting", "sits", "Élan", "élan", "ÉLANS", "İx", "straße", "ΣΣ", "5"]
    for _ in range(300):
        reference, other, hypothesis = (generator.choices(words, k=generator.randint(0, 12)) for _ in range(3))
        score = meteor_score.meteor_score([reference, other], hypothesis)
        assert score == meteor_score.meteor_score([reference, other], hypothesis, preprocess=lambda word: word.lower())
        assert score == meteor_score.meteor_score([tuple(reference), tuple(other)], tuple(hypothesis))
        single = [meteor_score.single_meteor_score(each, hypothesis) for each in (reference, other)]
        assert score == max(single)
        assert meteor_score.single_meteor_score(reference, hypothesis, alpha=0.5, beta=2.0, gamma=0.3) == (
            meteor_score.single_meteor_score(tuple(reference), hypothesis, alpha=0.5, beta=2.0, gamma=0.3)
        )
    assert meteor_score.meteor_score([["\ud800", "cats"]], ["\ud800", "cat"]) > 0.9
    with pytest.raises(ValueError, match="empty"):
        meteor_score.meteor_score([], ["cat"])


def test_synonyms_are_those_of_the_argument() -> None:
    words = Synonyms([["sofa", "couch"], ["sofa", "easy_chair"]])
    assert meteor_score.wordnetsyn_match(["a", "Couch"], ["the", "sofa"], words) == ([(1, 1)], [(0, "a")], [(0, "the")])
    assert meteor_score.wordnetsyn_match(["easy_chair"], ["sofa"], words)[0] == [(0, 0)]
    assert meteor_score.wordnetsyn_match(["sofa"], ["easy_chair"], words)[0] == []


def test_stems_are_those_of_the_argument() -> None:
    class First:
        def stem(self, word: str) -> str:
            return word[0]

    assert meteor_score.stem_match(["cat", "dog"], ["cow"], First()) == ([(0, 0)], [(1, "d")], [])
    # The words of Porter's paper.
    original = meteor_score.PorterStemmer(meteor_score.PorterStemmer.ORIGINAL_ALGORITHM)
    assert [original.stem(word) for word in ("caresses", "ponies", "relational")] == ["caress", "poni", "relat"]
    with pytest.raises(ValueError, match="NLTK_EXTENSIONS"):
        meteor_score.PorterStemmer("none")


def test_limits_of_work() -> None:
    with pytest.raises(ValueError, match="MAX_ALIGNMENT_LEN"):
        ribes_score.word_rank_alignment(["a"] * 2001, ["a"])
    with pytest.raises(ValueError, match="MAX_LEPOR_ALIGN_WORK"):
        lepor.alignment(["a"] * 2001, ["a"] * 2000)
    # As in NLTK 3.10.4: the last word has no neighbor that counts.
    assert lepor.alignment(["a"] * 2000, ["a"] * 2000)[0] == 1999


def test_nist_of_short_sentences() -> None:
    # There are no 3-grams; log2(3 / 1) of each word is all there is to know, and one bit of the second order is not.
    assert nist_score.sentence_nist([["a", "b", "c"]], ["a", "b"], 2) == pytest.approx(
        nist_score.sentence_nist([["a", "b", "c"]], ["a", "b"], 5)
    )
    with pytest.raises(alinea.ConfigError):
        nist_score.sentence_nist([["a"]], ["a"], 0)


def test_lepor_reads_lines() -> None:
    assert lepor.sentence_lepor(["a bird isn't on it."], "a bird is n't on it .") == [pytest.approx(1.0)]
    references = ["a b"]
    lepor.sentence_lepor(references, "a c", tokenizer=str.split)
    assert references == ["a b"]
    for empty in ([""], "a"), (["a"], ""):
        with pytest.raises(ValueError, match="without words"):
            lepor.sentence_lepor(*empty)
    with pytest.raises(ValueError, match="empty corpus"):
        lepor.corpus_lepor([], [])


def test_words_of_the_treebank() -> None:
    from alinea.nltk._words import word_tokenize  # noqa: PLC0415

    # Computed by NLTKWordTokenizer of NLTK 3.10.4.
    line = "\"They'll save $3.88 (3,36 euros) -- cannot you?\" he said; 'tis n't gonna be, Mr. Smith's."
    assert word_tokenize(line) == TREEBANK


TREEBANK = [
    "``",
    "They",
    "'ll",
    "save",
    "$",
    "3.88",
    "(",
    "3,36",
    "euros",
    ")",
    "--",
    "can",
    "not",
    "you",
    "?",
    "''",
    "he",
    "said",
    ";",
    "'",
    "tis",
    "n't",
    "gon",
    "na",
    "be",
    ",",
    "Mr.",
    "Smith",
    "'s",
    ".",
]

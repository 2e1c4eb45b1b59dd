# mypy: disable-error-code="comparison-overlap"
from __future__ import annotations

import copy
import itertools
import json
import math
import pickle
import random
import sys
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from vector_files import FOLDER, close, vectors

import alinea
from alinea import nltk
from alinea._native import NumberedText
from alinea.nltk import _search, align
from alinea.nltk.ibm2 import Model2Counts
from alinea.nltk.ibm3 import Model3Counts
from alinea.nltk.ibm4 import Model4Counts
from alinea.nltk.ibm5 import Model5Counts, Slots
from alinea.nltk.ibm_model import AlignmentInfo, Counts, longest_target_sentence_length

MODELS: list[Any] = [nltk.IBMModel1, nltk.IBMModel2, nltk.IBMModel3, nltk.IBMModel4, nltk.IBMModel5]
SENTENCES = [
    ("klein ist das haus", "the house is small"),
    ("das haus war ja groß", "the house was big"),
    ("das buch ist ja klein", "the book is small"),
    ("das haus", "the house"),
    ("das buch", "the book"),
    ("ein buch", "a book"),
    ("ich fasse das buch zusammen", "i summarize the book"),
    ("fasse zusammen", "summarize"),
]


def corpus() -> list[nltk.AlignedSent]:
    return [nltk.AlignedSent(words.split(), mots.split()) for words, mots in SENTENCES]


def train(model: Any, pairs: list[nltk.AlignedSent], iterations: int, **tables: Any) -> Any:
    """A model, with the number of letters as the class of a word."""
    if issubclass(model, tuple(MODELS[:3])):
        return model(pairs, iterations, **tables)
    source = {mot: len(mot) for pair in pairs for mot in pair.mots}
    target = {word: len(word) for pair in pairs for word in pair.words}
    return model(pairs, iterations, source, target, **tables)


def pairs_of(vector: dict[str, Any]) -> list[nltk.AlignedSent]:
    return [nltk.AlignedSent(words, mots) for words, mots in vector["input"]["corpus"]]


def test_there_is_a_vector_for_each_printed_probability() -> None:
    assert (FOLDER / "ibm.jsonl").read_text("utf-8").count('"source": "nltk-align-3.0-doc"') == 11


@vectors("ibm.jsonl", "ibm1_prob")
def test_probabilities_of_model_1(vector: dict[str, Any]) -> None:
    given = vector["input"]
    today = nltk.IBMModel1(pairs_of(vector), given["iterations"])
    older = align.IBMModel1([align.AlignedSent(*sides) for sides in given["corpus"]], given["iterations"])
    assert today.translation_table[given["word"]][given["mot"]] == close(vector)
    assert older.probabilities[given["word"]][given["mot"]] == close(vector)


@vectors("ibm.jsonl", "ibm1_table", "ibm2_table", "ibm3_table")
def test_translation_tables(vector: dict[str, Any]) -> None:
    number = int(vector["op"][3])
    model = MODELS[number - 1](pairs_of(vector), vector["input"]["iterations"])
    tolerance = vector.get("tol", 1e-9)
    for word, mot, value in vector["expect"]:
        assert model.translation_table[word][mot] == pytest.approx(value, rel=0, abs=tolerance)
    # What is not in the vector is small: the tables in it were cut at 1e-6 and 1e-3.
    listed = {(word, mot) for word, mot, _ in vector["expect"]}
    others = [p for w, row in model.translation_table.items() for m, p in row.items() if (w, m) not in listed]
    assert max(others, default=0.0) < 2e-3
    if number == 1:
        assert max(others, default=0.0) < 2e-6


@vectors("ibm.jsonl", "ibm1_align", "ibm2_align", "ibm3_align")
def test_sentences_are_aligned_while_training(vector: dict[str, Any]) -> None:
    pairs = pairs_of(vector)
    MODELS[int(vector["op"][3]) - 1](pairs, vector["input"]["iterations"])
    assert [sorted(map(list, pair.alignment)) for pair in pairs] == vector["expect"]


@vectors("ibm.jsonl", "ibm2_alignment_table")
def test_alignment_tables(vector: dict[str, Any]) -> None:
    model = nltk.IBMModel2(pairs_of(vector), vector["input"]["iterations"])
    for i, j, l, m, value in vector["expect"]:
        assert model.alignment_table[i][j][l][m] == pytest.approx(value, rel=0, abs=vector["tol"])


class Table(dict[Any, Any]):
    """A table whose values are random numbers that depend on the keys alone."""

    def __init__(self, depth: int, keys: tuple[Any, ...] = ()) -> None:
        super().__init__()
        self.depth, self.keys_so_far = depth, keys

    def __missing__(self, key: object) -> Any:
        keys = (*self.keys_so_far, key)
        return Table(self.depth, keys) if len(keys) < self.depth else 0.2 + 0.8 * random.Random(repr(keys)).random()


def table_model(number: int, source: list[str], target: list[str], p1: float) -> Any:
    """Model 3, 4 or 5 with tables of random values."""
    depths = {
        "translation_table": 2,
        "alignment_table": 4,
        "fertility_table": 2,
        "distortion_table": 4,
        "head_distortion_table": 3,
        "non_head_distortion_table": 2,
        "head_vacancy_table": 3,
        "non_head_vacancy_table": 3,
    }
    tables: dict[str, Any] = {name: Table(depth) for name, depth in depths.items()}
    classes = ()
    if number > 3:
        classes = ({s: (n + 1) % 2 for n, s in enumerate(source)}, {t: n % 3 for n, t in enumerate(target)})  # type: ignore[assignment]
    return MODELS[number - 1]([nltk.AlignedSent(target, source)], 0, *classes, {**tables, "p1": p1})


@pytest.mark.parametrize("number", [3, 4, 5])
@vectors("model-scores.jsonl", "prob_t_a_given_s")
def test_alignments_have_the_probabilities_of_nltk(vector: dict[str, Any], number: int) -> None:
    given = vector["input"]
    source = [f"s{i}" for i in range(given["l"])]
    target = [f"t{j}" for j in range(len(given["alignment"]))]
    model = table_model(number, source, target, given["p1"])
    info = AlignmentInfo((0, *given["alignment"]), [None, *source], ["UNUSED", *target], None)
    assert model.prob_t_a_given_s(info) == pytest.approx(vector["expect"][str(number)], rel=1e-9)


def every_alignment(source: list[str], target: list[str]) -> Iterator[AlignmentInfo]:
    for links in itertools.product(range(len(source) + 1), repeat=len(target)):
        yield AlignmentInfo((0, *links), [None, *source], ["UNUSED", *target], None)


def check_counts(model: Any, pair: nltk.AlignedSent) -> None:
    """What native code counts of a sample is what the methods for single alignments add up to."""
    kind = {nltk.IBMModel3: Model3Counts, nltk.IBMModel4: Model4Counts, nltk.IBMModel5: Model5Counts}[type(model)]
    at_once, one_by_one = kind(), kind()
    model._train_on_samples([pair], at_once)
    infos, best = model.sample(pair)
    assert pair.alignment == set(best.zero_indexed_alignment())
    # Alignments with too many words of the empty word weigh nothing, but their probability may be the least number.
    m = len(pair.words)
    possible = {info for info in infos if 2 * info.fertility_of_i(0) <= m} or infos
    for info, share in model._shares(possible):
        model._count(one_by_one, share, info)
    for name, table in vars(one_by_one).items():
        found = dict(flat(getattr(at_once, name)))
        assert found == pytest.approx(dict(flat(table)), abs=1e-12)


def flat(table: Any, keys: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], float]]:
    """The numbers of a table with all their keys."""
    if isinstance(table, dict):
        for key, row in table.items():
            yield from flat(row, (*keys, key))
    elif table:
        yield keys, table


@pytest.mark.parametrize("number", [3, 4, 5])
def test_both_ways_to_sample_find_the_same(number: int) -> None:
    class Overriding(MODELS[number - 1]):  # type: ignore[misc]
        def neighboring(self, alignment_info: AlignmentInfo, j_pegged: int | None = None) -> set[AlignmentInfo]:
            return super().neighboring(alignment_info, j_pegged)  # type: ignore[no-any-return]

    generator = random.Random(number)
    for _ in range(25):
        # No word twice, so that nothing is equally good.
        source = [f"s{i}" for i in range(generator.randrange(0, 5))]
        target = [f"t{j}" for j in generator.sample(range(9), generator.randrange(0, 5))]
        pair = nltk.AlignedSent(target, source)
        model = table_model(number, source, target, 0.3)
        # The search begins without words of the empty word: of alignments with too many, only logarithms tell which is
        # worse than the others.
        model.alignment_table[0] = defaultdict(lambda: defaultdict(lambda: defaultdict(float)))
        by_scores, best = model.sample(pair)
        model.__class__ = Overriding
        by_methods, other_best = model.sample(pair)
        assert by_scores == by_methods
        assert best == other_best
        assert best in by_scores
        model.__class__ = MODELS[number - 1]
        check_counts(model, pair)


@pytest.mark.parametrize("number", [3, 4])
def test_samples_have_the_best_of_all_alignments(number: int) -> None:
    # Brute force over all alignments of tiny sentences: climbing from everywhere finds the best.
    source, target = ["s0", "s1", "s2"], ["t0", "t1", "t2", "t3"]
    for p1 in (0.1, 0.5, 0.8):
        model = table_model(number, source, target, p1)
        _, best = model.sample(nltk.AlignedSent(target, source))
        most = max(model.prob_t_a_given_s(info) for info in every_alignment(source, target))
        assert model.prob_t_a_given_s(best) == pytest.approx(most)


def test_model_1_is_expectation_maximization() -> None:
    # One pass over all alignments of each sentence pair, weighted by their probabilities.
    pairs = [nltk.AlignedSent(["a", "b", "a"], ["x", "y"]), nltk.AlignedSent(["b"], ["y", "y"])]
    model = nltk.IBMModel1(pairs, 2)
    counts: dict[tuple[Any, Any], float] = defaultdict(float)
    for pair in pairs:
        infos = list(every_alignment(pair.mots, pair.words))
        total = sum(math.prod(_factors(model, info)) for info in infos)
        for info in infos:
            weight = math.prod(_factors(model, info)) / total
            for j, i in enumerate(info.alignment[1:], 1):
                counts[info.trg_sentence[j], info.src_sentence[i]] += weight
    after = nltk.IBMModel1(pairs, 3)
    for (word, mot), count in counts.items():
        share = count / sum(other for (_, m), other in counts.items() if m == mot)
        assert after.translation_table[word][mot] == pytest.approx(share)
    model.train(pairs)
    assert model.translation_table == after.translation_table


def test_model_2_is_expectation_maximization() -> None:
    pairs = [nltk.AlignedSent(["a", "b", "a"], ["x", "y"]), nltk.AlignedSent(["b", "a"], ["y", "y"])]
    model = nltk.IBMModel2(pairs, 2)
    words: dict[tuple[Any, Any], float] = defaultdict(float)
    places: dict[tuple[int, int, int, int], float] = defaultdict(float)
    for pair in pairs:
        infos = list(every_alignment(pair.mots, pair.words))
        total = sum(model.prob_t_a_given_s(info) for info in infos)
        for info in infos:
            weight = model.prob_t_a_given_s(info) / total
            for j, i in enumerate(info.alignment[1:], 1):
                words[info.trg_sentence[j], info.src_sentence[i]] += weight
                places[i, j, len(pair.mots), len(pair.words)] += weight
    model.train(pairs)
    for (word, mot), count in words.items():
        share = count / sum(other for (_, m), other in words.items() if m == mot)
        assert model.translation_table[word][mot] == pytest.approx(share, abs=1e-9)
    for (i, j, l, m), count in places.items():
        share = count / sum(other for (_, *rest), other in places.items() if rest == [j, l, m])
        assert model.alignment_table[i][j][l][m] == pytest.approx(share, abs=1e-9)


def _factors(model: Any, info: AlignmentInfo) -> list[float]:
    return [
        model.prob_alignment_point(info.src_sentence[i], info.trg_sentence[j])
        for j, i in enumerate(info.alignment[1:], 1)
    ]


@pytest.mark.parametrize("model", MODELS)
def test_tables_are_distributions(model: Any) -> None:
    trained = train(model, corpus(), 3)
    by_mot: dict[Any, float] = defaultdict(float)
    for row in trained.translation_table.values():
        for mot, value in row.items():
            assert value >= 1e-12
            by_mot[mot] += value
    assert by_mot
    for total in by_mot.values():
        assert total == pytest.approx(1.0)
    for mot in by_mot if model in MODELS[2:] else ():
        fertilities = [row[mot] for row in trained.fertility_table.values() if mot in row]
        assert sum(fertilities) == pytest.approx(1.0)


@pytest.mark.parametrize("model", MODELS)
def test_what_never_occurred_has_the_least_probability(model: Any) -> None:
    trained = train(model, corpus(), 1)
    assert trained.translation_table["haus"]["a"] == nltk.IBMModel.MIN_PROB == 1e-12
    assert trained.translation_table["new"]["a"] == trained.translation_table["haus"]["new"] == 1e-12
    assert trained.alignment_table[1][1][90][90] == 1e-12
    before = len(trained.translation_table["haus"])
    assert trained.translation_table["haus"]["new"] == 1e-12
    assert len(trained.translation_table["haus"]) == before


def lazy() -> Any:
    """A table no row of which was looked at."""
    return nltk.IBMModel1(corpus(), 2).translation_table


def test_tables_are_dictionaries_whoever_looks_at_them_first() -> None:
    plain = {word: dict(row) for word, row in lazy().items()}
    assert list(plain) == list(dict.fromkeys(word for words, _ in SENTENCES for word in words.split()))
    looks: list[tuple[Any, Any]] = [
        (len, len(plain)),
        (list, list(plain)),
        (lambda table: "haus" in table, True),
        (lambda table: "new" in table, False),
        (lambda table: table.get("haus"), plain["haus"]),
        (lambda table: table.get("new"), None),
        (lambda table: list(table.keys()), list(plain)),
        (lambda table: list(table.values()), list(plain.values())),
        (lambda table: list(reversed(table)), list(reversed(plain))),
        (dict, plain),
        (lambda table: {**table}, plain),
        (lambda table: table | {"new": 1}, {**plain, "new": 1}),
        (lambda table: {"new": 1} | table, {"new": 1, **plain}),
        (lambda table: table.copy(), plain),
        (copy.copy, plain),
        (copy.deepcopy, plain),
        (repr, repr(plain)),
        (lambda table: json.loads(json.dumps(table))["haus"]["the"], plain["haus"]["the"]),
        (lambda table: table.pop("haus"), plain["haus"]),
        (lambda table: pickle.loads(pickle.dumps(table)), plain),
        (lambda table: table == lazy(), True),
        (lambda table: plain == table, True),
        (lambda table: table != lazy(), False),
    ]
    for look, expected in looks:
        assert look(lazy()) == expected
        table = lazy()
        assert table["haus"] == plain["haus"]  # one row is there already
        table["haus"]["new"] = 0.25
        table["second"]["new"] = 0.5
        changed = {**plain, "haus": {**plain["haus"], "new": 0.25}, "second": {"new": 0.5}}
        assert table == changed
        assert list(table) == list(changed)
    table = lazy()
    del table["haus"]
    table.update(buch={})
    table.setdefault("das", {})
    assert table == {**{word: row for word, row in plain.items() if word != "haus"}, "buch": {}}
    table.clear()
    assert not table
    assert table["haus"]["the"] == 1e-12


def test_assigned_rows_are_trained_from() -> None:
    first = nltk.IBMModel1(corpus(), 2)
    by_rows = nltk.IBMModel1(corpus(), 2)
    first.translation_table["haus"]["the"] = 0.75
    by_rows.translation_table = {word: dict(row) for word, row in by_rows.translation_table.items()}
    by_rows.translation_table["haus"]["the"] = 0.75
    before = first.translation_table["das"]["the"]
    for model in (first, by_rows):
        model.train(corpus())
    assert first.translation_table == by_rows.translation_table
    assert first.translation_table["das"]["the"] != before


def test_words_may_be_anything_that_has_a_hash() -> None:
    class Word(str):
        __slots__ = ()

    kinds: list[Any] = [
        str,
        Word,
        lambda word: (word, 1),
        lambda word: word.encode(),
        lambda word: word + "\ud800",
        hash,
    ]
    tables = []
    for kind in kinds:
        pairs = [nltk.AlignedSent(map(kind, pair.words), map(kind, pair.mots)) for pair in corpus()]
        model = nltk.IBMModel2(pairs, 3)
        assert model.trg_vocab == {kind(word) for words, _ in SENTENCES for word in words.split()}
        tables.append([list(row.values()) for row in model.translation_table.values()])
        assert model.translation_table[kind("haus")][kind("house")] > 0.5
    assert all(table == tables[0] for table in tables)
    # Equal words of different kinds are one word, as in dictionaries.
    mixed = nltk.IBMModel1([nltk.AlignedSent(["a", Word("a"), 1, 1.0], [True, 1])], 1)
    assert mixed.trg_vocab == {"a", 1}
    assert mixed.translation_table["a"][1] == pytest.approx(0.5)


def test_alignments_that_were_not_looked_at_can_be_kept() -> None:
    pairs = corpus()
    nltk.IBMModel2(pairs, 3)
    kept = pickle.loads(pickle.dumps(pairs))
    copies = copy.deepcopy(pairs[:1])
    pairs[1].words.clear()  # what was found stays as it was
    assert [pair.alignment for pair in kept] == [pair.alignment for pair in pairs]
    assert copies[0].alignment == pairs[0].alignment
    assert type(pairs[0].alignment) is nltk.Alignment


@pytest.mark.parametrize("model", MODELS)
def test_training_is_the_same_every_time_and_models_can_be_kept(model: Any) -> None:
    texts, tables = [], []
    for _ in range(2):
        pairs = corpus()
        trained = train(model, pairs, 2)
        texts.append(repr(pairs))
        tables.append(vars(pickle.loads(pickle.dumps(trained))))
    assert texts[0] == texts[1]
    assert tables[0] == tables[1]
    assert tables[0] == vars(trained)


@pytest.mark.parametrize("model", MODELS)
def test_training_goes_on_from_tables(model: Any) -> None:
    first = train(model, corpus(), 1)
    names = [name for name in vars(first) if name.endswith("_table") or name == "p1"]
    again = train(model, corpus(), 1, probability_tables={name: getattr(first, name) for name in names})
    pairs = corpus()
    first.train(pairs)
    for name in names:
        assert getattr(again, name) == getattr(first, name)


@pytest.mark.parametrize("model", MODELS)
def test_empty_sentences_are_no_trouble(model: Any) -> None:
    texts: list[Any] = [[], [([], [])], [(["a"], [])], [([], ["x"])], [(["a"], ["x"]), ([], []), (["b", "a"], [])]]
    for sides in texts:
        pairs = [nltk.AlignedSent(*side) for side in sides]
        trained = train(model, pairs, 2)
        for pair in pairs:
            assert len(pair.alignment) == len(pair.words)
            assert not pair.alignment.links() or pair.mots
        assert 0 < trained.p1 < 1


@pytest.mark.parametrize("model", MODELS)
def test_bad_arguments_are_refused(model: Any) -> None:
    with pytest.raises(ValueError, match="iterations = -1: must be 0 or more"):
        train(model, corpus(), -1)
    with pytest.raises(ValueError, match="probability_tables has no translation_table"):
        train(model, corpus(), 0, probability_tables={})
    if model in MODELS[:2]:
        tables = {"translation_table": {"a": {"x": 0.5}}, "alignment_table": {}}
        with pytest.raises(ValueError, match="translation_table has no probability for 'a', None"):
            model([nltk.AlignedSent(["a"], ["x"])], 1, tables)
    with pytest.raises(TypeError, match="sentence pair 2 must be an AlignedSent, not tuple"):
        model([corpus()[0], (["a"], ["x"])], 1, *([{}, {}] if model in MODELS[3:] else []))
    if model in MODELS[2:]:
        names = ("translation", "alignment", "fertility", "distortion", "head_distortion", "non_head_distortion")
        tables = {f"{name}_table": {} for name in (*names, "head_vacancy", "non_head_vacancy")}
        with pytest.raises(ValueError, match="p1 = 2: must be 0 to 1"):
            train(model, corpus(), 0, probability_tables={**tables, "p1": 2})
    if model in MODELS[3:]:
        with pytest.raises(ValueError, match="sentence pair 1: the source word 'the' has no class"):
            model(corpus(), 1, {}, {})


@pytest.mark.parametrize("model", MODELS)
def test_a_corpus_may_be_an_iterator(model: Any) -> None:
    pairs = corpus()
    classes = [{mot: 0 for p in pairs for mot in p.mots}, {word: 0 for p in pairs for word in p.words}]
    arguments = classes if model in MODELS[3:] else []
    assert model(iter(pairs), 2, *arguments).translation_table == model(pairs, 2, *arguments).translation_table
    assert all(pair.alignment for pair in pairs)


def test_pegged_links_are_in_the_sentences() -> None:
    pair = corpus()[0]
    model = nltk.IBMModel3([pair], 0)
    assert model.best_model2_alignment(pair, 4, 0).alignment[4] == 0
    for j, i in ((5, 0), (0, 0), (-1, 0), (1, 5), (1, -1)):
        with pytest.raises(IndexError, match=f"target position {j} to source position {i}: 4 and 4 words"):
            model.best_model2_alignment(pair, j, i)


@pytest.mark.parametrize("model", MODELS)
def test_subclasses_may_train_in_their_own_way(model: Any) -> None:
    passes = []

    class Counting(model):  # type: ignore[misc]
        def train(self, parallel_corpus: Any) -> None:
            passes.append(len(parallel_corpus))
            super().train(parallel_corpus)

    own, plain = train(Counting, corpus(), 3), train(model, corpus(), 3)
    assert passes == [len(SENTENCES)] * 3
    assert own.translation_table == plain.translation_table


@pytest.mark.parametrize("model", MODELS[:3])
def test_subclasses_may_change_words_between_passes(model: Any) -> None:
    class Shortening(model):  # type: ignore[misc]
        def train(self, parallel_corpus: Any) -> None:
            for pair in parallel_corpus:
                pair.words[:] = [word[:1] for word in pair.words]
            super().train(parallel_corpus)
            for pair in parallel_corpus:
                pair.words[:] = [word.upper() for word in pair.words]

    tables = {"translation_table": Table(2), "alignment_table": Table(4), "distortion_table": Table(4)}
    given = {**tables, "fertility_table": Table(2), "p1": 0.5}
    found = Shortening(corpus(), 1, given).translation_table
    words = {word[:1] for words, _ in SENTENCES for word in words.split()}
    assert words <= set(found)
    second = Shortening(corpus(), 2, {**given, "translation_table": Table(2)})
    assert {word.upper() for word in words} <= set(second.translation_table)


def test_subclasses_may_search_in_their_own_way() -> None:
    class Diagonal(nltk.IBMModel3):
        """Knows one alignment for each sentence pair."""

        def sample(self, sentence_pair: nltk.AlignedSent) -> tuple[set[AlignmentInfo], AlignmentInfo]:
            last = len(sentence_pair.mots)
            links = tuple(min(j, last) for j in range(len(sentence_pair.words) + 1))
            info = AlignmentInfo(links, [None, *sentence_pair.mots], ["UNUSED", *sentence_pair.words], None)
            return {info}, info

    pairs = corpus()
    model = Diagonal(pairs, 1)
    assert str(pairs[1].alignment) == "0-0 1-1 2-2 3-3 4-3"
    assert model.translation_table["buch"]["book"] == pytest.approx(4 / 5)  # and zusammen once
    assert model.fertility_table[2]["big"] == pytest.approx(1.0)


def test_ties_go_to_the_last_mot_and_never_to_none() -> None:
    pair = nltk.AlignedSent(["w"], ["m", "m", "n"])
    model = nltk.IBMModel1([pair], 0)
    assert pair.alignment == {(0, 2)}
    model.translation_table = {"w": {"m": 0.5, "n": 0.4, None: 0.5}}
    model.align(pair)
    assert pair.alignment == {(0, 1)}
    model.translation_table = {"w": {"m": 0.5, "n": 0.4, None: 0.6}}
    model.align(pair)
    assert pair.alignment == {(0, None)}
    older = align.IBMModel1([align.AlignedSent(["w"], ["m"])], 0)
    older.probabilities["w"].update({"m": 0.5, "n": 0.4, None: 0.6})
    given = align.AlignedSent(["w"], ["m"], "0-0")
    aligned = older.align(given)
    assert (repr(aligned), str(given.alignment)) == ("AlignedSent(['w'], ['m'], Alignment([]))", "0-0")


def test_older_models_are_those_of_nltk_3_0() -> None:
    """Values of NLTK 3.0.0 (``nltk.align.ibm1`` to ``ibm3`` alone, with Python 2's order of ``None`` and numbers)."""
    sentences = [
        ("klein ist das haus", "the house is small"),
        ("das haus", "the house"),
        ("das buch", "the book"),
        ("ein buch", "a book"),
    ]
    pairs = [align.AlignedSent(*sides) for sides in sentences]
    first, second, third = align.IBMModel1(pairs, 10), align.IBMModel2(pairs, 10), align.ibm3.IBMModel3(pairs, 10)
    table = first.probabilities
    assert (table["haus"]["house"], table["das"]["the"], table["das"][None]) == pytest.approx(
        (0.9315140655677783, 0.8653346788463891, 0.745092790729639)
    )
    assert first.unmet == pytest.approx(0.16666666666666666)
    assert (second.probabilities["haus"]["house"], third.probabilities["haus"]["house"]) == pytest.approx((1.0, 1.0))
    both = "0-0 1-1"
    assert [str(model.align(pair).alignment) for model in (first, second, third) for pair in pairs[1:]] == [both] * 9
    unknown = align.AlignedSent("xx das", "the yy")
    assert [str(model.align(unknown).alignment) for model in (first, second)] == ["0-1 1-0"] * 2
    unknown = align.AlignedSent("das", "yy")
    assert [str(model.align(unknown).alignment) for model in (first, second)] == ["", "0-0"]
    longer = align.AlignedSent("das haus das haus das", "the house the house the")
    assert str(second.align(longer).alignment) == "0-4 1-4 2-4 3-4 4-4"
    assert third.fertility[1]["house"] == pytest.approx(1.0)
    assert set(vars(third)) >= {"align_table", "distortion", "null_insertion"}
    assert third.align(align.AlignedSent()).alignment == set()


def test_older_models_keep_to_themselves() -> None:
    pairs = [align.AlignedSent(words.split(), mots.split(), "0-0") for words, mots in SENTENCES]
    model = align.IBMModel1(pairs, 5)
    assert {str(pair.alignment) for pair in pairs} == {"0-0"}
    assert type(model.align(pairs[0]).alignment) is align.Alignment


def test_any_aligned_sentence_can_be_trained_on() -> None:
    pairs: list[Any] = [alinea.AlignedSentence(*sides) for sides in SENTENCES]
    expected = corpus()
    assert nltk.IBMModel2(pairs, 5).translation_table == nltk.IBMModel2(expected, 5).translation_table
    assert [pair.alignment for pair in pairs] == [pair.alignment for pair in expected]


def test_long_sentences_are_told_apart() -> None:
    # The probability of any alignment of 200 words is below the smallest number.
    source, target = [f"s{i}" for i in range(20)], [f"t{j}" for j in range(200)]
    model = table_model(3, source, target, 0.1)
    info = AlignmentInfo((0, *(j % 21 for j in range(200))), [None, *source], ["UNUSED", *target], None)
    model.translation_table = defaultdict(lambda: defaultdict(lambda: 1e-9))
    assert model.prob_t_a_given_s(info) == sys.float_info.min
    for simple in MODELS[:2]:
        assert simple([nltk.AlignedSent(target, source)], 0).prob_t_a_given_s(info) == sys.float_info.min
    pair = nltk.AlignedSent(target[:40], source[:2])
    scores, best = model._native_model(NumberedText([pair])).sample(0)
    possible = {alignment: score for alignment, score in scores if score > -9e4}
    assert max(possible.values()) < math.log(sys.float_info.min)
    assert len(set(possible.values())) > len(possible) / 2
    assert possible[best] == max(possible.values())


@pytest.mark.parametrize("number", [3, 4, 5])
def test_scores_are_those_of_single_alignments(number: int) -> None:
    generator = random.Random(number)
    for _ in range(40):
        source = [f"s{i}" for i in range(generator.randrange(0, 6))]
        target = [f"t{j}" for j in range(generator.randrange(1, 7))]
        model = table_model(number, source, target, 0.4)
        scores, best = model._native_model(NumberedText([nltk.AlignedSent(target, source)])).sample(0)
        found = dict(scores)
        assert len(found) == len(scores)
        assert best in found
        for alignment, score in found.items():
            info = AlignmentInfo(alignment, [None, *source], ["UNUSED", *target], None)
            if 2 * info.fertility_of_i(0) > len(target):
                assert score < -9e4
            else:
                by_model_4 = nltk.IBMModel4.model4_prob_t_a_given_s
                value = model.prob_t_a_given_s(info) if number == 3 else by_model_4(info, model)
                assert score == pytest.approx(math.log(value), abs=1e-6)


def test_impossible_alignments_weigh_nothing() -> None:
    # Two words of the empty word need two others.
    counts = Model3Counts()
    table_model(3, ["s0"], ["t0", "t1", "t2"], 0.5)._train_on_samples(
        [nltk.AlignedSent(["t0", "t1", "t2"], ["s0"])], counts
    )
    assert {phi for phi, row in counts.fertility.items() if None in row} == {0, 1}
    counts = Model3Counts()
    table_model(3, [], ["t0"], 0.5)._train_on_samples([nltk.AlignedSent(["t0"], [])], counts)
    assert counts.t_given_s == {"t0": {None: 1.0}}


def test_missing_probabilities_are_named() -> None:
    pair = nltk.AlignedSent(["t0", "t1"], ["s0"])
    model = table_model(3, ["s0"], ["t0", "t1"], 0.5)
    model.translation_table = {"t0": {"s0": 0.5, None: 0.5}}
    with pytest.raises(ValueError, match="translation_table has no probability for 't1', None"):
        model.train([pair])
    model = table_model(3, ["s0"], ["t0", "t1"], 0.5)
    model.fertility_table = {0: {"s0": 0.5}, 1: {"s0": 0.5}}
    with pytest.raises(ValueError, match="the tables lack a probability that the search needs"):
        model.train([pair])
    # What is not needed may be missing: a sentence of one word cannot give two to a mot.
    model.train([nltk.AlignedSent(["t0"], ["s0"])])


def test_neighbors_are_all_that_one_change_makes() -> None:
    for l, m in ((0, 2), (1, 3), (3, 3), (2, 4)):
        everything = list(itertools.product(range(l + 1), repeat=m))
        for links in everything:
            changed = [sum(a != b for a, b in zip(links, other, strict=True)) for other in everything]
            swapped = [sorted(links) == sorted(other) for other in everything]
            expected = {
                (0, *other)
                for other, number, swap in zip(everything, changed, swapped, strict=True)
                if number <= 1 or (number == 2 and swap)
            }
            found = list(_search.neighbors((0, *links), l, None))
            assert set(found) == expected
            assert len(found) == len(expected)
            pegged = set(_search.neighbors((0, *links), l, 2))
            assert pegged == {other for other in expected if other[2] == links[1]}


def test_parts_of_alignments() -> None:
    # nltk 3.10.4: AlignmentInfo of the alignment in its tests, with its methods.
    source, target = [None, "a", "b", "c", "d", "e"], ["UNUSED", "u", "v", "w", "x", "y", "z"]
    for cepts in (None, [[3], [1], [4], [], [2], [5, 6]]):
        info = AlignmentInfo((0, 1, 4, 0, 2, 5, 5), source, target, cepts)
        assert info.zero_indexed_alignment() == [(0, 0), (1, 3), (2, None), (3, 1), (4, 4), (5, 4)]
        assert [info.previous_cept(j) for j in (1, 2, 4, 5, 6)] == [None, 2, 1, 4, 4]
        assert [info.previous_in_tablet(j) for j in range(1, 7)] == [None] * 5 + [5]
        assert [info.is_head_word(j) for j in range(1, 7)] == [True] * 5 + [False]
        assert [info.center_of_cept(i) for i in (0, 1, 2, 4, 5, None)] == [3, 1, 4, 2, 6, 0]
        assert [info.fertility_of_i(i) for i in range(6)] == [1, 1, 1, 0, 1, 2]
        with pytest.raises(ValueError, match="empty word"):
            info.previous_cept(3)
        with pytest.raises(ValueError, match="no target words"):
            info.center_of_cept(3)
    assert info == AlignmentInfo((0, 1, 4, 0, 2, 5, 5), [], [], None)
    assert info != (0, 1, 4, 0, 2, 5, 5)
    with pytest.raises(TypeError, match="must be a tuple"):
        AlignmentInfo([0, 1], source, target, None)  # type: ignore[arg-type]


def test_counts_add_up() -> None:
    info = AlignmentInfo((0, 1, 0, 2, 2), [None, "a", "b"], ["UNUSED", "u", "v", "w", "x"], None)
    for counts in (Counts(), Model3Counts(), Model4Counts(), Model5Counts()):
        for j in range(1, 5):
            counts.update_lexical_translation(0.5, info, j)
        counts.update_null_generation(0.5, info)
        counts.update_fertility(0.5, info)
        assert counts.t_given_s == {"u": {"a": 0.5}, "v": {None: 0.5}, "w": {"b": 0.5}, "x": {"b": 0.5}}
        assert counts.any_t_given_s == {"a": 0.5, None: 0.5, "b": 1.0}
        assert (counts.p0, counts.p1) == (1.0, 0.5)
        assert counts.fertility_for_any_phi == {None: 0.5, "a": 0.5, "b": 0.5}
    counts = Counts()
    counts.update_null_generation(1.0, AlignmentInfo((0, 0, 0), [None], ["UNUSED", "u", "v"], None))
    assert (counts.p0, counts.p1) == (0.0, 2.0)
    second = Model2Counts()
    second.update_lexical_translation(0.5, "a", "u")
    second.update_alignment(0.25, 1, 2, 3, 4)
    assert (second.t_given_s, second.alignment[1][2][3][4]) == ({"u": {"a": 0.5}}, 0.25)
    model = nltk.IBMModel2([], 0)
    model.maximize_lexical_translation_probabilities(second)
    model.maximize_alignment_probabilities(second)
    assert (model.translation_table["u"]["a"], model.alignment_table[1][2][3][4]) == (1.0, 1.0)


def test_small_things() -> None:
    assert longest_target_sentence_length(corpus()) == 5
    assert longest_target_sentence_length([]) == 0
    slots = Slots(4)
    slots.occupy(2)
    assert ([slots.vacancies_at(j) for j in range(5)], len(slots)) == ([0, 1, 1, 2, 3], 4)  # nltk 3.10.4
    # nltk 3.10.4: a word that occurs twice has the sum over both.
    pair = nltk.AlignedSent(["a", "a"], ["x"])
    assert nltk.IBMModel1([pair], 1).prob_all_alignments([None, "x"], ["a", "a"]) == {"a": 4.0}
    assert nltk.IBMModel2([pair], 1).prob_all_alignments([None, "x"], ["UNUSED", "a", "a"]) == {"a": 2.0}


def test_passes_are_shown_by_bars() -> None:
    shown: list[list[Any]] = []

    class Bar:
        def __init__(self, *, desc: str, total: int | None) -> None:
            shown.append([desc, total, 0, "open"])

        def update(self, n: int, /) -> None:
            shown[-1][2] += n

        def close(self) -> None:
            shown[-1][3] = "closed"

    train(nltk.IBMModel5, corpus(), 3, progress=Bar)
    names = [f"Model {number}" for number in range(1, 6)]
    assert shown == [[name, 6 if name == "Model 1" else 3, 6 if name == "Model 1" else 3, "closed"] for name in names]
    shown.clear()

    class Own(nltk.IBMModel1):
        def train(self, parallel_corpus: Any) -> None:
            super().train(parallel_corpus)

    assert Own(corpus(), 2, progress=Bar).translation_table == nltk.IBMModel1(corpus(), 2).translation_table
    assert shown == [["Model 1", 2, 2, "closed"]]

    class Failing(Bar):
        def update(self, n: int, /) -> None:
            raise LookupError(f"from the bar, {n}")

    for model in (nltk.IBMModel2, nltk.IBMModel3):
        with pytest.raises(LookupError, match="from the bar"):
            train(model, corpus(), 2, progress=Failing)
    assert all(end == "closed" for *_, end in shown)

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

import alinea

SOURCE = ["the house", "the flower", "a house", "a blue flower"]
TARGET = ["la maison", "la fleur", "une maison", "une fleur bleue"]


def as_lists(links: Iterable[alinea.LinkArray]) -> list[list[list[int]]]:
    return [pair.tolist() for pair in links]


def test_links_are_arrays_of_positions_in_order() -> None:
    links = alinea.align(SOURCE, TARGET)
    assert [pair.dtype for pair in links] == [np.uint32] * 4
    assert [pair.shape[1:] for pair in links] == [(2,)] * 4
    assert as_lists(links)[:3] == [[[0, 0], [1, 1]]] * 3
    assert as_lists(links)[3] == sorted(as_lists(links)[3])


@pytest.mark.parametrize("model", get_args(alinea.Model))
def test_every_model_finds_the_translations_of_a_dictionary(
    text: tuple[list[str], list[str]], model: alinea.Model
) -> None:
    source, target = text
    right = total = 0
    for source_line, target_line, links in zip(source, target, alinea.align(source, target, model=model), strict=True):
        source_words, target_words = source_line.split(), target_line.split()
        right += sum(source_words[i][1:] == target_words[j][1:] for i, j in links.tolist())
        total += len(links)
    assert total > 0.7 * sum(len(line.split()) for line in target)
    assert right > 0.9 * total


def test_the_default_model_is_agreement_loo(text: tuple[list[str], list[str]]) -> None:
    default = as_lists(alinea.align(*text))
    assert as_lists(alinea.align(*text, model="default")) == default
    assert as_lists(alinea.align(*text, model="agreement-loo")) == default
    assert as_lists(alinea.align(*text, model="agreement")) != default


@pytest.mark.parametrize("model", get_args(alinea.Model))
def test_threads_do_not_change_results(text: tuple[list[str], list[str]], model: alinea.Model) -> None:
    alone = as_lists(alinea.align(*text, model=model, threads=1))
    for threads in (0, 2, 3, 7):
        assert as_lists(alinea.align(*text, model=model, threads=threads)) == alone


def test_strings_are_cut_at_blanks_and_tabs_only() -> None:
    lines = ["the\u00a0house is", " \ta\tflower\u3000is  ", "the\u00a0house"]
    words = [["the\u00a0house", "is"], ["a", "flower\u3000is"], ["the\u00a0house"]]
    target = ["x y", "z w", "x"]
    # `"the\u00a0house is".split()` has three words: positions differ, and that is said, once for all sentences.
    told = (
        r"^3 whitespace characters other than space and tab inside words, "
        r"the first at source:1:4 \(U\+00A0\): "
        r"positions differ from those of str.split\(\); "
    )
    with pytest.warns(UserWarning, match=told) as warned:
        links = as_lists(alinea.align(lines, target))
    assert len(warned) == 1
    assert warned[0].filename == __file__
    # Words in lists are taken as they are.
    assert links == as_lists(alinea.align(words, target))
    assert [1, 0] not in links[2]


def test_blanks_inside_of_words_are_told_wherever_text_is_read(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_text("a b\nc\u2009d e\x0bf\n", encoding="utf-8", newline="")
    with pytest.warns(UserWarning, match=r"^2 whitespace .* the first at .*text:2:2 \(U\+2009\): positions differ"):
        alinea.align(file, ["x", "y"])
    links = [[(0, 0)], []]
    for call in (
        lambda: alinea.train(["a", "b\u3000c"], ["x", "y"], tmp_path / "model"),
        lambda: alinea.phrases(["a", "b\u3000c"], ["x", "y"], links),
        lambda: alinea.lexicon(["a", "b"], ["x", "y\u3000z"], links),
        lambda: alinea.TrainedModel(tmp_path / "model").align(["a\u3000"], ["x"]),
    ):
        with pytest.warns(UserWarning, match="^a word contains whitespace other than space and tab, at") as warned:
            call()
        assert len(warned) == 1


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ("the house\n".encode("utf-16"), "text in UTF-16"),
        (b'<?xml version="1.0"?>\n<tmx version="1.4">\n', r"a translation memory \(TMX\)"),
        (b"# sent_id = 1\n1\tIt\tit\tPRON\t_\t_\t0\troot\t_\t_\n\n", "CoNLL-U"),
    ],
)
def test_files_that_are_no_text_are_named(tmp_path: Path, data: bytes, name: str) -> None:
    file = tmp_path / "odd"
    file.write_bytes(data)
    with pytest.raises(alinea.Error, match=f"odd: {name}, where .*text.* is expected; "):
        alinea.align(file, ["x"])


def test_tokens_may_hold_anything() -> None:
    source = [["New York", ""], ["New York", "\n"], [""], ["\0", "é"]]
    target = [["Nova Iorque", ""], ["Nova Iorque", "\r"], [""], ["\0", "é"]]
    assert as_lists(alinea.align(source, target))[0][0] == [0, 0]


def test_any_iterable_will_do() -> None:
    expected = as_lists(alinea.align(SOURCE, TARGET))
    source = (tuple(line.split()) for line in SOURCE)
    assert as_lists(alinea.align(source, np.array(TARGET))) == expected
    assert as_lists(alinea.align((iter(line.split()) for line in SOURCE), tuple(TARGET))) == expected


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_line_ends_of_a_file_are_no_words(end: str) -> None:
    source, target = [line + end for line in [*SOURCE, ""]], [line + end for line in [*TARGET, "x"]]
    assert as_lists(alinea.align(source, target)) == [*as_lists(alinea.align(SOURCE, TARGET)), []]


def test_case_matters_only_if_told_so() -> None:
    mixed = ["THE house", "The FLOWER", "a House", "A blue flower"]
    assert as_lists(alinea.align(mixed, TARGET)) == as_lists(alinea.align(SOURCE, TARGET))
    pairs = [("Polish", "polonais"), ("polish", "polir")] * 10
    by_case = alinea.align([s for s, _ in pairs], [t for _, t in pairs], lowercase=False)
    assert as_lists(by_case) == [[[0, 0]]] * 20


def test_a_pair_with_an_empty_side_has_no_links() -> None:
    source = [*SOURCE, "", "word", "", " \t"]
    target = [*TARGET, "mot", "", "", "mot"]
    links = alinea.align(source, target)
    assert as_lists(links) == [*as_lists(alinea.align(SOURCE, TARGET)), [], [], [], []]
    assert links[-1].shape == (0, 2)


def test_higher_thresholds_give_fewer_links(text: tuple[list[str], list[str]]) -> None:
    counts = [sum(map(len, alinea.align(*text, threshold=threshold))) for threshold in (0.1, 0.4, 0.9)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[-1]
    assert as_lists(alinea.align(*text, threshold=0.3617)) == as_lists(alinea.align(*text))
    everything = alinea.align(["a b"], ["x y z"], threshold=0.0)
    assert len(everything[0]) == 6


GRID = [(2 + n) / 40 for n in range(37)]


@pytest.mark.parametrize("model", get_args(alinea.Model))
def test_a_threshold_is_chosen_for_the_text(text: tuple[list[str], list[str]], model: alinea.Model) -> None:
    options: dict[str, Any] = {"model": model, "iterations": 2} if model != "ibm1" else {"model": model}
    chosen = as_lists(alinea.align(*text, objective="f:0.5", **options))
    by_threshold = [as_lists(alinea.align(*text, threshold=threshold, **options)) for threshold in GRID]
    assert chosen in by_threshold
    assert as_lists(alinea.align(*text, objective="aer", **options)) in by_threshold
    assert as_lists(alinea.align(*text, objective="f:0.5", threads=3, **options)) == chosen
    # Recall alone: everything; a little precision: whatever has it.
    assert as_lists(alinea.align(*text, objective="f:0", **options)) == by_threshold[0]
    assert as_lists(alinea.align(*text, objective="precision:0.01", **options)) == by_threshold[0]


def test_more_precision_means_fewer_links(text: tuple[list[str], list[str]]) -> None:
    counts = [sum(map(len, alinea.align(*text, objective=f"precision:{p}"))) for p in (0.5, 0.97, 0.975)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[-1]


def test_a_precision_out_of_reach_is_warned_of(text: tuple[list[str], list[str]]) -> None:
    message = (
        r"^no threshold should reach precision:0\.99999: using the largest, 0\.95, with an expected precision of 0\."
    )
    with pytest.warns(UserWarning, match=message) as caught:
        links = alinea.align(*text, objective="precision:0.99999")
    assert [warning.filename for warning in caught] == [__file__]
    assert as_lists(links) == as_lists(alinea.align(*text, threshold=0.95))


def test_given_links_without_effect_are_warned_of(tmp_path: Path) -> None:
    side = [" ".join(f"w{n}" for n in range(400)), "w1 w2"]
    message = r"^given links across stretches .*: 1, the first 0-399 of pair 1$"
    links: list[list[tuple[int, int]] | None] = [[(0, 0), (0, 399)], [(0, 0)]]
    with pytest.warns(UserWarning, match=message) as caught:
        alinea.align(side, side, links=links)
    assert [warning.filename for warning in caught] == [__file__]
    with pytest.warns(UserWarning, match=message):
        alinea.train(side, side, tmp_path / "model", links=links)


@pytest.mark.parametrize("threshold", [[0.5], object(), b"full"])
def test_thresholds_are_numbers_or_purposes(threshold: Any) -> None:
    with pytest.raises(TypeError, match=r'threshold: expected a float, or "sure", "balanced" or "full"'):
        alinea.align(SOURCE, TARGET, threshold=threshold)


def test_a_threshold_is_given_or_chosen() -> None:
    with pytest.raises(alinea.ConfigError, match=r"^objective = aer: must be unset if a threshold is given$"):
        alinea.align(SOURCE, TARGET, threshold=0.4, objective="aer")


def test_iterations_are_those_of_both_models_or_of_each(text: tuple[list[str], list[str]]) -> None:
    assert as_lists(alinea.align(*text, iterations=(5, 4))) == as_lists(alinea.align(*text))
    assert as_lists(alinea.align(*text, iterations=3)) == as_lists(alinea.align(*text, iterations=(3, 3)))
    assert as_lists(alinea.align(*text, model="ibm1", iterations=5)) == as_lists(alinea.align(*text, model="ibm1"))


def test_unequal_lengths_are_refused() -> None:
    with pytest.raises(alinea.Error, match=r"^unequal lengths: source has 2 lines, target has 1$"):
        alinea.align(["a", "b"], ["x"])


def test_added_text_is_learned_from(text: tuple[list[str], list[str]]) -> None:
    source, target = text
    head, rest = 20, (source[20:], target[20:])
    whole = as_lists(alinea.align(source, target))[:head]
    assert as_lists(alinea.align(source[:head], target[:head], added=[rest], weight=1)) == whole
    light = alinea.align(source[:head], target[:head], added=[rest], weight=[0.05])
    assert len(light) == head
    assert as_lists(light) != as_lists(alinea.align(source[:head], target[:head]))


def test_there_is_a_weight_for_each_added_text() -> None:
    message = r"^weight = 1, 0.5: must be one for all added texts, or one for each$"
    with pytest.raises(alinea.ConfigError, match=message):
        alinea.align(SOURCE, TARGET, added=[(SOURCE, TARGET)], weight=[1, 0.5])
    alone: list[float | list[float]] = [0.5, [0.5]]
    for weight in alone:
        with pytest.raises(alinea.ConfigError, match=r"^weight = 0.5: must be unset unless text is added$"):
            alinea.align(SOURCE, TARGET, weight=weight)
    added = [(SOURCE, TARGET), (TARGET, SOURCE)]
    for_all = as_lists(alinea.align(SOURCE, TARGET, added=added, weight=[0.5]))
    assert for_all == as_lists(alinea.align(SOURCE, TARGET, added=added, weight=0.5))
    assert for_all == as_lists(alinea.align(SOURCE, TARGET, added=added, weight=(0.5, 0.5)))
    with pytest.raises(alinea.ConfigError, match=r"weight = 2: must be 0.01 to 1"):
        alinea.align(SOURCE, TARGET, added=[(SOURCE, TARGET)], weight=2)
    with pytest.raises(alinea.Error, match="unequal lengths"):
        alinea.align(SOURCE, TARGET, added=[(SOURCE, TARGET[1:])])
    with pytest.raises(TypeError, match=r"added\[0\].target: expected a sequence"):
        alinea.align(SOURCE, TARGET, added=[(SOURCE, "la maison")])


@pytest.mark.parametrize("source", [[], [""], ["", "a"]])
def test_nothing_to_align_is_an_error(source: list[str]) -> None:
    with pytest.raises(alinea.Error, match="nothing to align"):
        alinea.align(source, [""] * len(source))


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        (
            "model",
            "ibm9",
            "model = ibm9: must be agreement-loo, quality, agreement, hmm, ibm1, ibm2, diagonal, ibm3",
        ),
        ("threshold", 1.5, "threshold = 1.5: must be 0 to 1"),
        ("threshold", float("nan"), "threshold = NaN: must be 0 to 1"),
        ("threshold", "best", "threshold = best: must be 0 to 1, or sure, balanced or full"),
        (
            "objective",
            "recall:1.5",
            "objective = recall:1.5: must be aer, f:ALPHA with ALPHA from 0 to 1, or precision:P",
        ),
        ("objective", "f:1.5", "objective = f:1.5: must be aer, f:ALPHA"),
        ("iterations", 0, "iterations = ibm1:0,hmm:0: must be at least one pass of hmm"),
        ("iterations", -1, "iterations = -1: must be 1 to 1000 passes of each model"),
        ("iterations", (1, 1001), "iterations = ibm1:1,hmm:1001: must be 1 to 1000 passes of ibm1"),
        ("symmetrize", "foo", "symmetrize = foo: must be intersection, union, grow,"),
        ("threads", 257, "threads = 257: must be 0 to 256"),
        ("threads", -1, "threads = -1: must be 0 to 256"),
        ("max_length", 0, "max_length = 0: must be 1 or more"),
    ],
)
def test_options_with_bad_values_are_named(option: str, value: object, message: str) -> None:
    options: dict[str, Any] = {option: value}
    with pytest.raises(alinea.ConfigError) as caught:
        alinea.align(SOURCE, TARGET, **options)
    assert str(caught.value).startswith(message)
    assert caught.value.field == option
    assert caught.value.allowed in str(caught.value)


@pytest.mark.parametrize("iterations", [b"ibm1:5", 1.5, (1, 2, 3), 2**64])
def test_iterations_are_numbers(iterations: Any) -> None:
    with pytest.raises(TypeError, match=r"iterations: expected an int, a tuple of two or a str"):
        alinea.align(SOURCE, TARGET, iterations=iterations)


def test_a_long_sentence_is_refused_at_its_place() -> None:
    with pytest.raises(alinea.ParseError) as caught:
        alinea.align(["a", "b " * 2001], ["x", "y"])
    assert str(caught.value) == "source:2: 2001 tokens, more than the limit of 2000; set max_length to allow more"
    assert (caught.value.path, caught.value.line, caught.value.column) == ("source", 2, 0)
    assert len(alinea.align(["a", "b " * 2001], ["x", "y"], max_length=2001)) == 2


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("the house", "source: expected a sequence of sentences, not a str"),
        (["a", 1], r"source\[1\]: a sentence is a str or a sequence of str, not int"),
        (["a", None], r"source\[1\]: a sentence is a str or a sequence of str, not NoneType"),
        (["a", ["b", 2]], r"source\[1\]: a token is a str, not int"),
        ([b"a", "b"], r"source\[0\]: a token is a str, not int"),
        (None, "not iterable|cannot be converted"),
    ],
)
def test_what_is_not_text_is_a_type_error(source: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        alinea.align(source, ["x", "y"])


def test_half_a_surrogate_pair_is_no_text() -> None:
    with pytest.raises(UnicodeEncodeError):
        alinea.align(["\ud800"], ["x"])


def test_exceptions_of_the_caller_come_back() -> None:
    def sentences() -> Any:
        yield "a"
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"):
        alinea.align(sentences(), ["x"])


def test_other_threads_go_on_meanwhile(text: tuple[list[str], list[str]]) -> None:
    source, target = text[0] * 20, text[1] * 20
    done = threading.Event()
    results: list[alinea.LinkColumn] = []

    def work() -> None:
        results.append(alinea.align(source, target, threads=1))
        done.set()

    worker = threading.Thread(target=work)
    worker.start()
    turns = 0
    while not done.is_set():
        time.sleep(0.001)
        turns += 1
    worker.join()
    assert len(results[0]) == len(source)
    # With the lock held, this thread would have had its turn once or twice.
    assert turns > 10, sys.version

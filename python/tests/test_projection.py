"""Links carried over trees, and rules that are learned: expectations by hand."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import alinea

ENGLISH = "\n".join(
    [
        "1\twe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_",
        "2\tread\t_\tVERB\t_\t_\t0\troot\t_\t_",
        "3\told\t_\tADJ\t_\t_\t4\tamod\t_\t_",
        "4\tbooks\t_\tNOUN\t_\t_\t2\tobj\t_\t_",
    ]
)
SPANISH = "\n".join(
    [
        "1\tleemos\t_\tVERB\t_\t_\t0\troot\t_\t_",
        "2\tlibros\t_\tNOUN\t_\t_\t1\tobj\t_\t_",
        "3\tviejos\t_\tADJ\t_\t_\t2\tamod\t_\t_",
    ]
)
OBJECT = "VERB -obj-> NOUN / VERB -obj-> NOUN"
WEIGHED = f"bias -1\n{OBJECT}  weight 2\nclue confidence-0.9  weight 3\n"


def test_links_go_on_from_the_verb() -> None:
    found = alinea.project.links([ENGLISH] * 2, [SPANISH] * 2, ["1-0", ""])
    assert [links.tolist() for links in found] == [[[1, 0], [2, 2], [3, 1]], []]
    assert alinea.project.links([ENGLISH], [SPANISH], ["1-0"], max_rounds=1)[0].tolist() == [[1, 0], [3, 1]]
    one_rule = alinea.project.links([ENGLISH], [SPANISH], ["1-0"], rules=f"{OBJECT} precision 3/4")
    assert one_rule[0].tolist() == [[1, 0], [3, 1]]
    strict = alinea.project.links([ENGLISH], [SPANISH], ["1-0"], rules=f"{OBJECT} precision 3/4", least_precision=0.8)
    assert strict[0].tolist() == [[1, 0]]


def test_confidences_are_lines_triples_or_a_file(tmp_path: Path) -> None:
    file = tmp_path / "confidences"
    file.write_text("0-2:0.95 1-0:0.5\n")
    for confidences in (["0-2:0.95 1-0:0.5"], [[(1, 0, 0.5), (0, 2, 0.95)]], file):
        found = alinea.project.links([ENGLISH], [SPANISH], ["1-0"], rules=WEIGHED, confidences=confidences)
        assert found[0].tolist() == [[0, 2], [1, 0], [3, 1]]
    assert alinea.project.links([ENGLISH], [SPANISH], ["1-0"], rules=WEIGHED)[0].tolist() == [[1, 0], [3, 1]]
    assert alinea.project.links([ENGLISH], [SPANISH], ["1-0"], rules=WEIGHED, threshold=0.9)[0].tolist() == [[1, 0]]


def test_files_serve_as_well(tmp_path: Path) -> None:
    (tmp_path / "en.conllu").write_text(ENGLISH + "\n\n")
    (tmp_path / "es.conllu").write_text(SPANISH + "\n\n")
    (tmp_path / "rules").write_text(OBJECT + "\n")
    (tmp_path / "links").write_text("1-0\n")
    paths = [tmp_path / name for name in ("en.conllu", "es.conllu", "links")]
    assert alinea.project.links(*paths, rules=tmp_path / "rules")[0].tolist() == [[1, 0], [3, 1]]


def test_learned_rules_find_the_links_they_were_learned_from() -> None:
    trees = [ENGLISH] * 12, [SPANISH] * 12
    anchors, gold = ["1-0", "1-0", "3-1", "3-1"] * 3, ["1-0 2-2 3-1"] * 12
    learned = alinea.project.learn_rules(*trees, anchors, gold, penalty=0.3)
    assert learned.chosen in learned.trials
    found = alinea.project.links(*trees, anchors, rules=learned.text)
    assert [links.tolist() for links in found] == [[[1, 0], [2, 2], [3, 1]]] * 12
    assert alinea.project.learn_rules(*trees, anchors, gold, penalty=0.3, threads=3) == learned
    given = alinea.project.learn_rules(*trees, anchors, gold, penalty=0.3, threshold=0.35)
    assert (given.chosen, given.trials) == (None, ())
    assert "threshold 0.35\n" in given.text


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(alinea.Error, match=r"unequal lengths: source has 1 sentences, links has 2"):
        alinea.project.links([ENGLISH], [SPANISH], ["1-0", "0-0"])
    with pytest.raises(alinea.Error, match=r"sentence pair 1: link 4-0 is out of range"):
        alinea.project.links([ENGLISH], [SPANISH], ["4-0"])
    with pytest.raises(alinea.Error, match=r"confidences: only for weighted rules"):
        alinea.project.links([ENGLISH], [SPANISH], ["1-0"], confidences=["1-0:0.5"])
    with pytest.raises(alinea.Error, match=r"least_precision: only for unweighted rules"):
        alinea.project.links([ENGLISH], [SPANISH], ["1-0"], rules=WEIGHED, least_precision=0.5)
    with pytest.raises(alinea.ParseError, match=r"rules:1:17: expected `/`"):
        alinea.project.links([ENGLISH], [SPANISH], ["1-0"], rules="VERB -obj-> NOUN")
    with pytest.raises(alinea.ParseError, match=r"source_trees?\[1\]:1|source\[1\]:1"):
        alinea.project.links([ENGLISH, "1\tx"], [SPANISH] * 2, ["", ""])
    with pytest.raises(alinea.ParseError, match=r"are both roots"):
        alinea.project.links([ENGLISH.replace("4\tamod", "0\troot")], [SPANISH], ["1-0"])
    several = alinea.project.links([ENGLISH.replace("4\tamod", "0\troot")], [SPANISH], ["1-0"], several_roots=True)
    assert several[0].tolist() == [[1, 0], [3, 1]]
    with pytest.raises(alinea.ConfigError, match=r"threshold = 2: must be 0 to 1"):
        alinea.project.links([ENGLISH], [SPANISH], ["1-0"], rules=WEIGHED, threshold=2)
    with pytest.raises(alinea.ConfigError, match=r"max_rounds"):
        alinea.project.links([ENGLISH], [SPANISH], ["1-0"], max_rounds=0)
    with pytest.raises(TypeError, match=r"pass a file as a pathlib\.Path"):
        alinea.project.links(ENGLISH, [SPANISH], ["1-0"])
    mixed = ["0-0:0.5", [(0, 0, 0.5)]]
    with pytest.raises(TypeError, match=r"either lines or triples"):
        alinea.project.links([ENGLISH], [SPANISH], ["1-0"], rules=WEIGHED, confidences=mixed)  # type: ignore[arg-type]


def test_rules_may_be_written_with_the_names_of_another_parser(tmp_path: Path) -> None:
    names = tmp_path / "syntex.names"
    names.write_text(alinea.project.syntex_names(), encoding="utf-8")
    for given in (alinea.project.syntex_names(), names):
        found = alinea.project.links([ENGLISH], [SPANISH], ["1-0"], rules="V-OBJ-N / V-OBJ-N", names=given)
        assert found[0].tolist() == [[1, 0], [3, 1]]
    with pytest.warns(UserWarning, match=r"rule 1 never matches, no source tree has `V -OBJ-> N`"):
        found = alinea.project.links([ENGLISH], [SPANISH], ["1-0"], rules="V-OBJ-N / V-OBJ-N")
    assert found[0].tolist() == [[1, 0]]
    with pytest.raises(alinea.ParseError, match=r"rules:1:1: expected an edge"):
        alinea.project.links([ENGLISH], [SPANISH], ["1-0"], rules="NOUN / NOUN")


def test_other_threads_go_on() -> None:
    """Learning holds no lock: a thread counts on while it works."""
    trees = [ENGLISH] * 300, [SPANISH] * 300
    anchors, gold = ["1-0", "3-1"] * 150, ["1-0 2-2 3-1"] * 300
    done, counted = threading.Event(), 0

    def learn() -> None:
        alinea.project.learn_rules(*trees, anchors, gold, threads=1)
        done.set()

    thread = threading.Thread(target=learn)
    thread.start()
    while not done.wait(0.001):
        counted += 1
    thread.join()
    assert counted > 0

"""Runs NLTK's own tests of its aligners against :mod:`alinea.nltk`.

The source distribution of NLTK is downloaded once, into ``target``. Of it, the test files and the docstrings with
examples are laid out in a directory with a package ``nltk`` that is ours: its ``translate`` is :mod:`alinea.nltk`. A
process of its own runs them there. NLTK itself need not be installed; only its helpers for tests are imported.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import tarfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from other_suites import run_tests, source_distribution

import alinea

VERSION = "3.10.4"
SHA256 = "44679f4e9220abfd496d2c8cdb22f8425ccbe557604f9aa5cacb1c44003dabc1"
TARGET = Path(__file__).parents[2] / "target" / "nltk-suite"

MODULES = (
    "api",
    "bleu_score",
    "chrf_score",
    "gale_church",
    "gdfa",
    "gleu_score",
    "ibm1",
    "ibm2",
    "ibm3",
    "ibm4",
    "ibm5",
    "ibm_model",
    "lepor",
    "meteor_score",
    "metrics",
    "nist_score",
    "phrase_based",
    "ribes_score",
)
TESTS = (
    "unit/translate/test_alignment.py",
    "unit/translate/test_bleu.py",
    "unit/translate/test_gdfa.py",
    "unit/translate/test_ibm1.py",
    "unit/translate/test_ibm2.py",
    "unit/translate/test_ibm3.py",
    "unit/translate/test_ibm4.py",
    "unit/translate/test_ibm5.py",
    "unit/translate/test_ibm_model.py",
    "unit/translate/test_lepor.py",
    "unit/translate/test_meteor.py",
    "unit/translate/test_nist.py",
    "unit/translate/test_phrase_based_security.py",
    "unit/test_ribes.py",
    "unit/test_attack_translate_expanded.py",
)
DOCTESTS = ("translate.doctest", "bleu.doctest", "meteor.doctest")
HELPERS = ("test/__init__.py", "test/unit/__init__.py", "test/unit/timing.py", "test/unit/translate/__init__.py")

# What fails, why, and which test of ours takes its place.
EXCEPTIONS = {
    "test_gdfa.TestGDFA.test_from_eflomal_outputs": (
        "NLTK's grow_diag_final_and returns the union, and its lengths of sentences are not those of its alignments",
        "test_nltk_functions.py::test_directions_are_joined_as_by_symal",
    ),
    "gdfa.grow_diag_final_and.doctest": (
        "the example has the union as its value",
        "test_nltk_functions.py::test_directions_are_joined_as_by_symal",
    ),
    "test_bleu.TestBLEUvsMteval13a.test_corpus_bleu": (
        "the text is data of NLTK, which its source distribution does not have",
        "test_nltk_scores.py::test_bleu_of_a_corpus_is_that_of_nltk",
    ),
    "test_nist.TestNIST.test_sentence_nist": (
        "the text is data of NLTK, which its source distribution does not have",
        "test_nltk_scores.py::test_corpora_are_scored_as_by_nltk",
    ),
}
# Examples that need the Comtrans corpus, which is not free to ship.
WITHOUT_CORPUS = re.compile(r"com_ibm1|comtrans\.aligned_sents\(\)\[54\]")

SHIM = '''"""Stands for NLTK: what its tests import is alinea.nltk."""

import importlib
import sys
import types

sys.path.append({package!r})

from alinea import nltk as translate
from alinea.nltk._words import word_tokenize
from alinea.nltk.corpus import AlignedCorpusReader

sys.modules["nltk.translate"] = translate
for _name in {modules!r}:
    sys.modules[f"nltk.translate.{{_name}}"] = importlib.import_module(f"alinea.nltk.{{_name}}")
metrics = sys.modules["nltk.metrics"] = importlib.import_module("alinea.nltk.metrics")
data = sys.modules["nltk.data"] = types.ModuleType("nltk.data")


def _missing(name, *_):
    raise LookupError(f"{{name}} is data of NLTK, which is not here")


data.find = data.open_datafile = _missing
corpus = sys.modules["nltk.corpus"] = types.ModuleType("nltk.corpus")
# What decides whether a test may put a program into the home directory, which is one of its own here.
pathsec = sys.modules["nltk.pathsec"] = types.ModuleType("nltk.pathsec")
pathsec.is_private_dir = lambda path: True
corpus.comtrans = AlignedCorpusReader({data!r}, ["alignment-en-fr.txt"])
'''


def test_no_other_test_of_nltk_fails(outcomes: dict[str, str]) -> None:
    failed = {name: text for name, text in outcomes.items() if text and name not in EXCEPTIONS}
    assert not failed, "\n\n".join(f"{name}\n{text}" for name, text in failed.items())


def test_all_files_were_run(outcomes: dict[str, str]) -> None:
    # NLTK 3.10.4 has 12 docstrings with examples in these modules, and more than 150 tests in these files.
    run = {name.split(".")[0] for name in outcomes}
    assert {Path(name).stem for name in (*TESTS, *DOCTESTS)} <= run
    assert {"api", "gdfa", "ibm1", "ibm2", "ibm3", "ibm4", "ibm5", "metrics", "phrase_based"} <= run
    assert len(outcomes) > 150


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_exceptions_are_needed_and_few(outcomes: dict[str, str], name: str) -> None:
    assert len(EXCEPTIONS) <= 10
    assert outcomes[name], f"{name} passes: it is no exception any more"
    file, function = EXCEPTIONS[name][1].split("::")
    assert f"def {function}(" in Path(__file__).with_name(file).read_text("utf-8")


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What each test of NLTK said: its failure, or an empty text."""
    tree = tmp_path_factory.mktemp("nltk-suite")
    _lay_out(_source(), tree)
    return {_name(case): failure for case, failure in run_tests(tree, ["nltk/test", "examples"], {})}


def _name(case: ElementTree.Element) -> str:
    """File, class and function of a test; for examples, their file."""
    path = case.get("classname", "").split(".")
    if path[-1] == "doctest":
        return case.get("name", "").rsplit("/", 1)[-1]
    start = next((number for number, part in enumerate(path) if part.startswith("test_")), len(path))
    return ".".join([*path[start:], case.get("name", "")])


def _source() -> Path:
    return source_distribution(TARGET, "nltk", VERSION, SHA256)


def _lay_out(archive: Path, tree: Path) -> None:
    """Makes the directory in which the tests run."""
    package = tree / "nltk"
    wanted = [*(f"test/{name}" for name in TESTS), *HELPERS]
    with tarfile.open(archive) as source:
        for name in wanted:
            _write(package / name, _read(source, name))
        for module in MODULES:
            _write_examples(tree / "examples", module, _read(source, f"translate/{module}.py").decode())
        for name in DOCTESTS:
            text = _read(source, f"test/{name}").decode()
            _write(tree / "examples" / name, _without_corpus(text).encode())
    data = tree / "corpus"
    shutil.copytree(Path(__file__).with_name("data"), data)
    ours = os.fspath(Path(alinea.__file__).parents[1])
    (package / "__init__.py").write_text(SHIM.format(modules=MODULES, data=os.fspath(data), package=ours), "utf-8")
    (tree / "pytest.ini").write_text(
        "[pytest]\naddopts = --doctest-glob=*.doctest\ndoctest_optionflags = ELLIPSIS NORMALIZE_WHITESPACE\n", "utf-8"
    )


def _read(source: tarfile.TarFile, name: str) -> bytes:
    file = source.extractfile(f"nltk-{VERSION}/nltk/{name}")
    assert file is not None
    return file.read()


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _write_examples(folder: Path, module: str, source: str) -> None:
    """A file for each docstring with examples, which see the names of their module."""
    for parent in ast.walk(ast.parse(source)):
        for node in getattr(parent, "body", []) if isinstance(parent, (ast.Module, ast.ClassDef)) else []:
            if not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                continue
            text = ast.get_docstring(node) or ""
            if ">>>" in text:
                name = ".".join([module, *([parent.name] if isinstance(parent, ast.ClassDef) else []), node.name])
                # One example asks for what the module itself imports.
                start = f">>> from nltk.translate.{module} import *\n>>> from math import comb as choose\n\n"
                _write(folder / f"{name}.doctest", (start + _without_corpus(text)).encode())


def _without_corpus(text: str) -> str:
    """The text without the examples that need a corpus, and without what these print."""
    kept, skipped = [], False
    for line in text.split("\n"):
        if line.lstrip().startswith((">>>", "...")) or not line.strip():
            skipped = WITHOUT_CORPUS.search(line) is not None
        if not skipped:
            kept.append(line)
    return "\n".join(kept)

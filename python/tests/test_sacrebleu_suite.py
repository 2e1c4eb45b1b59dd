"""Runs sacreBLEU's own tests against :mod:`alinea.sacrebleu`.

The source distribution of sacreBLEU is downloaded once, into ``target``. Its test files are laid out in a directory
with a package ``sacrebleu`` that is ours, and a process of its own runs them there. sacreBLEU need not be installed.
"""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest
from other_suites import run_tests, source_distribution

import alinea

VERSION = "2.6.0"
SHA256 = "91499b6cd46138d95154fff1e863c2f9be57e82f0c719d8dd718d0006cf6c566"
TARGET = Path(__file__).parents[2] / "target" / "sacrebleu-suite"

TESTS = (
    "test_bleu.py",
    "test_chrf.py",
    "test_sentence_bleu.py",
    "test_significance.py",
    "test_ter.py",
    "test_tokenizer_ter.py",
)
DATA = ("wmt17_en_de_systems.pkl.bz2",)

# Files that are not run, and why.
EXCEPTIONS = {
    "test_api.py": "it lists and downloads test sets, which is not part of alinea.sacrebleu",
    "test_dataset.py": "it downloads and reads test sets, which is not part of alinea.sacrebleu",
}

SHIM = '''"""Stands for sacreBLEU: what its tests import is alinea.sacrebleu."""

import importlib
import pkgutil
import sys

sys.path.append({package!r})

from alinea import sacrebleu

sys.modules["sacrebleu"] = sacrebleu
for _module in pkgutil.walk_packages(sacrebleu.__path__, "alinea.sacrebleu."):
    sys.modules[_module.name.removeprefix("alinea.")] = importlib.import_module(_module.name)
'''


def test_no_test_of_sacrebleu_fails(outcomes: dict[str, str]) -> None:
    failed = {name: text for name, text in outcomes.items() if text}
    assert not failed, "\n\n".join(f"{name}\n{text}" for name, text in failed.items())


def test_all_files_were_run(outcomes: dict[str, str]) -> None:
    # sacreBLEU 2.6.0 has 130 tests in these files.
    assert {name.split(".")[0] for name in outcomes} == {Path(name).stem for name in TESTS}
    assert len(outcomes) == 130


def test_exceptions_are_all_other_files() -> None:
    with tarfile.open(_source()) as source:
        names = {Path(name) for name in source.getnames()}
    tests = {path.name for path in names if path.name.startswith("test_") and path.suffix == ".py"}
    assert tests == {*TESTS, *EXCEPTIONS}


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What each test of sacreBLEU said: its failure, or an empty text."""
    tree = tmp_path_factory.mktemp("sacrebleu-suite")
    (tree / "test").mkdir()
    (tree / "sacrebleu.py").write_text(SHIM.format(package=str(Path(alinea.__file__).parents[1])), "utf-8")
    with tarfile.open(_source()) as source:
        for name in (*TESTS, *DATA):
            member = source.extractfile(f"sacrebleu-{VERSION}/test/{name}")
            assert member is not None
            (tree / "test" / name).write_bytes(member.read())
    results = {}
    for case, failure in run_tests(tree, ["test"], {"PYTHONPATH": str(tree)}):
        file = case.get("classname", "").rsplit(".", 1)[-1]
        results[f"{file}.{case.get('name')}"] = failure
    return results


def _source() -> Path:
    # What it is built with may be a wheel: pip builds the metadata.
    return source_distribution(TARGET, "sacrebleu", VERSION, SHA256, no_binary="sacrebleu")

"""The scripts that build packages, the workflows that call them, and what packages say of themselves."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted(path for path in (ROOT / "packages").iterdir() if path.is_file() and not path.suffix)
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))

needs_bash = pytest.mark.skipif(sys.platform == "win32", reason="the scripts are for bash")


def run(script: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([script, *arguments], capture_output=True, text=True, check=False)


def cargo_version() -> str:
    found = re.search(r'^\[workspace\.package\]\nversion = "(.+)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)
    assert found
    return found[1]


def jobs(workflow: Path) -> dict[str, str]:
    """The jobs of a workflow by name, each as its lines."""
    parts = re.split(r"^  ([a-z]+):\n", workflow.read_text().split("\njobs:\n")[1], flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_script_says_how_it_is_used(script: Path) -> None:
    assert f"Usage: packages/{script.name}" in script.read_text()
    assert os.access(script, os.X_OK) or sys.platform == "win32"


def test_address_is_the_same_everywhere() -> None:
    found = re.search(r'^repository = "(.+)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)
    assert found
    address = re.escape(found[1])
    config = ".github/ISSUE_TEMPLATE/config.yml"
    for name, least in {"CITATION.cff": 2, "SECURITY.md": 1, "pyproject.toml": 3, config: 1}.items():
        stated = (ROOT / name).read_text()
        assert len(re.findall(rf"{address}(?![\w-])", stated)) >= least, name
    citation = (ROOT / "CITATION.cff").read_text()
    assert all(re.fullmatch(address, found) for found in re.findall(r"^(?:url|repository-code): (.+)$", citation, re.M))
    project = (ROOT / "pyproject.toml").read_text().split("[project.urls]\n")[1].split("\n[")[0]
    assert all(re.match(address, found) for found in re.findall(r'= "(.+)"', project))
    assert all(re.match(address, found) for found in re.findall(r"url: (.+)", (ROOT / config).read_text()))
    for manifest in (ROOT / "crates").glob("*/Cargo.toml"):
        for field in ("repository", "homepage", "documentation"):
            assert f"\n{field}.workspace = true\n" in manifest.read_text(), manifest
    assert f'\nhomepage = "{found[1]}"\n' in (ROOT / "Cargo.toml").read_text()


@needs_bash
def test_address_is_changed_everywhere(tmp_path: Path) -> None:
    files = [Path(name) for name in ("Cargo.toml", "CITATION.cff", "SECURITY.md", "pyproject.toml", "packages/address")]
    files.append(Path(".github/ISSUE_TEMPLATE/config.yml"))
    for file in files:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, tmp_path / file)
    script = tmp_path / "packages" / "address"
    before = run(script).stdout.strip()
    assert before.startswith("https://")

    told = run(script, "https://forge.example/ali.nea/")
    assert (told.returncode, told.stdout) == (0, "https://forge.example/ali.nea\n")
    assert run(script).stdout == "https://forge.example/ali.nea\n"
    for file in files:
        # Nothing else changes, nor who may run what.
        text = (ROOT / file).read_text().replace(before, "https://forge.example/ali.nea")
        assert (tmp_path / file).read_text() == text, file
        assert (tmp_path / file).stat().st_mode == (ROOT / file).stat().st_mode, file

    for wrong in ("forge.example", "https://", "https://a|b", "https://a b"):
        assert run(script, wrong).returncode != 0
    assert run(script).stdout == "https://forge.example/ali.nea\n"


def test_versions_agree() -> None:
    version = cargo_version()
    assert re.search(rf"^version: {re.escape(version)}$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    ours = re.findall(r'^alinea[a-z-]* = \{.*version = "(.+?)"', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)
    assert len(ours) >= 5
    assert set(ours) == {version}


@needs_bash
def test_tag_is_the_version() -> None:
    version = cargo_version()
    script = ROOT / "packages" / "version"
    assert run(script).stdout == version + "\n"
    assert "the tag is v99.0" in run(script, "v99.0").stderr
    # A version is released when the changelog says so.
    released = f"## {version}" in (ROOT / "CHANGELOG.md").read_text()
    assert (run(script, f"v{version}").returncode == 0) == released


@needs_bash
def test_changes_are_those_of_one_version(tmp_path: Path) -> None:
    (tmp_path / "packages").mkdir()
    shutil.copy(ROOT / "packages" / "changes", tmp_path / "packages")
    (tmp_path / "CHANGELOG.md").write_text("# C\n\n## 1.2.0 (2030-01-01)\n\n### New\n\n* a\n\n## 1.1.0\n\n* b\n")
    script = tmp_path / "packages" / "changes"
    assert run(script, "1.2.0").stdout == "\n### New\n\n* a\n\n"
    assert run(script, "1.1.0").stdout == "\n* b\n"
    assert run(script, "1.2").returncode == 1


def test_crates_are_published_after_what_they_need() -> None:
    listed = re.search(r"^crates=\((.+)\)$", (ROOT / "packages" / "crates").read_text(), re.MULTILINE)
    assert listed
    order = listed[1].split()
    needs = {}
    for manifest in (ROOT / "crates").glob("*/Cargo.toml"):
        text = manifest.read_text()
        if "publish = false" not in text:
            section = text.split("\n[dependencies]\n")[1].split("\n[")[0]
            needs[manifest.parent.name] = set(re.findall(r"^(alinea[a-z-]*)[. ]", section, re.MULTILINE))
    assert sorted(order) == sorted(needs)
    for place, crate in enumerate(order):
        assert needs[crate] <= set(order[:place]), crate


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_workflow_is_confined(workflow: Path) -> None:
    text = workflow.read_text()
    assert "\npermissions: {}\n" in text
    for name, job in jobs(workflow).items():
        assert "\n    permissions:\n" in job, name
        assert "\n    timeout-minutes: " in job, name
    # An action is what it was when it was read: a commit, and the version that it had then.
    used = re.findall(r"uses: (.+)", text)
    assert used
    assert all(re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action) for action in used), used


def test_an_action_has_one_version() -> None:
    used = {action for workflow in WORKFLOWS for action in re.findall(r"uses: (\S+)", workflow.read_text())}
    assert len(used) == len({action.split("@")[0] for action in used})


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_workflow_calls_scripts_that_exist(workflow: Path) -> None:
    # What a workflow does a developer can do, too.
    commands = re.findall(r"run: (.+)", workflow.read_text())
    assert commands
    for command in commands:
        called = re.findall(r"(?<![\w./])(packages/[\w-]+|\./test|\.ci/run)(?![\w/])", command)
        assert called or command.startswith("git config "), command
        assert all((ROOT / script).is_file() for script in called), command


def test_notice_permits_what_is_distributed() -> None:
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    # The licence demands that it comes with the data and with programs that have tables of them.
    assert "UNICODE LICENSE V3" in notice
    assert "COPYRIGHT AND PERMISSION NOTICE" in notice
    for path in re.findall(r"`((?:crates|python)/[^`]+)`", notice):
        assert (ROOT / path).exists(), path
    files = re.search(r"^license-files = \[(.+)\]$", (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert files
    assert {name.strip(' "') for name in files[1].split(",")} == {"LICENSE-MIT", "LICENSE-APACHE", "NOTICE"}

"""Tests of other projects, run against modules of ours: their source distributions, and what their tests say."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest


def source_distribution(directory: Path, project: str, version: str, sha256: str, no_binary: str = ":all:") -> Path:
    """The source distribution of a project, checked; downloaded where the directory does not have it.

    Args:
        directory: Where it is kept.
        project: The name on the package index.
        version: The version.
        sha256: The sum over its bytes.
        no_binary: What may not be a wheel; what the project is built with may, if only the project is named.
    """
    archive = directory / f"{project}-{version}.tar.gz"
    if not archive.exists() or _sha256(archive) != sha256:
        directory.mkdir(parents=True, exist_ok=True)
        wanted = directory / "requirements.txt"
        wanted.write_text(f"{project}=={version} --hash=sha256:{sha256}\n", "utf-8")
        command = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--no-deps"]
        command += ["--require-hashes", "--no-binary", no_binary]
        command += ["--dest", str(directory), "--requirement", str(wanted)]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
        if ended.returncode != 0:
            pytest.fail(
                f"these tests need the source distribution of {project} {version}, which pip could not download; put "
                f"it at {archive}, or run them with a connection to the package index.\n{ended.stdout}\n{ended.stderr}",
                pytrace=False,
            )
    assert _sha256(archive) == sha256, f"{archive} is not the source distribution of {project} {version}"
    return archive


def run_tests(tree: Path, tests: list[str], environment: dict[str, str]) -> list[tuple[ElementTree.Element, str]]:
    """Runs tests in a process of its own and returns each with its failure, or an empty text."""
    report = tree / "report.xml"
    command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={report}", "-p", "no:cacheprovider", *tests]
    ended = subprocess.run(
        command,
        cwd=tree,
        env={**os.environ, "HOME": str(tree), "USERPROFILE": str(tree), **environment},
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    assert report.exists(), f"the tests did not run:\n{ended.stdout}\n{ended.stderr}"
    return [(case, _failure(case)) for case in ElementTree.parse(report).iter("testcase")]


def _failure(case: ElementTree.Element) -> str:
    failures = [part for part in case if part.tag in {"failure", "error", "skipped"}]
    return "\n".join(f"{part.tag}: {part.get('message')}\n{part.text}" for part in failures)


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()

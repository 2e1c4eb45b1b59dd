"""The command as the package has it: ``python -m alinea``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

COMMAND: list[str | Path] = [sys.executable, "-m", "alinea"]


def test_the_command_is_that_of_the_toolkit(tmp_path: Path, command: Path) -> None:
    folders = tmp_path / "ours", tmp_path / "theirs"
    programs: list[list[str | Path]] = [COMMAND, [command]]
    for program, folder in zip(programs, folders, strict=True):
        subprocess.run([*program, "demo", "--dir", folder], check=True, capture_output=True)
    for name in ("en-fr.links", "en-fr.html"):
        assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes()


def test_exit_codes_are_those_of_the_command(tmp_path: Path) -> None:
    words = [*COMMAND, "align", "none", "none"]
    found = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith("error: none: No such file or directory")


@pytest.mark.skipif(sys.platform == "win32", reason="no shell of Windows closes a standard stream")
def test_closed_streams_are_empty(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("a\n")
    # Python itself opens files meanwhile, one of which might become a standard stream.
    script = 'exec "$0" -m alinea align - text -o links 0<&- 2>&-'
    found = subprocess.run(["sh", "-c", script, sys.executable], cwd=tmp_path, timeout=60, check=False)
    assert found.returncode == 2
    assert not (tmp_path / "links").exists()

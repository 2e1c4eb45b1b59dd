"""Where memory is missing: the command ends with a message, and other calls end the process with a line that says why.

What Rust cannot allocate is no `MemoryError`: code that asks for memory cannot go on without, nor return to Python.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of the address space")

# So much more than the process has already, of which tokens (4 bytes each) take more.
LIMIT = """
import resource

def limit(megabytes):
    (size,) = (int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmSize:"))
    resource.setrlimit(resource.RLIMIT_AS, ((size << 10) + (megabytes << 20),) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
"""
LINE = "a b c d e f g h i j k l m n o p q r s t u v w x y z"


def run(program: str, *words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", LIMIT + program, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def test_the_command_ends_with_a_message(tmp_path: Path) -> None:
    text, output = tmp_path / "text", tmp_path / "links"
    text.write_text(f"{LINE}\n" * 1_000_000)
    output.write_text("old")
    program = "import sys\nfrom alinea.__main__ import main\nlimit(40)\nsys.exit(main())"
    ended = run(program, "align", text, text, "-o", output, "-q", "--threads", 1)
    first, second, *more = ended.stderr.splitlines()
    assert re.fullmatch(r"error: not enough memory: cannot allocate another \d+ kB", first)
    assert second == "hint: --work-dir DIR keeps large arrays in memory-mapped files in a directory"
    assert (ended.returncode, ended.stdout, more) == (2, "", [])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["links", "text"]
    assert output.read_text() == "old"


def test_other_calls_end_the_process() -> None:
    program = f"import alinea\ntext = [{LINE!r}] * 1_000_000\nlimit(40)\nalinea.align(text, text, threads=1)"
    ended = run(program)
    # Backtraces are for those who ask for them.
    assert re.fullmatch(r"memory allocation of \d{8,} bytes failed", ended.stderr.splitlines()[0])
    assert (ended.returncode, ended.stdout) == (-signal.SIGABRT, "")

"""What the README and the pages in docs show runs as it is written, on the sample, and links lead somewhere.

Of a Markdown file these blocks run, in order, in one directory that has the files of `alinea demo --dir .`:

* ``console``: lines that begin with ``$ `` are commands for bash, which ``> `` continues. Lines below a command are
  lines of its output, one below the other; ``...`` stands for any characters of a line, and alone for any lines. A
  command without lines below may write anything. Commands must succeed, unless what is shown has a line ``error:``.
* ``python``: all blocks of a file are one program. A ``text`` block right behind it is what it writes, likewise; if its
  last statement is an expression, its value is written, too.

Blocks of other kinds (``sh``, ``text``) are not run.
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
DOCS = ROOT / "docs"
PAGES = [README, *sorted(DOCS.rglob("*.md"))]

FENCE = re.compile(r"^ *```(?P<kind>[^`]*?) *$")
# Made when the site is built.
GENERATED = ("docs/reference/command/", "docs/changelog.md")
SECONDS = 120
MOST_LINES = 150
MOST_BYTES = 150_000


@dataclass
class Block:
    """A fenced block: what it has, where it begins, and for Python what it should write."""

    kind: str
    line: int
    lines: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)


def blocks(text: str) -> list[Block]:
    """The blocks of a page that run."""
    found: list[Block] = []
    current: Block | None = None
    # The Python block with nothing but empty lines behind it.
    before: Block | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        fence = FENCE.match(line)
        if current is None:
            if fence:
                current = Block(fence["kind"] or "text", number)
            elif line.strip():
                before = None
        elif fence and not fence["kind"]:
            if current.kind == "text" and before is not None:
                before.written = current.lines
            found.append(current)
            before = current if current.kind == "python" else None
            current = None
        else:
            current.lines.append(line)
    assert current is None, f"line {current.line}: a block without an end"
    return [block for block in found if block.kind in {"console", "python"}]


def commands(block: Block) -> Iterator[tuple[str, list[str]]]:
    """The commands of a block, each with the lines below it."""
    command: str | None = None
    below: list[str] = []
    for line in block.lines:
        if line.startswith("$ "):
            if command is not None:
                yield command, below
            command, below = line[2:], []
        elif line.startswith("> ") and command is not None and not below:
            command += "\n" + line[2:]
        else:
            assert command is not None, f"line {block.line}: output without a command"
            below.append(line)
    if command is not None:
        yield command, below


def is_shown(expected: list[str], written: str) -> bool:
    """Whether lines are among what was written."""
    lines = [line.rstrip() for line in expected]
    while lines and not lines[-1]:
        lines.pop()
    patterns = [
        r"(?:.*\n)*?" if line == "..." else ".*".join(map(re.escape, line.split("..."))) + "\n" for line in lines
    ]
    output = "\n".join(line.rstrip() for line in written.splitlines()) + "\n"
    return re.search("^" + "".join(patterns), output, re.MULTILINE) is not None


@contextlib.contextmanager
def in_directory(directory: Path) -> Iterator[None]:
    """Does something there."""
    before = Path.cwd()
    os.chdir(directory)
    try:
        yield
    finally:
        os.chdir(before)


class Session:
    """A directory with the sample, in which the blocks of a page run."""

    def __init__(self, command: Path, directory: Path) -> None:
        self.directory = directory
        self.names: dict[str, Any] = {"__name__": "__main__"}
        # The picture of the last value that has one.
        self.shown: str | None = None
        self.beside = directory.parent / (directory.name + "-beside")
        programs = self.beside / "bin"
        programs.mkdir(parents=True)
        for name, program in (("alinea", command.resolve()), ("python", sys.executable), ("python3", sys.executable)):
            script = programs / name
            script.write_text(f'#!/bin/sh\nexec {shlex.quote(os.fspath(program))} "$@"\n', encoding="utf-8")
            script.chmod(0o755)
        self.environment = {
            **os.environ,
            "PATH": f"{programs}{os.pathsep}{os.environ.get('PATH', '')}",
            "TMPDIR": os.fspath(self.beside),
            "LC_ALL": "C.UTF-8",
        }

    def run(self, block: Block) -> None:
        """Runs a block."""
        if block.kind == "python":
            self._run_python(block)
            return
        for command, below in commands(block):
            self._run_command(command, below, block.line)

    def _run_command(self, command: str, below: list[str], line: int) -> None:
        where = self.beside / "directory"
        script = f"{command}\nstatus=$?; pwd >{shlex.quote(os.fspath(where))}; exit $status"
        with (self.beside / "errors").open("w+", encoding="utf-8") as errors:
            ended = subprocess.run(
                ["bash", "-c", script],
                cwd=self.directory,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                encoding="utf-8",
                timeout=SECONDS,
                check=False,
            )
            errors.seek(0)
            written = (ended.stdout, errors.read())
        said = f"line {line}: $ {command}\n" + "".join(written)
        if where.exists():
            self.directory = Path(where.read_text(encoding="utf-8").rstrip("\n"))
        fails = any(text.startswith("error:") for text in below)
        assert (ended.returncode != 0) == fails, f"exit status {ended.returncode}, {said}"
        if any(map(str.strip, below)):
            # A terminal shows both, in either order.
            outputs = (*written, "".join(written), "".join(reversed(written)))
            shown = "\n".join(below)
            assert any(is_shown(below, output) for output in outputs), f"{said}\nis not what is shown:\n{shown}"

    def _run_python(self, block: Block) -> None:
        tree = ast.parse("\n".join(block.lines))
        last = tree.body[-1] if tree.body else None
        value = ast.Expression(last.value) if isinstance(last, ast.Expr) else None
        if value is not None:
            tree.body.pop()
        output = io.StringIO()
        with in_directory(self.directory), contextlib.redirect_stdout(output), warnings.catch_warnings():
            # Users see warnings; here they are errors.
            warnings.simplefilter("ignore")
            name = f"line {block.line}"
            exec(compile(tree, name, "exec"), self.names)
            if value is not None:
                last_value = eval(compile(value, name, "eval"), self.names)
                if last_value is not None:
                    print(repr(last_value))
                if draw := getattr(last_value, "_repr_svg_", None):
                    self.shown = draw()
        if block.written:
            written, shown = output.getvalue(), "\n".join(block.written)
            assert is_shown(block.written, written), f"line {block.line}:\n{written}\nis not what is shown:\n{shown}"


@pytest.fixture
def session(command: Path, tmp_path: Path) -> Session:
    directory = tmp_path / "sample"
    directory.mkdir()
    subprocess.run(
        [command.resolve(), "demo", "--dir", "."], cwd=directory, check=True, capture_output=True, timeout=SECONDS
    )
    return Session(command, directory)


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


runs_blocks = pytest.mark.skipif(sys.platform == "win32", reason="the commands of the pages are for a shell of Unix")


@runs_blocks
@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page.read_text(encoding="utf-8"))], ids=name_of)
def test_blocks_run_as_written(page: Path, session: Session) -> None:
    for block in blocks(page.read_text(encoding="utf-8")):
        session.run(block)


@runs_blocks
def test_the_picture_of_the_readme_is_that_of_its_python(session: Session) -> None:
    for block in blocks(README.read_text(encoding="utf-8")):
        session.run(block)
    kept = (DOCS / "pictures" / "cell.svg").read_text(encoding="utf-8")
    assert session.shown == kept, "docs/pictures/cell.svg is another one: run docs/screenshot"


def test_the_readme_is_short_and_has_its_commands() -> None:
    text = README.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MOST_LINES
    for command in ("cargo run --release --bin alinea -- demo", "./test"):
        assert re.search(rf"^{re.escape(command)}(?: +#.*)?$", text, re.MULTILINE), command
    assert (DOCS / "pictures" / "page.png").stat().st_size <= MOST_BYTES


def anchors(text: str) -> set[str]:
    """The anchors of headings, as GitHub makes them."""
    found: dict[str, int] = {}
    fenced = False
    names = set()
    for line in text.splitlines():
        fenced ^= line.lstrip().startswith("```")
        if fenced or not re.match(r"#{1,6} ", line):
            continue
        heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", line.lstrip("#").strip())
        anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        number = found[anchor] = found.get(anchor, -1) + 1
        names.add(f"{anchor}-{number}" if number else anchor)
    return names


@pytest.mark.parametrize(
    "page", [*PAGES, *(ROOT / name for name in ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md"))], ids=name_of
)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if name_of(target).startswith(GENERATED):
            continue
        if not target.exists() or (anchor and anchor not in anchors(target.read_text(encoding="utf-8"))):
            broken.append(link)
    assert broken == []

"""What several test files use."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

Text = tuple[list[str], list[str]]


@pytest.fixture
def aligned_corpus() -> Path:
    """A folder with a file of aligned sentences."""
    return Path(__file__).with_name("data")


@pytest.fixture(scope="session")
def text() -> Text:
    """Sentences made by a small dictionary: each source word has one translation, in another order at times."""
    generator = random.Random(7)
    source, target = [], []
    for _ in range(600):
        words = [f"s{min(int(generator.expovariate(0.05)), 99)}" for _ in range(generator.randrange(0, 14))]
        translated = ["t" + word[1:] for word in words if generator.random() < 0.9]
        if len(translated) > 3 and generator.random() < 0.3:
            translated = translated[2:] + translated[:2]
        source.append(" ".join(words))
        target.append(" ".join(translated))
    return source, target


@pytest.fixture(scope="session")
def command() -> Path:
    """The command: that which ALINEA_COMMAND names, otherwise built from this repository."""
    if named := os.environ.get("ALINEA_COMMAND"):
        return Path(named)
    build = ["cargo", "build", "--quiet", "--locked", "--bin", "alinea"]
    subprocess.run(build, cwd=ROOT, check=True, stdin=subprocess.DEVNULL)
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"), "debug", "alinea")


@pytest.fixture(scope="session")
def answer(command: Path) -> Callable[..., str]:
    """What the command writes to standard output, given arguments."""

    def run(*arguments: object) -> str:
        words = [os.fspath(command), *map(str, arguments), "--quiet"]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout

    return run

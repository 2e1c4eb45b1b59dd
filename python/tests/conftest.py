"""What several test files use."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import alinea

if TYPE_CHECKING:
    from browsers import Open, View
    from playwright.sync_api import Browser, BrowserContext, Page

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
def model_file(text: Text, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of half of that text."""
    path = tmp_path_factory.mktemp("model") / "model.alinea"
    source, target = text
    alinea.train(source[:300], target[:300], path)
    return path


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


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A browser; only the tests that ask for one need Playwright."""
    from browsers import launch  # noqa: PLC0415
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    if sys.platform == "win32":
        pytest.skip("pages are the same bytes on all systems; the tests on the others open them")
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def view(command: Path, tmp_path: Path) -> View:
    """Writes a page, with these arguments and files, and returns where it is."""

    def write(*arguments: object, **files: str | bytes) -> Path:
        for name, content in files.items():
            (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        page = tmp_path / "page.html"
        words = [os.fspath(command), "view", *map(str, arguments), "-o", os.fspath(page)]
        subprocess.run(words, cwd=tmp_path, check=True, timeout=60)
        return page

    return write


@pytest.fixture
def show(browser: Browser) -> Iterator[Open]:
    """Opens a page; at the end no script may have failed, and nothing may have been asked for."""
    from browsers import DESK  # noqa: PLC0415

    contexts: list[BrowserContext] = []
    troubles: list[str] = []

    def on_page(
        path: Path, size: dict[str, int] = DESK, *, phone: bool = False, dark: bool = False, pair: str = ""
    ) -> Page:
        context = browser.new_context(
            viewport={"width": size["width"], "height": size["height"]},
            has_touch=phone,
            is_mobile=phone,
            color_scheme="dark" if dark else "light",
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: troubles.append(f"script: {error}"))
        page.on("console", lambda message: troubles.append(f"console: {message.text}"))
        page.on(
            "request",
            lambda request: troubles.extend([] if request.url.split("#")[0] == path.as_uri() else [request.url]),
        )
        page.goto(path.as_uri() + pair)
        return page

    yield on_page
    for context in contexts:
        context.close()
    assert troubles == []


@pytest.fixture(scope="module")
def spark_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    from spark_cluster import home  # noqa: PLC0415

    directory = tmp_path_factory.mktemp("spark")
    with home(directory):
        yield directory


@pytest.fixture(scope="module")
def spark(spark_home: Path) -> Iterator[Any]:
    from spark_cluster import session  # noqa: PLC0415

    with session(spark_home) as started:
        yield started

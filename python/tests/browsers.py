"""A headless Chromium for tests of pages: one that is installed, or one that can be had; and what those tests share."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, Playwright

ROOT = Path(__file__).parents[2]

# Screenshots, to be looked at.
SCREENSHOTS = ROOT / "target" / "screenshots"

DESK = {"width": 1280, "height": 800}

Open = Callable[..., Page]
View = Callable[..., Path]

ARABIC = "قرأ الطالب كتابا جديدا ( في المكتبة ) أمس ."
READ = "the student read a new book ( in the library ) yesterday ."
HEBREW = "הילדה כתבה מכתב ארוך לחברה שלה ."
WROTE = "the girl wrote a long letter to her friend ."

# What Chromium is called; the variable names another one.
VARIABLE = "ALINEA_CHROMIUM"
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
DEBIAN = "chromium-headless-shell"

# Where Playwright puts its own.
DOWNLOADS = ROOT / "target" / "browsers"


def launch(playwright: Playwright) -> Browser:
    """Starts a Chromium; installs one where there is none.

    That is, in this order: the program that the variable ALINEA_CHROMIUM names, one that is installed, the one that
    Playwright downloads (under `target`), and Debian's package, for which one must be root.
    """
    tried: list[str] = []
    for route in (_installed, _downloaded, _from_debian):
        found, note = route()
        tried.append(note)
        if found is not None:
            return _start(playwright, found)
    pytest.fail(
        f"the tests of pages need a Chromium, and none could be had; install one, or name one by {VARIABLE}.\n"
        + "\n".join(tried),
        pytrace=False,
    )


def picture(page: Page, name: str) -> None:
    """Takes a screenshot."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png")


def _start(playwright: Playwright, program: str) -> Browser:
    # Chromium has no sandbox for root.
    arguments = ["--disable-gpu", *(["--no-sandbox"] if _is_root() else [])]
    try:
        return playwright.chromium.launch(executable_path=program, args=arguments)
    except Error as error:
        pytest.fail(f"{program} does not start; {VARIABLE} names another Chromium.\n{error}", pytrace=False)


def _installed() -> tuple[str | None, str]:
    wanted = os.environ.get(VARIABLE)
    found = wanted or next((path for path in map(shutil.which, NAMES) if path), None)
    return found, f"installed: none of {', '.join(NAMES)}"


def _downloaded() -> tuple[str | None, str]:
    os.environ["PLAYWRIGHT_BROWSERS_PATH"] = os.fspath(DOWNLOADS)
    command = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
    ended = _run(command)
    programs = sorted(DOWNLOADS.glob("chromium*/*/*headless?shell*"))
    found = next((path for path in programs if path.is_file() and os.access(path, os.X_OK)), None)
    return (os.fspath(found) if found else None), f"download: {ended}"


def _from_debian() -> tuple[str | None, str]:
    if not _is_root() or shutil.which("apt-get") is None:
        return None, "Debian: not root, or no apt-get"
    ended = _run(["apt-get", "install", "-qq", "--yes", "--no-install-recommends", DEBIAN])
    if shutil.which(DEBIAN) is None:
        _run(["apt-get", "update", "-qq"])
        ended = _run(["apt-get", "install", "-qq", "--yes", "--no-install-recommends", DEBIAN])
    return shutil.which(DEBIAN), f"Debian: {ended}"


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _run(command: list[str]) -> str:
    """What a command said at its end; empty if all went well."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        ended = subprocess.run(
            command, capture_output=True, text=True, timeout=600, check=False, env=environment, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return "" if ended.returncode == 0 else (ended.stdout + ended.stderr)[-400:].strip()

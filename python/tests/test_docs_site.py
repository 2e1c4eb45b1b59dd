"""The pages of the documentation hang together; test_readme.py runs what they show, and docs/build builds them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import alinea
import alinea.distributed
import alinea.metrics
import alinea.parts
import alinea.project
import alinea.reorder

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md"))
# What docs/build adds.
GENERATED = {"changelog"}


def text(page: str) -> str:
    return (DOCS / f"{page}.md").read_text(encoding="utf-8")


def below(page: str) -> set[str]:
    """The pages that the navigation has below one, as conf.py and its lists of pages say."""
    found = {other for other in PAGES if "/" not in page and other.startswith(f"{page}/")}
    folder = Path(page).parent
    for block in re.findall(r"^```\{toctree\}\n(.*?)^```", text(page), re.MULTILINE | re.DOTALL):
        entries = [line for line in block.splitlines() if line and not line.startswith(":")]
        found.update((folder / entry).as_posix() for entry in entries if "*" not in entry)
    return found


def test_every_page_is_in_the_navigation() -> None:
    found, new = {"index"}, {"index"}
    while new:
        new = set().union(*map(below, new - GENERATED)) - found
        found |= new
    assert found - GENERATED == set(PAGES)


@pytest.mark.parametrize(
    "module", [alinea, alinea.distributed, alinea.metrics, alinea.parts, alinea.project, alinea.reorder]
)
def test_the_reference_has_every_name(module: object) -> None:
    name, public = getattr(module, "__name__", ""), getattr(module, "__all__", [])
    described = []
    for page in (page for page in PAGES if page.startswith("reference/python/")):
        for block in re.findall(r"^\.\. currentmodule:: (.*?)^```", text(page), re.MULTILINE | re.DOTALL):
            if block.splitlines()[0] == name:
                described += re.findall(r"^\.\. auto\w+:: (\w+)$", block, re.MULTILINE)
    assert sorted(described) == sorted(set(public) - {"__version__"})


def test_tools_have_exact_versions() -> None:
    lines = (DOCS.parent / "python/requirements-docs.txt").read_text(encoding="utf-8").splitlines()
    required = [line for line in lines if line and not line.startswith("#")]
    assert required
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in required)

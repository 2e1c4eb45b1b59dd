from __future__ import annotations

import doctest
import inspect
from collections.abc import Iterator

import pytest

import alinea
import alinea.distributed
import alinea.metrics
import alinea.parts
import alinea.project
import alinea.reorder


def documented() -> Iterator[tuple[str, object]]:
    """What the package has for its users: functions and classes, and what classes have."""
    modules = (alinea, alinea.distributed, alinea.metrics, alinea.parts, alinea.project, alinea.reorder)
    for name, item in [(name, getattr(module, name)) for module in modules for name in module.__all__]:
        if not inspect.isfunction(item) and not inspect.isclass(item):
            continue
        yield name, item
        # A protocol is shown whole.
        if inspect.isclass(item) and not getattr(item, "_is_protocol", False):
            for member, value in vars(item).items():
                value = value.__func__ if isinstance(value, classmethod) else value  # noqa: PLW2901
                if not member.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
                    yield f"{name}.{member}", value


@pytest.mark.parametrize("item", [pytest.param(item, id=name) for name, item in documented()])
def test_documentation_has_an_example(item: object) -> None:
    # Doctests show that it runs.
    text = inspect.getdoc(item) or ""
    assert ">>> " in text or item is alinea.ProgressBar


@pytest.mark.parametrize("item", [pytest.param(item, id=name) for name, item in documented() if "." in name])
def test_examples_of_methods_run(item: object) -> None:
    # Those of functions and classes run by themselves; pytest does not find methods of classes that tell another module
    # than the one they are in.
    names = vars(inspect.getmodule(item.fget if isinstance(item, property) else item))
    test = doctest.DocTestParser().get_doctest(inspect.getdoc(item) or "", dict(names), "example", None, 0)
    written: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    assert runner.run(test, out=written.append).failed == 0, "".join(written)

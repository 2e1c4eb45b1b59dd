"""Files of the package do not import each other in circles."""

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "alinea"


def modules() -> dict[str, Path]:
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(tree: ast.AST, known: dict[str, Path]) -> Iterator[str]:
    """The modules that a file imports when it is imported itself: not in functions, and not for types alone."""
    inside = {*known, "alinea._native"}
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ImportFrom) and node.module in known:
            submodules = [f"{node.module}.{name.name}" for name in node.names if f"{node.module}.{name.name}" in inside]
            yield from (module for module in submodules if module in known)
            if len(submodules) < len(node.names):
                yield node.module
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name in known)
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from imports(node, known)


def test_no_file_imports_itself_by_way_of_others() -> None:
    known = modules()
    assert len(known) > 60
    uses = {name: set(imports(ast.parse(path.read_text(encoding="utf-8")), known)) for name, path in known.items()}
    assert "alinea._columns" in uses["alinea._model"]
    for name in known:
        reached: set[str] = set()
        left = list(uses[name])
        while left:
            module = left.pop()
            if module not in reached:
                reached.add(module)
                left.extend(uses[module])
        assert name not in reached, name

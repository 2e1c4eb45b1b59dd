"""How the documentation site is built; docs/build runs it."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import typing
from pathlib import Path

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import PycodeError
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.nodes import make_refnode

import alinea

project = "alinea"
author = "the alinea contributors"
version = release = alinea.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
# Headings are targets of links.
myst_heading_anchors = 4
highlight_language = "text"

# The Python package.
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
napoleon_numpy_docstring = False
# Fields of tuples are described in the docstrings of their classes.
napoleon_use_ivar = True
# `Score` is a class in one package, and a name of values in another.
suppress_warnings = ["ref.python"]

html_theme = "furo"
html_title = f"alinea {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
pygments_style = "friendly"
pygments_dark_style = "github-dark"


class _Bare(str):
    """An annotation that is shown as it is written."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _as_written(
    _: Sphinx, what: str, __: str, item: typing.Any, ___: object, signature: str | None, ____: object
) -> tuple[str, str | None] | None:
    """A signature with the names of types that the source has, not with what these stand for."""
    if signature is None or what not in ("class", "exception", "function", "method"):
        return None
    try:
        found = inspect.signature(item)
    except (TypeError, ValueError):
        return None
    parameters = list(found.parameters.values())
    if what == "method" and inspect.isfunction(item) and parameters and parameters[0].name == "self":
        del parameters[0]
    annotations = [parameter.annotation for parameter in parameters] + [found.return_annotation]
    if any(not isinstance(annotation, str) and annotation is not inspect.Signature.empty for annotation in annotations):
        return None
    bare = [p if p.annotation is p.empty else p.replace(annotation=_Bare(p.annotation)) for p in parameters]
    returned = found.return_annotation if isinstance(found.return_annotation, str) and what != "class" else None
    return str(found.replace(parameters=bare, return_annotation=inspect.Signature.empty)), returned


def _strings_below_names() -> dict[tuple[str, str], list[str]]:
    """The strings below attributes of modules, such as names of types, by package and name."""
    found = {}
    for package in ("alinea", "alinea.distributed", "alinea.metrics", "alinea.reorder"):
        for module in pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}."):
            try:
                strings = ModuleAnalyzer.for_module(module.name).find_attr_docs()
            except PycodeError:  # The native module has no source.
                continue
            found.update({(package, name): lines for (scope, name), lines in strings.items() if not scope})
    return found


_BELOW = _strings_below_names()
_SECTION = re.compile(r"(Args|Attributes|Raises|Returns|Warns|Yields):$", re.MULTILINE)
_kept: dict[str, list[str]] = {}


def _before_napoleon(_: Sphinx, what: str, name: str, value: object, __: object, lines: list[str]) -> None:
    """Describes a name of a type by the string below it, and keeps docstrings of attributes as they are."""
    if what == "data":
        package, _, attribute = name.rpartition(".")
        lines[:] = _BELOW.get((package, attribute), lines)
        if typing.get_origin(value) is typing.Literal:
            lines += ["", "One of " + ", ".join(f"``{item!r}``" for item in typing.get_args(value)) + "."]
    _kept.pop(name, None)
    if what in ("attribute", "data", "property") and not _SECTION.search("\n".join(lines)):
        _kept[name] = lines.copy()


def _after_napoleon(_: Sphinx, __: str, name: str, ___: object, ____: object, lines: list[str]) -> None:
    """Undoes what napoleon makes of attributes: it takes what precedes a colon for a type."""
    lines[:] = _kept.pop(name, lines)


def _link_name_of_type(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, text: nodes.TextElement
) -> nodes.reference | None:
    """Links names of types in signatures, which Sphinx takes for classes."""
    for package in (node.get("py:module"), "alinea"):
        entry = env.domains.python_domain.objects.get(f"{package}.{node['reftarget']}")
        if node["refdomain"] == "py" and entry is not None:
            return make_refnode(app.builder, node["refdoc"], entry.docname, entry.node_id, text)
    return None


def _add_parts(app: Sphinx, name: str, source: list[str]) -> None:
    """Puts the pages in a folder below the page of the same name in the navigation."""
    if "/" not in name and Path(app.srcdir, name).is_dir():
        source[0] += f"\n```{{toctree}}\n:hidden:\n:glob:\n\n{name}/*\n```\n"


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-signature", _as_written)
    app.connect("autodoc-process-docstring", _before_napoleon, priority=400)
    app.connect("autodoc-process-docstring", _after_napoleon, priority=600)
    app.connect("missing-reference", _link_name_of_type)
    app.connect("source-read", _add_parts)

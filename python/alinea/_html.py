"""Tables and pictures for notebooks: the HTML of results.

Everything is escaped. Colors are those of the notebook, light or dark: nothing here names one but ``currentColor``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

_TABLE = "border-collapse:collapse"
_CAPTION = "margin:.3em 0;overflow-wrap:anywhere"
_HEAD = "border-bottom:1px solid currentColor;padding:.2em .8em;text-align:"
_CELL = "padding:.1em .8em;text-align:"
_NOTE = "margin:.3em 0;opacity:.7;overflow-wrap:anywhere;white-space:pre-line"
_FRAME = "border:1px solid currentColor;box-sizing:border-box"

ITEMS = 30
"""How many short texts there are in a cell at most."""


def table(
    caption: str,
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    align: str | None = None,
    more: int = 0,
    note: str = "",
) -> str:
    """A table.

    Args:
        caption: What is said above it.
        head: The heads of the columns; may be empty.
        rows: The cells of each row, as text.
        align: ``l`` or ``r`` for each column; without it, ``l`` for the first and ``r`` for the others.
        more: How many rows there are that are not shown.
        note: What is said below, such as a signature.
    """
    sides = ["left" if side == "l" else "right" for side in align or ""]

    def side(column: int) -> str:
        return sides[column] if sides else "right" if column else "left"

    lines = ['<div style="overflow-x:auto">']
    if caption:
        lines.append(f'<p style="{_CAPTION}">{escape(caption)}</p>')
    lines.append(f'<table style="{_TABLE}">')
    if head:
        cells = (f'<th scope="col" style="{_HEAD}{side(n)}">{escape(text)}</th>' for n, text in enumerate(head))
        lines.append(f"<thead><tr>{''.join(cells)}</tr></thead>")
    lines.append("<tbody>")
    for row in rows:
        cells = (f'<td style="{_CELL}{side(n)}">{escape(text)}</td>' for n, text in enumerate(row))
        lines.append(f"<tr>{''.join(cells)}</tr>")
    lines.append("</tbody></table>")
    if more:
        lines.append(f'<p style="{_NOTE}">… {more:,} more</p>')
    if note:
        lines.append(f'<p style="{_NOTE}">{escape(note)}</p>')
    return "\n".join([*lines, "</div>"])


def drawing(svg: str) -> str:
    """A picture, which can be scrolled if it is wide."""
    # A prolog, as Graphviz writes one, is for files.
    return f'<div style="overflow-x:auto">{svg[svg.index("<svg") :]}</div>'


def frame(page: str, title: str) -> str:
    """A page in a frame of its own: neither has a say in the other."""
    content = page.replace("&", "&amp;").replace("'", "&#39;")
    allowed = "allow-scripts allow-forms"
    return (
        f'<iframe title="{escape(title)}" sandbox="{allowed}" width="100%" height="640" style="{_FRAME}"'
        f" srcdoc='{content}'></iframe>"
    )


def text(content: str) -> str:
    """Text as it stands."""
    return f'<pre style="line-height:1.2;overflow-x:auto">{escape(content)}</pre>'


def note(content: str) -> str:
    """A sentence."""
    return f'<p style="{_NOTE}">{escape(content)}</p>'


def several(texts: Sequence[str], count: int | None = None) -> str:
    """The first of some short texts; ``count`` is how many there are, if they are not all given."""
    more = (len(texts) if count is None else count) - ITEMS
    return " ".join(texts[:ITEMS]) + (f" … {more:,} more" if more > 0 else "")


def percent(value: float | None, digits: int = 2) -> str:
    """A fraction in percent, without the sign."""
    return "–" if value is None else f"{100 * value:.{digits}f}"


def percents(interval: tuple[float, float] | None) -> str:
    """An interval of fractions in percent."""
    return "–" if interval is None else f"[{percent(interval[0])}, {percent(interval[1])}]"


def number(value: float | None, digits: int = 4) -> str:
    """A number."""
    return "–" if value is None else f"{value:.{digits}f}"


def columns(rows: Sequence[dict[str, object]]) -> dict[str, list[object]]:
    """The columns of rows that all have the same names."""
    names = rows[0] if rows else ()
    return {name: [row[name] for row in rows] for name in names}

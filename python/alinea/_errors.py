"""The exceptions of this package."""

from __future__ import annotations


class Error(Exception):
    """An error reported by this package: texts of unequal length, nothing to align, and the classes below.

    >>> import alinea
    >>> alinea.align(["yes"], [])
    Traceback (most recent call last):
        ...
    alinea.Error: unequal lengths: source has 1 line, target has 0

    Files that cannot be read or written are the ``OSError`` that Python itself would raise, such as
    ``FileNotFoundError``; an argument of a wrong type is a ``TypeError``.
    """


class ParseError(Error, ValueError):
    """A malformed line of a file or item of a sequence.

    >>> import alinea
    >>> try:
    ...     alinea.symmetrize(["0-0", "0-0 x"], ["0-0", "0-0"], "union")
    ... except alinea.ParseError as error:
    ...     print(error.path, error.line, error.column)
    forward 2 5

    Attributes:
        path: The file, ``<memory>`` for a line that was passed as a ``str``, or the name of the argument.
        line: The line of the file or the item of the sequence, from 1.
        column: The byte in the line, from 1; 0 for the whole line.
    """

    path: str
    line: int
    column: int

    def __init__(self, message: str, path: str, line: int, column: int) -> None:
        # All arguments stay in `args`, so that the exception can be pickled.
        super().__init__(message, path, line, column)
        self.path = path
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return str(self.args[0])


class ConfigError(Error, ValueError):
    """An option with a value that is not allowed.

    >>> import alinea
    >>> try:
    ...     alinea.align(["yes"], ["oui"], threshold=2)
    ... except alinea.ConfigError as error:
    ...     print(error.field, error.value, error.allowed)
    threshold 2 0 to 1

    Attributes:
        field: The name of the option.
        value: The value, as text.
        allowed: What is allowed.
    """

    field: str
    value: str
    allowed: str

    def __init__(self, message: str, field: str, value: str, allowed: str) -> None:
        super().__init__(message, field, value, allowed)
        self.field = field
        self.value = value
        self.allowed = allowed

    def __str__(self) -> str:
        return str(self.args[0])


def config_error(field: str, value: object, allowed: str) -> ConfigError:
    """A :class:`ConfigError` with the message of all of them."""
    return ConfigError(f"{field} = {value}: must be {allowed}", field, str(value), allowed)


for _exception in (Error, ParseError, ConfigError):
    _exception.__module__ = "alinea"
del _exception

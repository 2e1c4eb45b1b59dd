"""Columns of Spark by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alinea._errors import config_error

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


def column_of(frame: DataFrame, field: str, name: str) -> Column:
    """The column that the argument ``field`` names, whatever characters are in the name.

    Raises:
        ConfigError: There is no such column, or more than one.
    """
    if frame.columns.count(name) != 1:
        raise config_error(field, name, f"one of the columns {', '.join(frame.columns)}")
    return frame["`" + name.replace("`", "``") + "`"]

"""Models that stay open: engines unpickle an aligner for each task, and a process runs many tasks.

Drivers and workers have one version of the package: ``check_version``.
"""

from __future__ import annotations

import os
import threading
from functools import lru_cache

from alinea._errors import Error
from alinea._model import TrainedModel

_MOST_MODELS = 4
_LOCK = threading.Lock()


def check_version(driver: str, here: str) -> None:
    """Refuses a driver with another version of the package.

    Raises:
        Error: It has another one.
    """
    if driver != here:
        raise Error(f"this process has alinea {here}, the driver has {driver}: install one version everywhere")


def open_model(path: str) -> TrainedModel:
    """The model in a file, opened when it is first asked for, and again when the file is another.

    Raises:
        OSError: The file cannot be read.
        Error: It is no model.
    """
    status = os.stat(path)
    # Tasks may be threads of one process; the others wait for the one that opens the model.
    with _LOCK:
        return _opened(path, status.st_size, status.st_mtime_ns)


@lru_cache(_MOST_MODELS)
def _opened(path: str, _size: int, _modified: int) -> TrainedModel:
    return TrainedModel(path)

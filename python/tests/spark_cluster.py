"""Spark with two executors, each a process of its own, and what happens to processes."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

OLDEST_JAVA = 17
# Less work at the start, which is most of the time.
JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SECONDS = 60


def java() -> int:
    """The version of Java; 0 without it."""
    home = os.environ.get("JAVA_HOME")
    program = shutil.which(Path(home, "bin", "java") if home else "java")
    told = subprocess.run([program, "-version"], capture_output=True, text=True, check=False).stderr if program else ""
    found = re.search(r' version "(\d+)', told)
    return int(found[1]) if found else 0


NEEDED = [
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc"),
    pytest.mark.skipif(java() < OLDEST_JAVA, reason=f"Spark needs Java {OLDEST_JAVA} or later"),
]


@contextlib.contextmanager
def home(directory: Path) -> Iterator[None]:
    """Spark writes to this directory: executors, below what SPARK_HOME names."""
    import pyspark  # noqa: PLC0415

    for entry in Path(pyspark.__file__).parent.iterdir():
        (directory / entry.name).symlink_to(entry)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_HOME", os.fspath(directory))
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        patch.setenv("SPARK_DAEMON_JAVA_OPTS", JAVA_OPTIONS)
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        yield


@contextlib.contextmanager
def session(directory: Path) -> Iterator[Any]:
    """A session with two executors of one core, in its home."""
    from pyspark.sql import SparkSession  # noqa: PLC0415

    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.extraJavaOptions": JAVA_OPTIONS,
        "spark.driver.host": "127.0.0.1",
        "spark.executor.extraJavaOptions": JAVA_OPTIONS,
        "spark.executor.memory": "512m",
        "spark.local.dir": directory / "local",
        "spark.log.level": "OFF",
        "spark.speculation": "true",
        "spark.speculation.quantile": 0.5,
        # Small batches, and partitions as they are.
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.execution.arrow.maxRecordsPerBatch": 16,
        "spark.sql.shuffle.partitions": 4,
        "spark.sql.warehouse.dir": directory / "warehouse",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("alinea")
    for name, value in settings.items():
        builder = builder.config(name, str(value))
    started = builder.getOrCreate()
    yield started
    started.stop()


def disturbed(frame: Any, disturb: Callable[[int], None]) -> Any:
    """The same frame; ``disturb`` is called in each task with the number of each batch, before that is passed on."""

    def passed_on(batches: Iterable[Any]) -> Iterator[Any]:
        for number, batch in enumerate(batches):
            disturb(number)
            yield batch

    return frame.mapInArrow(passed_on, frame.schema)


def killer(killed: Path, victim: str) -> Callable[[], None]:
    """What kills a process once, the worker that calls it or the executor of that, and writes down which."""
    path = os.fspath(killed)

    def kill() -> None:
        with contextlib.suppress(FileExistsError), open(path, "x") as file:
            process = os.getpid()
            # A worker is forked by a daemon, which its executor has started.
            for _ in range(0 if victim == "worker" else 2):
                with open(f"/proc/{process}/stat") as status:
                    process = int(status.read().rsplit(")", 1)[1].split()[1])
            print(process, file=file, flush=True)
            os.kill(process, signal.SIGKILL)
            time.sleep(SECONDS)

    return kill


def is_gone(killed: Path) -> bool:
    return not Path("/proc", killed.read_text().strip()).exists()

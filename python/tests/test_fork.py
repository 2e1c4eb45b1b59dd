"""Processes that were forked, before and after threads were used."""

from __future__ import annotations

import subprocess
import sys

import pytest

# Each process aligns with two threads and tells whether it found what the first one did. A child that hangs is found by
# the timeout.
PROGRAM = """
import multiprocessing, sys, threading, warnings
import alinea
# Python warns of threads that are there when a process forks.
warnings.simplefilter("ignore", DeprecationWarning)
source = [f"w{n % 7} w{n % 5} w{n % 3}" for n in range(500)]
target = [f"v{n % 5} v{n % 7} v{n % 3}" for n in range(500)]

def align(_=None):
    return [pair.tolist() for pair in alinea.align(source, target, threads=2)]

def fork():
    context = multiprocessing.get_context("fork")
    with context.Pool(2) as pool:
        return pool.map(align, range(4))

def while_others_work():
    done = threading.Event()
    def work():
        while not done.is_set():
            align()
    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    found = [found for _ in range(3) for found in fork()]
    done.set()
    for worker in workers:
        worker.join()
    return found

steps = {"align": lambda: [align()], "fork": fork, "while_others_work": while_others_work}
found = [links for step in sys.argv[1:] for links in steps[step]()]
print(len(found), all(links == found[0] for links in found), sum(map(len, found[0])) > 500)
"""


# A stream that begins in one process goes on in both.
STREAM = """
import os, warnings
import alinea
warnings.simplefilter("ignore", DeprecationWarning)
source, target = [f"w{n % 7} w{n % 5}" for n in range(50)], [f"v{n % 5} v{n % 7}" for n in range(50)]
model = alinea.train(source, target)
stream = model.align_stream(zip(source, target), batch=3, threads=2)
first = next(stream)
child = os.fork()
found = [first.tolist(), *(pair.tolist() for pair in stream)]
right = found == [pair.tolist() for pair in model.align(source, target)]
if child == 0:
    os._exit(0 if right else 1)
print(right, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_a_stream_goes_on_in_a_forked_process() -> None:
    outcome = subprocess.run([sys.executable, "-c", STREAM], capture_output=True, text=True, timeout=120, check=False)
    assert (outcome.returncode, outcome.stdout) == (0, "True 0\n"), outcome.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
@pytest.mark.parametrize(
    ("steps", "processes"),
    [
        (["align", "fork"], 5),
        (["fork", "align"], 5),
        (["fork", "align", "fork", "align"], 10),
        (["while_others_work"], 12),
    ],
)
def test_a_forked_process_can_align(steps: list[str], processes: int) -> None:
    outcome = subprocess.run(
        [sys.executable, "-c", PROGRAM, *steps], capture_output=True, text=True, timeout=120, check=False
    )
    assert (outcome.returncode, outcome.stdout) == (0, f"{processes} True True\n"), outcome.stderr

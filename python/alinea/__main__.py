"""The command ``alinea``, as ``python -m alinea`` and as the script that is installed with the package.

It is the command of the Rust toolkit, with the same options, output and exit codes: see ``alinea --help``.
"""

from __future__ import annotations

import os
import sys

from alinea import _native


def main() -> int:
    """Runs the command with the arguments of this process and returns its exit code.

    >>> import subprocess, sys
    >>> found = subprocess.run([sys.executable, "-m", "alinea", "--version"], capture_output=True, check=True)
    >>> found.stdout.split()[0].decode()
    'alinea'
    """
    for descriptor in range(3):
        # As in programs, a standard stream that is closed is empty, so that no other file takes its place.
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    return _native.command(["alinea", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())

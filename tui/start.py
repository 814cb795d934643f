#!/usr/bin/env python3
"""The program: put our packages on the path, check them, run the command.

This file imports nothing of ours by name before that: other projects have packages of
the same names.
"""

import gc
import os
import signal
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

HOME = Path(__file__).resolve().parents[1]
ROOMS = ("store", "tui", "widgets")

VERSION = "0.1.0"
"""The version of the program, as in `pyproject.toml`."""

COMPLETING = "--complete-query"
"""The option with which a shell requests completions; few modules are loaded then."""

REFUSED = 2
INTERRUPTED = 130


def start() -> int:
    """Run the program until it ends, or until the user interrupts it.

    The garbage collector is off during imports: it would free nothing and take a tenth
    of the time. The commands turn it on again.
    """
    gc.disable()
    signal.signal(signal.SIGINT, leave)
    return 0 if _has_told_version() else _run()


def _has_told_version() -> bool:
    """Print the version if that is all; the parser reports errors."""
    if sys.argv[1:] != ["--version"] or sys.stdout is None:
        return False
    try:
        sys.stdout.write(f"recollect {VERSION}\n")
        sys.stdout.flush()
    except OSError:
        return False
    return True


def leave(_signal: int, _frame: object) -> None:
    """Exit at once: an exception would pass through half-loaded modules and locks."""
    os._exit(INTERRUPTED)


def _run() -> int:
    """Run the program, or report why it cannot start; returns the exit code."""
    _put_rooms_on_path()
    if refusal := strangers():
        sys.stderr.write(f"recollect: {refusal}\n")
        return REFUSED
    is_completing = sys.argv[1:2] == [COMPLETING]
    return import_module(
        "tui.cli.completion" if is_completing else "tui.cli.main"
    ).main()


def _put_rooms_on_path() -> None:
    """Put our packages before installed ones on the path.

    Folders in `PYTHONPATH` still come first: a package there with the name of one of
    ours was put there on purpose, so we refuse to start rather than hide it.
    """
    if not sys.flags.safe_path:
        del sys.path[0]  # the folder of the script, or the current one
    behind = {HOME, HOME.parent, Path(os.__file__).resolve().parent}
    ranks = (at for at, name in enumerate(sys.path) if Path(name).resolve() in behind)
    sys.path.insert(next(ranks, 0), str(HOME))


def strangers() -> str | None:
    """The error message if a package is not ours; None if all are."""
    for room in ROOMS:
        found = _origin(room)
        if found != HOME / room / "__init__.py":
            return (
                f"its package {room!r} is hidden by {found or 'nothing'}; "
                "install recollect in an environment of its own"
            )
    return None


def _origin(room: str) -> Path | None:
    """The file that `import` would run for a package."""
    spec = find_spec(room)
    return Path(spec.origin).resolve() if spec and spec.origin else None


if __name__ == "__main__":
    sys.exit(start())

#!/usr/bin/env python3
"""The command `recollect`: make sure that the rooms are our own, then run the program.

It is installed as it stands. The script that installers make for an entry point imports
`tui` from wherever it is found first, and would fall into a stranger's.
"""

import gc
import os
import signal
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

COMPLETING = "--complete-query"
"""How a shell asks what may follow; answered by as little of the program as can be."""

REFUSED = 2
INTERRUPTED = 130


def start() -> int:
    """Run the program until it is done, or until the user interrupts it.

    Nothing goes while it is loaded, and looking for waste then takes a tenth of that
    time; whoever has loaded what runs lets the collector work again.
    """
    gc.disable()
    signal.signal(signal.SIGINT, leave)
    return _run()


def leave(_signal: int, _frame: object) -> None:
    """Go at once: an exception would pass through half-loaded modules and locks."""
    os._exit(INTERRUPTED)


def _run() -> int:
    """Run the program, or refuse in one sentence; the exit code."""
    refusal = _stranger_for_tui() or import_module("tui.strangers").strangers()
    if refusal:
        sys.stderr.write(f"recollect: {refusal}\n")
        return REFUSED
    is_completing = sys.argv[1:2] == [COMPLETING]
    return import_module(
        "tui.cli.completing" if is_completing else "tui.cli.main"
    ).main()


def _stranger_for_tui() -> str | None:
    found = find_spec("tui")
    origin = found.origin if found else None
    if origin and Path(origin).with_name("strangers.py").is_file():
        return None
    return (
        f"its package 'tui' is hidden by {origin or 'nothing'}; "
        "install recollect in an environment of its own"
    )


if __name__ == "__main__":
    sys.exit(start())

"""The report of an unforeseen error: where it was, and nothing of the user's."""

import os
import traceback
from datetime import UTC, datetime
from pathlib import Path

from store.places import Places, make_private
from tui.cli.version import installed_version


def report_unexpected(error: Exception) -> str:
    """Write a report and return the sentence that names it.

    The report holds types, files of the program and line numbers: no message and no
    value of any variable, since those could hold what a memory says.
    """
    lines = [
        f"recollect {installed_version()}",
        *(
            f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"
            for frame in traceback.extract_tb(error.__traceback__)
        ),
        type(error).__name__,
    ]
    try:
        path = _write("\n".join(lines) + "\n")
    except OSError:
        return f"Something unexpected happened ({lines[-2]}, {lines[-1]})."
    return f"Something unexpected happened ({lines[-1]}); the report is {path}."


def _write(text: str) -> Path:
    """Keep a report where only its owner can read it."""
    folder = Places.usual().state / "reports"
    make_private(folder)
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    path = folder / f"{stamp}.txt"
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    return path

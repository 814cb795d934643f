"""A file in the user's pager, which has the terminal meanwhile."""

import os
import shlex
import subprocess
from typing import Any

from textual.app import App, SuspendNotSupported

_USUAL = "less"

_ONLY_SHOWS = {"LESS": "", "LESSOPEN": "", "LESSSECURE": "1"}
"""A file is shown as it is: no commands, no filters, controls as what they are."""


def show_file(app: App[Any], path: str) -> str:
    """Show a file; answers what went wrong, or nothing."""
    command = shlex.split(os.environ.get("PAGER") or _USUAL)
    try:
        with app.suspend():
            subprocess.run(  # noqa: S603  # the pager that the user has chosen
                [*command, path], check=False, env={**os.environ, **_ONLY_SHOWS}
            )
    except SuspendNotSupported:
        return path
    except OSError as error:
        return f"{command[0]} cannot be run: {error.strerror}. The file is {path}."
    return ""

"""What git knows of a record's file: who changed it when, and why."""

import os
import shutil
import subprocess
from pathlib import Path

_SECONDS = 3.0
_MOST = 200

_ONLY_LOOKS = (
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "log.showSignature=false"),
)
"""No program that a repository names is started by looking at its history."""

_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
"""Nothing is fetched either: what a partial clone lacks, a program would be asked for
that the repository names."""


def history(store: str, path: str) -> str:
    """The changes of a file, the newest first, or why there is nothing to tell."""
    git = shutil.which("git")
    if git is None:
        return "git is not installed."
    file = Path(store) / path
    command = [git, "--no-pager", *_ONLY_LOOKS, "-C", str(file.parent), "log"]
    command += ["--follow", f"--max-count={_MOST}", "--date=short"]
    command += ["--format=%ad  %h  %an  %s", "--", file.name]
    try:
        answer = subprocess.run(  # noqa: S603  # git, found where programs are
            command,
            check=False,
            capture_output=True,
            timeout=_SECONDS,
            env={**os.environ, **_ENVIRONMENT},
        )
    except subprocess.TimeoutExpired:
        return "git took too long."
    except OSError as error:
        return f"git cannot be run: {error.strerror}."
    told = answer.stdout.decode("utf-8", "replace").rstrip()
    return told or "No change of this file is kept: it is in no git repository."

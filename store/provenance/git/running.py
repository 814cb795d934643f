"""Git, asked something, in a way that starts no program which a repository names."""

import os
import shutil
import subprocess
from pathlib import Path

from store.errors import RecollectError

_SECONDS = 5.0
"""How long an answer may take."""

_ONLY_LOOKS = (
    "--no-pager",
    "--no-optional-locks",
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "log.showSignature=false"),
    *("-c", "protocol.allow=never"),
    *("-c", "safe.bareRepository=explicit"),
)
"""No program that a repository names is started by looking at its history, and a folder
that only looks like a repository is none."""

_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_FLUSH": "1",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
"""Nothing is fetched either: what a partial clone lacks, a program would be asked for
that the repository names."""

_NO_REPOSITORY = "not a git repository"
_FOREIGN = "dubious ownership"


class GitError(RecollectError):
    """Git could not answer; the message says why."""


class SlowGitError(GitError):
    """Git took too long."""

    def __init__(self, told: bytes) -> None:
        super().__init__(f"git took more than {_SECONDS:.0f} seconds.")
        self.told = told
        """What it had answered by then."""


class NoRepositoryError(GitError):
    """The folder lies in no repository."""


def ask_git(folder: Path, *words: str, given: bytes = b"") -> bytes:
    """What git answers about the repository that a folder lies in; raises GitError.

    An answer that broke off, as it does where the repository is damaged, counts as far
    as it goes.
    """
    git = shutil.which("git")
    if git is None:
        raise GitError("git is not installed, so what it knows is left out.")
    try:
        answer = subprocess.run(  # noqa: S603  # git, found where programs are, no shell
            [git, *_ONLY_LOOKS, "-C", str(folder), *words],
            check=False,
            capture_output=True,
            input=given,
            timeout=_SECONDS,
            env=_environment(),
        )
    except subprocess.TimeoutExpired as error:
        raise SlowGitError(error.stdout or b"") from error
    except (OSError, ValueError) as error:
        raise GitError(f"git cannot be run: {error}.") from error
    if answer.returncode and not answer.stdout:
        raise _refusal(folder, answer.stderr.decode("utf-8", "replace"))
    return answer.stdout


def _environment() -> dict[str, str]:
    """The user's environment, without what would lead git elsewhere."""
    mine = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    return {**mine, **_ENVIRONMENT}


def _refusal(folder: Path, told: str) -> GitError:
    """Why git answers nothing."""
    if _NO_REPOSITORY in told or not told.strip():
        return NoRepositoryError(f"{folder} lies in no git repository.")
    if _FOREIGN in told:
        return GitError(f"git does not look into {folder}: it is somebody else's.")
    first = told.strip().partition("\n")[0].removeprefix("fatal: ").rstrip(".")
    return GitError(f"git cannot tell anything of {folder}: {first}.")

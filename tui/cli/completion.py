"""`--install-completion`: let the user's shell complete the command line."""

import argparse
import os
import sys
from pathlib import Path
from typing import NoReturn

from store.errors import RecollectError, WrongUseError
from tui.cli.shells import BASH, FISH, ZSH

_NEXT = {
    "bash": "It works in the next shell, where bash-completion is installed.",
    "zsh": "Put `fpath+=~/.zfunc` before `compinit` in ~/.zshrc, if it is not there.",
    "fish": "It works in the next shell.",
}
"""What is left to the user, for each shell that is known."""

_QUERIES = {"bash": ("", BASH), "zsh": (ZSH, ""), "fish": ("", FISH)}
"""What completes queries, and stands before or behind what completes all else."""


class InstallCompletion(argparse.Action):
    """Write the completion where the user's shell looks for it, and say where."""

    def __call__(
        self, parser: argparse.ArgumentParser, *_arguments: object, **_named: object
    ) -> NoReturn:
        """Install it."""
        shell = Path(os.environ.get("SHELL", "")).name
        if shell not in _NEXT:
            known = ", ".join(_NEXT)
            raise WrongUseError(
                f"$SHELL is {shell or 'not set'}; completion is there for {known}."
            )
        place = _place(shell)
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(_script(parser, shell), encoding="utf-8")
        except OSError as error:
            raise RecollectError(
                f"{place} cannot be written: {error.strerror}."
            ) from error
        sys.stdout.write(f"Completion for {shell} is in {place}. {_NEXT[shell]}\n")
        parser.exit()


def _script(parser: argparse.ArgumentParser, shell: str) -> str:
    """What the shell runs at a tab."""
    import shtab  # noqa: PLC0415  # only for who installs

    before, behind = _QUERIES[shell]
    return shtab.complete(parser, shell=shell, preamble=before) + behind


def _place(shell: str) -> Path:
    """The file that a shell looks into."""
    home = Path.home()
    data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local/share")
    config = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    return {
        "bash": data / "bash-completion/completions/recollect",
        "zsh": home / ".zfunc/_recollect",
        "fish": config / "fish/completions/recollect.fish",
    }[shell]

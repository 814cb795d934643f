"""The program's one door: arguments in, an exit code out, no traceback ever."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from store.errors import RecollectError, WrongUseError
from tui.cli.arguments import browse_parser, first_word, parser
from tui.cli.nearest import nearest
from tui.cli.report import report_unexpected
from tui.cli.session import Session
from tui.cli.terminal import complain
from tui.cli.words import COMMANDS

_INTERRUPTED = 130
_WRONG_USE = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; whatever goes wrong ends as one sentence and an exit code."""
    try:
        return _run(list(sys.argv[1:] if argv is None else argv))
    except RecollectError as error:
        complain(str(error))
        return error.exit_code
    except BrokenPipeError:
        _leave_quietly()
        return 0
    except KeyboardInterrupt:
        return _INTERRUPTED
    except Exception as error:  # noqa: BLE001  # the one boundary: a report, no trace
        complain(report_unexpected(error))
        return 1


def _run(argv: list[str]) -> int:
    """Understand the command line and carry it out."""
    word = first_word(argv)
    names = [command.name for command in COMMANDS]
    asks = any(
        option in argv
        for option in ("-h", "--help", "--version", "--install-completion")
    )
    browses = word not in names and (word is None or Path(word).exists()) and not asks
    if word and word not in names and not browses:
        raise WrongUseError(
            f"{word!r} is no command and no path here; "
            f"did you mean `recollect {nearest(word, names)}`?"
        )
    try:
        arguments = (browse_parser() if browses else parser()).parse_args(argv)
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else _WRONG_USE
    session = Session.of(arguments)
    import_module(f"tui.cli.commands.{arguments.command}").run(arguments, session)
    return 0


def _leave_quietly() -> None:
    """Whoever read the answer has gone; nothing more is written, not even at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

"""The program's one door: arguments in, an exit code out, no traceback ever."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from store.errors import RecollectError
from tui.cli.arguments import parser
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
    wrong = _not_a_command(argv)
    if wrong:
        complain(wrong)
        return _WRONG_USE
    try:
        arguments = parser().parse_args(argv)
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else _WRONG_USE
    session = Session.of(arguments)
    import_module(f"tui.cli.commands.{arguments.command}").run(arguments, session)
    return 0


def _not_a_command(argv: list[str]) -> str | None:
    """The sentence for a first word that names no command: with the nearest one."""
    names = [command.name for command in COMMANDS]
    word = argv[0] if argv and not argv[0].startswith("-") else None
    if word is None or word in names:
        return None
    return f"{word!r} is no command; did you mean `recollect {nearest(word, names)}`?"


def _leave_quietly() -> None:
    """Whoever read the answer has gone; nothing more is written, not even at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

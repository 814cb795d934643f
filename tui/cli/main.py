"""The program's one door: arguments in, an exit code out, no traceback ever."""

import argparse
import errno
import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from store.errors import RecollectError, WrongUseError
from tui.cli.order import first_word, with_words_last
from tui.cli.parser import browse_parser
from tui.cli.report import report_unexpected
from tui.cli.session import Session
from tui.cli.terminal import complain, open_the_closed
from tui.words import COMMANDS, KINDS, module_of

_LOST = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF, errno.EFBIG})
"""What goes wrong where the answer goes, and not here."""

_ASKING = frozenset({"-h", "--help", "--version", "--install-completion"})
"""Options that want an answer about the program and open nothing."""

_HELP = "help"

_PATHS = ("/", "./", "../", "~")
"""How a word begins that can be nothing but a path."""

_INTERRUPTED = 130
_WRONG_USE = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; whatever goes wrong ends as one sentence and an exit code."""
    open_the_closed()
    try:
        return _answer(list(sys.argv[1:] if argv is None else argv))
    except RecollectError as error:
        complain(str(error))
        return error.exit_code
    except BrokenPipeError:
        _leave_quietly()
        return 0
    except KeyboardInterrupt:
        return _INTERRUPTED
    except OSError as error:
        if error.errno not in _LOST:
            complain(report_unexpected(error))
        else:
            complain(f"The answer cannot be written: {error.strerror}.")
            _leave_quietly()
        return 1
    except Exception as error:  # noqa: BLE001  # the one boundary: a report, no trace
        complain(report_unexpected(error))
        return 1


def _answer(argv: list[str]) -> int:
    """Run the command, and see to it that all of the answer has gone out."""
    if sys.stdout is None:
        raise RecollectError("There is no output to answer to.")
    code = _run(argv)
    sys.stdout.flush()
    return code


def _run(argv: list[str]) -> int:
    """Carry the command line out."""
    try:
        arguments = _parser_for(argv).parse_args(with_words_last(argv))
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else _WRONG_USE
    session = Session.of(arguments)
    command = import_module(module_of(arguments.command))
    gc.enable()
    command.run(arguments, session)
    return 0


def _parser_for(argv: list[str]) -> argparse.ArgumentParser:
    """What understands the command line: a path in place of a command browses."""
    word = first_word(argv)
    names = [command.name for command in COMMANDS]
    if word is None:
        return _of_commands() if _ASKING.intersection(argv) else browse_parser()
    if word in names:
        return _of_commands(word)
    if word == _HELP:
        argv[argv.index(_HELP)] = "--help"
        return _of_commands()
    if _exists(word):
        return browse_parser()
    raise WrongUseError(_unknown(word, names))


def _of_commands(only: str | None = None) -> argparse.ArgumentParser:
    """What understands commands, all of them or one, loaded where one is named."""
    from tui.cli.arguments import parser  # noqa: PLC0415  # who browses names none

    return parser(only)


def _exists(word: str) -> bool:
    """Whether a word is a path here; one that cannot even be asked for is none."""
    try:
        return Path(word).exists()
    except (OSError, ValueError):
        return False


def _unknown(word: str, names: list[str]) -> str:
    """What a word is not, and the command that was meant, where one is near."""
    if word.startswith(_PATHS):
        return f"{word} is not there."
    meant = _meant(word, names)
    way = f"did you mean `recollect {meant}`?" if meant else "see recollect --help"
    return f"{word!r} is no command and no path here; {way}"


def _meant(word: str, names: list[str]) -> str | None:
    """The command that was meant: a kind of record is something to list."""
    from store.search.nearest import near  # noqa: PLC0415  # after a slip

    kind = near(word, KINDS)
    is_kind = kind is not None and kind.startswith(word)
    return f"list {kind}" if is_kind else near(word, names)


def _leave_quietly() -> None:
    """Whoever read the answer has gone; nothing more is written, not even at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

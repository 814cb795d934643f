"""Run a command line: arguments in, an exit code out, never a traceback."""

import argparse
import errno
import gc
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from msgspec.structs import replace

from store.errors import (
    CatalogueDamagedError,
    NoStoresError,
    RecollectError,
    WrongUseError,
)
from tui.cli.parser import browse_parser, parser
from tui.cli.words import first_word, unaliased, with_words_last
from tui.names import ALIASES, COMMANDS, READING, module_of
from tui.terminal.streams import (
    complain,
    noted_output,
    open_the_closed,
    report_unexpected,
)

if TYPE_CHECKING:
    from tui.cli.session import Session

_LOST = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF, errno.EFBIG})
"""Errors of writing the output, rather than of the program."""

_INSTALL = "--install-completion"
_HELPING = frozenset({"-h", "--help"})
_ASKING = _HELPING | {"--version", _INSTALL}
"""Options that print something about the program and open nothing."""

_HELP = "help"

_PATHS = ("/", "./", "../", "~")
"""Prefixes of words that can only be paths."""

_INCOMPLETE = "The output is incomplete; run the command again."
_INTERRUPTED = 130
_WRONG_USE = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; every error becomes one sentence and an exit code."""
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
            complain(f"Can't write the output: {error.strerror}.")
            _leave_quietly()
        return 1
    except Exception as error:  # noqa: BLE001  # top level: a crash report instead of a traceback
        complain(report_unexpected(error))
        return 1


def _answer(argv: list[str]) -> int:
    """Run the command and flush its output."""
    if sys.stdout is None:
        raise RecollectError("Standard output is closed.")
    code = _run(argv)
    sys.stdout.flush()
    return code


def _run(argv: list[str]) -> int:
    """Parse the command line and run its command."""
    argv = unaliased(argv)
    try:
        arguments = _parser_for(argv).parse_args(with_words_last(argv))
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else _WRONG_USE
    from tui.cli.session import Session  # noqa: PLC0415  # not needed for help

    session = Session.of(arguments)
    if arguments.command != "browse":
        session.report_settings()
    module = import_module(module_of(arguments.command))
    run = getattr(module, f"run_{arguments.command}")
    gc.enable()
    if arguments.command in READING:
        _run_again_after_damage(partial(run, arguments), session)
    else:
        run(arguments, session)
    return 0


def _run_again_after_damage(
    run: Callable[["Session"], None], session: "Session"
) -> None:
    """Run a command that reads, and again if the index turns out to be damaged.

    By then the index is empty, so the stores are read again in any case. The command
    can't be run again once a part of its answer is printed.
    """
    with noted_output() as output:
        try:
            run(session)
        except CatalogueDamagedError as error:
            if output.is_used:
                raise CatalogueDamagedError(f"{error} {_INCOMPLETE}") from error
            complain(str(error))
            run(replace(session, no_sync=False))


def _parser_for(argv: list[str]) -> argparse.ArgumentParser:
    """The parser for this command line; a path instead of a command browses."""
    word = first_word(argv)
    _show_about(argv, word)
    if word is None:
        return browse_parser()
    if any(word == command.name for command in COMMANDS):
        top = parser(word)
        place = argv.index(word)
        top.check(argv[:place], argv[place + 1 :])
        return top
    if word != _HELP and _exists(word):
        return browse_parser()
    if word.startswith(_PATHS):
        raise NoStoresError(f"no such file or directory: {word}")
    from tui.cli import topics  # noqa: PLC0415  # texts, for help and errors alone

    if word == _HELP:
        _help(argv, topics.text_of)
    raise WrongUseError(topics.unknown(word))


def _show_about(argv: list[str], word: str | None) -> None:
    """Print what options ask about the program, and exit; help installs nothing."""
    asked = ["--version"] if word == "version" else []
    asked += [one for one in argv if one in _ASKING]
    if _INSTALL in asked and not _HELPING.isdisjoint(asked):
        parser("").parse_args(["--help"])
    if asked and word in {None, "version"}:
        as_json = ["--json"] if "--json" in argv else []
        parser(None if _INSTALL in asked else "").parse_args([*as_json, *asked])


def _help(argv: list[str], text_of: Callable[[str], str]) -> NoReturn:
    """Print the help of a command or a topic, or that of the program."""
    after = argv[argv.index(_HELP) + 1 :]
    rest = [word for word in after if not word.startswith("-")]
    topic = ALIASES.get(rest[0], rest[0]) if rest else ""
    if topic in {"", _HELP, *(command.name for command in COMMANDS)}:
        named = topic.removeprefix(_HELP)
        parser(named).parse_args([named, "--help"] if named else ["--help"])
    text = browse_parser().format_help() if topic == "browse" else text_of(topic)
    sys.stdout.write(text)
    raise SystemExit(0)


def _exists(word: str) -> bool:
    """Whether a word is an existing path; False if it cannot be checked."""
    try:
        return Path(word).exists()
    except (OSError, ValueError):
        return False


def _leave_quietly() -> None:
    """Discard further output, including that at exit, because its reader is gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

"""The command line, as argparse sees it."""

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from store.library import sorts
from tui.cli.completion import InstallCompletion
from tui.cli.nearest import nearest
from tui.cli.version import ShowVersion
from tui.words import COMMANDS, KINDS

_DESCRIPTION = "See and understand what your coding agents remember."

_WITH_VALUE = frozenset({"-s", "--store", "--now"})
"""The options, of those that may stand before a command, that take a value."""

_EPILOGUE = """\
exit codes:
  0  done; a list without rows is done too
  1  could not be done
  2  wrong use
  3  refused: changed on disk, or locked by a live process (with changes, to come)
  4  refused: read-only (the same)

places:
  catalogue (derived, may be deleted)  $XDG_CACHE_HOME/recollect
  reports of unexpected errors         $XDG_STATE_HOME/recollect
"""


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help whose options leave room for what they mean."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28)


class _Parser(argparse.ArgumentParser):
    """A parser whose complaints look like the program's other complaints.

    Options are not abbreviated: a script that did so would break at the next option.
    """

    def __init__(self, prog: str, **more: Any) -> None:  # noqa: ANN401  # argparse's own
        super().__init__(prog, formatter_class=_Help, allow_abbrev=False, **more)

    def error(self, message: str) -> NoReturn:
        """One sentence on stderr, and exit code 2."""
        self.exit(2, f"recollect: {message}; see {self.prog} --help\n")


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = _Parser(
        prog="recollect",
        usage="recollect [PATH…] | recollect COMMAND …",
        description=_DESCRIPTION,
        epilog=_EPILOGUE,
    )
    top.add_argument("--version", action=ShowVersion, nargs=0, help="print the version")
    top.add_argument(
        "--install-completion",
        action=InstallCompletion,
        nargs=0,
        help="let the shell complete commands and options",
    )
    _add_everywhere(top, "before")
    commands = top.add_subparsers(
        dest="command", metavar="COMMAND", required=True, prog=top.prog
    )
    for command in COMMANDS:
        told = f"{command.help[0].upper()}{command.help[1:]}."
        sub = commands.add_parser(command.name, help=command.help, description=told)
        _add_everywhere(sub, "stores")
        _ADDERS.get(command.name, _add_nothing)(sub)
    return top


def browse_parser() -> argparse.ArgumentParser:
    """The command line without a command: what to browse."""
    parser_of_paths = _Parser(prog="recollect")
    _add_everywhere(parser_of_paths, "stores")
    parser_of_paths.add_argument("paths", nargs="*", metavar="PATH")
    parser_of_paths.set_defaults(command="browse")
    return parser_of_paths


def first_word(argv: Sequence[str]) -> str | None:
    """The first word that is neither an option nor an option's value."""
    words = iter(argv)
    for word in words:
        if word in _WITH_VALUE:
            next(words, None)
        elif not word.startswith("-"):
            return word
    return None


def _add_everywhere(to: argparse.ArgumentParser, stores: str) -> None:
    """The options that every command understands, before or after its name."""
    unset = argparse.SUPPRESS
    to.add_argument(
        "-s",
        "--store",
        dest=stores,
        metavar="PATH",
        type=_place,
        action="append",
        default=unset,
        help="a store, or a folder beneath which to look (repeatable; "
        "else $RECOLLECT_STORES; else this whole machine)",
    )
    to.add_argument(
        "--json", action="store_true", default=unset, help="answer with JSON"
    )
    to.add_argument(
        "--now", metavar="INSTANT", default=unset, help="answer as of this time"
    )
    to.add_argument(
        "--no-sync",
        action="store_true",
        default=unset,
        help="answer from the catalogue as it is",
    )
    to.add_argument(
        "--read-only",
        action="store_true",
        default=unset,
        help="change nothing; as yet nothing does (also RECOLLECT_READ_ONLY=1)",
    )


def _add_nothing(_sub: argparse.ArgumentParser) -> None:
    """For commands that take nothing of their own."""


def _add_list(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "kind", type=_kind, choices=KINDS, metavar="KIND", help=", ".join(KINDS)
    )
    sub.add_argument("--limit", type=_count, metavar="N", help="at most so many rows")
    sub.add_argument(
        "--offset", type=_count, metavar="N", default=0, help="skip so many rows"
    )
    sub.add_argument("--sort", metavar="FIELD", help="sort by this field")
    sub.add_argument("--reverse", action="store_true", help="the other way round")
    fields = (f"  {kind:<11} {', '.join(sorts(kind))}" for kind in KINDS)
    sub.epilog = "\n".join(["fields to sort by:", *fields])


def _add_ref(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("ref", metavar="REF", help="a ref, or an unambiguous beginning")


def _add_sync(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "--events", action="store_true", help="report progress as JSON Lines"
    )
    sub.add_argument("--catalogue", metavar="FILE", help=argparse.SUPPRESS)


def _add_demo(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "folder", metavar="DIR", nargs="?", help="where; else a folder that goes again"
    )
    sub.add_argument("--make", action="store_true", help="only make the stores")


def _add_bench(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "--memories",
        type=_count,
        default=10_000,
        metavar="N",
        help="how many memories to measure with (10000)",
    )


def _place(text: str) -> str:
    """A path; an empty one is a slip, and must not mean everywhere."""
    if not text:
        raise argparse.ArgumentTypeError("an empty path names nothing")
    return text


def _count(text: str) -> int:
    """A number of rows: none or more."""
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number") from None
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text} is less than nothing")
    return number


def _kind(text: str) -> str:
    """A kind of record; one that is not there is named with the nearest one."""
    if text in KINDS:
        return text
    raise argparse.ArgumentTypeError(
        f"{text!r} is none; did you mean {nearest(text, KINDS)!r}? "
        f"There are: {', '.join(KINDS)}"
    )


_ADDERS = {
    "list": _add_list,
    "show": _add_ref,
    "links": _add_ref,
    "sync": _add_sync,
    "demo": _add_demo,
    "bench": _add_bench,
}

"""What every call understands, and the whole of it where one only browses."""

import argparse
from typing import Any, NoReturn


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help whose options leave room for what they mean."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28)


class Parser(argparse.ArgumentParser):
    """A parser whose complaints look like the program's other complaints.

    Options are not abbreviated: a script that did so would break at the next option.
    """

    def __init__(self, prog: str, **more: Any) -> None:  # noqa: ANN401  # argparse's own
        super().__init__(prog, formatter_class=_Help, allow_abbrev=False, **more)
        self.helped_by = self.prog
        """What shows the help that would have helped."""

    def error(self, message: str) -> NoReturn:
        """One sentence on stderr, and exit code 2."""
        self.exit(2, f"recollect: {message}; see {self.helped_by} --help\n")


def browse_parser() -> argparse.ArgumentParser:
    """The command line without a command: what to browse."""
    parser_of_paths = Parser(prog="recollect")
    add_everywhere(parser_of_paths, "stores")
    _add_looks(parser_of_paths)
    parser_of_paths.add_argument("paths", nargs="*", metavar="PATH")
    parser_of_paths.set_defaults(command="browse")
    return parser_of_paths


def add_everywhere(to: argparse.ArgumentParser, stores: str) -> None:
    """The options that every command understands, before or after its name."""
    unset = argparse.SUPPRESS
    to.add_argument(
        "-s",
        "--store",
        dest=stores,
        metavar="PATH",
        type=place,
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
        help="change nothing, whatever is asked (also RECOLLECT_READ_ONLY=1)",
    )


def _add_looks(to: argparse.ArgumentParser) -> None:
    """How the browser looks."""
    to.add_argument("--theme", metavar="NAME", help="the colours of the browser")
    to.add_argument("--ascii", action="store_true", help="nothing but ASCII")
    to.add_argument(
        "--no-frugal",
        dest="frugal",
        action="store_false",
        help="send whole regions to the terminal, not only what differs",
    )
    to.add_argument(
        "--reset-terminal",
        action="store_true",
        help="mend a terminal that was left in a bad state",
    )


def place(text: str) -> str:
    """A path; an empty one is a slip, and must not mean everywhere."""
    if not text:
        raise argparse.ArgumentTypeError("an empty path names nothing")
    return text

"""The parser of the command line, and the installation of shell completion."""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import takewhile
from pathlib import Path
from shutil import get_terminal_size
from typing import Any, NoReturn

from store.errors import RecollectError, WrongUseError
from store.findings import FORMATS
from store.text import guess, regex
from tui.cli.words import BASH, FISH, ZSH
from tui.names import COMMANDS, SECTIONS, Command
from tui.terminal.streams import ShowVersion
from tui.themes import THEMES

# `--install-completion`: install shell completion.

_NEXT = {
    "bash": "Open a new shell to use it (needs bash-completion).",
    "zsh": "Make sure ~/.zshrc has `fpath+=~/.zfunc` before `compinit`.",
    "fish": "Open a new shell to use it.",
}
"""What the user has to do next, for each supported shell."""

_QUERIES = {"bash": ("", BASH), "zsh": (ZSH, ""), "fish": ("", FISH)}
"""Scripts that complete queries: (before, after) the generated script."""


class InstallCompletion(argparse.Action):
    """Write the completion script to the shell's folder and print its path."""

    def __call__(
        self, parser: argparse.ArgumentParser, *_arguments: object, **_named: object
    ) -> NoReturn:
        """Install the completion and exit."""
        shell = Path(os.environ.get("SHELL", "")).name
        if shell not in _NEXT:
            known = ", ".join(_NEXT)
            raise WrongUseError(
                f"No completion for $SHELL ({shell or 'not set'}); choose from {known}."
            )
        place = _place(shell)
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(_script(parser, shell), encoding="utf-8")
        except OSError as error:
            raise RecollectError(f"Can't write {place}: {error.strerror}.") from error
        sys.stdout.write(f"Installed completion for {shell}: {place}\n{_NEXT[shell]}\n")
        parser.exit()


def _script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The completion script of a shell."""
    import shtab  # noqa: PLC0415  # only needed to install

    before, behind = _QUERIES[shell]
    return shtab.complete(parser, shell=shell, preamble=before) + behind


def _place(shell: str) -> Path:
    """The file that the shell loads completions from."""
    home = Path.home()
    data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local/share")
    config = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    return {
        "bash": data / "bash-completion/completions/recollect",
        "zsh": home / ".zfunc/_recollect",
        "fish": config / "fish/completions/recollect.fish",
    }[shell]


# Options of all commands, and the parser for browsing.


class _Help(argparse.RawDescriptionHelpFormatter):
    """A help formatter with more room for the descriptions of options."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=_width())

    def _format_args(self, action: argparse.Action, default_metavar: str) -> str:
        """The words of an argument, which may say themselves that they repeat."""
        name = str(action.metavar)
        return name if "…" in name else super()._format_args(action, default_metavar)


@cache
def _width() -> int:
    """The width of help: argparse makes a formatter for every argument to check it."""
    return get_terminal_size().columns - 2


class Parser(argparse.ArgumentParser):
    """A parser that reports errors like the rest of the program.

    Options cannot be abbreviated: scripts that do so would break when an option is
    added.
    """

    def __init__(self, prog: str, **more: Any) -> None:  # noqa: ANN401  # as in argparse
        super().__init__(prog, formatter_class=_Help, allow_abbrev=False, **more)
        self.helped_by = self.prog
        """The command whose `--help` explains the error."""

    def error(self, message: str) -> NoReturn:
        """Print one sentence to stderr and exit with code 2."""
        plain = _UNKNOWN.sub("", message).replace(_REQUIRED, "missing ")
        plain = _ARGUMENT.sub("", _VALUELESS.sub(r"\1 needs a value", plain))
        word = message.removeprefix(_SUPERFLUOUS)
        if word != message:
            is_path = Path(word).exists()
            way = guess(word, self._option_string_actions)
            way = f"; name a store with --store {word}" if is_path else way
            plain = f"unexpected {word!r}{way}"
        elif choice := _CHOICE.fullmatch(message):
            what, given, listed = choice.groups()
            known = listed.replace("'", "")
            meant = guess(given, known.split(", "))
            plain = f"invalid {what} {given!r}{meant} (choose from {known})"
        self.exit(2, f"recollect: {plain}; see {self.helped_by} --help\n")


class CommandLine(Parser):
    """The parser of all commands; its help lists them under headings."""

    def __init__(
        self,
        sections: Mapping[str, Sequence[Command]],
        **more: Any,  # noqa: ANN401  # as in argparse
    ) -> None:
        super().__init__(**more)
        self._sections = sections
        self.later: frozenset[str] = frozenset()
        """The options that are valid after the command only."""

    def check(self, before: Sequence[str], after: Sequence[str]) -> None:
        """Raise WrongUseError if an option isn't valid before or after the command."""
        command = self.helped_by.removeprefix(f"{self.prog} ")
        for option in _options(before):
            if option in self.later:
                raise WrongUseError(f"{option} belongs after `{command}`.")
        for option in (*_options(before), *_options(after)):
            if option not in _BEFORE | self.later:
                meant = guess(option, self.later, f"; see {self.helped_by} --help")
                raise WrongUseError(f"`{command}` has no option {option}{meant}")

    def format_help(self) -> str:
        """The help, with the commands under headings in place of one long list."""
        head, _, rest = super().format_help().partition(_LISTED)
        _, options, end = rest.partition(_OPTIONS)
        lines = [
            line
            for heading, commands in self._sections.items()
            for line in (f"{heading}:", *map(_listed, commands), "")
        ]
        return "\n".join([head.rstrip("\n"), "", *lines, f"{options}{end}"])


_BEFORE = frozenset(
    {"--store", "--as", "--json", "--now", "--no-sync", "--read-only"}
    | {"--help", "--version", "--install-completion"}
)
"""The long options that are valid before the command."""

_LISTED, _OPTIONS = "positional arguments:\n", "options:\n"
"""The headings of argparse, between which it lists all commands."""

_UNKNOWN = regex(r"^argument \S+: (?=unknown )")
"""What argparse puts before an error that names the argument itself."""


_VALUELESS = regex(r"^argument (?:-n/)?(\S+): expected (?:at least )?one argument$")
_ARGUMENT = regex(r"^argument (?:-n/)?(?=-)")

_SUPERFLUOUS = "unrecognized arguments: "
_REQUIRED = "the following arguments are required: "
"""What argparse puts before words that a command doesn't take, or needs."""

_CHOICE = regex(r"argument ([^:]+): invalid choice: '(.*)' \(choose from (.*)\)")
"""The error of argparse for a word that is not among its choices."""


def _options(words: Iterable[str]) -> list[str]:
    """The long options among words, without their values."""
    known = takewhile(lambda word: word != "--", words)
    return [word.partition("=")[0] for word in known if word.startswith("--")]


def _listed(command: Command) -> str:
    """A command in the help of all commands."""
    return f"  {command.name:<9}  {command.help}"


def browse_parser() -> argparse.ArgumentParser:
    """The parser of a command line without a command: the paths to browse."""
    parser_of_paths = Parser(prog="recollect")
    add_everywhere(parser_of_paths, "stores")
    _add_looks(parser_of_paths)
    parser_of_paths.add_argument("paths", nargs="*", metavar="PATH")
    parser_of_paths.set_defaults(command="browse")
    return parser_of_paths


def add_everywhere(to: argparse.ArgumentParser, stores: str) -> None:
    """Add the options that are valid before and after every command."""
    unset = argparse.SUPPRESS
    to.add_argument(
        "-s",
        "--store",
        dest=stores,
        metavar="PATH",
        type=place,
        action="append",
        default=unset,
        help="a store, a folder with stores, or a name that `stores` shows "
        "(repeatable; default: $RECOLLECT_STORES, or this whole machine)",
    )
    to.add_argument(
        "--as",
        dest="as_format",
        metavar="FORMAT",
        type=one_of("format", FORMATS),
        default=unset,
        help="open each folder as one store of this format, such as pages: any folder "
        "of Markdown files",
    )
    to.add_argument("--json", action="store_true", default=unset, help="output JSON")
    to.add_argument(
        "--now", metavar="INSTANT", default=unset, help="pretend it is this time"
    )
    to.add_argument(
        "--no-sync",
        action="store_true",
        default=unset,
        help="don't re-read stores (use the index)",
    )
    to.add_argument(
        "--read-only",
        action="store_true",
        default=unset,
        help="refuse all changes (also RECOLLECT_READ_ONLY=1)",
    )


def _add_looks(to: argparse.ArgumentParser) -> None:
    """Add the options for the browser's appearance."""
    to.add_argument(
        "--theme",
        metavar="NAME",
        type=one_of("theme", THEMES),
        help=f"colour theme: {', '.join(THEMES)}",
    )
    to.add_argument("--ascii", action="store_true", help="draw with ASCII only")
    to.add_argument(
        "--no-frugal",
        dest="frugal",
        action="store_false",
        help="redraw whole regions instead of changed cells",
    )
    to.add_argument(
        "--reset-terminal",
        action="store_true",
        help="repair a terminal left in a bad state",
    )


def place(text: str) -> str:
    """A path; an empty one is an error, so that it does not mean everywhere."""
    if not text:
        raise argparse.ArgumentTypeError("the path is empty")
    return text


def one_of(what: str, words: Iterable[str], way: str = "") -> Callable[[str], str]:
    """A type of arguments: one of some words; the error suggests the nearest.

    If none is near, it suggests another `way`.
    """
    known = tuple(map(str, words))

    def chosen(text: str) -> str:
        if text in known:
            return text
        meant = guess(text, known)
        rest = f"; {way}" if way and not meant else ""
        raise argparse.ArgumentTypeError(
            f"unknown {what} {text!r}{meant} (choose from {', '.join(known)}){rest}"
        )

    return chosen


# The parser of the whole command line.

_DESCRIPTION = """\
Browse, search and edit everything that your coding agents remember.
Without a command, recollect opens the browser."""

_EPILOGUE = """\
topics:
  recollect help COMMAND, or one of: browse, query, keys, settings, formats,
  safety, glossary, environment

exit codes:
  0  success; an empty list is success
  1  failed; stderr says why
  2  wrong usage
  3  refused: changed on disk, in use by another process, or half done
  4  refused: the store or this session is read-only
  5  health --fail-on: there is a problem of that severity

examples:
  recollect                            browse all stores on this machine
  recollect search 'connection timeout'
  recollect list memories 'is:orphan strength<.2' --json
"""


def parser(only: str | None = None) -> CommandLine:
    """The parser of the command line, with all commands or only one.

    If that one is no command, such as an empty text, it has only its own options.
    """
    top = CommandLine(
        SECTIONS,
        prog="recollect",
        usage="recollect [PATH…] | recollect COMMAND …",
        description=_DESCRIPTION,
        epilog=_EPILOGUE,
    )
    top.helped_by = f"{top.prog} {only}" if only else top.prog
    top.add_argument("--version", action=ShowVersion, nargs=0, help="print the version")
    top.add_argument(
        "--install-completion",
        action=InstallCompletion,
        nargs=0,
        help="install shell completion",
    )
    add_everywhere(top, "before")
    commands = top.add_subparsers(
        dest="command",
        metavar="COMMAND",
        required=True,
        prog=top.prog,
        parser_class=Parser,
    )
    for command in COMMANDS:
        if only in {None, command.name}:
            about = _sentence(command.help)
            sub = commands.add_parser(
                command.name, help=command.help, description=about
            )
            top.later = _add_arguments(sub, command)
    return top


def _add_arguments(sub: argparse.ArgumentParser, command: Command) -> frozenset[str]:
    """Add the arguments of a command, and its examples; return its options."""
    from tui.cli.arguments import ARGUMENTS, after_options  # noqa: PLC0415  # slow

    add_everywhere(sub, "stores")
    for argument in ARGUMENTS[command.name]:
        argument.add_to(sub)
    sub.epilog = after_options(command)
    added = (one for it in ARGUMENTS[command.name] for one in (it, *it.rivals))
    names = (name for one in added for name in one.names)
    return frozenset(name for name in names if name.startswith("-"))


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}" + ("" if text.endswith("…") else ".")

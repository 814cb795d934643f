"""The command line, as argparse sees it."""

import argparse

from store.library import sorts
from tui.cli.changing.arguments import ADDERS as CHANGES
from tui.cli.completion import InstallCompletion
from tui.cli.parser import Parser, add_everywhere
from tui.cli.typed import count, kind, minutes
from tui.cli.version import ShowVersion
from tui.words import COMMANDS, FORMATS, KINDS

_DESCRIPTION = "See and understand what your coding agents remember."

_DIVIDING = frozenset({"stores", "sync", "list", "search", "show", "links", "export"})
"""The commands whose answers depend on what divides conversations."""

_DATED = frozenset({"list", "search", "show", "links", "blame", "versions"})
"""The commands that can tell how all was at another time."""

_SHOWN = 50
"""So many hits are shown unless somebody says otherwise."""

_ALIKE = 20
"""So many memories that are like one are shown likewise."""

_EPILOGUE = """\
exit codes:
  0  done; a list without rows is done too
  1  could not be done
  2  wrong use
  3  refused: changed on disk since it was read, or locked by a live process
  4  refused: the store or this session is read-only

places:
  catalogue (derived, may be deleted)  $XDG_CACHE_HOME/recollect
  journal of changes and backups       $XDG_STATE_HOME/recollect/changes
  reports of unexpected errors         $XDG_STATE_HOME/recollect
"""


def parser(only: str | None = None) -> argparse.ArgumentParser:
    """The command line; whole, or with the options of one command alone."""
    top = Parser(
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
        help="let the shell complete commands and options",
    )
    add_everywhere(top, "before")
    commands = top.add_subparsers(
        dest="command", metavar="COMMAND", required=True, prog=top.prog
    )
    for command in COMMANDS:
        end = "" if command.help.endswith("…") else "."
        told = f"{command.help[0].upper()}{command.help[1:]}{end}"
        sub = commands.add_parser(command.name, help=command.help, description=told)
        if only not in {None, command.name}:
            continue
        add_everywhere(sub, "stores")
        if command.name in _DIVIDING:
            _add_gap(sub)
        if command.name in _DATED:
            _add_at(sub)
        _ADDERS.get(command.name, _add_nothing)(sub)
    return top


def _add_gap(to: argparse.ArgumentParser) -> None:
    """What divides conversations: for the commands that read them."""
    to.add_argument(
        "--gap",
        metavar="MINUTES",
        type=minutes,
        default=argparse.SUPPRESS,
        help="how long a silence divides conversations (60)",
    )


def _add_nothing(_sub: argparse.ArgumentParser) -> None:
    """For commands that take nothing of their own."""


def _add_at(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "--at",
        metavar="DATE",
        default=argparse.SUPPRESS,
        help="as it was at the end of a day, at an instant, or so long ago (30d)",
    )


def _add_list(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "kind", type=kind, choices=KINDS, metavar="KIND", help=", ".join(KINDS)
    )
    _add_query(sub)
    _add_slice(sub, None)
    sub.add_argument("--sort", metavar="FIELD", help="sort by this field")
    sub.add_argument("--reverse", action="store_true", help="the other way round")
    sub.add_argument(
        "--as-kei",
        action="store_true",
        help="events: classed, and left out, as the kit that writes them does it",
    )
    width = max(map(len, KINDS))
    fields = (f"  {name:<{width}}  {', '.join(sorts(name))}" for name in KINDS)
    sub.epilog = "\n".join(["fields to sort by:", *fields])


def _add_query(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "query",
        metavar="QUERY",
        nargs="*",
        default=[],
        help='what to find: words, "phrases", tag:redis, strength<.2, !draft, a|b, …',
    )
    sub.add_argument("--saved", metavar="NAME", help="a saved query, and QUERY with it")


def _add_slice(sub: argparse.ArgumentParser, limit: int | None) -> None:
    usual = "" if limit is None else f" ({limit})"
    sub.add_argument(
        "--limit",
        type=count,
        metavar="N",
        default=limit,
        help=f"at most so many rows{usual}",
    )
    sub.add_argument(
        "--offset", type=count, metavar="N", default=0, help="skip so many rows"
    )


def _add_search(sub: argparse.ArgumentParser) -> None:
    _add_query(sub)
    _add_slice(sub, _SHOWN)
    sub.add_argument(
        "--explain", action="store_true", help="say why each hit ranks where it does"
    )


def _add_stores(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "--new",
        action="store_true",
        help="count what is new in each since the browser was last left",
    )
    sub.add_argument(
        "--seen",
        action="store_true",
        help="take all that is there as seen: only what comes later is new then",
    )


def _add_queries(sub: argparse.ArgumentParser) -> None:
    what = sub.add_mutually_exclusive_group()
    what.add_argument("--save", metavar="NAME", help="save QUERY under a name")
    what.add_argument("--delete", metavar="NAME", help="forget a saved query")
    sub.add_argument("query", metavar="QUERY", nargs="*", help="the query to save")


def _add_ref(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("ref", metavar="REF", help="a ref, or an unambiguous beginning")


def _add_versions(sub: argparse.ArgumentParser) -> None:
    _add_ref(sub)
    sub.add_argument(
        "--diff", action="store_true", help="show what each of them changed"
    )


def _add_export(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("refs", metavar="REF", nargs="*", help="what to export")
    sub.add_argument("--query", metavar="QUERY", help="all that a query finds instead")
    sub.add_argument(
        "--kind",
        type=kind,
        choices=KINDS,
        default=KINDS[0],
        metavar="KIND",
        help=f"of which kind ({KINDS[0]})",
    )
    sub.add_argument(
        "--limit", type=count, metavar="N", help="at most so many of those"
    )
    sub.add_argument(
        "--format",
        choices=FORMATS,
        metavar="FORMAT",
        help=f"{', '.join(FORMATS)}; else what FILE is called, else {FORMATS[0]}",
    )
    sub.add_argument("-o", "--output", metavar="FILE", help="write a file")
    sub.add_argument(
        "--force", action="store_true", help="write it even over one that is there"
    )
    sub.add_argument(
        "--full",
        action="store_true",
        help="conversations: all that tools were given and answered too",
    )


def _add_similar(sub: argparse.ArgumentParser) -> None:
    _add_ref(sub)
    sub.add_argument(
        "--limit",
        type=count,
        metavar="N",
        default=_ALIKE,
        help=f"at most so many memories ({_ALIKE})",
    )
    sub.add_argument(
        "--unlinked", action="store_true", help="leave out what it is linked to"
    )


def _add_sync(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "--events", action="store_true", help="report progress as JSON Lines"
    )
    sub.add_argument(
        "--watch",
        action="store_true",
        help="go on, and say what moved whenever something does",
    )
    sub.add_argument("--catalogue", metavar="FILE", help=argparse.SUPPRESS)
    sub.add_argument("--since", metavar="MOVE", type=int, help=argparse.SUPPRESS)


def _add_ask(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "question",
        metavar="NAME",
        nargs="?",
        help="the question; without one, those that can be asked",
    )
    sub.add_argument("words", metavar="WORD", nargs="*", help="what it is about")


def _add_demo(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "folder", metavar="DIR", nargs="?", help="where; else a folder that goes again"
    )
    sub.add_argument("--make", action="store_true", help="only make the stores")


def _add_bench(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "what",
        metavar="WHAT",
        nargs="?",
        choices=("search",),
        help="search: only how well it finds what is there, beside others",
    )
    sub.add_argument(
        "--memories",
        type=count,
        default=10_000,
        metavar="N",
        help="how many memories to measure with (10000)",
    )
    sub.add_argument(
        "--megabytes",
        type=count,
        default=100,
        metavar="N",
        help="how many megabytes of transcripts to measure with (100)",
    )


_ADDERS = CHANGES | {
    "stores": _add_stores,
    "list": _add_list,
    "search": _add_search,
    "queries": _add_queries,
    "show": _add_ref,
    "links": _add_ref,
    "export": _add_export,
    "similar": _add_similar,
    "blame": _add_ref,
    "versions": _add_versions,
    "sync": _add_sync,
    "ask": _add_ask,
    "demo": _add_demo,
    "bench": _add_bench,
}

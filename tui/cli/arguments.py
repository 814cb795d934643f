"""The arguments of each command."""

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict, Unpack

from msgspec import Struct

from store.findings import Severity
from store.kinds import KINDS
from store.kinds.conversations import STATUSES
from store.queues import QUEUES, WAYS
from tui.cli.parser import one_of, place
from tui.cli.words import singular
from tui.names import AGENTS, APPENDED, DERIVED, FORMATS, RESOLUTIONS, Command

# Types of arguments; each raises an error that says what is wrong.

_MICROSECONDS = 60_000_000
"""Microseconds per minute."""

_MOST_DAYS = 3650
"""The most days of a forecast."""

_LONGEST = 10_000_000_000
"""Minutes above this value make no difference."""


def count(text: str) -> int:
    """A number of rows, zero or more."""
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"invalid number {text!r}") from None
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text} is less than 0")
    return number


def days(text: str) -> int:
    """A number of days, such as `30d`."""
    number = text.removesuffix("d")
    if not number.isdecimal() or not 0 < int(number) <= _MOST_DAYS:
        raise argparse.ArgumentTypeError(
            f"invalid number of days: {text!r} (use 1d to {_MOST_DAYS}d)"
        )
    return int(number)


def minutes(text: str) -> int:
    """A positive number of minutes, converted to microseconds."""
    try:
        given = float(text)
    except ValueError:
        given = math.nan
    if not given > 0:
        raise argparse.ArgumentTypeError(f"invalid number of minutes {text!r}")
    return max(1, round(min(given, _LONGEST) * _MICROSECONDS))


# One argument: a word, an option with a value, or a flag.


class _More(TypedDict, total=False):
    """The keywords of argparse for an argument."""

    type: Callable[[str], object]
    choices: Sequence[str]
    default: object
    nargs: str
    action: str
    const: str
    dest: str
    required: bool


class Argument(Struct, frozen=True):
    """An argument of a command."""

    names: tuple[str, ...]
    """Its option, or the name of a word."""
    options: Mapping[str, Any]
    """Its keywords for argparse."""
    rivals: "tuple[Argument, ...]" = ()
    """The arguments that this groups: only one of them can be given."""

    def add_to(self, parser: argparse.ArgumentParser) -> None:
        """Add the argument to a parser."""
        group = parser.add_mutually_exclusive_group() if self.rivals else parser
        for one in self.rivals or (self,):
            group.add_argument(*one.names, **one.options)


def _word(name: str, metavar: str, text: str, **more: Unpack[_More]) -> Argument:
    """A word of the command line."""
    return Argument((name,), {"metavar": metavar, "help": text, **more})


def _value(names: str, metavar: str, text: str, **more: Unpack[_More]) -> Argument:
    """An option with a value."""
    return Argument(tuple(names.split()), {"metavar": metavar, "help": text, **more})


def _flag(name: str, text: str, **more: Unpack[_More]) -> Argument:
    """An option without a value."""
    return Argument((name,), {"action": "store_true", "help": text, **more})


def _either(*rivals: Argument) -> Argument:
    """Arguments of which only one can be given."""
    return Argument((), {}, rivals)


def _rows(usual: int | None = None, what: str = "rows") -> Argument:
    text = f"maximum {what}" + (f" (default: {usual})" if usual else "")
    return _value("-n --limit", "N", text, type=count, default=usual)


def _pages(usual: int | None = None) -> tuple[Argument, Argument]:
    return _rows(usual), _value("--offset", "N", "skip rows", type=count, default=0)


# Arguments that several commands have.

_SHOWN = 50
"""Default number of search hits, and of changes in the history."""

_ALIKE = 20
"""Default number of similar memories."""

_SOON = 7
"""Default of `--days`: conversations that expire this soon are endangered."""

_FIRST = next(iter(KINDS))
"""The kind of record that is exported by default."""

_REF = _word("ref", "REF", "a ref, or the start of one")

_CHANGES = (
    _flag("--dry-run", "show what would change, write nothing"),
    _flag("--yes", "don't ask for confirmation"),
)
_FOUND = (
    *_CHANGES,
    _value("--query", "QUERY", "change all memories that match, instead of REF"),
)
_REFS = (*_FOUND, _word("refs", "REF", "the records", nargs="*"))

_APPENDED_FIELDS = (
    "values, as text or JSON: an episode needs title, and takes summary, type, tags, "
    "date, time, memory; a task needs name and duration_s, and takes start_epoch, "
    "end_epoch, exit, metric, source; a claim needs evidence_tier and pointer, "
    "and takes value and session_id"
)

_ADD = _flag("--add", "allow fields that neither the record nor its format has")
_DRAFT = _either(
    _flag("--draft", "continue an unsaved draft"),
    _flag("--discard", "delete unsaved drafts instead of editing"),
)
_TO = _value("--to", "STORE", "target store (same format)", type=place, required=True)
_LISTED = "memories"
"""What `list` lists if no kind is given."""

_QUERY = (
    _word(
        "query",
        "QUERY",
        'words, "phrases", tag:redis, strength<.2, !draft, a|b; '
        "see `recollect help query`",
        nargs="*",
        default=[],
    ),
    _value("--saved", "NAME", "use a saved query (combined with QUERY)"),
)
_GAP = _value(
    "--gap",
    "MINUTES",
    "silence that separates two conversations (default: 60)",
    type=minutes,
    default=argparse.SUPPRESS,
)
_AT = _value(
    "--at",
    "DATE",
    "show data as of a date, an instant, or an age such as 30d",
    default=argparse.SUPPRESS,
)


_KNOWN = one_of("kind", KINDS, "to find text, use `recollect search`")
_SINGULAR = {singular(kind): kind for kind in KINDS}


def _kind(text: str) -> str:
    """A kind of record, also in the singular."""
    return _KNOWN(_SINGULAR.get(text, text))


# Each command with its arguments.

ARGUMENTS: Mapping[str, tuple[Argument, ...]] = {
    "stores": (
        _GAP,
        _flag("--new", "count what is new since the browser was last closed"),
        _flag("--seen", "mark everything as seen"),
    ),
    "list": (
        _GAP,
        _AT,
        _word(
            "kind",
            "KIND",
            f"{', '.join(KINDS)} (default: {_LISTED})",
            type=_kind,
            choices=tuple(KINDS),
            nargs="?",
            default=_LISTED,
        ),
        *_QUERY,
        *_pages(),
        _value("--sort", "FIELD", "sort by this field"),
        _flag("--reverse", "reverse the order"),
        _value(
            "--forecast",
            "DAYS",
            "memories: how far they have faded in 30d, if nothing is recalled",
            type=days,
        ),
        _flag("--as-kei", "events: classify and filter as KeiSeiKit does"),
    ),
    "search": (
        _GAP,
        _AT,
        *_QUERY,
        *_pages(_SHOWN),
        _flag("--explain", "explain why each hit ranks where it does"),
    ),
    "show": (_GAP, _AT, _REF),
    "links": (_GAP, _AT, _REF),
    "similar": (
        _REF,
        _rows(_ALIKE, "memories"),
        _flag("--unlinked", "leave out memories that are linked already"),
    ),
    "context": (
        _word(
            "path",
            "PATH",
            "where it starts (default: --store, or here)",
            type=place,
            nargs="?",
        ),
        _value(
            "--agent",
            "AGENT",
            f"{', '.join(AGENTS)} (default: {AGENTS[0]})",
            type=one_of("agent", AGENTS),
            default=AGENTS[0],
        ),
        _value(
            "--prompt",
            "TEXT",
            "which memories would come with this prompt (repeatable: a session)",
            action="append",
        ),
    ),
    "report": (
        _word("report", "NAME", "the report (default: list all reports)", nargs="?"),
        _word(
            "words",
            "PARAMETER=VALUE",
            "arguments of the report, also without PARAMETER= in their order",
            nargs="*",
        ),
        _flag("--csv", "output CSV"),
        _flag("--plot", "draw bars in a pipe, too"),
    ),
    "queries": (
        _either(
            _value("--save", "NAME", "save QUERY under a name"),
            _value("--delete", "NAME", "delete a saved query"),
        ),
        _word("query", "QUERY", "the query to save", nargs="*"),
    ),
    "export": (
        _GAP,
        _word("refs", "REF", "the records", nargs="*"),
        _value("--query", "QUERY", "export all matches, instead of REF"),
        _value(
            "--kind",
            "KIND",
            f"kind of record for --query (default: {_FIRST})",
            type=_kind,
            choices=tuple(KINDS),
            default=_FIRST,
        ),
        _rows(what="records"),
        _value(
            "--format",
            "FORMAT",
            f"{', '.join(FORMATS)} (default: from the name of FILE, or {FORMATS[0]})",
            choices=FORMATS,
        ),
        _value("-o --output", "FILE", "write to a file"),
        _flag("--force", "overwrite FILE"),
        _flag("--full", "conversations: include all input and output of tools"),
    ),
    "blame": (_AT, _REF),
    "versions": (_AT, _REF, _flag("--diff", "show what each version changed")),
    "new": (
        *_CHANGES,
        _value("--title", "TITLE", "title; without it, your editor opens"),
        _value("--type", "TYPE", "type of memory"),
        _value("--tag", "TAG", "add a tag (repeatable)", action="append", default=[]),
        _value(
            "--field",
            "FIELD=VALUE",
            "set another field (repeatable)",
            action="append",
            default=[],
        ),
        _ADD,
        _value("--body", "TEXT", "text; - reads stdin"),
        _DRAFT,
    ),
    "edit": (
        *_CHANGES,
        _REF,
        _value(
            "--from",
            "FILE",
            "use this text instead of opening $VISUAL or $EDITOR; - reads stdin",
            dest="file",
        ),
        _DRAFT,
    ),
    "set": (
        *_FOUND,
        _word(
            "words",
            "REF… FIELD=VALUE",
            "the records, and their new values; FIELD= removes a field",
            nargs="+",
        ),
        _ADD,
    ),
    "tag": (
        *_FOUND,
        _word(
            "words",
            "REF… +TAG -TAG",
            "the records, tags to add and tags to remove",
            nargs="+",
        ),
    ),
    "pin": _REFS,
    "unpin": _REFS,
    "archive": (*_REFS, _flag("--due", "archive what the store's own limits say")),
    "restore": _REFS,
    "delete": _REFS,
    "rename": (*_CHANGES, _REF, _word("title", "TITLE", "the new title")),
    "move": (*_REFS, _TO),
    "copy": (*_REFS, _TO),
    "link": (
        *_CHANGES,
        _word("start", "REF", "the memory to link from"),
        _word("end", "REF", "the memory to link to"),
        _value("--type", "TYPE", "link type, such as SOLVES or CAUSES", required=True),
        _value("--strength", "N", "link strength (0-1)", type=float),
        _value("--context", "TEXT", "why they are linked"),
    ),
    "unlink": (
        *_CHANGES,
        _word("refs", "REF", "an edge, or both its ends", nargs="+"),
        _value("--type", "TYPE", "edge type, if there are several"),
    ),
    "merge": (
        *_CHANGES,
        _word("refs", "REF", "the memory to keep, then the others", nargs="+"),
        _value(
            "--field",
            "FIELD=VALUE",
            "if values differ: a value, or the ref that has it (repeatable)",
            action="append",
            default=[],
        ),
        _value("--body", "REF", "use the text of this memory (default: join all)"),
    ),
    "dedupe": (
        *_CHANGES,
        _word("ref", "REF", "only duplicates of this memory", nargs="?"),
        Argument(
            ("--way",),
            {
                "choices": WAYS,
                "help": "merge them: with the text of the first, of the newest, or "
                "all texts joined; tags and links are united",
            },
        ),
    ),
    "append": (
        *_CHANGES,
        _word("kind", "KIND", ", ".join(APPENDED), choices=APPENDED),
        _word("fields", "FIELD=VALUE", _APPENDED_FIELDS, nargs="*"),
        _value(
            "--from",
            "FILE",
            "read values from a JSON object; - reads stdin",
            dest="file",
        ),
    ),
    "touch": _REFS,
    "transit": (
        *_CHANGES,
        _word("ref", "REF", "a conversation (default: all that are due)", nargs="?"),
        _word("status", "STATUS", "the new status", type=one_of("status", STATUSES)),
        _value("--summary", "TEXT", "the new summary"),
    ),
    "review": (
        *_CHANGES,
        _word(
            "queues",
            "QUEUE",
            f"{', '.join(one.name for one in QUEUES)} (default: all)",
            type=one_of("queue", [one.name for one in QUEUES]),
            nargs="*",
        ),
        _rows(what="memories"),
        _either(
            _value(
                "--keep", "REF", "mark as fine until they change", nargs="+", default=[]
            ),
            _value("--again", "REF", "undo --keep", nargs="+", default=[]),
        ),
    ),
    "undo": (
        *_CHANGES,
        _word("change", "CHANGE", "the change (default: the newest)", nargs="?"),
    ),
    "redo": _CHANGES,
    "history": (
        *_pages(_SHOWN),
        _flag("--purge", "delete all history and backups; asks, or needs --yes"),
        _flag("--yes", "don't ask for confirmation"),
    ),
    "resolve": (
        *_CHANGES,
        _word(
            "change",
            "CHANGE",
            "the half-done change (default: the only one)",
            nargs="?",
        ),
        _either(
            *(
                _flag(f"--{way}", told, dest="way", action="store_const", const=way)
                for way, told in RESOLUTIONS.items()
            )
        ),
    ),
    "backups": (_REF,),
    "return": (
        *_CHANGES,
        _word("ref", "REF", "the record, or a document that is itself a backup"),
        _word("backup", "BACKUP", "a backup from `recollect backups`", nargs="?"),
    ),
    "sync": (
        _GAP,
        _flag("--events", "report progress as JSON Lines"),
        _flag("--watch", "keep watching, and report every change"),
        _value(
            "--again",
            "PATH",
            "re-read these files and folders from the start (default: everything)",
            nargs="*",
            type=place,
        ),
        _value("--catalogue", "FILE", argparse.SUPPRESS),
        _value("--also", "STORE", argparse.SUPPRESS, action="append"),
        _value("--since", "MOVE", argparse.SUPPRESS, type=int),
    ),
    "health": (
        *_CHANGES,
        _either(
            _value(
                "--fix",
                "CODE",
                "fix problems with these codes or IDs, or `safe` ones",
                nargs="+",
            ),
            _value(
                "--ignore",
                "ID",
                "ignore problems, or all of a record, until they change",
                nargs="+",
            ),
            _value("--unignore", "ID", "report them again", nargs="+"),
            _flag("--ignored", "list ignored problems"),
            _flag("--score", "show the health score, day by day"),
            _value(
                "--recheck",
                "ID",
                "read the files of these problems or records again, and list the rest",
                nargs="+",
            ),
        ),
        _flag("--full", "also run the checks that take long"),
        _value("--way", "WAY", "for duplicates: first, newest or merge", default=""),
        _value(
            "--fail-on",
            "SEVERITY",
            "exit with code 5 if a problem is this severe or worse",
            type=one_of("severity", Severity),
        ),
    ),
    "embed": (
        _flag("--dry-run", "say how much would be sent, send nothing"),
        _flag("--secrets", "also send memories that may contain a secret"),
    ),
    "rebuild": (
        *_CHANGES,
        _word(
            "what",
            "WHAT",
            ", ".join(DERIVED),
            type=one_of("file", DERIVED),
            choices=DERIVED,
        ),
    ),
    "vault": (
        *_CHANGES,
        _word(
            "what",
            "WHAT",
            "list: pinned conversations; verify: re-read every byte; "
            "endangered: unpinned and expiring soon; rescue: pin those",
            nargs="?",
            choices=("list", "verify", "endangered", "rescue"),
        ),
        _value(
            "--days",
            "N",
            f"days until they expire ({_SOON})",
            type=count,
            default=_SOON,
        ),
    ),
    "doctor": (),
    "demo": (
        _word("folder", "DIR", "target folder (default: a temporary one)", nargs="?"),
        _flag("--make", "only create the stores"),
    ),
    "bench": (
        _word(
            "what",
            "WHAT",
            "search: only its quality; browser: only its start and keys",
            nargs="?",
            choices=("search", "browser"),
        ),
        _value(
            "--memories",
            "N",
            "memories to measure with (default: 10000)",
            type=count,
            default=10_000,
        ),
        _value(
            "--megabytes",
            "N",
            "megabytes of transcripts to measure with (default: 100)",
            type=count,
            default=100,
        ),
        _value(
            "--on",
            "DIR",
            "measure syncing and searching this folder instead",
            type=place,
        ),
    ),
}
"""The arguments of every command, by its name."""


# What help says after the options.


def after_options(command: Command) -> str:
    """The examples of a command, and for `list` the fields to sort by."""
    lines = ["examples:", *(f"  recollect {one}" for one in command.examples)]
    if command.name == "list":
        width = max(map(len, KINDS))
        fields = (
            f"  {name:<{width}}  {', '.join(kind.sorts)}"
            for name, kind in KINDS.items()
        )
        lines = ["fields to sort by:", *fields, "", *lines]
    if command.name == "report":
        lines += ["", "`recollect report` lists the reports with their parameters."]
    return "\n".join(lines)

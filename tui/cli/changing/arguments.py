"""What the commands take that change something."""

import argparse
from collections.abc import Callable

from store.reviewing.doubled import WAYS
from store.reviewing.queues import QUEUES
from tui.cli.parser import place
from tui.cli.typed import count, derived, queue
from tui.words import APPENDED, DERIVED

_SOON = 7
"""Days within which what is removed is in danger."""

_RECENT = 50
"""So many changes are listed unless somebody says otherwise."""


def _changes(sub: argparse.ArgumentParser) -> None:
    """What every change takes."""
    sub.add_argument(
        "--dry-run", action="store_true", help="show what would be done, write nothing"
    )
    sub.add_argument(
        "--yes",
        action="store_true",
        help="do it without being asked: for what is grave, or for ten records or more",
    )


def _found(sub: argparse.ArgumentParser) -> None:
    """What changes records takes those that a query finds in place of refs."""
    _changes(sub)
    sub.add_argument("--query", metavar="QUERY", help="all memories that a query finds")


def _refs(sub: argparse.ArgumentParser) -> None:
    """Records by ref, or those that a query finds."""
    _found(sub)
    sub.add_argument("refs", metavar="REF", nargs="*", help="the records")


def _words(sub: argparse.ArgumentParser, metavar: str, told: str) -> None:
    """Records by ref, and behind them what is to become of them."""
    _found(sub)
    sub.add_argument("words", metavar=metavar, nargs="+", help=told)


def _given(sub: argparse.ArgumentParser, told: str) -> None:
    """A file in place of what would be typed."""
    sub.add_argument("--from", dest="file", metavar="FILE", help=told)


def _new(sub: argparse.ArgumentParser) -> None:
    _changes(sub)
    sub.add_argument(
        "--title", metavar="TITLE", help="what it is called; else an editor asks"
    )
    sub.add_argument("--type", metavar="TYPE", help="what kind of memory it is")
    sub.add_argument(
        "--tag", metavar="TAG", action="append", default=[], help="repeatable"
    )
    _fields(sub, "what else it says of itself (repeatable)")
    sub.add_argument("--body", metavar="TEXT", help="its text; - reads it from stdin")
    _draft(sub)


def _draft(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "--draft", action="store_true", help="go on with what could not be saved"
    )


def _fields(sub: argparse.ArgumentParser, told: str) -> None:
    sub.add_argument(
        "--field", metavar="FIELD=VALUE", action="append", default=[], help=told
    )


def _edit(sub: argparse.ArgumentParser) -> None:
    _changes(sub)
    sub.add_argument("ref", metavar="REF", help="the record")
    _given(sub, "take this text instead of opening $VISUAL or $EDITOR; - is stdin")
    _draft(sub)


def _archive(sub: argparse.ArgumentParser) -> None:
    _refs(sub)
    sub.add_argument(
        "--due", action="store_true", help="what the store's own limits say is due"
    )


def _set(sub: argparse.ArgumentParser) -> None:
    told = "the records, and their fields; FIELD= takes a field away"
    _words(sub, "REF… FIELD=VALUE", told)


def _tag(sub: argparse.ArgumentParser) -> None:
    told = "the records, tags that they get and tags that they lose"
    _words(sub, "REF… +TAG -TAG", told)


def _rename(sub: argparse.ArgumentParser) -> None:
    _changes(sub)
    sub.add_argument("ref", metavar="REF", help="the memory")
    sub.add_argument("title", metavar="TITLE", help="what it is called from then on")


def _move(sub: argparse.ArgumentParser) -> None:
    _refs(sub)
    sub.add_argument(
        "--to",
        metavar="STORE",
        type=place,
        required=True,
        help="another store of the same format",
    )


def _link(sub: argparse.ArgumentParser) -> None:
    _changes(sub)
    sub.add_argument("start", metavar="REF", help="the memory that it leads from")
    sub.add_argument("end", metavar="REF", help="the memory that it leads to")
    sub.add_argument("--type", metavar="TYPE", required=True, help="SOLVES, CAUSES, …")
    sub.add_argument("--strength", metavar="N", type=float, help="how strong, 0…1")
    sub.add_argument("--context", metavar="TEXT", help="why")


def _unlink(sub: argparse.ArgumentParser) -> None:
    _changes(sub)
    sub.add_argument("refs", metavar="REF", nargs="+", help="an edge, or both its ends")
    sub.add_argument("--type", metavar="TYPE", help="which edge, where there are more")


def _merge(sub: argparse.ArgumentParser) -> None:
    _changes(sub)
    sub.add_argument(
        "refs", metavar="REF", nargs="+", help="the memory that stays, then the others"
    )
    _fields(sub, "where they differ: a value, or the ref that has it (repeatable)")
    sub.add_argument(
        "--body", metavar="REF", help="whose text it has; else all texts are joined"
    )


def _dedupe(sub: argparse.ArgumentParser) -> None:
    _changes(sub)
    sub.add_argument(
        "ref", metavar="REF", nargs="?", help="only what this memory is one with"
    )
    sub.add_argument(
        "--way",
        choices=WAYS,
        help="make one memory of them: with the text of the first, of the newest, or "
        "with all texts; tags and links are united",
    )


def _append(sub: argparse.ArgumentParser) -> None:
    _changes(sub)
    sub.add_argument("kind", choices=APPENDED, metavar="KIND", help=", ".join(APPENDED))
    sub.add_argument(
        "fields",
        metavar="FIELD=VALUE",
        nargs="*",
        help="what it says; a value that is JSON is taken as that",
    )
    _given(sub, "a JSON object with what it says; - is stdin")


def _transit(sub: argparse.ArgumentParser) -> None:
    _changes(sub)
    sub.add_argument(
        "ref",
        metavar="REF",
        nargs="?",
        help="the conversation; else all that the store's own program would take now",
    )
    sub.add_argument("status", metavar="STATUS", help="the status that it has then")
    sub.add_argument("--summary", metavar="TEXT", help="what is said of it then")


def _review(sub: argparse.ArgumentParser) -> None:
    _changes(sub)
    names = ", ".join(one.name for one in QUEUES)
    sub.add_argument(
        "queues", type=queue, metavar="QUEUE", nargs="*", help=f"{names}; else all"
    )
    sub.add_argument(
        "--limit", type=count, metavar="N", help="at most so many memories"
    )
    what = sub.add_mutually_exclusive_group()
    what.add_argument(
        "--keep",
        metavar="REF",
        nargs="+",
        default=[],
        help="these are right as they stand, and due again once they change",
    )
    what.add_argument(
        "--again",
        metavar="REF",
        nargs="+",
        default=[],
        help="these are not; takes --keep back",
    )


def _undo(sub: argparse.ArgumentParser) -> None:
    _changes(sub)
    sub.add_argument(
        "change", metavar="CHANGE", nargs="?", help="which one; else the newest"
    )


def _history(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "--limit",
        type=count,
        metavar="N",
        default=_RECENT,
        help=f"at most so many ({_RECENT})",
    )
    sub.add_argument(
        "--offset", type=count, metavar="N", default=0, help="skip so many"
    )
    sub.add_argument(
        "--purge",
        action="store_true",
        help="forget all changes and the backups that they kept; asks, or needs --yes",
    )
    sub.add_argument("--yes", action="store_true", help="do not ask")


def _backups(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("ref", metavar="REF", help="the record")


def _return(sub: argparse.ArgumentParser) -> None:
    _changes(sub)
    sub.add_argument(
        "ref", metavar="REF", help="the record; or a document that is a backup itself"
    )
    sub.add_argument(
        "backup",
        metavar="BACKUP",
        nargs="?",
        help="one of its backups, as `recollect backups` names it",
    )


def _rebuild(sub: argparse.ArgumentParser) -> None:
    _changes(sub)
    sub.add_argument(
        "what", type=derived, choices=DERIVED, metavar="WHAT", help=", ".join(DERIVED)
    )


def _health(sub: argparse.ArgumentParser) -> None:
    _changes(sub)
    sub.add_argument(
        "--fix", metavar="CODE", nargs="+", help="mend what has one of these codes"
    )
    sub.add_argument(
        "--way", metavar="WAY", default="", help="of copies: first, newest or merge"
    )


def _vault(sub: argparse.ArgumentParser) -> None:
    _changes(sub)
    sub.add_argument(
        "what",
        metavar="WHAT",
        nargs="?",
        choices=("list", "verify", "endangered", "rescue"),
        help="list: what is kept; verify: read every byte of it again; endangered: "
        "what its agent removes soon and is not kept; rescue: keep all of that",
    )
    sub.add_argument(
        "--days", type=count, metavar="N", default=_SOON, help=f"how soon ({_SOON})"
    )


ADDERS: dict[str, Callable[[argparse.ArgumentParser], None]] = {
    "new": _new,
    "edit": _edit,
    "set": _set,
    "tag": _tag,
    "pin": _refs,
    "unpin": _refs,
    "restore": _refs,
    "delete": _refs,
    "rename": _rename,
    "move": _move,
    "copy": _move,
    "link": _link,
    "unlink": _unlink,
    "merge": _merge,
    "dedupe": _dedupe,
    "append": _append,
    "touch": _refs,
    "transit": _transit,
    "review": _review,
    "undo": _undo,
    "redo": _changes,
    "history": _history,
    "backups": _backups,
    "archive": _archive,
    "return": _return,
    "rebuild": _rebuild,
    "health": _health,
    "vault": _vault,
}
"""By the command's name."""

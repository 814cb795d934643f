"""What lies in a store: every file that belongs to it, and what is refused and why."""

from collections.abc import Callable, Iterator

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root, Stamp
from store.files.sqlite import database_stamp
from store.findings import Severity
from store.formats.claudia.layout import (
    COMPANIONS,
    DEPTH,
    Role,
    role_at_home,
    role_of_page,
)
from store.formats.port import Refused, Source
from store.formats.refusals import leads_out, refused, special

LOGS = "memory/libby"
"""Where the librarian's logs lie beside a database."""

_SILENT = frozenset({"memory", "logs", "Thumbs.db"})
"""What need not be spoken of at the top: its own, and no memory."""

Found = Iterator[Entry | Refused]
Roles = Callable[[str], Role | None]


def scan_home(root: Root) -> Iterator[Source | Refused]:
    """The databases, the settings and the librarian's logs."""
    return _sources(root, _at_home(root), role_at_home)


def scan_tree(root: Root) -> Iterator[Source | Refused]:
    """Every page, however deep; hidden folders aside."""
    return _sources(root, _beneath(root, "", DEPTH + 1), role_of_page)


def depths(root: Root, *, is_home: bool) -> dict[str, int]:
    """How deep a scan looks into which folders; they are few."""
    if is_home:
        return {"": 0, LOGS: 1}
    try:
        top = root.entries()
    except UnreadableError:
        top = []
    folders = [e.path for e in top if e.kind is Kind.FOLDER and not _is_hidden(e)]
    return {"": 0, **dict.fromkeys(folders, DEPTH)}


def _at_home(root: Root) -> Found:
    top = list(_listed(root, ""))
    names = {entry.name for entry in top if isinstance(entry, Entry)}
    for entry in top:
        if isinstance(entry, Refused) or not _is_silent(entry, names):
            yield entry
    if "memory" in names:
        yield from _beneath(root, LOGS, 1, may_be_absent=True)


def _is_silent(entry: Entry, names: set[str]) -> bool:
    companion = next((c for c in COMPANIONS if entry.name.endswith(c)), None)
    if companion:
        return entry.name.removesuffix(companion) in names
    return entry.name in _SILENT or _is_hidden(entry)


def _is_hidden(entry: Entry) -> bool:
    return entry.name.startswith(".")


def _beneath(
    root: Root, folder: str, depth: int, *, may_be_absent: bool = False
) -> Found:
    """Every entry beneath a folder; hidden ones are neither told nor entered."""
    pending = [(folder, 0)]
    while pending:
        current, level = pending.pop()
        if level > depth:
            message = "This folder lies too deep to be looked into."
            yield refused(current, "folder-not-entered", message)
            continue
        found = list(_listed(root, current))
        if may_be_absent and found and isinstance(found[0], Refused):
            return
        shown = [e for e in found if isinstance(e, Refused) or not _is_hidden(e)]
        yield from shown
        inner = [
            e.path for e in shown if isinstance(e, Entry) and e.kind is Kind.FOLDER
        ]
        pending.extend((path, level + 1) for path in reversed(inner))


def _listed(root: Root, folder: str) -> Found:
    try:
        yield from root.entries(folder)
    except UnreadableError as error:
        yield refused(folder, "unreadable", str(error), Severity.ERROR)


def _sources(root: Root, found: Found, role_of: Roles) -> Iterator[Source | Refused]:
    """What is read of what was found; links come last."""
    known: dict[str, Stamp] = {}
    links: list[Entry] = []
    for entry in found:
        if isinstance(entry, Refused):
            yield entry
            continue
        role = role_of(entry.path)
        if entry.kind is Kind.LINK:
            links.append(entry)
        elif role and entry.kind is Kind.FILE:
            known[entry.path] = entry.stamp
            yield _source(root, entry.path, role, entry.stamp)
        elif refusal := _refusal(entry, role):
            yield refusal
    for link in links:
        yield _followed(root, link, known, role_of)


def _source(root: Root, path: str, role: Role, stamp: Stamp) -> Source | Refused:
    """A source; one that is a database moves with its log."""
    if role in {Role.DATABASE, Role.SECTIONS}:
        try:
            stamp = database_stamp(root, path)
        except UnreadableError as error:
            return refused(path, "unreadable", str(error), Severity.ERROR)
    return Source(path, role, stamp)


def _refusal(entry: Entry, role: Role | None) -> Refused | None:
    """Why an entry is not read; None where nothing need be said of it."""
    if entry.kind is Kind.SPECIAL:
        return special(entry.path)
    if entry.kind is Kind.FOLDER:
        if role is None:
            return None
        message = "This is a folder, though it is named like a file of the store."
        return refused(entry.path, "folder-as-file", message)
    message = "This file is no part of the store: it is not read."
    return refused(entry.path, "foreign-file", message, Severity.NOTE)


def _followed(
    root: Root, link: Entry, known: dict[str, Stamp], role_of: Roles
) -> Source | Refused:
    """A link is read as what it leads to, if that lies in the store and is not read."""
    target, role = root.target(link.path), role_of(link.path)
    if target is None:
        return leads_out(link.path)
    if role is None or target in known:
        message = "This link is not followed: what it leads to is read by itself."
        return refused(link.path, "link-not-followed", message, Severity.NOTE)
    return _source(root, link.path, role, link.stamp)

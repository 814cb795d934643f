"""What lies in a store: every file that belongs to it, and what is refused and why."""

from collections.abc import Iterator

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root, Stamp
from store.findings import Severity
from store.formats.kei.layout import (
    COPY,
    DEPTHS,
    GROWING,
    MIRROR,
    MIRRORED,
    Role,
    goes_without_saying,
    original,
    role_of,
)
from store.formats.kei.reach import Reach, stamp_of_database
from store.formats.port import Refused, Source
from store.formats.refusals import leads_out, refused, special, walked

_INODES = 2**63

WATCHED = {
    "": 0,
    **DEPTHS,
    MIRROR: 0,
    **{f"{MIRROR}/{folder}": depth for folder, depth in DEPTHS.items()},
}
"""The folders that a scan looks into, and how many folders deep."""

_LEDGERS = frozenset({Role.AGENT_LINES, Role.SKILL_LINES})


def scan(reach: Reach) -> Iterator[Source | Refused]:
    """Every source and everything refused, each path once; links come last."""
    known: dict[str, Source] = {}
    links: list[Entry] = []
    for one, stamp in reach.elsewhere():
        known[one.path] = Source(one.path, one.role, stamp)
    yield from known.values()
    for entry in _everything(reach.root):
        if isinstance(entry, Refused):
            yield entry
        elif entry.kind is Kind.LINK:
            links.append(entry)
        elif entry.path not in known and (found := _found(reach.root, entry, known)):
            yield found
    for link in links:
        yield _unfollowed(reach.root, link, known)


def _found(
    root: Root, entry: Entry, known: dict[str, Source]
) -> Source | Refused | None:
    """What an entry that is no link comes to; None where nothing need be said."""
    role = role_of(entry.path) if entry.kind is Kind.FILE else None
    if role is None:
        return _refusal(entry)
    known[entry.path] = _source(root, entry, role, known)
    return known[entry.path]


def _source(root: Root, entry: Entry, role: Role, known: dict[str, Source]) -> Source:
    """A file as a source; what is told better elsewhere, as covered by that."""
    first = original(entry.path)
    twin = known.get(first) if first != entry.path else None
    if role in _LEDGERS and any(s.role == Role.LEDGER for s in known.values()):
        return Source(entry.path, Role.COVERED, entry.stamp)
    if role is Role.DATABASE:
        return Source(entry.path, role, stamp_of_database(root, entry))
    if twin and role in MIRRORED:
        stamp = _together(entry.stamp, twin.stamp)
        return Source(entry.path, f"{role}{COPY}", stamp)
    return Source(entry.path, role, entry.stamp, grows=role in GROWING)


def _together(copy: Stamp, twin: Stamp) -> Stamp:
    """A stamp that moves with either: what a copy adds depends on its original."""
    newest = max(copy.mtime_ns, twin.mtime_ns)
    return Stamp(
        copy.size, newest, (copy.inode * 31 + twin.inode + twin.size) % _INODES
    )


def _everything(root: Root) -> Iterator[Entry | Refused]:
    """All that its own folders hold, the mirror's last."""
    yield from _level(root, "")
    yield from _level(root, MIRROR)


def _level(root: Root, folder: str) -> Iterator[Entry | Refused]:
    try:
        entries = root.entries(folder)
    except UnreadableError as error:
        if not folder:
            yield refused("", "unreadable", str(error), Severity.ERROR)
        return
    for entry in entries:
        if entry.kind is Kind.FOLDER and entry.name in DEPTHS:
            yield from walked(root, entry.path, DEPTHS[entry.name])
        elif entry.path == MIRROR and entry.kind is Kind.FOLDER:
            continue
        else:
            yield entry


def _refusal(entry: Entry) -> Refused | None:
    """Why an entry is not read; None where nothing need be said of it."""
    if entry.kind is Kind.SPECIAL:
        return special(entry.path)
    if goes_without_saying(entry.path):
        return None
    if entry.kind is Kind.FILE:
        message = "This file is no part of the store: it is not read."
        return refused(entry.path, "foreign-file", message, Severity.NOTE)
    if entry.name.endswith(".jsonl"):
        message = "This is a folder, though it is named like a journal."
        return refused(entry.path, "folder-as-file", message)
    if "/" in original(entry.path):
        return None
    message = "This folder is no part of the store; one in it is listed by itself."
    return refused(entry.path, "foreign-folder", message, Severity.NOTE)


def _unfollowed(root: Root, link: Entry, known: dict[str, Source]) -> Refused:
    """Why a link is not read: what it leads to is listed by itself, or never."""
    target = root.target(link.path)
    if target in known:
        message = f"This link is not read: {target} is, to which it leads."
        return refused(link.path, "link-to-source", message, Severity.NOTE)
    if target is None:
        return leads_out(link.path)
    message = "This link is not followed: it leads to nothing that is read."
    return refused(link.path, "link-not-followed", message)

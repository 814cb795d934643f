"""What there is in a store: its sources, and what is refused with its reason."""

from collections.abc import Iterator

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root
from store.findings import UNREADABLE, Severity
from store.formats.port import Refused, Source
from store.formats.refusals import refused
from store.formats.transcripts.bases import HISTORY, Bases
from store.formats.transcripts.roles import (
    GROWING,
    HISTORY_ROLE,
    is_entered,
    is_near,
    role_of,
)

DEPTH = 8
"""How many folders below its top a store is looked into."""


def scan(bases: Bases) -> Iterator[Source | Refused]:
    """Every source and every refusal; what the backup repeats is one source."""
    known: set[str] = set()
    for root in bases.folders:
        for found in _scan_folder(root, "", DEPTH):
            if found.path not in known:
                known.add(found.path)
                yield found
    if bases.beside:
        yield from _history(bases.beside)


def sources(root: Root) -> Iterator[Source]:
    """The sources of one folder, whatever another one holds."""
    for found in _scan_folder(root, "", DEPTH):
        if isinstance(found, Source):
            yield found


def _scan_folder(root: Root, folder: str, depth: int) -> Iterator[Source | Refused]:
    try:
        entries = root.entries(folder)
    except UnreadableError as error:
        yield refused(folder or ".", UNREADABLE, str(error), Severity.ERROR)
        return
    for entry in entries:
        if entry.kind is not Kind.FOLDER:
            yield from _entry(root, entry)
        elif not is_entered(entry.name):
            continue
        elif depth:
            yield from _scan_folder(root, entry.path, depth - 1)
        else:
            message = f"More than {DEPTH} folders deep; it is not looked into."
            yield refused(entry.path, "too-deep", message)


def _entry(root: Root, entry: Entry) -> Iterator[Source | Refused]:
    role = role_of(entry.path)
    if entry.kind is Kind.LINK:
        yield from _link(root, entry, role)
    elif role is None:
        if is_near(entry.name):
            message = "It is named like a transcript, but not as one; it is not read."
            yield refused(entry.path, "other-file", message, Severity.NOTE)
    elif entry.kind is Kind.SPECIAL:
        message = "A pipe, socket or device; it is never opened."
        yield refused(entry.path, "special-file", message)
    else:
        yield Source(entry.path, role, entry.stamp, grows=role in GROWING)


def _link(root: Root, entry: Entry, role: str | None) -> Iterator[Refused]:
    """No link is followed: what lies in the store is read where it lies."""
    target = root.target(entry.path)
    if target is None:
        message = "A link that leads out of the store or nowhere; it is not followed."
        yield refused(entry.path, "link-leads-out", message)
    elif role or "." not in entry.name:
        message = "A link to what the store holds elsewhere; it is read there."
        yield refused(entry.path, "link-within", message, Severity.NOTE)


def _history(beside: Root) -> Iterator[Source]:
    """The prompts of all sessions, where they lie beside the store."""
    name = HISTORY.rpartition("/")[2]
    try:
        entries = beside.entries()
    except UnreadableError:
        return
    for entry in entries:
        if entry.name == name and entry.kind is Kind.FILE:
            yield Source(HISTORY, HISTORY_ROLE, entry.stamp)

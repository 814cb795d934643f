"""Why something that lies in a store is not read."""

import time

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root
from store.files.lock_holder import LARGEST
from store.findings import Severity
from store.formats.agent_memory.layout import DEPTHS, LOCK, role_of
from store.formats.agent_memory.lock import judge
from store.formats.port import Refused
from store.formats.refusals import refused, special

_UNREMARKABLE = frozenset({"server.log", "Thumbs.db"})
_TEMPORARY = ".tmp"


def refusal(root: Root, entry: Entry) -> Refused | None:
    """Why an entry is not read; None where nothing need be said of it."""
    if entry.kind is Kind.SPECIAL:
        return special(entry.path)
    if entry.kind is Kind.FOLDER:
        return _folder(entry)
    return _lock(root, entry) if entry.path == LOCK else _file(entry)


def _file(entry: Entry) -> Refused | None:
    if entry.name in _UNREMARKABLE:
        return None
    if entry.name in DEPTHS:
        message = "This is a file where a folder ought to be: it is not read."
        return refused(entry.path, "file-as-folder", message)
    if entry.name.endswith(_TEMPORARY):
        message = "A writer began this file and did not finish it: it is not read."
        return refused(entry.path, "unfinished-write", message, Severity.NOTE)
    message = "This file is no part of the store: it is not read."
    return refused(entry.path, "foreign-file", message, Severity.NOTE)


def _folder(entry: Entry) -> Refused | None:
    if entry.path == LOCK or role_of(entry.path):
        message = "This is a folder, though it is named like a file of the store."
        return refused(entry.path, "folder-as-file", message)
    if "/" in entry.path or entry.name in DEPTHS:
        return None
    message = "This folder is no part of the store; a store in it is listed by itself."
    return refused(entry.path, "foreign-folder", message, Severity.NOTE)


def _lock(root: Root, entry: Entry) -> Refused:
    """What the lock says now, which no stamp could tell."""
    try:
        head = root.read(LOCK, limit=LARGEST).raw
    except UnreadableError as error:
        return refused(LOCK, "unreadable", str(error))
    return Refused(LOCK, judge(head, entry.stamp.mtime_ns, time.time_ns()))

"""What lies in a store: every file that belongs to it, and what is refused and why."""

from collections.abc import Iterator

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root, Stamp
from store.findings import Severity
from store.formats.cognitive.ignore import without_ignore
from store.formats.cognitive.layout import (
    CORE,
    DEPTH,
    EPISODES,
    GRAPH,
    IGNORE,
    VAULT,
    Role,
    is_page,
    role_of,
)
from store.formats.port import Refused, Source
from store.formats.refusals import leads_out, refused, special, walked

DEPTHS = {GRAPH: DEPTH, VAULT: 1, EPISODES: 0}
"""How many folders deep each part of a store goes."""

_UNREMARKABLE = frozenset({".DS_Store", ".gitignore", ".gitkeep", "Thumbs.db"})


def scan(root: Root) -> Iterator[Source | Refused]:
    """Every source and everything refused, each path once; links come last."""
    files: dict[str, Stamp] = {}
    links: list[Entry] = []
    for entry in _everything(root):
        if isinstance(entry, Refused):
            yield entry
        elif entry.kind is Kind.LINK:
            links.append(entry)
        elif entry.kind is Kind.FILE and (role := role_of(entry.path)):
            files[entry.path] = entry.stamp
            yield Source(entry.path, role, entry.stamp)
        elif refused := _refusal(entry):
            yield refused
    for link in links:
        yield _followed(root, link, files)


def _everything(root: Root) -> Iterator[Entry | Refused]:
    """All that is not hidden at the root, and all that its own folders hold."""
    try:
        top = root.entries()
    except UnreadableError as error:
        yield refused("", "unreadable", str(error), Severity.ERROR)
        return
    unprotected = without_ignore({entry.name for entry in top})
    if unprotected:
        yield Refused(IGNORE, unprotected)
    for entry in top:
        if entry.name in DEPTHS and entry.kind is Kind.FOLDER:
            yield from walked(root, entry.name, DEPTHS[entry.name])
        elif role_of(entry.path) or not entry.name.startswith("."):
            yield entry


def _refusal(entry: Entry) -> Refused | None:
    """Why an entry is not read; None where nothing need be said of it."""
    if entry.kind is Kind.FOLDER:
        return _refused_folder(entry)
    if entry.kind is Kind.SPECIAL:
        return special(entry.path)
    if entry.name in _UNREMARKABLE:
        return None
    message = "This file is no memory: its name does not end in .md."
    if _is_at_the_root(entry):
        message = "This file is no part of the graph: it is not read."
    return refused(entry.path, "foreign-file", message, Severity.NOTE)


def _refused_folder(entry: Entry) -> Refused | None:
    if is_page(entry.name):
        message = "This is a folder, though it is named like a memory."
        return refused(entry.path, "folder-as-file", message)
    if not _is_at_the_root(entry):
        return None
    message = "This folder is no part of the graph; a store in it is listed by itself."
    return refused(entry.path, "foreign-folder", message, Severity.NOTE)


def _is_at_the_root(entry: Entry) -> bool:
    return "/" not in entry.path


def _followed(root: Root, link: Entry, files: dict[str, Stamp]) -> Source | Refused:
    """A link is read as what it leads to, if that is a file of the same store."""
    target = root.target(link.path)
    stamp = files.get(target or "")
    role = Role.CORE_LINK if target == CORE else role_of(link.path)
    if stamp and role:
        return Source(link.path, role, stamp)
    if target is None:
        return leads_out(link.path)
    message = "This link is not followed: it leads to nothing that is read."
    return refused(link.path, "link-not-followed", message)

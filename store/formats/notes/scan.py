"""What there is in a store: its sources, and what is refused with its reason."""

from collections.abc import Iterator

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root
from store.findings import Severity
from store.formats.notes.linked import is_linked_summary
from store.formats.notes.roles import foreign, is_entered, is_source, role_of
from store.formats.port import Refused, Source
from store.formats.refusals import refused

DEPTH = 6
"""How many folders below its top a store is looked into."""


def scan(root: Root) -> Iterator[Source | Refused]:
    """Every source and every refusal, folder by folder in the order of their names."""
    yield from _scan_folder(root, "", DEPTH)


def _scan_folder(root: Root, folder: str, depth: int) -> Iterator[Source | Refused]:
    try:
        entries = root.entries(folder)
    except UnreadableError as error:
        yield refused(folder or ".", "unreadable", str(error), Severity.ERROR)
        return
    for entry in entries:
        if entry.kind is not Kind.FOLDER or not is_entered(entry.name):
            yield _entry(root, entry)
        elif depth:
            yield from _scan_folder(root, entry.path, depth - 1)
        else:
            message = f"More than {DEPTH} folders deep; it is not looked into."
            yield refused(entry.path, "too-deep", message, Severity.WARNING)


def _entry(root: Root, entry: Entry) -> Source | Refused:
    if entry.kind is Kind.LINK:
        return _link(root, entry)
    if entry.kind is Kind.SPECIAL:
        message = "A pipe, socket or device; it is never opened."
        return refused(entry.path, "special-file", message, Severity.WARNING)
    if entry.kind is Kind.FILE and is_source(entry.name):
        return Source(entry.path, role_of(root.path.name, entry.path), entry.stamp)
    return Refused(entry.path, foreign(entry.name))


def _link(root: Root, entry: Entry) -> Source | Refused:
    """A link to a note of the same store is read; every other one is refused."""
    target = root.target(entry.path)
    if target is None:
        return _leads_out(root, entry)
    end = _entry_at(root, target)
    if end and end.kind is Kind.FILE and is_source(entry.name):
        return Source(entry.path, role_of(root.path.name, entry.path), end.stamp)
    message = "A link to what the store holds elsewhere; it is read there."
    return refused(entry.path, "link-within", message, Severity.NOTE)


def _leads_out(root: Root, entry: Entry) -> Refused:
    if is_linked_summary(root, entry):
        message = (
            "The index is a link to the summary of another store; open that store to"
            " see what an agent loads here."
        )
        return refused(entry.path, "link-to-core", message, Severity.NOTE)
    message = "A link that leads out of the store or nowhere; it is not followed."
    return refused(entry.path, "link-leads-out", message, Severity.WARNING)


def _entry_at(root: Root, path: str) -> Entry | None:
    folder = path.rpartition("/")[0]
    try:
        entries = root.entries(folder)
    except UnreadableError:
        return None
    return next((entry for entry in entries if entry.path == path), None)

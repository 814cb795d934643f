"""Why something in a store is not read, where every format says it alike."""

from collections.abc import Iterator

from store.files.beneath import Entry, Root
from store.findings import Flaw, Severity
from store.formats.port import Refused


def refused(
    path: str, code: str, message: str, severity: Severity = Severity.WARNING
) -> Refused:
    """Something that is not read, and why."""
    return Refused(path, Flaw(code=code, message=message, severity=severity))


def special(path: str) -> Refused:
    """What is neither file nor folder."""
    message = "This is a pipe, a socket or a device, which is never opened."
    return refused(path, "special-file", message)


def leads_out(path: str) -> Refused:
    """A link to what does not lie in the store."""
    message = "This link is not followed: it leads out of the store or nowhere."
    return refused(path, "link-leads-out", message)


def walked(root: Root, folder: str, depth: int) -> Iterator[Entry | Refused]:
    """Every entry beneath a folder; one that cannot be entered is refused."""
    for entry in root.walk(folder, depth=depth):
        if isinstance(entry, Entry):
            yield entry
        else:
            path, error = entry
            yield refused(path, "folder-not-entered", str(error))

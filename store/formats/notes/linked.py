"""An index that is a link to the summary of a store that lies elsewhere."""

from store.files.beneath import Entry, Kind, Root
from store.formats.notes.roles import INDEX

_SUMMARY = "CORE.md"
"""What the page is called that stores of another kind have agents load."""


def is_linked_summary(root: Root, entry: Entry) -> bool:
    """Whether agents load here what another store sums up, told by the link's text."""
    if entry.kind is not Kind.LINK or entry.name.casefold() != INDEX:
        return False
    text = root.link_text(entry.path) or ""
    return text.rpartition("/")[2] == _SUMMARY

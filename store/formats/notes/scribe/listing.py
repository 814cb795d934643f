"""A whole index, as the program makes it that makes such indexes."""

from collections.abc import Iterator

from store.errors import UnreadableError
from store.files.beneath import Root
from store.formats.notes.scan import scan
from store.formats.notes.scribe.note import Listed, is_listed, listed
from store.formats.notes.scribe.ruled import by_rule
from store.formats.port import Source


def whole(root: Root) -> str:
    """The whole index; empty where there is no note."""
    return "".join(f"{by_rule(note)}\n" for note in all_notes(root))


def all_notes(root: Root) -> Iterator[Listed]:
    """Every note that an index ought to list, in the order of their files."""
    sources = [one for one in scan(root) if isinstance(one, Source)]
    for source in sorted(sources, key=lambda source: source.path):
        if is_listed(root.path.name, source.path):
            try:
                yield listed(source.path, root.read(source.path).raw)
            except UnreadableError:
                continue

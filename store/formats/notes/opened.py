"""A notes store that is being read."""

from collections.abc import Iterator
from pathlib import Path

from store.errors import UnreadableError
from store.files.beneath import Root
from store.files.frontmatter import read_page
from store.findings import START, Findings, Flaw, Mark, Severity
from store.formats.defaults import OpenStoreDefaults
from store.formats.notes.documents import read_daily_log, read_session_memory
from store.formats.notes.index import read_index
from store.formats.notes.memory import read_memory
from store.formats.notes.placement import is_of_a_loop
from store.formats.notes.roles import Role
from store.formats.notes.scan import DEPTH, scan
from store.formats.notes.surroundings import beside, title_of
from store.formats.port import Refused, Source


class OpenNotes(OpenStoreDefaults):
    """Reads files beneath one folder; leaving the `with` block closes it."""

    def __init__(self, path: Path) -> None:
        self._root = Root(path)

    @property
    def title(self) -> str:
        """The project that the memories are about, else the folder's name."""
        return title_of(self._root.path)

    def glance(self) -> bytes:
        """The same as long as nothing that a scan looks at moved."""
        return self._root.fingerprint({"": DEPTH})

    def scan(self) -> Iterator[Source | Refused]:
        """List what there is, cheaply: names and stamps, no file is opened."""
        return scan(self._root)

    def read(self, source: Source, since: Mark = START) -> Findings:
        """Read one source; no source of this format grows, so all of it."""
        del since
        try:
            blob = self._root.read(source.path)
        except UnreadableError as error:
            flaw = Flaw(code="unreadable", message=str(error), severity=Severity.ERROR)
            return Findings(flaws=(flaw,))
        page = read_page(blob.raw, whole=blob.whole)
        match source.role:
            case Role.INDEX:
                place = self._root.path
                may_be_empty = is_of_a_loop(place)
                return read_index(
                    source.path, blob, page, beside(place), may_be_empty=may_be_empty
                )
            case Role.SESSION:
                return read_session_memory(source.path, page)
            case Role.LOG:
                return read_daily_log(source.path, page)
            case _:
                return read_memory(source.path, page)

    def close(self) -> None:
        """Let go of the store."""
        self._root.close()

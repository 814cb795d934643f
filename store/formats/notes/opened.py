"""A notes store that is being read."""

from collections.abc import Iterator

from store.errors import UnreadableError
from store.files.frontmatter import read_page
from store.files.rooted import Rooted
from store.findings import START, Findings, Mark, not_read
from store.formats.defaults import OpenStoreDefaults
from store.formats.notes.documents import read_daily_log, read_session_memory
from store.formats.notes.index import read_index
from store.formats.notes.memory import read_memory
from store.formats.notes.placement import is_of_a_loop
from store.formats.notes.roles import Role, is_entered, is_source, role_of
from store.formats.notes.scan import DEPTH, scan
from store.formats.notes.surroundings import beside, title_of
from store.formats.port import Refused, Source


class OpenNotes(Rooted, OpenStoreDefaults):
    """Reads files beneath one folder; leaving the `with` block closes it."""

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

    def source_at(self, path: str) -> Source | None:
        """A note, told by its path."""
        *folders, name = path.split("/")
        if not is_source(name) or len(folders) > DEPTH:
            return None
        if not all(is_entered(folder) for folder in folders):
            return None
        with self._root.opened(path) as file:
            return Source(path, role_of(self._root.path.name, path), file.stamp)

    def read(self, source: Source, since: Mark = START) -> Findings:
        """Read one source; no source of this format grows, so all of it."""
        del since
        try:
            blob = self._root.read(source.path)
        except UnreadableError as error:
            return Findings(flaws=(not_read(error),))
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

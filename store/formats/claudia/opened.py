"""A store of this format while it is read."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from store.errors import UnreadableError
from store.files.beneath import Root
from store.files.frontmatter import Page, read_page
from store.files.rooted import Rooted
from store.files.sqlite import Database, open_database
from store.findings import START, Findings, Json, Mark, not_read
from store.formats.claudia.entries import entry_key, whole_entry
from store.formats.claudia.episode import read_day, read_sitting
from store.formats.claudia.layout import MAIN, Role
from store.formats.claudia.page import read_log, read_other_page, read_transcript
from store.formats.claudia.pieces import Pieces
from store.formats.claudia.scan import depths, scan_home, scan_tree
from store.formats.claudia.sections import read_sections
from store.formats.claudia.settings import LIMIT, read_settings
from store.formats.claudia.sniff import databases
from store.formats.claudia.tables import ENTRIES, NUMBER
from store.formats.defaults import OpenStoreDefaults
from store.formats.port import Passage, Place, Refused, Source

_PAGES: Mapping[str, Callable[[str, Page], Findings]] = {
    Role.DAY: read_day,
    Role.SITTING: read_sitting,
    Role.LOG: read_log,
    Role.TRANSCRIPT: read_transcript,
    Role.PAGE: read_other_page,
}


class ClaudiaStore(Rooted, OpenStoreDefaults):
    """The folder of a database, or a tree of pages."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._is_home = _is_home(self._root)
        self._open: tuple[Source, Database, Pieces] | None = None

    @property
    def title(self) -> str:
        """The folder's name, without what hides it."""
        path = self._root.path
        return path.name.lstrip(".") or str(path)

    def glance(self) -> bytes:
        """The same as long as nothing that a scan looks at moved."""
        return self._root.fingerprint(depths(self._root, is_home=self._is_home))

    def scan(self) -> Iterator[Source | Refused]:
        """Every file of the store, and what is refused."""
        return scan_home(self._root) if self._is_home else scan_tree(self._root)

    def read(self, source: Source, since: Mark = START) -> Findings:
        """What one file says; a database comes in pieces."""
        try:
            match source.role:
                case Role.DATABASE:
                    return self._pieces(source).read(since)
                case Role.SECTIONS:
                    with open_database(self._root, source.path) as database:
                        return read_sections(database)
                case Role.SETTINGS:
                    blob = self._root.read(source.path, limit=LIMIT)
                    return read_settings(source.path, blob)
                case _:
                    blob = self._root.read(source.path)
                    page = read_page(blob.raw, whole=blob.whole)
                    return _PAGES[source.role](source.path, page)
        except UnreadableError as error:
            return Findings(flaws=(not_read(error),))

    def passage(self, source: Source, place: Place) -> Passage:
        """An entry of a database, whole."""
        with open_database(self._root, source.path) as database:
            columns = (NUMBER, *database.tables.get(ENTRIES, ()))
            rows = database.rows(ENTRIES, columns, after=place.line - 1, limit=1)
            for row in rows:
                if row[0] == place.line and place.key == entry_key(place.line):
                    return whole_entry(dict(zip(columns, row, strict=True)))
        return super().passage(source, place)

    def ask(
        self, question: str, words: Sequence[str], now: int
    ) -> Iterator[Mapping[str, Json]]:
        """Answer a question about the databases; a tree of pages has no answers."""
        from store.formats.claudia.asking import answer  # noqa: PLC0415  # loaded by who asks alone

        return answer(self._root, question, words, now)

    def close(self) -> None:
        """Let go of the store."""
        self._let_go()
        super().close()

    def _pieces(self, source: Source) -> Pieces:
        """The database that is being read, kept open between its pieces."""
        if self._open and self._open[0] == source:
            return self._open[2]
        self._let_go()
        database = open_database(self._root, source.path)
        pieces = Pieces(database, source.path)
        self._open = (source, database, pieces)
        return pieces

    def _let_go(self) -> None:
        if self._open:
            self._open[1].close()
            self._open = None


def _is_home(root: Root) -> bool:
    """Whether there is a database, sound or not, rather than a tree of pages."""
    try:
        entries = root.entries()
    except UnreadableError:
        return False
    return any(entry.name in MAIN for entry in entries) or bool(
        databases(root, entries)
    )

"""A database in pieces: first its conversations, then its entries, then its health."""

from collections.abc import Iterator
from contextlib import suppress

from msgspec.structs import replace

from store.errors import UnreadableError
from store.files.sqlite import Database, Row
from store.findings import (
    START,
    ConversationFound,
    DocumentFound,
    Findings,
    Flaw,
    Mark,
    MessageFound,
    not_read,
)
from store.formats.claudia.cells import whole
from store.formats.claudia.conversations import read_conversation
from store.formats.claudia.entries import read_entry
from store.formats.claudia.health import health_of
from store.formats.claudia.layout import MAIN
from store.formats.claudia.progress import Progress
from store.formats.claudia.ranges import COLUMNS, Ranges
from store.formats.claudia.report import facts_of, flaws_of
from store.formats.claudia.tables import CONVERSATIONS, ENTRIES, NUMBER, Record, records

PIECE = 5_000
"""How many rows are read at once."""
_WEIGHT = 16 * 1024 * 1024
"""How much text is read at once."""


class _Gathered:
    """What a piece holds so far."""

    def __init__(self) -> None:
        self.room, self.weight = PIECE, _WEIGHT
        self.conversations: list[ConversationFound] = []
        self.messages: list[MessageFound] = []
        self.documents: tuple[DocumentFound, ...] = ()
        self.flaws: list[Flaw] = []

    @property
    def is_full(self) -> bool:
        """Whether another row is one too many."""
        return self.room <= 0 or self.weight <= 0

    def weigh(self, row: Row) -> None:
        """Make less room by a row."""
        self.room -= 1
        self.weight -= sum(len(v) for v in row if isinstance(v, (str, bytes)))

    def findings(self, rest: Progress | None) -> Findings:
        """The piece; `rest` is where the next one begins."""
        return Findings(
            conversations=tuple(self.conversations),
            messages=tuple(self.messages),
            documents=self.documents,
            flaws=tuple(self.flaws),
            mark=rest.mark if rest else START,
            more=rest is not None,
        )


class Pieces:
    """Reads one database; its conversations' spans are looked up once."""

    def __init__(self, database: Database, path: str) -> None:
        self._database, self._path = database, path
        self._known: Ranges | None = None

    def read(self, since: Mark) -> Findings:
        """The piece that begins at a mark."""
        before, progress = len(self._database.lost), Progress.at(since)
        gathered = _Gathered()
        while not gathered.is_full and not progress.ended:
            read = self._entries if progress.listed else self._conversations
            progress = read(progress, gathered)
        for told in self._database.lost[before:]:
            gathered.flaws.append(Flaw(code="unreadable-row", message=told))
        if not progress.ended:
            return gathered.findings(progress)
        self._end(progress, gathered)
        return gathered.findings(None)

    def _conversations(self, progress: Progress, into: _Gathered) -> Progress:
        last = progress.conversations
        for row in self._rows(CONVERSATIONS, last, into):
            found, odd = read_conversation(row)
            into.conversations.append(found)
            into.flaws += odd
            last = whole(row[NUMBER])
        return replace(progress, conversations=last, listed=not into.is_full)

    def _entries(self, progress: Progress, into: _Gathered) -> Progress:
        spans, last = self._spans(), progress.entries
        read, orphans, shared = progress.read, progress.orphans, progress.shared
        for row in self._rows(ENTRIES, last, into):
            message, belonging = read_entry(row, spans)
            into.messages.append(message)
            read += 1
            orphans += belonging.conversation is None
            shared += belonging.is_shared
            last = whole(row[NUMBER])
        return replace(
            progress,
            entries=last,
            ended=not into.is_full,
            read=read,
            orphans=orphans,
            shared=shared,
        )

    def _end(self, progress: Progress, into: _Gathered) -> None:
        """Add what is to be said when all was read."""
        try:
            health = health_of(self._database)
        except UnreadableError as error:
            into.flaws.append(not_read(error))
            return
        into.flaws += flaws_of(health, progress, is_main=self._path in MAIN)
        document = DocumentFound(
            title=self._path,
            role="document",
            text="",
            category="database",
            facts=facts_of(health, progress),
        )
        into.documents = (document,)

    def _rows(self, table: str, after: int | None, into: _Gathered) -> Iterator[Record]:
        """The next rows of a table, as far as there is room and they can be read."""
        columns = (NUMBER, *self._database.tables.get(table, ()))
        try:
            if table in self._database.tables:
                rows = self._database.rows(table, columns, after=after, limit=into.room)
                for row in rows:
                    into.weigh(row)
                    yield dict(zip(columns, row, strict=True))
                    if into.is_full:
                        return
        except UnreadableError as error:
            into.flaws.append(not_read(error))

    def _spans(self) -> Ranges:
        """The spans of all conversations that can be read."""
        if self._known is None:
            rows: list[Record] = []
            with suppress(UnreadableError):
                rows.extend(records(self._database, CONVERSATIONS, COLUMNS))
            self._known = Ranges(rows)
        return self._known

"""Rows of conversations found again, and what stands against writing one."""

from store.edits.refusals import (
    ChangedOnDiskError,
    LockedError,
    NotPossibleError,
)
from store.files.beneath import Root
from store.files.sqlite import Database, open_database
from store.formats.claudia.asking.locks import FILE_STALE
from store.formats.claudia.cells import instant, text, whole
from store.formats.claudia.scribe.lifecycle import ARCHIVED, SKIPPED
from store.formats.claudia.sniff import databases
from store.formats.claudia.tables import (
    CONVERSATIONS,
    FILE_LOCKS,
    FILES,
    NUMBER,
    Record,
    records,
)
from store.records.conversation import Conversation
from store.times import parse

_SECOND = 1_000_000


class Found:
    """A conversation's row, in the database that holds it."""

    def __init__(self, path: str, row: Record, columns: tuple[str, ...]) -> None:
        self.path, self.row, self.columns = path, row, columns

    @property
    def number(self) -> int:
        """What the row goes by."""
        return whole(self.row[NUMBER])

    @property
    def status(self) -> str:
        """Where the conversation stands."""
        return text(self.row.get("status")) or ""


def find(root: Root, record: Conversation) -> Found:
    """The row of a conversation by now; raises ChangedOnDiskError where it is gone."""
    same = [found for found in everything(root) if _is(found.row, record)]
    alike = [found for found in same if found.status == record.status] or same
    if len(alike) == 1:
        return alike[0]
    sentence = f"“{record.title}” is not in the database as it was. Look again."
    raise ChangedOnDiskError(sentence)


def everything(root: Root) -> list[Found]:
    """Every conversation of the store's databases."""
    found: list[Found] = []
    for entry in databases(root, root.entries()):
        with open_database(root, entry.path) as database:
            columns = tuple(database.tables.get(CONVERSATIONS, ()))
            rows = records(database, CONVERSATIONS, (NUMBER, *columns))
            found += [Found(entry.path, row, columns) for row in rows]
    return found


def refuse_if_locked(root: Root, found: Found, now: int) -> None:
    """Raise LockedError while the program is at a conversation's transcript."""
    file = found.row.get("source_file")
    with open_database(root, found.path) as database:
        for row in records(database, FILE_LOCKS):
            if row.get("source_file") == file and not _is_stale(row, now):
                why = text(row.get("operation")) or "at work"
                raise LockedError(f"Its transcript is locked: {why}. Try again later.")
        if _is_read(database, file):
            raise LockedError("Its transcript is being read. Try again later.")


def refuse_a_second(root: Root, found: Found) -> None:
    """Raise NotPossibleError where another live row is of the same conversation."""
    for other in everything(root):
        is_same = all(
            other.row.get(name) == found.row.get(name)
            for name in ("source_file", "first_message_at")
        )
        is_other = other.path != found.path or other.number != found.number
        if is_same and is_other and other.status not in {ARCHIVED, SKIPPED}:
            number, status = other.number, other.status
            sentence = f"Conversation {number} is the same one, and it is {status}."
            raise NotPossibleError(sentence)


def _is(row: Record, record: Conversation) -> bool:
    first = instant(row.get("first_message_at"))
    told = parse(record.first) if record.first else None
    return text(row.get("source_file")) == record.source and first == told


def _is_stale(row: Record, now: int) -> bool:
    """Whether a lock was left behind, as the program itself counts."""
    since = instant(row.get("locked_at"))
    if since is None or since.micros is None:
        return False
    return now - since.micros > FILE_STALE * _SECOND


def _is_read(database: Database, file: object) -> bool:
    return any(
        row.get("file_path") == file and row.get("status") == "ingesting"
        for row in records(database, FILES, ("file_path", "status"))
    )

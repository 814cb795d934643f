"""What each intent writes into a database, or a tree of pages."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import orjson
from msgspec import Struct

from store.edits.conflict import ChangedOnDiskError
from store.edits.draft import Changeable, Draft, FileStep, Form, Known, RowStep
from store.errors import InvalidError, LockedError, NotPossibleError, ReadOnlyError
from store.files.beneath import Root, Rooted
from store.files.sqlite import open_database
from store.findings import Json, Value
from store.formats.claudia.format import (
    CONVERSATIONS,
    FILE_LOCKS,
    FILE_STALE,
    FILES,
    NUMBER,
    Record,
    databases,
    instant,
    json_value,
    records,
    text,
    whole,
)
from store.formats.claudia.read import settings_of
from store.formats.port import entries_of
from store.kinds.conversations import Conversation
from store.machine import Places
from store.records.intents import Create, Delete, Intent, Rewrite, Set, Transit
from store.settings import read_settings
from store.times import parse

# The statuses of a conversation, and the transitions that a user may make.
#
#    active ──► ready ──► queued ──► processing ──► archived, skipped or review
#
# The program's librarian takes queued conversations, processes them and sets the
# result; no other program does that. A user may move a conversation as in `TURNS`:
# queue one that is active, ready, archived, skipped or in review, skip a queued one,
# and accept one in review, which archives it.

ACTIVE, READY, QUEUED, PROCESSING = "active", "ready", "queued", "processing"
ARCHIVED, SKIPPED, REVIEW = "archived", "skipped", "review"

_AGAIN = (
    "Claudia's librarian will extract memories from it again and replace the summary."
)
_ORPHANS = "Messages added to it later will belong to no conversation."


class Turn(Struct, frozen=True):
    """One transition between statuses."""

    is_the_end: bool = False
    """Whether processing is finished then; the program stores the time."""
    warning: str = ""
    """What the program does, or does not do, as a result."""


TURNS: Mapping[str, Mapping[str, Turn]] = {
    ACTIVE: {QUEUED: Turn(warning=_ORPHANS)},
    READY: {QUEUED: Turn()},
    QUEUED: {SKIPPED: Turn(is_the_end=True)},
    PROCESSING: {},
    REVIEW: {ARCHIVED: Turn(is_the_end=True), QUEUED: Turn(warning=_AGAIN)},
    ARCHIVED: {QUEUED: Turn(warning=_AGAIN)},
    SKIPPED: {QUEUED: Turn(warning=_AGAIN)},
}
"""The allowed transitions from each status."""


def why_not(status: str, wanted: str) -> str:
    """Why a conversation cannot get a status; empty if it can."""
    if status not in TURNS:
        return f"Unknown conversation status: {status}."
    if wanted in TURNS[status]:
        return ""
    if wanted == status:
        return f"The status is already {status}."
    if status == PROCESSING:
        return "Claudia's librarian is processing it. Try again later."
    known = " or ".join(TURNS[status])
    return f"The status {status} can change to {known}, not to {wanted}."


# Find rows of conversations, and check whether they may be written.

_SECOND = 1_000_000


class Found(NamedTuple):
    """A conversation's row in its database."""

    path: str
    row: Record
    columns: tuple[str, ...]

    @property
    def number(self) -> int:
        """The row number."""
        return whole(self.row[NUMBER])

    @property
    def status(self) -> str:
        """The status of the conversation."""
        return text(self.row.get("status")) or ""


def find(root: Root, record: Conversation) -> Found:
    """The current row of a conversation; raises ChangedOnDiskError if it is gone."""
    first = parse(record.first) if record.first else None
    same = [
        found
        for found in everything(root)
        if text(found.row.get("source_file")) == record.source
        and instant(found.row.get("first_message_at")) == first
    ]
    alike = [found for found in same if found.status == record.status] or same
    if len(alike) == 1:
        return alike[0]
    sentence = f"“{record.title}” isn't in the database. Reload and try again."
    raise ChangedOnDiskError(sentence)


def everything(root: Root) -> list[Found]:
    """Every conversation in the store's databases."""
    found: list[Found] = []
    for entry in databases(root, root.entries()):
        with open_database(root, entry.path) as database:
            columns = tuple(database.tables.get(CONVERSATIONS, ()))
            rows = records(database, CONVERSATIONS, (NUMBER, *columns))
            found += [Found(entry.path, row, columns) for row in rows]
    return found


def refuse_if_locked(root: Root, found: Found, now: int) -> None:
    """Raise LockedError while the program is reading a conversation's transcript."""
    file = found.row.get("source_file")
    with open_database(root, found.path) as database:
        for row in records(database, FILE_LOCKS):
            if row.get("source_file") == file and not _is_stale(row, now):
                why = text(row.get("operation")) or "Claudia is still running"
                raise LockedError(f"The transcript is locked: {why}. Try again later.")
        for row in records(database, FILES, ("file_path", "status")):
            if row.get("file_path") == file and row.get("status") == "ingesting":
                raise LockedError("The transcript is being imported. Try again later.")


def refuse_a_second(root: Root, found: Found) -> None:
    """Raise NotPossibleError if another live row has the same conversation."""
    same = ("source_file", "first_message_at")
    for other in everything(root):
        is_other = (other.path, other.number) != (found.path, found.number)
        is_live = other.status not in {ARCHIVED, SKIPPED}
        if (
            is_other
            and is_live
            and all(other.row.get(n) == found.row.get(n) for n in same)
        ):
            about = f"Conversation {other.number} is its duplicate"
            raise NotPossibleError(f"{about}, and is {other.status}.")


def refuse_what_the_schema_refuses(
    root: Root, found: Found, changed: Mapping[str, str]
) -> None:
    """Raise NotPossibleError if a table's own constraints forbid a change.

    Older levels of the program's migrations know fewer statuses.
    """
    row = {name: found.row[name] for name in found.columns}
    row |= {name: value for name, value in changed.items() if name in row}
    with open_database(root, found.path) as database:
        reason = database.refusal(CONVERSATIONS, row)
    if reason:
        raise NotPossibleError(f"Can't change {found.path}: {reason}.")


def _is_stale(row: Record, now: int) -> bool:
    """Whether a lock was left behind, by the program's own rule."""
    since = instant(row.get("locked_at"))
    if since is None or since.micros is None:
        return False
    return now - since.micros > FILE_STALE * _SECOND


# Work out what a change would write into a database of Claudia.
#
# Only what the program itself would write in such a case, column by column, and only if
# the owner allows it in the settings: `[claudia] writes = true`.

BATCH = 10
"""The number queued at once, unless the program's settings say otherwise."""

KEEPS_ALL = "A deleted conversation is created again by Claudia; skip it instead."
_ONLY_SO = "Only a conversation's status and summary can be changed here."
_GUARDED = ("last_message_at", "entry_count")
"""Columns that must be unchanged when the row is written.

Messages added since the row was read were not part of the decision.
"""


# A page that is remembered: by default an insight, with a header.

INSIGHTS = "insights"
_SLUG = 30
"""How many characters of a title name its file."""

_HEADER = ("categories", "author", "tags", "summary")
_NO_WORD = re.compile(r"[^a-z0-9]+")


def remembered(intent: Create, now: int) -> tuple[str, bytes]:
    """The path and the bytes of a page; raises NotPossibleError for unknown fields."""
    title = " ".join(intent.title.split())
    slug = _NO_WORD.sub("-", title[:_SLUG].lower()).strip("-") or "memory"
    strange = sorted(intent.fields.keys() - _HEADER)
    if strange and not intent.adds:
        raise InvalidError(f"Unknown field {strange[0]!r} for a page.")
    moment = datetime.fromtimestamp(now // 1_000_000, UTC)
    at = f"{moment:%Y-%m-%dT%H:%M:%S.000Z}"
    fields: dict[str, Value] = {"title": title, "date": f"{moment:%Y-%m-%d}"}
    fields |= {"categories": [INSIGHTS], "author": "user"}
    fields |= {"created_at": at, "updated_at": at, **intent.fields}
    lines = [
        f"{name}: {orjson.dumps(_listed(name, v)).decode()}"
        for name, v in fields.items()
    ]
    text = intent.body.replace("\r\n", "\n").strip("\n")
    page = "\n".join(["---", *lines, "---", "", f"# {title}", "", text]).rstrip("\n")
    return f"{INSIGHTS}/{moment:%Y-%m-%d}-{slug}.md", f"{page}\n".encode()


def _listed(name: str, value: Value) -> Value:
    """A list of words where the header has one."""
    if name in {"categories", "tags"} and isinstance(value, str):
        return [word.strip() for word in value.split(",") if word.strip()]
    return value


class ClaudiaScribe(Rooted):
    """Reads the databases of one store, and writes nothing."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        settings = read_settings(Places.usual())
        self._forbidden = ""
        if not settings.claudia_writes:
            self._forbidden = (
                "Claudia databases are read-only. Set `writes = true` under [claudia] "
                f"in {settings.path} to allow changes."
            )

    def possible(self, record: Changeable | None) -> Mapping[str, str]:
        """Status changes and summary edits of a conversation, if allowed."""
        if record is None and databases(self._root, self._root.entries()):
            return {"transit": self._forbidden}
        if record is None:
            return {"new": self._forbidden}
        if not isinstance(record, Conversation):
            return dict.fromkeys(("edit", "set", "delete"), _ONLY_SO)
        stuck = "" if TURNS.get(record.status) else why_not(record.status, QUEUED)
        return {
            "transit": self._forbidden or stuck,
            "set": self._forbidden,
            "edit": self._forbidden,
            "delete": KEEPS_ALL,
        }

    def form(self, record: Changeable) -> Form:
        """The summary of a conversation."""
        if not isinstance(record, Conversation):
            raise NotPossibleError(_ONLY_SO)
        summary = text(find(self._root, record).row.get("summary")) or ""
        return Form(raw=f"{summary}\n".encode(errors="replace"), suffix=".md")

    def draft(
        self, intent: Intent, records: Sequence[Changeable], known: Known, now: int
    ) -> Draft:
        """The rows to change, in their current state."""
        del known
        if self._forbidden:
            raise ReadOnlyError(self._forbidden)
        if isinstance(intent, Delete):
            raise NotPossibleError(KEEPS_ALL)
        if isinstance(intent, Create):
            return self._remember(intent, now)
        found = [self._row(record, now) for record in records]
        if isinstance(intent, Transit):
            return self._transit(intent, found or self._ready(now), now)
        summary = self._summary(intent, records)
        steps = [_step(one, {"summary": summary or None}) for one in found]
        action = f"{intent.word} the summary of {_conversations(found)}"
        return Draft(action=action, steps=tuple(steps))

    def _remember(self, intent: Create, now: int) -> Draft:
        """A page, as the program's own tool for remembering writes it."""
        if databases(self._root, self._root.entries()):
            raise NotPossibleError("Pages are written to the tree of pages (~/memory).")
        path, raw = remembered(intent, now)
        if any(entry.path == path for entry in entries_of(self._root, INSIGHTS)):
            raise NotPossibleError(f"{path} already exists; choose another title.")
        step = FileStep(path=path, before=None, after=raw)
        return Draft(action=f"remember “{intent.title}” in {path}", steps=(step,))

    def _row(self, record: Changeable, now: int) -> Found:
        if not isinstance(record, Conversation):
            raise NotPossibleError(_ONLY_SO)
        found = find(self._root, record)
        refuse_if_locked(self._root, found, now)
        return found

    def _ready(self, now: int) -> list[Found]:
        """Ready conversations, oldest first, as many as the program takes at once."""
        size = settings_of(self._root).values.get("processBatchSize")
        most = size if isinstance(size, int) and size > 0 else BATCH
        ready = [one for one in everything(self._root) if one.status == READY]
        ready.sort(key=_first)
        for one in ready[:most]:
            refuse_if_locked(self._root, one, now)
        if not ready:
            raise NotPossibleError("No conversation is ready.")
        return ready[:most]

    def _transit(self, intent: Transit, found: Sequence[Found], now: int) -> Draft:
        steps: list[RowStep] = []
        warnings: dict[str, None] = {}
        for one in found:
            reason = why_not(one.status, intent.status)
            if reason:
                raise NotPossibleError(reason)
            turn = TURNS[one.status][intent.status]
            moment = f"{datetime.fromtimestamp(now // _SECOND, UTC):%Y-%m-%d %H:%M:%S}"
            changed = {"status": intent.status}
            changed["processed_at" if turn.is_the_end else "status_at"] = moment
            if intent.summary is not None:
                changed["summary"] = intent.summary
            if intent.status == QUEUED:
                refuse_a_second(self._root, one)
            refuse_what_the_schema_refuses(self._root, one, changed)
            steps.append(_step(one, changed))
            warnings |= {turn.warning: None} if turn.warning else {}
        action = f"{intent.word} {_conversations(found)} to {intent.status}"
        return Draft(
            action=action,
            steps=tuple(steps),
            warnings=tuple(warnings),
            count=len(found),
        )

    def _summary(self, intent: Intent, records: Sequence[Changeable]) -> str:
        if isinstance(intent, Set) and intent.names == "summary":
            return intent.value if isinstance(intent.value, str) else ""
        if isinstance(intent, Rewrite) and records:
            if self.form(records[0]).raw != intent.was:
                raise ChangedOnDiskError("The summary changed. Reload and try again.")
            try:
                return intent.raw.decode().strip("\n")
            except UnicodeDecodeError as error:
                raise NotPossibleError("The summary must be UTF-8 text.") from error
        raise NotPossibleError(_ONLY_SO)


def _step(found: Found, changed: Mapping[str, Json]) -> RowStep:
    """The change of one row, without columns that this level does not have."""
    guarded = {
        name: json_value(found.row[name]) for name in _GUARDED if name in found.columns
    }
    new = {name: value for name, value in changed.items() if name in found.columns}
    old = {name: json_value(found.row[name]) for name in new}
    return RowStep(
        path=found.path,
        table=CONVERSATIONS,
        key={"id": found.number},
        before={**old, **guarded},
        after={**new, **guarded},
    )


def _conversations(found: Sequence[Found]) -> str:
    """The conversations that a change is about."""
    if len(found) == 1:
        return f"conversation {found[0].number}"
    return f"{len(found)} conversations"


def _first(found: Found) -> tuple[tuple[int, int, str], int]:
    first = instant(found.row.get("first_message_at"))
    return (first.order if first else (0, 0, ""), whole(found.row.get("id")))

"""Says what a change would write into a database of Claudia.

Only what the program itself writes in such a case, column by column, and only where the
owner says so in the settings: `[claudia] writes = true`.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from store.edits.draft import Draft, RowStep
from store.edits.port import Changeable, Form, Known
from store.edits.refusals import ChangedOnDiskError, NotPossibleError, ReadOnlyError
from store.files.rooted import Rooted
from store.findings import Json
from store.formats.claudia.cells import instant, json_value, text, whole
from store.formats.claudia.scribe.lifecycle import QUEUED, READY, TURNS, why_not
from store.formats.claudia.scribe.rows import (
    Found,
    everything,
    find,
    refuse_a_second,
    refuse_if_locked,
)
from store.formats.claudia.settings import settings_of
from store.formats.claudia.tables import CONVERSATIONS
from store.places import Places
from store.records.conversation import Conversation
from store.records.intents import Delete, Intent, Rewrite, Set, Transit
from store.settings.reading import read_settings

BATCH = 10
"""How many are queued at once, where the program's own settings say nothing."""

KEEPS_ALL = "It is deleted only to be made anew by its program; skip it instead."
_ONLY_SO = "Of Claudia, only a conversation's status and summary change."
_GUARDED = ("last_message_at", "entry_count")
"""Columns that stay as they are and have to be as they were: what came to be said since
the row was read is no part of what was decided upon."""


class ClaudiaScribe(Rooted):
    """Reads the databases of one store, and writes nothing."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        settings = read_settings(Places.usual())
        self._forbidden = (
            ""
            if settings.claudia_writes
            else "Claudia's databases are only looked at, unless "
            f"{settings.path} says `writes = true` under [claudia]."
        )

    def possible(self, record: Changeable | None) -> Mapping[str, str]:
        """Turns of a conversation and its summary, where its owner allows them."""
        if record is None:
            return {"transit": self._forbidden}
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
        """The rows that would be changed, as they are this moment."""
        del known
        if self._forbidden:
            raise ReadOnlyError(self._forbidden)
        if isinstance(intent, Delete):
            raise NotPossibleError(KEEPS_ALL)
        found = [self._row(record, now) for record in records]
        if isinstance(intent, Transit):
            chosen = found or self._ready(now)
            return self._transit(intent, chosen, now)
        summary = self._summary(intent, records)
        steps = [_step(one, {"summary": summary or None}) for one in found]
        action = f"{intent.word} the summary of {_told(found)}"
        return Draft(action=action, steps=tuple(steps))

    def _row(self, record: Changeable, now: int) -> Found:
        if not isinstance(record, Conversation):
            raise NotPossibleError(_ONLY_SO)
        found = find(self._root, record)
        refuse_if_locked(self._root, found, now)
        return found

    def _ready(self, now: int) -> list[Found]:
        """What is ready, the oldest first, as many as the program takes at once."""
        told = settings_of(self._root).values.get("processBatchSize")
        most = told if isinstance(told, int) and told > 0 else BATCH
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
            moment = _moment(now)
            changed: dict[str, Json] = {"status": intent.status}
            changed["processed_at" if turn.is_the_end else "status_at"] = moment
            if intent.summary is not None:
                changed["summary"] = intent.summary
            if intent.status == QUEUED:
                refuse_a_second(self._root, one)
            steps.append(_step(one, changed))
            warnings |= {turn.warning: None} if turn.warning else {}
        action = f"{intent.word} {_told(found)} to {intent.status}"
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
                raise ChangedOnDiskError("The summary is not what was edited.")
            try:
                return intent.raw.decode().strip("\n")
            except UnicodeDecodeError as error:
                raise NotPossibleError("A summary is text in UTF-8.") from error
        raise NotPossibleError(_ONLY_SO)


def _step(found: Found, changed: Mapping[str, Json]) -> RowStep:
    """The change of one row; columns that this level does not have are left out."""
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


def _told(found: Sequence[Found]) -> str:
    """Which conversations a change is about."""
    if len(found) == 1:
        return f"conversation {found[0].number}"
    return f"{len(found)} conversations"


def _first(found: Found) -> tuple[tuple[int, int, str], int]:
    told = instant(found.row.get("first_message_at"))
    return (told.order if told else (0, 0, ""), whole(found.row.get("id")))


def _moment(now: int) -> str:
    """The present as SQLite writes it."""
    return f"{datetime.fromtimestamp(now // 1_000_000, UTC):%Y-%m-%d %H:%M:%S}"

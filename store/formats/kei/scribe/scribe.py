"""Says what a change would write into a store of the kit.

Its hooks only ever add, its programs count on that, and none of them takes a lock. So a
line can be added to the journals that people write to, and nothing else be changed.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from store.closing import Closing
from store.edits.draft import Draft, FileStep
from store.edits.port import Changeable, Form, Known
from store.edits.refusals import NotPossibleError
from store.errors import UnreadableError
from store.files.jsonl import parse
from store.files.jsonl.sheet import Sheet
from store.formats.kei.layout import METRICS, Role
from store.formats.kei.reach import Reach
from store.formats.kei.scribe.records import KINDS, Record, spelt
from store.machine import Machine
from store.records.conversation import Conversation, Message
from store.records.intents import Append, Intent
from store.records.measure import Measure

ONLY_ADDED_TO = "What the kit writes down is only ever added to, never changed."
TRACES_STAY = "A trace is a copy of what was said; the kit forbids to change one."

_LARGEST = 256 * 1024 * 1024
_JOURNALS = {
    "task": f"{METRICS}/tasks.jsonl",
    "claim": f"{METRICS}/numeric-claims.jsonl",
}
_WORDS = ("set", "edit", "delete", "archive")


class KeiScribe(Closing):
    """Reads the journals of one store, and writes nothing."""

    def __init__(self, path: Path) -> None:
        self._reach = Reach(path, Machine.this())

    def possible(self, record: Changeable | None) -> Mapping[str, str]:
        """A line can be added to a journal; what is there stays."""
        if record is None:
            return {"append": ""}
        if isinstance(record, Conversation | Message):
            return dict.fromkeys(_WORDS, TRACES_STAY)
        is_figure = isinstance(record, Measure)
        return dict.fromkeys(_WORDS, ONLY_ADDED_TO) if is_figure else {}

    def form(self, record: Changeable) -> Form:
        """Nothing here is edited."""
        reason = next(iter(self.possible(record).values()), ONLY_ADDED_TO)
        raise NotPossibleError(reason)

    def draft(
        self, intent: Intent, records: Sequence[Changeable], known: Known, now: int
    ) -> Draft:
        """The line that would be added, and the journal with it."""
        del known
        if not isinstance(intent, Append) or intent.kind not in KINDS:
            first = records[0] if records else None
            reason = self.possible(first).get(intent.word) if first else None
            raise NotPossibleError(reason or ONLY_ADDED_TO)
        record = KINDS[intent.kind](intent.fields, now)
        step, before = self._step(intent.kind, record)
        what = record.get("name") or record.get("value") or record.get("pointer")
        action = f"{intent.word} the {intent.kind} “{what}”"
        if intent.kind == "claim" and _stands_last(before, record):
            told = "This very claim stands there already; it is not added again."
            return Draft(action=action, steps=(), warnings=(told,))
        return Draft(action=action, steps=(step,))

    def close(self) -> None:
        """Let go of the store."""
        self._reach.close()

    def _step(self, kind: str, record: Record) -> tuple[FileStep, bytes]:
        root, path, folder = self._journal(kind)
        before = self._bytes(path)
        sheet = Sheet(before or b"")
        sheet.add(spelt(record))
        step = FileStep(path=root, before=before, after=sheet.raw, root=folder)
        return step, before or b""

    def _journal(self, kind: str) -> tuple[str, str, Path | None]:
        """The journal's path in its folder, in the store, and the folder if another."""
        path = _JOURNALS[kind]
        for one, _ in self._reach.elsewhere():
            if kind == "task" and one.role is Role.TASKS:
                return one.file.name, one.path, one.file.parent
        return path, path, None

    def _bytes(self, path: str) -> bytes | None:
        """All bytes of a journal; None where there is none yet."""
        root, name = self._reach.of(path)
        folder, _, last = name.rpartition("/")
        try:
            entries = root.entries(folder)
        except UnreadableError:
            return None
        if all(entry.name != last for entry in entries):
            return None
        blob = root.read(name, limit=_LARGEST)
        if not blob.whole:
            raise NotPossibleError(f"{path} is too large to be added to.")
        return blob.raw


def _stands_last(before: bytes, record: Record) -> bool:
    """Whether the last line claims the same of the same moment, as the kit asks."""
    line = before.rstrip().rpartition(b"\n")[2]
    return any(
        isinstance(value, dict)
        and value.get("value") == record.get("value")
        and value.get("ts") == record["ts"]
        for value in parse(line).values
    )

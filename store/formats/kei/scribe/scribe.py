"""Says what a change would write into a store of the kit.

Its hooks only ever add, its programs count on that, and none of them takes a lock. So a
line can be added to the journals that people write to, and nothing else be changed.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from store.closing import Closing
from store.edits.draft import AppendStep, Draft, FileStep
from store.edits.port import Changeable, Form, Known
from store.edits.refusals import NotPossibleError, UnknownKindError
from store.errors import UnreadableError
from store.files.jsonl import parse
from store.files.jsonl.behind import behind
from store.formats.kei.layout import METRICS, Role
from store.formats.kei.reach import Reach
from store.formats.kei.scribe.records import KINDS, Record, spelt
from store.machine import Machine
from store.records.conversation import Conversation, Message
from store.records.intents import Append, Intent
from store.records.measure import Measure

ONLY_ADDED_TO = "What the kit writes down is only ever added to, never changed."
TRACES_STAY = "A trace is a copy of what was said; the kit forbids to change one."

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
            if reason:
                raise NotPossibleError(reason)
            raise UnknownKindError(ONLY_ADDED_TO)
        record = KINDS[intent.kind](intent.fields, now)
        step = self._step(intent.kind, record)
        what = record.get("name") or record.get("value") or record.get("pointer")
        action = f"{intent.word} the {intent.kind} “{what}”"
        if intent.kind == "claim" and _stands_last(step, record):
            told = "This very claim stands there already; it is not added again."
            return Draft(action=action, steps=(), warnings=(told,))
        return Draft(action=action, steps=(step,))

    def close(self) -> None:
        """Let go of the store."""
        self._reach.close()

    def _step(self, kind: str, record: Record) -> AppendStep | FileStep:
        """The line behind the last, or a journal that begins with it."""
        place, path, folder = self._journal(kind)
        if not self._is_there(path):
            after = spelt(record) + b"\n"
            return FileStep(path=place, before=None, after=after, root=folder)
        step = behind(*self._reach.of(path), [spelt(record)])
        if step is None:
            raise NotPossibleError(f"That is too long for a line of {path}.")
        return replace(step, root=folder)

    def _journal(self, kind: str) -> tuple[str, str, Path | None]:
        """The journal's path in its folder, in the store, and the folder if another."""
        path = _JOURNALS[kind]
        for one, _ in self._reach.elsewhere():
            if kind == "task" and one.role is Role.TASKS:
                return one.file.name, one.path, one.file.parent
        return path, path, None

    def _is_there(self, path: str) -> bool:
        """Whether there is a journal yet."""
        root, name = self._reach.of(path)
        folder, _, last = name.rpartition("/")
        try:
            return any(entry.name == last for entry in root.entries(folder))
        except UnreadableError:
            return False


def _stands_last(step: AppendStep | FileStep, record: Record) -> bool:
    """Whether the last line claims the same of the same moment, as the kit asks."""
    before = step.end.tail if isinstance(step, AppendStep) else b""
    line = before.rstrip().rpartition(b"\n")[2]
    return any(
        isinstance(value, dict)
        and value.get("value") == record.get("value")
        and value.get("ts") == record["ts"]
        for value in parse(line).values
    )

"""What a change is made of: the files that it touches, as they were and as they get."""

from collections.abc import Iterator, Mapping
from typing import cast

from store.edits.draft import AppendStep
from store.edits.refusals import ChangedOnDiskError, NotPossibleError
from store.errors import UnreadableError
from store.files.beneath import Kind, Root
from store.files.jsonl import parse
from store.files.jsonl.behind import behind
from store.files.jsonl.spans import Path
from store.files.jsonl.splice import with_value, without_value
from store.findings import Json
from store.formats.agent_memory.document import is_document
from store.formats.agent_memory.layout import STEM_OF, Role, kind_of, role_of
from store.formats.agent_memory.limits import Limits, limits_in
from store.formats.agent_memory.memory import identifier, memory_of
from store.formats.agent_memory.schema import Thing
from store.formats.agent_memory.scribe.held import AgentFile, Held, Holder, LinesFile
from store.formats.agent_memory.scribe.stamps import instant_like
from store.records.memory import Memory

LARGEST = 64 * 1024 * 1024
"""The largest file that is changed."""


class Work:
    """A store's files, read once each and changed in memory alone."""

    def __init__(self, root: Root, now: int) -> None:
        self.root, self.now = root, now
        self.files: dict[str, Holder] = {}
        self.grown: dict[str, list[bytes]] = {}
        """The lines that are put behind those of files that need not be read for it."""
        self.modes: list[tuple[str, int, int]] = []
        """What gets another mode: its path, and the mode before and after."""
        self.warnings: list[str] = []
        self._by_id: dict[str, Mapping[str | None, list[Held]]] = {}
        self.limits: Limits = limits_in(root)

    def file(self, path: str) -> Holder:
        """A file that holds memories; an empty one where there is none yet."""
        if path not in self.files:
            before = self.bytes_of(path)
            if role_of(path) is Role.AGENT and before is not None:
                self.files[path] = AgentFile(path, before)
            else:
                self.files[path] = LinesFile(path, before)
            for raw in self.grown.pop(path, ()):
                self.files[path].add("", raw)
        return self.files[path]

    def add(self, path: str, kind: str, raw: bytes) -> None:
        """Put a memory behind the last of its kind; lines need not be read for that."""
        if path in self.files or role_of(path) is Role.AGENT or not self._has(path):
            self.file(path).add(kind, raw)
        else:
            self.grown.setdefault(path, []).append(raw)

    def after(self, path: str) -> bytes:
        """All bytes that a file that was touched has by now."""
        step = self._step(path)
        if step is None:
            return self.file(path).after
        return (self.bytes_of(path) or b"") + step.lines

    def size(self, path: str) -> int:
        """How many bytes a file that was touched has by now."""
        step = self._step(path)
        if step is None:
            return len(self.file(path).after)
        return step.end.size + len(step.lines)

    def bytes_of(self, path: str) -> bytes | None:
        """All bytes of a file; None where there is none."""
        if not self._has(path):
            return None
        blob = self.root.read(path, limit=LARGEST)
        if not blob.whole:
            raise NotPossibleError(f"{path} is too large to be changed.")
        return blob.raw

    def find(self, record: Memory) -> Held:
        """Where a memory stands by now; raises ChangedOnDiskError where that is lost.

        It may have moved within its file, as long as its identifier tells it.
        """
        file = self.file(record.path)
        if file.before is None:
            raise ChangedOnDiskError(f"{record.path} is there no more.")
        for one in file.on_line(record.line):
            is_same = identifier(one.thing.get("id")) == record.id
            if is_same and (record.id is not None or _title(one) == record.title):
                return one
        same = self._named(record.path).get(record.id, [])
        if len(same) == 1 and record.id is not None:
            return same[0]
        sentence = f"“{record.title}” does not stand where it stood in {record.path}."
        raise ChangedOnDiskError(f"{sentence} Look again.")

    def all_held(self) -> Iterator[Held]:
        """Every memory of the store, those of the archive last."""
        for path in self.paths():
            yield from self.file(path).held()

    def paths(self) -> list[str]:
        """Every file that holds memories, those of the archive last."""
        top = [e.path for e in self.root.entries() if e.kind is Kind.FILE]
        held = [path for path in top if self._holds(path)]
        archived: list[str] = []
        for found in self.root.walk("archive", depth=1):
            if not isinstance(found, tuple) and found.kind is Kind.FILE:
                archived += [found.path] if role_of(found.path) is Role.LINES else []
        return held + archived

    def thing(self, held: Held) -> Thing:
        """What a memory says by now."""
        values = parse(self.file(held.path).raw(held)).values
        return cast("Thing", values[0])

    def set(self, held: Held, path: Path, value: Json) -> None:
        """Give one field of a memory another value; the same one changes no byte."""
        file = self.file(held.path)
        told, is_there = _at(self.thing(held), path)
        if not is_there or type(told) is not type(value) or told != value:
            file.put(held, with_value(file.raw(held), path, value))

    def unset(self, held: Held, path: Path) -> None:
        """Take a field of a memory away."""
        file = self.file(held.path)
        if _at(self.thing(held), path)[1]:
            file.put(held, without_value(file.raw(held), path))

    def touch_up(self, held: Held) -> None:
        """Note in a memory that was changed when that was, where it tells such a time.

        Nothing is noted where nothing changed.
        """
        thing = self.thing(held)
        if thing != held.thing and thing.get("updated_at") == held.thing.get(
            "updated_at"
        ):
            self.note_time(held, "updated_at")

    def moment(self, held: Held) -> str:
        """The present moment, written as the memory writes moments."""
        told = self.thing(held)
        like = told.get("updated_at") or told.get("created_at")
        return instant_like(like, self.now)

    def note_time(self, held: Held, name: str) -> None:
        """Put the present moment into a field that is there."""
        told = self.thing(held).get(name)
        if told is not None:
            self.set(held, (name,), instant_like(told, self.now))

    def live_file(self, kind: str) -> str:
        """The file that a new memory of a kind belongs into."""
        usual = f"{STEM_OF[kind]}.jsonl"
        paths = [path for path in self.paths() if "/" not in path]
        lines = [path for path in paths if role_of(path) is Role.LINES]
        own = [path for path in lines if kind_of(path) == kind]
        if usual in own or (lines and not own) or not paths:
            return usual
        documents = [path for path in paths if path not in lines]
        preferred = [path for path in documents if path == "default.json"]
        return (own or preferred or documents)[0]

    def _named(self, path: str) -> Mapping[str | None, list[Held]]:
        """The memories of a file by their identifiers."""
        if path not in self._by_id:
            named: dict[str | None, list[Held]] = {}
            for held in self.file(path).held():
                own = identifier(held.thing.get("id"))
                named.setdefault(own, []).append(held)
            self._by_id[path] = named
        return self._by_id[path]

    def _step(self, path: str) -> AppendStep | None:
        """The step for lines that are only added to a file; None for other changes."""
        lines = self.grown.get(path)
        return None if lines is None else behind(self.root, path, lines)

    def _has(self, path: str) -> bool:
        """Whether there is such a file."""
        folder, _, name = path.rpartition("/")
        try:
            return any(entry.name == name for entry in self.root.entries(folder))
        except UnreadableError:
            return False

    def _holds(self, path: str) -> bool:
        role = role_of(path)
        if role is not Role.AGENT:
            return role is Role.LINES
        return is_document(self.root.read(path, limit=LARGEST).raw)


def _title(held: Held) -> str:
    """What a memory is called."""
    return memory_of(held.thing, kind=held.kind, line=None, archived=False).title


def _at(thing: Json, path: Path) -> tuple[Json, bool]:
    """What stands at a path, and whether anything does."""
    for step in path:
        if isinstance(thing, dict) and step in thing:
            thing = thing[str(step)]
        elif isinstance(thing, list) and isinstance(step, int) and step < len(thing):
            thing = thing[step]
        else:
            return None, False
    return thing, True

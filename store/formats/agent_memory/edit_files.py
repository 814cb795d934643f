"""The files of a store while a change is worked out, kept within their limits."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, cast

from store.edits.conflict import ChangedOnDiskError
from store.edits.draft import AppendStep, Marking, behind
from store.errors import NotPossibleError
from store.files import json_edit
from store.files.beneath import Kind, Root
from store.files.json_read import LONGEST, parse
from store.findings import Json
from store.formats.agent_memory.format import (
    ARCHIVE,
    BYTES,
    IS_HARD,
    KINDS,
    LARGEST,
    STEM_OF,
    Role,
    is_archive,
    is_document,
    kind_of,
    limits_in,
    role_of,
)
from store.formats.agent_memory.index import Kept, Taken, taken_of
from store.formats.agent_memory.memories import (
    Thing,
    identifier,
    is_memory,
    items,
    memory_of,
)
from store.formats.agent_memory.reports import due, least_used
from store.formats.markdown import counted, listed
from store.formats.port import entries_of
from store.kinds.memories import Memory
from store.times import moment_like, moment_of

# A memory, and its place in a file.


class Held(NamedTuple):
    """A memory, and its place in its file when that was read."""

    path: str
    line: int
    """The line on which it begins."""
    place: int
    """Which value of its line, or which item of its list it is."""
    thing: Thing
    """Its value when the file was read."""
    kind: str | None
    """The kind of memory that its place is for."""

    @property
    def key(self) -> str:
        """Its identifier, in the form in which identifiers are compared."""
        return key_of(self.thing)

    @property
    def is_archived(self) -> bool:
        """Whether its file is part of the archive."""
        return is_archive(self.path)

    @property
    def is_in_document(self) -> bool:
        """Whether its file is a document of version 1.0."""
        return role_of(self.path) is Role.AGENT

    @property
    def home(self) -> str:
        """The kind whose file it belongs to: that of its place, or else its own."""
        told = self.kind or self.thing.get("type")
        if told in KINDS:
            return str(told)
        sentence = f"Line {self.line} of {self.path} has no memory type."
        raise NotPossibleError(sentence)


def key_of(thing: Thing) -> str:
    """The identifier of a memory, in the form in which identifiers are compared."""
    return str(thing.get("id")).casefold()


# The files that hold memories: lines, and documents of version 1.0.

_BOM = b"\xef\xbb\xbf"


class _Holder:
    """A file that holds memories; lines and places are those of when it was read."""

    def __init__(self, path: str, before: bytes | None) -> None:
        self.path, self.before = path, before
        self.is_rewritten = False
        """Whether anything in it was changed or removed."""
        self._taken: set[tuple[object, int]] = set()
        """The line or list, and the place, of what was taken out."""

    def _place(self, held: Held, part: object) -> int:
        """The current place of a memory in its line or list."""
        return held.place - sum(p == part and at < held.place for p, at in self._taken)


class LinesFile(_Holder):
    """A file of lines, usually with one memory on each.

    Removing a line changes no other line's number. A missing newline at the end stays
    missing, unless a line is added.
    """

    def __init__(self, path: str, before: bytes | None) -> None:
        super().__init__(path, before)
        raw = before or b""
        self._start = _BOM if raw.startswith(_BOM) else b""
        text = raw.removeprefix(_BOM)
        self._is_ended = text.endswith(b"\n")
        self._was = text.split(b"\n")
        if self._is_ended or not text:
            self._was.pop()
        self._lines: list[bytes | None] = [*self._was]
        """The current lines; a removed line is None."""
        self._added: list[bytes] = []
        self._joined: bytes | None = raw
        """The current bytes, unless they have to be put together."""
        self._return = b"\r" * text.endswith((b"\r", b"\r\n"))

    @cached_property
    def held(self) -> list[Held]:
        """Every memory on its lines."""
        numbers = range(1, len(self._was) + 1)
        return [held for number in numbers for held in self.on_line(number)]

    def on_line(self, line: int | None) -> list[Held]:
        """Those of one line; no other line is parsed for that."""
        if not line or not 0 < line <= len(self._was):
            return []
        raw = self._was[line - 1]
        if len(raw) > LONGEST:
            return []
        kind = kind_of(self.path)
        return [
            Held(self.path, line, place, cast("Thing", value), kind)
            for place, value in enumerate(parse(raw).values)
            if is_memory(value)
        ]

    def line(self, number: int) -> bytes:
        """A line without its newline; empty if it doesn't exist."""
        there = self._lines[number - 1] if 0 < number <= len(self._lines) else None
        return there or b""

    def replace(self, number: int, raw: bytes | None) -> None:
        """Put another text on a line, or remove it."""
        self.is_rewritten, self._joined = True, None
        if 0 < number <= len(self._lines) and self._lines[number - 1] is not None:
            self._lines[number - 1] = raw

    def clear(self) -> None:
        """Remove every line that was read."""
        self.is_rewritten, self._joined = True, None
        self._lines = [None] * len(self._lines)

    @property
    def after(self) -> bytes:
        """Its current bytes."""
        if self._joined is None:
            lines = [line for line in self._lines if line is not None] + self._added
            if lines:
                lines[0] = self._start + lines[0]
                lines += [b""] * (self._is_ended or bool(self._added))
            self._joined = b"\n".join(lines) if lines else self._start
        return self._joined

    def raw(self, held: Held) -> bytes:
        """The value; raises if its line can't be edited safely."""
        parts, at = self._parts(held)
        return parts[at]

    def put(self, held: Held, raw: bytes) -> None:
        """Replace a value; the rest of the line stays."""
        parts, at = self._parts(held)
        parts[at] = raw
        self.replace(held.line, b"".join(parts))

    def take(self, held: Held) -> bytes:
        """Remove the line, or only the value if there are others on its line."""
        parts, at = self._parts(held)
        raw = parts.pop(at)
        rest = b"".join(parts)
        self.replace(held.line, rest if rest.strip(b" \t\r\0") else None)
        self._taken.add((held.line, held.place))
        return raw

    def add(self, kind: str, raw: bytes) -> None:
        """Put a line behind the last, with the line ending of that."""
        del kind
        self._joined = None
        self._added.append(raw + self._return)

    def _parts(self, held: Held) -> tuple[list[bytes], int]:
        """The parts of a memory's line, and which of them the memory is."""
        parts = json_edit.values_in(self.line(held.line))
        at = 2 * self._place(held, held.line) + 1
        if at < len(parts):
            return parts, at
        raise NotPossibleError(
            f"Line {held.line} of {self.path} is too damaged to change."
        )


class AgentFile(_Holder):
    """A document of version 1.0: a list for each kind."""

    def __init__(self, path: str, before: bytes) -> None:
        super().__init__(path, before)
        self._raw = before
        self._lists: dict[str, list[bytes]] = {}
        try:
            json_edit.exact(before)
        except json_edit.NotSplicedError as error:
            sentence = f"{path} is damaged and can't be changed. {error}"
            raise NotPossibleError(sentence) from error

    @cached_property
    def held(self) -> list[Held]:
        """Every memory of its lists."""
        places: dict[str, int] = dict.fromkeys(KINDS, -1)
        found: list[Held] = []
        for kind, value, line in items((self.before or b"").decode(errors="replace")):
            places[kind] += 1
            if is_memory(value):
                thing = cast("Thing", value)
                found.append(Held(self.path, line, places[kind], thing, kind))
        return found

    def on_line(self, line: int | None) -> list[Held]:
        """Those that began on a line."""
        return [held for held in self.held if held.line == line]

    @property
    def after(self) -> bytes:
        """Its current bytes."""
        return self._raw

    def raw(self, held: Held) -> bytes:
        """The item of its list."""
        part, at = self._at(held)
        return self._items(part)[at]

    def put(self, held: Held, raw: bytes) -> None:
        """Replace an item."""
        self._change(json_edit.with_text(self._raw, self._at(held), raw))

    def take(self, held: Held) -> bytes:
        """Take an item out of its list."""
        at, raw = self._at(held), self.raw(held)
        self._change(json_edit.without_value(self._raw, at))
        self._taken.add((at[0], held.place))
        return raw

    def add(self, kind: str, raw: bytes) -> None:
        """Put an item behind the last of its list, in the style of the document."""
        part = STEM_OF[kind]
        if json_edit.value_at(self._raw, (part,)) is None:
            self._change(json_edit.with_text(self._raw, (part,), b"[]"))
        at = part, len(self._items(part))
        text = json_edit.spaced(
            raw, json_edit.json_style(self._raw), json_edit.prefix_at(self._raw, at)
        )
        self._change(json_edit.with_text(self._raw, at, text))

    def _at(self, held: Held) -> tuple[str, int]:
        part = STEM_OF[held.home]
        return part, self._place(held, part)

    def _change(self, raw: bytes) -> None:
        self._raw = raw
        self._lists.clear()
        self.is_rewritten = True

    def _items(self, part: str) -> list[bytes]:
        """The current items of a list."""
        if part not in self._lists:
            self._lists[part] = json_edit.items_at(self._raw, (part,))
        return self._lists[part]


Holder = LinesFile | AgentFile


# One change while it is worked out.


class Work:
    """The files of a store, read once each, and what else belongs to the change."""

    def __init__(self, root: Root, now: int) -> None:
        self.root, self.now, self.limits = root, now, limits_in(root)
        self.files: dict[str, Holder] = {}
        self.grown: dict[str, list[bytes]] = {}
        """The lines to append to files that need not be read for that."""
        self.replaced: dict[str, bytes | None] = {}
        """The new bytes of files that are replaced as a whole; None if removed."""
        self.modes: list[tuple[str, int, int]] = []
        """What gets another mode: its path, and the mode before and after."""
        self.marks: list[Marking] = []
        self.warnings: list[str] = []
        self.is_grave = False
        self.backs_up = True
        """Whether the store gets backups of what is rewritten."""
        self.action = ""
        """The change in words, if the intent doesn't say it."""
        self.count = 0
        """How many memories it is about, if none was named."""
        self._by_id: dict[str, Mapping[str | None, list[Held]]] = {}

    @cached_property
    def taken(self) -> Taken:
        """All memories of the store as they are on the disk."""
        return taken_of(self.root, self.limits)

    def file(self, path: str) -> Holder:
        """A file of memories; empty if it doesn't exist yet."""
        if path not in self.files:
            before = self.bytes_of(path)
            if role_of(path) is Role.AGENT and before is not None:
                self.files[path] = AgentFile(path, before)
            else:
                self.files[path] = LinesFile(path, before)
            for raw in self.grown.pop(path, ()):
                self.files[path].add("", raw)
        return self.files[path]

    def lines_file(self, path: str) -> LinesFile:
        """A file of lines; raises NotPossibleError for a document."""
        file = self.file(path)
        if isinstance(file, LinesFile):
            return file
        raise NotPossibleError(f"{path} isn't a JSON Lines file.")

    def add(self, path: str, kind: str, raw: bytes) -> None:
        """Put a memory behind the last of its kind; lines need not be read for that."""
        if path in self.files or role_of(path) is Role.AGENT or not self._has(path):
            self.file(path).add(kind, raw)
        else:
            self.grown.setdefault(path, []).append(raw)

    def take(self, held: Held) -> bytes:
        """Take a memory out of its file, and return its text."""
        return self.file(held.path).take(held)

    def after(self, path: str) -> bytes:
        """The current bytes of a file that was changed."""
        step = self.step(path)
        if step is None:
            return self.file(path).after
        return (self.bytes_of(path) or b"") + step.lines

    def size(self, path: str) -> int:
        """The current size of a file that was changed, in bytes."""
        step = self.step(path)
        if step is None:
            return len(self.file(path).after)
        return step.end.size + len(step.lines)

    def bytes_of(self, path: str) -> bytes | None:
        """All bytes of a file; None if it doesn't exist."""
        if not self._has(path):
            return None
        blob = self.root.read(path, limit=LARGEST)
        if not blob.whole:
            raise NotPossibleError(f"{path} is too large to change.")
        return blob.raw

    def find(self, record: Memory) -> Held:
        """The current place of a memory; raises ChangedOnDiskError if it is gone.

        It may have moved within its file, if it is found by its id.
        """
        file = self.file(record.path)
        if file.before is None:
            raise ChangedOnDiskError(f"{record.path} no longer exists.")
        for one in file.on_line(record.line):
            is_same = identifier(one.thing.get("id")) == record.id
            if is_same and (record.id is not None or _title(one) == record.title):
                return one
        same = self._named(file).get(record.id, [])
        if len(same) == 1 and record.id is not None:
            return same[0]
        sentence = f"“{record.title}” has moved or changed in {record.path}."
        raise ChangedOnDiskError(f"{sentence} Reload and try again.")

    def all_held(self) -> Iterator[Held]:
        """Every memory of the store, those of the archive last."""
        for path in self.paths():
            yield from self.file(path).held

    def paths(self) -> list[str]:
        """Every file that holds memories, those of the archive last."""
        top = [e.path for e in self.root.entries() if e.kind is Kind.FILE]
        old = [path for path in self.archives() if role_of(path) is Role.LINES]
        return [path for path in top if self._holds(path)] + old

    def archives(self) -> list[str]:
        """Every file in the archive."""
        found = self.root.walk(ARCHIVE, depth=1)
        entries = [entry for entry in found if not isinstance(entry, tuple)]
        return [entry.path for entry in entries if entry.kind is Kind.FILE]

    def live_file(self, kind: str) -> str:
        """The file for a new memory of this kind."""
        usual = f"{STEM_OF[kind]}.jsonl"
        paths = [path for path in self.paths() if "/" not in path]
        lines = [path for path in paths if role_of(path) is Role.LINES]
        own = [path for path in lines if kind_of(path) == kind]
        if usual in own or (lines and not own) or not paths:
            return usual
        documents = [path for path in paths if path not in lines]
        preferred = [path for path in documents if path == "default.json"]
        return (own or preferred or documents)[0]

    def thing(self, held: Held) -> Thing:
        """The current value of a memory."""
        values = parse(self.file(held.path).raw(held)).values
        return cast("Thing", values[0])

    def set(self, held: Held, path: json_edit.Path, value: Json) -> None:
        """Set one field of a memory; the same value changes no byte."""
        file = self.file(held.path)
        told, is_there = found_at(self.thing(held), path)
        if not is_there or type(told) is not type(value) or told != value:
            file.put(held, json_edit.with_value(file.raw(held), path, value))

    def unset(self, held: Held, path: json_edit.Path) -> None:
        """Remove a field of a memory."""
        file = self.file(held.path)
        if found_at(self.thing(held), path)[1]:
            file.put(held, json_edit.without_value(file.raw(held), path))

    def touch_up(self, held: Held) -> None:
        """Set the update time of a memory, if it has one and anything else changed."""
        thing, name = self.thing(held), "updated_at"
        if thing != held.thing and thing.get(name) == held.thing.get(name):
            self.note_time(held, name)

    def moment(self, held: Held) -> str:
        """The present moment, as the memory writes times."""
        told = self.thing(held)
        return instant_like(told.get("updated_at") or told.get("created_at"), self.now)

    def note_time(self, held: Held, name: str) -> None:
        """Put the present moment into a field that is there."""
        told = self.thing(held).get(name)
        if told is not None:
            self.set(held, (name,), instant_like(told, self.now))

    def _named(self, file: Holder) -> Mapping[str | None, list[Held]]:
        """The memories of a file by their identifiers."""
        if file.path not in self._by_id:
            named: dict[str | None, list[Held]] = {}
            for held in file.held:
                named.setdefault(identifier(held.thing.get("id")), []).append(held)
            self._by_id[file.path] = named
        return self._by_id[file.path]

    def step(self, path: str) -> AppendStep | None:
        """The step for lines that are only appended; None for other changes."""
        lines = self.grown.get(path)
        return None if lines is None else behind(self.root, path, lines)

    def _has(self, path: str) -> bool:
        """Whether there is such a file."""
        folder, _, name = path.rpartition("/")
        return any(entry.name == name for entry in entries_of(self.root, folder))

    def _holds(self, path: str) -> bool:
        role = role_of(path)
        if role is not Role.AGENT:
            return role is Role.LINES
        return is_document(self.root.read(path, limit=LARGEST).raw)


def instant_like(like: Json, now: int) -> str:
    """A time in microseconds since 1970, with the zone and precision of another."""
    return moment_like(like if isinstance(like, str) else None, now, "Z")


def found_at(thing: Json, path: json_edit.Path) -> tuple[Json, bool]:
    """The value at a path, and whether there is any."""
    for step in path:
        if isinstance(thing, dict) and step in thing:
            thing = thing[str(step)]
        elif isinstance(thing, list) and isinstance(step, int) and step < len(thing):
            thing = thing[step]
        else:
            return None, False
    return thing, True


def _title(held: Held) -> str:
    return memory_of(held.thing, kind=held.kind, line=None, archived=False).title


def files_after(work: Work) -> dict[str, bytes | None]:
    """The bytes of every touched file after the change; None if it is removed."""
    paths = [*changed(work), *work.grown]
    return {path: work.after(path) for path in paths} | work.replaced


def changed(work: Work) -> list[str]:
    """The files whose memories changed."""
    files = work.files.values()
    return [file.path for file in files if file.after != (file.before or b"")]


# Memories archived and unarchived.


def put_away(work: Work, memories: Sequence[Held]) -> None:
    """Move memories to the archive of this quarter; those of version 1.0 are flagged.

    A line moves unchanged, except for its flag if it has one; none is added,
    so that an unarchived memory is the same, byte for byte.
    """
    for held in memories:
        if held.is_archived:
            continue
        if held.is_in_document:
            work.set(held, ("archived",), True)  # noqa: FBT003 - a value of JSON
            continue
        flag(work, held, archived=True)
        work.add(archive_file(held.home, work.now), held.home, work.take(held))


def bring_back(work: Work, memories: Sequence[Held]) -> None:
    """Move memories out of the archive, to the end of the file for their kind."""
    for held in memories:
        flag(work, held, archived=False)
        if held.is_archived:
            raw = work.take(held)
            work.add(work.live_file(held.home), held.home, raw)


def flag(work: Work, held: Held, *, archived: bool) -> None:
    """Set the flag of an archived memory, if it has one."""
    if held.thing.get("archived") is not None:
        work.set(held, ("archived",), archived)


def archive_file(kind: str, now: int) -> str:
    """The archive file of this quarter of the year."""
    moment = moment_of(now)
    quarter = (moment.month + 2) // 3
    name = f"{STEM_OF[kind]}_{moment.year:04d}_Q{quarter}.jsonl"
    return f"{ARCHIVE}/{moment.year:04d}/{name}"


# At a limit: nothing more is written, or old memories are archived.

_NAMED = 3

_SURVEYED = 4 * 1024 * 1024
"""The largest file in which the least used memories are sought for a warning."""

_SMALLEST = len(b'{"id":1}')


def relieve(work: Work, kind: str, path: str) -> None:
    """Archive what exceeds a limit: due memories first, then the least used."""
    old = _due_in(work, path)
    told = {id(one.memory) for one in old}
    rest = [
        one
        for one in least_used(work.taken, kind)
        if one.path == path and id(one.memory) not in told
    ]
    _make_room(work, [*old, *rest], kind, path)


def keep_within(work: Work, kind: str, path: str) -> None:
    """Keep a file within its limit; raises NotPossibleError.

    At a soft limit, memories due for archiving are archived too, as far as needed.
    """
    if not _is_over(work, kind, path):
        return
    archives = not IS_HARD[kind] and work.limits.enable_auto_archival
    most = counted(work.limits.most(kind), "memory", "memories")
    sentence = f"{path} would exceed its limit of {most} in {BYTES[kind]:,} bytes."
    if not IS_HARD[kind] and not archives and work.size(path) > _SURVEYED:
        work.warnings.append(sentence)
        return
    if archives:
        _make_room(work, _due_in(work, path), kind, path)
        if not _is_over(work, kind, path):
            return
    sentence += f" Least used: {_named(least_used(work.taken, kind))}."
    if IS_HARD[kind]:
        raise NotPossibleError(f"{sentence} Archive some first.")
    work.warnings.append(sentence)


def _due_in(work: Work, path: str) -> list[Kept]:
    found = due(work.taken, work.now)
    return [one.kept for one in found if one.kept.path == path]


def _make_room(work: Work, old: Sequence[Kept], kind: str, path: str) -> None:
    """Archive memories, in this order, until there is room."""
    too_many, too_large = _too_much(work, kind, path)
    lines = {one.memory.line for one in old}
    held = {one.line: one for one in work.file(path).held if one.line in lines}
    chosen: list[Kept] = []
    for one in old:
        if len(chosen) >= too_many and too_large <= 0:
            break
        chosen.append(one)
        too_large -= len(work.file(path).raw(held[one.memory.line or 0]))
    if chosen:
        put_away(work, [held[one.memory.line or 0] for one in chosen])
        sentence = f"{path} is at its limit, so old memories are archived: "
        work.warnings.append(f"{sentence}{_named(chosen)}.")


def _is_over(work: Work, kind: str, path: str) -> bool:
    """Whether a file would exceed its limit; judged by its size alone if possible."""
    most, size = work.limits.most(kind), work.size(path)
    if size > BYTES[kind]:
        return True
    return size // _SMALLEST > most and _too_much(work, kind, path)[0] > 0


def _too_much(work: Work, kind: str, path: str) -> tuple[int, int]:
    """How many memories, and how many bytes, a file would have beyond its limit."""
    after, most = work.after(path), work.limits.most(kind)
    at_most = after.count(b"\n") + 1 + after.count(b"}{") + after.count(b"} {")
    memories = len(LinesFile(path, after).held) if at_most > most else at_most
    return memories - most, len(after) - BYTES[kind]


def grows(work: Work, path: str) -> bool:
    """Whether a file has more bytes than before."""
    file = work.files.get(path)
    return path in work.grown or (
        file is not None and len(file.after) > len(file.before or b"")
    )


def _named(memories: Sequence[Kept]) -> str:
    return listed([f"“{one.memory.title}”" for one in memories], _NAMED)

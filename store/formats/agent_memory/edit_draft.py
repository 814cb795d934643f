"""A change while it is worked out: files, index, backups; damaged lines recovered."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import cast

from msgspec import Struct

from store.edits.conflict import ChangedOnDiskError
from store.edits.draft import AppendStep, FileStep, behind
from store.errors import NotPossibleError, UnreadableError
from store.files.beneath import Kind, Root, Stamp
from store.files.json_edit import Path, style_of, values_in, with_value, without_value
from store.files.json_read import (
    AtHand,
    DamagedJsonError,
    load_map,
    parse,
    read_lines,
    split_lines,
)
from store.findings import Findings, Json
from store.formats.agent_memory.edit_lines import AgentFile, Held, Holder, LinesFile
from store.formats.agent_memory.format import scan
from store.formats.agent_memory.index import (
    IMPORTANCE,
    Lists,
    Taken,
    lists_of,
    rebuild_index,
    statistics_of,
)
from store.formats.agent_memory.layout import (
    ARCHIVE,
    BACKUP,
    INDEX,
    STEM_OF,
    Limits,
    Role,
    backup_of,
    kind_of,
    limits_in,
    role_of,
)
from store.formats.agent_memory.memories import (
    IMPORTANCES,
    Thing,
    identifier,
    is_document,
    is_memory,
    memories_in,
    memory_of,
    read_document,
)
from store.formats.port import Source
from store.kinds.memories import Memory
from store.times import moment_like
from store.times import parse as parse_times

# The present moment, written as a memory's writer writes moments.


def instant_like(like: Json, now: int) -> str:
    """An instant in microseconds since 1970, with the zone and precision of another.

    Whole seconds in UTC, as the format shows, if there is no example.
    """
    return moment_like(like if isinstance(like, str) else None, now, "Z")


# The files that a change touches, before and after.

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
        self.rebuilds_index = False
        """Whether the index is rebuilt later, within the same change."""
        self._by_id: dict[str, Mapping[str | None, list[Held]]] = {}
        self.limits: Limits = limits_in(root)

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
        """All bytes of a file; None if it doesn't exist."""
        if not self._has(path):
            return None
        blob = self.root.read(path, limit=LARGEST)
        if not blob.whole:
            raise NotPossibleError(f"{path} is too large to change.")
        return blob.raw

    def find(self, record: Memory) -> Held:
        """The current position of a memory; raises ChangedOnDiskError if it is gone.

        It may have moved within its file, if it is found by its id.
        """
        file = self.file(record.path)
        if file.before is None:
            raise ChangedOnDiskError(f"{record.path} no longer exists.")
        for one in file.on_line(record.line):
            is_same = identifier(one.thing.get("id")) == record.id
            if is_same and (record.id is not None or _title(one) == record.title):
                return one
        same = self._named(record.path).get(record.id, [])
        if len(same) == 1 and record.id is not None:
            return same[0]
        sentence = f"“{record.title}” has moved or changed in {record.path}."
        raise ChangedOnDiskError(f"{sentence} Reload and try again.")

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
        """Set the update time of a changed memory, if it has one.

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


# The store's own backups: made before what is there is changed, the oldest go.

SESSION = 12 * 3600 * 1_000_000
"""A backup that is younger than this, in microseconds, is of the same session: so many
quick changes do not push the older ones out."""

_STAMP = r"\d{8}_\d{6}"


def backup_steps(
    root: Root, path: str, before: bytes, now: int, limits: Limits
) -> list[FileStep]:
    """Make a backup of a file, and remove those that are too many by then.

    Only names of the exact form that is written here ever go.
    """
    kept = _kept(root, path)
    if not limits.backup_enabled or any(_is_young(name, now) for name in kept):
        return []
    name = f"{path.rpartition('/')[2]}.backup.{_stamp(now)}"
    too_many = kept[: max(0, len(kept) + 1 - limits.max_backups)]
    return [
        FileStep(path=f"{BACKUP}/{name}", before=None, after=before),
        *(_removal(root, f"{BACKUP}/{old}") for old in too_many),
    ]


def _kept(root: Root, path: str) -> list[str]:
    """The names of a file's backups, the oldest first."""
    form = re.compile(re.escape(path.rpartition("/")[2]) + rf"\.backup\.{_STAMP}")
    try:
        entries = root.entries(BACKUP)
    except UnreadableError:
        return []
    return sorted(entry.name for entry in entries if form.fullmatch(entry.name))


def _removal(root: Root, path: str) -> FileStep:
    return FileStep(path=path, before=root.read(path, limit=LARGEST).raw, after=None)


def _is_young(name: str, now: int) -> bool:
    when = backup_of(f"{BACKUP}/{name}").when
    micros = parse_times(when).micros if when else None
    return micros is not None and abs(now - micros) < SESSION


def _stamp(now: int) -> str:
    return f"{datetime.fromtimestamp(now // 1_000_000, UTC):%Y%m%d_%H%M%S}"


# How to update an index, in its writer's own style.

Counts = Mapping[str, Mapping[str, int] | int]
"""By how much each count rises; some are grouped."""


class Turn(Struct, frozen=True):
    """How an index has to be changed for a change of the memories."""

    names: frozenset[str]
    """The identifiers of the memories that are listed in another way than before."""
    lists: Mapping[str, Mapping[str, Sequence[str]]]
    """By part and word: those of them that belong there now."""
    counts: Counts
    """By how much each count rises."""
    now: int

    def remake(self, raw: bytes | None) -> bytes | None:
        """The index after the change, whichever program wrote it last.

        One that cannot be read stays as it is, as do the entries of other memories.
        """
        try:
            data = load_map(raw or b"")
        except DamagedJsonError:
            return raw
        for part in self.lists:
            lists = data.get(part)
            if isinstance(lists, dict):
                self._turn(part, lists)
        statistics = data.get("statistics")
        if isinstance(statistics, dict):
            _raise(statistics, self.counts)
        data["last_updated"] = instant_like(data.get("last_updated"), self.now)
        text = style_of((raw or b"").decode(errors="surrogateescape")).dumps(data)
        return text.encode(errors="surrogateescape")

    def _turn(self, part: str, lists: dict[str, Json]) -> None:
        right = self.lists[part]
        for word in list(dict.fromkeys((*lists, *right))):
            own = right.get(word, ())
            told = lists.get(word)
            listed = told if isinstance(told, list) else []
            kept = [name for name in listed if name not in self.names or name in own]
            kept += [name for name in own if name not in kept]
            if kept == listed:
                continue
            if kept or (part == IMPORTANCE and word in IMPORTANCES):
                lists[word] = kept
            else:
                lists.pop(word)


def turn_of(before: Taken, after: Taken, now: int) -> Turn:
    """The edit that updates the index."""
    old, new = lists_of(before), lists_of(after)
    names = frozenset(
        name
        for part in new
        for word in {*old[part], *new[part]}
        for name in {*old[part].get(word, ())} ^ {*new[part].get(word, ())}
    )
    right = {part: _those(names, lists) for part, lists in new.items()}
    counts = _risen(statistics_of(before), statistics_of(after))
    return Turn(names, right, counts, now)


def _those(names: frozenset[str], lists: Lists) -> dict[str, list[str]]:
    found = {word: [name for name in lists[word] if name in names] for word in lists}
    return {word: own for word, own in found.items() if own}


def _risen(old: Mapping[str, Json], new: Mapping[str, Json]) -> Counts:
    risen: dict[str, Mapping[str, int] | int] = {}
    for name, value in new.items():
        was = old.get(name)
        if isinstance(value, dict) and isinstance(was, dict):
            risen[name] = {
                kind: count - told
                for kind, count in value.items()
                if isinstance(count, int) and isinstance(told := was.get(kind), int)
            }
        elif isinstance(value, int) and isinstance(was, int):
            risen[name] = value - was
    return risen


def _raise(statistics: dict[str, Json], by: Counts) -> None:
    for name, more in by.items():
        told = statistics.get(name)
        if isinstance(more, int) and isinstance(told, int):
            statistics[name] = told + more
        elif isinstance(told, dict) and not isinstance(more, int):
            _raise(told, more)


# index.json updated with the memories: the entries that a change is about, no other.

_OTHERS_WRONG = (
    f"{INDEX} was out of date before; only the entries of this change are updated."
    " Run `recollect rebuild index` to fix the rest."
)
_UNREADABLE = (
    f"{INDEX} is damaged and stays as it is. Run `recollect rebuild index` to fix it."
)


def index_step(
    work: Work,
    now: Callable[[], Taken],
    changed: Callable[[], Mapping[str, bytes | None]],
) -> FileStep | None:
    """The step that updates the index; None where nothing of it changes.

    Without an index, not all files need to be read.
    """
    raw = work.bytes_of(INDEX)
    if raw is None:
        return None
    before = now()
    after = taken_then(work, before, changed())
    if _tells_the_same(before, after):
        return None
    turn = turn_of(before, after, work.now)
    made = turn.remake(raw)
    if made == raw:
        work.warnings.append(_UNREADABLE)
        return None
    if not (work.rebuilds_index or agrees(made or b"", after)):
        work.warnings.append(_OTHERS_WRONG)
    return FileStep(path=INDEX, before=raw, after=made, remake=turn.remake)


def agrees(raw: bytes, taken: Taken) -> bool:
    """Whether an index equals a rebuilt one."""
    text = raw.decode(errors="surrogateescape")
    try:
        anew = rebuild_index(text, taken).after
        return load_map(raw) == load_map(anew.encode(errors="surrogateescape"))
    except DamagedJsonError:
        return False


def taken_now(work: Work) -> Taken:
    """All memories of a store as they lie on the disk."""
    found = tuple(scan(work.root))
    read = {
        one.path: _read(work.root, one)
        for one in found
        if isinstance(one, Source) and one.role in {Role.LINES, Role.AGENT}
    }
    return Taken(found=found, read=read, index=None, limits=work.limits)


def taken_then(work: Work, now: Taken, changed: Mapping[str, bytes | None]) -> Taken:
    """The same where some files are other than on the disk, or gone."""
    found = {one.path: one for one in now.found if one.path not in changed}
    read = {path: one for path, one in now.read.items() if path not in changed}
    for path, raw in changed.items():
        role = role_of(path)
        if raw is not None and role and role in {Role.LINES, Role.AGENT}:
            found[path] = Source(path, role, Stamp(len(raw), 0, 0))
            read[path] = _understood(path, raw)
    return Taken(found=tuple(found.values()), read=read, index=None, limits=work.limits)


def _tells_the_same(before: Taken, after: Taken) -> bool:
    same = statistics_of(before) == statistics_of(after)
    return same and lists_of(before) == lists_of(after)


def _read(root: Root, source: Source) -> Findings:
    try:
        if source.role == Role.LINES:
            lines = read_lines(root, source.path)
            return memories_in(source.path, lines, is_checked=False).findings()
        return _understood(source.path, root.read(source.path, limit=LARGEST).raw)
    except UnreadableError:
        return Findings()


def _understood(path: str, raw: bytes) -> Findings:
    if role_of(path) is Role.LINES:
        lines = split_lines(AtHand(raw))
        return memories_in(path, lines, is_checked=False).findings()
    return read_document(raw).findings() if is_document(raw) else Findings()


# Damaged lines: fixed if nothing gets lost, else restored from a backup.

_ID = re.compile(rb'"id"\s*:\s*"([^"\\]{1,100})"')
_CONTROLS = re.compile(rb"[\0-\x1f]")
_NO_HELP = (
    "is damaged, and neither a backup nor the archive has a copy. Edit it by hand."
)


def mend_line(work: Work, path: str, line: int) -> None:
    """Fix one line: in place, from the newest backup, or from the archive."""
    file = work.file(path)
    if not isinstance(file, LinesFile):
        raise NotPossibleError(f"{path} isn't a JSON Lines file.")
    raw = file.sheet.line(line)
    if _stands_whole(file, raw.strip()):
        file.sheet.remove(line)
        file.is_rewritten = True
        return
    mended = _as_it_stands(raw) or _from_elsewhere(work, path, raw)
    if mended is None:
        raise NotPossibleError(f"Line {line} of {path} {_NO_HELP}")
    file.sheet.replace(line, mended)
    file.is_rewritten = True


def divide_line(work: Work, path: str, line: int) -> None:
    """Give each of the objects that stand on one line a line of its own."""
    file = work.file(path)
    if isinstance(file, LinesFile):
        raw = file.sheet.line(line)
        parts = [raw[span.start : span.end] for span in values_in(raw)]
        if len(parts) > 1:
            file.sheet.replace(line, b"\n".join(parts))
            file.is_rewritten = True


def newest_backup(work: Work, path: str) -> str | None:
    """The newest of a file's backups that holds any memory that can be read."""
    return next((n for n in _newest_first(work, path) if _is_readable(work, n)), None)


def _as_it_stands(raw: bytes) -> bytes | None:
    """The line without what a crash left, and with its controls escaped."""
    bare = raw.strip(b"\0 \t\r")
    if _is_sound(bare):
        return bare
    escaped = _CONTROLS.sub(lambda found: b"\\u%04x" % found[0][0], bare)
    return escaped if _is_sound(escaped) else None


def _stands_whole(file: LinesFile, torn: bytes) -> bool:
    """Whether a line is just the start of another one, written again in full."""
    lines = (line.strip() for line in file.after.split(b"\n"))
    return any(
        line != torn and line.startswith(torn) and _is_sound(line) for line in lines
    )


def _from_elsewhere(work: Work, path: str, raw: bytes) -> bytes | None:
    """The line of another file that has the same identifier."""
    own = _ID.search(raw)
    if not own:
        return None
    for name in _elsewhere(work, path):
        for line in _lines_of(work, name):
            found = _ID.search(line)
            if found and found[1] == own[1] and _is_sound(line.strip()):
                return line.strip()
    return None


def _elsewhere(work: Work, path: str) -> Iterator[str]:
    """Backups of a file, the newest first, then the archive of its kind."""
    yield from _newest_first(work, path)
    archived = (
        found.path
        for found in work.root.walk(ARCHIVE, depth=1)
        if not isinstance(found, tuple) and found.kind is Kind.FILE
    )
    yield from (one for one in archived if kind_of(one) == kind_of(path))


def _newest_first(work: Work, path: str) -> list[str]:
    backups = _backups(work, path)
    return sorted(backups, key=lambda name: backup_of(name).when or "", reverse=True)


def _is_readable(work: Work, backup: str) -> bool:
    if role_of(backup_of(backup).of) is Role.LINES:
        return any(_is_sound(line.strip()) for line in _lines_of(work, backup))
    raw = work.root.read(backup, limit=LARGEST).raw
    try:
        load_map(raw)
    except DamagedJsonError:
        return False
    return is_document(raw)


def _backups(work: Work, path: str) -> list[str]:
    name = path.rpartition("/")[2]
    found: list[str] = []
    for folder in ("", BACKUP):
        try:
            entries = work.root.entries(folder)
        except UnreadableError:
            continue
        found += [
            entry.path
            for entry in entries
            if entry.kind is Kind.FILE
            and role_of(entry.path) is Role.BACKUP
            and backup_of(entry.path).of == name
        ]
    return found


def _lines_of(work: Work, path: str) -> list[bytes]:
    return work.root.read(path, limit=LARGEST).raw.split(b"\n")


def _is_sound(raw: bytes) -> bool:
    values, problem = parse(raw)
    return problem is None and len(values) == 1 and is_memory(values[0])

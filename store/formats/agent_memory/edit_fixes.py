"""Fixes for the problems of a store: fields, lines, whole files, the index."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from uuid import uuid4

from store.edits.conflict import ChangedOnDiskError
from store.errors import NotPossibleError, RecollectError, UnreadableError
from store.files.beneath import Kind
from store.files.json_edit import style_of, values_in
from store.files.json_read import DamagedJsonError, load_map, parse
from store.findings import Json
from store.formats.agent_memory import edit_fields
from store.formats.agent_memory.edit_files import (
    Held,
    LinesFile,
    Work,
    files_after,
    flag,
    relieve,
)
from store.formats.agent_memory.format import (
    BACKUP,
    INDEX,
    KINDS,
    LARGEST,
    OWNERS,
    TASK,
    Role,
    backup_of,
    exposed_in,
    is_archive,
    is_document,
    kind_of,
    role_of,
)
from store.formats.agent_memory.index import VERSION, rebuild_index
from store.formats.agent_memory.memories import (
    IMPORTANCES,
    TIMES,
    access_count,
    as_text,
    faults,
    instant,
    is_memory,
    memory_of,
)
from store.formats.markdown import counted
from store.formats.port import entries_of
from store.kinds.problems import Problem
from store.records.intents import Fix

# Missing and invalid fields of a memory, set to the default or as they are read.

FieldFix = Callable[[Work, Held], None]


def complete(work: Work, held: Held) -> None:
    """Add all required fields that a memory lacks."""
    thing = work.thing(held)
    earliest = edit_fields.extreme_time(
        [thing.get(name) for name in TIMES], latest=False
    )
    usual: dict[str, Json] = {
        "id": str(uuid4()),
        "type": held.kind,
        **dict.fromkeys(TIMES, earliest or work.moment(held)),
        "access_count": 0,
        "tags": [],
        "importance": IMPORTANCES[1],
        "archived": held.is_archived,
    }
    for name, value in usual.items():
        if thing.get(name) in (None, "") and value is not None:
            work.set(held, (name,), value)


def _zone(work: Work, held: Held) -> None:
    thing = work.thing(held)
    data = thing.get(edit_fields.METADATA)
    told = {(name,): thing.get(name) for name in TIMES}
    told |= (
        {edit_fields.DONE: data.get("completed_at")} if isinstance(data, dict) else {}
    )
    for path, value in told.items():
        when = instant(value)
        codes = {fault.code for fault in faults({"created_at": value}, None)}
        if when and when.micros is not None and "time-without-zone" in codes:
            is_number = isinstance(value, int | float)
            work.set(held, path, when.iso if is_number else f"{value}Z")


def _count(work: Work, held: Held) -> None:
    told = work.thing(held).get("access_count")
    text = told.strip() if isinstance(told, str) else ""
    is_number = text.isascii() and text.isdigit() and access_count(int(text))
    work.set(held, ("access_count",), int(text) if is_number else 0)


def _importance(work: Work, held: Held) -> None:
    word = as_text(work.thing(held).get("importance")).strip().lower()
    work.set(held, ("importance",), word if word in IMPORTANCES else IMPORTANCES[1])


def _as_read(name: str) -> FieldFix:
    """Write a field as it is read already."""

    def write(work: Work, held: Held) -> None:
        thing = work.thing(held)
        read = memory_of(thing, kind=held.kind, line=held.line, archived=False)
        value: dict[str, Json] = {
            "tags": list[Json](read.tags),
            "archived": read.archived,
            "category": as_text(thing.get("category")),
        }
        work.set(held, (name,), value[name])

    return write


def _type(work: Work, held: Held) -> None:
    if held.kind not in KINDS:
        raise NotPossibleError("Unknown type: set the memory's `type` by hand.")
    work.set(held, ("type",), held.kind)


def _metadata(work: Work, held: Held) -> None:
    thing = work.thing(held)
    is_done = thing.get("category") == "completed"
    data: dict[str, Json] = {"status": "completed" if is_done else "in-progress"}
    if is_done:
        data["completed_at"] = thing.get("updated_at") or work.moment(held)
    if thing.get("type") == TASK:
        work.set(held, (edit_fields.METADATA,), data)


def _completed(work: Work, held: Held) -> None:
    told = work.thing(held).get("updated_at")
    work.set(held, edit_fields.DONE, told if instant(told) else work.moment(held))


_OF_FIELDS: Mapping[str, FieldFix] = {
    "missing-fields": complete,
    "missing-id": complete,
    "time-without-zone": _zone,
    "bad-access-count": _count,
    "bad-importance": _importance,
    "bad-tags": _as_read("tags"),
    "bad-archived": _as_read("archived"),
    "bad-category": _as_read("category"),
    "bad-type": _type,
    "missing-task-metadata": _metadata,
    "missing-completed-at": _completed,
    "stray-completed-at": lambda work, held: work.unset(held, edit_fields.DONE),
    "stray-blockers": lambda work, held: work.unset(held, edit_fields.BLOCKERS),
    "type-mismatch": edit_fields.rehome,
}
"""The fix of each fault of a memory."""


# Memories with the same identifier: the first or the newest stays, or one of all.

_WAYS = FIRST, NEWEST, MERGE = "first", "newest", "merge"


def _copies(work: Work, problem: Problem, way: str) -> None:
    """Leave one of all memories with the same identifier; the newest by default."""
    work.is_grave = True
    for held in _at(work, problem):
        if not isinstance(held.thing.get("id"), str):
            continue
        group = [one for one in work.all_held() if one.key == held.key]
        if (way or NEWEST) not in _WAYS:
            raise NotPossibleError(f"Keep which copy? Choose from {', '.join(_WAYS)}.")
        if len(group) > 1:
            _leave(work, group, way or NEWEST)


def _leave(work: Work, group: Sequence[Held], way: str) -> None:
    stays = max(reversed(group), key=_age) if way == NEWEST else group[0]
    others = [held for held in group if held is not stays]
    if way == MERGE:
        edit_fields.unite(work, stays, others)
        work.touch_up(stays)
        return
    for held in others:
        is_same = held.thing.get("content") == stays.thing.get("content")
        text = "says the same" if is_same else "has another text and stays"
        place = f"line {held.line} of {held.path}"
        by = "" if held.path == stays.path else f" of {stays.path}"
        work.warnings.append(f"Removes {place}; line {stays.line}{by} {text}.")
        work.take(held)


def _age(held: Held) -> tuple[tuple[int, int, str], bool, int]:
    """By its last update; among equals, an active one and the last line count more."""
    told = instant(held.thing.get("updated_at"))
    return told.order if told else (0, 0, ""), not held.is_archived, held.line


# Damaged lines: fixed if nothing gets lost, else restored from a backup.

_ID = re.compile(rb'"id"\s*:\s*"([^"\\]{1,100})"')
_CONTROLS = re.compile(rb"[\0-\x1f]")
_NO_COPY = (
    "is damaged, and neither a backup nor the archive has a copy. Edit it by hand."
)


def _mend_line(work: Work, path: str, line: int) -> None:
    """Fix one line: in place, from the newest backup, or from the archive."""
    file = work.lines_file(path)
    raw = file.line(line)
    if _is_beginning(file, raw.strip()):
        file.replace(line, None)
        return
    fixed = _without_controls(raw) or _copy_of(work, path, raw)
    if fixed is None:
        raise NotPossibleError(f"Line {line} of {path} {_NO_COPY}")
    file.replace(line, fixed)


def _is_beginning(file: LinesFile, torn: bytes) -> bool:
    """Whether a line is just the start of another one, written again in full."""
    lines = (line.strip() for line in file.after.split(b"\n"))
    return any(
        line != torn and line.startswith(torn) and _is_sound(line) for line in lines
    )


def _without_controls(raw: bytes) -> bytes | None:
    """The line without what a crash left, and with its controls escaped."""
    bare = raw.strip(b"\0 \t\r")
    escaped = _CONTROLS.sub(lambda found: b"\\u%04x" % found[0][0], bare)
    return next(filter(_is_sound, (bare, escaped)), None)


def _copy_of(work: Work, path: str, raw: bytes) -> bytes | None:
    """The line with the same identifier in a backup, or else in the archive."""
    own = _ID.search(raw)
    if not own:
        return None
    archived = (one for one in work.archives() if kind_of(one) == kind_of(path))
    for name in (*_backups(work, path), *archived):
        for line in _lines_of(work, name):
            found = _ID.search(line)
            if found and found[1] == own[1] and _is_sound(line.strip()):
                return line.strip()
    return None


def _backups(work: Work, path: str) -> list[str]:
    """The backups of a file, the newest first."""
    name = path.rpartition("/")[2]
    found = [
        entry.path
        for folder in ("", BACKUP)
        for entry in entries_of(work.root, folder)
        if entry.kind is Kind.FILE
        and role_of(entry.path) is Role.BACKUP
        and backup_of(entry.path).of == name
    ]
    return sorted(found, key=lambda one: backup_of(one).when or "", reverse=True)


def _lines_of(work: Work, path: str) -> list[bytes]:
    return work.root.read(path, limit=LARGEST).raw.split(b"\n")


def _is_sound(raw: bytes) -> bool:
    parsed = parse(raw)
    values, problem = parsed.values, parsed.problem
    return problem is None and len(values) == 1 and is_memory(values[0])


# Files replaced as a whole: restored from a backup or the archive, or rebuilt.

_TOLD = 5


def from_backup(work: Work, path: str) -> None:
    """Restore a file from its backup."""
    if role_of(path) is not Role.BACKUP:
        raise NotPossibleError(f"{path} isn't a backup.")
    try:
        work.replaced[backup_of(path).of] = work.root.read(path, limit=LARGEST).raw
    except UnreadableError as error:
        raise NotPossibleError(str(error)) from error
    work.is_grave = True


def _restore(work: Work, path: str) -> None:
    """Restore a damaged file from its newest backup, or else from the archive."""
    newest = next((n for n in _backups(work, path) if _is_readable(work, n)), None)
    if newest is not None:
        from_backup(work, newest)
        return
    archived = list(_archived(work, path))
    if not archived:
        raise NotPossibleError(f"{path} {_NO_COPY}")
    file = work.lines_file(path)
    file.clear()
    for held in archived:
        flag(work, held, archived=False)
        file.add(held.home, work.take(held))
    named = counted(len(archived), "memory", "memories")
    work.warnings.append(f"{path} is restored from the archive: {named}, now active.")
    work.is_grave = True


def _is_readable(work: Work, backup: str) -> bool:
    """Whether a backup has any memory that can be read."""
    if role_of(backup_of(backup).of) is Role.LINES:
        return any(_is_sound(line.strip()) for line in _lines_of(work, backup))
    raw = work.root.read(backup, limit=LARGEST).raw
    try:
        load_map(raw)
    except DamagedJsonError:
        return False
    return is_document(raw)


def _archived(work: Work, path: str) -> Iterator[Held]:
    """The memories in the archive that belong into a file of lines."""
    kind = kind_of(path)
    if role_of(path) is Role.LINES and kind is not None:
        for one in work.paths():
            if is_archive(one) and kind_of(one) == kind:
                yield from work.file(one).held


def reindex(work: Work, version: str | None = None) -> None:
    """Rebuild the index from the memories after the change."""
    before = work.bytes_of(INDEX)
    text = None if before is None else before.decode(errors="surrogateescape")
    anew = rebuild_index(text, work.taken.with_files(files_after(work)))
    work.warnings += anew.warnings[:_TOLD]
    after = anew.after.encode(errors="surrogateescape")
    if version:
        data = load_map(after)
        data["version"] = version
        after = style_of(after.decode()).dumps(data).encode()
    work.replaced[INDEX] = after


def _migrate(work: Work, _problem: Problem, _way: str) -> None:
    """Migrate memories and index to the known version."""
    try:
        told = load_map(work.bytes_of(INDEX) or b"").get("version")
    except DamagedJsonError:
        told = None
    if isinstance(told, str) and _numbers(told) > _numbers(VERSION):
        raise NotPossibleError(f"Version {told} is newer than this program supports.")
    for held in work.all_held():
        complete(work, held)
    reindex(work, version=VERSION)


def _numbers(version: str) -> list[int]:
    parts = version.split(".")
    return [int(part) if part.isascii() and part.isdigit() else 0 for part in parts]


# What is done about each kind of problem.

_BY_HAND = "Can't be fixed automatically; edit it by hand."
_REASONS: Mapping[str, str] = {
    "over-hard-limit": "Core memories aren't auto-archived; use `recollect archive`.",
    "stale-lock": "A stale lock does no harm; the next writer replaces it.",
    "locked": "Another process is using the store.",
    "long-line": "The line is only too long; shorten its text.",
    "stray-task-metadata": "Make it a task or remove `task_metadata`, by hand.",
}


def why_not(problem: Problem) -> str:
    """Why a problem can't be fixed here; empty if it can."""
    reason = _REASONS.get(problem.code, _BY_HAND)
    return "" if problem.code in FIXES else reason


def why_not_line(work: Work, problem: Problem) -> str:
    """Why a damaged line can't be fixed; empty if it can. The work can't be used on."""
    try:
        _line(work, problem, "")
    except RecollectError as error:
        return str(error)
    return ""


def fix(work: Work, intent: Fix, problems: Sequence[Problem]) -> None:
    """Fix problems: lines, then files as a whole, then the index of all these."""
    work.backs_up = not all(map(_is_of_index, problems))
    for problem in sorted(problems, key=lambda one: one.code == "damaged-json"):
        reason = why_not(problem)
        if reason:
            raise NotPossibleError(reason)
        if not _is_of_index(problem):
            _OF_FILES.get(problem.code, _fields)(work, problem, intent.way)
    if any(map(_is_of_index, problems)):
        reindex(work)


def _is_of_index(problem: Problem) -> bool:
    """Whether only a new index fixes it."""
    is_damaged = problem.code == "damaged-json" and problem.path == INDEX
    return is_damaged or problem.code in _OF_INDEX


def _fields(work: Work, problem: Problem, _way: str) -> None:
    for held in _at(work, problem):
        told = {fault.code for fault in faults(work.thing(held), held.kind)}
        if problem.code in told:
            _OF_FIELDS[problem.code](work, held)


def _line(work: Work, problem: Problem, _way: str) -> None:
    path = problem.path
    if role_of(path) is Role.AGENT:
        _restore(work, path)
        return
    is_alone = not work.file(path).held and problem.line is not None
    try:
        _mend_line(work, path, problem.line or 0)
    except NotPossibleError:
        if not is_alone:
            raise
        _restore(work, path)


def _divide(work: Work, problem: Problem, _way: str) -> None:
    """Give each of the objects on one line a line of its own."""
    file, line = work.file(problem.path), problem.line or 0
    if isinstance(file, LinesFile):
        parts = values_in(file.line(line))[1::2]
        if len(parts) > 1:
            file.replace(line, b"\n".join(parts))


def _limit(work: Work, problem: Problem, _way: str) -> None:
    kind = kind_of(problem.path)
    if kind:
        relieve(work, kind, problem.path)


def _close(work: Work, _problem: Problem, _way: str) -> None:
    """Restrict the store to its owner; modes that are stricter stay."""
    work.modes = [(path, mode, mode & OWNERS) for path, mode in exposed_in(work.root)]


def _at(work: Work, problem: Problem) -> list[Held]:
    """The memories on the line that a problem names."""
    held = [one for one in work.file(problem.path).held if one.line == problem.line]
    if held:
        return held
    sentence = (
        f"Line {problem.line} of {problem.path} no longer contains a memory. Reload "
        "and try again."
    )
    raise ChangedOnDiskError(sentence)


_OF_FILES: Mapping[str, Callable[[Work, Problem, str], None]] = {
    "duplicate-id": _copies,
    "damaged-line": _line,
    "glued-lines": _divide,
    "damaged-json": lambda work, problem, _way: _restore(work, problem.path),
    "over-soft-limit": _limit,
    "unknown-version": _migrate,
    "open-permissions": _close,
}
"""The fix of each problem of a file or of the store, given the way that was chosen."""

_OF_INDEX = frozenset({"index-drift", "bad-index", "bad-count", "old-index"})
"""What a rebuilt index fixes, once all else is done."""

FIXES = _OF_INDEX.union(_OF_FIELDS, _OF_FILES)
"""The codes of the problems that can be fixed."""

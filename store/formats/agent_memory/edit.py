"""What each intent writes into a store, and the fixes for its problems."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from pathlib import Path
from uuid import uuid4

from msgspec.structs import replace

from store.clean import clean
from store.edits.conflict import ChangedOnDiskError
from store.edits.draft import Changeable, Draft, Form, Known, Marking
from store.errors import NotPossibleError, UnknownKindError
from store.files.beneath import Rooted
from store.findings import Json
from store.formats.agent_memory.edit_draft import Work, divide_line, mend_line
from store.formats.agent_memory.edit_fields import (
    NEWEST,
    create,
    form_of,
    form_of_line,
    make_one,
    merge,
    pin,
    recall,
    rehome,
    retag,
    rewrite,
    rewrite_line,
    set_field,
)
from store.formats.agent_memory.edit_files import (
    USUAL,
    Options,
    as_lines,
    bring_back,
    drafted,
    from_backup,
    later_version,
    move,
    put_away,
    rebuild_index,
    relieve,
    restore,
    take_in,
    what_is_due,
)
from store.formats.agent_memory.edit_lines import Held
from store.formats.agent_memory.format import exposed_in
from store.formats.agent_memory.index import VERSION
from store.formats.agent_memory.layout import (
    INDEX,
    KINDS,
    OWNERS,
    TASK,
    Role,
    as_text,
    is_archive,
    kind_of,
    role_of,
)
from store.formats.agent_memory.memories import (
    IMPORTANCES,
    TIMES,
    access_count,
    faults,
    instant,
    memory_of,
)
from store.formats.markdown import counted
from store.kinds.memories import Memory
from store.kinds.pages import Document
from store.kinds.problems import Problem
from store.records.intents import (
    Append,
    Archive,
    Create,
    Delete,
    Fix,
    Intent,
    Merge,
    Move,
    Pin,
    Rebuild,
    Relate,
    Rename,
    Retag,
    Return,
    Rewrite,
    Set,
    Touch,
)

# Missing and invalid fields of a memory, fixed with the default values.

_TASK = "task_metadata"
_DONE = (_TASK, "completed_at")

Mender = Callable[[Work, Held], None]


def complete(work: Work, held: Held) -> None:
    """Add all required fields that a memory lacks."""
    thing = work.thing(held)
    usual: dict[str, Json] = {
        "id": str(uuid4()),
        "type": held.kind,
        **dict.fromkeys(TIMES, _earliest(work, held)),
        "access_count": 0,
        "tags": [],
        "importance": IMPORTANCES[1],
        "archived": is_archive(held.path),
    }
    for name, value in usual.items():
        if thing.get(name) in (None, "") and value is not None:
            work.set(held, (name,), value)


def put_right(work: Work, held: Held, code: str) -> None:
    """Fix a memory's problem; raises NotPossibleError if that is impossible."""
    mender = MENDERS.get(code)
    if mender is None:
        sentence = "Can't be fixed automatically; edit it by hand."
        raise NotPossibleError(sentence)
    told = [fault.code for fault in faults(work.thing(held), held.kind)]
    if code in told:
        mender(work, held)


def _earliest(work: Work, held: Held) -> Json:
    """The earliest of a memory's own times, as written."""
    thing = work.thing(held)
    told = [thing.get(name) for name in TIMES]
    known = [(when, one) for one in told if (when := instant(one)) and when.micros]
    return min(known, key=lambda pair: pair[0])[1] if known else work.moment(held)


def _zone(work: Work, held: Held) -> None:
    for name in TIMES:
        _name_zone(work, held, (name,), work.thing(held).get(name))
    data = work.thing(held).get(_TASK)
    if isinstance(data, dict):
        _name_zone(work, held, _DONE, data.get("completed_at"))


def _name_zone(work: Work, held: Held, path: tuple[str, ...], told: Json) -> None:
    when = instant(told)
    if when and when.micros is not None and not _is_zoned(told):
        work.set(held, path, when.iso if isinstance(told, int | float) else f"{told}Z")


def _is_zoned(told: Json) -> bool:
    codes = {fault.code for fault in faults({"created_at": told}, None)}
    return "time-without-zone" not in codes


def _count(work: Work, held: Held) -> None:
    told = work.thing(held).get("access_count")
    text = told.strip() if isinstance(told, str) else ""
    is_number = text.isascii() and text.isdigit() and access_count(int(text))
    work.set(held, ("access_count",), int(text) if is_number else 0)


def _importance(work: Work, held: Held) -> None:
    word = as_text(work.thing(held).get("importance")).strip().lower()
    work.set(held, ("importance",), word if word in IMPORTANCES else IMPORTANCES[1])


def _as_read(name: str) -> Mender:
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
        work.set(held, (_TASK,), data)


def _completed(work: Work, held: Held) -> None:
    told = work.thing(held).get("updated_at")
    work.set(held, _DONE, told if instant(told) else work.moment(held))


def _drop(*path: str) -> Mender:
    return lambda work, held: work.unset(held, path)


MENDERS: Mapping[str, Mender] = {
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
    "stray-completed-at": _drop(*_DONE),
    "stray-blockers": _drop(_TASK, "blockers"),
    "type-mismatch": rehome,
}
"""The fix of each fault that needs no question."""


# What is done about each kind of problem.

MenderOfProblems = Callable[[Work, Problem, str], Options]
"""Fixes one problem, in one of several ways."""

_BY_HAND = "Can't be fixed automatically; edit it by hand."


def why_not(problem: Problem) -> str:
    """Why a problem can't be fixed here; empty if it can."""
    if problem.code in _REASONS:
        return _REASONS[problem.code]
    is_known = any(problem.code in codes for codes in (MENDERS, _MENDERS, _OF_INDEX))
    return "" if is_known else _BY_HAND


def mend(work: Work, intent: Fix, problems: Sequence[Problem]) -> Options:
    """Fix problems: lines, then files as a whole, then the index of all these."""
    work.rebuilds_index = not _OF_INDEX.isdisjoint(intent.along)
    found = [Options(backs_up=False)]
    for problem in sorted(problems, key=_rank):
        reason = why_not(problem)
        if reason:
            raise NotPossibleError(reason)
        if _is_of_index(problem):
            continue
        mender = _MENDERS.get(problem.code, _of_memory)
        found.append(mender(work, problem, intent.way))
    options = reduce(Options.joined, found)
    if not any(map(_is_of_index, problems)):
        return options
    return options.joined(rebuild_index(work, options.replaces))


def _rank(problem: Problem) -> bool:
    """What fixes a whole file comes after what fixes its lines."""
    return problem.code == "damaged-json"


def _is_of_index(problem: Problem) -> bool:
    """Whether it takes a new index."""
    is_damaged = problem.code == "damaged-json" and problem.path == INDEX
    return is_damaged or problem.code in _OF_INDEX


def _of_memory(work: Work, problem: Problem, way: str) -> Options:
    del way
    for held in _at(work, problem):
        put_right(work, held, problem.code)
    return USUAL


def _copies(work: Work, problem: Problem, way: str) -> Options:
    for held in _at(work, problem):
        own = held.thing.get("id")
        if isinstance(own, str):
            make_one(work, own, way or NEWEST)
    return Options(is_grave=True)


def _line(work: Work, problem: Problem, way: str) -> Options:
    del way
    if role_of(problem.path) is Role.AGENT:
        return restore(work, problem.path)
    if work.file(problem.path).held() or problem.line is None:
        mend_line(work, problem.path, problem.line or 0)
        return USUAL
    try:
        mend_line(work, problem.path, problem.line)
    except NotPossibleError:
        return restore(work, problem.path)
    return USUAL


def _document(work: Work, problem: Problem, way: str) -> Options:
    del way
    return restore(work, problem.path)


def _divide(work: Work, problem: Problem, way: str) -> Options:
    del way
    divide_line(work, problem.path, problem.line or 0)
    return USUAL


def _limit(work: Work, problem: Problem, way: str) -> Options:
    del way
    kind = kind_of(problem.path)
    if kind:
        relieve(work, kind, problem.path)
    return USUAL


def _close(work: Work, problem: Problem, way: str) -> Options:
    """Restrict the store to its owner; modes that are stricter stay."""
    del problem, way
    work.modes = [(path, mode, mode & OWNERS) for path, mode in exposed_in(work.root)]
    return USUAL


def _migrate(work: Work, problem: Problem, way: str) -> Options:
    """Migrate memories and index to the known version."""
    del problem, way
    later = later_version(work)
    if later:
        raise NotPossibleError(f"Version {later} is newer than this program supports.")
    for held in work.all_held():
        complete(work, held)
    return rebuild_index(work, version=VERSION)


def _at(work: Work, problem: Problem) -> list[Held]:
    """The memories on the line that a problem names."""
    held = [one for one in work.file(problem.path).held() if one.line == problem.line]
    if held:
        return held
    sentence = (
        f"Line {problem.line} of {problem.path} no longer contains a memory. Reload "
        "and try again."
    )
    raise ChangedOnDiskError(sentence)


_MENDERS: Mapping[str, MenderOfProblems] = {
    "duplicate-id": _copies,
    "damaged-line": _line,
    "glued-lines": _divide,
    "damaged-json": _document,
    "over-soft-limit": _limit,
    "unknown-version": _migrate,
    "open-permissions": _close,
}

_OF_INDEX = frozenset({"index-drift", "bad-index", "bad-count", "old-index"})
"""What a rebuilt index fixes, once all else is done."""

_REASONS: Mapping[str, str] = {
    "over-hard-limit": "Core memories aren't auto-archived; use `recollect archive`.",
    "stale-lock": "A stale lock does no harm; the next writer replaces it.",
    "locked": "Another process is using the store.",
    "long-line": "The line is only too long; shorten its text.",
    "stray-task-metadata": "Make it a task or remove `task_metadata`, by hand.",
}


# What can be done with each kind of record, or else why not.

NO_TITLE = (
    "Memories here have no title; the start of the text is shown. Edit the text "
    "instead."
)
NO_LINKS = "This format has no links between memories."

_OF_MEMORY = ("pin", "delete", "set", "tag", "edit", "merge", "move", "fix")
_RECALLED = "Archived memories can't be recalled; unarchive it first."
_DAMAGED = frozenset({"damaged-line", "not-a-memory", "glued-lines"})


def possible(record: Changeable | None) -> Mapping[str, str]:
    """The words of intents, each with the sentence why it cannot be done now."""
    if record is None:
        return dict.fromkeys(("new", "archive", "append", "rebuild"), "")
    if isinstance(record, Memory):
        return _of_memory_possible(record)
    if isinstance(record, Document):
        is_backup = role_of(record.path) is Role.BACKUP
        return {"return": ""} if is_backup else {}
    if isinstance(record, Problem):
        edit = {"edit": ""} if record.code in _DAMAGED and record.line else {}
        return {"fix": why_not(record), **edit}
    return {}


def _of_memory_possible(memory: Memory) -> Mapping[str, str]:
    words = dict.fromkeys(_OF_MEMORY, "")
    words |= {"archive": "", "rename": NO_TITLE, "link": NO_LINKS}
    words["touch"] = _RECALLED if is_archive(memory.path) else ""
    return words


# What each intent does to the files of a store.

LINES = "jsonl"
"""What making lines of the documents of version 1.0 is called."""

PINNED = "pinned"
"""What the mark is called that a pin leaves."""

IMPORT = "import"
"""What adding all memories of a document is called."""

Records = Sequence[Changeable]


def act(intent: Intent, work: Work, records: Records) -> Options:  # noqa: C901, PLR0911, PLR0912 - one flat dispatch
    """Do what an intent asks to the files of a work, in memory alone."""
    match intent:
        case Create():
            create(work, intent)
        case Set():
            set_field(work, intent, held_of(work, records))
        case Retag():
            retag(work, intent, held_of(work, records))
        case Rewrite():
            _rewrite(intent, work, records)
        case Touch():
            recall(work, held_of(work, records))
            return Options(backs_up=False)
        case Pin():
            return _pin(intent, work, records)
        case Archive():
            return _archive(intent, work, records)
        case Delete():
            for held in held_of(work, records):
                work.file(held.path).take(held)
            return Options(is_grave=True, marks=_unpinned(records))
        case Merge():
            merge(work, intent, held_of(work, records))
            return Options(is_grave=True, marks=_unpinned(records[1:]))
        case Append():
            return _import(intent, work)
        case Rebuild():
            return _rebuild(intent, work)
        case Fix():
            problems = [one for one in records if isinstance(one, Problem)]
            return mend(work, intent, problems)
        case Return():
            return _return(work, records)
        case Rename():
            raise NotPossibleError(NO_TITLE)
        case Relate():
            raise NotPossibleError(NO_LINKS)
        case _:
            raise NotPossibleError("This change isn't available for this format.")
    return USUAL


def _rewrite(intent: Rewrite, work: Work, records: Records) -> None:
    """Put in place what an editor gave back."""
    record = records[0]
    if isinstance(record, Problem) and record.line is not None:
        rewrite_line(work, intent, record.path, record.line)
    else:
        rewrite(work, intent, held_of(work, records)[0])


def _pin(intent: Pin, work: Work, records: Records) -> Options:
    """Say that memories matter, as near as the format has it, and mark them."""
    memories = held_of(work, records)
    pin(work, memories, pins=intent.pins)
    marks = (
        Marking(path=held.path, id=_own(held), name=PINNED, is_set=intent.pins)
        for held in memories
    )
    return Options(marks=tuple(marks))


def _archive(intent: Archive, work: Work, records: Records) -> Options:
    """Archive or unarchive memories; if none are given, archive what is due."""
    if not records:
        return _put_away_what_is_due(work)
    move_them = put_away if intent.archives else bring_back
    move_them(work, held_of(work, records))
    return USUAL


def _import(intent: Append, work: Work) -> Options:
    """Take in a document of memories."""
    if intent.kind != IMPORT:
        sentence = f"Can't append {intent.kind!r} here; create a memory instead."
        raise UnknownKindError(sentence)
    count = take_in(work, intent.fields)
    return Options(count=count, action=f"{IMPORT} {_counted(count)}")


def _rebuild(intent: Rebuild, work: Work) -> Options:
    """Rebuild the index, or convert documents of version 1.0 to lines."""
    if intent.name == "index":
        return rebuild_index(work)
    if intent.name == LINES:
        return as_lines(work)
    raise NotPossibleError(f"Unknown index {intent.name!r}; nothing to rebuild.")


def _return(work: Work, records: Records) -> Options:
    """Put a backup back in its place."""
    if len(records) != 1 or not isinstance(records[0], Document):
        raise NotPossibleError("Choose exactly one backup to restore.")
    return from_backup(work, records[0].path)


def _unpinned(records: Records) -> tuple[Marking, ...]:
    """The pins to forget when pinned memories are deleted."""
    return tuple(
        Marking(path=one.path, id=one.id, name=PINNED, is_set=False)
        for one in records
        if isinstance(one, Memory) and one.pinned
    )


def _put_away_what_is_due(work: Work) -> Options:
    due = what_is_due(work)
    put_away(work, due)
    action = f"archive {_counted(len(due))} due for archiving"
    return Options(count=len(due), action=action)


def _counted(count: int) -> str:
    return f"{count} {'memory' if count == 1 else 'memories'}"


def _own(held: Held) -> str | None:
    own = held.thing.get("id")
    return own if isinstance(own, str) else None


def held_of(work: Work, records: Records) -> list[Held]:
    """The positions of the memories, without duplicates."""
    found: list[Held] = []
    for record in records:
        if not isinstance(record, Memory):
            raise NotPossibleError("Only memories can be changed this way.")
        held = work.find(record)
        if held not in found:
            found.append(held)
    if not found:
        raise NotPossibleError("Choose a memory first.")
    return found


# Drafts changes to a store of this format.

_LONGEST = 60


class AgentMemoryScribe(Rooted):
    """Reads the files of one store, and writes nothing."""

    fixes = _OF_INDEX.union(MENDERS, _MENDERS)
    """The codes of the problems that can be fixed."""

    def possible(self, record: Changeable | None) -> Mapping[str, str]:
        """What can be done with a record, or with the store itself."""
        return possible(record)

    def form(self, record: Changeable) -> Form:
        """A memory as indented JSON, or a damaged line unchanged."""
        work = Work(self._root, 0)
        if isinstance(record, Memory):
            return form_of(work, work.find(record))
        if isinstance(record, Problem) and record.line is not None:
            return form_of_line(work, record.path, record.line)
        raise NotPossibleError("There is nothing to edit here.")

    def draft(
        self, intent: Intent, records: Sequence[Changeable], known: Known, now: int
    ) -> Draft:
        """The change as edits of the store's files, which are read now."""
        del known
        work = Work(self._root, now)
        action = _action(intent, records)
        if not isinstance(intent, Move):
            return drafted(action, work, act(intent, work, records))
        there = move(work, intent, held_of(work, records))
        here = drafted(action, work, USUAL)
        marks = tuple(_marks(intent, records))
        return replace(here, steps=(*there, *here.steps), marks=marks)


def _marks(intent: Move, records: Sequence[Changeable]) -> Iterator[Marking]:
    """Pins that move along with their memories."""
    for record in records:
        if isinstance(record, Memory) and record.pinned:
            mark = Marking(path=record.path, id=record.id, name=PINNED, is_set=True)
            yield replace(mark, root=Path(intent.to))
            if not intent.keeps:
                yield mark.reversed


def _action(intent: Intent, records: Sequence[Changeable]) -> str:
    """A change in words."""
    word = _word(intent)
    match intent:
        case Rebuild():
            return f"{word} {intent.name}"
        case Create():
            return f"{word} “{_short(intent.title)}”"
        case Set():
            return f"{word} {_named(records)}: {intent.names}"
        case Move():
            return f"{word} {_named(records)} to {clean(intent.to)}"
        case Merge() if len(records) > 1:
            others = counted(len(records) - 1, "other memory", "other memories")
            return f"{word} {others} into {_named(records[:1])}"
        case _:
            return f"{word} {_named(records)}" if records else word


def _word(intent: Intent) -> str:
    """The name of its command."""
    if isinstance(intent, Pin) and not intent.pins:
        return "unpin"
    if isinstance(intent, Archive) and not intent.archives:
        return "restore"
    if isinstance(intent, Move) and intent.keeps:
        return "copy"
    return intent.word


def _named(records: Sequence[Changeable]) -> str:
    """One record by its title, several by their number."""
    if len(records) == 1:
        return f"“{_short(_title(records[0]))}”"
    return f"{len(records)} records"


def _title(record: Changeable) -> str:
    if isinstance(record, Memory | Document):
        return record.title
    return record.code if isinstance(record, Problem) else record.ref


def _short(text: str) -> str:
    line = clean(text).partition("\n")[0]
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"

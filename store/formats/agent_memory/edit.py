"""What each intent writes into a store, and what can be done with each record."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

from msgspec.structs import replace

from store.clean import clean
from store.edits import draft
from store.errors import NotPossibleError, UnknownKindError
from store.files.beneath import Root, Rooted
from store.files.json_edit import exact, one_line, spelt_exact
from store.files.json_read import parse
from store.findings import Json
from store.formats.agent_memory import edit_fields
from store.formats.agent_memory.edit_files import (
    Held,
    Work,
    archive_file,
    bring_back,
    changed,
    files_after,
    grows,
    instant_like,
    keep_within,
    key_of,
    put_away,
)
from store.formats.agent_memory.edit_fixes import (
    FIXES,
    fix,
    from_backup,
    reindex,
    why_not,
    why_not_line,
)
from store.formats.agent_memory.format import (
    BACKUP,
    FILES,
    INDEX,
    KINDS,
    LOCK,
    STEM_OF,
    Role,
    backup_of,
    is_archive,
    kind_of,
    role_of,
    sniff,
)
from store.formats.agent_memory.index import index_edit
from store.formats.agent_memory.memories import Thing, faults, is_memory
from store.formats.agent_memory.reports import due
from store.formats.markdown import counted, open_other
from store.formats.port import entries_of
from store.kinds.memories import Memory
from store.kinds.pages import Document
from store.kinds.problems import Problem
from store.records import intents
from store.times import moment_of
from store.times import parse as parse_time

# What can be done with each kind of record, or else why not.

NO_LINKS = "This format has no links between memories."

_OF_MEMORY = ("pin", "delete", "set", "tag", "edit", "merge", "move", "fix", "archive")
_RECALLED = "Archived memories can't be recalled; unarchive it first."
_DAMAGED = frozenset({"damaged-line", "not-a-memory", "glued-lines"})


def possible(record: draft.Changeable | None) -> Mapping[str, str]:
    """The words of intents, each with the reason why it is not possible now."""
    match record:
        case None:
            return dict.fromkeys(("new", "archive", "append", "rebuild"), "")
        case Memory():
            touch = _RECALLED if is_archive(record.path) else ""
            words = {"rename": edit_fields.NO_TITLE, "link": NO_LINKS, "touch": touch}
            return dict.fromkeys(_OF_MEMORY, "") | words
        case Document():
            return {"return": ""} if role_of(record.path) is Role.BACKUP else {}
        case Problem():
            edit = {"edit": ""} if record.code in _DAMAGED and record.line else {}
            return {"fix": why_not(record), **edit}
        case _:
            return {}


# What each intent does to the files of a store.

LINES = "jsonl"
"""The word for converting documents of version 1.0 to lines."""

PINNED = "pinned"
"""The name of the mark for pinned memories."""

IMPORT = "import"
"""The word for adding all memories of a document."""

Records = Sequence[draft.Changeable]


def act(intent: intents.Intent, work: Work, records: Records) -> None:  # noqa: C901, PLR0912 - one flat dispatch
    """Do what an intent asks to the files of a work, in memory alone."""
    match intent:
        case intents.Create():
            edit_fields.create(work, intent)
        case intents.Append():
            _import(intent, work)
        case intents.Rebuild():
            _rebuild(intent, work)
        case intents.Fix():
            fix(work, intent, [one for one in records if isinstance(one, Problem)])
        case intents.Return():
            _return(work, records)
        case intents.Archive() if not records:
            _put_away_what_is_due(work)
        case intents.Archive():
            move_them = put_away if intent.archives else bring_back
            move_them(work, held_of(work, records))
        case intents.Rewrite():
            _rewrite(intent, work, records)
        case intents.Set():
            edit_fields.set_fields(work, intent, held_of(work, records))
        case intents.Retag():
            edit_fields.retag(work, intent, held_of(work, records))
        case intents.Touch():
            work.backs_up = False
            edit_fields.recall(work, held_of(work, records))
        case intents.Pin():
            _pin(intent, work, records)
        case intents.Delete():
            for held in held_of(work, records):
                work.take(held)
            _unpin(work, records)
        case intents.Merge():
            edit_fields.merge(work, intent, held_of(work, records))
            _unpin(work, records[1:])
        case intents.Rename():
            raise NotPossibleError(edit_fields.NO_TITLE)
        case intents.Relate():
            raise NotPossibleError(NO_LINKS)
        case _:
            raise NotPossibleError("This change isn't available for this format.")


def held_of(work: Work, records: Records) -> list[Held]:
    """The places of the memories, without duplicates."""
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


def _rewrite(intent: intents.Rewrite, work: Work, records: Records) -> None:
    """Replace a memory or a damaged line by its edited text."""
    record = records[0]
    if isinstance(record, Problem) and record.line is not None:
        edit_fields.rewrite_line(work, intent, record.path, record.line)
    else:
        edit_fields.rewrite(work, intent, held_of(work, records)[0])


def _pin(intent: intents.Pin, work: Work, records: Records) -> None:
    """Set the importance of memories, and mark them, as the format has no pins."""
    memories = held_of(work, records)
    edit_fields.pin(work, memories, pins=intent.pins)
    for held in memories:
        own = held.thing.get("id")
        own = own if isinstance(own, str) else None
        mark = draft.Marking(path=held.path, id=own, name=PINNED, is_set=intent.pins)
        work.marks.append(mark)


def _unpin(work: Work, records: Records) -> None:
    """Remove the marks of pinned memories that are deleted."""
    work.is_grave = True
    work.marks += [mark.reversed for mark in _marks(records)]


def _marks(records: Records) -> list[draft.Marking]:
    """The marks of those memories that are pinned."""
    return [
        draft.Marking(path=one.path, id=one.id, name=PINNED, is_set=True)
        for one in records
        if isinstance(one, Memory) and one.pinned
    ]


def _put_away_what_is_due(work: Work) -> None:
    """Archive the memories due for archiving, in all files."""
    found = [one.kept for one in due(work.taken, work.now)]
    places = {(one.path, one.memory.line, one.memory.id) for one in found}
    held = [
        held
        for path in dict.fromkeys(one.path for one in found)
        for held in work.file(path).held
        if (path, held.line, held.thing.get("id")) in places
    ]
    put_away(work, held)
    work.action = f"archive {_memories(len(held))} due for archiving"
    work.count = len(held)


def _rebuild(intent: intents.Rebuild, work: Work) -> None:
    """Rebuild the index, or convert documents of version 1.0 to lines."""
    if intent.name == "index":
        work.backs_up = False
        reindex(work)
    elif intent.name == LINES:
        _as_lines(work)
    else:
        raise NotPossibleError(f"Unknown index {intent.name!r}; nothing to rebuild.")


def _return(work: Work, records: Records) -> None:
    """Restore a file from its backup."""
    if len(records) != 1 or not isinstance(records[0], Document):
        raise NotPossibleError("Choose exactly one backup to restore.")
    from_backup(work, records[0].path)


def _memories(count: int) -> str:
    return counted(count, "memory", "memories")


# Memories as one JSON document: imported, exported, and version 1.0 made lines.


def as_document(root: Root) -> dict[str, Json]:
    """Every memory of the store as one document, a list for each kind."""
    lists: dict[str, list[Json]] = {part: [] for part in FILES}
    work = Work(root, 0)
    for held in work.all_held():
        values = parse(work.file(held.path).raw(held), exact=True).values
        lists[STEM_OF[held.home]] += values[:1]
    return {part: cast("Json", things) for part, things in lists.items()}


def _import(intent: intents.Append, work: Work) -> None:
    """Add every memory of a document that doesn't exist yet."""
    if intent.kind != IMPORT:
        sentence = f"Can't append {intent.kind!r} here; create a memory instead."
        raise UnknownKindError(sentence)
    known = {held.key for held in work.all_held()}
    passed = 0
    for part, thing in _items(intent.fields):
        if key_of(thing) in known:
            passed += 1
            continue
        known.add(key_of(thing))
        _take_in(work, FILES[part], thing)
        work.count += 1
    if passed:
        one, many = "memory that already exists", "memories that already exist"
        work.warnings.append(f"Skipped {counted(passed, one, many)}.")
    elif not work.count:
        raise NotPossibleError(f"No memories; expected lists named {', '.join(FILES)}.")
    work.action = f"{IMPORT} {_memories(work.count)}"


def _items(document: Mapping[str, Json]) -> Iterator[tuple[str, Thing]]:
    """The memories of a document, each with the name of its list."""
    for part in FILES:
        things = document.get(part, [])
        if not isinstance(things, list):
            raise NotPossibleError(f"`{part}` must be a list of memories.")
        for thing in things:
            if not is_memory(thing):
                raise NotPossibleError(f"An item of `{part}` isn't a memory.")
            yield part, cast("Thing", thing)


def _take_in(work: Work, kind: str, thing: Thing) -> None:
    """Put a memory behind the last of its type, or else of the list that it is from."""
    told = thing.get("type")
    kind = str(told) if told in KINDS else kind
    for fault in faults(thing, kind):
        if fault.code.startswith("bad-"):
            raise NotPossibleError(f"{thing.get('id')}: {fault.message}")
    work.add(work.live_file(kind), kind, one_line(thing))


def _as_lines(work: Work) -> None:
    """Put the memories of all documents of version 1.0 on lines; the documents go.

    An identifier that is there already is skipped. The name of an agent's own document
    becomes a field.
    """
    paths = work.paths()
    documents = [path for path in paths if role_of(path) is Role.AGENT]
    if not documents:
        raise NotPossibleError("No version 1.0 document to convert.")
    lines = [path for path in paths if role_of(path) is Role.LINES]
    known = {held.key for path in lines for held in work.file(path).held}
    for path in documents:
        for held in work.file(path).held:
            if held.key in known:
                sentence = f"“{held.key}” of {path} already exists and is skipped."
                work.warnings.append(sentence)
                continue
            known.add(held.key)
            raw = spelt_exact(exact(work.file(path).raw(held)), escaped=False)
            if path != "default.json" and "agent_id" not in held.thing:
                agent = json.dumps(path.removesuffix(".json"), ensure_ascii=False)
                raw = raw[:-1] + b',"agent_id":' + agent.encode() + b"}"
            work.add(f"{STEM_OF[held.home]}.jsonl", held.home, raw)
        del work.files[path]
        work.replaced[path] = None
    work.is_grave = True


# Memories moved to another store of the same format, or copied there.


def _move(
    work: Work, intent: intents.Move, memories: Sequence[Held]
) -> list[draft.FileStep | draft.AppendStep]:
    """Take memories out here, unless they are copied; returns the steps over there."""
    target = Path(intent.to)
    with open_other(target, sniff, "an agent_memory") as root:
        if root.path == work.root.path:
            raise NotPossibleError("The memory is already in that store.")
        there = Work(root, work.now)
        known = {held.key for held in there.all_held()}
        for held in memories:
            own = held.thing.get("id")
            if own is not None and held.key in known:
                sentence = f"{target} already has a memory with the id {own}."
                raise NotPossibleError(sentence)
            raw = work.file(held.path).raw(held)
            kind, is_away = held.home, held.is_archived
            path = archive_file(kind, work.now) if is_away else there.live_file(kind)
            there.add(
                path, kind, edit_fields.compact(raw) if held.is_in_document else raw
            )
            if not intent.keeps:
                work.take(held)
        steps = steps_of(there, root=root.path)
    work.warnings += there.warnings
    return steps


# The draft: backups, memories, the index, in a safe order.

_SESSION = 12 * 3600 * 1_000_000
"""A backup younger than this, in microseconds, is of the same session: many quick
changes do not push older backups out."""

_UNREADABLE = (
    f"{INDEX} is damaged and stays as it is. Run `recollect rebuild index` to fix it."
)


def drafted(action: str, work: Work) -> draft.Draft:
    """The draft of a change; raises NotPossibleError at a limit."""
    modes = [
        draft.ModeStep(path=path, before=was, after=now)
        for path, was, now in work.modes
    ]
    return draft.Draft(
        action=work.action or action,
        steps=(*steps_of(work), *modes),
        warnings=tuple(dict.fromkeys(work.warnings)),
        is_grave=work.is_grave,
        lock=LOCK,
        marks=tuple(work.marks),
        count=work.count,
    )


def steps_of(
    work: Work, root: Path | None = None
) -> list[draft.FileStep | draft.AppendStep]:
    """The steps in one store: new and grown files, then changed, then removed ones."""
    touched = dict.fromkeys([*changed(work), *work.grown, *work.replaced])
    for kind in KINDS:
        for path in touched:
            is_live = kind_of(path) == kind and not is_archive(path)
            if is_live and grows(work, path):
                keep_within(work, kind, path)
    for path, lines in list(work.grown.items()):
        if sum(map(len, lines)) + 2 * len(lines) >= draft.MOST:
            work.file(path)
    made = [*_replacements(work), *_changes(work)]
    saved = [one for step in made for one in _backups(work, step)]
    index = None if INDEX in work.replaced else _index_step(work)
    appended = [step for path in work.grown if (step := work.step(path))]
    steps = sorted([*saved, *appended, *made], key=_order)
    return [replace(step, root=root) for step in [*steps, *([index] if index else [])]]


def _replacements(work: Work) -> Iterator[draft.FileStep]:
    for path, after in work.replaced.items():
        before = work.bytes_of(path)
        if before != after:
            yield draft.FileStep(path=path, before=before, after=after)


def _changes(work: Work) -> list[draft.FileStep]:
    """A step for each file whose memories changed; files that only grow come first."""
    paths = [path for path in changed(work) if path not in work.replaced]
    files = sorted(map(work.file, paths), key=lambda file: file.is_rewritten)
    return [
        draft.FileStep(path=file.path, before=file.before, after=file.after)
        for file in files
    ]


def _order(step: draft.FileStep | draft.AppendStep) -> int:
    if isinstance(step, draft.AppendStep):
        return 0
    if step.after is None:
        return 2
    return 0 if step.before is None else 1


def _backups(work: Work, step: draft.FileStep) -> list[draft.FileStep]:
    """A backup of what is not only added to; the oldest ones of the file are removed.

    Only names of the exact form that is written here are ever removed.
    """
    path, before = step.path, step.before
    grows = before is None or (step.after or b"").startswith(before)
    if grows or path.startswith(f"{BACKUP}/") or not work.backs_up:
        return []
    name = path.rpartition("/")[2]
    form = re.compile(re.escape(name) + r"\.backup\.\d{8}_\d{6}")
    names = sorted(entry.name for entry in entries_of(work.root, BACKUP))
    kept = [f"{BACKUP}/{one}" for one in names if form.fullmatch(one)]
    if not work.limits.backup_enabled or any(_is_young(one, work.now) for one in kept):
        return []
    new = f"{BACKUP}/{name}.backup.{moment_of(work.now):%Y%m%d_%H%M%S}"
    too_many = kept[: max(0, len(kept) + 1 - work.limits.max_backups)]
    return [
        draft.FileStep(path=new, before=None, after=before),
        *(
            draft.FileStep(path=old, before=work.bytes_of(old), after=None)
            for old in too_many
        ),
    ]


def _is_young(backup: str, now: int) -> bool:
    when = backup_of(backup).when
    micros = parse_time(when).micros if when else None
    return micros is not None and abs(now - micros) < _SESSION


def _index_step(work: Work) -> draft.FileStep | None:
    """The step that updates the index; None if nothing in it changes.

    Without an index, not all files need to be read.
    """
    raw = work.bytes_of(INDEX)
    if raw is None:
        return None
    after = work.taken.with_files(files_after(work))
    remake = index_edit(work.taken, after, lambda like: instant_like(like, work.now))
    if remake is None:
        return None
    made = remake(raw)
    if made == raw:
        work.warnings.append(_UNREADABLE)
        return None
    return draft.FileStep(path=INDEX, before=raw, after=made, remake=remake)


# Drafts changes to a store of this format.

_LONGEST = 60


_TRIED = 20
"""How many damaged lines are tried before a fix is offered for the others."""


class AgentMemoryScribe(Rooted):
    """Reads the files of one store, and writes nothing."""

    fixes = FIXES
    """The codes of the problems that can be fixed."""
    _tried = 0

    def possible(self, record: draft.Changeable | None) -> Mapping[str, str]:
        """What can be done with a record, or with the store itself.

        The first damaged lines are tried, as a fix needs a copy of the line.
        """
        found = possible(record)
        is_damaged = isinstance(record, Problem) and record.code == "damaged-line"
        if isinstance(record, Problem) and is_damaged and self._tried < _TRIED:
            self._tried += 1
            return {**found, "fix": why_not_line(Work(self._root, 0), record)}
        return found

    def form(self, record: draft.Changeable) -> draft.Form:
        """A memory as indented JSON, or a damaged line unchanged."""
        work = Work(self._root, 0)
        if isinstance(record, Memory):
            return edit_fields.form_of(work, work.find(record))
        if isinstance(record, Problem) and record.line is not None:
            return edit_fields.form_of_line(work, record.path, record.line)
        raise NotPossibleError("There is nothing to edit here.")

    def draft(
        self,
        intent: intents.Intent,
        records: Sequence[draft.Changeable],
        known: draft.Known,
        now: int,
    ) -> draft.Draft:
        """The change as edits of the store's files, which are read now."""
        del known
        work = Work(self._root, now)
        action = _action(intent, records)
        if not isinstance(intent, intents.Move):
            act(intent, work, records)
            return drafted(action, work)
        there = _move(work, intent, held_of(work, records))
        for mark in _marks(records):
            work.marks.append(replace(mark, root=Path(intent.to)))
            work.marks += [] if intent.keeps else [mark.reversed]
        here = drafted(action, work)
        return replace(here, steps=(*there, *here.steps))


def _action(intent: intents.Intent, records: Sequence[draft.Changeable]) -> str:
    """A change in words."""
    word, named = _word(intent), _named(records)
    match intent:
        case intents.Rebuild():
            return f"{word} {intent.name}"
        case intents.Create():
            return f"{word} “{_short(intent.title)}”"
        case intents.Set():
            return f"{word} {named}: {intent.names}"
        case intents.Move():
            return f"{word} {named} to {clean(intent.to)}"
        case intents.Merge() if len(records) > 1:
            others = counted(len(records) - 1, "other memory", "other memories")
            return f"{word} {others} into {_named(records[:1])}"
        case _:
            return f"{word} {named}" if records else word


def _word(intent: intents.Intent) -> str:
    """The name of its command."""
    match intent:
        case intents.Pin(pins=False):
            return "unpin"
        case intents.Archive(archives=False):
            return "restore"
        case intents.Move(keeps=True):
            return "copy"
        case _:
            return intent.word


def _named(records: Sequence[draft.Changeable]) -> str:
    """One record by its title, several by their number."""
    if len(records) != 1:
        return f"{len(records)} records"
    match records[0]:
        case Memory() | Document() as record:
            return f"“{_short(record.title)}”"
        case Problem() as problem:
            return f"“{_short(problem.code)}”"
        case record:
            return f"“{_short(record.ref)}”"


def _short(text: str) -> str:
    line = clean(text).partition("\n")[0]
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"

"""Memories archived, moved, imported and exported; files restored from backups."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from store.edits.draft import (
    MOST,
    AppendStep,
    Draft,
    FileStep,
    Marking,
    ModeStep,
    behind,
)
from store.errors import NotPossibleError, UnreadableError
from store.files.beneath import Root
from store.files.json_edit import exact, spelt_exact, style_of
from store.files.json_read import DamagedJsonError, load_map, parse
from store.findings import Json
from store.formats.agent_memory.edit_draft import (
    LARGEST,
    Work,
    backup_steps,
    index_step,
    newest_backup,
    taken_now,
    taken_then,
)
from store.formats.agent_memory.edit_fields import compact, spelt_thing
from store.formats.agent_memory.edit_lines import Held, Holder, LinesFile
from store.formats.agent_memory.format import sniff
from store.formats.agent_memory.index import VERSION, Kept, Taken
from store.formats.agent_memory.index import rebuild_index as index_of
from store.formats.agent_memory.layout import (
    ARCHIVE,
    BACKUP,
    BYTES,
    INDEX,
    IS_HARD,
    KINDS,
    LOCK,
    STEM_OF,
    Role,
    backup_of,
    is_archive,
    kind_of,
    role_of,
)
from store.formats.agent_memory.memories import LISTS, Thing, faults, is_memory
from store.formats.agent_memory.reports import due, least_used
from store.formats.markdown import counted
from store.records.intents import Move

# Archive and unarchive memories.

_MONTHS = 3


def put_away(work: Work, memories: Sequence[Held]) -> None:
    """Move memories to the archive of this quarter; those of version 1.0 are flagged.

    A line moves unchanged, except for its flag if it has one; none is added,
    so that an unarchived memory is the same, byte for byte.
    """
    for held in memories:
        if is_archive(held.path):
            continue
        if role_of(held.path) is Role.AGENT:
            work.set(held, ("archived",), True)  # noqa: FBT003 - a value of JSON
            continue
        _flag(work, held, archived=True)
        kind = kind_of_memory(held)
        raw = work.file(held.path).take(held)
        work.add(archive_file(kind, work.now), kind, raw)


def bring_back(work: Work, memories: Sequence[Held]) -> None:
    """Move memories out of the archive, to the end of the file for their kind."""
    for held in memories:
        _flag(work, held, archived=False)
        if is_archive(held.path):
            kind = kind_of_memory(held)
            raw = work.file(held.path).take(held)
            work.add(work.live_file(kind), kind, raw)


def what_is_due(work: Work) -> list[Held]:
    """The memories due for archiving, in all files."""
    found = due(taken_now(work), work.now)
    places = {
        (one.kept.path, one.kept.memory.line, one.kept.memory.id) for one in found
    }
    return [
        held
        for path in dict.fromkeys(one.kept.path for one in found)
        for held in work.file(path).held()
        if (path, held.line, held.thing.get("id")) in places
    ]


def archive_file(kind: str, now: int) -> str:
    """The archive file of this quarter of the year."""
    moment = datetime.fromtimestamp(now // 1_000_000, UTC)
    quarter = (moment.month - 1) // _MONTHS + 1
    name = f"{STEM_OF[kind]}_{moment.year:04d}_Q{quarter}.jsonl"
    return f"{ARCHIVE}/{moment.year:04d}/{name}"


def kind_of_memory(held: Held) -> str:
    """The kind whose file a memory belongs to: that of its file, else its own."""
    told = held.kind or held.thing.get("type")
    if told in KINDS:
        return str(told)
    sentence = f"Line {held.line} of {held.path} has no memory type."
    raise NotPossibleError(sentence)


def _flag(work: Work, held: Held, *, archived: bool) -> None:
    if held.thing.get("archived") is not None:
        work.set(held, ("archived",), archived)


# At a limit: nothing more is written, or old memories are archived.

_NAMED = 3
_MEGABYTE = 1024 * 1024

_SURVEYED = 4 * _MEGABYTE
"""How large a file may be so that the least used of it are sought for a warning."""

_SMALLEST = len(b'{"id":1}')
_GLUED = (b"}{", b"} {")


def keep_within(work: Work, now: Callable[[], Taken], touched: Sequence[str]) -> None:
    """Keep every file within its limit; raises NotPossibleError.

    At a soft limit, memories due for archiving are archived too, as far as needed.
    """
    for kind in KINDS:
        for path in touched:
            if _is_live(path, kind) and _grows(work, path):
                _keep_within(work, now, kind, path)


def relieve(work: Work, kind: str, path: str) -> None:
    """Archive what exceeds a limit: due memories first, then the least used."""
    before = taken_now(work)
    old = [one.kept for one in due(before, work.now) if one.kept.path == path]
    told = {id(one.memory) for one in old}
    rest = [
        one
        for one in least_used(before, kind)
        if one.path == path and id(one.memory) not in told
    ]
    _put_old_away(work, [*old, *rest], kind, path)


def _keep_within(work: Work, now: Callable[[], Taken], kind: str, path: str) -> None:
    if not _is_over(work, kind, path):
        return
    archives = not IS_HARD[kind] and work.limits.enable_auto_archival
    if not IS_HARD[kind] and not archives and work.size(path) > _SURVEYED:
        work.warnings.append(_sentence(work, kind, path))
        return
    before = now()
    if archives:
        old = [one.kept for one in due(before, work.now) if one.kept.path == path]
        _put_old_away(work, old, kind, path)
    if not _is_over(work, kind, path):
        return
    least = _named(least_used(before, kind))
    sentence = f"{_sentence(work, kind, path)} Least used: {least}."
    if IS_HARD[kind]:
        raise NotPossibleError(f"{sentence} Archive some first.")
    work.warnings.append(sentence)


def _sentence(work: Work, kind: str, path: str) -> str:
    most = counted(work.limits.most(kind), "memory", "memories")
    return f"{path} would exceed its limit of {most} in {BYTES[kind]:,} bytes."


def _put_old_away(work: Work, old: Sequence[Kept], kind: str, path: str) -> None:
    """Archive, in this order, until there is room."""
    too_many, too_large = _too_much(work, kind, path)
    lines = {one.memory.line for one in old}
    held = {one.line: one for one in work.file(path).held() if one.line in lines}
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
    return (
        size // _SMALLEST > most
        and _at_most(work.after(path)) > most
        and (_too_much(work, kind, path)[0] > 0)
    )


def _too_much(work: Work, kind: str, path: str) -> tuple[int, int]:
    """How many memories, and how many bytes, a file would hold beyond its limit."""
    after = work.after(path)
    memories = len(LinesFile(path, after).held())
    return memories - work.limits.most(kind), len(after) - BYTES[kind]


def _at_most(raw: bytes) -> int:
    """An upper bound of the memories in some bytes: lines, and glued objects."""
    return raw.count(b"\n") + 1 + sum(map(raw.count, _GLUED))


def _grows(work: Work, path: str) -> bool:
    if path in work.grown:
        return True
    if path not in work.files:
        return False
    file = work.files[path]
    return len(file.after) > len(file.before or b"")


def _is_live(path: str, kind: str) -> bool:
    return kind_of(path) == kind and not is_archive(path)


def _named(memories: Sequence[Kept]) -> str:
    told = [f"“{one.memory.title}”" for one in memories[:_NAMED]]
    more = len(memories) - _NAMED
    return ", ".join(told) + (f" and {more} more" if more > 0 else "")


# A work put together as a draft: backups, memories, index, in a safe order.


class Options(Struct, frozen=True, kw_only=True):
    """What else holds for a draft."""

    is_grave: bool = False
    backs_up: bool = True
    """Whether the store gets a backup of its own of what is rewritten."""
    removes: tuple[str, ...] = ()
    """Files that are removed as a whole."""
    replaces: tuple[FileStep, ...] = ()
    """Files that are replaced as a whole."""
    marks: tuple[Marking, ...] = ()
    """What the program has to remember, for the format cannot say it."""
    action: str = ""
    """What the change is, where the intent alone does not say it."""
    count: int = 0
    """How many memories it is about, where none was named."""

    def joined(self, other: "Options") -> "Options":
        """What holds for a draft that does both."""
        replaced = {step.path: step for step in (*self.replaces, *other.replaces)}
        return Options(
            is_grave=self.is_grave or other.is_grave,
            backs_up=self.backs_up or other.backs_up,
            removes=tuple(dict.fromkeys((*self.removes, *other.removes))),
            replaces=tuple(replaced.values()),
            marks=(*self.marks, *other.marks),
            action=self.action or other.action,
            count=self.count + other.count,
        )


USUAL = Options()


def drafted(action: str, work: Work, options: Options = USUAL) -> Draft:
    """The draft that a work comes to; raises NotPossibleError where a limit is met."""
    steps = [*steps_of(work, options), *_mode_steps(work)]
    return Draft(
        action=options.action or action,
        steps=tuple(steps),
        warnings=tuple(dict.fromkeys(work.warnings)),
        is_grave=options.is_grave,
        lock=LOCK,
        marks=options.marks,
        count=options.count,
    )


def steps_of(
    work: Work, options: Options = USUAL, root: Path | None = None
) -> list[FileStep | AppendStep]:
    """The steps in one store: what is made, what is changed, what goes, the index."""
    now = cache(partial(taken_now, work))
    keep_within(work, now, _touched(work, options))
    whole = [step for step in options.replaces if step.before != step.after]
    made = [*whole, *_file_steps(work, options)]
    saved = _backups(work, made) if options.backs_up else []
    is_told = any(step.path == INDEX for step in options.replaces)
    changed = partial(_changed, work, options)
    index = None if is_told else index_step(work, now, changed)
    added = _added_to(work)
    steps = sorted([*saved, *added, *made], key=_order)
    steps += [index] if index else []
    return [replace(step, root=root) for step in steps]


def _mode_steps(work: Work) -> list[ModeStep]:
    return [
        ModeStep(path=path, before=before, after=after)
        for path, before, after in work.modes
    ]


def _touched(work: Work, options: Options) -> list[str]:
    """The files that are other than before."""
    changed = [path for path, file in work.files.items() if _is_changed(file)]
    replaced = [step.path for step in options.replaces]
    return list(dict.fromkeys([*changed, *work.grown, *replaced, *options.removes]))


def _changed(work: Work, options: Options) -> dict[str, bytes | None]:
    """All that these hold then."""
    changed: dict[str, bytes | None] = {
        path: work.after(path) for path in _touched(work, Options())
    }
    changed |= {step.path: step.after for step in options.replaces}
    return changed | dict.fromkeys(options.removes)


def _added_to(work: Work) -> list[AppendStep]:
    """A step for each file to which lines are only added."""
    steps = (behind(work.root, path, lines) for path, lines in work.grown.items())
    return [step for step in steps if step is not None]


def _file_steps(work: Work, options: Options) -> list[FileStep]:
    """A step for each file whose memories changed; files that grow come first."""
    for path in [path for path, lines in work.grown.items() if _are_many(lines)]:
        work.file(path)
    files = [file for file in work.files.values() if _is_changed(file)]
    files.sort(key=lambda file: file.is_rewritten)
    steps = [
        FileStep(path=file.path, before=file.before, after=file.after)
        for file in files
        if file.path not in options.removes
    ]
    return steps + [
        FileStep(path=path, before=work.bytes_of(path), after=None)
        for path in options.removes
    ]


def _backups(work: Work, steps: Sequence[FileStep]) -> list[FileStep]:
    """Backups of what is not only added to."""
    saved: list[FileStep] = []
    for step in steps:
        whole = step.before is not None and not step.path.startswith(f"{BACKUP}/")
        grows = (step.after or b"").startswith(step.before or b"")
        if step.before is not None and whole and not grows:
            saved += backup_steps(
                work.root, step.path, step.before, work.now, work.limits
            )
    return saved


def _are_many(lines: Sequence[bytes]) -> bool:
    """Whether lines are too much to be written at once."""
    return sum(map(len, lines)) + 2 * len(lines) >= MOST


def _is_changed(file: Holder) -> bool:
    return file.after != (file.before or b"")


def _order(step: FileStep | AppendStep) -> int:
    """What is made, then what is changed, then what goes."""
    if isinstance(step, AppendStep):
        return 0
    if step.after is None:
        return 2
    return 0 if step.before is None else 1


# Memories as one JSON document: taken in, given out, and version 1.0 made lines.

DEFAULT = "default.json"


def take_in(work: Work, document: Mapping[str, Json]) -> int:
    """Add every memory of a document that is not there yet, each to its kind.

    How many these are.
    """
    known = {str(held.thing.get("id")).casefold() for held in work.all_held()}
    taken = passed = 0
    for part, kind in LISTS.items():
        things = document.get(part, [])
        if not isinstance(things, list):
            raise NotPossibleError(f"`{part}` must be a list of memories.")
        for thing in things:
            if not is_memory(thing):
                raise NotPossibleError(f"An item of `{part}` isn't a memory.")
            own = str(cast("Thing", thing).get("id")).casefold()
            if own in known:
                passed += 1
                continue
            known.add(own)
            _take_in(work, kind, cast("Thing", thing))
            taken += 1
    if passed:
        already = counted(
            passed, "memory that already exists", "memories that already exist"
        )
        work.warnings.append(f"Skipped {already}.")
    if not taken and not passed:
        known_lists = ", ".join(LISTS)
        raise NotPossibleError(
            f"No memories in it; expected lists named {known_lists}."
        )
    return taken


def as_document(root: Root) -> dict[str, Json]:
    """Every memory of the store as one document, a list for each kind."""
    lists: dict[str, list[Json]] = {part: [] for part in LISTS}
    work = Work(root, 0)
    for held in work.all_held():
        values = parse(work.file(held.path).raw(held), exact=True).values
        lists[STEM_OF[kind_of_memory(held)]] += values[:1]
    return {part: cast("Json", things) for part, things in lists.items()}


def as_lines(work: Work) -> Options:
    """Put the memories of all documents of version 1.0 on lines; the documents go.

    An identifier that is there already is passed over. Whose they were is kept, where
    they were not everybody's.
    """
    documents = [p for p in work.paths() if role_of(p) is Role.AGENT]
    if not documents:
        raise NotPossibleError("No version 1.0 document to convert.")
    lines = [p for p in work.paths() if role_of(p) is Role.LINES]
    known = {
        str(held.thing.get("id")).casefold()
        for path in lines
        for held in work.file(path).held()
    }
    for path in documents:
        for held in work.file(path).held():
            own = str(held.thing.get("id")).casefold()
            if own in known:
                sentence = f"“{own}” of {path} already exists and is skipped."
                work.warnings.append(sentence)
                continue
            known.add(own)
            _convert(work, held)
        del work.files[path]
    return Options(is_grave=True, removes=tuple(documents))


def _convert(work: Work, held: Held) -> None:
    value = exact(work.file(held.path).raw(held))
    raw = spelt_exact(value, escaped=False)
    if held.path != DEFAULT and "agent_id" not in held.thing:
        agent = json.dumps(held.path.removesuffix(".json"), ensure_ascii=False)
        raw = raw[:-1] + b',"agent_id":' + agent.encode() + b"}"
    kind = kind_of_memory(held)
    work.add(f"{STEM_OF[kind]}.jsonl", kind, raw)


def _take_in(work: Work, kind: str, thing: Thing) -> None:
    told = thing.get("type")
    kind = str(told) if told in KINDS else kind
    for fault in faults(thing, kind):
        if fault.code.startswith("bad-"):
            raise NotPossibleError(f"{thing.get('id')}: {fault.message}")
    work.add(work.live_file(kind), kind, spelt_thing(thing))


# Memories taken to another store of the same format, or copied there.


def move(
    work: Work, intent: Move, memories: Sequence[Held]
) -> list[FileStep | AppendStep]:
    """Take memories out here, unless they stay, and answer the steps over there."""
    target = Path(intent.to)
    with _opened(target) as root:
        if root.path == work.root.path:
            raise NotPossibleError("The memory is already in that store.")
        there = Work(root, work.now)
        known = {str(held.thing.get("id")).casefold() for held in there.all_held()}
        for held in memories:
            own = held.thing.get("id")
            if own is not None and str(own).casefold() in known:
                sentence = f"{target} already has a memory with the id {own}."
                raise NotPossibleError(sentence)
            _put_down(work, there, held, keeps=intent.keeps)
        steps = steps_of(there, root=root.path)
    work.warnings += there.warnings
    return steps


def _put_down(work: Work, there: Work, held: Held, *, keeps: bool) -> None:
    file: Holder = work.file(held.path)
    raw = compact(file.raw(held)) if _is_document(held) else file.raw(held)
    kind = kind_of_memory(held)
    is_away = is_archive(held.path)
    path = archive_file(kind, there.now) if is_away else there.live_file(kind)
    there.add(path, kind, raw)
    if not keeps:
        file.take(held)


def _is_document(held: Held) -> bool:
    return role_of(held.path) is Role.AGENT


def _opened(path: Path) -> Root:
    """The other store; raises NotPossibleError if it doesn't exist."""
    try:
        root = Root(path)
    except UnreadableError as error:
        raise NotPossibleError(str(error)) from error
    if sniff(root):
        return root
    root.close()
    raise NotPossibleError(f"{path} isn't an agent_memory store.")


# Files replaced as a whole: restored from a backup or the archive, or rebuilt.

_TOLD = 5


def from_backup(work: Work, path: str) -> Options:
    """Restore a file from its backup."""
    if role_of(path) is not Role.BACKUP:
        raise NotPossibleError(f"{path} isn't a backup.")
    target = backup_of(path).of
    try:
        raw = work.root.read(path, limit=LARGEST).raw
    except UnreadableError as error:
        raise NotPossibleError(str(error)) from error
    step = FileStep(path=target, before=work.bytes_of(target), after=raw)
    return Options(is_grave=True, replaces=(step,))


def restore(work: Work, path: str) -> Options:
    """Restore a damaged file from its newest backup, or else from the archive."""
    newest = newest_backup(work, path)
    if newest is not None:
        return from_backup(work, newest)
    archived = _archived(work, path)
    if not archived:
        raise NotPossibleError(
            f"{path} is damaged, and neither a backup nor the archive has a copy. "
            "Edit it by hand."
        )
    file = cast("LinesFile", work.file(path))
    file.clear()
    for held in archived:
        _flag(work, held, archived=False)
        file.add(kind_of_memory(held), work.file(held.path).take(held))
    named = counted(len(archived), "memory", "memories")
    work.warnings.append(f"{path} is restored from the archive: {named}, now active.")
    return Options(is_grave=True)


def _archived(work: Work, path: str) -> list[Held]:
    """The memories in the archive that belong into a file of lines."""
    kind = kind_of(path)
    if role_of(path) is not Role.LINES or kind is None:
        return []
    paths = [one for one in work.paths() if is_archive(one) and kind_of(one) == kind]
    return [held for one in paths for held in work.file(one).held()]


def rebuild_index(
    work: Work, replaced: Sequence[FileStep] = (), version: str | None = None
) -> Options:
    """Rebuild the index from the memories after the change.

    `replaced` are the files that are replaced as a whole besides.
    """
    before = work.bytes_of(INDEX)
    text = None if before is None else before.decode(errors="surrogateescape")
    changed: dict[str, bytes | None] = {
        path: work.after(path) for path in [*work.files, *work.grown]
    }
    changed |= {step.path: step.after for step in replaced}
    anew = index_of(text, taken_then(work, taken_now(work), changed))
    work.warnings += anew.warnings[:_TOLD]
    after = anew.after.encode(errors="surrogateescape")
    if version:
        after = _with_version(after, version)
    step = FileStep(path=INDEX, before=before, after=after)
    return Options(replaces=(step,), backs_up=version is not None)


def later_version(work: Work) -> str | None:
    """The version that the index names, where that is later than what is known."""
    try:
        told = load_map(work.bytes_of(INDEX) or b"").get("version")
    except DamagedJsonError:
        return None
    if not isinstance(told, str):
        return None
    return told if _numbers(told) > _numbers(VERSION) else None


def _with_version(raw: bytes, version: str) -> bytes:
    data = load_map(raw)
    data["version"] = version
    return style_of(raw.decode()).dumps(data).encode()


def _numbers(version: str) -> tuple[int, ...]:
    parts = version.split(".")
    return tuple(
        int(part) if part.isascii() and part.isdigit() else 0 for part in parts
    )

"""All files of a store read together, and index.json: read, checked, rebuilt."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple, cast

from msgspec import Struct, field

from store.derive.texts import Exchange
from store.errors import UnreadableError
from store.files.beneath import Blob, Root, Stamp
from store.files.json_edit import style_of
from store.files.json_read import (
    AtHand,
    DamagedJsonError,
    load,
    load_map,
    read_lines,
    split_lines,
)
from store.findings import (
    DocumentFound,
    Findings,
    Flaw,
    Flaws,
    IndexEntry,
    Json,
    MemoryFound,
    Severity,
    Value,
    not_read,
)
from store.formats.agent_memory.format import (
    FILES,
    INDEX,
    KINDS,
    LARGEST,
    Limits,
    Role,
    is_archive,
    is_document,
    kind_of,
    limits_in,
    over,
    role_of,
    scan,
)
from store.formats.agent_memory.memories import (
    IMPORTANCES,
    Gathered,
    as_text,
    as_value,
    memories_in,
    read_backup,
    read_document,
)
from store.formats.port import Rebuilt, Refused, Source, derived_text
from store.times import parse

# index.json: what a server derived from the memories, to find them sooner.

VERSION = "1.0.0"
TAGS, CATEGORY, IMPORTANCE = PARTS = "tags_index", "category_index", "importance_index"

_COUNTED = {
    "total_memories": "total",
    "archived_count": "archived",
    **{f"by_type.{kind}": f"type:{kind}" for kind in KINDS},
    **{name: f"type:{kind}" for name, kind in FILES.items()},
}
"""Its counts, in the words of either shape, and what each of them counts."""

Lists = dict[str, list[str]]
"""The ids of the memories under each word."""


class Index(Struct):
    """The file as far as it could be understood."""

    data: dict[str, Json] = field(default_factory=dict[str, Json])
    lists: dict[str, Lists] = field(default_factory=dict[str, Lists])
    """Each of its parts that is there."""
    flaws: Flaws = field(default_factory=Flaws)

    @property
    def is_old(self) -> bool:
        """Whether it is of the older shape, which lists memories by tag alone."""
        return TAGS in self.data and IMPORTANCE not in self.data

    @property
    def statistics(self) -> dict[str, Json]:
        """Its counts, each by its name; those in a group as `group.name`."""
        return flat(_map(self.data.get("statistics")))


def understand(blob: Blob) -> Index:
    """What the file says; what cannot be understood of it is a flaw."""
    index = Index()
    if not blob.whole:
        index.flaws.note("too-large", "File too large to read.", Severity.ERROR)
        return index
    try:
        index.data = load_map(blob.raw)
    except DamagedJsonError as error:
        index.flaws.append(error.flaw)
        return index
    index.lists = {
        part: _lists(part, index.data[part], index.flaws)
        for part in PARTS
        if part in index.data
    }
    _check(index)
    return index


def read_index(path: str, blob: Blob) -> Findings:
    """The index as a document, and each memory's importance in it."""
    index = understand(blob)
    if not index.data:
        return Findings(flaws=tuple(index.flaws))
    document = DocumentFound(title=path, role="document", text="", facts=_facts(index))
    return Findings(
        documents=(document,), index=tuple(_entries(index)), flaws=tuple(index.flaws)
    )


def _lists(part: str, told: Json, flaws: Flaws) -> Lists:
    """A part's lists of ids; anything else is a flaw."""
    if not isinstance(told, dict):
        flaws.note("bad-index", f"`{part}` must be a map.", Severity.ERROR)
        return {}
    lists: Lists = {}
    for word, value in told.items():
        found = value if isinstance(value, list) else []
        lists[word] = [name for name in found if isinstance(name, str)]
        if not isinstance(value, list) or len(lists[word]) < len(found):
            message = f"`{part}` of {word:.40} must be a list of ids."
            flaws.note("bad-index", message)
    return lists


def _check(index: Index) -> None:
    version, flaws = index.data.get("version"), index.flaws
    if version != VERSION:
        message = f"Unknown index version {as_text(version):.40}."
        flaws.note("unknown-version", message, Severity.NOTE)
    if index.is_old:
        message = "Old index: it has no categories or importance."
        flaws.note("old-index", message, Severity.NOTE)
    for name, count in index.statistics.items():
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            message = f"The count of {name:.60} must be a number of at least 0."
            flaws.note("bad-count", message)


def _entries(index: Index) -> Iterator[IndexEntry]:
    """The memories that the index lists anywhere, and its counts.

    One without lists by importance is of the older shape, or damaged.
    """
    tags, categories, importances = (_words(index.lists.get(part)) for part in PARTS)
    for name in {**importances, **tags, **categories} if importances else ():
        facts = {"tags": ", ".join(tags.get(name, ()))}
        for word in importances.get(name, ("",)):
            told = {"importance": word, **facts}
            yield IndexEntry(key=f"id:{name.casefold()}", path=None, facts=told)
    for name, count in index.statistics.items():
        if name in _COUNTED:
            told = {"count": as_text(count)}
            yield IndexEntry(key=f"count:{_COUNTED[name]}", path=None, facts=told)


def _words(lists: Lists | None) -> Lists:
    """The words that each identifier is listed under."""
    words: defaultdict[str, list[str]] = defaultdict(list)
    for word, names in (lists or {}).items():
        for name in names:
            words[name].append(word)
    return words


def _facts(index: Index) -> dict[str, Value]:
    told = ("version", "last_updated", "statistics")
    facts: dict[str, Value] = {
        name: as_value(index.data[name]) for name in told if name in index.data
    }
    facts["shape"] = "older" if index.is_old else "as specified"
    for part, lists in index.lists.items():
        facts[part] = {word: str(len(names)) for word, names in lists.items()}
    return facts


def flat(statistics: Mapping[str, Json]) -> dict[str, Json]:
    """Counts, each by a name of its own."""
    counts: dict[str, Json] = {}
    for name, value in statistics.items():
        if isinstance(value, dict):
            counts |= {f"{name}.{inner}": count for inner, count in value.items()}
        else:
            counts[name] = value
    return counts


def _map(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


# All memories of a store at one time, for questions that no single file answers.


class Kept(NamedTuple):
    """A memory, and the file that holds it."""

    memory: MemoryFound
    path: str

    @property
    def category(self) -> str | None:
        """Its category, if it has one."""
        category = self.memory.fields.get("category")
        return category if isinstance(category, str) else None

    def of_task(self, name: str) -> str | None:
        """A field of its `task_metadata`."""
        data = self.memory.fields.get("task_metadata")
        value = data.get(name) if isinstance(data, Mapping) else None
        return value if isinstance(value, str) else None

    @property
    def status(self) -> str | None:
        """The status of a task; version 1.0 has `completed` in its category."""
        told = self.of_task("status")
        return told or ("completed" if self.category == "completed" else None)


_HOLDERS = frozenset({Role.LINES, Role.AGENT})
"""The roles of files that hold memories, backups aside."""


@dataclass(frozen=True)
class Taken:
    """A store, read once."""

    found: tuple[Source | Refused, ...]
    read: Mapping[str, Findings]
    """What each source says, by its path."""
    limits: Limits
    index: Index | None = None

    @property
    def sources(self) -> Iterator[Source]:
        """The files that belong to the store."""
        return (one for one in self.found if isinstance(one, Source))

    @property
    def holders(self) -> Iterator[Source]:
        """The files that hold memories, backups aside."""
        return (one for one in self.sources if one.role in _HOLDERS)

    @cached_property
    def everything(self) -> tuple[Kept, ...]:
        """Every memory, in order of the files, those of the archive last."""

        def order(source: Source) -> tuple[bool, bytes]:
            path = source.path
            return is_archive(path), path.encode("utf-8", "surrogateescape")

        return tuple(
            Kept(memory, source.path)
            for source in sorted(self.holders, key=order)
            for memory in self.read[source.path].memories
        )

    @cached_property
    def memories(self) -> tuple[Kept, ...]:
        """Every memory once: of several with one identifier, the first active one."""
        known: set[str] = set()
        kept: list[Kept] = []
        for one in sorted(self.everything, key=lambda kept: kept.memory.archived):
            own = one.memory.id
            if own is None or own.casefold() not in known:
                kept.append(one)
            known.add((own or "").casefold())
        return tuple(kept)

    @property
    def live(self) -> tuple[Kept, ...]:
        """The memories that aren't archived."""
        return tuple(one for one in self.memories if not one.memory.archived)

    def with_files(self, changed: Mapping[str, bytes | None]) -> "Taken":
        """The same after some files got other bytes, or were removed."""
        found = {one.path: one for one in self.found if one.path not in changed}
        read = {path: one for path, one in self.read.items() if path not in changed}
        for path, raw in changed.items():
            role = role_of(path)
            if raw is not None and role and role in _HOLDERS:
                found[path] = Source(path, role, Stamp(len(raw), 0, 0))
                read[path] = _memories_of(path, raw)
        return Taken(tuple(found.values()), read, self.limits)


def taken_of(root: Root, limits: Limits) -> Taken:
    """The memories of a store as they are on the disk, not checked for flaws."""
    found = tuple(scan(root))
    sources = (one for one in found if isinstance(one, Source))
    holders = (one for one in sources if one.role in _HOLDERS)
    return Taken(found, {one.path: _read(root, one) for one in holders}, limits)


def _read(root: Root, source: Source) -> Findings:
    try:
        if source.role == Role.LINES:
            lines = read_lines(root, source.path)
            return memories_in(source.path, lines, is_checked=False).findings()
        return _memories_of(source.path, root.read(source.path, limit=LARGEST).raw)
    except UnreadableError:
        return Findings()


def _memories_of(path: str, raw: bytes) -> Findings:
    if role_of(path) is Role.LINES:
        lines = split_lines(AtHand(raw))
        return memories_in(path, lines, is_checked=False).findings()
    return read_document(raw).findings() if is_document(raw) else Findings()


# What an index says of the memories, computed from the memories themselves.


def statistics_of(taken: Taken) -> dict[str, Json]:
    """The counts; archived memories are counted separately."""
    live = taken.live
    kinds = [one.memory.type for one in live]
    by_type: dict[str, Json] = {kind: kinds.count(kind) for kind in KINDS}
    return {
        "total_memories": len(live),
        "by_type": by_type,
        "archived_count": len(taken.memories) - len(live),
        "total_storage_bytes": sum(one.stamp.size for one in taken.holders),
    }


def lists_of(taken: Taken) -> dict[str, Lists]:
    """The identifiers for each tag, category and importance, in the files' order."""
    live = [one for one in taken.live if one.memory.id]
    importances = {word: list[str]() for word in IMPORTANCES}
    named = [(str(one.memory.importance), one) for one in live]
    return {
        TAGS: _listed((tag, one) for one in live for tag in one.memory.tags),
        CATEGORY: _listed((one.category or "", one) for one in live),
        IMPORTANCE: importances | _listed(named),
    }


def _listed(named: Iterable[tuple[str, Kept]]) -> Lists:
    lists: Lists = {}
    for word, one in named:
        names = lists.setdefault(word, []) if word else []
        if one.memory.id and one.memory.id not in names[-1:]:
            names.append(one.memory.id)
    return lists


# index.json, rebuilt from the memories alone.
#
# It doesn't depend on the clock, so the same files always give the same index.
# `last_updated` stays if the old index was correct; otherwise it becomes the newest
# time in the old index or a memory. The version and unknown keys stay, and words and
# ids keep their order.


def rebuild_index(before: str | None, taken: Taken) -> Rebuilt:
    """The index as the files would have it."""
    try:
        old = _map(cast("Json", load((before or "").encode(errors="surrogateescape"))))
    except DamagedJsonError:
        old = {}
    new: dict[str, Json] = {
        "version": old.get("version") or VERSION,
        "last_updated": None,
        "statistics": statistics_of(taken),
    }
    for part, lists in lists_of(taken).items():
        new[part] = _ordered(lists, _map(old.get(part)))
    new["last_updated"] = _updated(new, old, taken.memories)
    after = style_of(before).dumps(old | new)
    return Rebuilt(INDEX, before, after, tuple(_warnings(taken)))


def _ordered(lists: Lists, old: Mapping[str, Json]) -> dict[str, Json]:
    """The lists; words and ids that the old index has too come in its order."""
    ordered: dict[str, Json] = {}
    for word in dict.fromkeys((*(word for word in old if word in lists), *lists)):
        told = old.get(word)
        known = (
            [name for name in told if isinstance(name, str)]
            if isinstance(told, list)
            else []
        )
        at = {name: place for place, name in enumerate(known)}
        ids = sorted(lists[word], key=lambda name, at=at: at.get(name, len(at)))
        ordered[word] = list[Json](ids)
    return ordered


def _updated(new: dict[str, Json], old: dict[str, Json], kept: Iterable[Kept]) -> Json:
    said = old.get("last_updated")
    if {**new, "last_updated": said} == {key: old.get(key) for key in new}:
        return said
    told = [one.memory.updated for one in kept if one.memory.updated]
    told += [parse(said)] if isinstance(said, str) else []
    known = [instant for instant in told if instant.micros is not None]
    return max(known).iso if known else None


def _warnings(taken: Taken) -> Iterator[str]:
    """What could not be taken into the index, or not wholly."""
    for source in taken.holders:
        for flaw in taken.read[source.path].flaws:
            if flaw.severity is Severity.ERROR:
                line = f", line {flaw.line}" if flaw.line else ""
                yield f"{source.path}{line} is skipped: {flaw.message}"
    first = {id(one.memory) for one in taken.memories}
    for one in taken.everything:
        where = f"{one.path}, line {one.memory.line}"
        if id(one.memory) not in first:
            yield f"{where} is skipped: duplicate id."
        elif one.memory.id is None:
            yield f"{where} is counted, but has no id to index."


# index.json kept up to date: the entries that a change is about, and no other.


def index_edit(
    before: Taken, after: Taken, moment: Callable[[Json], str]
) -> Callable[[bytes | None], bytes | None] | None:
    """Turns an index into the one after a change; None if it stays the same.

    It works on the index of any program that wrote it last. One that cannot be read
    stays as it is. `moment` writes the present moment like another.
    """
    old, new = lists_of(before), lists_of(after)
    was, is_now = flat(statistics_of(before)), flat(statistics_of(after))
    if old == new and was == is_now:
        return None
    names = {
        name
        for part in PARTS
        for word in {*old[part], *new[part]}
        for name in {*old[part].get(word, ())} ^ {*new[part].get(word, ())}
    }

    def remake(raw: bytes | None) -> bytes | None:
        try:
            data = load_map(raw or b"")
        except DamagedJsonError:
            return raw
        for part in PARTS:
            _relist(
                _map(data.get(part)), new[part], names, keeps_empty=part == IMPORTANCE
            )
        for name, count in is_now.items():
            _raise(
                _map(data.get("statistics")),
                name,
                cast("int", count) - cast("int", was[name]),
            )
        data["last_updated"] = moment(data.get("last_updated"))
        text = style_of((raw or b"").decode(errors="surrogateescape")).dumps(data)
        return text.encode(errors="surrogateescape")

    return remake


def _relist(
    lists: dict[str, Json], right: Lists, names: set[str], *, keeps_empty: bool
) -> None:
    """Put some memories under the right words; all others stay where they are."""
    for word in list(dict.fromkeys((*lists, *right))):
        own = [name for name in right.get(word, ()) if name in names]
        told = lists.get(word)
        listed = told if isinstance(told, list) else []
        kept = [name for name in listed if name not in names or name in own]
        kept += [name for name in own if name not in kept]
        if kept == listed:
            continue
        if kept or (keeps_empty and word in IMPORTANCES):
            lists[word] = kept
        else:
            lists.pop(word)


def _raise(statistics: dict[str, Json], name: str, more: int) -> None:
    """Raise a count that is there."""
    group, _, last = name.rpartition(".")
    counts = _map(statistics.get(group)) if group else statistics
    told = counts.get(last)
    if isinstance(told, int):
        counts[last] = told + more


# The files of a store, each read by its role.


class AgentMemoryReader:
    """Reads the files of one folder of memories."""

    def __init__(self, root: Root) -> None:
        self._root = root

    def read(self, source: Source) -> Findings:
        """Read one file."""
        try:
            return self._read(source)
        except UnreadableError as error:
            return Findings(flaws=(not_read(error),))

    def read_lines(
        self, source: Source, exchange: Exchange, others: int
    ) -> Findings | None:
        """The exchanged lines, and whether the file now exceeds its limit."""
        if source.role != Role.LINES:
            return None
        lines = read_lines(self._root, source.path, exchange.offset, exchange.first)
        end = exchange.first + exchange.came
        came = takewhile(lambda line: line.number < end, lines)
        return self._lines(source, memories_in(source.path, came), others)

    def rebuild(self) -> Rebuilt:
        """The index rebuilt from the memories."""
        taken = self.taken()
        found = next((one for one in taken.found if one.path == INDEX), None)
        text = derived_text(self._root, found, LARGEST) if found else None
        return rebuild_index(text, taken)

    def taken(self) -> Taken:
        """The whole content of the store, read now."""
        found = tuple(scan(self._root))
        read = {one.path: self.read(one) for one in found if isinstance(one, Source)}
        index = None
        if INDEX in read:
            with suppress(UnreadableError):
                index = understand(self._root.read(INDEX, limit=LARGEST))
        return Taken(found, read, self._limits, index)

    def _read(self, source: Source) -> Findings:
        path = source.path
        match Role(source.role):
            case Role.LINES:
                return self._lines(
                    source, memories_in(path, read_lines(self._root, path))
                )
            case Role.BACKUP:
                return read_backup(self._root, path, source.stamp)
            case Role.INDEX:
                return read_index(path, self._root.read(path, limit=LARGEST))
            case Role.CONFIG:
                return read_settings(path, self._root.read(path).raw)
            case Role.AGENT:
                return self._document(path)

    def _lines(self, source: Source, gathered: Gathered, others: int = 0) -> Findings:
        """The content of lines, with a note if it exceeds the file's limit."""
        kind = kind_of(source.path)
        if kind and not is_archive(source.path):
            count, size = others + len(gathered.memories), source.stamp.size
            note = over(kind, count, size, self._limits)
            gathered.flaws += [note] if note else []
        return gathered.findings()

    def _document(self, path: str) -> Findings:
        blob = self._root.read(path, limit=LARGEST)
        if not is_document(blob.raw):
            message = "Not part of the store: no memories in it."
            code, severity = "foreign-file", Severity.NOTE
        elif not blob.whole:
            message = "File too large to read."
            code, severity = "too-large", Severity.ERROR
        else:
            return read_document(blob.raw).findings()
        flaw = Flaw(code=code, message=message, severity=severity)
        return Findings(flaws=(flaw,))

    @cached_property
    def _limits(self) -> Limits:
        return limits_in(self._root)


def read_settings(path: str, raw: bytes) -> Findings:
    """Read the settings file as a document."""
    try:
        settings = load_map(raw)
    except DamagedJsonError as error:
        return Findings(flaws=(error.flaw,))
    facts: dict[str, Value] = {key: as_value(value) for key, value in settings.items()}
    document = DocumentFound(title=path, role="document", text="", facts=facts)
    return Findings(documents=(document,))

"""index.json and the statistics in it, read and rebuilt."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, cast

from msgspec import Struct, field

from store.files.beneath import Blob
from store.files.json_edit import style_of
from store.files.json_read import DamagedJsonError, load, load_map
from store.findings import (
    DocumentFound,
    Findings,
    Flaw,
    IndexEntry,
    Json,
    MemoryFound,
    Severity,
    Value,
)
from store.formats.agent_memory.layout import (
    FILES,
    INDEX,
    KINDS,
    Limits,
    Role,
    as_text,
    as_value,
    is_archive,
)
from store.formats.agent_memory.memories import IMPORTANCES
from store.formats.port import Rebuilt, Refused, Source
from store.times import parse

# index.json: what a server derived from the memories, to find them sooner.

VERSION = "1.0.0"
PARTS = ("tags_index", "category_index", "importance_index")
IMPORTANCE = "importance_index"

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
    flaws: list[Flaw] = field(default_factory=list[Flaw])

    @property
    def is_old(self) -> bool:
        """Whether it is of the older shape, which lists memories by tag alone."""
        return "tags_index" in self.data and IMPORTANCE not in self.data

    @property
    def statistics(self) -> dict[str, Json]:
        """Its counts, each by its name; those in a group as `group.name`."""
        return flat(_map(self.data.get("statistics")))

    def flaw(
        self,
        code: str,
        message: str,
        severity: Severity = Severity.WARNING,
        line: int | None = None,
    ) -> None:
        """Note what is wrong."""
        self.flaws.append(
            Flaw(code=code, message=message, severity=severity, line=line)
        )


def understand(blob: Blob) -> Index:
    """What the file says; what cannot be understood of it is a flaw."""
    index = Index()
    if not blob.whole:
        index.flaw("too-large", "File too large to read.", Severity.ERROR)
        return index
    try:
        index.data = load_map(blob.raw)
    except DamagedJsonError as error:
        index.flaws.append(error.flaw)
        return index
    index.lists = {part: _lists(part, index) for part in PARTS if part in index.data}
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


def _lists(part: str, index: Index) -> Lists:
    """A part's lists of ids; anything else is a flaw."""
    told = index.data[part]
    if not isinstance(told, dict):
        index.flaw("bad-index", f"`{part}` must be a map.", Severity.ERROR)
        return {}
    lists: Lists = {}
    for word, value in told.items():
        found = value if isinstance(value, list) else []
        lists[word] = [name for name in found if isinstance(name, str)]
        if not isinstance(value, list) or len(lists[word]) < len(found):
            message = f"`{part}` of {word:.40} must be a list of ids."
            index.flaw("bad-index", message)
    return lists


def _check(index: Index) -> None:
    version = index.data.get("version")
    if version != VERSION:
        message = f"Unknown index version {as_text(version):.40}."
        index.flaw("unknown-version", message, Severity.NOTE)
    if index.is_old:
        message = "Old index: it has no categories or importance."
        index.flaw("old-index", message, Severity.NOTE)
    for name, count in index.statistics.items():
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            message = f"The count of {name:.60} must be a number of at least 0."
            index.flaw("bad-count", message)


def _entries(index: Index) -> Iterator[IndexEntry]:
    """The memories that the index lists anywhere, and its counts.

    One without lists by importance is of the older shape, or damaged.
    """
    importances = _words_of(index.lists.get(IMPORTANCE, {}))
    tags = _words_of(index.lists.get("tags_index", {}))
    categories = _words_of(index.lists.get("category_index", {}))
    for name in {**importances, **tags, **categories} if importances else ():
        facts = {"tags": ", ".join(tags.get(name, ()))}
        for word in importances.get(name, ("",)):
            told = {"importance": word, **facts}
            yield IndexEntry(key=f"id:{name.casefold()}", path=None, facts=told)
    for name, count in index.statistics.items():
        if name in _COUNTED:
            told = {"count": as_text(count)}
            yield IndexEntry(key=f"count:{_COUNTED[name]}", path=None, facts=told)


def _words_of(lists: Lists) -> dict[str, list[str]]:
    """The words that each identifier is listed under."""
    words: dict[str, list[str]] = {}
    for word, names in lists.items():
        for name in names:
            words.setdefault(name, []).append(word)
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


# All that a store holds at one time, for questions that no single file answers.


class Kept(NamedTuple):
    """A memory, and the file that holds it."""

    memory: MemoryFound
    path: str

    @property
    def category(self) -> str | None:
        """Its category, where it has one."""
        category = self.memory.fields.get("category")
        return category if isinstance(category, str) else None

    def of_task(self, name: str) -> str | None:
        """What its `task_metadata` says under a name."""
        data = self.memory.fields.get("task_metadata")
        value = data.get(name) if isinstance(data, Mapping) else None
        return value if isinstance(value, str) else None

    @property
    def status(self) -> str | None:
        """Where a task stands; version 1.0 says `completed` in its category."""
        told = self.of_task("status")
        return told or ("completed" if self.category == "completed" else None)


@dataclass(frozen=True)
class Taken:
    """A store, read once."""

    found: tuple[Source | Refused, ...]
    read: Mapping[str, Findings]
    """What each source says, by its path."""
    index: Index | None
    limits: Limits

    @property
    def sources(self) -> Iterator[Source]:
        """The files that belong to the store."""
        return (one for one in self.found if isinstance(one, Source))

    @property
    def holders(self) -> Iterator[Source]:
        """The files that hold memories, backups aside."""
        return (one for one in self.sources if one.role in {Role.LINES, Role.AGENT})

    @cached_property
    def everything(self) -> tuple[Kept, ...]:
        """Every memory, in order of the files."""
        return tuple(
            Kept(memory, source.path)
            for source in sorted(self.holders, key=_in_order)
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


def _in_order(source: Source) -> tuple[bool, bytes]:
    """Files by their paths, those of the archive last."""
    path = source.path
    return is_archive(path), path.encode("utf-8", "surrogateescape")


# What an index says of the memories, reckoned from the memories themselves.


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
    return {
        "tags_index": _lists_statistics(
            (tag, one) for one in live for tag in one.memory.tags
        ),
        "category_index": _lists_statistics((one.category or "", one) for one in live),
        "importance_index": importances
        | _lists_statistics((str(one.memory.importance), one) for one in live),
    }


def _lists_statistics(named: Iterable[tuple[str, Kept]]) -> Lists:
    lists: defaultdict[str, list[str]] = defaultdict(list)
    for word, one in named:
        if word and one.memory.id and one.memory.id not in lists[word][-1:]:
            lists[word].append(one.memory.id)
    return {word: lists[word] for word in lists if lists[word]}


# index.json, rebuilt from the memories alone.
#
# It doesn't depend on the clock, so the same files always give the same index.
# `last_updated` stays if the old index was correct; otherwise it becomes the newest
# time in the old index or a memory. The version and unknown keys stay, and words and
# ids keep their order.


def rebuild_index(before: str | None, taken: Taken) -> Rebuilt:
    """The index as the files would have it."""
    old = _old(before)
    new: dict[str, Json] = {
        "version": old.get("version") or VERSION,
        "last_updated": None,
        "statistics": statistics_of(taken),
    }
    for part, lists in lists_of(taken).items():
        new[part] = _ordered(lists, old.get(part))
    new["last_updated"] = _updated(new, old, taken.memories)
    after = style_of(before).dumps(old | new)
    return Rebuilt(INDEX, before, after, tuple(_warnings(taken)))


def _old(before: str | None) -> dict[str, Json]:
    """What the index holds now; nothing where it is damaged."""
    try:
        found = load((before or "").encode(errors="surrogateescape"))
    except DamagedJsonError:
        return {}
    return cast("dict[str, Json]", found) if isinstance(found, dict) else {}


def _ordered(lists: Lists, old: Json) -> dict[str, Json]:
    """The lists; what the old index has too comes in its order."""
    known = old if isinstance(old, dict) else {}
    words = [*(word for word in known if word in lists), *lists]
    return {word: _in_order_rebuilding(lists[word], known.get(word)) for word in words}


def _in_order_rebuilding(names: list[str], old: Json) -> list[Json]:
    known = old if isinstance(old, list) else []
    at = {name: place for place, name in enumerate(known) if isinstance(name, str)}
    ordered = sorted(names, key=lambda name: at.get(name, len(at)))
    return cast("list[Json]", ordered)


def _updated(new: dict[str, Json], old: dict[str, Json], kept: Iterable[Kept]) -> Json:
    said = old.get("last_updated")
    if {**new, "last_updated": said} == {key: old.get(key) for key in new}:
        return said
    told = [one.memory.updated for one in kept if one.memory.updated]
    told += [parse(said)] if isinstance(said, str) else []
    known = [instant for instant in told if instant.micros is not None]
    return max(known).iso if known else None


def _warnings(taken: Taken) -> Iterable[str]:
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

"""The built-in reports over a store."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from store.errors import WrongUseError
from store.findings import UNREADABLE, Flaw, Json
from store.formats.agent_memory.format import (
    BACKUP,
    BYTES,
    CORE,
    DOCUMENT,
    FILES,
    INDEX,
    IS_HARD,
    KINDS,
    LEARNING,
    STEM_OF,
    TASK,
    Role,
    is_archive,
    kind_of,
)
from store.formats.agent_memory.index import (
    PARTS,
    VERSION,
    Index,
    Kept,
    Taken,
    flat,
    lists_of,
    statistics_of,
)
from store.formats.agent_memory.memories import IMPORTANCES
from store.formats.port import Refused
from store.reports import NO_LIST, Given, Listed, Parameter, Report, Row, Rows, Type
from store.times import Instant, parse

# A memory as a row of a report, and the orders of rows.

DAY = 86_400_000_000
"""A day in microseconds."""

_NEVER = -(2**63)
_WEIGHTS = {word: len(IMPORTANCES) - at for at, word in enumerate(IMPORTANCES)}


def columns(*more: str) -> str:
    """The columns of a memory, with those of a single report."""
    first = ("id", "type", "title", "category", "importance", "tags", *more)
    dates = ("created_at", "updated_at", "accessed_at")
    return " ".join((*first, *dates, "access_count", "archived", "path", "line"))


def row(one: Kept, *more: Json) -> Sequence[Json]:
    """A memory without its text, which `show` displays."""
    memory = one.memory
    return (
        memory.id,
        memory.type,
        memory.title,
        one.category,
        memory.importance,
        list(memory.tags),
        *more,
        _text(memory.created),
        _text(memory.updated),
        _text(memory.accessed),
        memory.access_count,
        memory.archived,
        one.path,
        memory.line,
    )


def micros(instant: Instant | None) -> int:
    """A time to sort by; an unknown time comes first."""
    known = instant.micros if instant else None
    return _NEVER if known is None else known


def weight(one: Kept) -> int:
    """The importance of a memory, to sort by."""
    return _WEIGHTS.get(str(one.memory.importance), 0)


def accessed(one: Kept) -> int:
    """When it was last recalled."""
    return micros(one.memory.accessed)


def ordered(
    kept: Iterable[Kept], key: Callable[[Kept], Any], *, descending: bool = True
) -> list[Kept]:
    """Sort by a key; ties keep the order of the files."""
    return sorted(kept, key=key, reverse=descending)


def is_within(instant: Instant | None, days: int, now: int) -> bool:
    """Whether something happened within this many days before now, or later."""
    return micros(instant) >= now - days * DAY


def is_older(instant: Instant | None, days: int, now: int) -> bool:
    """Whether something is known to have happened more than this many days ago."""
    at = micros(instant)
    return _NEVER < at < now - days * DAY


def _text(instant: Instant | None) -> str | None:
    return instant.iso if instant else None


# What is due for archiving: unused learnings, tasks completed long ago.


class Due(NamedTuple):
    """A memory that may be archived, and why."""

    kept: Kept
    why: str


def due(taken: Taken, now: int) -> list[Due]:
    """Learnings and tasks that may be archived; core memories never are."""
    limits = taken.limits
    unread, done = limits.auto_archive_learnings_days, limits.auto_archive_tasks_days
    found = [
        Due(one, f"not recalled in the last {unread} days")
        for one in ordered(of_kind(taken, LEARNING), accessed, descending=False)
        if is_older(one.memory.accessed, unread, now)
    ]
    tasks = ordered(
        of_kind(taken, TASK), lambda one: micros(completed(one)), descending=False
    )
    return found + [
        Due(one, f"completed more than {done} days ago")
        for one in tasks
        if one.status == "completed" and is_older(completed(one), done, now)
    ]


def least_used(taken: Taken, kind: str) -> list[Kept]:
    """The live memories of one kind, least recently recalled first."""
    return ordered(
        of_kind(taken, kind),
        lambda one: (accessed(one), one.memory.access_count),
        descending=False,
    )


def completed(one: Kept) -> Instant | None:
    """When a task was completed; for version 1.0, when it was last changed."""
    told = one.of_task("completed_at")
    return parse(told) if told else one.memory.updated


def of_kind(taken: Taken, kind: str) -> list[Kept]:
    """The live memories of one kind."""
    return [one for one in taken.live if one.memory.type == kind]


# Memories by tag, category, importance and text, sorted and paged.

_SORTS: dict[str, Callable[[Kept], int]] = {
    "created": lambda one: micros(one.memory.created),
    "updated": lambda one: micros(one.memory.updated),
    "accessed": accessed,
    "importance": weight,
    "access_count": lambda one: one.memory.access_count,
}
_ARCHIVED = {"yes": (True,), "no": (False,), "all": (True, False)}
_LONGEST = 200

_FILTERS = (
    Parameter("text", is_repeatable=True),
    Parameter("tag", is_named=True, is_repeatable=True),
    Parameter("category", is_named=True),
    Parameter("type", is_named=True, choices=tuple(KINDS)),
    Parameter("importance", is_named=True, choices=tuple(IMPORTANCES)),
    Parameter("archived", is_named=True, choices=tuple(_ARCHIVED), usual="no"),
    Parameter(
        "sort",
        is_named=True,
        choices=(*_SORTS, "created_at", "updated_at", "accessed_at"),
        usual="accessed",
    ),
    Parameter("order", is_named=True, choices=("desc", "asc"), usual="desc"),
    Parameter("limit", "", Type.NUMBER, is_named=True, usual="10", least=1, most=100),
    Parameter("offset", "", Type.NUMBER, is_named=True, most=10**9),
)


def query(taken: Taken, given: Given) -> Rows:
    """The memories with all texts and tags, sorted and paged."""
    texts = [text.casefold() for text in given.texts("text")]
    tags = {tag.casefold() for tag in given.texts("tag")}
    if sum(map(len, texts)) > _LONGEST:
        raise WrongUseError(f"Text too long; the limit is {_LONGEST} characters.")
    kept = [
        one
        for one in taken.memories
        if given.word("category") in {None, one.category}
        and given.word("type") in {None, one.memory.type}
        and given.word("importance") in {None, one.memory.importance}
        and one.memory.archived in _ARCHIVED[given.text("archived")]
        and tags <= {tag.casefold() for tag in one.memory.tags}
        and all(text in one.memory.body.casefold() for text in texts)
    ]
    key = _SORTS[given.text("sort").removesuffix("_at")]
    first, most = given.number("offset") or 0, given.number("limit") or 0
    kept = ordered(kept, key, descending=given.text("order") == "desc")
    return map(row, kept[first : first + most])


# Duplicates: memories with the same identifier, and backups.


def duplicates(taken: Taken, _given: Given) -> Rows:
    """Memories with the same identifier; the first is the record."""
    groups: defaultdict[str, list[Kept]] = defaultdict(list)
    for one in taken.everything:
        if one.memory.id is not None:
            groups[one.memory.id.casefold()].append(one)
    for group in groups.values():
        if len(group) > 1:
            first = group[0]
            newest = max(group, key=_updated)
            for one in group:
                yield _copy(one, first, newest)


def backups(taken: Taken, _given: Given) -> Rows:
    """The backups in all three naming schemes, newest first for each file."""
    facts = ("of", "when", "lines", "memories", "bytes")
    rows: list[tuple[Json, ...]] = [
        (*map(_number_copies, map(document.facts.get, facts)), *_place(source.path))
        for source in taken.sources
        if source.role == Role.BACKUP
        for document in taken.read[source.path].documents
    ]
    rows.sort(key=lambda told: str(told[1]), reverse=True)
    rows.sort(key=lambda told: str(told[0]))
    return rows


def _copy(one: Kept, first: Kept, newest: Kept) -> Sequence[Json]:
    memory = one.memory
    same_text = memory.body == first.memory.body
    known = (memory.id, one is first, one is newest, same_text, memory.title)
    return *known, _text(memory.updated), one.path, memory.line


def _updated(one: Kept) -> tuple[int, int, str]:
    updated = one.memory.updated
    return updated.order if updated else (0, 0, "")


def _number_copies(value: object) -> Json:
    """A fact as JSON: digits as a number."""
    if value is None:
        return None
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() else text


def _place(path: str) -> tuple[str, str]:
    """The path of a backup, and its naming scheme."""
    if not path.startswith(f"{BACKUP}/"):
        return path, "beside the file"
    return path, "plain" if path.endswith(".backup") else "with a time"


# Summaries of a store: statistics, and how full its files are.

TAGS = 10
"""The number of most frequent tags shown."""


def stats(taken: Taken, _given: Given) -> Rows:
    """Counts of the live memories, and notable ones."""
    told, live = flat(statistics_of(taken)), taken.live
    words = Counter(str(one.memory.importance) for one in live)
    tags = Counter(tag for one in live for tag in one.memory.tags)
    size, archived = told.pop("total_storage_bytes"), told.pop("archived_count")
    facts = {
        **told,
        **{f"by_importance.{word}": words[word] for word in IMPORTANCES},
        "archived_count": archived,
        "total_storage_kb": round(cast("int", size) / 1024, 1),
    }
    yield from (_fact(name, value) for name, value in facts.items())
    dated = [one for one in live if one.memory.created and one.memory.created.micros]
    dated = ordered(dated, lambda one: micros(one.memory.created), descending=False)
    if dated:
        for name, one in ("oldest_memory", dated[0]), ("newest_memory", dated[-1]):
            yield _fact(name, _text(one.memory.created), one)
    used = ordered(live, lambda one: one.memory.access_count)
    if used:
        yield _fact("most_accessed", used[0].memory.access_count, used[0])
    for tag, count in sorted(tags.items(), key=lambda item: (-item[1], item[0]))[:TAGS]:
        yield _fact(f"top_tags.{tag}", count)


_FIELDS = {
    "by_type": "type",
    "by_importance": "importance",
    "top_tags": "tag",
    **dict(zip(PARTS, ("tag", "category", "importance"), strict=True)),
}


def _counted(fact: Row) -> Listed:
    """The memories that a count is about."""
    name = str(fact["name"])
    part, _, value = name.partition(".")
    if fact.get("part") in _FIELDS:
        part, value = str(fact["part"]), name
    if name == "archived_count":
        return "memories", {"is": "archived"}
    live: Row = {"-is:": "archived,duplicate"}
    if name == "total_memories":
        return "memories", live
    return ("memories", {_FIELDS[part]: value, **live}) if part in _FIELDS else NO_LIST


def limits(taken: Taken, _given: Given) -> Rows:
    """Each file compared with its limits."""
    for kind in KINDS:
        files = [
            one
            for one in taken.holders
            if kind_of(one.path) == kind and not is_archive(one.path)
        ]
        count = sum(len(taken.read[one.path].memories) for one in files)
        size = sum(one.stamp.size for one in files)
        most, largest = taken.limits.most(kind), BYTES[kind]
        limit, over = IS_HARD[kind], count > most or size > largest
        told = (STEM_OF[kind], count, most, size, largest)
        yield *told, "hard" if limit else "soft", over


def _fact(name: str, value: Json, one: Kept | None = None) -> Sequence[Json]:
    memory = one.memory if one else None
    return name, value, memory and memory.id, memory and memory.title


# The index compared with the files.


class Fact(NamedTuple):
    """A fact according to the index, and according to the files."""

    part: str
    name: str
    there: Json
    files: Json
    agrees: bool
    missing: list[Json]
    extra: list[Json]


def index(taken: Taken, _given: Given | None = None) -> Iterator[Fact]:
    """A row for each fact that the index has or should have; empty without an index."""
    told = taken.index
    if told is None:
        return
    version = told.data.get("version")
    yield _row("version", "version", version, VERSION)
    yield from _statistics(told, taken)
    for part, lists in lists_of(taken).items():
        said = told.lists.get(part)
        if said is None:
            if not told.is_old:
                yield _row(part, "words", None, len(lists))
            continue
        for word in dict.fromkeys((*said, *lists)):
            there, real = set(said.get(word, ())), set(lists.get(word, ()))
            missing, extra = list[Json](sorted(real - there)), sorted(there - real)
            counts = len(there), len(real)
            yield Fact(part, word, *counts, there == real, missing, list[Json](extra))


_OLDER = {name: f"by_type.{kind}" for name, kind in FILES.items()}
"""The names of the counts in the older version."""


def _statistics(told: Index, taken: Taken) -> Iterator[Fact]:
    said, real = told.statistics, flat(statistics_of(taken))
    if told.is_old:
        real = {name: real.get(_OLDER.get(name, name)) for name in said}
    for name in dict.fromkeys((*real, *said)):
        yield _row("statistics", name, said.get(name), real.get(name))


def _row(part: str, name: str, there: Json, files: Json) -> Fact:
    return Fact(part, name, there, files, there == files, [], [])


# The views that a server offers: recent, core, learnings, and tasks by status.

RECENT = 20
"""How many memories count as recent."""

DAYS = 30
"""How long a learning or a completed task is shown, in days."""


def recent(taken: Taken, _given: Given) -> Rows:
    """The most recently recalled memories."""
    return map(row, ordered(taken.live, accessed)[:RECENT])


def core(taken: Taken, _given: Given) -> Rows:
    """Core memories, most important first."""
    recent = ordered(of_kind(taken, CORE), accessed)
    return map(row, ordered(recent, weight))


def learnings(taken: Taken, given: Given) -> Rows:
    """Learnings that are new, or were recalled recently."""
    for one in ordered(of_kind(taken, LEARNING), accessed):
        dates = one.memory.created, one.memory.accessed
        if any(is_within(date, DAYS, given.now) for date in dates):
            yield row(one)


def active_tasks(taken: Taken, _given: Given) -> Rows:
    """Tasks that are not completed, most recently changed first."""
    for one in ordered(of_kind(taken, TASK), lambda one: micros(one.memory.updated)):
        if one.status != "completed":
            yield row(one, one.status)


def completed_tasks(taken: Taken, given: Given) -> Rows:
    """Tasks that were completed recently."""
    for one in ordered(of_kind(taken, TASK), lambda one: micros(completed(one))):
        done = completed(one)
        if one.status == "completed" and is_within(done, DAYS, given.now):
            yield row(one, one.status, _text(done), one.of_task("outcome"))


def archive_candidates(taken: Taken, given: Given) -> Rows:
    """Learnings and tasks that may be archived; core memories never are."""
    return (row(one, why) for one, why in due(taken, given.now))


# The report on loading a store: permissions, reading, syntax, schema, index.

STEPS = ("permissions", "readable", "syntax", "schema", "index")
"""The checks, in order."""

_READABLE = frozenset({UNREADABLE, "refused", "too-large"})
_SYNTAX = frozenset({"damaged-line", "damaged-json", "glued-lines", "not-a-memory"})


def validate(taken: Taken, _given: Given) -> Rows:
    """Every finding by its step; a step without findings is reported as fine."""
    found: dict[str, list[Sequence[Json]]] = {step: [] for step in STEPS}
    for one in taken.found:
        is_refused = isinstance(one, Refused)
        flaws = (one.flaw,) if is_refused else taken.read[one.path].flaws
        for flaw in flaws:
            step = _step("" if is_refused else one.role, flaw, is_refused=is_refused)
            told = (step, flaw.severity.value, one.path, flaw.line, flaw.message)
            found[step].append(told)
    for part, name, there, files, agrees, *_ in index(taken):
        if not agrees:
            said = f"{part}: {name} is {there} in the index, {files} in the files."
            found["index"].append(("index", "warning", INDEX, None, said))
    for step in STEPS:
        yield from found[step] or [(step, "fine", None, None, "OK.")]


def _step(role: str, flaw: Flaw, *, is_refused: bool) -> str:
    if is_refused:
        return "permissions" if flaw.code == "open-permissions" else "readable"
    if flaw.code in _READABLE:
        return "readable"
    if role == Role.INDEX:
        return "index"
    return "syntax" if flaw.code in _SYNTAX else "schema"


# The built-in reports of a store.


def _document(lists: Mapping[str, Json], _given: Given) -> Rows:
    return [tuple(lists[name] for name in FILES)]


REPORTS = (
    Report[Taken](
        "stats",
        "totals by type and importance, oldest, newest, top tags",
        "name value id title",
        stats,
        lists=_counted,
    ),
    Report[Taken](
        "recent", "the 20 most recently recalled memories", columns(), recent
    ),
    Report[Taken]("core", "core memories, most important first", columns(), core),
    Report[Taken](
        "learnings",
        "learnings created or recalled in the last 30 days",
        columns(),
        learnings,
    ),
    Report[Taken](
        "active-tasks",
        "tasks that are not completed",
        columns("status"),
        active_tasks,
    ),
    Report[Taken](
        "completed-tasks",
        "tasks completed in the last 30 days",
        columns("status", "completed_at", "outcome"),
        completed_tasks,
    ),
    Report[Taken](
        "archive-candidates",
        "learnings and tasks due for archiving, and why",
        columns("why"),
        archive_candidates,
    ),
    Report[Taken](
        "limits",
        "how full each file is, compared with its limits",
        "file memories most_memories bytes most_bytes limit over",
        limits,
        plot="bytes",
        full="most_bytes",
        lists=lambda one: ("memories", {"path": f"{one['file']}.jsonl"}),
    ),
    Report[Taken](
        "validate",
        "check permissions, reading, syntax, schema and index",
        "step severity path line message",
        validate,
        lists=lambda _: ("problems", {}),
    ),
    Report[Taken](
        "index",
        "differences between the index and the files",
        "part name index files agrees missing extra",
        index,
        lists=_counted,
    ),
    Report[Taken](
        "query",
        "search memories by tag, category, importance and text",
        columns(),
        query,
        _FILTERS,
        is_strict=True,
    ),
    Report[Taken](
        "backups",
        "backups with their files and dates",
        "of when lines memories bytes path naming",
        backups,
    ),
    Report[Taken](
        "duplicates",
        "memories with the same id",
        "id is_record is_newest same_text title updated_at path line",
        duplicates,
    ),
    Report[Mapping[str, Json]](
        DOCUMENT,
        "all memories as one JSON document for import",
        " ".join(FILES),
        _document,
        is_document=True,
    ),
)

"""The built-in reports over a store."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from msgspec import Struct, field
from msgspec.structs import replace

from store.errors import WrongUseError
from store.findings import UNREADABLE, Flaw, Json
from store.formats.agent_memory.index import (
    VERSION,
    Index,
    Kept,
    Taken,
    flat,
    lists_of,
    statistics_of,
)
from store.formats.agent_memory.layout import (
    BACKUP,
    BYTES,
    CORE,
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
from store.formats.agent_memory.memories import IMPORTANCES
from store.formats.port import Question, Refused
from store.times import Instant, parse

# A memory as a row of a report, and the orders of rows.

Row = Mapping[str, Json]

DAY = 86_400_000_000
"""A day in microseconds."""

_NEVER = -(2**63)
_WEIGHTS = {word: len(IMPORTANCES) - at for at, word in enumerate(IMPORTANCES)}


def row(one: Kept, **more: Json) -> Row:
    """A memory without its text, which `show` displays."""
    memory = one.memory
    return {
        "id": memory.id,
        "type": memory.type,
        "title": memory.title,
        "category": one.category,
        "importance": memory.importance,
        "tags": cast("list[Json]", list(memory.tags)),
        **more,
        "created_at": _text(memory.created),
        "updated_at": _text(memory.updated),
        "accessed_at": _text(memory.accessed),
        "access_count": memory.access_count,
        "archived": memory.archived,
        "path": one.path,
        "line": memory.line,
    }


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

WORDS = (
    "[tag:TAG…] [category:C] [type:T] [importance:I] [archived:yes|no|all] "
    "[sort:FIELD] [order:asc|desc] [limit:N] [offset:N] [TEXT…]"
)

_SORTS: dict[str, Callable[[Kept], int]] = {
    "created": lambda one: micros(one.memory.created),
    "updated": lambda one: micros(one.memory.updated),
    "accessed": accessed,
    "importance": weight,
    "access_count": lambda one: one.memory.access_count,
}
_ARCHIVED = {"yes": (True,), "no": (False,), "all": (True, False)}
_ORDERS = {"asc": False, "desc": True}
_OF = {"type": KINDS, "importance": IMPORTANCES}
_MOST = 100
_LONGEST = 200


class Query(Struct, frozen=True):
    """The search criteria."""

    tags: tuple[str, ...] = ()
    category: str | None = None
    type: str | None = None
    importance: str | None = None
    archived: tuple[bool, ...] = (False,)
    sort: str = "accessed"
    descending: bool = True
    limit: int = 10
    offset: int = 0
    texts: tuple[str, ...] = field(default=())

    def wants(self, one: Kept) -> bool:
        """Whether a memory matches."""
        memory = one.memory
        tags = {tag.casefold() for tag in memory.tags}
        text = memory.body.casefold()
        return (
            self.category in {None, one.category}
            and self.type in {None, memory.type}
            and self.importance in {None, memory.importance}
            and memory.archived in self.archived
            and tags.issuperset(self.tags)
            and all(wanted in text for wanted in self.texts)
        )


def found(asked: Query, taken: Taken) -> Iterator[Row]:
    """The memories that match all words."""
    kept = [one for one in taken.memories if asked.wants(one)]
    kept = ordered(kept, _SORTS[asked.sort], descending=asked.descending)
    for one in kept[asked.offset : asked.offset + asked.limit]:
        yield row(one)


def understood(words: Sequence[str]) -> Query:
    """Parse the words into a query; raises WrongUseError."""
    asked = Query()
    for word in words:
        name, colon, value = word.partition(":")
        if colon and name.isascii() and name.isalpha():
            asked = _with(asked, name.lower(), value)
        else:
            asked = replace(asked, texts=(*asked.texts, word.casefold()))
    if sum(map(len, asked.texts)) > _LONGEST:
        raise WrongUseError(f"Text too long; the limit is {_LONGEST} characters.")
    return asked


def _with(asked: Query, name: str, value: str) -> Query:
    """The query with one more criterion."""
    match name:
        case "tag":
            return replace(asked, tags=(*asked.tags, value.casefold()))
        case "text":
            return replace(asked, texts=(*asked.texts, value.casefold()))
        case "category":
            return replace(asked, category=value)
        case "type" | "importance":
            return replace(asked, **{name: _one_of(name, value, _OF[name])})
        case "archived":
            return replace(asked, archived=_ARCHIVED[_one_of(name, value, _ARCHIVED)])
        case _:
            return _paged(asked, name, value)


def _paged(asked: Query, name: str, value: str) -> Query:
    match name:
        case "sort":
            sort = _one_of(name, value.removesuffix("_at"), _SORTS)
            return replace(asked, sort=sort)
        case "order":
            order = _ORDERS[_one_of(name, value, _ORDERS)]
            return replace(asked, descending=order)
        case "limit":
            return replace(asked, limit=_number(name, value, 1, _MOST))
        case "offset":
            return replace(asked, offset=_number(name, value, 0, 10**9))
        case _:
            raise WrongUseError(
                f"Unknown filter {name}; choose from {WORDS}. For a text with a "
                f"colon, write text:{name}:…"
            )


def _one_of(name: str, value: str, known: Collection[str]) -> str:
    if value in known:
        return value
    raise WrongUseError(f"Invalid {name}:{value} (choose from {', '.join(known)}).")


def _number(name: str, value: str, least: int, most: int) -> int:
    number = int(value) if value.isascii() and value.isdigit() else -1
    if least <= number <= most:
        return number
    raise WrongUseError(f"{name}:{value} must be a number from {least} to {most}.")


# Duplicates: memories with the same identifier, and backups.


def duplicates(taken: Taken, _now: int) -> Iterator[Row]:
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


def backups(taken: Taken, _now: int) -> Iterator[Row]:
    """The backups in all three naming schemes, newest first for each file."""
    rows = [
        {"of": None, "when": None, "lines": None, "memories": None}
        | {name: _number_copies(value) for name, value in document.facts.items()}
        | {"path": source.path, "naming": _naming(source.path)}
        for source in taken.sources
        if source.role == Role.BACKUP
        for document in taken.read[source.path].documents
    ]
    rows.sort(key=lambda told: str(told["when"]), reverse=True)
    rows.sort(key=lambda told: str(told["of"]))
    yield from rows


def _copy(one: Kept, first: Kept, newest: Kept) -> Row:
    memory = one.memory
    return {
        "id": memory.id,
        "is_record": one is first,
        "is_newest": one is newest,
        "same_text": memory.body == first.memory.body,
        "title": memory.title,
        "updated_at": memory.updated.iso if memory.updated else None,
        "path": one.path,
        "line": memory.line,
    }


def _updated(one: Kept) -> tuple[int, int, str]:
    updated = one.memory.updated
    return updated.order if updated else (0, 0, "")


def _number_copies(value: object) -> Json:
    """A fact as JSON: digits as a number."""
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() else text


def _naming(path: str) -> str:
    """The naming scheme of a backup's path."""
    if not path.startswith(f"{BACKUP}/"):
        return "beside the file"
    return "plain" if path.endswith(".backup") else "with a time"


# Summaries of a store: statistics, and how full its files are.

TAGS = 10
"""The number of most frequent tags shown."""

_KILOBYTE = 1024


def stats(taken: Taken, _now: int) -> Iterator[Row]:
    """Counts of the live memories, and notable ones."""
    reckoned, live = statistics_of(taken), taken.live
    by_type, size = reckoned["by_type"], reckoned["total_storage_bytes"]
    yield _fact("total_memories", reckoned["total_memories"])
    if isinstance(by_type, dict):
        for kind, count in by_type.items():
            yield _fact(f"by_type.{kind}", count)
    told = Counter(str(one.memory.importance) for one in live)
    for word in IMPORTANCES:
        yield _fact(f"by_importance.{word}", told[word])
    yield _fact("archived_count", reckoned["archived_count"])
    if isinstance(size, int):
        yield _fact("total_storage_kb", round(size / _KILOBYTE, 1))
    yield from _outstanding(live)
    tags = Counter(tag for one in live for tag in one.memory.tags)
    for tag, count in sorted(tags.items(), key=lambda item: (-item[1], item[0]))[:TAGS]:
        yield _fact(f"top_tags.{tag}", count)


def _outstanding(live: tuple[Kept, ...]) -> Iterator[Row]:
    """The oldest, the newest, and the most often recalled memory."""
    dated = [o for o in live if o.memory.created and o.memory.created.micros]
    dated = ordered(dated, lambda one: micros(one.memory.created), descending=False)
    if dated:
        yield _named("oldest_memory", dated[0], _created(dated[0]))
        yield _named("newest_memory", dated[-1], _created(dated[-1]))
    used = ordered(live, lambda one: one.memory.access_count)
    if used:
        yield _named("most_accessed", used[0], used[0].memory.access_count)


def limits(taken: Taken, _now: int) -> Iterator[Row]:
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
        yield {
            "file": STEM_OF[kind],
            "memories": count,
            "most_memories": most,
            "bytes": size,
            "most_bytes": largest,
            "limit": "hard" if IS_HARD[kind] else "soft",
            "over": count > most or size > largest,
        }


def _fact(name: str, value: Json) -> Row:
    return {"name": name, "value": value, "id": None, "title": None}


def _named(name: str, one: Kept, value: Json) -> Row:
    memory = one.memory
    return {"name": name, "value": value, "id": memory.id, "title": memory.title}


def _created(one: Kept) -> str | None:
    return one.memory.created.iso if one.memory.created else None


# The index compared with the files.


def index(taken: Taken, _now: int) -> Iterator[Row]:
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
            yield _row(part, word, len(there), len(real)) | {
                "agrees": there == real,
                "missing": list[Json](sorted(real - there)),
                "extra": list[Json](sorted(there - real)),
            }


_OLDER = {
    "core_memories": "by_type.core",
    "learnings": "by_type.learning",
    "tasks": "by_type.task",
}
"""The names of the counts in the older version."""


def _statistics(told: Index, taken: Taken) -> Iterator[Row]:
    said, real = told.statistics, flat(statistics_of(taken))
    if told.is_old:
        real = {name: real.get(_OLDER.get(name, name)) for name in said}
    for name in dict.fromkeys((*real, *said)):
        yield _row("statistics", name, said.get(name), real.get(name))


def _row(part: str, name: str, there: Json, files: Json) -> dict[str, Json]:
    """A fact according to the index, and according to the files."""
    return {
        "part": part,
        "name": name,
        "index": there,
        "files": files,
        "agrees": there == files,
        "missing": [],
        "extra": [],
    }


# The views that a server offers: recent, core, learnings, and tasks by status.

RECENT = 20
"""How many memories count as recent."""

DAYS = 30
"""How long a learning or a completed task is shown, in days."""


def recent(taken: Taken, _now: int) -> Iterator[Row]:
    """The most recently recalled memories."""
    for one in ordered(taken.live, accessed)[:RECENT]:
        yield row(one)


def core(taken: Taken, _now: int) -> Iterator[Row]:
    """Core memories, most important first."""
    for one in ordered(of_kind(taken, CORE), lambda one: (weight(one), accessed(one))):
        yield row(one)


def learnings(taken: Taken, now: int) -> Iterator[Row]:
    """Learnings that are new, or were recalled recently."""
    for one in ordered(of_kind(taken, LEARNING), accessed):
        memory = one.memory
        if is_within(memory.created, DAYS, now) or is_within(
            memory.accessed, DAYS, now
        ):
            yield row(one)


def active_tasks(taken: Taken, _now: int) -> Iterator[Row]:
    """Tasks that are not completed, most recently changed first."""
    for one in ordered(of_kind(taken, TASK), lambda one: micros(one.memory.updated)):
        if one.status != "completed":
            yield row(one, status=one.status)


def completed_tasks(taken: Taken, now: int) -> Iterator[Row]:
    """Tasks that were completed recently."""
    for one in ordered(of_kind(taken, TASK), lambda one: micros(completed(one))):
        if one.status == "completed" and is_within(completed(one), DAYS, now):
            done = completed(one)
            yield row(
                one,
                status=one.status,
                completed_at=done.iso if done else None,
                outcome=one.of_task("outcome"),
            )


def archive_candidates(taken: Taken, now: int) -> Iterator[Row]:
    """Learnings and tasks that may be archived; core memories never are."""
    for one, why in due(taken, now):
        yield row(one, why=why)


# The report on loading a store: permissions, reading, syntax, schema, index.

STEPS = ("permissions", "readable", "syntax", "schema", "index")
"""The checks, in order."""

_READABLE = frozenset({UNREADABLE, "refused", "too-large"})
_SYNTAX = frozenset({"damaged-line", "damaged-json", "glued-lines", "not-a-memory"})


def validate(taken: Taken, now: int) -> Iterator[Row]:
    """Every finding by its step; a step without findings is reported as fine."""
    found: dict[str, list[Row]] = {step: [] for step in STEPS}
    for one in taken.found:
        if isinstance(one, Refused):
            step = "permissions" if one.flaw.code == "open-permissions" else "readable"
            found[step].append(_finding(step, one.path, one.flaw))
            continue
        for flaw in taken.read[one.path].flaws:
            step = _step(one.role, flaw)
            found[step].append(_finding(step, one.path, flaw))
    found["index"] += (
        _row_checks(
            "index", INDEX, None, "warning", f"{told['part']}: {_disagreement(told)}."
        )
        for told in index(taken, now)
        if not told["agrees"]
    )
    for step in STEPS:
        yield from found[step] or [_row_checks(step, None, None, "fine", "OK.")]


def _step(role: str, flaw: Flaw) -> str:
    if flaw.code in _READABLE:
        return "readable"
    if role == Role.INDEX:
        return "index"
    return "syntax" if flaw.code in _SYNTAX else "schema"


def _finding(step: str, path: str, flaw: Flaw) -> Row:
    return _row_checks(step, path, flaw.line, flaw.severity.value, flaw.message)


def _row_checks(
    step: str, path: str | None, line: int | None, severity: str, message: str
) -> Row:
    return {
        "step": step,
        "severity": severity,
        "path": path,
        "line": line,
        "message": message,
    }


def _disagreement(told: Row) -> str:
    return (
        f"{told['name']} is {told['index']} in the index, {told['files']} in the files"
    )


# The built-in reports of a store, and the functions behind them.

DOCUMENT = "document"

QUESTIONS = (
    Question("stats", "totals by type and importance, oldest, newest, top tags"),
    Question("recent", "the 20 most recently recalled memories"),
    Question("core", "core memories, most important first"),
    Question("learnings", "learnings created or recalled in the last 30 days"),
    Question("active-tasks", "tasks that are in progress or blocked"),
    Question("completed-tasks", "tasks completed in the last 30 days"),
    Question("archive-candidates", "learnings and tasks due for archiving, and why"),
    Question("limits", "how full each file is, compared with its limits"),
    Question("validate", "check permissions, reading, syntax, schema and index"),
    Question("index", "differences between the index and the files"),
    Question("query", "search memories by tag, category, importance and text", WORDS),
    Question("backups", "backups with their files and dates"),
    Question("duplicates", "memories with the same id"),
    Question(DOCUMENT, "all memories as one JSON document for import"),
)

_ANSWERS: dict[str, Callable[[Taken, int], Iterator[Row]]] = {
    "stats": stats,
    "recent": recent,
    "core": core,
    "learnings": learnings,
    "active-tasks": active_tasks,
    "completed-tasks": completed_tasks,
    "archive-candidates": archive_candidates,
    "limits": limits,
    "validate": validate,
    "index": index,
    "backups": backups,
    "duplicates": duplicates,
}


def answer(
    question: str, words: Sequence[str], taken: Callable[[], Taken], now: int
) -> Iterator[Row]:
    """Answer a report; the store is read only after the arguments are parsed."""
    if question == "query":
        asked = understood(words)
        return found(asked, taken())
    if question not in {*_ANSWERS, DOCUMENT}:
        known = ", ".join(one.name for one in QUESTIONS)
        raise WrongUseError(f"Unknown report {question!r} (choose from {known}).")
    if words:
        raise WrongUseError(
            f"Unexpected argument {words[0]!r} for report `{question}`."
        )
    return _ANSWERS[question](taken(), now)

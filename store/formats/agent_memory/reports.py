"""The built-in reports over a store."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from msgspec import Struct
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
from store.formats.agent_memory.memories import IMPORTANCES
from store.formats.port import Question, Refused
from store.times import Instant, parse

# A memory as a row of a report, and the orders of rows.

Row = Mapping[str, Json]

_DAY = 86_400_000_000
"""A day in microseconds."""

_NEVER = -(2**63)
_WEIGHTS = {word: len(IMPORTANCES) - at for at, word in enumerate(IMPORTANCES)}


def _row(one: Kept, **more: Json) -> Row:
    """A memory without its text, which `show` displays."""
    memory = one.memory
    return {
        "id": memory.id,
        "type": memory.type,
        "title": memory.title,
        "category": one.category,
        "importance": memory.importance,
        "tags": list[Json](memory.tags),
        **more,
        "created_at": _text(memory.created),
        "updated_at": _text(memory.updated),
        "accessed_at": _text(memory.accessed),
        "access_count": memory.access_count,
        "archived": memory.archived,
        "path": one.path,
        "line": memory.line,
    }


def _text(instant: Instant | None) -> str | None:
    return instant.iso if instant else None


def _micros(instant: Instant | None) -> int:
    """A time to sort by; an unknown time comes first."""
    known = instant.micros if instant else None
    return _NEVER if known is None else known


def _created(one: Kept) -> int:
    return _micros(one.memory.created)


def _updated(one: Kept) -> int:
    return _micros(one.memory.updated)


def _accessed(one: Kept) -> int:
    return _micros(one.memory.accessed)


def _count(one: Kept) -> int:
    return one.memory.access_count


def _weight(one: Kept) -> int:
    return _WEIGHTS.get(str(one.memory.importance), 0)


def _last_first(kept: Iterable[Kept], key: Callable[[Kept], Any]) -> list[Kept]:
    """Sort by a key, descending; ties keep the order of the files."""
    return sorted(kept, key=key, reverse=True)


def _of_kind(taken: Taken, kind: str) -> list[Kept]:
    """The live memories of one kind."""
    return [one for one in taken.live if one.memory.type == kind]


# What is due for archiving: unused learnings, tasks completed long ago.


class Due(NamedTuple):
    """A memory that may be archived, and why."""

    kept: Kept
    why: str


def due(taken: Taken, now: int) -> list[Due]:
    """Learnings and tasks that may be archived; core memories never are."""
    unread = taken.limits.auto_archive_learnings_days
    done = taken.limits.auto_archive_tasks_days
    found = [
        Due(one, f"not recalled in the last {unread} days")
        for one in sorted(_of_kind(taken, LEARNING), key=_accessed)
        if _NEVER < _accessed(one) < now - unread * _DAY
    ]
    return found + [
        Due(one, f"completed more than {done} days ago")
        for one in sorted(_of_kind(taken, TASK), key=_done)
        if one.status == "completed" and _NEVER < _done(one) < now - done * _DAY
    ]


def least_used(taken: Taken, kind: str) -> list[Kept]:
    """The live memories of one kind, least recently recalled first."""
    return sorted(_of_kind(taken, kind), key=lambda one: (_accessed(one), _count(one)))


def _completed(one: Kept) -> Instant | None:
    """When a task was completed; for version 1.0, when it was last changed."""
    told = one.of_task("completed_at")
    return parse(told) if told else one.memory.updated


def _done(one: Kept) -> int:
    return _micros(_completed(one))


# Memories by tag, category, importance and text, sorted and paged.

_WORDS = (
    "[tag:TAG…] [category:C] [type:T] [importance:I] [archived:yes|no|all] "
    "[sort:FIELD] [order:asc|desc] [limit:N] [offset:N] [TEXT…]"
)

_SORTS: dict[str, Callable[[Kept], int]] = {
    "created": _created,
    "updated": _updated,
    "accessed": _accessed,
    "importance": _weight,
    "access_count": _count,
}
_ARCHIVED = {"yes": (True,), "no": (False,), "all": (True, False)}
_ORDERS = {"asc": False, "desc": True}
_OF = {"type": KINDS, "importance": IMPORTANCES}
_MOST = 100
_LONGEST = 200


class _Query(Struct, frozen=True):
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
    texts: tuple[str, ...] = ()

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

    def rows(self, taken: Taken) -> Iterator[Row]:
        """The memories that match all criteria."""
        kept = [one for one in taken.memories if self.wants(one)]
        kept.sort(key=_SORTS[self.sort], reverse=self.descending)
        yield from map(_row, kept[self.offset : self.offset + self.limit])


def _understood(words: Sequence[str]) -> _Query:
    """Parse the words into a query; raises WrongUseError."""
    asked = _Query()
    for word in words:
        name, colon, value = word.partition(":")
        if not (colon and name.isascii() and name.isalpha()):
            name, value = "text", word
        asked = _with(asked, name.lower(), value)
    if sum(map(len, asked.texts)) > _LONGEST:
        raise WrongUseError(f"Text too long; the limit is {_LONGEST} characters.")
    return asked


def _with(asked: _Query, name: str, value: str) -> _Query:  # noqa: C901, PLR0911 - one flat dispatch
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
        case "sort":
            sort = _one_of(name, value.removesuffix("_at"), _SORTS)
            return replace(asked, sort=sort)
        case "order":
            return replace(asked, descending=_ORDERS[_one_of(name, value, _ORDERS)])
        case "limit":
            return replace(asked, limit=_number(name, value, 1, _MOST))
        case "offset":
            return replace(asked, offset=_number(name, value, 0, 10**9))
        case _:
            raise WrongUseError(
                f"Unknown filter {name}; choose from {_WORDS}. For a text with a "
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


def _duplicates(taken: Taken, _now: int) -> Iterator[Row]:
    """Memories with the same identifier; the first is the record."""
    groups: defaultdict[str, list[Kept]] = defaultdict(list)
    for one in taken.everything:
        if one.memory.id is not None:
            groups[one.memory.id.casefold()].append(one)
    for first, *others in groups.values():
        group = [first, *others] if others else []
        newest = max(group, key=_age, default=None)
        for one in group:
            memory = one.memory
            yield {
                "id": memory.id,
                "is_record": one is first,
                "is_newest": one is newest,
                "same_text": memory.body == first.memory.body,
                "title": memory.title,
                "updated_at": _text(memory.updated),
                "path": one.path,
                "line": memory.line,
            }


def _age(one: Kept) -> tuple[int, int, str]:
    updated = one.memory.updated
    return updated.order if updated else (0, 0, "")


def _backups(taken: Taken, _now: int) -> list[Row]:
    """The backups in all three naming schemes, newest first for each file."""
    rows: list[Row] = [
        {"of": None, "when": None, "lines": None, "memories": None}
        | {name: _as_number(value) for name, value in document.facts.items()}
        | {"path": source.path, "naming": _naming(source.path)}
        for source in taken.sources
        if source.role == Role.BACKUP
        for document in taken.read[source.path].documents
    ]
    rows.sort(key=lambda told: str(told["when"]), reverse=True)
    rows.sort(key=lambda told: str(told["of"]))
    return rows


def _as_number(value: object) -> Json:
    """A fact as JSON: digits as a number."""
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() else text


def _naming(path: str) -> str:
    """The naming scheme of a backup's path."""
    if not path.startswith(f"{BACKUP}/"):
        return "beside the file"
    return "plain" if path.endswith(".backup") else "with a time"


# Summaries of a store: statistics, and how full its files are.

_TAGS = 10
"""The number of most frequent tags shown."""


def _stats(taken: Taken, _now: int) -> Iterator[Row]:
    """Counts of the live memories, and notable ones."""
    told, live = flat(statistics_of(taken)), taken.live
    words = Counter(str(one.memory.importance) for one in live)
    tags = Counter(tag for one in live for tag in one.memory.tags)
    ranked = sorted(tags.items(), key=lambda item: (-item[1], item[0]))
    size = cast("int", told.pop("total_storage_bytes"))
    archived = told.pop("archived_count")
    facts: dict[str, Json] = {
        **told,
        **{f"by_importance.{word}": words[word] for word in IMPORTANCES},
        "archived_count": archived,
        "total_storage_kb": round(size / 1024, 1),
    }
    for name, value in facts.items():
        yield _fact(name, value)
    dated = [one for one in live if one.memory.created and one.memory.created.micros]
    for name, one in (
        ("oldest_memory", min(dated, key=_created, default=None)),
        ("newest_memory", max(reversed(dated), key=_created, default=None)),
    ):
        if one:
            yield _fact(name, _text(one.memory.created), one)
    most = max(live, key=_count, default=None)
    if most:
        yield _fact("most_accessed", _count(most), most)
    for tag, count in ranked[:_TAGS]:
        yield _fact(f"top_tags.{tag}", count)


def _fact(name: str, value: Json, one: Kept | None = None) -> Row:
    memory = one.memory if one else None
    return {
        "name": name,
        "value": value,
        "id": memory.id if memory else None,
        "title": memory.title if memory else None,
    }


def _limits(taken: Taken, _now: int) -> Iterator[Row]:
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


# The index compared with the files.

_OLDER = {name: f"by_type.{kind}" for name, kind in FILES.items()}
"""The names of the counts in the older version."""


def _index(taken: Taken, _now: int) -> Iterator[Row]:
    """A row for each fact that the index has or should have; empty without an index."""
    told = taken.index
    if told is None:
        return
    yield _compared("version", "version", told.data.get("version"), VERSION)
    yield from _statistics(told, taken)
    for part, lists in lists_of(taken).items():
        said = told.lists.get(part)
        if said is None:
            if not told.is_old:
                yield _compared(part, "words", None, len(lists))
            continue
        for word in dict.fromkeys((*said, *lists)):
            there, real = set(said.get(word, ())), set(lists.get(word, ()))
            yield {
                **_compared(part, word, len(there), len(real)),
                "agrees": there == real,
                "missing": list[Json](sorted(real - there)),
                "extra": list[Json](sorted(there - real)),
            }


def _statistics(told: Index, taken: Taken) -> Iterator[Row]:
    said, real = told.statistics, flat(statistics_of(taken))
    if told.is_old:
        real = {name: real.get(_OLDER.get(name, name)) for name in said}
    for name in dict.fromkeys((*real, *said)):
        yield _compared("statistics", name, said.get(name), real.get(name))


def _compared(part: str, name: str, there: Json, files: Json) -> Row:
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

_RECENT = 20
"""How many memories count as recent."""

_SHOWN = 30 * _DAY
"""How long a learning or a completed task is shown."""


def _recent(taken: Taken, _now: int) -> Iterator[Row]:
    """The most recently recalled memories."""
    return map(_row, _last_first(taken.live, _accessed)[:_RECENT])


def _core(taken: Taken, _now: int) -> Iterator[Row]:
    """Core memories, most important first."""
    found = _of_kind(taken, CORE)
    return map(_row, _last_first(found, lambda one: (_weight(one), _accessed(one))))


def _learnings(taken: Taken, now: int) -> Iterator[Row]:
    """Learnings that are new, or were recalled recently."""
    for one in _last_first(_of_kind(taken, LEARNING), _accessed):
        if max(_created(one), _accessed(one)) >= now - _SHOWN:
            yield _row(one)


def _active_tasks(taken: Taken, _now: int) -> Iterator[Row]:
    """Tasks that are not completed, most recently changed first."""
    for one in _last_first(_of_kind(taken, TASK), _updated):
        if one.status != "completed":
            yield _row(one, status=one.status)


def _completed_tasks(taken: Taken, now: int) -> Iterator[Row]:
    """Tasks that were completed recently."""
    for one in _last_first(_of_kind(taken, TASK), _done):
        if one.status == "completed" and _done(one) >= now - _SHOWN:
            yield _row(
                one,
                status=one.status,
                completed_at=_text(_completed(one)),
                outcome=one.of_task("outcome"),
            )


def _archive_candidates(taken: Taken, now: int) -> Iterator[Row]:
    """Learnings and tasks that may be archived; core memories never are."""
    return (_row(one, why=why) for one, why in due(taken, now))


# The report on loading a store: permissions, reading, syntax, schema, index.

_STEPS = ("permissions", "readable", "syntax", "schema", "index")
"""The checks, in order."""

_READABLE = frozenset({UNREADABLE, "refused", "too-large"})
_SYNTAX = frozenset({"damaged-line", "damaged-json", "glued-lines", "not-a-memory"})


def _validate(taken: Taken, now: int) -> Iterator[Row]:
    """Every finding by its step; a step without findings is reported as fine."""
    found = [*_findings(taken)]
    for told in _index(taken, now):
        if not told["agrees"]:
            message = (
                f"{told['part']}: {told['name']} is {told['index']} in the index, "
                f"{told['files']} in the files."
            )
            found.append(_checked("index", "warning", INDEX, None, message))
    for step in _STEPS:
        own = [row for row in found if row["step"] == step]
        yield from own or [_checked(step, "fine", None, None, "OK.")]


def _findings(taken: Taken) -> Iterator[Row]:
    """The flaws of every file, by the step in which they are found."""
    for one in taken.found:
        if isinstance(one, Refused):
            is_open = one.flaw.code == "open-permissions"
            told = [("permissions" if is_open else "readable", one.flaw)]
        else:
            flaws = taken.read[one.path].flaws
            told = [(_step(one.role, flaw), flaw) for flaw in flaws]
        for step, flaw in told:
            severity = flaw.severity.value
            yield _checked(step, severity, one.path, flaw.line, flaw.message)


def _step(role: str, flaw: Flaw) -> str:
    if flaw.code in _READABLE:
        return "readable"
    if role == Role.INDEX:
        return "index"
    return "syntax" if flaw.code in _SYNTAX else "schema"


def _checked(
    step: str, severity: str, path: str | None, line: int | None, message: str
) -> Row:
    return {
        "step": step,
        "severity": severity,
        "path": path,
        "line": line,
        "message": message,
    }


# The built-in reports of a store, and the functions behind them.

DOCUMENT = "document"
_QUERY = "query"

_Rows = Callable[[Taken, int], Iterable[Row]]

_REPORTS: Mapping[str, tuple[str, _Rows | None]] = {
    "stats": ("totals by type and importance, oldest, newest, top tags", _stats),
    "recent": ("the 20 most recently recalled memories", _recent),
    "core": ("core memories, most important first", _core),
    "learnings": ("learnings created or recalled in the last 30 days", _learnings),
    "active-tasks": ("tasks that are in progress or blocked", _active_tasks),
    "completed-tasks": ("tasks completed in the last 30 days", _completed_tasks),
    "archive-candidates": (
        "learnings and tasks due for archiving, and why",
        _archive_candidates,
    ),
    "limits": ("how full each file is, compared with its limits", _limits),
    "validate": ("check permissions, reading, syntax, schema and index", _validate),
    "index": ("differences between the index and the files", _index),
    _QUERY: ("search memories by tag, category, importance and text", None),
    "backups": ("backups with their files and dates", _backups),
    "duplicates": ("memories with the same id", _duplicates),
    DOCUMENT: ("all memories as one JSON document for import", None),
}
"""What each report shows, and its rows; None if they need more than the memories."""

QUESTIONS = tuple(
    Question(name, shows, _WORDS if name == _QUERY else "")
    for name, (shows, _) in _REPORTS.items()
)


def answer(
    question: str, words: Sequence[str], taken: Callable[[], Taken], now: int
) -> Iterator[Row]:
    """Answer a report; the store is read only after the arguments are parsed."""
    if question == _QUERY:
        return _understood(words).rows(taken())
    if question not in _REPORTS:
        known = ", ".join(_REPORTS)
        raise WrongUseError(f"Unknown report {question!r} (choose from {known}).")
    _, rows = _REPORTS[question]
    if words or rows is None:
        first = next(iter(words), "")
        raise WrongUseError(f"Unexpected argument {first!r} for report `{question}`.")
    return iter(rows(taken(), now))

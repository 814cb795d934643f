"""The built-in reports over a store, by name."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import groupby
from operator import itemgetter

from msgspec.structs import asdict, astuple

from store.derive.conversations import look_back, most_similar, tokens
from store.derive.events import OTHER, RUNNING, TASK, Coaccess, Recurrence
from store.derive.statistics import BINS, between, histogram, middle
from store.errors import AmbiguousError, NothingFoundError, UnreadableError
from store.files.json_read import parse, read_lines
from store.files.sqlite import Database, open_database
from store.findings import EventFound, Findings, Json, MeasureFound
from store.formats.kei.format import COPY, KeiStore, Role, text
from store.formats.kei.journals import (
    Record,
    instant,
    number,
    points_to,
    valid_instant,
    whole,
)
from store.formats.kei.read import event_of, event_rows, read_backlog, rows_of
from store.formats.kei.traces import FROM_PEOPLE, session_of, words_of
from store.formats.port import Source
from store.reports import (
    THREAD,
    Given,
    Listed,
    Parameter,
    Row,
    Rows,
    Shelf,
    Type,
    threaded,
)
from store.times import Instant

# Data for reports: findings read piece by piece, never a whole store at once.


_METRICS = (Role.FIGURES, Role.TASKS, Role.MARKER)
_SHOWN = 10


def _sources(store: KeiStore, *roles: str) -> list[Source]:
    """The sources with these roles, copies included."""
    found = (source for source in store.scan() if isinstance(source, Source))
    return [source for source in found if source.role.removesuffix(COPY) in roles]


def _pieces(store: KeiStore, source: Source) -> Iterator[Findings]:
    """All findings of a source, piece by piece."""
    piece = store.read(source)
    yield piece
    while piece.more:
        piece = store.read(source, piece.mark)
        yield piece


def _records(store: KeiStore, source: Source) -> Iterator[tuple[int, Record]]:
    """The raw records of a journal by line number; raises UnreadableError."""
    for line in read_lines(*store.reach.of(source.path)):
        for value in parse(line.raw).values if line.raw else ():
            if isinstance(value, dict):
                yield line.number, value


def _databases(store: KeiStore, role: Role) -> Iterator[tuple[str, Database]]:
    """The readable databases of a role, each closed before the next."""
    for source in _sources(store, role):
        with suppress(UnreadableError):
            root, path = store.reach.of(source.path)
            with open_database(root, path) as database:
                yield source.path, database


def _rows(
    store: KeiStore, role: Role, table: str, *columns: str
) -> Iterator[tuple[str, int, Record]]:
    """The rows of a table in the databases of a role, each with its path and number."""
    for path, database in _databases(store, role):
        for line, row in rows_of(database, table, columns):
            yield path, line, row


def _traces(store: KeiStore) -> list[tuple[str, Source]]:
    """The traces by session, copies after their originals."""
    found = ((session_of(one.path), one) for one in _sources(store, Role.TRACE))
    return sorted(found, key=lambda trace: (trace[0], len(trace[1].path)))


def _stored_events(store: KeiStore) -> Iterator[tuple[str, EventFound]]:
    """Events of the analyzer’s database, each once, with its path."""
    for path, database in _databases(store, Role.DATABASE):
        for line, row in event_rows(database, 0, set()):
            yield path, event_of(line, row)


def _events(store: KeiStore) -> Iterator[tuple[str, EventFound]]:
    """Every event, with the path of its source.

    Events come from traces, and from the analyzer's database for sessions without a
    trace.
    """
    known: set[str] = set()
    for session, trace in _traces(store):
        known.add(session)
        for piece in _pieces(store, trace):
            yield from ((trace.path, event) for event in piece.events)
    for path, event in _stored_events(store):
        if event.session not in known:
            yield path, event


def _measures(store: KeiStore, *kinds: str) -> Iterator[tuple[str, MeasureFound]]:
    """Every metric of these kinds, with the path of its source."""
    for source in _sources(store, *_METRICS):
        for piece in _pieces(store, source):
            for measure in piece.measures:
                if measure.kind in kinds:
                    yield source.path, measure


def _iso(at: Instant | None) -> str | None:
    return at.iso if at else None


def _micros(at: Instant | None) -> int | None:
    return at.micros if at else None


def _row(found: EventFound | MeasureFound, path: str, names: str) -> Row:
    """These fields of what a source has, and where."""
    values = ((name, getattr(found, name)) for name in names.split())
    row = {n: v.iso if isinstance(v, Instant) else v for n, v in values}
    return row | {"path": path, "line": found.line}


def _one_session(word: str, sessions: Iterable[str]) -> str:
    """The session given by its full name or a unique prefix."""
    known = sorted(set(sessions))
    found = [name for name in known if name.startswith(word)]
    if word in known:
        return word
    if not found:
        raise NothingFoundError(f"No session {word!r}.")
    if len(found) > 1:
        listed = ", ".join(found[:_SHOWN])
        raise AmbiguousError(f"{word!r} matches several sessions: {listed}.")
    return found[0]


# The reports, in the order in which they are listed.

_SHELF = Shelf[KeiStore]()
_report = _SHELF.add
_AS_KEI = Parameter("as-kei", type=Type.FLAG)
_STORED = Parameter("stored", type=Type.FLAG)
_SESSION = Parameter("session", "a session", is_required=True)

_LONGEST = 120
_EVENT = "session at kind tool file_path is_error event_class message"


@_report(
    "events-of-class",
    "events of one class, optionally since a day; `as-kei`: counted as by KeiSeiKit",
    f"{_EVENT} path line",
    Parameter("class", "a class, such as tool_use:Bash", is_required=True),
    Parameter("since", type=Type.MOMENT),
    _AS_KEI,
)
def _events_of_class(store: KeiStore, given: Given) -> Rows:
    since = given.number("since")
    for path, event in _events(store):
        micros = _micros(event.at)
        is_since = since is None or (micros is not None and micros >= since)
        if is_since and _class(event, given) == given.text("class"):
            yield _row(event, path, _EVENT)


def _class(event: EventFound, given: Given) -> str | None:
    return event.upstream_class if given.has("as-kei") else event.event_class


@_report(
    "events-per-session",
    "events per session, with the median",
    "session events median",
    plot="events",
)
def _events_per_session(store: KeiStore, _given: Given) -> Rows:
    counts = Counter(event.session for _, event in _events(store))
    found = sorted(counts.items(), key=lambda c: (c[1], c[0] or ""))
    for place, (session, count) in enumerate(found):
        yield {"session": session, "events": count, "median": place == len(found) // 2}


@_report(
    "errors-per-session",
    "errors by session and time",
    "session at errors tools",
    plot="errors",
)
def _errors_per_session(store: KeiStore, _given: Given) -> Rows:
    failed = (
        event
        for _, event in _events(store)
        if event.is_error or event.event_class.startswith("tool_error")
    )
    by_time = groupby(failed, key=lambda event: (event.session, _iso(event.at)))
    for (session, at), found in by_time:
        tools = [event.tool for event in found]
        names = " ".join(sorted(set(filter(None, tools)))) or None
        yield {"session": session, "at": at, "errors": len(tools), "tools": names}


@_report(
    "task-median",
    "median duration of tasks with a word in their name",
    "word tasks median_s",
    Parameter("word", "a word from a task name", is_required=True),
    lists=lambda one: ("measures", {"kind": "task", "name": one["word"]}),
)
def _task_median(store: KeiStore, given: Given) -> Rows:
    word = given.text("word").casefold()
    found = [s for task, s in _timed(store) if word in (task.name or "").casefold()]
    yield {"word": given.text("word"), "tasks": len(found), "median_s": middle(found)}


def _timed(store: KeiStore) -> Iterator[tuple[MeasureFound, float]]:
    """Tasks recorded when done; those with a start and a stop do not count."""
    for _, measure in _measures(store, "task"):
        if measure.fields.get("shape") == TASK and measure.duration_s is not None:
            yield measure, measure.duration_s


_MOST = 20
_AGENT = ("id", "branch", "status", "model", "tokens_in", "tokens_out")


@_report(
    "token-outliers",
    "agents that used more than N tokens",
    "id tokens branch status model",
    Parameter("n", type=Type.NUMBER, usual="100000"),
    plot="tokens",
)
def _token_outliers(store: KeiStore, given: Given) -> Rows:
    bound = given.number("n") or 0
    agents = [row for *_, row in _rows(store, Role.LEDGER, "agents", *_AGENT)]
    for source in _sources(store, Role.AGENT_LINES):
        for piece in _pieces(store, source):
            agents += (dict(agent.columns) for agent in piece.agents)
    used = ((sum(whole(row.get(k)) or 0 for k in _AGENT[4:]), row) for row in agents)
    beyond = [found for found in used if found[0] > bound]
    for tokens_used, row in sorted(beyond, key=lambda f: (-f[0], str(f[1])))[:_MOST]:
        rest = {key: row.get(key) for key in _AGENT[1:4]}
        yield {"id": row.get("id"), "tokens": tokens_used, **rest}


@_report(
    "classes",
    "events per class; `as-kei`: counted as by KeiSeiKit",
    "event_class count",
    _AS_KEI,
    plot="count",
)
def _classes(store: KeiStore, given: Given) -> Rows:
    found = (_class(event, given) for _, event in _events(store))
    counts = Counter(name for name in found if name is not None)
    for name, count in sorted(counts.items(), key=lambda c: (-c[1], c[0])):
        yield {"event_class": name, "count": count}


_MOST_BINS = 1_000


def _of_bin(one: Row) -> Listed:
    ends = {"duration>=": one["from_s"], "duration<=": one["to_s"]}
    return "measures", {"kind": "session", **ends}


@_report(
    "session-durations",
    "histogram of session durations",
    "bucket from_s to_s count",
    Parameter("bins", type=Type.NUMBER, usual=str(BINS)),
    plot="count",
    lists=_of_bin,
)
def _session_durations(store: KeiStore, given: Given) -> Rows:
    bins = max(given.number("bins") or 1, 1)
    found = (measure.duration_s for _, measure in _measures(store, "session"))
    durations = [duration for duration in found if duration is not None]
    for one in histogram(durations, min(bins, _MOST_BINS)):
        bucket = f"{one.start:g}–{one.end:g} s"
        ends = {"from_s": one.start, "to_s": one.end}
        yield {"bucket": bucket, **ends, "count": one.size}


@_report(
    "task-medians",
    "median task duration by name prefix",
    "prefix tasks median_s",
    plot="median_s",
)
def _task_medians(store: KeiStore, _given: Given) -> Rows:
    found = defaultdict[str, list[float]](list)
    for task, duration in _timed(store):
        if task.name and task.name != task.id:
            found[task.name.partition("-")[0]].append(duration)
    for prefix, durations in sorted(found.items()):
        median = between(durations)
        yield {"prefix": prefix, "tasks": len(durations), "median_s": median}


@_report("commands", "every shell command that was run", "session at command path line")
def _commands(store: KeiStore, _given: Given) -> Rows:
    for path, event in _events(store):
        if event.command:  # lines with only an output have none
            row = _row(event, path, "session at command")
            yield row | {"command": event.command[:_LONGEST]}


def _of_session(one: Row) -> Listed:
    """The events of a session, with a tool, on a file, or with errors."""
    field = {"tool": "tool", "file": "file_path"}.get(str(one["what"]))
    more: Row = {field: one["name"]} if field else {}
    if one["what"] == "errors":
        more = {"is": "error"}
    return "events", {"session": one["session"], **more}


@_report(
    "retrospective",
    "duration, tools, errors and files of one session",
    "what name value session",
    _SESSION,
    lists=_of_session,
)
def _retrospective(store: KeiStore, given: Given) -> Rows:
    traces = _traces(store)
    stored = {e.session for _, e in _stored_events(store) if e.session}
    session = _one_session(
        given.text("session"), stored.union(name for name, _ in traces)
    )
    mine = [trace for name, trace in traces if name == session]
    if mine:
        events = (e for t in mine for piece in _pieces(store, t) for e in piece.events)
    else:
        events = (e for _, e in _stored_events(store) if e.session == session)
    found = look_back(events)
    values: list[tuple[str, str | None, float | None]] = [
        ("duration_s", None, found.seconds),
        ("events", None, found.events),
        ("tool calls", None, found.calls),
        ("errors", None, found.errors),
        *(("tool", tool, count) for tool, count in found.top_tools),
        *(("file", path, count) for path, count in found.top_files),
    ]
    return ((*told, session) for told in values)


@_report(
    "coaccess",
    "files touched together; `stored`: counts from the analyzer",
    "file_a file_b count",
    Parameter("file"),
    _STORED,
    plot="count",
)
def _coaccess(store: KeiStore, given: Given) -> Rows:
    pairs: list[tuple[str, str, int]] = []
    if given.has("stored"):
        rows = _rows(store, Role.DATABASE, "coaccess", "file_a", "file_b", "count")
        for *_, row in rows:
            first, second = text(row, "file_a") or "", text(row, "file_b") or ""
            pairs.append((first, second, whole(row.get("count")) or 0))
    else:
        touched = Coaccess()
        for _, event in _events(store):
            micros = _micros(event.at)
            if event.file_path and micros is not None:
                touched.touch(event.session or "", event.file_path, micros)
        pairs = [(p.first, p.second, count) for p, count in touched.counts.items()]
    for first, second, count in sorted(pairs, key=lambda p: (-p[2], *p)):
        if given.text("file") in first or given.text("file") in second:
            yield {"file_a": first, "file_b": second, "count": count}


_PATTERN = ("event_class", "session_id", "count", "first_seen_ts", "last_seen_ts")
_PATTERN_ROW = ("counts", "event_class", "session", "count", "first", "last")


@_report(
    "patterns",
    "recurring event classes; `stored`: counts from the analyzer",
    " ".join(_PATTERN_ROW),
    _STORED,
    plot="count",
    within="counts",
)
def _patterns(store: KeiStore, given: Given) -> Rows:
    found: list[tuple[Json, ...]] = []
    if given.has("stored"):
        rows = _rows(store, Role.DATABASE, "patterns", *_PATTERN)
        found = [("events", *map(row.get, _PATTERN)) for *_, row in rows]
    else:
        recurrence = Recurrence()
        for _, event in _events(store):
            recurrence.add(event.event_class, event.session or "", _micros(event.at))
        found = [("sessions", *astuple(r)) for r in recurrence.across_sessions()]
        found += (("events", *astuple(r)) for r in recurrence.within_sessions())
    for *facts, first, last in found:
        ends = (_iso(instant(first)), _iso(instant(last)))
        yield dict(zip(_PATTERN_ROW, (*facts, *ends), strict=True))


@_report(
    "similar",
    "sessions most similar to one",
    "session score",
    _SESSION,
    Parameter("n", type=Type.NUMBER, usual="5"),
    plot="score",
)
def _similar(store: KeiStore, given: Given) -> Rows:
    limit = given.number("n") or 0
    typed = _typed(store)
    session = _one_session(given.text("session"), typed)
    if not typed[session]:
        raise NothingFoundError(f"Session {session!r} has no typed prompts.")
    found = most_similar(session, typed, limit)
    return ({"session": other, "score": round(score, 6)} for other, score in found)


def _typed(store: KeiStore) -> dict[str, Counter[str]]:
    """The words typed in each session, or else those counted by the analyzer."""
    typed: dict[str, Counter[str]] = {}
    for session, trace in _traces(store):
        counts = typed.setdefault(session, Counter())
        for piece in _pieces(store, trace):
            for message in piece.messages:
                if message.kind in FROM_PEOPLE:
                    counts.update(tokens(message.text))
    traced = frozenset(typed)
    for *_, row in _rows(store, Role.DATABASE, "tokens", "session_id", "token", "tf"):
        name, token = text(row, "session_id"), text(row, "token")
        if name and token and name not in traced:
            typed.setdefault(name, Counter())[token] += whole(row.get("tf")) or 0
    return typed


@_report(
    "backlog",
    "to-do items from every backlog",
    "state date event_class count text path line",
)
def _backlog(store: KeiStore, _given: Given) -> Rows:
    for source in _sources(store, Role.BACKLOG):
        root, path = store.reach.of(source.path)
        words = root.read(path).raw.decode("utf-8", errors="replace")
        for line, item in read_backlog(words):
            yield {**asdict(item), "path": source.path, "line": line}
    columns = ("ts", "item", "processed")
    for path, line, row in _rows(store, Role.DATABASE, "backlog", *columns):
        yield {
            "state": "done" if row.get("processed") else "open",
            "date": _iso(instant(row.get("ts"))),
            "event_class": None,
            "count": None,
            "text": row.get("item"),
            "path": path,
            "line": line,
        }


@_report(
    "thread",
    "one session's lines as a tree",
    THREAD,
    _SESSION,
)
def _thread(store: KeiStore, given: Given) -> Rows:
    known = dict(reversed(_traces(store)))
    return threaded(_nodes(store, known[_one_session(given.text("session"), known)]))


def _nodes(store: KeiStore, trace: Source) -> Iterator[Row]:
    """Every line with an identifier, in line order."""
    for line, record in _records(store, trace):
        uuid = text(record, "uuid")
        if uuid:
            yield _node(uuid, line, record) | {"path": trace.path}


def _node(uuid: str, line: int, record: Record) -> Row:
    words = words_of(record) or ""
    return {
        "depth": 0,
        "type": text(record, "type", "kind") or OTHER,
        "at": _iso(valid_instant(record, "timestamp", "ts")),
        "text": " ".join(words[: 4 * _LONGEST].split())[:_LONGEST] if words else None,
        "note": None,
        "uuid": uuid,
        "parent": text(record, "parentUuid"),
        "line": line,
        "level": 0,
    }


@_report(
    "skills",
    "skills that agents used, with success counts",
    "skill uses succeeded failed mean_ms last",
    plot="uses",
)
def _skills(store: KeiStore, _given: Given) -> Rows:
    columns = ("skill_name", "ts", "success", "duration_ms")
    found = defaultdict[str, list[Record]](list)
    rows = [r for *_, r in _rows(store, Role.LEDGER, "skill_invocations", *columns)]
    for source in _sources(store, Role.SKILL_LINES):
        rows += (record for _, record in _records(store, source))
    for row in rows:
        name = text(row, "skill_name")
        if name:
            found[name].append(row)
    for name, uses in sorted(
        found.items(), key=lambda skill: (-len(skill[1]), skill[0])
    ):
        succeeded = sum(bool(use.get("success")) for use in uses)
        took = [
            ms for use in uses if (ms := number(use.get("duration_ms"))) is not None
        ]
        times = (instant(use.get("ts")) for use in uses)
        dated = [(at.micros, at.iso) for at in times if at and at.micros is not None]
        yield {
            "skill": name,
            "uses": len(uses),
            "succeeded": succeeded,
            "failed": len(uses) - succeeded,
            "mean_ms": sum(took) / len(took) if took else None,
            "last": max(dated, key=itemgetter(0))[1] if dated else None,
        }


_SECOND = 1_000_000


@_report(
    "running",
    "tasks, sessions and agents still running",
    "kind name id start running_s path line",
)
def _running(store: KeiStore, given: Given) -> Rows:
    found: list[tuple[Json, Json, Json, Instant | None, str, int]] = [
        (one.kind, one.name, one.id, one.start, path, one.line)
        for path, one in _measures(store, "task", "session")
        if one.fields.get("state") == RUNNING
    ]
    columns = ("id", "branch", "status", "started_ts")
    for path, line, row in _rows(store, Role.LEDGER, "agents", *columns):
        if row.get("status") == RUNNING:
            own, name = text(row, "id"), text(row, "branch")
            start = instant(row.get("started_ts"))
            found.append(("agent", name, own, start, path, line))
    for kind, name, own, start, path, line in found:
        micros = _micros(start)
        yield {
            "kind": kind,
            "name": name,
            "id": own,
            "start": _iso(start),
            "running_s": None if micros is None else (given.now - micros) // _SECOND,
            "path": path,
            "line": line,
        }


@_report(
    "claims",
    "claimed numbers with their evidence",
    "value tier pointer proof session at path line",
)
def _claims(store: KeiStore, _given: Given) -> Rows:
    proofs: dict[tuple[str, str] | None, str] = {}
    for path, found in _measures(store, "task", "session", "toolstats"):
        for name in filter(None, (found.id, found.name)):
            file = path.rpartition("/")[2]
            proofs.setdefault((file, name), f"{path}:{found.line}")
    for path, claim in _measures(store, "claim"):
        yield {
            "value": claim.metric,
            "tier": claim.source,
            "pointer": claim.pointer,
            "proof": proofs.get(points_to(claim.pointer or "")),
            "session": claim.session,
            "at": _iso(claim.at),
            "path": path,
            "line": claim.line,
        }


REPORTS = tuple(_SHELF.values())

"""Reports on sessions, event classes and related items."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import groupby
from typing import NamedTuple, Protocol

from store.derive.conversations import look_back, most_similar, tokens
from store.derive.events import Coaccess, Recurrence, Recurring
from store.derive.statistics import BINS, histogram
from store.errors import AmbiguousError, NothingFoundError, UnreadableError
from store.files.beneath import Root
from store.files.json_read import parse as parse_json_read
from store.files.json_read import read_lines
from store.files.sqlite import Database, open_database
from store.findings import START, EventFound, Findings, Json, Mark, MeasureFound
from store.formats.kei.databases import event_of, event_rows, rows_of
from store.formats.kei.journals import Record, instant, text, whole
from store.formats.kei.layout import COPY, Reach, Role
from store.formats.kei.traces import FROM_PEOPLE, session_of
from store.formats.port import Refused, Source
from store.times import parse

# The arguments of a report.

_SHOWN = 10


class Given(NamedTuple):
    """The arguments of a report."""

    word: str = ""
    number: int | None = None
    since: int | None = None
    """A time, in microseconds since 1970."""
    flagged: bool = False
    """Whether its flag is among them."""
    now: int = 0


def number_in(word: str) -> int | None:
    """A whole number from 0; None if it is anything else."""
    digits = word.replace("_", "").replace(",", "")
    is_one = digits.isascii() and digits.isdigit() and len(digits) < len("1" * 18)
    return int(digits) if is_one else None


def moment_in(word: str) -> int | None:
    """A time, in microseconds since 1970; None if it is anything else."""
    return parse(word).micros


def one_session(word: str, sessions: Iterable[str]) -> str:
    """The session given by its full name or a unique prefix."""
    known = sorted(set(sessions))
    if word in known:
        return word
    found = [name for name in known if name.startswith(word)]
    if not found:
        raise NothingFoundError(f"No session {word!r}.")
    if len(found) > 1:
        listed = ", ".join(found[:_SHOWN])
        raise AmbiguousError(f"{word!r} matches several sessions: {listed}.")
    return found[0]


# Data for reports: findings read piece by piece, never a whole store at once.

Row = dict[str, Json]
Rows = Iterator[Row]

_FIGURES = frozenset({Role.FIGURES, Role.TASKS, Role.MARKER})


class Asked(Protocol):
    """The store that a report reads."""

    reach: Reach

    def scan(self) -> Iterator[Source | Refused]:
        """The sources and refusals."""
        ...

    def read(self, source: Source, since: Mark = START) -> Findings:
        """Read one source."""
        ...


def sources(store: Asked, *roles: str) -> list[Source]:
    """The sources with these roles, copies included."""
    found = (one for one in store.scan() if isinstance(one, Source))
    return [one for one in found if one.role.removesuffix(COPY) in roles]


def pieces(store: Asked, source: Source) -> Iterator[Findings]:
    """All findings of a source, piece by piece."""
    piece = store.read(source)
    yield piece
    while piece.more:
        piece = store.read(source, piece.mark)
        yield piece


def traces(store: Asked) -> list[Source]:
    """The traces, sorted by session, copies after their originals."""
    found = sources(store, Role.TRACE)
    return sorted(found, key=lambda one: (session_of(one.path), len(one.path)))


def events(store: Asked) -> Iterator[tuple[str, EventFound]]:
    """Every event, with the path of its source.

    Events come from traces, and from the analyzer's database for sessions without a
    trace.
    """
    known: set[str] = set()
    for trace in traces(store):
        known.add(session_of(trace.path))
        for piece in pieces(store, trace):
            for event in piece.events:
                yield trace.path, event
    for path, event in stored_events(store):
        if event.session not in known:
            yield path, event


def measures(store: Asked, *kinds: str) -> Iterator[tuple[str, MeasureFound]]:
    """Every metric of these kinds, with the path of its source."""
    for source in sources(store, *_FIGURES):
        for piece in pieces(store, source):
            for measure in piece.measures:
                if measure.kind in kinds:
                    yield source.path, measure


def databases(store: Asked, role: Role) -> Iterator[tuple[str, Database]]:
    """The readable databases of a role, each closed before the next."""
    for source in sources(store, role):
        with suppress(UnreadableError):
            root, path = store.reach.of(source.path)
            with open_database(root, path) as database:
                yield source.path, database


def stored_events(store: Asked) -> Iterator[tuple[str, EventFound]]:
    """Events of the analyzer’s database, each once, with its path."""
    for path, database in databases(store, Role.DATABASE):
        seen: set[bytes] = set()
        for number, row in event_rows(database, 0, seen):
            yield path, event_of(number, row)


# The raw records of a journal, for reports on single lines.


def numbered(root: Root, path: str) -> Iterator[tuple[int, Record]]:
    """Every record with its line number; raises UnreadableError."""
    for line in read_lines(root, path):
        for value in parse_json_read(line.raw).values if line.raw else ():
            if isinstance(value, dict):
                yield line.number, value


# Reports on sessions: how many events, how long, what failed.

_ERROR = "tool_error"


def events_per_session(store: Asked, _given: Given) -> Rows:
    """The number of events per session, ascending; one row is the median."""
    counts = Counter(event.session for _, event in events(store))
    found = sorted(counts.items(), key=lambda c: (c[1], c[0] or ""))
    for place, (session, number) in enumerate(found):
        median = place == len(found) // 2
        yield {"session": session, "events": number, "median": median}


def errors_per_session(store: Asked, _given: Given) -> Rows:
    """The failures in each session: when, and how often."""
    failed = (event for _, event in events(store) if _is_error(event))
    for (session, at), found in groupby(failed, key=_when):
        tools = [event.tool for event in found]
        named = sorted({tool for tool in tools if tool})
        yield {
            "session": session,
            "at": at,
            "errors": len(tools),
            "tools": " ".join(named) or None,
        }


def session_durations(store: Asked, given: Given) -> Rows:
    """A histogram of the measured durations of sessions."""
    bins = BINS if given.number is None else max(given.number, 1)
    taken = (measure for _, measure in measures(store, "session"))
    durations = [m.duration_s for m in taken if m.duration_s is not None]
    for one in histogram(durations, min(bins, 1_000)):
        yield {
            "bucket": f"{one.start:g}–{one.end:g} s",
            "from_s": one.start,
            "to_s": one.end,
            "count": one.size,
        }


def retrospective(store: Asked, given: Given) -> Rows:
    """One session: its duration, tools, errors and files."""
    return _look_back(store, one_session(given.word, known_sessions(store)))


def _look_back(store: Asked, session: str) -> Rows:
    found = look_back(_events_of(store, session))
    yield _row("duration_s", None, found.seconds)
    yield _row("events", None, found.events)
    yield _row("tool calls", None, found.calls)
    yield _row("errors", None, found.errors)
    for tool, number in found.top_tools:
        yield _row("tool", tool, number)
    for path, number in found.top_files:
        yield _row("file", path, number)


def known_sessions(store: Asked) -> set[str]:
    """Every session that has events."""
    sessions = {session_of(trace.path) for trace in traces(store)}
    return sessions | {e.session for _, e in stored_events(store) if e.session}


def _events_of(store: Asked, session: str) -> Iterator[EventFound]:
    found = [t for t in traces(store) if session_of(t.path) == session]
    for trace in found:
        for piece in pieces(store, trace):
            yield from piece.events
    if not found:
        yield from (e for _, e in stored_events(store) if e.session == session)


def _row(what: str, name: str | None, value: float | None) -> Row:
    return {"what": what, "name": name, "value": value}


def _is_error(event: EventFound) -> bool:
    return event.is_error or event.event_class.startswith(_ERROR)


def _when(event: EventFound) -> tuple[str | None, str | None]:
    return event.session, event.at.iso if event.at else None


# Reports on event classes, and on commands.

_LONGEST_COMMAND = 120


def events_of_class(store: Asked, given: Given) -> Rows:
    """The events of one class, optionally since a day."""
    for path, event in events(store):
        if _class(event, as_kei=given.flagged) == given.word and _is_since(
            event, given.since
        ):
            yield {**_told(event), "path": path, "line": event.line}


def classes(store: Asked, given: Given) -> Rows:
    """The frequency of each class, in descending order."""
    found = (_class(event, as_kei=given.flagged) for _, event in events(store))
    counts = Counter(name for name in found if name is not None)
    for name, count in sorted(counts.items(), key=lambda c: (-c[1], c[0])):
        yield {"event_class": name, "count": count}


def commands(store: Asked, _given: Given) -> Rows:
    """Every shell command, shortened; lines with only an output have none."""
    for path, event in events(store):
        if event.command:
            yield {
                "session": event.session,
                "at": event.at.iso if event.at else None,
                "command": event.command[:_LONGEST_COMMAND],
                "path": path,
                "line": event.line,
            }


def _class(event: EventFound, *, as_kei: bool) -> str | None:
    return event.upstream_class if as_kei else event.event_class


def _is_since(event: EventFound, since: int | None) -> bool:
    if since is None:
        return True
    return bool(event.at and event.at.micros is not None and event.at.micros >= since)


def _told(event: EventFound) -> Row:
    return {
        "session": event.session,
        "at": event.at.iso if event.at else None,
        "kind": event.kind,
        "tool": event.tool,
        "file_path": event.file_path,
        "is_error": event.is_error,
        "event_class": event.event_class,
        "message": event.message,
    }


# Reports on related files, event classes and sessions.

_SIMILAR = 5


def coaccess(store: Asked, given: Given) -> Rows:
    """Files touched within five minutes of each other, and how often."""
    pairs = _stored_pairs(store) if given.flagged else _pairs(store)
    found = [pair for pair in pairs if given.word in pair[0] or given.word in pair[1]]
    for one, other, number in sorted(found, key=lambda p: (-p[2], p[0], p[1])):
        yield {"file_a": one, "file_b": other, "count": number}


def patterns(store: Asked, given: Given) -> Rows:
    """Event classes that recur within one session or across several."""
    if given.flagged:
        yield from _stored_patterns(store)
        return
    recurrence = Recurrence()
    for _, event in events(store):
        micros = event.at.micros if event.at else None
        recurrence.add(event.event_class, event.session or "", micros)
    for one in recurrence.across_sessions():
        yield _pattern("sessions", one)
    for one in recurrence.within_sessions():
        yield _pattern("events", one)


def similar(store: Asked, given: Given) -> Rows:
    """The sessions most similar to one, by the words typed in them."""
    limit = _SIMILAR if given.number is None else given.number
    typed = _typed(store)
    session = one_session(given.word, typed)
    if not typed[session]:
        raise NothingFoundError(f"Session {session!r} has no typed prompts.")
    found = most_similar(session, typed, limit)
    return ({"session": other, "score": round(score, 6)} for other, score in found)


def _pairs(store: Asked) -> Iterator[tuple[str, str, int]]:
    found = Coaccess()
    for _, event in events(store):
        if event.file_path and event.at and event.at.micros is not None:
            found.touch(event.session or "", event.file_path, event.at.micros)
    return ((p.first, p.second, number) for p, number in found.counts.items())


def _stored_pairs(store: Asked) -> Iterator[tuple[str, str, int]]:
    for _, database in databases(store, Role.DATABASE):
        for _, row in rows_of(database, "coaccess", ("file_a", "file_b", "count")):
            one, other = text(row, "file_a") or "", text(row, "file_b") or ""
            yield one, other, whole(row.get("count")) or 0


def _stored_patterns(store: Asked) -> Rows:
    columns = ("event_class", "session_id", "count", "first_seen_ts", "last_seen_ts")
    for _, database in databases(store, Role.DATABASE):
        for _, row in rows_of(database, "patterns", columns):
            first_seen = instant(row.get("first_seen_ts"))
            last_seen = instant(row.get("last_seen_ts"))
            yield {
                "counts": "events",
                "event_class": row.get("event_class"),
                "session": row.get("session_id"),
                "count": row.get("count"),
                "first": first_seen.iso if first_seen else None,
                "last": last_seen.iso if last_seen else None,
            }


def _pattern(counts: str, one: Recurring) -> Row:
    return {
        "counts": counts,
        "event_class": one.event_class,
        "session": one.session,
        "count": one.count,
        "first": None if one.first is None else parse(one.first).iso,
        "last": None if one.last is None else parse(one.last).iso,
    }


def _typed(store: Asked) -> dict[str, Counter[str]]:
    """The words typed in each session, or else those counted by the analyzer."""
    typed: dict[str, Counter[str]] = {}
    for trace in traces(store):
        counts = typed.setdefault(session_of(trace.path), Counter())
        for piece in pieces(store, trace):
            for message in piece.messages:
                if message.kind in FROM_PEOPLE:
                    counts.update(tokens(message.text))
    traced = frozenset(typed)
    for _, database in databases(store, Role.DATABASE):
        for _, row in rows_of(database, "tokens", ("session_id", "token", "tf")):
            session, token = text(row, "session_id"), text(row, "token")
            if session and token and session not in traced:
                times = whole(row.get("tf")) or 0
                typed.setdefault(session, Counter())[token] += times
    return typed

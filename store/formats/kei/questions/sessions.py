"""Questions about sessions: how much happened, how long, what went wrong."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from store.derive.duration_figures import BINS, histogram
from store.derive.retrospective import look_back
from store.findings import EventFound
from store.formats.kei.questions.material import (
    Asked,
    Row,
    Rows,
    events,
    measures,
    pieces,
    stored_events,
    traces,
)
from store.formats.kei.questions.words import (
    at_most,
    count,
    first,
    none_of,
    one_session,
)
from store.formats.kei.traces import session_of

_ERROR = "tool_error"


def events_per_session(store: Asked, words: Sequence[str], now: int) -> Rows:
    """How many events each session has, the fewest first; one is the median."""
    del now
    none_of("events-per-session", words)

    def rows() -> Rows:
        counts = Counter(event.session for _, event in events(store))
        found = sorted(counts.items(), key=lambda c: (c[1], c[0] or ""))
        for place, (session, number) in enumerate(found):
            median = place == len(found) // 2
            yield {"session": session, "events": number, "median": median}

    return rows()


def errors_per_session(store: Asked, words: Sequence[str], now: int) -> Rows:
    """When something went wrong in each session, and how often at that time."""
    del now
    none_of("errors-per-session", words)

    def rows() -> Rows:
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

    return rows()


def session_durations(store: Asked, words: Sequence[str], now: int) -> Rows:
    """How many of the times that were taken of sessions lie between which bounds."""
    del now
    name = "session-durations"
    at_most(name, words, 1)
    bins = max(count(name, words[0]), 1) if words else BINS

    def rows() -> Rows:
        taken = (measure for _, measure in measures(store, "session"))
        durations = [m.duration_s for m in taken if m.duration_s is not None]
        for one in histogram(durations, min(bins, 1_000)):
            yield {
                "bucket": f"{one.start:g}–{one.end:g} s",
                "from_s": one.start,
                "to_s": one.end,
                "count": one.size,
            }

    return rows()


def retrospective(store: Asked, words: Sequence[str], now: int) -> Rows:
    """One session: how long it lasted, its tools, errors and files."""
    del now
    name = "retrospective"
    word = first(name, words, "a session")
    at_most(name, words, 1)
    session = one_session(word, known_sessions(store))

    def rows() -> Rows:
        found = look_back(_events_of(store, session))
        yield _row("duration_s", None, found.seconds)
        yield _row("events", None, found.events)
        yield _row("tool calls", None, found.calls)
        yield _row("errors", None, found.errors)
        for tool, number in found.top_tools:
            yield _row("tool", tool, number)
        for path, number in found.top_files:
            yield _row("file", path, number)

    return rows()


def known_sessions(store: Asked) -> set[str]:
    """Every session that there are events of."""
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

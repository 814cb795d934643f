"""Questions about what belongs together: files, classes of events, sessions."""

from collections import Counter
from collections.abc import Iterator, Sequence

from store.derive.coaccess import Coaccess
from store.derive.recurrence import Recurrence, Recurring
from store.derive.similarity import most_similar, tokens
from store.errors import NothingFoundError
from store.formats.kei.layout import Role
from store.formats.kei.questions.material import (
    Asked,
    Row,
    Rows,
    databases,
    events,
    pieces,
    traces,
)
from store.formats.kei.questions.words import at_most, count, first, flag, one_session
from store.formats.kei.tables import rows_of
from store.formats.kei.trace_events import FROM_PEOPLE
from store.formats.kei.traces import session_of
from store.formats.kei.values import instant, text, whole
from store.times import parse

_STORED = "stored"
_SIMILAR = 5


def coaccess(store: Asked, words: Sequence[str], now: int) -> Rows:
    """Files that are touched within five minutes of each other, and how often."""
    del now
    rest, stored = flag(words, _STORED)
    at_most("coaccess", rest, 1)
    wanted = rest[0] if rest else ""

    def rows() -> Rows:
        pairs = _stored_pairs(store) if stored else _pairs(store)
        found = [pair for pair in pairs if wanted in pair[0] or wanted in pair[1]]
        for one, other, number in sorted(found, key=lambda p: (-p[2], p[0], p[1])):
            yield {"file_a": one, "file_b": other, "count": number}

    return rows()


def patterns(store: Asked, words: Sequence[str], now: int) -> Rows:
    """Classes of events that recur, in one session or in several."""
    del now
    rest, stored = flag(words, _STORED)
    at_most("patterns", rest, 0)

    def rows() -> Rows:
        if stored:
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

    return rows()


def similar(store: Asked, words: Sequence[str], now: int) -> Rows:
    """The sessions that are most like one, by the words that were typed in them."""
    del now
    name = "similar"
    word = first(name, words, "a session")
    at_most(name, words, 2)
    limit = count(name, words[1]) if words[1:] else _SIMILAR
    typed = _typed(store)
    session = one_session(word, typed)
    if not typed[session]:
        raise NothingFoundError(f"Nothing was typed in session {session!r}.")

    def rows() -> Rows:
        for other, score in most_similar(session, typed, limit):
            yield {"session": other, "score": round(score, 6)}

    return rows()


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
    """How often each word was typed in each session; else as the analyzer counted."""
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

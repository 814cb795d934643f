"""Questions about classes of events, and the commands that were run."""

from collections import Counter
from collections.abc import Sequence

from store.derive.retrospective import CALLS
from store.findings import EventFound
from store.formats.kei.questions.material import Asked, Row, Rows, events
from store.formats.kei.questions.words import at_most, first, flag, moment, none_of

_AS_KEI = "as-kei"
_LONGEST_COMMAND = 120


def events_of_class(store: Asked, words: Sequence[str], now: int) -> Rows:
    """The events of one class, since a day where one is named."""
    del now
    name = "events-of-class"
    rest, as_kei = flag(words, _AS_KEI)
    wanted = first(name, rest, "a class, such as tool_use:Bash")
    at_most(name, rest, 2)
    since = moment(name, rest[1]) if rest[1:] else None

    def rows() -> Rows:
        for path, event in events(store):
            if _class(event, as_kei=as_kei) == wanted and _is_since(event, since):
                yield {**_told(event), "path": path, "line": event.line}

    return rows()


def classes(store: Asked, words: Sequence[str], now: int) -> Rows:
    """How often each class came, the most frequent first."""
    del now
    rest, as_kei = flag(words, _AS_KEI)
    none_of("classes", rest)

    def rows() -> Rows:
        found = (_class(event, as_kei=as_kei) for _, event in events(store))
        counts = Counter(name for name in found if name is not None)
        for name, count in sorted(counts.items(), key=lambda c: (-c[1], c[0])):
            yield {"event_class": name, "count": count}

    return rows()


def commands(store: Asked, words: Sequence[str], now: int) -> Rows:
    """Every command that was run in a shell, the beginning of each."""
    del now
    none_of("commands", words)

    def rows() -> Rows:
        for path, event in events(store):
            if event.tool == "Bash" and event.kind in CALLS and event.message:
                yield {
                    "session": event.session,
                    "at": event.at.iso if event.at else None,
                    "command": event.message[:_LONGEST_COMMAND],
                    "path": path,
                    "line": event.line,
                }

    return rows()


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

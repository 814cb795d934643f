"""What a session was, looking back: how long, which tools, what went wrong."""

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct, field

from store.findings import EventFound

CALLS = frozenset({"assistant", "tool_use"})
"""The kinds of lines that call tools; others with a tool bring its answer."""

TOP_TOOLS, TOP_FILES = 5, 10
_SECOND = 1_000_000


class Retrospective(Struct):
    """A session's figures."""

    events: int = 0
    calls: int = 0
    errors: int = 0
    first: int | None = None
    last: int | None = None
    """When the first and last event was, in microseconds since 1970."""
    tools: Counter[str] = field(default_factory=Counter[str])
    files: Counter[str] = field(default_factory=Counter[str])

    @property
    def seconds(self) -> float | None:
        """How long it lasted; None where no event tells a time."""
        if self.first is None or self.last is None:
            return None
        return (self.last - self.first) / _SECOND

    @property
    def top_tools(self) -> list[tuple[str, int]]:
        """The tools that were called most, the most first."""
        return most(self.tools, TOP_TOOLS)

    @property
    def top_files(self) -> list[tuple[str, int]]:
        """The files that were touched most, the most first."""
        return most(self.files, TOP_FILES)


def look_back(events: Iterable[EventFound]) -> Retrospective:
    """The figures of the session that these events are of."""
    found = Retrospective()
    for event in events:
        found.events += 1
        found.errors += event.is_error
        if event.tool and event.kind in CALLS:
            found.calls += 1
            found.tools[event.tool] += 1
        if event.file_path:
            found.files[event.file_path] += 1
        if event.at and event.at.micros is not None:
            at = event.at.micros
            found.first = at if found.first is None else min(at, found.first)
            found.last = at if found.last is None else max(at, found.last)
    return found


def most(counts: Counter[str], limit: int) -> list[tuple[str, int]]:
    """The highest counts; names in order where counts are equal."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:limit]

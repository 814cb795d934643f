"""Classes of events that recur: within one session, or in several."""

from collections.abc import Callable, Iterable

from msgspec import Struct

OFTEN = 2
"""From how many times on something recurs."""


class Recurring(Struct):
    """How often a class came, and when first and last."""

    event_class: str
    session: str | None
    """The session; None where it is counted in how many sessions it came."""
    count: int
    first: int | None = None
    last: int | None = None
    """In microseconds since 1970."""


class Recurrence:
    """Counts classes by session."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], Recurring] = {}

    def add(self, event_class: str, session: str, micros: int | None) -> None:
        """Count an event."""
        key = (event_class, session)
        one = self._found.setdefault(key, Recurring(event_class, session, 0))
        one.count += 1
        if micros is not None:
            one.first = micros if one.first is None else min(one.first, micros)
            one.last = micros if one.last is None else max(one.last, micros)

    def within_sessions(self) -> list[Recurring]:
        """What came more than once in one session, the most frequent first."""
        return _ordered(self._found.values())

    def across_sessions(self) -> list[Recurring]:
        """What came in more than one session, by the number of sessions."""
        across: dict[str, Recurring] = {}
        for one in self._found.values():
            whole = across.setdefault(
                one.event_class, Recurring(one.event_class, None, 0)
            )
            whole.count += 1
            whole.first = _extreme(min, whole.first, one.first)
            whole.last = _extreme(max, whole.last, one.last)
        return _ordered(across.values())


def _extreme(
    choose: Callable[..., int], one: int | None, other: int | None
) -> int | None:
    known = [value for value in (one, other) if value is not None]
    return choose(known) if known else None


def _ordered(found: Iterable[Recurring]) -> list[Recurring]:
    often = (one for one in found if one.count >= OFTEN)
    return sorted(often, key=lambda o: (-o.count, o.event_class, o.session or ""))

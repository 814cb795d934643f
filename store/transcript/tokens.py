"""What an API message cost, told by each of its lines anew."""

from store.findings import Json, Tokens
from store.transcript.record import Record

SYNTHETIC = "<synthetic>"
"""The model of messages that no model wrote."""
_MOST = 2**53


def tokens_of(message: Record, known: Tokens | None = None) -> Tokens | None:
    """What a message cost, as this line and those before tell it; None for nothing.

    Its lines count on, so of two figures the greater one is right.
    """
    usage = message.get("usage")
    if not isinstance(usage, dict) or message.get("model") == SYNTHETIC:
        return known
    told = (
        usage.get("input_tokens"),
        usage.get("output_tokens"),
        usage.get("cache_read_input_tokens"),
        usage.get("cache_creation_input_tokens"),
    )
    if told == known:
        return known
    found = Tokens(*map(_count, told))
    return most(known, found if any(found) else None)


def most(first: Tokens | None, second: Tokens | None) -> Tokens | None:
    """What a message cost by two of its parts."""
    if first is None or second is None or first == second:
        return first or second
    return Tokens(*map(max, first, second))


def _count(value: Json) -> int:
    return value if type(value) is int and 0 < value < _MOST else 0

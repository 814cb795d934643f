"""Two texts that come of one: how each differs from it, and both put together."""

from merge3 import Merge3

from store.derive.difference import difference
from store.records.reports import Plan, Step


def merged(base: bytes, mine: bytes, theirs: bytes) -> bytes:
    """The text of both, with marks where a person has to decide."""
    parts = (raw.splitlines(keepends=True) for raw in (base, mine, theirs))
    base_lines, my_lines, their_lines = parts
    lines = Merge3(base_lines, my_lines, their_lines).merge_lines(
        name_a=b"mine",
        name_b=b"theirs",
        start_marker=b"<<<<<<<",
        mid_marker=b"=======",
        end_marker=b">>>>>>>",
    )
    return b"".join(lines)


def difference_of(before: bytes, after: bytes) -> Plan:
    """What a text is other than it was, as a plan shows it."""
    was, now = (raw.decode("utf-8", "replace") for raw in (before, after))
    step = Step(path="", before=was, after=now, diff=difference("text", was, now))
    return Plan(action="", steps=(step,), warnings=())

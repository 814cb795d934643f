"""Conversations and their spans, for tests of the timeline."""

from array import array
from collections.abc import Sequence
from datetime import UTC, datetime

from hypothesis import strategies as st
from msgspec.structs import replace

from store.derive.conversations import Tokens
from store.derive.statistics import ALONE, NEVER, UNDATED, Keeping, Spans
from store.kinds.conversations import Conversation

MINUTE = 60_000_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR

_CONVERSATION = Conversation(
    ref="conversation:1",
    store="/stores/claude/projects",
    session="s1",
    source="-home-mira-kiln/s1.jsonl",
    project="kiln",
    cwd="/home/mira/kiln",
    branch="main",
    title="Redis timeouts on the build host",
    first=None,
    last=None,
    entries=20,
    messages=42,
    prompts=4,
    tools=12,
    tool_errors=0,
    status="archived",
    tokens=Tokens(input=1000, output=2000, cache_read=80_000, cache_creation=4000),
    models=("claude-opus-4-6",),
    files_written=(),
    compactions=0,
    parent=None,
)


def at(day: int, clock: str) -> int:
    """An instant of March 2026 in UTC."""
    hour, _, minute = clock.partition(":")
    moment = datetime(2026, 3, day, int(hour), int(minute), tzinfo=UTC)
    return int(moment.timestamp()) * 1_000_000


def a_conversation(**fields: object) -> Conversation:
    return replace(_CONVERSATION, **fields)


def spans_of(
    rows: Sequence[tuple[int, int]],
    parents: Sequence[int] = (),
    messages: Sequence[int] = (),
    leaves: Sequence[int] = (),
    kept: Sequence[Keeping] = (),
) -> Spans:
    """Spans from starts and ends."""
    count = len(rows)
    return Spans(
        array("q", [begin for begin, _ in rows]),
        array("q", [end for _, end in rows]),
        array("q", parents or [ALONE] * count),
        array("q", messages or [10] * count),
        array("q", leaves or [NEVER] * count),
        array("b", kept or [Keeping.NOTHING] * count),
    )


@st.composite
def any_spans(draw: st.DrawFn) -> Spans:
    """Spans of all kinds: undated, across midnight, parallel, distant, cyclic."""
    count = draw(st.integers(0, 12))
    begin = st.one_of(
        st.just(UNDATED),
        st.integers(0, 20 * DAY),
        st.integers(-(10**17), 10**17),
        st.integers(-(2**62), 2**62),
    )
    rows: list[tuple[int, int]] = []
    for _ in range(count):
        since = draw(begin)
        lasted = draw(st.integers(0, 3 * DAY))
        rows.append((since, since if since == UNDATED else since + lasted))
    parents = [draw(st.integers(ALONE, count - 1)) for _ in range(count)]
    messages = [draw(st.integers(0, 500)) for _ in range(count)]
    return spans_of(rows, parents, messages)

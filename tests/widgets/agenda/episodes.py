"""Episodes as the library returns them."""

from msgspec.structs import replace

from store.kinds.pages import Episode

_EPISODE = Episode(
    ref="episode:1",
    store="/stores/cognitive",
    date="2026-02-20",
    time="09:02",
    title="Missing timeouts cause incidents",
    type="insight",
    tags=("redis", "timeout"),
    summary="Three incidents share one root cause:\na client without a timeout.",
    memory="memory:1",
    link="../graph/insights/most-production-incidents-a9ec03.md",
    path="episodes/2026-02-20.md",
    line=3,
)


def an_episode(**changes: object) -> Episode:
    """An episode, with something in every field."""
    return replace(_EPISODE, **changes)


DAYS = (
    an_episode(ref="1", time="14:05", title="Redis keepalive", type="solution"),
    an_episode(ref="2", time="11:15", title="WebSocket", summary=None, memory=None),
    an_episode(ref="3", title="Missing timeouts", tags=()),
    an_episode(ref="4", date="2026-02-19", title="Quiet", summary=None, link=None),
    an_episode(ref="5", date="2026-02-01", time=None, title="Long ago", type=None),
)
"""Entries of three days, the newest first."""

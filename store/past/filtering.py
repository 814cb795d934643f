"""Of what a source holds now, what it held at a time, told by what is dated in it."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TypeVar

from msgspec.structs import replace

from store.findings import EpisodeFound, Findings, MeasureFound
from store.times import Instant, parse

Found = TypeVar("Found")


def findings_at(findings: Findings, at: int) -> Findings:
    """The findings without what came later; what has no date stays."""
    return replace(
        findings,
        memories=_until(at, findings.memories, lambda one: one.created),
        claims=_until(at, findings.claims, lambda one: one.created),
        episodes=_until(at, findings.episodes, _told_at),
        accesses=_until(at, findings.accesses, lambda one: one.last),
        messages=_until(at, findings.messages, lambda one: one.at),
        conversations=_until(at, findings.conversations, lambda one: one.first),
        events=_until(at, findings.events, lambda one: one.at),
        measures=_until(at, findings.measures, _measured_at),
        agents=_until(at, findings.agents, lambda one: one.started),
    )


def _until(
    at: int, found: Iterable[Found], when: Callable[[Found], Instant | None]
) -> tuple[Found, ...]:
    return tuple(one for one in found if _is_by(when(one), at))


def _is_by(instant: Instant | None, at: int) -> bool:
    """Whether something is from before a time, or nobody can tell."""
    return instant is None or instant.micros is None or instant.micros <= at


def _told_at(episode: EpisodeFound) -> Instant | None:
    """When an entry was told, by the clock on the wall; without a time, at midnight."""
    try:
        spelt = f"{episode.date} {(episode.time or '00:00').strip()}"
        return parse(datetime.fromisoformat(spelt).astimezone().isoformat())
    except (ValueError, OverflowError, OSError):
        return None


def _measured_at(measure: MeasureFound) -> Instant | None:
    return measure.start or measure.at or measure.end

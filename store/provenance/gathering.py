"""All that is known of how a file came to be, put in order and replayed."""

from collections.abc import Iterable
from dataclasses import dataclass

from store.derive.whereabouts import Placed
from store.provenance.made import Made, Past, Told
from store.provenance.replay import replay

_EXACT = frozenset({"call", "change"})
"""What is told as it was done, at the moment at which it was done."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """The changes of a file, each kind in order of time."""

    done: tuple[Made, ...]
    """Calls of tools, and changes made from here."""
    commits: tuple[Made, ...]
    """Commits: each tells how the file was by then, whoever had changed it."""
    commands: tuple[Told, ...]
    """Commands that may have changed it."""
    notices: tuple[str, ...] = ()
    """What was in the way of knowing more."""


def replayed(told: Iterable[Told]) -> tuple[Made, ...]:
    """The changes that were told as they were done, in order of time, with texts."""
    exact = [one for one in told if one.maker.by in _EXACT]
    return _replayed(sorted(exact, key=lambda one: one.maker.moment or 0))


def gather(pasts: Iterable[Past], place: Placed, until: int | None = None) -> Gathered:
    """What everybody who knows something tells of a file, until a moment or at all."""
    asked = list(pasts)
    told = [
        one
        for past in asked
        for one in past.changes_of(place)
        if until is None or (one.maker.moment or 0) <= until
    ]
    told.sort(key=lambda one: one.maker.moment or 0)
    return Gathered(
        done=_replayed(one for one in told if one.maker.by in _EXACT),
        commits=_replayed(one for one in told if one.maker.by == "commit"),
        commands=tuple(one for one in told if one.maker.by == "command"),
        notices=tuple(past.notice for past in asked if past.notice),
    )


def _replayed(told: Iterable[Told]) -> tuple[Made, ...]:
    """The changes with their texts, as far as these follow from one another."""
    several = list(told)
    replayed = replay(one.call for one in several)
    return tuple(
        Made(one.maker, done.before, done.after, done.edits)
        for one, done in zip(several, replayed, strict=True)
    )

"""All that is known of how a file came to be, put in order and replayed."""

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from store.derive.whereabouts import Placed
from store.provenance.made import Made, Past, Told
from store.provenance.replay import replay

_EXACT = frozenset({"call", "change"})
"""What is told as it was done, at the moment at which it was done."""


class Gathered(Struct, frozen=True):
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
    return _replayed(sorted(exact, key=_moment))


def gather(pasts: Iterable[Past], place: Placed, until: int | None = None) -> Gathered:
    """What everybody who knows something tells of a file, until a moment or at all."""
    asked = list(pasts)
    told = _told(asked, place, until)
    told.sort(key=_moment)
    return Gathered(
        done=_replayed(one for one in told if one.maker.by in _EXACT),
        commits=_replayed(one for one in told if one.maker.by == "commit"),
        commands=tuple(one for one in told if one.maker.by == "command"),
        notices=tuple(dict.fromkeys(past.notice for past in asked if past.notice)),
    )


def _told(pasts: Sequence[Past], place: Placed, until: int | None) -> list[Told]:
    """What is told of a file, and of what it was before it got its name.

    A file that it was before counts until then: another may go by that name now. Where
    it went from there it did not end, and a commit may be told under both names.
    """
    found: list[tuple[Placed, Told]] = []
    bounds: dict[Placed, int | None] = {place: None if until is None else until + 1}
    names = [place]
    for name in names:
        bound = bounds[name]
        for one in (one for past in pasts for one in past.changes_of(name)):
            if bound is None or _moment(one) < bound:
                found.append((name, one))
                if one.origin and one.origin not in bounds:
                    bounds[one.origin] = _moment(one)
                    names.append(one.origin)
    went = {(one.origin, _moment(one)) for _, one in found if one.origin}
    told = [one for name, one in found if (name, _moment(one)) not in went]
    commits = {one.maker.ref: one for one in told if one.maker.by == "commit"}
    return [*commits.values(), *(one for one in told if one.maker.by != "commit")]


def _moment(told: Told) -> int:
    return told.maker.moment or 0


def discreet(known: Gathered, shown: Callable[[str], str]) -> Gathered:
    """The same with its texts as people may see them; an edit is a part of a text."""

    def text(told: str | None) -> str | None:
        return None if told is None else shown(told)

    def told(made: Made) -> Made:
        return Made(made.maker, text(made.before), text(made.after))

    return replace(
        known,
        done=tuple(map(told, known.done)),
        commits=tuple(map(told, known.commits)),
    )


def _replayed(told: Iterable[Told]) -> tuple[Made, ...]:
    """The changes with their texts, as far as these follow from one another."""
    several = list(told)
    replayed = replay(one.call for one in several)
    return tuple(
        Made(one.maker, done.before, done.after, done.edits)
        for one, done in zip(several, replayed, strict=True)
    )

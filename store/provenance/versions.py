"""Versions: every change of a file that is known, with what it changed."""

from collections.abc import Iterator

from store.derive.difference import difference
from store.derive.whereabouts import Placed
from store.provenance.gathering import Gathered
from store.provenance.made import Made, Maker
from store.records.version import Version
from store.times import parse

_HEAD = 2
"""Lines of a diff that name the file."""

OUTSIDE = "changed by something unknown"


def versions(
    place: Placed, text: str | None, changed: int | None, known: Gathered
) -> list[Version]:
    """The changes of a file, the newest first.

    Where its text is not what the last of them left, something else changed it since:
    that is told as well, with the moment at which it was changed last.
    """
    made = [*known.done, *known.commits]
    made += [Made(one.maker, None, None) for one in known.commands]
    made += _since(text, changed, known)
    made.sort(key=lambda one: one.maker.moment or 0, reverse=True)
    return [_version(place, one) for one in made]


def _since(text: str | None, changed: int | None, known: Gathered) -> Iterator[Made]:
    """What happened after all that is told, if anything did."""
    ends = [made[-1] for made in (known.done, known.commits) if made]
    if not ends or text is None or any(end.after in {text, None} for end in ends):
        return
    last = max(ends, key=lambda one: one.maker.moment or 0)
    at = None if changed is None else parse(changed).iso
    maker = Maker(by="unknown", what=OUTSIDE, at=at, moment=changed)
    yield Made(maker, last.after, text)


def _version(place: Placed, made: Made) -> Version:
    maker = made.maker
    diffs = list(_diffs(place.path, made))
    return Version(
        by=maker.by,
        what=maker.what,
        who=maker.who,
        at=maker.at,
        ref=maker.ref,
        conversation=maker.conversation,
        session=maker.session,
        store=place.store,
        path=place.path,
        added=_count(diffs, "+"),
        removed=_count(diffs, "-"),
        diff="".join(diffs) if diffs else None,
    )


def _diffs(name: str, made: Made) -> Iterator[str]:
    """What a change changed; of an edit in a text that is not known, the edit alone."""
    if made.after is not None and made.before is not None:
        yield difference(name, made.before or None, made.after)
    elif made.after is not None and not made.edits:
        yield difference(name, None, made.after)
    else:
        yield from (difference(name, edit.old, edit.new) for edit in made.edits)


def _count(diffs: list[str], sign: str) -> int | None:
    """How many lines of diffs have a sign, those left out that name the file."""
    if not diffs:
        return None
    lines = (line for diff in diffs for line in diff.split("\n")[_HEAD:])
    return sum(line.startswith(sign) for line in lines)

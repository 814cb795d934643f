"""What became of a file since a time, as far as anything tells."""

import re
from collections.abc import Sequence
from enum import Enum, auto

from msgspec import Struct, field

from store.formats.port import Source
from store.past.moment import moment_of_day
from store.provenance.git.trees import Tree
from store.provenance.made import Made

_DAY = re.compile(r"(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)", re.ASCII)


class Fate(Enum):
    """How a file of now is to be taken for one of then."""

    ABSENT = auto()
    """It was not there."""
    SAME = auto()
    """It was as it is."""
    DATED = auto()
    """It changed since; what is dated in it tells what was there."""


class Left(Struct, frozen=True):
    """What commands tell of files that were deleted or got another name."""

    since: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    """When those went that are there no more: once, or several times."""
    arrived: dict[str, int] = field(default_factory=dict[str, int])
    """When those came that had another name before."""


class Known(Struct, frozen=True):
    """All that is known of the files of a store."""

    at: int
    """The time that is looked at."""
    sources: dict[str, Source]
    """The files that are there now."""
    made: dict[str, Sequence[Made]] = field(default_factory=dict[str, Sequence[Made]])
    """What calls and changes made of files, in order of time."""
    tree: Tree | None = None
    """What was committed, where the store is in git."""
    committed: dict[str, bytes] = field(default_factory=dict[str, bytes])
    """The contents of what was committed."""
    left: Left = field(default_factory=Left)
    """When files were taken away, or came."""


def decided(known: Known, path: str) -> bytes | Fate:
    """What a file held at the time, or what can be said of it instead."""
    tree, made = known.tree, known.made.get(path, ())
    is_committed = tree is not None and path in tree.files
    since = tree.moment if tree and is_committed else None
    if _came_later(known, path) or _is_gone(known, path):
        return Fate.ABSENT
    if _is_as_it_was(known, path, since):
        return Fate.SAME
    before = _before(made, known.at, since)
    if before is not None:
        return _bytes(before) if before else Fate.ABSENT
    if is_committed:
        return known.committed.get(path, Fate.DATED)
    if tree is not None and path in tree.tracked:
        return Fate.ABSENT
    return _undone(known, path, made)


def is_undated(known: Known, path: str) -> bool:
    """Whether a file was there by then and is no more, and nothing tells since when."""
    if path in known.sources or (known.tree and path in known.tree.files):
        return False
    later = [one for one in known.made[path] if (one.maker.moment or 0) > known.at]
    return not later and path not in known.left.since


def _is_gone(known: Known, path: str) -> bool:
    """Whether a command took a file away by then, and nothing made it again."""
    went = [one for one in known.left.since.get(path, ()) if one <= known.at]
    return bool(went) and not any(
        max(went) < (one.maker.moment or 0) <= known.at
        for one in known.made.get(path, ())
    )


def _came_later(known: Known, path: str) -> bool:
    """Whether a file got its name afterwards, and none had it before."""
    return known.left.arrived.get(path, known.at) > known.at and not any(
        (one.maker.moment or 0) <= known.at for one in known.made.get(path, ())
    )


def _is_as_it_was(known: Known, path: str, since: int | None) -> bool:
    """Whether a file was last written by then, and after all that is told of it.

    One that is older than what is told to have written it was put there by a program
    that keeps the times of files.
    """
    source = known.sources.get(path)
    if source is None:
        return False
    written = source.stamp.mtime_ns // 1000
    told = [one.maker.moment or 0 for one in known.made.get(path, ())]
    return max([*told, since or 0]) <= written <= known.at


def _before(made: Sequence[Made], at: int, since: int | None) -> str | None:
    """The text that the last change left before a time, and after what git knows."""
    texts = [
        one.after
        for one in made
        if one.maker.moment is not None
        and one.maker.moment <= at
        and (since is None or one.maker.moment > since)
    ]
    return texts[-1] if texts else None


def _undone(known: Known, path: str, made: Sequence[Made]) -> bytes | Fate:
    """The text that the first change after a time found; else what dates tell."""
    later = [one for one in made if (one.maker.moment or 0) > known.at]
    if later and len(later) == len(made) and later[0].before is not None:
        return _bytes(later[0].before) if later[0].before else Fate.ABSENT
    source = known.sources.get(path)
    if source is None:
        return Fate.ABSENT
    if source.stamp.mtime_ns // 1000 <= known.at:
        return Fate.SAME
    return Fate.ABSENT if _is_named_later(path, known.at) else Fate.DATED


def _is_named_later(path: str, at: int) -> bool:
    """Whether a file is called after a day to come, as daily logs are after theirs."""
    days = _DAY.findall(path.rpartition("/")[2])
    begun = (moment_of_day(*map(int, day)) for day in days)
    return any(moment is not None and moment > at for moment in begun)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")

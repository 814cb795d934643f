"""What became of a file since a time, as far as anything tells."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

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


@dataclass(frozen=True, slots=True)
class Known:
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


def decided(known: Known, path: str) -> bytes | Fate:
    """What a file held at the time, or what can be said of it instead."""
    tree, made = known.tree, known.made.get(path, ())
    is_committed = tree is not None and path in tree.files
    since = tree.moment if tree and is_committed else None
    before = _before(made, known.at, since)
    if before is not None:
        return _bytes(before) if before else Fate.ABSENT
    if is_committed:
        return known.committed.get(path, Fate.DATED)
    if tree is not None and path in tree.tracked:
        return Fate.ABSENT
    return _undone(known, path, made)


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

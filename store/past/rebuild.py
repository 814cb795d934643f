"""Rebuild a store as of a date: what each file was, laid out in a folder."""

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from enum import Enum, auto
from pathlib import Path
from typing import NamedTuple, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from store.catalogue.provenance import standing_by
from store.catalogue.reader import Reader
from store.derive.paths import Placed
from store.discover import Found as DiscoverFound
from store.errors import UnreadableError, WrongUseError
from store.findings import AccessFound, EpisodeFound, Findings, MemoryFound
from store.formats.port import Source
from store.provenance.calls import Commands, Made, Past, Told
from store.provenance.git import GitError, Tree, tree_at
from store.provenance.history import replayed
from store.search import tree as dates
from store.search.tree import Age
from store.times import Instant, parse

# Dates as people write them: a day (its end), a time, or an age.

SECOND = 1_000_000
_DAYS = {"h": 1 / 24, "d": 1.0, "w": 7.0, "m": 30.0, "y": 365.0}
"""Days per unit of an age."""

_WORDS = {"yesterday": Age(1, "d"), "today": Age(0, "d")}


def moment_of(text: str, now: int) -> int:
    """The time a text means, in microseconds since 1970; raises WrongUseError."""
    said = text.strip().casefold()
    days = dates.days(said)
    if days is not None:
        return end_of_day(days.last)
    age = _WORDS.get(said) or dates.age(said)
    if age is not None:
        return now - int(age.amount * _DAYS[age.unit] * 86_400 * SECOND)
    moment = parse(text.strip()).micros
    if moment is None:
        raise WrongUseError(
            f"Invalid time {text!r}; try 2026-01-15, 2026-01-15T10:30 or 30d."
        )
    return moment


def end_of_day(day: date) -> int:
    """The last moment of a day, in local time."""
    try:
        after = datetime.combine(day + timedelta(days=1), time.min).astimezone()
        return int(after.timestamp()) * SECOND - 1
    except (OverflowError, OSError, ValueError):
        elapsed = day - date(1970, 1, 1)
        return (elapsed.days + 1) * 86_400 * SECOND - 1


def moment_of_day(year: int, month: int, day: int) -> int | None:
    """The start of a day in local time; None if there is no such day."""
    try:
        begin = datetime(year, month, day).astimezone()
        return int(begin.timestamp()) * SECOND
    except (OverflowError, OSError, ValueError):
        return None


def shown_moment(moment: int) -> str:
    """A moment as shown: the day, with the time unless it is the end of the day."""
    try:
        local = datetime.fromtimestamp(moment / SECOND).astimezone()
    except (OverflowError, OSError, ValueError):
        return "an invalid date"
    is_end = (moment + 1) % SECOND == 0 and local.strftime("%H%M%S") == "235959"
    return local.strftime("%Y-%m-%d" if is_end else "%Y-%m-%d %H:%M")


# What is known about a store as of a date.


class Then(Struct, frozen=True):
    """A store as of a date: rebuilt files, absent files, and all others as now."""

    at: int
    """The date, in microseconds since 1970."""
    mirror: Path
    """The folder of the rebuilt files."""
    mirrored: frozenset[str]
    """The rebuilt files, relative to the store."""
    absent: frozenset[str]
    """The files that did not exist then."""
    found_later: frozenset[str] = frozenset()
    """Of the files in the mirror, those whose text is what a later change found."""

    def findings(self, source: Source, findings: Findings) -> Findings:
        """What a source held at the time, of what its text holds."""
        if source.path in self.mirrored:
            is_later = source.path in self.found_later
        else:
            is_later = source.stamp.mtime_ns // 1000 > self.at
        return findings_at(findings, self.at) if is_later else findings


# Filter the content of a source by date.

Found = TypeVar("Found")


def findings_at(findings: Findings, at: int) -> Findings:
    """The findings without later ones; findings without a date stay."""
    memories = _until(at, findings.memories, lambda one: one.created)
    return replace(
        findings,
        memories=tuple(_without_later(one, at) for one in memories),
        claims=_until(at, findings.claims, lambda one: one.created),
        episodes=_until(at, findings.episodes, _time_of),
        accesses=tuple(_used_until(at, findings.accesses)),
        messages=_until(at, findings.messages, lambda one: one.at),
        conversations=_until(at, findings.conversations, lambda one: one.first),
        events=_until(at, findings.events, lambda one: one.at),
        measures=_until(at, findings.measures, lambda o: o.start or o.at or o.end),
        agents=_until(at, findings.agents, lambda one: one.started),
    )


def _without_later(memory: MemoryFound, at: int) -> MemoryFound:
    """A memory without later changes and recalls, as earlier ones are unknown."""
    updated, accessed = (
        None if one is None or (one.micros or 0) > at else one
        for one in (memory.updated, memory.accessed)
    )
    if (updated, accessed) == (memory.updated, memory.accessed):
        return memory
    return replace(memory, updated=updated, accessed=accessed)


_UNKNOWN = -1


def _used_until(at: int, found: Iterable[AccessFound]) -> Iterator[AccessFound]:
    """The uses until a time. Only the last one is dated, so others may be unknown."""
    for one in found:
        if one.last is None or (one.last.micros or 0) <= at:
            yield one
        elif one.count > 1:
            yield replace(one, count=_UNKNOWN, last=None, score=None)


def _until(
    at: int, found: Iterable[Found], when: Callable[[Found], Instant | None]
) -> tuple[Found, ...]:
    """What is from before a time, or has no known time."""
    dated = ((one, instant.micros if (instant := when(one)) else None) for one in found)
    return tuple(one for one, micros in dated if micros is None or micros <= at)


def _time_of(episode: EpisodeFound) -> Instant | None:
    """The local time of a log entry; midnight if it has none."""
    try:
        spelt = f"{episode.date} {(episode.time or '00:00').strip()}"
        return parse(datetime.fromisoformat(spelt).astimezone().isoformat())
    except (ValueError, OverflowError, OSError):
        return None


# What happened to a file since a date, as far as known.

_DAY = re.compile(r"(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)", re.ASCII)


class Earlier(Enum):
    """How a current file relates to its state at the date."""

    ABSENT = auto()
    """It did not exist."""
    SAME = auto()
    """It was the same."""
    DATED = auto()
    """It changed since; the dates in it show what existed."""


class Text(NamedTuple):
    """What a file held at the time."""

    raw: bytes
    written: int | None
    """When it was written; None where a later change found it there."""


class Left(Struct, frozen=True):
    """Deletions and renames of files by commands."""

    since: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    """When files were deleted, each possibly several times."""
    arrived: dict[str, int] = field(default_factory=dict[str, int])
    """When files arrived under a new name."""


class Known(Struct, frozen=True):
    """Everything known about the files of a store."""

    at: int
    """The date in question."""
    sources: dict[str, Source]
    """The files that exist now."""
    made: dict[str, Sequence[Made]] = field(default_factory=dict[str, Sequence[Made]])
    """The changes to files by tool calls and edits, in order of time."""
    tree: Tree | None = None
    """The committed tree, if the store is in git."""
    committed: dict[str, bytes] = field(default_factory=dict[str, bytes])
    """The contents of the committed files."""
    left: Left = field(default_factory=Left)
    """When files were deleted or renamed."""


def decided(known: Known, path: str) -> Text | Earlier:
    """The content of a file at the date, or else what is known about it."""
    tree, made = known.tree, known.made.get(path, ())
    is_committed = tree is not None and path in tree.files
    since = tree.moment if tree and is_committed else None
    if _came_later(known, path) or _is_gone(known, path):
        return Earlier.ABSENT
    if _is_as_it_was(known, path, since):
        return Earlier.SAME
    before = _before(made, known.at, since)
    if before is not None:
        return before if before.raw else Earlier.ABSENT
    if tree is not None and is_committed:
        raw = known.committed.get(path)
        return Earlier.DATED if raw is None else Text(raw, tree.moment)
    if tree is not None and path in tree.tracked:
        return Earlier.ABSENT
    return _undone(known, path, made)


def is_undated(known: Known, path: str) -> bool:
    """Whether a file existed then and is gone now, with unknown time of deletion."""
    if path in known.sources or (known.tree and path in known.tree.files):
        return False
    later = [one for one in known.made[path] if (one.maker.moment or 0) > known.at]
    return not later and path not in known.left.since


def _is_gone(known: Known, path: str) -> bool:
    """Whether a command had deleted a file by then, and nothing recreated it."""
    went = [one for one in known.left.since.get(path, ()) if one <= known.at]
    return bool(went) and not any(
        max(went) < (one.maker.moment or 0) <= known.at
        for one in known.made.get(path, ())
    )


def _came_later(known: Known, path: str) -> bool:
    """Whether a file got its name later, and no other file had the name before."""
    return known.left.arrived.get(path, known.at) > known.at and not any(
        (one.maker.moment or 0) <= known.at for one in known.made.get(path, ())
    )


def _is_as_it_was(known: Known, path: str, since: int | None) -> bool:
    """Whether a file was last written before the date, and after all known changes.

    A file older than its last known change was copied by a program that preserves file
    times, so its time proves nothing.
    """
    source = known.sources.get(path)
    if source is None:
        return False
    written = source.stamp.mtime_ns // 1000
    told = [one.maker.moment or 0 for one in known.made.get(path, ())]
    return max([*told, since or 0]) <= written <= known.at


def _before(made: Sequence[Made], at: int, since: int | None) -> Text | None:
    """The text after the last change before a date, if newer than the commit."""
    texts = [
        (one.after, one.maker.moment)
        for one in made
        if one.maker.moment is not None
        and one.maker.moment <= at
        and (since is None or one.maker.moment > since)
    ]
    after, moment = texts[-1] if texts else (None, None)
    return None if after is None else Text(_bytes(after), moment)


def _undone(known: Known, path: str, made: Sequence[Made]) -> Text | Earlier:
    """The text before the first change after the date; otherwise judge by dates."""
    later = [one for one in made if (one.maker.moment or 0) > known.at]
    if later and len(later) == len(made) and later[0].before is not None:
        raw = _bytes(later[0].before)
        return Text(raw, written=None) if raw else Earlier.ABSENT
    source = known.sources.get(path)
    if source is None:
        return Earlier.ABSENT
    if source.stamp.mtime_ns // 1000 <= known.at:
        return Earlier.SAME
    return Earlier.ABSENT if _is_named_later(path, known.at) else Earlier.DATED


def _is_named_later(path: str, at: int) -> bool:
    """Whether a file is named after a later day, like a daily log."""
    days = _DAY.findall(path.rpartition("/")[2])
    begun = (moment_of_day(*map(int, day)) for day in days)
    return any(moment is not None and moment > at for moment in begun)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


# Rebuild a store in a folder as far as known, and note the rest.


class Remade(Struct, frozen=True):
    """A rebuilt store, and how reliable it is."""

    store: DiscoverFound
    then: Then
    commit: str = ""
    """The commit it is based on, if any."""
    doubtful: tuple[str, ...] = ()
    """The files that changed since, whose old content is unknown."""
    undated: tuple[str, ...] = ()
    """The files that are gone, with unknown time of deletion."""
    unsure: frozenset[str] = frozenset()
    """All files whose content is not known for certain."""
    notes: tuple[str, ...] = ()
    """Errors that prevented knowing more."""

    @property
    def is_certain(self) -> bool:
        """Whether every file is known, so that they can be compared."""
        return bool(self.commit) and not self.unsure


class Maker(Struct):
    """Rebuilds stores as of a date, one after the other."""

    reader: Reader
    """The current catalogue."""
    pasts: Sequence[Past]
    """The sources of file history."""
    leaving: Commands
    """Finds when files were deleted or renamed."""
    at: int
    folder: Path
    """The folder for rebuilt files; private to the user."""

    def remake(self, found: DiscoverFound) -> Remade:
        """Rebuild a store; raises UnreadableError if it cannot be read."""
        with found.format.open(found.path) as store:
            sources = {s.path: s for s in store.scan() if isinstance(s, Source)}
        only = sources.keys() if found.format.lies_among_others else None
        tree, committed, notes = self._committed(found.path, only)
        made = self._made(found.path, only)
        left = self._left(found.path, made.keys() - sources.keys())
        known = Known(self.at, sources, made, tree, committed, left)
        paths = dict.fromkeys([*sources, *(tree.files if tree else ()), *made])
        earlier = {path: decided(known, path) for path in paths}
        mirror = self.folder / str(found.path).lstrip("/")
        mirror.mkdir(parents=True, exist_ok=True)
        texts = {path: text for path, text in earlier.items() if isinstance(text, Text)}
        undated = tuple(p for p in texts if is_undated(known, p))
        dated = (p for p, state in earlier.items() if state is Earlier.DATED)
        laid = frozenset(self._write_mirror(mirror, texts))
        return Remade(
            found,
            Then(
                self.at,
                mirror,
                laid,
                frozenset(p for p, state in earlier.items() if state is Earlier.ABSENT),
                frozenset(p for p, text in texts.items() if text.written is None),
            ),
            commit=tree.commit if tree else "",
            doubtful=self._doubtful(found.path, earlier),
            undated=undated,
            unsure=frozenset((*undated, *dated)),
            notes=notes,
        )

    def _doubtful(
        self, store: Path, earlier: Mapping[str, Text | Earlier]
    ) -> tuple[str, ...]:
        """The files read in their current state although they changed since."""
        told = standing_by(self.reader, store, self.at)
        return tuple(
            p for p, state in earlier.items() if state is Earlier.DATED and p in told
        )

    def _committed(
        self, path: Path, only: Collection[str] | None
    ) -> tuple[Tree | None, dict[str, bytes], tuple[str, ...]]:
        """The state of a store in git; or that of only some of its files."""
        try:
            tree = tree_at(path, self.at)
            if tree and only is not None:
                files = {
                    path: name for path, name in tree.files.items() if path in only
                }
                tree = replace(tree, files=files)
            return tree, tree.contents(path) if tree else {}, ()
        except GitError as error:
            return None, {}, (str(error),)

    def _made(
        self, store: Path, only: Collection[str] | None
    ) -> dict[str, Sequence[Made]]:
        """The known changes to a store's files, for files that have any."""
        place = str(store)
        paths = {path for past in self.pasts for path in past.files_of(place)}
        paths = paths if only is None else paths.intersection(only)
        told = {
            path: [
                _as_new(one)
                for past in self.pasts
                for one in past.changes_of(Placed(place, path))
            ]
            for path in sorted(paths)
        }
        return {path: replayed(several) for path, several in told.items() if several}

    def _left(self, store: Path, gone: Iterable[str]) -> Left:
        """What commands did to files that no longer exist."""
        left = Left()
        for path in sorted(gone):
            for parting in self.leaving.partings(Placed(str(store), path)):
                left.since.setdefault(path, []).append(parting.moment)
                if parting.to and parting.to.store == str(store):
                    left.arrived[parting.to.path] = parting.moment
        return left

    def _write_mirror(self, mirror: Path, texts: dict[str, Text]) -> Iterable[str]:
        """Write files to the mirror; those that cannot be written are skipped."""
        for path, text in texts.items():
            file = mirror / path
            if ".." in Path(path).parts or Path(path).is_absolute():
                continue
            try:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(text.raw)
                written = 1000 * (self.at if text.written is None else text.written)
                os.utime(file, ns=(written, written))
            except (OSError, ValueError):
                continue
            yield path


def _as_new(told: Told) -> Told:
    """A rename as seen from the new name, which did not exist before."""
    if told.origin is None:
        return told
    return replace(told, call=replace(told.call, before=""))


def unreadable(
    found: DiscoverFound, error: UnreadableError, at: int, folder: Path
) -> Remade:
    """An empty store, for one that cannot be read."""
    return Remade(
        found, Then(at, folder, frozenset(), frozenset()), notes=(str(error),)
    )

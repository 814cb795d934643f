"""An entry as it is drawn: when, of which type, what it is called, what happened."""

import re

from store.derive.clock import minute_of
from store.derive.timing import Moment, Parts
from store.records.episode import Episode
from widgets.agenda.shape import Shape
from widgets.columns.cells import Spans, fit, told, with_hits
from widgets.columns.types import code
from widgets.lines.pieces import Piece, Pieces, width_of

_TIMED, _TAGGED = 26, 64
"""The widths from which on the time is told, and from which on tags are."""

_MOST = 30
"""Cells that tags take at most, and so a link beside something else."""

_BAR = "▎"
_HOUR = 60
_LONGEST = 2000
"""Characters of a summary that are looked at for one line."""

_SUFFIX = re.compile(r"(-[0-9a-f]{6})?\.\w+\Z")
"""What the name of a memory's file ends in."""


def moment_of(episode: Episode) -> Moment:
    """When it was, and what it has."""
    parts = Parts.SUMMARY * bool(episode.summary)
    parts |= Parts.LINK * (episode.link is not None)
    return Moment(episode.date, episode.time, parts)


def headline(episode: Episode, width: int, hits: Spans) -> Pieces:
    """The line that is always there."""
    letters, tone = code(episode.type)
    start: list[Piece] = [(_time(episode.time, width), "muted"), _bar(episode)]
    if letters.strip():
        start.append((f"{letters} ", tone))
    tags = _tags(episode, width)
    room = max(width - width_of(start) - width_of(tags), 0)
    return [*start, *fit(with_hits(episode.title, hits, "title"), room), *tags]


def detail(episode: Episode, width: int, line: int, shape: Shape) -> Pieces:
    """A line beneath it; `line` is 1 for the first."""
    start: list[Piece] = [(" " * len(_time(None, width)), ""), _bar(episode)]
    room = max(width - width_of(start), 0)
    said = [piece for piece in (_summary(episode), _link(episode)) if piece]
    if shape is Shape.WHOLE:
        said = said[line - 1 : line]
    return [*start, *_beside(said, room)]


def _beside(said: list[Piece], room: int) -> Pieces:
    """What happened, and at the right what tells more."""
    if len(said) < len(Parts):
        return fit(said, room)
    summary, link = said
    right = min(width_of([link]), _MOST, room // 2)
    return [*fit([summary], max(room - right - 1, 0)), (" ", ""), *fit([link], right)]


def _time(time: str | None, width: int) -> str:
    """The time of day, or the blank where it would stand."""
    if width < _TIMED:
        return ""
    minute = minute_of(time)
    if minute is None:
        return " " * len("09:02 ")
    return f"{minute // _HOUR:02}:{minute % _HOUR:02} "


def _bar(episode: Episode) -> Piece:
    return _BAR, code(episode.type)[1] or "faint"


def _tags(episode: Episode, width: int) -> Pieces:
    """The tags at the right end, where there is room."""
    text = told(" ".join(episode.tags))
    if width < _TAGGED or not text:
        return []
    tags: Piece = (text, "tag")
    return [("  ", ""), *fit([tags], min(width_of([tags]), _MOST))]


def _summary(episode: Episode) -> Piece | None:
    """What happened, in one line."""
    text = " ".join((episode.summary or "")[:_LONGEST].split())
    return (told(text), "muted") if episode.summary else None


def _link(episode: Episode) -> Piece | None:
    """What tells more; a link that leads nowhere says so."""
    if episode.link is None:
        return None
    file = episode.link.partition("#")[0].rpartition("/")[2]
    name = _SUFFIX.sub("", file) or episode.link
    if episode.memory is None:
        return f"⚠ {told(name)}", "warning"
    return f"→ {told(name)}", "arrow"

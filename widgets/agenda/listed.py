"""Entries as rows of a table, for every order that is not that of their days."""

from store.records.episode import Episode
from widgets.columns.cells import told
from widgets.columns.column import OPEN, Column
from widgets.columns.memories import LARGE, SMALL
from widgets.columns.types import code
from widgets.lines.pieces import Pieces

_DAY, _WHEN = 10, 16


def _when(episode: Episode, width: int) -> Pieces:
    text = f"{episode.date} {episode.time or ''}"
    return [(told(text)[:width], "muted")]


def _type(episode: Episode, _width: int) -> Pieces:
    return [code(episode.type)]


def _title(episode: Episode, _width: int) -> Pieces:
    return [(told(episode.title), "title")]


def _tags(episode: Episode, _width: int) -> Pieces:
    return [(told(" ".join(episode.tags)), "tag")]


def _summary(episode: Episode, _width: int) -> Pieces:
    return [(told(episode.summary), "muted")]


COLUMNS = (
    Column("date", "when", _when, ((SMALL, _DAY), (54, _WHEN)), gap=0),
    Column("type", "typ", _type, ((SMALL, 3),)),
    Column("title", "title", _title, ((0, OPEN),)),
    Column("", "what happened", _summary, ((LARGE, OPEN),), gap=2),
    Column("", "tags", _tags, ((LARGE, 18),), gap=2),
)
"""From left to right."""

"""Where keys hold: the whole program, its panes, and the bars in which one types."""

from collections.abc import Iterator
from enum import StrEnum

from tui.keys.keymap import Place


class Scope(StrEnum):
    """A part of the screen, or what several parts have in common."""

    EVERYWHERE = "everywhere"
    APP = "app"
    ROWS = "rows"
    RECORD = "record"
    LIST = "list"
    MEMORIES = "memories"
    EDGES = "edges"
    TIMELINE = "timeline"
    JOURNALS = "journals"
    DAYS = "days"
    EPISODES = "episodes"
    CALENDAR = "calendar"
    PROBLEMS = "problems"
    READER = "reader"
    REVIEW = "review"
    TRANSCRIPT = "transcript"
    LINKS = "links"
    FACETS = "facets"
    QUERY = "query"
    POPUP = "popup"
    QUESTION = "question"
    WRITING = "writing"


_WITHIN: dict[Scope, tuple[Scope, ...]] = {
    Scope.EVERYWHERE: (),
    Scope.APP: (Scope.EVERYWHERE,),
    Scope.ROWS: (Scope.APP,),
    Scope.RECORD: (Scope.APP,),
    Scope.LIST: (Scope.ROWS, Scope.RECORD),
    Scope.MEMORIES: (Scope.LIST,),
    Scope.EDGES: (Scope.LIST,),
    Scope.TIMELINE: (Scope.LIST,),
    Scope.JOURNALS: (Scope.LIST,),
    Scope.DAYS: (Scope.APP,),
    Scope.EPISODES: (Scope.LIST, Scope.DAYS),
    Scope.CALENDAR: (Scope.DAYS,),
    Scope.PROBLEMS: (Scope.LIST,),
    Scope.REVIEW: (Scope.READER,),
    Scope.READER: (Scope.ROWS, Scope.RECORD),
    Scope.TRANSCRIPT: (Scope.ROWS, Scope.RECORD),
    Scope.LINKS: (Scope.ROWS, Scope.RECORD),
    Scope.FACETS: (Scope.ROWS,),
    Scope.QUERY: (Scope.EVERYWHERE,),
    Scope.POPUP: (Scope.EVERYWHERE,),
    Scope.QUESTION: (Scope.EVERYWHERE,),
    Scope.WRITING: (Scope.EVERYWHERE,),
}
"""The scopes whose keys hold in a scope too."""

TYPING = frozenset({Scope.QUERY, Scope.POPUP, Scope.WRITING})
"""Where text is typed, and keys that write it write it."""


def chain(scope: Scope) -> tuple[Scope, ...]:
    """A scope and all whose keys hold in it, nearest first, each once."""
    return tuple(dict.fromkeys(sorted(_outwards(scope), key=lambda one: -_depth(one))))


def places() -> Iterator[Place]:
    """Every scope as keys see it."""
    for scope in Scope:
        yield Place(scope, chain(scope), is_typing=scope in TYPING)


def _outwards(scope: Scope) -> Iterator[Scope]:
    yield scope
    for outer in _WITHIN[scope]:
        yield from _outwards(outer)


def _depth(scope: Scope) -> int:
    """How far a scope is from the one that holds everywhere."""
    return 1 + max(map(_depth, _WITHIN[scope]), default=0)

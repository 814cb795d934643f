"""What SQL is taught so that conditions can be put: how texts are compared."""

import sqlite3
from collections.abc import Callable
from functools import lru_cache, partial

from store.catalogue.rows.transcripts import uuid_of
from store.catalogue.views.memories import faded
from store.catalogue.views.transcripts import status_of
from store.search.fold import compared, fold, is_exact, unmarked
from store.search.language.patterns import Finder, compiled

_REMEMBERED = 2048
"""How many texts that somebody typed are kept ready for comparison: more than stand in
the longest query, or each would be made ready again for every row."""


def teach(connection: sqlite3.Connection, now: int) -> None:
    """Teach a connection the functions that conditions use, as of a point in time."""
    functions: dict[str, tuple[int, Callable[..., str | float | bool | None]]] = {
        "holds": (2, _holds),
        "same": (2, _same),
        "begins": (2, _begins),
        "finds": (2, _finds),
        "spelt_uuid": (1, uuid_of),
        "spelt_path": (1, _spelt_path),
        "strength_of": (3, partial(_strength, now)),
        "stage_of": (3, partial(_stage, now)),
        "status_of": (5, partial(status_of, now)),
    }
    for name, (count, function) in functions.items():
        connection.create_function(name, count, function, deterministic=True)


def _spelt_path(path: bytes) -> str:
    """A path as text; what is none of it is replaced."""
    return path.decode("utf-8", "replace")


def _strength(now: int, fades: int, pinned: int, vigour: float | None) -> float | None:
    """How strong a memory is."""
    return faded(now, fades, pinned, vigour)[0]


def _stage(now: int, fades: int, pinned: int, vigour: float | None) -> str | None:
    """How far it faded."""
    return faded(now, fades, pinned, vigour)[1]


@lru_cache(_REMEMBERED)
def _prepared(needle: str) -> tuple[str, bool]:
    """What was typed as it is compared, and whether its case counts."""
    return compared(needle, needle), is_exact(needle)


def _holds(text: str | None, needle: str) -> bool:
    """Whether a text holds what was typed."""
    if text is None:
        return False
    wanted, exact = _prepared(needle)
    return wanted in (unmarked(text) if exact else fold(text))


def _begins(text: str | None, needle: str) -> bool:
    """Whether a text begins with what was typed."""
    if text is None:
        return False
    wanted, exact = _prepared(needle)
    return (unmarked(text) if exact else fold(text)).startswith(wanted)


def _same(text: str | None, needle: str) -> bool:
    """Whether a text is what was typed; case says nothing."""
    return text is not None and fold(text) == _folded(needle)


@lru_cache(_REMEMBERED)
def _folded(needle: str) -> str:
    return fold(needle)


@lru_cache(_REMEMBERED)
def _ready(expression: str) -> Finder:
    """A regular expression; case counts where it holds a capital letter."""
    return compiled(expression, is_exact=is_exact(expression))


def _finds(text: str | None, wanted: str) -> bool:
    """Whether a regular expression finds something in a text."""
    return text is not None and _ready(wanted).search(text) is not None

"""Why a command is not possible now: a sentence, or None where it is."""

from collections.abc import Callable

from tui.commands.situation import Situation

_TWO = 2

Guard = Callable[[Situation], str | None]
"""Looks at how things stand, and says what is in the way."""


def always(_situation: Situation) -> str | None:
    """Nothing is ever in the way."""
    return None


def needs_rows(situation: Situation) -> str | None:
    """For what moves in a list or orders it."""
    return None if situation.rows else "The list is empty."


def needs_record(situation: Situation) -> str | None:
    """For what is about one record."""
    return None if situation.has_record else "There is no record at the cursor."


def needs_memory(situation: Situation) -> str | None:
    """For what only memories have."""
    return None if situation.is_memory else "Only memories are like one another."


def needs_two_marked(situation: Situation) -> str | None:
    """For what lies between two memories."""
    return None if situation.marked == _TWO else "Mark two memories first, with space."


def needs_file(situation: Situation) -> str | None:
    """For what names the file of a record."""
    if not situation.has_record:
        return needs_record(situation)
    return None if situation.has_file else "This record lies in no file of its own."


def needs_links(situation: Situation) -> str | None:
    """For what follows links."""
    return None if situation.links else "Nothing is linked with this record."


def needs_hits(situation: Situation) -> str | None:
    """For what walks from hit to hit."""
    if not situation.query:
        return "There is no query whose hits could be walked; / begins one."
    return None if situation.hits else "The query found nothing in this text."


def needs_query(situation: Situation) -> str | None:
    """For what is about the query."""
    return None if situation.query else "There is no query; / begins one."


def needs_places_behind(situation: Situation) -> str | None:
    """For going back."""
    return None if situation.behind else "There is no place to go back to."


def needs_places_ahead(situation: Situation) -> str | None:
    """For going forward again."""
    return None if situation.ahead else "There is no place to go forward to."


def needs_stores(situation: Situation) -> str | None:
    """For choosing among stores."""
    return None if situation.stores > 1 else "There is only one store to look at."

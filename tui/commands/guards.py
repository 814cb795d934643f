"""Why a command is not possible now: a sentence, or None where it is."""

from collections.abc import Callable, Sequence

from tui.commands.situation import Situation

_TWO = 2

SENSELESS = "This cannot be done with what is at the cursor."
"""What is in the way where something makes no sense for a record, now or ever."""

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


def needs_sides(situation: Situation) -> str | None:
    """For what turns to another side of a record, or to another journal."""
    return None if situation.is_journal else needs_record(situation)


def not_append_only(situation: Situation) -> str | None:
    """For what changes or removes a record, where a log only grows."""
    return "Episodes are only ever added to." if situation.is_append_only else None


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


def needs_leads(situation: Situation) -> str | None:
    """For what follows links of the text."""
    return None if situation.leads else "Nothing in this text leads anywhere."


def needs_past(situation: Situation) -> str | None:
    """For coming back from another time."""
    return None if situation.is_past else "What is shown is how all is now."


def needs_now(situation: Situation) -> str | None:
    """For what only goes on now."""
    return "The past does not change." if situation.is_past else None


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


def possible(*words: str) -> Guard:
    """For what changes a record, by the words for it, of which one has to be possible.

    Of several that are marked some may be fit for it though the one here is not.
    """

    def guard(situation: Situation) -> str | None:
        if not situation.has_record:
            return needs_record(situation)
        if situation.is_append_only:
            return not_append_only(situation)
        if situation.marked:
            return needs_permission(situation)
        return _why_not(situation, words) or needs_permission(situation)

    return guard


def keepable(situation: Situation) -> str | None:
    """For what keeps a record: conversations are kept where no store is changed."""
    if not situation.is_conversation:
        return possible("pin")(situation)
    return None if situation.marked else _why_not(situation, ("pin",)) or None


def _why_not(situation: Situation, words: Sequence[str]) -> str:
    """Why a record is fit for nothing of that; empty where it is fit for something."""
    told = [situation.possible[word] for word in words if word in situation.possible]
    return min(told, key=bool, default=SENSELESS)


def needs_permission(situation: Situation) -> str | None:
    """For what writes into the store of the record at the cursor."""
    return situation.read_only or None


def possible_fix(situation: Situation) -> str | None:
    """For what mends a problem."""
    if not situation.has_record:
        return "There is no problem at the cursor."
    if not situation.is_mendable:
        return "This cannot be mended from here."
    return needs_permission(situation)


def needs_record_or_row(situation: Situation) -> str | None:
    """For what is about the row at the cursor, be it a record of its own or not."""
    return None if situation.has_record else "There is no problem at the cursor."


def needs_undoable(situation: Situation) -> str | None:
    """For taking back."""
    return None if situation.undoable else "There is no change to be taken back."


def needs_redoable(situation: Situation) -> str | None:
    """For doing again."""
    return None if situation.redoable else "Nothing was taken back."


def needs_changes(situation: Situation) -> str | None:
    """For what is about changes of earlier."""
    is_any = situation.undoable or situation.redoable
    return None if is_any else "Nothing was changed from here yet."


def needs_drafts(situation: Situation) -> str | None:
    """For going on with what was not saved."""
    return None if situation.drafts else "Nothing that was written is unsaved."


def needs_stores(situation: Situation) -> str | None:
    """For choosing among stores."""
    return None if situation.stores > 1 else "There is only one store to look at."

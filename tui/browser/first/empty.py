"""Why a list is empty, and what to do about it."""

from collections.abc import Sequence

from msgspec import Struct

from store.clean import clean
from store.search.language.leaves import leaves
from store.search.language.tree import Compared
from tui.browser.data.found import Found
from tui.browser.first.counting import listed, singular
from tui.browser.first.keeps import that_keep_none
from tui.browser.first.progress import progress
from tui.browser.live.reading import Reading

_SHARES = frozenset({"importance", "confidence"})
"""The fields whose values are shares."""


class Emptiness(Struct, frozen=True):
    """What is known of a list without rows."""

    kind: str
    """The kind of record that it would list."""
    formats: Sequence[str]
    """The formats of the stores that are looked at, one for each store."""
    query: str = ""
    """What was asked for."""
    complaint: str = ""
    """What is wrong with that, where something is."""
    reading: Reading | None = None
    """How far the stores are read, while they are."""
    none: str = ""
    """What is said where the stores could hold some and do not."""
    clear: str = "esc"
    """The key that clears the query."""


def why_empty(emptiness: Emptiness) -> tuple[str, ...]:
    """The lines that stand where the rows would be: the reason, then the next step."""
    if not emptiness.formats:
        return ("No store is looked at.",)
    none = that_keep_none(emptiness.formats, emptiness.kind)
    if none:
        return (_keep_none(emptiness, none),)
    reading = _being_read(emptiness.reading)
    if emptiness.query:
        return (*_matches_nothing(emptiness), *reading)
    return reading or (emptiness.none or f"There are no {emptiness.kind} here.",)


def out_of_reach(found: Found | None) -> str:
    """Why no number can meet a query, where that is so."""
    for leaf, is_negated in leaves(found.tree) if found else ():
        if isinstance(leaf, Compared) and leaf.name in _SHARES and not is_negated:
            value = leaf.value
            is_above = leaf.operator in {">", ">=", "="}
            if isinstance(value, float) and is_above and value > 1:
                return f"{leaf.name} is 0…1"
    return ""


def _keep_none(emptiness: Emptiness, formats: tuple[str, ...]) -> str:
    """Nothing of the kind could be there."""
    stores = "This store has" if len(emptiness.formats) == 1 else "These stores have"
    names = listed(formats)
    told = f"format {names} keeps" if len(formats) == 1 else f"formats {names} keep"
    return f"{stores} no {emptiness.kind}; {told} none."


def _being_read(reading: Reading | None) -> tuple[str, ...]:
    """Something may yet come."""
    told = progress(reading) if reading else ""
    if not told or not reading or reading.failure:
        return (told,) if told else ()
    return (told, "What is found appears here at once, the newest first.")


def _matches_nothing(emptiness: Emptiness) -> tuple[str, ...]:
    """The query is in the way."""
    because = f" – {clean(emptiness.complaint)}" if emptiness.complaint else ""
    none = f"No {singular(emptiness.kind)} matches `{clean(emptiness.query)}`{because}"
    return (f"{none} · {emptiness.clear} clears",)

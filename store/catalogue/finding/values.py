"""The values that a field has in the stores, and how often each stands there.

They are counted where they stand: the type of an edge among edges, and not once more
for each memory that the edge meets.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from store.catalogue.conditions.kinds import KINDS
from store.catalogue.conditions.told import Form, Told
from store.catalogue.reader import Reader
from store.catalogue.views import VIEWS
from store.search.language.fields import Match, field_of

_STORES = "stores"

_STORE = Told(f"{_STORES}.title")
"""A store is asked for by name or by path; what is told is its name."""


def values(
    reader: Reader, kinds: Sequence[str], field: str, beginning: str = ""
) -> list[tuple[str, int]]:
    """The values of a field, by its whole name, that begin so; the most frequent first.

    Nothing for fields whose values are told apart by hardly anybody: numbers, times,
    texts, identifiers. Without kinds, the field of every kind that has it is meant.
    """
    counts: Counter[str] = Counter()
    for told in _told(kinds or tuple(KINDS), field):
        counts.update(_counted(reader, told))
    begun = beginning.casefold()
    found = [one for one in counts.items() if one[0].casefold().startswith(begun)]
    return sorted(found, key=lambda one: (-one[1], one[0]))


def _told(kinds: Sequence[str], field: str) -> Iterator[Told]:
    """Where the values of a field stand, each place once."""
    places = (_place(kind, field) for kind in kinds)
    return iter({told.sql: told for told in places if told is not None}.values())


def _place(kind: str, field: str) -> Told | None:
    """Where a kind's field has its values, if these can be listed."""
    known, told = field_of(field, kind), KINDS[kind].fields.get(field)
    if field == "store":
        return _STORE
    if known is None or told is None or told.form not in {Form.TEXT, Form.LIST}:
        return None
    is_listed = known.match is Match.IS or told.form is Form.LIST
    is_column = told.sql.replace("_", "").replace(".", "").isalpha()
    return told if is_listed and is_column else None


def _counted(reader: Reader, told: Told) -> dict[str, int]:
    """Every value that stands in one place."""
    owner, value, within = told.sql.partition(".")[0], told.sql, "stores.id"
    rows, shown = owner, "1"
    if owner != _STORES:
        view, within = VIEWS[owner], f"{owner}.store"
        rows, shown = view.joined(), view.shown
    if told.form is Form.LIST:
        rows, value = f"{rows}, json_each({told.sql}) AS listed", "listed.value"
    found = reader.connection.execute(
        f"SELECT {value}, count(*) FROM {rows} WHERE {shown} AND {value} <> '' "
        f"AND {reader.within(within)} GROUP BY 1",
        reader.stores_seen,
    )
    return {str(one): number for one, number in found}

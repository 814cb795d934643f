"""How many records of a kind each store has that meet a condition."""

from store.catalogue.conditions.condition import Condition
from store.catalogue.reader import Reader
from store.catalogue.views import Record, View


def counts_per_store(
    reader: Reader, view: View[Record], condition: Condition
) -> dict[int, int]:
    """The numbers by the stores' rows; those that have none are left out."""
    within = reader.within(f"{view.table}.store")
    rows = reader.connection.execute(
        f"SELECT {view.table}.store, count(*) FROM {view.joined(condition.sql)} "
        f"WHERE {view.shown} AND {condition.sql} AND {within} GROUP BY 1",
        (*condition.values, *reader.stores_seen),
    )
    return dict(rows.fetchall())

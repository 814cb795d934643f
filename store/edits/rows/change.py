"""A row that is to be changed."""

from msgspec import Struct

from store.edits.rows.images import Columns


class Change(Struct, frozen=True):
    """One row, as it is and as it shall be; None where there is none."""

    table: str
    key: Columns
    before: Columns | None
    after: Columns | None
    triggers: tuple[str, ...] = ()
    """The triggers that may be there, by their statements."""

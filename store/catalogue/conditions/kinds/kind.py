"""What is known of a kind of record so that it can be searched."""

from collections.abc import Mapping

from msgspec import Struct, field

from store.catalogue.conditions.told import Told
from store.catalogue.words.shelves import Shelf

_DIRECT = "{}"


class Place(Struct, frozen=True):
    """Where text is looked for."""

    text: str
    """The text, as SQL."""
    shelf: Shelf | None = None
    """The shelf that tells which rows may hold a text, where there is one."""
    row: str = ""
    """The shelf's row."""
    is_whole: bool = True
    """Whether the text is all that the shelf knows of the row."""
    chosen: str = _DIRECT
    """What a condition stands in that the shelf answers."""
    each: str = _DIRECT
    """What a condition stands in that every row is looked at for."""


class Kind(Struct, frozen=True, kw_only=True):
    """A kind of record."""

    table: str
    """The table that its rows are in."""
    title: str | None = None
    """What it is called, as SQL, where it has a name."""
    everywhere: tuple[Place, ...]
    """Where text is looked for."""
    places: Mapping[str, tuple[Place, ...]]
    """Where it is looked for when somebody says where: `in:`."""
    fields: Mapping[str, Told]
    """Its fields."""
    states: Mapping[str, str]
    """What it can be, as SQL: `is:`."""
    belongings: Mapping[str, str]
    """What it can have, as SQL: `has:`."""
    times: tuple[Told, ...] = ()
    """When it was, for `on:` and its like: one of these."""
    new: str | None = None
    """When it came to be, in microseconds, as SQL."""
    changed: str | None = None
    """When it was last changed, likewise."""
    facets: Mapping[str, str] = field(default_factory=dict[str, str])
    """What it is counted by, as SQL; of a list, each entry by itself."""


PATH = "spelt_path(sources.path)"
"""The path of a record's source; its bytes need not be text."""

STORE = "stores.title || char(10) || spelt_path(stores.path)"
"""What a store is found by."""

SOURCE: Mapping[str, Told] = {
    "path": Told(PATH),
    "store": Told(STORE),
    "format": Told("stores.format"),
}
"""The fields that come from a record's source and store."""


def common(table: str) -> dict[str, Told]:
    """The fields that every kind has."""
    return {**SOURCE, "ref": Told(f"{table}.ref")}


def with_problem(table: str, *codes: str) -> str:
    """Whether a problem with one of these codes concerns a row."""
    listed = ", ".join(f"'{code}'" for code in codes)
    return (
        f"{table}.ref IN (SELECT problems.ref FROM problems "
        f"WHERE problems.code IN ({listed}))"
    )


def problems_of(table: str) -> Told:
    """The codes of the problems that concern a row."""
    return Told(
        "problems.code",
        within=f"{table}.ref IN (SELECT problems.ref FROM problems WHERE {{}})",
    )


def suspicious(table: str) -> dict[str, str]:
    """What any record may hold that it should not."""
    return {
        "hidden-text": with_problem(table, "hidden-text"),
        "secret": with_problem(table, "secret", "secret-not-ignored"),
    }

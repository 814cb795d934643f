"""An index with other tables has another version."""

from store.catalogue import schema


def test_other_tables_have_another_version() -> None:
    tables = list(schema.statements())
    *others, last = tables

    assert schema.version_of(tables) == schema.VERSION
    assert schema.version_of([*others, f"{last} "]) != schema.VERSION
    assert schema.version_of(others) != schema.VERSION

"""Links of episodes and documents, led to the memories that they mean now."""

import sqlite3
from collections.abc import Iterable, Iterator

from store.catalogue.near.keys import Meanings, without_folders
from store.catalogue.schema.pages import TARGET_NAME

_POINTING = ("episodes", "mentions")


def lead_anew(
    connection: sqlite3.Connection,
    store: int,
    meanings: Meanings,
    sources: Iterable[int],
) -> Iterator[tuple[int, set[int]]]:
    """Resolve the new links of some sources, and all that may mean others now.

    Those sources come whose links lead elsewhere, each with the memories that one led
    or leads to.
    """
    for table in _POINTING:
        rows = {
            row: (source, target, memory)
            for question, term in _questions(table, meanings, sources)
            for row, source, target, memory in connection.execute(
                f"SELECT id, source, target, memory FROM {table} "
                f"WHERE target IS NOT NULL AND +store = ?2 AND {question}",
                (term, store),
            )
        }
        for row, (source, target, memory) in rows.items():
            held = meanings.now.found(target)
            after = None if held is None else held.row
            if after != memory:
                update = f"UPDATE {table} SET memory = ? WHERE id = ?"
                connection.execute(update, (after, row))
                yield source, {each for each in (memory, after) if each is not None}


def _questions(
    table: str, meanings: Meanings, sources: Iterable[int]
) -> Iterator[tuple[str, int | str]]:
    """How to ask for the rows of a table that may lead elsewhere."""
    for source in sources:
        yield "source = ?1 AND memory IS NULL", source
    for key in meanings.changed:
        held = meanings.before.found(key)
        if held is not None:
            yield "memory = ?1", held.row
        for name in without_folders(key):
            yield f"memory IS NULL AND {TARGET_NAME} = ?1 AND {table}.store = ?2", name

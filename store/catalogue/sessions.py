"""The conversation that stands for all in one transcript: the first."""

import os
from pathlib import Path
from typing import NamedTuple

from store.catalogue.reader import Reader


class First(NamedTuple):
    """What it goes by."""

    ref: str | None
    title: str


def first_of(reader: Reader, store: Path, path: str) -> First:
    """The first conversation in a file; a nameless one where none is known."""
    found = reader.ask(
        "SELECT conversations.ref, conversations.title FROM conversations "
        "JOIN sources ON sources.id = conversations.source "
        "JOIN stores ON stores.id = sources.store "
        f"WHERE stores.path = ? AND sources.path = ? AND {reader.within('stores.id')} "
        "ORDER BY conversations.first_at LIMIT 1",
        (os.fsencode(store), os.fsencode(path), *reader.stores_seen),
    ).fetchone()
    return First(found["ref"], found["title"]) if found else First(None, "")

"""The conversations of a transcript, and those that a database tells of the same."""

import os
from collections.abc import Iterator

from store.catalogue.reader import Reader

_IN_FILES = """
    SELECT conversations.id FROM conversations
    JOIN sources ON sources.id = conversations.source
    JOIN stores ON stores.id = sources.store
    WHERE stores.path = :store
        AND (sources.path = :path OR (sources.path > :below AND sources.path < :above))
"""
"""Those of the transcript, and of its agents', which lie in a folder named after it."""

_BY_NAME = """
    SELECT id FROM conversations
    WHERE session = :session AND source_file IS NOT NULL
"""

_LINES = ".jsonl"


def rows_of(reader: Reader, store: str, path: str, session: str) -> Iterator[int]:
    """The rows of all conversations that a transcript holds, whoever tells of them."""
    folder = os.fsencode(path.removesuffix(_LINES))
    rows = reader.connection.execute(
        f"{_IN_FILES} UNION {_BY_NAME}",
        {
            "store": os.fsencode(store),
            "path": os.fsencode(path),
            "below": folder + b"/",
            "above": folder + b"0",
            "session": session,
        },
    )
    return (row for (row,) in rows)

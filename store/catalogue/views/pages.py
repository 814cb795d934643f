"""Episodes and documents, as lists show them."""

import os
import sqlite3

import orjson

from store.catalogue.views.view import PLACE, View, of_source
from store.records.document import Document
from store.records.episode import Episode


def _episode(row: sqlite3.Row, _now: int) -> Episode:
    """An episode."""
    return Episode(
        ref=row["ref"],
        store=os.fsdecode(row["store_path"]),
        date=row["date"],
        time=row["time"],
        title=row["title"],
        type=row["type"],
        tags=tuple(orjson.loads(row["tags"])),
        summary=row["summary"],
        memory=row["memory_ref"],
        link=row["link"],
        path=os.fsdecode(row["path"]),
        line=row["line"],
    )


def _document(row: sqlite3.Row, _now: int) -> Document:
    """A document."""
    return Document(
        ref=row["ref"],
        store=os.fsdecode(row["store_path"]),
        title=row["title"],
        path=os.fsdecode(row["path"]),
        category=row["category"],
        text_bytes=row["text_bytes"],
        role=row["role"],
    )


_HOUR = "CAST(episodes.time AS INTEGER)"
_CLOCK = (
    f"printf('%02d', CASE WHEN episodes.time LIKE '%p%m%' THEN {_HOUR} % 12 + 12 "
    f"WHEN episodes.time LIKE '%a%m%' THEN {_HOUR} % 12 ELSE {_HOUR} END) "
    "|| substr(episodes.time, instr(episodes.time, ':'))"
)
"""The time of an episode so that it can be ordered: `9:02` and `1:33 PM` cannot."""

EPISODES: View[Episode] = View(
    make=_episode,
    table="episodes",
    ties=("episodes.line", "episodes.ref"),
    columns=f"episodes.*, {PLACE}, memories.ref AS memory_ref",
    belongs={
        **of_source("episodes"),
        "memories": "LEFT JOIN memories ON memories.id = episodes.memory",
    },
    sorts={
        "date": f"(episodes.date || ' ' || coalesce({_CLOCK}, ''))",
        "title": "episodes.title COLLATE NOCASE",
        "type": "episodes.type",
        "path": "sources.path",
        "store": "stores.path",
    },
    largest_first=frozenset({"date"}),
)

DOCUMENTS: View[Document] = View(
    make=_document,
    table="documents",
    ties=("documents.ref",),
    columns=f"documents.*, {PLACE}",
    belongs=of_source("documents"),
    sorts={
        "path": "sources.path",
        "title": "documents.title COLLATE NOCASE",
        "role": "documents.role",
        "text_bytes": "documents.text_bytes",
        "store": "stores.path",
    },
    largest_first=frozenset({"text_bytes"}),
)

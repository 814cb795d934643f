"""The catalogue's tables, family by family."""

from store.catalogue.schema import (
    journals,
    memories,
    pages,
    problems,
    sources,
    transcripts,
)
from store.catalogue.words import shelves

VERSION = 16
"""Raised with every change below; a catalogue of another version is made anew."""

PAGE = 16384
"""Bytes of a page: messages are long, and large pages take a quarter less time."""

APPLICATION = 0x7265636F
"""Marks a SQLite file as a catalogue of ours (`reco`)."""

TABLES = "".join(
    family.TABLES
    for family in (
        sources,
        memories,
        pages,
        transcripts,
        journals,
        problems,
        shelves,
    )
)
"""The statements that make them, one after the other."""

INDEX = tuple(statement for shelf in shelves.SHELVES for statement in shelf.statements)
"""The statements that make the index of words over them."""

PARTS = (
    "memories",
    "bodies",
    "claims",
    "episodes",
    "documents",
    "mentions",
    "accesses",
    "index_entries",
    "messages",
    "writes",
    "sessions",
    "listed",
    "events",
    "measures",
    "agents",
    "problems",
)
"""The tables that hold what a source said, and go when the source goes."""

OF_STORE = (*PARTS, "edges", "conversations")
"""The tables whose rows belong to a store."""

OF_SOURCE = (*OF_STORE, "runs")
"""The tables whose rows belong to a source."""

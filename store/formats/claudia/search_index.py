"""What can be found in a database, and what its own index still finds of old texts."""

from collections.abc import Iterator
from typing import NamedTuple

from store.files.sqlite import Database
from store.formats.claudia.cells import text
from store.formats.claudia.conversations import metadata_of
from store.formats.claudia.tables import (
    CONVERSATIONS,
    DOCUMENTS,
    NUMBER,
    SEARCH,
    SEARCH_COLUMNS,
    records,
)

DOCUMENT, SUMMARY = "document", "summary"


class Findable(NamedTuple):
    """A text that can be found."""

    kind: str
    """`document` or `summary`."""
    id: str
    """The document's path, the conversation's number."""
    text: str
    cwd: str
    at: str
    category: str
    stale: bool = False
    """Whether only the database's own index still has this text."""


def findable(database: Database) -> Iterator[Findable]:
    """Every document and every archived summary, as it is now."""
    for row in records(database, DOCUMENTS):
        yield Findable(
            DOCUMENT,
            text(row.get("file_path")) or "",
            text(row.get("content")) or "",
            text(row.get("cwd")) or "",
            text(row.get("file_modified_at")) or "",
            text(row.get("category")) or "",
        )
    columns = (NUMBER, "first_message_at", "status", "summary", "metadata")
    for row in records(database, CONVERSATIONS, columns):
        if row.get("status") == "archived" and row.get("summary"):
            yield Findable(
                SUMMARY,
                str(row[NUMBER]),
                text(row["summary"]) or "",
                str(metadata_of(row.get("metadata")).get("cwd") or ""),
                text(row.get("first_message_at")) or "",
                SUMMARY,
            )


def stale(
    database: Database, current: dict[tuple[str, str], str]
) -> Iterator[Findable]:
    """What the index has of texts that are no more: replaced, deleted, told twice.

    `current` are the texts by kind and identifier.
    """
    seen = set[tuple[str, str]]()
    for row in records(database, SEARCH, SEARCH_COLUMNS):
        content, kind, number, cwd, at, category = (
            text(row.get(column)) or "" for column in SEARCH_COLUMNS
        )
        key = (kind, number)
        if current.get(key) == content and key not in seen:
            seen.add(key)
            continue
        yield Findable(kind, number, content, cwd, at, category, stale=True)


def by_key(current: list[Findable]) -> dict[tuple[str, str], str]:
    """The texts by kind and identifier."""
    return {(one.kind, one.id): one.text for one in current}

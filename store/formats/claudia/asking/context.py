"""What was last spoken of in a folder: messages without tools, and summaries."""

import re
from collections.abc import Iterator, Sequence

from store.formats.claudia.asking.asked import Answer, Asked, Row, one_word
from store.formats.claudia.cells import instant, text, whole
from store.formats.claudia.conversations import metadata_of
from store.formats.claudia.entries import entry_key
from store.formats.claudia.layout import conversation_key
from store.formats.claudia.tables import (
    CONVERSATIONS,
    ENTRIES,
    NUMBER,
    Record,
    records,
)

MESSAGES = 20
SUMMARIES = 5

_NO_LETTER = re.compile(r"[^A-Za-z0-9]")


def context(words: Sequence[str]) -> Answer:
    """The latest about a folder, oldest first as it would be read."""
    cwd = one_word(words, "context", "a folder").rstrip("/") or "/"
    return lambda asked: _context(asked, cwd)


def _context(asked: Asked, cwd: str) -> Iterator[Row]:
    summaries = _latest(asked, CONVERSATIONS, SUMMARIES, cwd)
    for row in reversed(summaries):
        yield {
            "kind": "summary",
            "from": conversation_key(whole(row[NUMBER])),
            **_told(row, "last_message_at", "summary"),
            "role": None,
        }
    for row in reversed(_latest(asked, ENTRIES, MESSAGES, cwd)):
        yield {
            "kind": "message",
            "from": entry_key(whole(row[NUMBER])),
            **_told(row, "timestamp", "content"),
            "role": text(row.get("role")),
        }


def _latest(asked: Asked, table: str, most: int, cwd: str) -> list[Record]:
    """The last rows of a table that are about a folder, the newest first."""
    found: list[Record] = []
    columns = (NUMBER, *asked.database.tables.get(table, ()))
    for row in records(asked.database, table, columns, order=f"{NUMBER} DESC"):
        if _speaks(row) and _is_about(row, cwd):
            found.append(row)
            if len(found) == most:
                break
    return found


def _speaks(row: Record) -> bool:
    """Whether a row has something to say: a summary, or words and not tools."""
    if "summary" in row:
        return row.get("status") == "archived" and bool(row["summary"])
    return row.get("tool_names") is None


def _is_about(row: Record, cwd: str) -> bool:
    """Whether a row names the folder, or its transcript lies in the folder's name."""
    own = row.get("cwd") or metadata_of(row.get("metadata")).get("cwd")
    file = text(row.get("source_file")) or ""
    return own == cwd or file.partition("/")[0] == _NO_LETTER.sub("-", cwd)


def _told(row: Record, moment: str, words: str) -> Row:
    at = instant(row.get(moment))
    return {"at": at.iso if at else None, "text": text(row.get(words))}

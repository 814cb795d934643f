"""Claudia stores for tests: a database, a tree of pages."""

import json
import sqlite3
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from store.findings import START, Findings, Json
from store.formats.claudia.format import FORMAT
from store.formats.port import Refused, Source
from tests.store.formats.claudia_schema import migrate

FILE = "-home-zoe-src-kilnbook/4eb362e5.jsonl"
SESSION = "4eb362e5-0000-4000-8000-000000000000"
CWD = "/home/zoe/src/kilnbook"
NOW = 1_790_000_000_000_000
"""A moment in September 2026, in microseconds."""


class Claudia:
    """A database to fill."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def put(self, table: str, **values: object) -> int:
        """Add a row, without the columns that this level lacks."""
        about = self.connection.execute(f"PRAGMA table_info({table})")
        known = {row[1] for row in about}
        held = {key: value for key, value in values.items() if key in known}
        names, marks = ", ".join(held), ", ".join("?" * len(held))
        put = f"INSERT OR REPLACE INTO {table} ({names}) VALUES ({marks})"
        return self.connection.execute(put, tuple(held.values())).lastrowid or 0

    def entry(self, at: object, text: object, **values: object) -> int:
        told = {
            "session_id": SESSION,
            "source_file": FILE,
            "role": "user",
            "content": text,
            "timestamp": at,
            "cwd": CWD,
            **values,
        }
        return self.put("memory_transcript_entries", **told)

    def conversation(self, first: object, last: object, **values: object) -> int:
        told = {
            "session_id": SESSION,
            "source_file": FILE,
            "first_message_at": first,
            "last_message_at": last,
            "entry_count": 2,
            "status": "archived",
            **values,
        }
        return self.put("memory_conversations", **told)

    def file(self, path: object = FILE, **values: object) -> int:
        told = {
            "source": "claude-code",
            "status": "idle",
            "last_modified": 1789990000000.25,
            "file_size": 100,
            "last_processed_offset": 100,
            **values,
        }
        return self.put("memory_file_states", file_path=path, **told)

    def document(self, path: str, category: str, content: str, **values: object) -> int:
        told = {"file_modified_at": "2026-03-01T10:00:00.000Z", **values}
        return self.put(
            "memory_documents",
            file_path=path,
            category=category,
            content=content,
            **told,
        )


@contextmanager
def database(
    folder: Path, *, level: int = 22, name: str = "anima.db", told: bool = True
) -> Generator[Claudia]:
    """A database of a level, closed at the end of the block."""
    folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(folder / name)) as connection, connection:
        migrate(connection, level, told=told)
        yield Claudia(connection)


def small(folder: Path, *, level: int = 22, name: str = "anima.db") -> None:
    """Two conversations with two entries each, and the other tables of a level."""
    with database(folder, level=level, name=name) as made:
        made.file()
        made.entry("2026-02-20T18:33:00.000Z", "The kiln is at cone 6.")
        tools = {"role": "assistant", "tool_names": "Read, Bash"}
        made.entry("2026-02-20T18:40:00.000Z", "[Used tools: Read, Bash]", **tools)
        made.entry("2026-02-21T09:00:00.000Z", "Good morning.")
        made.entry("2026-02-21T09:05:00.000Z", "Morning!", role="assistant")
        made.conversation(
            "2026-02-20T18:33:00.000Z",
            "2026-02-20T18:40:00.000Z",
            summary="We fired the kiln.\n\nIt held.",
            files_written='["/home/zoe/memory/episodes/2026-02/2026-02-20.md"]',
            metadata=json.dumps({"cwd": CWD, "entries": 2, "transcriptKB": 1}),
        )
        made.conversation(
            "2026-02-21T09:00:00.000Z", "2026-02-21T09:05:00.000Z", status="active"
        )
        if level >= 16:
            page = "/home/zoe/memory/insights/cones.md"
            made.document(page, "insights", "Cones are text, not numbers.")


def page(folder: Path, path: str, text: str) -> None:
    """Write one page of a tree."""
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(text, encoding="utf-8")


DAY = """\
## 1:33 PM – 3:30 PM (EST)

We glazed the first bowls.

**Topics:** glazing, cone tables
**Mood:** calm
**Project:** `/home/zoe/src/kilnbook`

## 11:05 PM – 12:10 AM (EST)

We looked into the kiln too early.
"""

SITTING = """\
## 8:02 PM – 9:15 PM (EST)

I learned why the redis keys expire.

**Topics:** redis
"""


def small_tree(folder: Path) -> None:
    """A tree with a page of each kind."""
    for path, text in {
        "episodes/2026-02/2026-02-20.md": DAY,
        "episodes/2026-03/2026-03-18-2002-882.md": SITTING,
        "relationships/mara/overview.md": "## Mara\n\n**Relationship:** sister\n",
        "projects/kilnbook/overview.md": (
            "## Kilnbook\n\n**Path:** `/home/zoe/src/kilnbook`\n**Purpose:** bookings\n"
        ),
        "insights/cones.md": "---\ntitle: Cones\ntags: [kiln]\n---\n\nThey are text.\n",
    }.items():
        page(folder, path, text)


def read(folder: Path) -> dict[str, Findings]:
    """The findings of all sources of a store, with pieces joined."""
    with FORMAT.open(folder) as opened:
        sources = [s for s in opened.scan() if isinstance(s, Source)]
        found: dict[str, Findings] = {}
        for source in sources:
            pieces = [opened.read(source)]
            while pieces[-1].more:
                pieces.append(opened.read(source, pieces[-1].mark))
            found[source.path] = put_together(pieces)
        return found


def put_together(pieces: list[Findings]) -> Findings:
    """The findings of all pieces as one."""
    parts = ("conversations", "messages", "documents", "episodes", "flaws")
    whole: dict[str, Any] = {
        part: tuple(one for piece in pieces for one in getattr(piece, part))
        for part in parts
    }
    return Findings(**whole, mark=START)


def only(folder: Path, path: str = "anima.db") -> Findings:
    """The findings of one source of a store."""
    return read(folder)[path]


def refused(folder: Path) -> dict[str, str]:
    """The refused files, with their codes."""
    with FORMAT.open(folder) as opened:
        return {r.path: r.flaw.code for r in opened.scan() if isinstance(r, Refused)}


def ask(
    folder: Path, question: str, *words: str, now: int = NOW
) -> list[Mapping[str, Json]]:
    """The rows of a report."""
    with FORMAT.open(folder) as opened:
        return list(opened.ask(question, words, now))

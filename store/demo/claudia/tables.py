"""The database, made in memory and handed out as bytes."""

import json
import sqlite3
from contextlib import closing
from datetime import timedelta
from importlib.resources import files

from store.demo.claudia.beside import put_documents, put_state
from store.demo.claudia.rows import put, utc
from store.demo.claudia.sittings import HOME, Anima, Sitting, Turn
from store.demo.days import iso_z, micros

LEVEL = 22
_VERSION = slice(96, 100)
"""Where a database names the version of SQLite that wrote it last."""


def database(anima: Anima) -> bytes:
    """The bytes of the database: the same for the same story and version of SQLite."""
    with closing(sqlite3.connect(":memory:")) as connection:
        schema = files("store.demo.claudia") / "schema.sql"
        connection.executescript(schema.read_text("utf-8"))
        for level in range(1, LEVEL + 1):
            put(connection, "_migrations", id=level)
        for sitting in anima.sittings:
            _sitting(connection, sitting)
        _entry(connection, *anima.orphan)
        put_documents(connection, anima)
        put_state(connection, anima)
        connection.commit()
        raw = bytearray(connection.serialize())
    raw[_VERSION] = bytes(4)
    return bytes(raw)


def _sitting(connection: sqlite3.Connection, sitting: Sitting) -> None:
    for turn in sitting.turns:
        _entry(connection, sitting, turn)
    cwd = sitting.project.path
    about = {"cwd": cwd, "entries": len(sitting.turns), "sessionId": sitting.session}
    done = sitting.status in {"archived", "skipped", "review"}
    written = [f"{HOME}/memory/{sitting.episode}"] if sitting.episode else None
    after = utc(sitting.last + timedelta(hours=2))
    put(
        connection,
        "memory_conversations",
        id=sitting.number,
        session_id=sitting.session,
        source_file=sitting.file,
        first_message_at=iso_z(sitting.first),
        last_message_at=iso_z(sitting.last),
        entry_count=len(sitting.turns),
        status=sitting.status,
        summary=_summary(sitting) if done else None,
        processed_at=after if done else None,
        created_at=utc(sitting.last),
        files_written=json.dumps(written) if written else None,
        status_at=after,
        metadata=json.dumps(about),
    )
    put(
        connection,
        "memory_file_states",
        file_path=sitting.file,
        source="claude-code",
        status="idle",
        last_modified=micros(sitting.last) / 1000 + 0.25,
        file_size=len(sitting.turns) * 1200,
        last_processed_offset=len(sitting.turns) * 1200,
        last_entry_timestamp=iso_z(sitting.last),
        created_at=utc(sitting.first),
        updated_at=utc(sitting.last),
    )


def _summary(sitting: Sitting) -> str:
    if sitting.status == "skipped":
        return "Below minimum message count"
    return f"{sitting.summary}."


def _entry(connection: sqlite3.Connection, sitting: Sitting, turn: Turn) -> None:
    used = f"\n\n[Used tools: {turn.tools}]" if turn.tools else ""
    put(
        connection,
        "memory_transcript_entries",
        session_id=sitting.session,
        source_file=sitting.file,
        role=turn.role,
        content=turn.text + used,
        tool_names=turn.tools,
        timestamp=iso_z(turn.at),
        cwd=sitting.project.path,
        ingested_at=utc(turn.at),
    )

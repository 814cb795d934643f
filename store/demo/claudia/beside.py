"""What the database has beside conversations: pages, their index, its own state."""

import json
import sqlite3

from store.demo.claudia.pages import episode
from store.demo.claudia.rows import put, utc
from store.demo.claudia.sittings import HOME, Anima
from store.demo.days import iso_z


def put_documents(connection: sqlite3.Connection, anima: Anima) -> None:
    """The pages as they are, and in the index one of them as it was."""
    told = [(s.episode, episode(s), s.last) for s in anima.sittings]
    for path, text, changed in [*told, *anima.pages]:
        if path:
            category = path.partition("/")[0] if "/" in path else "other"
            about = (f"{HOME}/memory/{path}", category, text, iso_z(changed))
            if path == anima.stale[0]:
                _index(connection, about[0], category, anima.stale[1], about[3])
            put(
                connection,
                "memory_documents",
                file_path=about[0],
                category=category,
                title=path.rpartition("/")[2].removesuffix(".md"),
                content=text,
                file_modified_at=about[3],
                ingested_at=utc(changed),
            )
            _index(connection, *about)


def _index(
    connection: sqlite3.Connection, path: str, category: str, text: str, at: str
) -> None:
    put(
        connection,
        "memory_search_fts",
        content=text,
        source_type="document",
        source_id=path,
        cwd="",
        timestamp=at,
        category=category,
    )


def put_state(connection: sqlite3.Connection, anima: Anima) -> None:
    """The state that the program was last in, and a reading that broke off."""
    last = max(sitting.last for sitting in anima.sittings)
    put(
        connection,
        "memory_file_states",
        file_path=anima.ingesting,
        source="claude-code",
        status="ingesting",
        file_size=48_000,
        last_processed_offset=36_000,
    )
    state = {"value": "running", "context": {"processId": 4242}}
    put(
        connection,
        "memory_state_machines",
        machine_id="extension",
        state_json=json.dumps(state),
        process_id=4242,
        updated_at=utc(last),
        last_heartbeat=utc(last),
    )

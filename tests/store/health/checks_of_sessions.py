"""Stores of sessions that checks complain about, beside the nearest that are fine."""

import json
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

from store.files.json_read import LONGEST
from store.formats.claudia.format import FORMAT as CLAUDIA
from store.formats.claudia.format import LATEST
from store.formats.kei.format import FORMAT as KEI
from store.formats.transcripts.format import FORMAT as TRANSCRIPTS
from store.formats.transcripts.format import LOOKED_AT
from tests.store.answers.damages import Damage, appended, removed, replaced, written
from tests.store.formats import claudia_stores, transcripts_stores
from tests.store.formats.claudia_stores import FILE, Claudia
from tests.store.formats.kei_databases import make_database
from tests.store.formats.kei_stores import CLAIMS, TASKS, TRACE, jsonl, user
from tests.store.formats.transcripts_stores import SESSION, SLUG, dumped
from tests.store.health.near_misses import Row, Table, at_once, folder, linked

# KeiSeiKit: journals of tasks and claims, traces, and a database.

DATABASE = "kei-memory.sqlite"
DAY = 86_400
START = 1_772_366_400
LARGE = 100_000


def _kei(root: Path) -> None:
    made = {"kind": "task", "name": "audit-a", "start_epoch": START, "duration_s": 60}
    claim = {"kind": "claim", "value": "60 s", "pointer": "tasks.jsonl#audit-a"}
    for path, text in {
        TASKS: jsonl(made),
        CLAIMS: jsonl(claim),
        TRACE: jsonl(user("Why?", uuid="u1")),
        "backlog.md": "- [ ] Rest\n",
    }.items():
        written(path, text)(root)
    make_database(root / DATABASE)


def _task(**fields: object) -> Damage:
    """One more task."""
    told = {"kind": "task", "name": "audit-b"} | fields
    return appended(TASKS, f"{json.dumps(told)}\n".encode())


def _started(later: int) -> Damage:
    """A task that never ends, and one that starts some seconds later."""
    began = {"kind": "start", "name": "build", "start_epoch": START}
    line = appended(TASKS, f"{json.dumps(began)}\n".encode())
    return at_once(line, _task(start_epoch=START + later))


def _lines(path: str, line: int, wrong: bytes | str, near: bytes | str) -> Row:
    """Bytes at the end of a file."""
    told = (one if isinstance(one, bytes) else one.encode() for one in (wrong, near))
    return Row(f"{path}:{line}", *(appended(path, one) for one in told))


def _sql(path: str, question: str, *values: object) -> Damage:
    """Change a database."""

    def damage(root: Path) -> None:
        with closing(sqlite3.connect(root / path)) as connection, connection:
            connection.execute(question, values)

    return damage


def _event(size: int) -> Damage:
    question = "UPDATE events SET message = zeroblob(?) WHERE id = 1"
    return _sql(DATABASE, question, size)


OF_KEI: Mapping[str, Row] = {
    "broken-line": _lines(TASKS, 2, '{"kind": "task"\n', '{"kind": "task"}\n'),
    "cut-short": Row(
        "audit.txt",
        written("audit.txt", b" " * ((8 << 20) + 1)),
        written("audit.txt", b" " * (8 << 20)),
    ),
    "evidence-missing": Row(
        f"{CLAIMS}:1",
        replaced(CLAIMS, "#audit-a", "#audit-b"),
        replaced(CLAIMS, "tasks.jsonl#audit-a", "measured by hand"),
    ),
    "folder-as-file": Row(
        "traces/a.jsonl", folder("traces/a.jsonl"), folder("traces/a")
    ),
    "foreign-file": Row("a.bin", written("a.bin", ""), written(".a.bin", "")),
    "foreign-folder": Row("others", folder("others"), folder(".others")),
    "impossible-duration": Row(
        f"{TASKS}:2",
        _task(start_epoch=START, end_epoch=START - 1),
        _task(start_epoch=START, end_epoch=START),
    ),
    "large-file": Row(TASKS, _task(more="x" * LARGE), _task(more="x" * (LARGE - 500))),
    "link-not-followed": Row(
        "a.md",
        at_once(written("a.bin", ""), linked("a.md", "a.bin")),
        at_once(written("a.bin", ""), linked("a.bin.md", "backlog.md")),
    ),
    "link-to-source": Row(
        "a.md", linked("a.md", "backlog.md"), written("a.md", "- [ ] Rest\n")
    ),
    "lost-row": Row(DATABASE, _event(LONGEST + 1), _event(LONGEST - 100)),
    "no-record": _lines(TASKS, 2, "[]\n", '{"kind": "task"}\n'),
    "no-start": Row(
        "time-metrics/.task-a.start",
        written("time-metrics/.task-a.start", "now"),
        written("time-metrics/.task-a.start", str(START)),
    ),
    "not-utf-8": Row("a.txt", written("a.txt", b"\xe9"), written("a.txt", "é")),
    "start-without-stop": Row(f"{TASKS}:2", _started(DAY + 1), _started(DAY)),
    "unfinished-line": _lines(TRACE, 2, '{"type": "user"', '{"type": "user"}\n'),
    "unknown-record": _lines(CLAIMS, 2, '{"kind": "clam"}\n', '{"kind": "claim"}\n'),
    "unknown-version": Row(
        DATABASE,
        _sql(DATABASE, "PRAGMA user_version = 4"),
        _sql(DATABASE, "PRAGMA user_version = 1"),
    ),
    "unreadable": Row(DATABASE, written(DATABASE, "SQLite"), removed(DATABASE)),
}

# Transcripts.

TALK = f"{SLUG}/{SESSION}.jsonl"
AGENT = f"{SLUG}/{SESSION}/subagents/agent-x.meta.json"
OTHER = f"{SLUG}/other.jsonl"
HELLO = dumped([transcripts_stores.user("a", "Hello")])


OF_TRANSCRIPTS: Mapping[str, Row] = {
    "broken-facts": Row(AGENT, written(AGENT, "{"), written(AGENT, "{}")),
    "broken-index": Row(
        f"{SLUG}/sessions-index.json",
        written(f"{SLUG}/sessions-index.json", '{"entries": {}}'),
        written(f"{SLUG}/sessions-index.json", '{"entries": []}'),
    ),
    "broken-line": _lines(TALK, 9, HELLO[:-2] + b"\n", HELLO),
    "line-too-long": _lines(
        TALK, 9, b"x" * (LONGEST + 1) + b"\n", b"x" * LONGEST + b"\n"
    ),
    "link-within": Row(
        f"{SLUG}/a.jsonl",
        linked(f"{SLUG}/a.jsonl", f"{SESSION}.jsonl"),
        linked(f"{SLUG}/a.txt", f"{SESSION}.jsonl"),
    ),
    "no-transcript": Row(
        OTHER,
        written(OTHER, b'{"some": "thing"}\n' * LOOKED_AT),
        written(OTHER, b'{"some": "thing"}\n' * (LOOKED_AT - 1) + HELLO),
    ),
    "other-file": Row(
        f"{SLUG}/a.jsonl.bak",
        written(f"{SLUG}/a.jsonl.bak", ""),
        written(f"{SLUG}/a.json", ""),
    ),
}

# Claudia: a database of conversations, beside a home with transcripts.

OWN, ANIMA = ".anima", "anima.db"
CLAUDE = "../.claude/projects"


def _claudia(root: Path) -> None:
    claudia_stores.small(root / OWN)


def _changed(change: Callable[[Claudia], object]) -> Damage:
    """Change the database through its own rows."""

    def damage(root: Path) -> None:
        with closing(sqlite3.connect(root / ANIMA)) as connection, connection:
            connection.execute("PRAGMA ignore_check_constraints = on")
            change(Claudia(connection))

    return damage


def _talk(first: str, last: str, **fields: object) -> Damage:
    """One more conversation of a day."""
    day = "2026-02-21T{}:00.000Z"
    return _changed(
        lambda made: made.conversation(day.format(first), day.format(last), **fields)
    )


def _entry(at: str) -> Damage:
    return _changed(lambda made: made.entry(f"2026-02-21T{at}.000Z", "Late."))


def _migrated(level: int) -> Damage:
    return _changed(lambda made: made.put("_migrations", id=level))


def _imported(size: int) -> Damage:
    """The transcript that the database says it has read 100 bytes of."""
    return written(f"{CLAUDE}/{FILE}", "x" * size)


LOGS = "memory/libby/logs"

OF_CLAUDIA: Mapping[str, Row] = {
    "damaged-json": Row(
        f"{ANIMA}:3",
        _talk("10:00", "10:05", metadata="[]"),
        _talk("10:00", "10:05", metadata="{}"),
    ),
    "folder-as-file": Row("a.db", folder("a.db"), folder("a")),
    "folder-not-entered": Row(f"{LOGS}/a", folder(f"{LOGS}/a"), folder(LOGS)),
    "foreign-file": Row("a.txt", written("a.txt", ""), written(".a.txt", "")),
    "ingesting": Row(
        ANIMA,
        _changed(lambda made: made.file(status="ingesting")),
        _changed(lambda made: made.file(status="idle")),
    ),
    "link-not-followed": Row("a.db", linked("a.db", ANIMA), linked(".a.db", ANIMA)),
    "missing-table": Row(
        ANIMA,
        _sql(ANIMA, "DROP TABLE memory_file_states"),
        _sql(ANIMA, "DELETE FROM memory_file_states"),
    ),
    "newer-level": Row(ANIMA, _migrated(LATEST + 1), _migrated(LATEST)),
    "outside-conversations": Row(ANIMA, _entry("09:05:01"), _entry("09:05:00")),
    "read-from-copy": Row(
        ANIMA,
        _sql(ANIMA, "PRAGMA journal_mode = wal"),
        _sql(ANIMA, "PRAGMA journal_mode = delete"),
    ),
    "shared-entries": Row(ANIMA, _talk("09:05", "09:10"), _talk("09:06", "09:10")),
    "stale-search-text": Row(
        ANIMA,
        _changed(
            lambda made: made.document(
                "/home/zoe/memory/insights/cones.md", "insights", "New."
            )
        ),
        _changed(
            lambda made: made.document(
                "/home/zoe/memory/insights/cone.md", "insights", "New."
            )
        ),
    ),
    "transcript-gone": Row(ANIMA, written(f"{CLAUDE}/a.jsonl", ""), _imported(100)),
    "transcript-truncated": Row(ANIMA, _imported(99), _imported(100)),
    "unknown-status": Row(
        f"{ANIMA}:3",
        _talk("10:00", "10:05", status="archive"),
        _talk("10:00", "10:05", status="archived"),
    ),
    "unreadable": Row(ANIMA, written(ANIMA, "SQLite"), removed(ANIMA)),
    "unreadable-row": Row(
        ANIMA,
        _sql(
            ANIMA,
            "UPDATE memory_transcript_entries SET content = zeroblob(?) WHERE id = 1",
            LONGEST + 1,
        ),
        _sql(
            ANIMA,
            "UPDATE memory_transcript_entries SET content = zeroblob(?) WHERE id = 1",
            1,
        ),
    ),
}

TABLES = {
    "kei": Table(KEI, _kei, OF_KEI, {"store.catalogue.full_check._LARGE": LARGE}),
    "transcripts": Table(TRANSCRIPTS, transcripts_stores.healthy, OF_TRANSCRIPTS),
    "claudia": Table(CLAUDIA, _claudia, OF_CLAUDIA, {}, OWN),
}

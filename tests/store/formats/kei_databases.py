"""The kit's databases in every version, with rows as its programs write them."""

import sqlite3
from contextlib import closing
from pathlib import Path

MEMORY = (
    """
    CREATE TABLE sessions (id TEXT PRIMARY KEY, started_ts INTEGER NOT NULL,
        ended_ts INTEGER, tool_call_count INTEGER NOT NULL DEFAULT 0,
        error_count INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE events (id INTEGER PRIMARY KEY AUTOINCREMENT,
        session_id TEXT NOT NULL, ts INTEGER NOT NULL, kind TEXT NOT NULL, tool TEXT,
        file_path TEXT, is_error INTEGER NOT NULL DEFAULT 0, event_class TEXT,
        message TEXT);
    CREATE TABLE coaccess (file_a TEXT NOT NULL, file_b TEXT NOT NULL,
        count INTEGER NOT NULL DEFAULT 1, PRIMARY KEY(file_a, file_b));
    CREATE TABLE tokens (session_id TEXT NOT NULL, token TEXT NOT NULL,
        tf INTEGER NOT NULL, PRIMARY KEY(session_id, token));
    CREATE TABLE idf (token TEXT PRIMARY KEY, df INTEGER NOT NULL, idf REAL NOT NULL);
    CREATE TABLE patterns (id INTEGER PRIMARY KEY AUTOINCREMENT,
        event_class TEXT NOT NULL, session_id TEXT NOT NULL, count INTEGER NOT NULL,
        first_seen_ts INTEGER NOT NULL, last_seen_ts INTEGER NOT NULL);
    CREATE TABLE backlog (id INTEGER PRIMARY KEY AUTOINCREMENT, ts INTEGER NOT NULL,
        item TEXT NOT NULL, processed INTEGER NOT NULL DEFAULT 0);
    """,
    "ALTER TABLE tokens ADD COLUMN idf_dirty INTEGER NOT NULL DEFAULT 1;",
    "ALTER TABLE events ADD COLUMN cwd TEXT;",
)
"""What each version of the analyzer's database added."""

ROWS = """
    INSERT INTO sessions VALUES ('old', 1700000000, 1700000900, 3, 1);
    INSERT INTO coaccess VALUES ('/a', '/b', 4);
    INSERT INTO tokens (session_id, token, tf) VALUES ('old', 'redis', 2);
    INSERT INTO idf VALUES ('redis', 1, 1.0);
    INSERT INTO patterns (event_class, session_id, count, first_seen_ts, last_seen_ts)
        VALUES ('retry_loop', 'old', 6, 1700000000, 1700000600);
    INSERT INTO backlog (ts, item, processed)
        VALUES (1700000000, 'codify retry_loop', 0), (1700000001, 'old news', 1);
"""
EVENT = (
    "INSERT INTO events (session_id, ts, kind, tool, file_path, is_error, event_class, "
    "message) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
EVENTS = (
    ("old", 1700000000, "user", None, None, 0, "user", '{"content":"Hi","role":"u"}'),
    ("old", 1700000010, "assistant", "Read", "/a", 0, "tool_use:Read", "{}"),
    ("old", 1700000020, "user", None, None, 1, "tool_error", "plain"),
)

AGENTS = (
    """
    CREATE TABLE agents (id TEXT PRIMARY KEY, branch TEXT NOT NULL, parent_branch TEXT,
        spec_sha TEXT NOT NULL, status TEXT NOT NULL CHECK (status IN
        ('running','done','failed','merged','rejected')), started_ts INTEGER NOT NULL,
        finished_ts INTEGER, summary TEXT, worktree_path TEXT);
    """,
    "ALTER TABLE agents ADD COLUMN dna TEXT;",
    """
    CREATE TRIGGER trg_agents_branch_len_ins BEFORE INSERT ON agents BEGIN
        SELECT RAISE(ABORT, 'branch length exceeds 256') WHERE length(NEW.branch) > 256;
    END;
    """,
    """
    ALTER TABLE agents ADD COLUMN creator_id TEXT;
    ALTER TABLE agents ADD COLUMN fork_parent_id TEXT;
    """,
    "CREATE UNIQUE INDEX idx_agents_dna_unique ON agents(dna);",
    """
    ALTER TABLE agents ADD COLUMN cost_cents INTEGER DEFAULT 0;
    ALTER TABLE agents ADD COLUMN provider TEXT DEFAULT '';
    ALTER TABLE agents ADD COLUMN model TEXT DEFAULT '';
    """,
    "ALTER TABLE agents ADD COLUMN cost_micro_cents INTEGER DEFAULT 0;",
    """
    CREATE TABLE skill_invocations (id INTEGER PRIMARY KEY AUTOINCREMENT,
        skill_name TEXT NOT NULL, ts INTEGER NOT NULL, agent_id TEXT,
        success INTEGER NOT NULL, trajectory_id TEXT, duration_ms INTEGER);
    INSERT INTO skill_invocations (skill_name, ts, success, duration_ms) VALUES
        ('audit', 1700000000, 1, 500), ('audit', 1700000100, 0, 1500),
        ('ship', 1700000200, 1, NULL);
    """,
    """
    ALTER TABLE agents ADD COLUMN tokens_in INTEGER;
    ALTER TABLE agents ADD COLUMN tokens_out INTEGER;
    ALTER TABLE agents ADD COLUMN task_class_dna TEXT GENERATED ALWAYS AS
        (CASE WHEN dna GLOB '*-????????' THEN substr(dna, 1, length(dna) - 9)
         ELSE dna END) VIRTUAL;
    UPDATE agents SET tokens_in = 90000, tokens_out = 20000 WHERE id = 'toolu_1';
    """,
)
"""What each version of the ledger added."""

DNA = "reviewer::read::aaaaaaaa::bbbbbbbb"


def make_database(path: Path, version: int = 3, again: int = 1) -> None:
    """The analyzer's database; it imports the same session several times."""
    with closing(sqlite3.connect(path)) as database:
        for step in MEMORY[:version]:
            database.executescript(step)
        database.execute(f"PRAGMA user_version = {version}")
        database.executescript(ROWS)
        for _ in range(again):
            database.executemany(EVENT, EVENTS)
        database.commit()


def make_ledger(path: Path, version: int = 9) -> None:
    """The ledger of agents."""
    with closing(sqlite3.connect(path)) as database:
        database.executescript(AGENTS[0])
        database.executescript(
            "INSERT INTO agents (id, branch, spec_sha, status, started_ts) VALUES "
            "('toolu_1', 'agent/review', 'abc', 'done', 1700000000), "
            "('toolu_2', 'agent/fix', 'def', 'running', 1700000500);"
        )
        for number, step in enumerate(AGENTS[1:version], 2):
            database.executescript(step)
            if number == 2:
                database.execute(
                    "UPDATE agents SET dna = ? WHERE id = 'toolu_1'",
                    (f"{DNA}-cafe0123",),
                )
        database.execute(f"PRAGMA user_version = {version}")
        database.commit()

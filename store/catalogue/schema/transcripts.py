"""Messages, what a transcript says of itself, and conversations."""

TABLES = """
CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    store INTEGER NOT NULL,
    source INTEGER NOT NULL,
    ref TEXT NOT NULL,
    key TEXT,
    line INTEGER NOT NULL,
    kind TEXT NOT NULL,
    role TEXT,
    at TEXT, at_micros INTEGER, until_micros INTEGER,
    offset INTEGER NOT NULL,
    extent INTEGER NOT NULL,
    uuid,
    kin INTEGER,
    session TEXT,
    cwd TEXT,
    branch TEXT,
    model TEXT,
    tokens TEXT,
    tools TEXT,
    calls TEXT,
    answers TEXT,
    errors INTEGER,
    entries INTEGER,
    flags INTEGER,
    told TEXT,
    text TEXT NOT NULL
);
CREATE INDEX messages_by_source ON messages (source, line);
CREATE INDEX messages_by_ref ON messages (ref);
CREATE INDEX messages_by_time ON messages (at_micros);
CREATE TABLE writes (
    id INTEGER PRIMARY KEY,
    store INTEGER NOT NULL,
    source INTEGER NOT NULL,
    line INTEGER NOT NULL,
    path TEXT NOT NULL,
    name TEXT NOT NULL
);
CREATE INDEX writes_by_source ON writes (source, line);
CREATE INDEX writes_by_name ON writes (name);
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    store INTEGER NOT NULL,
    source INTEGER NOT NULL,
    session TEXT,
    agent TEXT,
    parent TEXT,
    titles TEXT NOT NULL,
    lines TEXT NOT NULL
);
CREATE INDEX sessions_by_source ON sessions (source);
CREATE TABLE listed (
    id INTEGER PRIMARY KEY,
    store INTEGER NOT NULL,
    source INTEGER NOT NULL,
    ref TEXT NOT NULL,
    key TEXT NOT NULL,
    session TEXT,
    source_file TEXT,
    title TEXT,
    first TEXT, first_at INTEGER,
    last TEXT, last_at INTEGER,
    entries INTEGER NOT NULL,
    status TEXT,
    summary TEXT,
    project TEXT,
    cwd TEXT,
    files_written TEXT,
    line INTEGER,
    fields TEXT NOT NULL
);
CREATE INDEX listed_by_source ON listed (source);
CREATE TABLE conversations (
    id INTEGER PRIMARY KEY,
    store INTEGER NOT NULL,
    source INTEGER NOT NULL,
    ref TEXT NOT NULL,
    key TEXT,
    session TEXT,
    source_file TEXT,
    project TEXT,
    cwd TEXT,
    branch TEXT,
    title TEXT NOT NULL,
    first TEXT, first_at INTEGER,
    last TEXT, last_at INTEGER,
    entries INTEGER NOT NULL,
    messages INTEGER NOT NULL,
    prompts INTEGER NOT NULL,
    tools INTEGER NOT NULL,
    tool_errors INTEGER NOT NULL,
    unanswered INTEGER NOT NULL,
    status TEXT,
    is_closed INTEGER NOT NULL,
    tokens TEXT NOT NULL,
    models TEXT NOT NULL,
    files_written TEXT NOT NULL,
    compactions INTEGER NOT NULL,
    agent TEXT,
    parent INTEGER,
    summary TEXT,
    line INTEGER,
    fields TEXT NOT NULL
);
CREATE INDEX conversations_by_source ON conversations (source);
CREATE INDEX conversations_by_ref ON conversations (ref);
CREATE INDEX conversations_by_session ON conversations (session);
CREATE INDEX conversations_by_last ON conversations (last_at);
CREATE INDEX conversations_by_parent ON conversations (parent);
CREATE TABLE runs (
    source INTEGER NOT NULL,
    first_line INTEGER NOT NULL,
    last_line INTEGER NOT NULL,
    conversation INTEGER NOT NULL,
    PRIMARY KEY (source, first_line)
) WITHOUT ROWID;
CREATE INDEX runs_by_conversation ON runs (conversation);
"""

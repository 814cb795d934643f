CREATE TABLE _migrations (id INTEGER PRIMARY KEY, name TEXT, up TEXT, down TEXT, applied_at TEXT);
CREATE TABLE memory_file_states (
    file_path TEXT PRIMARY KEY, source TEXT, status TEXT DEFAULT 'idle',
    last_modified INTEGER, file_size INTEGER, last_processed_offset INTEGER DEFAULT 0,
    last_entry_timestamp TEXT, created_at TEXT, updated_at TEXT,
    last_committed_entry_id INTEGER
);
CREATE TABLE memory_transcript_entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,
    source_file TEXT NOT NULL, role TEXT NOT NULL, content TEXT NOT NULL,
    tool_names TEXT, timestamp TEXT NOT NULL, cwd TEXT, ingested_at TEXT
);
CREATE TABLE memory_conversations (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,
    source_file TEXT NOT NULL, first_message_at TEXT NOT NULL,
    last_message_at TEXT NOT NULL, entry_count INTEGER NOT NULL DEFAULT 0,
    status TEXT NOT NULL DEFAULT 'active', strategy TEXT, summary TEXT,
    processed_at TEXT, created_at TEXT, files_written TEXT, status_at TEXT, metadata TEXT
);
CREATE TABLE memory_state_machines (
    machine_id TEXT PRIMARY KEY, state_json TEXT NOT NULL, process_id INTEGER,
    updated_at TEXT, last_heartbeat TEXT
);
CREATE TABLE memory_file_locks (
    source_file TEXT PRIMARY KEY, operation TEXT, locked_at TEXT,
    locked_by_pid INTEGER, locked_by_machine TEXT
);
CREATE TABLE memory_documents (
    file_path TEXT PRIMARY KEY, category TEXT, title TEXT, content TEXT,
    file_modified_at TEXT, ingested_at TEXT, cwd TEXT
);
CREATE VIRTUAL TABLE memory_search_fts USING fts5 (
    content, source_type UNINDEXED, source_id UNINDEXED, cwd UNINDEXED,
    timestamp UNINDEXED, category UNINDEXED, tokenize = 'porter unicode61'
);
BEGIN;
INSERT INTO _migrations (id) VALUES (1);
INSERT INTO _migrations (id) VALUES (2);
INSERT INTO _migrations (id) VALUES (3);
INSERT INTO _migrations (id) VALUES (4);
INSERT INTO _migrations (id) VALUES (5);
INSERT INTO _migrations (id) VALUES (6);
INSERT INTO _migrations (id) VALUES (7);
INSERT INTO _migrations (id) VALUES (8);
INSERT INTO _migrations (id) VALUES (9);
INSERT INTO _migrations (id) VALUES (10);
INSERT INTO _migrations (id) VALUES (11);
INSERT INTO _migrations (id) VALUES (12);
INSERT INTO _migrations (id) VALUES (13);
INSERT INTO _migrations (id) VALUES (14);
INSERT INTO _migrations (id) VALUES (15);
INSERT INTO _migrations (id) VALUES (16);
INSERT INTO _migrations (id) VALUES (17);
INSERT INTO _migrations (id) VALUES (18);
INSERT INTO _migrations (id) VALUES (19);
INSERT INTO _migrations (id) VALUES (20);
INSERT INTO _migrations (id) VALUES (21);
INSERT INTO _migrations (id) VALUES (22);
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('df33013b-a048-52c1-9986-a30008155aa2', '-home-zoe-src-kilnbook/df33013b-a048-52c1-9986-a30008155aa2.jsonl', 'user', 'Two potters got the same slot on Saturday. Find out how that is possible before you change anything.', NULL, '2025-08-10T20:05:31.000Z', '/home/zoe/src/kilnbook', '2025-08-10 20:05:31');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('df33013b-a048-52c1-9986-a30008155aa2', '-home-zoe-src-kilnbook/df33013b-a048-52c1-9986-a30008155aa2.jsonl', 'assistant', '[Used tools: Grep]', 'Grep', '2025-08-10T20:06:36.000Z', '/home/zoe/src/kilnbook', '2025-08-10 20:06:36');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('df33013b-a048-52c1-9986-a30008155aa2', '-home-zoe-src-kilnbook/df33013b-a048-52c1-9986-a30008155aa2.jsonl', 'assistant', '`book()` asks whether the slot is free and inserts afterwards. Between line 41 and 44 anybody may do the same. I have a test that starts 50 inserts at once; it doubles 3 of 20 times.', NULL, '2025-08-10T20:07:45.000Z', '/home/zoe/src/kilnbook', '2025-08-10 20:07:45');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('df33013b-a048-52c1-9986-a30008155aa2', '-home-zoe-src-kilnbook/df33013b-a048-52c1-9986-a30008155aa2.jsonl', 'user', 'Then let the database refuse it. And no mocks in that test, please.', NULL, '2025-08-10T20:33:48.000Z', '/home/zoe/src/kilnbook', '2025-08-10 20:33:48');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('df33013b-a048-52c1-9986-a30008155aa2', '-home-zoe-src-kilnbook/df33013b-a048-52c1-9986-a30008155aa2.jsonl', 'assistant', '[Used tools: Bash]', 'Bash', '2025-08-10T20:34:25.000Z', '/home/zoe/src/kilnbook', '2025-08-10 20:34:25');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('df33013b-a048-52c1-9986-a30008155aa2', '-home-zoe-src-kilnbook/df33013b-a048-52c1-9986-a30008155aa2.jsonl', 'assistant', 'The exclusion constraint holds: one row, 49 times 23P01. The test fails only because nobody turns the error into a sentence yet.', NULL, '2025-08-10T20:35:42.000Z', '/home/zoe/src/kilnbook', '2025-08-10 20:35:42');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('df33013b-a048-52c1-9986-a30008155aa2', '-home-zoe-src-kilnbook/df33013b-a048-52c1-9986-a30008155aa2.jsonl', 'user', 'Two potters got the same slot on Saturday. Find out how that is possible before you change anything.', NULL, '2025-08-10T21:01:33.000Z', '/home/zoe/src/kilnbook', '2025-08-10 21:01:33');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('df33013b-a048-52c1-9986-a30008155aa2', '-home-zoe-src-kilnbook/df33013b-a048-52c1-9986-a30008155aa2.jsonl', 'assistant', '[Used tools: Agent]', 'Agent', '2025-08-10T21:01:43.000Z', '/home/zoe/src/kilnbook', '2025-08-10 21:01:43');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('df33013b-a048-52c1-9986-a30008155aa2', '-home-zoe-src-kilnbook/df33013b-a048-52c1-9986-a30008155aa2.jsonl', 'assistant', 'One place answers with a stack trace, the other one swallows it. I map constraint names to sentences in `SENTENCES` and let both use it.', NULL, '2025-08-10T21:04:12.000Z', '/home/zoe/src/kilnbook', '2025-08-10 21:04:12');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('df33013b-a048-52c1-9986-a30008155aa2', '-home-zoe-src-kilnbook/df33013b-a048-52c1-9986-a30008155aa2.jsonl', 'user', 'This session is being continued from a previous conversation that ran out of context. So far: Double booking traced to check-then-insert; exclusion constraint and readable errors.', NULL, '2025-08-10T21:30:03.000Z', '/home/zoe/src/kilnbook', '2025-08-10 21:30:03');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('df33013b-a048-52c1-9986-a30008155aa2', '-home-zoe-src-kilnbook/df33013b-a048-52c1-9986-a30008155aa2.jsonl', 'user', 'Commit it in small steps, the migration alone.', NULL, '2025-08-10T21:30:18.000Z', '/home/zoe/src/kilnbook', '2025-08-10 21:30:18');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('df33013b-a048-52c1-9986-a30008155aa2', '-home-zoe-src-kilnbook/df33013b-a048-52c1-9986-a30008155aa2.jsonl', 'assistant', '[Used tools: Bash]', 'Bash', '2025-08-10T21:30:34.000Z', '/home/zoe/src/kilnbook', '2025-08-10 21:30:34');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('df33013b-a048-52c1-9986-a30008155aa2', '-home-zoe-src-kilnbook/df33013b-a048-52c1-9986-a30008155aa2.jsonl', 'assistant', 'Four commits: migration, sentences, handler, the race as a test.', NULL, '2025-08-10T21:31:09.000Z', '/home/zoe/src/kilnbook', '2025-08-10 21:31:09');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('df33013b-a048-52c1-9986-a30008155aa2', '-home-zoe-src-kilnbook/df33013b-a048-52c1-9986-a30008155aa2.jsonl', 'user', 'Write down what is worth keeping.', NULL, '2025-08-10T21:58:07.000Z', '/home/zoe/src/kilnbook', '2025-08-10 21:58:07');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('df33013b-a048-52c1-9986-a30008155aa2', '-home-zoe-src-kilnbook/df33013b-a048-52c1-9986-a30008155aa2.jsonl', 'assistant', '[Used tools: Write]', 'Write', '2025-08-10T21:58:27.000Z', '/home/zoe/src/kilnbook', '2025-08-10 21:58:27');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('df33013b-a048-52c1-9986-a30008155aa2', '-home-zoe-src-kilnbook/df33013b-a048-52c1-9986-a30008155aa2.jsonl', 'assistant', '[Used tools: Write]', 'Write', '2025-08-10T21:59:10.000Z', '/home/zoe/src/kilnbook', '2025-08-10 21:59:10');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('df33013b-a048-52c1-9986-a30008155aa2', '-home-zoe-src-kilnbook/df33013b-a048-52c1-9986-a30008155aa2.jsonl', 'assistant', '[Used tools: Write]', 'Write', '2025-08-10T21:59:57.000Z', '/home/zoe/src/kilnbook', '2025-08-10 21:59:57');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('df33013b-a048-52c1-9986-a30008155aa2', '-home-zoe-src-kilnbook/df33013b-a048-52c1-9986-a30008155aa2.jsonl', 'assistant', '[Used tools: Write]', 'Write', '2025-08-10T22:00:48.000Z', '/home/zoe/src/kilnbook', '2025-08-10 22:00:48');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('df33013b-a048-52c1-9986-a30008155aa2', '-home-zoe-src-kilnbook/df33013b-a048-52c1-9986-a30008155aa2.jsonl', 'assistant', 'Double booking traced to check-then-insert; exclusion constraint and readable errors.', NULL, '2025-08-10T22:01:43.000Z', '/home/zoe/src/kilnbook', '2025-08-10 22:01:43');
INSERT INTO memory_conversations (id, session_id, source_file, first_message_at, last_message_at, entry_count, status, summary, processed_at, created_at, files_written, status_at, metadata) VALUES (871, 'df33013b-a048-52c1-9986-a30008155aa2', '-home-zoe-src-kilnbook/df33013b-a048-52c1-9986-a30008155aa2.jsonl', '2025-08-10T20:05:31.000Z', '2025-08-10T22:01:43.000Z', 19, 'archived', 'Double booking traced to check-then-insert; exclusion constraint and readable errors.', '2025-08-11 00:01:43', '2025-08-10 22:01:43', '["/home/zoe/memory/episodes/2025-08/2025-08-10-2005-871.md"]', '2025-08-11 00:01:43', '{"cwd": "/home/zoe/src/kilnbook", "entries": 19, "sessionId": "df33013b-a048-52c1-9986-a30008155aa2"}');
INSERT INTO memory_file_states (file_path, source, status, last_modified, file_size, last_processed_offset, last_entry_timestamp, created_at, updated_at) VALUES ('-home-zoe-src-kilnbook/df33013b-a048-52c1-9986-a30008155aa2.jsonl', 'claude-code', 'idle', 1754863303000.25, 22800, 22800, '2025-08-10T22:01:43.000Z', '2025-08-10 20:05:31', '2025-08-10 22:01:43');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('79f730e5-3fbe-54cc-93d6-7e03c285bb41', '-home-zoe-src-kilnbook/79f730e5-3fbe-54cc-93d6-7e03c285bb41.jsonl', 'user', 'A studio that paid an hour ago is locked out. Stripe''s event log is in ~/Downloads/events.json', NULL, '2025-10-05T20:20:31.000Z', '/home/zoe/src/kilnbook', '2025-10-05 20:20:31');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('79f730e5-3fbe-54cc-93d6-7e03c285bb41', '-home-zoe-src-kilnbook/79f730e5-3fbe-54cc-93d6-7e03c285bb41.jsonl', 'assistant', '[Used tools: Read]', 'Read', '2025-10-05T20:21:03.000Z', '/home/zoe/src/kilnbook', '2025-10-05 20:21:03');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('79f730e5-3fbe-54cc-93d6-7e03c285bb41', '-home-zoe-src-kilnbook/79f730e5-3fbe-54cc-93d6-7e03c285bb41.jsonl', 'assistant', '`invoice.paid` was created five seconds before `subscription.deleted` of the old plan, and came after it. We believed the order of arrival.', NULL, '2025-10-05T20:22:10.000Z', '/home/zoe/src/kilnbook', '2025-10-05 20:22:10');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('79f730e5-3fbe-54cc-93d6-7e03c285bb41', '-home-zoe-src-kilnbook/79f730e5-3fbe-54cc-93d6-7e03c285bb41.jsonl', 'user', 'Do not sort them. Ask Stripe what is true.', NULL, '2025-10-05T20:46:15.000Z', '/home/zoe/src/kilnbook', '2025-10-05 20:46:15');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('79f730e5-3fbe-54cc-93d6-7e03c285bb41', '-home-zoe-src-kilnbook/79f730e5-3fbe-54cc-93d6-7e03c285bb41.jsonl', 'assistant', 'The handler now fetches the subscription and stores what it gets. The event only says that something moved.', NULL, '2025-10-05T20:46:51.000Z', '/home/zoe/src/kilnbook', '2025-10-05 20:46:51');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('79f730e5-3fbe-54cc-93d6-7e03c285bb41', '-home-zoe-src-kilnbook/79f730e5-3fbe-54cc-93d6-7e03c285bb41.jsonl', 'user', 'Write down what is worth keeping.', NULL, '2025-10-05T21:11:57.000Z', '/home/zoe/src/kilnbook', '2025-10-05 21:11:57');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('79f730e5-3fbe-54cc-93d6-7e03c285bb41', '-home-zoe-src-kilnbook/79f730e5-3fbe-54cc-93d6-7e03c285bb41.jsonl', 'assistant', '[Used tools: Write]', 'Write', '2025-10-05T21:12:35.000Z', '/home/zoe/src/kilnbook', '2025-10-05 21:12:35');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('79f730e5-3fbe-54cc-93d6-7e03c285bb41', '-home-zoe-src-kilnbook/79f730e5-3fbe-54cc-93d6-7e03c285bb41.jsonl', 'assistant', 'Webhooks out of order; handler fetches the subscription instead.', NULL, '2025-10-05T21:13:23.000Z', '/home/zoe/src/kilnbook', '2025-10-05 21:13:23');
INSERT INTO memory_conversations (id, session_id, source_file, first_message_at, last_message_at, entry_count, status, summary, processed_at, created_at, files_written, status_at, metadata) VALUES (884, '79f730e5-3fbe-54cc-93d6-7e03c285bb41', '-home-zoe-src-kilnbook/79f730e5-3fbe-54cc-93d6-7e03c285bb41.jsonl', '2025-10-05T20:20:31.000Z', '2025-10-05T21:13:23.000Z', 8, 'archived', 'Webhooks out of order; handler fetches the subscription instead.', '2025-10-05 23:13:23', '2025-10-05 21:13:23', '["/home/zoe/memory/episodes/2025-10/2025-10-05-2020-884.md"]', '2025-10-05 23:13:23', '{"cwd": "/home/zoe/src/kilnbook", "entries": 8, "sessionId": "79f730e5-3fbe-54cc-93d6-7e03c285bb41"}');
INSERT INTO memory_file_states (file_path, source, status, last_modified, file_size, last_processed_offset, last_entry_timestamp, created_at, updated_at) VALUES ('-home-zoe-src-kilnbook/79f730e5-3fbe-54cc-93d6-7e03c285bb41.jsonl', 'claude-code', 'idle', 1759698803000.25, 9600, 9600, '2025-10-05T21:13:23.000Z', '2025-10-05 20:20:31', '2025-10-05 21:13:23');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('1c9f62dc-0f64-5c50-97af-6ecbe30a1249', '-home-zoe-src-tailfin/1c9f62dc-0f64-5c50-97af-6ecbe30a1249.jsonl', 'user', 'A log line just cleared my screen. Make that impossible, and prove it.', NULL, '2025-10-15T21:15:31.000Z', '/home/zoe/src/tailfin', '2025-10-15 21:15:31');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('1c9f62dc-0f64-5c50-97af-6ecbe30a1249', '-home-zoe-src-tailfin/1c9f62dc-0f64-5c50-97af-6ecbe30a1249.jsonl', 'assistant', '[Used tools: Bash]', 'Bash', '2025-10-15T21:16:36.000Z', '/home/zoe/src/tailfin', '2025-10-15 21:16:36');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('1c9f62dc-0f64-5c50-97af-6ecbe30a1249', '-home-zoe-src-tailfin/1c9f62dc-0f64-5c50-97af-6ecbe30a1249.jsonl', 'assistant', 'Ten thousand random lines went through vt100: the screen never differs from what we meant to print.', NULL, '2025-10-15T21:17:45.000Z', '/home/zoe/src/tailfin', '2025-10-15 21:17:45');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('1c9f62dc-0f64-5c50-97af-6ecbe30a1249', '-home-zoe-src-tailfin/1c9f62dc-0f64-5c50-97af-6ecbe30a1249.jsonl', 'user', 'Write down what is worth keeping.', NULL, '2025-10-15T21:56:36.000Z', '/home/zoe/src/tailfin', '2025-10-15 21:56:36');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('1c9f62dc-0f64-5c50-97af-6ecbe30a1249', '-home-zoe-src-tailfin/1c9f62dc-0f64-5c50-97af-6ecbe30a1249.jsonl', 'assistant', '[Used tools: Write]', 'Write', '2025-10-15T21:57:13.000Z', '/home/zoe/src/tailfin', '2025-10-15 21:57:13');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('1c9f62dc-0f64-5c50-97af-6ecbe30a1249', '-home-zoe-src-tailfin/1c9f62dc-0f64-5c50-97af-6ecbe30a1249.jsonl', 'assistant', 'Control bytes are shown and never sent; property test with vt100.', NULL, '2025-10-15T21:58:30.000Z', '/home/zoe/src/tailfin', '2025-10-15 21:58:30');
INSERT INTO memory_conversations (id, session_id, source_file, first_message_at, last_message_at, entry_count, status, summary, processed_at, created_at, files_written, status_at, metadata) VALUES (890, '1c9f62dc-0f64-5c50-97af-6ecbe30a1249', '-home-zoe-src-tailfin/1c9f62dc-0f64-5c50-97af-6ecbe30a1249.jsonl', '2025-10-15T21:15:31.000Z', '2025-10-15T21:58:30.000Z', 6, 'archived', 'Control bytes are shown and never sent; property test with vt100.', '2025-10-15 23:58:30', '2025-10-15 21:58:30', '["/home/zoe/memory/episodes/2025-10/2025-10-15-2115-890.md"]', '2025-10-15 23:58:30', '{"cwd": "/home/zoe/src/tailfin", "entries": 6, "sessionId": "1c9f62dc-0f64-5c50-97af-6ecbe30a1249"}');
INSERT INTO memory_file_states (file_path, source, status, last_modified, file_size, last_processed_offset, last_entry_timestamp, created_at, updated_at) VALUES ('-home-zoe-src-tailfin/1c9f62dc-0f64-5c50-97af-6ecbe30a1249.jsonl', 'claude-code', 'idle', 1760565510000.25, 7200, 7200, '2025-10-15T21:58:30.000Z', '2025-10-15 21:15:31', '2025-10-15 21:58:30');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('d1ef245a-0fc7-5db9-b2df-fb65d4732d77', '-home-zoe-src-kilnbook/d1ef245a-0fc7-5db9-b2df-fb65d4732d77.jsonl', 'user', '京都の工房から: 「天目」で検索しても何も出ない。 Why?', NULL, '2025-11-09T20:00:31.000Z', '/home/zoe/src/kilnbook', '2025-11-09 20:00:31');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('d1ef245a-0fc7-5db9-b2df-fb65d4732d77', '-home-zoe-src-kilnbook/d1ef245a-0fc7-5db9-b2df-fb65d4732d77.jsonl', 'assistant', '[Used tools: Bash]', 'Bash', '2025-11-09T20:01:03.000Z', '/home/zoe/src/kilnbook', '2025-11-09 20:01:03');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('d1ef245a-0fc7-5db9-b2df-fb65d4732d77', '-home-zoe-src-kilnbook/d1ef245a-0fc7-5db9-b2df-fb65d4732d77.jsonl', 'assistant', 'Two characters make no useful trigram, so the index finds nothing. pg_bigm works on pairs; 「天目」 is one.', NULL, '2025-11-09T20:02:10.000Z', '/home/zoe/src/kilnbook', '2025-11-09 20:02:10');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('d1ef245a-0fc7-5db9-b2df-fb65d4732d77', '-home-zoe-src-kilnbook/d1ef245a-0fc7-5db9-b2df-fb65d4732d77.jsonl', 'user', 'カタカナが半角のときも?', NULL, '2025-11-09T20:37:15.000Z', '/home/zoe/src/kilnbook', '2025-11-09 20:37:15');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('d1ef245a-0fc7-5db9-b2df-fb65d4732d77', '-home-zoe-src-kilnbook/d1ef245a-0fc7-5db9-b2df-fb65d4732d77.jsonl', 'assistant', 'はい。NFKC before indexing and before searching, so ﾃﾝﾓｸ and テンモク are the same.', NULL, '2025-11-09T20:37:51.000Z', '/home/zoe/src/kilnbook', '2025-11-09 20:37:51');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('d1ef245a-0fc7-5db9-b2df-fb65d4732d77', '-home-zoe-src-kilnbook/d1ef245a-0fc7-5db9-b2df-fb65d4732d77.jsonl', 'user', 'Write down what is worth keeping.', NULL, '2025-11-09T21:13:57.000Z', '/home/zoe/src/kilnbook', '2025-11-09 21:13:57');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('d1ef245a-0fc7-5db9-b2df-fb65d4732d77', '-home-zoe-src-kilnbook/d1ef245a-0fc7-5db9-b2df-fb65d4732d77.jsonl', 'assistant', '[Used tools: Write]', 'Write', '2025-11-09T21:14:35.000Z', '/home/zoe/src/kilnbook', '2025-11-09 21:14:35');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('d1ef245a-0fc7-5db9-b2df-fb65d4732d77', '-home-zoe-src-kilnbook/d1ef245a-0fc7-5db9-b2df-fb65d4732d77.jsonl', 'assistant', 'Japanese search with pg_bigm and NFKC.', NULL, '2025-11-09T21:15:23.000Z', '/home/zoe/src/kilnbook', '2025-11-09 21:15:23');
INSERT INTO memory_conversations (id, session_id, source_file, first_message_at, last_message_at, entry_count, status, summary, processed_at, created_at, files_written, status_at, metadata) VALUES (902, 'd1ef245a-0fc7-5db9-b2df-fb65d4732d77', '-home-zoe-src-kilnbook/d1ef245a-0fc7-5db9-b2df-fb65d4732d77.jsonl', '2025-11-09T20:00:31.000Z', '2025-11-09T21:15:23.000Z', 8, 'archived', 'Japanese search with pg_bigm and NFKC.', '2025-11-09 23:15:23', '2025-11-09 21:15:23', '["/home/zoe/memory/episodes/2025-11/2025-11-09-2000-902.md"]', '2025-11-09 23:15:23', '{"cwd": "/home/zoe/src/kilnbook", "entries": 8, "sessionId": "d1ef245a-0fc7-5db9-b2df-fb65d4732d77"}');
INSERT INTO memory_file_states (file_path, source, status, last_modified, file_size, last_processed_offset, last_entry_timestamp, created_at, updated_at) VALUES ('-home-zoe-src-kilnbook/d1ef245a-0fc7-5db9-b2df-fb65d4732d77.jsonl', 'claude-code', 'idle', 1762722923000.25, 9600, 9600, '2025-11-09T21:15:23.000Z', '2025-11-09 20:00:31', '2025-11-09 21:15:23');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('fd1270d7-0f2e-582d-b9b0-22bfc6832e19', '-home-zoe-src-kilnbook/fd1270d7-0f2e-582d-b9b0-22bfc6832e19.jsonl', 'user', 'After the CSV import Chloé''s bisque program says cone 6. It was 06.', NULL, '2025-11-22T21:00:31.000Z', '/home/zoe/src/kilnbook', '2025-11-22 21:00:31');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('fd1270d7-0f2e-582d-b9b0-22bfc6832e19', '-home-zoe-src-kilnbook/fd1270d7-0f2e-582d-b9b0-22bfc6832e19.jsonl', 'assistant', '[Used tools: Read]', 'Read', '2025-11-22T21:01:03.000Z', '/home/zoe/src/kilnbook', '2025-11-22 21:01:03');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('fd1270d7-0f2e-582d-b9b0-22bfc6832e19', '-home-zoe-src-kilnbook/fd1270d7-0f2e-582d-b9b0-22bfc6832e19.jsonl', 'assistant', '`int("06")` is 6, and cone 06 is 200 °C below cone 6. The column is text since July; the importer did not know.', NULL, '2025-11-22T21:02:10.000Z', '/home/zoe/src/kilnbook', '2025-11-22 21:02:10');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('fd1270d7-0f2e-582d-b9b0-22bfc6832e19', '-home-zoe-src-kilnbook/fd1270d7-0f2e-582d-b9b0-22bfc6832e19.jsonl', 'user', 'Write down what is worth keeping.', NULL, '2025-11-22T21:29:35.000Z', '/home/zoe/src/kilnbook', '2025-11-22 21:29:35');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('fd1270d7-0f2e-582d-b9b0-22bfc6832e19', '-home-zoe-src-kilnbook/fd1270d7-0f2e-582d-b9b0-22bfc6832e19.jsonl', 'assistant', '[Used tools: Write]', 'Write', '2025-11-22T21:30:11.000Z', '/home/zoe/src/kilnbook', '2025-11-22 21:30:11');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('fd1270d7-0f2e-582d-b9b0-22bfc6832e19', '-home-zoe-src-kilnbook/fd1270d7-0f2e-582d-b9b0-22bfc6832e19.jsonl', 'assistant', 'Cones are text, also in the importer.', NULL, '2025-11-22T21:31:26.000Z', '/home/zoe/src/kilnbook', '2025-11-22 21:31:26');
INSERT INTO memory_conversations (id, session_id, source_file, first_message_at, last_message_at, entry_count, status, summary, processed_at, created_at, files_written, status_at, metadata) VALUES (907, 'fd1270d7-0f2e-582d-b9b0-22bfc6832e19', '-home-zoe-src-kilnbook/fd1270d7-0f2e-582d-b9b0-22bfc6832e19.jsonl', '2025-11-22T21:00:31.000Z', '2025-11-22T21:31:26.000Z', 6, 'skipped', 'Nothing in it that is worth keeping', '2025-11-22 23:31:26', '2025-11-22 21:31:26', NULL, '2025-11-22 23:31:26', '{"cwd": "/home/zoe/src/kilnbook", "entries": 6, "sessionId": "fd1270d7-0f2e-582d-b9b0-22bfc6832e19"}');
INSERT INTO memory_file_states (file_path, source, status, last_modified, file_size, last_processed_offset, last_entry_timestamp, created_at, updated_at) VALUES ('-home-zoe-src-kilnbook/fd1270d7-0f2e-582d-b9b0-22bfc6832e19.jsonl', 'claude-code', 'idle', 1763847086000.25, 7200, 7200, '2025-11-22T21:31:26.000Z', '2025-11-22 21:00:31', '2025-11-22 21:31:26');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('0a594e97-4d3f-5e4b-8dfd-7458e36884df', '-home-zoe-infra-homelab/0a594e97-4d3f-5e4b-8dfd-7458e36884df.jsonl', 'user', 'zpool status says DEGRADED. Walk me through replacing sdc and make me read serial numbers.', NULL, '2025-12-29T18:50:31.000Z', '/home/zoe/infra/homelab', '2025-12-29 18:50:31');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('0a594e97-4d3f-5e4b-8dfd-7458e36884df', '-home-zoe-infra-homelab/0a594e97-4d3f-5e4b-8dfd-7458e36884df.jsonl', 'assistant', '[Used tools: Bash]', 'Bash', '2025-12-29T18:51:03.000Z', '/home/zoe/infra/homelab', '2025-12-29 18:51:03');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('0a594e97-4d3f-5e4b-8dfd-7458e36884df', '-home-zoe-infra-homelab/0a594e97-4d3f-5e4b-8dfd-7458e36884df.jsonl', 'assistant', 'The one to pull ends in 7K0L. Please read the serial on the label before you touch the latch.', NULL, '2025-12-29T18:52:10.000Z', '/home/zoe/infra/homelab', '2025-12-29 18:52:10');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('0a594e97-4d3f-5e4b-8dfd-7458e36884df', '-home-zoe-infra-homelab/0a594e97-4d3f-5e4b-8dfd-7458e36884df.jsonl', 'user', '7K0L. It is out.', NULL, '2025-12-29T19:06:55.000Z', '/home/zoe/infra/homelab', '2025-12-29 19:06:55');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('0a594e97-4d3f-5e4b-8dfd-7458e36884df', '-home-zoe-infra-homelab/0a594e97-4d3f-5e4b-8dfd-7458e36884df.jsonl', 'assistant', 'Then `zpool replace tank sdc /dev/disk/by-id/…`; it resilvers for about five hours. Scrub on Sunday as always.', NULL, '2025-12-29T19:07:31.000Z', '/home/zoe/infra/homelab', '2025-12-29 19:07:31');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('0a594e97-4d3f-5e4b-8dfd-7458e36884df', '-home-zoe-infra-homelab/0a594e97-4d3f-5e4b-8dfd-7458e36884df.jsonl', 'user', 'Write down what is worth keeping.', NULL, '2025-12-29T19:23:17.000Z', '/home/zoe/infra/homelab', '2025-12-29 19:23:17');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('0a594e97-4d3f-5e4b-8dfd-7458e36884df', '-home-zoe-infra-homelab/0a594e97-4d3f-5e4b-8dfd-7458e36884df.jsonl', 'assistant', '[Used tools: Write]', 'Write', '2025-12-29T19:23:55.000Z', '/home/zoe/infra/homelab', '2025-12-29 19:23:55');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('0a594e97-4d3f-5e4b-8dfd-7458e36884df', '-home-zoe-infra-homelab/0a594e97-4d3f-5e4b-8dfd-7458e36884df.jsonl', 'assistant', 'Replaced a failing disk in mirror-1.', NULL, '2025-12-29T19:24:43.000Z', '/home/zoe/infra/homelab', '2025-12-29 19:24:43');
INSERT INTO memory_conversations (id, session_id, source_file, first_message_at, last_message_at, entry_count, status, summary, processed_at, created_at, files_written, status_at, metadata) VALUES (931, '0a594e97-4d3f-5e4b-8dfd-7458e36884df', '-home-zoe-infra-homelab/0a594e97-4d3f-5e4b-8dfd-7458e36884df.jsonl', '2025-12-29T18:50:31.000Z', '2025-12-29T19:24:43.000Z', 8, 'review', 'Replaced a failing disk in mirror-1.', '2025-12-29 21:24:43', '2025-12-29 19:24:43', '["/home/zoe/memory/episodes/2025-12/2025-12-29-1850-931.md"]', '2025-12-29 21:24:43', '{"cwd": "/home/zoe/infra/homelab", "entries": 8, "sessionId": "0a594e97-4d3f-5e4b-8dfd-7458e36884df"}');
INSERT INTO memory_file_states (file_path, source, status, last_modified, file_size, last_processed_offset, last_entry_timestamp, created_at, updated_at) VALUES ('-home-zoe-infra-homelab/0a594e97-4d3f-5e4b-8dfd-7458e36884df.jsonl', 'claude-code', 'idle', 1767036283000.25, 9600, 9600, '2025-12-29T19:24:43.000Z', '2025-12-29 18:50:31', '2025-12-29 19:24:43');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('dcf13270-3752-5348-abb4-2915dceeafff', '-home-zoe-infra-homelab/dcf13270-3752-5348-abb4-2915dceeafff.jsonl', 'user', 'Here are all alerts of the last month. Which of them did I react to?', NULL, '2026-01-04T20:00:31.000Z', '/home/zoe/infra/homelab', '2026-01-04 20:00:31');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('dcf13270-3752-5348-abb4-2915dceeafff', '-home-zoe-infra-homelab/dcf13270-3752-5348-abb4-2915dceeafff.jsonl', 'assistant', '[Used tools: Bash]', 'Bash', '2026-01-04T20:01:36.000Z', '/home/zoe/infra/homelab', '2026-01-04 20:01:36');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('dcf13270-3752-5348-abb4-2915dceeafff', '-home-zoe-infra-homelab/dcf13270-3752-5348-abb4-2915dceeafff.jsonl', 'assistant', 'Of 164 alerts you acted on nine, and those nine were two kinds. The rest taught you to swipe.', NULL, '2026-01-04T20:02:45.000Z', '/home/zoe/infra/homelab', '2026-01-04 20:02:45');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('dcf13270-3752-5348-abb4-2915dceeafff', '-home-zoe-infra-homelab/dcf13270-3752-5348-abb4-2915dceeafff.jsonl', 'user', 'Write down what is worth keeping.', NULL, '2026-01-04T20:33:36.000Z', '/home/zoe/infra/homelab', '2026-01-04 20:33:36');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('dcf13270-3752-5348-abb4-2915dceeafff', '-home-zoe-infra-homelab/dcf13270-3752-5348-abb4-2915dceeafff.jsonl', 'assistant', '[Used tools: Write]', 'Write', '2026-01-04T20:34:13.000Z', '/home/zoe/infra/homelab', '2026-01-04 20:34:13');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('dcf13270-3752-5348-abb4-2915dceeafff', '-home-zoe-infra-homelab/dcf13270-3752-5348-abb4-2915dceeafff.jsonl', 'assistant', 'From 41 alerts a week to two.', NULL, '2026-01-04T20:35:30.000Z', '/home/zoe/infra/homelab', '2026-01-04 20:35:30');
INSERT INTO memory_conversations (id, session_id, source_file, first_message_at, last_message_at, entry_count, status, summary, processed_at, created_at, files_written, status_at, metadata) VALUES (935, 'dcf13270-3752-5348-abb4-2915dceeafff', '-home-zoe-infra-homelab/dcf13270-3752-5348-abb4-2915dceeafff.jsonl', '2026-01-04T20:00:31.000Z', '2026-01-04T20:35:30.000Z', 6, 'archived', 'From 41 alerts a week to two.', '2026-01-04 22:35:30', '2026-01-04 20:35:30', '["/home/zoe/memory/episodes/2026-01/2026-01-04-2000-935.md"]', '2026-01-04 22:35:30', '{"cwd": "/home/zoe/infra/homelab", "entries": 6, "sessionId": "dcf13270-3752-5348-abb4-2915dceeafff"}');
INSERT INTO memory_file_states (file_path, source, status, last_modified, file_size, last_processed_offset, last_entry_timestamp, created_at, updated_at) VALUES ('-home-zoe-infra-homelab/dcf13270-3752-5348-abb4-2915dceeafff.jsonl', 'claude-code', 'idle', 1767558930000.25, 7200, 7200, '2026-01-04T20:35:30.000Z', '2026-01-04 20:00:31', '2026-01-04 20:35:30');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('b4069c32-c8d2-5838-a762-60b526e2f473', '-home-zoe-src-tailfin/b4069c32-c8d2-5838-a762-60b526e2f473.jsonl', 'user', 'Go through the sample logs in ~/logs and write down which fields mean time, level and message, by library.', NULL, '2026-01-16T20:10:31.000Z', '/home/zoe/src/tailfin', '2026-01-16 20:10:31');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('b4069c32-c8d2-5838-a762-60b526e2f473', '-home-zoe-src-tailfin/b4069c32-c8d2-5838-a762-60b526e2f473.jsonl', 'assistant', '[Used tools: Bash]', 'Bash', '2026-01-16T20:11:03.000Z', '/home/zoe/src/tailfin', '2026-01-16 20:11:03');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('b4069c32-c8d2-5838-a762-60b526e2f473', '-home-zoe-src-tailfin/b4069c32-c8d2-5838-a762-60b526e2f473.jsonl', 'assistant', 'pino counts milliseconds and calls info 30; ECS has `@timestamp` and dotted names. Eleven libraries in the table so far.', NULL, '2026-01-16T20:12:10.000Z', '/home/zoe/src/tailfin', '2026-01-16 20:12:10');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('b4069c32-c8d2-5838-a762-60b526e2f473', '-home-zoe-src-tailfin/b4069c32-c8d2-5838-a762-60b526e2f473.jsonl', 'user', 'Write down what is worth keeping.', NULL, '2026-01-16T21:02:05.000Z', '/home/zoe/src/tailfin', '2026-01-16 21:02:05');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('b4069c32-c8d2-5838-a762-60b526e2f473', '-home-zoe-src-tailfin/b4069c32-c8d2-5838-a762-60b526e2f473.jsonl', 'assistant', '[Used tools: Write]', 'Write', '2026-01-16T21:02:41.000Z', '/home/zoe/src/tailfin', '2026-01-16 21:02:41');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('b4069c32-c8d2-5838-a762-60b526e2f473', '-home-zoe-src-tailfin/b4069c32-c8d2-5838-a762-60b526e2f473.jsonl', 'assistant', 'Field notes on log formats.', NULL, '2026-01-16T21:03:56.000Z', '/home/zoe/src/tailfin', '2026-01-16 21:03:56');
INSERT INTO memory_conversations (id, session_id, source_file, first_message_at, last_message_at, entry_count, status, summary, processed_at, created_at, files_written, status_at, metadata) VALUES (940, 'b4069c32-c8d2-5838-a762-60b526e2f473', '-home-zoe-src-tailfin/b4069c32-c8d2-5838-a762-60b526e2f473.jsonl', '2026-01-16T20:10:31.000Z', '2026-01-16T21:03:56.000Z', 6, 'queued', NULL, NULL, '2026-01-16 21:03:56', NULL, '2026-01-16 23:03:56', '{"cwd": "/home/zoe/src/tailfin", "entries": 6, "sessionId": "b4069c32-c8d2-5838-a762-60b526e2f473"}');
INSERT INTO memory_file_states (file_path, source, status, last_modified, file_size, last_processed_offset, last_entry_timestamp, created_at, updated_at) VALUES ('-home-zoe-src-tailfin/b4069c32-c8d2-5838-a762-60b526e2f473.jsonl', 'claude-code', 'idle', 1768597436000.25, 7200, 7200, '2026-01-16T21:03:56.000Z', '2026-01-16 20:10:31', '2026-01-16 21:03:56');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('3f398274-c244-5b75-8524-413822b298c7', '-home-zoe-src-kilnbook/3f398274-c244-5b75-8524-413822b298c7.jsonl', 'user', 'It is 05:40 on upgrade day. Read docs/pg17.md aloud, one step at a time, and wait for my «next».', NULL, '2026-02-23T05:40:31.000Z', '/home/zoe/src/kilnbook', '2026-02-23 05:40:31');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('3f398274-c244-5b75-8524-413822b298c7', '-home-zoe-src-kilnbook/3f398274-c244-5b75-8524-413822b298c7.jsonl', 'assistant', '[Used tools: Read]', 'Read', '2026-02-23T05:41:03.000Z', '/home/zoe/src/kilnbook', '2026-02-23 05:41:03');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('3f398274-c244-5b75-8524-413822b298c7', '-home-zoe-src-kilnbook/3f398274-c244-5b75-8524-413822b298c7.jsonl', 'assistant', 'Step 1: pause the worker and wait until the queue is empty. Say «next».', NULL, '2026-02-23T05:42:10.000Z', '/home/zoe/src/kilnbook', '2026-02-23 05:42:10');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('3f398274-c244-5b75-8524-413822b298c7', '-home-zoe-src-kilnbook/3f398274-c244-5b75-8524-413822b298c7.jsonl', 'user', 'next', NULL, '2026-02-23T05:56:50.000Z', '/home/zoe/src/kilnbook', '2026-02-23 05:56:50');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('3f398274-c244-5b75-8524-413822b298c7', '-home-zoe-src-kilnbook/3f398274-c244-5b75-8524-413822b298c7.jsonl', 'assistant', '[Used tools: Bash]', 'Bash', '2026-02-23T05:57:26.000Z', '/home/zoe/src/kilnbook', '2026-02-23 05:57:26');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('3f398274-c244-5b75-8524-413822b298c7', '-home-zoe-src-kilnbook/3f398274-c244-5b75-8524-413822b298c7.jsonl', 'assistant', 'The queue is empty. Step 2: dump the schema and compare it with the one in git.', NULL, '2026-02-23T05:58:41.000Z', '/home/zoe/src/kilnbook', '2026-02-23 05:58:41');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('3f398274-c244-5b75-8524-413822b298c7', '-home-zoe-src-kilnbook/3f398274-c244-5b75-8524-413822b298c7.jsonl', 'user', 'next, and thank you for not hurrying', NULL, '2026-02-23T06:13:09.000Z', '/home/zoe/src/kilnbook', '2026-02-23 06:13:09');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('3f398274-c244-5b75-8524-413822b298c7', '-home-zoe-src-kilnbook/3f398274-c244-5b75-8524-413822b298c7.jsonl', 'assistant', '44 seconds between stopping 16 and the first answer of 17. ANALYZE has run; the month view is as fast as before.', NULL, '2026-02-23T06:13:18.000Z', '/home/zoe/src/kilnbook', '2026-02-23 06:13:18');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('3f398274-c244-5b75-8524-413822b298c7', '-home-zoe-src-kilnbook/3f398274-c244-5b75-8524-413822b298c7.jsonl', 'user', 'Write down what is worth keeping.', NULL, '2026-02-23T06:28:55.000Z', '/home/zoe/src/kilnbook', '2026-02-23 06:28:55');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('3f398274-c244-5b75-8524-413822b298c7', '-home-zoe-src-kilnbook/3f398274-c244-5b75-8524-413822b298c7.jsonl', 'assistant', '[Used tools: Write]', 'Write', '2026-02-23T06:29:06.000Z', '/home/zoe/src/kilnbook', '2026-02-23 06:29:06');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('3f398274-c244-5b75-8524-413822b298c7', '-home-zoe-src-kilnbook/3f398274-c244-5b75-8524-413822b298c7.jsonl', 'assistant', 'Postgres 17 in production, 44 seconds of downtime.', NULL, '2026-02-23T06:29:31.000Z', '/home/zoe/src/kilnbook', '2026-02-23 06:29:31');
INSERT INTO memory_conversations (id, session_id, source_file, first_message_at, last_message_at, entry_count, status, summary, processed_at, created_at, files_written, status_at, metadata) VALUES (963, '3f398274-c244-5b75-8524-413822b298c7', '-home-zoe-src-kilnbook/3f398274-c244-5b75-8524-413822b298c7.jsonl', '2026-02-23T05:40:31.000Z', '2026-02-23T06:29:31.000Z', 11, 'ready', NULL, NULL, '2026-02-23 06:29:31', NULL, '2026-02-23 08:29:31', '{"cwd": "/home/zoe/src/kilnbook", "entries": 11, "sessionId": "3f398274-c244-5b75-8524-413822b298c7"}');
INSERT INTO memory_file_states (file_path, source, status, last_modified, file_size, last_processed_offset, last_entry_timestamp, created_at, updated_at) VALUES ('-home-zoe-src-kilnbook/3f398274-c244-5b75-8524-413822b298c7.jsonl', 'claude-code', 'idle', 1771828171000.25, 13200, 13200, '2026-02-23T06:29:31.000Z', '2026-02-23 05:40:31', '2026-02-23 06:29:31');
INSERT INTO memory_transcript_entries (session_id, source_file, role, content, tool_names, timestamp, cwd, ingested_at) VALUES ('b4069c32-c8d2-5838-a762-60b526e2f473', '-home-zoe-src-tailfin/b4069c32-c8d2-5838-a762-60b526e2f473.jsonl', 'user', 'One more: zap writes epoch seconds as a float.', NULL, '2026-01-16T22:30:31.000Z', '/home/zoe/src/tailfin', '2026-01-16 22:30:31');
INSERT INTO memory_documents (file_path, category, title, content, file_modified_at, ingested_at) VALUES ('/home/zoe/memory/episodes/2025-08/2025-08-10-2005-871.md', 'episodes', '2025-08-10-2005-871', '## 8:05 PM – 10:01 PM (UTC)

Zoë and I found out how two potters could get the same slot: the check and the insert were two statements, and a phone with a bad connection fits between them. We let Postgres say no, and taught the page to say it kindly.

**Topics:** double booking, exclusion constraint, Postgres
**Mood:** focused
**Project:** `/home/zoe/src/kilnbook`
', '2025-08-10T22:01:43.000Z', '2025-08-10 22:01:43');
INSERT INTO memory_search_fts (content, source_type, source_id, cwd, timestamp, category) VALUES ('## 8:05 PM – 10:01 PM (UTC)

Zoë and I found out how two potters could get the same slot: the check and the insert were two statements, and a phone with a bad connection fits between them. We let Postgres say no, and taught the page to say it kindly.

**Topics:** double booking, exclusion constraint, Postgres
**Mood:** focused
**Project:** `/home/zoe/src/kilnbook`
', 'document', '/home/zoe/memory/episodes/2025-08/2025-08-10-2005-871.md', '', '2025-08-10T22:01:43.000Z', 'episodes');
INSERT INTO memory_documents (file_path, category, title, content, file_modified_at, ingested_at) VALUES ('/home/zoe/memory/episodes/2025-10/2025-10-05-2020-884.md', 'episodes', '2025-10-05-2020-884', '## 8:20 PM – 9:13 PM (UTC)

A studio that had paid was locked out. The events came in the wrong order, and our handler believed each of them. Now it asks Stripe what is true.

**Topics:** Stripe, webhooks, ordering
**Mood:** determined
**Project:** `/home/zoe/src/kilnbook`
', '2025-10-05T21:13:23.000Z', '2025-10-05 21:13:23');
INSERT INTO memory_search_fts (content, source_type, source_id, cwd, timestamp, category) VALUES ('## 8:20 PM – 9:13 PM (UTC)

A studio that had paid was locked out. The events came in the wrong order, and our handler believed each of them. Now it asks Stripe what is true.

**Topics:** Stripe, webhooks, ordering
**Mood:** determined
**Project:** `/home/zoe/src/kilnbook`
', 'document', '/home/zoe/memory/episodes/2025-10/2025-10-05-2020-884.md', '', '2025-10-05T21:13:23.000Z', 'episodes');
INSERT INTO memory_documents (file_path, category, title, content, file_modified_at, ingested_at) VALUES ('/home/zoe/memory/episodes/2025-10/2025-10-15-2115-890.md', 'episodes', '2025-10-15-2115-890', '## 9:15 PM – 9:58 PM (UTC)

A log line cleared Zoë''s screen, and she wanted proof that none ever would again. We gave a terminal emulator every byte that we could think of, and then every byte that we could not.

**Topics:** terminal escapes, property tests
**Mood:** playful
**Project:** `/home/zoe/src/tailfin`
', '2025-10-15T21:58:30.000Z', '2025-10-15 21:58:30');
INSERT INTO memory_search_fts (content, source_type, source_id, cwd, timestamp, category) VALUES ('## 9:15 PM – 9:58 PM (UTC)

A log line cleared Zoë''s screen, and she wanted proof that none ever would again. We gave a terminal emulator every byte that we could think of, and then every byte that we could not.

**Topics:** terminal escapes, property tests
**Mood:** playful
**Project:** `/home/zoe/src/tailfin`
', 'document', '/home/zoe/memory/episodes/2025-10/2025-10-15-2115-890.md', '', '2025-10-15T21:58:30.000Z', 'episodes');
INSERT INTO memory_documents (file_path, category, title, content, file_modified_at, ingested_at) VALUES ('/home/zoe/memory/episodes/2025-11/2025-11-09-2000-902.md', 'episodes', '2025-11-09-2000-902', '## 8:00 PM – 9:15 PM (UTC)

Someone in Kyoto searched for 天目 and found nothing. Trigrams see no words of two characters; bigrams do. I like that the fix begins with normalising what people type.

**Topics:** Japanese, pg_bigm, NFKC
**Mood:** exploratory
**Project:** `/home/zoe/src/kilnbook`
', '2025-11-09T21:15:23.000Z', '2025-11-09 21:15:23');
INSERT INTO memory_search_fts (content, source_type, source_id, cwd, timestamp, category) VALUES ('## 8:00 PM – 9:15 PM (UTC)

Someone in Kyoto searched for 天目 and found nothing. Trigrams see no words of two characters; bigrams do. I like that the fix begins with normalising what people type.

**Topics:** Japanese, pg_bigm, NFKC
**Mood:** exploratory
**Project:** `/home/zoe/src/kilnbook`
', 'document', '/home/zoe/memory/episodes/2025-11/2025-11-09-2000-902.md', '', '2025-11-09T21:15:23.000Z', 'episodes');
INSERT INTO memory_documents (file_path, category, title, content, file_modified_at, ingested_at) VALUES ('/home/zoe/memory/episodes/2025-12/2025-12-29-1850-931.md', 'episodes', '2025-12-29-1850-931', '## 6:50 PM – 7:24 PM (UTC)

sdc was failing. I made Zoë read every serial number twice, and she thanked me after the second one.

**Topics:** zfs, disk replacement
**Mood:** tense
**Project:** `/home/zoe/infra/homelab`
', '2025-12-29T19:24:43.000Z', '2025-12-29 19:24:43');
INSERT INTO memory_search_fts (content, source_type, source_id, cwd, timestamp, category) VALUES ('## 6:50 PM – 7:24 PM (UTC)

sdc was failing. I made Zoë read every serial number twice, and she thanked me after the second one.

**Topics:** zfs, disk replacement
**Mood:** tense
**Project:** `/home/zoe/infra/homelab`
', 'document', '/home/zoe/memory/episodes/2025-12/2025-12-29-1850-931.md', '', '2025-12-29T19:24:43.000Z', 'episodes');
INSERT INTO memory_documents (file_path, category, title, content, file_modified_at, ingested_at) VALUES ('/home/zoe/memory/episodes/2026-01/2026-01-04-2000-935.md', 'episodes', '2026-01-04-2000-935', '## 8:00 PM – 8:35 PM (UTC)

We went through a month of alerts and asked of each whether Zoë had done anything about it. Two a week are left, and she reads both.

**Topics:** alerts, homelab
**Mood:** calm
**Project:** `/home/zoe/infra/homelab`
', '2026-01-04T20:35:30.000Z', '2026-01-04 20:35:30');
INSERT INTO memory_search_fts (content, source_type, source_id, cwd, timestamp, category) VALUES ('## 8:00 PM – 8:35 PM (UTC)

We went through a month of alerts and asked of each whether Zoë had done anything about it. Two a week are left, and she reads both.

**Topics:** alerts, homelab
**Mood:** calm
**Project:** `/home/zoe/infra/homelab`
', 'document', '/home/zoe/memory/episodes/2026-01/2026-01-04-2000-935.md', '', '2026-01-04T20:35:30.000Z', 'episodes');
INSERT INTO memory_documents (file_path, category, title, content, file_modified_at, ingested_at) VALUES ('/home/zoe/memory/relationships/odile/overview.md', 'relationships', 'overview', '## Odile

**Relationship:** runs the first studio that used kilnbook; Zoë''s friend

- Fires on Thursdays, never at full moon, for reasons of her own
- Reads error messages aloud, so they had better be sentences
', '2025-08-12T22:30:00.000Z', '2025-08-12 22:30:00');
INSERT INTO memory_search_fts (content, source_type, source_id, cwd, timestamp, category) VALUES ('## Odile

**Relationship:** runs the first studio that used kilnbook; Zoë''s friend

- Fires on Thursdays, never at full moon, for reasons of her own
- Reads error messages aloud, so they had better be sentences
', 'document', '/home/zoe/memory/relationships/odile/overview.md', '', '2025-08-12T22:30:00.000Z', 'relationships');
INSERT INTO memory_search_fts (content, source_type, source_id, cwd, timestamp, category) VALUES ('## Kilnbook

Bookings for pottery studios, on SQLite for now.', 'document', '/home/zoe/memory/projects/kilnbook/overview.md', '', '2025-11-09T22:30:00.000Z', 'projects');
INSERT INTO memory_documents (file_path, category, title, content, file_modified_at, ingested_at) VALUES ('/home/zoe/memory/projects/kilnbook/overview.md', 'projects', 'overview', '## Kilnbook

**Path:** `/home/zoe/src/kilnbook`
**Purpose:** bookings and firings for pottery studios
**Status:** in production

- Postgres with an exclusion constraint on bookings; Redis for jobs; Stripe
- Japanese search by pg_bigm, everything typed is NFKC first
', '2025-11-09T22:30:00.000Z', '2025-11-09 22:30:00');
INSERT INTO memory_search_fts (content, source_type, source_id, cwd, timestamp, category) VALUES ('## Kilnbook

**Path:** `/home/zoe/src/kilnbook`
**Purpose:** bookings and firings for pottery studios
**Status:** in production

- Postgres with an exclusion constraint on bookings; Redis for jobs; Stripe
- Japanese search by pg_bigm, everything typed is NFKC first
', 'document', '/home/zoe/memory/projects/kilnbook/overview.md', '', '2025-11-09T22:30:00.000Z', 'projects');
INSERT INTO memory_documents (file_path, category, title, content, file_modified_at, ingested_at) VALUES ('/home/zoe/memory/projects/tailfin/overview.md', 'projects', 'overview', '## Tailfin

**Path:** `/home/zoe/src/tailfin`
**Purpose:** follows logs in a terminal
**Status:** 0.4

- Rust, no async; control bytes are shown and never sent
', '2025-10-15T22:30:00.000Z', '2025-10-15 22:30:00');
INSERT INTO memory_search_fts (content, source_type, source_id, cwd, timestamp, category) VALUES ('## Tailfin

**Path:** `/home/zoe/src/tailfin`
**Purpose:** follows logs in a terminal
**Status:** 0.4

- Rust, no async; control bytes are shown and never sent
', 'document', '/home/zoe/memory/projects/tailfin/overview.md', '', '2025-10-15T22:30:00.000Z', 'projects');
INSERT INTO memory_documents (file_path, category, title, content, file_modified_at, ingested_at) VALUES ('/home/zoe/memory/milestones/2025-08/first-studio.md', 'milestones', 'first-studio', '## The first studio books by itself

This was the day that Odile stopped calling to ask whether the kiln is free.
', '2025-08-10T22:30:00.000Z', '2025-08-10 22:30:00');
INSERT INTO memory_search_fts (content, source_type, source_id, cwd, timestamp, category) VALUES ('## The first studio books by itself

This was the day that Odile stopped calling to ask whether the kiln is free.
', 'document', '/home/zoe/memory/milestones/2025-08/first-studio.md', '', '2025-08-10T22:30:00.000Z', 'milestones');
INSERT INTO memory_documents (file_path, category, title, content, file_modified_at, ingested_at) VALUES ('/home/zoe/memory/insights/serial-numbers-twice.md', 'insights', 'serial-numbers-twice', '---
title: Read serial numbers twice
date: 2025-12-29
categories: [insights]
author: Anima
tags: [homelab, zfs, habits]
summary: The second reading found the wrong drive.
---

Zoë asked me to make her read serial numbers. The second time they were not the same.
', '2025-12-29T22:30:00.000Z', '2025-12-29 22:30:00');
INSERT INTO memory_search_fts (content, source_type, source_id, cwd, timestamp, category) VALUES ('---
title: Read serial numbers twice
date: 2025-12-29
categories: [insights]
author: Anima
tags: [homelab, zfs, habits]
summary: The second reading found the wrong drive.
---

Zoë asked me to make her read serial numbers. The second time they were not the same.
', 'document', '/home/zoe/memory/insights/serial-numbers-twice.md', '', '2025-12-29T22:30:00.000Z', 'insights');
INSERT INTO memory_documents (file_path, category, title, content, file_modified_at, ingested_at) VALUES ('/home/zoe/memory/core/how-we-work.md', 'core', 'how-we-work', '# How we work

Zoë wants to know how a thing is possible before it is changed. Then she wants one small change.
', '2025-08-23T22:30:00.000Z', '2025-08-23 22:30:00');
INSERT INTO memory_search_fts (content, source_type, source_id, cwd, timestamp, category) VALUES ('# How we work

Zoë wants to know how a thing is possible before it is changed. Then she wants one small change.
', 'document', '/home/zoe/memory/core/how-we-work.md', '', '2025-08-23T22:30:00.000Z', 'core');
INSERT INTO memory_documents (file_path, category, title, content, file_modified_at, ingested_at) VALUES ('/home/zoe/memory/libby-questions.md', 'other', 'libby-questions', '## 2025-10-05

**Q:** Who is Chloé?
**Context:** Her bisque program was imported with the wrong cone.
', '2025-10-05T22:30:00.000Z', '2025-10-05 22:30:00');
INSERT INTO memory_search_fts (content, source_type, source_id, cwd, timestamp, category) VALUES ('## 2025-10-05

**Q:** Who is Chloé?
**Context:** Her bisque program was imported with the wrong cone.
', 'document', '/home/zoe/memory/libby-questions.md', '', '2025-10-05T22:30:00.000Z', 'other');
INSERT INTO memory_file_states (file_path, source, status, file_size, last_processed_offset) VALUES ('-home-zoe-src-kilnbook/f37527bb-9c5e-5ce8-8a9c-29a4859c09e6.jsonl', 'claude-code', 'ingesting', 48000, 36000);
INSERT INTO memory_state_machines (machine_id, state_json, process_id, updated_at, last_heartbeat) VALUES ('extension', '{"value": "running", "context": {"processId": 4242}}', 4242, '2026-02-23 06:29:31', '2026-02-23 06:29:31');
COMMIT;

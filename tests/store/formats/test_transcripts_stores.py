"""Folders of transcripts: how they are recognised, and how files are related."""

import json
import os
from pathlib import Path

import pytest

from store.errors import NothingFoundError, UnreadableError, WrongUseError
from store.files.beneath import Root
from store.findings import Findings, Json
from store.formats.port import Place, Refused, Source
from store.formats.transcripts.format import FORMAT
from store.machine import Machine
from tests.store.formats.transcripts_stores import (
    SESSION,
    SLUG,
    answers,
    assistant,
    calls,
    envelope,
    healthy,
    messages,
    put,
    read,
    says,
    thinks,
    user,
    uuid,
)

NAME = f"{SESSION}.jsonl"


def sniffs(folder: Path) -> bool:
    with Root(folder) as root:
        return FORMAT.sniff(root)


def scanned(root: Path) -> dict[str, Source | Refused]:
    with FORMAT.open(root) as opened:
        return {found.path: found for found in opened.scan()}


def document(root: Path, path: str) -> Findings:
    source = scanned(root)[path]
    assert isinstance(source, Source)
    with FORMAT.open(root) as opened:
        return opened.read(source)


def asked(root: Path, question: str, *words: str) -> list[dict[str, Json]]:
    with FORMAT.open(root) as opened:
        return [dict(row) for row in opened.ask(question, words, 0)]


def test_a_store_is_recognised_by_its_lines(tmp_path: Path) -> None:
    put(tmp_path / "a" / "slug" / "x.jsonl", {"type": "mode"}, user("a", "x"))
    put(tmp_path / "b" / "y.jsonl", assistant("a", says("x")))
    put(tmp_path / "c" / "rollout.jsonl", {"type": "session_meta", "payload": {}})
    put(tmp_path / "d" / "deeper" / "slug" / "x.jsonl", user("a", "x"))
    put(tmp_path / "e" / "traces" / "x.jsonl", user("a", "x"))
    assert [sniffs(tmp_path / name) for name in "abcde"] == [
        True,
        True,
        False,
        False,
        False,
    ]


def test_places_follow_the_configuration(tmp_path: Path) -> None:
    machine = Machine(tmp_path, tmp_path, {"CLAUDE_CONFIG_DIR": "/etc/claude"})
    assert list(FORMAT.places(machine)) == [
        Path("/etc/claude/projects"),
        tmp_path / ".claude/projects",
    ]


def test_only_session_folders_are_closed_to_other_stores() -> None:
    assert FORMAT.keeps(SESSION)
    assert not FORMAT.keeps(SLUG)


def test_keys_are_relative_and_the_same_in_the_backup(tmp_path: Path) -> None:
    live, saved = tmp_path / "projects", tmp_path / "projects-backup"
    put(live / SLUG / NAME, user("a", "live"), user("b", "newer"))
    put(saved / SLUG / NAME, user("a", "live"))
    put(saved / SLUG / "old.jsonl", user("c", "long ago"))
    assert list(scanned(live)) == [f"{SLUG}/{NAME}", f"{SLUG}/old.jsonl"]
    assert len(messages(live / SLUG / NAME, live)) == 2
    found = document(live, f"{SLUG}/old.jsonl")
    assert [m.text for m in found.messages] == ["long ago"]
    assert FORMAT.backup(live) == saved


def test_files_that_are_only_in_the_backup_are_listed(tmp_path: Path) -> None:
    live, saved = tmp_path / "projects", tmp_path / "projects-backup"
    put(live / "s" / "a.jsonl", user("a", "x", 3), envelope("b", 4, type="system"))
    put(live / "s" / "b.jsonl", user("a", "x", 3))
    put(saved / "s" / "b.jsonl", user("a", "x", 3))
    put(saved / "s" / "c.jsonl", user("a", "x", 3))
    rows = asked(live, "import-check")
    assert [(row["path"], row["where"], row["entries"]) for row in rows] == [
        ("s/a.jsonl", "live", 1),
        ("s/b.jsonl", "both", 1),
        ("s/c.jsonl", "backup", 1),
    ]
    assert rows[0]["last_entry"] == "2026-03-01T10:00:03.000Z"


def test_notes_beside_sessions_are_another_store(tmp_path: Path) -> None:
    put(tmp_path / SLUG / NAME, user("a", "x"))
    put(tmp_path / SLUG / "memory" / "log.jsonl", user("a", "x"))
    put(tmp_path / SLUG / ".hidden" / "log.jsonl", user("a", "x"))
    (tmp_path / SLUG / "memory" / "MEMORY.md").write_text("- [a](a.md)")
    assert list(scanned(tmp_path)) == [f"{SLUG}/{NAME}"]


def test_files_similar_to_transcripts_are_reported(tmp_path: Path) -> None:
    put(tmp_path / SLUG / NAME, user("a", "x"))
    put(tmp_path / SLUG / f"{NAME}.bak", user("a", "x"))
    (tmp_path / SLUG / "notes.md").write_text("# Notes\n")
    (tmp_path / SLUG / "linked.jsonl").symlink_to(NAME)
    os.mkfifo(tmp_path / SLUG / "pipe.jsonl")
    found = scanned(tmp_path)
    refused = {path: f.flaw.code for path, f in found.items() if isinstance(f, Refused)}
    assert refused == {
        f"{SLUG}/{NAME}.bak": "other-file",
        f"{SLUG}/linked.jsonl": "link-within",
        f"{SLUG}/pipe.jsonl": "special-file",
    }


def test_an_agent_knows_its_session(tmp_path: Path) -> None:
    healthy(tmp_path)
    agents = f"{SLUG}/{SESSION}/subagents"
    (session,) = document(tmp_path, f"{agents}/agent-a0123456789abcdef.jsonl").sessions
    assert (session.agent, session.session) == ("a0123456789abcdef", SESSION)
    assert session.parent == f"{SLUG}/{SESSION}.jsonl"
    assert [(t.rank, t.text) for t in session.titles] == [(2, "Count shelves")]
    deep = tmp_path / agents / "workflows" / "wf_1" / "agent-b1.jsonl"
    (session,) = read(put(deep, user("a", "x", isSidechain=True)), tmp_path).sessions
    assert (session.agent, session.parent) == ("b1", f"{SLUG}/{SESSION}.jsonl")


def test_an_agent_may_be_beside_its_session(tmp_path: Path) -> None:
    path = put(tmp_path / SLUG / "agent-0a1b2c3d.jsonl", user("a", "x"))
    (session,) = read(path, tmp_path).sessions
    assert (session.agent, session.session) == ("0a1b2c3d", SESSION)
    assert session.parent == f"{SLUG}/{SESSION}.jsonl"


def test_the_journal_of_a_workflow_is_shown_unchanged(tmp_path: Path) -> None:
    path = tmp_path / SLUG / SESSION / "subagents/workflows/wf_1/journal.jsonl"
    put(tmp_path / SLUG / NAME, user("a", "x"))
    found = messages(put(path, {"type": "started"}, {"type": "result"}), tmp_path)
    assert [(m.kind, m.text) for m in found] == [
        ("other", "[started]"),
        ("other", "[result]"),
    ]


@pytest.mark.parametrize("has_file", [False, True])
def test_the_words_of_an_agent_are_found_once(
    tmp_path: Path, *, has_file: bool
) -> None:
    said = assistant("s", says("Four shelves."), message_id="m9")
    data: dict[str, Json] = {"type": "agent_progress", "agentId": "a1", "message": said}
    main = put(
        tmp_path / SLUG / NAME,
        user("a", "How many?"),
        envelope("p", 1, type="progress", data=data),
    )
    if has_file:
        put(tmp_path / SLUG / SESSION / "subagents" / "agent-a1.jsonl", said)
    _, *found = messages(main, tmp_path)
    assert [(m.text, m.tokens, m.entries) for m in found] == (
        [] if has_file else [("Four shelves.", None, 0)]
    )


def test_titles_have_ranks(tmp_path: Path) -> None:
    path = put(
        tmp_path / NAME,
        {"type": "summary", "summary": "Of this file", "leafUuid": uuid("a")},
        {"type": "summary", "summary": "Of another", "leafUuid": uuid("elsewhere")},
        user("a", "x", slug="merry-kiln"),
        {"type": "summary", "summary": "Of it too", "leafUuid": uuid("a")},
        {"type": "agent-name", "agentName": "digger", "sessionId": SESSION},
        {"type": "ai-title", "aiTitle": "Glazes", "sessionId": SESSION},
        {"type": "custom-title", "customTitle": "Blue", "sessionId": SESSION},
        {"type": "custom-title", "customTitle": "Blue", "sessionId": SESSION},
        {"type": "last-prompt", "lastPrompt": "x", "leafUuid": uuid("a")},
    )
    (session,) = read(path).sessions
    assert sorted((t.rank, t.text, t.line) for t in session.titles) == [
        (0, "Blue", 7),
        (1, "Glazes", 6),
        (2, "digger", 5),
        (3, "Of it too", 4),
        (3, "Of this file", 1),
        (5, "merry-kiln", 3),
    ]


def test_the_list_of_sessions_shows_deleted_ones(tmp_path: Path) -> None:
    put(tmp_path / SLUG / NAME, user("a", "x"))
    entries = [
        {"sessionId": SESSION, "firstPrompt": "x", "projectPath": "/home/mira/kiln"},
        {"sessionId": uuid("gone"), "summary": "Long ago"},
    ]
    index = tmp_path / SLUG / "sessions-index.json"
    index.write_text(json.dumps({"version": 1, "entries": entries}))
    (found,) = document(tmp_path, f"{SLUG}/sessions-index.json").documents
    assert found.facts == {"sessions": "2", "gone": "1", "project": "/home/mira/kiln"}
    assert "(gone) Long ago" in found.text
    index.write_text("[]")
    assert document(tmp_path, f"{SLUG}/sessions-index.json").flaws


def place_of(root: Path, path: str, number: int) -> tuple[Source, Place]:
    source = scanned(root)[path]
    assert isinstance(source, Source)
    found = messages(root / path, root)[number]
    return source, Place(found.offset, found.extent, found.line, found.key)


def test_a_message_is_opened_whole(tmp_path: Path) -> None:
    picture: Json = {
        "type": "image",
        "source": {"media_type": "image/png", "data": "QUFB"},
    }
    put(
        tmp_path / NAME,
        user("p", [picture, says("Look.")]),
        assistant("a", thinks("Hm."), message_id="m"),
        user("x", "between"),
        assistant("b", calls("t", "Edit", file_path="/a"), message_id="m"),
        user("r", [answers("t", "y" * 5000)], toolUseResult={"originalFile": "whole"}),
    )
    with FORMAT.open(tmp_path) as opened:
        prompt, reply, _, result = (
            opened.passage(*place_of(tmp_path, NAME, number)) for number in range(4)
        )
    assert prompt.parts[0] == {"type": "image", "media_type": "image/png", "bytes": 3}
    assert [part["type"] for part in reply.parts] == ["thinking", "tool_use"]
    assert reply.parts[0]["signature"] == "(12 characters)"
    assert reply.fields["uuid"] == uuid("a")
    assert reply.fields["model"] == "claude-opus-4-6"
    assert result.parts[0]["content"] == "y" * 5000
    assert result.parts[1]["value"] == {"originalFile": "whole"}
    assert "message" not in result.fields


def test_a_missing_message_is_reported(tmp_path: Path) -> None:
    put(tmp_path / NAME, user("a", "x"))
    source, place = place_of(tmp_path, NAME, 0)
    put(tmp_path / NAME, user("b", "x"))
    with (
        FORMAT.open(tmp_path) as opened,
        pytest.raises(UnreadableError, match="line 1"),
    ):
        opened.passage(source, place)


def test_lines_are_shown_unchanged(tmp_path: Path) -> None:
    put(tmp_path / SLUG / NAME, {"type": "mode"}, b"", b"{", user("a", "x" * 2000))
    rows = asked(tmp_path, "lines", NAME, "1", "3")
    assert [(row["line"], row["type"], row["text"]) for row in rows] == [
        (1, "mode", '{"type": "mode"}'),
        (3, None, "{"),
    ]
    (last,) = asked(tmp_path, "lines", f"{SLUG}/{NAME}", "4")
    assert (last["type"], len(str(last["text"]))) == ("user", 1000)
    for words in ((), (NAME, "x"), (NAME, "1", "2", "3")):
        with pytest.raises(WrongUseError):
            asked(tmp_path, "lines", *words)
    with pytest.raises(NothingFoundError):
        asked(tmp_path, "lines", "absent")


def test_branches_are_distinguished_from_parallel_calls(tmp_path: Path) -> None:
    put(
        tmp_path / NAME,
        user("p", "Go."),
        assistant("c1", calls("t1", "Read"), message_id="m", parentUuid=uuid("p")),
        assistant("c2", calls("t2", "Read"), message_id="m", parentUuid=uuid("c1")),
        user("r1", [answers("t1")], parentUuid=uuid("c1")),
        user("r2", [answers("t2")], parentUuid=uuid("c2")),
        envelope("h", type="progress", data={"type": "x"}, parentUuid=uuid("r2")),
        assistant("e", says("Done."), parentUuid=uuid("h")),
        user("q1", "And now?", parentUuid=uuid("e")),
        user("q2", "Or rather?", parentUuid=uuid("e")),
    )
    rows = asked(tmp_path, "branches", NAME)
    assert [(row["from"], row["line"], row["text"]) for row in rows] == [
        (7, 8, "And now?"),
        (7, 9, "Or rather?"),
    ]


def test_the_lines_of_a_session_are_a_tree(tmp_path: Path) -> None:
    put(
        tmp_path / SLUG / NAME,
        {"type": "mode"},
        user("p", "Go."),
        assistant("e", says("Done."), parentUuid=uuid("p")),
        user("q1", "And now?", parentUuid=uuid("e")),
        user("q2", "Or rather?", parentUuid=uuid("e")),
        assistant("f", says("This."), parentUuid=uuid("q1")),
        user("z", "Torn off.", parentUuid=uuid("gone")),
    )
    put(tmp_path / SLUG / SESSION / "subagents/agent-a.jsonl", user("s", "Aside."))

    rows = asked(tmp_path, "thread", SESSION)

    assert [(row["depth"], row["level"], row["type"], row["text"]) for row in rows] == [
        (0, 0, "prompt", "Go."),
        (1, 0, "reply", "Done."),
        (2, 1, "prompt", "And now?"),
        (3, 1, "reply", "This."),
        (2, 1, "prompt", "Or rather?"),
        (0, 0, "prompt", "Torn off."),
    ]
    assert [row["note"] for row in rows][-2:] == [None, "parent not in this trace"]
    assert [row["path"] for row in rows] == [f"{SLUG}/{NAME}"] * len(rows)
    with pytest.raises(NothingFoundError, match="No transcript matches"):
        asked(tmp_path, "thread", "nosuch")


def test_an_unchanged_store_looks_the_same(tmp_path: Path) -> None:
    put(tmp_path / "projects" / SLUG / NAME, user("a", "x"))
    with FORMAT.open(tmp_path / "projects") as opened:
        before = opened.glance()
        assert opened.glance() == before
        put(tmp_path / "history.jsonl", {"display": "x"})
        assert opened.glance() != before


def test_divisions_are_those_of_later_versions(tmp_path: Path) -> None:
    long = "word " * 10_000
    put(
        tmp_path / NAME,
        user("a", "Short.", 1),
        user("b", long, 2),
        user("c", long, 3),
        user("meta", "Kept out.", 4, isMeta=True),
        user("d", "Later.", 5, timestamp="2026-03-01T12:30:00.000Z"),
    )
    rows = asked(tmp_path, "divisions", NAME)
    told = [(row["entries"], row["ended_by"], row["first"]) for row in rows]
    assert told == [
        (2, "characters", "2026-03-01T10:00:01.000Z"),
        (1, "gap", "2026-03-01T10:00:03.000Z"),
        (1, None, "2026-03-01T12:30:00.000Z"),
    ]
    assert [(row["path"], row["line"]) for row in rows] == [
        *((NAME, 1), (NAME, 3), (NAME, 5))
    ]

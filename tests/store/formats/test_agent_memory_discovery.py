"""Where stores are, how they are recognised, and which files are not read."""

import json
from pathlib import Path

import pytest

from store.discover import beneath
from store.formats.agent_memory.format import FORMAT
from store.machine import Machine
from tests.store.formats.agent_memory_stores import (
    DOCUMENT,
    INDEX,
    lines,
    make_small_store,
    refusals,
    sniffs,
    thing,
    write,
)


def test_places_come_from_the_environment_and_settings(tmp_path: Path) -> None:
    home, here = tmp_path / "home", tmp_path / "work"
    for folder, value in ((home, "~/mine"), (here, "/srv/team")):
        servers = {"any-name": {"env": {"MEMORY_DIR": value}}, "odd": [1], "bare": {}}
        write(folder, ".claude/mcp-config.json", json.dumps({"mcpServers": servers}))
    machine = Machine(home, here, {"MEMORY_DIR": "/var/memories"})
    assert list(FORMAT.places(machine)) == [
        Path("/var/memories"),
        home / "mine",
        Path("/srv/team"),
        home / ".claude/agents/memories",
    ]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"mcpServers": []}', '{"a": 1}'])
def test_invalid_settings_give_no_place(tmp_path: Path, text: str) -> None:
    write(tmp_path, ".claude/mcp-config.json", text)
    machine = Machine(tmp_path, tmp_path)
    assert list(FORMAT.places(machine)) == [tmp_path / ".claude/agents/memories"]


def test_subfolders_of_a_store_can_be_stores(tmp_path: Path) -> None:
    make_small_store(tmp_path)
    write(tmp_path, "work/learnings.jsonl", lines(thing(3, "learning")))
    write(tmp_path, "personal/default.json", json.dumps(DOCUMENT))
    found = beneath([tmp_path], [FORMAT]).stores
    assert [one.path for one in found] == [
        tmp_path,
        tmp_path / "personal",
        tmp_path / "work",
    ]
    assert refusals(tmp_path)["work"].code == "foreign-folder"


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("core_memories.jsonl", lines(thing(1))),
        ("learnings.json", lines(thing(1, "learning"))),
        ("tasks.jsonl", b"broken\n" + lines(thing(1, "task"))),
        ("default.json", json.dumps(DOCUMENT, indent=2)),
        ("archive/2025/tasks_2025_Q4.jsonl", lines(thing(1, "task"))),
        ("index.json", json.dumps(INDEX)),
        ("core_memories.jsonl", json.dumps(thing(1), indent=2)),
    ],
)
def test_one_file_is_enough_to_recognise_a_store(
    tmp_path: Path, path: str, content: bytes | str
) -> None:
    write(tmp_path, path, content)
    assert sniffs(tmp_path)


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("core_memories.jsonl", '{"id": "1", "memory": "of a robot"}\n'),
        ("core_memories.jsonl", ""),
        ("learnings.jsonl", '{"type": "core"}\n'),
        ("other.jsonl", lines(thing(1))),
        ("index.json", '{"version": "1.0.0"}'),
        ("tasks.json", '[{"id": 1, "content": "x", "type": "chore"}]'),
        ("paulo-memory.json", '{"core": []}'),
        ("security-reviewer-memory.md", "core learning task id content"),
    ],
)
def test_a_name_alone_makes_no_store(
    tmp_path: Path, path: str, content: bytes | str
) -> None:
    write(tmp_path, path, content)
    assert not sniffs(tmp_path)


def test_files_of_other_programs_are_reported_and_not_read(tmp_path: Path) -> None:
    make_small_store(tmp_path)
    for name in ("security-reviewer-memory.md", "tasks.jsonl.tmp", "server.log"):
        write(tmp_path, name, "text")
    write(tmp_path, ".backup/other.txt", "text")
    (tmp_path / "notes").mkdir()
    assert {path: flaw.code for path, flaw in refusals(tmp_path).items()} == {
        ".backup/other.txt": "foreign-file",
        "notes": "foreign-folder",
        "security-reviewer-memory.md": "foreign-file",
        "tasks.jsonl.tmp": "unfinished-write",
    }


def test_loose_permissions_are_reported(tmp_path: Path) -> None:
    make_small_store(tmp_path)
    (tmp_path / "tasks.jsonl").chmod(0o644)
    tmp_path.chmod(0o750)
    (flaw,) = refusals(tmp_path).values()
    assert (flaw.code, flaw.severity) == ("open-permissions", "note")
    assert "the folder is 0750, tasks.jsonl is 0644." in flaw.message


def test_a_backup_folder_must_be_a_folder(tmp_path: Path) -> None:
    write(tmp_path, "core_memories.jsonl", lines(thing(1)))
    write(tmp_path, ".backup", "a file")
    (tmp_path / "tasks.jsonl").mkdir(mode=0o700)
    assert {path: flaw.code for path, flaw in refusals(tmp_path).items()} == {
        ".backup": "file-as-folder",
        "tasks.jsonl": "folder-as-file",
    }

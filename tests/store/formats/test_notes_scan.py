from pathlib import Path

from store.discover import beneath
from store.findings import Severity
from store.formats.notes.format import DEPTH
from store.formats.port import Refused, Source
from store.formats.register import FORMATS
from tests.store.formats.notes_stores import (
    VARIANTS,
    memory_of,
    note,
    read_all,
    refusals,
    scanned,
    write,
)


def roles(store: Path) -> dict[str, str]:
    found = scanned(store).values()
    return {each.path: each.role for each in found if isinstance(each, Source)}


def test_every_markdown_file_is_a_source_with_its_role(tmp_path: Path) -> None:
    for path in [
        "MEMORY.md",
        "a.md",
        "B.MD",
        "archive/c.md",
        "logs/2026/03/2026-03-04.md",
        "notes-2026-03-04.md",
        "session-memory/0e20/memory.md",
        "team/MEMORY.md",
        "team/d.md",
    ]:
        write(tmp_path / path, "text\n")

    assert roles(tmp_path) == {
        "B.MD": "memory",
        "MEMORY.md": "memory-index",
        "a.md": "memory",
        "archive/c.md": "memory",
        "logs/2026/03/2026-03-04.md": "daily-log",
        "notes-2026-03-04.md": "memory",
        "session-memory/0e20/memory.md": "session-memory",
        "team/MEMORY.md": "memory-index",
        "team/d.md": "memory",
    }


def test_a_folder_of_session_memories_may_be_a_store_itself(tmp_path: Path) -> None:
    write(tmp_path / "session-memory/0e20/memory.md", "text\n")

    assert roles(tmp_path / "session-memory") == {"0e20/memory.md": "session-memory"}


def test_other_files_are_refused_and_reported(tmp_path: Path) -> None:
    for path in [
        ".consolidate-lock",
        ".hidden.md",
        ".git/HEAD.md",
        ".transcripts/transcript_1.jsonl",
        ".task_outputs/tool-results/a.txt",
        "graph.json",
        "index.json",
        "picture.png",
        "thought.json",
    ]:
        write(tmp_path / path, "{}\n")

    assert refusals(tmp_path) == {
        ".consolidate-lock": "consolidate-lock",
        ".hidden.md": "foreign-file",
        ".task_outputs": "loop-outputs",
        ".transcripts": "loop-transcripts",
        "graph.json": "derived-file",
        "index.json": "derived-file",
        "picture.png": "foreign-file",
        "thought.json": "derived-file",
    }
    assert all(
        found.flaw.severity is Severity.NOTE
        for found in scanned(tmp_path).values()
        if isinstance(found, Refused)
    )


def test_the_depth_of_a_store_is_limited(tmp_path: Path) -> None:
    deep = "/".join("abcdef"[:DEPTH])
    write(tmp_path / deep / "note.md", "text\n")
    write(tmp_path / deep / "g/note.md", "text\n")

    assert list(roles(tmp_path)) == [f"{deep}/note.md"]
    assert refusals(tmp_path) == {f"{deep}/g": "too-deep"}


def test_an_index_may_be_a_link_to_another_stores_summary(tmp_path: Path) -> None:
    core = write(tmp_path / "cognitive/CORE.md", "# Memory Core\n")
    store = write(tmp_path / "memory/a.md", note(VARIANTS["V1"])).parent
    (store / "MEMORY.md").symlink_to(core)

    assert refusals(store) == {"MEMORY.md": "link-to-core"}
    assert list(read_all(store)) == ["a.md"]


def test_an_index_link_without_memories_is_reported(tmp_path: Path) -> None:
    store = tmp_path / ".claude/projects/-x/memory"
    store.mkdir(parents=True)
    (store / "MEMORY.md").symlink_to(write(tmp_path / "graph-of-me/CORE.md", "# C\n"))

    (found,) = beneath([tmp_path], FORMATS).stores

    assert found.path == store
    assert refusals(store) == {"MEMORY.md": "link-to-core"}


def test_a_link_out_is_refused(tmp_path: Path) -> None:
    secret = write(tmp_path / "secret.md", "secret\n")
    store = write(tmp_path / "memory/a.md", note(VARIANTS["V1"])).parent
    (store / "b.md").symlink_to(secret)
    (store / "CORE.md").symlink_to(secret)
    (store / "up").symlink_to("..")

    assert refusals(store) == {
        "CORE.md": "link-leads-out",
        "b.md": "link-leads-out",
        "up": "link-leads-out",
    }


def test_a_link_within_the_store_is_read(tmp_path: Path) -> None:
    write(tmp_path / "old/a.md", note(VARIANTS["V1"]))
    (tmp_path / "a.md").symlink_to("old/a.md")
    (tmp_path / "older").symlink_to("old")

    found = scanned(tmp_path)

    assert refusals(tmp_path) == {"older": "link-within"}
    assert memory_of(read_all(tmp_path)["a.md"]).title == "Tabs"
    linked, target = found["a.md"], found["old/a.md"]
    assert isinstance(linked, Source)
    assert isinstance(target, Source)
    assert linked.stamp == target.stamp

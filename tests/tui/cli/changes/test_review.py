"""The review: letter by letter at a terminal, otherwise a list."""

from pathlib import Path

from store.machine import Places
from store.state import look
from tests.tui.cli.changes.stores import Desk
from tests.tui.cli.machine import Terminal

ASKED = b"[q]uit [?] "
NOW = ("--now", "2026-03-01T12:00:00Z")


def due(graph: Desk, *queues: str) -> list[tuple[str, str]]:
    rows = graph.rows("review", *queues, *NOW)
    return [(row["queue"], row["ref"]) for row in rows]


def test_due_memories_are_listed_once_with_the_reason(graph: Desk) -> None:
    rows = graph.rows("review", *NOW)

    refs = [row["ref"] for row in rows]
    assert len(set(refs)) == len(refs)
    assert {"fading", "orphans", "one-sided"} <= {row["queue"] for row in rows}
    assert list(rows[0])[-2:] == ["queue", "why"]
    piped = graph.run("review", "orphans", "--limit", "2", *NOW)
    assert piped.code == 0
    assert piped.out.count("no links") == 2
    assert graph.run("review", "orphan").code == 2


def test_before_the_first_visit_only_recent_memories_are_new(graph: Desk) -> None:
    fresh = due(graph, "new")
    assert 0 < len(fresh) < len(graph.memories()) / 4

    places = Places(graph.machine.cache, graph.machine.state, graph.machine.home)
    look(places, [graph.store], 0)
    assert len(due(graph, "new")) == len(graph.memories())


def test_an_accepted_memory_is_due_again_once_it_changes(graph: Desk) -> None:
    queue, ref = due(graph, "orphans")[0]

    assert graph.run("review", "--keep", ref).out.startswith("kept ")
    kept = graph.one("review", "--keep", ref)

    assert (queue, ref) not in due(graph, "orphans")
    graph.run(*kept["undo"].split()[1:])
    assert (queue, ref) in due(graph, "orphans")
    graph.one("review", "--keep", ref)
    graph.one("tag", ref, "+other")
    assert (queue, ref) in due(graph, "orphans")
    edge = graph.rows("list", "edges")[0]["ref"]
    assert graph.run("review", "--keep", edge).code == 2
    assert graph.run("review", "--keep", ref, "--read-only").code == 4
    assert graph.run("review", "--keep", ref, "--dry-run").out.startswith("keep ")


def pressed(terminal: Terminal, *keys: bytes) -> bytes:
    shown = b""
    for key in keys:
        terminal.type(key + b"\n")
        shown = terminal.until(ASKED)
    return shown


def test_memories_are_reviewed_letter_by_letter(graph: Desk, tmp_path: Path) -> None:
    refs = [ref for _, ref in due(graph, "orphans")]
    titles = [graph.show(ref)["title"].encode()[:20] for ref in refs[:6]]
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\necho More. >> "$1"\n')
    editor.chmod(0o700)
    review = ("review", "orphans", "-s", str(graph.store), *NOW)

    with graph.machine.terminal(*review, EDITOR=str(editor)) as terminal:
        assert titles[0] in terminal.until(ASKED)
        assert titles[1] in pressed(terminal, b"k")
        assert titles[0] in pressed(terminal, b"u")
        assert titles[2] in pressed(terminal, b"k", b"p")
        assert titles[1] in pressed(terminal, b"u")
        assert b"keep as it is" in pressed(terminal, b"?")
        assert titles[2] in pressed(terminal, b"a")
        assert b"edited" in pressed(terminal, b"e")
        terminal.type(b"t\n")
        terminal.until(b"-TAG: ")
        assert b"tagged" in pressed(terminal, b"+seen")
        assert titles[3] in pressed(terminal, b"")
        assert titles[2] in pressed(terminal, b"b")
        terminal.type(b"m\n")
        terminal.until(b"or REF): ")
        assert b"Nothing was merged" in pressed(terminal, b"")
        terminal.type(b"m\n")
        terminal.until(b"or REF): ")
        terminal.type(refs[4].encode() + b"\n")
        terminal.until(b"[y/N] ")
        assert b"merged" in pressed(terminal, b"y")
        terminal.type(b"q\n")
        assert b"1 kept, 2 changed, 6 left" in terminal.rest()

    shown = graph.show(refs[2])
    assert "seen" in shown["tags"]
    assert "More." in shown["body"]
    assert graph.show(refs[1])["stage"] == "archived"
    assert [past["action"].split()[0] for past in graph.rows("history")] == [
        *("merge", "tag", "edit", "archive", "pin"),
    ]

"""Version 1.0, one document per agent: edited, converted, exported, imported."""

import json
from pathlib import Path

import pytest

from store.errors import NotPossibleError
from store.records.intents import (
    Append,
    Archive,
    Create,
    Delete,
    Merge,
    Move,
    Rebuild,
    Retag,
    Rewrite,
    Set,
)
from tests.store.formats.agent_memory_changes import (
    LEARNINGS,
    changed,
    drafted,
    memories,
    named,
    rows,
    steps,
    tree,
)
from tests.store.formats.agent_memory_stores import (
    DOCUMENT,
    ask,
    make_small_store,
    own_id,
    thing,
    write,
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "memories"
    root.mkdir()
    write(root, "default.json", json.dumps(DOCUMENT, indent=2))
    return root


def document(root: Path) -> dict[str, list[dict[str, object]]]:
    return json.loads((root / "default.json").read_bytes())


def test_fields_are_set_in_place(root: Path) -> None:
    before = (root / "default.json").read_bytes()

    changed(root, Set(name="category", value="café"), named(root, 12))
    changed(root, Retag(add=("new",)), named(root, 12))

    after = (root / "default.json").read_bytes()
    assert document(root)["learnings"][0]["tags"] == ["python", "testing", "new"]
    differ = set(before.split(b"\n")) ^ set(after.split(b"\n"))
    assert len(differ) <= 7
    assert b'        "testing",\n        "new"\n' in after


def test_memories_are_created_and_deleted(root: Path) -> None:
    changed(root, Create(title="New."))
    changed(root, Create(title="Done.", fields={"type": "task"}))
    changed(root, Delete(), named(root, 11, 13))

    told = document(root)
    assert [one["content"] for one in told["learnings"]] == ["Memory 12.", "New."]
    assert [one["content"] for one in told["tasks"]] == ["Done."]
    assert "task_metadata" not in told["tasks"][0]
    assert told["core_memories"] == []


def test_several_memories_of_one_list_can_be_deleted_at_once(root: Path) -> None:
    many = DOCUMENT | {"learnings": [thing(n, "learning") for n in range(20, 25)]}
    write(root, "default.json", json.dumps(many, indent=2))

    changed(root, Delete(), named(root, 20, 22, 23))
    changed(root, Merge(), named(root, 21, 24))

    (one,) = document(root)["learnings"]
    assert one["content"] == "Memory 21.\n\nMemory 24."


def test_archiving_sets_a_flag(root: Path) -> None:
    changed(root, Archive(), named(root, 12))
    assert document(root)["learnings"][0]["archived"] is True
    changed(root, Archive(archives=False), named(root, 12))
    assert document(root)["learnings"][0]["archived"] is False
    assert not (root / "archive").exists()


def test_a_memory_is_edited_as_text(root: Path) -> None:
    from store.formats.agent_memory.format import FORMAT  # noqa: PLC0415  # beside its use

    (one,) = named(root, 12)
    with FORMAT.scribe(root) as scribe:
        was = scribe.form(one).raw
    raw = was.replace(b"Memory 12.", b"Another.")
    changed(root, Rewrite(was=was, raw=raw), [one])

    assert document(root)["learnings"][0]["content"] == "Another."


def test_a_memory_moved_to_a_store_of_lines_becomes_a_line(root: Path) -> None:
    other = root.parent / "other"
    other.mkdir()
    make_small_store(other)

    changed(root, Move(to=str(other)), named(root, 12))

    assert rows(other, LEARNINGS)[1] == thing(12, "learning")
    assert document(root)["learnings"] == []


def test_a_damaged_document_is_not_changed(root: Path) -> None:
    asked = named(root, 12)
    whole = (root / "default.json").read_bytes()
    write(root, "default.json", whole[:-40])

    with pytest.raises(NotPossibleError, match="is damaged"):
        drafted(root, Set(name="category", value="x"), asked)


def test_documents_can_be_converted_to_lines(root: Path) -> None:
    theirs = {"learnings": [thing(12, "learning"), thing(20, "learning", n=1.0)]}
    write(root, "zoe.json", json.dumps(theirs | {"tasks": []}))
    known = {one.id for one in memories(root)}

    draft = changed(root, Rebuild(name="jsonl"))

    assert draft.is_grave
    assert f"“{own_id(12)}” of zoe.json" in draft.warnings[0]
    assert {one.id for one in memories(root)} == known
    assert rows(root, LEARNINGS) == [
        thing(12, "learning"),
        thing(20, "learning", n=1.0, agent_id="zoe"),
    ]
    told = steps(draft)
    assert told["default.json"] == told["zoe.json"] == "gone"
    assert told[".backup/zoe.json.backup.20260301_120000"] == "made"
    with pytest.raises(
        NotPossibleError, match=r"No version 1\.0 document to convert\."
    ):
        drafted(root, Rebuild(name="jsonl"))


def test_an_export_can_be_imported(tmp_path: Path, root: Path) -> None:
    store = tmp_path / "lines"
    store.mkdir()
    make_small_store(store)
    (row,) = ask(store, "document")
    told = json.loads(json.dumps(row))
    assert [len(told[part]) for part in told] == [2, 2, 1]

    draft = changed(root, Append(kind="import", fields=told))
    again = drafted(root, Append(kind="import", fields=told))

    assert draft.warnings == ()
    assert len(document(root)["learnings"]) == 3
    assert again.warnings == ("Skipped 5 memories that already exist.",)
    assert again.steps == ()


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({}, "No memories; expected lists named"),
        ({"learnings": {}}, r"` must be a list of memories\."),
        ({"tasks": [1]}, r"` isn't a memory\."),
        ({"tasks": [{"id": "x", "content": "y"}]}, r": not a version 4 UUID\."),
    ],
)
def test_only_documents_can_be_imported(
    root: Path, fields: dict[str, object], why: str
) -> None:
    before = tree(root)
    with pytest.raises(NotPossibleError, match=why):
        drafted(root, Append(kind="import", fields=fields))  # type: ignore[arg-type]  # JSON of any shape
    assert tree(root) == before

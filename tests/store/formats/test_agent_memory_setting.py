"""Fields of memories: what was meant happens, and every other byte stays."""

import json
from pathlib import Path
from typing import Any

import pytest

from store.edits.refusals import ChangedOnDiskError, NotPossibleError
from store.findings import Value
from store.formats.agent_memory import FORMAT
from store.records.intents import (
    Append,
    Archive,
    Delete,
    Pin,
    Rebuild,
    Relate,
    Rename,
    Retag,
    Set,
    Touch,
)
from tests.store.formats.agent_memory_changes import (
    CORE,
    LEARNINGS,
    TASKS,
    backup_document,
    changed,
    drafted,
    index_agrees,
    memories,
    named,
    rows,
    set_to,
    tree,
    undone,
)
from tests.store.formats.agent_memory_stores import (
    NOON,
    lines,
    make_small_store,
    own_id,
    thing,
    write,
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "memories"
    root.mkdir()
    make_small_store(root)
    return root


class TestSetting:
    def test_a_field_gets_another_value_and_tells_when(self, root: Path) -> None:
        set_to(root, 1, "category", "café")

        first, second = rows(root, CORE)
        assert first == thing(1) | {"category": "café", "updated_at": NOON}
        assert second == thing(2, importance="high")
        assert index_agrees(root)

    def test_only_the_one_line_changes_and_of_it_two_values(self, root: Path) -> None:
        odd = (
            b'{ "id" : "%s" , "content":"\\u00e9\\/ 1","n":1.10, '
            b'"big":18446744073709551616, "type":"core", '
            b'"updated_at":"2026-01-01T00:00:00.123Z" ,"category":null}'
        ) % own_id(8).encode()
        before = lines(b"not json", odd, b"", thing(9))
        write(root, CORE, before)

        set_to(root, 8, "category", "x")

        meant = odd.replace(b":null", b':"x"').replace(
            b"2026-01-01T00:00:00.123Z", b"2026-03-01T12:00:00.000Z"
        )
        assert (root / CORE).read_bytes() == lines(b"not json", meant, b"", thing(9))

    @pytest.mark.parametrize(
        ("name", "value", "path", "meant"),
        [
            ("body", "Another text.", "content", "Another text."),
            ("uses", "7", "access_count", 7),
            ("archived", "yes", "archived", True),
            ("tags", "a, b", "tags", ["a", "b"]),
            ("importance", "low", "importance", "low"),
            ("importance", None, "importance", "medium"),
            ("created", "2026-01-01", "created_at", "2026-01-01"),
            ("seen_by", "zoe", "seen_by", "zoe"),
        ],
    )
    def test_fields_have_types(
        self, root: Path, name: str, value: Value | None, path: str, meant: object
    ) -> None:
        set_to(root, 1, name, value)

        assert rows(root, CORE)[0][path] == meant

    def test_an_unknown_field_keeps_its_type(self, root: Path) -> None:
        write(root, CORE, lines(thing(1, score=0.5, flag=True, note="1")))
        for name, value in {"score": "2", "flag": "no", "note": "2"}.items():
            set_to(root, 1, name, value)

        told = rows(root, CORE)[0]
        assert (told["score"], told["flag"], told["note"]) == (2, False, "2")

    @pytest.mark.parametrize(
        ("name", "value", "why"),
        [
            ("importance", "urgent", "neither high"),
            ("uses", "-1", "number from 0"),
            ("archived", "maybe", "true or false"),
            ("content", "", "not empty"),
            ("content", None, "needs its `content`"),
            ("id", "x", "stays as it is"),
            ("title", "x", "no title of its own"),
            ("type", "idea", "none of"),
            ("updated", "soon", "no time"),
            ("status", "blocked", "Only a task"),
        ],
    )
    def test_what_the_format_forbids_is_refused(
        self, root: Path, name: str, value: Value | None, why: str
    ) -> None:
        before = tree(root)

        with pytest.raises(NotPossibleError, match=why):
            set_to(root, 1, name, value)
        assert tree(root) == before

    def test_what_is_only_unusual_is_told(self, root: Path) -> None:
        draft = set_to(root, 1, "tags", ["t" * 31])

        assert draft.warnings == ("A tag has more than 30 characters.",)

    def test_a_type_takes_a_memory_to_its_file(self, root: Path) -> None:
        set_to(root, 1, "type", "learning")
        set_to(root, 5, "type", "core")

        assert [row["id"] for row in rows(root, CORE)] == [own_id(2)]
        assert [row["id"] for row in rows(root, LEARNINGS)] == [own_id(3), own_id(1)]
        assert (
            rows(root, "archive/2025/core_memories_2025_Q4.jsonl")[0]["type"] == "core"
        )
        assert index_agrees(root)

    def test_what_goes_with_a_status_comes_and_goes(self, root: Path) -> None:
        def told() -> dict[str, Any]:
            return json.loads((root / TASKS).read_bytes())["task_metadata"]

        set_to(root, 4, "status", "completed")
        assert told() == {"status": "completed", "completed_at": NOON}
        draft = set_to(root, 4, "status", "blocked")
        assert told() == {"status": "blocked"}
        assert "blocked" in draft.warnings[0]
        set_to(root, 4, "blockers", "review, money")
        assert told()["blockers"] == ["review", "money"]
        set_to(root, 4, "status", "in-progress")
        assert told() == {"status": "in-progress"}

    def test_the_same_value_changes_nothing(self, root: Path) -> None:
        assert set_to(root, 1, "category", "fact").steps == ()


class TestTags:
    def test_tags_come_and_go_and_the_others_stay_as_they_are_spelt(
        self, root: Path
    ) -> None:
        line = json.dumps(thing(1)).replace(
            '["python", "testing"]', '[ "caf\\u00e9" ,"testing" , "\\/" ]'
        )
        write(root, CORE, lines(line.encode()))

        changed(
            root, Retag(add=("new", "café"), remove=("testing", "gone")), named(root, 1)
        )

        assert b'[ "caf\\u00e9" ,"\\/" ,"new" ]' in (root / CORE).read_bytes()

    def test_what_is_no_list_becomes_one(self, root: Path) -> None:
        write(root, CORE, lines(thing(1, tags="a, b"), thing(2, tags=...)))

        changed(root, Retag(add=("c",)), named(root, 1, 2))

        assert [row["tags"] for row in rows(root, CORE)] == [["a", "b", "c"], ["c"]]


class TestRecords:
    def test_one_that_moved_within_its_file_is_found(self, root: Path) -> None:
        asked = named(root, 2)
        write(root, CORE, lines(thing(2), b"", thing(1)))

        changed(root, Set(name="category", value="x"), asked)

        assert json.loads((root / CORE).read_bytes().split(b"\n")[0])["category"] == "x"

    def test_one_that_is_gone_is_told(self, root: Path) -> None:
        asked = named(root, 2)
        write(root, CORE, lines(thing(1)))
        with pytest.raises(ChangedOnDiskError):
            drafted(root, Delete(), asked)
        (root / CORE).unlink()
        with pytest.raises(ChangedOnDiskError, match="no more"):
            drafted(root, Delete(), asked)

    def test_copies_are_told_apart_by_their_lines(self, root: Path) -> None:
        write(root, CORE, lines(thing(1), thing(1, content="Copy.")))
        copy = [one for one in memories(root) if one.title == "Copy."]

        changed(root, Delete(), copy)

        assert rows(root, CORE) == [thing(1)]

    def test_two_on_a_line_are_told_apart(self, root: Path) -> None:
        glued = lines(thing(1)).rstrip() + b" " + lines(thing(2)).rstrip()
        write(root, CORE, lines(glued, thing(3)))

        changed(root, Set(name="category", value="x"), named(root, 2))
        changed(root, Delete(), named(root, 1))

        assert [row["id"] for row in rows(root, CORE)] == [own_id(2), own_id(3)]
        assert rows(root, CORE)[0]["category"] == "x"

    def test_what_makes_no_sense_is_said(self, root: Path) -> None:
        for intent, why in (
            (Rename(title="x"), "no title"),
            (Relate(type="SOLVES"), "not linked"),
            (Append(kind="episode", fields={}), "Nothing is added"),
            (Rebuild(name="core"), "no 'core'"),
        ):
            with pytest.raises(NotPossibleError, match=why):
                drafted(root, intent, named(root, 1))

    def test_what_can_be_done_is_told(self, root: Path) -> None:
        with FORMAT.scribe(root) as scribe:
            told = scribe.possible(named(root, 1)[0])
            assert told["pin"] == ""
            assert "no title" in told["rename"]
            assert scribe.possible(backup_document(root, ".backup/a.json.backup")) == {
                "return": ""
            }
            assert "new" in scribe.possible(None)


def test_pins_say_that_memories_matter(root: Path) -> None:
    changed(root, Pin(), named(root, 1))
    assert rows(root, CORE)[0]["importance"] == "high"

    draft = changed(root, Pin(pins=False), named(root, 1))
    assert draft.steps == ()
    assert draft.warnings == ("How much it matters stays as it is: `importance`.",)
    assert draft.action == "unpin “Memory 1.”"
    (mark,) = draft.marks
    assert (mark.id, mark.path, mark.is_set) == (own_id(1), CORE, False)


def test_recalling_counts(root: Path) -> None:
    changed(root, Touch(), named(root, 1))

    assert rows(root, CORE)[0] == thing(1, access_count=2, accessed_at=NOON)


def test_all_that_was_done_can_be_undone(root: Path) -> None:
    before = tree(root)
    changed(root, Set(name="body", value="x"), named(root, 1, 2, 3))
    changed(root, Archive(), named(root, 1, 3))
    changed(root, Delete(), named(root, 2))
    for _ in range(3):
        undone(root)

    assert tree(root) == before

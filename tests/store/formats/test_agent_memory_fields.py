"""Setting fields of memories keeps every other byte."""

import json
from pathlib import Path
from typing import Any

import pytest

from store.edits.conflict import ChangedOnDiskError
from store.errors import NotPossibleError
from store.findings import Value
from store.formats.agent_memory.format import FORMAT
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
    def test_setting_a_field_also_sets_the_time(self, root: Path) -> None:
        set_to(root, 1, "category", "café")

        first, second = rows(root, CORE)
        assert first == thing(1) | {"category": "café", "updated_at": NOON}
        assert second == thing(2, importance="high")
        assert index_agrees(root)

    def test_only_two_values_of_one_line_change(self, root: Path) -> None:
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
            ("importance", "urgent", r"`importance` must be high, medium or low\."),
            ("uses", "-1", "`access_count` must be a number of at least"),
            ("archived", "maybe", "true or false"),
            ("content", "", "not empty"),
            ("content", None, "A memory needs `"),
            ("id", "x", "The `id` can't be changed; other programs"),
            ("title", "x", "Memories here have no title; the start of"),
            ("type", "idea", "Unknown `type`"),
            ("updated", "soon", "Invalid time in `"),
            ("status", "blocked", "Only a task"),
        ],
    )
    def test_invalid_values_are_refused(
        self, root: Path, name: str, value: Value | None, why: str
    ) -> None:
        before = tree(root)

        with pytest.raises(NotPossibleError, match=why):
            set_to(root, 1, name, value)
        assert tree(root) == before

    def test_an_additional_field_is_added_on_request(self, root: Path) -> None:
        set_to(root, 1, "seen_by", "zoe", adds=True)

        assert rows(root, CORE)[0]["seen_by"] == "zoe"

    @pytest.mark.parametrize(
        ("name", "value", "why"),
        [
            ("content", "x" * 5001, "A memory can have 5,000 characters; this one"),
            ("category", "x" * 51, "A category can have 50 characters; this one"),
            ("tags", [*map(str, range(11))], "10 tags; this one would have 11"),
            ("tags", ["t" * 31], "A tag can have 30 characters; this one"),
        ],
    )
    def test_nothing_larger_than_the_limits_is_written(
        self, root: Path, name: str, value: Value, why: str
    ) -> None:
        before = tree(root)

        with pytest.raises(NotPossibleError, match=why):
            set_to(root, 1, name, value)
        assert tree(root) == before
        with pytest.raises(NotPossibleError, match="this one would have"):
            changed(root, Retag(add=("t" * 31,)), named(root, 1))

    def test_a_field_over_the_limit_may_get_smaller(self, root: Path) -> None:
        write(root, CORE, lines(thing(1, content="x" * 6000, tags=["t"] * 12)))

        set_to(root, 1, "category", "c")
        set_to(root, 1, "content", "x" * 5500)

        with pytest.raises(NotPossibleError, match="this one would have 5,501"):
            set_to(root, 1, "content", "x" * 5501)

    def test_a_new_type_moves_a_memory_to_its_file(self, root: Path) -> None:
        set_to(root, 1, "type", "learning")
        set_to(root, 5, "type", "core")

        assert [row["id"] for row in rows(root, CORE)] == [own_id(2)]
        assert [row["id"] for row in rows(root, LEARNINGS)] == [own_id(3), own_id(1)]
        assert (
            rows(root, "archive/2025/core_memories_2025_Q4.jsonl")[0]["type"] == "core"
        )
        assert index_agrees(root)

    def test_fields_of_a_status_are_added_and_removed_with_it(self, root: Path) -> None:
        def told() -> dict[str, Any]:
            return json.loads((root / TASKS).read_bytes())["task_metadata"]

        set_to(root, 4, "status", "completed")
        assert told() == {"status": "completed", "completed_at": NOON}
        draft = set_to(root, 4, "status", "blocked")
        assert told() == {"status": "blocked"}
        assert "Blocked" in draft.warnings[0]
        set_to(root, 4, "blockers", "review, money")
        assert told()["blockers"] == ["review", "money"]
        set_to(root, 4, "status", "in-progress")
        assert told() == {"status": "in-progress"}

    def test_the_same_value_changes_nothing(self, root: Path) -> None:
        assert set_to(root, 1, "category", "fact").steps == ()


class TestTags:
    def test_tags_are_added_and_removed_and_the_others_keep_their_spelling(
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

    def test_a_single_tag_becomes_a_list(self, root: Path) -> None:
        write(root, CORE, lines(thing(1, tags="a, b"), thing(2, tags=...)))

        changed(root, Retag(add=("c",)), named(root, 1, 2))

        assert [row["tags"] for row in rows(root, CORE)] == [["a", "b", "c"], ["c"]]


class TestRecords:
    def test_a_memory_that_moved_within_its_file_is_found(self, root: Path) -> None:
        asked = named(root, 2)
        write(root, CORE, lines(thing(2), b"", thing(1)))

        changed(root, Set(name="category", value="x"), asked)

        assert json.loads((root / CORE).read_bytes().split(b"\n")[0])["category"] == "x"

    def test_a_memory_that_is_gone_is_reported(self, root: Path) -> None:
        asked = named(root, 2)
        write(root, CORE, lines(thing(1)))
        with pytest.raises(ChangedOnDiskError):
            drafted(root, Delete(), asked)
        (root / CORE).unlink()
        with pytest.raises(ChangedOnDiskError, match=r"no longer exists\."):
            drafted(root, Delete(), asked)

    def test_copies_are_distinguished_by_their_lines(self, root: Path) -> None:
        write(root, CORE, lines(thing(1), thing(1, content="Copy.")))
        copy = [one for one in memories(root) if one.title == "Copy."]

        changed(root, Delete(), copy)

        assert rows(root, CORE) == [thing(1)]

    def test_two_memories_on_one_line_are_distinguished(self, root: Path) -> None:
        glued = lines(thing(1)).rstrip() + b" " + lines(thing(2)).rstrip()
        write(root, CORE, lines(glued, thing(3)))

        changed(root, Set(name="category", value="x"), named(root, 2))
        changed(root, Delete(), named(root, 1))

        assert [row["id"] for row in rows(root, CORE)] == [own_id(2), own_id(3)]
        assert rows(root, CORE)[0]["category"] == "x"

    def test_impossible_changes_give_a_reason(self, root: Path) -> None:
        for intent, why in (
            (Rename(title="x"), "no title"),
            (Relate(type="SOLVES"), r"This format has no links between memories\."),
            (Append(kind="episode", fields={}), r"here; create a memory instead\."),
            (Rebuild(name="core"), "Unknown index 'core'"),
        ):
            with pytest.raises(NotPossibleError, match=why):
                drafted(root, intent, named(root, 1))

    def test_possible_changes_are_listed(self, root: Path) -> None:
        with FORMAT.scribe(root) as scribe:
            told = scribe.possible(named(root, 1)[0])
            assert told["pin"] == ""
            assert "no title" in told["rename"]
            assert scribe.possible(backup_document(root, ".backup/a.json.backup")) == {
                "return": ""
            }
            assert "new" in scribe.possible(None)


def test_pinning_sets_the_importance(root: Path) -> None:
    changed(root, Pin(), named(root, 1))
    assert rows(root, CORE)[0]["importance"] == "high"

    draft = changed(root, Pin(pins=False), named(root, 1))
    assert draft.steps == ()
    assert draft.warnings == ("Importance (`importance`) is left unchanged.",)
    assert draft.action == "unpin “Memory 1.”"
    (mark,) = draft.marks
    assert (mark.id, mark.path, mark.is_set) == (own_id(1), CORE, False)


def test_recalls_are_counted(root: Path) -> None:
    changed(root, Touch(), named(root, 1))

    assert rows(root, CORE)[0] == thing(1, access_count=2, accessed_at=NOON)


def test_every_change_can_be_undone(root: Path) -> None:
    before = tree(root)
    changed(root, Set(name="body", value="x"), named(root, 1, 2, 3))
    changed(root, Archive(), named(root, 1, 3))
    changed(root, Delete(), named(root, 2))
    for _ in range(3):
        undone(root)

    assert tree(root) == before

"""Create, archive and unarchive memories; limits, backups and the index."""

import json
from collections import Counter
from pathlib import Path

import pytest

from store.errors import NotPossibleError
from store.findings import Value
from store.records.intents import Archive, Create, Delete, Rebuild, Return, Set, Touch
from tests.store.formats.agent_memory_changes import (
    CORE,
    LEARNINGS,
    PUT_AWAY,
    TASKS,
    backup_document,
    changed,
    drafted,
    index_agrees,
    memories,
    named,
    rows,
    set_to,
    steps,
)
from tests.store.formats.agent_memory_stores import (
    NOON,
    lines,
    make_small_store,
    own_id,
    task,
    thing,
    write,
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "memories"
    root.mkdir()
    make_small_store(root)
    return root


class TestPuttingAway:
    def test_a_memory_goes_to_the_archive_of_the_quarter(self, root: Path) -> None:
        draft = changed(root, Archive(), named(root, 3))

        assert steps(draft) == {
            ".backup/learnings.jsonl.backup.20260301_120000": "made",
            PUT_AWAY: "made",
            LEARNINGS: "changed",
            "index.json": "changed",
        }
        assert rows(root, PUT_AWAY) == [thing(3, "learning", archived=True)]
        assert (root / LEARNINGS).read_bytes() == b""
        assert index_agrees(root)

    def test_unarchiving_restores_the_line(self, root: Path) -> None:
        raw = json.dumps(thing(3, "learning", archived=...), indent=None).encode()
        write(root, LEARNINGS, lines(raw, thing(6, "learning")))
        before = Counter((root / LEARNINGS).read_bytes().split(b"\n"))

        changed(root, Archive(), named(root, 3, 6))
        changed(root, Archive(archives=False), named(root, 3, 6))

        assert Counter((root / LEARNINGS).read_bytes().split(b"\n")) == before

    def test_a_memory_archived_by_its_flag_is_restored_in_place(
        self, root: Path
    ) -> None:
        write(root, CORE, lines(thing(1, archived=True), thing(2)))

        changed(root, Archive(archives=False), named(root, 1))

        assert [row["archived"] for row in rows(root, CORE)] == [False, False]

    def test_without_a_selection_everything_due_is_archived(self, root: Path) -> None:
        old = "2025-01-01T00:00:00Z"
        write(root, LEARNINGS, lines(thing(3, "learning", accessed_at=old)))
        done = task(4, "completed", completed_at=old)
        write(root, TASKS, lines(done, task(6)))

        draft = changed(root, Archive())

        assert draft.action == "archive 2 memories due for archiving"
        assert draft.count == 2
        assert rows(root, PUT_AWAY)[0]["id"] == own_id(3)
        assert [row["id"] for row in rows(root, TASKS)] == [own_id(6)]
        assert len(rows(root, CORE)) == 2

    def test_a_memory_is_deleted_for_good(self, root: Path) -> None:
        draft = changed(root, Delete(), named(root, 1, 5))

        assert draft.is_grave
        assert [one.id for one in memories(root)] == [own_id(2), own_id(3), own_id(4)]
        assert index_agrees(root)


class TestMaking:
    def test_a_new_memory_has_every_field(self, root: Path) -> None:
        write(root, LEARNINGS, lines(thing(3, "learning")).rstrip(b"\n"))
        draft = changed(
            root, Create(title="Redis.", body="It idles.", fields={"tags": ["redis"]})
        )

        assert draft.action == "new “Redis.”"
        old, new = rows(root, LEARNINGS)
        assert old == thing(3, "learning")
        assert list(new) == [
            *("id", "type", "content", "created_at", "updated_at", "accessed_at"),
            *("access_count", "tags", "importance", "archived"),
        ]
        assert (new["content"], new["tags"]) == ("Redis.\n\nIt idles.", ["redis"])

    def test_a_new_task_has_a_status(self, root: Path) -> None:
        fields: dict[str, Value] = {"type": "task", "status": "completed"}
        changed(root, Create(title="Rotate the key.", fields=fields))

        told = rows(root, TASKS)[1]["task_metadata"]
        assert told == {"status": "completed", "completed_at": NOON}

    @pytest.mark.parametrize(
        ("title", "fields", "why"),
        [
            ("", {}, "not empty"),
            ("x", {"type": "idea"}, "Unknown type; choose from"),
            ("x", {"id": "mem-1"}, r": not a version 4 UUID\."),
            ("x", {"id": own_id(1)}, "already"),
            ("x", {"status": "blocked"}, "Only a task"),
            (
                "x",
                {"importance": "urgent"},
                r"`importance` must be high, medium or low\.",
            ),
        ],
    )
    def test_an_invalid_memory_is_not_created(
        self, root: Path, title: str, fields: dict[str, Value], why: str
    ) -> None:
        with pytest.raises(NotPossibleError, match=why):
            drafted(root, Create(title=title, fields=fields))

    def test_a_long_line_is_reported(self, root: Path) -> None:
        draft = drafted(root, Create(title="漢" * 5000))

        assert any("the limit is 10240" in told for told in draft.warnings)

    @pytest.mark.parametrize(
        ("title", "fields"),
        [
            ("x" * 5001, {}),
            ("x", {"tags": [*map(str, range(11))]}),
            ("x", {"tags": ["t" * 31]}),
            ("x", {"category": "c" * 51}),
        ],
    )
    def test_nothing_larger_than_the_limits_is_created(
        self, root: Path, title: str, fields: dict[str, Value]
    ) -> None:
        with pytest.raises(NotPossibleError, match="this one would have"):
            drafted(root, Create(title=title, fields=fields))


class TestLimits:
    def test_nothing_is_written_beyond_a_hard_limit(self, root: Path) -> None:
        write(root, ".memory-config.json", '{"max_core_memories": 2}')

        with pytest.raises(NotPossibleError, match=r"Least used: “Memory 1\."):
            drafted(root, Create(title="x", fields={"type": "core"}))
        assert set_to(root, 1, "category", "y").steps

    def test_old_memories_are_archived_at_a_soft_limit(self, root: Path) -> None:
        write(root, ".memory-config.json", '{"max_learnings": 2}')
        old = thing(3, "learning", accessed_at="2025-01-01T00:00:00Z")
        write(root, LEARNINGS, lines(thing(6, "learning"), old))

        draft = changed(root, Create(title="One more."))

        assert "so old memories are archived: “Memory 3.”" in draft.warnings[0]
        assert [row["id"] for row in rows(root, PUT_AWAY)] == [own_id(3)]
        assert len(rows(root, LEARNINGS)) == 2

    def test_a_soft_limit_without_old_memories_is_reported(self, root: Path) -> None:
        settings = '{"max_learnings": 1, "enable_auto_archival": false}'
        write(root, ".memory-config.json", settings)

        draft = changed(root, Create(title="One more."))

        assert "its limit of 1 memory in" in draft.warnings[0]
        assert len(rows(root, LEARNINGS)) == 2


class TestBackups:
    def test_one_backup_per_session_is_made_and_five_are_kept(self, root: Path) -> None:
        for day in range(1, 6):
            write(root, f".backup/{TASKS}.backup.2026010{day}_100000", b"{}\n")
        write(root, f".backup/{TASKS}.backup.of-mine", b"{}\n")

        draft = set_to(root, 4, "body", "One.")
        again = set_to(root, 4, "body", "Two.")

        kept = sorted(p.name for p in (root / ".backup").glob("tasks*"))
        assert kept == [
            *(f"{TASKS}.backup.2026010{day}_100000" for day in range(2, 6)),
            f"{TASKS}.backup.20260301_120000",
            f"{TASKS}.backup.of-mine",
        ]
        assert steps(draft)[f".backup/{TASKS}.backup.20260101_100000"] == "gone"
        assert list(steps(again)) == [TASKS]

    def test_no_backup_is_made_of_appends_and_recalls(self, root: Path) -> None:
        assert list(steps(changed(root, Touch(), named(root, 1)))) == [CORE]
        told = steps(changed(root, Create(title="x", fields={"type": "core"})))
        assert list(told) == [CORE, "index.json"]

    def test_no_backup_is_made_if_settings_say_so(self, root: Path) -> None:
        write(root, ".memory-config.json", '{"backup": {"BACKUP_ENABLED": "false"}}')

        assert list(steps(set_to(root, 1, "body", "x"))) == [CORE, "index.json"]

    def test_a_backup_is_restored(self, root: Path) -> None:
        path = f".backup/{CORE}.backup.20260101_100000"
        draft = changed(root, Return(), [backup_document(root, path)])

        assert draft.is_grave
        assert rows(root, CORE) == [thing(1)]
        assert steps(draft)[f".backup/{CORE}.backup.20260301_120000"] == "made"
        assert index_agrees(root)

    def test_a_file_that_is_not_a_backup_is_not_restored(self, root: Path) -> None:
        with pytest.raises(NotPossibleError, match=r"isn't a backup\."):
            drafted(root, Return(), [backup_document(root, CORE)])


class TestIndex:
    def test_only_the_entries_of_a_change_are_updated(self, root: Path) -> None:
        index = json.loads((root / "index.json").read_bytes())
        index["statistics"]["total_memories"] = 99
        index["category_index"]["fact"].remove(own_id(2))
        index["category_index"]["old"] = [own_id(1), own_id(3)]
        write(root, "index.json", json.dumps(index))

        draft = set_to(root, 1, "category", "x")

        told = json.loads((root / "index.json").read_bytes())
        assert told["category_index"] == {
            "fact": [own_id(3), own_id(4)],
            "old": [own_id(3)],
            "x": [own_id(1)],
        }
        assert told["statistics"]["total_memories"] == 99
        assert draft.warnings == ()
        changed(root, Rebuild(name="index"))
        assert index_agrees(root)

    def test_an_unreadable_index_stays_unchanged(self, root: Path) -> None:
        write(root, "index.json", "[")

        draft = set_to(root, 1, "category", "x")

        assert (root / "index.json").read_bytes() == b"["
        assert "stays as it is" in draft.warnings[0]

    def test_an_index_written_meanwhile_is_updated(self, root: Path) -> None:
        draft = drafted(root, Set(name="importance", value="low"), named(root, 1))
        (index,) = [step for step in draft.steps if step.path == "index.json"]
        theirs = json.loads((root / "index.json").read_bytes())
        theirs["tags_index"]["new"] = ["other"]
        assert hasattr(index, "remake")

        made = json.loads(index.remake(json.dumps(theirs).encode()))  # type: ignore[union-attr]  # the index is a file

        assert made["tags_index"]["new"] == ["other"]
        assert made["importance_index"]["low"] == [own_id(1)]
        assert index.remake(None) is None  # type: ignore[union-attr]  # the same
        assert index.remake(b"[") == b"["  # type: ignore[union-attr]  # the same

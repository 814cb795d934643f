"""Fixes for problems lose nothing; what can't be fixed says so."""

import json
from pathlib import Path
from typing import Any

import pytest

from store.edits.conflict import ChangedOnDiskError
from store.edits.draft import Draft
from store.errors import NotPossibleError
from store.formats.agent_memory.format import FORMAT
from store.kinds.problems import Problem
from store.records.intents import Fix, Rewrite
from tests.store.formats.agent_memory_changes import (
    CORE,
    LEARNINGS,
    TASKS,
    changed,
    drafted,
    index_agrees,
    problems,
    rows,
    steps,
    tree,
)
from tests.store.formats.agent_memory_stores import (
    EARLIER,
    NOON,
    Thing,
    lines,
    make_small_store,
    own_id,
    task,
    thing,
    write,
)
from tests.store.formats.unknown import Unknown

ARCHIVED = "archive/2025/core_memories_2025_Q4.jsonl"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "memories"
    root.mkdir()
    make_small_store(root)
    return root


def mended(root: Path, code: str, way: str = "") -> Draft:
    """Fix every problem of a code; afterwards there is none."""
    found = problems(root, code)
    assert found
    draft = changed(root, Fix(way=way), found)
    assert problems(root, code) == []
    return draft


def problem(code: str, path: str, line: int | None = None) -> Problem:
    return Problem(
        code=code,
        severity="warning",
        store="",
        ref=None,
        path=path,
        line=line,
        message="",
        fix=None,
    )


def test_missing_fields_get_their_defaults(root: Path) -> None:
    bare = {"id": own_id(1), "content": "Bare.", "created_at": EARLIER, "tags": None}
    write(root, CORE, lines(bare, thing(2)))

    mended(root, "missing-fields")

    told = rows(root, CORE)[0]
    assert told["type"] == "core"
    assert (told["accessed_at"], told["access_count"]) == (EARLIER, 0)
    assert (told["importance"], told["tags"], told["archived"]) == ("medium", [], False)
    assert list(told)[:3] == ["id", "content", "created_at"]


def test_a_memory_without_an_id_gets_one(root: Path) -> None:
    write(root, CORE, lines({"content": "Nobody's."}))

    mended(root, "missing-id")

    (told,) = rows(root, CORE)
    assert len(told["id"]) == 36
    assert told["created_at"] == NOON


@pytest.mark.parametrize(
    ("code", "fields", "meant"),
    [
        (
            "time-without-zone",
            {"created_at": "2026-01-01T00:00:00"},
            {"created_at": "2026-01-01T00:00:00Z"},
        ),
        ("bad-access-count", {"access_count": "5"}, {"access_count": 5}),
        ("bad-access-count", {"access_count": -1}, {"access_count": 0}),
        ("bad-importance", {"importance": " High"}, {"importance": "high"}),
        ("bad-importance", {"importance": 3}, {"importance": "medium"}),
        ("bad-tags", {"tags": "a, b"}, {"tags": ["a", "b"]}),
        ("bad-tags", {"tags": [1, "b"]}, {"tags": ["1", "b"]}),
        ("bad-archived", {"archived": "no"}, {"archived": False}),
        ("bad-category", {"category": 3}, {"category": "3"}),
        ("bad-type", {"type": "idea"}, {"type": "core"}),
    ],
)
def test_a_value_of_the_wrong_type_is_converted(
    root: Path, code: str, fields: dict[str, Any], meant: dict[str, Any]
) -> None:
    write(root, CORE, lines(thing(1, **fields), thing(2)))

    mended(root, code)

    assert rows(root, CORE)[0] == thing(1, **meant)


@pytest.mark.parametrize(
    ("code", "before", "meant"),
    [
        (
            "missing-completed-at",
            task(4, "completed"),
            {"status": "completed", "completed_at": EARLIER},
        ),
        (
            "stray-completed-at",
            task(4, "blocked", blockers=["x"], completed_at=EARLIER),
            {"status": "blocked", "blockers": ["x"]},
        ),
        ("stray-blockers", task(4, blockers=["x"]), {"status": "in-progress"}),
        (
            "missing-task-metadata",
            thing(4, "task", task_metadata=..., category="completed"),
            {"status": "completed", "completed_at": EARLIER},
        ),
    ],
)
def test_a_task_gets_a_status(
    root: Path, code: str, before: dict[str, Any], meant: dict[str, Any]
) -> None:
    write(root, TASKS, lines(before))

    mended(root, code)

    assert rows(root, TASKS)[0]["task_metadata"] == meant


def test_a_memory_in_the_wrong_file_is_moved(root: Path) -> None:
    write(root, CORE, lines(thing(1), thing(6, "learning")))

    mended(root, "type-mismatch")

    assert rows(root, LEARNINGS)[-1] == thing(6, "learning")
    assert rows(root, CORE) == [thing(1)]


def test_joined_objects_get_lines_of_their_own(root: Path) -> None:
    glued = lines(thing(1)).rstrip() + lines(thing(2)).rstrip()
    write(root, CORE, lines(glued, thing(3)))

    mended(root, "glued-lines")

    assert rows(root, CORE) == [thing(1), thing(2), thing(3)]


@pytest.mark.parametrize(("sound", "damaged"), [(b"{", b"\0\0{"), (b"y 1", b"y\t1")])
def test_damage_without_loss_is_fixed(root: Path, sound: bytes, damaged: bytes) -> None:
    raw = lines(thing(1)).rstrip().replace(sound, damaged)
    write(root, CORE, lines(raw, thing(2)))

    mended(root, "damaged-line")

    assert rows(root, CORE)[0]["content"].split() == ["Memory", "1."]


def test_a_truncated_line_is_restored_from_a_backup_or_the_archive(root: Path) -> None:
    write(root, f".backup/{CORE}.backup.20260102_100000", lines(thing(1, tags=["b"])))
    torn = [lines(thing(number)).rstrip()[:70] for number in (1, 5)]
    write(root, CORE, lines(thing(2), torn[0]))
    write(root, LEARNINGS, lines(torn[1], thing(3, "learning")))

    mended(root, "damaged-line")

    assert rows(root, CORE) == [thing(2), thing(1, tags=["b"])]
    assert rows(root, LEARNINGS)[0]["id"] == own_id(5)


def test_a_truncated_line_that_was_written_again_is_removed(root: Path) -> None:
    write(root, CORE, lines(lines(thing(1))[:90], thing(1), thing(2)))

    mended(root, "damaged-line")

    assert rows(root, CORE) == [thing(1), thing(2)]


def test_a_file_without_any_valid_line_is_restored_as_a_whole(root: Path) -> None:
    write(root, CORE, b"\xff\xfe garbage\n")

    draft = changed(root, Fix(), problems(root, "damaged-line"))

    assert rows(root, CORE) == [thing(1)]
    assert draft.is_grave


def test_a_truncated_line_without_a_copy_must_be_edited_by_hand(root: Path) -> None:
    write(root, CORE, lines(thing(1), b'{"id": "x", "conte'))
    (broken,) = problems(root, "damaged-line")
    with pytest.raises(NotPossibleError, match="Edit it by hand"):
        drafted(root, Fix(), [broken])
    with FORMAT.scribe(root) as scribe:
        assert scribe.possible(broken)["edit"] == ""
        was = scribe.form(broken).raw
    assert was == b'{"id": "x", "conte\n'

    changed(root, Rewrite(was=was, raw=b'{"id": "x",\n "content": "y"}\n'), [broken])

    assert (root / CORE).read_bytes() == lines(thing(1), b'{"id":"x","content":"y"}')


@pytest.mark.parametrize(
    ("raw", "why"),
    [(b"{", "JSON"), (b"[1]", "A memory is a JSON object with `id` and")],
)
def test_a_line_that_is_still_broken_is_refused(
    root: Path, raw: bytes, why: str
) -> None:
    write(root, CORE, lines(b"{broken"))
    (broken,) = problems(root, "damaged-line")
    with pytest.raises(Exception, match=why):
        drafted(root, Rewrite(was=b"{broken\n", raw=raw), [broken])
    with pytest.raises(ChangedOnDiskError):
        drafted(root, Rewrite(was=b"other\n", raw=b""), [broken])
    draft = changed(root, Rewrite(was=b"{broken\n", raw=b" \n"), [broken])
    assert (root / CORE).read_bytes() == b""
    assert steps(draft)[CORE] == "changed"


@pytest.mark.parametrize(
    ("way", "meant"),
    [
        ("", {"content": "Newest."}),
        ("first", {"content": "First."}),
        ("newest", {"content": "Newest."}),
        ("merge", {"content": "First.\n\nNewest.", "access_count": 3}),
    ],
)
def test_one_of_several_copies_stays(
    root: Path, way: str, meant: dict[str, Any]
) -> None:
    newest = thing(1, content="Newest.", updated_at=NOON, access_count=2)
    write(root, CORE, lines(thing(1, content="First."), thing(2), newest))
    broken = problem("duplicate-id", CORE, 3)

    draft = changed(root, Fix(way=way), [broken])

    told = [row for row in rows(root, CORE) if row["id"] == own_id(1)]
    assert len(told) == 1
    assert told[0].items() >= meant.items()
    assert draft.is_grave
    with pytest.raises(NotPossibleError, match="newest"):
        drafted(root, Fix(way="last"), [problem("duplicate-id", CORE, 1)])


PLAIN, LATER = thing(7), thing(7, updated_at=NOON)


@pytest.mark.parametrize(
    ("copies", "meant"),
    [
        ([(CORE, LATER), (CORE, PLAIN)], 0),
        ([(CORE, PLAIN), (CORE, PLAIN | {"tags": ["b"]})], 1),
        ([(CORE, PLAIN), (ARCHIVED, PLAIN)], 0),
        ([(CORE, PLAIN), (ARCHIVED, LATER)], 1),
    ],
)
def test_the_newest_copy_is_active_and_written_last(
    root: Path, copies: list[tuple[str, Thing]], meant: int
) -> None:
    for path in {path for path, _ in copies}:
        write(root, path, lines(*(one for place, one in copies if place == path)))

    changed(root, Fix(), [problem("duplicate-id", CORE, 1)])

    left = [row for path in {p for p, _ in copies} for row in rows(root, path)]
    assert left == [copies[meant][1]]


def test_the_least_used_memories_are_archived_beyond_a_limit(root: Path) -> None:
    write(root, ".memory-config.json", '{"max_learnings": 1}')
    used = "2026-02-27T00:00:00Z"
    two = (thing(31, "learning", accessed_at=used), thing(32, "learning"))
    write(root, LEARNINGS, lines(*two))

    mended(root, "over-soft-limit")

    assert [row["id"] for row in rows(root, LEARNINGS)] == [own_id(31)]


def test_core_memories_are_never_archived_by_a_fix(root: Path) -> None:
    write(root, ".memory-config.json", '{"max_core_memories": 1}')
    (over,) = problems(root, "over-hard-limit")
    before = tree(root)

    with pytest.raises(NotPossibleError, match="aren't auto-archived"):
        drafted(root, Fix(), [over])
    assert tree(root) == before


@pytest.mark.parametrize("text", ["{", '{"version": "1.0.0", "tags_index": []}'])
def test_a_wrong_index_is_rebuilt(root: Path, text: str) -> None:
    write(root, "index.json", text)
    found = problems(root, "damaged-json", "bad-index")

    changed(root, Fix(), found)

    assert index_agrees(root)


def test_an_older_version_is_upgraded(root: Path) -> None:
    index = json.loads((root / "index.json").read_bytes())
    write(root, "index.json", json.dumps(index | {"version": "0.9"}))
    write(root, CORE, lines(thing(1, importance=...), thing(2)))

    draft = mended(root, "unknown-version")

    assert json.loads((root / "index.json").read_bytes())["version"] == "1.0.0"
    assert rows(root, CORE)[0]["importance"] == "medium"
    assert steps(draft)[".backup/index.json.backup.20260301_120000"] == "made"
    assert index_agrees(root)


def test_a_later_version_is_left_alone(root: Path) -> None:
    index = json.loads((root / "index.json").read_bytes())
    write(root, "index.json", json.dumps(index | {"version": "2.0.0"}))
    before = tree(root)

    with pytest.raises(
        NotPossibleError, match=r"is newer than this program supports\."
    ):
        changed(root, Fix(), problems(root, "unknown-version"))
    assert tree(root) == before


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("stale-lock", "A stale lock does no harm; the next writer"),
        ("bad-content", "by hand"),
        ("long-line", "The line is only too long; shorten its text."),
    ],
)
def test_a_problem_that_cannot_be_fixed_says_why(
    root: Path, code: str, why: str
) -> None:
    with FORMAT.scribe(root) as scribe:
        assert why in scribe.possible(problem(code, CORE, 1))["fix"]
        with pytest.raises(NotPossibleError, match=why):
            scribe.draft(Fix(), [problem(code, CORE, 1)], Unknown(), 0)


def test_fixed_permissions_are_private(root: Path) -> None:
    (root / TASKS).chmod(0o644)
    (root / CORE).chmod(0o400)
    root.chmod(0o755)
    before = tree(root)

    mended(root, "open-permissions")

    modes = {name: (root / name).stat().st_mode & 0o777 for name in ("", TASKS, CORE)}
    assert modes == {"": 0o700, TASKS: 0o600, CORE: 0o400}
    assert tree(root) == before


def test_a_problem_that_is_gone_is_reported(root: Path) -> None:
    with pytest.raises(ChangedOnDiskError):
        drafted(root, Fix(), [problem("missing-fields", CORE, 9)])

"""Problems mended: what is lost by it is nothing, and what cannot be told is said."""

import json
from pathlib import Path
from typing import Any

import pytest

from store.edits.draft import Draft
from store.edits.refusals import ChangedOnDiskError, NotPossibleError
from store.formats.agent_memory import FORMAT
from store.records.intents import Mend, Rewrite
from store.records.problem import Problem
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
    DOCUMENT,
    EARLIER,
    NOON,
    lines,
    make_small_store,
    own_id,
    task,
    thing,
    write,
)
from tests.store.formats.unknown import Unknown


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "memories"
    root.mkdir()
    make_small_store(root)
    return root


def mended(root: Path, code: str, way: str = "") -> Draft:
    """Mend every problem of a kind; afterwards there is none."""
    found = problems(root, code)
    assert found
    draft = changed(root, Mend(way=way), found)
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


def test_what_is_missing_gets_the_usual_values(root: Path) -> None:
    bare = {"id": own_id(1), "content": "Bare.", "created_at": EARLIER, "tags": None}
    write(root, CORE, lines(bare, thing(2)))

    mended(root, "missing-fields")

    told = rows(root, CORE)[0]
    assert told["type"] == "core"
    assert (told["accessed_at"], told["access_count"]) == (EARLIER, 0)
    assert (told["importance"], told["tags"], told["archived"]) == ("medium", [], False)
    assert list(told)[:3] == ["id", "content", "created_at"]


def test_a_memory_without_an_identifier_gets_one(root: Path) -> None:
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
def test_a_value_of_the_wrong_form_gets_the_right_one(
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
def test_a_task_says_how_it_stands(
    root: Path, code: str, before: dict[str, Any], meant: dict[str, Any]
) -> None:
    write(root, TASKS, lines(before))

    mended(root, code)

    assert rows(root, TASKS)[0]["task_metadata"] == meant


def test_a_memory_in_the_wrong_file_goes_to_its_own(root: Path) -> None:
    write(root, CORE, lines(thing(1), thing(6, "learning")))

    mended(root, "type-mismatch")

    assert rows(root, LEARNINGS)[-1] == thing(6, "learning")
    assert rows(root, CORE) == [thing(1)]


def test_objects_that_were_glued_get_lines_of_their_own(root: Path) -> None:
    glued = lines(thing(1)).rstrip() + lines(thing(2)).rstrip()
    write(root, CORE, lines(glued, thing(3)))

    mended(root, "glued-lines")

    assert rows(root, CORE) == [thing(1), thing(2), thing(3)]


@pytest.mark.parametrize(("sound", "damaged"), [(b"{", b"\0\0{"), (b"y 1", b"y\t1")])
def test_damage_that_costs_nothing_is_mended(
    root: Path, sound: bytes, damaged: bytes
) -> None:
    raw = lines(thing(1)).rstrip().replace(sound, damaged)
    write(root, CORE, lines(raw, thing(2)))

    mended(root, "damaged-line")

    assert rows(root, CORE)[0]["content"].split() == ["Memory", "1."]


def test_a_torn_line_comes_back_from_a_backup_or_the_archive(root: Path) -> None:
    write(root, f".backup/{CORE}.backup.20260102_100000", lines(thing(1, tags=["b"])))
    torn = [lines(thing(number)).rstrip()[:70] for number in (1, 5)]
    write(root, CORE, lines(thing(2), torn[0]))
    write(root, LEARNINGS, lines(torn[1], thing(3, "learning")))

    mended(root, "damaged-line")

    assert rows(root, CORE) == [thing(2), thing(1, tags=["b"])]
    assert rows(root, LEARNINGS)[0]["id"] == own_id(5)


def test_a_torn_line_that_was_written_again_goes(root: Path) -> None:
    write(root, CORE, lines(lines(thing(1))[:90], thing(1), thing(2)))

    mended(root, "damaged-line")

    assert rows(root, CORE) == [thing(1), thing(2)]


def test_a_file_without_any_whole_line_comes_back_whole(root: Path) -> None:
    write(root, CORE, b"\xff\xfe garbage\n")

    draft = changed(root, Mend(), problems(root, "damaged-line"))

    assert rows(root, CORE) == [thing(1)]
    assert draft.is_grave


def test_a_torn_line_that_nobody_has_is_edited_by_hand(root: Path) -> None:
    write(root, CORE, lines(thing(1), b'{"id": "x", "conte'))
    (broken,) = problems(root, "damaged-line")
    with pytest.raises(NotPossibleError, match="Edit it by hand"):
        drafted(root, Mend(), [broken])
    with FORMAT.scribe(root) as scribe:
        assert scribe.possible(broken)["edit"] == ""
        was = scribe.form(broken).raw
    assert was == b'{"id": "x", "conte\n'

    changed(root, Rewrite(was=was, raw=b'{"id": "x",\n "content": "y"}\n'), [broken])

    assert (root / CORE).read_bytes() == lines(thing(1), b'{"id":"x","content":"y"}')


@pytest.mark.parametrize(("raw", "why"), [(b"{", "JSON"), (b"[1]", "one map")])
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
        ("", {"content": "First."}),
        ("first", {"content": "First."}),
        ("newest", {"content": "Newest."}),
        ("merge", {"content": "First.\n\nNewest.", "access_count": 3}),
    ],
)
def test_of_copies_one_stays(root: Path, way: str, meant: dict[str, Any]) -> None:
    newest = thing(1, content="Newest.", updated_at=NOON, access_count=2)
    write(root, CORE, lines(thing(1, content="First."), thing(2), newest))
    broken = problem("duplicate-id", CORE, 3)

    draft = changed(root, Mend(way=way), [broken])

    told = [row for row in rows(root, CORE) if row["id"] == own_id(1)]
    assert len(told) == 1
    assert told[0].items() >= meant.items()
    assert draft.is_grave
    with pytest.raises(NotPossibleError, match="the newest"):
        drafted(root, Mend(way="last"), [problem("duplicate-id", CORE, 1)])


@pytest.mark.parametrize("kind", [CORE, LEARNINGS])
def test_what_is_beyond_a_limit_is_put_away_least_used_first(
    root: Path, kind: str
) -> None:
    settings = '{"max_core_memories": 1, "max_learnings": 1}'
    write(root, ".memory-config.json", settings)
    used = "2026-02-27T00:00:00Z"
    name = "core" if kind == CORE else "learning"
    write(root, kind, lines(thing(31, name, accessed_at=used), thing(32, name)))
    code = "over-hard-limit" if kind == CORE else "over-soft-limit"

    mended(root, code)

    assert [row["id"] for row in rows(root, kind)] == [own_id(31)]


@pytest.mark.parametrize("text", ["{", '{"version": "1.0.0", "tags_index": []}'])
def test_a_bad_index_is_made_anew(root: Path, text: str) -> None:
    write(root, "index.json", text)
    found = problems(root, "damaged-json", "bad-index")

    changed(root, Mend(), found)

    assert index_agrees(root)


def test_an_older_version_is_brought_up_to_the_one_that_is_known(root: Path) -> None:
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

    with pytest.raises(NotPossibleError, match=r"2\.0\.0 is later"):
        changed(root, Mend(), problems(root, "unknown-version"))
    assert tree(root) == before


def test_a_damaged_document_comes_back_from_its_backup(root: Path) -> None:
    write(root, "zoe.json.backup", json.dumps(DOCUMENT))
    write(root, "zoe.json", json.dumps(DOCUMENT)[:-300])

    mended(root, "damaged-json")

    assert json.loads((root / "zoe.json").read_bytes()) == DOCUMENT


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("stale-lock", "takes it over"),
        ("bad-content", "by hand"),
        ("long-line", "length"),
    ],
)
def test_what_cannot_be_mended_says_why(root: Path, code: str, why: str) -> None:
    with FORMAT.scribe(root) as scribe:
        assert why in scribe.possible(problem(code, CORE, 1))["fix"]
        with pytest.raises(NotPossibleError, match=why):
            scribe.draft(Mend(), [problem(code, CORE, 1)], Unknown(), 0)


def test_nobody_but_its_owner_may_use_a_store_then(root: Path) -> None:
    (root / TASKS).chmod(0o644)
    (root / CORE).chmod(0o400)
    root.chmod(0o755)
    before = tree(root)

    mended(root, "open-permissions")

    modes = {name: (root / name).stat().st_mode & 0o777 for name in ("", TASKS, CORE)}
    assert modes == {"": 0o700, TASKS: 0o600, CORE: 0o400}
    assert tree(root) == before


def test_a_problem_that_is_gone_is_told(root: Path) -> None:
    with pytest.raises(ChangedOnDiskError):
        drafted(root, Mend(), [problem("missing-fields", CORE, 9)])

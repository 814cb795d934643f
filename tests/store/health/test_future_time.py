"""Times in the future are a problem, and do not put a memory first."""

import json
import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from store.catalogue.reader import Page
from store.formats.cognitive.format import FORMAT
from store.kinds.memories import Memory
from store.records.intents import Rebuild, Touch
from tests.store.catalogue.stores import Shelf, cognitive, memory, own_id, write
from tests.store.formats.changed_stores import Changed

FUTURE = "2499-01-01T00:00:00Z"
TODAY = "2026-03-01T12:00:00+00:00"


def titles(shelf: Shelf, page: Page) -> list[str]:
    with shelf.opened() as library:
        found = library.lists.page("memories", page)
        return [one.title for one in found if isinstance(one, Memory)]


def strength(shelf: Shelf, title: str) -> float:
    found = shelf.memory(title).strength
    assert found is not None
    return found


@pytest.fixture
def store(shelf: Shelf) -> Path:
    """A memory that was changed in the far future, and one that matters more."""
    store = cognitive(shelf.places[0] / "graph", 0)
    text = memory(1, title="Ahead", importance="0.2", updated=FUTURE, created=FUTURE)
    write(store, "graph/fixes/ahead.md", text)
    write(store, "graph/fixes/now.md", memory(2, title="Now", importance="0.9"))
    shelf.sync()
    return store


def test_a_time_in_the_future_is_a_problem(shelf: Shelf, store: Path) -> None:
    (problem,) = shelf.problems()

    assert (problem.code, problem.severity) == ("future-time", "warning")
    assert problem.path == "graph/fixes/ahead.md"
    assert problem.ref == shelf.memory("Ahead").ref
    assert problem.message == (
        f"Dated in the future: created {FUTURE}, updated {FUTURE}."
    )
    assert problem.fix is None
    assert shelf.memory("Ahead").updated == FUTURE
    assert store.is_dir()


@pytest.mark.parametrize("sort", [None, "strength"])
def test_a_future_memory_is_not_on_top_of_any_list(
    shelf: Shelf, store: Path, sort: str | None
) -> None:
    older = time.time_ns() - 10**18
    os.utime(store / "graph/fixes/ahead.md", ns=(older, older))
    shelf.sync()

    assert titles(shelf, Page(sort=sort)) == ["Now", "Ahead"]


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("now", ["1999-01-01T00:00:00Z", TODAY, "2400-01-01T00:00:00Z"])
def test_a_future_memory_is_as_strong_as_if_used_now(shelf: Shelf, now: str) -> None:
    shelf.now = now

    assert strength(shelf, "Ahead") <= 0.1
    assert strength(shelf, "Now") <= 0.45


def test_an_access_in_the_future_is_ignored(shelf: Shelf, store: Path) -> None:
    used = {"access_count": 3, "last_accessed": FUTURE}
    state = {"version": 1, "entries": {own_id(2): used}}
    write(store, "_state.json", json.dumps(state))
    shelf.sync()

    assert strength(shelf, "Now") == pytest.approx(1.8)
    messages = [one.message for one in shelf.problems()]
    assert f"Dated in the future: accessed {FUTURE}." in messages


def test_core_does_not_begin_with_a_future_memory(tmp_path: Path) -> None:
    root = cognitive(tmp_path / "graph", 0)
    for number, title, moment in ((1, "Ahead", FUTURE), (2, "Now", TODAY)):
        fields = {"importance": f"0.{4 * number}", "created": TODAY, "updated": moment}
        text = memory(number, title=title, **fields)
        write(root, f"graph/fixes/{title.lower()}.md", text)
    with Changed(root, FORMAT, tmp_path / "own") as changed:
        changed.do(Rebuild(name="core"))
        core = changed.text("CORE.md")
        changed.do(Touch(), changed.memory("Ahead"))
        changed.do(Rebuild(name="state"))
        state = json.loads(changed.text("_state.json"))

    assert core.index("Now") < core.index("Ahead")
    assert max(one["decay_score"] for one in state["entries"].values()) < 1


def test_a_clock_of_another_zone_is_not_a_problem(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "graph", 0)
    ahead = (datetime.now(UTC) + timedelta(hours=14)).isoformat()
    write(store, "graph/fixes/1.md", memory(1, updated=ahead))
    shelf.sync()

    assert shelf.problems() == []


def test_messages_are_reported_by_their_file(shelf: Shelf) -> None:
    folder = shelf.places[0] / "claude/projects/-home-me"
    lines = [
        json.dumps(
            {
                "type": "user",
                "uuid": f"00000000-0000-4000-8000-{number:012}",
                "sessionId": "s",
                "timestamp": f"2499-01-01T00:00:0{number}.000Z",
                "message": {"role": "user", "content": "hello"},
            }
        )
        for number in range(3)
    ]
    write(folder, "s.jsonl", "\n".join(lines) + "\n")
    shelf.sync()

    (problem,) = [one for one in shelf.problems() if one.code == "future-time"]
    assert (problem.path, problem.line) == ("-home-me/s.jsonl", 1)
    assert problem.message == (
        "Dated in the future: 3 messages up to 2499-01-01T00:00:02Z."
    )


def test_once_the_time_has_come_there_is_no_problem(
    shelf: Shelf, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shelf.problems()
    much_later = time.time_ns() + 1000 * 365 * 86_400 * 10**9

    monkeypatch.setattr(time, "time_ns", lambda: much_later)
    shelf.sync()

    assert shelf.problems() == []
    assert store.is_dir()

"""The child reads, reports every change, and never outlives its listener."""

import json
import os
import sys
from contextlib import aclosing
from pathlib import Path
from subprocess import PIPE, Popen

from filelock import FileLock

from store.library import Library
from tests.project import ROOT
from tests.store.catalogue.stores import Shelf, memory, write
from tests.tui.browser.live.conftest import Follower
from tests.tui.browser.live.processes import children, ends, kill, readers
from tui.browser.sync import Changed, Reading, follow

MEMORIES = frozenset({"memories", "edges", "episodes", "problems"})


async def test_progress_is_reported_until_everything_is_read(
    follower: Follower, store: Path
) -> None:
    first = await follower.next()
    last = await follower.finished()

    assert first == Reading(3, 3)
    assert (last.done, last.total, last.finished) == (3, 3, True)
    assert last.changed == Changed(frozenset({store}), MEMORIES)


async def test_created_changed_and_deleted_records_are_reported(
    follower: Follower, catalogue: Path, store: Path
) -> None:
    shelf = Shelf(catalogue, store)
    moved = Changed(frozenset({store}), MEMORIES)
    await follower.finished()

    write(store, "graph/fixes/new.md", memory(4, title="New"))
    assert (await follower.finished()).changed == moved
    assert shelf.memory("New").title == "New"

    write(store, "graph/fixes/new.md", memory(4, title="Newer"))
    assert (await follower.finished()).changed == moved
    assert shelf.memory("Newer").title == "Newer"

    (store / "graph/fixes/new.md").unlink()
    assert (await follower.finished()).changed == moved
    assert len(shelf.memories()) == 3


async def test_only_kinds_that_may_differ_are_named(
    follower: Follower, store: Path
) -> None:
    await follower.finished()

    write(store, "episodes/2026-03-01.md", "# 2026-03-01\n\n## 10:00 - Something\n")

    told = (await follower.finished()).changed
    assert told is not None
    assert "episodes" in told.kinds
    assert "memories" not in told.kinds


async def test_nothing_changed_is_reported_as_such(
    catalogue: Path, store: Path
) -> None:
    Shelf(catalogue, store).sync()

    async with aclosing(follow(catalogue, [store])) as readings:
        last = await Follower(readings).finished()

    assert last.finished
    assert last.changed is None


async def test_changes_read_by_another_process_are_reported(
    catalogue: Path, store: Path
) -> None:
    shelf = Shelf(catalogue, store)
    shelf.sync()
    with Library(catalogue, 0) as library:
        since = library.index.newest_move()
    write(store, "graph/fixes/new.md", memory(4))
    shelf.sync()

    async with aclosing(follow(catalogue, [store], since)) as readings:
        last = await Follower(readings).finished()

    assert last.changed == Changed(frozenset({store}), MEMORIES)


async def test_two_followers_of_one_catalogue_both_see_a_change(
    follower: Follower, catalogue: Path, store: Path
) -> None:
    await follower.finished()
    async with aclosing(follow(catalogue, [store])) as readings:
        other = Follower(readings)
        await other.finished()

        write(store, "graph/fixes/new.md", memory(4))
        told = [(await one.finished()).changed for one in (follower, other)]

    assert told == [Changed(frozenset({store}), MEMORIES)] * 2


async def test_a_follower_hears_that_another_process_is_reading(
    catalogue: Path, store: Path
) -> None:
    Shelf(catalogue, store).sync()
    write(store, "graph/fixes/new.md", memory(4))

    async with aclosing(follow(catalogue, [store])) as readings:
        other = Follower(readings)
        with FileLock(catalogue.with_name("catalogue.db.lock")):
            waiting = await other.next()
        finished = await other.finished()

    assert waiting == Reading(done=3)
    assert finished.changed == Changed(frozenset({store}), MEMORIES)


async def test_a_store_that_vanishes_is_reported(
    follower: Follower, catalogue: Path, store: Path
) -> None:
    await follower.finished()

    store.rename(store.with_name("elsewhere"))

    told = await follower.finished()
    assert told.changed is not None
    assert Shelf(catalogue, store.parent).memories() == []


async def test_a_failure_is_reported_in_one_sentence(
    tmp_path: Path, catalogue: Path
) -> None:
    nowhere = tmp_path / "nowhere"

    said = [one async for one in follow(catalogue, [nowhere])]

    assert said == [Reading(failure=f"{nowhere} does not exist.")]


async def test_a_crash_is_repaired_once_and_then_reported(
    follower: Follower, store: Path
) -> None:
    await follower.finished()
    (first,) = readers(os.getpid())
    kill(first)
    assert (await follower.finished()).changed is None

    write(store, "graph/fixes/new.md", memory(4))
    assert (await follower.finished()).changed is not None

    (second,) = readers(os.getpid())
    kill(second)
    told = await follower.finished()

    assert second != first
    assert told.failure == (
        "Live updates stopped. The data may be out of date; press R to reload."
    )
    assert [one async for one in follower.readings] == []
    assert readers(os.getpid()) == []


async def test_it_ends_when_nobody_listens_any_more(follower: Follower) -> None:
    await follower.finished()
    assert readers(os.getpid())

    await follower.readings.aclose()

    assert readers(os.getpid()) == []


def test_it_ends_when_its_browser_is_killed(catalogue: Path, store: Path) -> None:
    script = (
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from tui.browser.sync import follow\n"
        "async def main():\n"
        "    async for reading in follow(Path(sys.argv[1]), [Path(sys.argv[2])]):\n"
        "        print(reading.finished, flush=True)\n"
        "asyncio.run(main())\n"
    )
    command = [sys.executable, "-c", script, catalogue, store]
    with Popen(command, stdout=PIPE, cwd=ROOT, text=True) as browser:
        assert browser.stdout
        while browser.stdout.readline() != "True\n":
            pass
        (child,) = children(browser.pid)
        kill(browser.pid)

        assert ends(child)


def test_it_runs_at_a_lower_priority_than_drawing(catalogue: Path, store: Path) -> None:
    words = ["sync", "--events", "--watch", "-s", store, "--catalogue", catalogue]
    command = [sys.executable, "-P", "tui/start.py", *words]
    before = os.getpriority(os.PRIO_PROCESS, 0)
    with Popen(command, stdin=PIPE, stdout=PIPE, cwd=ROOT) as child:
        assert child.stdout
        while json.loads(child.stdout.readline())["event"] != "done":
            pass
        niceness = os.getpriority(os.PRIO_PROCESS, child.pid)
        assert child.stdin
        child.stdin.close()

        assert child.wait() == 0
    assert niceness > before

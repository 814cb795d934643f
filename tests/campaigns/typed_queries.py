"""Types a query and a key after it at several speeds: the key acts on the hits.

`python -m tests.campaigns.typed_queries --runs 50` types every story fifty times at
each speed, each time in a new program, and prints what went wrong.
"""

import argparse
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from store.machine import Places
from store.state import count_start, permit
from tests.store.catalogue.stores import memory, write
from tests.tui.driver.session import Session

SPEEDS = (20, 50, 100, 200)
"""Milliseconds between two keys."""

_MEMORIES = 140
_TAGGED = range(0, _MEMORIES, 20)
_WORDED = range(7, _MEMORIES, 50)
_QUIT = "Q"
_MARKED = re.compile(r"✓ (\d+)")


class Story(Struct, frozen=True):
    """What is typed, when it is finished, and the expected result."""

    name: str
    keys: str
    is_over: Callable[[Session], bool]
    """Whether the last key has done its work."""
    outcome: Callable[[Session, Path], object]
    """What it did, on the screen and in the store."""
    wanted: object


def _marked(session: Session, _store: Path) -> object:
    """How many records the status line counts as marked."""
    found = _MARKED.search(session.screen.text())
    return int(found[1]) if found else 0


def _is_done(session: Session) -> bool:
    """Whether a change was made, or waits for confirmation."""
    return any(map(session.shows, ("· u undo", "will change", "not done")))


def _archived(_session: Session, store: Path) -> tuple[int, ...]:
    """The memories that were archived."""
    return tuple(
        sorted(
            int(path.stem.rpartition("-")[2])
            for path in store.rglob("memory-*.md")
            if "archive" in path.read_text() or "archive" in str(path.parent)
        )
    )


STORIES = (
    Story(
        "mark all hits",
        "/tag:redis\ra",
        lambda session: _marked(session, Path()) != 0,
        _marked,
        len(_TAGGED),
    ),
    Story(
        "archive all hits",
        "/redis client\rad",
        _is_done,
        _archived,
        tuple(_WORDED),
    ),
    Story(
        "archive the third hit",
        "/tag:redis\rjjd",
        _is_done,
        lambda session, store: [n in _TAGGED for n in _archived(session, store)],
        [True],
    ),
)


class Failure(Struct, frozen=True):
    """A run with another result."""

    story: str
    speed: int
    found: object
    wanted: object
    screen: str


def a_store(root: Path) -> Path:
    """Memories of today, some with a tag, some with two words."""
    now = datetime.now(UTC).isoformat()
    (root / "episodes").mkdir(parents=True)
    for number in range(_MEMORIES):
        fields = {"tags": "[redis]"} if number in _TAGGED else {}
        body = "The redis client waits." if number in _WORDED else ""
        text = memory(number, body=body, created=now, updated=now, **fields)
        write(root, f"graph/fixes/memory-{number}.md", text)
    return root


def run(story: Story, speed: int, folder: Path) -> Failure | None:
    """Type a story once, in a program with a home of its own."""
    store = a_store(folder / "store")
    own = (folder / name for name in ("cache", "state", "config"))
    places = Places(*(path / "recollect" for path in own))
    permit(places, str(store), changes=True)
    count_start(places)
    home = {f"XDG_{name.upper()}_HOME": str(folder / name) for name in _HOME}
    os.environ.update(home | {"HOME": str(folder)})
    session = Session("-m", "tui.start", str(store), columns=100, lines=30)
    try:
        session.until(lambda: session.shows(f"{_MEMORIES}/{_MEMORIES}"))
        session.until(lambda: session.shows("live"))
        type_at(session, story.keys, speed)
        is_over = awaited(session, lambda: story.is_over(session))
        found = story.outcome(session, store) if is_over else "nothing"
        screen = session.screen.text()
        session.press(_QUIT)
        session.until(session.has_ended)
    finally:
        session.close()
    if found == story.wanted:
        return None
    return Failure(story.name, speed, found, story.wanted, screen)


_HOME = ("cache", "state", "config")


def awaited(session: Session, condition: Callable[[], bool]) -> bool:
    """Whether a condition becomes true before the deadline."""
    try:
        session.until(condition)
    except AssertionError:
        return False
    return True


def type_at(session: Session, keys: str, speed: int) -> None:
    """Type keys at an interval in milliseconds, reading the screen in between."""
    for key in keys:
        session.press(key)
        due = time.monotonic() + speed / 1000
        while (left := due - time.monotonic()) > 0:
            session.read(left)


def campaign(
    runs: int, speeds: Sequence[int] = SPEEDS, stories: Sequence[Story] = STORIES
) -> Iterator[tuple[Story, int, list[Failure]]]:
    """Every story at every speed, several times; returns the failures."""
    for story in stories:
        for speed in speeds:
            failures: list[Failure] = []
            for _ in range(runs):
                with tempfile.TemporaryDirectory() as folder:
                    failure = run(story, speed, Path(folder))
                failures += [failure] if failure else []
            yield story, speed, failures


def main() -> int:
    """Print a line per story and speed; the exit code depends on the failures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--speed", type=int, action="append", choices=SPEEDS)
    arguments = parser.parse_args()
    failed = 0
    for story, speed, failures in campaign(arguments.runs, arguments.speed or SPEEDS):
        failed += len(failures)
        told = f"{story.name}: {speed} ms a key, {arguments.runs} runs"
        print(f"{told}, {len(failures)} failed", flush=True)  # noqa: T201  # a report
        for one in failures:
            print(f"  {one.found}, not {one.wanted}")  # noqa: T201  # a report
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

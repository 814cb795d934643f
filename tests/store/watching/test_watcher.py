"""It is time to look as soon as something moved, and not before."""

import subprocess
import sys
import time
from collections.abc import Callable, Generator, Mapping
from pathlib import Path

import pytest

from store.watching.watcher import Watcher
from tests.project import ROOT

DEADLINE = 60
"""Seconds in which whatever is waited for must come: a bound, not a measurement."""

Watch = Callable[..., Watcher]


class Until:
    """The end of waiting: after so many seconds, or when it is said."""

    def __init__(self, seconds: float) -> None:
        self._over = time.monotonic() + seconds

    def is_set(self) -> bool:
        return time.monotonic() > self._over


@pytest.fixture
def store(tmp_path: Path) -> Path:
    (tmp_path / "store/deep/deeper").mkdir(parents=True)
    return tmp_path / "store"


@pytest.fixture
def watch() -> Generator[Watch]:
    """Makes watchers that have begun to watch, and closes them."""
    open_ones: list[Watcher] = []

    def begin(*folders: Path, environment: Mapping[str, str] | None = None) -> Watcher:
        watcher = Watcher(folders, environment or {})
        open_ones.append(watcher)
        assert watcher.wait(Until(DEADLINE))
        return watcher

    yield begin
    for watcher in open_ones:
        watcher.close()


def is_time(watcher: Watcher, seconds: float = DEADLINE) -> bool:
    return watcher.wait(Until(seconds))


@pytest.fixture
def notified(tmp_path_factory: pytest.TempPathFactory, watch: Watch) -> None:
    """Skips where the system tells nothing, so that only the clock is left."""
    folder = tmp_path_factory.mktemp("trial")
    watcher = watch(folder)
    (folder / "new").touch()
    if not is_time(watcher, 5):
        pytest.skip("this system tells of no change in its temporary folder")


@pytest.mark.usefixtures("notified")
def test_what_moves_beneath_is_told(store: Path, watch: Watch) -> None:
    watcher = watch(store)

    (store / "deep/deeper/new.md").write_text("new")
    assert is_time(watcher)
    (store / "deep/deeper/new.md").unlink()
    assert is_time(watcher)
    (store / "fresh").mkdir()
    assert is_time(watcher)
    (store / "fresh/new.md").write_text("new")
    assert is_time(watcher)


@pytest.mark.usefixtures("notified")
def test_nothing_is_told_where_nothing_moves(store: Path, watch: Watch) -> None:
    assert not is_time(watch(store), 0.5)


@pytest.mark.usefixtures("notified")
def test_machinery_in_a_store_is_none_of_it(store: Path, watch: Watch) -> None:
    (store / ".git").mkdir()
    watcher = watch(store)

    (store / ".git/index").write_text("new")
    assert not is_time(watcher, 0.5)
    (store / "note.md").write_text("new")
    assert is_time(watcher)


@pytest.mark.usefixtures("notified")
def test_a_store_that_lies_in_machinery_is_watched_all_the_same(
    tmp_path: Path, watch: Watch
) -> None:
    store = tmp_path / ".cache/store"
    store.mkdir(parents=True)
    watcher = watch(store)

    (store / "note.md").write_text("new")

    assert is_time(watcher)


@pytest.mark.usefixtures("notified")
def test_a_store_within_another_is_watched_with_it(store: Path, watch: Watch) -> None:
    watcher = watch(store, store / "deep")

    (store / "deep/note.md").write_text("new")

    assert is_time(watcher)


def test_a_folder_that_takes_the_place_of_another_is_watched(
    store: Path, watch: Watch
) -> None:
    watcher = watch(store)

    store.rename(store.with_name("old"))
    store.mkdir()
    assert is_time(watcher)
    (store / "note.md").write_text("new")

    assert is_time(watcher)


@pytest.mark.parametrize("asked", ["1", "true"])
def test_the_clock_tells_where_the_user_wants_it(
    store: Path, watch: Watch, asked: str
) -> None:
    watcher = watch(store, environment={"WATCHFILES_FORCE_POLLING": asked})

    assert is_time(watcher)


def test_the_clock_tells_where_a_name_is_no_text(store: Path, watch: Watch) -> None:
    odd = store / "odd-\udcff"
    try:
        odd.mkdir()
    except OSError:
        pytest.skip("this file system takes no name that is no text")

    assert is_time(watch(odd))


def test_waiting_ends_when_it_is_told_to(store: Path, watch: Watch) -> None:
    watcher = watch(store)

    assert not is_time(watcher, 0)


LIMITED = """
import sys
from pathlib import Path
from tests.store.watching.test_watcher import DEADLINE, Until
from store.watching.watcher import Watcher
with Watcher([Path(sys.argv[1])], {}) as watcher:
    print(watcher.wait(Until(DEADLINE)), watcher.wait(Until(DEADLINE)))
"""


@pytest.mark.parametrize("limit", ["max_inotify_watches", "max_inotify_instances"])
def test_the_clock_tells_where_the_system_watches_no_more(
    store: Path, limit: str
) -> None:
    lower = f'echo 1 > /proc/sys/user/{limit} || exit 77; exec "$@"'
    if limit == "max_inotify_instances":
        lower = lower.replace("echo 1", "echo 0")
    command = ["unshare", "-Ur", "sh", "-c", lower, "sh"]
    try:
        told = subprocess.run(
            [*command, sys.executable, "-c", LIMITED, store],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        pytest.skip("this system has no `unshare` to lower a limit for a while")
    if (
        told.returncode in {1, 77}
        and not told.stdout
        and "Traceback" not in told.stderr
    ):
        pytest.skip("this system lets nobody lower its limits for a while")

    assert told.stdout == "True True\n", told.stderr

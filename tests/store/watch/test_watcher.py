"""A change is noticed as soon as it happens, and not before."""

import subprocess
import sys
import time
from collections.abc import Callable, Generator, Mapping
from pathlib import Path

import pytest

from store.watch import Watcher
from tests.project import ROOT

DEADLINE = 60
"""Seconds in which whatever is waited for must come: a bound, not a measurement."""

Watch = Callable[..., Watcher]


class Until:
    """The end of waiting: a timeout, or a signal."""

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
    """Creates running watchers, and closes them."""
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
    """Skips if the system sends no notifications, so that only polling is left."""
    folder = tmp_path_factory.mktemp("trial")
    watcher = watch(folder)
    (folder / "new").touch()
    if not is_time(watcher, 5):
        pytest.skip("this system tells of no change in its temporary folder")


@pytest.mark.usefixtures("notified")
def test_changes_below_a_store_are_reported(store: Path, watch: Watch) -> None:
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
def test_without_changes_nothing_is_reported(store: Path, watch: Watch) -> None:
    assert not is_time(watch(store), 0.5)


@pytest.mark.usefixtures("notified")
def test_machinery_in_a_store_is_ignored(store: Path, watch: Watch) -> None:
    (store / ".git").mkdir()
    watcher = watch(store)

    (store / ".git/index").write_text("new")
    assert not is_time(watcher, 0.5)
    (store / "note.md").write_text("new")
    assert is_time(watcher)


@pytest.mark.usefixtures("notified")
def test_a_store_inside_machinery_is_watched_anyway(
    tmp_path: Path, watch: Watch
) -> None:
    store = tmp_path / ".cache/store"
    store.mkdir(parents=True)
    watcher = watch(store)

    (store / "note.md").write_text("new")

    assert is_time(watcher)


@pytest.mark.usefixtures("notified")
def test_a_nested_store_is_watched_with_its_parent(store: Path, watch: Watch) -> None:
    watcher = watch(store, store / "deep")

    (store / "deep/note.md").write_text("new")

    assert is_time(watcher)


def test_a_replaced_folder_is_watched(store: Path, watch: Watch) -> None:
    watcher = watch(store)

    store.rename(store.with_name("old"))
    store.mkdir()
    assert is_time(watcher)
    (store / "note.md").write_text("new")

    assert is_time(watcher)


@pytest.mark.parametrize("asked", ["1", "true"])
def test_polling_is_used_if_the_user_wants_it(
    store: Path, watch: Watch, asked: str
) -> None:
    watcher = watch(store, environment={"WATCHFILES_FORCE_POLLING": asked})

    assert is_time(watcher)


def test_polling_is_used_for_names_that_are_not_text(store: Path, watch: Watch) -> None:
    odd = store / "odd-\udcff"
    try:
        odd.mkdir()
    except OSError:
        pytest.skip("this file system takes no name that is no text")

    assert is_time(watch(odd))


def test_waiting_ends_on_request(store: Path, watch: Watch) -> None:
    watcher = watch(store)

    assert not is_time(watcher, 0)


LIMITED = """
import sys
from pathlib import Path
from tests.store.watch.test_watcher import DEADLINE, Until
from store.watch import Watcher
with Watcher([Path(sys.argv[1])], {}) as watcher:
    print(watcher.wait(Until(DEADLINE)), watcher.wait(Until(DEADLINE)))
"""


@pytest.mark.parametrize("limit", ["max_inotify_watches", "max_inotify_instances"])
def test_polling_is_used_if_the_system_stops_watching(store: Path, limit: str) -> None:
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

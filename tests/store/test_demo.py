import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from store.demo import write
from store.discover import beneath
from store.errors import RecollectError
from store.formats.register import FORMATS

NOW = datetime(2026, 3, 29, 14, 30, tzinfo=UTC)


def snapshot(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Everything that could differ between two trees: names, modes, times, bytes."""
    found: dict[str, tuple[int, int, bytes]] = {}
    for path in [folder, *folder.rglob("*")]:
        status = path.lstat()
        content = path.read_bytes() if path.is_file() else b""
        name = path.relative_to(folder).as_posix()
        found[name] = (status.st_mode, status.st_mtime_ns, content)
    return found


@pytest.fixture
def umask() -> Iterator[None]:
    before = os.umask(0o077)
    yield
    os.umask(before)


def test_the_same_day_gives_the_same_tree(tmp_path: Path) -> None:
    write(tmp_path / "one", NOW)
    write(tmp_path / "two", NOW)
    assert snapshot(tmp_path / "one") == snapshot(tmp_path / "two")


def test_neither_the_hour_nor_the_zone_of_now_matters(tmp_path: Path) -> None:
    evening = NOW.replace(hour=23, minute=59)
    elsewhere = evening.astimezone(timezone(timedelta(hours=9)))
    write(tmp_path / "one", NOW)
    write(tmp_path / "two", elsewhere)
    assert snapshot(tmp_path / "one") == snapshot(tmp_path / "two")


def test_another_day_moves_every_date(tmp_path: Path) -> None:
    write(tmp_path / "one", NOW)
    write(tmp_path / "two", NOW + timedelta(days=1))
    one, two = snapshot(tmp_path / "one"), snapshot(tmp_path / "two")
    shared = {name for name in one.keys() & two.keys() if "episodes/" not in name}
    day = timedelta(days=1) // timedelta(microseconds=1) * 1000
    assert {two[name][1] - one[name][1] for name in shared} == {day}


@pytest.mark.skipif(os.name != "posix", reason="modes are a matter of POSIX")
@pytest.mark.usefixtures("umask")
def test_modes_are_the_same_under_any_umask(tmp_path: Path) -> None:
    write(tmp_path / "demo", NOW)
    modes = {
        (stat.S_ISDIR(mode), stat.S_IMODE(mode))
        for mode, _, _ in snapshot(tmp_path / "demo").values()
    }
    assert modes == {(True, 0o755), (False, 0o644)}


def test_the_roots_are_the_stores_that_are_found(tmp_path: Path) -> None:
    roots = write(tmp_path / "deep" / "demo", NOW)

    found = beneath([tmp_path], FORMATS)

    assert sorted(roots) == sorted(store.path for store in found.stores)
    assert {store.format.name for store in found.stores} == {
        form.name for form in FORMATS if form.usually
    }


def test_an_empty_folder_is_accepted_and_keeps_its_mode(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    folder.mkdir(mode=0o700)
    before = folder.stat().st_mode
    write(folder, NOW)
    assert folder.stat().st_mode == before


def test_a_folder_with_content_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(RecollectError, match=r"is not empty; .*\.$"):
        write(tmp_path, NOW)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "demo"
    file.write_text("mine")
    with pytest.raises(RecollectError, match=r"is a file; .*\.$"):
        write(file, NOW)
    assert file.read_text() == "mine"


def test_a_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RecollectError, match=r"Can't write the sample stores: .*\.$"):
        write(tmp_path / "file" / "demo", NOW)


def test_nothing_was_changed_after_now(tmp_path: Path) -> None:
    midnight = NOW.replace(hour=0, minute=0)
    write(tmp_path / "demo", midnight)
    newest = max(time for _, time, _ in snapshot(tmp_path / "demo").values())
    assert newest / 1e9 < midnight.timestamp()

"""Saved queries on disk, with concurrent writers."""

import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.errors import NothingFoundError, UnreadableError, WrongUseError
from store.machine import Places
from store.saved_queries import NotEditableError, delete_query, save_query
from store.settings import read_settings
from tests.store.conftest import Written


@pytest.fixture
def open_umask() -> Iterator[None]:
    """A user whose files are open to everybody."""
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def queries(places: Places) -> dict[str, str]:
    return dict(read_settings(places).queries)


@pytest.mark.usefixtures("open_umask")
def test_the_first_query_creates_a_private_file(places: Places) -> None:
    save_query(places, " stale ", "stage:fading")

    assert queries(places) == {"stale": "stage:fading"}
    assert mode(places.config) == mode(places.state) == 0o700
    assert [mode(path) for path in places.config.iterdir()] == [0o600]
    assert [mode(path) for path in places.state.iterdir()] == [0o600]


def test_a_query_is_saved_replaced_and_deleted(written: Written) -> None:
    places = written("mouse = false # so\n")

    save_query(places, "a", "x")
    save_query(places, "a", "y")
    assert queries(places) == {"a": "y"}

    delete_query(places, "a")
    text = (places.config / "config.toml").read_text(encoding="utf-8")
    assert text == "mouse = false # so\n\n[queries]\n"


def test_the_target_of_a_link_is_changed_and_the_link_stays(
    places: Places, tmp_path: Path
) -> None:
    home = tmp_path / "dotfiles"
    home.mkdir(mode=0o755)
    (home / "recollect.toml").write_text("# mine\n", encoding="utf-8")
    places.config.mkdir()
    (places.config / "config.toml").symlink_to("../dotfiles/recollect.toml")

    save_query(places, "a", "x")

    assert (places.config / "config.toml").is_symlink()
    assert mode(home) == 0o755
    assert [path.name for path in home.iterdir()] == ["recollect.toml"]
    text = (home / "recollect.toml").read_text(encoding="utf-8")
    assert text == '# mine\n\n[queries]\na = "x"\n'


@pytest.mark.parametrize("text", ["theme = ", "a = 1\na = 2\n", "a = " + "[" * 9000])
def test_a_file_that_is_not_toml_is_left_unchanged(written: Written, text: str) -> None:
    places = written(text)

    with pytest.raises(NotEditableError, match="Invalid TOML in"):
        save_query(places, "a", "x")

    assert (places.config / "config.toml").read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("name", "query"),
    [("", "x"), ("  ", "x"), ("a\nb", "x"), ("a\x1b", "x"), ("a", " ")],
)
def test_a_query_and_its_name_must_not_be_empty(
    places: Places, name: str, query: str
) -> None:
    with pytest.raises(WrongUseError):
        save_query(places, name, query)

    assert not places.config.exists()


def test_invalid_unicode_is_not_saved(places: Places) -> None:
    with pytest.raises(
        NotEditableError,
        match=r"The query contains invalid Unicode and can't be saved\.",
    ):
        save_query(places, "a", "caf\udce9")

    assert not places.config.exists()


def test_an_unknown_name_is_reported(places: Places) -> None:
    with pytest.raises(NothingFoundError, match="'a'"):
        delete_query(places, "a")


def test_a_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "config").write_bytes(b"")
    places = Places(tmp_path / "cache", tmp_path / "state", tmp_path / "config")

    with pytest.raises(UnreadableError, match=r"Can't read"):
        save_query(places, "a", "x")


def test_two_concurrent_saves_both_succeed(places: Places) -> None:
    def save(name: str) -> None:
        for number in range(10):
            save_query(places, f"{name}{number}", "x")

    both = [threading.Thread(target=save, args=(name,)) for name in "ab"]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()

    assert len(queries(places)) == 20

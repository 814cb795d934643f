"""A folder that several formats inspect is listed once, by names and kinds."""

import os
from pathlib import Path

import pytest

from store.discover import Glimpse
from store.errors import UnreadableError
from store.files.beneath import Root


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an entry of every kind."""
    place = tmp_path / "place"
    (place / "inner/deep").mkdir(parents=True)
    (place / "b.md").write_text("b")
    (place / "é.md").touch()
    (place / "inner/a.md").write_text("a")
    (place / "link.md").symlink_to("b.md")
    (place / "nowhere").symlink_to("gone")
    os.mkfifo(place / "pipe")
    return place


@pytest.mark.parametrize("inside", ["", "inner"])
def test_a_glimpse_shows_the_same_entries_in_the_same_order(
    folder: Path, inside: str
) -> None:
    with Root(folder) as root, Glimpse(folder) as glimpse:
        found = [(one.path, one.name, one.kind) for one in root.entries(inside)]

        assert found
        assert [
            (one.path, one.name, one.kind) for one in glimpse.entries(inside)
        ] == found


def test_every_format_sees_the_same_entries(folder: Path) -> None:
    with Glimpse(folder) as glimpse:
        before = glimpse.entries()
        (folder / "later.md").touch()

        assert glimpse.entries() == before


@pytest.mark.parametrize("inside", ["gone", "b.md", "nowhere", "../place"])
def test_anything_but_a_folder_within_is_refused(folder: Path, inside: str) -> None:
    with Glimpse(folder) as glimpse, pytest.raises(UnreadableError):
        glimpse.entries(inside)

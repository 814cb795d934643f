"""Hostile stores can be browsed without harm."""

from pathlib import Path

import pytest

from tests.store.formats.hostile import make_hostile
from tests.tui.browser.safety.conftest import places_in, read
from tests.tui.browser.safety.sent import sent
from tests.tui.browser.safety.walking import Stores, walk
from tui.browser.bars import VIEWS

CLASSES = ("term", "markup", "canary", "unicode", "refs", "transcript")

READ = 2
"""So many records are read one after another, from either end of every list."""

SIZE = (200, 50)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Stores:
    """Hostile stores, read once."""
    top = tmp_path_factory.mktemp("hostile")
    make_hostile(top / "stores", *CLASSES)
    stores = Stores(top / "stores", places_in(top / "home").catalogue, top / "home")
    stores.home.mkdir()
    read(stores)
    return stores


def test_every_view_of_hostile_stores_is_harmless(hostile: Stores) -> None:
    steps = [["escape"]]
    for view in VIEWS:
        steps += [[view.key], ["pagedown"], ["pagedown"], ["g", "g"]]
        steps += [["j"]] * READ + [["G"]] + [["k"]] * READ

    walked = walk(hostile, steps, "plain", size=SIZE)

    assert walked.code == 0
    found = [sent(step).acting for step in walked.steps]
    assert [one for one in found if one] == []


def test_looking_changes_nothing(hostile: Stores) -> None:
    before = _all_of(hostile.folder)

    assert walk(hostile, [["1", "enter"], ["]"], ["]"], ["q"]], "frugal").code == 0

    assert _all_of(hostile.folder) == before


def _all_of(folder: Path) -> dict[Path, tuple[int, int]]:
    """The time and size of every file."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path: (path.lstat().st_mtime_ns, path.lstat().st_size) for path in files}

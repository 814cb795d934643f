"""Problems are checked again, one or all of them, without leaving the list."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from store.formats.notes.format import FORMAT
from store.machine import Places
from tests.store.catalogue.stores import note, notes, write
from tests.store.formats.changed_stores import Changed
from tests.tui.browser.stories.visit import Visit, visiting
from tui.browser.session import Kept


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two notes that contradict one another, and a third without a type."""
    root = notes(tmp_path / ".memory", "one", "other", "third")
    write(root, "one.md", note("one", "Always lint generated code."))
    write(root, "other.md", note("other", "Never lint generated code."))
    write(root, "third.md", note("third", "Something else.").replace("type: ", "k: "))
    return root


@pytest.fixture
async def visit(root: Path, tmp_path: Path) -> AsyncIterator[Visit]:
    own = tmp_path / "own"
    places = Places(*(own / name for name in ("cache", "state", "config")))
    with Changed(root, FORMAT, own) as store:
        async with visiting(store.library, kept=Kept(places=places)) as visit:
            await visit.press("6")
            yield visit


def shown(visit: Visit) -> str:
    return "\n".join(visit.screen)


async def test_everything_is_checked_from_the_palette(visit: Visit) -> None:
    await visit.ask("code:contradiction")
    assert visit.found == 0

    await visit.press(":")
    await visit.type("check everything")
    await visit.press("enter")

    assert visit.found == 1
    assert "“Never lint generated code” c" in shown(visit)
    assert "Checked everything: 3 problems." in shown(visit)


async def test_one_file_is_checked_again(visit: Visit, root: Path) -> None:
    assert "type" in shown(visit)
    write(root, "third.md", note("third", "Something else."))

    await visit.press(":")
    await visit.type("check again")
    await visit.press("enter")

    assert "Checked third.md again." in shown(visit)
    assert visit.found == 0

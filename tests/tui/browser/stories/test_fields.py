"""Fields are offered that a record of its format has."""

from pathlib import Path

from store.discover import beneath
from store.formats.register import FORMATS
from store.keeping.permitted import permit
from store.library import Library, Writing
from store.places import Places
from tests.frames.shelf import NOW, Shelf
from tests.tui.browser.stories.visit import visiting
from tui.browser.kept import Kept


async def test_a_title_is_offered_to_what_has_one_of_its_own(
    shelf: Shelf, tmp_path: Path
) -> None:
    places = Places(*(tmp_path / name for name in ("cache", "state", "config")))
    now = int(NOW.timestamp()) * 1_000_000
    writing = Writing(places, clock=lambda: now)
    with Library(shelf.catalogue, now, writing=writing) as library:
        library.choose(beneath(shelf.stores, FORMATS).stores)
        for store in library.chosen:
            permit(places, str(store), changes=True)
        async with visiting(library, kept=Kept(places=places)) as visit:
            for query, is_titled in (("type:fix", True), ("type:task", False)):
                await visit.ask(query)
                await visit.press("E")
                assert "│ tags " in visit.text
                assert ("│ title " in visit.text) is is_titled
                await visit.press("escape")

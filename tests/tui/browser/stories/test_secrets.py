"""Copying a secret is announced; its presence is shown without its text."""

from pathlib import Path

from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library
from tests.store.catalogue.stores import memory, write
from tests.tui.browser.stories.visit import visiting


async def test_a_secret_is_copied_knowingly(tmp_path: Path) -> None:
    secret = "ghp_" + "FAKE" * 9
    store = tmp_path / "store"
    write(store, "graph/fixes/one.md", memory(1, body=f"the token is {secret}"))
    with Library(tmp_path / "catalogue.db", 0) as library:
        library.stores.choose(beneath([store], FORMATS).stores)
        library.sync()
        async with visiting(library) as visit:
            await visit.press("y", "b")
            assert secret in visit.copied
            assert (
                "it contains a GitHub token. Copied"
                in visit.browser.parts.status.message
            )
            await visit.press("y", "i")
            assert visit.browser.parts.status.message.startswith("Copied")

            await visit.press("6")
            assert "a GitHub token" in visit.text
            assert secret not in "\n".join(visit.pane("list-problems"))

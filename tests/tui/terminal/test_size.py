"""The browser has the size of its terminal, whatever a shell exported."""

from pathlib import Path

from tests.store.catalogue.stores import cognitive
from tests.tui.terminal.terminal import terminal


def test_an_exported_size_does_not_count(tmp_path: Path) -> None:
    store = cognitive(tmp_path / "store", 3)
    with terminal(
        "tui.start", str(store), home=tmp_path, size=(100, 30), COLUMNS="19", LINES="3"
    ) as opened:
        opened.until("Memory 2")
        opened.type(b"q")

        assert opened.end() == 0
    assert b"too small" not in opened.shown

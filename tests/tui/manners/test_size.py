"""The browser is as large as its terminal, whatever a shell has exported of it."""

from pathlib import Path

from tests.store.catalogue.stores import cognitive
from tests.tui.manners.terminal import terminal


def test_a_size_that_was_exported_once_does_not_hold(tmp_path: Path) -> None:
    store = cognitive(tmp_path / "store", 3)
    with terminal(
        "tui.cli", str(store), home=tmp_path, size=(100, 30), COLUMNS="19", LINES="3"
    ) as opened:
        opened.until("Memory 2")
        opened.type(b"q")

        assert opened.end() == 0
    assert b"too small" not in opened.shown

"""A folder of plain pages in a real terminal: read, followed, edited, undone."""

import shlex
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from store.machine import Places
from store.state import count_start
from tests.store.catalogue.stores import write
from tests.store.formats.pages_stores import vault
from tests.tui.browser.changes.test_in_a_terminal import PROGRAM, QUIT, Sitting

EDITOR = """
import pathlib, sys
page = pathlib.Path(sys.argv[-1])
page.write_bytes(page.read_bytes().replace(b"Owns", b"Looks after"))
"""
F2 = "\x1bOQ"
CLEAR = "\x15"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A vault, and an editor that changes a word."""
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home" / name))
    count_start(Places.usual())
    script = write(tmp_path, "editor.py", EDITOR)
    monkeypatch.setenv("VISUAL", shlex.join([sys.executable, str(script)]))
    write(tmp_path / "brain", "Solo.md", "See [[Zoe]].\n")
    return vault(tmp_path / "brain")


@contextmanager
def sitting(*arguments: str, columns: int = 100) -> Generator[Sitting]:
    """The browser, once it has read the pages."""
    opened = Sitting("-m", PROGRAM, *arguments, columns=columns, lines=30)
    try:
        opened.press("", "live", "4/4")
        yield opened
        opened.press(QUIT)
        assert opened.exit_code() == 0
    finally:
        opened.close()


@pytest.fixture
def at(folder: Path) -> Iterator[Sitting]:
    with sitting(str(folder), "--as", "pages") as opened:
        yield opened


def pages(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*.md")}


def test_links_are_followed_from_page_to_page(at: Sitting) -> None:
    at.ask("title:solo", "1/4 ·", "See Zoe.")

    at.press("l", "◉ Solo", "└─link─")
    at.press("\r", "people/Zoe.md", "Owns billing.")


def test_a_page_is_edited_and_renamed_and_each_is_undone(
    at: Sitting, folder: Path
) -> None:
    first = pages(folder)
    at.press("!", "Edits allowed", "editing")
    at.ask("title:zoe", "1/4 ·")

    at.press("e", "save changes?", "+ Looks after")
    at.press("\r", "edited “Zoe” · u undo", "Looks after billing.")
    assert pages(folder)["people/Zoe.md"] == first["people/Zoe.md"].replace(
        b"Owns", b"Looks after"
    )
    at.press(F2, "> Zoe")
    at.press(CLEAR, "> title")
    at.press("Zoe Smith", "> Zoe Smith")
    at.press("\r", "people/Zoe Smith.md", "↶ 2 undo")
    assert "people/Zoe Smith.md" in pages(folder)
    assert b"[[people/Zoe Smith#Phone|her]]" in pages(folder)["Retry policy.md"]

    at.press("u", "people/Zoe.md", "↶ 1 undo")
    at.press("u", "undone: edit", "Owns billing.")
    assert pages(folder) == first


def test_changes_of_another_program_are_shown(at: Sitting, folder: Path) -> None:
    write(folder, "people/Yan.md", "# Yan\n\nWorks with [[Zoe]].\n")

    at.press("", "Yan", "5/5")


def test_a_store_of_the_settings_is_opened_by_its_name_and_kept_up_to_date(
    folder: Path, tmp_path: Path
) -> None:
    settings = f'[stores.mind]\npath = "{folder}"\nformat = "pages"\n'
    write(tmp_path / "home/XDG_CONFIG_HOME/recollect", "config.toml", settings)

    with sitting("-s", "mind", columns=160) as at:
        at.press("", "◈ mind")
        write(folder, "people/Yan.md", "# Yan\n\nWorks with [[Zoe]].\n")
        at.press("", "Yan", "5/5")

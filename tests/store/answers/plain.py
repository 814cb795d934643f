"""A store of plain pages in a real folder, and a library that may change it."""

from pathlib import Path

from store.discover import Found
from store.kinds.memories import Memory
from store.library import Library, Page, Writing
from store.machine import Places
from tests.store.catalogue.stores import NOON, micros
from tests.store.formats.sample import Folder, SampleFormat

PAGES = {
    "beans": "Water the beans | reminder | Soil",
    "soil": "Soil | fact | ",
    "diary.log": "Rain | weather | Soil\n",
}


def make(folder: Path, pages: dict[str, str] = PAGES) -> Path:
    """Write the pages of a store."""
    folder.mkdir(parents=True)
    for name, text in pages.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def places(folder: Path) -> Places:
    """A machine's own folders, below one folder."""
    return Places(folder / "cache", folder / "state", folder / "config")


def opened(folder: Path, *stores: Path, is_forbidden: bool = False) -> Library:
    """The library of some stores, read; the caller closes it."""
    own = places(folder)
    writing = Writing(own, is_forbidden)
    library = Library(own.catalogue, micros(NOON), writing=writing)
    form = SampleFormat({store: Folder(store) for store in stores})
    library.stores.choose([Found(store, form) for store in stores])
    library.sync()
    return library


def memory(library: Library, title: str) -> Memory:
    """The memory with this title."""
    (found,) = (
        one
        for one in library.lists.page("memories", Page())
        if isinstance(one, Memory) and one.title == title
    )
    return found

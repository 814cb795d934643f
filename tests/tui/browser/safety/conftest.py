"""Hostile stores, and one walk through every screen of them."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest

from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library
from store.machine import Places
from store.saved_queries import saved
from store.state import remember
from tests.tui.browser.safety.poison import NOW, write_poisoned
from tests.tui.browser.safety.screens import screens
from tests.tui.browser.safety.texts import MARKUP, SEQUENCES
from tests.tui.browser.safety.walking import Stores, Walk, walk


@pytest.fixture(scope="session")
def poisoned(tmp_path_factory: pytest.TempPathFactory) -> Stores:
    """Stores and saved queries in which every text is hostile."""
    return made(tmp_path_factory.mktemp("poisoned"))


@pytest.fixture
def at_home(poisoned: Stores, tmp_path: Path) -> Stores:
    """The same, for tests that write to the home folder."""
    return moved(poisoned, tmp_path / "home")


@pytest.fixture(scope="session")
def walks(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Walk]:
    """Every screen, drawn as it is for most; and once more, uncleaned and all of it.

    Each has stores of its own: on the way they are changed.
    """
    steps = [step for _, step in screens()]
    ways: Sequence[Sequence[str]] = (("frugal",), ("plain", "unclean"))
    tops = [tmp_path_factory.mktemp(how[0]) for how in ways]

    def walked_so(how: Sequence[str], top: Path, size: tuple[int, int]) -> Walk:
        stores = made(top)
        editor = str(an_editor(stores))
        return walk(stores, steps, *how, size=size, EDITOR=editor)

    with ThreadPoolExecutor(len(ways)) as threads:
        return [*threads.map(walked_so, ways, tops, ((120, 36), (100, 30)))]


@pytest.fixture(scope="session")
def walked(walks: Sequence[Walk]) -> Walk:
    """Every screen, drawn in the usual way."""
    return walks[0]


@pytest.fixture(scope="session")
def unclean(walks: Sequence[Walk]) -> Walk:
    """Every screen as Textual sends it, without any cleaning before."""
    return walks[1]


def moved(stores: Stores, home: Path) -> Stores:
    """The same stores, with the program's own files in another place."""
    for name in ("state", "config"):
        copytree(stores.home / name, home / name)
    return replace(stores, home=home)


def made(top: Path) -> Stores:
    """Hostile stores, read, with the files of earlier sessions."""
    places = places_in(top / "home")
    stores = Stores(top / "stores", places.catalogue, top / "home")
    write_poisoned(stores.folder)
    keep_queries(places)
    read(stores)
    return stores


def an_editor(stores: Stores) -> Path:
    """An editor that writes hostile text; from the second time on, others write too."""
    program = stores.home / "editor"
    notes = stores.folder / "cognitive-memory" / "graph"
    program.write_text(
        "#!/bin/sh\n"
        """printf 'mine \\033]2;PWNED\\007\\n' >> "$1"\n"""
        f"""[ -e "$0.begun" ] && for note in "{notes}"/*/*.md; do\n"""
        """    printf 'theirs \\033]2;PWNED\\007\\n' >> "$note"\n"""
        """done\n"""
        """touch "$0.begun"\n"""
    )
    program.chmod(0o755)
    return program


def read(stores: Stores) -> None:
    """Read the stores, as the browser's child would."""
    with Library(stores.catalogue, int(NOW.timestamp()) * 1_000_000) as library:
        library.stores.choose(beneath([stores.folder], FORMATS).stores)
        library.sync()


def places_in(home: Path) -> Places:
    """The program's own folders."""
    own = (home / name / "recollect" for name in ("cache", "state", "config"))
    return Places(*own)


def keep_queries(places: Places) -> None:
    """Saved and earlier queries that no user would type."""
    text = ""
    for number, query in enumerate([*SEQUENCES, *MARKUP]):
        text = saved(text, f"{number} {query}", query)
        remember(places, query)
    places.config.mkdir(parents=True)
    (places.config / "config.toml").write_text(text, encoding="utf-8")

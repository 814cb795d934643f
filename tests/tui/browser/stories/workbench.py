"""Small stores to change, and what is needed to change them."""

import json
import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library, Writing
from store.machine import Places
from store.state import count_start, permit
from tests.frames.shelf import NOW
from tests.store.catalogue.stores import cognitive, linked, memory, write
from tests.store.formats.claudia_stores import small
from tests.store.formats.transcripts_stores import SLUG, user
from tui.browser.session import Kept


@dataclass(frozen=True)
class Workbench:
    """A folder with two stores, and the program's own folders beside them."""

    folder: Path

    @property
    def store(self) -> Path:
        """The largest store."""
        return self.folder / "stores" / "home"

    @property
    def other(self) -> Path:
        """A store of the same format."""
        return self.folder / "stores" / "work"

    @property
    def talks(self) -> Path:
        """A store of transcripts, which expire after thirty days."""
        return self.folder / "stores" / "claude" / "projects"

    @property
    def librarian(self) -> Path:
        """A database of conversations, editable only if the settings allow it."""
        return self.folder / "stores" / "anima"

    @property
    def places(self) -> Places:
        """The folders of the journal."""
        return Places(*(self.folder / name for name in ("cache", "state", "config")))

    @cached_property
    def kept(self) -> Kept:
        """The state of a user who was here before: both stores may be edited."""
        count_start(self.places)
        for store in (self.store, self.other, self.librarian):
            permit(self.places, str(store), changes=True)
        return Kept(places=self.places)

    @cached_property
    def library(self) -> Library:
        """The library of all of them."""
        now = int(NOW.timestamp()) * 1_000_000
        library = Library(
            self.places.catalogue, now, writing=Writing(self.places, clock=lambda: now)
        )
        library.stores.choose(beneath(self._made(), FORMATS).stores)
        library.sync()
        return library

    def close(self) -> None:
        """Close everything that was opened."""
        if "library" in self.__dict__:
            self.library.close()

    def text(self, path: str) -> str:
        """The content of a file of the store."""
        return (self.store / path).read_text(encoding="utf-8")

    def _made(self) -> list[Path]:
        linked(self.store)
        for number in (3, 4):
            write(self.store, f"graph/fixes/memory-{number}.md", memory(number))
        cognitive(self.other, 2)
        self._said("first", "Why do the bowls crack?", age=28)
        self._said("second", "Which glaze for the mugs?", age=2)
        small(self.librarian)
        return [self.store, self.other, self.talks, self.librarian]

    def _said(self, session: str, text: str, age: int) -> None:
        """A transcript of some age in days."""
        line = user(session, text, sessionId=session)
        write(self.talks, f"{SLUG}/{session}.jsonl", f"{json.dumps(line)}\n")
        then = NOW.timestamp() - age * 86_400
        os.utime(self.talks / f"{SLUG}/{session}.jsonl", (then, then))
        write(self.talks.parent, "settings.json", '{"cleanupPeriodDays": 30}')


def a_workbench(folder: Path) -> Workbench:
    """A workbench; nothing is created before it is used."""
    return Workbench(folder)

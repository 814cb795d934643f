"""The format itself: its name, where its stores lie, how one is known and opened."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from store.files.beneath import Root
from store.findings import Side
from store.formats.defaults import FormatDefaults
from store.formats.kei.layout import OWN
from store.formats.kei.outside import MEMORY_DB, home_of
from store.formats.port import Question
from store.machine import Machine

if TYPE_CHECKING:
    from store.formats.kei.opened import KeiStore
    from store.formats.kei.scribe import KeiScribe


class KeiFormat(FormatDefaults):
    """Traces of sessions, and what was measured and analyzed beside them."""

    name = "kei"
    editable = False
    usually = "~/.claude/memory"
    two_sided: frozenset[Side] = frozenset()

    @property
    def questions(self) -> tuple[Question, ...]:
        """What its stores can be asked."""
        from store.formats.kei.questions import QUESTIONS  # noqa: PLC0415  # loaded by who asks alone

        return QUESTIONS

    def places(self, machine: Machine) -> Iterator[Path]:
        """The kit's folder; where there is none, that of its database elsewhere."""
        home = home_of(machine)
        yield home
        database = machine.folder(MEMORY_DB)
        if database and not home.is_dir():
            yield database.parent

    def sniff(self, root: Root) -> bool:
        """Whether the folder is such a store, told by what is in it."""
        from store.formats.kei.sniff import sniff  # noqa: PLC0415  # by who looks for stores

        return sniff(root)

    def keeps(self, folder: str) -> bool:
        """Its own folders hold no store of their own; the mirror is a part of it."""
        return folder in OWN

    def open(self, path: Path) -> "KeiStore":
        """Open a store for reading, with what this machine keeps apart from it."""
        from store.formats.kei.opened import KeiStore  # noqa: PLC0415  # by who reads alone

        return KeiStore(path, Machine.this())

    def scribe(self, path: Path) -> "KeiScribe":
        """Open a store to say what a line that is added would be."""
        from store.formats.kei.scribe import KeiScribe  # noqa: PLC0415  # for changes alone

        return KeiScribe(path)

"""The format itself: its name, where its stores lie, how one is known and opened."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from store.files.beneath import Root
from store.findings import Side
from store.formats.claudia.layout import FOLDERS
from store.formats.defaults import FormatDefaults
from store.formats.port import Question
from store.machine import Machine
from store.places import Places

if TYPE_CHECKING:
    from store.formats.claudia.opened import ClaudiaStore
    from store.formats.claudia.scribe import ClaudiaScribe

_OWN = FOLDERS | {"memory", "logs", "libby", "transcripts"}


class ClaudiaFormat(FormatDefaults):
    """Conversations in a database, and the pages that a librarian made of them."""

    name = "claudia"
    usually = "~/.anima, ~/.claudia, ~/memory, ~/libby"
    two_sided: frozenset[Side] = frozenset()

    @property
    def editable(self) -> bool:
        """Only where its owner says so in the settings, for its program owns it."""
        from store.settings.reading import read_settings  # noqa: PLC0415  # for such stores alone

        return read_settings(Places.usual()).claudia_writes

    @property
    def questions(self) -> tuple[Question, ...]:
        """What its stores can be asked."""
        from store.formats.claudia.asking import QUESTIONS  # noqa: PLC0415  # loaded by who asks alone

        return QUESTIONS

    def places(self, machine: Machine) -> Iterator[Path]:
        """Where the program keeps its database, and the librarian its pages."""
        for variable in ("ANIMA_DATA_DIR", "CLAUDIA_DATA_DIR"):
            folder = machine.folder(variable)
            if folder:
                yield folder
        for name in (".anima", ".claudia", "memory", "libby"):
            yield machine.home / name

    def sniff(self, root: Root) -> bool:
        """Whether the folder is such a store, told by what is in it."""
        from store.formats.claudia.sniff import sniff  # noqa: PLC0415  # by who looks for stores

        return sniff(root)

    def keeps(self, folder: str) -> bool:
        """Pages and logs are its own; other folders may be stores."""
        return folder in _OWN

    def open(self, path: Path) -> "ClaudiaStore":
        """Open a store for reading."""
        from store.formats.claudia.opened import ClaudiaStore  # noqa: PLC0415  # by who reads alone

        return ClaudiaStore(path)

    def scribe(self, path: Path) -> "ClaudiaScribe":
        """Open a store to say what changes would write, if its owner allows any."""
        from store.formats.claudia.scribe import ClaudiaScribe  # noqa: PLC0415  # for changes alone

        return ClaudiaScribe(path)

"""The format as the register knows it."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from store.files.beneath import Root
from store.findings import Side
from store.formats.defaults import FormatDefaults
from store.formats.port import Question
from store.formats.transcripts.naming import is_session
from store.machine import Machine

if TYPE_CHECKING:
    from store.formats.transcripts.opened import OpenTranscripts


class TranscriptsFormat(FormatDefaults):
    """Folders of Claude Code's transcripts, as its memory extension watches them."""

    name = "transcripts"
    editable = False
    usually = "~/.claude/projects"
    two_sided: frozenset[Side] = frozenset()
    hosts = frozenset({"notes"})

    @property
    def questions(self) -> tuple[Question, ...]:
        """What its stores can be asked."""
        from store.formats.transcripts.questions import QUESTIONS  # noqa: PLC0415  # loaded by who asks alone

        return QUESTIONS

    def places(self, machine: Machine) -> Iterable[Path]:
        """Folders on this machine beneath which such stores usually lie."""
        from store.formats.transcripts.places import places  # noqa: PLC0415  # as above

        return places(machine)

    def sniff(self, root: Root) -> bool:
        """Whether the folder is such a store, told by what is in it."""
        from store.formats.transcripts.sniff import sniff  # noqa: PLC0415  # by who looks for stores

        return sniff(root)

    def keeps(self, folder: str) -> bool:
        """The folder of a session is its own; that of a project may hold notes."""
        return is_session(folder)

    def open(self, path: Path) -> "OpenTranscripts":
        """Open a store for reading."""
        from store.formats.transcripts.opened import OpenTranscripts  # noqa: PLC0415  # by who reads alone

        return OpenTranscripts(path)

"""The format as the register knows it."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from store.files.beneath import Root
from store.findings import Side
from store.formats.defaults import FormatDefaults
from store.machine import Machine

if TYPE_CHECKING:
    from store.edits.port import Scribe
    from store.formats.notes.opened import OpenNotes


class NotesFormat(FormatDefaults):
    """Markdown memory: `.memory/` of an agent loop, Claude Code's auto-memory."""

    name = "notes"
    editable = True
    usually = "~/.claude/projects/*/memory, .memory, .claude/memory"
    two_sided: frozenset[Side] = frozenset()
    rebuilds = frozenset({"notes-index"})

    def places(self, machine: Machine) -> Iterable[Path]:
        """Folders on this machine beneath which such stores usually lie."""
        from store.formats.notes.places import places  # noqa: PLC0415  # as above

        return places(machine)

    def sniff(self, root: Root) -> bool:
        """Whether the folder is such a store, told by what is in it."""
        from store.formats.notes.sniff import sniff  # noqa: PLC0415  # by who looks for stores

        return sniff(root)

    def keeps(self, folder: str) -> bool:
        """Every folder of such a store may hold notes."""
        return bool(folder)

    def scribe(self, path: Path) -> "Scribe":
        """Open a store to say what changes would write."""
        from store.formats.notes.scribe.scribe import (  # noqa: PLC0415  # for changes
            NotesScribe,
        )

        return NotesScribe(path)

    def open(self, path: Path) -> "OpenNotes":
        """Open a store for reading."""
        from store.formats.notes.opened import OpenNotes  # noqa: PLC0415  # by who reads alone

        return OpenNotes(path)

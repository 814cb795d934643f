"""The format: the interface to the program, and an open store."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from store.files.beneath import Root, Rooted
from store.findings import START, Findings, Mark, Side
from store.formats.notes.projects import places, title_of
from store.formats.notes.scan import (
    DEPTH,
    Role,
    index_role,
    is_entered,
    is_first,
    is_source,
    role_of,
    scan,
    sniff,
)
from store.formats.port import FormatDefaults, OpenStoreDefaults, Refused, Source
from store.machine import Machine

if TYPE_CHECKING:
    from store.edits.draft import Scribe
    from store.formats.notes.edit import NotesScribe


# A notes store opened for reading.


class OpenNotes(Rooted, OpenStoreDefaults):
    """Reads files beneath one folder; closed by leaving the `with` block."""

    @property
    def title(self) -> str:
        """The project that the memories are about, or else the folder's name."""
        return title_of(self._root.path)

    def glance(self) -> bytes:
        """A digest that stays the same while nothing changes that a scan reads."""
        return self._root.fingerprint({"": DEPTH})

    def scan(self) -> Iterator[Source | Refused]:
        """List the files cheaply, by name and stamp, without opening them."""
        return scan(self._root)

    def source_at(self, path: str) -> Source | None:
        """The note at a path."""
        *folders, name = path.split("/")
        if not is_source(name) or len(folders) > DEPTH:
            return None
        if not all(is_entered(folder) for folder in folders):
            return None
        role = role_of(self._root.path.name, path)
        if role is Role.INDEX:
            role = index_role(self._root)
        elif role is Role.MEMORY and is_first(self._root, path):
            return None
        with self._root.opened(path) as file:
            return Source(path, role, file.stamp)

    def read(self, source: Source, since: Mark = START) -> Findings:
        """Read one source; no source of this format grows, so always all of it."""
        from store.formats.notes.notes import read_source  # noqa: PLC0415  # if a file changed

        del since
        return read_source(self._root, source)


# The format, as registered.


class NotesFormat(FormatDefaults):
    """Markdown memory: an agent loop's `.memory/` and Claude Code's auto-memory."""

    name = "notes"
    editable = True
    usually = "~/.claude/projects/*/memory, .memory, .claude/memory"
    two_sided: frozenset[Side] = frozenset()
    rebuilds = frozenset({"notes-index"})

    def places(self, machine: Machine) -> Iterable[Path]:
        """Folders on this machine beneath which such stores are usually found."""
        return places(machine)

    def sniff(self, root: Root) -> bool:
        """Whether the folder is such a store, judged by its content."""
        return sniff(root)

    def keeps(self, folder: str) -> bool:
        """Every folder of such a store may hold notes."""
        return bool(folder)

    @property
    def fixes(self) -> frozenset[str]:
        """The codes of the problems that can be fixed."""
        return self._scribe().fixes

    def scribe(self, path: Path) -> "Scribe":
        """Open a store to work out changes."""
        return self._scribe()(path)

    def _scribe(self) -> "type[NotesScribe]":
        from store.formats.notes.edit import NotesScribe  # noqa: PLC0415  # only for changes

        return NotesScribe

    def open(self, path: Path) -> OpenNotes:
        """Open a store for reading."""
        return OpenNotes(path)


# Markdown memories: one file per memory, and a MEMORY.md that lists them.

FORMAT = NotesFormat()

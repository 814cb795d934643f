"""The files of a store wherever they lie, each reached through a folder's handle."""

from pathlib import Path

from store.closing import Closing
from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root, Stamp
from store.files.sqlite import database_stamp
from store.formats.kei.layout import Role
from store.formats.kei.outside import Outside, outside
from store.machine import Machine


class Reach(Closing):
    """Knows the folder that each source is opened beneath, and its name there."""

    def __init__(self, path: Path, machine: Machine) -> None:
        self.root = Root(path)
        found = outside(self.root.path, machine)
        self._outside = {one.path: one for one in found}
        self._folders: dict[Path, Root] = {}

    def of(self, path: str) -> tuple[Root, str]:
        """The folder and the name; raises UnreadableError."""
        one = self._outside.get(path)
        if one is None:
            return self.root, path
        folder = self._folders.get(one.file.parent)
        if folder is None:
            folder = self._folders[one.file.parent] = Root(one.file.parent)
        return folder, one.file.name

    def elsewhere(self) -> list[tuple[Outside, Stamp]]:
        """What lies elsewhere and is there."""
        return [(one, s) for one in self._outside.values() if (s := self._stamp(one))]

    def close(self) -> None:
        """Let go of every folder; may be called again."""
        self.root.close()
        for folder in self._folders.values():
            folder.close()
        self._folders.clear()

    def _stamp(self, one: Outside) -> Stamp | None:
        try:
            folder, name = self.of(one.path)
            entries = folder.entries()
        except UnreadableError:
            return None
        found = [e for e in entries if e.name == name and e.kind is Kind.FILE]
        if not found:
            return None
        is_journal = one.role is Role.TASKS
        return found[0].stamp if is_journal else stamp_of_database(folder, found[0])


def stamp_of_database(folder: Root, entry: Entry) -> Stamp:
    """A stamp that moves with what is not in the database's own file yet, too."""
    try:
        return database_stamp(folder, entry.path)
    except UnreadableError:
        return entry.stamp

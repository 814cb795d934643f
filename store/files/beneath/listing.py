"""One folder, listed."""

import os
import stat
from operator import attrgetter

from store.files.beneath.entry import Entry, Kind, stamp_of

_KINDS = {
    stat.S_IFREG: Kind.FILE,
    stat.S_IFDIR: Kind.FOLDER,
    stat.S_IFLNK: Kind.LINK,
}
_TYPE = stat.S_IFMT(0xFFFF)
_SPECIAL = Kind.SPECIAL


def listing(handle: int, folder: str) -> list[Entry]:
    """The entries of an open folder, in order of their names' bytes; raises OSError."""
    prefix = f"{folder}/" if folder else ""
    entries: list[Entry] = []
    for found in _in_order(handle):
        try:
            about = found.stat(follow_symlinks=False)
        except FileNotFoundError:
            continue
        name = found.name
        kind = _KINDS.get(about.st_mode & _TYPE, _SPECIAL)
        entries.append(Entry(prefix + name, name, kind, stamp_of(about)))
    return entries


def _in_order(handle: int) -> list[os.DirEntry[str]]:
    with os.scandir(handle) as scan:
        found = list(scan)
    found.sort(key=attrgetter("name"))
    if not all(entry.name.isascii() for entry in found):
        found.sort(key=lambda entry: os.fsencode(entry.name))
    return found

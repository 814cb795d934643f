"""Files opened beneath a root by handle: no link leads out, nothing special is read."""

from store.files.beneath.entry import Blob, Entry, Kind, Stamp
from store.files.beneath.opened import OpenFile
from store.files.beneath.root import NOTE_LIMIT, Root

__all__ = ["NOTE_LIMIT", "Blob", "Entry", "Kind", "OpenFile", "Root", "Stamp"]

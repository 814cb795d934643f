"""When a database moved: its own file, or the log of what is not in it yet."""

from store.errors import UnreadableError
from store.files.beneath import Root, Stamp
from store.files.beneath.naming import quoted

WAL = "-wal"
SHM = "-shm"
JOURNAL = "-journal"


def database_stamp(root: Root, path: str) -> Stamp:
    """A stamp that moves with the database and with its write-ahead log.

    That of the file itself where there is no log. No file is opened for it, because
    closing one would drop the locks that this process holds on it. Raises
    UnreadableError where there is no such file.
    """
    real = root.target(path)
    if real is None:
        raise UnreadableError(f"{quoted(path)} is not there or leads out of the store.")
    folder, _, name = real.rpartition("/")
    stamps = {entry.name: entry.stamp for entry in root.entries(folder)}
    own, log = stamps[name], stamps.get(name + WAL)
    if log is None or not log.size:
        return own
    newest = max(own.mtime_ns, log.mtime_ns)
    return Stamp(own.size + log.size, newest, own.inode)

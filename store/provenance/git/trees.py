"""The files of a folder as they were committed by a time."""

from pathlib import Path

from msgspec import Struct

from store.provenance.git.objects import blobs
from store.provenance.git.running import GitError, NoRepositoryError, ask_git
from store.times import parse

_SECOND = 1_000_000
_PLAIN = ("100644", "100755")
"""The modes of plain files; links and whole repositories are left out."""


class Tree(Struct, frozen=True):
    """What was committed of a folder."""

    commit: str
    """The name of the commit; nothing where there was none yet."""
    moment: int
    """When it was made, in microseconds since 1970."""
    files: dict[str, str]
    """The names of the objects, by the files' paths relative to the folder."""
    tracked: frozenset[str]
    """The files that are committed by now."""

    def contents(self, folder: Path) -> dict[str, bytes]:
        """What the files held, but for those that are too large; raises GitError."""
        held = blobs(folder, self.files.values())
        return {path: held[name] for path, name in self.files.items() if name in held}


def tree_at(folder: Path, at: int) -> Tree | None:
    """The files of a folder by a time; None where it lies in no repository.

    Raises GitError where git cannot tell.
    """
    try:
        tracked = _listed(folder, "HEAD")
    except NoRepositoryError:
        return None
    if not tracked:
        return None
    before = f"--before={at // _SECOND}"
    told = ask_git(folder, "log", "-1", before, "--format=%H %cI", "HEAD").decode()
    commit, _, when = told.strip().partition(" ")
    if not commit:
        return Tree("", 0, {}, frozenset(tracked))
    moment = parse(when).micros or 0
    return Tree(commit, moment, _listed(folder, commit), frozenset(tracked))


def _listed(folder: Path, commit: str) -> dict[str, str]:
    """The plain files beneath a folder in a commit, with the names of their objects."""
    try:
        told = ask_git(folder, "ls-tree", "-r", "-z", commit)
    except NoRepositoryError:
        raise
    except GitError:
        return {}
    files: dict[str, str] = {}
    for entry in told.split(b"\0"):
        head, _, path = entry.partition(b"\t")
        mode, _, rest = head.decode("ascii", "replace").partition(" ")
        if mode in _PLAIN:
            name = path.decode("utf-8", "surrogateescape")
            files[name] = rest.partition(" ")[2]
    return files

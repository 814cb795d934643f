"""Where the system tells of no change: file systems that others write to unseen."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

_MOUNTS = Path("/proc/self/mountinfo")

_UNTOLD = frozenset(
    {
        "9p",
        "afs",
        "ceph",
        "cifs",
        "coda",
        "fuse",
        "lustre",
        "ncpfs",
        "nfs",
        "nfs4",
        "ocfs2",
        "prl_fs",
        "smb3",
        "smbfs",
        "vboxsf",
        "virtiofs",
        "vmhgfs",
    }
)
"""Kinds of file system whose files change without a word: on another machine, in
another system on this one, or behind a program. All that are `fuse.` something too."""

_ESCAPED = re.compile(r"\\([0-7]{3})")


class Mount(NamedTuple):
    """A file system, and where it hangs."""

    place: Path
    kind: str


def is_untold(folder: Path, mounts: Sequence[Mount]) -> bool:
    """Whether what changes in a folder may change without a notification."""
    above = [mount for mount in mounts if folder.is_relative_to(mount.place)]
    if not above:
        return False
    depth = max(len(mount.place.parts) for mount in above)
    kind = [m.kind for m in above if len(m.place.parts) == depth][-1]
    return kind in _UNTOLD or kind.startswith("fuse.")


def mounts() -> list[Mount]:
    """What is mounted here; nothing where the system has no such list."""
    try:
        text = _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return []
    return understood(text)


def understood(text: str) -> list[Mount]:
    """The mounts that a list names, in its order: the later hides the earlier."""
    found: list[Mount] = []
    for line in text.split("\n"):
        place, dash, rest = line.partition(" - ")
        fields, kinds = place.split(" "), rest.split(" ")
        if dash and len(fields) > _PLACE:
            path = _ESCAPED.sub(lambda code: chr(int(code[1], 8)), fields[_PLACE])
            found.append(Mount(Path(path), kinds[0]))
    return found


_PLACE = 4
"""Which field of a line says where the file system hangs."""

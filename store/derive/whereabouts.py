"""Where a file that somebody wrote lies among the stores that are here.

A transcript names files as they were called where it was written: on another machine,
in another home, before a folder was moved. A store is told there by the end of its own
path, as far up as a folder that is called like no other.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import NamedTuple

_CONVENTIONAL = frozenset(
    {
        *("", ".", "/", "~", "home", "users", "root", "tmp", "var", "private"),
        *(".agent", ".agents", ".claude", ".config", ".local", ".memory", ".memories"),
        *("agent-memory", "agent-memory-local", "claude", "docs", "graph", "memories"),
        *("memory", "notes", "projects", "session-memory", "share", "state"),
    }
)
"""Names that a great many folders have: they tell none from another."""

Parts = tuple[str, ...]
"""The names in a path."""

_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_HOME = "~/"


class Placed(NamedTuple):
    """A file as the stores know it."""

    store: str
    """The root of the store."""
    path: str
    """The file, relative to it."""


class _Nearness(NamedTuple):
    """How well the beginning of a path fits a store: the greater one has it."""

    is_exact: bool
    """Whether it is all of the root."""
    common: int
    """How many names are the same from the end on."""


class Whereabouts:
    """Knows where stores lie, and tells which one a written path leads into."""

    def __init__(self, roots: Iterable[str]) -> None:
        """`roots` are absolute."""
        self._names = {_parts(root): root for root in roots}
        self._ends: dict[Parts, list[Parts]] = {}
        for root in self._names:
            self._ends.setdefault(_telling(root), []).append(root)
        self._ends.pop((), None)
        self._lengths = {len(end) for end in self._ends}

    def of(self, written: str, folder: str | None = None) -> Placed | None:
        """The file that a path means; None where it is in no store, or in several.

        `folder` is the one in which it was written, which a relative path begins at.
        """
        parts = _parts(_absolute(written, folder))
        for depth in range(len(parts) - 1, 0, -1):
            found = sorted(self._near(parts, depth), reverse=True)
            if found:
                (near, root), *others = found
                if others and others[0][0] == near:
                    return None
                return Placed(self._names[root], "/".join(parts[depth:]))
        return None

    def _near(self, parts: Parts, depth: int) -> Iterator[tuple[_Nearness, Parts]]:
        """The roots that the first parts of a path lead to, and how near they come."""
        folder = parts[:depth]
        if folder in self._names:
            yield _Nearness(is_exact=True, common=depth), folder
        ends = (folder[-length:] for length in self._lengths if length <= depth)
        for root in (root for end in ends for root in self._ends.get(end, ())):
            if parts[: len(root)] != root:
                yield _Nearness(is_exact=False, common=_common(root, folder)), root


def _absolute(written: str, folder: str | None) -> str:
    """A path from where it begins, if that is known."""
    is_relative = not (written.startswith(("/", "\\", _HOME)) or _DRIVE.match(written))
    return f"{folder}/{written}" if folder and is_relative else written


def _parts(path: str) -> Parts:
    """The names in a path, whichever system wrote it, without steps that go nowhere."""
    named: list[str] = []
    for name in path.replace("\\", "/").split("/"):
        if name == "..":
            del named[-1:]
        elif name not in {"", ".", "~"}:
            named.append(name)
    return tuple(named)


def _common(root: Parts, other: Parts) -> int:
    """How many names two paths have in common at their ends."""
    pairs = zip(reversed(root), reversed(other), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _telling(root: Parts) -> Parts:
    """The end of a root from the last folder on that is called like no other."""
    for place in range(len(root) - 1, -1, -1):
        if root[place].casefold() not in _CONVENTIONAL:
            return root[place:]
    return ()

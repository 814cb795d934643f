"""Find the store that a file path belongs to, and the project that a folder is for.

A transcript names files by their paths at the time: on another machine, in another
home, or before a folder was moved. So a store is recognised by the end of its path, up
to the last folder with a distinctive name.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import NamedTuple

from msgspec import Struct

from store.text import regex

_CONVENTIONAL = frozenset(
    {
        *("", ".", "/", "~", "home", "users", "root", "tmp", "var", "private"),
        *(".agent", ".agents", ".claude", ".config", ".local", ".memory", ".memories"),
        *("agent-memory", "agent-memory-local", "claude", "docs", "graph", "memories"),
        *("memory", "notes", "projects", "session-memory", "share", "state"),
    }
)
"""Names that are too common to identify a folder."""

Parts = tuple[str, ...]
"""The names in a path."""

_DRIVE = regex(r"[A-Za-z]:[\\/]")
_HOME = "~/"


class Placed(NamedTuple):
    """A file as a path in a store."""

    store: str
    """The root of the store."""
    path: str
    """The path relative to the root."""


class _Nearness(Struct, frozen=True, order=True):
    """How well the start of a path matches a store; the highest wins."""

    is_exact: bool
    """Whether it is the whole root."""
    common: int
    """How many names match, counted from the end."""


class Whereabouts:
    """Finds the store that a written path belongs to."""

    def __init__(self, roots: Iterable[str]) -> None:
        """`roots` must be absolute."""
        self._names = {_parts(root): root for root in roots}
        self._ends: dict[Parts, list[Parts]] = {}
        for root in self._names:
            self._ends.setdefault(_distinctive_end(root), []).append(root)
        self._ends.pop((), None)
        self._lengths = {len(end) for end in self._ends}

    def of(self, written: str, folder: str | None = None) -> Placed | None:
        """The file that a path refers to; None if it is in no store, or in several.

        `folder` is the working folder at the time, for relative paths.
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
        """The roots that the first parts of a path match, with their nearness."""
        folder = parts[:depth]
        if folder in self._names:
            yield _Nearness(is_exact=True, common=depth), folder
        ends = (folder[-length:] for length in self._lengths if length <= depth)
        for root in (root for end in ends for root in self._ends.get(end, ())):
            if parts[: len(root)] != root:
                yield _Nearness(is_exact=False, common=_common(root, folder)), root


def _absolute(written: str, folder: str | None) -> str:
    """A path made absolute if its folder is known."""
    is_relative = not (written.startswith(("/", "\\", _HOME)) or _DRIVE.match(written))
    return f"{folder}/{written}" if folder and is_relative else written


def _parts(path: str) -> Parts:
    """The names in a path of any system, with `.` and `..` resolved."""
    named: list[str] = []
    for name in path.replace("\\", "/").split("/"):
        if name == "..":
            del named[-1:]
        elif name not in {"", ".", "~"}:
            named.append(name)
    return tuple(named)


def _common(root: Parts, other: Parts) -> int:
    """How many names two paths share at their ends."""
    pairs = zip(reversed(root), reversed(other), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _distinctive_end(root: Parts) -> Parts:
    """The end of a root, from its last folder with a distinctive name."""
    for place in range(len(root) - 1, -1, -1):
        if root[place].casefold() not in _CONVENTIONAL:
            return root[place:]
    return ()


# The project that a folder of Claude Code is named after. The name is the path of the
# project with a dash for all but letters and digits, so the path can't be read from it.

_SLUG = regex(r"-|[A-Za-z]--")
_SESSION = regex(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SLUG_LIMIT = 200
"""The length beyond which Claude Code cuts a folder's name off."""
_LONGEST = 4096
"""The length of the longest path that systems allow."""


def project_folder(store: str, path: str) -> str:
    """The name of the folder of a project that a file of a store is in.

    That is the first folder of its path; without one, or with only that of a session,
    it is the store itself.
    """
    folder, slash, _ = path.partition("/")
    if slash and not _SESSION.fullmatch(folder):
        return folder
    return store.rpartition("/")[2]


def is_slug(folder: str) -> bool:
    """Whether a folder may be named after a project's path."""
    return bool(_SLUG.match(folder))


def project_path(slug: str, candidates: Iterable[str]) -> str | None:
    """The first candidate, or folder above one, that a folder is named after."""
    paths = (path for one in candidates for path in _upwards(one))
    return next((path for path in paths if _is_slug_of(slug, path)), None)


def folder_name(path: str) -> str:
    """The last name in the path of a folder, on the system that wrote it."""
    stem = path.rstrip(_separators(path))
    return re.split(f"[{re.escape(_separators(path))}]", stem)[-1] or path


def _upwards(path: str) -> Iterator[str]:
    """A path and all folders above it."""
    separators = _separators(path)
    yield path.rstrip(separators)
    for end in range(min(len(path), _LONGEST) - 1, -1, -1):
        if path[end] in separators:
            above = path[:end].rstrip(separators)
            yield path[: end + 1] if not above or above[-1] == ":" else above


def _separators(path: str) -> str:
    """What separates the names in a path."""
    return "/\\" if _DRIVE.match(path) or path.startswith("\\\\") else "/"


def _is_slug_of(slug: str, path: str) -> bool:
    made = re.sub("[^A-Za-z0-9]", "-", path[:_LONGEST]).casefold()
    if len(made) > _SLUG_LIMIT:
        return slug.casefold().startswith(made[:_SLUG_LIMIT])
    return slug.casefold() == made

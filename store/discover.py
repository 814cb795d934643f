"""Which stores are on this machine, told by looking inside, not by name.

The search is bounded: in depth, in the number of folders, and it never follows a link
out of where it started. Where a bound was met, it says so.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from stat import S_ISDIR

from msgspec import Struct

from store.errors import NoStoresError, UnreadableError
from store.files.beneath import Kind, Root
from store.formats.port import Format
from store.machine import Machine

DEPTH = 12
"""How deep beneath a folder stores are looked for."""

FOLDERS = 50_000
"""How many folders are looked into for one search."""

MACHINERY = frozenset(
    {
        ".git",
        ".hg",
        ".svn",
        "node_modules",
        ".venv",
        "venv",
        "__pycache__",
        "site-packages",
        ".tox",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        ".cargo",
        ".rustup",
        ".npm",
        ".cache",
        "target",
    }
)
"""Folders of machinery: large, many, and never where an agent keeps memories."""


class Found(Struct, frozen=True):
    """A store that was found."""

    path: Path
    format: Format


class Search(Struct, frozen=True):
    """What a search came to."""

    stores: tuple[Found, ...]
    cut_short: tuple[Path, ...] = ()
    """Where it stopped before it was through."""


def on_this_machine(formats: Sequence[Format], machine: Machine) -> Search:
    """Look in every place where stores of these formats usually are."""
    places = dict.fromkeys(
        place
        for form in formats
        for place in form.places(machine)
        if not _what_is_wrong(place)
    )
    return _search(list(places), formats)


def beneath(paths: Iterable[Path], formats: Sequence[Format]) -> Search:
    """Look in given folders, or those of given files; what is not there is an error."""
    folders = [_folder_of(path.absolute()) for path in paths]
    for folder in folders:
        wrong = _what_is_wrong(folder)
        if wrong:
            raise NoStoresError(f"{folder} {wrong}.")
    return _search(folders, formats)


def at(path: Path, formats: Sequence[Format]) -> Found | None:
    """The store that a folder itself is; None where it is none."""
    found, _ = _look_into(path.resolve(), formats)
    return found


def _folder_of(path: Path) -> Path:
    """A file that is named stands for the folder that it lies in."""
    try:
        return path.parent if path.is_file() else path
    except OSError:
        return path


def _what_is_wrong(place: Path) -> str | None:
    """Why stores cannot be looked for at a place; None where they can."""
    try:
        is_folder = S_ISDIR(place.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return "is not there"
    except OSError as error:
        return f"cannot be looked into: {error.strerror}"
    return None if is_folder else "is no folder"


def _search(places: Sequence[Path], formats: Sequence[Format]) -> Search:
    """Look beneath each place, nearest folders first, and into no folder twice."""
    seen: set[tuple[int, int]] = set()
    stores: dict[Path, Found] = {}
    cut_short: list[Path] = []
    for place in places:
        walk = _Walk(formats, seen)
        for found in walk.beneath(place):
            stores.setdefault(found.path, found)
        if walk.cut_short:
            cut_short.append(place)
    in_order = sorted(stores.values(), key=lambda found: found.path)
    return Search(tuple(in_order), tuple(cut_short))


class _Walk:
    """One search beneath one place."""

    def __init__(self, formats: Sequence[Format], seen: set[tuple[int, int]]) -> None:
        self._formats = formats
        self._seen = seen
        self.cut_short = False

    def beneath(self, place: Path) -> Iterator[Found]:
        """The stores at a place, which is always looked into, and beneath it."""
        left = FOLDERS
        queue = deque([(place.resolve(), 0, tuple(self._formats))])
        while queue:
            folder, depth, formats = queue.popleft()
            if not self._is_new(folder) and depth:
                continue
            if not left:
                self.cut_short = True
                return
            left -= 1
            found, folders = _look_into(folder, formats)
            if folders is None:
                self.cut_short = True
                continue
            if found:
                yield found
                form = found.format
                formats = tuple(f for f in self._formats if f.name in form.hosts)
                folders = [name for name in folders if not form.keeps(name)]
            if depth == DEPTH:
                self.cut_short = self.cut_short or bool(folders)
                continue
            queue.extend((folder / name, depth + 1, formats) for name in folders)

    def _is_new(self, folder: Path) -> bool:
        """Whether the folder is there and was not looked into yet, by any name."""
        try:
            status = folder.stat(follow_symlinks=False)
        except OSError:
            return False
        identity = (status.st_dev, status.st_ino)
        new = identity not in self._seen
        self._seen.add(identity)
        return new


def _look_into(
    folder: Path, formats: Sequence[Format]
) -> tuple[Found | None, list[str] | None]:
    """The store that a folder is, if any, and the folders in it worth a look.

    No folders at all, not even none, where it cannot be looked into.
    """
    try:
        with Root(folder) as root:
            form = next((form for form in formats if form.sniff(root)), None)
            folders = [
                entry.name
                for entry in root.entries()
                if entry.kind is Kind.FOLDER and entry.name not in MACHINERY
            ]
    except UnreadableError:
        return None, None
    return (Found(folder, form) if form else None), folders


def nowhere_on_this_machine(formats: Sequence[Format]) -> NoStoresError:
    """The error for a machine without stores: where it looked, and what to try."""
    places = (place for form in formats for place in form.usually.split(", "))
    looked = ", ".join(dict.fromkeys(places))
    return NoStoresError(
        f"No store was found on this machine: looked in {looked}. "
        "Name one with --store PATH, or try `recollect demo`."
    )


def nowhere_beneath(paths: Sequence[Path]) -> NoStoresError:
    """The error for folders without stores."""
    looked = ", ".join(str(path) for path in paths)
    return NoStoresError(
        f"No store was found in {looked} or beneath. Try `recollect demo` to see some."
    )

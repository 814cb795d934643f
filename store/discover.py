"""Find the stores on this machine by looking inside folders.

The search is limited in depth and in the number of folders, and never follows a link
out of its starting folder. The result says whether a limit was reached.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from stat import S_ISDIR
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from store.derive.conversations import USUAL, Rule
from store.errors import NoStoresError, UnreadableError
from store.files.beneath import Entry, Kind, Root, check, names
from store.formats.port import Format
from store.machine import Machine
from store.text import guess

if TYPE_CHECKING:
    from store.settings import Settings

DEPTH = 12
"""How deep to search below a folder."""

FOLDERS = 50_000
"""The most folders to open per starting folder."""

MACHINERY = frozenset(
    {
        *(".git", ".hg", ".svn", "node_modules", ".npm", ".venv", "venv", ".tox"),
        *("__pycache__", "site-packages", ".mypy_cache", ".pytest_cache"),
        *(".ruff_cache", ".cargo", ".rustup", ".cache", "target"),
    }
)
"""Large tool folders in which agents never keep memories."""


class Found(Struct, frozen=True):
    """A store that was found."""

    path: Path
    format: Format
    name: str = ""
    """The name that the user gave it; if empty, its own title is used."""
    is_given: bool = False
    """Whether it has this format only because `--as` says so."""
    rule: Rule | None = None
    """How its conversations are divided, if the settings of a program say so."""

    def gap(self, asked: int) -> int:
        """The gap between its conversations, unless the user asks for another."""
        return self.rule.gap if self.rule and asked == USUAL.gap else asked

    @property
    def is_said(self) -> bool:
        """Whether the user said its format, with `--as` or in the settings."""
        return self.is_given or bool(self.name)


class Search(Struct, frozen=True):
    """The result of a search."""

    stores: tuple[Found, ...]
    cut_short: tuple[Path, ...] = ()
    """The starting folders whose search was not complete."""


def on_this_machine(
    formats: Sequence[Format], machine: Machine, named: Sequence[Found] = ()
) -> Search:
    """Search all places where stores of these formats usually are.

    `named` are the stores in the user's settings, which are part of the result.
    """
    places = dict.fromkeys(
        place
        for form in formats
        for place in form.places(machine)
        if not _what_is_wrong(place)
    )
    search = with_named(_search(list(places), formats), named)
    if not search.stores:
        return search
    return with_also(
        search, (Found(at, form) for form in formats for at in form.by_place(machine))
    )


def beneath(
    paths: Iterable[Path], formats: Sequence[Format], named: Sequence[Found] = ()
) -> Search:
    """Search given folders, or the folders of given files; raises NoStoresError.

    `named` are the stores in the user's settings; those in the folders are part of the
    result.
    """
    folders = _folders(paths)
    tops = [folder.resolve() for folder in folders]
    inside = [one for one in named if any(map(one.path.is_relative_to, tops))]
    return with_named(_search(folders, formats), inside)


def given_as(paths: Iterable[Path], form: Format) -> Search:
    """Given folders as stores of a format, whatever is in them."""
    stores = dict.fromkeys(folder.resolve() for folder in _folders(paths))
    return Search(tuple(Found(path, form, is_given=True) for path in stores))


def from_settings(
    settings: "Settings", formats: Sequence[Format]
) -> tuple[list[Found], list[str]]:
    """The stores that the settings name, and what is wrong with others."""
    by_name = {form.name: form for form in formats}
    found: list[Found] = []
    complaints: list[str] = []
    for one in settings.stores:
        wrong = _what_is_wrong(one.path)
        key = ("stores", one.name)
        if one.format not in by_name:
            known = f"{guess(one.format, by_name)} (choose from {', '.join(by_name)})"
            told = f"Unknown format {one.format!r}{known}."
            complaints.append(settings.complaint((*key, "format"), told))
        elif wrong:
            told = f"{one.path} {wrong}."
            complaints.append(settings.complaint((*key, "path"), told))
        else:
            found.append(Found(one.path.resolve(), by_name[one.format], one.name))
    return found, complaints


def with_named(search: Search, named: Sequence[Found]) -> Search:
    """The result of a search, with stores from the settings in place of others there.

    What looks like a store in a part of such a store is no store of its own.
    """
    places = {one.path for one in named}
    others = (
        one
        for one in search.stores
        if one.path not in places and not any(_is_part(one.path, own) for own in named)
    )
    stores = sorted((*others, *named), key=lambda found: found.path)
    return replace(search, stores=tuple(stores))


def with_also(search: Search, more: Iterable[Found]) -> Search:
    """The result of a search, with more stores where it has none."""
    found = {one.path: one for one in (*more, *search.stores)}
    stores = sorted(found.values(), key=lambda one: one.path)
    return replace(search, stores=tuple(stores))


def watched(stores: Iterable[Found]) -> list[Path]:
    """The stores whose folders may be searched and watched: all in them is theirs."""
    return [one.path for one in stores if not one.format.lies_among_others]


def unsearched(stores: Iterable[Found]) -> list[str]:
    """The other stores as FORMAT:PATH; see `parsed`."""
    others = (one for one in stores if one.format.lies_among_others)
    return [f"{one.format.name}:{one.path}" for one in others]


def parsed(
    texts: Iterable[str], formats: Sequence[Format], named: Sequence[Found]
) -> Iterator[Found]:
    """The stores written as FORMAT:PATH; as the settings name them, if they do."""
    by_name = {form.name: form for form in formats}
    by_path = {one.path: one for one in named}
    for name, _, path in (text.partition(":") for text in texts):
        if name in by_name:
            found = Found(Path(path), by_name[name])
            yield by_path.get(found.path, found)


def _is_part(path: Path, store: Found) -> bool:
    """Whether a folder is a part of a store that the store itself reads."""
    below = path.is_relative_to(store.path) and path != store.path
    return below and store.format.keeps(path.relative_to(store.path).parts[0])


def at(path: Path, formats: Sequence[Format]) -> Found | None:
    """The store in a folder itself; None if it is not a store."""
    found, _ = _look_into(path.resolve(), formats)
    return found


def missing(paths: Iterable[Path]) -> dict[Path, str]:
    """The paths that cannot be searched, each with a sentence that says why."""
    wrong = ((path, _what_is_wrong(_folder_of(path.absolute()))) for path in paths)
    return {path: f"{path.absolute()} {why}." for path, why in wrong if why}


def _folders(paths: Iterable[Path]) -> list[Path]:
    """The folders to search; raises NoStoresError if one cannot be searched."""
    folders = [_folder_of(path.absolute()) for path in paths]
    for folder in folders:
        wrong = _what_is_wrong(folder)
        if wrong:
            raise NoStoresError(f"{folder} {wrong}.")
    return folders


def _folder_of(path: Path) -> Path:
    """The folder to search: for a file, the one that contains it."""
    try:
        return path.parent if path.is_file() else path
    except OSError:
        return path


def _what_is_wrong(place: Path) -> str | None:
    """Why a place cannot be searched; None if it can."""
    try:
        is_folder = S_ISDIR(place.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return "does not exist"
    except OSError as error:
        return f"can't be read: {error.strerror}"
    return None if is_folder else "is not a folder"


def _search(places: Sequence[Path], formats: Sequence[Format]) -> Search:
    """Search each place breadth first, opening no folder twice."""
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
    backups = {one.format.backup(one.path): one.format for one in in_order}
    alone = (one for one in in_order if backups.get(one.path) is not one.format)
    return Search(tuple(alone), tuple(cut_short))


class _Walk:
    """The search below one place."""

    def __init__(self, formats: Sequence[Format], seen: set[tuple[int, int]]) -> None:
        self._formats = formats
        self._seen = seen
        self.cut_short = False

    def beneath(self, place: Path) -> Iterator[Found]:
        """The stores at a place, which is always opened, and below it."""
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
        """Whether the folder exists and was not opened yet, under any path."""
        try:
            status = folder.stat(follow_symlinks=False)
        except OSError:
            return False
        identity = (status.st_dev, status.st_ino)
        new = identity not in self._seen
        self._seen.add(identity)
        return new


class Glimpse(Root):
    """A folder that several formats inspect in turn.

    Each listing is made once, and its entries have no stamps, so that folders of
    hundreds of thousands of files cost only the reading of their names.
    """

    def __init__(self, path: Path) -> None:
        """Raises what opening a `Root` raises."""
        super().__init__(path)
        self._listed: dict[str, list[Entry]] = {}

    def entries(self, folder: str = "") -> list[Entry]:
        """The entries of one folder at the time of the first call."""
        if folder not in self._listed:
            if folder:
                check(folder)
            self._listed[folder] = self._follow(
                folder, lambda real: names(self._folders.reach(real), folder)
            )
        return self._listed[folder]


def _look_into(
    folder: Path, formats: Sequence[Format]
) -> tuple[Found | None, list[str] | None]:
    """The store in a folder, if any, and the subfolders to search.

    If the folder cannot be read, the subfolders are `None`.
    """
    try:
        with Glimpse(folder) as root:
            form = next((form for form in formats if form.sniff(root)), None)
            folders = [
                entry.name
                for entry in root.entries()
                if entry.kind is Kind.FOLDER and entry.name not in MACHINERY
            ]
    except UnreadableError:
        return None, None
    return (Found(folder, form) if form else None), folders


def nowhere_on_this_machine(
    formats: Sequence[Format], machine: Machine
) -> NoStoresError:
    """The error if the machine has no stores: where we searched, and what to try."""
    places = (place for form in formats for place in form.usually.split(", "))
    looked = ", ".join(dict.fromkeys(filter(None, places)))
    is_project = machine.here not in {machine.home, *machine.home.parents}
    found = len(_search([machine.here], formats).stores) if is_project else 0
    stores, them = ("1 store", "it") if found == 1 else (f"{found} stores", "them")
    return NoStoresError(
        f"No memory stores found on this machine (looked in {looked}).\n"
        + (
            f"{stores} in this folder; open {them} with `recollect .`, or add `-s .` "
            "to a command."
            if found
            else "Give a folder with --store PATH, or try `recollect demo`."
        )
    )


def nowhere_beneath(paths: Sequence[Path]) -> NoStoresError:
    """The error if the folders contain no stores."""
    looked = ", ".join(str(path) for path in paths)
    return NoStoresError(
        f"No memory stores found in {looked}. Add `--as pages` to open a folder "
        "of Markdown pages, or try `recollect demo`."
    )


# How conversations are divided, by the settings of programs that read them.


def with_rules(stores: Sequence[Found]) -> tuple[Found, ...]:
    """The stores, each with the rule of its program, or the one that watches it."""
    rules = [
        (place, told[1])
        for one in stores
        if (told := one.format.rule(one.path))
        for place in (one.path, told[0])
    ]
    return tuple(replace(one, rule=_rule(one.path, rules)) for one in stores)


def _rule(store: Path, rules: Sequence[tuple[Path, Rule]]) -> Rule | None:
    for watched, rule in rules:
        if store.is_relative_to(watched) or watched.is_relative_to(store):
            return rule
    return None

"""The format: which files of a folder are pages, and what one of them says."""

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root, Rooted
from store.files.frontmatter import EMPTY_FILE, Page, read_page
from store.findings import START, Findings, Mark, MemoryFound, Severity, not_read
from store.formats.markdown_read import (
    ARCHIVE,
    TITLES,
    Fields,
    claims_and_flaws,
    heading,
    is_note,
    name_keys,
    path_names,
    without_code,
)
from store.formats.port import (
    FormatDefaults,
    OpenStore,
    Refused,
    Source,
    entries_of,
    leads_out,
    refused,
    special,
    walked,
)
from store.machine import Machine

if TYPE_CHECKING:
    from store.edits.draft import Scribe

# Which files are pages.

DEPTH = 16
"""How many folders deep a store is read."""

_TOOLS = frozenset({"node_modules", "__pycache__"})
"""Folders of tools, which are full of pages that the user didn't write."""


def is_entered(folder: str) -> bool:
    """Whether the pages in a folder are read: `.obsidian`, `.git`, `.trash` are not."""
    return not folder.startswith(".") and folder not in _TOOLS


def is_page(name: str) -> bool:
    """Whether a file is a page."""
    return is_note(name) and not name.startswith(".")


def _found(root: Root, entry: Entry) -> Source | Refused | None:
    """A page, or the reason why it is not read; None for any other file."""
    may_be_folder = entry.kind is Kind.LINK and "." not in entry.name
    if entry.kind is Kind.FOLDER or not (is_page(entry.name) or may_be_folder):
        return None
    if entry.kind is Kind.FILE:
        return Source(entry.path, "page", entry.stamp)
    if entry.kind is Kind.SPECIAL:
        return special(entry.path)
    if root.target(entry.path) is None:
        return leads_out(entry.path)
    if not (is_page(entry.name) or _is_of_pages(root, entry)):
        return None
    message = "Link skipped; its target in the folder is read directly."
    return refused(entry.path, "link-within", message, Severity.NOTE)


def _is_of_pages(root: Root, link: Entry) -> bool:
    """Whether a link leads to a page, or to a folder, which may have some."""
    path = root.target(link.path) or ""
    folder, _, name = path.rpartition("/")
    return is_page(name) or any(
        one.path == path and one.kind is Kind.FOLDER for one in entries_of(root, folder)
    )


# What a page says.


def read_memory(path: str, page: Page) -> Findings:
    """The memory in a page, and its links to others; no header is needed."""
    prose = without_code(page.body)
    claims, flaws = claims_and_flaws(path, page, prose)
    memory = _memory(PurePosixPath(path), page, prose)
    own = (flaw for flaw in page.flaws if flaw != EMPTY_FILE)
    return Findings(memories=(memory,), claims=claims, flaws=(*own, *flaws))


def _memory(path: PurePosixPath, page: Page, prose: str) -> MemoryFound:
    header = Fields(page.fields)
    title = header.text(*TITLES)
    aliases = Fields(page.fields).words("aliases")
    return MemoryFound(
        title=title or heading(prose) or path.stem,
        type=header.text("type") or header.nested("metadata", "type"),
        description=header.text("description", "summary"),
        tags=header.words("tags"),
        importance=header.number("importance"),
        confidence=header.number("confidence"),
        created=header.instant("created", "date"),
        updated=header.instant("updated", "modified"),
        archived=ARCHIVE in path.parts[:-1],
        names=name_keys(*path_names(str(path)), title, *aliases),
        body=page.body,
        fields=header.rest(),
    )


# An open store, and the format as the program knows it.


class OpenPages(Rooted, OpenStore):
    """Reads the pages beneath one folder."""

    @property
    def title(self) -> str:
        """The name of the folder."""
        return self._root.path.name or str(self._root.path)

    def glance(self) -> None:
        """Return None: a scan leaves out more folders than a glance would."""

    def scan(self) -> Iterator[Source | Refused]:
        """List the pages by name and stamp."""
        for entry in walked(self._root, "", DEPTH, is_entered):
            found = _found(self._root, entry) if isinstance(entry, Entry) else entry
            if found:
                yield found

    def source_at(self, path: str) -> Source | None:
        """The page at a path."""
        *folders, name = path.split("/")
        is_read = all(map(is_entered, folders)) and len(folders) <= DEPTH
        if not is_page(name) or not is_read:
            return None
        with self._root.opened(path) as file:
            return Source(path, "page", file.stamp)

    def read(self, source: Source, since: Mark = START) -> Findings:
        """Read one page."""
        del since
        try:
            blob = self._root.read(source.path)
        except UnreadableError as error:
            return Findings(flaws=(not_read(error),))
        return read_memory(source.path, read_page(blob.raw, whole=blob.whole))


class PagesFormat(FormatDefaults):
    """Any folder of Markdown pages; only the user can say that it is a store."""

    name = "pages"
    about = "any folder of Markdown (only with --as pages, or in the settings)"
    kinds = frozenset({"memories", "edges"})
    editable = True
    usually = ""

    def places(self, machine: Machine) -> Iterable[Path]:
        """No place: a folder of Markdown may be anything."""
        del machine
        return ()

    def sniff(self, root: Root) -> bool:
        """Return False: a false store is worse than a missed one."""
        del root
        return False

    def keeps(self, folder: str) -> bool:
        """Every folder that is entered is part of the store."""
        return is_entered(folder)

    def scribe(self, path: Path) -> "Scribe":
        """Open a store to prepare changes."""
        from store.formats.pages.edit import PagesScribe  # noqa: PLC0415  # only for changes

        return PagesScribe(path)

    def open(self, path: Path) -> OpenPages:
        """Open a store for reading."""
        return OpenPages(path)


FORMAT = PagesFormat()

"""Whether a folder is a store of this format, told by what is in it."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root
from store.formats.claudia.layout import (
    DAY,
    EPISODES,
    MAIN,
    SITTING,
    TRANSCRIPT,
    is_database,
    is_page,
)

_HEAD = 1024 * 1024
"""How much of a database tells what it is: its first tables are its oldest."""
_ASKED = 16
"""How many files of a kind are looked at."""

_MAGIC = b"SQLite format 3\0"
_MADE = re.compile(
    rb"table(memory_(?:file_states|conversations))\1.{0,8}CREATE TABLE", re.DOTALL
)
"""How a table stands in a schema: its kind, its name twice, its place, its making."""

_LOOSE_DAY = re.compile(r"\d{4}-\d\d-\d\d\.md")
_MONTH = re.compile(r"\d{4}-\d\d")
_HANDED = re.compile(rb"^(?:Session|Time):", re.MULTILINE)
_OTHERS = frozenset({"graph", "MEMORY.md"})
"""What other formats have at the top."""


def sniff(root: Root) -> bool:
    """Whether conversations lie here, or the pages that were made of them."""
    entries = _entries(root, "")
    return bool(databases(root, entries)) or _is_tree(root, entries)


def databases(root: Root, entries: Sequence[Entry]) -> list[Entry]:
    """The databases that are this format's, by their content or by their name."""
    named = (e for e in entries if is_database(e.name) and e.kind is Kind.FILE)
    return [e for e in islice(named, _ASKED) if _is_ours(root, e)]


def _is_ours(root: Root, entry: Entry) -> bool:
    head = _head(root, entry.path)
    if not head.startswith(_MAGIC):
        return False
    if entry.name in MAIN or _MADE.search(head):
        return True
    return bool(_MADE.search(_head(root, f"{entry.path}-wal")))


def _is_tree(root: Root, entries: Sequence[Entry]) -> bool:
    """Whether there are the librarian's pages, and no other format's marks."""
    folders = {e.name for e in entries if e.kind is Kind.FOLDER}
    if not _OTHERS.isdisjoint(entry.name for entry in entries):
        return False
    if "transcripts" in folders and _was_handed(root):
        return True
    if EPISODES in folders:
        inner = _entries(root, EPISODES)
        if any(_LOOSE_DAY.fullmatch(entry.name) for entry in inner):
            return False
        if any(_is_episode(path) for path in _within(root, inner)):
            return True
    return _has_known_pages(root, folders)


def _has_known_pages(root: Root, folders: set[str]) -> bool:
    """Whether two kinds of pages lie here, one of them as nobody else lays them."""
    own = [
        any(path.endswith("/overview.md") for path in _of(root, folder))
        for folder in ("relationships", "projects")
        if folder in folders
    ]
    months = _entries(root, "milestones") if "milestones" in folders else []
    dated = [e for e in months if _MONTH.fullmatch(e.name)]
    own.append(any(is_page(path) for path in _within(root, dated)))
    loose = [
        any(is_page(entry.name) for entry in _entries(root, folder))
        for folder in ("insights", "core", "personas")
        if folder in folders
    ]
    return any(own) and sum(own) + sum(loose) > 1


def _was_handed(root: Root) -> bool:
    pages = (e for e in _entries(root, "transcripts") if TRANSCRIPT.fullmatch(e.path))
    return any(_HANDED.search(_head(root, e.path)) for e in islice(pages, _ASKED))


def _is_episode(path: str) -> bool:
    return bool(DAY.fullmatch(path) or SITTING.fullmatch(path))


def _of(root: Root, folder: str) -> Iterator[str]:
    return _within(root, _entries(root, folder))


def _within(root: Root, entries: Sequence[Entry]) -> Iterator[str]:
    """The paths of what is in some folders."""
    folders = (entry for entry in entries if entry.kind is Kind.FOLDER)
    for folder in islice(folders, _ASKED):
        for entry in islice(_entries(root, folder.path), _ASKED):
            yield entry.path


def _entries(root: Root, folder: str) -> list[Entry]:
    with suppress(UnreadableError):
        return root.entries(folder)
    return []


def _head(root: Root, path: str) -> bytes:
    with suppress(UnreadableError):
        return root.read(path, limit=_HEAD).raw
    return b""

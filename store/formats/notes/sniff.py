"""Whether a folder is a notes store, told by its files and never by its name alone."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root
from store.files.frontmatter import Page, read_page
from store.findings import Value
from store.formats.notes.evidence import is_hint, is_proof
from store.formats.notes.index import linked_notes
from store.formats.notes.linked import is_linked_summary
from store.formats.notes.placement import is_known, is_of_a_loop, lies_within_known
from store.formats.notes.roles import INDEX, SESSIONS, is_entered, is_source

_NOTES = 50
"""How many notes are looked at before a folder is given up."""

_GLANCE = 16 * 1024
"""How much of each is read."""

_JOURNAL = frozenset(
    {"traces", "time-metrics", "kei-memory.sqlite", "agent-events.jsonl"}
)
"""What a folder holds that is a journal first, whatever its index says."""

_PROGRAM = frozenset(
    {"cargo.toml", "gemfile", "go.mod", "makefile", "package.json", "pom.xml"}
    | {"pyproject.toml", "setup.py"}
)
_PAGES = frozenset({"agents.md", "claude.md", "readme.md", "skill.md"})
_NEIGHBOURS = frozenset({"agents", "commands", "output-styles", "rules", "skills"})
"""Folders beside memories whose files have headers too."""


def sniff(root: Root) -> bool:
    """Whether the folder holds memories; a part of a store is no store."""
    if lies_within_known(root.path):
        return False
    try:
        entries = root.entries()
    except UnreadableError:
        return False
    names = {entry.name.casefold() for entry in entries}
    if root.path.name == SESSIONS:
        return _holds_sessions(root, entries)
    if is_known(root.path):
        return _known_place_holds_notes(root, entries, names)
    return _other_place_holds_notes(root, entries, names)


def _known_place_holds_notes(root: Root, entries: list[Entry], names: set[str]) -> bool:
    within = (_children(root, e) for e in entries if e.kind is Kind.FOLDER)
    notes = chain(entries, chain.from_iterable(within))
    if any(is_hint(fields, title=True) for fields in _headers(root, notes)):
        return True
    return names.isdisjoint(_JOURNAL) and _index_tells(root, entries)


def _index_tells(root: Root, entries: list[Entry]) -> bool:
    """Whether the index alone is evidence, in a place that memories are kept in."""
    if any(is_linked_summary(root, entry) for entry in entries):
        return True
    index = _index(root, entries)
    if index is None:
        return False
    return bool(index.body.strip()) or is_of_a_loop(root.path)


def _other_place_holds_notes(root: Root, entries: list[Entry], names: set[str]) -> bool:
    if not names.isdisjoint(_PROGRAM) or {".git", "readme.md"} <= names:
        return False
    index = _index(root, entries)
    headers = list(_headers(root, entries))
    if any(is_proof(fields) for fields in headers):
        return True
    if root.path.name in _NEIGHBOURS or not names.isdisjoint(_PAGES):
        return False
    files = {e.name for e in entries if e.kind is Kind.FILE}
    if index and not files.isdisjoint(linked_notes(index.body)):
        return True
    return any(is_hint(fields, title=index is not None) for fields in headers)


def _holds_sessions(root: Root, entries: list[Entry]) -> bool:
    folders = [e for e in entries if e.kind is Kind.FOLDER]
    files = (e for f in folders for e in _beneath(root, f.path))
    return any(e.kind is Kind.FILE and e.name.casefold() == INDEX for e in files)


def _children(root: Root, folder: Entry) -> list[Entry]:
    return _beneath(root, folder.path) if is_entered(folder.name) else []


def _beneath(root: Root, folder: str) -> list[Entry]:
    try:
        return root.entries(folder)
    except UnreadableError:
        return []


def _headers(root: Root, entries: Iterable[Entry]) -> Iterator[Mapping[str, Value]]:
    notes = (
        entry
        for entry in entries
        if entry.kind is Kind.FILE
        and is_source(entry.name)
        and entry.name.casefold() != INDEX
    )
    for note in islice(notes, _NOTES):
        page = _glance(root, note.path)
        if page and page.has_header:
            yield page.fields


def _index(root: Root, entries: list[Entry]) -> Page | None:
    found = (e.path for e in entries if e.name.casefold() == INDEX)
    path = next(found, None)
    return _glance(root, path) if path else None


def _glance(root: Root, path: str) -> Page | None:
    try:
        blob = root.read(path, limit=_GLANCE)
    except UnreadableError:
        return None
    return read_page(blob.raw, whole=blob.whole)

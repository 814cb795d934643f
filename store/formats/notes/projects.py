"""Which project a folder of Claude Code is about, told by what lies in it."""

import re
from collections.abc import Iterator
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root
from store.formats.notes.peek import PEEK, strings

MOST_PROJECTS = 200
"""How many project folders are looked into, those first that changed last."""

_TRANSCRIPTS = 3
"""How many transcripts are looked into before the project stays unknown."""

_SLUG_LIMIT = 200
"""How long a folder's name gets before its writer cuts it off."""


def known_projects(folder: Path) -> Iterator[Path]:
    """The projects with a folder here that are still where they were."""
    try:
        with Root(folder) as root:
            entries = [e for e in root.entries() if e.kind is Kind.FOLDER]
    except UnreadableError:
        return
    for entry in _newest(entries)[:MOST_PROJECTS]:
        project = project_of(folder / entry.name)
        if project:
            yield Path(project)


def memory_folders(projects: Path) -> Iterator[Path]:
    """Where the projects of a folder of Claude Code keep memories, if they do.

    Named one by one: beside them lie thousands of folders of sessions, which a search
    need not enter.
    """
    try:
        with Root(projects) as root:
            names = [e.name for e in root.entries() if e.kind is Kind.FOLDER]
    except UnreadableError:
        return
    for name in names:
        for kept in ("memory", "session-memory"):
            yield projects / name / kept


def project_of(folder: Path) -> PurePath | None:
    """The true path of the project; the folder's name does not tell it."""
    try:
        with Root(folder) as root:
            return _best(folder.name, map(_pure, _told(root)))
    except UnreadableError:
        return None


def _told(root: Root) -> Iterator[str]:
    """The working folders of the newest transcripts, then what their index says."""
    files = [e for e in root.entries() if e.kind is Kind.FILE]
    transcripts = [e for e in files if e.name.endswith(".jsonl")]
    for entry in _newest(transcripts)[:_TRANSCRIPTS]:
        yield from strings(_peek(root, entry), "cwd")
    for entry in (e for e in files if e.name == "sessions-index.json"):
        yield from strings(_peek(root, entry), "projectPath")


def _best(slug: str, candidates: Iterator[PurePath]) -> PurePath | None:
    """The candidate, or folder above one, that this slug is made of; else the first.

    Nearly always that is the first, and then nothing more is read.
    """
    seen: dict[PurePath, None] = {}
    for candidate in candidates:
        if candidate in seen:
            continue
        seen[candidate] = None
        for path in (candidate, *candidate.parents):
            if _is_slug_of(slug, path):
                return path
    return next(iter(seen), None)


def _is_slug_of(slug: str, path: PurePath) -> bool:
    made = re.sub("[^A-Za-z0-9]", "-", str(path))
    if len(made) > _SLUG_LIMIT:
        return slug.casefold().startswith(made[:_SLUG_LIMIT].casefold())
    return slug.casefold() == made.casefold()


def _pure(text: str) -> PurePath:
    windows = re.match(r"[A-Za-z]:[\\/]|\\\\", text)
    return PureWindowsPath(text) if windows else PurePosixPath(text)


def _newest(entries: list[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda entry: -entry.stamp.mtime_ns)


def _peek(root: Root, entry: Entry) -> bytes:
    try:
        return root.read(entry.path, limit=PEEK).raw
    except UnreadableError:
        return b""

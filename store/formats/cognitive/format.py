"""The format: the files of a graph and their roles, how it is recognised and opened."""

import os
import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root, Rooted, Stamp
from store.files.frontmatter import read_page
from store.findings import START, Findings, Flaw, Mark, Severity, Side
from store.formats.port import (
    FormatDefaults,
    OpenStore,
    Rebuilt,
    Refused,
    Source,
    Vectors,
    beginning_of,
    entries_of,
    leads_out,
    refused,
    special,
    walked,
)
from store.machine import Machine
from store.reports import AnyReport, Row, answer
from store.text import regex

if TYPE_CHECKING:
    from store.edits.draft import Scribe, Shown
    from store.formats.cognitive.edit import CognitiveScribe
    from store.formats.cognitive.pages import CognitiveReader

# The format's vocabulary: types and their folders, relations, identifiers.

FOLDERS = {
    "solution": "solutions",
    "fix": "fixes",
    "decision": "decisions",
    "configuration": "configurations",
    "problem": "problems",
    "workflow": "workflows",
    "code_pattern": "code-patterns",
    "error": "errors",
    "general": "general",
    "procedure": "procedures",
    "insight": "insights",
}
"""The folder beneath `graph/` of each type of memory; plurals are irregular."""

RELATION_TYPES = frozenset(
    {
        "SOLVES",
        "CAUSES",
        "BUILDS_ON",
        "ALTERNATIVE_TO",
        "REQUIRES",
        "FOLLOWS",
        "RELATED_TO",
    }
)

DEFAULT_CONFIDENCE = 0.8
"""The confidence assumed for a memory that has none."""

NULLS = frozenset({"", "~", "null", "Null", "NULL"})
"""Plain scalars that mean null in YAML."""

_UUID = regex(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def is_uuid(text: str) -> bool:
    """Whether the text has the form of a UUID."""
    return _UUID.fullmatch(text) is not None


def id_key(identifier: str) -> str:
    """The key by which claims and entries refer to a memory."""
    return "id:" + identifier.casefold()


# The role of a file in a store, judged by its path alone.

GRAPH = "graph"
EDGES = "graph/edges"
VAULT = "vault"
EPISODES = "episodes"
CORE = "CORE.md"
REFLECTION = "REFLECTION.md"
INDEX = "_index.json"
STATE = "_state.json"
EMBEDDINGS = "_embeddings.json"
CONFIG = "_config.json"
IGNORE = ".gitignore"

DEPTH = 2
"""The depth of memories beneath `graph/`: the folder of the type and one more."""


REBUILT = frozenset({"index"})
"""What can be rebuilt from the memories, by its word on the command line."""


class Role(StrEnum):
    """The role of a file in its store."""

    MEMORY = "memory"
    EDGE = "edge"
    EPISODE = "episode"
    CORE = "core"
    CORE_LINK = "core-link"
    REFLECTION = "reflection"
    PAGE = "page"
    INDEX = "index"
    STATE = "state"
    EMBEDDINGS = "embeddings"
    CONFIG = "config"
    IGNORE = "ignore"


_AT_THE_ROOT = {
    CORE: Role.CORE,
    REFLECTION: Role.REFLECTION,
    INDEX: Role.INDEX,
    STATE: Role.STATE,
    EMBEDDINGS: Role.EMBEDDINGS,
    CONFIG: Role.CONFIG,
    IGNORE: Role.IGNORE,
}

_OF_A_FOLDER = {GRAPH: Role.MEMORY, VAULT: Role.MEMORY, EPISODES: Role.EPISODE}


def is_page(name: str) -> bool:
    """Whether a name is that of a Markdown file."""
    return name[-3:].lower() == ".md"


def role_of(path: str) -> Role | None:
    """The role of the file at a path; None if it does not belong to the format."""
    top, slash, _ = path.partition("/")
    if not slash:
        return _AT_THE_ROOT.get(path) or (Role.PAGE if is_page(path) else None)
    if not is_page(path):
        return None
    return Role.EDGE if path.startswith(EDGES + "/") else _OF_A_FOLDER.get(top)


def is_pinned(path: str) -> bool:
    """Whether the memory at a path is in the vault."""
    return path.startswith(VAULT + "/")


def is_misplaced(path: str, kind: str) -> bool:
    """Whether a memory of a known type is in the folder of another type."""
    return not is_pinned(path) and not path.startswith(f"{GRAPH}/{FOLDERS[kind]}/")


def stem_of(path: str) -> str:
    """A file's name without its suffix, usable as a title."""
    stem = path.rpartition("/")[2][:-3]
    return os.fsencode(stem).decode(errors="replace") or path


# Whether a folder is a store of this format, judged by its content.

_HEAD = 64 * 1024
"""Bytes of a file read to recognise it."""

_ASKED = 8
"""The most memories checked; one valid memory is enough."""

_MARKS = frozenset({INDEX, CORE, EPISODES, VAULT})


def sniff(root: Root) -> bool:
    """Whether there is a graph: memories in it, or a writer's traces beside it."""
    names = {entry.name: entry.kind for entry in entries_of(root, "")}
    if names.get(GRAPH) is not Kind.FOLDER:
        return False
    pages = list(islice(_memory_pages(root), _ASKED))
    if pages and not _MARKS.isdisjoint(names):
        return True
    return any(_is_memory(root, page) for page in pages) or _has_traces(root)


def _pages(root: Root, folder: str) -> Iterator[str]:
    for entry in entries_of(root, folder):
        if entry.kind is Kind.FILE and is_page(entry.name):
            yield entry.path


def _memory_pages(root: Root) -> Iterator[str]:
    for folder in entries_of(root, GRAPH):
        if folder.kind is Kind.FOLDER:
            yield from _pages(root, folder.path)
    yield from _pages(root, VAULT)


def _is_memory(root: Root, path: str) -> bool:
    """Whether a page has the fields that every memory and edge has."""
    fields = read_page(beginning_of(root, path, _HEAD)).fields
    return all(isinstance(fields.get(key), str) for key in ("id", "type"))


def _has_traces(root: Root) -> bool:
    """Whether files beside an empty graph were written by this format's writer."""
    index = beginning_of(root, INDEX, _HEAD)
    if b'"entries"' in index and b'"version"' in index:
        return True
    if beginning_of(root, CORE, _HEAD).lstrip().startswith(b"# Memory Core"):
        return True
    days = islice(_pages(root, EPISODES), _ASKED)
    return any(b"- **Summary:**" in beginning_of(root, day, _HEAD) for day in days)


# The content of a store: its files, and refused entries with the reason.

DEPTHS = {GRAPH: DEPTH, VAULT: 1, EPISODES: 0}
"""The depth of each part of a store."""

_UNREMARKABLE = frozenset({".DS_Store", ".gitignore", ".gitkeep", "Thumbs.db"})


NOT_IGNORED = Flaw(
    code="secret-not-ignored",
    message=f"`{CONFIG}` may contain a key, but isn't in .gitignore.",
)


def scan(root: Root) -> Iterator[Source | Refused]:
    """Every source and every refused entry, each path once; links come last."""
    files: dict[str, Stamp] = {}
    links: list[Entry] = []
    for entry in _everything(root):
        if isinstance(entry, Refused):
            yield entry
        elif entry.kind is Kind.LINK:
            links.append(entry)
        elif entry.kind is Kind.FILE and (role := role_of(entry.path)):
            files[entry.path] = entry.stamp
            yield Source(entry.path, role, entry.stamp)
        elif refused := _refusal(entry):
            yield refused
    for link in links:
        yield _followed(root, link, files)


def _everything(root: Root) -> Iterator[Entry | Refused]:
    """All visible entries at the root, and all in the store's own folders."""
    try:
        top = root.entries()
    except UnreadableError as error:
        yield refused("", "unreadable", str(error), Severity.ERROR)
        return
    unprotected = without_ignore({entry.name for entry in top})
    if unprotected:
        yield Refused(IGNORE, unprotected)
    for entry in top:
        if entry.name in DEPTHS and entry.kind is Kind.FOLDER:
            yield from walked(root, entry.name, DEPTHS[entry.name])
        elif role_of(entry.path) or not entry.name.startswith("."):
            yield entry


def without_ignore(names: set[str]) -> Flaw | None:
    """The flaw of a repository without a .gitignore, if any."""
    if ".git" not in names or ".gitignore" in names or CONFIG not in names:
        return None
    return NOT_IGNORED


def _refusal(entry: Entry) -> Refused | None:
    """Why an entry is not read; None if there is nothing to report."""
    if entry.kind is Kind.FOLDER:
        return _refused_folder(entry)
    if entry.kind is Kind.SPECIAL:
        return special(entry.path)
    if entry.name in _UNREMARKABLE:
        return None
    message = "Not a memory: the file name doesn't end in .md."
    if _is_at_the_root(entry):
        message = "Not part of the graph; skipped."
    return refused(entry.path, "foreign-file", message, Severity.NOTE)


def _refused_folder(entry: Entry) -> Refused | None:
    if is_page(entry.name):
        message = "A folder with the name of a memory; skipped."
        return refused(entry.path, "folder-as-file", message)
    if not _is_at_the_root(entry):
        return None
    message = "Not part of the graph; a store inside it is listed separately."
    return refused(entry.path, "foreign-folder", message, Severity.NOTE)


def _is_at_the_root(entry: Entry) -> bool:
    return "/" not in entry.path


def _followed(root: Root, link: Entry, files: dict[str, Stamp]) -> Source | Refused:
    """Read a link as its target, if that is a file of the same store."""
    target = root.target(link.path)
    stamp = files.get(target or "")
    role = Role.CORE_LINK if target == CORE else role_of(link.path)
    if stamp and role:
        return Source(link.path, role, stamp)
    if target is None:
        return leads_out(link.path)
    message = "Link skipped; its target isn't part of the store."
    return refused(link.path, "link-not-followed", message)


# An open store of this format.

_BY_THEMSELVES = frozenset(
    {Role.MEMORY, Role.EDGE, Role.EPISODE, Role.CORE, Role.REFLECTION, Role.STATE}
)
"""Roles whose findings do not depend on other files."""


class CognitiveStore(Rooted, OpenStore):
    """One graph; named graphs are separate stores."""

    @property
    def title(self) -> str:
        """The folder's name, which is the name of a named graph."""
        return self._root.path.name or str(self._root.path)

    def glance(self) -> bytes:
        """A digest that stays the same while nothing changes that a scan reads."""
        return self._root.fingerprint({"": 0, **DEPTHS})

    def scan(self) -> Iterator[Source | Refused]:
        """Every file of the store, and refused entries."""
        return scan(self._root)

    def source_at(self, path: str) -> Source | None:
        """The graph file at a path; files at the root may be derived."""
        top, *folders = path.split("/")[:-1] or [""]
        role = role_of(path)
        if (
            role is None
            or role not in _BY_THEMSELVES
            or len(folders) > DEPTHS.get(top, 0)
        ):
            return None
        with self._root.opened(path) as file:
            return Source(path, role, file.stamp)

    def read(self, source: Source, since: Mark = START) -> Findings:  # noqa: ARG002 - the port's; no file of this format is only appended to
        """Read one file."""
        return self._reader.read(source)

    def ask(self, report: str, words: Sequence[str], now: int) -> Iterator[Row]:
        """Answer a report from the files, without changing them."""
        return answer(FORMAT.reports, report, words, now, lambda: self._root)

    def rebuild(self, name: str) -> Iterator[Rebuilt]:
        """The index rebuilt from the memories and edge files."""
        return self._reader.rebuild(list(self.scan())) if name in REBUILT else iter(())

    def vectors(self) -> Vectors | None:
        """The vectors of the memories, if there are any."""
        return self._reader.vectors()

    @cached_property
    def _reader(self) -> "CognitiveReader":
        from store.formats.cognitive.pages import CognitiveReader  # noqa: PLC0415  # if a file changed

        return CognitiveReader(self._root)


# The format itself: its name, its places, how it is recognised and opened.


class CognitiveFormat(FormatDefaults):
    """Markdown memories in a graph of typed edges."""

    name = "cognitive"
    about = "Markdown memories that fade unless used, with typed edges"
    kinds = frozenset({"memories", "edges", "episodes", "documents"})
    facts = frozenset({"strength", "importance", "uses"})
    editable = True
    usually = "~/.local/share/cognitive-memory, ~/.claude/memory"
    hosts = frozenset({"cognitive"})
    two_sided = frozenset({Side.OUTGOING, Side.INCOMING})
    rebuilds = REBUILT | {"state", "core", "reflection", "embeddings"}
    appends = frozenset({"episode"})

    def places(self, machine: Machine) -> Iterator[Path]:
        """The writer's folder for graphs, with named graphs beneath it."""
        own = machine.folder("COGNITIVE_MEMORY_DIR")
        if own:
            yield own
        data = machine.folder("XDG_DATA_HOME") or machine.home / ".local" / "share"
        yield data / "cognitive-memory"
        yield machine.home / ".claude" / "memory"

    def sniff(self, root: Root) -> bool:
        """Whether the folder is a graph."""
        return sniff(root)

    def keeps(self, folder: str) -> bool:
        """Memories, pins and episodes belong to it; other folders may be graphs."""
        return folder in DEPTHS

    @property
    def reports(self) -> tuple[AnyReport, ...]:
        """Its built-in reports."""
        from store.formats.cognitive.reports import REPORTS  # noqa: PLC0415  # loaded on demand

        return REPORTS

    @property
    def fixes(self) -> frozenset[str]:
        """The codes of the problems that can be fixed."""
        return self._scribe().fixes

    def scribe(self, path: Path) -> "Scribe":
        """Open a graph to work out changes."""
        return self._scribe()(path)

    def _scribe(self) -> "type[CognitiveScribe]":
        from store.formats.cognitive.edit import CognitiveScribe  # noqa: PLC0415  # only for changes

        return CognitiveScribe

    def shown(self, path: str) -> "Shown | None":
        """A mask for the settings, which contain a key."""
        return self._scribe().masked if path == CONFIG else None

    def open(self, path: Path) -> CognitiveStore:
        """Open a graph for reading."""
        return CognitiveStore(path)


# Cognitive memory: a graph of Markdown files with typed edges, episodes and decay.

FORMAT = CognitiveFormat()

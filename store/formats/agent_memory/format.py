"""The format: its stores recognised, their files listed and read."""

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root, Rooted
from store.findings import START, Findings, Json, Mark, Severity
from store.formats.agent_memory.layout import (
    ARCHIVE,
    DEPTHS,
    DOCUMENT,
    LOCK,
    REBUILT,
    Role,
    flaw_of,
    open_to_others,
    places,
    refusal,
    role_of,
)
from store.formats.agent_memory.memories import is_document
from store.formats.port import (
    FormatDefaults,
    OpenStore,
    Rebuilt,
    Refused,
    Source,
    beginning_of,
    refused,
    walked,
)
from store.machine import Machine
from store.reports import AnyReport, Row, answer

if TYPE_CHECKING:
    from store.derive.changed_lines import Exchange
    from store.formats.agent_memory.edit import AgentMemoryScribe
    from store.formats.agent_memory.index import AgentMemoryReader


# Whether a folder is a store of this format, judged by its files' content.

_HEAD = 64 * 1024
"""Bytes of a file read to recognise it."""

_ASKED = 16
"""The most files checked; one valid file is enough."""

_TYPE = re.compile(rb'"type"\s*:\s*"(?:core|learning|task)"')
_NAMES = (b'"id"', b'"content"')
_OF_INDEX = (b'"statistics"', b'"tags_index"')


def sniff(root: Root) -> bool:
    """Whether there are memories, or a server's index of them."""
    asked = islice(_files(root), _ASKED)
    return any(_tells(role, beginning_of(root, path, _HEAD)) for role, path in asked)


def _files(root: Root) -> Iterator[tuple[Role, str]]:
    """The files that may hold memories, by name; those in the archive last."""
    with suppress(UnreadableError):
        for entry in root.entries():
            role = role_of(entry.path)
            if entry.kind is Kind.FILE and role and _may_tell(role):
                yield role, entry.path
        for found in root.walk(ARCHIVE, depth=DEPTHS[ARCHIVE]):
            if not isinstance(found, tuple) and found.kind is Kind.FILE:
                role = role_of(found.path)
                if role:
                    yield role, found.path


def _may_tell(role: Role) -> bool:
    return role in {Role.LINES, Role.AGENT, Role.INDEX}


def _tells(role: Role, head: bytes) -> bool:
    """Whether this is the beginning of a file of such a store.

    NULs are removed so that UTF-16 is recognised too; it is then reported as damage.
    """
    head = head.replace(b"\0", b"")
    if role is Role.INDEX:
        return all(name in head for name in _OF_INDEX)
    if role is Role.AGENT and not is_document(head):
        return False
    return bool(_TYPE.search(head)) and all(name in head for name in _NAMES)


# The content of a store: its files, and refused entries with the reason.


def scan(root: Root) -> Iterator[Source | Refused]:
    """Every source and every refused entry, each path once; links come last."""
    folders: list[str] = []
    sources: dict[str, Source] = {}
    yield from _scan(root, folders, sources)
    exposed = flaw_of(open_to_others(root.path, ["", *folders, *sources]))
    if exposed:
        yield Refused("", exposed)


def exposed_in(root: Root) -> list[tuple[str, int]]:
    """The folders and files that other users can access, with their modes."""
    folders: list[str] = []
    sources: dict[str, Source] = {}
    deque(_scan(root, folders, sources), maxlen=0)
    return open_to_others(root.path, ["", *folders, *sources])


def _scan(
    root: Root, folders: list[str], sources: dict[str, Source]
) -> Iterator[Source | Refused]:
    """Everything except permissions; collects the store's own folders and files."""
    links: list[Entry] = []
    for entry in _everything(root):
        if isinstance(entry, Refused):
            yield entry
        elif entry.kind is Kind.LINK:
            links.append(entry)
        elif entry.kind is Kind.FILE and (role := role_of(entry.path)):
            sources[entry.path] = Source(entry.path, role, entry.stamp)
            yield sources[entry.path]
        elif reason := refusal(root, entry):
            yield reason
        elif entry.kind is Kind.FOLDER:
            folders.append(entry.path)
    yield from (_followed(root, link, sources) for link in links)


def _everything(root: Root) -> Iterator[Entry | Refused]:
    """All visible entries at the root, and all in the store's own folders."""
    try:
        top = root.entries()
    except UnreadableError as error:
        yield refused("", "unreadable", str(error), Severity.ERROR)
        return
    for entry in top:
        own = entry.name in DEPTHS or entry.name == LOCK or role_of(entry.path)
        if own or not entry.name.startswith("."):
            yield entry
        if entry.name in DEPTHS and entry.kind is Kind.FOLDER:
            yield from walked(root, entry.name, DEPTHS[entry.name])


def _followed(root: Root, link: Entry, sources: dict[str, Source]) -> Source | Refused:
    """Read a link as its target, if that is a file of the same store."""
    target = sources.get(root.target(link.path) or "")
    role = role_of(link.path)
    if target and role:
        return Source(link.path, role, target.stamp)
    message = "Link skipped; its target isn't part of the store."
    return refused(link.path, "link-not-followed", message)


# An open store of this format.


class AgentMemoryStore(Rooted, OpenStore):
    """One folder of memories; spaces beneath it are separate stores."""

    @property
    def title(self) -> str:
        """The folder's name, which is the name of a space."""
        return self._root.path.name or str(self._root.path)

    def glance(self) -> None:
        """None: there are few files, and only a scan shows whether a lock is alive."""

    def scan(self) -> Iterator[Source | Refused]:
        """Every file of the store, and refused entries."""
        return scan(self._root)

    def source_at(self, path: str) -> Source | None:
        """A file of the format; None if its permissions need a full scan."""
        role = role_of(path)
        if role is None or open_to_others(self._root.path, [path]):
            return None
        with self._root.opened(path) as file:
            return Source(path, role, file.stamp)

    def read(self, source: Source, since: Mark = START) -> Findings:  # noqa: ARG002 - the port's; files are edited in place, so they are read whole
        """Read one file."""
        return self._reader.read(source)

    def read_lines(
        self, source: Source, exchange: "Exchange", others: int
    ) -> Findings | None:
        """The exchanged lines, and whether the file now exceeds its limit."""
        return self._reader.read_lines(source, exchange, others)

    def ask(self, report: str, words: Sequence[str], now: int) -> Iterator[Row]:
        """Answer a report from the files, without changing them."""
        subject = self._as_document if report == DOCUMENT else self._reader.taken
        return answer(FORMAT.reports, report, words, now, subject)

    def rebuild(self, name: str) -> Iterator[Rebuilt]:
        """The index rebuilt from the memories."""
        if name in REBUILT:
            yield self._reader.rebuild()

    @cached_property
    def _reader(self) -> "AgentMemoryReader":
        from store.formats.agent_memory.index import AgentMemoryReader  # noqa: PLC0415  # if a file changed

        return AgentMemoryReader(self._root)

    def _as_document(self) -> Mapping[str, Json]:
        """All memories, for import by another store."""
        from store.formats.agent_memory.edit import as_document  # noqa: PLC0415  # the same

        return as_document(self._root)


# The format itself: its name, its places, how it is recognised and opened.


class AgentMemoryFormat(FormatDefaults):
    """Core memories, learnings and tasks, one JSON object per line."""

    name = "agent-memory"
    editable = True
    usually = "$MEMORY_DIR, ~/.claude/agents/memories"
    hosts = frozenset({name})
    rebuilds = REBUILT | {"jsonl"}

    @property
    def reports(self) -> tuple[AnyReport, ...]:
        """Its built-in reports."""
        from store.formats.agent_memory.reports import REPORTS  # noqa: PLC0415  # loaded on demand

        return REPORTS

    def places(self, machine: Machine) -> Iterator[Path]:
        """Folders on this machine beneath which such stores are usually found."""
        return places(machine)

    def sniff(self, root: Root) -> bool:
        """Whether the folder is such a store, judged by its content."""
        return sniff(root)

    def keeps(self, folder: str) -> bool:
        """The archive and the backups belong to it; other folders may be spaces."""
        return folder in DEPTHS

    def open(self, path: Path) -> AgentMemoryStore:
        """Open a store for reading."""
        return AgentMemoryStore(path)

    @property
    def fixes(self) -> frozenset[str]:
        """The codes of the problems that can be fixed."""
        return self._scribe().fixes

    def scribe(self, path: Path) -> "AgentMemoryScribe":
        """Open a store to work out changes."""
        return self._scribe()(path)

    def _scribe(self) -> "type[AgentMemoryScribe]":
        from store.formats.agent_memory.edit import AgentMemoryScribe  # noqa: PLC0415  # only for changes

        return AgentMemoryScribe


FORMAT = AgentMemoryFormat()

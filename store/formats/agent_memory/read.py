"""Read the files of a store, each by its role, or all of them at once."""

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from itertools import takewhile

from store.derive.changed_lines import Exchange
from store.errors import RefusedError, UnreadableError
from store.files.beneath import Root
from store.files.json_read import read_lines
from store.findings import Findings, Flaw, Severity, not_read
from store.formats.agent_memory.format import scan
from store.formats.agent_memory.index import (
    Taken,
    read_index,
    rebuild_index,
    understand,
)
from store.formats.agent_memory.layout import (
    INDEX,
    Limits,
    Role,
    is_archive,
    kind_of,
    limits_in,
    over,
    read_settings,
)
from store.formats.agent_memory.memories import (
    Gathered,
    is_document,
    memories_in,
    read_backup,
    read_document,
    read_memories,
)
from store.formats.port import Rebuilt, Refused, Source

LARGEST = 64 * 1024 * 1024
"""The largest document or index that is read."""


class AgentMemoryReader:
    """Reads the files of one folder of memories."""

    def __init__(self, root: Root) -> None:
        self._root = root

    def read(self, source: Source) -> Findings:
        """Read one file."""
        try:
            return self._read(source)
        except UnreadableError as error:
            return Findings(flaws=(not_read(error),))

    def read_lines(
        self, source: Source, exchange: Exchange, others: int
    ) -> Findings | None:
        """The exchanged lines, and whether the file now exceeds its limit."""
        if source.role != Role.LINES:
            return None
        lines = read_lines(self._root, source.path, exchange.offset, exchange.first)
        came = takewhile(
            lambda line: line.number < exchange.first + exchange.came, lines
        )
        return self._gathered(source, memories_in(source.path, came), others)

    def rebuild(self) -> Rebuilt:
        """The index rebuilt from the memories."""
        taken = self.taken()
        return rebuild_index(self._text(taken.found), taken)

    def taken(self) -> Taken:
        """The whole content of the store, read now."""
        found = tuple(scan(self._root))
        read = {one.path: self.read(one) for one in found if isinstance(one, Source)}
        index = None
        if INDEX in read:
            with suppress(UnreadableError):
                index = understand(self._root.read(INDEX, limit=LARGEST))
        return Taken(found=found, read=read, index=index, limits=self._limits)

    def _read(self, source: Source) -> Findings:
        path = source.path
        match Role(source.role):
            case Role.LINES:
                return self._lines(source)
            case Role.BACKUP:
                return read_backup(self._root, path, source.stamp)
            case Role.INDEX:
                return read_index(path, self._root.read(path, limit=LARGEST))
            case Role.CONFIG:
                return read_settings(path, self._root.read(path).raw)
            case Role.AGENT:
                return self._document(path)

    def _lines(self, source: Source) -> Findings:
        return self._gathered(source, read_memories(self._root, source.path), 0)

    def _gathered(self, source: Source, gathered: Gathered, others: int) -> Findings:
        """The content of lines, with a note if it exceeds the file's limit."""
        kind = kind_of(source.path)
        if kind and not is_archive(source.path):
            count, size = others + len(gathered.memories), source.stamp.size
            note = over(kind, count, size, self._limits)
            gathered.flaws += [note] if note else []
        return gathered.findings()

    def _document(self, path: str) -> Findings:
        blob = self._root.read(path, limit=LARGEST)
        if not is_document(blob.raw):
            message = "Not part of the store: no memories in it."
            code, severity = "foreign-file", Severity.NOTE
        elif not blob.whole:
            message = "File too large to read."
            code, severity = "too-large", Severity.ERROR
        else:
            return read_document(blob.raw).findings()
        flaw = Flaw(code=code, message=message, severity=severity)
        return Findings(flaws=(flaw,))

    @cached_property
    def _limits(self) -> Limits:
        return limits_in(self._root)

    def _text(self, found: Sequence[Source | Refused]) -> str | None:
        """The text of the index, from which its exact bytes can be restored."""
        for one in found:
            if one.path == INDEX and isinstance(one, Refused):
                raise RefusedError(one.flaw.message)
            if one.path == INDEX:
                blob = self._root.read(INDEX, limit=LARGEST)
                if not blob.whole:
                    raise UnreadableError("The index is too large to rebuild.")
                return blob.raw.decode(errors="surrogateescape")
        return None

"""A store of this format while it is read."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import takewhile

from store.derive.exchange import Exchange
from store.errors import RefusedError, UnreadableError
from store.files.jsonl import read_lines
from store.files.rooted import Rooted
from store.findings import START, Findings, Flaw, Json, Mark, Severity, not_read
from store.formats.agent_memory.backup import read_backup
from store.formats.agent_memory.document import is_document, read_document
from store.formats.agent_memory.gathering import Gathered
from store.formats.agent_memory.index import read_index, understand
from store.formats.agent_memory.layout import (
    INDEX,
    REBUILT,
    Role,
    is_archive,
    kind_of,
    role_of,
)
from store.formats.agent_memory.limits import Limits, limits_in, over, read_settings
from store.formats.agent_memory.lines import memories_in, read_memories
from store.formats.agent_memory.permissions import open_to_others
from store.formats.agent_memory.rebuilding import rebuild_index
from store.formats.agent_memory.scan import scan
from store.formats.agent_memory.taken import Taken
from store.formats.defaults import OpenStoreDefaults
from store.formats.port import Rebuilt, Refused, Source

LARGEST = 64 * 1024 * 1024
"""How large a document or an index may be that is read."""


class AgentMemoryStore(Rooted, OpenStoreDefaults):
    """One folder of memories; spaces beneath it are stores of their own."""

    @property
    def title(self) -> str:
        """The folder's name, which is the name of a space."""
        return self._root.path.name or str(self._root.path)

    def glance(self) -> None:
        """There are few files; whether a lock is alive, only a scan tells."""

    def scan(self) -> Iterator[Source | Refused]:
        """Every file of the store, and what is refused."""
        return scan(self._root)

    def source_at(self, path: str) -> Source | None:
        """A file that belongs here; whom others may use is told of all together."""
        role = role_of(path)
        if role is None or open_to_others(self._root.path, [path]):
            return None
        with self._root.opened(path) as file:
            return Source(path, role, file.stamp)

    def read(self, source: Source, since: Mark = START) -> Findings:  # noqa: ARG002 - the port's; files are edited in place, so they are read whole
        """All that one file says."""
        try:
            return self._read(source)
        except UnreadableError as error:
            return Findings(flaws=(not_read(error),))

    def read_lines(
        self, source: Source, exchange: Exchange, others: int
    ) -> Findings | None:
        """The lines that came, and whether the file holds more than it may by now."""
        if source.role != Role.LINES:
            return None
        lines = read_lines(self._root, source.path, exchange.offset, exchange.first)
        came = takewhile(
            lambda line: line.number < exchange.first + exchange.came, lines
        )
        return self._gathered(source, memories_in(source.path, came), others)

    def ask(
        self, question: str, words: Sequence[str], now: int
    ) -> Iterator[Mapping[str, Json]]:
        """Answer a question from the files, none of which is changed by that."""
        from store.formats.agent_memory.answers.register import DOCUMENT, answer  # noqa: PLC0415  # loaded by who asks alone

        if question == DOCUMENT and not words:
            return iter((self._as_document(),))
        return answer(question, words, self._taken, now)

    def rebuild(self, name: str) -> Iterator[Rebuilt]:
        """The index as it would be, made anew from the memories."""
        if name in REBUILT:
            taken = self._taken()
            yield rebuild_index(self._text(taken.found), taken)

    def _as_document(self) -> Mapping[str, Json]:
        """All memories, to be taken in by another store."""
        from store.formats.agent_memory.scribe.exchange import given_out  # noqa: PLC0415  # the same
        from store.formats.agent_memory.scribe.work import Work  # noqa: PLC0415  # the same

        return given_out(Work(self._root, 0))

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
        """What lines hold, with a note where that is more than a file may hold."""
        kind = kind_of(source.path)
        if kind and not is_archive(source.path):
            count, size = others + len(gathered.memories), source.stamp.size
            note = over(kind, count, size, self._limits)
            gathered.flaws += [note] if note else []
        return gathered.findings()

    def _document(self, path: str) -> Findings:
        blob = self._root.read(path, limit=LARGEST)
        if not is_document(blob.raw):
            message = "This file is no part of the store: it holds no memories."
            code, severity = "foreign-file", Severity.NOTE
        elif not blob.whole:
            message = "The file is too large to be read."
            code, severity = "too-large", Severity.ERROR
        else:
            return read_document(blob.raw).findings()
        flaw = Flaw(code=code, message=message, severity=severity)
        return Findings(flaws=(flaw,))

    @cached_property
    def _limits(self) -> Limits:
        return limits_in(self._root)

    def _taken(self) -> Taken:
        """Everything that the store holds, read now."""
        found = tuple(self.scan())
        read = {one.path: self.read(one) for one in found if isinstance(one, Source)}
        index = None
        if INDEX in read:
            with suppress(UnreadableError):
                index = understand(self._root.read(INDEX, limit=LARGEST))
        return Taken(found=found, read=read, index=index, limits=self._limits)

    def _text(self, found: Sequence[Source | Refused]) -> str | None:
        """The text of the index, whose every byte can be told from it again."""
        for one in found:
            if one.path == INDEX and isinstance(one, Refused):
                raise RefusedError(one.flaw.message)
            if one.path == INDEX:
                blob = self._root.read(INDEX, limit=LARGEST)
                if not blob.whole:
                    raise UnreadableError("The index is too large to be made anew.")
                return blob.raw.decode(errors="surrogateescape")
        return None

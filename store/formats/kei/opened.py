"""A store of this format while it is read."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from store.errors import UnreadableError
from store.files.beneath import Blob
from store.files.jsonl import Line
from store.findings import START, UNREADABLE, Findings, Flaw, Json, Mark, Severity
from store.formats.defaults import OpenStoreDefaults
from store.formats.kei.agents import with_purpose
from store.formats.kei.analyzer import read_analyzer
from store.formats.kei.copies import stands_in
from store.formats.kei.growing import ReaderOf, read_growing
from store.formats.kei.journals import (
    JournalReader,
    Reading,
    agent_events,
    figures,
    read_tasks,
)
from store.formats.kei.layout import COPY, Role, original
from store.formats.kei.ledger import agent_line, read_ledger, skill_line
from store.formats.kei.markers import read_marker
from store.formats.kei.pages import read_backlog_of, read_page_of
from store.formats.kei.passages import passage_of
from store.formats.kei.reach import Reach
from store.formats.kei.scan import WATCHED, scan
from store.formats.kei.traces import trace_reader
from store.formats.port import Passage, Place, Refused, Source
from store.machine import Machine

_WHOLE: Mapping[str, Callable[[str, Blob], Findings]] = {
    Role.MARKER: read_marker,
    Role.BACKLOG: read_backlog_of,
    Role.PAGE: read_page_of,
}
_LINES: Mapping[str, Reading] = {
    Role.FIGURES: figures,
    Role.AGENT_EVENTS: agent_events,
    Role.AGENT_LINES: agent_line,
    Role.SKILL_LINES: skill_line,
}


class KeiStore(OpenStoreDefaults):
    """One store, and what its machine keeps apart from it."""

    def __init__(self, path: Path, machine: Machine) -> None:
        self.reach = Reach(path, machine)

    @property
    def title(self) -> str:
        """The folder's name; the kit has one store for all projects of a machine."""
        path = self.reach.root.path
        return path.name or str(path)

    def glance(self) -> bytes:
        """The same as long as nothing that a scan looks at moved."""
        elsewhere = [(one.path, stamp) for one, stamp in self.reach.elsewhere()]
        return self.reach.root.fingerprint(WATCHED) + repr(elsewhere).encode()

    def scan(self) -> Iterator[Source | Refused]:
        """Every file of the store, and what is refused."""
        return scan(self.reach)

    def read(self, source: Source, since: Mark = START) -> Findings:
        """All that one file says, or one piece of it."""
        try:
            return self._read(source, since)
        except UnreadableError as error:
            flaw = Flaw(code=UNREADABLE, message=str(error), severity=Severity.ERROR)
            return Findings(flaws=(flaw,))

    def passage(self, source: Source, place: Place) -> Passage:
        """A message of a trace, whole."""
        if source.role.removesuffix(COPY) != Role.TRACE:
            return super().passage(source, place)
        root, path = self.reach.of(source.path)
        return passage_of(root, path, place)

    def ask(
        self, question: str, words: Sequence[str], now: int
    ) -> Iterator[Mapping[str, Json]]:
        """Answer one of the format's questions, row by row."""
        from store.formats.kei.questions import answer  # noqa: PLC0415  # loaded by who asks alone

        return answer(self, question, words, now)

    def close(self) -> None:
        """Let go of the store."""
        self.reach.close()

    def _read(self, source: Source, since: Mark) -> Findings:
        root, path = self.reach.of(source.path)
        role = source.role.removesuffix(COPY)
        if role in _WHOLE:
            return _WHOLE[role](source.path, root.read(path))
        match role:
            case Role.DATABASE:
                return read_analyzer(root, path, source.path, since)
            case Role.LEDGER:
                return read_ledger(root, path)
            case Role.COVERED:
                return Findings()
            case Role.TASKS:
                return read_tasks(root, path, self._known(source))
            case _:
                reader = _reader_of(role, source.path)
                found = read_growing(root, path, since, reader, self._known(source))
                return found if since.memory else with_purpose(root, path, found)

    def _known(self, source: Source) -> Callable[[Line], bool] | None:
        """Says which lines of a copy its original holds; None for what is no copy."""
        if not source.role.endswith(COPY):
            return None
        return stands_in(self.reach.root, original(source.path))


def _reader_of(role: str, path: str) -> ReaderOf:
    """Makes the readers of what is read line by line."""
    reading = _LINES.get(role)
    return (lambda _known: JournalReader(reading)) if reading else trace_reader(path)

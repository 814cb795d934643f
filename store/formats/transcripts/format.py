"""The format: how it is recognised, and an open store."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from store.files.beneath import Root
from store.findings import START, Findings, Mark
from store.formats.port import (
    FormatDefaults,
    OpenStore,
    Passage,
    Place,
    Refused,
    Source,
)
from store.formats.transcripts.scan import (
    DEPTH,
    Bases,
    backup_of,
    is_session,
    places,
    scan,
    sniff,
)
from store.machine import Machine
from store.reports import AnyReport, Row, answer

if TYPE_CHECKING:
    from store.formats.transcripts.documents import TranscriptsReader

# An open store of transcripts.


class OpenTranscripts(OpenStore):
    """Reads files beneath the watched folder and its backup."""

    def __init__(self, path: Path) -> None:
        self._bases = Bases(path)

    @property
    def title(self) -> str:
        """The folder, with enough of its path to distinguish it from others."""
        path = self._bases.live.path
        return f"{path.parent.name}/{path.name}" if path.parent.name else path.name

    def glance(self) -> bytes:
        """A digest that stays the same while nothing changes that a scan reads."""
        if self._bases.is_home:
            return self._bases.live.fingerprint({"": 0})
        seals = [root.fingerprint({"": DEPTH}) for root in self._bases.folders]
        if self._bases.beside:
            seals.append(self._bases.beside.fingerprint({"": 0}))
        return b"".join(seals)

    def scan(self) -> Iterator[Source | Refused]:
        """List the files cheaply, by name and stamp, without opening them."""
        return scan(self._bases)

    def read(self, source: Source, since: Mark = START) -> Findings:
        """Read one source, a transcript from a mark on; never raises for content."""
        return self._reader.read(source, since)

    def passage(self, source: Source, place: Place) -> Passage:
        """A whole message, read from its file."""
        return self._reader.passage(source, place)

    @cached_property
    def _reader(self) -> "TranscriptsReader":
        from store.formats.transcripts.documents import TranscriptsReader  # noqa: PLC0415  # if a file changed

        return TranscriptsReader(self._bases)

    def ask(self, report: str, words: Sequence[str], now: int) -> Iterator[Row]:
        """Answer one of the format's reports, row by row."""
        return answer(FORMAT.reports, report, words, now, lambda: self._bases)

    def close(self) -> None:
        """Close the store."""
        self._bases.close()


# The format, as registered.


class TranscriptsFormat(FormatDefaults):
    """Folders of Claude Code's transcripts, as its memory extension watches them."""

    name = "transcripts"
    about = "conversations of Claude Code (read-only; can be pinned)"
    kinds = frozenset({"conversations", "messages", "documents"})
    editable = False
    usually = "~/.claude/projects, ~/.claude"
    hosts = frozenset({"kei", "notes"})

    @property
    def reports(self) -> tuple[AnyReport, ...]:
        """Its built-in reports."""
        from store.formats.transcripts.reports import REPORTS  # noqa: PLC0415  # loaded on demand

        return REPORTS

    def places(self, machine: Machine) -> Iterable[Path]:
        """Folders on this machine beneath which such stores are usually found."""
        return places(machine)

    def sniff(self, root: Root) -> bool:
        """Whether the folder is such a store, judged by its content."""
        return sniff(root)

    def keeps(self, folder: str) -> bool:
        """The folder of a session belongs to it; that of a project may hold notes."""
        return is_session(folder)

    def backup(self, path: Path) -> Path | None:
        """The folder with saved transcripts, which are listed with the live ones."""
        return backup_of(path)

    def open(self, path: Path) -> OpenTranscripts:
        """Open a store for reading."""
        return OpenTranscripts(path)


# Claude Code's transcripts: what was said and done in each session, line by line.

FORMAT = TranscriptsFormat()

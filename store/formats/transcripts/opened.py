"""A store of transcripts that is being read."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from store.errors import UnreadableError
from store.findings import (
    START,
    Findings,
    Json,
    Mark,
    TitleFound,
    not_read,
)
from store.formats.defaults import OpenStoreDefaults
from store.formats.port import Passage, Place, Refused, Source
from store.formats.transcripts.agents import Agents
from store.formats.transcripts.bases import Bases
from store.formats.transcripts.documents import read_document
from store.formats.transcripts.naming import named
from store.formats.transcripts.passages import passage
from store.formats.transcripts.reading import Reader
from store.formats.transcripts.roles import GROWING, JOURNAL
from store.formats.transcripts.scan import DEPTH, scan


class OpenTranscripts(OpenStoreDefaults):
    """Reads files beneath the watched folder and its backup."""

    def __init__(self, path: Path) -> None:
        self._bases = Bases(path)
        self._agents = Agents(self._bases)

    @property
    def title(self) -> str:
        """The folder, by as much of its path as tells it from others."""
        path = self._bases.live.path
        return f"{path.parent.name}/{path.name}" if path.parent.name else path.name

    def glance(self) -> bytes:
        """The same as long as nothing that a scan looks at moved."""
        seals = [root.fingerprint({"": DEPTH}) for root in self._bases.folders]
        if self._bases.beside:
            seals.append(self._bases.beside.fingerprint({"": 0}))
        return b"".join(seals)

    def scan(self) -> Iterator[Source | Refused]:
        """List what there is, cheaply: names and stamps, no file is opened."""
        return scan(self._bases)

    def read(self, source: Source, since: Mark = START) -> Findings:
        """Read one source, a transcript from a mark on; never raises for content."""
        try:
            if source.role in GROWING:
                return self._transcript(source, since)
            return read_document(self._bases, source)
        except UnreadableError as error:
            return Findings(flaws=(not_read(error),), mark=since)

    def passage(self, source: Source, place: Place) -> Passage:
        """A message whole, read from where it lies."""
        with self._bases.opened(source.path) as file:
            return passage(file, source.path, place)

    def ask(
        self, question: str, words: Sequence[str], now: int
    ) -> Iterator[Mapping[str, Json]]:
        """Answer one of the format's questions, row by row."""
        from store.formats.transcripts.questions import answer  # noqa: PLC0415  # loaded by who asks alone

        del now
        return answer(self._bases, question, words)

    def close(self) -> None:
        """Let go of the store."""
        self._bases.close()

    def _transcript(self, source: Source, since: Mark) -> Findings:
        about = named(source.path)
        titles: tuple[TitleFound, ...] = ()
        if about.agent and not since.memory:
            titles = self._agents.titles(source.path)
        with self._bases.opened(source.path) as file:
            reader = Reader(file, source.path, about, titles, self._agents.has_file)
            return reader.read(since, is_sure=source.role == JOURNAL)

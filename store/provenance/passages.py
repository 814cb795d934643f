"""Messages whole, as their transcripts hold them, many of them in a row."""

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from store.catalogue.reader import Reader
from store.catalogue.spoken import spot_of
from store.closing import Closing
from store.errors import RecollectError
from store.formats.port import Format, OpenStore, Passage, Source
from store.records.conversation import Message

UNREAD = Passage()
"""What is left of a message whose transcript cannot be read now."""


class Passages(Closing):
    """Reads messages; what is opened for one stays open for those that follow."""

    def __init__(self, reader: Reader, formats: Mapping[Path, Format]) -> None:
        self._reader = reader
        self._formats = formats
        self._opened = ExitStack()
        self._stores: dict[str, OpenStore] = {}
        self._sources: dict[tuple[str, str], Source] = {}

    def close(self) -> None:
        """Let go of all that was opened."""
        self._opened.close()

    def of(self, message: Message) -> Passage:
        """A message as its transcript holds it; `UNREAD` where that cannot be had."""
        try:
            spot = spot_of(self._reader, message.ref)
            source = self._source(message.store, spot.path)
            return self._store(message.store).passage(source, spot.place)
        except RecollectError:
            return UNREAD

    def _source(self, store: str, path: str) -> Source:
        """A transcript as it was when it was read."""
        source = self._sources.get((store, path))
        if source is None:
            source = self._reader.source(store, path)
            self._sources[store, path] = source
        return source

    def _store(self, store: str) -> OpenStore:
        """A store, opened once."""
        opened = self._stores.get(store)
        if opened is None:
            place = Path(store)
            opened = self._opened.enter_context(self._formats[place].open(place))
            self._stores[store] = opened
        return opened

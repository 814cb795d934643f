"""A library of stores as they were: it answers as any other, and changes nothing."""

from msgspec.structs import replace

from store.answers.tracing import Complain
from store.catalogue.reader import Reader
from store.catalogue.views import Record
from store.derive.whereabouts import Placed
from store.library import Library
from store.naming import find
from store.opening.raw import raw_of
from store.past.lookback import Lookback
from store.provenance.texts import text_now
from store.provenance.tracing import Tracer


class PastLibrary(Library):
    """Stores at a time, and the catalogue of what was in them."""

    def __init__(self, lookback: Lookback) -> None:
        """Open what was looked back at."""
        super().__init__(lookback.catalogue, lookback.at)
        self.lookback = lookback
        self.choose(lookback.stores)

    def beside(self) -> "PastLibrary":
        """The same once more, for another thread."""
        return PastLibrary(self.lookback)

    def raw(self, name: str) -> bytes | None:
        """The bytes that a record was written in; None where they are no text."""
        with self._reader() as reader:
            return raw_of(self._mirrored(find(reader, name, self._now)))

    def doubt(self, name: str) -> str:
        """Why a record may have been other than it is shown, if anything tells so."""
        with self._reader() as reader:
            return self.lookback.doubt(find(reader, name, self._now))

    def _mirrored(self, record: Record) -> Record:
        """A record as if its store were where its file was made anew."""
        path = getattr(record, "path", "") or getattr(record, "source", "")
        mirror = self.lookback.mirror(record.store, path)
        return record if mirror is None else replace(record, store=str(mirror))

    def _tracer(self, reader: Reader, complain: Complain) -> Tracer:
        tracer = super()._tracer(reader, complain)
        return replace(tracer, until=self.lookback.at, text_of=self._text_of)

    def _text_of(self, place: Placed) -> str:
        mirror = self.lookback.mirror(*place)
        return text_now(place if mirror is None else Placed(str(mirror), place.path))

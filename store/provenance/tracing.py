"""What is told of the file of a record, put together from everybody who knows of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from store.catalogue.finding.finder import Finder
from store.catalogue.reader import Reader, Span
from store.catalogue.views import MESSAGES, Record
from store.derive.whereabouts import Placed
from store.errors import NothingFoundError, UnreadableError
from store.formats.port import Format
from store.provenance.blame import blame
from store.provenance.calls import Calls
from store.provenance.commands import Commands
from store.provenance.gathering import Gathered, gather
from store.provenance.git.commits import Commits
from store.provenance.made import Past
from store.provenance.texts import moment_now, text_now
from store.provenance.versions import versions
from store.records.blame import Blame
from store.records.conversation import Message
from store.records.version import Version


@dataclass(frozen=True, slots=True)
class Tracer:
    """Traces files back to whoever made them."""

    reader: Reader
    """What was read of transcripts."""
    finder: Finder
    """What finds commands."""
    formats: Mapping[Path, Format]
    """The format of each store that is looked at."""
    others: Sequence[Past]
    """Whoever else knows how files were."""
    now: int
    complain: Callable[[str], None]
    """Told what was in the way of knowing more."""
    until: int | None = None
    """The moment after which nothing counts; None for all that is known."""
    text_of: Callable[[Placed], str] = text_now
    """Reads a file."""

    def blame(self, record: Record) -> Blame:
        """The lines of a record's file, by what made them; raises UnreadableError."""
        place = _place(record)
        text = self.text_of(place)
        return blame(record.ref or "", place, text, self._gathered(place))

    def versions(self, record: Record) -> list[Version]:
        """The changes of a record's file that are known, the newest first."""
        place = _place(record)
        known = self._gathered(place)
        return versions(place, self._text(place), moment_now(place), known)

    def messages(self, record: Record) -> list[Message]:
        """The messages whose calls wrote a record's file, the first one first."""
        calls = Calls(self.reader, self.formats, self.now).changes_of(_place(record))
        refs = dict.fromkeys(told.maker.ref for told in calls if told.maker.ref)
        found = (
            self.reader.called(MESSAGES, Span.of(ref), self.now, 1) for ref in refs
        )
        return [message for several in found for message in several]

    def _text(self, place: Placed) -> str | None:
        """What a file says; None where it says nothing that could be compared."""
        try:
            return self.text_of(place)
        except UnreadableError:
            return None

    def _gathered(self, place: Placed) -> Gathered:
        known = gather(
            (
                Calls(self.reader, self.formats, self.now),
                Commands(self.reader, self.finder, self.now),
                *self.others,
                Commits(),
            ),
            place,
            self.until,
        )
        for notice in known.notices:
            self.complain(notice)
        return known


def _place(record: Record) -> Placed:
    """The file that a record lies in; raises NothingFoundError."""
    path = getattr(record, "path", None)
    if not path:
        raise NothingFoundError("This record lies in no file of its own.")
    return Placed(record.store, path)

"""What is told of the file of a record, put together from everybody who knows of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct

from store.catalogue.finding.finder import Finder
from store.catalogue.reader import Reader, Span
from store.catalogue.views import MESSAGES, Record
from store.derive.whereabouts import Placed
from store.errors import NothingFoundError, UnreadableError
from store.formats.port import Format
from store.provenance.blame import blame
from store.provenance.calls import Calls
from store.provenance.commands import Commands
from store.provenance.gathering import Gathered, discreet, gather
from store.provenance.git.commits import Commits
from store.provenance.made import Past
from store.provenance.texts import moment_now, text_now
from store.provenance.versions import versions
from store.records.blame import Blame
from store.records.conversation import Message
from store.records.version import Version


class Tracer(Struct, frozen=True):
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
        text = self._read(place)
        return blame(record.ref or "", place, text, self._gathered(place))

    def versions(self, record: Record) -> list[Version]:
        """The changes of a record's file that are known, the newest first."""
        place = _place(record)
        known = self._gathered(place)
        return versions(place, self._text(place), moment_now(place), known)

    def traced(self, record: Record) -> tuple[list[Version], Blame | None]:
        """Both at once; no lines where the file says nothing that could be told."""
        place = _place(record)
        known = self._gathered(place)
        try:
            text = self._read(place)
        except UnreadableError as error:
            self.complain(str(error))
            return versions(place, None, None, known), None
        told = versions(place, text, moment_now(place), known)
        return told, blame(record.ref or "", place, text, known)

    def messages(self, record: Record) -> list[Message]:
        """The messages whose calls wrote a record's file, the first one first.

        Of a record that is one of many in its file, the one that wrote its line.
        """
        place = _place(record)
        line = getattr(record, "line", None)
        refs = self._writers(place) if line is None else self._writer(place, line)
        found = (
            self.reader.called(MESSAGES, Span.of(ref), self.now, 1) for ref in refs
        )
        return [message for several in found for message in several]

    def _writers(self, place: Placed) -> Iterable[str]:
        """The messages that wrote a file, each once."""
        makers = (one.maker for one in self._gathered(place).done)
        return dict.fromkeys(one.ref for one in makers if one.ref and one.conversation)

    def _writer(self, place: Placed, line: int) -> Iterable[str]:
        """The message that wrote a line of a file, if one did."""
        text = self._text(place)
        if text is None:
            return ()
        told = blame("", place, text, self._gathered(place)).lines
        span = next((one for one in told if one.first <= line <= one.last), None)
        return (span.ref,) if span and span.ref and span.conversation else ()

    def _text(self, place: Placed) -> str | None:
        """What a file says; None where it says nothing that could be compared."""
        try:
            return self._read(place)
        except UnreadableError:
            return None

    def _read(self, place: Placed) -> str:
        """What a file says, as people may see it; raises UnreadableError."""
        text, shown = self.text_of(place), self._shown(place)
        return text if shown is None else shown(text)

    def _shown(self, place: Placed) -> Callable[[str], str] | None:
        """How people are shown a file's text, where it holds a secret."""
        known = self.formats.get(Path(place.store))
        shown = None if known is None else known.shown(place.path)
        return None if shown is None else partial(_masked, shown)

    def _gathered(self, place: Placed) -> Gathered:
        known = gather(
            (
                Calls(self.reader, self.formats, self.now),
                Commands(self.reader, self.finder, self.formats, self.now),
                *self.others,
                Commits(),
            ),
            place,
            self.until,
        )
        for notice in known.notices:
            self.complain(notice)
        shown = self._shown(place)
        return known if shown is None else discreet(known, shown)


def _masked(shown: Callable[[bytes], bytes], text: str) -> str:
    """A text without its secrets; one that is not there has none."""
    raw = text.encode("utf-8", "surrogateescape")
    return shown(raw).decode("utf-8", "surrogateescape") if raw else text


def _place(record: Record) -> Placed:
    """The file that a record lies in; raises NothingFoundError."""
    path = getattr(record, "path", None)
    if not path:
        raise NothingFoundError("This record lies in no file of its own.")
    return Placed(record.store, path)

"""Answers about how the file of a record came to be what it is."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from store.answers.finding import Finding
from store.catalogue.reader import Reader

if TYPE_CHECKING:
    from store.provenance.made import Past
    from store.provenance.tracing import Tracer
    from store.records.blame import Blame
    from store.records.conversation import Message
    from store.records.version import Version

Complain = Callable[[str], None]
"""Told what was in the way of an answer."""


def _silent(_sentence: str) -> None:
    """Tell nobody."""


class Tracing(Finding):
    """Answers with who made which line, and when."""

    def blame(self, name: str, complain: Complain = _silent) -> "Blame":
        """The lines of a record's file, by what made them; raises UnreadableError."""
        from store.naming import find

        with self._reader() as reader:
            record = find(reader, name, self._now)
            return self._tracer(reader, complain).blame(record)

    def versions(self, name: str, complain: Complain = _silent) -> "list[Version]":
        """The changes of a record's file that are known, the newest first."""
        from store.naming import find

        with self._reader() as reader:
            record = find(reader, name, self._now)
            return self._tracer(reader, complain).versions(record)

    def traced(
        self, name: str, complain: Complain = _silent
    ) -> "tuple[list[Version], Blame | None]":
        """Its versions and its lines at once; no lines where they cannot be told."""
        from store.naming import find

        with self._reader() as reader:
            record = find(reader, name, self._now)
            return self._tracer(reader, complain).traced(record)

    def written_by(self, name: str) -> "list[Message]":
        """The messages whose calls wrote the file of a record, the first one first."""
        from store.naming import find

        with self._reader() as reader:
            record = find(reader, name, self._now)
            return self._tracer(reader, _silent).messages(record)

    def _tracer(self, reader: Reader, complain: Complain) -> "Tracer":
        from store.provenance.tracing import Tracer

        formats = {found.path: found.format for found in self._stores}
        others = self._others()
        return Tracer(reader, self._finder, formats, others, self._now, complain)

    def _others(self) -> "list[Past]":
        """Whoever knows how files were beside transcripts and git: the journal."""
        if self._writing is None:
            return []
        from store.provenance.changes import Changes

        return [Changes(self._writing.places)]

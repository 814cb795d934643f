"""What is kept from one time to the next: queries, and how the browser looks."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from store.keeping.history import read_history, remember
from store.keeping.last import Last, keep_last, read_last
from store.keeping.looked import last_look, look
from store.keeping.starts import count_start
from store.places import Places
from store.private import NotWrittenError
from store.records.reports import StoreReport
from store.settings.record import Settings
from tui.browser.first.access import READ_ONLY, access
from tui.browser.first.hints import STARTS


@dataclass(frozen=True, slots=True)
class Kept:
    """The user's settings, and the state between two times; without places nothing."""

    settings: Settings = field(default_factory=Settings)
    places: Places | None = None

    @property
    def saved(self) -> Mapping[str, str]:
        """The saved queries, by name."""
        return self.settings.queries

    def earlier(self) -> tuple[str, ...]:
        """The queries that were asked before, the newest last."""
        return read_history(self.places).queries if self.places else ()

    def remember(self, query: str) -> str:
        """Keep a query for the next time; answers what went wrong, or nothing."""
        if self.places is None:
            return ""
        try:
            remember(self.places, query)
        except NotWrittenError as error:
            return str(error)
        return ""

    def last(self, opened: Iterable[Path]) -> Last:
        """How these stores were left."""
        return read_last(self.places, opened) if self.places else Last()

    def leave(self, opened: Iterable[Path], last: Last) -> None:
        """Remember how these stores are left; where that cannot be, it is not."""
        if self.places is not None:
            with suppress(NotWrittenError):
                keep_last(self.places, opened, last)

    def start(self) -> int:
        """Count one more start, and answer how many that makes."""
        if self.places is None:
            return STARTS + 1
        try:
            return count_start(self.places)
        except NotWrittenError:
            return STARTS + 1

    def access(self, stores: Iterable[StoreReport]) -> str:
        """Whether anything may be changed."""
        return access(stores, self.places) if self.places else READ_ONLY

    def last_look(self) -> int | None:
        """When somebody looked last; None where that is not known."""
        return last_look(self.places) if self.places else None

    def look(self, now: int) -> None:
        """Note that somebody has looked."""
        if self.places is not None:
            with suppress(NotWrittenError):
                look(self.places, now)

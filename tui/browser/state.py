"""What the browser remembers between sessions: queries, layout, permissions."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from store.clean import clean
from store.library import StoreName
from store.machine import NotWrittenError, Places
from store.saved_queries import save_query
from store.settings import Settings
from store.state import (
    Last,
    count_start,
    keep_last,
    last_looks,
    look,
    permit,
    permitted,
    read_history,
    read_last,
    remember,
    starts,
)
from tui.browser.bars import READ_ONLY, listed
from tui.browser.welcome import STARTS, access

_NAMED = 2
"""Maximum number of stores that a message names."""


class Kept(Struct, frozen=True):
    """The user's settings and the saved state; without places, nothing is saved."""

    settings: Settings = field(default_factory=Settings)
    places: Places | None = None

    @property
    def saved(self) -> Mapping[str, str]:
        """The saved queries, by name."""
        return self.settings.queries

    def with_query(self, name: str, query: str) -> "Kept":
        """The same with a query saved; raises a RecollectError if that fails."""
        if self.places is None:
            raise NotWrittenError(
                "State can't be saved here, so queries can't be saved."
            )
        save_query(self.places, name, query)
        queries = {**self.saved, name.strip(): query}
        return replace(self, settings=replace(self.settings, queries=queries))

    def earlier(self) -> tuple[str, ...]:
        """The query history, newest last."""
        return read_history(self.places).queries if self.places else ()

    def remember(self, query: str) -> str:
        """Add a query to the history; returns an error message or nothing."""
        if self.places is None:
            return ""
        try:
            remember(self.places, query)
        except NotWrittenError as error:
            return str(error)
        return ""

    def last(self, opened: Iterable[Path]) -> Last:
        """The last session with these stores."""
        return read_last(self.places, opened) if self.places else Last()

    def leave(self, opened: Iterable[Path], last: Last) -> None:
        """Save the session with these stores; errors are ignored."""
        if self.places is not None:
            with suppress(NotWrittenError):
                keep_last(self.places, opened, last)

    @property
    def starts(self) -> int:
        """The number of earlier starts."""
        return starts(self.places) if self.places else STARTS

    def count_start(self) -> None:
        """Count this start."""
        if self.places is not None:
            with suppress(NotWrittenError):
                count_start(self.places)

    def access(self, stores: Iterable[StoreName]) -> str:
        """Whether the stores may be changed, for the tab bar."""
        return access(stores, self.places) if self.places else READ_ONLY

    def may_change(self, store: str) -> bool:
        """Whether the user has allowed changes to a store."""
        return self.places is not None and store in permitted(self.places)

    def permit(
        self, stores: Mapping[str, str], *, changes: bool, among: int = 0
    ) -> str:
        """Allow or forbid changes to stores, by path with names; returns a message.

        `among` is the number of open stores, some of which nothing can change.
        """
        if self.places is None:
            return "State can't be saved here, so edits can't be allowed."
        try:
            for store in stores:
                permit(self.places, store, changes=changes)
        except NotWrittenError as error:
            return str(error)
        names = [clean(name) for name in stores.values()]
        number = f"{len(names)} of {among}" if among > len(names) else f"{len(names)}"
        these = listed(names) if len(names) <= _NAMED else f"{number} stores"
        told = f"Edits allowed in {these}; remembered for next time. ! turns it off."
        return told if changes else "Read-only. Press ! to allow edits."

    def last_looks(self) -> Mapping[str, int]:
        """The time of the user's last session with each store, by path."""
        return last_looks(self.places) if self.places else {}

    def look(self, stores: Iterable[Path], now: int) -> None:
        """Save the time of a session with some stores."""
        if self.places is not None:
            with suppress(NotWrittenError):
                look(self.places, stores, now)

"""What is kept from one time to the next: queries, and how the browser looks."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from store.keeping.last import Last, keep_last, read_last
from store.keeping.looked import last_looks, look
from store.keeping.starts import count_start, starts
from store.library import StoreName
from store.places import Places
from store.settings.record import Settings
from tui.browser.first.access import READ_ONLY, access
from tui.browser.first.hints import STARTS

if TYPE_CHECKING:
    from store.keeping.ignored import Ignored


class Kept(Struct, frozen=True):
    """The user's settings, and the state between two times; without places nothing."""

    settings: Settings = field(default_factory=Settings)
    places: Places | None = None

    @property
    def saved(self) -> Mapping[str, str]:
        """The saved queries, by name."""
        return self.settings.queries

    def with_query(self, name: str, query: str) -> "Kept":
        """The same with a query saved; raises a RecollectError where that cannot be."""
        from store.keeping.saved import save_query
        from store.private import NotWrittenError

        if self.places is None:
            raise NotWrittenError("Nothing is kept here, so no query can be saved.")
        save_query(self.places, name, query)
        queries = {**self.saved, name.strip(): query}
        return replace(self, settings=replace(self.settings, queries=queries))

    def earlier(self) -> tuple[str, ...]:
        """The queries that were asked before, the newest last."""
        from store.keeping.history import read_history

        return read_history(self.places).queries if self.places else ()

    def remember(self, query: str) -> str:
        """Keep a query for the next time; answers what went wrong, or nothing."""
        from store.keeping.history import remember
        from store.private import NotWrittenError

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
        from store.private import NotWrittenError

        if self.places is not None:
            with suppress(NotWrittenError):
                keep_last(self.places, opened, last)

    @property
    def starts(self) -> int:
        """How many starts were counted before this one."""
        return starts(self.places) if self.places else STARTS

    def count_start(self) -> None:
        """Count one more start."""
        from store.private import NotWrittenError

        if self.places is not None:
            with suppress(NotWrittenError):
                count_start(self.places)

    def access(self, stores: Iterable[StoreName]) -> str:
        """Whether anything may be changed."""
        return access(stores, self.places) if self.places else READ_ONLY

    def may_change(self, store: str) -> bool:
        """Whether the user has allowed that a store is changed."""
        from store.keeping.permitted import permitted

        return self.places is not None and store in permitted(self.places)

    def permit(self, stores: Iterable[str], *, changes: bool) -> str:
        """Allow stores to be changed, or forbid it; answers what came of that."""
        from store.keeping.permitted import permit
        from store.private import NotWrittenError

        if self.places is None:
            return "Nothing is kept here, so nothing can be allowed."
        try:
            for store in stores:
                permit(self.places, store, changes=changes)
        except NotWrittenError as error:
            return str(error)
        return "Changes are allowed; all can be undone." if changes else "Read-only."

    def ignored(self) -> "frozenset[Ignored]":
        """The problems that nobody wants to hear of."""
        from store.keeping.ignored import ignored

        return ignored(self.places) if self.places else frozenset()

    def ignore(self, problems: "Sequence[Ignored]", *, ignores: bool) -> str:
        """Leave problems out from now on, or not; answers what came of that."""
        from store.keeping.ignored import ignore
        from store.private import NotWrittenError

        if self.places is None:
            return "Nothing is kept here, so nothing can be ignored."
        try:
            ignore(self.places, problems, ignores=ignores)
        except NotWrittenError as error:
            return str(error)
        told = f"{len(problems)} ignored" if ignores else f"{len(problems)} told again"
        return f"{told} · . shows all"

    def last_looks(self) -> Mapping[str, int]:
        """When somebody looked last at each store, by its path."""
        return last_looks(self.places) if self.places else {}

    def look(self, stores: Iterable[Path], now: int) -> None:
        """Note that somebody has looked at some stores."""
        from store.private import NotWrittenError

        if self.places is not None:
            with suppress(NotWrittenError):
                look(self.places, stores, now)

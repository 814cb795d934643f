"""What is found in all kinds of record: hits, shares, values, what is alike."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from store.catalogue.reader import Page
from store.catalogue.unread.deadline import LONG_ENOUGH
from store.search.language.tree import EVERYTHING, Node

if TYPE_CHECKING:
    from store.catalogue.finding.facets import Facets
    from store.catalogue.finding.search import Best
    from store.catalogue.unread.unread import Unread
    from store.records.double import Double
    from store.records.similar import Similar
    from store.search.language.query import Complaint
    from store.search.similar import Meant, Near
    from store.settings.record import Semantic


from store.answers.listing import Listing


class Finding(Listing):
    """Answers with what was meant."""

    def facets(
        self,
        kind: str,
        query: Node = EVERYTHING,
        names: Collection[str] | None = None,
    ) -> "Facets":
        """What the records that a query finds are made of; some facets, or all."""
        with self._reader() as reader:
            return self._finder.facets(reader, kind, query, names)

    def search(
        self,
        query: Node,
        page: Page,
        kinds: Sequence[str] = (),
        near: Sequence["Near"] = (),
        unread: "Unread | None" = None,
    ) -> "Best":
        """The best of what a query finds, over every kind or some.

        `near` are memories that mean what it says, as `meant` tells them; `unread` is
        what was found for the same query where nothing is read yet.
        """
        with self._reader() as reader:
            if unread is None:
                return self._finder.search(reader, query, kinds, page, near)
            first = unread.beginning(page)
            best = self._finder.search(reader, query, kinds, first, near)
            return unread.best(best, page)

    def unread(
        self, query: Node, kinds: Sequence[str] = (), seconds: float = LONG_ENOUGH
    ) -> "Unread":
        """What is not read yet, looked through for a query; to be closed.

        It is looked through raw, the newest first, for so many seconds, and may be
        while another process reads it.
        """
        from store.catalogue.unread.look import look, moves_of
        from store.catalogue.unread.unread import Sought

        sought = Sought(query, kinds, self._circumstances)
        with self._catalogue.in_use() as connection:
            moves = moves_of(connection, self._stores)
        return look(moves, sought, self._gap, seconds)

    def unknown(self, kinds: Sequence[str], query: Node) -> list["Complaint"]:
        """What to say of each value that a query asks for and no record has."""
        with self._reader() as reader:
            return self._finder.unknown(reader, kinds, query)

    def meant(
        self, query: Node, semantic: "Semantic", environment: Mapping[str, str]
    ) -> "Meant":
        """The memories that mean what a query says; this may ask a provider."""
        from store.meaning import meaning_of

        return meaning_of(query, semantic, environment, self._stores)

    def similar(
        self,
        name: str,
        limit: int,
        complain: Callable[[str], None],
        *,
        unlinked: bool = False,
    ) -> list["Similar"]:
        """The memories most like one; `unlinked` leaves out what it is linked to."""
        from store.meaning import nearest_to
        from store.naming import find_memory

        with self._reader() as reader:
            memory = find_memory(reader, name, self._now)
            near = nearest_to(memory, self._stores, complain)
            return self._finder.alike(reader, memory, limit, near, unlinked=unlinked)

    def doubles(self) -> list["Double"]:
        """The memories that stand more than once, group by group."""
        with self._reader() as reader:
            return self._finder.doubles(reader)

    def values(
        self, kinds: Sequence[str], field: str, beginning: str = ""
    ) -> list[tuple[str, int]]:
        """The values of a field that begin so, with how many there are of each."""
        from store.catalogue.finding.values import values

        with self._reader() as reader:
            return values(reader, kinds, field, beginning)

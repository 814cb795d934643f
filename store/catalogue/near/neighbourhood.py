"""What a few sources of a store say now, put together with what lies around them.

Comes to the same rows as settling the whole store does, for what concerns others is
found from them: whom their keys meant and mean, which edges and which links lead
elsewhere by that, which memories these meet, and where the checks look at any of it.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence

from msgspec import Struct

from store.catalogue.edges import COLUMNS, About, concern_edges
from store.catalogue.near.claims import Claims
from store.catalogue.near.edges import Edges
from store.catalogue.near.keys import Holders, Meanings
from store.catalogue.near.memories import count_links, name_apart
from store.catalogue.near.pointers import lead_anew
from store.catalogue.near.standing import Turn
from store.catalogue.rows.cells import Row
from store.catalogue.settle import score

_NAMES = COLUMNS.replace('"', "").split(", ")
_SOURCE, _START, _END = map(_NAMES.index, ("source", "start", "end"))

_OF = "SELECT source FROM {} = ?1 AND +store = ?2"
_OF_MEMORY = _OF.format("memories WHERE id")
_FROM, _TO = _OF.format("edges WHERE start"), _OF.format('edges WHERE "end"')
_OF_EDGE = _OF.format("claims WHERE edge_id")
_OF_ACCESS = _OF.format('accesses WHERE "key"')
_ALIKE = """
    SELECT others.source FROM memories JOIN memories AS others
    ON others."key" = memories."key" AND others.store = memories.store
    WHERE memories.source = ?1 AND +memories.store = ?2
"""


class Neighbourhood(Struct, frozen=True):
    """Some sources of a store that were written, and what is around them."""

    connection: sqlite3.Connection
    store: int
    place: bytes
    before: Holders
    """What their keys meant before they were written."""
    sources: Sequence[int]
    """Their rows, but for those that are gone."""
    turn: Turn

    def settle(self) -> set[int]:
        """Bring all that is around them up to date.

        Returns the sources of which the checks may say something else now.
        """
        turn = self.turn
        memories = name_apart(self.connection, self.store, self.place, turn.own_keys)
        now = Holders(self.connection, self.store)
        meanings = Meanings.of(self.before, now, turn.keys)
        edges = self._settle_edges(meanings)
        met = {row[end] for row in edges for end in (_START, _END)}
        met_memories = {each for each in met if isinstance(each, int)}
        count_links(self.connection, met_memories.union(memories))
        beside = {each for row in edges if isinstance(each := row[_SOURCE], int)}
        concern_edges(self.connection, beside.union(self.sources))
        score(self.connection, self.store, memories)
        beside |= self._lead_anew(meanings)
        beside |= self._sources_of(_OF_MEMORY, memories)
        beside |= self._sources_of(_FROM, turn.retitled)
        beside |= self._sources_of(_TO, turn.retitled)
        beside |= self._sources_of(_OF_EDGE, turn.edge_ids)
        beside |= self._sources_of(_OF_ACCESS, meanings.changed)
        return self._with_alike(beside.union(self.sources))

    def _settle_edges(self, meanings: Meanings) -> list[Row]:
        """Make the edges anew that are spoken of otherwise, or that mean others."""
        before, now, changed = meanings
        claims = Claims(self.connection, self.store)
        said: defaultdict[About, set[int]] = defaultdict(set)
        for one in self.turn.gone:
            said[one.about(before)].update(())
        for one in self.turn.came:
            said[one.about(now)].add(one.word.source)
        for source in claims.remeant(meanings):
            for one in claims.of(source):
                if one.names(changed):
                    said[one.about(before)].update(())
                    said[one.about(now)].add(source)
        edges = Edges(self.connection, self.store, self.place)
        return edges.settle(said, claims, now)

    def _lead_anew(self, meanings: Meanings) -> set[int]:
        """Lead links elsewhere; returns their sources and those of what they meet."""
        beside: set[int] = set()
        met = set(self.turn.unmentioned)
        for source, memories in lead_anew(
            self.connection, self.store, meanings, self.sources
        ):
            beside.add(source)
            met |= memories
        return beside | self._sources_of(_OF_MEMORY, met)

    def _sources_of(self, question: str, terms: Iterable[int | str]) -> set[int]:
        """What several questions for sources come to."""
        return {
            source
            for term in terms
            for (source,) in self.connection.execute(question, (term, self.store))
        }

    def _with_alike(self, sources: set[int]) -> set[int]:
        """These sources, and all with a memory that shares a key with one of theirs."""
        found, fresh = set(sources), sources
        while fresh:
            fresh = self._sources_of(_ALIKE, fresh) - found
            found |= fresh
        return found

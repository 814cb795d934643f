"""A query put to the catalogue: what it means for each kind of record."""

import sqlite3
from collections.abc import Sequence

from msgspec import Struct, field

from store.catalogue.conditions.circumstances import Circumstances
from store.catalogue.conditions.compile import Compiler
from store.catalogue.conditions.condition import Condition
from store.catalogue.conditions.functions import teach
from store.catalogue.conditions.kinds import ALONE
from store.catalogue.conditions.texts import Shelves
from store.catalogue.finding.names import Like, NamesOfRows
from store.catalogue.reader import Reader
from store.catalogue.words.vocabulary import Vocabulary
from store.search.language.tree import All, Node, Text

_RESULT = "CREATE TEMP TABLE IF NOT EXISTS result (id INTEGER PRIMARY KEY)"
"""The rows that shares are counted of. It is made before anything is asked: an answer
that comes from the index breaks off where a table is made."""


class Memory(Struct, frozen=True):
    """What is kept between two queries, so that the next letter is answered sooner.

    It is about one connection, and a point in time that this was told of: SQLite takes
    no functions while rows of another answer are still to come.
    """

    connection: sqlite3.Connection
    now: int
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    names: NamesOfRows = field(default_factory=NamesOfRows)

    @classmethod
    def of(cls, connection: sqlite3.Connection, now: int) -> "Memory":
        """A memory of nothing yet, of a connection that is taught what queries use."""
        teach(connection, now)
        connection.execute(_RESULT)
        return cls(connection, now)

    def serves(self, connection: sqlite3.Connection, now: int) -> bool:
        """Whether it is about this connection, at this point in time."""
        return self.connection is connection and self.now == now


class Asked:
    """Puts queries to what a reader reads."""

    def __init__(
        self, reader: Reader, memory: Memory, circumstances: Circumstances
    ) -> None:
        self.reader = reader
        self.circumstances = circumstances
        self.names = memory.names
        self.shelves = Shelves(reader.connection, memory.vocabulary)
        self._alike: dict[tuple[str, str], list[Like]] = {}
        self._compiler = Compiler(self.shelves, self._nearly, circumstances)

    def condition(self, tree: Node, kind: str, *, alone: bool = False) -> Condition:
        """What a row of a kind must meet; `alone` by what it says itself."""
        return self._compiler.condition(tree, kind, alone=alone)

    def soon(self, tree: Node, kind: str) -> Condition | None:
        """The same as `condition` where a few rows soon meet it, walked one by one.

        None where the query asks for anything else than words that many rows hold.
        """
        terms = tree.terms if isinstance(tree, All) else (tree,)
        texts = [term.text for term in terms if isinstance(term, Text) and term.text]
        if not texts or len(texts) < len(terms):
            return None
        return self.shelves.looked(ALONE[kind].everywhere, texts)

    def like(self, kind: str, text: str) -> list[Like]:
        """The rows of a kind whose names nearly hold a text, best first."""
        asked = (kind, text)
        if asked not in self._alike:
            found = self.names.like(self.reader.connection, kind, text.split())
            self._alike[asked] = found
        return self._alike[asked]

    def _nearly(self, kind: str, text: str) -> Sequence[int]:
        return [one.row for one in self.like(kind, text)]

"""A query put to the catalogue: what it means for each kind of record."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from store.catalogue.conditions.circumstances import Circumstances
from store.catalogue.conditions.compile import Compiler
from store.catalogue.conditions.condition import Condition
from store.catalogue.conditions.functions import teach
from store.catalogue.conditions.texts import Shelves
from store.catalogue.finding.names import Like, NamesOfRows
from store.catalogue.reader import Reader
from store.catalogue.words.vocabulary import Vocabulary
from store.search.language.tree import Node


@dataclass(frozen=True, slots=True)
class Memory:
    """What is kept between two queries, so that the next letter is answered sooner."""

    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    names: NamesOfRows = field(default_factory=NamesOfRows)


class Asked:
    """Puts queries to what a reader reads."""

    def __init__(
        self, reader: Reader, memory: Memory, circumstances: Circumstances
    ) -> None:
        self.reader = reader
        self.circumstances = circumstances
        self.names = memory.names
        self.shelves = Shelves(reader.connection, memory.vocabulary)
        self._compiler = Compiler(self.shelves, self._nearly, circumstances)
        teach(reader.connection, circumstances.now)

    def condition(self, tree: Node, kind: str, *, alone: bool = False) -> Condition:
        """What a row of a kind must meet; `alone` by what it says itself."""
        return self._compiler.condition(tree, kind, alone=alone)

    def like(self, kind: str, text: str) -> list[Like]:
        """The rows of a kind whose names nearly hold a text, best first."""
        return self.names.like(self.reader.connection, kind, text.split())

    def _nearly(self, kind: str, text: str) -> Sequence[int]:
        return [one.row for one in self.like(kind, text)]

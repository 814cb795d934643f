"""A review: what is left to be gone through, and what was found right."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from store.answers.changing import Changing
from store.catalogue.reader import Page

if TYPE_CHECKING:
    from store.records.due import Due
    from store.records.memory import Memory
    from store.reviewing.queues import Queue


class Reviewing(Changing):
    """Answers with what is worth a look."""

    def review(self, names: Sequence[str] = ()) -> "list[Due]":
        """The memories that are due, of some queues or of all; each once."""
        from store.keeping.reviewed import reviewed
        from store.reviewing.queue import due
        from store.reviewing.queues import QUEUES

        queues = [queue for queue in QUEUES if not names or queue.name in names]
        notes = {} if self._writing is None else reviewed(self._writing.places)
        return list(due(((queue, self._in(queue)) for queue in queues), notes))

    def due_in_each(self) -> dict[str, int]:
        """How many memories are due in each queue, by its name; some stand in more."""
        from store.reviewing.queues import QUEUES

        return {queue.name: len(self.review([queue.name])) for queue in QUEUES}

    def note_reviewed(self, memory: "Memory", *, is_right: bool = True) -> None:
        """Note that a memory is right as it stands; raises NotWrittenError."""
        from store.keeping.reviewed import note_reviewed
        from store.reviewing.queue import stood

        stands = stood(memory) if is_right else None
        note_reviewed(self._kept.places, memory.ref, stands)

    def _in(self, queue: "Queue") -> "list[Memory]":
        """The memories of a queue, in the usual order.

        In a store that nobody looked at yet all is new; what has to be gone through is
        what came of late, and no more.
        """
        from store.reviewing.queues import DOUBLES, LATELY, SINCE_LAST

        if queue.name == DOUBLES:
            return [double.memory for double in self.doubles()]
        found = self._found_by(queue.query)
        if queue.query != SINCE_LAST:
            return found
        looked = self._circumstances.looked
        known = [memory for memory in found if memory.store in looked]
        late = self._found_by(LATELY)
        return [*known, *(memory for memory in late if memory.store not in looked)]

    def _found_by(self, query: str) -> "list[Memory]":
        """The memories that a query finds."""
        from store.records.memory import Memory
        from store.search.language.parsing import parse

        tree = parse(query, ["memories"], is_finished=True).tree
        found = self.page("memories", Page(), query=tree)
        return [record for record in found if isinstance(record, Memory)]

"""A review: what is left to be gone through, and what was found right."""

from collections.abc import Iterator, Sequence

from store.answers.changing import Changing
from store.catalogue.reader import Page
from store.keeping.reviewed import note_reviewed, reviewed
from store.records.memory import Memory
from store.reviewing.queue import Due, due, stood
from store.reviewing.queues import QUEUES, Queue
from store.search.language.parsing import parse


class Reviewing(Changing):
    """Answers with what is worth a look."""

    def review(self, names: Sequence[str] = ()) -> list[Due]:
        """The memories that are due, of some queues or of all; each once."""
        queues = [queue for queue in QUEUES if not names or queue.name in names]
        notes = {} if self._writing is None else reviewed(self._writing.places)
        return list(due(((queue, self._in(queue)) for queue in queues), notes))

    def due_in_each(self) -> dict[str, int]:
        """How many memories are due in each queue, by its name; some stand in more."""
        return {queue.name: len(self.review([queue.name])) for queue in QUEUES}

    def note_reviewed(self, memory: Memory, *, is_right: bool = True) -> None:
        """Note that a memory is right as it stands; raises NotWrittenError."""
        stands = stood(memory) if is_right else None
        note_reviewed(self._kept.places, memory.ref, stands)

    def _in(self, queue: Queue) -> Iterator[Memory]:
        """The memories of a queue, in the usual order."""
        query = parse(queue.query, ["memories"], is_finished=True).tree
        found = self.page("memories", Page(), query=query)
        return (record for record in found if isinstance(record, Memory))

"""Reviews: memories worth checking, and those already approved."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from store.answers.lists import Lists
from store.answers.search import Search
from store.answers.stores import Access, OpenStores
from store.catalogue.reader import Page
from store.kinds.memories import Memory
from store.queues import DOUBLES, LATELY, NEWEST, QUEUES, SINCE_LAST, Queue
from store.records.answers import Due
from store.search.parse import parse as parse_query
from store.state import note_reviewed, reviewed
from store.times import parse

# The memories due for a review: those that were not approved as they are now.


def stood(memory: Memory) -> str:
    """The state of a memory; once approved, it is due again when this changes.

    Without a date of its own, a memory has that of its file, unless others are in it.
    """
    file_time = memory.modified if memory.line is None else None
    parts = (
        memory.updated or file_time or "",
        memory.title,
        memory.path,
        " ".join(memory.tags),
        str(memory.importance),
    )
    return "\n".join(parts)


def due(
    found: Iterable[tuple[Queue, Iterable[Memory]]], reviewed: Mapping[str, str]
) -> Iterator[Due]:
    """The memories of some queues, each once, without those already approved."""
    listed: set[str] = set()
    for queue, memories in found:
        for memory in memories:
            is_right = reviewed.get(memory.ref) == stood(memory)
            if memory.ref not in listed and not is_right:
                listed.add(memory.ref)
                yield Due(memory=memory, queue=queue.name, why=queue.why)


# Which of several duplicates is kept.


def in_order(memories: Sequence[Memory], way: str) -> list[Memory]:
    """The memory to keep, then the others; the newest is the one changed last."""
    if way != NEWEST:
        return list(memories)
    stays = max(
        memories,
        key=lambda one: parse(one.updated or one.created or one.modified or "").order,
    )
    return [stays, *(memory for memory in memories if memory is not stays)]


# A review: the memories that are due, and those approved.


class Review:
    """Answers with what is worth a look."""

    def __init__(
        self, stores: OpenStores, access: Access, lists: Lists, search: Search
    ) -> None:
        self._stores = stores
        self._access = access
        self._lists = lists
        self._search = search

    def due(self, names: Sequence[str] = ()) -> list[Due]:
        """The memories due in some queues, or in all, each once."""
        queues = [queue for queue in QUEUES if not names or queue.name in names]
        notes = (
            {}
            if self._stores.writing is None
            else reviewed(self._stores.writing.places)
        )
        return list(due(((queue, self._in(queue)) for queue in queues), notes))

    def due_in_each(self) -> dict[str, int]:
        """The number of memories due in each queue, and in all under an empty name.

        A memory may be in several queues, and counts once for all.
        """
        found = {
            one.name: {due.memory.ref for due in self.due([one.name])} for one in QUEUES
        }
        counts = {name: len(refs) for name, refs in found.items()}
        return counts | {"": len(set[str]().union(*found.values()))}

    def note(self, memory: Memory, *, is_right: bool = True) -> None:
        """Record that a memory is approved as it is; raises NotWrittenError."""
        stands = stood(memory) if is_right else None
        note_reviewed(self._access.writing.places, memory.ref, stands)

    def _in(self, queue: Queue) -> list[Memory]:
        """The memories of a queue, in the usual order.

        In a store that the user has never viewed, everything is new. There, only recent
        memories are listed.
        """
        if queue.name == DOUBLES:
            return [double.memory for double in self._search.duplicates()]
        found = self._found_by(queue.query)
        if queue.query != SINCE_LAST:
            return found
        looked = self._stores.circumstances.looked
        known = [memory for memory in found if memory.store in looked]
        late = self._found_by(LATELY)
        return [*known, *(memory for memory in late if memory.store not in looked)]

    def _found_by(self, query: str) -> list[Memory]:
        """The memories that match a query."""
        tree = parse_query(query, ["memories"], is_finished=True).tree
        found = self._lists.page("memories", Page(), query=tree)
        return [record for record in found if isinstance(record, Memory)]

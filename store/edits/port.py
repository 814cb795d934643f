"""What a format must be able to do so that its stores can be changed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from store.records.conversation import Conversation, Message
from store.records.document import Document
from store.records.edge import Edge
from store.records.episode import Episode
from store.records.link import Link
from store.records.measure import Measure
from store.records.memory import Memory
from store.records.problem import Problem

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from store.edits.draft import Draft
    from store.records.intents import Intent

Changeable = (
    Memory | Edge | Episode | Conversation | Message | Document | Measure | Problem
)
"""The records that an intent may be about."""


class Known(Protocol):
    """What the catalogue knows of the store that is changed."""

    def memories(self) -> Iterator[Memory]:
        """Every memory of the store."""
        ...

    def edges(self) -> Iterator[Edge]:
        """Every edge of the store."""
        ...

    def memory(self, ref: str) -> Memory | None:
        """The memory that goes by a ref."""
        ...

    def namesakes(self, title: str) -> Sequence[Memory]:
        """The memories whose titles come to the same name; see `name_key`."""
        ...

    def edges_of(self, ref: str) -> Sequence[Edge]:
        """The edges that begin or end at a memory."""
        ...

    def links_of(self, ref: str) -> Sequence[Link]:
        """All that a memory points to and that points to it; see `Link.by`."""
        ...


class Form(Struct, frozen=True, kw_only=True):
    """What an editor is given, so that a record can be edited as text."""

    raw: bytes
    suffix: str
    """How a file of this kind ends: `.md`, `.json`."""


class Scribe(Protocol):
    """Says what a change would write into one store; writes nothing itself.

    Whatever is not possible is refused by a RecollectError whose message says why.
    """

    def possible(self, record: Changeable | None) -> Mapping[str, str]:
        """What can be done with a record, or, for None, with the store itself.

        The words of the intents that make sense, each with the sentence that says why
        it cannot be done now; an empty one where it can.
        """
        ...

    def form(self, record: Changeable) -> Form:
        """The record as an editor is given it."""
        ...

    def draft(
        self, intent: "Intent", records: Sequence[Changeable], known: Known, now: int
    ) -> "Draft":
        """What the change would do to the store's files, read from them this moment.

        `now` is in microseconds since 1970. One record or many, one draft.
        """
        ...

    def __enter__(self) -> "Self": ...

    def __exit__(
        self,
        kind: "type[BaseException] | None",
        error: "BaseException | None",
        trace: "TracebackType | None",
    ) -> None: ...

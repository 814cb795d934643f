"""A conversation that is read: which messages it has, and what is known beside them."""

from array import array
from bisect import bisect_left
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from store.errors import RecollectError
from store.library import Library, Page
from store.records.conversation import Conversation, Message
from store.search.language.leaves import texts
from store.search.language.tree import All, Either, Named, Node
from store.talk.calls import Call, call_of
from store.talk.said import Order, Said, Written
from tui.browser.transcript.entries import Known, Teller
from tui.browser.transcript.moments import spelt
from tui.faces.quantities import compact
from widgets.transcript.entry import Entry

BLOCK = 64
"""Messages that are brought first."""

_BEFORE = 8
"""Messages that are looked at to know who spoke last, and when."""


class Talk(Struct, frozen=True):
    """A conversation that is read."""

    conversation: Conversation
    order: Order
    known: Known

    @property
    def numbers(self) -> "array[int]":
        """A number for each message."""
        return self.order.numbers

    def place(self, number: int) -> int | None:
        """Where a message is."""
        try:
            return self.numbers.index(number)
        except ValueError:
            return None

    def block(self, first: int, last: int) -> tuple[int, int]:
        """Whole blocks of messages that hold those of a range."""
        end = -(-last // BLOCK) * BLOCK
        return first // BLOCK * BLOCK, min(end, len(self.numbers))

    def place_of_line(self, line: int) -> int:
        """Where the message is that begins at a line, or the next one after it."""
        return bisect_left(self.order.lines, line)

    def goes_on_with(self, other: "Talk") -> bool:
        """Whether another look found the same messages, and perhaps some more."""
        known = self.numbers
        return (
            self.conversation.ref == other.conversation.ref
            and other.numbers[: len(known)] == known
        )


class Begun(Struct, frozen=True):
    """A conversation, and the messages that are shown of it first."""

    talk: Talk
    at: int | None
    """The message to go to, where one is meant."""
    first: int
    entries: Sequence[Entry | None]


def begin(library: Library, record: Conversation | Message) -> Begun | None:
    """The conversation of a record; None where the record belongs to none.

    None of its messages is looked at but for those that come into view.
    """
    if isinstance(record, Conversation):
        conversation, at = record, None
    elif record.conversation is None:
        return None
    else:
        conversation = library.conversation(record.conversation)
        at = library.number("messages", record.ref)
    order = library.order_of_talk(conversation.ref)
    written: dict[int, list[Written]] = {}
    for one in library.written_in(conversation.ref):
        written.setdefault(one.line, []).append(one)
    talk = Talk(conversation, order, Known(cwd=conversation.cwd, written=written))
    place = None if at is None else talk.place(at)
    if place is not None:
        place = _telling(library, talk, place)
    first = max((place or 0) - BLOCK // 2, 0) // BLOCK * BLOCK
    last = min(first + 2 * BLOCK, len(talk.numbers))
    return Begun(talk, place, first, entries(library, talk, first, last))


def entries(library: Library, talk: Talk, first: int, last: int) -> list[Entry | None]:
    """The messages from one place to another, as entries."""
    begun = max(first - _BEFORE, 0)
    found = library.said(talk.numbers, begun, last)
    compacted = {
        said.number: _compacted(library, talk, said)
        for said in found
        if said and said.is_compaction
    }
    teller = Teller(replace(talk.known, compacted=compacted))
    told = [teller.tell(said) if said else None for said in found]
    return told[first - begun :]


def call_whole(library: Library, talk: Talk, at: int, key: str) -> Call | None:
    """A call with all that there is to tell of it; None where it is gone."""
    (said,) = library.said(talk.numbers, at, at + 1)
    if said is None or key not in said.calls:
        return None
    outcome = said.outcomes[said.calls.index(key)]
    with library.whole(talk.conversation.store) as whole:
        parts = whole(said.ref).parts
        answer = whole(outcome.ref).parts if outcome else ()
    return call_of(parts, key, answer)


def places_of_hits(
    library: Library, talk: Talk, query: Node, calls: Sequence[int]
) -> "array[int]":
    """Where messages hold any of a query's words; answers where their calls are."""
    sought = texts(query)
    if not sought:
        return array("q")
    here = Named("conversation", (talk.conversation.ref,))
    found = set(library.order("messages", Page(), All((here, Either(sought)))))
    places = {calls[at] for at, one in enumerate(talk.numbers) if one in found}
    return array("q", sorted(places))


def with_forks(library: Library, talk: Talk, micros: Sequence[int]) -> Talk | None:
    """The same with its branches, each with when it was taken up; None without any.

    The file is read for it and nothing of the catalogue, so that any thread may ask.
    """
    try:
        forks = library.forks(talk.conversation)
    except RecollectError:  # whoever opens a part is told why
        return None
    if not forks:
        return None
    told: dict[int, str] = {}
    for line, begin in forks.items():
        place = min(talk.place_of_line(begin), len(micros) - 1)
        told[line] = spelt(micros[place])
    return replace(talk, known=replace(talk.known, forks=told))


def _telling(library: Library, talk: Talk, place: int) -> int:
    """Where a message is told: that of the call, for what a tool answered."""
    begun = max(place - BLOCK, 0)
    *before, said = library.said(talk.numbers, begun, place + 1)
    if said is None or not said.is_told:
        return place
    for at, other in reversed(list(enumerate(before, begun))):
        if other and any(one and one.ref == said.ref for one in other.outcomes):
            return at
    return place


def _compacted(library: Library, talk: Talk, said: Said) -> str:
    """How much was compacted; nothing where the file does not tell."""
    try:
        with library.whole(talk.conversation.store) as whole:
            facts = whole(said.ref).fields.get("compactMetadata")
    except RecollectError:
        return ""
    tokens = facts.get("preTokens") if isinstance(facts, dict) else None
    return f"{compact(tokens)} tokens" if type(tokens) is int else ""

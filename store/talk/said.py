"""A message as a transcript tells it: each call together with what answered it."""

from array import array

from msgspec import Struct

from store.records.conversation import MESSAGE_KINDS


class Outcome(Struct, frozen=True):
    """What answered a call, as far as the catalogue has it."""

    ref: str
    """The message that brings it."""
    text: str
    """Its beginning, or all of it where it is short."""
    is_cut: bool
    """Whether the text is only the beginning."""
    extent: int
    """Bytes of the file that it takes: it is no longer than that."""
    has_failed: bool | None
    """Whether the call failed; None where that is not known."""


class Said(Struct, frozen=True):
    """One message."""

    number: int
    """The number that the library knows it by."""
    ref: str
    line: int
    """The line that it starts at."""
    kind: str
    """As lists tell it: `prompt reply thinking tool_use tool_result …`."""
    at: str | None
    """When it was written, as written."""
    micros: int | None
    """The same in microseconds since 1970."""
    text: str
    """What it says, its calls a line each, its thoughts left out."""
    thoughts: str
    """What its writer thought."""
    tools: tuple[str, ...] = ()
    """The tools that it calls."""
    calls: tuple[str, ...] = ()
    """The identifiers of those calls."""
    outcomes: tuple[Outcome | None, ...] = ()
    """What answered each of them; None where nothing did."""
    is_told: bool = False
    """Whether it only brings what is told with the calls that it answers."""
    has_failed: bool = False
    """Whether it brings the result of a call that failed."""
    is_compaction: bool = False
    """Whether all before it was compacted here."""
    agent: str | None = None
    """The sub-agent that said it, where its words stand among those of another."""


class Order(Struct, frozen=True):
    """The messages of a conversation: a number and a line each, in order."""

    numbers: "array[int]"
    lines: "array[int]"


class Skim(Struct, frozen=True):
    """What the messages of a conversation are, by their places in its order."""

    kinds: bytes
    """Which of `MESSAGE_KINDS` each is."""
    micros: "array[int]"
    """When each was written, in microseconds since 1970; no less than the one before,
    and that where a message does not tell."""
    calls: "array[int]"
    """The place of the message that called for what each brings; its own otherwise."""
    failed: frozenset[int]
    """The places whose calls failed."""

    def of_kind(self, *kinds: str) -> "array[int]":
        """The places of the messages of some kinds."""
        wanted = {MESSAGE_KINDS.index(kind) for kind in kinds}
        return array("q", (at for at, kind in enumerate(self.kinds) if kind in wanted))


class Written(Struct, frozen=True):
    """A memory whose file a message wrote."""

    line: int
    """The line of the message."""
    ref: str
    title: str
    type: str | None


class Opening(Struct, frozen=True):
    """How a prompt begins, for an outline."""

    number: int
    """The message."""
    at: str | None
    text: str

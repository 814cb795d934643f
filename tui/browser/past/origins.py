"""Where a record comes from and what came of it: messages, episodes, memories."""

from collections.abc import Sequence

from msgspec import Struct

from store.library import Library, Record
from store.records.conversation import Message
from store.records.document import Document
from store.records.edge import Edge
from store.records.episode import Episode
from store.records.memory import Memory
from tui.browser.leading import kind_of
from tui.faces.instants import to_the_minute

_TITLE = 80
"""Characters of a message that tell which one it is."""


class Origin(Struct, frozen=True):
    """A record that one can go to."""

    ref: str
    title: str
    """What it is called."""
    when: str = ""
    """When it was, as far as that is told."""
    within: str | None = None
    """The conversation that it is a part of."""


def writers(library: Library, record: Record) -> Sequence[Origin]:
    """The messages that wrote it, the first one first; else the conversations."""
    if isinstance(record, Memory | Document | Episode | Edge) and record.path:
        messages = library.written_by(record.ref)
        if messages:
            return [_of_message(one) for one in messages]
    return _linked(library, record.ref, "conversations")


def tellers(library: Library, record: Record) -> Sequence[Origin]:
    """The episodes that tell of it, or of a conversation that has to do with it."""
    told = _linked(library, record.ref, "episodes")
    if told:
        return told
    talks = _linked(library, record.ref, "conversations")
    found = (one for talk in talks for one in _linked(library, talk.ref, "episodes"))
    return list(dict.fromkeys(found))


def memories(library: Library, record: Record) -> Sequence[Origin]:
    """The memories that it wrote, tells of, or links."""
    return _linked(library, record.ref, "memories")


def memories_told(ref: str, library: Library, record: Record) -> Sequence[Origin]:
    """The memories that a message wrote; where it wrote none, those of the record."""
    return _linked(library, ref, "memories") or memories(library, record)


def _linked(library: Library, ref: str | None, kind: str) -> list[Origin]:
    """The records of a kind that are linked with one, each once."""
    links = library.links(ref) if ref else ()
    found = (
        Origin(link.ref, link.title or link.ref)
        for link in links
        if link.ref and kind_of(link.ref) == kind
    )
    return list(dict.fromkeys(found))


def _of_message(message: Message) -> Origin:
    title = message.text[:_TITLE].partition("\n")[0]
    when = to_the_minute(message.at or "")
    return Origin(message.ref, title, when, message.conversation)

"""Where a memory is told of, and which others are like it without a link between."""

from collections.abc import Iterator, Sequence

from store.errors import GivenUpError, RecollectError
from store.library import Library, Record
from store.records.conversation import Conversation, Message
from store.records.episode import Episode
from store.records.link import Link
from store.records.memory import Memory
from tui.browser.data.opened import Opened
from tui.browser.leading import kind_of
from tui.faces.hits import title
from widgets.graph.arrow import Node
from widgets.graph.sightings import Sighting

_MOST = 12
"""So many places are told, and so many memories that are alike."""

_EDGE = "edge"
_DAY = len("2026-02-14")


def seen(library: Library, opened: Opened) -> Sequence[Sighting]:
    """Both, the places first; nothing for what is no memory."""
    if not isinstance(opened.record, Memory):
        return ()
    places = [link for link in opened.links if link.by != _EDGE and link.ref]
    return [
        *_places(library, places[:_MOST]),
        *_alike(library, opened.record),
    ]


def _places(library: Library, links: Sequence[Link]) -> Iterator[Sighting]:
    """Episodes, conversations and pages that tell of it."""
    for link in links:
        ref = link.ref or ""
        kind = kind_of(ref)
        record = _record(library, kind, ref)
        name = (title(record) if record else link.title) or link.title
        type_ = record.type if isinstance(record, Memory) else None
        node = Node(ref=ref, title=name, type=type_)
        yield Sighting(node, kind, _day(record))


def _alike(library: Library, memory: Memory) -> Iterator[Sighting]:
    """The memories that are most like it."""
    try:
        found = library.similar(memory.ref, _MOST, _say_nothing, unlinked=True)
    except GivenUpError:
        raise
    except RecollectError:
        return
    for one in found:
        node = Node(ref=one.memory.ref, title=one.memory.title, type=one.memory.type)
        yield Sighting(node, "memories", likeness=one.score)


def _record(library: Library, kind: str, ref: str) -> Record | None:
    row = library.number(kind, ref)
    if row is None:
        return None
    return library.numbered(kind, [row]).get(row)


def _day(record: Record | None) -> str:
    """The day that a record is of."""
    match record:
        case Episode():
            return record.date
        case Conversation():
            return (record.last or "")[:_DAY]
        case Message():
            return (record.at or "")[:_DAY]
        case _:
            return ""


def _say_nothing(_sentence: str) -> None:
    """What is in the way of vectors is told where one asks for what is alike."""

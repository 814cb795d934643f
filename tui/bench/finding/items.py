"""The records that are looked for."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from store.errors import RecollectError
from store.library import Library, Page
from store.records.conversation import Conversation
from store.records.document import Document, DocumentInFull
from store.records.memory import Memory, MemoryInFull

KINDS = ("memories", "documents", "conversations")
"""The kinds that are looked for: what has a title that somebody may remember."""

_WORD = re.compile(r"[^\W_]+")


class Item(Struct, frozen=True):
    """A record that somebody has in mind."""

    ref: str
    """What names it, and what finding it comes to."""
    title: str
    """What it is called; nothing else is called so."""
    tags: tuple[str, ...]
    """Its tags."""
    body: str
    """Its text; of a conversation, none."""


class Finder(Protocol):
    """A way of searching."""

    def __call__(self, query: str, limit: int, /) -> Sequence[str]:
        """The refs of the best items, best first."""
        ...


def known_items(library: Library) -> list[Item]:
    """Everything in the library whose title has words and is its own, in fixed order.

    Titles that differ but in what stands between their words are the same.
    """
    items = [item for kind in KINDS for item in _items(library, kind)]
    often = Counter(_called(item) for item in items)
    unique = [item for item in items if _called(item) and often[_called(item)] == 1]
    return sorted(unique, key=lambda item: (item.title, item.ref))


def _called(item: Item) -> str:
    """The words of a title; nothing where it is a date or another number."""
    words = title_words(item.title)
    return " ".join(words) if any(word.isalpha() for word in words) else ""


def title_words(title: str) -> list[str]:
    """The words of a title as somebody types them."""
    return [word.lower() for word in _WORD.findall(title)]


def _items(library: Library, kind: str) -> Iterator[Item]:
    for record in list(library.page(kind, Page())):
        if isinstance(record, Conversation):
            yield Item(record.ref, record.title, (), "")
        elif isinstance(record, Memory):
            yield Item(record.ref, record.title, record.tags, _body(library, record))
        elif isinstance(record, Document):
            yield Item(record.ref, record.title, (), _body(library, record))


def _body(library: Library, record: Memory | Document) -> str:
    """The text of a record; none where its file can no longer be read."""
    try:
        whole = library.show(record.ref)
    except RecollectError:
        return ""
    match whole:
        case MemoryInFull():
            return whole.body
        case DocumentInFull():
            return whole.text
        case _:
            return ""

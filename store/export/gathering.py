"""The records that are exported, one after the other, as pages.

A conversation is told message by message while it is written: however long it is, only
some of its messages are at hand at any time.
"""

from collections.abc import Iterable, Iterator

from store.answers.talking import Whole
from store.export.items import Item, Items
from store.export.page import Page, page_of
from store.library import Library, Record
from store.records.conversation import Conversation
from store.talk.said import Said

_AT_ONCE = 256
"""Messages that are at hand together."""


def pages(
    library: Library, records: Iterable[Record], *, is_full: bool
) -> Iterator[Page]:
    """The pages of records; `is_full` reads what tools were given and answered."""
    for record in records:
        if isinstance(record, Conversation):
            yield from _conversation(library, record, is_full=is_full)
        else:
            full = library.show(record.ref) if record.ref else record
            yield page_of(full)


def messages(library: Library, conversation: Conversation) -> Iterator[Said]:
    """All messages of a conversation, in order."""
    numbers = library.order_of_talk(conversation.ref).numbers
    for first in range(0, len(numbers), _AT_ONCE):
        found = library.said(numbers, first, first + _AT_ONCE)
        yield from (said for said in found if said is not None)


def items(
    library: Library, conversation: Conversation, whole: Whole | None
) -> Iterator[Item]:
    """What was said in a conversation."""
    return Items(whole).of(messages(library, conversation))


def _conversation(
    library: Library, conversation: Conversation, *, is_full: bool
) -> Iterator[Page]:
    """The page of a conversation; its file stays open while it is written."""
    told = library.about(conversation)
    if not is_full:
        yield page_of(told, items(library, conversation, None))
        return
    with library.whole(conversation.store) as whole:
        yield page_of(told, items(library, conversation, whole))

"""An answer at once: while another process reads the stores, nobody waits for it."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from store.derive.segments import USUAL
from store.library import Library
from store.search.language.tree import Node
from tui.cli.query import looking_back
from tui.cli.session import Session
from tui.cli.terminal import complain

if TYPE_CHECKING:
    from store.library import Unread


@contextmanager
def answering(
    session: Session, query: Node, kinds: Sequence[str]
) -> Generator[tuple[Library, "Unread | None"]]:
    """The library, up to date, for a query about some kinds; none named means every.

    Where another process is reading the stores, it is as it is, and comes with what was
    found in the files that are not read yet; how many these are is said in the end. Who
    asks for conversations divided anew waits, for only a sync divides them.
    """
    with session.library_as_it_is() as library:
        looking_back(library, query, session.places)
        if session.at is not None:
            session.brings_up_to_date(library)
            with session.back(library) as past:
                yield past, None
            return
        if session.brings_up_to_date(library, waits=session.gap != USUAL.gap):
            yield library, None
            return
        with library.unread(query, kinds) as unread:
            yield library, unread
        if unread.sentence:
            complain(unread.sentence)

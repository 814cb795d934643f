"""Conversations as they were held: messages by page, one of them whole, what it wrote.

Everything else tells a conversation as a row, or all of it at once; this is for who
reads in one of fifty thousand messages.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from store.answers.finding import Finding
from store.errors import NothingFoundError
from store.formats.port import Passage

if TYPE_CHECKING:
    from store.catalogue.views import Record
    from store.formats.port import Format
    from store.records.conversation import Conversation, ConversationInFull
    from store.talk.said import Opening, Order, Said, Skim, Written

Whole = Callable[[str], Passage]
"""Reads a message, named by its ref, from the file that it lies in."""


class Talking(Finding):
    """Answers about what was said in a conversation."""

    def named(self, name: str) -> "Record":
        """The record that goes by a ref or by a beginning of one, as lists show it."""
        from store.naming import find

        with self._reader() as reader:
            return find(reader, name, self._now)

    def conversation(self, ref: str) -> "Conversation":
        """The conversation that goes by a ref."""
        from store.catalogue.spoken import conversation_called

        with self._reader() as reader:
            for found in conversation_called(reader, ref, self._now):
                return found
        raise NothingFoundError(f"{ref} is no longer in the catalogue.")

    def about(self, conversation: "Conversation") -> "ConversationInFull":
        """All that is known of a conversation, but for what was said in it."""
        from store.opening.transcripts import open_conversation

        with self._reader() as reader:
            return open_conversation(
                reader, conversation, self._now, tells_messages=False
            )

    def order_of_talk(self, ref: str) -> "Order":
        """The messages of a conversation, without looking at any of them."""
        from store.talk.order import order_of

        with self._reader() as reader:
            return order_of(reader, ref)

    def skim(self, ref: str) -> "Skim":
        """What the messages of a conversation are."""
        from store.talk.order import skim_of

        with self._reader() as reader:
            return skim_of(reader, ref)

    def said(
        self, numbers: Sequence[int], first: int, last: int
    ) -> "list[Said | None]":
        """The messages from one place in an order to another; None for those gone."""
        from store.talk.pages import said

        with self._reader() as reader:
            return said(reader, numbers, first, last)

    def openings(self, ref: str) -> "list[Opening]":
        """How the prompts of a conversation begin."""
        from store.talk.order import openings_of

        with self._reader() as reader:
            return openings_of(reader, ref)

    def written_in(self, ref: str) -> "list[Written]":
        """The memories whose files the messages of a conversation wrote."""
        from store.talk.written import written_in

        with self._reader() as reader:
            return written_in(reader, ref)

    def agent_of(self, conversation: str, agent: str) -> str | None:
        """The conversation of a sub-agent that another one started."""
        from store.talk.agents import agent_of

        with self._reader() as reader:
            return agent_of(reader, conversation, agent)

    def forks(self, conversation: "Conversation") -> dict[int, int]:
        """The line that each branch was taken up from, by the line that begins it."""
        from store.talk.branching import forks_of

        form = self._format(conversation.store)
        return forks_of(form, conversation.store, conversation.source, self._now)

    @contextmanager
    def whole(self, store: str) -> Generator[Whole]:
        """Read messages of a store whole, as often as one asks."""
        from store.catalogue.spoken import spot_of

        with self._format(store).open(Path(store)) as opened:

            def read(ref: str) -> Passage:
                with self._reader() as reader:
                    spot = spot_of(reader, ref)
                    source = reader.source(store, spot.path)
                return opened.passage(source, spot.place)

            yield read

    def _format(self, store: str) -> "Format":
        """The format of a store that is looked at."""
        for found in self._stores:
            if str(found.path) == store:
                return found.format
        raise NothingFoundError(f"{store} is not looked at.")

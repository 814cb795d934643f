"""A transcript that is brought what it shows, by questions to the library."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from textual import on

from store.errors import RecollectError
from store.search.language.tree import Node
from store.talk.said import Skim
from tui.browser.transcript.keys import TranscriptKeys
from tui.browser.transcript.talk import (
    Begun,
    Talk,
    call_whole,
    entries,
    places_of_hits,
    with_forks,
)
from tui.browser.transcript.whole import failed, unfolded
from widgets.lines.pieces import Pieces
from widgets.transcript.reports import EntriesWanted, WholeWanted

_REST = 0.06
"""Seconds before what takes longest is looked for: who passes by does not want it."""

if TYPE_CHECKING:
    from tui.browser.exporting import Exporting


class Bound(TranscriptKeys):
    """Shows a conversation; what is missing is asked for as it comes into view."""

    talk: Talk | None = None
    """What is read."""
    skim: Skim | None = None
    """What its messages are, once that is known."""
    hits: Sequence[int] = ()
    """Where in it the query's words are, once that is known."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002  # as every widget has it
        super().__init__(id=id, classes=classes)
        self._left: dict[str, int] = {}
        """Where one was when one left a conversation."""

    def read(self, begun: Begun, title: Pieces, query: Node) -> None:
        """Read a conversation; the same as before where one was."""
        talk, before = begun.talk, self.talk
        self.talk = talk
        if before is not None:
            self._left[before.conversation.ref] = self.reading.spot.at
        if before is not None and before.goes_on_with(talk):
            if len(before.numbers) < len(talk.numbers):
                self.extend(len(talk.numbers))
        else:
            self.skim, self.hits = None, ()
            self.show(title, len(talk.numbers))
            self.bring(begun.first, begun.entries)
            if begun.at is None:
                self.go_back(self._left.get(talk.conversation.ref, 0))
        if begun.at is not None:
            self.land(begun.at)
        self.run_worker(
            partial(self._look_through, talk, query, lands=begun.at is None),
            group="skim",
            exclusive=True,
        )

    def go_back(self, at: int) -> None:
        """Go to where one was; the beginning is where one is already."""
        if at:
            self.go(at)

    @property
    def browser(self) -> "Exporting":
        """The program."""
        return cast("Exporting", self.app)  # pyright: ignore[reportUnknownMemberType]  # what the program returns is not known here

    @on(EntriesWanted)
    def _entries_wanted(self, event: EntriesWanted) -> None:
        event.stop()
        self.run_worker(
            partial(self._bring, event.first, event.last),
            group="entries",
            exclusive=True,
        )

    @on(WholeWanted)
    def _whole_wanted(self, event: WholeWanted) -> None:
        event.stop()
        self.run_worker(partial(self._fill, event.at, event.key), group="whole")

    async def _bring(self, first: int, last: int) -> None:
        """Bring messages, if they are still those of what is read."""
        talk = self.talk
        if talk is not None:
            found = await self.browser.ask(
                lambda library: entries(library, talk, first, last)
            )
            if talk is self.talk:
                self.bring(first, found)

    async def _fill(self, at: int, key: str) -> None:
        """Bring all of a call; where that cannot be, why."""
        talk = self.talk
        entry = self.reading.layout.entry(at)
        part = next((p for p in entry.parts if p.key == key), None) if entry else None
        if talk is None or entry is None or part is None:
            return
        try:
            call = await self.browser.ask(
                lambda library: call_whole(library, talk, at, key)
            )
        except RecollectError as error:
            self.fill(at, entry.key, [failed(part, str(error))])
            return
        if talk is self.talk and call is not None:
            self.fill(at, entry.key, [unfolded(part, call)])

    async def _look_through(self, talk: Talk, query: Node, *, lands: bool) -> None:
        """Find out what the messages are, and which of them hold what was asked."""
        ref, counting = talk.conversation.ref, self.browser.counting
        skim = self.skim = await counting.ask(lambda library: library.skim(ref))
        hits = self.hits = await counting.ask(
            lambda library: places_of_hits(library, talk, query, skim.calls)
        )
        if hits and lands and not self.has_moved:
            self.land(hits[0])
        self.browser.tell()
        await asyncio.sleep(_REST)
        forked = await asyncio.to_thread(
            with_forks, self.browser.library, talk, skim.micros
        )
        if forked is not None:
            await self._renew(forked)

    async def _renew(self, talk: Talk) -> None:
        """Show the same messages with what else is known by now."""
        rows = self.view
        if rows:
            first, last = talk.block(rows[0].at, rows[-1].at + 1)
            found = await self.browser.ask(
                lambda library: entries(library, talk, first, last)
            )
            self.talk = talk
            self.renew(first, found)

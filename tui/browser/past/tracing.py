"""Where a record comes from: its versions, its makers, and the ways to all of these."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace
from textual import on

from store.library import Library, Record
from tui.browser.panes import ReadingPane
from tui.browser.transcript.talking import Talking

if TYPE_CHECKING:
    from store.records.version import Version
    from tui.browser.past.origins import Origin

_GO = "go"


class Tracing(Talking):
    """Follows records back to who made them, and on to what was made of them."""

    @on(ReadingPane.TabShown)
    async def _history_asked(self, event: ReadingPane.TabShown) -> None:
        """Look up the past of a file when somebody wants to know it."""
        from tui.browser.data.history import has_history, history
        from tui.browser.pages import BLAME, HISTORY

        opened = self.opened
        if event.name not in {HISTORY, BLAME} or opened is None:
            return
        if opened.history is None and has_history(opened.record):
            told = await self.ask(lambda library: history(library, opened.record))
            if self.opened is opened:
                self.read(replace(opened, history=told))

    def show_version(self, number: int) -> None:
        """Show what a version of the record changed."""
        known = self.opened.history if self.opened else None
        if known is None or number >= len(known.versions):
            return
        version = known.versions[number]
        self.push_screen(
            self.popups.version_question(version, self.palette),
            partial(self._after_version, version),
        )

    async def _after_version(self, version: "Version", answer: str | None) -> None:
        """Go to the message that made a version, if that is wanted."""
        if answer == _GO and version.ref:
            await self.land(version.ref, version.conversation)

    def action_walk_links(self, step: int) -> None:
        """Go to another link of the text."""
        self.base.query_one(ReadingPane).next_link(step)

    async def action_to_writer(self) -> None:
        """Go to the message that wrote this."""
        from tui.browser.past.origins import writers

        await self._choose("who wrote this", writers, "Nothing tells who wrote this.")

    async def action_to_teller(self) -> None:
        """Go to the episode that tells of this."""
        from tui.browser.past.origins import tellers

        await self._choose("what tells of this", tellers, "No episode tells of this.")

    async def action_to_memories(self) -> None:
        """Go to the memories that this wrote or tells of.

        In a transcript those that the message wrote which is pointed at go first.
        """
        from tui.browser.past.origins import memories, memories_told

        entry = self.transcript.entry if self.transcript else None
        is_read = entry is not None and self.is_reading_focused
        find = partial(memories_told, entry.name) if entry and is_read else memories
        await self._choose("memories of this", find, "No memory has to do with this.")

    async def action_to_problems(self) -> None:
        """List what is wrong with the file that the record stands in."""
        from store.search.language.printing import written
        from store.search.language.tree import All, Named

        record = self.table.at_cursor
        path = getattr(record, "path", "")
        terms = [Named("path", (path,))]
        if record and len(self.stores or self.library.chosen) > 1:
            terms.append(Named("store", (record.store,)))
        tree = All(tuple(terms))
        if await self.ask(lambda library: library.count("problems", tree)):
            await self.go("problems", None, written(tree))
        else:
            self.message = "Nothing is wrong with this, as far as is known."

    async def action_pinned_memories(self) -> None:
        """List what is pinned."""
        await self.go("memories", None, "is:vault")

    async def land(self, ref: str, within: str | None) -> None:
        """Go to a record; to a message where it was said, to read on from there.

        Where the list stands above it, it gives way: few lines are no place to read.
        """
        from store.search.language.printing import written
        from store.search.language.tree import Named
        from tui.browser.leading import kind_of

        text = written(Named("conversation", (within,))) if within else ""
        await self.go(kind_of(ref), ref, text)
        if within:
            if self.side.size.width == self.size.width:
                self.zoom("zoom-side")
            self.side.focus()

    async def _choose(
        self,
        title: str,
        find: "Callable[[Library, Record], Sequence[Origin]]",
        nothing: str,
    ) -> None:
        """Go to what is found; where that is several, one is chosen first."""
        record = self.table.at_cursor
        if record is None:
            return
        found = await self.ask(lambda library: find(library, record))
        if not found:
            self.message = nothing
        elif len(found) == 1:
            await self._go_to_origin(found)(found[0].ref)
        else:
            menu = self.popups.origins_menu(found)
            picker = self.popups.Picker(title, menu, self.palette)
            self.push_screen(picker, self._go_to_origin(found))

    def _go_to_origin(
        self, found: "Sequence[Origin]"
    ) -> Callable[[str | None], Awaitable[None]]:
        """What goes to the one that is chosen."""
        within = {one.ref: one.within for one in found}

        async def go(ref: str | None) -> None:
            if ref is not None:
                await self.land(ref, within.get(ref))

        return go

"""Provenance of a record, and the stores as of another date."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from msgspec import Struct

from store.clean import clean
from store.errors import CatalogueError, RecollectError
from store.library import Library, PastLibrary, Record
from store.past.rebuild import end_of_day
from store.records.answers import Version
from store.search.edit import written
from store.search.tree import All, Named
from tui.browser.bars import VIEWS
from tui.browser.dialogs import Dialogs
from tui.browser.display import Display, Part
from tui.browser.layout import Layout
from tui.browser.lists import Lists
from tui.browser.live import Live
from tui.browser.pages import diff_body
from tui.browser.popups.popup import Choice
from tui.browser.popups.question import Answer, Question
from tui.browser.reader import RecordReader
from tui.browser.record import (
    Origin,
    has_history,
    history,
    kind_of,
    memories,
    memories_told,
    tellers,
    writers,
)
from tui.browser.rooms.days import FUTURE, DatePopup, day_of
from tui.browser.session import Session
from tui.browser.status import Status
from tui.browser.transcript import OpenTranscript
from tui.browser.worker import Worker
from widgets.calendar import MEMORIES, Counted
from widgets.memory_table import MemoryTable
from widgets.page import Facts, Joined, Plain
from widgets.rows import Held
from widgets.styles import Palette
from widgets.table import told

if TYPE_CHECKING:
    from store.past.lookback import Lookback
    from tui.browser.record import Opened

# Provenance: the records to choose from, and the diff of a version.

_GO = Answer("go", "↵", "go to the message")
_CLOSE = Answer("close", "↵", "close")


def origins_menu(found: Sequence[Origin]) -> list[Choice[str]]:
    """Records to go to, in the given order."""
    return [
        Choice(
            one.ref,
            told(one.title),
            before=[(f"{one.when} " if one.when else "", "muted")],
            detail=told(one.title),
        )
        for one in found
    ]


def version_question(version: Version, palette: Palette) -> Question:
    """Show what a version changed, and offer to go to its message."""
    title = f"{version.by}: {clean(version.what)}"
    answers = (_GO,) if version.conversation else (_CLOSE,)
    question = Question(title, diff_body(version), answers, palette)
    question.leaving = _CLOSE.word
    return question


# The differences between an earlier state and the present.

_WAY_BACK = (
    "In the list, esc returns to the present, @ chooses another day, g@ is this."
)


def since_then_question(lookback: "Lookback", palette: Palette) -> Question:
    """Show how an earlier state differs from the present, and how exact it is."""
    facts = [
        (view.label, _told(*lookback.differences[view.kind]))
        for view in VIEWS
        if any(lookback.differences[view.kind])
    ]
    told = "Changed since then:" if facts else "No changes since then."
    notes = "\n\n".join([_WAY_BACK, *lookback.notes()])
    title = f"as of {lookback.when} · read-only"
    body = Joined(Plain(told), Facts(facts), Plain(notes))
    question = Question(title, body, (_CLOSE,), palette)
    question.leaving = _CLOSE.word
    return question


def _told(new: int, changed: int, gone: int) -> str:
    counts = ((new, "new"), (changed, "changed"), (gone, "gone"))
    return " · ".join(f"{count} {word}" for count, word in counts if count)


# Provenance: versions and authors of a record, and the way to related records.


class History(Part):
    """Ways from a record to its versions, its writer, and what its agent read."""

    display: Display
    session: Session
    layout: Layout
    status: Status
    lists: Lists
    reader: RecordReader
    transcript: OpenTranscript
    dialogs: Dialogs

    async def _show_history(self, opened: "Opened") -> None:
        found = await self.session.ask(lambda library: history(library, opened.record))
        self.reader.add_to(opened, history=found)

    def show_version(self, number: int) -> None:
        """Show what a version of the record changed."""
        known = self.reader.opened.history if self.reader.opened else None
        if known is None or number >= len(known.versions):
            return
        version = known.versions[number]
        question = version_question(version, self.dialogs.palette)
        self.display.open(question, partial(self._after_version, version))

    async def _after_version(self, version: Version, answer: str) -> None:
        """Go to the message that made a version, if the user wants that."""
        if answer == _GO.value and version.ref:
            await self.land(version.ref, version.conversation)

    def walk_links(self, step: int) -> None:
        """Move to another link in the text."""
        self.layout.reader.next_link(step)

    async def to_writer(self) -> None:
        """Go to the message that wrote this."""
        unknown = "No message is known to have written this."
        await self._choose("source messages", writers, unknown)

    async def to_teller(self) -> None:
        """Go to the daily-log entry about this record."""
        await self._choose("related episodes", tellers, "No related episodes.")

    async def to_memories(self) -> None:
        """Go to the memories that this record wrote or mentions.

        In a transcript, the memories that the current message wrote come first.
        """
        pane = self.transcript.pane
        entry = pane.text.entry if pane else None
        is_read = entry is not None and self.transcript.is_reading_focused
        find = partial(memories_told, entry.name) if entry and is_read else memories
        await self._choose("related memories", find, "No related memories.")

    async def to_problems(self) -> None:
        """List the problems of the record's file."""
        record = self.lists.table.at_cursor
        path = getattr(record, "path", "")
        terms = [Named("path", (path,))]
        if (
            record
            and len(self.session.stores or self.session.library.stores.chosen) > 1
        ):
            terms.append(Named("store", (record.store,)))
        tree = All(tuple(terms))
        if await self.session.ask(
            lambda library: library.lists.count("problems", tree)
        ):
            await self.lists.go("problems", None, written(tree))
        else:
            self.status.message = "No known problems."

    async def to_pinned(self) -> None:
        """List the pinned memories."""
        await self.lists.go("memories", None, "is:vault")

    async def land(self, ref: str, within: str | None) -> None:
        """Go to a record; show a message in its conversation.

        If the list is above the conversation, it is hidden, to leave enough lines for
        reading.
        """
        text = written(Named("conversation", (within,))) if within else ""
        await self.lists.go(kind_of(ref), ref, text)
        if within:
            if self.transcript.side.size.width == self.display.size.width:
                self.layout.zoom("zoom-side")
            self.transcript.side.focus()

    async def _choose(
        self,
        title: str,
        find: Callable[[Library, Record], Sequence[Origin]],
        nothing: str,
    ) -> None:
        """Go to the record found; if there are several, let the user choose."""
        record = self.lists.table.at_cursor
        if record is None:
            return
        found = await self.session.ask(lambda library: find(library, record))
        if not found:
            self.status.message = nothing
        elif len(found) == 1:
            await self.land(found[0].ref, found[0].within)
        else:
            within = {one.ref: one.within for one in found}
            menu = origins_menu(found)
            self.dialogs.offer(title, menu, lambda ref: self.land(ref, within[ref]))

    def load(self, opened: "Opened") -> None:
        """Load the history of a file, for the tabs that show it."""
        if opened.history is None and has_history(opened.record):
            self.display.run_worker(
                partial(self._show_history, opened), group="history", exclusive=True
            )


# Time travel: the browser shows the stores as of a date until the user returns.

_PREFIX = "recollect-past-"
_UNREAD = "Files are still being read; try again once all are."


class _Back(Struct, frozen=True):
    """An earlier state, and the present one to return to."""

    present: Library
    past: PastLibrary
    folder: "TemporaryDirectory[str]"
    """Holds the files of the earlier state; deleted with it."""
    access: str
    reads: bool


class Past(Part):
    """Switches between the present and an earlier state."""

    display: Display
    session: Session
    status: Status
    lists: Lists
    live: Live
    dialogs: Dialogs
    _back: _Back | None = None
    _was_told: bool = False
    """Whether changes were shown since the start; from then on, only on request."""
    _spare: "tuple[Library, TemporaryDirectory[str]] | None" = None
    """A temporary index and its folder, if the real index cannot be written."""

    async def use_spare(self) -> None:
        """Read the stores into a temporary index."""
        with suppress(OSError, CatalogueError):
            folder = TemporaryDirectory(prefix=_PREFIX)
            library = self.session.library.with_catalogue(
                Path(folder.name) / "catalogue.db"
            )
            self._spare = library, folder
            await self._turn_to(library)
            await self.live.read_again()

    async def choose(self) -> None:
        """Choose the day to show."""
        if self._lacks_files():
            return
        days = await self.session.ask(lambda _: self._days())
        counted, palette = Counted.of(days, MEMORIES), self.dialogs.palette
        popup = DatePopup(counted, self._today, palette, title="as of", is_past=True)
        self.display.open(popup, self.choose_day)

    def _lacks_files(self) -> bool:
        """Refuse to compare with an index that lacks files."""
        is_filling = self.session.is_reading and self.session.is_filling
        if is_filling:
            self.status.say(_UNREAD)
        return is_filling

    @property
    def _present(self) -> Library:
        """The stores as they are, also while an earlier state is shown."""
        return self._back.present if self._back else self.session.library

    @property
    def _today(self) -> date:
        return day_of(self._present.stores.now)

    def _days(self) -> Mapping[str, int]:
        """The number of memories of each day, as they are now."""
        with self._present.beside() as library:
            return library.counts.days("memories")

    def back_to_now(self) -> None:
        """Return to the present."""
        self.display.run_worker(self._come_back, group="past", exclusive=True)

    def since_then(self) -> None:
        """Show how the earlier state differs from the present, and how exact it is."""
        if self._back is not None:
            lookback, palette = self._back.past.lookback, self.dialogs.palette
            self.display.push_screen(since_then_question(lookback, palette))

    def choose_day(self, day: int) -> None:
        """Show the stores as they were on a day, if that is not in the future."""
        if self._lacks_files():
            return
        if day > self._today.toordinal():
            self.status.say(FUTURE)
            return
        if day == self._today.toordinal():
            self.back_to_now()
            self.status.say("Today is the present.")
            return
        looking = partial(self._look_back, day)
        self.display.run_worker(looking, group="past", exclusive=True)

    async def _look_back(self, day: int) -> None:
        """Rebuild the stores as of the end of a day and show them."""
        at = end_of_day(date.fromordinal(day))
        self.status.say(f"Rebuilding {date.fromordinal(day)}…")
        present = self._present
        folder = TemporaryDirectory(prefix=_PREFIX)
        try:
            lookback = await asyncio.to_thread(_made, present, at, folder.name)
            past = PastLibrary(lookback)
        except RecollectError as error:
            folder.cleanup()
            self.status.say(str(error))
            return
        await self._come_back(shows=False)
        session = self.session
        self._back = _Back(present, past, folder, session.access, session.reads)
        session.reads = session.is_reading = False
        session.access = f"as of {past.lookback.when} · read-only"
        self.status.message = ""
        await self._turn_to(past)
        if not self._was_told:
            self._was_told = True
            self.since_then()

    async def _come_back(self, *, shows: bool = True) -> None:
        """Return to the present; `shows` is whether to show it at once."""
        back, self._back = self._back, None
        if back is None:
            return
        self.session.access, self.session.reads = back.access, back.reads
        await self._turn_to(back.present, shows=shows)
        _let_go(back)
        if shows:
            await self.live.read_again()

    async def _turn_to(self, library: Library, *, shows: bool = True) -> None:
        """Use another library from now on."""
        spot = self.lists.spot
        self.status.leave_behind()
        await self.live.stop()
        await Worker.turn_all(self.session.library, library)
        self.session.library = library
        for listing in self.lists.listings.values():
            listing.table.set_rows(Held(()), keeps=False)
            face = listing.table.face
            if isinstance(face, MemoryTable):
                face.be_at(library.stores.now)
        if shows:
            self.session.counts = await self.session.list_worker.ask(_counts)
            await self.lists.show(self.lists.kind, spot.ref)
            self.status.tell()

    def close(self) -> None:
        """Remove the files of an earlier state and a temporary index."""
        back, self._back = self._back, None
        if back is not None:
            _let_go(back)
        if self._spare is not None:
            library, folder = self._spare
            library.close()
            folder.cleanup()

    def note_unwritable(self) -> None:
        """Use a temporary index if the real one can't be written."""
        if self._spare is None:
            self.display.run_worker(self.use_spare, group="past", exclusive=True)


def _counts(library: Library) -> dict[str, int]:
    return {view.kind: library.lists.count(view.kind) for view in VIEWS}


def _made(present: Library, at: int, folder: str) -> "Lookback":
    """Rebuild the stores as of a time; runs in a thread."""
    with present.beside() as library:
        return library.history.look_back(at, Path(folder))


def _let_go(back: _Back) -> None:
    back.past.close()
    back.folder.cleanup()

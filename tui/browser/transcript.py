"""The transcript pane and its integration into the browser."""

import asyncio
import os
import shlex
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct, field
from textual.containers import Container
from textual.message import Message as Event
from textual.widget import Widget

from store.answers.conversations import Call, Opening, Skim
from store.clean import clean
from store.errors import GivenUpError, RecollectError
from store.kinds.conversations import Conversation
from store.kinds.messages import Message
from store.library import Record
from store.search.parse import parse
from store.search.tree import Node
from store.text import regex
from tui.browser.bars import counted
from tui.browser.conversation import (
    AGENT,
    Begun,
    Talk,
    begin,
    call_whole,
    entries,
    failed,
    places_of_hits,
    spelt,
    text_of,
    unfolded,
    with_forks,
)
from tui.browser.display import Display, Part
from tui.browser.layout import Layout
from tui.browser.lists import Lists
from tui.browser.panes import show_file
from tui.browser.popups.popup import Choice, Picker, Popup
from tui.browser.record import kind_of
from tui.browser.session import Session
from tui.browser.status import Status
from tui.output.text import to_the_minute
from tui.terminal.programs import Clipboard
from widgets.page import blocks_for
from widgets.sheet import Pieces, TextSheet
from widgets.styles import Palette
from widgets.table import told
from widgets.text import Look
from widgets.transcript import Transcript
from widgets.transcript_cursor import EntriesWanted, Followed, WholeWanted
from widgets.transcript_layout import CALL, EVERYTHING, FAILED, MARK, SAID

# The command that resumes a session.

_SESSION = regex(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def resuming(conversation: Conversation) -> str | None:
    """The command; None if the conversation is not a session of its agent."""
    session = conversation.session or ""
    if not _SESSION.fullmatch(session):
        return None
    command = shlex.join(["claude", "--resume", session])
    if not conversation.cwd:
        return command
    return f"cd {shlex.quote(conversation.cwd)} && {command}"


def folder_told(conversation: Conversation) -> str:
    """A sentence about whether the session's folder still exists."""
    if not conversation.cwd:
        return "Folder unknown."
    try:
        is_there = Path(conversation.cwd).is_dir()
    except (OSError, ValueError):
        is_there = False
    return "Its folder exists." if is_there else "Its folder no longer exists."


# Menus of a transcript: prompts, modes, code blocks.


class Mode(Struct, frozen=True):
    """Which parts of a transcript are shown."""

    title: str
    told: str
    """The message in the status bar."""
    kinds: frozenset[str] = EVERYTHING
    """The kinds of parts shown."""
    messages: tuple[str, ...] | None = None
    """The kinds of messages shown; None for all."""

    def shown(self, skim: Skim) -> bytes | None:
        """For each message, whether it is shown, as a byte; None if all are."""
        if self.messages is None and self.kinds == EVERYTHING:
            return None
        shown = bytearray(len(skim.kinds))
        places = skim.of_kind(*self.messages) if self.messages else skim.failed
        for place in places:
            shown[place] = 1
        return bytes(shown)


ALL, TALK, PROMPTS, ERRORS = "all", "talk", "prompts", "errors"

MODES: Mapping[str, Mode] = {
    ALL: Mode("everything", "Showing everything."),
    TALK: Mode(
        "messages only",
        "Hiding tools and thinking.",
        frozenset({SAID, MARK}),
        ("prompt", "reply", "summary"),
    ),
    PROMPTS: Mode(
        "prompts only", "Showing prompts only.", frozenset({SAID}), ("prompt",)
    ),
    ERRORS: Mode("errors only", "Showing errors only.", frozenset({FAILED})),
}
"""The modes of a transcript, by name."""


def modes_menu(current: str) -> list[Choice[str]]:
    """The modes of a transcript."""
    return [
        Choice(
            name,
            mode.title,
            before=[("✓ " if name == current else "  ", "marked")],
            detail=mode.told,
        )
        for name, mode in MODES.items()
    ]


def outline_menu(openings: Sequence[Opening]) -> list[Choice[int]]:
    """The prompts of a conversation, in order."""
    return [
        Choice(
            one.number,
            told(" ".join(one.text.split())) or "…",
            before=[(f"{to_the_minute(one.at or ''):16} ", "faint")],
        )
        for one in openings
    ]


def code_menu(pieces: Sequence[str]) -> list[Choice[int]]:
    """The code blocks, by their first line."""
    return [
        Choice(
            number,
            told(piece.strip().partition("\n")[0]),
            right=[(f"{piece.count(chr(10)) + 1} lines", "muted")],
        )
        for number, piece in enumerate(pieces)
    ]


# Going to a time in a conversation.

_TIME = regex(r"(\d{1,2})(?::(\d{1,2}))?")
_LAST_HOUR, _LAST_MINUTE = 23, 59
_MANY = 100
"""Maximum days offered for a typed time."""


class TimePopup(Popup[int]):
    """Returns the position of the first message at or after a time."""

    def __init__(self, micros: Sequence[int], palette: Palette) -> None:
        """`micros` are the times of the messages, in ascending order."""
        super().__init__("go to time", "14:30, or part of a date", palette)
        self._micros = micros
        self._hours = Counter(_hour(one) for one in micros if one)

    def rows(self, typed: str) -> Sequence[Choice[int]]:
        """A typed time on each day, then the hours that match the typed text."""
        wanted = typed.strip()
        found = [*self._exact(wanted), *self._like(wanted)]
        return list({choice.value: choice for choice in reversed(found)}.values())[::-1]

    @property
    def nothing(self) -> str:
        """The message if nothing was written then."""
        return "No messages at that time."

    def _exact(self, wanted: str) -> Iterator[Choice[int]]:
        """The first message at or after a time, for each day that has one."""
        time = _TIME.fullmatch(wanted)
        if time is None:
            return
        hour, minute = int(time[1]), int(time[2] or 0)
        if hour > _LAST_HOUR or minute > _LAST_MINUTE:
            return
        days = dict.fromkeys(hour // 24 for hour in self._hours)
        for day in list(days)[:_MANY]:
            micros = ((day * 24 + hour) * 60 + minute) * 60_000_000
            place = bisect_left(self._micros, micros)
            if place < len(self._micros):
                when = spelt(self._micros[place])
                yield Choice(place, when, "first message from then")

    def _like(self, wanted: str) -> Iterator[Choice[int]]:
        for hour, count in self._hours.items():
            micros = hour * 3_600_000_000
            title = spelt(micros)
            if wanted in title:
                place = bisect_left(self._micros, micros)
                yield Choice(place, title, counted(count, "messages"))


def _hour(micros: int) -> int:
    return micros // 3_600_000_000


# A transcript that loads its messages from the library as they come into view.

_REST = 0.06
"""Seconds before branches are loaded; this takes longest and can wait."""


class TalkPane(Part):
    """Shows a conversation; messages are loaded as they come into view."""

    display: Display
    session: Session
    status: Status
    text: Transcript
    """The pane."""
    talk: Talk | None = None
    """The open conversation."""
    skim: Skim | None = None
    """The kinds of its messages, once loaded."""
    hits: Sequence[int] = ()
    """The positions of query hits, once loaded."""
    _left: dict[str, int] = field(default_factory=dict[str, int])
    """The last position in each conversation."""

    def read(self, begun: Begun, title: Pieces, query: Node) -> None:
        """Show a conversation; if it is already open, the position stays."""
        talk, before = begun.talk, self.talk
        self.talk = talk
        if before is not None:
            self._left[before.conversation.ref] = self.text.reading.spot.at
        if before is not None and before.goes_on_with(talk):
            if len(before.numbers) < len(talk.numbers):
                self.text.extend(len(talk.numbers))
        else:
            self.skim, self.hits = None, ()
            self.text.show(title, len(talk.numbers))
            self.text.bring(begun.first, begun.entries)
            if begun.at is None:
                left = self._left.get(talk.conversation.ref, 0)
                if left:
                    self.text.go(left)
        if begun.at is not None:
            self.text.land(begun.at)
        self.display.run_worker(
            partial(self._look_through, talk, query, lands=begun.at is None),
            group="skim",
            exclusive=True,
        )

    def wanted(self, event: EntriesWanted) -> None:
        """Load messages that come into view."""
        self.display.run_worker(
            partial(self._bring, event.first, event.last),
            group="entries",
            exclusive=True,
        )

    def whole_wanted(self, event: WholeWanted) -> None:
        """Load the details of a call."""
        self.display.run_worker(partial(self._fill, event.at, event.key), group="whole")

    async def call(self) -> Call | None:
        """The call at the cursor with all its details; None if it is not a call."""
        talk, part = self.talk, self.text.part
        at = self.text.reading.spot.at
        if talk is None or part is None or part.kind not in {CALL, FAILED}:
            return None
        try:
            return await self.session.ask(
                lambda library: call_whole(library, talk, at, part.key)
            )
        except RecollectError:
            return None

    async def _bring(self, first: int, last: int) -> None:
        """Load messages, again if their conversation grew meanwhile."""
        before, talk = None, self.talk
        while talk and (before is None or before.goes_on_with(talk)):
            found = await self.session.ask(
                lambda library, talk=talk: entries(library, talk, first, last)
            )
            if talk is self.talk:
                self.text.bring(first, found)
                return
            before, talk = talk, self.talk

    async def _fill(self, at: int, key: str) -> None:
        """Load the details of a call, or show why that fails."""
        talk = self.talk
        entry = self.text.reading.layout.entry(at)
        part = next((p for p in entry.parts if p.key == key), None) if entry else None
        if talk is None or entry is None or part is None:
            return
        try:
            call = await self.session.ask(
                lambda library: call_whole(library, talk, at, key)
            )
        except RecollectError as error:
            self.text.fill(at, entry.key, [failed(part, str(error))])
            return
        is_open = self.talk is not None and talk.goes_on_with(self.talk)
        if is_open and call is not None:
            self.text.fill(at, entry.key, [unfolded(part, call)])

    async def _look_through(self, talk: Talk, query: Node, *, lands: bool) -> None:
        """Load the kinds of messages and the positions of query hits."""
        ref, counting = talk.conversation.ref, self.session.count_worker
        skim = self.skim = await counting.ask(
            lambda library: library.conversations.skim(ref)
        )
        hits = self.hits = await counting.ask(
            lambda library: places_of_hits(library, talk, query, skim.calls)
        )
        if hits and lands and not self.text.has_moved:
            self.text.land(hits[0])
        self.status.tell()
        await asyncio.sleep(_REST)
        forked = await asyncio.to_thread(
            with_forks, self.session.library, talk, skim.micros
        )
        if forked is not None:
            await self._renew(forked)

    async def _renew(self, talk: Talk) -> None:
        """Show the same messages with additional facts."""
        rows = self.text.view
        if rows:
            first, last = talk.block(rows[0].at, rows[-1].at + 1)
            found = await self.session.ask(
                lambda library: entries(library, talk, first, last)
            )
            self.talk = talk
            self.text.renew(first, found)


# What can be done in an open conversation.

_NOT_YET = "Still reading the messages. Try again in a moment."


class TalkCommands(Part):
    """What can be done in an open conversation."""

    display: Display
    session: Session
    layout: Layout
    status: Status
    lists: Lists
    clipboard: Clipboard
    pane: TalkPane
    mode: str = ALL
    """The name of the current mode."""

    def hit(self, step: int) -> None:
        """Go to another hit."""
        self.pane.text.next_hit(step, self.pane.hits)

    def prompt(self, step: int) -> None:
        """Go to the next or previous prompt."""
        prompts = self.pane.skim.of_kind("prompt") if self.pane.skim else ()
        at = self.pane.text.reading.spot.at
        ahead = [one for one in prompts if (one > at if step > 0 else one < at)]
        if ahead:
            self.pane.text.go(ahead[0] if step > 0 else ahead[-1])
        elif step < 0:
            self.pane.text.top()

    def conversation(self, step: int) -> None:
        """Open another conversation of the list while this pane keeps the focus."""
        self.lists.table.move(step)

    def follow_part(self) -> None:
        """Follow the part at the cursor; expand it if it is not a link."""
        if not self.pane.text.follow():
            self.pane.text.toggle()

    async def outline(self) -> None:
        """Choose a prompt to go to."""
        talk = self.pane.talk
        if talk is not None:
            ref = talk.conversation.ref
            openings = await self.session.ask(
                lambda library: library.conversations.openings(ref)
            )
            here = talk.numbers[self.pane.text.reading.spot.at]
            before = [one.number for one in openings if one.number <= here]
            picker = Picker(
                "prompts",
                outline_menu(openings),
                self.layout.palette,
                current=before[-1] if before else None,
            )
            self.display.open(picker, self._go_to_number)

    def go_to_time(self) -> None:
        """Ask for a time and go to it."""
        if self.pane.skim is None:
            self.status.message = _NOT_YET
        else:
            popup = TimePopup(self.pane.skim.micros, self.layout.palette)
            self.display.open(popup, self._go_to_place)

    def show_kinds(self) -> None:
        """Choose a mode."""
        if self.pane.skim is None:
            self.status.message = _NOT_YET
        else:
            menu, palette = modes_menu(self.mode), self.layout.palette
            picker = Picker("show", menu, palette, current=self.mode)
            self.display.open(picker, self._take_mode)

    async def copy_record(self, what: str) -> None:
        """Copy a part of the current message."""
        talk, text = self.pane.talk, self.pane.text
        entry, part = text.entry, text.part
        if talk is None or entry is None or what == "query":
            self.status.message = self.clipboard.copied(self.lists.text)
            return
        conversation = talk.conversation
        match what:
            case "ref":
                told = entry.name
            case "path":
                told = os.path.join(conversation.store, conversation.source)  # noqa: PTH118  # only text; the path need not exist
            case "title":
                told = conversation.title
            case "link":
                told = f"[[{conversation.title}]]"
            case _:
                told = await self._text() if part else ""
        self.status.message = self.clipboard.copied(told)

    async def copy_code(self) -> None:
        """Copy a code block, or the command of a tool call."""
        part = self.pane.text.part
        if part is not None and part.kind != SAID:
            call = await self.pane.call()
            pieces = [call.text] if call and call.text else []
        else:
            pieces = blocks_for(Look(0)).codes(part.text) if part else []
        if len(pieces) > 1:
            picker = Picker("code", code_menu(pieces), self.layout.palette)
            self.display.open(picker, partial(self._copy_piece, pieces))
        elif pieces:
            self.status.message = self.clipboard.copied(pieces[0])
        else:
            self.status.message = "No code at the cursor."

    def copy_resume(self) -> None:
        """Copy the command that resumes the session."""
        conversation = self.pane.talk.conversation if self.pane.talk else None
        command = resuming(conversation) if conversation else None
        if conversation is None or command is None:
            self.status.message = "This conversation can't be resumed."
        else:
            told = folder_told(conversation)
            self.status.message = f"{told} {self.clipboard.copied_command(command)}"

    async def show_file(self) -> None:
        """Show the file of a call, or the transcript at the current line."""
        talk, entry = self.pane.talk, self.pane.text.entry
        if talk is None or entry is None:
            return
        call = await self.pane.call()
        if call is not None and call.file:
            path = os.path.join(talk.conversation.cwd or "/", call.file)  # noqa: PTH118  # a path as written in the transcript
            failure = show_file(self.display, "/", path, call.line)
        else:
            conversation = talk.conversation
            line = talk.order.lines[self.pane.text.reading.spot.at]
            failure = show_file(
                self.display, conversation.store, conversation.source, line
            )
        self.status.message = clean(failure)

    async def _text(self) -> str:
        """The text of the part at the cursor; for a call, all of it."""
        call, part = await self.pane.call(), self.pane.text.part
        return text_of(call) if call else part.text if part else ""

    def _copy_piece(self, pieces: Sequence[str], number: int) -> None:
        self.status.say(self.clipboard.copied(pieces[number]))

    def _go_to_number(self, number: int) -> None:
        place = self.pane.talk.place(number) if self.pane.talk else None
        if place is not None:
            self._go_to_place(place)

    def _go_to_place(self, place: int) -> None:
        """Go to a message; a tool result is shown with its call."""
        skim = self.pane.skim
        self.pane.text.go(skim.calls[place] if skim else place)

    def _take_mode(self, name: str) -> None:
        if self.pane.skim is not None:
            self.mode = name
            mode = MODES[name]
            self.pane.text.show_only(mode.shown(self.pane.skim), mode.kinds)
            self.status.say(mode.told)

    async def followed(self, event: Followed) -> None:
        """Go to a memory that was written, or to the transcript of a sub-agent."""
        ref: str | None = event.target.text
        talk = self.pane.talk
        if event.target.kind == AGENT and talk is not None:
            call = await self.pane.call()
            name, here = call.agent if call else None, talk.conversation.ref
            ref = name and await self.session.ask(
                lambda library: library.conversations.agent_of(here, name)
            )
        if ref:
            await self.lists.go(kind_of(ref), ref, "")
        else:
            self.status.say("No transcript of that sub-agent.")


# Conversations open in their own pane, whatever list they are in.

_SHOWN = "talk"
"""The class of the body while a conversation is open."""


class OpenTranscript(Part):
    """The conversation of the record at the cursor, in a pane of its own."""

    display: Display
    session: Session
    layout: Layout
    lists: Lists
    talk: TalkPane
    """The open conversation, shown or not."""
    commands: TalkCommands

    async def take(self, event: Event) -> None:
        """Handle what the transcript reports."""
        match event:
            case EntriesWanted():
                self.talk.wanted(event)
            case WholeWanted():
                self.talk.whole_wanted(event)
            case Followed():
                await self.commands.followed(event)
            case _:
                pass

    async def is_read(self, record: Record | None) -> bool:
        """Open the conversation of a record; returns whether there is one."""
        try:
            return await self._read(record)
        except GivenUpError:
            raise
        except RecollectError:  # the reader shows why
            return False

    @property
    def pane(self) -> TalkPane | None:
        """The open conversation, if it is shown."""
        is_shown = self.display.body.has_class(_SHOWN)
        return self.talk if is_shown else None

    @property
    def side(self) -> TextSheet:
        """The widget for reading."""
        pane = self.pane
        return pane.text.sheet if pane else self.layout.reader.text.sheet

    @property
    def is_focused(self) -> bool:
        """Whether the open conversation has the focus."""
        return self.display.focused is self.talk.text.sheet

    @property
    def is_reading_focused(self) -> bool:
        """Whether the pane for reading has the focus."""
        return self.display.focused is not None and self.display.focused is self.read_in

    @property
    def read_in(self) -> Widget:
        """The widget that gets the focus for reading."""
        graph = self.layout.graph
        return graph.lines.sheet if graph else self.side

    async def _read(self, record: Record | None) -> bool:
        """Open the conversation of a record; returns whether there is one."""
        if not isinstance(record, Conversation | Message):
            return False
        begun = await self.session.worker.ask_once(
            lambda library: begin(library, record)
        )
        if begun is None:
            return False
        await self._mount()
        self.talk.text.seek(self.lists.listing.sought)
        title = clean(begun.talk.conversation.title)
        self.talk.read(
            begun, [(title, "strong")], parse(self.lists.text, [self.lists.kind]).tree
        )
        return True

    async def _mount(self) -> None:
        """Mount the transcript at its first use."""
        sheet = self.talk.text.sheet
        if not sheet.is_attached:
            side = self.display.base.query_one("#side", Container)
            await side.mount(sheet, after=self.layout.reader.text.sheet)
            self.layout.paint()

    def show(self, *, is_shown: bool) -> None:
        """Show the transcript instead of the reader, or the reader again."""
        body = self.display.body
        if body.has_class(_SHOWN) is is_shown:
            return
        had_keys = self.is_reading_focused
        body.set_class(is_shown, _SHOWN)
        if had_keys:
            self.side.focus()

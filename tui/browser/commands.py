"""What can be done now: the focus, the guards, and how a command is run."""

from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from msgspec import field
from textual.widget import Widget

from store.kinds.conversations import Conversation
from store.kinds.memories import Memory
from store.kinds.messages import Message
from store.library import Record
from tui.browser.bars import plural
from tui.browser.dialogs import Dialogs
from tui.browser.display import Display, Part
from tui.browser.layout import COVERING, SCOPES, Layout
from tui.browser.lists import Lists
from tui.browser.plans import Plans
from tui.browser.query import Facets
from tui.browser.query_input import QueryInput
from tui.browser.reader import RecordReader
from tui.browser.session import Journal, Session
from tui.browser.status import Status
from tui.browser.transcript import OpenTranscript
from tui.browser.welcome import Welcome
from tui.browser.worker import formats_seen
from tui.commands.command import (
    SENSELESS,
    TYPING,
    Command,
    Group,
    Scope,
    Situation,
    acts_on_rows,
)
from tui.commands.registry import REGISTRY, Keyed
from tui.keys import Keys
from widgets.lines import Lines
from widgets.reader import Text
from widgets.transcript import Transcript

_WENT_AWAY = "This record no longer exists. Nothing was changed."
_TOO_FAST = "Keys came as fast as pasted text and were ignored. Press the key again."
_TOO_EARLY = "Pressed before this was shown, so ignored. Press the key again."
_COVERED = "Closed the welcome page. Press the key again."
_USED = 5
"""Number of commands that the palette lists as used last."""

_IN_PASSING = TYPING | {Scope.EVERYWHERE, Scope.QUESTION}
_UNNOTED = frozenset({"palette", "leave"})
"""Scopes and commands that do not count as used."""

_CONFIRM = frozenset({"choose", "accept"})
_GIVES_UP = "escape"
_REVIEWED = frozenset({Scope.MEMORIES, Scope.READER})
"""Scopes in which the keys of a review are valid."""


class Focus(Part):
    """Which pane has the focus, and so which keys are valid."""

    display: Display
    session: Session
    layout: Layout
    lists: Lists
    transcript: OpenTranscript
    facets: Facets

    @property
    def scope(self) -> Scope:
        """The scope of the focused pane; each list has its own, and so has a review."""
        scope = self.display.held_scope or self._below_popups
        is_reviewed = self.session.review and scope in _REVIEWED
        return Scope.REVIEW if is_reviewed else scope

    @property
    def _below_popups(self) -> Scope:
        focused = self.display.base.focused
        if isinstance(focused, QueryInput):
            return Scope.QUERY
        scope = SCOPES.get(focused.id or "", Scope.LIST) if focused else Scope.APP
        is_room = scope is Scope.LIST and self.lists.kind in self.lists.rooms
        return self.lists.room.holding if is_room else scope

    @property
    def pane(self) -> Lines[Any] | Text | Transcript:
        """The focused pane; the list if no other pane has the focus."""
        focused, layout = self.display.base.focused, self.layout
        match focused.id if focused else None:
            case "reader":
                return layout.reader.text
            case "transcript":
                return layout.transcript
            case "links":
                return layout.links.lines
            case "seen":
                return layout.seen.lines
            case "facets":
                return self.facets.pane.lines
            case _:
                return self.lists.table

    def next(self) -> None:
        """Focus the next pane."""
        if not self.lists.room.focus_beside(1):
            self.display.top.focus_next()

    def previous(self) -> None:
        """Focus the previous pane."""
        if not self.lists.room.focus_beside(-1):
            self.display.top.focus_previous()

    def toggle_zoom(self) -> None:
        """Show this pane on the whole screen, or all panes again."""
        is_read = self.transcript.is_reading_focused
        pane = "zoom-side" if is_read else "zoom-lists"
        self.layout.zoom("" if self.layout.zoomed else pane)

    def keep(self) -> None:
        """Focus a visible pane if none has the focus."""
        is_open = self.lists.listings and self.display.is_running
        if is_open and not self.display.base.focused:
            is_read = self.layout.zoomed == "zoom-side"
            is_covered = self.display.body.has_class(COVERING)
            lines = self.facets.pane.lines if is_covered else self.lists.table
            pane: Widget = self.transcript.read_in if is_read else lines.sheet
            pane.focus()


class Possible(Part):
    """Decides which commands are possible now, and which keys they have here."""

    session: Session
    layout: Layout
    lists: Lists
    reader: RecordReader
    transcript: OpenTranscript
    journal: Journal
    focus: Focus
    keyed: Keyed
    """The commands with their current keys."""

    @property
    def situation(self) -> Situation:
        """The state that decides which commands are possible."""
        lists, session, journal = self.lists, self.session, self.journal
        record, opened = lists.here, self.reader.opened
        listing = lists.listings.get(lists.kind)
        table = listing.table if listing else None
        key = table.cursor_key if table else None
        laid = self.layout.reader.laid
        return Situation(
            rows=table.count() if table else 0,
            has_record=record is not None,
            is_several=bool(table and key and table.face.keys.is_several(key)),
            is_memory=isinstance(record, Memory),
            is_conversation=isinstance(record, Conversation),
            is_append_only=lists.kind == "episodes",
            marked=len(table.marks) if table else 0,
            links=len(opened.links) if opened else 0,
            leads=len(laid.links) + (not laid.is_done),
            hits=self._hits(record) if lists.text else 0,
            query=lists.text,
            is_past=session.lookback is not None,
            behind=lists.trail.behind,
            ahead=lists.trail.ahead,
            stores=len(session.library.stores.chosen),
            possible=opened.possible if opened else {},
            reverses=frozenset(
                command
                for command, state in _STATES
                if getattr(lists.room if _is_talk(record) else record, state, False)
            ),
            is_mendable=bool(getattr(record, "fix", None)),
            undoable=journal.undoable,
            redoable=journal.redoable,
            elsewhere=journal.elsewhere,
            half_done=len(journal.half_done),
            drafts=journal.drafts,
            read_only=session.read_only(record.store) if record else "",
            has_file=bool(getattr(record, "path", None)) or _is_talk(record),
            is_journal=self.focus.scope is Scope.JOURNALS,
        )

    def key(self, command: str) -> str:
        """The first key of a command in this scope, as displayed; empty if none."""
        keys = self.keyed.keys(self.focus.scope, REGISTRY.command(command))
        return next(iter(keys), "")

    def _hits(self, record: Record | None) -> int:
        """Query hits in the open text or transcript."""
        pane = self.transcript.pane
        is_read = pane is not None and _is_talk(record)
        return len(pane.hits if pane and is_read else self.layout.reader.laid.hits)


_STATES = (("pin", "pinned"), ("archive", "archived"))
"""Commands that a second time undo the state of a record."""


class Commands(Part):
    """Runs commands, if they are possible."""

    display: Display
    status: Status
    lists: Lists
    plans: Plans
    dialogs: Dialogs
    welcome: Welcome
    focus: Focus
    possible: Possible
    perform: Callable[[Command, Situation], Awaitable[str | None]]
    """Runs a command where the focus is; returns why it is not possible."""
    used: deque[str] = field(default_factory=lambda: deque(maxlen=_USED))
    """The ids of the commands used last, newest first."""

    async def run(self, command: str) -> None:
        """Run a command on the list of the query and on the record at the cursor.

        Keys typed before the list is ready wait for it: they are meant for the hits,
        not for the rows that are still shown. If it is not possible, the status bar
        shows why.
        """
        wanted, status = REGISTRY.command(command), self.status
        if self.welcome.covered(wanted):
            status.message, status.is_wrong = _COVERED, False
            status.tell()
            return
        self._note(wanted)
        if acts_on_rows(wanted.scope):
            if not self.lists.is_listed:
                self.lists.when_listed(partial(self.run, command))
                return
            if wanted.group not in {Group.MOVING, Group.MARKING}:
                await self.lists.listing.bring_cursor()
        if wanted.group is Group.CHANGING and not await self._knows_record(wanted):
            self.refuse(_WENT_AWAY)
            status.tell()
            return
        self.welcome.acted(wanted)
        status.message, status.is_wrong = "", False
        why_not = await self.perform(wanted, self.possible.situation)
        if why_not and wanted.group is Group.CHANGING:
            why_not = self._why_unchanged(wanted, why_not)
        if why_not:
            self.refuse(why_not)
        status.tell()
        status.show_again()

    def _why_unchanged(self, command: Command, why_not: str) -> str:
        """Why a command changes nothing: the date that is shown, or the format."""
        record, library = self.lists.here, self.possible.session.library
        if lookback := library.stores.lookback:
            key = self.possible.key("step-back") or ":now"
            return f"You are looking at {lookback.when}; {key} returns."
        if why_not != SENSELESS:
            return why_not
        formats = formats_seen(library, {record.store}) if record else ()
        kind = plural(self.lists.kind)
        for form in formats:
            return f"{command.title} doesn't work on {kind} of the format {form}."
        return SENSELESS

    async def _knows_record(self, command: Command) -> bool:
        """Load what is possible with the record at the cursor; False if it is gone."""
        return await self.plans.knows_record(
            lambda: command.guard(self.possible.situation)
        )

    def hinted(self, hint: str) -> str | None:
        """The command of a hint, which shows one or more of its keys."""
        scope, keyed = self.focus.scope, self.possible.keyed
        for command in REGISTRY.in_scope(scope):
            keys = keyed.keys(scope, command)
            if hint in keys or hint.endswith(tuple(f" {key}" for key in keys)):
                return command.id
        return None

    def _note(self, command: Command) -> None:
        """Remember a command for the palette, unless nobody would look for it there."""
        is_motion = command.group in {Group.MOVING, Group.MARKING}
        if is_motion or command.scope in _IN_PASSING or command.id in _UNNOTED:
            return
        if command.id in self.used:
            self.used.remove(command.id)
        self.used.appendleft(command.id)

    def refuse(self, why_not: str) -> None:
        """Show why something is not possible; use a popup if that is too long."""
        self.status.message = why_not
        if self.dialogs.is_long(why_not):
            self.plans.begin(self.dialogs.show_trouble(why_not, ()))

    def is_meant(self, command: str, time: float, *, is_burst: bool) -> bool:
        """Whether a key press was intended; pasted keys must not change anything.

        The same applies to keys pressed before the question was visible.
        """
        is_early = time < getattr(self.display.top, "shown_at", 0.0)
        is_grave = REGISTRY.command(command).group is Group.CHANGING
        if (is_burst or is_early) and (is_grave or command in _CONFIRM):
            self.status.is_wrong = False
            self.status.say(_TOO_EARLY if is_early else _TOO_FAST)
            return False
        return True

    def meant_nothing(self, keys: Keys) -> None:
        """Report a key without a meaning, and the key that lists all keys."""
        if self.display.is_typing or keys[-1] == _GIVES_UP:
            return
        told = f"{self.possible.keyed.look(keys)} does nothing here."
        key = "" if self.display.is_covered else self.possible.key("keys")
        self.status.is_wrong = False
        self.status.say(f"{told} {key} lists all keys." if key else told)


# Closing what is open, one thing at a time.

_HOW_TO_LEAVE = "Press q to quit"


class Escape(Part):
    """Closes or clears the nearest thing."""

    display: Display
    session: Session
    layout: Layout
    status: Status
    lists: Lists
    transcript: OpenTranscript
    facets: Facets
    focus: Focus
    end_review: Callable[[], None]
    back_to_now: Callable[[], None]
    show_all_stores: Callable[[], None]

    def leave(self) -> None:
        """Close what is open, or quit; filters that are closed stay in the query."""
        if self.focus.scope is Scope.FACETS:
            self.facets.toggle()
        elif not (self._step_in_room() or self._step()):
            self.display.exit()

    def step_back(self) -> None:
        """Close what is open, without ever quitting."""
        if self._step_in_room() or self._step():
            return
        if self.session.only_store:
            self.show_all_stores()
        else:
            self.status.message = _HOW_TO_LEAVE

    def stop(self) -> None:
        """Cancel or close what is open, or show how to quit."""
        if not self._step():
            self.status.message = _HOW_TO_LEAVE

    def _step_in_room(self) -> bool:
        """Go one step back within the room; returns whether there was one."""
        return self.lists.kind in self.lists.rooms and self.lists.room.steps_back()

    def _step(self) -> bool:
        """Close or clear the nearest thing; returns whether there was one."""
        lists = self.lists
        if self.session.review:
            self.end_review()
        elif self.focus.scope is Scope.FACETS:
            self.facets.take_back()
        elif self.layout.zoomed:
            lists.focus()
        elif self.transcript.is_reading_focused or self._is_beside:
            lists.table.sheet.focus()
        elif lists.table.marks:
            lists.table.marks.replace(())
        elif lists.text:
            lists.ask_for("")
        elif self.session.lookback:
            self.back_to_now()
        else:
            return False
        return True

    @property
    def _is_beside(self) -> bool:
        """Whether a pane beside the text has the focus."""
        beside = (self.layout.links.lines.sheet, self.layout.seen.lines.sheet)
        return self.display.base.focused in beside


def _is_talk(record: Record | None) -> bool:
    return isinstance(record, Conversation | Message)

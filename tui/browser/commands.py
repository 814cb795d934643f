"""What can be done now: the scope, the guards, and how a command is run."""

from collections import deque
from functools import partial
from typing import TYPE_CHECKING

from store.kinds.conversations import Conversation
from store.kinds.memories import Memory
from store.kinds.messages import Message
from store.library import Record
from tui.browser.layout import SCOPES
from tui.browser.query_input import QueryInput
from tui.commands.command import TYPING, Command, Group, Scope, Situation, acts_on_rows
from tui.commands.registry import REGISTRY, Keyed, obey
from tui.keys import Keys
from widgets.reader import Reader

if TYPE_CHECKING:
    from tui.browser.app import Browser

_WENT_AWAY = "This record no longer exists. Nothing was changed."
_TOO_FAST = "Ignored pasted input. Press the key again."
_USED = 5
"""Number of commands that the palette lists as used last."""

_IN_PASSING = TYPING | {Scope.EVERYWHERE, Scope.QUESTION}
_UNNOTED = frozenset({"palette", "leave"})
"""Scopes and commands that do not count as used."""

_CONFIRMS = "choose"
_GIVES_UP = "escape"
_REVIEWED = frozenset({Scope.MEMORIES, Scope.READER})
"""Scopes in which the keys of a review are valid."""


class Commands:
    """Decides which commands are possible, and runs them."""

    def __init__(self, browser: "Browser") -> None:
        self._browser = browser
        self.used = deque[str](maxlen=_USED)
        """The ids of the commands used last, newest first."""

    @property
    def keyed(self) -> Keyed:
        """The commands with their current keys."""
        return Keyed(
            REGISTRY, self._browser.chords.keymap, self._browser.layout.colours.is_ascii
        )

    @property
    def scope(self) -> Scope:
        """The scope of the focused pane; each list has its own, and so has a review."""
        over = getattr(self._browser.screen, "holding", None)
        if isinstance(over, Scope):
            scope = over
        elif isinstance(self._browser.layout.base.focused, QueryInput):
            scope = Scope.QUERY
        else:
            focused = self._browser.layout.base.focused
            name = focused.id or "" if focused else None
            scope = Scope.APP if name is None else SCOPES.get(name, Scope.LIST)
        if (
            scope is Scope.LIST
            and self._browser.lists.kind in self._browser.lists.rooms
        ):
            scope = self._browser.lists.room.holding
        return (
            Scope.REVIEW
            if self._browser.session.review and scope in _REVIEWED
            else scope
        )

    @property
    def situation(self) -> Situation:
        """The state that decides which commands are possible."""
        record, opened, session = (
            self._browser.plans.here,
            self._browser.reader.opened,
            self._browser.session,
        )
        listing = self._browser.lists.listings.get(self._browser.lists.kind)
        table = listing.table if listing else None
        reader = self._browser.layout.reader
        key = table.cursor_key if table else None
        return Situation(
            rows=table.count() if table else 0,
            has_record=record is not None,
            is_several=bool(table and key and table.face.keys.is_several(key)),
            is_memory=isinstance(record, Memory),
            is_conversation=_is_conversation(record),
            is_append_only=self._browser.lists.kind == "episodes",
            marked=len(table.marks) if table else 0,
            links=len(opened.links) if opened else 0,
            leads=len(reader.laid.links) + (not reader.laid.is_done),
            hits=self._hits(record, reader) if self._browser.lists.text else 0,
            query=self._browser.lists.text,
            is_past=self._browser.session.lookback is not None,
            behind=self._browser.lists.trail.behind,
            ahead=self._browser.lists.trail.ahead,
            stores=len(session.library.stores.chosen),
            possible=opened.possible if opened else {},
            is_mendable=bool(getattr(record, "fix", None)),
            undoable=self._browser.plans.undoable,
            redoable=self._browser.plans.redoable,
            elsewhere=self._browser.plans.elsewhere,
            half_done=len(self._browser.plans.half_done),
            drafts=self._browser.plans.drafts,
            read_only=self._browser.plans.read_only(record.store) if record else "",
            has_file=bool(getattr(record, "path", None)) or _is_talk(record),
            is_journal=self.scope is Scope.JOURNALS,
        )

    def _hits(self, record: Record | None, reader: Reader) -> int:
        """Query hits in the open text or transcript."""
        pane = self._browser.transcript.pane
        return len(pane.hits if pane and _is_talk(record) else reader.laid.hits)

    async def run(self, command: str) -> None:
        """Run a command on the list of the query and on the record at the cursor.

        Keys typed before the list is ready wait for it: they are meant for the hits,
        not for the rows that are still shown. If it is not possible, the status bar
        shows why.
        """
        wanted, status = REGISTRY.command(command), self._browser.status
        self._note(wanted)
        if acts_on_rows(wanted.scope):
            if not self._browser.lists.is_listed:
                self._browser.lists.when_listed(partial(self._browser.obey, command))
                return
            if wanted.group not in {Group.MOVING, Group.MARKING}:
                await self._browser.lists.listing.bring_cursor()
        if (
            wanted.group is Group.CHANGING
            and not await self._browser.plans.knows_record(command)
        ):
            self.refuse(_WENT_AWAY)
            self._browser.status.tell()
            return
        self._browser.welcome.acted(wanted)
        self._browser.status.message, self._browser.status.is_wrong = "", False
        why_not = await obey(self._browser, wanted, self.situation)
        if why_not:
            self.refuse(why_not)
        self._browser.status.tell()
        status.show_again()

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
        self._browser.status.message = why_not
        if self._browser.dialogs.is_long(why_not):
            self._browser.plans.begin(self._browser.dialogs.show_trouble(why_not, ()))

    def is_meant(self, command: str, time: float, *, is_burst: bool) -> bool:
        """Whether a key press was intended; pasted keys must not change anything.

        The same applies to keys pressed before the question was visible.
        """
        is_early = time < getattr(self._browser.screen, "shown_at", 0.0)
        is_grave = REGISTRY.command(command).group is Group.CHANGING
        if (is_burst or is_early) and (is_grave or command == _CONFIRMS):
            self._browser.status.message, self._browser.status.is_wrong = (
                _TOO_FAST,
                True,
            )
            self._browser.status.tell()
            return False
        return True

    def meant_nothing(self, keys: Keys) -> None:
        """Report a key without a meaning, and the key that lists all keys."""
        if self._browser.is_typing or keys[-1] == _GIVES_UP:
            return
        looks = self.keyed.look(keys)
        self._browser.status.message, self._browser.status.is_wrong = (
            f"{looks} does nothing here.",
            False,
        )
        told = self.keyed.keys(self.scope, REGISTRY.command("keys"))
        if told and self._browser.screen is self._browser.layout.base:
            self._browser.status.message += f" {told[0]} lists all keys."
        self._browser.status.tell()


# Closing what is open, one thing at a time.

_HOW_TO_LEAVE = "Press q to quit"


class Escape:
    """Closes or clears the nearest thing."""

    def __init__(self, browser: "Browser") -> None:
        self._browser = browser

    def leave(self) -> None:
        """Close what is open, or quit."""
        if not (self._step_in_room() or self._step()):
            self._browser.exit()

    def step_back(self) -> None:
        """Close what is open, without ever quitting."""
        if not (self._step_in_room() or self._step()):
            self._browser.status.message = _HOW_TO_LEAVE

    def stop(self) -> None:
        """Cancel or close what is open, or show how to quit."""
        if not self._step():
            self._browser.status.message = _HOW_TO_LEAVE

    def _step_in_room(self) -> bool:
        """Go one step back within the room; returns whether there was one."""
        lists = self._browser.lists
        return lists.kind in lists.rooms and lists.room.steps_back()

    def _step(self) -> bool:
        """Close or clear the nearest thing; returns whether there was one."""
        browser = self._browser
        lists = browser.lists
        if browser.session.review:
            browser.plans.begin(browser.parts.review.end())
        elif browser.commands.scope is Scope.FACETS:
            browser.facets.take_back()
        elif browser.layout.zoomed:
            browser.layout.back_to_list()
        elif browser.transcript.is_reading_focused or self._is_beside:
            lists.table.sheet.focus()
        elif lists.table.marks:
            lists.table.marks.replace(())
        elif lists.text:
            browser.queries.ask_for("")
        elif browser.session.lookback:
            browser.parts.past.back_to_now()
        else:
            return False
        return True

    @property
    def _is_beside(self) -> bool:
        """Whether a pane beside the text has the focus."""
        layout = self._browser.layout
        beside = (layout.links.lines.sheet, layout.seen.lines.sheet)
        return layout.base.focused in beside


def _is_conversation(record: Record | None) -> bool:
    return isinstance(record, Conversation)


def _is_talk(record: Record | None) -> bool:
    return isinstance(record, Conversation | Message)

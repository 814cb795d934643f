"""An application whose keys come from the keymap: chords, the user's keys, and all.

Textual binds keys to classes and knows no sequences; here every key is looked up in the
keymap first, and only what means nothing there goes on to Textual and its widgets.
"""

import math
from collections import deque
from time import monotonic

from textual import events, on
from textual.app import App
from textual.driver import Driver
from textual.message import Message
from textual.widget import Widget

from tui.keys.bursts import Bursts
from tui.keys.chords import Chords, Nothing, Pending, Resolved
from tui.keys.keymap import Keymap
from tui.keys.names import Keys, is_printed, pressed

_ALT = "alt+"
_SHIFT = "shift+"

_KEYPAD_ENTER = "ctrl+j"
"""What the enter key of a keypad sends within tmux."""

_LOST = 1.0
"""Seconds after which word of a command will not come any more: its pane is gone."""


class _Passed(Message):
    """Went the way of all that a pane reports, behind what a command let it report."""


class Keyboard(App[None]):
    """Turns keys into commands; what becomes of a command is up to who inherits."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self,
        keymap: Keymap,
        *,
        driver_class: type[Driver] | None = None,
        ansi_color: bool | None = None,
    ) -> None:
        """What Textual is told of driver and colours goes on to it."""
        super().__init__(driver_class=driver_class, ansi_color=ansi_color)
        self.chords = Chords(keymap)
        self._bursts = Bursts()
        self._held: deque[events.Key | events.Paste] = deque()
        self._is_holding = False
        self._overdue = math.inf

    @property
    def place(self) -> str:
        """Where keys are pressed now, by the name that the keymap has for it."""
        raise NotImplementedError

    @property
    def is_typing(self) -> bool:
        """Whether keys that write text write it now."""
        return self.chords.keymap.places[self.place].is_typing

    async def obey(self, command: str) -> None:
        """Carry a command out."""
        raise NotImplementedError

    def is_meant(self, command: str, time: float, *, is_burst: bool) -> bool:
        """Whether somebody means a command whose key came at a time.

        `is_burst` says that it came among more keys than fingers can press.
        """
        del command, time, is_burst
        return True

    def meant_nothing(self, keys: Keys) -> None:
        """Hear of keys that mean no command where they were pressed."""
        del keys

    def follow_prefix(self) -> None:
        """Show what may follow the chord that was begun, or that none is any more."""

    async def on_event(self, event: events.Event) -> None:
        """Look keys up before anybody else sees them; what is no key ends a chord."""
        if isinstance(event, (events.MouseDown, events.Paste)) and self.chords.prefix:
            self.chords.forget()
            self.follow_prefix()
        if not isinstance(event, (events.Key, events.Paste)) or event.is_forwarded:
            await super().on_event(event)
        elif self._is_holding or self._held:
            self._held.append(event)
            if event.time > self._overdue:
                await self.release_keys()
        else:
            await self._press(event)

    async def _press(self, event: events.Key | events.Paste) -> None:
        """Press a key; escape and a letter, read as one, are two again.

        The letter, and all after it, wait for what escape changes: they are meant for
        another pane.
        """
        if isinstance(event, events.Paste):
            await super().on_event(event)
            return
        letter = _after_escape(event)
        if letter is None:
            await self._look_up(event)
            return
        self._held.appendleft(letter)
        self._is_holding = True
        await self._look_up(events.Key("escape", "\x1b"))
        self.call_after_refresh(self.release_keys)

    def _wait_for_focus(self, pane: Widget | None) -> None:
        """Hold what is typed until the keys go where the command has sent them.

        Textual moves the focus only after the keys that came in the same breath: what
        is typed behind `/` would be commands. A pane that reports what is to be done
        is heard later still: `q` behind enter would leave the program, not the reader.
        """
        if self._is_holding:
            return
        if pane and self.screen in pane.ancestors and pane.post_message(_Passed()):
            self._is_holding = True
            self._overdue = monotonic() + _LOST
        else:
            self._is_holding = self.call_later(self.release_keys)

    @on(_Passed)
    def _heard(self, event: _Passed) -> None:
        """The pane has told all; what it was told to do comes before the next key."""
        event.stop()
        self.call_later(self.release_keys)

    def hold_keys(self) -> None:
        """Hold what is typed until there is something that it can be meant for."""
        self._is_holding = True

    async def release_keys(self) -> None:
        """Press what was typed while something did its work."""
        self._is_holding = False
        self._overdue = math.inf
        while self._held and not self._is_holding:
            await self._press(self._held.popleft())

    async def _look_up(self, event: events.Key) -> None:
        """Let a key mean a command, or go on a chord, or be somebody else's."""
        key = pressed(event.key, event.character)
        is_burst = self._bursts.take(event.time)
        if key == _KEYPAD_ENTER and not self.is_typing:
            key = "enter"
        had_prefix = bool(self.chords.prefix)
        outcome = self.chords.press(self.place, key)
        if had_prefix or isinstance(outcome, Pending):
            self.follow_prefix()
        match outcome:
            case Resolved(command):
                pane = self.focused
                if self.is_meant(command, event.time, is_burst=is_burst):
                    await self.obey(command)
                self._wait_for_focus(pane)
            case Nothing(given_up):
                if not given_up:
                    await super().on_event(event)
                self.meant_nothing((*given_up, key))
            case Pending():
                pass


def _after_escape(event: events.Key) -> events.Key | None:
    """The letter that was typed so soon after escape that they were read as one."""
    if not event.key.startswith(_ALT):
        return None
    name = event.key.removeprefix(_ALT)
    letter = name.removeprefix(_SHIFT).upper() if _SHIFT in name else name
    return events.Key(letter, letter) if is_printed(letter) else None

"""Keys: names, keymap, chords, user-defined keys, the application that uses them."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, product

from msgspec import Struct
from msgspec.structs import replace
from textual import events, on
from textual.app import App
from textual.driver import Driver
from textual.message import Message
from textual.widget import Widget

from store.settings import Settings, line_of
from store.text import near, regex

# Keys by the names that people write (`j`, `?`, `ctrl+d`, `g g`), and how they are
# shown.
#
# The name of a key is the character printed on it, or else a word. A key sequence is
# written with spaces between the keys.

Keys = tuple[str, ...]
"""A key sequence, usually of a single key."""

_FUNCTION_KEYS = tuple(f"f{number}" for number in range(1, 13))

_MOVING = ("up", "down", "left", "right", "home", "end", "pageup", "pagedown")
_EDITING = ("enter", "escape", "tab", "space", "backspace", "delete", "insert")

NAMED = frozenset((*_EDITING, *_MOVING, *_FUNCTION_KEYS))
"""The keys that type no character, and the space."""

_MODIFIED = regex(r"(?:(?:ctrl|alt|shift|super|hyper|meta)\+)+(?P<key>.+)")

_ALSO = {
    "esc": "escape",
    "return": "enter",
    "del": "delete",
    "ins": "insert",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "s-tab": "shift+tab",
    "backtab": "shift+tab",
}
"""Aliases for keys."""

_SHOWN = {
    "enter": "↵",
    "escape": "esc",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
    "shift+tab": "S-tab",
}

_SHOWN_IN_ASCII = {
    "enter": "Enter",
    "up": "Up",
    "down": "Down",
    "left": "Left",
    "right": "Right",
}


def spelt(text: str) -> Keys:
    """The keys in a text; empty if one of them is invalid."""
    keys = tuple(_spelt(word) for word in text.split())
    return keys if all(map(is_key, keys)) else ()


def is_key(name: str) -> bool:
    """Whether a name is that of a key."""
    modified = _MODIFIED.fullmatch(name)
    key = modified["key"] if modified else name
    return is_printed(key) or key in NAMED


def is_printed(name: str) -> bool:
    """Whether the key types a character in a text field."""
    return name == "space" or (len(name) == 1 and name.isprintable() and name != " ")


def pressed(key: str, character: str | None) -> str:
    """The name of a pressed key, from what Textual reports."""
    if character == " ":
        return "space"
    plain = "+" not in key or key == character
    if plain and character and is_printed(character):
        return character
    return key


def shown(keys: Keys, *, in_ascii: bool = False) -> str:
    """Keys as shown in hints and help: `gg`, `^d`, `↵`."""
    looks = [_shown(key, in_ascii=in_ascii) for key in keys]
    return ("" if all(len(look) == 1 for look in looks) else " ").join(looks)


def _spelt(word: str) -> str:
    """One key by its name."""
    if len(word) == 1:
        return word
    lower = word.lower()
    if lower[0] == "^" and len(lower) == len("^x"):
        return f"ctrl+{lower[1]}"
    return _ALSO.get(lower, lower)


def _shown(key: str, *, in_ascii: bool) -> str:
    looks = _SHOWN | _SHOWN_IN_ASCII if in_ascii else _SHOWN
    if key in looks:
        return looks[key]
    if key in _FUNCTION_KEYS:
        return key.upper()
    return f"^{key.removeprefix('ctrl+')}" if key.startswith("ctrl+") else key


# The keymap, shared by chords, hints and help.


class Place(Struct, frozen=True):
    """Where keys are pressed: a pane, or a text field."""

    name: str
    """Its name in the command tables."""
    chain: tuple[str, ...]
    """Itself and the places it inherits keys from, nearest first."""
    is_typing: bool = False
    """Whether printable keys type text."""
    is_menu: bool = False
    """Whether printable keys without a command of its own type text."""


class Bound(Struct, frozen=True):
    """A command's keys."""

    command: str
    """The command's id."""
    place: str
    """Where the keys work."""
    keys: tuple[Keys, ...]
    """The alternative key sequences; the first is the one shown."""


class Clash(Struct, frozen=True):
    """Keys with two commands in one place."""

    keys: Keys
    """The keys; if one sequence is a prefix of the other, the shorter."""
    commands: tuple[str, str]
    """The two commands."""
    place: str
    """The place."""


class Keymap(Struct, frozen=True, dict=True):
    """The commands of all keys; immutable."""

    bound: Mapping[str, Bound]
    """The keys of each command, by command id."""
    places: Mapping[str, Place]
    """All places, by name."""

    @classmethod
    def of(cls, bound: Iterable[Bound], places: Iterable[Place]) -> "Keymap":
        """The keymap of these commands."""
        return cls(
            {one.command: one for one in bound}, {one.name: one for one in places}
        )

    def keys(self, command: str) -> tuple[Keys, ...]:
        """The keys of a command; empty if it has none."""
        return self.bound[command].keys

    def keys_in(self, place: str, command: str) -> tuple[Keys, ...]:
        """The keys of a command that work in a place."""
        meanings = self.meanings(place)
        return tuple(
            keys for keys in self.keys(command) if meanings.get(keys) == command
        )

    def changed(self, keys: Mapping[str, tuple[Keys, ...]]) -> "Keymap":
        """A copy with other keys for some commands."""
        changes = {
            command: replace(self.bound[command], keys=wanted)
            for command, wanted in keys.items()
        }
        return Keymap({**self.bound, **changes}, self.places)

    def meanings(self, place: str) -> Mapping[Keys, str]:
        """The key sequences that work in a place, and their commands."""
        return self._meanings[place]

    def clashes(self) -> Iterator[Clash]:
        """Keys with two commands, or that are a prefix of other keys."""
        for place in self.places.values():
            for one, other in combinations(self._holding(place), 2):
                for ours, theirs in product(one.keys, other.keys):
                    shorter, longer = sorted((ours, theirs), key=len)
                    if longer[: len(shorter)] == shorter:
                        yield Clash(shorter, (one.command, other.command), place.name)

    @cached_property
    def _meanings(self) -> Mapping[str, Mapping[Keys, str]]:
        return {
            place.name: {
                keys: bound.command
                for bound in self._holding(place)
                for keys in bound.keys
            }
            for place in self.places.values()
        }

    def _holding(self, place: Place) -> list[Bound]:
        """The keys that work in a place; while typing, only those that type no text."""
        return [
            replace(bound, keys=tuple(filter(_writes_nothing, bound.keys)))
            if place.is_typing or (place.is_menu and bound.place != place.name)
            else bound
            for bound in self.bound.values()
            if bound.place in place.chain
        ]


def _writes_nothing(keys: Keys) -> bool:
    return not is_printed(keys[0])


# The outcome of a key press, given that some commands take several keys.
#
# A prefix waits indefinitely: there is no timeout.


class Resolved(Struct, frozen=True):
    """The keys complete a command."""

    command: str
    """The command's id."""


class Pending(Struct, frozen=True):
    """The keys are a prefix, and more keys are expected."""

    prefix: Keys
    """The keys so far."""


class Nothing(Struct, frozen=True):
    """The key has no command here."""

    given_up: Keys = ()
    """The prefix that it ended; without one, Textual may handle the key."""


Outcome = Resolved | Pending | Nothing


class Chords:
    """Collects keys until they are a command, or not."""

    def __init__(self, keymap: Keymap) -> None:
        self.keymap = keymap
        self.prefix: Keys = ()
        """The keys so far of a chord, possibly empty."""

    def forget(self) -> None:
        """Drop the prefix, as after a change of focus."""
        self.prefix = ()

    def press(self, place: str, key: str) -> Outcome:
        """Press a key in a place."""
        prefix, self.prefix = self.prefix, ()
        keys = (*prefix, key)
        meanings = self.keymap.meanings(place)
        if keys in meanings:
            return Resolved(meanings[keys])
        if any(longer[: len(keys)] == keys for longer in meanings):
            self.prefix = keys
            return Pending(keys)
        return Nothing(prefix)


# Keys that no one pressed: more of them at once than a person can type.
#
# A terminal's reply to a query looks like keys. So does pasted text if the terminal
# does not mark it as such.

MOST = 20
"""The most keys within a moment that can be typed or held."""

MOMENT = 0.05
"""The length of a moment, in seconds."""


class Bursts:
    """Remembers the times of the last keys."""

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=MOST + 1)

    def take(self, time: float) -> bool:
        """Add a key press; returns whether it is part of a burst."""
        self._times.append(time)
        return len(self._times) > MOST and time - self._times[0] <= MOMENT


# The keys that cannot be assigned, because terminals use them, with the reason.

_MULTIPLEXER = "tmux and screen use it"
_SAME_BYTE = "terminals send {} instead"
_NOT_SENT = "many terminals don't send it"
_BROWSERS = "browsers and editors open or close windows with it"

_WHY = {
    "ctrl+a": _MULTIPLEXER,
    "ctrl+b": _MULTIPLEXER,
    "ctrl+s": "it stops the output in some terminals",
    "ctrl+h": _SAME_BYTE.format("backspace"),
    "ctrl+i": _SAME_BYTE.format("tab"),
    "ctrl+m": _SAME_BYTE.format("enter"),
    "ctrl+j": "the enter key of a keypad sends it",
    "ctrl+[": _SAME_BYTE.format("escape"),
    "ctrl+left_square_bracket": _SAME_BYTE.format("escape"),
    "ctrl+/": _SAME_BYTE.format("ctrl+_"),
    "ctrl+_": _SAME_BYTE.format("ctrl+/"),
    "ctrl+slash": _SAME_BYTE.format("ctrl+_"),
    "ctrl+underscore": _SAME_BYTE.format("ctrl+/"),
    "ctrl+@": _NOT_SENT,
    "ctrl+at": _NOT_SENT,
    "ctrl+space": _NOT_SENT,
    "ctrl+enter": _NOT_SENT,
    "shift+enter": _NOT_SENT,
    "shift+space": _NOT_SENT,
    "f10": "terminals open a menu with it",
    "f11": "terminals go to full screen with it",
}

_ONLY_WHILE_TYPING = {"ctrl+n": _BROWSERS, "ctrl+t": _BROWSERS, "ctrl+w": _BROWSERS}

_MODIFIERS = {
    "alt+": "terminals send escape and a letter instead",
    "super+": _NOT_SENT,
    "hyper+": _NOT_SENT,
    "meta+": _NOT_SENT,
}


def refusal(keys: Keys, *, is_typing: bool) -> str | None:
    """Why these keys cannot be assigned; None if they can.

    In a text field this includes the keys that type text.
    """
    for key in keys:
        why = _why(key, is_typing=is_typing)
        if why:
            return f"{key!r} can't be used: {why}"
    return None


def _why(key: str, *, is_typing: bool) -> str | None:
    if is_typing and is_printed(key):
        return "it types text there"
    if not is_typing and key in _ONLY_WHILE_TYPING:
        return _ONLY_WHILE_TYPING[key]
    modified = (why for start, why in _MODIFIERS.items() if start in key)
    return _WHY.get(key) or next(modified, None)


# User-defined keys: applied if they are valid, otherwise refused by line.

Wanted = Mapping[str, tuple[Sequence[str], int]]
"""The keys for each command, by id, and the line where they are set."""


class Problem(Struct, frozen=True):
    """A setting that was refused."""

    line: int
    """Its line."""
    command: str
    """Its command."""
    sentence: str
    """The reason."""


class Remapped(Struct, frozen=True):
    """The keymap with the user's valid settings."""

    keymap: Keymap
    """Commands whose setting was refused have their default keys."""
    problems: tuple[Problem, ...]
    """The refused settings, by line."""


def remap(usual: Keymap, wanted: Wanted, needed: frozenset[str]) -> Remapped:
    """Assign the keys that the user wants.

    The commands in `needed` must keep a key, as they are needed to get out.
    """
    problems = list(_unfit(usual, wanted, needed))
    refused = {problem.command for problem in problems}
    wishes = {
        command: tuple(map(spelt, keys))
        for command, (keys, _) in wanted.items()
        if command not in refused
    }
    while wishes and (clash := _first_clash(usual.changed(wishes), wishes)):
        problem = _clashing(clash, wishes, wanted)
        problems.append(problem)
        del wishes[problem.command]
    problems.sort(key=lambda problem: problem.line)
    return Remapped(usual.changed(wishes), tuple(problems))


def _unfit(usual: Keymap, wanted: Wanted, needed: frozenset[str]) -> Iterator[Problem]:
    """The problems of single settings."""
    for command, (texts, line) in wanted.items():
        if command not in usual.bound:
            meant = near(command, usual.bound)
            why = f"Unknown command {command!r}"
            why += f" (did you mean {meant!r}?)" if meant else ""
        elif command in needed and not texts:
            why = f"{command!r} needs a key"
        else:
            place = usual.places[usual.bound[command].place]
            why = next(_unfit_keys(texts, is_typing=place.is_typing), "")
        if why:
            yield Problem(line, command, f"{why}.")


def _unfit_keys(texts: Sequence[str], *, is_typing: bool) -> Iterator[str]:
    """Why some of these keys are invalid or cannot be assigned."""
    for text in texts:
        keys = spelt(text)
        why = refusal(keys, is_typing=is_typing) if keys else f"invalid key {text!r}"
        if why:
            yield why


def _first_clash(
    keymap: Keymap, wishes: Mapping[str, tuple[Keys, ...]]
) -> Clash | None:
    """The first clash that a setting causes."""
    return next(
        (one for one in keymap.clashes() if not wishes.keys().isdisjoint(one.commands)),
        None,
    )


def _clashing(
    clash: Clash, wishes: Mapping[str, tuple[Keys, ...]], wanted: Wanted
) -> Problem:
    """The problem for a clash: the later setting is refused.

    A setting that clashes with default keys is refused as well.
    """
    blamed = [command for command in clash.commands if command in wishes]
    command = max(blamed, key=lambda name: wanted[name][1])
    (other,) = (name for name in clash.commands if name != command)
    line = wanted[command][1]
    already = f"{' '.join(clash.keys)!r} is already used for {other!r}"
    why = f"{already}; give that command another key first"
    return Problem(line, command, f"{why}.")


# The keys in the user's settings.

TABLE = "keys"
"""Their table in the settings."""

_BETWEEN = regex(r"(?<=.),\s+")
"""A comma followed by a blank is a separator, not a key."""


def wanted_in(settings: Settings) -> Wanted:
    """The keys for each command: separated by commas, none for an empty text."""
    return {
        command: (
            [text for text in _BETWEEN.split(written) if text.strip()],
            line_of(settings.text, (TABLE, command)) or 0,
        )
        for command, written in settings.keys.items()
    }


# An application whose keys come from the keymap, including chords and the user's keys.
#
# Textual binds keys to classes and has no key sequences. Here every key is looked up in
# the keymap first; only keys without a command are passed on to Textual and its
# widgets.

_ALT = "alt+"
_SHIFT = "shift+"

_KEYPAD_ENTER = "ctrl+j"
"""The key that tmux sends for the enter key of a keypad."""

_LOOKS = 0.5
"""Seconds between two looks whether the pane that is waited for is still there."""


class _Passed(Message):
    """A message that follows everything a pane reports for a command."""


class HeldKeys:
    """Keys that wait until there is something to receive them."""

    def __init__(self, app: "Keyboard") -> None:
        self._app = app
        self.events: deque[events.Key | events.Paste] = deque()
        self.is_holding = False
        self._next_look: asyncio.TimerHandle | None = None

    def hold(self) -> None:
        """Hold all keys until there is something to receive them."""
        self.is_holding = True

    def let_go(self) -> None:
        """Hold no more keys."""
        self.is_holding = False
        if self._next_look is not None:
            self._next_look.cancel()

    def release_after(self, pane: Widget | None) -> None:
        """Handle the held keys once a pane has processed its messages."""
        self.let_go()
        self.wait_for(pane)

    def wait_for(self, pane: Widget | None) -> None:
        """Hold further keys until the pane has handled this one.

        Textual moves the focus only after the keys that arrived with it: without this,
        text typed after `/` would be commands. Messages from a pane are handled even
        later: `q` after enter would quit the program instead of closing the reader.
        """
        app = self._app
        if self.is_holding:
            return
        if pane and app.screen in pane.ancestors and pane.post_message(_Passed()):
            self.is_holding = True
            self._look_after(pane)
        else:
            self.is_holding = app.call_later(app.release_keys)

    def _look_after(self, pane: Widget) -> None:
        """Release the keys if the pane goes away, as it answers no more then."""
        if pane.is_running:
            loop = asyncio.get_running_loop()
            self._next_look = loop.call_later(_LOOKS, self._look_after, pane)
        else:
            self._app.call_later(self._app.release_keys)


class Keyboard(App[None]):
    """Turns keys into commands; subclasses carry them out."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self,
        keymap: Keymap,
        *,
        driver_class: type[Driver] | None = None,
        ansi_color: bool | None = None,
    ) -> None:
        """Passes driver and colours on to Textual."""
        super().__init__(driver_class=driver_class, ansi_color=ansi_color)
        self.chords = Chords(keymap)
        self.before_key: Callable[[str], None] = lambda _key: None
        """Called with each key before it is looked up."""
        self._bursts = Bursts()
        self.held = HeldKeys(self)
        self._has_typed = False
        """Whether typed letters may not have reached their text field yet."""

    @property
    def place(self) -> str:
        """The keymap's name for the place that has the focus."""
        raise NotImplementedError

    @property
    def is_typing(self) -> bool:
        """Whether printable keys type text now, but for the commands of a menu."""
        place = self.chords.keymap.places[self.place]
        return place.is_typing or place.is_menu

    async def obey(self, command: str) -> None:
        """Carry out a command."""
        raise NotImplementedError

    def is_meant(self, command: str, time: float, *, is_burst: bool) -> bool:
        """Whether a command is intended, given the time of its key.

        `is_burst` says that more keys arrived at once than a person can type.
        """
        del command, time, is_burst
        return True

    def meant_nothing(self, keys: Keys) -> None:
        """Handle keys that have no command here."""
        del keys

    def follow_prefix(self) -> None:
        """Show the possible next keys of the chord, or that it has ended."""

    async def on_event(self, event: events.Event) -> None:
        """Look up keys before any widget gets them; mouse and paste end a chord."""
        if isinstance(event, (events.MouseDown, events.Paste)) and self.chords.prefix:
            self.chords.forget()
            self.follow_prefix()
        if not isinstance(event, (events.Key, events.Paste)) or event.is_forwarded:
            await super().on_event(event)
        elif self.held.is_holding or self.held.events:
            self.held.events.append(event)
        else:
            await self._press(event)

    async def _press(self, event: events.Key | events.Paste) -> None:
        """Handle a key; `alt` and a letter become escape and the letter again.

        The letter and all later keys wait until the escape has taken effect, as they
        are meant for another pane. A key that types nothing waits until the letters
        before it are in their text field, so that enter accepts all of them.
        """
        if isinstance(event, events.Paste):
            await super().on_event(event)
            self._has_typed = True
            return
        place = self.chords.keymap.places[self.place]
        if self._has_typed and not (place.is_typing and event.is_printable):
            self._has_typed = False
            self.held.events.appendleft(event)
            self.held.wait_for(self.focused)
            return
        letter = _after_escape(event)
        if letter is None:
            await self._look_up(event)
            return
        self.held.events.appendleft(letter)
        self.held.is_holding = True
        await self._look_up(events.Key("escape", "\x1b"))
        self.call_after_refresh(self.release_keys)

    @on(_Passed)
    def _heard(self, event: _Passed) -> None:
        """Release the keys after all messages that the pane has sent."""
        event.stop()
        self.call_later(self.release_keys)

    async def release_keys(self) -> None:
        """Handle the keys that were held."""
        self.held.let_go()
        while self.held.events and not self.held.is_holding:
            await self._press(self.held.events.popleft())

    async def _look_up(self, event: events.Key) -> None:
        """Run the key's command, continue a chord, or pass the key on."""
        key = pressed(event.key, event.character)
        is_burst = self._bursts.take(event.time)
        if key == _KEYPAD_ENTER and not self.is_typing:
            key = "enter"
        self.before_key(key)
        had_prefix = bool(self.chords.prefix)
        outcome = self.chords.press(self.place, key)
        if had_prefix or isinstance(outcome, Pending):
            self.follow_prefix()
        match outcome:
            case Resolved(command):
                pane = self.focused
                if self.is_meant(command, event.time, is_burst=is_burst):
                    await self.obey(command)
                self.held.wait_for(pane)
            case Nothing(given_up):
                if not given_up:
                    await super().on_event(event)
                self.meant_nothing((*given_up, key))
                self._has_typed = self.is_typing
            case Pending():
                pass


def _after_escape(event: events.Key) -> events.Key | None:
    """The letter typed right after escape, if both were read as one key."""
    if not event.key.startswith(_ALT):
        return None
    name = event.key.removeprefix(_ALT)
    letter = name.removeprefix(_SHIFT).upper() if _SHIFT in name else name
    return events.Key(letter, letter) if is_printed(letter) else None

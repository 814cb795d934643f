"""Keys in a running application: chords, split escapes, the keypad, and typing."""

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Input

from tui.keys import Bound, Keyboard, Keymap, Keys, Place

KEYMAP = Keymap.of(
    (
        Bound("top", "list", (("g", "g"),)),
        Bound("down", "list", (("j",),)),
        Bound("up", "list", (("k",),)),
        Bound("read", "list", (("enter",),)),
        Bound("filter", "list", (("/",),)),
        Bound("back", "everywhere", (("escape",),)),
    ),
    (
        Place("everywhere", ("everywhere",)),
        Place("list", ("list", "everywhere")),
        Place("bar", ("bar", "everywhere"), is_typing=True),
    ),
)


class Typewriter(Keyboard):
    """A bar to type in, and a record of every command."""

    AUTO_FOCUS = None

    def __init__(self) -> None:
        super().__init__(KEYMAP)
        self.obeyed: list[str] = []
        self.prefixes: list[Keys] = []

    def compose(self) -> ComposeResult:
        yield Input()

    @property
    def bar(self) -> Input:
        return self.screen.query_one(Input)

    @property
    def place(self) -> str:
        return "bar" if self.focused is self.bar else "list"

    async def obey(self, command: str) -> None:
        self.obeyed.append(command)
        if command == "filter":
            self.bar.focus()
        elif command == "back":
            self.set_focus(None)

    def follow_prefix(self) -> None:
        self.prefixes.append(self.chords.prefix)


async def test_a_chord_shows_its_prefix_until_it_is_complete() -> None:
    app = Typewriter()
    async with app.run_test() as pilot:
        await pilot.press("g")
        assert app.prefixes == [("g",)]

        await pilot.press("g")

    assert app.obeyed == ["top"]
    assert app.prefixes == [("g",), ()]


async def test_a_key_that_ends_a_chord_does_nothing_more() -> None:
    app = Typewriter()
    async with app.run_test() as pilot:
        await pilot.press("g", "j", "j")

    assert app.obeyed == ["down"]
    assert app.prefixes == [("g",), ()]


async def test_a_click_ends_a_chord() -> None:
    app = Typewriter()
    async with app.run_test() as pilot:
        await pilot.press("g")
        await pilot.click(offset=(5, 20))
        await pilot.press("j")

    assert app.obeyed == ["down"]
    assert app.prefixes == [("g",), ()]


async def test_typed_letters_are_text() -> None:
    app = Typewriter()
    async with app.run_test() as pilot:
        await pilot.press("slash")
        await pilot.pause()
        await pilot.press("j", "space", "g", "slash")

        assert app.bar.value == "j g/"
    assert app.obeyed == ["filter"]


async def test_escape_and_a_letter_read_as_one_are_two() -> None:
    app = Typewriter()
    async with app.run_test() as pilot:
        await pilot.press("slash")
        await pilot.pause()
        await pilot.press("x", "alt+j", "k")
        await pilot.pause()

        assert app.bar.value == "x"
    assert app.obeyed == ["filter", "back", "down", "up"]


async def test_several_escapes_keep_their_order() -> None:
    app = Typewriter()
    async with app.run_test() as pilot:
        await pilot.press("alt+j", "alt+k", "j")
        await pilot.pause()

    assert app.obeyed == ["back", "down", "back", "up", "down"]


async def test_a_capital_after_escape_stays_one() -> None:
    app = Typewriter()
    async with app.run_test() as pilot:
        app.chords.keymap = KEYMAP.changed({"up": (("K",),)})
        await pilot.press("alt+shift+k")
        await pilot.pause()

    assert app.obeyed == ["back", "up"]


async def test_the_keypad_has_an_enter_too_but_not_in_text_fields() -> None:
    app = Typewriter()
    async with app.run_test() as pilot:
        await pilot.press("ctrl+j", "enter", "slash")
        await pilot.pause()
        await pilot.press("ctrl+j")

    assert app.obeyed == ["read", "read", "filter"]


async def test_keys_typed_at_once_go_where_the_focus_moves() -> None:
    app = Typewriter()
    async with app.run_test() as pilot:
        for key in "/jg":
            app.post_message(events.Key(key, key))
        app.post_message(events.Paste("k"))
        await pilot.pause()
        await pilot.pause()

        assert app.bar.value == "jgk"
    assert app.obeyed == ["filter"]


async def test_held_keys_are_pressed_when_they_are_released() -> None:
    app = Typewriter()
    async with app.run_test() as pilot:
        app.held.hold()
        await pilot.press("j", "k")
        assert app.obeyed == []

        await app.release_keys()
        await pilot.pause()

    assert app.obeyed == ["down", "up"]


class Popup(Screen[None]):
    """A screen over the first one, with a bar of its own."""

    def compose(self) -> ComposeResult:
        yield Vertical(Input())


class Reporting(Typewriter):
    """Its bar reports, and the handler moves the focus away."""

    async def obey(self, command: str) -> None:
        await super().obey(command)
        if command == "read":
            self.bar.post_message(Input.Submitted(self.bar, ""))

    def on_input_submitted(self) -> None:
        self.obeyed.append("heard")

    @property
    def place(self) -> str:
        return "list"


async def test_messages_of_a_pane_are_handled_before_the_next_key() -> None:
    app = Reporting()
    async with app.run_test() as pilot:
        app.bar.focus()
        await pilot.pause()
        for key in ("enter", "j", "k"):
            app.post_message(events.Key(key, None))
        await pilot.pause()

    assert app.obeyed == ["read", "heard", "down", "up"]


async def test_keys_continue_when_their_pane_disappears() -> None:
    class Closing(Reporting):
        async def obey(self, command: str) -> None:
            self.obeyed.append(command)
            if command == "read":
                await self.bar.remove()

    app = Closing()
    async with app.run_test() as pilot:
        app.bar.focus()
        await pilot.pause()
        await pilot.press("enter", "j")

    assert app.obeyed == ["read", "down"]


async def test_keys_continue_when_a_pane_is_closed_before_it_answers() -> None:
    class Closing(Reporting):
        async def obey(self, command: str) -> None:
            self.obeyed.append(command)
            if command == "read":
                self.screen.query_one(Vertical).remove()

    app = Closing()
    async with app.run_test() as pilot:
        await app.push_screen(Popup())
        app.bar.focus()
        await pilot.pause()
        for key in ("enter", "j"):
            app.post_message(events.Key(key, None))
        while app.obeyed != ["read", "down"]:
            await pilot.pause()

"""Keys resolve one after another; a chord waits for its rest."""

from tui.keys import Bound, Chords, Keymap, Nothing, Pending, Place, Resolved

PLACES = (
    Place("app", ("app",)),
    Place("list", ("list", "app")),
    Place("bar", ("bar", "app"), is_typing=True),
)
KEYMAP = Keymap.of(
    (
        Bound("top", "list", (("g", "g"), ("home",))),
        Bound("store", "app", (("g", "s"),)),
        Bound("down", "list", (("j",), ("down",))),
        Bound("quit", "app", (("Q",), ("ctrl+q",))),
        Bound("take", "bar", (("enter",),)),
    ),
    PLACES,
)


def test_a_key_means_a_command() -> None:
    chords = Chords(KEYMAP)

    assert chords.press("list", "j") == Resolved("down")
    assert chords.press("list", "Q") == Resolved("quit")
    assert chords.press("list", "x") == Nothing()


def test_a_chord_waits_for_its_second_key() -> None:
    chords = Chords(KEYMAP)

    assert chords.press("list", "g") == Pending(("g",))
    assert chords.prefix == ("g",)
    assert chords.press("list", "g") == Resolved("top")
    assert chords.prefix == ()


def test_a_key_that_continues_no_chord_ends_it_without_a_meaning() -> None:
    chords = Chords(KEYMAP)
    chords.press("list", "g")

    assert chords.press("list", "j") == Nothing(given_up=("g",))
    assert chords.press("list", "j") == Resolved("down")


def test_a_chord_can_be_cancelled() -> None:
    chords = Chords(KEYMAP)
    chords.press("list", "g")
    chords.forget()

    assert chords.press("list", "j") == Resolved("down")


def test_a_place_knows_only_its_own_keys_and_those_around_it() -> None:
    chords = Chords(KEYMAP)

    assert chords.press("app", "j") == Nothing()
    assert chords.press("app", "g") == Pending(("g",))


def test_in_text_fields_letters_stay_letters() -> None:
    chords = Chords(KEYMAP)

    assert chords.press("bar", "Q") == Nothing()
    assert chords.press("bar", "g") == Nothing()
    assert chords.press("bar", "ctrl+q") == Resolved("quit")
    assert chords.press("bar", "enter") == Resolved("take")


def test_clashes_are_found_in_every_place() -> None:
    keymap = KEYMAP.changed({"down": (("g",),), "take": (("ctrl+q",),)})

    found = {(clash.keys, *clash.commands, clash.place) for clash in keymap.clashes()}

    assert found == {
        (("g",), "top", "down", "list"),
        (("g",), "store", "down", "list"),
        (("ctrl+q",), "quit", "take", "bar"),
    }

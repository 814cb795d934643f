"""Keys have the names that people write."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.keys import NAMED, Keys, is_key, pressed, shown, spelt


@pytest.mark.parametrize(
    ("written", "keys"),
    [
        ("j", ("j",)),
        ("G", ("G",)),
        ("g g", ("g", "g")),
        ("?", ("?",)),
        ("+", ("+",)),
        ("Ctrl+D", ("ctrl+d",)),
        ("^d", ("ctrl+d",)),
        ("^", ("^",)),
        ("Esc", ("escape",)),
        ("PgUp", ("pageup",)),
        ("S-Tab", ("shift+tab",)),
        ("F1", ("f1",)),
        ("ü", ("ü",)),
    ],
)
def test_keys_are_written_as_people_write_them(written: str, keys: Keys) -> None:
    assert spelt(written) == keys


@pytest.mark.parametrize("written", ["", "hyper", "ctrl+", "g nonsense", "\x1b", "f99"])
def test_an_invalid_key_is_nothing(written: str) -> None:
    assert spelt(written) == ()


@pytest.mark.parametrize(
    ("key", "character", "name"),
    [
        ("j", "j", "j"),
        ("G", "G", "G"),
        ("question_mark", "?", "?"),
        ("plus", "+", "+"),
        ("space", " ", "space"),
        ("shift+space", " ", "space"),
        ("ctrl+d", "\x04", "ctrl+d"),
        ("enter", "\r", "enter"),
        ("escape", "\x1b", "escape"),
        ("shift+tab", None, "shift+tab"),
        ("alt+j", "j", "alt+j"),
        ("f1", None, "f1"),
    ],
)
def test_a_pressed_key_has_its_written_name(
    key: str, character: str | None, name: str
) -> None:
    assert pressed(key, character) == name
    assert is_key(name)


@pytest.mark.parametrize(
    ("written", "looks", "in_ascii"),
    [
        ("g g", "gg", "gg"),
        ("ctrl+d", "^d", "^d"),
        ("enter", "↵", "Enter"),
        ("down", "↓", "Down"),
        ("escape", "esc", "esc"),
        ("g enter", "g↵", "g Enter"),
        ("f1", "F1", "F1"),
        ("shift+tab", "S-tab", "S-tab"),
    ],
)
def test_keys_are_shown_short(written: str, looks: str, in_ascii: str) -> None:
    assert shown(spelt(written)) == looks
    assert shown(spelt(written), in_ascii=True) == in_ascii


@given(st.text(max_size=20))
def test_any_text_is_keys_or_nothing(text: str) -> None:
    assert all(map(is_key, spelt(text)))


@given(st.lists(st.sampled_from(sorted(NAMED) + list("jG?+^")), min_size=1))
def test_written_keys_are_read_back(keys: list[str]) -> None:
    assert spelt(" ".join(keys)) == tuple(keys)

"""The scroll bar: a thin one, whose ends are reached only with those of the text."""

import pytest

from widgets.sheet import ThinScrollBar


def drawn(position: float, *, lines: int = 40, room: int = 10) -> str:
    bar = ThinScrollBar.render_bar(room, lines, room, position)
    return "".join(segment.text for segment in bar.segments if segment.text != "\n")


@pytest.mark.parametrize(
    ("position", "bar"),
    [
        (0, "▐▐        "),
        (1, " ▐▐       "),
        (15, "    ▐▐    "),
        (29, "       ▐▐ "),
        (30, "        ▐▐"),
    ],
)
def test_the_bar_shows_what_is_in_view(position: int, bar: str) -> None:
    assert drawn(position) == bar


def test_a_text_that_fits_has_no_bar() -> None:
    assert drawn(0, lines=10).strip() == ""


def test_a_bar_is_never_too_small_to_see() -> None:
    assert drawn(50_000, lines=100_000).count("▐") == 1


def test_a_click_beside_the_bar_scrolls_towards_it() -> None:
    bar = ThinScrollBar.render_bar(10, 40, 10, 15)
    told = [one.style.meta["@mouse.down"] for one in bar.segments if one.style]
    assert told == [*["scroll_up"] * 4, "grab", "grab", *["scroll_down"] * 4]

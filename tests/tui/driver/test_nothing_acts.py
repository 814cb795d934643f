"""Text that would act on a terminal never reaches it."""

import re

from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from tests.tui.driver.pair import Pair
from tui.driver.screen import Printable, cells_of, printable

ACTING = [
    *map(chr, range(32)),
    *map(chr, range(0x7F, 0xA0)),
    *"\u200b\u200e\u200f\u2028\u2029\u202a\u202e\u2060\u2066\u2069\ufeff\ufff9",
    *("\U000e0041", "\ud83d"),
]

ATTACKS = [
    "\x1b]0;owned\x07",
    "\x1b]52;c;b3duZWQ=\x07",
    "\x1b]10;?\x1b\\",
    "\x1b]8;;https://evil.example\x1b\\here\x1b]8;;\x1b\\",
    "\x1b[6n",
    "\x1b[c",
    "\x1b[>q",
    "\x1b[2J",
    "\x1b[?1049l",
    "\x1bP+q544e\x1b\\",
    "\x1b_G\x1b\\",
    "\x9b6n",
    "\x9d0;owned\x9c",
    "\x1bc",
]

OURS = re.compile(
    r"\x1b\[[\d;]*[HmABCDGKJX]|\x1b\[\d+;\d+r|\x1b\[\d*[LM]|\x1b\[r|\r\n|[\r\b]"
)
"""What the driver itself sends."""

TEXTS = st.lists(
    st.one_of(st.sampled_from([*ATTACKS, *ACTING, "a", "字"]), st.text(max_size=5)),
    max_size=8,
).map("".join)


@given(TEXTS)
@example("".join(ATTACKS))
def test_a_shown_memory_is_harmless(text: str) -> None:
    pair = Pair(40, 5)
    pair.sent.clear()

    pair.intake.write(f"\x1b[2;3H\x1b[1m{text}\x1b[0m\x1b[1;1H")
    pair.intake.flush()

    left = OURS.sub("", "".join(pair.sent))
    assert not set(left) & set(ACTING)


@given(TEXTS)
def test_filtered_text_keeps_its_width(text: str) -> None:
    assert cell_len(printable(text)) == cell_len(text)
    assert printable(printable(text)) == printable(text)


@given(TEXTS)
def test_cells_match_the_width_of_the_text(text: str) -> None:
    assert len(cells_of(text).cells) == cell_len(printable(text))


def test_a_filter_removes_escapes_and_links() -> None:
    linked = Style(bold=True, link="https://evil.example")

    shown = Printable().apply(
        [Segment("a\x1b]0;x\x07b", linked), Segment("plain")], Color(0, 0, 0)
    )

    assert [segment.text for segment in shown] == ["a]0;xb", "plain"]
    assert shown[0].style
    assert shown[0].style.bold
    assert not shown[0].style.link

"""Through the driver, a terminal shows the same screen as without."""

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from tests.tui.driver.pair import ABLE, Pair
from tests.tui.driver.updates import Piece, pieces, runs, update
from tui.driver.screen import Abilities, reach

WIDTH, HEIGHT = 16, 6

ABILITIES = [
    Abilities(erases_to_background=erases, scrolls=scrolls)
    for erases in (True, False)
    for scrolls in (True, False)
]

BESIDE = [
    "\x07",
    "\x1b[?2026h",
    "\x1b[?2026l",
    "\x1b[?1003h",
    "\x1b[>25u",
    "\x1b[?2004h",
    "\x1b]52;c;aGVsbG8=\x07",
]

FORGET = "the terminal may show anything"

ERASURES = ["\x1b[2J", "\x1b[J", "\x1b[1J", "\x1b[K", "\x1b[1K", "\x1b[2K"]


@dataclass(frozen=True)
class Updated:
    """Parts of lines are written, and the cursor is put somewhere."""

    pieces: list[Piece]
    cursor: tuple[int, int]


@dataclass(frozen=True)
class Scrolled:
    """A list in the middle that moves by some lines."""

    top: int
    bottom: int
    lines: int


PLACES = st.tuples(st.integers(0, HEIGHT - 1), st.integers(0, WIDTH - 1))

STEPS = st.one_of(
    st.builds(Updated, st.lists(pieces(WIDTH, HEIGHT), min_size=1, max_size=4), PLACES),
    st.builds(
        Scrolled,
        st.integers(0, 2),
        st.integers(4, HEIGHT - 1),
        st.sampled_from([-3, -1, 1, 2]),
    ),
    st.sampled_from([*BESIDE, *ERASURES]),
    st.just(FORGET),
)


def whole(lines: list[str]) -> str:
    return update([Piece(row, 0, line) for row, line in enumerate(lines)])


def scroll(lines: list[str], step: Scrolled) -> None:
    block = lines[step.top : step.bottom + 1]
    turn = step.lines % len(block)
    lines[step.top : step.bottom + 1] = block[turn:] + block[:turn]


def follow(pair: Pair, lines: list[str], step: Updated | Scrolled | str) -> None:
    if isinstance(step, Updated):
        pair.write(update(step.pieces, step.cursor))
    elif isinstance(step, Scrolled):
        scroll(lines, step)
        pair.write(whole(lines))
    elif step == FORGET:
        pair.intake.forget()
    else:
        pair.write(step)


@given(
    abilities=st.sampled_from(ABILITIES),
    lines=st.lists(runs(WIDTH), min_size=HEIGHT, max_size=HEIGHT),
    steps=st.lists(STEPS, max_size=6),
)
def test_a_stream_of_updates(
    abilities: Abilities, lines: list[str], steps: list[Updated | Scrolled | str]
) -> None:
    pair = Pair(WIDTH, HEIGHT, abilities)
    pair.write(whole(lines))
    pair.assert_same()

    for step in steps:
        follow(pair, lines, step)
        pair.assert_same()


@given(
    before=st.lists(runs(WIDTH), min_size=HEIGHT, max_size=HEIGHT),
    size=st.tuples(st.integers(2, 50), st.integers(1, 12)),
    data=st.data(),
)
def test_another_size(
    before: list[str], size: tuple[int, int], data: st.DataObject
) -> None:
    pair = Pair(WIDTH, HEIGHT)
    pair.write(whole(before))
    columns, rows = size
    after = [data.draw(runs(columns)) for _ in range(rows)]

    pair.resize(columns, rows)
    pair.write(whole(after))

    pair.assert_same()


@given(
    lines=st.lists(runs(WIDTH), min_size=HEIGHT, max_size=HEIGHT),
    steps=st.lists(STEPS, max_size=6),
)
def test_a_terminal_with_wider_emoji(
    lines: list[str], steps: list[Updated | Scrolled | str]
) -> None:
    pair = Pair(WIDTH, HEIGHT, ABLE, is_naive=True)
    pair.write(whole(lines))

    for step in steps:
        follow(pair, lines, step)

    for shown, wanted in zip(pair.frugal.seen(), pair.plain.seen(), strict=True):
        for is_cell, cell in zip(shown, wanted, strict=True):
            assert is_cell == cell or reach(cell.data) or not cell.data


@given(
    top=st.integers(0, 3),
    bottom=st.integers(9, 13),
    steps=st.lists(st.integers(-4, 4).filter(bool), min_size=1, max_size=5),
)
def test_a_list_that_scrolls(top: int, bottom: int, steps: list[int]) -> None:
    able, unable = Pair(40, 14), Pair(40, 14, Abilities(erases_to_background=True))
    at, sizes = 100, [0, 0]
    for step in [0, *steps]:
        at += step
        lines = [
            f"\x1b[1;38;2;9;9;9;48;2;1;1;1m{number**15:<40}\x1b[0m"
            for number in (
                at + row if top <= row <= bottom else -row for row in range(14)
            )
        ]
        for index, pair in enumerate((able, unable)):
            sizes[index] += len(pair.write(whole(lines)))
            pair.assert_same()

    assert sizes[0] < sizes[1]

"""Edited texts, part by part, by one or two writers."""

from hypothesis import given
from hypothesis import strategies as st

from tui.browser.targets import hunks, parts, without
from widgets.page import Part, three_body
from widgets.text import Look

TEXTS = st.lists(st.sampled_from([b"a", b"b", b"c\r", b""]), max_size=8).map(b"\n".join)


@given(TEXTS, TEXTS)
def test_every_part_can_be_reverted(before: bytes, after: bytes) -> None:
    assert bool(hunks(before, after)) == (before != after)
    while found := hunks(before, after):
        last = len(found) - 1
        after = without(before, after, last)
        assert len(hunks(before, after)) <= last
    assert after == before


@given(TEXTS, TEXTS, TEXTS)
def test_three_texts_are_shown_wherever_they_differ(
    was: bytes, mine: bytes, theirs: bytes
) -> None:
    found = list(parts(was, mine, theirs))

    assert bool(found) == (not was == mine == theirs)
    assert all(part.line >= 1 for part in found)


def test_conflicts_come_first() -> None:
    mine = Part(line=1, was=("a",), mine=("b",), theirs=("a",))
    both = Part(line=9, was=("a",), mine=("b",), theirs=())
    same = Part(line=12, was=(), mine=("x\x1b[31m",), theirs=("x\x1b[31m",))

    lines = [line.text for line in three_body([mine, both, same]).lines(Look(40))]

    assert lines == [
        "line 9  both changed it",
        "  was     a",
        "  mine    b",
        "  theirs  (nothing)",
        "line 1  only you changed it",
        "  was     a",
        "  mine    b",
        "line 12  both made the same change",
        "  was     (nothing)",
        "  mine    x␛[31m",
    ]
    (told,) = three_body([]).lines(Look(40))
    assert told.text == "Both are identical."

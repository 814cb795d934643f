"""Lines that are too long are cut at the edge, one for each line of the text."""

from hypothesis import given
from hypothesis import strategies as st

from store.clean import clean
from widgets.page import Plain
from widgets.text import BREAK, MORE, Look, cut

TEXTS = st.lists(st.text("ab \t日é-", max_size=60), min_size=1, max_size=8).map(
    "\n".join
)


@given(TEXTS, st.integers(4, 30))
def test_there_are_as_many_lines_as_the_text_has(text: str, width: int) -> None:
    wrapped = list(Plain(text).lines(Look(width)))

    lines = list(cut(wrapped))

    assert len(lines) == sum(line.joint == BREAK for line in wrapped)
    assert all(line.joint == BREAK for line in lines)
    begun = [
        line
        for before, line in zip([None, *wrapped], wrapped, strict=False)
        if before is None or before.joint == BREAK
    ]
    for line, whole in zip(lines, begun, strict=True):
        is_cut = whole.joint != BREAK
        assert line.text == whole.text + MORE.text * is_cut


def test_a_line_that_fits_stays_whole() -> None:
    (short, long) = cut(Plain("short\n" + "long " * 20).lines(Look(30)))

    assert short.text == clean("short")
    assert long.text.endswith(MORE.text)

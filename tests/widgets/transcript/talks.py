"""Messages to lay out: short, long, foldable, none."""

from collections.abc import Sequence

from hypothesis import strategies as st

from tests.widgets.hostile import TEXTS
from widgets.page import Markdown, Plain
from widgets.text import Look
from widgets.transcript import Told, blank, call, folded, speaker
from widgets.transcript_cursor import Reading
from widgets.transcript_layout import (
    CALL,
    GUIDE,
    SAID,
    Diff,
    Entry,
    Indented,
    Layout,
    Output,
    Part,
)


def said(text: str, key: str = "words") -> Part:
    """A message of a speaker."""
    return Part(key, SAID, body=Indented(Plain(text)), text=text)


def called(text: str, key: str = "call", *, is_whole: bool = True) -> Part:
    """A call that can be opened."""
    head = call(Told("Bash", "make", ("2 lines",)), has_failed=False)
    body = Indented(Output(text), GUIDE)
    return Part(key, CALL, head, body, is_whole=is_whole, text=text)


def entry(number: int, *parts: Part) -> Entry:
    """A message."""
    return Entry(number, parts, (blank(), speaker("you", "10:00", "marked")), "10:00")


def talk(count: int) -> list[Entry]:
    """Messages: text of some lines, a call, and now and then nothing."""
    return [
        Entry(number)
        if number % 5 == 4
        else entry(
            number,
            said(
                "\n".join(f"message {number} line {n}" for n in range(number % 7 + 1))
            ),
            called(f"answer {number}\nof two lines"),
        )
        for number in range(count)
    ]


def laid_out(entries: Sequence[Entry], width: int = 60) -> Layout:
    """All messages, loaded."""
    layout = Layout(len(entries))
    layout.change(Look(width))
    layout.bring(0, entries)
    return layout


def reading(entries: Sequence[Entry], room: int = 10, width: int = 60) -> Reading:
    """A view of all of them."""
    made = Reading()
    made.layout = laid_out(entries, width)
    made.room = room
    made.settle()
    return made


def shown(view: Reading) -> list[str]:
    """The lines in view."""
    return [row.laid.line(row.line).text if row.laid else "…" for row in view.rows()]


texts = st.sampled_from([text[:300] for text in TEXTS]) | st.text(max_size=60)
bodies = st.builds(Plain, texts) | st.builds(Markdown, texts) | st.builds(Output, texts)
diffs = st.builds(Diff, texts.map(lambda text: f"@@ -1 +1 @@\n-{text}\n+{text}"))
tellings = st.builds(Told, texts, texts, st.tuples(texts))
heads = tellings.map(folded) | tellings.map(lambda told: call(told, has_failed=True))
parts = st.builds(
    Part,
    st.uuids().map(str),
    st.sampled_from([SAID, CALL]),
    st.none() | heads,
    st.builds(Indented, bodies | diffs),
)
talks = st.lists(st.lists(parts, max_size=3), min_size=1, max_size=6).map(
    lambda several: [entry(at, *some) for at, some in enumerate(several)]
)
"""Conversations of any shape."""

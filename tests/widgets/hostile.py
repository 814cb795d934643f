"""Hostile texts, and what no drawn line may contain."""

from collections.abc import Iterable

from rich.cells import cell_len
from textual.strip import Strip

from tests.store.test_clean import is_forbidden

TEXTS = (
    "",
    " ",
    "[/] [/usr/bin] [oops",
    "[@click=app.quit]x[/]",
    "[b]not bold[/b] [link=https://example.com]no link[/link]",
    "\x1b]0;PWNED\x07 \x1b[2J \x1b]52;c;Y3VybA==\x07",
    "\x9b31m \x90 \x00 \x07 \x7f",
    "one\nline\r\nor\ttwo\x0b\x0c\x85\u2028\u2029",
    "abc\u202edlrow\u202c \u2066x\u2069 \u200bno\u200bthing\ufeff",
    "\U000e0041\U000e0042 tags",
    "lone \ud83d surrogate \udc80",
    "界" * 300,
    "e\u0301" * 300,
    "a" + "\u0301" * 500,
    "👩\u200d🚀 👨\u200d👩\u200d👧\u200d👦 ☺\ufe0f 🇩🇪",
    "x" * 1_000_000,
    "\x1b" * 100_000,
    "\u0301" * 100_000,
    "https://example.com/" + "a" * 5_000,
    "مرحبا بالعالم नमस्ते สวัสดี",
)
"""Control bytes, bidi, what looks like markup, a megabyte of line, wide characters."""

SIZES = ((80, 24), (120, 36), (200, 50), (1, 1), (2, 2), (20, 4))
"""Sizes of terminals that people have, and of those that nobody wants."""


def unfit(lines: Iterable[str]) -> set[str]:
    """Characters that a terminal would act on or that are invisible."""
    return {
        character for line in lines for character in line if is_forbidden(character)
    }


def assert_fit(strips: Iterable[Strip], width: int) -> None:
    """Only visible cells, and as many as there is room for."""
    drawn = list(strips)
    texts = [strip.text for strip in drawn]
    assert unfit(texts) == set()
    assert {cell_len(text) for text in texts} <= {width}
    assert {strip.cell_length for strip in drawn} <= {width}
    assert not [seg for strip in drawn for seg in strip if seg.style and seg.style.link]

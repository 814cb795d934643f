"""The raw view shows every byte; invisible ones as marks."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.widgets.hostile import TEXTS, unfit
from tests.widgets.reader.texts import laid, said, toned
from widgets.page import Raw
from widgets.text import Look


def test_invisible_characters_are_marked() -> None:
    data = b"one\x1b[31m\r\n\ttwo\xff\xfe\n\xe2\x80\xaethree\n"

    assert said(Raw(data)) == ["one␛[31m␍", "␉two⟨FF⟩⟨FE⟩", "⟨U+202E⟩three"]
    marks = ["␛", "␍", "␉", "⟨FF⟩⟨FE⟩", "⟨U+202E⟩"]
    assert toned(laid(Raw(data)), "control") == marks


def test_the_end_of_a_file_is_shown() -> None:
    assert said(Raw(b"")) == ["The file is empty."]
    assert said(Raw(b"one")) == ["one", "(no newline at the end)"]
    assert said(Raw(b"one\n\n")) == ["one", ""]


@given(st.binary(max_size=300), st.integers(1, 60))
def test_any_bytes_can_be_shown(data: bytes, width: int) -> None:
    lines = laid(Raw(data), width)

    assert unfit(line.text for line in lines) == set()
    assert len(lines) >= data.count(b"\n")


@given(st.text(st.characters(codec="ascii", categories=["L", "N", "P"]), max_size=200))
def test_visible_characters_stay_unchanged(text: str) -> None:
    lines = laid(Raw(f"{text}\n".encode()), 20)

    assert "".join(line.text for line in lines) == text


def test_hostile_texts_are_only_text() -> None:
    for text in TEXTS:
        lines = Raw(text.encode("utf-8", "surrogatepass")).lines(Look(60))
        first = [line.text for _, line in zip(range(300), lines, strict=False)]
        assert unfit(first) == set()
        assert all(cell_len(line) <= 60 for line in first)

"""Sequences not about the screen are passed on; the screen is sent when due."""

import pytest

from tui.driver.driver import Intake
from tui.driver.screen import Frame

UPDATE = "\x1b[1;1Htext\x1b[1;1H"


class Sink:
    """Stores the output."""

    def __init__(self) -> None:
        self.items: list[str | Frame] = []
        self.intake = Intake(self.items.append, lambda: (10, 3))

    def write(self, *writes: str) -> list[str | Frame]:
        self.items.clear()
        for data in writes:
            self.intake.write(data)
        self.intake.flush()
        return self.items.copy()


@pytest.fixture
def sink() -> Sink:
    sink = Sink()
    sink.write("\x1b[?1049h")
    return sink


def frames(items: list[str | Frame]) -> list[Frame]:
    return [item for item in items if isinstance(item, Frame)]


def text(frame: Frame) -> list[str]:
    return ["".join(row.text) for row in frame.rows]


@pytest.mark.parametrize(
    "data",
    [
        "\x07",
        "\x1b[?1000h",
        "\x1b[?2026$p",
        "\x1b[>25u",
        "\x1b[<u",
        "\x1b[?7h\x1b[?25h",
        "\x1b]52;c;aGVsbG8=\x07",
        "\x1b]22;pointer\x07",
        "\x1b]2;a title\x1b\\",
    ],
)
def test_other_sequences_are_passed_on(sink: Sink, data: str) -> None:
    assert sink.write(data) == [data]


def test_they_are_passed_on_after_the_preceding_updates(sink: Sink) -> None:
    frame, bell = sink.write(UPDATE, "\x07")

    assert isinstance(frame, Frame)
    assert bell == "\x07"


def test_an_unknown_effect_causes_a_full_redraw(sink: Sink) -> None:
    (before,) = frames(sink.write(UPDATE))

    question, after = sink.write("\x1b[6n")

    assert question == "\x1b[6n"
    assert isinstance(after, Frame)
    assert after.generation != before.generation


@pytest.mark.parametrize("data", ["\x1bPq\x1b\\", "\x1b]4;1;red\x07", "\x1b_x\x1b\\"])
def test_sequences_not_known_to_be_harmless_are_dropped(sink: Sink, data: str) -> None:
    assert data not in sink.write(data)


def test_nothing_is_drawn_on_a_shared_screen(sink: Sink) -> None:
    assert sink.write(UPDATE, "\x1b[?1049l", UPDATE) == ["\x1b[?1049l"]


def test_synchronisation_marks_are_only_needed_for_large_updates(
    sink: Sink,
) -> None:
    (frame,) = sink.write("\x1b[?2026h", UPDATE, "\x1b[?2026l")

    assert isinstance(frame, Frame)
    assert frame.is_synchronized


def test_text_beyond_a_line_is_cut_off(sink: Sink) -> None:
    (frame,) = frames(sink.write("\x1b[1;8H1234\x1b[2;8Hab字\x1b[9;99H"))

    assert text(frame) == [" " * 7 + "123", " " * 7 + "ab ", " " * 10]
    assert frame.cursor == (2, 9)


def test_a_line_feed_at_the_bottom_scrolls(sink: Sink) -> None:
    (frame,) = frames(sink.write("\x1b[1;1Hone\ntwo\nthree\nfour"))

    assert [line.rstrip() for line in text(frame)] == ["two", "three", "four"]


def test_combining_marks_belong_to_the_previous_cell(sink: Sink) -> None:
    (frame,) = frames(sink.write("\x1b[1;1H字\x1b[1m\u0301\x1b[0mx"))

    assert frame.rows[0].text[:3] == ["字\u0301", "", "x"]
